"""The referee's answers to a purchase that is proposed, as buttons under its post; `/referee accept` does the same."""

import re
from typing import Any, Final, Self

import discord

from bot import error_replies, replies
from bot.phrases import Language, phrases
from bot.presenter import private
from bot.seats import check_referee
from rules_core import commands as cmd
from rules_core.errors import RuleViolation
from rules_core.history import REFEREE
from rules_core.state import Purchase, State

_WORDS: Final = ("accept", "refuse", "all")


class PurchaseButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"starpost:b:(?P<game>\d+):(?P<round>\d+):(?P<number>\d+):(?P<word>{'|'.join(_WORDS)})",
):
    """An answer to a proposal; they are numbered anew in each round."""

    @classmethod
    def of(cls, game: int, round_: int, number: int, word: str, language: Language) -> Self:
        """The button with its words."""
        label = phrases(language).say(f"buying_button.{word}")
        return cls(discord.ui.Button(label=label, custom_id=f"starpost:b:{game}:{round_}:{number}:{word}"))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[discord.ui.View], match: re.Match[str], /
    ) -> Self:
        assert isinstance(item, discord.ui.Button), "an id of a button on something else"
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        match = self.template.fullmatch(self.custom_id)
        assert match is not None, "checked when it was made"
        if not await replies.took_up(interaction):
            return
        async with error_replies.answering(interaction):
            interaction.client.admit(interaction)
            bot, words = interaction.client, await interaction.client.reader(interaction)
            row = await bot.game_pressed(interaction, match["game"])
            check_referee(row, interaction.user.id)
            done = await bot.service.execute(row.id, REFEREE, lambda state: _answer(state, match))
            await replies.tell(interaction, private(done.before, done.events, REFEREE, words.language))


ITEMS: Final = (PurchaseButton,)


def of_post(game: int, state: State, purchase: Purchase, language: Language) -> discord.ui.View:
    """The buttons under a proposal."""
    view = discord.ui.View(timeout=None)
    for word in _WORDS:
        view.add_item(PurchaseButton.of(game, state.round, purchase.number, word, language))
    return view


def _answer(state: State, match: re.Match[str]) -> cmd.Command:
    number = int(match["number"])
    if state.round != int(match["round"]):
        raise RuleViolation(
            "no_such_proposal", None, number=number, known=tuple(str(p.number) for p in state.purchases)
        )
    if match["word"] == "all":
        return cmd.AcceptPurchases()
    return cmd.AcceptPurchases(number) if match["word"] == "accept" else cmd.RefusePurchase(number)

"""The referee's answers to a purchase that is proposed, as buttons under its post; `/referee accept` does the same."""

import re
from typing import Any, Final, Self

import discord

from bot import error_replies, replies
from bot.phrases import Language, phrases
from bot.presenter import private
from bot.restored import Button, Restored
from bot.seats import check_referee
from rules_core import commands as cmd
from rules_core.errors import RuleViolation
from rules_core.history import REFEREE
from rules_core.state import Purchase, State

_WORDS: Final = ("accept", "refuse", "all")


class PurchaseButton(
    Restored[Button],
    template=rf"starpost:b:(?P<game>\d+):(?P<round>\d+):(?P<number>\d+):(?P<word>{'|'.join(_WORDS)})",
):
    """An answer to a proposal; they are numbered anew in each round."""

    @classmethod
    def of(cls, game: int, round_: int, number: int, word: str, language: Language) -> Self:
        """The button with its words."""
        label = phrases(language).say(f"buying_button.{word}")
        return cls(discord.ui.Button(label=label, custom_id=f"starpost:b:{game}:{round_}:{number}:{word}"))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        said = self.said
        if not await replies.took_up(interaction):
            return
        async with error_replies.answering(interaction):
            interaction.client.admit(interaction)
            bot, words = interaction.client, await interaction.client.reader(interaction)
            row = await bot.game_pressed(interaction, said["game"])
            check_referee(row, interaction.user.id)
            done = await bot.service.execute(row.id, REFEREE, lambda state: _answer(state, said))
            await replies.tell(interaction, private(done.before, done.events, REFEREE, words.language))


ITEMS: Final = (PurchaseButton,)


def of_post(game: int, state: State, purchase: Purchase, language: Language) -> discord.ui.View:
    """The buttons under a proposal."""
    view = discord.ui.View(timeout=None)
    for word in _WORDS:
        view.add_item(PurchaseButton.of(game, state.round, purchase.number, word, language))
    return view


def _answer(state: State, said: re.Match[str]) -> cmd.Command:
    number = int(said["number"])
    if state.round != int(said["round"]):
        raise RuleViolation(
            "no_such_proposal", None, number=number, known=tuple(str(p.number) for p in state.purchases)
        )
    if said["word"] == "all":
        return cmd.AcceptPurchases()
    return cmd.AcceptPurchases(number) if said["word"] == "accept" else cmd.RefusePurchase(number)

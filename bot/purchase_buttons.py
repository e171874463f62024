"""The referee's answers to a purchase that is proposed, as buttons under its post; `/referee accept` does the same."""

import re
from typing import Final, Self

import discord

from bot import replies
from bot.phrases import Language, phrases
from bot.presenter import private
from bot.replies import Interaction
from bot.restored import Button, Restored
from bot.rows import GameRow
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

    async def pressed(self, interaction: Interaction, game: GameRow) -> None:
        bot, words, said = interaction.client, await interaction.client.reader(interaction), self.said
        check_referee(game, interaction.user.id)
        done = await bot.service.execute(game.id, REFEREE, lambda state: _answer(state, said))
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
        raise RuleViolation("proposal_of_another_round", None, round=int(said["round"]))
    if said["word"] == "all":
        return cmd.AcceptPurchases()
    return cmd.AcceptPurchases(number) if said["word"] == "accept" else cmd.RefusePurchase(number)

"""What the game waits for, as buttons that outlive a restart: all they need to know is in their ids."""

import hashlib
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Self

import discord

from bot import error_replies, looks, replies
from bot.phrases import LANGUAGES, Language
from bot.presenter import private
from bot.service import Service
from rules_core.commands import PlayerCommand
from rules_core.errors import RuleViolation
from rules_core.pending import Decision, MovementChoice, decisions
from rules_core.state import State

if TYPE_CHECKING:
    from bot.client import StarpostBot

LABEL_LIMIT: Final = 80
_DIGEST: Final = 10


def _digest(decision: Decision) -> str:
    """A decision in a few letters: its id is longer than Discord takes."""
    return hashlib.sha256(decision.id.encode()).hexdigest()[:_DIGEST]


class ChoiceButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=r"starpost:(?P<game>\d+):(?P<opened>\d+):(?P<decision>[0-9a-f]+):(?P<choice>[\w.-]+)",
):
    """One answer to a decision that was open after the event `opened` of a game."""

    def __init__(self, game: int, opened: int, decision: str, choice: str, label: str) -> None:
        self._game = game
        self._opened = opened
        self._decision = decision
        self._choice = choice
        id = f"starpost:{game}:{opened}:{decision}:{choice}"
        super().__init__(discord.ui.Button(label=label[:LABEL_LIMIT], custom_id=id))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[discord.ui.View], match: re.Match[str], /
    ) -> Self:
        label = item.label if isinstance(item, discord.ui.Button) and item.label else ""
        return cls(int(match["game"]), int(match["opened"]), match["decision"], match["choice"], label)

    async def callback(self, interaction: "discord.Interaction[StarpostBot]") -> None:
        # A new private answer; the message with the button stays as it is.
        await interaction.response.defer(ephemeral=True, thinking=True)
        async with error_replies.answering(interaction):
            await self._answer(interaction)

    async def _answer(self, interaction: "discord.Interaction[StarpostBot]") -> None:
        service, words = interaction.client.service, await interaction.client.reader(interaction)
        player = await service.seat_of(self._game, interaction.user.id)
        if not await service.holds(self._game, self._opened):
            raise RuleViolation("decision_is_over")
        done = await service.execute(self._game, player, self._command(player))
        view = buttons(self._game, done.last, done.after, words.language, player)
        await replies.tell(interaction, private(done.before, done.events, player, words.language), view=view)

    def _command(self, player: str) -> Callable[[State], PlayerCommand]:
        def build(state: State) -> PlayerCommand:
            for decision in decisions(state):
                if _digest(decision) == self._decision:
                    return self._chosen(state, decision, player)
            raise RuleViolation("decision_is_over")

        return build

    def _chosen(self, state: State, decision: Decision, player: str) -> PlayerCommand:
        if decision.player != player:
            raise RuleViolation("not_your_choice", decision.clause, players=(decision.player,))
        for choice in looks.prompt(state, decision, LANGUAGES[0]).choices:
            if choice.id == self._choice:
                return choice.command
        raise RuleViolation("decision_is_over")


def buttons(
    game: int, opened: int, state: State, language: Language, only: str | None = None
) -> discord.ui.View | None:
    """The answers to what is waited for after the event `opened`, those of the player `only` or everybody's."""
    view = discord.ui.View(timeout=None)
    for decision in decisions(state):
        if decision.player == only or (only is None and not isinstance(decision, MovementChoice)):
            for choice in looks.prompt(state, decision, language).choices:
                if len(view.children) < looks.MAX_CHOICES:
                    view.add_item(ChoiceButton(game, opened, _digest(decision), choice.id, choice.label))
    return view if view.children else None


ITEMS: Final = (ChoiceButton,)

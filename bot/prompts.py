"""What the game waits for, as buttons and selects that outlive a restart: all they need to know is in their ids."""

import hashlib
import re
from collections.abc import Callable, Iterable
from typing import Any, Final, Self

import discord

from bot import error_replies, looks, replies
from bot.looks import Choice
from bot.phrases import LANGUAGES, Language, phrases
from bot.presenter import private
from bot.replies import Interaction
from bot.report import all_races
from rules_core.commands import PlayerCommand
from rules_core.errors import RuleViolation
from rules_core.pending import Decision, MovementChoice, decisions
from rules_core.state import State

_BUTTON_LABEL: Final = 80
_OPTION_LABEL: Final = 100
_PLACEHOLDER: Final = 150
# More answers than this are a select, of which a message holds five.
_MOST_BUTTONS: Final = 5
_MOST_ROWS: Final = 5
_ID: Final = r"starpost:(?P<game>\d+):(?P<opened>\d+):(?P<decision>[0-9a-f]+)"
_DIGEST: Final = 10


def _digest(decision: Decision) -> str:
    """A decision in a few letters: its id is longer than Discord takes."""
    return hashlib.sha256(decision.id.encode()).hexdigest()[:_DIGEST]


def _fitting(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


# ---- what is pressed


class ChoiceButton(discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=rf"{_ID}:(?P<choice>[\w.-]+)"):
    """One answer to a decision that was open after the event `opened` of a game."""

    @classmethod
    def of(cls, opened: str, choice: Choice) -> Self:
        """The button of a choice; `opened`: game, event and decision, as they begin the id."""
        label = _fitting(choice.label, _BUTTON_LABEL)
        return cls(discord.ui.Button(label=label, custom_id=f"{opened}:{choice.id}"))

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[discord.ui.View], match: re.Match[str], /
    ) -> Self:
        assert isinstance(item, discord.ui.Button), "an id of a button on something else"
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        match = self.template.fullmatch(self.custom_id)
        assert match is not None, "checked when it was made"
        await _answer(interaction, match, match["choice"])


class ChoiceSelect(discord.ui.DynamicItem[discord.ui.Select[discord.ui.View]], template=_ID):
    """All answers to a decision, where there are too many for buttons."""

    @classmethod
    def of(cls, opened: str, choices: Iterable[Choice], placeholder: str) -> Self:
        """The select of a decision; `opened`: game, event and decision, its id."""
        options = [discord.SelectOption(label=_fitting(c.label, _OPTION_LABEL), value=c.id) for c in choices]
        return cls(
            discord.ui.Select(custom_id=opened, options=options, placeholder=_fitting(placeholder, _PLACEHOLDER))
        )

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: discord.ui.Item[discord.ui.View], match: re.Match[str], /
    ) -> Self:
        assert isinstance(item, discord.ui.Select), "an id of a select on something else"
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        match = self.template.fullmatch(self.custom_id)
        assert match is not None, "checked when it was made"
        await _answer(interaction, match, self.item.values[0])


ITEMS: Final = (ChoiceButton, ChoiceSelect)


async def _answer(interaction: Interaction, match: re.Match[str], choice: str) -> None:
    # A new private answer; the message that was pressed stays as it is.
    await interaction.response.defer(ephemeral=True, thinking=True)
    async with error_replies.answering(interaction):
        service, words = interaction.client.service, await interaction.client.reader(interaction)
        game = int(match["game"])
        player = await service.seat_of(game, interaction.user.id)
        if not await service.holds(game, int(match["opened"])):
            raise RuleViolation("decision_is_over")
        done = await service.execute(game, player, _chosen(match["decision"], choice, player))
        view = view_of(game, done.last, done.after, words.language, player)
        await replies.tell(interaction, private(done.before, done.events, player, words.language), view=view)


def _chosen(digest: str, choice: str, player: str) -> Callable[[State], PlayerCommand]:
    """The command that a choice gives, if its decision is still open and is `player`'s."""

    def build(state: State) -> PlayerCommand:
        decision = next((each for each in decisions(state) if _digest(each) == digest), None)
        if decision is None:
            raise RuleViolation("decision_is_over")
        if decision.player != player:
            raise RuleViolation("not_your_choice", decision.clause, players=(decision.player,))
        for each in looks.prompt(state, decision, LANGUAGES[0]).choices:
            if each.id == choice:
                return each.command
        raise RuleViolation("decision_is_over")

    return build


# ---- what is shown


def view_of(
    game: int, opened: int, state: State, language: Language, only: str | None = None
) -> discord.ui.View | None:
    """The answers to what is waited for after the event `opened`: those of the player `only`, or all that is asked."""
    view = discord.ui.View(timeout=None)
    shown = [each for each in decisions(state) if _is_shown(each, only)]
    for row, decision in enumerate(shown[:_MOST_ROWS]):
        for item in _items(f"starpost:{game}:{opened}:{_digest(decision)}", state, decision, language):
            item.row = row
            view.add_item(item)
    return view if view.children else None


def _is_shown(decision: Decision, only: str | None) -> bool:
    return not isinstance(decision, MovementChoice) if only is None else decision.player == only


def _items(
    opened: str, state: State, decision: Decision, language: Language
) -> list[ChoiceButton] | list[ChoiceSelect]:
    choices = looks.prompt(state, decision, language).choices
    if len(choices) <= _MOST_BUTTONS:
        return [ChoiceButton.of(opened, choice) for choice in choices]
    return [ChoiceSelect.of(opened, choices, phrases(language).waits_for(decision, all_races(state)))]

"""What the game waits for, as buttons and selects that outlive a restart: all they need to know is in their ids."""

import hashlib
import re
from collections.abc import Callable, Iterable
from typing import Any, Final, Self

import discord

from bot import desk, looks, menus, replies, seats, tapping
from bot.looks import Choice
from bot.menus import Listed, Menu, Pick
from bot.phrases import LANGUAGES, Language, phrases
from bot.presenter import MESSAGE_LIMIT
from bot.replies import Interaction
from bot.report import all_races
from bot.restored import Button, Restored, Select
from bot.rows import GameRow
from bot.slash import find
from bot.tapping import Shown
from rules_core.commands import PlayerCommand
from rules_core.errors import Refusal, RuleViolation
from rules_core.history import REFEREE
from rules_core.pending import Decision, InvasionChoice, MovementChoice, RetreatChoice, decisions
from rules_core.state import State

_BUTTON_LABEL: Final = 80
_OPTION_LABEL: Final = 100
_PLACEHOLDER: Final = 150
# More answers than this are a select, of which a message holds five.
_MOST_BUTTONS: Final = 5
# Two rows of buttons and two selects at most: there are never more than two who must answer at once.
_MOST_ITEMS: Final = 15
_ID: Final = r"starpost:(?P<game>\d+):(?P<opened>\d+):(?P<decision>[0-9a-f]+)"
_TABLE: Final = r"(?P<game>\d+):(?P<at>\d+)"
_DIGEST: Final = 10


def _digest(decision: Decision) -> str:
    """A decision in a few letters: its id is longer than Discord takes."""
    return hashlib.sha256(decision.id.encode()).hexdigest()[:_DIGEST]


def _fitting(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


# ---- what is pressed


class ChoiceButton(Restored[Button], template=rf"{_ID}:(?P<choice>[\w.-]+)"):
    """One answer to a decision that was open after the event `opened` of a game."""

    goes_on = True

    @classmethod
    def of(cls, opened: str, choice: Choice) -> Self:
        """The button of a choice; `opened`: game, event and decision, as they begin the id."""
        label = _fitting(choice.label, _BUTTON_LABEL)
        return cls(discord.ui.Button(label=label, custom_id=f"{opened}:{choice.id}"))

    async def pressed(self, interaction: Interaction, game: GameRow) -> None:
        await _answer(interaction, game.id, self.said, self.said["choice"])


class ChoiceSelect(Restored[Select], template=_ID):
    """All answers to a decision, where there are too many for buttons."""

    goes_on = True

    @classmethod
    def of(cls, opened: str, choices: Iterable[Choice], placeholder: str) -> Self:
        """The select of a decision; `opened`: game, event and decision, its id."""
        options = [discord.SelectOption(label=_fitting(c.label, _OPTION_LABEL), value=c.id) for c in choices]
        return cls(
            discord.ui.Select(custom_id=opened, options=options, placeholder=_fitting(placeholder, _PLACEHOLDER))
        )

    async def pressed(self, interaction: Interaction, game: GameRow) -> None:
        await _answer(interaction, game.id, self.said, self.item.values[0])


class MenuButton(Restored[Button], template=rf"starpost:m:{_TABLE}:(?P<code>[\w.!-]+)"):
    """One step in a menu that was made for the table after the event `at`."""

    goes_on = True

    @classmethod
    def of(cls, game: int, at: int, pick: Pick) -> Self:
        """The button of a pick."""
        style = discord.ButtonStyle.danger if pick.weighty else discord.ButtonStyle.secondary
        id = f"starpost:m:{game}:{at}:{pick.draft.code}"
        return cls(discord.ui.Button(label=_fitting(pick.label, _BUTTON_LABEL), style=style, custom_id=id))

    @property
    def asks_for(self) -> str:
        return menus.read_draft(self.said["code"]).action

    async def pressed(self, interaction: Interaction, game: GameRow) -> None:
        await _tapped(interaction, game, int(self.said["at"]), self.said["code"])


class MenuSelect(Restored[Select], template=rf"starpost:s:{_TABLE}:(?P<number>\d)"):
    """A list in a menu; its values are the steps they lead to."""

    goes_on = True

    @classmethod
    def of(cls, game: int, at: int, number: int, listed: Listed) -> Self:
        """The select of a list."""
        options = [
            discord.SelectOption(
                label=_fitting(pick.label, _OPTION_LABEL),
                value=pick.draft.code,
                description=_fitting(pick.note, _OPTION_LABEL) or None,
            )
            for pick in listed.picks
        ]
        title = _fitting(listed.title, _PLACEHOLDER)
        return cls(discord.ui.Select(custom_id=f"starpost:s:{game}:{at}:{number}", options=options, placeholder=title))

    @property
    def asks_for(self) -> str:
        return menus.read_draft(self.item.values[0]).action

    async def pressed(self, interaction: Interaction, game: GameRow) -> None:
        await _tapped(interaction, game, int(self.said["at"]), self.item.values[0])


class ProposalButton(Restored[Button], template=rf"starpost:p:{_TABLE}:(?P<word>agree|refuse)"):
    """An answer to an undo that was proposed when the event `at` was the last one."""

    @classmethod
    def of(cls, game: int, at: int, word: str, label: str) -> Self:
        """The button of an answer."""
        return cls(discord.ui.Button(label=label, custom_id=f"starpost:p:{game}:{at}:{word}"))

    async def pressed(self, interaction: Interaction, game: GameRow) -> None:
        service, words = interaction.client.service, await interaction.client.reader(interaction)
        decides = await seats.may_decide(service, game, interaction.user.id)
        speaker = REFEREE if decides else (await seats.seat_for(service, game, interaction.user.id)).by
        await service.undoing.answer(game.id, speaker, self.said["word"] == "agree", int(self.said["at"]))
        await replies.tell(interaction, words.say("private.noted"))


class OddsButton(Restored[Button], template=r"starpost:o:(?P<game>\d+):(?P<place>\d{3})"):
    """The odds of a battle as they are when it is pressed, for nobody else to see."""

    @classmethod
    def of(cls, game: int, at: str, label: str) -> Self:
        """The button for the battle in a system."""
        return cls(discord.ui.Button(label=label, custom_id=f"starpost:o:{game}:{at}"))

    @property
    def asks_for(self) -> str:
        return "odds"

    async def pressed(self, interaction: Interaction, game: GameRow) -> None:
        service, words = interaction.client.service, await interaction.client.reader(interaction)
        actor = await seats.reader_of(service, game, interaction.user.id)
        texts = {"system": self.said["place"]}
        answer = await desk.perform(service, game.id, actor, find("odds"), texts, words.language)
        await replies.tell(interaction, answer.text, picture=answer.picture)


ITEMS: Final = (ChoiceButton, ChoiceSelect, MenuButton, MenuSelect, ProposalButton, OddsButton)


async def _answer(interaction: Interaction, game: int, said: re.Match[str], choice: str) -> None:
    service, words = interaction.client.service, await interaction.client.reader(interaction)
    if not await service.past.holds(game, int(said["opened"])):
        raise RuleViolation("decision_is_over")
    now = await service.load(game)
    decision = _open(now.state, said["decision"])
    speaker = await seats.speaker_for(service, now.row, interaction.user.id, decision.player)
    if speaker is None:
        raise RuleViolation("not_your_choice", decision.clause, players=(decision.player,))
    done = await service.execute(game, speaker.by, _chosen(said["decision"], choice))
    text = await desk.told(service, game, done, speaker.player, speaker.by, words.language)
    menu = await tapping.plan_menu(service, game, speaker, words.language)
    await show(interaction, game, Shown(text, done.last, done.after, speaker.player, menu), words.language)


def _open(state: State, digest: str) -> Decision:
    """The decision of that digest, if it is still waited for."""
    for decision in decisions(state):
        if _digest(decision) == digest:
            return decision
    raise RuleViolation("decision_is_over")


def _chosen(digest: str, choice: str) -> Callable[[State], PlayerCommand]:
    """The command that a choice gives, if its decision is still open."""

    def build(state: State) -> PlayerCommand:
        for each in looks.prompt(state, _open(state, digest), LANGUAGES[0]).choices:
            if each.id == choice:
                return each.command
        raise RuleViolation("decision_is_over")

    return build


async def _tapped(interaction: Interaction, game: GameRow, at: int, code: str) -> None:
    service, words = interaction.client.service, await interaction.client.reader(interaction)
    draft = menus.read_draft(code)
    # The referee brings back what he has taken back; all else is done for a seat.
    redo = draft.action == "redo"
    user = interaction.user.id
    speaker = await (
        seats.speaker_of(service, game, user, find("redo")) if redo else seats.seat_for(service, game, user)
    )
    try:
        shown = await tapping.tap(service, game.id, speaker, at, draft, words.language)
    except Refusal as refused:
        if replies.is_private(interaction):
            raise  # the menu stays above the reason
        shown = await tapping.refused(service, game.id, speaker, refused, words.language)
    await show(interaction, game.id, shown, words.language)


# ---- what is shown


async def show(interaction: Interaction, game: int, shown: Shown, language: Language) -> None:
    """A private answer with its menu, or with all that can be done now.

    It stands where the button was that was pressed, unless nobody would see that anything is new there.
    """
    view = view_after(game, shown, language)
    fits = shown.picture is None and len(shown.text) <= MESSAGE_LIMIT
    if replies.is_private(interaction) and fits and not _looks_like(interaction.message, shown.text, view):
        await interaction.edit_original_response(content=shown.text, view=view, attachments=[])
    else:
        await replies.tell(interaction, shown.text, view=view, picture=shown.picture, before=shown.before)


def _looks_like(message: discord.Message | None, text: str, view: discord.ui.View | None) -> bool:
    """Whether a message says that already, over the same buttons; who counts in lists sees there what he has chosen."""
    if message is None or message.content != text:
        return False
    standing = [item for row in message.components if isinstance(row, discord.ActionRow) for item in row.children]
    coming = [getattr(child, "item", child) for child in (view.children if view is not None else ())]
    labels = [getattr(item, "label", None) for item in standing]
    return None not in labels and labels == [getattr(item, "label", None) for item in coming]


def view_after(game: int, shown: Shown, language: Language) -> discord.ui.View | None:
    """The buttons of a private answer: its menu, or all that can be done now."""
    if shown.menu is None:
        return view_of(game, shown.head, shown.state, language, shown.player)
    return _menu_view(game, shown.head, shown.menu)


def _menu_view(game: int, at: int, menu: Menu) -> discord.ui.View | None:
    view = discord.ui.View(timeout=None)
    for number, listed in enumerate(menu.lists):
        view.add_item(MenuSelect.of(game, at, number, listed))
    for pick in menu.buttons:
        view.add_item(MenuButton.of(game, at, pick))
    return view if view.children else None


def announcement(game: int, at: int, language: Language) -> discord.ui.View:
    """What can be done in the phase that began with the event `at`."""
    view = discord.ui.View(timeout=None)
    for pick in menus.announced(language):
        view.add_item(MenuButton.of(game, at, pick))
    return view


def reminder(game: int, at: int, language: Language) -> discord.ui.View:
    """What to do, for the announcement may be far up; and what stops the reminders of this wait."""
    view = discord.ui.View(timeout=None)
    for pick in menus.buttons_of(phrases(language), "help", "mute"):
        view.add_item(MenuButton.of(game, at, pick))
    return view


def proposal(game: int, at: int, language: Language) -> discord.ui.View:
    """The answers to an undo that is proposed."""
    view, words = discord.ui.View(timeout=None), phrases(language)
    for word in ("agree", "refuse"):
        view.add_item(ProposalButton.of(game, at, word, words.say(f"menu.{word}")))
    return view


def after_undo(game: int, at: int, state: State, language: Language) -> discord.ui.View:
    """The answers to what is waited for again, and what brings back what was taken back."""
    view = view_of(game, at, state, language) or discord.ui.View(timeout=None)
    for pick in menus.buttons_of(phrases(language), "redo"):
        view.add_item(MenuButton.of(game, at, pick))
    return view


def view_of(
    game: int, opened: int, state: State, language: Language, only: str | None = None
) -> discord.ui.View | None:
    """The answers to what is waited for after the event `opened`: those of the player `only`, or all that is asked."""
    view = discord.ui.View(timeout=None)
    for decision in decisions(state):
        if only in (None, decision.player) and len(view.children) < _MOST_ITEMS:
            for item in _items(game, opened, state, decision, language, private=only is not None):
                view.add_item(item)
    return view if view.children else None


def _items(
    game: int, opened: int, state: State, decision: Decision, language: Language, private: bool
) -> list[discord.ui.Item[Any]]:
    if isinstance(decision, MovementChoice | InvasionChoice):
        picks = menus.possible(state, decision.player, language) if private else menus.announced(language)
        return [MenuButton.of(game, opened, pick) for pick in picks]
    if menus.needs_menu(state, decision):
        return [MenuButton.of(game, opened, menus.chooser(decision, all_races(state)[decision.player], language))]
    id, choices = f"starpost:{game}:{opened}:{_digest(decision)}", looks.prompt(state, decision, language).choices
    more = _odds_button(game, decision, language)
    if len(choices) <= _MOST_BUTTONS and all(len(choice.label) <= _BUTTON_LABEL for choice in choices):
        return [*(ChoiceButton.of(id, choice) for choice in choices), *more]
    unnamed = looks.prompt(state, decision, language, named=False).choices
    return [ChoiceSelect.of(id, unnamed, looks.title(state, decision, language)), *more]


def _odds_button(game: int, decision: Decision, language: Language) -> list[OddsButton]:
    """Beside the choice to fight on or to leave."""
    if not isinstance(decision, RetreatChoice):
        return []
    return [OddsButton.of(game, decision.at, phrases(language).say("button.odds"))]

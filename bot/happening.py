"""A game as it stands, and what happens in it."""

from dataclasses import dataclass
from typing import Final

from bot.rows import GameRow
from rules_core import events as ev
from rules_core.pending import decisions
from rules_core.state import State

# Who opens the phases when a game starts; not the referee, who could else take the start back.
GAME: Final = "game"

Events = tuple[ev.Event, ...]


@dataclass(frozen=True, slots=True)
class Game:
    """A game as it stands now: its row, and its state with the standing orders of the seats."""

    row: GameRow
    state: State


@dataclass(frozen=True, slots=True)
class Happening:
    """Events that belong together, with the table before and after them; an undo has none.

    `first` is the number of the first event, `actor` who caused the last one. `about`: what else a post is
    about; `at`: when it happened, or since when that is waited for. `back`: what an undo took back, which leads from
    the table after it to the one before; or what a redo brought back, the other way round.
    """

    game: GameRow
    actor: str
    first: int
    before: State
    events: Events
    after: State
    about: str = ""
    at: str = ""
    back: Events = ()

    @property
    def last(self) -> int:
        """The number of the last event; an undo takes one number."""
        return self.first + max(1, len(self.events)) - 1


def nothing(now: Game, actor: str) -> Happening:
    """What has happened where nothing has: the table is as it was."""
    return Happening(now.row, actor, now.row.head + 1, now.state, (), now.state)


def waits_of(state: State) -> dict[str, str]:
    """The players who are waited for, each with the ids of his decisions; nobody while the game is paused."""
    found: dict[str, str] = {}
    if state.paused:
        return found
    for decision in decisions(state):
        found[decision.player] = f"{found.get(decision.player, '')} {decision.id}".strip()
    return found

"""The log of a game, and taking back: entries are only ever added, an undo is one of them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rules_core import events as ev
from rules_core.apply import fold
from rules_core.errors import RuleViolation
from rules_core.events import Event
from rules_core.state import State

REFEREE = "referee"
# The fields of events that hold keys of players.
_NAMING: Final = ("player", "shooter", "target", "owner", "old_owner", "by", "attacker", "defender")


@dataclass(frozen=True, slots=True)
class Entry:
    """One command that was followed: who gave it and what happened.

    `first` is the number of its first event in the game, counted from 1. `undone_to`: for an undo, the number
    of the last event that still holds (0: none); it then has no events but takes one number itself.
    """

    first: int
    actor: str
    events: tuple[Event, ...] = ()
    undone_to: int | None = None

    @property
    def last(self) -> int:
        """The number of its last event."""
        return self.first + max(1, len(self.events)) - 1


def live(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """The entries that hold: what an undo took back is left out, and so are the undos.

    Some that do not hold may be missing from `entries` already.
    """
    kept: list[Entry] = []
    number = entries[-1].last if entries else 0
    for entry in reversed(entries):
        if entry.last > number:
            continue
        if entry.undone_to is None:
            kept.append(entry)
        number = entry.first - 1 if entry.undone_to is None else entry.undone_to
    return tuple(reversed(kept))


def rolled(events: Sequence[Event]) -> int:
    """How many dice are in these events."""
    return sum(len(volley.shots) for event in events for volley in volleys(event))


def volleys(event: Event) -> Iterator[ev.Volley]:
    """The volleys in an event, in the order in which they were rolled."""
    match event:
        case ev.GroundRoundFought():
            yield event.attack
            yield event.defence
        case ev.VolleyFired() | ev.PlanetBombarded() | ev.LandingFiredAt():
            yield event.volley
        case _:
            return


def undo(start: State, entries: Sequence[Entry], actor: str, whole_phase: bool) -> Entry:
    """The entry that takes back `actor`'s last command, or all of his phase, as far as it is free.

    `start`: a state before `entries`, which reach back at least to the beginning of the phase of the last
    command. Free is what lies after the last die, the last choice of another player, and the start of his phase.
    Raises RuleViolation if nothing is.
    """
    holding = live(entries)
    free = _free(start, holding, actor)
    if not free:
        raise RuleViolation(_why_not(holding, actor), None, actor=actor)
    taken = free if whole_phase else free[-1:]
    return Entry(entries[-1].last + 1, actor, undone_to=taken[0].first - 1)


def redo(entries: Sequence[Entry], actor: str) -> Entry:
    """The entry that brings back what `actor`'s last undo took back: it returns to where that undo was made.

    `entries` end with the log and reach back at least to the last command. Raises RuleViolation if something else
    has happened since, or there is nothing to bring back.
    """
    undos: list[Entry] = []
    for entry in entries:
        if entry.undone_to is None:
            undos = []
        elif undos and entry.undone_to == undos[-1].first - 1:
            undos.pop()  # it was a redo: an undo leads to before what it takes back, never to just before another
        else:
            undos.append(entry)
    if not undos or undos[-1].actor != actor:
        raise RuleViolation("nothing_to_redo")
    return Entry(entries[-1].last + 1, actor, undone_to=undos[-1].first - 1)


def affected(events: Iterable[Event], players: Iterable[str], actor: str) -> tuple[str, ...]:
    """The players beside `actor` whom these events name: who fired or was fired at, lost, chose, or began to act."""
    named = {getattr(event, field, None) for event in events for field in _NAMING}
    return tuple(key for key in players if key in named and key != actor)


def _free(start: State, holding: Sequence[Entry], actor: str) -> tuple[Entry, ...]:
    states = [start]
    for entry in holding:
        states.append(fold(states[-1], entry.events))
    free: list[Entry] = []
    openings: set[tuple[int, int]] = set()
    for entry, before in zip(reversed(holding), reversed(states[:-1]), strict=True):
        openings |= {_opening(before, actor)}
        if entry.actor != actor or rolled(entry.events) or len(openings) > 1 or not _in_own_phase(before, actor):
            break
        free.insert(0, entry)
    return tuple(free)


def _in_own_phase(state: State, actor: str) -> bool:
    return actor == REFEREE or (state.phase is not None and state.phase.player == actor)


def _opening(state: State, actor: str) -> tuple[int, int]:
    return (0, 0) if actor == REFEREE else (state.round, state.player(actor).openings)


def _why_not(holding: Sequence[Entry], actor: str) -> str:
    if not holding or not any(entry.actor == actor for entry in holding):
        return "nothing_to_undo"
    if holding[-1].actor != actor:
        return "another_acted_since"
    return "a_die_was_rolled" if rolled(holding[-1].events) else "nothing_to_undo"

"""Whether the dice of a game are those of its secret: every die of the log, at the place where the rules put it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from bot.phrases import Phrases, safe
from rules_core import combat
from rules_core import events as ev
from rules_core.apply import apply
from rules_core.dice import Dice, DiePlace, Purpose
from rules_core.events import Event
from rules_core.history import Entry, volleys
from rules_core.state import BattleStep, State


@dataclass(frozen=True, slots=True)
class Differs:
    """A die of event `number` that is not what it should be: the place and face in the log, and the right ones."""

    number: int
    logged: DiePlace
    face: int
    place: DiePlace
    right: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """How many dice were recomputed, and which differ."""

    dice: int
    differing: tuple[Differs, ...]


MOST_SHOWN: Final = 20
# What is rolled at a step of a battle (3.53-b).
_PURPOSES: Final = {BattleStep.PDS_FIRE: Purpose.PDS, BattleStep.ASSAULT_CANNON: Purpose.CANNON}


def verify(start: State, entries: Iterable[Entry], dice: Dice, after: int = 0) -> Verdict:
    """Recomputes every die of a log, what was taken back included; those of the events up to `after` are not its."""
    checked, found = 0, list[Differs]()
    for number, state, event in _happened(start, entries):
        if number <= after:
            continue
        for fired, place in zip(volleys(event), _places(state, event), strict=True):
            for die, shot in enumerate(fired.shots, 1):
                logged, right = replace(fired.place, number=die), replace(place, number=die)
                if logged != right or shot.die != dice.roll(right):
                    found.append(Differs(number, logged, shot.die, right, dice.roll(right)))
            checked += len(fired.shots)
    return Verdict(checked, tuple(found))


def _happened(start: State, entries: Iterable[Entry]) -> Iterator[tuple[int, State, Event]]:
    """Every event with its number and the table on which it fell."""
    after = {0: start}
    for entry in entries:
        state = after[entry.first - 1 if entry.undone_to is None else entry.undone_to]
        for number, event in enumerate(entry.events, entry.first):
            yield number, state, event
            state = apply(state, event)
        after[entry.last] = state


def _places(state: State, event: Event) -> tuple[DiePlace, ...]:
    """Where the rules take the dice of an event from; the first of each volley."""
    match event:
        case ev.VolleyFired(at=at, shooter=shooter):
            battle = combat.phase_of(state).battle
            purpose = _PURPOSES.get(battle.step, Purpose.VOLLEY) if battle else Purpose.VOLLEY
            number = battle.volley + 1 if battle and purpose is Purpose.VOLLEY else 1
            return (combat.die_place(state, at, purpose, number, shooter),)
        case ev.PlanetBombarded(planet=planet, player=player):
            return (combat.die_place(state, planet, Purpose.BOMBARDMENT, 1, player),)
        case ev.LandingFiredAt(planet=planet, owner=owner):
            return (combat.die_place(state, planet, Purpose.LANDING_PDS, 1, owner),)
        case ev.GroundRoundFought(planet=planet, round=number):
            sides = (combat.phase_of(state).player, state.planets[planet].owner or "")
            return tuple(combat.die_place(state, planet, Purpose.GROUND, number, side) for side in sides)
    return ()


# ---- in words


def told(verdict: Verdict, words: Phrases) -> str:
    """How many dice were recomputed, and each that differs."""
    if not verdict.dice:
        return words.say("verify.no_dice")
    if not verdict.differing:
        return words.say("verify.all_right", dice=verdict.dice)
    shown = [_line(each, words) for each in verdict.differing[:MOST_SHOWN]]
    if more := len(verdict.differing) - len(shown):
        shown.append(words.say("verify.more", n=more))
    return "\n".join((words.say("verify.differ", n=len(verdict.differing), dice=verdict.dice), *shown))


def _line(each: Differs, words: Phrases) -> str:
    logged, place = (safe(where.text().replace("\n", " / ")) for where in (each.logged, each.place))
    key = "verify.face" if each.logged == each.place else "verify.place"
    return words.say(key, event=each.number, place=place, logged=logged, face=each.face, right=each.right)

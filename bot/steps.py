"""Which posts a command owes the channel: its events cut into the steps of the commands page, one post each."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from rules_core import events as ev
from rules_core.dice import Purpose
from rules_core.pending import Decision, LossesChoice, MovementChoice, RetreatChoice
from rules_core.state import BattleStep, State


class PostKind(StrEnum):
    """What a post tells."""

    MOVE = "move"
    PDS = "pds"
    CANNON = "cannon"
    ROUND = "round"
    RETREAT = "retreat"
    BOMBARDMENT = "bombardment"
    LANDING = "landing"
    TURN = "turn"
    REFEREE = "referee"
    UNDO = "undo"
    REDO = "redo"
    AGREED = "agreed"
    PROPOSAL = "proposal"
    REFUSED = "refused"
    REMINDER = "reminder"
    DEADLINE = "deadline"
    EXTENDED = "extended"
    ANSWERED = "answered"
    AWAY = "away"
    WAITING = "waiting"
    OPENED = "opened"
    LOBBY = "lobby"
    ENDED = "ended"
    BROKEN = "broken"
    UNDELIVERED = "undelivered"
    SUMMARY = "summary"
    PURCHASE = "purchase"


# Posts that show no map: what is only asked or said, and what is about the game as a whole.
WITHOUT_MAP: Final = (
    PostKind.WAITING,
    PostKind.PROPOSAL,
    PostKind.REFUSED,
    PostKind.REMINDER,
    PostKind.DEADLINE,
    PostKind.EXTENDED,
    PostKind.ANSWERED,
    PostKind.AWAY,
    PostKind.LOBBY,
    PostKind.ENDED,
    PostKind.PURCHASE,
)
# What tells of a step, with its map.
STEPS: Final = tuple(kind for kind in PostKind if kind not in WITHOUT_MAP)
# What asks somebody to act.
ASKING: Final = (PostKind.TURN, PostKind.WAITING, PostKind.OPENED)
# The table stands again as it stood before: back, forward, or back because all agreed.
RETURNS: Final = (PostKind.UNDO, PostKind.REDO, PostKind.AGREED)

# What a post about the lobby says that is not to be an edit of the one that stands: it is to be seen below all others.
ANEW: Final = "anew"


@dataclass(frozen=True, slots=True)
class Step:
    """Events `first` to `last` (numbers in the game) that belong into one post."""

    kind: PostKind
    first: int
    last: int


_FIRE: Final = {Purpose.PDS: PostKind.PDS, Purpose.CANNON: PostKind.CANNON, Purpose.VOLLEY: PostKind.ROUND}
LOSS_STEPS: Final = {
    BattleStep.PDS_LOSSES: PostKind.PDS,
    BattleStep.CANNON_LOSSES: PostKind.CANNON,
    BattleStep.LOSSES: PostKind.ROUND,
}


def steps(events: Sequence[ev.Event], first: int, going_on: PostKind | None = None) -> tuple[Step, ...]:
    """Consecutive events cut into steps; what opens none belongs to the step before it, or else to the first.

    `going_on`: the step that was under way where the game began, so that no event opened it.
    """
    found: list[Step] = []
    if going_on is not None and events and _opens(events[0]) is None:
        found.append(Step(going_on, first, first))
    current: tuple[PostKind, object] | None = None
    for number, event in enumerate(events, first):
        opened = _opens(event)
        if opened is not None and opened != current:
            found.append(Step(opened[0], number if found else first, number))
            current = opened
        elif found:
            found[-1] = replace(found[-1], last=number)
    if not found and any(isinstance(event, ev.RefereeActed) for event in events):
        # What a player does quietly is told if the referee does it for him.
        return (Step(PostKind.REFEREE, first, first + len(events) - 1),)
    return tuple(found)


def last_opened(events: Sequence[ev.Event]) -> int | None:
    """Where in these events the last step begins that they open; what stands before belongs to an earlier one."""
    first = next((place for place, event in enumerate(events) if _opens(event) is not None), None)
    return None if first is None else steps(events[first:], first)[-1].first


def is_beside(events: Sequence[ev.Event]) -> bool:
    """Whether what was done is an edit: it can come in the middle of a step, and has a post of its own."""
    return bool(events) and _opens(events[0]) == (PostKind.REFEREE, None)


def folded(found: Sequence[Step]) -> tuple[Step, ...]:
    """The same with rounds of a battle that follow each other as one step."""
    kept: list[Step] = []
    for step in found:
        if kept and step.kind is kept[-1].kind is PostKind.ROUND:
            kept[-1] = replace(kept[-1], last=step.last)
        else:
            kept.append(step)
    return tuple(kept)


def _opens(event: ev.Event) -> tuple[PostKind, object] | None:
    """The step that an event opens or goes on with: its kind, and what tells it from another of that kind."""
    match event:
        case ev.ShipsMoved():
            return PostKind.MOVE, None
        case ev.FireHeld():
            return PostKind.PDS, event.at
        case ev.VolleyFired():
            place = event.volley.place
            return _FIRE[place.purpose], event.at if place.purpose is Purpose.PDS else (event.at, place.volley)
        case ev.FleetRetreated():
            return PostKind.RETREAT, event.at
        case ev.PlanetBombarded():
            return PostKind.BOMBARDMENT, event.planet
        case ev.LandingBegan() | ev.UnitsTransferred():
            return PostKind.LANDING, event.planet
        case ev.PhaseBegan() | ev.PhaseEnded() | ev.RoundBegan() | ev.RoundEnded():
            return PostKind.TURN, None
        case (
            ev.UnitsPlaced()
            | ev.UnitsRemoved()
            | ev.UnitsMoved()
            | ev.PlanetGiven()
            | ev.PlanetChanged()
            | ev.TechnologySet()
            | ev.CombatSet()
            | ev.PowerSet()
            | ev.ResourcesSet()
            | ev.OrderSet()
            | ev.PhaseReturned()
            | ev.OptionSet()
            | ev.GamePaused()
            | ev.GameResumed()
        ):
            return PostKind.REFEREE, None
        case ev.PurchaseProposed() | ev.PurchaseDropped():
            return PostKind.PURCHASE, None
    return None


def waits_for_losses(state: State) -> PostKind | None:
    """The step under way that is complete only when somebody has chosen his losses."""
    battle = None if state.phase is None else state.phase.battle
    return None if battle is None else LOSS_STEPS.get(battle.step)


def asks(decision: Decision, actor: str) -> bool:
    """Whether a decision is waited for in public: what only the actor himself can go on with he is told privately."""
    if isinstance(decision, LossesChoice | RetreatChoice):
        return True
    return not isinstance(decision, MovementChoice) and decision.player != actor

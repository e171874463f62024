"""What a player or the referee may ask: one frozen class each, units by id. Which ids: `selection.py`."""

from dataclasses import dataclass

from rules_core.state import Party
from rules_core.units import Kind


@dataclass(frozen=True, slots=True)
class LoadOrder:
    """Ground units that go from a planet aboard a ship (3.52.2-b)."""

    ship: int
    planet: str
    ground_forces: int = 0
    pds: int = 0


@dataclass(frozen=True, slots=True)
class MoveShips:
    """3.52: ships go from `start` through `waypoints`, the last of which is the goal, the shortest way between them.

    `fighters` go along from `start`; `load` is taken aboard before the departure.
    """

    player: str
    start: str
    waypoints: tuple[str, ...]
    ships: tuple[int, ...]
    fighters: int = 0
    load: tuple[LoadOrder, ...] = ()


@dataclass(frozen=True, slots=True)
class LoadUnits:
    """3.52.2-b: ground units go aboard in a system."""

    player: str
    at: str
    load: tuple[LoadOrder, ...]


@dataclass(frozen=True, slots=True)
class ScrapUnits:
    """3.52.2-h: own ships and fighters are destroyed of free will."""

    player: str
    at: str
    ships: tuple[int, ...]
    fighters: int = 0


@dataclass(frozen=True, slots=True)
class Done:
    """3.51-e: the step is over for the acting player."""

    player: str


@dataclass(frozen=True, slots=True)
class ChooseBattle:
    """3.51-f: the next battle is in `at`."""

    player: str
    at: str


@dataclass(frozen=True, slots=True)
class ChooseLosses:
    """3.53-f: these are removed for the hits taken."""

    player: str
    ships: tuple[int, ...]
    fighters: int = 0


@dataclass(frozen=True, slots=True)
class ContinueBattle:
    """3.53-g: the attacker fights on."""

    player: str


@dataclass(frozen=True, slots=True)
class Retreat:
    """3.53-g: the attacker's whole fleet goes to `to`."""

    player: str
    to: str


@dataclass(frozen=True, slots=True)
class DeclareBombardment:
    """3.54-c: these dreadnoughts bombard the planet."""

    player: str
    planet: str
    dreadnoughts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DeclareLanding:
    """3.54-b: these ground units land on the planet."""

    player: str
    planet: str
    parties: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class Invade:
    """3.54-b: what was declared is carried out, in `at` or (None) in every system in order of label."""

    player: str
    at: str | None = None


@dataclass(frozen=True, slots=True)
class Build:
    """Between rounds: units at the dock of an own planet, or a dock on it."""

    player: str
    units: tuple[tuple[Kind, int], ...]
    planet: str


@dataclass(frozen=True, slots=True)
class Research:
    """Between rounds: a technology, for what it costs at this table."""

    player: str
    technology: str
    cost: int = 0


@dataclass(frozen=True, slots=True)
class Withdraw:
    """A player takes back what he proposed to buy."""

    player: str
    number: int


@dataclass(frozen=True, slots=True)
class AcceptPurchases:
    """The referee lets a proposed purchase through, or (None) all."""

    number: int | None = None


@dataclass(frozen=True, slots=True)
class RefusePurchase:
    """The referee refuses a proposed purchase."""

    number: int


@dataclass(frozen=True, slots=True)
class Begin:
    """3.51-b: the game is opened; if nobody acts, the next phase begins."""


@dataclass(frozen=True, slots=True)
class NextRound:
    """The referee opens the next round."""


# ---- the referee's edits; `reason`: what everybody is told, `anyway`: also beside an enemy (3.52.3-f)


@dataclass(frozen=True, slots=True)
class SkipPhase:
    """The referee ends the running phase as if its player wanted nothing more."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class ReturnPhase:
    """The referee lets a player who has acted act again in this round."""

    player: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SetOrder:
    """The referee sets, for once, in which order these players act; all others follow by political power."""

    players: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PlaceUnits:
    """The referee puts units into a system, on a planet, or aboard a ship."""

    units: tuple[tuple[Kind, int], ...]
    at: str
    player: str
    planet: str | None = None
    ship: int | None = None
    reason: str = ""
    anyway: bool = False


@dataclass(frozen=True, slots=True)
class RemoveUnits:
    """The referee takes units away: ships by id, fighters, and what stands on `planet` or is aboard `ship`."""

    at: str
    player: str
    ships: tuple[int, ...] = ()
    fighters: int = 0
    planet: str | None = None
    ground_forces: int = 0
    pds: int = 0
    space_dock: bool = False
    ship: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class MoveUnits:
    """The referee moves ships with their load and fighters to another system, and ground units with or without them.

    Ground units come from `from_planet` or from aboard `from_ship`, and go to `planet` or aboard `ship`.
    """

    player: str
    at: str
    to: str
    ships: tuple[int, ...] = ()
    fighters: int = 0
    ground_forces: int = 0
    pds: int = 0
    from_planet: str | None = None
    from_ship: int | None = None
    planet: str | None = None
    ship: int | None = None
    reason: str = ""
    anyway: bool = False


@dataclass(frozen=True, slots=True)
class GivePlanet:
    """The referee gives a planet to a player, or (None) makes it neutral."""

    planet: str
    owner: str | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ChangePlanet:
    """The referee gives a planet another name or other values; what is None stays."""

    planet: str
    name: str | None = None
    resources: int | None = None
    political_power: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SetTechnology:
    """The referee gives a player a technology, or takes it away."""

    player: str
    technology: str
    owned: bool = True
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SetCombatBonus:
    """The referee makes all dice of a player's race better by `bonus` (or worse, if it is negative)."""

    player: str
    bonus: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SetPowerBonus:
    """The referee makes a player's political power `amount`, by his bonus."""

    player: str
    amount: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SetResourcesBonus:
    """The referee makes a player's resources `amount`, by his bonus."""

    player: str
    amount: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SetOption:
    """The referee changes a setting of the game."""

    option: str
    value: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PauseGame:
    """The referee stops the game: no player can do anything."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class ResumeGame:
    """The referee lets the game go on."""

    reason: str = ""


PlayerCommand = (
    MoveShips
    | LoadUnits
    | ScrapUnits
    | Done
    | ChooseBattle
    | ChooseLosses
    | ContinueBattle
    | Retreat
    | DeclareBombardment
    | DeclareLanding
    | Invade
    | Build
    | Research
    | Withdraw
)
RefereeCommand = (
    NextRound
    | SkipPhase
    | ReturnPhase
    | SetOrder
    | PlaceUnits
    | RemoveUnits
    | MoveUnits
    | GivePlanet
    | ChangePlanet
    | SetTechnology
    | SetCombatBonus
    | SetPowerBonus
    | SetResourcesBonus
    | SetOption
    | PauseGame
    | ResumeGame
    | AcceptPurchases
    | RefusePurchase
)
Command = Begin | PlayerCommand | RefereeCommand

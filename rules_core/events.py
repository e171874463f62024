"""What happened: facts in the past tense, the dice in them, a frozen class each. Never judged again once stored."""

from dataclasses import dataclass
from enum import StrEnum

from rules_core.dice import DiePlace
from rules_core.errors import Barred
from rules_core.state import BattleStep, Bombardment, Hop, Losses, Party, Purchase, Ship
from rules_core.units import Kind


class Cause(StrEnum):
    """Who made a choice: the player, the only possible answer, or a standing order."""

    CHOSEN = "chosen"
    FORCED = "forced"
    STANDING_ORDER = "standing_order"


@dataclass(frozen=True, slots=True)
class Shot:
    """One die: the kind of unit that fires, the face needed, the face rolled."""

    kind: Kind
    needed: int
    die: int

    @property
    def hit(self) -> bool:
        """3.53-e: at or above the combat value."""
        return self.die >= self.needed


@dataclass(frozen=True, slots=True)
class Volley:
    """Dice of one side rolled together. `place`: of the first die; the others follow by number."""

    place: DiePlace
    shots: tuple[Shot, ...]

    @property
    def hits(self) -> int:
        """How many of the shots hit."""
        return sum(shot.hit for shot in self.shots)


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """A round opened: nobody has acted."""

    round: int


@dataclass(frozen=True, slots=True)
class PhaseBegan:
    """3.51-b: the individual phase of `player` began. `power`: his political power now."""

    player: str
    opening: int
    power: int


@dataclass(frozen=True, slots=True)
class PlayerEliminated:
    """3.51-g: a player has no unit and no planet left."""

    player: str


@dataclass(frozen=True, slots=True)
class PhaseEnded:
    """3.51-c: `player` has acted. `skipped`: the referee ended it, for a `reason`."""

    player: str
    skipped: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """Everybody has acted; the round waits for the referee."""

    round: int


@dataclass(frozen=True, slots=True)
class OrderChanged:
    """3.51-b: the order of those who have not acted changed. `before`, `after`: player keys."""

    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnitsLoaded:
    """3.52.2-b: ground units went aboard a ship from a planet of its system."""

    player: str
    at: str
    ship: int
    planet: str
    ground_forces: int = 0
    pds: int = 0


@dataclass(frozen=True, slots=True)
class ShipsMoved:
    """3.52.1-a: ships, and fighters with them, went the way `start`, `hops`."""

    player: str
    ships: tuple[int, ...]
    fighters: int
    start: str
    hops: tuple[Hop, ...]


@dataclass(frozen=True, slots=True)
class FleetIntercepted:
    """3.52.3-a: these ships were stopped by the fleet of `by`."""

    player: str
    ships: tuple[int, ...]
    at: str
    by: str


@dataclass(frozen=True, slots=True)
class UnitsScrapped:
    """3.52.2-h: destroyed by their owner. `cargo`: what went with each ship is in the ships."""

    player: str
    at: str
    ships: tuple[Ship, ...]
    fighters: int


@dataclass(frozen=True, slots=True)
class MovementEnded:
    """3.53-a: what the space battle step must settle; PDS fire alone first (3.53-o)."""

    player: str
    fire_at: tuple[str, ...]
    battles_at: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BattleBegan:
    """3.53-a: the space battle step turned to a system; without a `defender` only PDS fire."""

    at: str
    attacker: str
    defender: str | None


@dataclass(frozen=True, slots=True)
class FireHeld:
    """3.53-c: the PDS of `owner` held their fire by standing order."""

    at: str
    owner: str


@dataclass(frozen=True, slots=True)
class VolleyFired:
    """A volley of one side at another in a space battle: PDS (3.53-c), cannon (3.53-d) or a round (3.53-e)."""

    at: str
    shooter: str
    target: str
    volley: Volley


@dataclass(frozen=True, slots=True)
class BattleAdvanced:
    """3.53-b: the battle came to `step`, in its round `volley`."""

    at: str
    step: BattleStep
    volley: int


@dataclass(frozen=True, slots=True)
class LossesChosen:
    """3.53-f: what a side will remove; it is removed when the other side's choice is in too."""

    player: str
    at: str
    losses: Losses
    cause: Cause


@dataclass(frozen=True, slots=True)
class UnitsDestroyed:
    """3.53-f, 3.52.2-e: removed for hits, ships with what they carried."""

    player: str
    at: str
    ships: tuple[Ship, ...]
    fighters: int


@dataclass(frozen=True, slots=True)
class BattleContinued:
    """3.53-g: the attacker fights on. `barred`: why there was no retreat, if there was none (3.53-i)."""

    player: str
    at: str
    cause: Cause
    barred: tuple[Barred, ...] = ()


@dataclass(frozen=True, slots=True)
class FleetRetreated:
    """3.53-h, 3.53-k: the attacker's fleet went to `to`; fighters without room were destroyed."""

    player: str
    at: str
    to: str
    ships: tuple[int, ...]
    fighters: int
    fighters_lost: int
    cause: Cause


@dataclass(frozen=True, slots=True)
class FightersLost:
    """Fighters without room were destroyed (3.52.2-f, 3.54-m)."""

    player: str
    at: str
    fighters: int
    clause: str


@dataclass(frozen=True, slots=True)
class BattleEnded:
    """3.53-b: the system is settled. `holder`: who has ships or fighters left there, if only one has."""

    at: str
    holder: str | None


@dataclass(frozen=True, slots=True)
class InvasionBegan:
    """3.54-a: all space battles are over."""

    player: str


@dataclass(frozen=True, slots=True)
class BombardmentDeclared:
    """3.54-c."""

    player: str
    bombardment: Bombardment


@dataclass(frozen=True, slots=True)
class LandingDeclared:
    """3.54-b: these parties were added to the landing on the planet."""

    player: str
    planet: str
    parties: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class InvasionOpened:
    """3.54-b: what was declared in a system is being carried out; it is closed for the rest of the phase."""

    player: str
    at: str


@dataclass(frozen=True, slots=True)
class PlanetBombarded:
    """3.54-c: the dice, and how many ground forces of the enemy they removed."""

    player: str
    at: str
    planet: str
    volley: Volley
    ground_forces_lost: int


@dataclass(frozen=True, slots=True)
class PlanetNeutralised:
    """3.54-k (option): a planet with a marker only was bombarded and belongs to nobody."""

    planet: str
    at: str
    owner: str


@dataclass(frozen=True, slots=True)
class UnitsTransferred:
    """3.54-l: ground units came down on an own planet."""

    player: str
    at: str
    planet: str
    parties: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class LandingBegan:
    """3.54-a: ground units left their ships for the planet of another, or of nobody."""

    player: str
    at: str
    planet: str
    owner: str | None
    parties: tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class LandingFiredAt:
    """3.54-e: the planet's PDS fired at the ground forces that land."""

    planet: str
    at: str
    owner: str
    volley: Volley
    ground_forces_lost: int


@dataclass(frozen=True, slots=True)
class GroundRoundFought:
    """3.54-f: one round on the planet, both sides' dice and losses."""

    planet: str
    at: str
    round: int
    attack: Volley
    defence: Volley
    attackers_lost: int
    defenders_lost: int


@dataclass(frozen=True, slots=True)
class LandingRepelled:
    """3.54-g: no attacker is left, the defender keeps the planet; landed PDS are destroyed (3.54-i)."""

    planet: str
    at: str
    owner: str
    pds_lost: int


@dataclass(frozen=True, slots=True)
class PlanetCaptured:
    """3.54-h, 3.54-i, 3.54-k: the planet changed hands with what landed and lives."""

    planet: str
    at: str
    owner: str
    old_owner: str | None
    ground_forces: int
    pds: int
    pds_destroyed: int
    space_dock_destroyed: bool


# ---- between rounds


@dataclass(frozen=True, slots=True)
class PurchaseProposed:
    """A player would buy something; the referee decides."""

    purchase: Purchase


@dataclass(frozen=True, slots=True)
class PurchaseMade:
    """A purchase was paid; what was bought follows. `built`: how many units the dock of `planet` has built for it."""

    number: int
    player: str
    cost: int
    planet: str | None = None
    built: int = 0


@dataclass(frozen=True, slots=True)
class PurchaseDropped:
    """A proposal was withdrawn, or the referee `refused` it."""

    number: int
    player: str
    refused: bool = False


# ---- the referee's edits; `reason`: what he gave as such


@dataclass(frozen=True, slots=True)
class UnitsPlaced:
    """The referee placed ships (new ids), fighters, and units on a planet or aboard a ship."""

    at: str
    player: str
    ships: tuple[Ship, ...] = ()
    fighters: int = 0
    planet: str | None = None
    ship: int | None = None
    ground_forces: int = 0
    pds: int = 0
    space_dock: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class UnitsRemoved:
    """The referee removed ships, fighters, and units from a planet or from aboard a ship."""

    at: str
    player: str
    ships: tuple[Ship, ...] = ()
    fighters: int = 0
    planet: str | None = None
    ground_forces: int = 0
    pds: int = 0
    space_dock: bool = False
    ship: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class UnitsMoved:
    """The referee moved ships with their load, fighters, and ground units between planets and ships."""

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


@dataclass(frozen=True, slots=True)
class PlanetGiven:
    """The referee set the owner of a planet."""

    planet: str
    owner: str | None
    old_owner: str | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PlanetChanged:
    """The referee set the name or the values of a planet; all three as they are now."""

    planet: str
    name: str
    resources: int
    political_power: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TechnologySet:
    """The referee gave or took a technology."""

    player: str
    technology: str
    owned: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class CombatSet:
    """The referee set by how much all dice of a player's race are better."""

    player: str
    bonus: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PowerSet:
    """The referee set a player's bonus of political power; `amount`: his power now."""

    player: str
    bonus: int
    amount: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ResourcesSet:
    """The referee set a player's bonus of resources; `amount`: his resources now."""

    player: str
    bonus: int
    amount: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class OrderSet:
    """The referee set, for once, in which order these players act; all others follow by political power."""

    players: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PhaseReturned:
    """The referee let a player who had acted act again in this round."""

    player: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RefereeActed:
    """What follows the referee did in place of `player`."""

    player: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class OptionSet:
    """The referee changed a setting of the game."""

    option: str
    value: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class GamePaused:
    """The referee stopped the game: no player can do anything."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class GameResumed:
    """The referee let the game go on."""

    reason: str = ""


Event = (
    RoundBegan
    | PhaseBegan
    | PlayerEliminated
    | PhaseEnded
    | RoundEnded
    | OrderChanged
    | UnitsLoaded
    | ShipsMoved
    | FleetIntercepted
    | UnitsScrapped
    | MovementEnded
    | BattleBegan
    | FireHeld
    | VolleyFired
    | BattleAdvanced
    | LossesChosen
    | UnitsDestroyed
    | BattleContinued
    | FleetRetreated
    | FightersLost
    | BattleEnded
    | InvasionBegan
    | BombardmentDeclared
    | LandingDeclared
    | InvasionOpened
    | PlanetBombarded
    | PlanetNeutralised
    | UnitsTransferred
    | LandingBegan
    | LandingFiredAt
    | GroundRoundFought
    | LandingRepelled
    | PlanetCaptured
    | PurchaseProposed
    | PurchaseMade
    | PurchaseDropped
    | UnitsPlaced
    | UnitsRemoved
    | UnitsMoved
    | PlanetGiven
    | PlanetChanged
    | TechnologySet
    | CombatSet
    | PowerSet
    | ResourcesSet
    | OrderSet
    | PhaseReturned
    | RefereeActed
    | OptionSet
    | GamePaused
    | GameResumed
)

"""The table now: frozen values only. Everything that a position file says, and how far the phase has come."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Final, Literal

from rules_core.galaxy import Galaxy
from rules_core.units import Ability, Kind, Profile, Ruleset, load_ruleset

# So many units a game may have in all: no count can grow beyond what a position file may say.
MAX_UNITS_IN_ALL: Final = 5000


class Step(StrEnum):
    """The steps of an individual phase, in order (3.51-e)."""

    MOVEMENT = "movement"
    SPACE_BATTLE = "space_battle"
    INVASION = "invasion"


class BattleStep(StrEnum):
    """What comes next in the system where the space battle step is (3.53-b)."""

    PDS_FIRE = "pds_fire"
    PDS_LOSSES = "pds_losses"
    ASSAULT_CANNON = "assault_cannon"
    CANNON_LOSSES = "cannon_losses"
    VOLLEY = "volley"
    LOSSES = "losses"
    RETREAT = "retreat"
    FIGHTER_ROOM = "fighter_room"


@dataclass(frozen=True, slots=True)
class Options:
    """The settings of a game that the rulings name; the default is the first value."""

    lone_fighters: Literal["battle", "ignore"] = "battle"
    pds_targets: Literal["present", "moved"] = "present"
    marker_bombardment: Literal["none", "neutralise"] = "none"
    public_odds: Literal["hidden", "shown"] = "hidden"
    purchases: Literal["referee", "free"] = "referee"


@dataclass(frozen=True, slots=True)
class Player:
    """A seat. `openings`: how often his phase was begun this round, part of the place of his dice.

    `combat_bonus`: by how much all dice of his race are better.
    """

    key: str
    race: str
    technologies: tuple[str, ...] = ()
    acted: bool = False
    political_power_bonus: int = 0
    resources_bonus: int = 0
    openings: int = 0
    eliminated: bool = False
    combat_bonus: int = 0


@dataclass(frozen=True, slots=True)
class Planet:
    """A planet and what stands on it; all of it belongs to `owner` (None: neutral)."""

    name: str
    at: str
    resources: int = 0
    political_power: int = 0
    owner: str | None = None
    ground_forces: int = 0
    pds: int = 0
    space_dock: bool = False


@dataclass(frozen=True, slots=True)
class Ship:
    """A ship with the ground units it carries. A lower `id` is an older ship."""

    id: int
    kind: Kind
    owner: str
    at: str
    ground_forces: int = 0
    pds: int = 0

    @property
    def load(self) -> int:
        """How many ground units are aboard."""
        return self.ground_forces + self.pds


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of a way: the system entered, and whether by wormhole (3.52.4-a)."""

    to: str
    wormhole: bool = False


@dataclass(frozen=True, slots=True)
class Journey:
    """How a ship has moved in this phase; it gives routes of retreat even when the ship is gone (3.53-h)."""

    start: str
    hops: tuple[Hop, ...]
    intercepted: bool = False

    @property
    def systems(self) -> tuple[str, ...]:
        """Every system on the route, the start included."""
        return (self.start, *(hop.to for hop in self.hops))


@dataclass(frozen=True, slots=True)
class Losses:
    """Ships (by id) and a number of fighters that one side removes."""

    ships: tuple[int, ...] = ()
    fighters: int = 0

    @property
    def count(self) -> int:
        """How many units these are."""
        return len(self.ships) + self.fighters


@dataclass(frozen=True, slots=True)
class Battle:
    """The space battle step in one system. `defender` None: PDS fire only, no battle follows.

    `hits`: what each side has taken and not yet removed. `chosen`: choices of losses that are in, kept
    until the other side's is (3.53-f).
    """

    at: str
    attacker: str
    defender: str | None
    step: BattleStep = BattleStep.PDS_FIRE
    volley: int = 0
    hits: Mapping[str, int] = field(default_factory=dict)
    chosen: Mapping[str, Losses] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Bombardment:
    """A declared bombardment of a planet by dreadnoughts (ids) of its system (3.54-c)."""

    planet: str
    dreadnoughts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Party:
    """Ground units that land from one ship."""

    ship: int
    ground_forces: int = 0
    pds: int = 0


@dataclass(frozen=True, slots=True)
class Landing:
    """A declared landing on a planet (3.54-b)."""

    planet: str
    parties: tuple[Party, ...]

    @property
    def ground_forces(self) -> int:
        """Ground forces that land."""
        return sum(party.ground_forces for party in self.parties)

    @property
    def pds(self) -> int:
        """PDS that land."""
        return sum(party.pds for party in self.parties)


@dataclass(frozen=True, slots=True)
class LandingForce:
    """Ground units that have left their ships for another's planet and not yet won or died (3.54-f)."""

    planet: str
    ground_forces: int
    pds: int


@dataclass(frozen=True, slots=True)
class Phase:
    """The individual phase under way (3.51-e).

    `journeys` by ship id, fixed when the movement step ends. `fire_at`: systems where only PDS fire is due,
    `battles_at`: systems where a battle is due; both shrink as they are settled. `invaded`: closed systems.
    `ashore`: only between the events of one landing.
    """

    player: str
    step: Step = Step.MOVEMENT
    journeys: Mapping[int, Journey] = field(default_factory=dict)
    fire_at: tuple[str, ...] = ()
    battles_at: tuple[str, ...] = ()
    battle: Battle | None = None
    bombardments: tuple[Bombardment, ...] = ()
    landings: tuple[Landing, ...] = ()
    invaded: frozenset[str] = frozenset()
    ashore: LandingForce | None = None

    @property
    def declared(self) -> frozenset[str]:
        """The planets for which a bombardment or a landing is declared (3.54-b)."""
        return frozenset([b.planet for b in self.bombardments] + [each.planet for each in self.landings])


@dataclass(frozen=True, slots=True)
class RetreatOrder:
    """A standing order for retreats: below so many ships, below so many per cent of odds to win, or (neither) never."""

    below_ships: int | None = None
    odds_below: int | None = None


@dataclass(frozen=True, slots=True)
class StandingOrders:
    """What a player ordered ahead. `pds`: by player key or "default", whether his PDS fire at that player.

    `passes`: in his next phase, if it has not begun, he does nothing.
    """

    losses: tuple[Kind, ...] = ()
    pds: Mapping[str, Literal["fire", "hold"]] = field(default_factory=dict)
    retreat: RetreatOrder | None = None
    passes: bool = False


@dataclass(frozen=True, slots=True)
class Purchase:
    """What a player would buy between rounds: units at a planet with a dock, or a technology."""

    number: int
    player: str
    cost: int
    units: tuple[tuple[Kind, int], ...] = ()
    planet: str | None = None
    technology: str | None = None


@dataclass(frozen=True, slots=True)
class State:
    """The whole table. `fighters`: a positive number by (system, player). `phase` None: nobody acts.

    `order`: who acts first in this round by the referee's word. `paused`: players can do nothing. Of the interval that
    follows a round: `purchases` that are proposed, what players have `spent`, how many units were `built` at planets.
    """

    name: str
    ruleset_name: str
    round: int
    options: Options
    galaxy: Galaxy
    players: tuple[Player, ...]
    planets: Mapping[str, Planet]
    ships: Mapping[int, Ship]
    fighters: Mapping[tuple[str, str], int]
    phase: Phase | None = None
    standing: Mapping[str, StandingOrders] = field(default_factory=dict)
    next_ship: int = 1
    order: tuple[str, ...] = ()
    paused: bool = False
    purchases: tuple[Purchase, ...] = ()
    next_purchase: int = 1
    spent: Mapping[str, int] = field(default_factory=dict)
    built: Mapping[str, int] = field(default_factory=dict)

    @property
    def ruleset(self) -> Ruleset:
        """The numbers of the edition that this game plays."""
        return load_ruleset(self.ruleset_name)

    def player(self, key: str) -> Player:
        """The player of that key; raises KeyError."""
        for player in self.players:
            if player.key == key:
                return player
        raise KeyError(key)

    def profile(self, kind: Kind, owner: str) -> Profile:
        """The profile of `kind` as `owner`'s technologies and his race make it."""
        player = self.player(owner)
        return _profile(self.ruleset_name, kind, player.technologies, player.combat_bonus)

    def allows(self, ability: Ability, owner: str) -> bool:
        """Whether a technology of `owner` allows `ability`."""
        return self.ruleset.allows(ability, self.player(owner).technologies)

    def ships_at(self, at: str, owner: str) -> tuple[Ship, ...]:
        """The ships of `owner` in a system, oldest first."""
        return tuple(ship for ship in self.ships.values() if ship.at == at and ship.owner == owner)

    def fleets(self) -> dict[tuple[str, str], list[Ship]]:
        """The ships by (system, player), oldest first; none of them where one has fighters only."""
        found: dict[tuple[str, str], list[Ship]] = {place: [] for place in self.fighters}
        for ship in self.ships.values():
            found.setdefault((ship.at, ship.owner), []).append(ship)
        return found

    def fighters_at(self, at: str, owner: str) -> int:
        """How many fighters of `owner` stand in a system."""
        return self.fighters.get((at, owner), 0)

    def planets_at(self, at: str) -> tuple[Planet, ...]:
        """The planets of a system, in the order of the file."""
        return tuple(self.planets[name] for name in self.galaxy.systems[at].planets)

    def fleet_owners(self, at: str) -> tuple[str, ...]:
        """Who has a fleet, one or more ships, in a system (3.52.3-b), in seat order."""
        return self._in_seat_order({ship.owner for ship in self.ships.values() if ship.at == at})

    def space_owners(self, at: str) -> tuple[str, ...]:
        """Who has ships or fighters in a system, in seat order."""
        fighters = {owner for system, owner in self.fighters if system == at}
        return self._in_seat_order(fighters.union(self.fleet_owners(at)))

    def places_of(self, owner: str) -> tuple[str, ...]:
        """The systems where `owner` has ships or fighters, by label."""
        with_ships = {ship.at for ship in self.ships.values() if ship.owner == owner}
        return tuple(sorted(with_ships.union(at for at, who in self.fighters if who == owner)))

    def free_places(self, ships: Iterable[Ship]) -> int:
        """How many fighters fit on these ships beside the ground units aboard (3.52.2-g)."""
        return sum(max(0, self.profile(s.kind, s.owner).room_for(Kind.FIGHTER) - s.load) for s in ships)

    def fighter_room(self, at: str, owner: str) -> int:
        """Room for fighters in a system: free places of own carriers and own docks (3.52.2-g)."""
        docks = sum(planet.space_dock for planet in self.planets_at(at) if planet.owner == owner)
        dock_room = self.profile(Kind.SPACE_DOCK, owner).room_for(Kind.FIGHTER)
        return self.free_places(self.ships_at(at, owner)) + docks * dock_room

    def units_in_all(self) -> int:
        """How many units are on the table; a space dock counts as one, what is aboard too."""
        aboard = sum(1 + ship.load for ship in self.ships.values())
        on_planets = sum(each.ground_forces + each.pds + each.space_dock for each in self.planets.values())
        return aboard + on_planets + sum(self.fighters.values())

    def political_power(self, owner: str) -> int:
        """The political power of a player: his planets' and his bonus (3.51-a)."""
        planets = sum(p.political_power for p in self.planets.values() if p.owner == owner)
        return planets + self.player(owner).political_power_bonus

    def resources(self, owner: str) -> int:
        """The total resources of a player: his planets' and his bonus (3.51-d)."""
        planets = sum(p.resources for p in self.planets.values() if p.owner == owner)
        return planets + self.player(owner).resources_bonus

    def has_anything(self, owner: str) -> bool:
        """Whether a player has a unit or a planet left (3.51-g)."""
        if any(planet.owner == owner for planet in self.planets.values()):
            return True
        return any(s.owner == owner for s in self.ships.values()) or any(who == owner for _, who in self.fighters)

    def _in_seat_order(self, owners: set[str]) -> tuple[str, ...]:
        return tuple(player.key for player in self.players if player.key in owners)


@lru_cache(maxsize=1024)
def _profile(ruleset: str, kind: Kind, technologies: tuple[str, ...], combat_bonus: int) -> Profile:
    """As `State.profile`, which is asked for every ship again and again."""
    return load_ruleset(ruleset).profile(kind, technologies).better_by(combat_bonus)

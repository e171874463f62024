"""The position that a game starts from: names, seats, garrisons."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from bot.galaxies.chance import Chance
from bot.galaxies.names import Race, planet_names
from bot.galaxies.worlds import Worlds
from bot.phrases import Language
from rules_core.galaxy import Galaxy, System
from rules_core.state import Options, Planet, Player, Ship, State
from rules_core.units import Kind

RULESET: Final = "classic"
# With more players there is less room, so the fleets are smaller.
FEW_SEATS: Final = 4


@dataclass(frozen=True, slots=True)
class Garrison:
    """What each player has at home. One ground force stands on each further planet, the rest on the first.

    `ships` in the order of the position file, so that their ids are those that reading it gives.
    """

    ships: tuple[Kind, ...]
    fighters: int
    ground_forces: int
    pds: int


_CARRIER, _CRUISERS, _DREADNOUGHT = (Kind.CARRIER,), (Kind.CRUISER,) * 2, (Kind.DREADNOUGHT,)
_LARGE: Final = Garrison(_CARRIER * 2 + _CRUISERS + _DREADNOUGHT, fighters=3, ground_forces=5, pds=2)
_SMALL: Final = Garrison(_CARRIER + _CRUISERS + _DREADNOUGHT, fighters=2, ground_forces=5, pds=1)


def garrison(seats: int) -> Garrison:
    """The garrison in a game of so many seats."""
    return _LARGE if seats <= FEW_SEATS else _SMALL


def named(chance: Chance, worlds: Mapping[str, Worlds], language: Language) -> dict[str, Planet]:
    """The planets under names that do not repeat."""
    names = planet_names(chance, language)
    planets = (Planet(next(names), at, *world) for at in sorted(worlds) for world in worlds[at])
    return {planet.name: planet for planet in planets}


def start(name: str, galaxy: Galaxy, planets: Mapping[str, Planet], seats: Mapping[str, Race]) -> State:
    """The first position of a game; `seats`: who has his home where, in the order of the seats."""
    force = garrison(len(seats))
    owned = dict(planets)
    for home, race in seats.items():
        owned |= _garrisoned([planet for planet in planets.values() if planet.at == home], race, force)
    ships = [(kind, race.key, home) for home, race in seats.items() for kind in force.ships]
    return State(
        name,
        RULESET,
        1,
        Options(),
        _with_planets(galaxy, planets.values()),
        tuple(Player(race.key, race.name) for race in seats.values()),
        owned,
        {id: Ship(id, *ship) for id, ship in enumerate(ships, 1)},
        {(home, race.key): force.fighters for home, race in seats.items()},
        next_ship=len(ships) + 1,
    )


def _garrisoned(planets: list[Planet], race: Race, force: Garrison) -> dict[str, Planet]:
    capital, *others = planets
    forces = force.ground_forces - len(others)
    held = [replace(capital, owner=race.key, ground_forces=forces, pds=force.pds, space_dock=True)]
    held += [replace(planet, owner=race.key, ground_forces=1) for planet in others]
    return {planet.name: planet for planet in held}


def _with_planets(galaxy: Galaxy, planets: Iterable[Planet]) -> Galaxy:
    names: dict[str, tuple[str, ...]] = {}
    for planet in planets:
        names[planet.at] = (*names.get(planet.at, ()), planet.name)
    systems = galaxy.systems.values()
    return Galaxy({s.at: System(s.at, s.kind, s.wormhole, names.get(s.at, ())) for s in systems})

"""How good the places of the seats are, measured: what a fair galaxy has alike for all."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Final

from bot.galaxies.shape import CENTRE
from rules_core import hexes
from rules_core.galaxy import Galaxy, SystemKind
from rules_core.state import Planet, State

# How many hops away a planet is still in reach: a carrier without technologies is there in the third round.
REACH: Final = 3
# Systems are shared in whole parts, so that sums are exact: 840 can be divided by every number of seats.
PARTS: Final = 840
# How many steps away a red system or a wormhole is near.
NEAR: Final = 2


@dataclass(frozen=True, slots=True)
class Measures:
    """What is measured of a seat. Hops are of ships without technologies, by wormholes too.

    `resources`, `political_power`: of the planets that are in reach and nearest to this home, its own included; of
    those that are equally near to several homes an equal part. `centre`: hops to it. `neighbours`: mean of the hops to
    the two nearest other homes. `red`, `wormholes`: how many such systems are near.
    """

    resources: Fraction
    political_power: Fraction
    centre: Fraction
    neighbours: Fraction
    red: Fraction
    wormholes: Fraction


MEASURES: Final = tuple(each.name for each in fields(Measures))
# The most that two seats of a fair galaxy differ by in any measure: one point, one hop, one system.
BOUND: Final = 1


def scores(state: State) -> dict[str, Measures]:
    """The measures of each player who has a home: the system of his first dock, else of his first planet."""
    return measure(state.galaxy, homes_of(state), state.planets.values())


def homes_of(state: State) -> dict[str, str]:
    """The labels of the home systems by player."""
    homes: dict[str, str] = {}
    for player in state.players:
        own = [planet for planet in state.planets.values() if planet.owner == player.key]
        if own:
            homes[player.key] = next((planet.at for planet in own if planet.space_dock), own[0].at)
    return homes


def spread(measured: Mapping[str, Measures]) -> Measures:
    """The distance between the best and the worst seat in each measure."""
    values = {name: [getattr(each, name) for each in measured.values()] or [Fraction(0)] for name in MEASURES}
    return Measures(**{name: max(found) - min(found) for name, found in values.items()})


def unfairness(measured: Mapping[str, Measures]) -> Fraction:
    """How far the spread is beyond the bound, all measures together; 0 for a fair galaxy."""
    found = spread(measured)
    beyond = (getattr(found, name) - BOUND for name in MEASURES)
    return sum((max(Fraction(0), each) for each in beyond), start=Fraction(0))


def measure(galaxy: Galaxy, homes: Mapping[str, str], planets: Iterable[Planet] = ()) -> dict[str, Measures]:
    """The measures by player, from the labels of the homes."""
    hops = {player: hops_from(galaxy, home) for player, home in homes.items()}
    shares = shares_of(hops)
    listed = tuple(planets)
    return {
        player: Measures(
            _in_reach(shares[player], ((planet.at, planet.resources) for planet in listed)),
            _in_reach(shares[player], ((planet.at, planet.political_power) for planet in listed)),
            Fraction(_hops_to(galaxy, hops[player], CENTRE)),
            _to_neighbours(galaxy, hops[player], [other for other in homes.values() if other != home]),
            _near(home, (at for at, system in galaxy.systems.items() if system.red_bordered)),
            _near(home, (at for at, system in galaxy.systems.items() if system.wormhole is not None)),
        )
        for player, home in homes.items()
    }


def hops_from(galaxy: Galaxy, start: str) -> dict[str, int]:
    """How many hops each system is away that can be entered without technologies (3.52.1-c, 3.52.4-a, d)."""
    found = {start: 0}
    queue = [start]
    for at in queue:
        for other in (*galaxy.touching(at), *galaxy.through_wormhole(at)):
            if other not in found and galaxy.systems[other].kind is SystemKind.NORMAL:
                found[other] = found[at] + 1
                queue.append(other)
    return found


def shares_of(hops: Mapping[str, Mapping[str, int]]) -> dict[str, dict[str, int]]:
    """How many parts of each system in reach belong to each player, from the hops to it by player."""
    shares: dict[str, dict[str, int]] = {player: {} for player in hops}
    for at in dict.fromkeys(at for found in hops.values() for at in found):
        least = min(found[at] for found in hops.values() if at in found)
        nearest = [player for player, found in hops.items() if found.get(at) == least]
        for player in nearest if least <= REACH else ():
            shares[player][at] = PARTS // len(nearest)
    return shares


def _in_reach(shares: Mapping[str, int], values: Iterable[tuple[str, int]]) -> Fraction:
    return Fraction(sum(value * shares.get(at, 0) for at, value in values), PARTS)


def _hops_to(galaxy: Galaxy, hops: Mapping[str, int], at: str) -> int:
    """What cannot be reached is farther than anything that can."""
    return hops.get(at, len(galaxy.systems))


def _to_neighbours(galaxy: Galaxy, hops: Mapping[str, int], others: Iterable[str]) -> Fraction:
    nearest = sorted(_hops_to(galaxy, hops, other) for other in others)[:2]
    return Fraction(sum(nearest), len(nearest) or 1)


def _near(home: str, systems: Iterable[str]) -> Fraction:
    return Fraction(sum(hexes.distance(home, at) <= NEAR for at in systems))

"""Planets: their numbers, and where they lie."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.galaxies.chance import Chance
from bot.galaxies.scores import BOUND, PARTS, hops_from, shares_of
from bot.galaxies.shape import CENTRE, Shape
from bot.galaxies.terrain import OPENINGS, can_bear
from rules_core.galaxy import Galaxy

PLANET_SHARE: Final = 3 / 5
STEPS: Final = 2000
# What a system without planets where one should have them weighs: as much as a seat two points beside the mean.
LACKING: Final = (2 * PARTS) ** 2
_SUMS: Final = {1: 4, 2: 10, 3: 25, 4: 33, 5: 20, 6: 8}
_PLANETS_OF_A_SYSTEM: Final = {1: 55, 2: 35, 3: 10}
_PLANETS_OF_A_HOME: Final = {1: 30, 2: 45, 3: 25}


class World(NamedTuple):
    """The numbers of a planet."""

    resources: int
    political_power: int


Worlds = tuple[World, ...]


def worlds(chance: Chance, galaxy: Galaxy, shape: Shape) -> dict[str, Worlds]:
    """The planets of each system that has some, the better one first, with alike sums in reach of all homes."""
    fixed = {home: _home(chance) for home in shape.homes} | {CENTRE: _hub(chance)}
    spots = [at for at, system in galaxy.systems.items() if can_bear(system) and at not in fixed]
    count = round(len(galaxy.systems) * PLANET_SHARE) - len(fixed)
    contents = [_system(chance) if place < count else () for place in range(len(spots))]
    placed = _evened(chance, chance.shuffled(contents), spots, _Balance.of(galaxy, shape, fixed))
    return fixed | {at: each for at, each in zip(spots, placed, strict=True) if each}


def _home(chance: Chance) -> Worlds:
    """One to three planets with 4 or 5 resources and 3 to 5 political power between them, none without any."""
    colonies = [World(*chance.shuffled((0, 1))) for _ in range(chance.weighted(_PLANETS_OF_A_HOME) - 1)]
    taken = _sum(colonies)
    capital = World(chance.between(4, 5) - taken.resources, chance.between(3, 5) - taken.political_power)
    return (capital, *colonies)


def _hub(chance: Chance) -> Worlds:
    """The centre: a planet that is poor and mighty."""
    return (World(1, chance.between(4, 6)),)


def _system(chance: Chance) -> Worlds:
    return tuple(sorted((_world(chance) for _ in range(chance.weighted(_PLANETS_OF_A_SYSTEM))), reverse=True))


def _world(chance: Chance) -> World:
    total = chance.weighted(_SUMS)
    # The middle of two draws: planets that are good for one thing only are rare.
    resources = (chance.between(0, total) + chance.between(0, total) + chance.below(2)) // 2
    return World(resources, total - resources)


@dataclass(frozen=True, slots=True)
class _Balance:
    """What a placing of planets is judged by.

    `fixed`: what has its planets already. `shares`: of each home, in parts of each system. `wanted`: how many of which
    systems should have planets.
    """

    fixed: Mapping[str, World]
    shares: tuple[Mapping[str, int], ...]
    wanted: tuple[tuple[int, frozenset[str]], ...]

    @classmethod
    def of(cls, galaxy: Galaxy, shape: Shape, fixed: Mapping[str, Worlds]) -> "_Balance":
        shares = shares_of({home: hops_from(galaxy, home) for home in shape.homes})
        bearing = {at for at, system in galaxy.systems.items() if can_bear(system)}
        wanted = []
        for at, system in galaxy.systems.items():
            near = bearing.intersection(galaxy.touching(at))
            if not system.red_bordered:
                # No home without a first goal, no corner forgotten.
                wanted.append((min(OPENINGS if at in shape.homes else 1, len(near)), frozenset(near)))
        return cls({at: _sum(each) for at, each in fixed.items()}, tuple(shares.values()), tuple(wanted))

    def fault(self, spots: Sequence[str], placed: Sequence[Worlds]) -> int:
        """0 for a placing within the bound; else the less, the more even it is."""
        sums = {at: _sum(each) for at, each in zip(spots, placed, strict=True) if each}
        sums |= self.fixed
        lacking = sum(max(0, count - len(near & sums.keys())) for count, near in self.wanted)
        resources, power = self._in_reach(sums, 0), self._in_reach(sums, 1)
        if not lacking and _within_bound(resources) and _within_bound(power):
            return 0
        return lacking * LACKING * len(resources) ** 2 + _variance(resources) + _variance(power)

    def _in_reach(self, sums: Mapping[str, World], number: int) -> list[int]:
        return [sum(part * sums[at][number] for at, part in share.items() if at in sums) for share in self.shares]


def _within_bound(found: Sequence[int]) -> bool:
    return max(found) - min(found) <= BOUND * PARTS


def _variance(found: Sequence[int]) -> int:
    """The variance times the square of the number of values: a whole number."""
    return len(found) * sum(value * value for value in found) - sum(found) ** 2


def _sum(worlds: Iterable[World]) -> World:
    listed = tuple(worlds)
    return World(sum(world.resources for world in listed), sum(world.political_power for world in listed))


def _evened(chance: Chance, placed: list[Worlds], spots: Sequence[str], balance: _Balance) -> list[Worlds]:
    """Changes something again and again, and keeps what is no worse, until it is fair or the steps are used up."""
    fault = balance.fault(spots, placed)
    for _ in range(STEPS):
        if not fault:
            break
        changed = _changed(chance, placed)
        found = balance.fault(spots, changed)
        if found <= fault:
            placed, fault = changed, found
    return placed


def _changed(chance: Chance, placed: Sequence[Worlds]) -> list[Worlds]:
    """The planets of one system drawn anew, or two systems swapped."""
    changed = list(placed)
    one, other = chance.below(len(placed)), chance.below(len(placed))
    if changed[one] and chance.below(2):
        changed[one] = _system(chance)
    else:
        changed[one], changed[other] = changed[other], changed[one]
    return changed

"""Where the red systems and the wormholes lie."""

from collections.abc import Iterable
from typing import Final

from bot.galaxies.chance import Chance
from bot.galaxies.scores import hops_from, measure, unfairness
from bot.galaxies.shape import CENTRE, Shape
from rules_core import hexes
from rules_core.galaxy import Galaxy, System, SystemKind, Wormhole

TRIES: Final = 400
RED_SHARE: Final = 1 / 6
# From this many systems on there is room for two pairs of wormholes.
ROOM_FOR_BOTH: Final = 30
# Two systems of one letter lie so far apart that the way through is worth something.
WORMHOLE_STEPS: Final = 3
# How many systems with planets a home touches at least, so that nobody is without a first goal.
OPENINGS: Final = 2
_RED: Final = (SystemKind.ASTEROID_FIELD, SystemKind.SUPERNOVA)


def terrain(chance: Chance, shape: Shape) -> Galaxy:
    """Systems without planets, alike around all homes."""
    homes = {home: home for home in shape.homes}
    galaxy = _drawn(chance, shape)
    for _ in range(TRIES):
        if _sound(galaxy, shape) and not unfairness(measure(galaxy, homes)):
            break
        galaxy = _drawn(chance, shape)
    return galaxy


def can_bear(system: System) -> bool:
    """Whether a system can have planets."""
    return not system.red_bordered and system.wormhole is None


def _sound(galaxy: Galaxy, shape: Shape) -> bool:
    """Whether nothing is cut off, and each home touches enough systems that can have planets."""
    # Wormholes not regarded: who holds a system of the letter must not cut off others.
    plain = Galaxy({at: System(at, system.kind) for at, system in galaxy.systems.items()})
    open_systems = sum(not system.red_bordered for system in galaxy.systems.values())
    goals = min(sum(can_bear(galaxy.systems[at]) for at in galaxy.touching(home)) for home in shape.homes)
    return len(hops_from(plain, CENTRE)) == open_systems and goals >= OPENINGS


def _drawn(chance: Chance, shape: Shape) -> Galaxy:
    red = _apart(chance.shuffled(_inner(shape)), round(len(shape.systems) * RED_SHARE), 2)
    free = [label for label in chance.shuffled(_inner(shape)) if label not in red]
    wormholes: dict[str, Wormhole] = {}
    for letter in _letters(chance, shape):
        pair = _apart([label for label in free if label not in wormholes], 2, WORMHOLE_STEPS)
        wormholes |= dict.fromkeys(pair, letter)
    kinds = {label: _RED[place % 2] for place, label in enumerate(red)}
    systems = (System(at, kinds.get(at, SystemKind.NORMAL), wormholes.get(at)) for at in shape.systems)
    return Galaxy({system.at: system for system in systems})


def _inner(shape: Shape) -> list[str]:
    """The systems that may be anything: neither a home nor the centre."""
    return [label for label in shape.systems if label not in shape.homes and label != CENTRE]


def _letters(chance: Chance, shape: Shape) -> tuple[Wormhole, ...]:
    both = len(shape.systems) >= ROOM_FOR_BOTH and chance.below(3) > 0
    return tuple(Wormhole) if both else (Wormhole.ALPHA,)


def _apart(labels: Iterable[str], count: int, steps: int) -> list[str]:
    """The first `count` of the labels that lie at least so many steps from each other."""
    chosen: list[str] = []
    for label in labels:
        if len(chosen) < count and all(hexes.distance(label, other) >= steps for other in chosen):
            chosen.append(label)
    return chosen

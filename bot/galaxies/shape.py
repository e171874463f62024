"""Which systems a galaxy has, and where the home systems lie."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from rules_core import hexes

SEATS: Final = range(2, 9)
CENTRE: Final = "000"
MAX_RINGS: Final = 5
# Six to twelve systems a seat: room to grow, and neighbours that are met in the second or third round.
USUAL_RINGS: Final[Mapping[int, int]] = {2: 2, 3: 3, 4: 3, 5: 3, 6: 3, 7: 4, 8: 4}


@dataclass(frozen=True, slots=True)
class Shape:
    """The labels of a galaxy in the order of the file, and of its homes, clockwise."""

    systems: tuple[str, ...]
    homes: tuple[str, ...]


def least_rings(seats: int) -> int:
    """The smallest galaxy in which homes are three steps apart."""
    return max(2, (seats + 1) // 2)


@cache
def shape(seats: int, rings: int) -> Shape:
    """All hexes of `rings` rings, with the homes on the outermost; raises ValueError for impossible numbers."""
    if seats not in SEATS:
        raise ValueError(f"{seats} seats")
    if not least_rings(seats) <= rings <= MAX_RINGS:
        raise ValueError(f"{rings} rings for {seats} seats")
    rim = _ring(rings)
    homes = min(_placements(rim, seats), key=_unevenness)
    return Shape(tuple(label for radius in range(rings + 1) for label in _ring(radius)), homes)


def _ring(radius: int) -> tuple[str, ...]:
    return tuple(f"{radius}{place:02d}" for place in range(1, 6 * radius + 1)) or (CENTRE,)


def _placements(rim: tuple[str, ...], seats: int) -> Iterator[tuple[str, ...]]:
    """Homes spread as evenly along the rim as whole steps allow, beginning at each hex of one side of it."""
    for first in range(len(rim) // 6):
        yield tuple(sorted(rim[(first + seat * len(rim) // seats) % len(rim)] for seat in range(seats)))


def _unevenness(homes: tuple[str, ...]) -> tuple[int, int, int]:
    """How far the steps to the two nearest homes differ: all of them, their sums by seat; then how many they lack."""
    steps = [sorted(hexes.distance(home, other) for other in homes)[1:3] for home in homes]
    every, sums = [step for pair in steps for step in pair], [sum(pair) for pair in steps]
    return max(every) - min(every), max(sums) - min(sums), -min(sums)

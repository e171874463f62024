"""Hexes: axial coordinates on flat-topped hexes, neighbours, labels. No rules.

A label is the ring and the place in it: `000` the centre, `101` the hex north of it, then clockwise.
"""

from functools import cache
from typing import Final, NamedTuple

MAX_RING: Final = 9


class Hex(NamedTuple):
    """Axial coordinates: `q` grows to the east, `r` to the south."""

    q: int
    r: int

    def towards(self, direction: "Hex") -> "Hex":
        """The hex one step away."""
        return Hex(self.q + direction.q, self.r + direction.r)


CENTRE: Final = Hex(0, 0)
NORTH: Final = Hex(0, -1)
# Clockwise from the north; walking a ring clockwise from its northern corner begins to the south-east.
DIRECTIONS: Final = (NORTH, Hex(1, -1), Hex(1, 0), Hex(0, 1), Hex(-1, 1), Hex(-1, 0))


def ring(radius: int) -> tuple[Hex, ...]:
    """The hexes at `radius` steps from the centre, clockwise from the north."""
    if radius == 0:
        return (CENTRE,)
    at = Hex(0, -radius)
    walk: list[Hex] = []
    for direction in DIRECTIONS[2:] + DIRECTIONS[:2]:
        for _ in range(radius):
            walk.append(at)
            at = at.towards(direction)
    return tuple(walk)


@cache
def _labels() -> dict[str, Hex]:
    labels = {"000": CENTRE}
    for radius in range(1, MAX_RING + 1):
        labels |= {f"{radius}{place:02d}": at for place, at in enumerate(ring(radius), 1)}
    return labels


@cache
def _hexes() -> dict[Hex, str]:
    return {at: label for label, at in _labels().items()}


def is_label(text: str) -> bool:
    """Whether `text` labels a hex of rings 0 to 9."""
    return text in _labels()


def hex_of(label: str) -> Hex:
    """The hex a label stands for; raises KeyError for what is no label."""
    return _labels()[label]


@cache
def neighbours(label: str) -> tuple[str, ...]:
    """The labels of the adjacent hexes, clockwise from the north; fewer at the rim of ring 9."""
    at = hex_of(label)
    found = (_hexes().get(at.towards(direction)) for direction in DIRECTIONS)
    return tuple(other for other in found if other is not None)


def adjacent(one: str, other: str) -> bool:
    """Whether two labels are neighbours."""
    return other in neighbours(one)


def distance(one: str, other: str) -> int:
    """Steps from hex to hex, what lies between not regarded."""
    a, b = hex_of(one), hex_of(other)
    dq, dr = a.q - b.q, a.r - b.r
    return max(abs(dq), abs(dr), abs(dq + dr))

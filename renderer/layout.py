"""From hexes to pixels: arithmetic only. Flat-topped hexes; `size` is the distance from centre to corner."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, cos, floor, pi, sin, sqrt
from typing import Final

from renderer.shapes import Point, bounds
from rules_core import hexes

ROOT3: Final = sqrt(3)
# Corners clockwise from the upper left: edge i, from corner i to corner i + 1, faces `hexes.DIRECTIONS[i]`.
CORNERS: Final = tuple((cos(angle * pi / 180), sin(angle * pi / 180)) for angle in (240, 300, 0, 60, 120, 180))
# A board is at most so many times as high as the picture is wide, and its hexes so large, in widths.
TALLEST: Final = 1.3
LARGEST: Final = 0.165


@dataclass(frozen=True, slots=True)
class Board:
    """Where systems are: `origin` is the centre of 000 in pixels, `height` what the board takes.

    Centres lie on whole pixels, so that like things are painted alike everywhere: they are kept, and compress well.
    """

    size: float
    origin: Point
    height: float

    def centre(self, at: str) -> Point:
        """The centre of a system; raises KeyError for what is no label."""
        q, r = hexes.hex_of(at)
        across, down = round(1.5 * self.size), round(ROOT3 / 2 * self.size)
        return (self.origin[0] + q * across, self.origin[1] + (2 * r + q) * down)

    def corners(self, at: str, inset: float = 0) -> tuple[Point, ...]:
        """The corners of a system, its edges moved inwards by `inset` pixels."""
        x, y = self.centre(at)
        reach = self.size - inset * 2 / ROOT3
        return tuple((x + reach * dx, y + reach * dy) for dx, dy in CORNERS)


@dataclass(frozen=True, slots=True)
class Room:
    """The space inside one hex around `centre`: its half width at a height, `margin` pixels kept from the edges."""

    centre: Point
    size: float
    margin: float

    @property
    def top(self) -> float:
        """The highest y inside, relative to the centre (negative)."""
        return self.margin - self.size * ROOT3 / 2

    def half_width(self, top: float, bottom: float) -> float:
        """Half the width that is free all the way from `top` to `bottom`, both relative to the centre."""
        return self.size - (max(abs(top), abs(bottom)) + 2 * self.margin) / ROOT3


def place(systems: Iterable[str], width: float, top: float, margin: float) -> Board:
    """A board of these systems, centred in `width` pixels from `top` down; raises ValueError without systems."""
    x0, y0, x1, y1 = bounds(_unit_centre(at) for at in systems)
    across, down = x1 - x0 + 2, y1 - y0 + ROOT3
    size = floor(1.5 * min((width - 2 * margin) / across, width * TALLEST / down, width * LARGEST)) / 1.5
    origin = (round(width / 2 - (x0 + x1) / 2 * size), round(top - (y0 - ROOT3 / 2) * size))
    return Board(size, origin, ceil(down * size) + 2)


def rim(board: Board, at: str, edges: frozenset[int], width: float, inset: float = 0) -> tuple[tuple[Point, ...], ...]:
    """A band inside the named edges of a hex, one polygon an edge, that meets the bands of like neighbours."""
    outer, inner = board.corners(at, inset), board.corners(at, inset + width)
    return tuple(
        (outer[edge], outer[(edge + 1) % 6], _band_end(outer, inner, edges, edge, 1, width),
         _band_end(outer, inner, edges, edge, 0, width))
        for edge in sorted(edges)
    )  # fmt: skip


def _band_end(
    outer: tuple[Point, ...], inner: tuple[Point, ...], edges: frozenset[int], edge: int, end: int, width: float
) -> Point:
    corner = (edge + end) % 6
    beside = (edge + 1) % 6 if end else (edge - 1) % 6
    if beside in edges:
        return inner[corner]
    away = outer[(corner + 1) % 6] if end else outer[(corner - 1) % 6]
    return towards(outer[corner], away, width * 2 / ROOT3)


def towards(start: Point, goal: Point, pixels: float) -> Point:
    """The point so many pixels from `start` towards `goal` (another point)."""
    dx, dy = goal[0] - start[0], goal[1] - start[1]
    share = pixels / sqrt(dx * dx + dy * dy)
    return (start[0] + dx * share, start[1] + dy * share)


def between(one: Point, other: Point, share: float = 0.5) -> Point:
    """The point at `share` of the way from one point to another."""
    return (one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share)


def _unit_centre(at: str) -> Point:
    q, r = hexes.hex_of(at)
    return (1.5 * q, ROOT3 * (r + q / 2))

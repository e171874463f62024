"""Silhouettes of our own, one for each kind of unit, emblem and sign, on a unit square; ships point upwards.

An icon is a tuple of parts painted one after another: `Part(points)` fills a polygon, `Part(..., cut=True)` takes
it away again. Curves are polygons too. All of it is plain data, so a new look is a new row of numbers.
"""

from dataclasses import dataclass
from math import cos, pi, sin
from typing import Final

from renderer.shapes import Point


@dataclass(frozen=True, slots=True)
class Part:
    """A polygon on the unit square that is filled, or cut out of what was filled before it."""

    points: tuple[Point, ...]
    cut: bool = False


def _disc(x: float, y: float, radius: float, cut: bool = False) -> Part:
    return Part(_arc(x, y, radius, 0, 360), cut)


def _arc(x: float, y: float, radius: float, start: float, end: float) -> tuple[Point, ...]:
    angles = [(start + (end - start) * step / 24) * pi / 180 for step in range(25)]
    return tuple((x + radius * cos(angle), y + radius * sin(angle)) for angle in angles)


def _star(rays: int, outer: float, inner: float, turn: float = -90) -> tuple[Point, ...]:
    radii = (outer, inner)
    angles = [(turn + 180 / rays * step) * pi / 180 for step in range(2 * rays)]
    return tuple((0.5 + radii[i % 2] * cos(angle), 0.5 + radii[i % 2] * sin(angle)) for i, angle in enumerate(angles))


def _mirrored(*left: Point) -> tuple[Point, ...]:
    return left + tuple((1 - x, y) for x, y in reversed(left))


def _rect(x0: float, y0: float, x1: float, y1: float, cut: bool = False) -> Part:
    return Part(((x0, y0), (x1, y0), (x1, y1), (x0, y1)), cut)


def _round(x0: float, y0: float, x1: float, y1: float, radius: float) -> tuple[Point, ...]:
    """A rectangle with round corners, clockwise from the upper left."""
    corners = ((x0 + radius, y0 + radius, 180), (x1 - radius, y0 + radius, 270),
               (x1 - radius, y1 - radius, 0), (x0 + radius, y1 - radius, 90))  # fmt: skip
    return tuple(point for x, y, start in corners for point in _arc(x, y, radius, start, start + 90))


DREADNOUGHT: Final = (
    Part(
        _mirrored(
            (0.5, 0.0),
            (0.36, 0.14),
            (0.30, 0.34),
            (0.14, 0.40),
            (0.02, 0.58),
            (0.02, 0.90),
            (0.16, 0.84),
            (0.24, 1.0),
            (0.38, 1.0),
            (0.44, 0.90),
        )
    ),
    Part(_mirrored((0.5, 0.26), (0.42, 0.40), (0.42, 0.56), (0.5, 0.64)), cut=True),
    Part(((0.14, 0.56), (0.22, 0.52), (0.22, 0.72), (0.14, 0.74)), cut=True),
    Part(((0.86, 0.56), (0.78, 0.52), (0.78, 0.72), (0.86, 0.74)), cut=True),
)
CRUISER: Final = (
    Part(_mirrored((0.5, 0.0), (0.42, 0.20), (0.39, 0.50), (0.16, 0.80), (0.16, 0.96), (0.40, 0.82), (0.43, 1.0))),
)
CARRIER: Final = (
    Part(
        (
            (0.24, 0.06),
            (0.52, 0.0),
            (0.70, 0.10),
            (0.72, 0.30),
            (0.90, 0.36),
            (0.90, 0.62),
            (0.74, 0.68),
            (0.76, 1.0),
            (0.20, 1.0),
            (0.10, 0.86),
            (0.10, 0.34),
            (0.24, 0.22),
        )
    ),
    Part(((0.40, 0.08), (0.47, 0.07), (0.36, 0.94), (0.27, 0.94)), cut=True),
    Part(((0.58, 0.74), (0.66, 0.74), (0.66, 0.90), (0.58, 0.90)), cut=True),
)
FIGHTER: Final = (
    Part(_mirrored((0.5, 0.10), (0.42, 0.34), (0.40, 0.56), (0.16, 0.74), (0.16, 0.46), (0.06, 0.46), (0.06, 0.94),
                   (0.42, 0.76), (0.44, 0.88))),
)  # fmt: skip
GROUND_FORCE: Final = (
    Part((*_arc(0.5, 0.52, 0.42, 180, 360), (1.0, 0.60), (1.0, 0.70), (0.0, 0.70), (0.0, 0.60))),
    Part(((0.16, 0.76), (0.84, 0.76), (0.76, 0.94), (0.56, 0.94), (0.5, 0.86), (0.44, 0.94), (0.24, 0.94))),
    Part(((0.46, 0.18), (0.54, 0.18), (0.54, 0.44), (0.46, 0.44)), cut=True),
)  # fmt: skip
PDS: Final = (
    Part((*_arc(0.44, 0.78, 0.36, 180, 360), (0.94, 0.82), (0.94, 0.98), (0.0, 0.98), (0.0, 0.82))),
    Part(((0.40, 0.44), (0.80, 0.02), (0.96, 0.16), (0.56, 0.58))),
    Part(((0.34, 0.66), (0.54, 0.66), (0.54, 0.78), (0.34, 0.78)), cut=True),
)  # fmt: skip
SPACE_DOCK: Final = (
    _disc(0.5, 0.5, 0.48),
    _disc(0.5, 0.5, 0.33, cut=True),
    _rect(0.44, 0.10, 0.56, 0.90),
    _rect(0.10, 0.44, 0.90, 0.56),
    _disc(0.5, 0.5, 0.17),
    Part(((0.5, 0.5), (0.70, -0.02), (1.02, 0.30)), cut=True),
)  # fmt: skip
EMBLEM_PARTS: Final = {
    "dot": (_disc(0.5, 0.5, 0.42),),
    "triangle": (Part(((0.5, 0.06), (0.98, 0.90), (0.02, 0.90))),),
    "square": (_rect(0.10, 0.10, 0.90, 0.90),),
    "star": (Part(_star(5, 0.52, 0.22)),),
    "cross": (_rect(0.35, 0.06, 0.65, 0.94), _rect(0.06, 0.35, 0.94, 0.65)),
    "ring": (_disc(0.5, 0.5, 0.46), _disc(0.5, 0.5, 0.23, cut=True)),
    "diamond": (Part(((0.5, 0.0), (0.82, 0.5), (0.5, 1.0), (0.18, 0.5))),),
    "chevrons": (
        Part(((0.5, 0.04), (0.96, 0.44), (0.96, 0.64), (0.5, 0.26), (0.04, 0.64), (0.04, 0.44))),
        Part(((0.5, 0.44), (0.96, 0.84), (0.96, 1.0), (0.5, 0.66), (0.04, 1.0), (0.04, 0.84))),
    ),
}  # fmt: skip
SIGN_PARTS: Final = {
    "hexagon": (Part(((0.24, 0.02), (0.76, 0.02), (1.0, 0.5), (0.76, 0.98), (0.24, 0.98), (0.0, 0.5))),),
    "disc": (_disc(0.5, 0.5, 0.5),),
    "die": (Part(_round(0.0, 0.0, 1.0, 1.0, 0.22)),),
    "frame": (Part(_round(0.0, 0.0, 1.0, 1.0, 0.22)), Part(_round(0.08, 0.08, 0.92, 0.92, 0.16), cut=True)),
    "check": (Part(((0.04, 0.54), (0.18, 0.40), (0.40, 0.60), (0.82, 0.12), (0.96, 0.26), (0.40, 0.90))),),
    "play": (Part(((0.16, 0.04), (0.94, 0.5), (0.16, 0.96))),),
    "next": (
        Part(((0.06, 0.10), (0.24, 0.10), (0.58, 0.5), (0.24, 0.9), (0.06, 0.9), (0.38, 0.5))),
        Part(((0.44, 0.10), (0.62, 0.10), (0.96, 0.5), (0.62, 0.9), (0.44, 0.9), (0.76, 0.5))),
    ),
    "out": (
        Part(((0.18, 0.04), (0.96, 0.82), (0.82, 0.96), (0.04, 0.18))),
        Part(((0.82, 0.04), (0.96, 0.18), (0.18, 0.96), (0.04, 0.82))),
    ),
    "burst": (Part(_star(8, 0.52, 0.24, -67)),),
    "stop": (Part(_star(4, 0.54, 0.54, 22.5)), _rect(0.22, 0.41, 0.78, 0.59, cut=True)),
    "bomb": (
        Part(_mirrored((0.5, 1.0), (0.24, 0.66), (0.24, 0.34), (0.40, 0.20))),
        Part(_mirrored((0.16, 0.0), (0.24, 0.22), (0.40, 0.12))),
    ),
    "landing": (
        Part(((0.38, 0.0), (0.62, 0.0), (0.62, 0.36), (0.88, 0.36), (0.5, 0.76), (0.12, 0.36), (0.38, 0.36))),
        _rect(0.04, 0.82, 0.96, 0.96),
    ),
    "flag": (
        _rect(0.10, 0.02, 0.22, 0.98),
        Part(((0.22, 0.04), (0.94, 0.16), (0.70, 0.34), (0.94, 0.54), (0.22, 0.62))),
    ),
    "swords": (
        Part(((0.04, 0.02), (0.20, 0.06), (0.80, 0.68), (0.90, 0.62), (0.96, 0.70), (0.70, 0.96), (0.62, 0.90),
              (0.68, 0.80), (0.06, 0.20))),
        Part(((0.74, 0.74), (0.80, 0.70), (0.98, 0.90), (0.90, 0.98))),
        Part(((0.96, 0.02), (0.80, 0.06), (0.20, 0.68), (0.10, 0.62), (0.04, 0.70), (0.30, 0.96), (0.38, 0.90),
              (0.32, 0.80), (0.94, 0.20))),
        Part(((0.26, 0.74), (0.20, 0.70), (0.02, 0.90), (0.10, 0.98))),
    ),
    "retreat": (
        Part(((0.0, 0.42), (0.36, 0.06), (0.36, 0.28), (0.66, 0.28), (0.96, 0.56), (0.96, 0.92), (0.78, 0.92),
              (0.78, 0.64), (0.58, 0.50), (0.36, 0.50), (0.36, 0.76))),
    ),
}  # fmt: skip
ICONS: Final = {
    "dreadnought": DREADNOUGHT,
    "cruiser": CRUISER,
    "carrier": CARRIER,
    "fighter": FIGHTER,
    "ground_force": GROUND_FORCE,
    "pds": PDS,
    "space_dock": SPACE_DOCK,
    **EMBLEM_PARTS,
    **SIGN_PARTS,
}

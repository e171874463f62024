"""The contents of one hex, fitted into it: the largest of a few sizes at which everything has its own place.

Rows stand under one another, the label first. A hex is widest in its middle, so a row knows how much room there is
at its height and wraps; if no order of rows fits, the next smaller size is tried.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Final

from renderer.contents import Contents, Fleet, World
from renderer.layout import Room
from renderer.rows import (
    NAME_LEAST,
    NAME_SHOWN,
    NAME_TO_COUNT,
    Pen,
    Sizes,
    Style,
    fleet_height,
    fleet_row,
    header,
    least_lines,
)
from renderer.shapes import Shape
from renderer.theme import Theme
from renderer.worlds import world_height, world_row, world_width

# Sizes that are tried, as shares of the largest.
SHRINK: Final = (1.0, 0.91, 0.83, 0.75, 0.68, 0.61, 0.55, 0.49, 0.44, 0.39, 0.35, 0.31, 0.27, 0.23, 0.19, 0.15)
# A globe stands beside its texts as long as counts are so many times as large as they must be.
ROOMY: Final = 1.1


def fit(options: tuple[Contents, ...], room: Room, largest: Sizes, floor: Sizes, theme: Theme) -> tuple[Shape, ...]:
    """The shapes of a hex. `options`: the fuller contents first, the shortest last; sizes go below `floor` last."""
    steps = _steps(largest, floor)
    for contents, sizes, styles in _attempts(options, steps, floor):
        shapes = _at_largest(contents, sizes, styles, room, theme)
        if shapes is not None:
            return tuple(shapes)
    return header(options[-1], Pen(room, steps[-1], theme))[0]


def _attempts(
    options: tuple[Contents, ...], steps: list[Sizes], floor: Sizes
) -> Iterable[tuple[Contents, list[Sizes], tuple[Style, ...]]]:
    """What to try, best first: globes with their texts while those are large, then small ones, then close rows."""
    roomy = [sizes for sizes in steps if sizes.count >= max(floor.count * ROOMY, steps[0].count * 0.6)]
    readable = [sizes for sizes in steps if sizes.count >= floor.count]
    for contents in options:
        yield contents, roomy, ("tall", "beside") if len(contents.worlds) == 1 else ("beside",)
        yield contents, readable if contents is options[-1] else roomy, ("above",)
    smallest = (floor, *(sizes for sizes in steps if sizes.count < floor.count))
    yield options[-1], [replace(sizes, dense=True) for sizes in smallest], ("above", "line")


def _at_largest(
    contents: Contents, sizes: list[Sizes], styles: tuple[Style, ...], room: Room, theme: Theme
) -> Iterable[Shape] | None:
    """The contents at the largest of these falling sizes at which they fit: what fits fits smaller, too."""
    found = _stacked(contents, sizes[-1], styles, room, theme)
    if found is None or len(sizes) == 1:
        return found
    too_large, fits, at = -1, len(sizes) - 1, 0
    while fits - too_large > 1:
        shapes = _stacked(contents, sizes[at], styles, room, theme)
        if shapes is None:
            too_large = at
        else:
            found, fits = shapes, at
        at = (fits + too_large) // 2
    return found


def _stacked(
    contents: Contents, sizes: Sizes, styles: tuple[Style, ...], room: Room, theme: Theme
) -> Iterable[Shape] | None:
    """The contents at one size, in the first style and order of rows that fits; made when they are looked at."""
    head = header(contents, Pen(room, sizes, theme))
    for style in styles:
        pen = Pen(room, sizes, theme, style)
        least = _least_height(contents, pen)
        if head[1] + sizes.gap + least > -room.top:
            continue
        left = -max((world_width(world, pen) for world in contents.worlds), default=0.0) / 2
        for rows in _orders(contents):
            placed = _middle(rows, left, head[1] + sizes.gap, least, pen)
            if placed is not None:
                return chain(head[0], chain.from_iterable(placed))
    return None


@lru_cache(maxsize=256)
def _steps(largest: Sizes, floor: Sizes) -> list[Sizes]:
    return [_shrunk(largest, floor, share) for share in SHRINK]


def _shrunk(largest: Sizes, floor: Sizes, share: float) -> Sizes:
    count = round(largest.count * share)
    above = count > floor.count
    name = max(round(count * NAME_TO_COUNT), min(floor.name, round(count * 0.9)))
    label = min(largest.label, max(floor.label, round(count * 1.1)))
    return Sizes(count, name, label, NAME_SHOWN if above else NAME_LEAST)


def _orders(contents: Contents) -> Iterable[tuple[World | Fleet, ...]]:
    """Planets above fleets; else fleets between planets, or of three planets the one with most to show between."""
    worlds, fleets = contents.worlds, contents.fleets
    yield worlds + fleets
    half = (len(worlds) + 1) // 2
    if fleets and half < len(worlds):
        yield worlds[:half] + fleets + worlds[half:]
    if len(worlds) > 2:
        slim = sorted(worlds, key=lambda world: len(world.garrison))
        yield (slim[1], *slim[2:], *fleets, slim[0])
    if len(worlds) > 1 and len(fleets) > 1:
        yield (worlds[0], fleets[0], *worlds[1:-1], *fleets[1:], worlds[-1])


def _middle(
    rows: tuple[World | Fleet, ...], left: float, top: float, least: float, pen: Pen
) -> list[Iterable[Shape]] | None:
    """The rows in the middle of what is free below `top`, if they fit; `least`: how high they are at least."""
    bottom = -pen.room.top
    guess = (top + bottom - least) / 2
    for start in (guess, (top + guess) / 2, top):
        placed = _place(rows, left, start, bottom, pen)
        if placed is not None:
            height = placed[1] - start
            centred = _place(rows, left, max(top, (top + bottom - height) / 2), bottom, pen)
            return (centred or placed)[0]
    return None


def _least_height(contents: Contents, pen: Pen) -> float:
    world = pen.sizes.line if pen.style == "line" else world_height(pen)
    fleets = (fleet_height(least_lines(fleet, pen), pen) for fleet in contents.fleets)
    rows = len(contents.worlds) + len(contents.fleets)
    return world * len(contents.worlds) + sum(fleets) + pen.sizes.gap * (rows - 1)


def _place(
    rows: tuple[World | Fleet, ...], left: float, top: float, bottom: float, pen: Pen
) -> tuple[list[Iterable[Shape]], float] | None:
    shapes: list[Iterable[Shape]] = []
    for row in rows:
        placed = world_row(row, left, top, pen) if isinstance(row, World) else fleet_row(row, top, pen)
        if placed is None or placed[1] > bottom:
            return None
        shapes.append(placed[0])
        top = placed[1] + pen.sizes.gap
    return shapes, top - pen.sizes.gap

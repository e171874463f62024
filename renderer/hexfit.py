"""The contents of one hex, fitted into it: the largest of a few sizes at which everything has its own place.

Rows stand under one another, the label first. A hex is widest in its middle, so a row knows how much room there is
at its height and wraps; if no order of rows fits, the next smaller size is tried.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final

from renderer import fonts
from renderer.contents import Cell, Contents, Fleet, Group, World
from renderer.layout import Room
from renderer.shapes import Box, Globe, Icon, Plate, Shape, Text
from renderer.theme import Theme, mix

SHRINK: Final = (1.0, 0.91, 0.83, 0.75, 0.68, 0.61, 0.55, 0.49, 0.44, 0.39, 0.35, 0.31, 0.27, 0.23, 0.19, 0.15)
# While the contents could still be shown smaller, at least so many ems of a name are shown (or all of it).
NAME_TO_COUNT: Final = 0.78
NAME_SHOWN: Final = 6.5
NAME_LEAST: Final = 2.2


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes in pixels: `count` numbers and icons, `name` planet names, `label` the system's label.

    `name_shown`: how many ems of a longer name must be left when it is shortened.
    """

    count: int
    name: int
    label: int
    name_shown: float = NAME_LEAST

    @property
    def line(self) -> float:
        """The height of a row of counts."""
        return self.count * 1.22

    @property
    def gap(self) -> float:
        """The space between rows."""
        return self.count * 0.16


@dataclass(frozen=True, slots=True)
class Pen:
    """What a row is drawn with: where the hex is, how much room it has, the sizes and the theme.

    `beside`: a planet's globe stands beside its name and numbers, else small beside its name only.
    """

    room: Room
    sizes: Sizes
    theme: Theme
    beside: bool = True

    def box(self, x: float, y: float, width: float, height: float) -> Box:
        """A box in pixels from a place relative to the centre of the hex."""
        left, top = self.room.centre[0] + x, self.room.centre[1] + y
        return (left, top, left + width, top + height)

    def text(self, x: float, middle: float, words: str, size: int, fill: str, on: str, about: str) -> Text:
        """A bold line whose middle is at a height."""
        width = fonts.text_width(words, size, True)
        return Text(self.box(x, middle - size / 2, width, size), words, fill, on, True, about)


@lru_cache(maxsize=2048)
def fit(options: tuple[Contents, ...], room: Room, largest: Sizes, floor: Sizes, theme: Theme) -> tuple[Shape, ...]:
    """The shapes of a hex. `options`: the fuller contents first, the shortest last; sizes go below `floor` last."""
    steps = [_shrunk(largest, floor, share) for share in SHRINK]
    readable = [sizes for sizes in steps if sizes.count > floor.count]
    for contents in options:
        for sizes in steps if contents is options[-1] else readable:
            for beside, rows in product((True, False), _orders(contents)):
                shapes = _stack(contents, rows, Pen(room, sizes, theme, beside))
                if shapes is not None:
                    return shapes
    return _header(options[-1], Pen(room, steps[-1], theme))[0]


def _shrunk(largest: Sizes, floor: Sizes, share: float) -> Sizes:
    count = round(largest.count * share)
    above = count > floor.count
    name = max(round(count * NAME_TO_COUNT), min(floor.name, round(count * 0.9)))
    return Sizes(count, name, min(largest.label, max(floor.label, round(count * 1.1))), NAME_SHOWN if above else NAME_LEAST)


def _orders(contents: Contents) -> Iterable[tuple[World | Fleet, ...]]:
    """Planets above fleets; else fleets between planets, or of three planets the one with most to show between."""
    worlds, fleets = contents.worlds, contents.fleets
    yield worlds + fleets
    half = (len(worlds) + 1) // 2
    if fleets and half < len(worlds):
        yield worlds[:half] + fleets + worlds[half:]
    slim = sorted(worlds, key=lambda world: len(world.garrison))
    if len(worlds) > 2:
        yield (slim[1], *slim[2:], *fleets, slim[0])


def _stack(contents: Contents, rows: tuple[World | Fleet, ...], pen: Pen) -> tuple[Shape, ...] | None:
    header, top = _header(contents, pen)
    top, bottom = top + pen.sizes.gap, -pen.room.top
    guess = max(top, (top + bottom - _height(rows, pen)) / 2)
    for start in (guess, (top + guess) / 2, top):
        placed = _place(rows, start, bottom, pen)
        if placed is not None:
            shapes, end = placed
            centred = _place(rows, max(top, (top + bottom - (end - start)) / 2), bottom, pen)
            return header + (centred or placed)[0]
    return None


def _height(rows: tuple[World | Fleet, ...], pen: Pen) -> float:
    heights = (_world_height(pen) if isinstance(row, World) else pen.sizes.line * 1.2 for row in rows)
    return sum(heights) + pen.sizes.gap * (len(rows) - 1)


def _place(
    rows: tuple[World | Fleet, ...], top: float, bottom: float, pen: Pen
) -> tuple[tuple[Shape, ...], float] | None:
    shapes: list[Shape] = []
    left = -max((_world_width(r, pen, _name_width(r, pen)) for r in rows if isinstance(r, World)), default=0.0) / 2
    for row in rows:
        placed = _world(row, left, top, pen) if isinstance(row, World) else _fleet(row, top, pen)
        if placed is None or placed[1] > bottom:
            return None
        shapes += placed[0]
        top = placed[1] + pen.sizes.gap
    return tuple(shapes), top - pen.sizes.gap


def _header(contents: Contents, pen: Pen) -> tuple[tuple[Shape, ...], float]:
    size, tile = pen.sizes.label, pen.theme.tile
    groups: list[Group] = [Group((Cell("", contents.at, "", pen.theme.text, f"{contents.at}/label"),))]
    if contents.letter:
        ink = mix(contents.letter_fill, pen.theme.text, 0.35)
        groups.append(Group((Cell("", contents.letter, "", ink, f"{contents.at}/wormhole"),)))
    top, shapes = pen.room.top + size * 0.1, list[Shape]()
    for line in _wrap([*groups, *contents.signs], size, 2 * pen.room.half_width(pen.room.top, top + size * 1.1)):
        x = -_line_width(line, size) / 2
        shapes += _cells(line, x, top + size / 2, size, tile, pen)
        top += size * 1.12
    return tuple(shapes), top


def _world_height(pen: Pen) -> float:
    return pen.sizes.name * 1.2 + pen.sizes.line


def _globe_size(pen: Pen) -> float:
    return _world_height(pen) * 0.96 if pen.beside else pen.sizes.name * 1.2


def _name_shift(pen: Pen) -> float:
    return _globe_size(pen) + pen.sizes.count * (0.28 if pen.beside else 0.18)


def _numbers_shift(pen: Pen) -> float:
    return _name_shift(pen) if pen.beside else 0.0


def _signs_width(world: World, sizes: Sizes) -> float:
    return sizes.name * 1.25 * len(world.signs)


def _name_width(world: World, pen: Pen) -> float:
    return fonts.text_width(fonts.visible(world.planet.name), pen.sizes.name, True)


def _world_width(world: World, pen: Pen, name: float) -> float:
    return max(
        _numbers_shift(pen) + _numbers_width(world, pen.sizes), _name_shift(pen) + name + _signs_width(world, pen.sizes)
    )


def _world(world: World, left: float, top: float, pen: Pen) -> tuple[list[Shape], float] | None:
    """A planet's globe, name and numbers; from `left` if there is room, as other planets of the hex, else centred."""
    sizes, height, disc = pen.sizes, _world_height(pen), _globe_size(pen)
    half, natural = pen.room.half_width(top, top + height), _name_width(world, pen)
    needed = _world_width(world, pen, min(natural, sizes.name * sizes.name_shown))
    if needed > 2 * half:
        return None
    if left < -half or needed > half - left:
        left = -min(_world_width(world, pen, natural), 2 * half) / 2
    room = half - left - _name_shift(pen) - _signs_width(world, sizes)
    shapes = _globe(world, left, top + (height - disc) / 2 if pen.beside else top, disc, pen)
    shapes += _name(world, fonts.shorten(world.planet.name, sizes.name, room, True), left + _name_shift(pen),
                    top + sizes.name * 0.6, pen)  # fmt: skip
    shapes += _numbers(world, left + _numbers_shift(pen), top + sizes.name * 1.2 + sizes.line / 2, pen)
    return shapes, top + height


def _globe(world: World, x: float, y: float, size: float, pen: Pen) -> list[Shape]:
    about = f"{world.planet.at}/{world.planet.name}"
    shapes: list[Shape] = [
        Globe(pen.box(x, y, size, size), world.planet.name, world.ring, pen.theme.tile, f"{about}/planet")
    ]
    if world.emblem:
        badge, ink = size * 0.52, mix(world.ring, "#000000", 0.75)
        where = pen.box(x + size - badge * 0.95, y + size - badge * 0.95, badge, badge)
        shapes.append(Plate(where, world.ring, pen.theme.tile, size * 0.035, badge / 2, f"{about}/owner"))
        mark = pen.box(x + size - badge * 0.74, y + size - badge * 0.74, badge * 0.58, badge * 0.58)
        shapes.append(Icon(mark, world.emblem, ink, world.ring, f"{about}/owner/{world.planet.owner}"))
    return shapes


def _name(world: World, name: str, x: float, middle: float, pen: Pen) -> list[Shape]:
    size, tile = pen.sizes.name, pen.theme.tile
    about = f"{world.planet.at}/{world.planet.name}/name"
    width = fonts.text_width(name, size, True)
    shapes: list[Shape] = [pen.text(x, middle, name, size, pen.theme.text, tile, about)]
    for number, sign in enumerate(world.signs):
        where = pen.box(x + width + size * (0.25 + 1.25 * number), middle - size / 2, size, size)
        shapes.append(Icon(where, sign.icon, sign.fill, tile, sign.about))
    return shapes


def _chip_width(number: int, size: int) -> float:
    return max(size * 1.14, fonts.text_width(str(number), size, True) + size * 0.5)


def _numbers_width(world: World, sizes: Sizes) -> float:
    chips = (_chip_width(number, sizes.count) for number in (world.planet.resources, world.planet.political_power))
    garrison = sizes.count * 0.3 + _line_width(world.garrison, sizes.count) if world.garrison else 0.0
    return sum(chips) + sizes.count * 0.14 + garrison


def _numbers(world: World, x: float, middle: float, pen: Pen) -> list[Shape]:
    size, planet, theme = pen.sizes.count, world.planet, pen.theme
    about = f"{planet.at}/{planet.name}"
    shapes = chip(pen, x, middle, planet.resources, size, "disc", theme.resources, f"{about}/resources")
    x += _chip_width(planet.resources, size) + size * 0.14
    shapes += chip(pen, x, middle, planet.political_power, size, "hexagon", theme.power, f"{about}/power")
    x += _chip_width(planet.political_power, size) + size * 0.3
    return shapes + _cells(world.garrison, x, middle, size, theme.tile, pen)


def chip(pen: Pen, x: float, middle: float, number: int, size: int, icon: str, fill: str, about: str) -> list[Shape]:
    """A number on a coin of its own form: resources on a disc, political power on a hexagon."""
    width, height, ink = _chip_width(number, size), size * 1.14, pen.theme.ink
    words = str(number)
    x_text = x + (width - fonts.text_width(words, size, True)) / 2
    coin = Icon(pen.box(x, middle - height / 2, width, height), icon, fill, pen.theme.tile, about)
    return [coin, pen.text(x_text, middle, words, size, ink, fill, about)]


def _fleet(fleet: Fleet, top: float, pen: Pen) -> tuple[list[Shape], float] | None:
    size = pen.sizes.count
    pad, head = size * 0.12, size * 1.12
    for count in range(1, 5):
        height = count * pen.sizes.line + 2 * pad
        room = 2 * pen.room.half_width(top, top + height)
        lines = _wrap(fleet.groups, size, room - head - size * 0.5)
        if len(lines) <= count:
            fits = all(_line_width(line, size) <= room - head - size * 0.5 for line in lines)
            return (_fleet_shapes(fleet, lines, top, pen), top + height) if fits and len(lines) == count else None
    return None


def _fleet_shapes(fleet: Fleet, lines: list[list[Group]], top: float, pen: Pen) -> list[Shape]:
    size, theme, seat = pen.sizes.count, pen.theme, fleet.seat
    pad, head = size * 0.12, size * 1.12
    height = len(lines) * pen.sizes.line + 2 * pad
    width = head + size * 0.5 + max(_line_width(line, size) for line in lines)
    left = -width / 2
    ground = theme.tile if fleet.ghost else seat.plate
    about = f"{lines[0][0].cells[0].about.split('/')[0]}/{fleet.owner}"
    shapes: list[Shape] = [
        Plate(pen.box(left, top, width, height), ground, seat.bright, max(1.5, size * 0.07), size * 0.36, f"{about}/fleet"),
        Plate(pen.box(left, top, head, height), seat.bright, "", 0, size * 0.36, f"{about}/emblem"),
        Icon(pen.box(left + head * 0.18, top + height / 2 - head * 0.32, head * 0.64, head * 0.64), seat.emblem,
             mix(seat.bright, "#000000", 0.78), seat.bright, f"{about}/emblem"),
    ]  # fmt: skip
    for number, line in enumerate(lines):
        middle = top + pad + pen.sizes.line * (number + 0.5)
        shapes += _cells(line, left + head + size * 0.25, middle, size, ground, pen)
    return shapes


def _cell_width(cell: Cell, size: int) -> float:
    icon = size * 0.98 if cell.icon else 0.0
    text = fonts.text_width(cell.text, size, True) if cell.text else 0.0
    return icon + text + (size * 0.08 if icon and text else 0.0)


def _group_width(group: Group, size: int) -> float:
    inner = sum(_cell_width(cell, size) for cell in group.cells) + size * 0.12 * (len(group.cells) - 1)
    return inner + (size * 0.4 if group.inset else 0.0)


def _line_width(groups: Sequence[Group], size: int) -> float:
    return sum(_group_width(group, size) for group in groups) + size * 0.3 * max(0, len(groups) - 1)


def _wrap(groups: Iterable[Group], size: int, room: float) -> list[list[Group]]:
    lines: list[list[Group]] = [[]]
    for group in groups:
        if lines[-1] and _line_width([*lines[-1], group], size) > room:
            lines.append([])
        lines[-1].append(group)
    return lines


def _cells(groups: Sequence[Group], x: float, middle: float, size: int, on: str, pen: Pen) -> list[Shape]:
    shapes: list[Shape] = []
    for group in groups:
        width, ground = _group_width(group, size), group.inset or on
        if group.inset:
            where = pen.box(x, middle - size * 0.58, width, size * 1.16)
            shapes.append(Plate(where, group.inset, "", 0, size * 0.3, group.cells[0].about))
        at = x + (size * 0.2 if group.inset else 0.0)
        for cell in group.cells:
            shapes += _cell(cell, at, middle, size, ground, pen)
            at += _cell_width(cell, size) + size * 0.12
        x += width + size * 0.3
    return shapes


def _cell(cell: Cell, x: float, middle: float, size: int, on: str, pen: Pen) -> Iterable[Shape]:
    if cell.icon:
        yield Icon(pen.box(x, middle - size * 0.49, size * 0.98, size * 0.98), cell.icon, cell.fill, on, cell.about)
    if cell.text:
        shift = size * 1.06 if cell.icon else 0.0
        yield pen.text(x + shift, middle, cell.text, size, cell.ink, on, cell.about)

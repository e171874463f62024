"""Rows of a hex as shapes: the label, the fleets, and cells of icons and texts side by side."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Final, Literal

from renderer import fonts
from renderer.contents import Cell, Contents, Fleet, Group
from renderer.layout import Room
from renderer.shapes import Box, Icon, Plate, Shape, Text
from renderer.theme import Theme, ink_on, mix

Style = Literal["tall", "beside", "above", "line"]
# The shapes of a row, made only when they are looked at (most places that are tried are too small), and its end.
Row = tuple[Iterable[Shape], float]
# Spaces and names in sizes of a count.
GAP: Final = 0.24
HEAD: Final = 1.12  # the emblem at the left of a fleet
NAME_TO_COUNT: Final = 0.78
# So many ems of a name are shown (or all of it) while sizes can be chosen, and when they cannot.
NAME_SHOWN: Final = 6.5
NAME_LEAST: Final = 2.2


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes in pixels: `count` numbers and icons, `name` planet names, `label` the system's label.

    `name_shown`: how many ems of a longer name must be left when it is shortened.
    `dense`: rows are close to one another.
    """

    count: int
    name: int
    label: int
    name_shown: float = NAME_LEAST
    dense: bool = False

    @property
    def line(self) -> float:
        """The height of a row of counts."""
        return self.count * (1.1 if self.dense else 1.22)

    @property
    def name_line(self) -> float:
        """The height of a row of a name."""
        return self.name * (1.12 if self.dense else 1.2)

    @property
    def gap(self) -> float:
        """The space between rows."""
        return self.count * (0.1 if self.dense else 0.16)


@dataclass(frozen=True, slots=True)
class Pen:
    """What a row is drawn with: where the hex is, how much room it has, the sizes and the theme.

    `style` of planets: a `tall` globe over name and numbers, a globe `beside` them, the name `above` the numbers with
    a small globe or emblem, or all of it in one `line` where the hex is wide enough for that.
    """

    room: Room
    sizes: Sizes
    theme: Theme
    style: Style = "beside"

    def box(self, x: float, y: float, width: float, height: float) -> Box:
        """A box in pixels from a place relative to the centre of the hex."""
        left, top = self.room.centre[0] + x, self.room.centre[1] + y
        return (left, top, left + width, top + height)

    def text(self, x: float, middle: float, words: str, size: int, fill: str, on: str, about: str) -> Text:
        """A bold line whose middle is at a height."""
        width = fonts.text_width(words, size, True)
        return Text(self.box(x, middle - size / 2, width, size), words, fill, on, True, about)


def header(contents: Contents, pen: Pen) -> tuple[tuple[Shape, ...], float]:
    """The label, the letter of a wormhole and the signs of the step; and where they end."""
    size, tile = pen.sizes.label, pen.theme.tile
    groups: list[Group] = [Group((Cell("", contents.at, "", pen.theme.text, f"{contents.at}/label"),))]
    if contents.letter:
        ink = mix(contents.letter_fill, pen.theme.text, 0.35)
        groups.append(Group((Cell("", contents.letter, "", ink, f"{contents.at}/wormhole"),)))
    top, shapes = pen.room.top + size * 0.1, list[Shape]()
    for line in wrap([*groups, *contents.signs], size, 2 * pen.room.half_width(pen.room.top, top + size * 1.1)):
        x = -line_width(line, size) / 2
        shapes += cells(line, x, top + size / 2, size, tile, pen)
        top += size * 1.12
    return tuple(shapes), top


def fleet_height(lines: int, pen: Pen) -> float:
    """How high the plate of a fleet with so many lines is."""
    return lines * pen.sizes.line + 2 * _pad(pen)


def least_lines(fleet: Fleet, pen: Pen) -> int:
    """So many lines a fleet has at least, were it in the widest place of the hex."""
    size = pen.sizes.count
    room = _line_room(0, 0, pen)
    return max(1, ceil(sum(_group_width(group, size) for group in fleet.groups) / room)) if room > 0 else 1


def fleet_row(fleet: Fleet, top: float, pen: Pen) -> Row | None:
    """A fleet on its plate, in as few lines as the room allows, and where it ends; None if there is no room."""
    size = pen.sizes.count
    for count in range(least_lines(fleet, pen), len(fleet.groups) + 1):
        bottom = top + fleet_height(count, pen)
        room = _line_room(top, bottom, pen)
        lines = wrap(fleet.groups, size, room)
        if any(line_width(line, size) > room for line in lines):
            return None
        if len(lines) == count:
            return _fleet_shapes(fleet, lines, top, pen), bottom
    return None


def _line_room(top: float, bottom: float, pen: Pen) -> float:
    return 2 * pen.room.half_width(top, bottom) - pen.sizes.count * (HEAD + 0.5)


def _pad(pen: Pen) -> float:
    return pen.sizes.count * (0.06 if pen.sizes.dense else 0.12)


def _fleet_shapes(fleet: Fleet, lines: list[list[Group]], top: float, pen: Pen) -> Iterable[Shape]:
    size, theme, seat = pen.sizes.count, pen.theme, fleet.seat
    head, height = size * HEAD, fleet_height(len(lines), pen)
    width = head + size * 0.5 + max(line_width(line, size) for line in lines)
    left = -width / 2
    ground = theme.tile if fleet.ghost else seat.plate
    about = f"{lines[0][0].cells[0].about.split('/')[0]}/{fleet.owner}"
    border, radius, emblem = max(1.5, size * 0.07), size * 0.36, head * 0.64
    where = pen.box(left + (head - emblem) / 2, top + (height - emblem) / 2, emblem, emblem)
    yield Plate(pen.box(left, top, width, height), ground, seat.bright, border, radius, f"{about}/fleet")
    yield Plate(pen.box(left, top, head, height), seat.bright, "", 0, radius, f"{about}/emblem")
    yield Icon(where, seat.emblem, ink_on(seat.bright), seat.bright, f"{about}/emblem")
    for number, line in enumerate(lines):
        middle = top + _pad(pen) + pen.sizes.line * (number + 0.5)
        yield from cells(line, left + head + size * 0.25, middle, size, ground, pen)


def _cell_width(cell: Cell, size: int) -> float:
    if cell.inside:
        return max(size * 1.1, fonts.text_width(cell.text, size, True) + size * 0.3)
    icon = size * 0.98 if cell.icon else 0.0
    text = fonts.text_width(cell.text, size, True) if cell.text else 0.0
    return icon + text + (size * 0.08 if icon and text else 0.0)


@lru_cache(maxsize=8192)
def _group_width(group: Group, size: int) -> float:
    width = size * (0.4 if group.inset else 0.0) - size * 0.12
    for cell in group.cells:
        width += _cell_width(cell, size) + size * 0.12
    return width


def line_width(groups: Sequence[Group], size: int) -> float:
    """How wide these groups are side by side."""
    return sum(_group_width(group, size) for group in groups) + size * GAP * max(0, len(groups) - 1)


def wrap(groups: Iterable[Group], size: int, room: float) -> list[list[Group]]:
    """Groups in lines that are at most so wide, if no group is wider."""
    lines: list[list[Group]] = [[]]
    filled = 0.0
    for group in groups:
        width = _group_width(group, size)
        if lines[-1] and filled + size * GAP + width > room:
            lines.append([])
        filled = filled + size * GAP + width if lines[-1] else width
        lines[-1].append(group)
    return lines


def cells(groups: Sequence[Group], x: float, middle: float, size: int, on: str, pen: Pen) -> list[Shape]:
    """Groups side by side from `x`, around a height."""
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
        x += width + size * GAP
    return shapes


def _cell(cell: Cell, x: float, middle: float, size: int, on: str, pen: Pen) -> Iterable[Shape]:
    if cell.inside:
        width, text = _cell_width(cell, size), fonts.text_width(cell.text, size, True)
        yield Icon(pen.box(x, middle - size * 0.54, width, size * 1.08), cell.icon, cell.fill, on, cell.about)
        ground = on if cell.icon == "frame" else cell.fill
        yield pen.text(x + (width - text) / 2, middle, cell.text, size, cell.ink, ground, cell.about)
        return
    if cell.icon:
        yield Icon(pen.box(x, middle - size * 0.49, size * 0.98, size * 0.98), cell.icon, cell.fill, on, cell.about)
    if cell.text:
        shift = size * 1.06 if cell.icon else 0.0
        yield pen.text(x + shift, middle, cell.text, size, cell.ink, on, cell.about)

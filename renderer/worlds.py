"""A planet as a row of a hex: its globe or the emblem of its owner, its name, its numbers and its garrison."""

from collections.abc import Iterable
from typing import Final

from renderer import fonts
from renderer.contents import World
from renderer.rows import GAP, Pen, Row, Sizes, cells, line_width
from renderer.shapes import Globe, Icon, Plate, Shape, bounds
from renderer.theme import ink_on

NAME_WIDE: Final = 7.5  # in ems


def world_height(pen: Pen) -> float:
    """How high a planet with its texts is, if it does not stand in one line."""
    globe = _globe_size(pen) if pen.style == "tall" else 0.0
    return globe + _texts_height(pen)


def world_width(world: World, pen: Pen) -> float:
    """How wide a planet should be: with its numbers and all of its name, if that is not very long."""
    named = min(_name_width(world, pen), pen.sizes.name * NAME_WIDE)
    name = _name_shift(pen) + named + _signs_width(world, pen.sizes)
    return max(_numbers_shift(pen) + _numbers_width(world, pen.sizes), name)


def world_row(world: World, left: float, top: float, pen: Pen) -> Row | None:
    """A planet, from `left` if there is room, and where it ends; None if there is no room at all."""
    if pen.style == "tall":
        row = _tall(world, top, pen)
    else:
        in_line = _in_line(world, top, pen) if pen.style == "line" else None
        row = in_line or _in_two_lines(world, left, top, pen)
    return (_framed(world, row[0], pen), row[1]) if row and world.contested else row


def _framed(world: World, drawn: Iterable[Shape], pen: Pen) -> Iterable[Shape]:
    """The planet that is fought for, in a frame."""
    shapes, aside, above = tuple(drawn), pen.sizes.gap * 1.5, pen.sizes.gap * 0.6
    x0, y0, x1, y1 = bounds([corner for shape in shapes for corner in (shape.box[:2], shape.box[2:])])
    where, size = (x0 - aside, y0 - above, x1 + aside, y1 + above), pen.sizes.count
    about = f"{world.planet.at}/{world.planet.name}/contested"
    yield Plate(where, pen.theme.tile, pen.theme.alert, max(1.5, size * 0.07), size * 0.3, about)
    yield from shapes


def _tall(world: World, top: float, pen: Pen) -> Row | None:
    sizes, disc, bottom = pen.sizes, _globe_size(pen), top + world_height(pen)
    middle = bottom - sizes.line
    signs, numbers = _signs_width(world, sizes), _numbers_width(world, sizes)
    above, below = pen.room.half_width(top, middle), pen.room.half_width(middle, bottom)
    if min(_name_width(world, pen), sizes.name * sizes.name_shown) + signs > 2 * above or numbers > 2 * below:
        return None

    def drawn() -> Iterable[Shape]:
        name = fonts.shorten(world.planet.name, sizes.name, 2 * above - signs, True)
        left = -(fonts.text_width(name, sizes.name, True) + signs) / 2
        yield from _globe(world, -disc / 2, top, disc, pen)
        yield from _name(world, name, left, middle - sizes.name_line / 2, pen)
        yield from _numbers(world, -numbers / 2, bottom - sizes.line / 2, pen)

    return drawn(), bottom


def _in_line(world: World, top: float, pen: Pen) -> Row | None:
    sizes, numbers = pen.sizes, _numbers_width(world, pen.sizes)
    half, middle = pen.room.half_width(top, top + sizes.line), top + sizes.line / 2
    fixed = _name_shift(pen) + _signs_width(world, sizes) + sizes.count * GAP + numbers
    name = fonts.shorten(world.planet.name, sizes.name, max(0.0, 2 * half - fixed), True)
    if len(name) < min(4, len(fonts.visible(world.planet.name))):
        return None

    def drawn() -> Iterable[Shape]:
        width = fonts.text_width(name, sizes.name, True)
        left, disc = -(fixed + width) / 2, _globe_size(pen)
        yield from _globe(world, left, middle - disc / 2, disc, pen)
        yield from _name(world, name, left + _name_shift(pen), middle, pen)
        yield from _numbers(world, left + fixed + width - numbers, middle, pen)

    return drawn(), top + sizes.line


def _in_two_lines(world: World, left: float, top: float, pen: Pen) -> Row | None:
    sizes, height, disc = pen.sizes, world_height(pen), _globe_size(pen)
    fixed, numbers = _name_shift(pen) + _signs_width(world, sizes), _numbers_shift(pen) + _numbers_width(world, sizes)
    named = fixed + min(_name_width(world, pen), sizes.name * sizes.name_shown)
    if pen.style == "beside":
        named = numbers = max(named, numbers)
    above, below = _halves(top, pen)
    if named > 2 * above or numbers > 2 * below:
        return None

    def drawn() -> Iterable[Shape]:
        upper, lower = _within(left, named, above), _within(left, numbers, below)
        name = fonts.shorten(world.planet.name, sizes.name, above - upper - fixed, True)
        yield from _globe(world, upper, top + (height - disc) / 2 if pen.style == "beside" else top, disc, pen)
        yield from _name(world, name, upper + _name_shift(pen), top + sizes.name_line / 2, pen)
        yield from _numbers(world, lower + _numbers_shift(pen), top + sizes.name_line + sizes.line / 2, pen)

    return drawn(), top + height


def _within(left: float, width: float, half: float) -> float:
    """`left`, or as near to it as something of that width can begin between `-half` and `half`."""
    return max(-half, min(left, half - width))


def _halves(top: float, pen: Pen) -> tuple[float, float]:
    """Half the room of a planet's name and of its numbers; with a globe beside both it is the same."""
    middle, bottom = top + pen.sizes.name_line, top + world_height(pen)
    if pen.style == "beside":
        return (pen.room.half_width(top, bottom),) * 2
    return pen.room.half_width(top, middle), pen.room.half_width(middle, bottom)


def _texts_height(pen: Pen) -> float:
    return pen.sizes.name_line + pen.sizes.line


def _globe_size(pen: Pen) -> float:
    if pen.style == "tall":
        return pen.sizes.count * 2.5
    return _texts_height(pen) * 0.96 if pen.style == "beside" else pen.sizes.name_line


def _name_shift(pen: Pen) -> float:
    return _globe_size(pen) + pen.sizes.count * (0.28 if pen.style == "beside" else 0.18)


def _numbers_shift(pen: Pen) -> float:
    return _name_shift(pen) if pen.style == "beside" else 0.0


def _signs_width(world: World, sizes: Sizes) -> float:
    return sizes.name * 1.25 * len(world.signs)


def _name_width(world: World, pen: Pen) -> float:
    return fonts.text_width(fonts.visible(world.planet.name), pen.sizes.name, True)


def _globe(world: World, x: float, y: float, size: float, pen: Pen) -> list[Shape]:
    """The planet with its owner's emblem on its rim; where there is little room only the emblem of the owner."""
    about = f"{world.planet.at}/{world.planet.name}"
    whole = pen.box(x, y, size, size)
    globe = Globe(whole, world.planet.name, world.ring, pen.theme.tile, f"{about}/planet")
    if not world.emblem:
        return [globe]
    if pen.style in ("above", "line"):
        return [Plate(whole, world.ring, "", 0, size / 2, f"{about}/owner"), _owner(world, x, y, size, 0.62, pen)]
    badge = size * 0.52
    x, y = x + size - badge * 0.95, y + size - badge * 0.95
    where = pen.box(x, y, badge, badge)
    rim = Plate(where, world.ring, pen.theme.tile, size * 0.035, badge / 2, f"{about}/owner")
    return [globe, rim, _owner(world, x, y, badge, 0.58, pen)]


def _owner(world: World, x: float, y: float, size: float, share: float, pen: Pen) -> Icon:
    edge = size * (1 - share) / 2
    where = pen.box(x + edge, y + edge, size * share, size * share)
    about = f"{world.planet.at}/{world.planet.name}/owner/{world.planet.owner}"
    return Icon(where, world.emblem, ink_on(world.ring), world.ring, about)


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
    garrison = sizes.count * GAP + line_width(world.garrison, sizes.count) if world.garrison else 0.0
    return sum(chips) + sizes.count * 0.14 + garrison


def _numbers(world: World, x: float, middle: float, pen: Pen) -> list[Shape]:
    size, planet, theme = pen.sizes.count, world.planet, pen.theme
    about = f"{planet.at}/{planet.name}"
    shapes = _chip(pen, x, middle, planet.resources, size, "disc", theme.resources, f"{about}/resources")
    x += _chip_width(planet.resources, size) + size * 0.14
    shapes += _chip(pen, x, middle, planet.political_power, size, "hexagon", theme.power, f"{about}/power")
    x += _chip_width(planet.political_power, size) + size * GAP
    return shapes + cells(world.garrison, x, middle, size, theme.tile, pen)


def _chip(pen: Pen, x: float, middle: float, number: int, size: int, icon: str, fill: str, about: str) -> list[Shape]:
    """A number on a coin of its own form: resources on a disc, political power on a hexagon."""
    width, height, ink = _chip_width(number, size), size * 1.14, pen.theme.ink
    words = str(number)
    x_text = x + (width - fonts.text_width(words, size, True)) / 2
    coin = Icon(pen.box(x, middle - height / 2, width, height), icon, fill, pen.theme.tile, about)
    return [coin, pen.text(x_text, middle, words, size, ink, fill, about)]

"""Shapes to pixels: sprites are drawn large and reduced."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache, reduce, singledispatch
from itertools import pairwise
from math import ceil, dist, floor
from typing import Final

from PIL import Image, ImageDraw

from renderer import fonts
from renderer.art import FINE, globe_sprite
from renderer.icons import ICONS
from renderer.layout import between
from renderer.shapes import Box, Globe, Icon, Plate, Point, Polygon, Shape, Stroke, Text
from renderer.theme import rgb

Pixels = tuple[int, int, int, int]
# A line of more pieces than this covers several rectangles; letters stand out of their box by so many sizes.
STRETCH: Final = 4
OVERHANG: Final = 0.4


@dataclass(frozen=True, slots=True)
class Sheet:
    """Pixels to paint on; its upper left corner is the pixel (`left`, `top`) of the picture."""

    image: Image.Image
    left: int = 0
    top: int = 0

    def tint(self, colour: str, x: int, y: int, mask: Image.Image) -> None:
        """Lays a colour on what a mask shows, the mask's corner at a place of the picture."""
        x, y = x - self.left, y - self.top
        self.image.paste(rgb(colour), (x, y, x + mask.width, y + mask.height), mask)


@singledispatch
def draw(shape: Shape, sheet: Sheet) -> None:
    """Paint one shape; each kind is registered below."""
    raise NotImplementedError(shape.kind)


def reach(shape: Shape) -> tuple[Pixels, ...]:
    """The rectangles outside of which a shape paints nothing; letters stand out of the box of their size."""
    if isinstance(shape, Stroke) and len(shape.points) > STRETCH:
        pieces = (shape.points[start : start + STRETCH + 1] for start in range(0, len(shape.points) - 1, STRETCH))
        return tuple(_grown(replace(shape, points=piece).box, 1) for piece in pieces)
    return (_grown(shape.box, 1 + shape.size * OVERHANG if isinstance(shape, Text) else 1),)


def around(one: Pixels, other: Pixels) -> Pixels:
    """The smallest rectangle that holds both."""
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


def _grown(box: Box, by: float) -> Pixels:
    return floor(box[0] - by), floor(box[1] - by), ceil(box[2] + by), ceil(box[3] + by)


@draw.register
def _(shape: Polygon, sheet: Sheet) -> None:
    x0, y0, x1, y1 = _whole(shape.box)
    points = tuple(((x - x0), (y - y0)) for x, y in shape.points)
    sheet.tint(shape.fill, x0, y0, _polygon_mask(points, x1 - x0, y1 - y0))


@draw.register
def _(shape: Stroke, sheet: Sheet) -> None:
    pieces = tuple(_dashes(shape.points, shape.dash)) if shape.dash else (shape.points,)
    for width, colour in ((shape.halo, shape.ground), (shape.width, shape.fill)):
        for piece in pieces if width else ():
            x0, y0, x1, y1 = _whole(replace(shape, points=piece).box)
            points = tuple((x - x0, y - y0) for x, y in piece)
            sheet.tint(colour, x0, y0, _line_mask(points, width, x1 - x0, y1 - y0))


@draw.register
def _(shape: Plate, sheet: Sheet) -> None:
    x0, y0, x1, y1 = _whole(shape.box)
    line = shape.line_width if shape.line else 0.0
    if line:
        sheet.tint(shape.line, x0, y0, _round_mask(x1 - x0, y1 - y0, shape.radius, 0.0))
    sheet.tint(shape.fill, x0, y0, _round_mask(x1 - x0, y1 - y0, shape.radius, line))


@draw.register
def _(shape: Globe, sheet: Sheet) -> None:
    x0, y0, x1, y1 = _whole(shape.box)
    size = min(x1 - x0, y1 - y0)
    sprite, mask = globe_sprite(shape.seed, shape.ring, shape.ground, size)
    sheet.image.paste(sprite, (x0 - sheet.left, y0 - sheet.top), mask)


@draw.register
def _(shape: Icon, sheet: Sheet) -> None:
    x0, y0, x1, y1 = _whole(shape.box)
    sheet.tint(shape.fill, x0, y0, icon_mask(shape.name, x1 - x0, y1 - y0))


@draw.register
def _(shape: Text, sheet: Sheet) -> None:
    size = round(shape.size)
    thick = fonts.stroke(size, shape.bold)
    x, base = shape.box[0] + thick, round(shape.box[1] + fonts.ASCENT * size)
    for run, known in fonts.runs(shape.text):
        width = fonts.run_width(run, known, size)
        if known:
            mask, (left, top) = _run_mask(run, size, thick)
            sheet.tint(shape.fill, round(x) + left, base + top, mask)
        else:
            _boxes(sheet, x, base, len(run), size, shape.fill)
        x += width


@lru_cache(maxsize=2048)
def _run_mask(run: str, size: int, thick: float) -> tuple[Image.Image, tuple[int, int]]:
    """Letters as a mask, and where it is to be put from the beginning of the base line."""
    boxes, x = list[tuple[Pixels, Image.Image]](), 0
    for char in run:
        glyph, (left, top), advance = _glyph(char, size, thick)
        boxes.append(((x + left, top, x + left + glyph.width, top + glyph.height), glyph))
        x += advance
    x0, y0, x1, y1 = reduce(around, (box for box, _ in boxes))
    mask = Image.new("L", (x1 - x0, y1 - y0))
    for (left, top, right, bottom), glyph in boxes:
        mask.paste(255, (left - x0, top - y0, right - x0, bottom - y0), glyph)
    return mask, (x0, y0)


@lru_cache(maxsize=4096)
def _glyph(char: str, size: int, thick: float) -> tuple[Image.Image, tuple[int, int], int]:
    """One letter as a mask, where it is to be put, and how far the next is; thick letters take long to draw."""
    font = fonts.font(size)
    x0, y0, x1, y1 = font.getbbox(char, anchor="ls", stroke_width=thick)
    left, top = floor(x0) - 1, floor(y0) - 1
    mask = Image.new("L", (ceil(x1) - left + 1, ceil(y1) - top + 1))
    ImageDraw.Draw(mask).text((-left, -top), char, 255, font, anchor="ls", stroke_width=thick)
    return mask, (left, top), round(font.getlength(char))


def _boxes(sheet: Sheet, x: float, base: float, count: int, size: int, colour: str) -> None:
    step, gap = fonts.BOX_WIDTH * size, size * 0.08
    pencil = ImageDraw.Draw(sheet.image)
    for number in range(count):
        left, right = round(x + number * step + gap) - sheet.left, round(x + (number + 1) * step - gap) - sheet.left
        corners = (left, round(base - 0.72 * size) - sheet.top, right, round(base) - sheet.top)
        pencil.rectangle(corners, outline=colour, width=max(1, size // 14))


def _whole(box: Box) -> tuple[int, int, int, int]:
    return round(box[0]), round(box[1]), max(round(box[2]), round(box[0]) + 1), max(round(box[3]), round(box[1]) + 1)


@lru_cache(maxsize=2048)
def icon_mask(name: str, width: int, height: int) -> Image.Image:
    """The silhouette of an icon: 255 where it is."""
    mask = Image.new("L", (width * FINE, height * FINE))
    pencil = ImageDraw.Draw(mask)
    for part in ICONS[name]:
        points = [(x * (width * FINE - 1), y * (height * FINE - 1)) for x, y in part.points]
        pencil.polygon(points, 0 if part.cut else 255)
    return mask.reduce(FINE)


@lru_cache(maxsize=1024)
def _round_mask(width: int, height: int, radius: float, inset: float) -> Image.Image:
    mask = Image.new("L", (width * FINE, height * FINE))
    edge = inset * FINE
    box = (edge, edge, width * FINE - 1 - edge, height * FINE - 1 - edge)
    ImageDraw.Draw(mask).rounded_rectangle(box, max(0.0, radius - inset) * FINE, 255)
    return mask.reduce(FINE)


@lru_cache(maxsize=1024)
def _polygon_mask(points: tuple[Point, ...], width: int, height: int) -> Image.Image:
    mask = Image.new("L", (width * FINE, height * FINE))
    ImageDraw.Draw(mask).polygon([(x * FINE, y * FINE) for x, y in points], 255)
    return mask.reduce(FINE)


@lru_cache(maxsize=256)
def _line_mask(points: tuple[Point, ...], width: float, across: int, down: int) -> Image.Image:
    mask, reach = Image.new("L", (across * 2, down * 2)), width
    pencil, doubled = ImageDraw.Draw(mask), [(x * 2, y * 2) for x, y in points]
    pencil.line(doubled, 255, round(width * 2), joint="curve")
    for x, y in (doubled[0], doubled[-1]):
        pencil.ellipse((x - reach, y - reach, x + reach, y + reach), 255)
    return mask.reduce(2)


def _dashes(points: tuple[Point, ...], dash: float) -> Iterable[tuple[Point, ...]]:
    for start, end in pairwise(points):
        length = dist(start, end)
        count = max(1, round(length / dash / 2))
        for number in range(count):
            yield (between(start, end, number / count), between(start, end, (number + 0.45) / count))

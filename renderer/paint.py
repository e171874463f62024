"""Shapes to pixels: sprites are drawn large and reduced, the static board is kept, colours are from one palette."""

from collections.abc import Iterable
from functools import cache, lru_cache, singledispatch
from io import BytesIO
from itertools import pairwise, takewhile
from math import ceil, dist, floor
from random import Random

from PIL import Image, ImageChops, ImageDraw

from renderer import fonts
from renderer.art import FINE, globe_sprite, hex_mask, tile_sprite
from renderer.icons import ICONS
from renderer.layout import between
from renderer.shapes import Box, Globe, Icon, Plate, Point, Polygon, Shape, Sky, Stroke, Text, Tile
from renderer.theme import ThemeName, mix, palette, rgb


def png(shapes: tuple[Shape, ...], theme: ThemeName) -> bytes:
    """The picture of these shapes as a PNG file; the first must be the `Sky`, whose box is the picture."""
    out = BytesIO()
    quantised(paint(shapes), theme).save(out, "PNG", compress_level=6)
    return out.getvalue()


def quantised(image: Image.Image, theme: ThemeName) -> Image.Image:
    """The picture in the 256 colours of the theme, each pixel the nearest one."""
    return image.quantize(palette=_palette_image(theme), dither=Image.Dither.NONE)


def paint(shapes: tuple[Shape, ...]) -> Image.Image:
    """The picture of these shapes in full colour. The leading static shapes are painted once for many pictures."""
    static = tuple(takewhile(lambda shape: shape.static, shapes))
    image = _static(static).copy()
    for shape in shapes[len(static) :]:
        draw(shape, image)
    return image


@lru_cache(maxsize=8)
def _static(shapes: tuple[Shape, ...]) -> Image.Image:
    _, _, width, height = shapes[0].box
    image = Image.new("RGB", (round(width), round(height)))
    for shape in shapes:
        draw(shape, image)
    return image


@cache
def _palette_image(theme: ThemeName) -> Image.Image:
    image = Image.new("P", (1, 1))
    image.putpalette([channel for colour in palette(theme) for channel in rgb(colour)])
    return image


@singledispatch
def draw(shape: Shape, image: Image.Image) -> None:
    """Paint one shape; each kind is registered below."""
    raise NotImplementedError(shape.kind)


@draw.register
def _(shape: Sky, image: Image.Image) -> None:
    width, height = image.size
    image.paste(shape.fill, (0, 0, width, height))
    light = Image.radial_gradient("L").resize((width, height), Image.Resampling.BICUBIC)
    image.paste(shape.glow, (0, 0), ImageChops.invert(light).point(lambda value: max(0, value - 40)))
    random = Random(width * 31 + height)
    pencil = ImageDraw.Draw(image)
    for _ in range(width * height // 5200):
        x, y, glint = random.randrange(width), random.randrange(height), random.random()
        colour = mix(shape.glow, shape.stars, 0.25 + 0.75 * glint**3)
        reach = width // 1500 if glint > 0.9 else 0
        pencil.rectangle((x, y, x + reach, y + reach), fill=colour)


@draw.register
def _(shape: Tile, image: Image.Image) -> None:
    x0, y0, x1, y1 = _whole(shape.box)
    image.paste(tile_sprite(shape, x1 - x0, y1 - y0), (x0, y0), hex_mask(x1 - x0, y1 - y0))
    random, pencil = Random(shape.about), ImageDraw.Draw(image)
    for _ in range(24 if shape.art == "normal" else 0):
        x, y = round(random.uniform(x0 + (x1 - x0) / 4, x1 - (x1 - x0) / 4)), round(random.uniform(y0 + 8, y1 - 8))
        reach = random.choice((0, 0, 0, 1))
        pencil.rectangle((x, y, x + reach, y + reach), mix(shape.fill, shape.line, random.uniform(0.6, 1)))


@draw.register
def _(shape: Polygon, image: Image.Image) -> None:
    x0, y0, x1, y1 = _whole(shape.box)
    points = tuple(((x - x0), (y - y0)) for x, y in shape.points)
    _tint(image, shape.fill, (x0, y0), _polygon_mask(points, x1 - x0, y1 - y0))


@draw.register
def _(shape: Stroke, image: Image.Image) -> None:
    x0, y0, x1, y1 = _whole(shape.box)
    pieces = tuple(_dashes(shape.points, shape.dash)) if shape.dash else (shape.points,)
    for width, colour in ((shape.halo, shape.ground), (shape.width, shape.fill)):
        if width:
            mask = Image.new("L", ((x1 - x0) * 2, (y1 - y0) * 2))
            for piece in pieces:
                _line(ImageDraw.Draw(mask), [((x - x0) * 2, (y - y0) * 2) for x, y in piece], width * 2)
            _tint(image, colour, (x0, y0), mask.reduce(2))


@draw.register
def _(shape: Plate, image: Image.Image) -> None:
    x0, y0, x1, y1 = _whole(shape.box)
    line = shape.line_width if shape.line else 0.0
    if line:
        _tint(image, shape.line, (x0, y0), _round_mask(x1 - x0, y1 - y0, shape.radius, 0.0))
    _tint(image, shape.fill, (x0, y0), _round_mask(x1 - x0, y1 - y0, shape.radius, line))


@draw.register
def _(shape: Globe, image: Image.Image) -> None:
    x0, y0, x1, y1 = _whole(shape.box)
    size = min(x1 - x0, y1 - y0)
    sprite, mask = globe_sprite(shape.seed, shape.ring, shape.ground, size)
    image.paste(sprite, (x0, y0), mask)


@draw.register
def _(shape: Icon, image: Image.Image) -> None:
    x0, y0, x1, y1 = _whole(shape.box)
    _tint(image, shape.fill, (x0, y0), icon_mask(shape.name, x1 - x0, y1 - y0))


@draw.register
def _(shape: Text, image: Image.Image) -> None:
    size = round(shape.size)
    thick = fonts.stroke(size, shape.bold)
    x, base = shape.box[0] + thick, round(shape.box[1] + fonts.ASCENT * size)
    pencil = ImageDraw.Draw(image)
    for run, known in fonts.runs(shape.text):
        width = fonts.run_width(run, known, size)
        if known:
            mask, (left, top) = _run_mask(run, size, thick)
            _tint(image, shape.fill, (round(x) + left, base + top), mask)
        else:
            _boxes(pencil, x, base, len(run), size, shape.fill)
        x += width


@lru_cache(maxsize=4096)
def _run_mask(run: str, size: int, thick: float) -> tuple[Image.Image, tuple[int, int]]:
    """Letters as a mask, and where it is to be put from the beginning of the base line."""
    x0, y0, x1, y1 = fonts.font(size).getbbox(run, anchor="ls", stroke_width=thick)
    left, top = floor(x0) - 1, floor(y0) - 1
    mask = Image.new("L", (ceil(x1) - left + 1, ceil(y1) - top + 1))
    place = (-left, -top)
    ImageDraw.Draw(mask).text(place, run, 255, fonts.font(size), anchor="ls", stroke_width=thick)
    return mask, (left, top)


def _boxes(pencil: ImageDraw.ImageDraw, x: float, base: float, count: int, size: int, colour: str) -> None:
    step, gap = fonts.BOX_WIDTH * size, size * 0.08
    for number in range(count):
        left = x + number * step
        corners = (round(left + gap), round(base - 0.72 * size), round(left + step - gap), round(base))
        pencil.rectangle(corners, outline=colour, width=max(1, size // 14))


def _whole(box: Box) -> tuple[int, int, int, int]:
    return round(box[0]), round(box[1]), max(round(box[2]), round(box[0]) + 1), max(round(box[3]), round(box[1]) + 1)


def _tint(image: Image.Image, colour: str, at: tuple[int, int], mask: Image.Image) -> None:
    image.paste(colour, (at[0], at[1], at[0] + mask.width, at[1] + mask.height), mask)


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


def _line(pencil: ImageDraw.ImageDraw, points: list[Point], width: float) -> None:
    pencil.line(points, 255, round(width), joint="curve")
    for x, y in (points[0], points[-1]):
        pencil.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), 255)


def _dashes(points: tuple[Point, ...], dash: float) -> Iterable[tuple[Point, ...]]:
    for start, end in pairwise(points):
        length = dist(start, end)
        count = max(1, round(length / dash / 2))
        for number in range(count):
            yield (between(start, end, number / count), between(start, end, (number + 0.45) / count))

"""Shapes to pixels: sprites are drawn large once and reduced, the static board is kept, colours are from one palette."""

from collections.abc import Iterable
from functools import cache, lru_cache, singledispatch
from io import BytesIO
from itertools import takewhile
from math import ceil, cos, dist, pi, sin
from random import Random
from typing import Final
from zlib import crc32

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from renderer import fonts
from renderer.icons import ICONS
from renderer.layout import between, towards
from renderer.shapes import Box, Globe, Icon, Plate, Point, Polygon, Shape, Sky, Stroke, Text, Tile, bounds
from renderer.theme import GLOBES, NOVA, ROCKS, ThemeName, mix, palette, rgb

FINE: Final = 4  # sprites are drawn so many times as large as they are shown


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
    image.paste(_tile_sprite(shape, x1 - x0, y1 - y0), (x0, y0), _hex_mask(x1 - x0, y1 - y0))
    random, pencil = Random(shape.about), ImageDraw.Draw(image)
    for _ in range(14 if shape.art == "normal" else 0):
        x, y = random.uniform(x0 + (x1 - x0) / 4, x1 - (x1 - x0) / 4), random.uniform(y0 + 8, y1 - 8)
        pencil.point((x, y), mix(shape.fill, shape.line, random.uniform(0.6, 1)))


@draw.register
def _(shape: Polygon, image: Image.Image) -> None:
    x0, y0, x1, y1 = _whole(shape.box)
    points = tuple(((x - x0), (y - y0)) for x, y in shape.points)
    _tint(image, shape.fill, (x0, y0), _polygon_mask(points, x1 - x0, y1 - y0))


@draw.register
def _(shape: Stroke, image: Image.Image) -> None:
    x0, y0, x1, y1 = _whole(shape.box)
    pieces = _dashes(shape.points, shape.dash) if shape.dash else (shape.points,)
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
    sprite, mask = _globe_sprite(shape.seed, shape.ring, shape.ground, size)
    image.paste(sprite, (x0, y0), mask)


@draw.register
def _(shape: Icon, image: Image.Image) -> None:
    x0, y0, x1, y1 = _whole(shape.box)
    _tint(image, shape.fill, (x0, y0), _icon_mask(shape.name, x1 - x0, y1 - y0))


@draw.register
def _(shape: Text, image: Image.Image) -> None:
    size = round(shape.size)
    thick = fonts.stroke(size, shape.bold)
    x, base = shape.box[0] + thick, round(shape.box[1] + fonts.ASCENT * size)
    pencil = ImageDraw.Draw(image)
    for run, known in fonts.runs(shape.text):
        width = fonts.run_width(run, known, size)
        if known:
            pencil.text((round(x), base), run, shape.fill, fonts.font(size), anchor="ls", stroke_width=thick)
        else:
            _boxes(pencil, x, base, len(run), size, shape.fill)
        x += width


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
def _icon_mask(name: str, width: int, height: int) -> Image.Image:
    mask = Image.new("L", (width * FINE, height * FINE))
    pencil = ImageDraw.Draw(mask)
    for part in ICONS[name]:
        pencil.polygon([(x * (width * FINE - 1), y * (height * FINE - 1)) for x, y in part.points], 0 if part.cut else 255)
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
    for start, end in zip(points, points[1:], strict=False):
        length = dist(start, end)
        count = max(1, round(length / dash / 2))
        for number in range(count):
            yield (between(start, end, number / count), between(start, end, (number + 0.45) / count))


@lru_cache(maxsize=64)
def _hex_mask(width: int, height: int) -> Image.Image:
    mask = Image.new("L", (width * FINE, height * FINE))
    ImageDraw.Draw(mask).polygon(_hex_points(width * FINE, height * FINE, 0), 255)
    return mask.reduce(FINE)


def _hex_points(width: float, height: float, inset: float) -> list[Point]:
    side = inset * 2 / 3**0.5
    return [
        (width / 4 + side / 2, inset), (width * 3 / 4 - side / 2, inset), (width - side, height / 2),
        (width * 3 / 4 - side / 2, height - inset), (width / 4 + side / 2, height - inset), (side, height / 2),
    ]  # fmt: skip


def _tile_sprite(shape: Tile, width: int, height: int) -> Image.Image:
    if shape.art == "normal" and not shape.wormhole:
        return _plain_tile(shape.fill, shape.line, shape.line_width, width, height)
    image = Image.new("RGB", (width * 2, height * 2), shape.line)
    pencil = ImageDraw.Draw(image)
    pencil.polygon(_hex_points(width * 2, height * 2, shape.line_width * 2), shape.fill)
    art = {"supernova": _supernova, "asteroid_field": _asteroids, "normal": _vortex}[shape.art]
    art(image, shape)
    if shape.art != "normal":
        _hazard_border(pencil, shape, width * 2, height * 2)
    return image.reduce(2)


@lru_cache(maxsize=64)
def _plain_tile(fill: str, line: str, line_width: float, width: int, height: int) -> Image.Image:
    image = Image.new("RGB", (width * FINE, height * FINE), line)
    ImageDraw.Draw(image).polygon(_hex_points(width * FINE, height * FINE, line_width * FINE), fill)
    return image.reduce(FINE)


def _hazard_border(pencil: ImageDraw.ImageDraw, shape: Tile, width: int, height: int) -> None:
    inner = _hex_points(width, height, shape.line_width * 3.4)
    pencil.line([*inner, inner[0], inner[1]], shape.line, round(shape.line_width * 0.5), joint="curve")
    middle = _hex_points(width, height, shape.line_width)
    for start, end in zip(middle, middle[1:] + middle[:1], strict=True):
        for share in (0.2, 0.4, 0.6, 0.8):
            notch = between(start, end, share)
            ends = (towards(notch, start, shape.line_width), towards(notch, end, shape.line_width))
            pencil.line((*ends[0], *ends[1]), mix(shape.line, shape.fill, 0.55), round(shape.line_width * 0.5))


def _supernova(image: Image.Image, shape: Tile) -> None:
    random, (width, height) = Random(shape.about), image.size
    x, y, reach = width / 2, height * 0.53, height * 0.34
    glow = Image.new("L", image.size)
    pencil = ImageDraw.Draw(glow)
    pencil.ellipse((x - reach, y - reach, x + reach, y + reach), 190)
    image.paste(NOVA[3], (0, 0), glow.filter(ImageFilter.GaussianBlur(reach / 4)))
    pencil = ImageDraw.Draw(image)
    for colour, size, rays in ((NOVA[3], 1.0, 17), (NOVA[2], 0.78, 13), (NOVA[1], 0.56, 11)):
        pencil.polygon(_rays(random, x, y, reach * size, rays), colour)
    for colour, size in ((NOVA[1], 0.28), (NOVA[0], 0.2)):
        pencil.ellipse((x - reach * size, y - reach * size, x + reach * size, y + reach * size), colour)


def _rays(random: Random, x: float, y: float, reach: float, rays: int) -> list[Point]:
    turn = random.random() * pi
    lengths = [reach * (random.uniform(0.8, 1.0) if i % 2 else random.uniform(0.38, 0.46)) for i in range(2 * rays)]
    angles = [turn + pi * i / rays for i in range(2 * rays)]
    return [(x + length * cos(angle), y + length * sin(angle)) for length, angle in zip(lengths, angles, strict=True)]


def _asteroids(image: Image.Image, shape: Tile) -> None:
    random, (width, height) = Random(shape.about), image.size
    pencil = ImageDraw.Draw(image)
    for number in range(22):
        along, size = (number + random.random()) / 22, height * random.choice((0.02, 0.03, 0.045, 0.075))
        x = width * (0.13 + 0.74 * along)
        y = height * (0.56 + 0.2 * random.uniform(-1, 1) - 0.16 * (along - 0.5))
        _rock(pencil, random, x, y, size)


def _rock(pencil: ImageDraw.ImageDraw, random: Random, x: float, y: float, size: float) -> None:
    lengths = [size * random.uniform(0.75, 1.1) for _ in range(9)]
    edge = [(x + r * cos(i * 2 * pi / 9), y + r * sin(i * 2 * pi / 9)) for i, r in enumerate(lengths)]
    pencil.polygon(edge, ROCKS[2])
    pencil.polygon([between((x - size * 0.18, y - size * 0.2), point, 0.74) for point in edge], ROCKS[1])
    pencil.polygon([between((x - size * 0.32, y - size * 0.34), point, 0.4) for point in edge], ROCKS[0])


def _vortex(image: Image.Image, shape: Tile) -> None:
    width, height = image.size
    x, y, reach = width / 2, height / 2, height * 0.40
    pencil = ImageDraw.Draw(image)
    for share in (0.10, 0.16, 0.24):
        size = reach * (1.15 - share * 3.4)
        pencil.ellipse((x - size, y - size, x + size, y + size), mix(shape.fill, shape.wormhole, share))
    for arm in range(4):
        spiral = [_spiral_point(x, y, reach, arm * pi / 2, step / 30) for step in range(31)]
        pencil.line(spiral, mix(shape.fill, shape.wormhole, 0.5), round(height * 0.016), joint="curve")


def _spiral_point(x: float, y: float, reach: float, turn: float, share: float) -> Point:
    radius, angle = reach * (0.12 + 0.95 * share), turn + share * 2.6
    return (x + radius * cos(angle), y + radius * sin(angle))


@lru_cache(maxsize=1024)
def _globe_sprite(seed: str, ring: str, ground: str, size: int) -> tuple[Image.Image, Image.Image]:
    full = size * FINE
    random = Random(crc32(seed.encode()))
    mask = Image.new("L", (full, full))
    ImageDraw.Draw(mask).ellipse((0, 0, full - 1, full - 1), 255)
    image = Image.new("RGB", (full, full), ring or ground)
    gap = full * 0.11 if ring else 0.0
    pencil = ImageDraw.Draw(image)
    pencil.ellipse((gap * 0.75, gap * 0.75, full - 1 - gap * 0.75, full - 1 - gap * 0.75), ground)
    ball = round(full - 2.6 * gap)
    image.paste(_ball(random, ball), (round(1.3 * gap), round(1.3 * gap)), mask.resize((ball, ball)))
    return image.reduce(FINE), mask.reduce(FINE)


def _ball(random: Random, size: int) -> Image.Image:
    light, dark = random.choice(GLOBES)
    image = Image.new("RGB", (size, size), mix(light, dark, 0.35))
    pencil = ImageDraw.Draw(image)
    random.choice((_bands, _craters, _lands))(pencil, random, size, light, dark)
    shade = Image.radial_gradient("L").resize((round(size * 1.9),) * 2)
    left, top = round(size * 0.58), round(size * 0.62)
    night = shade.crop((left, top, left + size, top + size)).point(lambda value: min(255, max(0, value * 3 - 250)))
    image.paste(mix(dark, "#000000", 0.55), (0, 0), night)
    return image


def _bands(pencil: ImageDraw.ImageDraw, random: Random, size: int, light: str, dark: str) -> None:
    y = 0.0
    while y < size:
        height = size * random.uniform(0.06, 0.2)
        pencil.rectangle((0, y, size, y + height), mix(light, dark, random.choice((0.0, 0.2, 0.5, 0.7))))
        y += height


def _craters(pencil: ImageDraw.ImageDraw, random: Random, size: int, light: str, dark: str) -> None:
    for _ in range(9):
        x, y, r = random.random() * size, random.random() * size, size * random.uniform(0.05, 0.15)
        pencil.ellipse((x - r, y - r, x + r, y + r), mix(light, dark, 0.1))
        pencil.ellipse((x - r * 0.7, y - r * 0.7, x + r, y + r), mix(light, dark, 0.65))


def _lands(pencil: ImageDraw.ImageDraw, random: Random, size: int, light: str, dark: str) -> None:
    for _ in range(5):
        x, y = random.random() * size, random.random() * size
        lengths = [size * random.uniform(0.08, 0.26) for _ in range(11)]
        edge = [(x + r * cos(i * 2 * pi / 11), y + r * 0.7 * sin(i * 2 * pi / 11)) for i, r in enumerate(lengths)]
        pencil.polygon(edge, mix(light, dark, random.choice((0.0, 0.75))))

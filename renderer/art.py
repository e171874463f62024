"""The art: hexes with supernova, asteroid field and wormhole, and planets. The same seed gives the same picture."""

from dataclasses import replace
from functools import lru_cache
from math import cos, pi, sin
from random import Random
from typing import Final
from zlib import crc32

from PIL import Image, ImageDraw, ImageFilter

from renderer.layout import between, towards
from renderer.shapes import Point, Tile
from renderer.theme import GLOBES, NOVA, ROCKS, VORTEX, mix

FINE: Final = 4  # sprites are drawn so many times as large as they are shown
VARIANTS: Final = 6  # so many supernovae and asteroid fields look different


@lru_cache(maxsize=16)
def hex_mask(width: int, height: int) -> Image.Image:
    """What of a rectangle is the hex in it."""
    mask = Image.new("L", (width * FINE, height * FINE))
    ImageDraw.Draw(mask).polygon(_hex_points(width * FINE, height * FINE, 0), 255)
    return mask.reduce(FINE)


def _hex_points(width: float, height: float, inset: float) -> list[Point]:
    side = inset * 2 / 3**0.5
    return [
        (width / 4 + side / 2, inset), (width * 3 / 4 - side / 2, inset), (width - side, height / 2),
        (width * 3 / 4 - side / 2, height - inset), (width / 4 + side / 2, height - inset), (side, height / 2),
    ]  # fmt: skip


def tile_sprite(shape: Tile, width: int, height: int) -> Image.Image:
    """The rectangle of a system with its border and art; only the hex in it is to be shown."""
    if shape.art == "normal" and not shape.wormhole:
        return _plain_tile(shape.fill, shape.line, shape.line_width, width, height)
    variant = str(crc32(shape.about.encode()) % VARIANTS) if shape.art != "normal" else ""
    return _art_tile(replace(shape, box=(0, 0, width, height), about=variant))


@lru_cache(maxsize=48)
def _art_tile(shape: Tile) -> Image.Image:
    """The sprite of all tiles with art that look alike; `about` says which variant it is."""
    _, _, width, height = (round(edge) for edge in shape.box)
    image = Image.new("RGB", (width * 2, height * 2), shape.line)
    pencil = ImageDraw.Draw(image)
    pencil.polygon(_hex_points(width * 2, height * 2, shape.line_width * 2), shape.fill)
    art = {"supernova": _supernova, "asteroid_field": _asteroids, "normal": _vortex}[shape.art]
    art(image, shape)
    if shape.art != "normal":
        _hazard_border(pencil, shape, width * 2, height * 2)
    return image.reduce(2)


@lru_cache(maxsize=16)
def _plain_tile(fill: str, line: str, line_width: float, width: int, height: int) -> Image.Image:
    image = Image.new("RGB", (width * FINE, height * FINE), line)
    ImageDraw.Draw(image).polygon(_hex_points(width * FINE, height * FINE, line_width * FINE), fill)
    return image.reduce(FINE)


def _hazard_border(pencil: ImageDraw.ImageDraw, shape: Tile, width: int, height: int) -> None:
    inner = _hex_points(width, height, shape.line_width * 2.0)
    pencil.line([*inner, inner[0], inner[1]], shape.line, round(shape.line_width * 0.4), joint="curve")
    middle = _hex_points(width, height, shape.line_width)
    for start, end in zip(middle, middle[1:] + middle[:1], strict=True):
        for share in (0.2, 0.4, 0.6, 0.8):
            notch = between(start, end, share)
            ends = (towards(notch, start, shape.line_width), towards(notch, end, shape.line_width))
            pencil.line((*ends[0], *ends[1]), mix(shape.line, shape.fill, 0.55), round(shape.line_width * 0.5))


def _supernova(image: Image.Image, shape: Tile) -> None:
    random, (width, height) = Random(shape.about), image.size
    x, y, reach = width / 2, height * 0.53, height * 0.34
    image.paste(NOVA[3], (0, 0), _glow(width, height, reach))
    pencil = ImageDraw.Draw(image)
    for colour, size, rays in ((NOVA[3], 1.0, 17), (NOVA[2], 0.78, 13), (NOVA[1], 0.56, 11)):
        pencil.polygon(_rays(random, x, y, reach * size, rays), colour)
    for colour, size in ((NOVA[1], 0.28), (NOVA[0], 0.2)):
        pencil.ellipse((x - reach * size, y - reach * size, x + reach * size, y + reach * size), colour)


@lru_cache(maxsize=8)
def _glow(width: int, height: int, reach: float) -> Image.Image:
    """The light around a supernova, as a mask."""
    x, y = width / 2, height * 0.53
    glow = Image.new("L", (width, height))
    ImageDraw.Draw(glow).ellipse((x - reach, y - reach, x + reach, y + reach), 190)
    return glow.filter(ImageFilter.GaussianBlur(reach / 4))


def _rays(random: Random, x: float, y: float, reach: float, rays: int) -> list[Point]:
    turn = random.random() * pi
    lengths = [reach * (random.uniform(0.8, 1.0) if i % 2 else random.uniform(0.38, 0.46)) for i in range(2 * rays)]
    angles = [turn + pi * i / rays for i in range(2 * rays)]
    return [(x + length * cos(angle), y + length * sin(angle)) for length, angle in zip(lengths, angles, strict=True)]


def _asteroids(image: Image.Image, shape: Tile) -> None:
    random, (width, height) = Random(shape.about), image.size
    pencil = ImageDraw.Draw(image)
    for number in range(18):
        along, size = (number + random.random()) / 18, height * random.choice((0.02, 0.03, 0.045, 0.075))
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
    for share in VORTEX[:3]:
        size = reach * (1.15 - share * 3.4)
        pencil.ellipse((x - size, y - size, x + size, y + size), mix(shape.fill, shape.wormhole, share))
    for arm in range(4):
        spiral = [_spiral_point(x, y, reach, arm * pi / 2, step / 30) for step in range(31)]
        pencil.line(spiral, mix(shape.fill, shape.wormhole, VORTEX[3]), round(height * 0.016), joint="curve")


def _spiral_point(x: float, y: float, reach: float, turn: float, share: float) -> Point:
    radius, angle = reach * (0.12 + 0.95 * share), turn + share * 2.6
    return (x + radius * cos(angle), y + radius * sin(angle))


@lru_cache(maxsize=384)
def globe_sprite(seed: str, ring: str, ground: str, size: int) -> tuple[Image.Image, Image.Image]:
    """A planet with the ring of its owner (empty: none), and the mask of what is shown of it."""
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
    image.paste(mix(dark, "#000000", 0.55), (0, 0), _night(size))
    return image


@lru_cache(maxsize=64)
def _night(size: int) -> Image.Image:
    """The side of a planet that its sun does not reach, as a mask."""
    shade = Image.radial_gradient("L").resize((round(size * 1.9),) * 2)
    left, top = round(size * 0.58), round(size * 0.62)
    return shade.crop((left, top, left + size, top + size)).point(lambda value: min(255, max(0, value * 3 - 250)))


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

"""The art: hexes with supernova, asteroid field and wormhole, and planets. The same seed gives the same picture."""

from dataclasses import replace
from functools import cache, lru_cache
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
LOOKS: Final = 64  # and so many planets
LARGE_BALL: Final = 160  # pixels
# Of a planet's width with the ring of its owner: what is inside the ring, and the planet itself.
GAP: Final = 0.835
BALL: Final = 0.714


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


def alike(tile: Tile) -> Tile:
    """One tile for all that look like it, its corner at 0, 0; `about` says which variant of the art it is."""
    x0, y0, x1, y1 = (round(edge) for edge in tile.box)
    variant = str(crc32(tile.about.encode()) % VARIANTS) if tile.art != "normal" else ""
    return replace(tile, box=(0, 0, x1 - x0, y1 - y0), about=variant)


def tile_sprite(tile: Tile) -> Image.Image:
    """The rectangle of one of `alike` with its border and art; only the hex in it is to be shown."""
    fine = FINE if tile.art == "normal" and not tile.wormhole else FINE // 2
    _, _, width, height = (round(edge) * fine for edge in tile.box)
    image = Image.new("RGB", (width, height), tile.line)
    pencil = ImageDraw.Draw(image)
    pencil.polygon(_hex_points(width, height, tile.line_width * fine), tile.fill)
    if tile.art != "normal":
        {"supernova": _supernova, "asteroid_field": _asteroids}[tile.art](image, tile)
        _hazard_border(pencil, tile, width, height)
    elif tile.wormhole:
        _vortex(image, tile)
    return image.reduce(fine)


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


@lru_cache(maxsize=4)
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


def globe_sprite(seed: str, ring: str, ground: str, size: int) -> tuple[Image.Image, Image.Image]:
    """A planet with the ring of its owner (empty: none), and the mask of what is shown of it."""
    return _globe(crc32(seed.encode()) % LOOKS, ring, ground, size), disc(size)


@lru_cache(maxsize=384)
def _globe(look: int, ring: str, ground: str, size: int) -> Image.Image:
    """The sprite of all planets that look alike."""
    if not ring:
        return _ball(look, size)
    ball, image = round(size * BALL), Image.new("RGB", (size, size), ring)
    for inner, colour in ((round(size * GAP), ground), (ball, _ball(look, ball))):
        image.paste(colour, _centred(size, inner), disc(inner))
    return image


def _centred(size: int, inner: int) -> tuple[int, int, int, int]:
    left = (size - inner) // 2
    return left, left, left + inner, left + inner


@lru_cache(maxsize=64)
def disc(size: int) -> Image.Image:
    """A round mask."""
    mask = Image.new("L", (size * FINE, size * FINE))
    ImageDraw.Draw(mask).ellipse((0, 0, size * FINE - 1, size * FINE - 1), 255)
    return mask.reduce(FINE)


def _ball(look: int, size: int) -> Image.Image:
    return _large_ball(look).resize((size, size), Image.Resampling.BOX)


@lru_cache(maxsize=LOOKS)
def _large_ball(look: int) -> Image.Image:
    """One of the planets, larger than it is shown."""
    random, size = Random(look), LARGE_BALL
    light, dark = random.choice(GLOBES)
    image = Image.new("RGB", (size, size), mix(light, dark, 0.35))
    random.choice((_bands, _craters, _lands))(ImageDraw.Draw(image), random, size, light, dark)
    image.paste(mix(dark, "#000000", 0.55), (0, 0), _night(size))
    return image


@cache
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

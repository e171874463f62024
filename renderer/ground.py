"""The ground of a picture, the same in all pictures of a game: the sky and the hexes on it, without what stands there.

Sky and hexes are brought to the palette once, and a ground is put together of their bytes as often as it is needed.
"""

from collections.abc import Iterable
from functools import lru_cache
from random import Random
from typing import Final

from PIL import Image, ImageDraw

from renderer.art import alike, hex_mask, tile_sprite
from renderer.colours import quantised
from renderer.shapes import Shape, Sky, Tile
from renderer.theme import ThemeName, mix

# So many pixels have one star.
EMPTINESS: Final = 7500


def ground(shapes: Iterable[Shape], theme: ThemeName, box: tuple[int, int, int, int]) -> Image.Image:
    """What of a ground lies in a box of the picture, in colours of the palette; the first of the shapes is the sky."""
    sky, *tiles = shapes
    assert isinstance(sky, Sky)
    left, top, right, bottom = box
    _, _, width, height = (round(edge) for edge in sky.box)
    # Pictures as wide as each other have the same stars, whatever their heights.
    image = _stars(width, -(-height // width), sky.fill, sky.stars, theme).crop(box)
    for tile in tiles:
        x0, y0, x1, y1 = (round(edge) for edge in tile.box)
        if isinstance(tile, Tile) and x0 < right and left < x1 and y0 < bottom and top < y1:
            sprite, shown = _sprite(alike(tile), sky.fill, theme)
            image.paste(sprite, (x0 - left, y0 - top), shown)
    return image


@lru_cache(maxsize=3)
def _stars(width: int, times: int, fill: str, stars: str, theme: ThemeName) -> Image.Image:
    """A sky with stars, so many times as high as it is wide."""
    height = width * times
    image = Image.new("RGB", (width, height), fill)
    random, pencil = Random(width), ImageDraw.Draw(image)
    for _ in range(width * height // EMPTINESS):
        x, y, glint = random.randrange(width), random.randrange(height), random.random()
        reach = round(width / 1000 * (glint > 0.8) + width / 1500 * (glint > 0.97))
        pencil.rectangle((x, y, x + reach, y + reach), fill=mix(fill, stars, 0.3 + 0.7 * glint**3))
    return quantised(image, theme)


@lru_cache(maxsize=96)
def _sprite(tile: Tile, sky: str, theme: ThemeName) -> tuple[Image.Image, Image.Image]:
    """A hex whose smooth edges already lie on the sky, and the mask of its pixels."""
    _, _, width, height = (round(edge) for edge in tile.box)
    mask = hex_mask(width, height)
    image = Image.new("RGB", (width, height), sky)
    image.paste(tile_sprite(tile), (0, 0), mask)
    return quantised(image, theme), mask.point(bool, "1")

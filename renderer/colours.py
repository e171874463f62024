"""Pictures in the 256 colours of a theme."""

from functools import cache

from PIL import Image

from renderer.theme import ThemeName, palette, rgb


def quantised(image: Image.Image, theme: ThemeName) -> Image.Image:
    """The picture in the 256 colours of the theme, each pixel the nearest one."""
    return image.quantize(palette=_palette_image(theme), dither=Image.Dither.NONE)


@cache
def palette_bytes(theme: ThemeName) -> bytes:
    """The colours of the theme, three bytes each."""
    return bytes(channel for colour in palette(theme) for channel in rgb(colour))


@cache
def _palette_image(theme: ThemeName) -> Image.Image:
    image = Image.new("P", (1, 1))
    image.putpalette(palette_bytes(theme))
    return image

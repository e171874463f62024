"""Icons of units and faces of dice as small pictures of their own, for texts."""

from io import BytesIO
from typing import Final

from PIL import Image

from renderer import fonts
from renderer.canvas import painted
from renderer.contents import die_cell
from renderer.paint import icon_mask
from renderer.shapes import Icon, Scene, Sky, Text
from renderer.theme import DARK
from renderer.view import Die
from rules_core.units import Kind

SIZE: Final = 128
# Grey that shows on the dark and on the light ground of a chat.
_UNIT: Final = "#8f9bb8"
_EDGE: Final = 4


def unit_emoji(kind: Kind) -> bytes:
    """The silhouette of a kind of unit on nothing, as a PNG file."""
    image = Image.new("RGBA", (SIZE, SIZE))
    inner = SIZE - 2 * _EDGE
    image.paste(_UNIT, (_EDGE, _EDGE, _EDGE + inner, _EDGE + inner), icon_mask(kind, inner, inner))
    return _png(image)


def die_emoji(face: int, hit: bool) -> bytes:
    """A die with a face from 1 to 10, full if it hit, as a PNG file."""
    whole, size = (0.0, 0.0, float(SIZE), float(SIZE)), round(SIZE * (0.78 if face < 10 else 0.62))
    cell = die_cell(Die(Kind.CRUISER, face if hit else face + 1, face), DARK, DARK.card, "")
    width = fonts.text_width(cell.text, size, True)
    box = ((SIZE - width) / 2, (SIZE - size) / 2, (SIZE + width) / 2, (SIZE + size) / 2)
    shapes = (Icon(whole, cell.icon, cell.fill, DARK.card), Text(box, cell.text, cell.ink, cell.fill, True))
    image = painted(Scene((Sky(whole, DARK.card, DARK.card),), (shapes,)), "dark").convert("RGBA")
    image.putalpha(icon_mask("die", SIZE, SIZE))
    return _png(image)


def _png(image: Image.Image) -> bytes:
    out = BytesIO()
    image.save(out, "PNG")
    return out.getvalue()

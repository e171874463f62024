"""Text: measuring, shortening, and what is drawn for a glyph that the font lacks. One font, Noto Sans KR.

Sizes are pixels of the em square. A missing glyph is a box `BOX_WIDTH` em wide; marks that only steer layout
(right-to-left marks, joiners, variation selectors) are left out; so no name can break a line.
"""

import re
import unicodedata
from functools import cache, lru_cache
from itertools import groupby
from typing import Final

from PIL import ImageFont
from pylopdf_fonts_ko import sans_path

BOX_WIDTH: Final = 0.7
ASCENT: Final = 0.88
ELLIPSIS: Final = "…"
BOLDNESS: Final = 0.028


@lru_cache(maxsize=12)  # one takes 1.5 MB, and a third of a millisecond to open
def font(size: int) -> ImageFont.FreeTypeFont:
    """The font at a size in whole pixels; glyphs stand left to right in the order of the text."""
    return ImageFont.truetype(str(sans_path()), size, layout_engine=ImageFont.Layout.BASIC)


def stroke(size: float, bold: bool) -> float:
    """How much the letters are thickened on each side, in pixels."""
    return size * BOLDNESS if bold else 0.0


@cache
def has_glyph(char: str) -> bool:
    """Whether the font can draw a character."""
    return _ink(char) != _ink("\uffff")


@cache
def _ink(char: str) -> tuple[tuple[int, int], bytes]:
    mask = font(40).getmask(char)
    return mask.size, bytes(mask)


@lru_cache(maxsize=2048)
def visible(text: str) -> str:
    """What of a text is drawn: composed, without control and layout marks, blanks run together."""
    composed = unicodedata.normalize("NFC", " ".join(text.split()))
    return "".join(char for char in composed if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Mn", "Me"))


@lru_cache(maxsize=2048)
def runs(text: str) -> tuple[tuple[str, bool], ...]:
    """The visible text in pieces, words mostly: (characters, whether the font has them). Words are drawn once."""
    words = re.findall(r"\S+ ?| ", visible(text))
    return tuple(("".join(chars), known) for word in words for known, chars in groupby(word, has_glyph))


@lru_cache(maxsize=4096)
def run_width(run: str, known: bool, size: int) -> float:
    """The width of one piece of `runs` in pixels."""
    return font(size).getlength(run) if known else len(run) * BOX_WIDTH * size


@lru_cache(maxsize=4096)
def text_width(text: str, size: int, bold: bool = False) -> float:
    """The width of a text in pixels."""
    return sum(run_width(run, known, size) for run, known in runs(text)) + 2 * stroke(size, bold)


@lru_cache(maxsize=2048)
def shorten(text: str, size: int, width: float, bold: bool = False) -> str:
    """The visible text, cut to `width` pixels with an ellipsis; empty if not even that fits."""
    whole = visible(text)
    if text_width(whole, size, bold) <= width:
        return whole
    for end in range(len(whole), -1, -1):
        cut = whole[:end].rstrip() + ELLIPSIS
        if text_width(cut, size, bold) <= width:
            return cut
    return ""

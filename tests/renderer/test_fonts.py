"""Text of any kind has a known width and fits where it is put."""

import pytest

from renderer import fonts
from tests.renderer.boards import LONG_NAMES


@pytest.mark.parametrize("char", [*"Aé0α가힣·…−", " "])
def test_the_font_has_latin_greek_and_hangul(char: str) -> None:
    assert fonts.has_glyph(char)


@pytest.mark.parametrize("char", ["🚀", "א", "ع", "\U0001f1f0"])
def test_a_glyph_the_font_lacks_is_a_box_of_known_width(char: str) -> None:
    assert not fonts.has_glyph(char)
    assert fonts.text_width(char, 20) == fonts.BOX_WIDTH * 20
    assert fonts.text_width(f"가{char}{char}", 20) == fonts.text_width("가", 20) + 2 * fonts.BOX_WIDTH * 20


@pytest.mark.parametrize("char", ["\u200f", "\u202e", "\u2067", "\u200d", "\ufe0f", "\x07", "\u0301"])
def test_marks_that_steer_the_layout_are_left_out(char: str) -> None:
    assert fonts.visible(f"x{char}y") == "xy"
    assert fonts.text_width(f"x{char}y", 20) == fonts.text_width("xy", 20)


def test_accents_are_composed_and_blanks_run_together() -> None:
    assert fonts.visible("e\u0301 \n\t z") == "é z"


@pytest.mark.parametrize("name", [*LONG_NAMES, "Wm" * 50, "긴" * 100, "🚀" * 40])
@pytest.mark.parametrize("width", [0, 15, 60, 300])
def test_a_shortened_text_fits_and_shows_as_much_as_fits(name: str, width: int) -> None:
    short = fonts.shorten(name, 20, width, True)
    assert not short or fonts.text_width(short, 20, True) <= width
    whole = fonts.visible(name)
    if short != whole and short:
        assert short.endswith("…")
        longer = whole[: len(short.rstrip("…")) + 2] + "…"
        assert fonts.text_width(longer, 20, True) > width


def test_a_text_that_fits_is_not_shortened() -> None:
    assert fonts.shorten("Hearth", 20, fonts.text_width("Hearth", 20)) == "Hearth"


def test_bold_text_is_wider() -> None:
    assert fonts.text_width("Hearth", 20, True) > fonts.text_width("Hearth", 20)

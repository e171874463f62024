"""Colours and emblems: told apart with and without colour, all in the palette."""

from itertools import combinations

import pytest

from renderer.paint import icon_mask
from renderer.theme import (
    COLOURS,
    EMBLEMS,
    PALETTE_SIZE,
    THEMES,
    ThemeName,
    contrast,
    ink_on,
    mix,
    palette,
    rgb,
    seats,
)
from rules_core.units import Kind

# What of red, green and blue light somebody sees as red, green and blue.
SIGHTS = {
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.11238, 0.88762, 0), (0.11238, 0.88762, 0), (0.00401, -0.00401, 1)),
    "no green": ((0.29275, 0.70725, 0), (0.29275, 0.70725, 0), (-0.02234, 0.02234, 1)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
    "none": ((0.2126, 0.7152, 0.0722),) * 3,
}


def test_a_player_called_after_a_colour_gets_it_and_nobody_shares_one() -> None:
    look = seats(("a", "blue", "red", "b", "c", "d", "e", "f"))
    assert look["blue"].bright == COLOURS["blue"][0]
    assert look["red"].bright == COLOURS["red"][0]
    assert len({seat.bright for seat in look.values()}) == 8
    assert [seat.emblem for seat in look.values()] == list(EMBLEMS)


@pytest.mark.parametrize("size", [14, 20])
def test_case_086_emblems_differ_without_colour(size: int) -> None:
    assert difference(EMBLEMS, size) > 0.1


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("sight", SIGHTS)
def test_case_086_emblems_stand_out_however_colours_are_seen(sight: str, theme: ThemeName) -> None:
    """The emblem on its head, and the head on the plate: that is what tells players apart."""
    for seat in seats(tuple(COLOURS), theme).values():
        head, plate = seen(seat.bright, sight), seen(seat.plate, sight)
        assert contrast(seen(ink_on(seat.bright), sight), head) >= 4.5
        assert contrast(head, plate) >= 1.7
        assert contrast(seen(THEMES[theme].plate_text, sight), plate) >= 4.5


def seen(colour: str, sight: str) -> str:
    """A colour as who lacks one kind of cones sees it: by the matrices of Viénot, Brettel and Mollon (1999) for linear
    light; for the rare third kind by those of Machado and others (2009)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in rgb(colour))]
    mixed = (sum(share * c for share, c in zip(row, linear, strict=True)) for row in SIGHTS[sight])
    bounded = (min(1.0, max(0.0, c)) for c in mixed)
    shown = (12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055 for c in bounded)
    return "#" + "".join(f"{round(255 * c):02x}" for c in shown)


def test_case_086_a_colour_seen_with_all_cones_is_itself() -> None:
    assert all(seen(bright, "all") == bright for bright, _ in COLOURS.values())
    assert seen("#ff0000", "no green") != "#ff0000"


def test_kinds_of_unit_differ_at_20_pixels() -> None:
    assert difference(tuple(kind.value for kind in Kind), 20) > 0.15


def difference(names: tuple[str, ...], size: int) -> float:
    """The smallest share of the square in which two icons differ."""
    pixels = {name: bytes(icon_mask(name, size, size).tobytes()) for name in names}
    apart = [sum(abs(a - b) for a, b in zip(pixels[x], pixels[y], strict=True)) for x, y in combinations(names, 2)]
    return min(apart) / 255 / size**2


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_case_086_white_text_stands_out_from_every_players_plate(theme: str) -> None:
    assert all(contrast(THEMES[theme].plate_text, plate) >= 4.5 for _, plate in COLOURS.values())


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_flat_colours_are_in_the_palette(theme: str) -> None:
    colours = palette(theme)
    assert len(colours) <= PALETTE_SIZE
    assert len(set(colours)) == len(colours)
    flat = {THEMES[theme].sky, THEMES[theme].tile, THEMES[theme].danger, THEMES[theme].text, THEMES[theme].inset}
    assert flat <= set(colours)
    assert {colour for pair in COLOURS.values() for colour in pair} <= set(colours)


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_rims_and_rings_have_exactly_the_colour_of_their_owner(theme: ThemeName) -> None:
    """So that a rim of one is never taken for that of another."""
    for seat in seats(tuple(COLOURS), theme).values():
        assert {seat.bright, mix(seat.bright, seat.plate, THEMES[theme].rim_shade)} <= set(palette(theme))
        assert contrast(seat.bright, THEMES[theme].tile) >= 1.3


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_mixing_is_linear() -> None:
    assert mix("#000000", "#ff8000", 0.5) == "#804000"

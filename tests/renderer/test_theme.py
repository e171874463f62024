"""Colours and emblems: told apart with and without colour, all in the palette."""

from itertools import combinations

import pytest

from renderer.paint import icon_mask
from renderer.theme import COLOURS, EMBLEMS, PALETTE_SIZE, THEMES, ThemeName, contrast, mix, palette, seats
from rules_core.units import Kind


def test_a_player_called_after_a_colour_gets_it_and_nobody_shares_one() -> None:
    look = seats(("a", "blue", "red", "b", "c", "d", "e", "f"))
    assert look["blue"].bright == COLOURS["blue"][0]
    assert look["red"].bright == COLOURS["red"][0]
    assert len({seat.bright for seat in look.values()}) == 8
    assert [seat.emblem for seat in look.values()] == list(EMBLEMS)


@pytest.mark.parametrize("size", [14, 20])
def test_case_086_emblems_differ_without_colour(size: int) -> None:
    assert difference(EMBLEMS, size) > 0.1


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

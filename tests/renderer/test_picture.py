"""The picture itself: the same each time, small, in few colours, and as the scene says."""

from collections import Counter
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from renderer import ChangedMark, PathMark, View, art, canvas, ground, paint, render, scene
from renderer.scene import _system, compose
from renderer.shapes import Text
from renderer.theme import palette, rgb
from tests.renderer.boards import ENGLISH, KOREAN, board, crowded

VIEW = View("Two fronts", ENGLISH)


def opened(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data))


def pixels(image: Image.Image) -> list[tuple[int, ...]]:
    return list(zip(*[iter(image.tobytes())] * 3, strict=True))


def test_the_same_position_gives_the_same_bytes_from_warm_and_cold_caches() -> None:
    state = board(2, 3)
    first = render(state, VIEW)
    assert render(state, VIEW) == first
    canvas.forget()
    for cached in (
        _system,
        ground._stars,
        ground._sprite,
        paint.icon_mask,
        paint._round_mask,
        paint._polygon_mask,
        art._globe,
        art._large_ball,
        art.disc,
        art.hex_mask,
    ):
        cached.cache_clear()
    assert render(state, VIEW) == first


def test_what_was_drawn_before_leaves_no_trace() -> None:
    state = board(2, 2)
    clean = render(state, VIEW)
    render(state, replace(VIEW, marks=(ChangedMark("000"), PathMark(("101", "000"), "blue"))))
    assert render(state, VIEW) == clean


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_case_080_61_systems_are_far_below_a_megabyte(theme: str) -> None:
    data = render(board(4, 4, players=8, full=0.8), replace(VIEW, theme=theme))  # type: ignore[arg-type]
    assert len(data) < 1_000_000


@pytest.mark.parametrize("width", [800, 1600])
def test_the_picture_has_the_width_asked_for_and_the_palette_of_the_theme(width: int) -> None:
    image = opened(render(board(2, 2), replace(VIEW, width=width)))
    assert image.width == width
    assert image.mode == "P"
    colours = {colour for _, colour in image.convert("RGB").getcolors(256) or ()}
    assert colours <= {rgb(colour) for colour in palette("dark")}


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_texts_stand_on_the_ground_that_the_scene_names(theme: str) -> None:
    """In the box of a text that is wide enough the most frequent colour is its `on`, as near as the palette has it."""
    view = replace(VIEW, theme=theme)  # type: ignore[arg-type]
    state = board(3, 2)
    image = canvas.painted(compose(state, view), theme)  # type: ignore[arg-type]
    plain = {at for at, system in state.galaxy.systems.items() if system.wormhole is None and not system.red_bordered}
    checked = [s for s in scene(state, view) if isinstance(s, Text) and s.about.split("/")[0] in {*plain, "panel"}]
    assert len(checked) > 50
    for text in checked:
        x0, y0, x1, y1 = (round(edge) for edge in text.box)
        common = [colour for colour, _ in Counter(pixels(image.crop((x0, y0, x1, y1)))).most_common(2)]
        assert rgb(text.on) in common, text


def test_letters_are_painted_in_their_colour() -> None:
    shapes = scene(board(3, 1), VIEW)
    label = next(shape for shape in shapes if shape.about == "000/label")
    x0, y0, x1, y1 = (round(edge) for edge in label.box)
    picture = canvas.painted(compose(board(3, 1), VIEW), "dark")
    assert rgb(label.colours[0]) in set(pixels(picture.crop((x0, y0, x1, y1))))


def test_one_ground_force_more_changes_the_picture() -> None:
    state = crowded(1)
    name, planet = next((name, planet) for name, planet in state.planets.items() if planet.owner)
    more = replace(state, planets={**state.planets, name: replace(planet, ground_forces=planet.ground_forces + 1)})
    assert render(state, VIEW) != render(more, VIEW)


def test_names_of_any_kind_are_drawn() -> None:
    names = {"red": "🚀" * 100, "blue": "\u202eאבג\u200f", "green": "", "yellow": "@everyone **x**\n\n"}
    opened(render(board(2, 2, long=True), View("🚀\u200f제목", KOREAN, player_names=names))).verify()

"""A step repaints only what differs, and comes out as if all had been painted anew."""

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from renderer import (
    BattleMark,
    BombardMark,
    CaptureMark,
    Die,
    Duel,
    LossMark,
    Mark,
    PathMark,
    RetreatMark,
    View,
    VolleyMark,
    canvas,
    render,
)
from renderer.canvas import joined, painted
from renderer.colours import quantised
from renderer.ground import ground
from renderer.paint import Sheet, draw, reach
from renderer.scene import compose
from renderer.theme import THEMES
from rules_core.state import State
from rules_core.units import Kind
from tests.renderer.boards import ENGLISH, KEYS, KOREAN, board, crowded


@pytest.fixture(autouse=True)
def _cold() -> Iterator[None]:
    canvas.forget()
    yield
    canvas.forget()


def anew(state: State, view: View) -> Image.Image:
    """The picture with nothing kept from before."""
    return quantised(painted(compose(state, view), view.theme), view.theme)


def shown(data: bytes) -> Image.Image:
    image = Image.open(BytesIO(data))
    image.load()
    return image


def same(one: Image.Image, other: Image.Image) -> bool:
    return one.size == other.size and one.tobytes() == other.tobytes()


def stepped(state: State, random: Random) -> tuple[State, tuple[Mark, ...]]:
    """Something happens: a ship moves, a planet changes hands, ships are lost, and marks tell of it."""
    if not state.ships:
        return state, ()
    ship = random.choice(list(state.ships.values()))
    to = random.choice([at for at in state.galaxy.systems if at != ship.at])
    planet = random.choice([*state.planets])
    match random.randrange(4):
        case 0:
            moved = {**state.ships, ship.id: replace(ship, at=to)}
            return replace(state, ships=moved), (PathMark((ship.at, to), ship.owner, random.random() < 0.5),)
        case 1:
            taken = replace(state.planets[planet], owner=random.choice(KEYS[:3]), ground_forces=random.randrange(9))
            marks = (BombardMark(planet), CaptureMark(planet))
            return replace(state, planets={**state.planets, planet: taken}), marks
        case 2:
            left = {key: each for key, each in state.ships.items() if key != ship.id}
            dice = tuple(Die(Kind.CRUISER, 7, random.randint(1, 10)) for _ in range(random.randrange(1, 9)))
            fought = (BattleMark(to), VolleyMark(to, ship.owner, dice), LossMark(to, ship.owner, ((ship.kind, 1),)))
            return replace(state, ships=left), fought
    seats = tuple(replace(player, acted=random.random() < 0.5) for player in state.players)
    return replace(state, players=seats, round=state.round + 1), (RetreatMark(ship.at, to, ship.owner),)


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10**6),
    st.lists(st.sampled_from(("step", "step", "step", "undo", "crop", "board", "same")), max_size=8),
)
def test_a_step_is_pixel_for_pixel_the_full_redraw(seed: int, moves: list[str]) -> None:
    """Over random steps, crops and undo, with what was kept between them."""
    random = Random(seed)
    state = board(seed, 2, players=3, full=0.7)
    past, view = [state], View("Two fronts", ENGLISH, width=480)
    for number, move in enumerate(moves):
        marks: tuple[Mark, ...] = view.marks
        match move:
            case "step":
                state, marks = stepped(state, random)
                past.append(state)
            case "undo":
                past = past[:-1] or past
                state, marks = past[-1], ()
            case "crop":
                duel = Duel("red", "blue", planet=random.choice((None, *state.planets)))
                view = replace(view, focus=random.choice(sorted(state.galaxy.systems)), duel=duel)
            case "board":
                view = replace(view, focus=None, duel=None)
        view = replace(view, title=f"Two fronts {number}", marks=marks)
        assert same(shown(render(state, view)), anew(state, view))


def test_of_the_next_step_only_some_bands_are_compressed_again() -> None:
    state = board(4, 3, players=4)
    view = View("Two fronts", ENGLISH)
    before = chunks(render(state, view))
    after = chunks(render(state, replace(view, marks=(PathMark(("102", "000"), "red"),))))
    kept = [one == other for one, other in zip(before, after, strict=True)]
    assert 0.5 < sum(kept) / len(kept) < 1


def chunks(data: bytes) -> list[bytes]:
    """The data of each chunk of a PNG file."""
    found, at = [], 8
    while at < len(data):
        length = int.from_bytes(data[at : at + 4])
        found.append(data[at + 8 : at + 8 + length])
        at += 12 + length
    return found


def test_a_shape_paints_nothing_outside_its_reach() -> None:
    state = crowded(1)
    marks = (PathMark(("101", "103", "000"), "blue", True), RetreatMark("104", "101", "red"))
    scene = compose(state, View("Gjpqy, Äあ🚀", KOREAN, marks=marks, width=500))
    width, height = (round(edge) for edge in scene.ground[0].box[2:])
    for shape in scene.shapes[len(scene.ground) :]:
        image = Image.new("RGB", (width, height), "#010203")
        draw(shape, Sheet(image))
        for box in reach(shape):
            image.paste("#010203", box)
        assert image.getcolors(1) is not None, shape


def test_few_pictures_are_kept() -> None:
    for more in range(canvas.KEPT + 3):
        render(board(0, 0), View("Small", ENGLISH, width=320 + more))
    assert len(canvas._kept) == canvas.KEPT


def test_a_part_of_the_ground_is_cut_out_of_the_whole() -> None:
    for theme in THEMES:
        shapes = compose(board(2, 2), View("Two fronts", ENGLISH, width=480, theme=theme)).ground
        _, _, width, height = (round(edge) for edge in shapes[0].box)
        whole, box = ground(shapes, theme, (0, 0, width, height)), (101, height // 3, 333, height // 2)
        assert same(ground(shapes, theme, box), whole.crop(box))


def test_a_picture_for_a_large_screen_is_not_kept() -> None:
    render(board(3, 1), View("Large", ENGLISH, width=3200))
    assert not canvas._kept


def test_case_080_a_picture_that_would_be_too_large_comes_out_narrower() -> None:
    state, view = board(3, 2), View("Two fronts", ENGLISH)
    whole = render(state, view)
    smaller = render(state, view, most_bytes=len(whole) // 3)
    assert len(smaller) <= len(whole) // 3
    assert shown(smaller).width < 1600
    assert shown(render(state, view, most_bytes=1)).width == 320


@pytest.mark.parametrize("boxes", [[(0, 0, 10, 10), (5, 0, 15, 10)], [(0, 0, 10, 10), (100, 100, 110, 110)]])
def test_joined_boxes_cover_what_they_were_made_of(boxes: list[tuple[int, int, int, int]]) -> None:
    for box in boxes:
        assert any(
            other[0] <= box[0] and other[1] <= box[1] and other[2] >= box[2] and other[3] >= box[3]
            for other in joined(boxes)
        )
    assert len(joined(boxes)) == (1 if boxes[1][0] < 50 else 2)

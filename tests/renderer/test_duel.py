"""The battle view and the step's crop: both sides, dice and chances, large enough for a phone, nothing covered."""

from dataclasses import replace
from itertools import combinations

import pytest

from renderer import (
    BattleMark,
    BombardMark,
    CaptureMark,
    Die,
    Duel,
    Labels,
    LandingMark,
    LossMark,
    Mark,
    PathMark,
    RetreatMark,
    View,
    VolleyMark,
    scene,
)
from renderer.shapes import Icon, Plate, Polygon, Shape, Text
from renderer.theme import contrast
from rules_core.state import State
from rules_core.units import Kind
from tests.renderer.boards import ENGLISH, KOREAN, LONG_NAMES, board, crowded

DICE = tuple(Die(Kind.CRUISER, 7, face) for face in (1, 7, 10, 3)) + tuple(Die(Kind.FIGHTER, 9, 9) for _ in range(30))
MARKS: tuple[Mark, ...] = (
    BattleMark("000"),
    VolleyMark("000", "red", DICE),
    VolleyMark("000", "blue", DICE[:5]),
    VolleyMark("000", "blue", (Die(Kind.PDS, 6, 6),), Kind.PDS),
    LossMark("000", "red", ((Kind.CRUISER, 2), (Kind.FIGHTER, 1))),
)
VIEW = View("Two fronts · step 3", ENGLISH, focus="000", duel=Duel("red", "blue", (0.6, 0.1, 0.3)), marks=MARKS)


def shown(state: State, view: View = VIEW, **changes: object) -> tuple[Shape, ...]:
    return scene(state, replace(view, **changes))  # type: ignore[arg-type]


def texts(shapes: tuple[Shape, ...], about: str) -> list[str]:
    return [shape.text for shape in shapes if isinstance(shape, Text) and shape.about == about]


def test_each_side_shows_what_it_has_left_and_lost() -> None:
    shapes = shown(crowded(2))
    assert texts(shapes, "duel/red/cruiser") == ["10"]
    assert texts(shapes, "duel/red/fighter") == ["11"]
    assert texts(shapes, "duel/red/pds") == ["6"]
    assert texts(shapes, "duel/red/lost/cruiser") == ["−2"]
    assert texts(shapes, "duel/blue/dreadnought") == ["5"]
    assert texts(shapes, "duel/red/role") == [ENGLISH.attacker]
    assert texts(shapes, "duel/blue/role") == [ENGLISH.defender]


def test_every_die_is_shown_with_what_hits_and_how_many_did() -> None:
    shapes = shown(crowded(2))
    assert texts(shapes, "duel/red/die") == [str(die.face) for die in DICE]
    assert texts(shapes, "duel/red/fire/cruiser") == ["7+"]
    assert texts(shapes, "duel/red/hits") == ["2", "30"]
    assert texts(shapes, "duel/blue/fire/pds") == ["6+"]
    filled = [s for s in shapes if isinstance(s, Icon) and s.about == "duel/red/die" and s.name == "die"]
    assert len(filled) == 32


def test_the_bar_shows_the_chances_where_they_are_known() -> None:
    shapes = shown(crowded(2))
    assert [texts(shapes, f"duel/odds/{number}") for number in range(3)] == [["60%"], ["10%"], ["30%"]]
    bars = [s for s in shapes if isinstance(s, Plate) and s.about.startswith("duel/odds")]
    assert [bar.box[2] - bar.box[0] for bar in bars] == pytest.approx([sum(b.box[2] - b.box[0] for b in bars) * share
                                                                       for share in (0.6, 0.1, 0.3)])  # fmt: skip
    assert not [s for s in shown(crowded(2), duel=Duel("red", "blue")) if s.about.startswith("duel/odds")]


def test_what_stands_above_is_not_repeated_in_the_hex() -> None:
    shapes = shown(crowded(2))
    assert not [s for s in shapes if s.about.startswith(("000/red/lost", "000/red/die", "000/red/fire"))]


# ---- a bombardment and a landing


PLANET = LONG_NAMES[1]
GROUND = tuple(tuple(Die(Kind.GROUND_FORCE, 8, face) for face in faces) for faces in ((1, 8), (9, 10, 2), (3,), (4,)))


def ground(at: str, player: str, rounds: tuple[tuple[Die, ...], ...]) -> VolleyMark:
    return VolleyMark(at, player, rounds[-1], Kind.GROUND_FORCE, rounds[:-1])


def landing(planet: str, at: str = "000") -> View:
    marks: tuple[Mark, ...] = (
        LossMark(at, "red", ((Kind.GROUND_FORCE, 3),)),
        LossMark(at, "blue", ((Kind.GROUND_FORCE, 1), (Kind.PDS, 2))),
        LandingMark(planet, "red"),
        VolleyMark(at, "blue", (Die(Kind.PDS, 6, 6), Die(Kind.PDS, 6, 2)), Kind.PDS),
        ground(at, "red", GROUND),
        ground(at, "blue", GROUND[:2]),
    )
    return replace(VIEW, focus=at, duel=Duel("red", "blue", planet=planet), marks=marks)


LANDING = landing(PLANET)


def captured() -> State:
    state = crowded(3)
    taken = replace(state.planets[PLANET], owner="red", ground_forces=2, pds=1, space_dock=False)
    return replace(state, planets={**state.planets, PLANET: taken})


def test_of_a_planet_that_holds_its_garrison_and_what_is_aboard_of_the_attacker_are_shown() -> None:
    shapes = shown(crowded(2), LANDING)
    assert [texts(shapes, f"duel/blue/{kind}") for kind in (Kind.GROUND_FORCE, Kind.PDS)] == [["12"], ["3"]]
    assert [texts(shapes, f"duel/red/{kind}") for kind in (Kind.GROUND_FORCE, Kind.PDS)] == [["8"], ["4"]]
    assert texts(shapes, "duel/red/lost/ground_force") == ["−3"]
    assert texts(shapes, "duel/blue/lost/pds") == ["−2"]
    assert not texts(shapes, "duel/red/cruiser")
    assert len(texts(shapes, "duel/blue/planet")) == 1
    assert not [s for s in shapes if isinstance(s, Icon) and s.name == "flag"]


def test_a_captured_planet_stands_with_a_flag_at_who_took_it() -> None:
    shapes = shown(captured(), LANDING, marks=(*LANDING.marks, CaptureMark(PLANET)))
    assert "flag" in {s.name for s in shapes if isinstance(s, Icon) and s.about == "duel/red/planet"}
    assert texts(shapes, "duel/red/ground_force") == ["2"]
    assert texts(shapes, "duel/red/planet/disc") == ["6"]
    assert not [s for s in shapes if s.about.startswith("duel/blue/planet")]


def test_the_rounds_on_the_ground_follow_the_fire_at_the_landing() -> None:
    shapes = shown(crowded(2), LANDING)
    assert texts(shapes, "duel/blue/hits") == ["1", "1", "2"]
    assert texts(shapes, "duel/blue/round") == ["round 1", "round 2"]
    assert texts(shapes, "duel/red/round") == ["round 1", "round 2", "round 3", "round 4"]
    assert texts(shapes, "duel/red/die") == [str(die.face) for dice in GROUND for die in dice]


def test_of_many_rounds_the_last_are_shown_die_by_die_and_the_first_as_their_sum() -> None:
    shapes = shown(crowded(2), LANDING, labels=KOREAN, marks=(ground("000", "red", (*GROUND, GROUND[0])),))
    assert texts(shapes, "duel/red/round") == ["1–2차", "3차", "4차", "5차"]
    assert texts(shapes, "duel/red/hits") == ["3", "0", "0", "1"]
    assert texts(shapes, "duel/red/die") == ["3", "4", "1", "8"]


def test_a_bombardment_shows_the_dice_of_the_ships() -> None:
    volley = VolleyMark("000", "red", (Die(Kind.DREADNOUGHT, 4, 7), Die(Kind.DREADNOUGHT, 4, 1)), Kind.DREADNOUGHT)
    shapes = shown(crowded(2), LANDING, marks=(BombardMark(PLANET), volley))
    assert texts(shapes, "duel/red/fire/dreadnought") == ["4+"]
    assert texts(shapes, "duel/red/die") == ["7", "1"]
    assert not texts(shapes, "duel/red/round")


@pytest.mark.parametrize("seed", range(6))
def test_the_planet_that_is_fought_for_has_a_frame_that_holds_it_and_no_other(seed: int) -> None:
    state = crowded(3) if seed == 0 else board(seed, 3, full=0.9)
    planet = state.planets[PLANET] if seed == 0 else next(iter(state.planets.values()))
    shapes = shown(state, landing(planet.name, planet.at))
    (frame,) = [s for s in shapes if s.about.endswith("/contested")]
    about = f"{planet.at}/{planet.name}/"
    for shape in shapes:
        if isinstance(shape, Text | Icon) and shape.box[2] > shape.box[0]:
            held = inside(frame, *shape.box[:2]) and inside(frame, *shape.box[2:])
            assert held if shape.about.startswith(about) else not overlap(frame, shape), shape


def test_without_a_planet_that_is_fought_for_there_is_no_frame() -> None:
    assert not [s for s in shown(crowded(2)) if s.about.endswith("/contested")]


def test_what_stands_above_of_a_landing_is_not_repeated_in_the_hex() -> None:
    shapes = shown(crowded(2), LANDING)
    assert not [s for s in shapes if s.about.startswith("000/") and s.about.endswith(("/die", "/fire", "/hits"))]
    assert not [s for s in shapes if s.about.startswith(("000/red/lost", "000/blue/lost"))]


# ---- sizes and overlaps


def texts_stand_alone(shapes: tuple[Shape, ...]) -> None:
    """Nothing covers a text, and each has contrast."""
    drawn = [s for s in shapes if isinstance(s, Text | Icon) and s.box[2] > s.box[0]]
    for one, other in combinations(drawn, 2):
        if isinstance(one, Text) or isinstance(other, Text):
            coin = one.about == other.about and not (isinstance(one, Text) and isinstance(other, Text))
            assert coin or not overlap(one, other), (one, other)
    for shape in shapes:
        if isinstance(shape, Text):
            assert contrast(shape.fill, shape.on) >= 4.5, shape


@pytest.mark.parametrize("labels", [ENGLISH, KOREAN], ids=["en", "ko"])
@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_covered_and_every_text_stands_out(labels: Labels, theme: str, seed: int) -> None:
    state = crowded(3) if seed == 0 else board(seed, 3, full=0.9, long=seed == 2)
    marks = (*MARKS, PathMark(("101", "000"), "blue", True), RetreatMark("000", "104", "red"))
    texts_stand_alone(shown(state, labels=labels, theme=theme, marks=marks))


@pytest.mark.parametrize("labels", [ENGLISH, KOREAN], ids=["en", "ko"])
@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("seed", range(6))
def test_nothing_of_a_landing_is_covered_and_its_dice_and_counts_are_large(
    labels: Labels, theme: str, seed: int
) -> None:
    state = captured() if seed == 0 else board(seed, 3, full=0.9, long=seed == 2)
    planet = state.planets[PLANET] if seed == 0 else next(iter(state.planets.values()))
    view = landing(planet.name, planet.at)
    shapes = shown(state, view, labels=labels, theme=theme, marks=(*view.marks, CaptureMark(planet.name)))
    texts_stand_alone(shapes)
    for shape in shapes:
        if isinstance(shape, Text) and shape.about.startswith("duel/"):
            assert shape.size * 1080 / 1600 >= 20, shape
            assert 0 <= shape.box[0] < shape.box[2] <= 1600, shape


def overlap(one: Shape, other: Shape) -> bool:
    a, b = one.box, other.box
    return min(a[2], b[2]) - max(a[0], b[0]) > 0.5 and min(a[3], b[3]) - max(a[1], b[1]) > 0.5


@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize("rings", [3, 5])
def test_scaled_to_1080_labels_and_counts_are_20_pixels_high_in_a_crop(seed: int, rings: int) -> None:
    """Of boards of any size; only three planets and two fleets in one system are written smaller."""
    for shape in shown(board(seed, rings, full=0.5), focus="101", duel=None, marks=()):
        if isinstance(shape, Text) and shape.text:
            name = shape.about.endswith(("/name", "/kind"))
            assert shape.size * 1080 / 1600 >= (15 if name else 19.9), shape


def test_the_head_of_an_arrow_keeps_clear_of_what_stands_in_the_hexes() -> None:
    for seed in range(1, 8):
        state = board(seed, 3, full=1.0)
        for goal in state.galaxy.touching("000"):
            shapes = shown(state, focus=None, duel=None, marks=(PathMark(("000", goal), "red"),))
            heads = [s for s in shapes if isinstance(s, Polygon) and "/path/" in s.about]
            points = [point for head in heads[1:] for point in head.points]
            for shape in shapes:
                if isinstance(shape, Text | Plate) and shape.about.startswith(("000/", f"{goal}/")):
                    assert not any(inside(shape, *point) for point in points), (seed, goal, shape)


def inside(shape: Shape, x: float, y: float) -> bool:
    """Whether a point lies in the box of a shape, not only on its edge."""
    x0, y0, x1, y1 = shape.box
    return x0 + 1 < x < x1 - 1 and y0 + 1 < y < y1 - 1

"""What happened in a step is drawn: the way, battle, fire, losses, retreat, bombardment, landing, capture."""

import pytest

from renderer import (
    BattleMark,
    BombardMark,
    CaptureMark,
    ChangedMark,
    Die,
    LandingMark,
    LossMark,
    Mark,
    PathMark,
    RetreatMark,
    View,
    VolleyMark,
    render,
    scene,
)
from renderer.canvas import painted
from renderer.shapes import Icon, Polygon, Scene, Shape, Stroke, Text
from renderer.theme import rgb
from rules_core.units import Kind
from tests.renderer.boards import ENGLISH, board, crowded

STATE = crowded(3)
PLANET = next(name for name, planet in STATE.planets.items() if planet.at == "000")


def shown(*marks: Mark, **view: object) -> tuple[Shape, ...]:
    return scene(STATE, View("Title", ENGLISH, marks=marks, **view))  # type: ignore[arg-type]


def icons(shapes: tuple[Shape, ...]) -> set[tuple[str, str]]:
    return {(shape.name, shape.about) for shape in shapes if isinstance(shape, Icon)}


def outlined(shapes: tuple[Shape, ...]) -> set[str]:
    return {s.about.split("/")[0] for s in shapes if isinstance(s, Stroke) and s.about.endswith("/outline")}


def test_nothing_is_stressed_without_marks() -> None:
    assert not [shape for shape in shown() if isinstance(shape, Stroke)]


def test_a_way_is_a_line_with_an_arrow_for_every_hop_in_the_colour_of_the_player() -> None:
    shapes = shown(PathMark(("204", "103", "000"), "blue"))
    lines = [shape for shape in shapes if isinstance(shape, Stroke) and "/path/" in shape.about]
    assert [line.about for line in lines] == ["204-103/path/blue", "103-000/path/blue"]
    assert {line.fill for line in lines} == {"#4f9dff"}
    arrows = [shape for shape in shapes if isinstance(shape, Polygon) and "/path/" in shape.about]
    assert len(arrows) == 4  # each with its halo
    assert outlined(shapes) == {"000"}


def test_an_interception_is_marked_where_the_way_ends() -> None:
    stopped = shown(PathMark(("204", "103", "000"), "blue", intercepted=True))
    assert ("stop", "000/interception") in icons(stopped)
    assert ("stop", "000/interception") not in icons(shown(PathMark(("204", "103", "000"), "blue")))


def test_a_hop_by_wormhole_and_a_retreat_are_dashed() -> None:
    def dashes(*marks: Mark) -> list[bool]:
        return [shape.dash > 0 for shape in shown(*marks) if isinstance(shape, Stroke) and "/path/" in shape.about]

    assert dashes(PathMark(("101", "000", "310"), "red")) == [False, True]
    assert dashes(RetreatMark("000", "101", "red")) == [True]


def test_a_way_that_leaves_the_crop_is_drawn_as_far_as_it_is_shown() -> None:
    shapes = shown(PathMark(("302", "202", "101", "000"), "blue"), focus="000")
    lines = [shape.about for shape in shapes if isinstance(shape, Stroke) and "/path/" in shape.about]
    assert lines == ["101-000/path/blue"]


def test_battle_fire_and_hits_are_signs_beside_the_label() -> None:
    dice = (Die(Kind.CRUISER, 7, 9), Die(Kind.CRUISER, 7, 7), Die(Kind.CRUISER, 7, 6))
    shapes = shown(
        BattleMark("000"),
        VolleyMark("000", "red", dice),
        VolleyMark("000", "blue", (Die(Kind.CRUISER, 7, 1),)),
        VolleyMark("000", "blue", (Die(Kind.PDS, 6, 6),), Kind.PDS),
    )
    assert ("swords", "000/battle") in icons(shapes)
    assert ("pds", "000/blue/fire") in icons(shapes)
    hits = sorted((s.about, s.text) for s in shapes if isinstance(s, Text) and s.about.endswith("/hits"))
    assert hits == [("000/blue/hits", "0"), ("000/blue/hits", "1"), ("000/red/hits", "2")]
    assert outlined(shapes) == {"000"}


def test_a_volley_shows_its_dice_those_that_hit_filled() -> None:
    dice = (Die(Kind.CRUISER, 7, 9), Die(Kind.CRUISER, 7, 6))
    shapes = scene(board(3, 1), View("Title", ENGLISH, marks=(VolleyMark("000", "red", dice),)))
    assert [(s.name, s.about) for s in shapes if isinstance(s, Icon) and s.about.endswith("/die")] == [
        ("die", "000/red/die"),
        ("frame", "000/red/die"),
    ]
    assert [s.text for s in shapes if isinstance(s, Text) and s.about.endswith("/die")] == ["9", "6"]


def test_many_dice_are_shown_as_their_hits() -> None:
    shapes = shown(VolleyMark("000", "red", tuple(Die(Kind.FIGHTER, 9, face) for face in (10, 9, 1, 2, 3, 4, 5))))
    assert not [shape for shape in shapes if shape.about.endswith("/die")]
    assert [s.text for s in shapes if isinstance(s, Text) and s.about == "000/red/hits"] == ["2"]


def test_losses_are_ghosts_with_their_numbers() -> None:
    shapes = shown(LossMark("101", "red", ((Kind.CRUISER, 2), (Kind.FIGHTER, 13))))
    lost = {s.about: s.text for s in shapes if isinstance(s, Text) and "/lost/" in s.about}
    assert lost == {"101/red/lost/cruiser": "−2", "101/red/lost/fighter": "−13"}
    assert ("cruiser", "101/red/lost/cruiser") in icons(shapes)


@pytest.mark.parametrize(
    ("mark", "icon", "what"),
    [
        (BombardMark(PLANET), "bomb", "bombardment"),
        (LandingMark(PLANET, "red"), "landing", "landing"),
        (CaptureMark(PLANET), "flag", "capture"),
    ],
)
def test_what_happened_to_a_planet_stands_beside_its_name(mark: Mark, icon: str, what: str) -> None:
    shapes = shown(mark)
    assert (icon, f"000/{PLANET}/{what}") in icons(shapes)
    assert outlined(shapes) == {"000"}


def test_changed_systems_are_outlined() -> None:
    assert outlined(shown(ChangedMark("101"), ChangedMark("205"))) == {"101", "205"}


def test_a_retreat_is_marked_where_it_began_and_where_it_ends() -> None:
    shapes = shown(RetreatMark("000", "101", "red"))
    assert ("retreat", "000/retreat") in icons(shapes)
    assert outlined(shapes) == {"101"}


def test_marks_change_the_picture() -> None:
    state = board(3, 1)
    assert render(state, View("", ENGLISH)) != render(state, View("", ENGLISH, marks=(ChangedMark("000"),)))


@pytest.mark.parametrize("mark", [PathMark(("101", "000"), "blue"), RetreatMark("101", "000", "blue")])
def test_a_line_shows_the_colour_of_the_player_over_its_halo(mark: Mark) -> None:
    """Plain or dashed."""
    state = board(3, 1)
    shapes = scene(state, View("", ENGLISH, marks=(mark,)))
    line = next(shape for shape in shapes if isinstance(shape, Stroke) and "/path/" in shape.about)
    picture = painted(Scene((shapes[0],), ((line,),)), "dark")
    x0, y0, x1, y1 = (round(edge) for edge in line.box)
    colours = {colour for _, colour in picture.crop((x0, y0, x1, y1)).getcolors(1 << 20) or ()}
    assert {rgb(line.fill), rgb(line.ground)} <= colours

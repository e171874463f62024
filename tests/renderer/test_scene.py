"""The scene as data: everything on the table is in it, nothing covers anything, all of it can be read."""

import json
from dataclasses import replace
from itertools import combinations, pairwise

import pytest

from renderer import (
    BattleMark,
    BombardMark,
    CaptureMark,
    Die,
    LossMark,
    View,
    VolleyMark,
    scene,
    shapes_as_json,
)
from renderer.layout import place, rim
from renderer.shapes import Globe, Icon, Plate, Polygon, Shape, Text, Tile
from renderer.theme import contrast
from rules_core import hexes
from rules_core.galaxy import Galaxy, System, SystemKind
from rules_core.state import State
from rules_core.turn_order import order_to_come
from rules_core.units import SHIP_KINDS, Kind
from tests.renderer.boards import ENGLISH, KOREAN, board, crowded

POSITIONS = [
    pytest.param(board(1, 1, players=2, full=1.0), id="7 systems"),
    pytest.param(board(2, 2, long=True), id="19 systems, long names"),
    pytest.param(board(3, 3, players=8, holes=0.2), id="37 less holes"),
    pytest.param(board(4, 4, players=8), id="61 systems"),
    pytest.param(board(5, 5, players=3, holes=0.1, long=True), id="91 less holes, long names"),
    pytest.param(crowded(3), id="crowded"),
    pytest.param(crowded(4), id="crowded, 61 systems"),
]


def shown(state: State, **view: object) -> tuple[Shape, ...]:
    return scene(state, View("Title", ENGLISH, **view))  # type: ignore[arg-type]


def texts(shapes: tuple[Shape, ...], about: str) -> list[str]:
    return [shape.text for shape in shapes if isinstance(shape, Text) and shape.about == about]


def abouts(shapes: tuple[Shape, ...], kind: type[Shape]) -> set[str]:
    return {shape.about for shape in shapes if isinstance(shape, kind)}


def overlap(one: Shape, other: Shape) -> bool:
    a, b = one.box, other.box
    return min(a[2], b[2]) - max(a[0], b[0]) > 0.5 and min(a[3], b[3]) - max(a[1], b[1]) > 0.5


@pytest.mark.parametrize("state", POSITIONS)
def test_every_system_shows_its_label_letter_and_kind(state: State) -> None:
    shapes = shown(state)
    tiles = {shape.about.split("/")[0]: shape for shape in shapes if isinstance(shape, Tile)}
    for at, system in state.galaxy.systems.items():
        assert texts(shapes, f"{at}/label") == [at]
        assert tiles[at].art == system.kind
        letter = {None: [], "alpha": ["α"], "beta": ["β"]}[system.wormhole]
        assert texts(shapes, f"{at}/wormhole") == letter
        assert (tiles[at].line == "#ff2d3c") == system.red_bordered


@pytest.mark.parametrize("state", POSITIONS)
def test_every_planet_shows_name_numbers_owner_and_what_stands_on_it(state: State) -> None:
    shapes = shown(state)
    icons = abouts(shapes, Icon)
    for planet in state.planets.values():
        where = f"{planet.at}/{planet.name}"
        (name,) = texts(shapes, f"{where}/name")
        assert planet.name.startswith(name.rstrip("…")[:3])
        assert texts(shapes, f"{where}/resources") == [str(planet.resources)]
        assert texts(shapes, f"{where}/power") == [str(planet.political_power)]
        assert texts(shapes, f"{where}/{Kind.GROUND_FORCE}") == (
            [str(planet.ground_forces)] if planet.ground_forces else []
        )
        assert texts(shapes, f"{where}/{Kind.PDS}") == ([str(planet.pds)] if planet.pds else [])
        assert (f"{where}/{Kind.SPACE_DOCK}" in icons) == planet.space_dock
        owners = {about for about in icons if about.startswith(f"{where}/owner/")}
        assert owners == ({f"{where}/owner/{planet.owner}"} if planet.owner else set())


@pytest.mark.parametrize("state", POSITIONS)
def test_every_fleet_shows_ships_fighters_and_cargo(state: State) -> None:
    shapes = shown(state)
    for at in state.galaxy.systems:
        for owner in (player.key for player in state.players):
            ships = state.ships_at(at, owner)
            for kind in SHIP_KINDS:
                alike = [ship for ship in ships if ship.kind is kind]
                where = f"{at}/{owner}/{kind}"
                assert texts(shapes, where) == ([str(len(alike))] if alike else [])
                assert aboard(shapes, where) == sum(ship.load for ship in alike)
            fighters = state.fighters_at(at, owner)
            assert texts(shapes, f"{at}/{owner}/{Kind.FIGHTER}") == ([str(fighters)] if fighters else [])


def aboard(shapes: tuple[Shape, ...], where: str) -> int:
    return sum(int(text.split("/")[0]) for text in texts(shapes, f"{where}/load"))


def test_few_loads_are_shown_each_and_many_as_their_sum() -> None:
    state = crowded(2)
    assert texts(shown(state), "000/red/carrier/load") == ["12/20"]
    carriers = [ship for ship in state.ships_at("000", "red") if ship.kind is Kind.CARRIER]
    shapes = shown(replace(state, ships={ship.id: ship for ship in carriers[:2]}, fighters={}), focus="000", rings=0)
    assert texts(shapes, "000/red/carrier/load") == ["3/5", "3/5"]
    assert texts(shapes, "000/red/carrier/load/pds") == ["1", "1"]


@pytest.mark.parametrize("state", POSITIONS)
@pytest.mark.parametrize("labels", [ENGLISH, KOREAN], ids=["en", "ko"])
def test_no_text_covers_another_and_no_icon_a_text(state: State, labels: object) -> None:
    shapes = scene(state, View("Title", labels))  # type: ignore[arg-type]
    marks = [shape for shape in shapes if isinstance(shape, Text | Icon) and shape.box[2] > shape.box[0]]
    for one, other in near(marks):
        if isinstance(one, Text) or isinstance(other, Text):
            coin = one.about == other.about and not (isinstance(one, Text) and isinstance(other, Text))
            assert coin or not overlap(one, other), (one, other)


@pytest.mark.parametrize("state", POSITIONS)
def test_no_fleet_and_no_globe_covers_another(state: State) -> None:
    shapes = [s for s in shown(state) if isinstance(s, Globe) or (isinstance(s, Plate) and s.about.endswith("/fleet"))]
    assert shapes
    for one, other in near(shapes):
        assert not overlap(one, other), (one, other)


def near(shapes: list[Shape]) -> list[tuple[Shape, Shape]]:
    """Pairs of shapes that could overlap: those that share a system or the panel."""
    places: dict[str, list[Shape]] = {}
    for shape in shapes:
        places.setdefault(shape.about.split("/")[0], []).append(shape)
    return [pair for alike in places.values() for pair in combinations(alike, 2)]


@pytest.mark.parametrize("state", POSITIONS)
def test_what_is_in_a_system_stays_inside_its_hex(state: State) -> None:
    shapes = shown(state)
    tiles = {shape.about.split("/")[0]: shape.box for shape in shapes if isinstance(shape, Tile)}
    for shape in shapes:
        at = shape.about.split("/")[0]
        if isinstance(shape, Text | Icon | Plate | Globe) and at in tiles:
            assert all(
                inside(tiles[at], x, y) for x in (shape.box[0], shape.box[2]) for y in (shape.box[1], shape.box[3])
            ), shape


def inside(tile: tuple[float, ...], x: float, y: float) -> bool:
    """Whether a point is in the hex of that box, a pixel of tolerance."""
    half, middle = (tile[2] - tile[0]) / 2, (tile[0] + tile[2]) / 2
    down = abs(y - (tile[1] + tile[3]) / 2)
    return down <= (tile[3] - tile[1]) / 2 + 1 and abs(x - middle) <= half - down / 3**0.5 + 1


@pytest.mark.parametrize("state", POSITIONS)
def test_everything_stays_inside_the_picture(state: State) -> None:
    shapes = scene(
        state, View("A very long title " * 20, ENGLISH, player_names={"red": "Wm" * 50, "blue": "긴 이름 " * 25})
    )
    _, _, width, height = shapes[0].box
    assert width == 1600
    for shape in shapes[1:]:
        x0, y0, x1, y1 = shape.box
        assert x0 >= 0, shape
        assert y0 >= 0, shape
        assert x1 <= width, shape
        assert y1 <= height, shape


@pytest.mark.parametrize("width", [800, 1600, 2400])
@pytest.mark.parametrize("state", POSITIONS[:3] + POSITIONS[5:6])
def test_scaled_to_1080_counts_are_12_pixels_high_and_names_9(state: State, width: int) -> None:
    for shape in shown(state, width=width):
        if isinstance(shape, Text) and shape.text:
            small = shape.about.endswith(("/name", "/kind", "/technologies")) or shape.about.startswith("legend")
            assert shape.size * 1080 / width >= (9 if small else 12), shape


@pytest.mark.parametrize("state", [crowded(4), board(8, 5, long=True)])
def test_in_a_crop_of_one_ring_counts_are_20_pixels_high_at_1080_unless_crowded(state: State) -> None:
    for at in ("000", "101"):
        for shape in shown(state, focus=at, rings=1):
            if isinstance(shape, Text) and shape.about.endswith("/label") and not shape.about.startswith("000"):
                assert shape.size * 1080 / 1600 >= 20, shape


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("state", POSITIONS)
def test_every_text_stands_out_from_its_ground(state: State, theme: str) -> None:
    for shape in shown(state, theme=theme):
        if isinstance(shape, Text):
            assert contrast(shape.fill, shape.on) >= 4.5, shape


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_every_icon_stands_out_from_its_ground(theme: str) -> None:
    coins = {"disc", "hexagon"}  # what they say is the text on them
    for shape in shown(board(3, 3, players=8), theme=theme):
        if isinstance(shape, Icon) and shape.name not in coins:
            assert contrast(shape.fill, shape.on) >= 3, shape


def test_static_shapes_come_first_and_texts_last() -> None:
    shapes = shown(board(3, 3))
    order = [0 if shape.static else 2 if isinstance(shape, Text) else 1 for shape in shapes]
    assert order == sorted(order)
    assert set(order) == {0, 1, 2}


def test_cards_show_who_acted_who_acts_and_the_order_of_the_rest_by_power() -> None:
    state = board(3, 3, players=6)
    shapes = shown(state, player_names={"blue": "Ann"})
    places = {key: int(texts(shapes, f"panel/{key}/place")[0]) for key in (p.key for p in state.players)}
    assert [key for key in places if texts(shapes, f"panel/{key}/acting") == [ENGLISH.acting]] == ["green"]
    assert {key for key in places if texts(shapes, f"panel/{key}/acted") == [ENGLISH.acted]} == {"red", "blue"}
    assert places["green"] == 3
    assert (places["red"] < places["blue"]) == (state.political_power("red") > state.political_power("blue"))
    rest = sorted(("yellow", "purple", "orange"), key=lambda key: -state.political_power(key))
    assert sorted(rest, key=places.__getitem__) == rest
    assert texts(shapes, f"panel/{rest[0]}/next") == [ENGLISH.next]
    assert texts(shapes, "panel/blue/name") == ["Ann"]
    assert texts(shapes, "panel/red/name") == ["Emberfolk"]
    for player in state.players:
        assert texts(shapes, f"panel/{player.key}/power") == [str(state.political_power(player.key))]
        assert texts(shapes, f"panel/{player.key}/resources") == [str(state.resources(player.key))]


def test_technologies_are_named_where_the_labels_name_them() -> None:
    shapes = shown(board(3, 2, players=3))
    assert texts(shapes, "panel/green/technologies") == ["assault cannon · graviton negator"]
    assert texts(shapes, "panel/red/technologies") == []


def test_the_legend_explains_every_unit() -> None:
    legend = {shape.text for shape in scene(board(1, 1), View("", KOREAN)) if shape.about.startswith("legend/")}
    assert legend >= {*KOREAN.units.values(), KOREAN.resources, KOREAN.power, KOREAN.red_border, KOREAN.wormhole}


def test_a_crop_shows_the_system_and_its_ring_and_no_more() -> None:
    state = board(3, 4)
    labels = {shape.text for shape in shown(state, focus="203") if shape.about.endswith("/label")}
    assert labels == {"203", *state.galaxy.touching("203")}
    alone = [shape for shape in shown(state, focus="203", rings=0) if isinstance(shape, Tile)]
    assert len(alone) == 1


def test_a_crop_of_an_unknown_system_is_refused() -> None:
    with pytest.raises(KeyError):
        shown(board(3, 1), focus="901")


def test_the_rim_of_an_owner_joins_over_neighbours() -> None:
    """No band on an edge between two systems of one owner, one on every other edge."""
    state = board(3, 3)
    bands = [shape for shape in shown(state) if isinstance(shape, Polygon) and "/rim/" in shape.about]
    holder = {band.about.split("/")[0]: band.about.split("/")[2] for band in bands}
    assert holder
    for at, owner in holder.items():
        own = sum(holder.get(other) == owner for other in hexes.neighbours(at))
        assert len([band for band in bands if band.about == f"{at}/rim/{owner}"]) == 6 - own


def test_the_bands_of_two_neighbours_of_one_owner_meet_on_their_common_edge() -> None:
    """North and south of it lie others: the bands to its left and right end where the neighbour's begin."""
    bands = {at: rim(place(["000", "101"], 1600, 0, 0), at, edges, 10) for at, edges in NORTH_AND_SOUTH.items()}
    ends = {at: {(round(x), round(y)) for band in of for x, y in band} for at, of in bands.items()}
    corners = {(round(x), round(y)) for x, y in place(["000", "101"], 1600, 0, 0).corners("000")}
    assert len(ends["000"] & ends["101"] - corners) == 2


NORTH_AND_SOUTH = {"000": frozenset({1, 2, 3, 4, 5}), "101": frozenset({0, 1, 2, 4, 5})}


def test_systems_that_touch_share_their_edge() -> None:
    tiles = {s.about.split("/")[0]: s.box for s in shown(board(3, 2)) if isinstance(s, Tile)}
    ring = [tiles[label] for label in ("201", "101", "000")]
    for upper, lower in pairwise(ring):
        assert 0 < lower[1] - upper[3] < 6
        assert upper[0] == lower[0]


def test_red_bordered_systems_say_what_they_are() -> None:
    state = board(4, 4)
    shapes = shown(state)
    for at, system in state.galaxy.systems.items():
        words = {
            SystemKind.SUPERNOVA: ["supernova"],
            SystemKind.ASTEROID_FIELD: ["asteroid field"],
            SystemKind.NORMAL: [],
        }
        assert texts(shapes, f"{at}/kind") == words[system.kind]


def test_shapes_as_json_says_kind_box_colours_and_text() -> None:
    data = json.loads(json.dumps(shapes_as_json(shown(board(3, 2)))))
    assert all({"kind", "box", "colours", "text"} <= entry.keys() and len(entry["box"]) == 4 for entry in data)
    assert {entry["kind"] for entry in data} >= {"sky", "tile", "globe", "icon", "plate", "text", "polygon"}
    assert {"kind": "text", "text": "000"}.items() <= next(e for e in data if e["about"] == "000/label").items()


@pytest.mark.parametrize("labels", [["000"], ["000", "101", "201", "301", "401", "501"], ["000", "512", "903"]])
def test_a_board_of_any_form_fits(labels: list[str]) -> None:
    state = replace(board(3, 1), galaxy=Galaxy({at: System(at) for at in labels}), planets={}, ships={}, fighters={})
    shapes = shown(state)
    _, _, width, height = shapes[0].box
    tiles = [shape.box for shape in shapes if isinstance(shape, Tile)]
    assert len(tiles) == len(labels)
    assert all(box[0] >= 0 and box[2] <= width and box[1] > 150 and box[3] < height for box in tiles)
    assert height < 2 * width


def test_nothing_is_left_out_of_the_most_crowded_system_of_a_small_picture_of_a_large_board() -> None:
    state = crowded(5)
    lost = tuple((kind, 13) for kind in Kind)
    planets = [planet.name for planet in state.planets_at("000")]
    signs = [mark(name) for name in planets for mark in (BombardMark, CaptureMark)]
    marks = (
        BattleMark("000"),
        *(VolleyMark("000", owner, (Die(Kind.FIGHTER, 9, 10),) * 9) for owner in ("red", "blue")),
        LossMark("000", "red", lost),
        LossMark("000", "blue", lost),
        *signs,
    )
    shapes = shown(state, width=800, marks=marks)
    for owner, count in (("red", "10"), ("blue", "12")):
        assert texts(shapes, f"000/{owner}/cruiser") == [count]
        assert texts(shapes, f"000/{owner}/lost/cruiser") == ["−13"]
    assert all(texts(shapes, f"000/{name}/pds") == ["3"] for name in planets)


def test_before_a_phase_begins_the_first_of_the_order_is_next() -> None:
    state = replace(board(3, 1, players=3), phase=None)
    acting = [shape for shape in shown(state) if shape.about.endswith("/acting")]
    following = [shape.about for shape in shown(state) if isinstance(shape, Text) and shape.about.endswith("/next")]
    assert acting == []
    assert following == [f"panel/{order_to_come(state)[0]}/next"]


def test_an_eliminated_player_comes_last_and_is_called_so() -> None:
    state = board(3, 1, players=3)
    out = replace(state.players[1], eliminated=True, acted=True)
    shapes = shown(replace(state, players=(state.players[0], out, state.players[2]), phase=None))
    assert texts(shapes, "panel/blue/place") == ["3"]
    assert texts(shapes, "panel/blue/eliminated") == [ENGLISH.eliminated]
    assert texts(shapes, "panel/blue/acted") == []

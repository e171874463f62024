"""Position and game files: round trips, and every kind of fault with its place."""

import json
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_core import codec, hexes
from rules_core import commands as cmd
from rules_core import events as ev
from rules_core.dice import SealedDice
from rules_core.errors import FileError
from rules_core.game_file import chain_start, chained, read_any, records, write_game
from rules_core.history import Entry
from rules_core.position import position_from_json, position_to_json, read_position, write_position
from rules_core.state import MAX_UNITS_IN_ALL, RetreatOrder, State
from rules_core.units import Kind
from tests.rules.play import Table, board, board_json, planet
from tests.rules.random_play import Game, random_position

SEEDS = st.integers(0, 10**6)
FEW = settings(max_examples=25, deadline=None, derandomize=True, database=None)


def small() -> dict[str, Any]:
    """A position file with something of everything, to be spoilt."""
    return {
        "format": "starpost-position/1",
        "name": "Two fronts",
        "ruleset": "classic",
        "round": 1,
        "options": {"lone_fighters": "battle"},
        "players": [
            {"key": "red", "race": "Emberfolk", "technologies": ["assault_cannon"], "standing_orders": {}},
            {"key": "blue", "race": "Tidewright"},
            {"key": "green", "race": "Loamkin", "acted": True},
        ],
        "acting": "red",
        "systems": [
            {
                "at": "000",
                "planets": [
                    {"name": "Hearth", "resources": 1, "political_power": 4, "owner": "red", "ground_forces": 2}
                ],
                "units": {"red": {"carriers": [{"ground_forces": 2, "pds": 1}], "cruisers": 2, "fighters": 3}},
            },
            {"at": "101", "kind": "supernova"},
            {
                "at": "102",
                "planets": [{"name": "Bay", "owner": "blue", "space_dock": True}, {"name": "Glen", "owner": "green"}],
            },
        ],
    }


def spoil(*path: Any, to: Any) -> Callable[[dict[str, Any]], None]:
    """Sets what stands at a path."""

    def change(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = to

    return change


def drop(*path: Any) -> Callable[[dict[str, Any]], None]:
    """Takes away what stands at a path."""

    def change(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        del data[path[-1]]

    return change


PLANET = ("systems", 0, "planets", 0)
UNITS = ("systems", 0, "units", "red")
ORDERS = ("players", 0, "standing_orders")
PLANETS = [{"name": f"D{n}", "owner": "red", "space_dock": True} for n in range(7)]
DOCKS = [{"at": f"90{n}", "planets": PLANETS[3 * (n - 1) : 3 * n]} for n in (1, 2, 3)]

FAULTS: list[tuple[Callable[[dict[str, Any]], None], str, str]] = [
    (drop("format"), "format", "missing_key"),
    (spoil("format", to="starpost-position/2"), "format", "not_one_of"),
    (spoil("format", to=1), "format", "not_a_text"),
    (spoil("colour", to="red"), "colour", "unknown_key"),
    (spoil("name", to=""), "name", "bad_name_length"),
    (spoil("name", to="x" * 33), "name", "bad_name_length"),
    (spoil("name", to=" Two"), "name", "bad_name_length"),
    (spoil("name", to="e\u0301"), "name", "name_not_nfc"),
    (spoil("name", to="a\nb"), "name", "control_character"),
    (spoil("name", to="a\ud800b"), "name", "control_character"),
    (spoil("name", to="\u200b\u202e"), "name", "invisible_character"),
    (spoil("ruleset", to="modern"), "ruleset", "not_one_of"),
    (spoil("round", to=0), "round", "number_out_of_range"),
    (spoil("round", to=True), "round", "not_a_number"),
    (spoil("round", to=1.0), "round", "not_a_number"),
    (spoil("options", to=[]), "options", "not_an_object"),
    (spoil("options", "lone_fighters", to="maybe"), "options.lone_fighters", "not_one_of"),
    (spoil("options", "house_rules", to="on"), "options.house_rules", "unknown_key"),
    (drop("players"), "players", "missing_key"),
    (spoil("players", to=[]), "players", "number_of_players"),
    (spoil("players", to={}), "players", "not_a_list"),
    (spoil("players", to=[{"key": f"p{n}"} for n in range(9)]), "players", "number_of_players"),
    (spoil("players", 1, to="blue"), "players[1]", "not_an_object"),
    (drop("players", 1, "key"), "players[1].key", "missing_key"),
    (spoil("players", 1, "key", to="RED"), "players[1].key", "name_twice"),
    (spoil("players", 1, "key", to="referee"), "players[1].key", "bad_player_key"),
    (spoil("players", 1, "key", to="my key"), "players[1].key", "bad_player_key"),
    (spoil("players", 1, "colour", to="blue"), "players[1].colour", "unknown_key"),
    (spoil("players", 0, "technologies", to=["warp"]), "players[0].technologies[0]", "not_one_of"),
    (spoil("players", 0, "technologies", to=["cybernetics"] * 2), "players[0].technologies", "technology_twice"),
    (spoil("players", 0, "technologies", to="cybernetics"), "players[0].technologies", "not_a_list"),
    (spoil("players", 0, "acted", to="no"), "players[0].acted", "not_a_boolean"),
    (spoil("players", 0, "resources_bonus", to=10**7), "players[0].resources_bonus", "number_out_of_range"),
    (spoil(*ORDERS, "losses", to=["pds"]), "players[0].standing_orders.losses[0]", "not_one_of"),
    (spoil(*ORDERS, "losses", to=["cruiser", "cruiser"]), "players[0].standing_orders.losses", "name_twice"),
    (spoil(*ORDERS, "pds", to={"gold": "hold"}), "players[0].standing_orders.pds.gold", "unknown_key"),
    (spoil(*ORDERS, "pds", to={"blue": "maybe"}), "players[0].standing_orders.pds.blue", "not_one_of"),
    (spoil(*ORDERS, "retreat", to="sometimes"), "players[0].standing_orders.retreat", "not_one_of"),
    (spoil(*ORDERS, "retreat", to="below 0 ships"), "players[0].standing_orders.retreat", "number_out_of_range"),
    (spoil("acting", to="gold"), "acting", "no_such_player"),
    (spoil("acting", to="green"), "acting", "acting_has_acted"),
    (spoil("acting", to=1), "acting", "not_a_text"),
    (drop("systems"), "systems", "missing_key"),
    (spoil("systems", to=[]), "systems", "no_systems"),
    (drop("systems", 0, "at"), "systems[0].at", "missing_key"),
    (spoil("systems", 1, "at", to="107"), "systems[1].at", "not_a_label"),
    (spoil("systems", 1, "at", to=101), "systems[1].at", "not_a_text"),
    (spoil("systems", 1, "at", to="000"), "systems[1].at", "label_twice"),
    (spoil("systems", 1, "kind", to="nebula"), "systems[1].kind", "not_one_of"),
    (spoil("systems", 1, "wormhole", to="gamma"), "systems[1].wormhole", "not_one_of"),
    (spoil("systems", 1, "size", to=1), "systems[1].size", "unknown_key"),
    (drop(*PLANET, "name"), "systems[0].planets[0].name", "missing_key"),
    (spoil(*PLANET, "name", to="bay"), "systems[2].planets[0].name", "name_twice"),
    (spoil(*PLANET, "name", to="Ho\u200bme"), "systems[0].planets[0].name", "invisible_character"),
    (spoil("players", 1, "key", to="gre\u200ben"), "players[1].key", "invisible_character"),
    (spoil(*PLANET, "name", to="104"), "systems[0].planets[0].name", "name_reads_like_another_thing"),
    (spoil(*PLANET, "name", to="Home, sweet"), "systems[0].planets[0].name", "bad_character_in_name"),
    (spoil(*PLANET, "name", to="2 cruisers"), "systems[0].planets[0].name", "name_reads_like_another_thing"),
    (spoil(*PLANET, "owner", to="bleu"), "systems[0].planets[0].owner", "no_such_player"),
    (spoil(*PLANET, "owner", to=None), "systems[0].planets[0]", "units_without_owner"),
    (spoil(*PLANET, "ground_forces", to=-1), "systems[0].planets[0].ground_forces", "number_out_of_range"),
    (spoil(*PLANET, "ground_forces", to=10**30), "systems[0].planets[0].ground_forces", "number_out_of_range"),
    (spoil(*PLANET, "space_dock", to=1), "systems[0].planets[0].space_dock", "not_a_boolean"),
    (spoil(*PLANET, "moons", to=1), "systems[0].planets[0].moons", "unknown_key"),
    (spoil(*PLANET, "resources", to=1000), "systems[0].planets[0].resources", "number_out_of_range"),
    (spoil("systems", 0, "units", to=None), "systems[0].units", "not_an_object"),
    (spoil("systems", 0, "units", "gold", to={}), "systems[0].units.gold", "no_such_player"),
    (spoil(*UNITS, "titans", to=1), "systems[0].units.red.titans", "unknown_key"),
    (spoil(*UNITS, "carriers", to=1), "systems[0].units.red.carriers", "not_a_list"),
    (spoil(*UNITS, "carriers", 0, "fighters", to=1), "systems[0].units.red.carriers[0].fighters", "unknown_key"),
    (spoil(*UNITS, "cruisers", to="two"), "systems[0].units.red.cruisers", "not_a_number"),
    (spoil(*UNITS, "cruisers", to=float("nan")), "systems[0].units.red.cruisers", "not_a_number"),
    (spoil(*UNITS, "carriers", 0, "ground_forces", to=5), "systems[0]", "overloaded"),
    (spoil(*UNITS, "cruisers", to=[{"ground_forces": 1}]), "systems[0]", "overloaded"),
    (spoil(*UNITS, "fighters", to=MAX_UNITS_IN_ALL), "systems", "number_out_of_range"),
    (spoil("systems", 1, "units", to={"red": {"cruisers": 1}}), "systems[1]", "red_bordered"),
    (spoil("systems", 1, "units", to={"red": {"fighters": 1}}), "systems[1]", "red_bordered"),
    (
        spoil("systems", 2, "units", to={key: {"fighters": 1} for key in ("red", "blue", "green")}),
        "systems[2]",
        "third_race",
    ),
    (lambda data: data["systems"].extend(DOCKS), "systems", "too_many_docks"),
    (spoil("systems", 2, "planets", to=PLANETS[:4]), "systems[2].planets", "too_many_planets"),
    (spoil("progress", to=[]), "progress", "not_an_object"),
    (spoil("progress", to={"ships": [1, 2]}), "progress.ships", "inconsistent"),
    (spoil("progress", to={"ships": [1, 2, 3]}), "progress.next_ship", "missing_key"),
    (spoil("progress", to={"ships": [1, 2, 3], "next_ship": 3}), "systems", "inconsistent"),
    (spoil("progress", to={"ships": [1, 2, 3], "next_ship": 4}), "progress", "inconsistent"),
    (spoil("progress", to={"ships": [1, 1, 3], "next_ship": 4}), "progress.ships", "inconsistent"),
]


@pytest.mark.parametrize(
    ("change", "place", "code"), FAULTS, ids=[f"{n}-{place}" for n, (_, place, _) in enumerate(FAULTS)]
)
def test_a_fault_in_a_file_is_named_with_its_place(change: Callable[[Any], None], place: str, code: str) -> None:
    """Reading checks everything: what is wrong is refused with the place and what was expected."""
    assert position_from_json(small()).name == "Two fronts"
    data = small()
    change(data)
    with pytest.raises(FileError) as error:
        position_from_json(data, lambda name: name == "2 cruisers")
    assert (error.value.place, error.value.code) == (place, code)


@pytest.mark.parametrize(
    ("text", "place", "code"),
    [
        ("", "line 1, column 1", "not_json"),
        ('{"format": }', "line 1, column 12", "not_json"),
        ('{"round": NaN}', "", "not_json"),
        ('{"round": -Infinity}', "", "not_json"),
        ('{"name": "a", "name": "b"}', "name", "key_twice"),
        ("[" * 100_000, "", "nested_too_deeply"),
        ('{"round": ' + "9" * 5000 + "}", "", "number_out_of_range"),
        ('{"round": 1e999}', "format", "missing_key"),
        (" " * 2_000_001, "", "too_large"),
        ("[]", "", "not_an_object"),
        ("null", "", "not_an_object"),
        ('"position"', "", "not_an_object"),
    ],
)
def test_a_text_that_is_no_position_is_refused(text: str, place: str, code: str) -> None:
    """Not JSON, a key twice, no number, nested or long beyond measure: one clear error."""
    for read in (read_position, read_any):
        with pytest.raises(FileError) as error:
            read(text)
        assert (error.value.place, error.value.code) == (place, code)


def test_what_is_left_out_has_the_default() -> None:
    """A file needs its format, its players and its systems; all else has a default."""
    state = position_from_json(
        {"format": "starpost-position/1", "players": [{"key": "red"}], "systems": [{"at": "000"}]}
    )
    assert (state.round, state.ruleset_name, state.phase) == (1, "classic", None)
    assert (state.players[0].race, state.players[0].eliminated) == ("red", True)
    assert (state.options.lone_fighters, state.options.pds_targets, state.options.marker_bombardment) == (
        "battle",
        "present",
        "none",
    )


def test_3_51_g_an_eliminated_player_counts_as_having_acted() -> None:
    """Who has nothing is eliminated when the file is read, and cannot be the acting player."""
    data = board_json(planet("Redhome", "901", "red"), homes=False)
    state = position_from_json(data)
    assert (state.player("blue").eliminated, state.player("blue").acted) == (True, True)
    with pytest.raises(FileError) as error:
        position_from_json({**data, "acting": "blue"})
    assert (error.value.place, error.value.code) == ("acting", "acting_is_eliminated")


def test_fighters_without_room_are_read() -> None:
    """Their owner must settle it before his movement ends."""
    table = Table(board(red={"201": "3 fighters"}))
    with table.refused("3.52.2-h", "fighters_without_room"):
        table.done()


def test_loads_of_cruisers_are_a_list_where_some_hold_a_ground_force() -> None:
    """Cruisers and dreadnoughts are a number, or a list like the carriers'."""
    state = board(red={"201": "cruiser+1gf, cruiser, dreadnought"}, tech={"red": ["stasis_capsules"]})
    units = next(system for system in position_to_json(state)["systems"] if system["at"] == "201")["units"]["red"]
    assert units["cruisers"] == [{"ground_forces": 1, "pds": 0}, {"ground_forces": 0, "pds": 0}]
    assert units["dreadnoughts"] == 1
    assert position_from_json(position_to_json(state)) == state


def test_standing_orders_are_written_and_left_out() -> None:
    """They read back as they were; an export without them says nothing of them."""
    orders = {"losses": ["fighter", "cruiser"], "pds": {"default": "hold", "red": "fire"}, "retreat": "below 3 ships"}
    state = board(standing={"blue": orders, "red": {"retreat": "never"}})
    assert (state.standing["blue"].losses, state.standing["blue"].retreat) == (
        (Kind.FIGHTER, Kind.CRUISER),
        RetreatOrder(3),
    )
    assert state.standing["red"].retreat == RetreatOrder(None)
    assert position_to_json(state)["players"][1]["standing_orders"] == orders
    assert read_position(write_position(state)) == state
    assert "standing_orders" not in write_position(state, standing_orders=False)
    assert read_position(write_position(state, standing_orders=False)) == replace(state, standing={})


def test_a_plain_position_has_no_progress_and_one_in_mid_battle_has() -> None:
    """Progress is written only where reading would not give the same state without it."""
    start = board(red={"201": "2 cruisers"}, blue={"101": "2 cruisers"})
    assert "progress" not in position_to_json(start)
    table = Table(start, dice="1 1 1 1").move("all", "201", "101").done()
    data = json.loads(write_position(table.state))
    assert data["progress"]["phase"]["battle"]["at"] == "101"
    again = Table(read_position(write_position(table.state)))
    assert again.retreat("201").at("201") == "red: 2 cruiser"
    del data["progress"]
    assert position_from_json(data).phase == replace(start.phase, journeys={})  # type: ignore[type-var]


def test_no_count_grows_beyond_what_a_file_may_say() -> None:
    """All units together are bounded, so that gathering them in one place can still be written and read."""
    half = MAX_UNITS_IN_ALL // 2
    start = board(planet("Azure", "101", "red", gf=half), red={"101": "carrier+5gf"})
    table = Table(start).done().land("Azure", "5 gf").invade()
    assert table.on("Azure") == f"red: {half + 5}gf"
    crowd = planet("Azure", "101", "red", gf=MAX_UNITS_IN_ALL - 10)
    full = Table(board(crowd, red={"101": "carrier+2gf, 2 fighters"}))
    with full.refused(None, "number_out_of_range"):
        full.do(cmd.PlaceUnits(((Kind.GROUND_FORCE, 6),), "101", "red", "Azure"))
    full.do(cmd.PlaceUnits(((Kind.GROUND_FORCE, 4), (Kind.SPACE_DOCK, 1)), "101", "red", "Azure"))
    with full.refused(None, "number_out_of_range"):
        full.do(cmd.PlaceUnits(((Kind.FIGHTER, 1),), "101", "red"))
    many = board_json(red={"201": "cruiser"})
    many["systems"][7]["units"]["red"]["cruisers"] = MAX_UNITS_IN_ALL
    many["systems"][8]["units"]["red"] = {"cruisers": MAX_UNITS_IN_ALL}
    with pytest.raises(FileError) as error:
        position_from_json(many)
    assert (error.value.place, error.value.code) == ("systems[8].units.red.cruisers", "number_out_of_range")


def test_a_bonus_may_take_away_all_that_planets_give() -> None:
    """The referee sets any power; the bonus that makes it so can be written and read."""
    lying = [planet(f"P{n}", "101", "red", power=999, resources=999) for n in range(3)]
    table = Table(board(*lying)).do(cmd.SetPowerBonus("red", 0), cmd.SetResourcesBonus("red", 0))
    assert (table.state.political_power("red"), table.state.resources("red")) == (0, 0)


# ---- arbitrary files

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def read_or_refuse(read: Callable[[], object]) -> None:
    """Reading gives something or a FileError; any other exception fails the test."""
    with suppress(FileError):
        read()


@given(JSON)
@settings(FEW, max_examples=150)
def test_arbitrary_json_is_read_or_refused_with_a_file_error(data: Any) -> None:
    """Whatever JSON comes, the only fault is a FileError."""
    read_or_refuse(lambda: position_from_json(data))
    read_or_refuse(lambda: read_any(json.dumps(data)))


@given(st.text(max_size=60))
@settings(FEW, max_examples=100)
def test_arbitrary_text_is_read_or_refused_with_a_file_error(text: str) -> None:
    """Whatever text comes, the only fault is a FileError."""
    read_or_refuse(lambda: read_any(text))


def paths(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to everything inside a JSON value."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    found = [path] if path else []
    return found + [each for key, value in inner for each in paths(value, (*path, key))]


WRONG: tuple[Any, ...] = (None, True, -1, 0, 3, 10**12, 1.5, "", "red", "000", "x" * 40, [], [1], {}, {"x": 1}, [[]])


def spoilt(data: Any, random: Random) -> Any:
    """A copy with one to three places changed, dropped or doubled."""
    data = deepcopy(data)
    for _ in range(random.randint(1, 3)):
        path = random.choice(paths(data))
        above = data
        for key in path[:-1]:
            above = above[key]
        match random.randint(0, 3):
            case 0:
                del above[path[-1]]
            case 1 if isinstance(above, list):
                above.append(deepcopy(above[path[-1]]))
            case _:
                above[path[-1]] = deepcopy(random.choice(WRONG))
    return data


def middle_of_game(seed: int) -> Game:
    """A random game stopped somewhere."""
    random = Random(seed)
    game = Game(random_position(seed), SealedDice(bytes(32)))
    game.follow(cmd.Begin(), "game")
    for _ in range(random.randint(2, 25)):
        if game.state.phase is None:
            break
        game.follow(game.choice(random))
    return game


@given(SEEDS)
@FEW
def test_a_spoilt_position_is_read_or_refused_with_a_file_error(seed: int) -> None:
    """Files with progress, a few places spoilt: read or refused, and what was read can be written again."""
    random = Random(seed)
    data = json.loads(write_position(middle_of_game(seed).state))
    for _ in range(20):
        changed = spoilt(data, random)

        def read(changed: Any = changed) -> None:
            state = position_from_json(changed)
            assert position_from_json(position_to_json(state)) == state

        read_or_refuse(read)


@given(SEEDS)
@settings(FEW, max_examples=10)
def test_a_spoilt_game_file_is_refused_with_a_file_error(seed: int) -> None:
    """A log with places spoilt, its chain made to fit again as a forger would: refused or read, never a fault."""
    random = Random(seed)
    game = middle_of_game(seed)
    data = json.loads(write_game(game.start, game.entries))
    for _ in range(20):
        read_or_refuse(lambda: read_any(json.dumps(forged(spoilt(data, random)))))


def forged(data: dict[str, Any]) -> dict[str, Any]:
    """The file with a head that fits what its log says, as far as it can be read."""
    try:
        head = chain_start(position_from_json(data["position"]))
        for record in data["log"]:
            entry = Entry(record["number"], record["actor"], (codec.event_from_json(record["event"], ""),))
            record["dice"] = records(entry)[0]["dice"]
            head = chained(head, entry)
    except (FileError, KeyError, TypeError, IndexError, AttributeError):
        return data
    return {**data, "head": head, "log": [{**record, "entry": record["number"]} for record in data["log"]]}


# ---- game files


def fought() -> tuple[State, list[Entry]]:
    """A small game: a move, an undo, the move again, a battle of one round."""
    start = board(red={"201": "2 cruisers"}, blue={"101": "cruiser"})
    entries: list[Entry] = []
    table = Table(start, dice="8 1 1").move("all", "201", "101")
    entries.append(Entry(1, "red", table.last))
    entries.append(Entry(entries[-1].last + 1, "red", undone_to=0))
    entries.append(Entry(entries[-1].last + 1, "red", table.last))
    table.done()
    entries.append(Entry(entries[-1].last + 1, "red", table.last))
    return start, entries


def test_case_019_every_label_comes_back_from_both_files() -> None:
    """The largest galaxy there can be, something else in each system: nothing has moved when it is read again."""
    labels = [label for label in (f"{n:03}" for n in range(1000)) if hexes.is_label(label)]
    start = board(
        *(planet(f"P{at}", at, "red") for at in labels), rings=9, homes=False, red=dict.fromkeys(labels, "cruiser")
    )
    for again in (read_position(write_position(start)), read_any(write_game(start, ())).start):
        assert again == start
        assert [again.planets[f"P{at}"].at for at in labels] == [ship.at for ship in again.ships.values()] == labels
    assert len(labels) == len({hexes.hex_of(at) for at in labels}) == 1 + 6 * sum(range(10))


def test_a_game_file_round_trips_and_a_position_is_a_game_without_a_log() -> None:
    """What was written reads back: start, entries, undos, head; the table is that after the last entry."""
    start, entries = fought()
    read = read_any(write_game(start, entries))
    assert (read.start, list(read.entries)) == (start, entries)
    assert read.state.ships_at("101", "red") != ()
    assert read.state.ships_at("101", "blue") == ()
    plain = read_any(write_position(start))
    assert (plain.start, plain.entries, plain.head, plain.state) == (start, (), chain_start(start), start)


def test_every_die_of_a_game_file_says_purpose_place_and_value() -> None:
    """The log has each die with its own place."""
    start, entries = fought()
    dice = [die for record in json.loads(write_game(start, entries))["log"] for die in record.get("dice", ())]
    assert [die["value"] for die in dice] == [8, 1, 1]
    assert dice[1] == {"purpose": "volley", "place": ["1", "red", "1", "101", "volley", "1", "red", "2"], "value": 1}


def volley_of(data: dict[str, Any]) -> dict[str, Any]:
    """The record of the first volley in a log."""
    return next(record for record in data["log"] if record.get("event", {}).get("type") == "VolleyFired")


def altered_die(data: dict[str, Any]) -> None:
    """A die that is better in the event, not in its list of dice."""
    volley_of(data)["event"]["volley"]["shots"][0]["die"] = 10


def altered_die_everywhere(data: dict[str, Any]) -> None:
    """A die that is better wherever it stands."""
    altered_die(data)
    volley_of(data)["dice"][0]["value"] = 10


ALTERED: list[tuple[Callable[[dict[str, Any]], None], str, str]] = [
    (spoil("head", to="0" * 64), "head", "chain_broken"),
    (drop("head"), "head", "chain_broken"),
    (altered_die, "log[10].dice", "dice_differ_from_event"),
    (altered_die_everywhere, "head", "chain_broken"),
    (lambda data: data["log"].pop(), "head", "chain_broken"),
    (drop("log", 0), "log[0].number", "wrong_event_number"),
    (spoil("log", 0, "actor", to="blue"), "log[1].entry", "inconsistent"),
    (spoil("log", 0, "actor", to=None), "log[0].actor", "not_a_text"),
    (spoil("log", 0, "entry", to=7), "log[0].entry", "inconsistent"),
    (spoil("log", 0, "event", "type", to="ShipsVanished"), "log[0].event.type", "unknown_type"),
    (spoil("log", 0, "event", to=None), "log[0].event", "not_an_object"),
    (spoil("log", 0, "time", to=1), "log[0].time", "unknown_key"),
    (spoil("log", 0, to=1), "log[0]", "not_an_object"),
    (spoil("log", 2, "undone_to", to=99), "log[2].undone_to", "not_a_number"),
    (spoil("log", 3, "entry", to=3), "log[3].entry", "inconsistent"),
    (drop("log"), "log", "not_a_list"),
    (drop("position"), "position", "not_an_object"),
    (spoil("position", "players", 0, "political_power_bonus", to=5), "head", "chain_broken"),
    (spoil("position", "players", 0, "colour", to=5), "position.players[0].colour", "unknown_key"),
    (spoil("secret", to="00"), "secret", "unknown_key"),
]


@pytest.mark.parametrize(("change", "place", "code"), ALTERED)
def test_an_altered_game_file_is_refused_with_the_place(change: Callable[[Any], None], place: str, code: str) -> None:
    """A broken chain, an altered die, a foreign log: refused, and where."""
    data = json.loads(write_game(*fought()))
    change(data)
    with pytest.raises(FileError) as error:
        read_any(json.dumps(data))
    assert (error.value.place, error.value.code) == (place, code)


def test_a_log_of_another_game_is_refused() -> None:
    """Entries that do not fit the table are refused though the chain is unbroken."""
    _, entries = fought()
    for start in (board(red={"203": "2 cruisers"}, holes=["201"]), board(red={"201": "2 cruisers"}, acting=None)):
        with pytest.raises(FileError) as error:
            read_any(write_game(start, entries))
        assert error.value.code == "event_does_not_fit"


def test_events_that_lead_to_what_cannot_be_are_refused() -> None:
    """A forged event of a player who is not there, or that overloads a ship, does not fit."""
    table = Table(board(planet("Azure", "201", "red", gf=9), red={"201": "carrier"})).load("5 gf", "201")
    loaded = table.last[0]
    assert isinstance(loaded, ev.UnitsLoaded)
    for event in (
        replace(loaded, ground_forces=9),
        replace(loaded, ship=77),
        replace(loaded, planet="Nowhere"),
    ):
        with pytest.raises(FileError) as error:
            read_any(
                write_game(
                    board(planet("Azure", "201", "red", gf=9), red={"201": "carrier"}), [Entry(1, "red", (event,))]
                )
            )
        assert (error.value.place, error.value.code) == ("log[0]", "event_does_not_fit")


# ---- the codec


@pytest.mark.parametrize(
    ("data", "place", "code"),
    [
        ({"type": "Done"}, "x.player", "missing_key"),
        ({"type": "Done", "player": 1}, "x.player", "not_a_text"),
        ({"type": "Done", "player": "red", "why": 1}, "x.why", "unknown_key"),
        ({"type": "Sleep", "player": "red"}, "x.type", "unknown_type"),
        ({"player": "red"}, "x.type", "unknown_type"),
        ([], "x", "not_an_object"),
        ({"type": "ScrapUnits", "player": "red", "at": "000", "ships": [True]}, "x.ships[0]", "not_a_number"),
        ({"type": "ScrapUnits", "player": "red", "at": "000", "ships": 1}, "x.ships", "not_a_list"),
        ({"type": "ScrapUnits", "player": "red", "at": "000", "ships": [10**10]}, "x.ships[0]", "number_out_of_range"),
        ({"type": "PlaceUnits", "units": [["cruiser"]], "at": "000", "player": "red"}, "x.units[0]", "not_a_list"),
        ({"type": "PlaceUnits", "units": [["titan", 1]], "at": "000", "player": "red"}, "x.units[0][0]", "not_one_of"),
        ({"type": "SetTechnology", "player": "red", "technology": "x", "owned": 1}, "x.owned", "not_a_boolean"),
    ],
)
def test_a_command_that_is_none_is_refused_with_its_place(data: Any, place: str, code: str) -> None:
    """Reading a stored command is strict and names the place."""
    with pytest.raises(FileError) as error:
        codec.command_from_json(data, "x")
    assert (error.value.place, error.value.code) == (place, code)


def test_defaults_are_left_out_and_read_back() -> None:
    """The encoding is short and the identity."""
    command = cmd.PlaceUnits(((Kind.CRUISER, 2), (Kind.FIGHTER, 1)), "000", "red")
    assert codec.command_to_json(command) == {
        "type": "PlaceUnits",
        "units": [["cruiser", 2], ["fighter", 1]],
        "at": "000",
        "player": "red",
    }
    assert codec.command_from_json(json.loads(json.dumps(codec.command_to_json(command))), "") == command
    with pytest.raises(TypeError):
        codec.to_json(1.5)

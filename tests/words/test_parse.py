"""What players type: the units of the commands page in both languages, places, players, standing orders."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import parse
from bot.phrases import LANGUAGES, phrases
from rules_core.errors import Ambiguous, Refusal, Unreadable
from rules_core.position import read_position
from rules_core.selection import Counted, Group, Numbered, Request
from rules_core.state import RetreatOrder, State
from rules_core.units import GROUND_KINDS, SHIP_KINDS, Kind


def one(unit: Counted | Numbered, *cargo: Counted) -> Request:
    return Request((Group((unit,), cargo),))


CRUISERS = one(Counted(Kind.CRUISER, 2))
CARRIERS = one(Counted(Kind.CARRIER, 2))
CARRIER_2 = one(Numbered(Kind.CARRIER, 2))


@pytest.mark.parametrize(
    ("text", "request_"),
    [
        ("2 cruisers", CRUISERS),
        ("cruisers 2", CRUISERS),
        ("cruiser 2", CRUISERS),
        ("2 Cruisers", CRUISERS),
        ("  2   CRUISERS ", CRUISERS),
        ("2cruisers", CRUISERS),
        ("two cruisers", CRUISERS),
        ("2x cruiser", CRUISERS),
        ("cruiser x2", CRUISERS),
        ("２ cruisers", CRUISERS),
        ("순양함 2", CRUISERS),
        ("2 순양함", CRUISERS),
        ("순양함 2척", CRUISERS),
        ("순양함2척", CRUISERS),
        ("순양함 두 척", CRUISERS),
        ("carrier", one(Counted(Kind.CARRIER))),
        ("a carrier", one(Counted(Kind.CARRIER))),
        ("2 carriers", CARRIERS),
        ("carriers 2", CARRIERS),
        ("carrier x2", CARRIERS),
        ("2 모함", CARRIERS),
        ("모함 2척", CARRIERS),
        ("carrier 2", CARRIER_2),
        ("carrier #2", CARRIER_2),
        ("모함 2", CARRIER_2),
        ("모함 2번", CARRIER_2),
        ("2번 모함", CARRIER_2),
        ("3 ground forces", one(Counted(Kind.GROUND_FORCE, 3))),
        ("지상군 3부대", one(Counted(Kind.GROUND_FORCE, 3))),
        ("P.D.S. 1기", one(Counted(Kind.PDS))),
        ("2 pds", one(Counted(Kind.PDS, 2))),
        ("전투기 3대", one(Counted(Kind.FIGHTER, 3))),
        ("노급함 한 척", one(Counted(Kind.DREADNOUGHT))),
        ("all", Request(everything=True)),
        ("ALL", Request(everything=True)),
        ("전부", Request(everything=True)),
        ("모두", Request(everything=True)),
        ("2 carriers, cruiser", Request((Group((Counted(Kind.CARRIER, 2),)), Group((Counted(Kind.CRUISER),))))),
        ("1 carrier + 3 ground forces", one(Counted(Kind.CARRIER), Counted(Kind.GROUND_FORCE, 3))),
        (
            "모함 2 + 지상군 3 + P.D.S.",
            one(Numbered(Kind.CARRIER, 2), Counted(Kind.GROUND_FORCE, 3), Counted(Kind.PDS)),
        ),
    ],
)
def test_units(text: str, request_: Request) -> None:
    assert parse.parse_units(text) == request_


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "nothing_written"),
        ("   ", "nothing_written"),
        ("2 crusers", "unknown_unit"),
        ("우주전함", "unknown_unit"),
        ("2", "unknown_unit"),
        ("0 cruisers", "bad_number"),
        ("-1 cruiser", "bad_number"),
        ("cruiser -1", "bad_number"),
        ("1000 cruisers", "bad_number"),
        ("9" * 300 + " cruisers", "bad_number"),
        ("2 3 cruisers", "two_numbers"),
        ("1.5 cruisers", "two_numbers"),
        ("2 cruisers,", "nothing_between_commas"),
        (", cruiser", "nothing_between_commas"),
        ("+ cruiser", "nothing_between_commas"),
        ("carrier + cruiser", "no_cargo"),
        ("carrier + carrier 2", "no_cargo"),
        ("지상군 2번", "not_one_ship"),
        ("cruiser," * 60, "too_long"),
    ],
)
def test_what_cannot_be_read(text: str, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        parse.parse_units(text)
    assert refused.value.code == code


def test_the_nearest_names_are_a_hint() -> None:
    with pytest.raises(Unreadable) as refused:
        parse.parse_units("2 crusers")
    assert refused.value.params["near"][0] is Kind.CRUISER
    assert "cruiser" in phrases("en").refusal(refused.value)
    assert "순양함" in phrases("ko").refusal(refused.value)


@given(st.text(max_size=500))
def test_any_text_is_read_or_refused_with_a_sentence(text: str) -> None:
    for language in LANGUAGES:
        assert 0 < len(_answer(text, language)) <= 2000


def _answer(text: str, language: str) -> str:
    try:
        return phrases(language).request(parse.parse_units(text))
    except Refusal as refusal:
        return phrases(language).refusal(refusal)


counted = st.builds(Counted, st.sampled_from(Kind), st.integers(1, 999))
numbered_ship = st.builds(Numbered, st.sampled_from(SHIP_KINDS), st.integers(1, 99))
ship = counted | st.builds(Numbered, st.just(Kind.CARRIER), st.integers(1, 99))
cargo = st.builds(Counted, st.sampled_from((*GROUND_KINDS, Kind.FIGHTER)), st.integers(1, 9))
groups = st.builds(Group, st.tuples(ship), st.lists(cargo, max_size=2).map(tuple))
requests = st.just(Request(everything=True)) | st.lists(groups, min_size=1, max_size=4).map(
    lambda found: Request(tuple(found))
)


@pytest.mark.parametrize("language", LANGUAGES)
@given(requests)
def test_a_request_that_is_written_is_read_again(language: str, request_: Request) -> None:
    assert parse.parse_units(phrases(language).request(request_)) == request_


@pytest.mark.parametrize("language", LANGUAGES)
@given(numbered_ship)
def test_the_option_carrier_names_any_ship_by_number(language: str, ship_: Numbered) -> None:
    assert parse.parse_carrier(phrases(language).word(ship_)) == ship_


def test_the_option_carrier() -> None:
    assert parse.parse_carrier("cruiser 1") == Numbered(Kind.CRUISER, 1)
    assert parse.parse_carrier("2") == Numbered(Kind.CARRIER, 2)
    assert parse.parse_carrier("모함") == Counted(Kind.CARRIER)
    for text in ("2 carriers", "fighter", "pds 1"):
        with pytest.raises(Unreadable):
            parse.parse_carrier(text)


# ---- places, players, technologies


@pytest.fixture
def state() -> State:
    planets = [{"name": "Hearth", "owner": "red"}, {"name": "New Terra"}, {"name": "불의 고리"}]
    players = [{"key": "red", "race": "Emberfolk"}, {"key": "blue", "race": "조수단"}]
    systems = [
        {"at": "000", "planets": planets},
        {"at": "101"},
        {"at": "204", "planets": [{"name": "A.B"}, {"name": "AB"}]},
    ]
    position = {"format": "starpost-position/1", "players": players, "systems": systems}
    return read_position(json.dumps(position), parse.reads_like_a_unit)


def test_systems_by_label_or_planet(state: State) -> None:
    assert parse.parse_system(state, "204") == "204"
    assert parse.parse_system(state, " HEARTH ") == "000"
    assert parse.parse_system(state, "newterra") == "000"
    assert parse.parse_system(state, "불의고리") == "000"
    assert parse.parse_systems(state, "101, hearth") == ("101", "000")


def test_a_name_is_taken_by_its_letters_first(state: State) -> None:
    assert parse.parse_planet(state, "a.b") == "A.B"
    assert parse.parse_planet(state, "ab") == "AB"


@pytest.mark.parametrize(
    ("text", "code", "near"),
    [("205", "no_such_system", ("204",)), ("Harth", "unknown_system", ("Hearth",)), ("999", "unknown_system", ())],
)
def test_unknown_systems(state: State, text: str, code: str, near: tuple[str, ...]) -> None:
    with pytest.raises(Unreadable) as refused:
        parse.parse_system(state, text)
    assert refused.value.code == code
    assert refused.value.params["near"][: len(near)] == near


def test_planets_players_technologies(state: State) -> None:
    assert parse.parse_planet(state, "new terra") == "New Terra"
    assert parse.parse_player(state, "EMBERFOLK") == parse.parse_player(state, "Red") == "red"
    assert parse.parse_player(state, "조수단") == "blue"
    for text in ("assault_cannon", "Assault Cannon", "돌격포"):
        assert parse.parse_technology(state, text) == "assault_cannon"


@pytest.mark.parametrize(
    ("read", "code"),
    [
        (parse.parse_planet, "unknown_planet"),
        (parse.parse_player, "unknown_player"),
        (parse.parse_technology, "unknown_technology_name"),
    ],
)
def test_unknown_names_are_refused_with_what_is_near(state: State, read: object, code: str) -> None:
    with pytest.raises(Unreadable) as refused:
        read(state, "assult canon")
    assert refused.value.code == code
    for language in LANGUAGES:
        assert "assult canon" in phrases(language).refusal(refused.value)


def test_a_race_of_two_players_is_ambiguous(state: State) -> None:
    twins = replace(state, players=tuple(replace(player, race="Twins") for player in state.players))
    with pytest.raises(Ambiguous) as refused:
        parse.parse_player(twins, "twins")
    assert refused.value.params["candidates"] == tuple(player.key for player in state.players)
    assert parse.parse_player(twins, "blue") == "blue"


def test_names_that_read_like_units() -> None:
    assert parse.reads_like_a_unit("Cruiser")
    assert parse.reads_like_a_unit("모함 2")
    assert parse.reads_like_a_unit("All")
    assert not parse.reads_like_a_unit("Hearth")


# ---- standing orders


def test_orders_of_removal() -> None:
    kinds = (Kind.FIGHTER, Kind.CRUISER, Kind.CARRIER)
    assert parse.parse_kinds("fighter, cruisers, CARRIER") == parse.parse_kinds("전투기 > 순양함 > 모함") == kinds
    assert parse.parse_kinds("off") == parse.parse_kinds("해제") == ()
    for text in ("fighter, fighter", "ground force", "fighter,", "all"):
        with pytest.raises(Refusal):
            parse.parse_kinds(text)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("never", RetreatOrder()),
        ("안 함", RetreatOrder()),
        ("below 3 ships", RetreatOrder(3)),
        ("Below 1 ship", RetreatOrder(1)),
        ("3척 미만", RetreatOrder(3)),
        ("off", None),
    ],
)
def test_orders_of_retreat(text: str, order: RetreatOrder | None) -> None:
    assert parse.parse_retreat(text) == order


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("odds below 101%", "unknown_retreat_order"),
        ("odds 40%", "unknown_retreat_order"),
        ("below ships", "unknown_retreat_order"),
        ("below 0 ships", "bad_number"),
        ("sometimes", "unknown_retreat_order"),
    ],
)
def test_orders_of_retreat_that_are_refused(text: str, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        parse.parse_retreat(text)
    assert refused.value.code == code


def test_orders_of_fire() -> None:
    assert parse.parse_fire("Fire") == parse.parse_fire("발사") == "fire"
    assert parse.parse_fire("hold") == parse.parse_fire("대기") == "hold"
    assert parse.parse_fire("off") is None
    with pytest.raises(Unreadable):
        parse.parse_fire("maybe")


@pytest.mark.parametrize(
    ("text", "meant"), [("true", True), ("Yes", True), ("예", True), ("False", False), ("끄기", False)]
)
def test_yes_and_no(text: str, meant: bool) -> None:
    assert parse.parse_flag(text) is meant


@pytest.mark.parametrize("text", ["maybe", "", "2", "true!"])
def test_what_is_neither_yes_nor_no_is_refused(text: str) -> None:
    with pytest.raises(Unreadable) as refused:
        parse.parse_flag(text)
    assert refused.value.code == "not_yes_or_no"

"""From the texts of options to commands of the rules, and what can be suggested for them."""

import json
import re
from dataclasses import replace

import pytest

from bot import slash
from bot.autocomplete import suggest
from bot.files import read_game
from bot.phrases import LANGUAGES, catalogue, phrases
from bot.slash import COMMANDS, Does
from bot.terminal import suggested
from rules_core import commands as cmd
from rules_core.apply import fold
from rules_core.decide import decide
from rules_core.dice import ALWAYS_LOW
from rules_core.errors import Refusal, RuleViolation, Unreadable
from rules_core.state import Party, State
from rules_core.units import Kind
from tests.machinery.tools import war

STATE = read_game(json.dumps(war())).start


def after(*orders: tuple[str, str, dict[str, str]]) -> State:
    state = STATE
    for actor, name, texts in orders:
        state = fold(state, decide(state, slash.build(state, actor, name, texts), ALWAYS_LOW))
    return state


ATTACK = (
    ("red", "move", {"units": "all", "from": "201", "to": "101"}),
    ("red", "done", {}),
)


def values(state: State, actor: str, command: str, option: str, typed: str = "", **texts: str) -> tuple[str, ...]:
    found = slash.find(command).option(option)
    assert found is not None
    options = {"from" if key == "start" else key: text for key, text in texts.items()}
    return suggest(state, actor, slash.find(command), found, typed, options, "en")


def test_every_command_of_the_page_is_there() -> None:
    page = "move load scrap done battle losses continue retreat bombard land invade undo redo standing map order"
    words = {*page.split(), "units", "odds", "history", "roll", "rules", "plan show", "plan commit", "plan discard"}
    edits = {"place", "remove", "planet", "technology", "power", "resources", "skip", "next-round"}
    assert words | {f"referee {edit}" for edit in edits} <= set(COMMANDS)


def test_orders_and_edits_build_a_command_and_the_others_do_not() -> None:
    for command in COMMANDS.values():
        assert (command.build is not None) == (command.does in (Does.ORDER, Does.REFEREE))


def test_a_move_with_its_load() -> None:
    texts = {"units": "carrier 2 + 2 ground forces, fighter", "from": "hearth", "to": "202"}
    move = slash.build(STATE, "red", "move", texts)
    assert isinstance(move, cmd.MoveShips)
    assert (move.start, move.waypoints, move.fighters) == ("201", ("202",), 1)
    assert [(order.planet, order.ground_forces) for order in move.load] == [("Hearth", 2)]


def test_a_missing_and_an_unknown_option_are_named() -> None:
    with pytest.raises(Unreadable, match="missing_option") as missing:
        slash.build(STATE, "red", "move", {"units": "all", "from": "201"})
    assert missing.value.params["text"] == "to"
    for command in slash.COMMANDS.values():
        with pytest.raises(Unreadable) as unknown:
            command.check({"now": "yes"})
        assert unknown.value.code == ("unknown_option" if command.options else "takes_nothing")
        for language in LANGUAGES:
            said = phrases(language).refusal(unknown.value)
            assert phrases(language).say("none") not in re.findall(r"\w+", said)
            assert "now" in said


def test_out_of_turn_the_rules_refuse_whatever_the_units_are() -> None:
    for name, texts in (
        ("move", {"units": "9 dreadnoughts", "from": "101", "to": "201"}),
        ("load", {"units": "9 ground forces", "at": "101"}),
        ("scrap", {"units": "9 cruisers", "at": "101"}),
        ("land", {"planet": "Azure", "units": "9 ground forces"}),
        ("bombard", {"planet": "Azure", "dreadnoughts": "9"}),
    ):
        with pytest.raises(RuleViolation) as caught:
            decide(STATE, slash.build(STATE, "blue", name, texts), ALWAYS_LOW)
        assert caught.value.clause == "3.51-a", name
    with pytest.raises(RuleViolation, match="no_such_choice_now"):
        decide(STATE, slash.build(STATE, "blue", "losses", {"units": "9 cruisers"}), ALWAYS_LOW)


def test_a_landing_takes_ground_units_from_the_carriers() -> None:
    landing = slash.build(after(("red", "done", {})), "red", "land", {"planet": "Hearth", "units": "2 ground forces"})
    assert isinstance(landing, cmd.DeclareLanding)
    assert [party.ground_forces for party in landing.parties] == [2]
    assert isinstance(landing.parties[0], Party)


def test_the_referee_places_and_removes() -> None:
    placed = slash.build(
        STATE,
        "referee",
        "referee place",
        {"units": "2 carriers, 1 fighter, 1 pds", "at": "201", "player": "red", "planet": "Hearth"},
    )
    assert placed == cmd.PlaceUnits(
        ((Kind.CARRIER, 2), (Kind.FIGHTER, 1), (Kind.PDS, 1)), "201", "red", planet="Hearth"
    )
    removed = slash.build(
        STATE,
        "referee",
        "referee remove",
        {"units": "carrier 2, 1 ground force", "at": "201", "player": "Emberfolk", "planet": "Hearth"},
    )
    assert isinstance(removed, cmd.RemoveUnits)
    assert (len(removed.ships), removed.ground_forces, removed.planet) == (1, 1, "Hearth")


@pytest.mark.parametrize("units", ["all", "carrier 2", "carrier + 1 ground force", ""])
def test_the_referee_places_plain_numbers_only(units: str) -> None:
    with pytest.raises(Unreadable):
        slash.build(STATE, "referee", "referee place", {"units": units, "at": "201", "player": "red"})


@pytest.mark.parametrize(
    ("typed", "owner"), [("blue", "blue"), ("none", None), ("nobody", None), ("Tidewright", "blue")]
)
def test_the_referee_gives_planets(typed: str, owner: str | None) -> None:
    texts = {"name": "hearth", "owner": typed}
    assert slash.build(STATE, "referee", "referee planet", texts) == cmd.GivePlanet("Hearth", owner)


@pytest.mark.parametrize("amount", ["", "x", "1.5", "1e3", "9999999", "--1"])
def test_amounts_are_plain_numbers(amount: str) -> None:
    with pytest.raises(Unreadable):
        slash.build(STATE, "referee", "referee power", {"player": "red", "amount": amount})


def test_standing_orders_are_set_and_cleared() -> None:
    texts = {"losses": "fighter, carrier", "pds": "hold", "for": "blue", "retreat": "below 3 ships"}
    orders = slash.standing_orders(STATE, "red", texts)
    assert orders.losses == (Kind.FIGHTER, Kind.CARRIER)
    assert orders.pds == {"blue": "hold"}
    assert orders.retreat is not None
    assert slash.standing_orders(replace(STATE, standing={"red": orders}), "red", {}) == orders
    with pytest.raises(Unreadable, match="missing_option"):
        slash.standing_orders(STATE, "red", {"for": "blue"})


# ---- suggestions


def test_units_of_the_system_named_are_suggested() -> None:
    assert values(STATE, "red", "move", "units", start="201")[:3] == ("all", "2 cruisers", "1 cruiser")
    assert "carrier 2" in values(STATE, "red", "move", "units", start="201")
    assert values(STATE, "red", "move", "units", "2 cruisers, fi", start="201") == ("2 cruisers, 1 fighter",)


@pytest.mark.parametrize("name", ["move", "load", "scrap", "referee place", "referee remove", "referee move"])
def test_units_are_suggested_before_their_system_is_given(name: str) -> None:
    """They are the first option, so that is the way Discord asks."""
    assert slash.find(name).options[0].name == "units"
    found = values(STATE, "red", name, "units", player="red")
    assert ("2 ground forces" in found) == (name != "scrap")
    assert ("2 cruisers" in found) == (name != "load")


def test_goals_are_those_that_can_be_reached() -> None:
    assert values(STATE, "red", "move", "to", start="201") == ("101", "102", "106", "202", "212")
    assert values(STATE, "red", "move", "from") == ("201",)


def test_goals_are_those_that_can_be_reached_by_the_way_that_is_given() -> None:
    """And the way is led through what can be passed; what is suggested can be sent."""
    for via in ("202", "106, 000", "Hearth"):
        for goal in values(STATE, "red", "move", "to", start="201", via=via):
            order = slash.build(STATE, "red", "move", {"units": "cruiser", "from": "201", "to": goal, "via": via})
            decide(STATE, order, ALWAYS_LOW)
    assert values(STATE, "red", "move", "to", start="201", via="202") == ("101", "102", "201")
    # Where a fleet intercepts nothing leads through; half a name leads nowhere yet.
    assert values(STATE, "red", "move", "to", start="201", via="101") == ()
    assert values(STATE, "red", "move", "to", start="201", via="2") == values(STATE, "red", "move", "to", start="201")
    assert "101" not in values(STATE, "red", "move", "via", start="201")
    assert "202" in values(STATE, "red", "move", "via", start="201")
    assert "101" in values(STATE, "red", "move", "via")
    assert "202, 102" not in values(STATE, "red", "move", "via", "202, ", start="201")


def test_battle_and_invasion_suggest_what_waits() -> None:
    state = after(*ATTACK)
    assert values(state, "red", "retreat", "to") == ("201",)
    assert values(state, "blue", "retreat", "to") == ()
    assert values(after(("red", "done", {})), "red", "land", "planet") == ("Hearth",)


def test_every_option_has_suggestions_that_can_be_sent() -> None:
    for state in (STATE, after(*ATTACK), after(("red", "done", {}))):
        for command in COMMANDS.values():
            for option in command.options:
                found = values(state, "red", command.name, option.name, start="201", at="201", planet="Azure")
                assert len(found) <= 25
                assert all(0 < len(value) <= 100 for value in found)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("/mo", ["/move"]),
        ("/move ", ["/move units:", "/move from:", "/move to:", "/move via:"]),
        ("/move f", ["/move from:"]),
        ("/move from: 201 ", ["/move from: 201 units:", "/move from: 201 to:", "/move from: 201 via:"]),
        ("/move from: 201 to: 2", ["/move from: 201 to: 202", "/move from: 201 to: 212", "/move from: 201 to: 102"]),
        ("/move from: 201 units: dread", []),
        ("/move from: 201 units: cruisers", ["/move from: 201 units: 2 cruisers"]),
    ],
)
def test_a_half_typed_line_goes_on(typed: str, expected: list[str]) -> None:
    found = suggested(STATE, "red", typed, "en")
    assert [typed[: len(typed) - each.replaces] + each.text for each in found] == expected


def test_the_codes_of_these_refusals_have_words() -> None:
    codes = ("unknown_command", "unknown_option", "missing_option", "not_a_number", "only_numbers_of_units")
    for language in ("en", "ko"):
        for code in codes:
            assert f"refusal.{code}" in catalogue(language)  # type: ignore[arg-type]
    assert issubclass(Unreadable, Refusal)

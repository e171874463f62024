"""The referee moves units, changes planets and races, and the course of a round; everything with its reason."""

import pytest

from rules_core import commands as cmd
from rules_core import events as ev
from rules_core.errors import RuleViolation, Unreadable
from rules_core.position import position_from_json, position_to_json
from rules_core.units import Kind
from tests.rules.play import Table, board, planet

ALPHA = {"101": "alpha", "301": "alpha"}
AZURE = planet("Azure", "101", "red", gf=3, pds=1, power=1, resources=2)


# ---- units


def test_ships_are_moved_with_their_load_and_may_still_move() -> None:
    """It is no movement of the rules: any distance, and all movement is left."""
    table = Table(board(red={"201": "carrier+2gf, 2 fighters, cruiser"})).move("carrier", "201", "101")
    table.do(cmd.MoveUnits("red", "101", "206", (1,)), cmd.MoveUnits("red", "201", "206", (2,), 2))
    assert table.at("206") == "red: cruiser, carrier+2gf, 2 fighter"
    table.move("carrier", "206", "207")
    assert table.at("207") == "red: carrier+2gf"


def test_ground_units_are_moved_into_carriers_and_onto_planets() -> None:
    """From a planet or ship to a planet or ship, in the same system or far away."""
    ochre = planet("Ochre", "204", "red")
    table = Table(board(AZURE, ochre, red={"101": "2 carriers"}))
    table.do(cmd.MoveUnits("red", "101", "101", (), 0, 2, 1, from_planet="Azure", ship=1))
    assert (table.at("101"), table.on("Azure")) == ("red: carrier+2gf+1pds, carrier", "red: 1gf")
    table.do(cmd.MoveUnits("red", "101", "101", (), 0, 1, 0, from_ship=1, ship=2))
    table.do(cmd.MoveUnits("red", "101", "204", (1,), 0, 1, 0, from_planet="Azure", ship=1))
    table.do(cmd.MoveUnits("red", "204", "204", (), 0, 2, 1, from_ship=1, planet="Ochre"))
    assert (table.at("204"), table.on("Ochre")) == ("red: carrier", "red: 2gf 1pds")


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (cmd.MoveUnits("red", "101", "102"), "nothing_named"),
        (cmd.MoveUnits("red", "101", "101", (1,)), "already_there"),
        (cmd.MoveUnits("red", "101", "102", (9,)), "not_your_ship_there"),
        (cmd.MoveUnits("red", "101", "102", (), 1), "not_so_many_there"),
        (cmd.MoveUnits("red", "101", "103", (1,)), "red_bordered"),
        (cmd.MoveUnits("red", "101", "104", (1,)), "beside_an_enemy"),
        (cmd.MoveUnits("red", "101", "105", (1,), anyway=True), "third_race"),
        (cmd.MoveUnits("red", "101", "102", (), 0, 1), "needs_one_own_planet"),
        (cmd.MoveUnits("red", "102", "101", (), 0, 1), "no_planet_of_his"),
        (cmd.MoveUnits("red", "101", "102", (), 0, 4, from_planet="Azure", planet="Azure"), "not_so_many_on_planet"),
        (cmd.MoveUnits("red", "101", "102", (), 0, 1, from_planet="Azure"), "no_planet_of_his"),
        (cmd.MoveUnits("red", "101", "102", (), 0, 1, from_ship=1, planet="Azure"), "not_his_planet"),
        (cmd.MoveUnits("red", "101", "101", (), 0, 6, from_ship=1, planet="Azure"), "not_so_many_there"),
        (cmd.MoveUnits("red", "101", "101", (), 0, 1, from_planet="Azure", ship=1), "no_room_aboard"),
    ],
)
def test_impossible_moves_are_refused(command: cmd.Command, code: str) -> None:
    """With the reason, and nothing has changed."""
    table = Table(
        board(
            AZURE,
            red={"101": "carrier+5gf"},
            blue={"104": "cruiser", "105": "cruiser"},
            green={"105": "cruiser"},
            tiles={"103": "supernova"},
        )
    )
    with pytest.raises(RuleViolation) as refusal:
        table.do(command)
    assert refusal.value.code == code


def test_ground_units_are_removed_from_aboard() -> None:
    """Of the ship named, as many as there are."""
    table = Table(board(red={"101": "carrier+2gf+1pds"})).do(cmd.RemoveUnits("101", "red", ground_forces=1, ship=1))
    assert table.at("101") == "red: carrier+1gf+1pds"
    with table.refused(None, "not_so_many_there"):
        table.do(cmd.RemoveUnits("101", "red", ground_forces=2, ship=1))


def test_3_52_3_f_beside_an_enemy_only_anyway_and_a_battle_follows() -> None:
    """The rules do not forbid it, so the referee may force it; who stays fights, the acting player attacks."""
    table = Table(board(red={"201": "cruiser"}, blue={"102": "cruiser"}), dice="10 1")
    placed = cmd.PlaceUnits(((Kind.CRUISER, 1),), "201", "blue")
    with table.refused("3.52.3-f", "beside_an_enemy"):
        table.do(placed)
    table.do(cmd.PlaceUnits(((Kind.CRUISER, 1),), "201", "blue", anyway=True)).done()
    assert table.told(ev.BattleBegan) == [ev.BattleBegan("201", "red", "blue")]


# ---- planets and races


def test_3_51_b_values_of_a_planet_change_power_and_order() -> None:
    """Name, resources and political power; what is not given stays."""
    table = Table(board(planet("Azure", "101", "green"), green={}))
    table.do(cmd.ChangePlanet("Azure", political_power=5, reason="a wonder was built"))
    assert table.told(ev.OrderChanged) == [ev.OrderChanged(("blue", "green"), ("green", "blue"))]
    assert table.told(ev.PlanetChanged) == [ev.PlanetChanged("Azure", "Azure", 0, 5, "a wonder was built")]
    table.do(cmd.ChangePlanet("Azure", name="Lapis", resources=3))
    assert table.state.galaxy.systems["101"].planets == ("Lapis",)
    assert (table.state.planets["Lapis"].resources, table.state.planets["Lapis"].political_power) == (3, 5)
    for command, code in (
        (cmd.ChangePlanet("Lapis", name="Redhome"), "bad_planet_name"),
        (cmd.ChangePlanet("Lapis", name="104"), "bad_planet_name"),
        (cmd.ChangePlanet("Lapis", resources=-1), "number_out_of_range"),
        (cmd.ChangePlanet("Lapis", name="Lapis"), "already_so"),
    ):
        with pytest.raises(RuleViolation) as refusal:
            table.do(command)
        assert refusal.value.code == code


def test_all_dice_of_a_race_hit_better() -> None:
    """Combat +1: a cruiser needs 7; not to be changed in the midst of a battle."""
    start = board(red={"201": "2 cruisers"}, blue={"101": "2 cruisers"})
    table = Table(start, dice="7 6 1 1").do(cmd.SetCombatBonus("red", 1)).move("all", "201", "101").done()
    (red, blue) = table.told(ev.VolleyFired)[:2]
    assert [(shot.needed, shot.hit) for shot in red.volley.shots] == [(7, True), (7, False)]
    assert blue.volley.shots[0].needed == 8
    with table.refused("3.53-f", "battle_under_way"):
        table.do(cmd.SetCombatBonus("red", 0))
    for bonus, code in ((1, "already_so"), (6, "number_out_of_range")):
        with table.refused(None, code):
            table.do(cmd.SetCombatBonus("red", bonus))


def test_the_worst_of_races_hit_with_a_ten() -> None:
    """Or a battle without retreat, in space or on the ground, would never end."""
    ochre = planet("Ochre", "101", "blue", gf=1)
    start = board(ochre, red={"301": "carrier+1gf"}, blue={"101": "carrier"}, rings=3, tiles=ALPHA)
    table = Table(start, dice="9 9 10 9 9 9 10 9").do(cmd.SetCombatBonus("red", -5), cmd.SetCombatBonus("blue", -5))
    table.move("all", "301", "101").done().land("Ochre", "all").invade()
    assert (table.at("101"), table.on("Ochre")) == ("red: carrier", "red: 1gf")


# ---- the course of a round


def test_an_order_for_one_round() -> None:
    """Whom the referee names comes first; the others follow by power, and the next round is as ever (3.51-a)."""
    table = Table(board(green={}, gold={})).do(cmd.SetOrder(("gold", "green"), "a vote"))
    assert table.done().state.phase.player == "gold"
    assert [table.done().state.phase.player for _ in range(2)] == ["green", "blue"]
    table.done().do(cmd.NextRound())
    assert [table.state.phase.player, table.done().state.phase.player] == ["red", "blue"]


def test_an_order_is_set_between_rounds_for_the_next() -> None:
    """Before the referee opens the round everybody is still to come."""
    table = Table(board()).done().done().do(cmd.SetOrder(("blue",)), cmd.NextRound())
    assert table.state.phase.player == "blue"


def test_an_order_names_who_is_to_come_once() -> None:
    """Not who acts or has acted, nobody twice, somebody."""
    table = Table(board(green={})).done()
    for players, code in ((("red",), "is_not_to_act"), (("green", "green"), "each_once"), ((), "each_once")):
        with pytest.raises(RuleViolation) as refusal:
            table.do(cmd.SetOrder(players))
        assert refusal.value.code == code


def test_3_51_c_a_phase_is_returned() -> None:
    """Who has acted acts again, in a new opening of his phase, also when the round was over."""
    table = Table(board()).done()
    with table.refused("3.51-c", "has_not_acted"):
        table.do(cmd.ReturnPhase("blue"))
    table.do(cmd.ReturnPhase("red", "he was ill")).done()
    assert (table.state.phase.player, table.state.player("red").openings) == ("red", 2)
    table.done()
    assert table.state.phase is None
    assert table.do(cmd.ReturnPhase("blue")).state.phase.player == "blue"


def test_a_pause_stops_players_and_nobody_else() -> None:
    """The referee can still do everything."""
    table = Table(board(red={"201": "cruiser"})).do(cmd.PauseGame("holidays"))
    with table.refused(None, "game_is_paused"):
        table.done()
    with table.refused(None, "already_so"):
        table.do(cmd.PauseGame())
    table.do(cmd.SetPowerBonus("red", 1), cmd.ResumeGame()).done()
    with table.refused(None, "already_so"):
        table.do(cmd.ResumeGame())


def test_a_setting_is_changed_but_not_in_the_midst_of_battles() -> None:
    """Known settings and values only."""
    table = Table(board(red={"201": "2 cruisers"}, blue={"101": "2 cruisers"}), dice=1)
    table.do(cmd.SetOption("lone_fighters", "ignore"))
    assert table.state.options.lone_fighters == "ignore"
    for option, value in (("gravity", "ignore"), ("lone_fighters", "often")):
        with pytest.raises(Unreadable):
            table.do(cmd.SetOption(option, value))
    with table.refused(None, "already_so"):
        table.do(cmd.SetOption("lone_fighters", "ignore"))
    with table.move("all", "201", "101").done().refused("3.51-e", "wrong_step"):
        table.do(cmd.SetOption("lone_fighters", "battle"))


def test_a_phase_is_skipped_with_a_reason() -> None:
    """The reason stands in the event that ends the phase."""
    table = Table(board()).do(cmd.SkipPhase("no answer for a week"))
    assert table.told(ev.PhaseEnded) == [ev.PhaseEnded("red", True, "no answer for a week")]


def test_what_nobody_has_set_is_not_in_a_position() -> None:
    """The hash of a game begins with its position: a game from before these edits existed still opens."""
    table = Table(board(red={"201": "cruiser"})).move("cruiser", "201", "202")
    data = position_to_json(table.state)
    assert set(data["options"]) == {"lone_fighters", "pds_targets", "marker_bombardment"}
    assert set(data["progress"]) == {"ships", "next_ship", "openings", "announced", "phase"}
    table.do(cmd.SetOption("purchases", "free"), cmd.SetCombatBonus("red", -1), cmd.PauseGame())
    assert position_from_json(position_to_json(table.state)) == table.state

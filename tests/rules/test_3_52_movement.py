"""3.52: the movement step."""

import pytest

from rules_core import commands as cmd
from rules_core import events as ev
from rules_core import legal
from rules_core.errors import Ambiguous, Barred
from rules_core.movement import barriers, movement_left
from rules_core.state import Hop, Options
from rules_core.units import Kind
from tests.rules.play import Table, board, planet


def reach(table: Table, label: str) -> set[str]:
    """Where each ship of the acting player in a system can go together."""
    return set(legal.destinations(table.state, table.state.ships_at(label, table.acting)))


def way(table: Table) -> list[str]:
    """The systems of the last move, with `~` before one entered by wormhole."""
    return [f"{'~' * hop.wormhole}{hop.to}" for hop in table.told(ev.ShipsMoved)[-1].hops]


# ---- 1) basics


def test_3_52_1_a_a_ship_moves_at_most_one_hex_a_movement_point() -> None:
    """A unit moves at most one hex for each movement point it has."""
    table = Table(board(red={"201": "carrier, cruiser, dreadnought"}))
    for ship in ("carrier", "dreadnought"):
        with table.refused("3.52.1-a", "not_enough_movement") as why:
            table.move(ship, "201", "000")
        assert (why[0].params["needed"], why[0].params["left"]) == (2, 1)
    table.move("cruiser", "201", "000").move("dreadnought", "201", "202").move("carrier", "201", "101")
    assert (table.at("000"), table.at("202"), table.at("101")) == ("red: cruiser", "red: dreadnought", "red: carrier")
    with table.refused("3.52.1-a", "not_enough_movement"):
        table.move("carrier", "101", "201")


def test_3_52_1_a_a_fleet_splits_and_ships_move_in_several_goes() -> None:
    """Each ship has its own path, may stop early, and may go on later within its points."""
    table = Table(board(red={"201": "3 cruisers"}))
    table.move("cruiser", "201", "202").move("cruiser", "201", "101", "000").move("cruiser", "202", "102")
    assert (table.at("201"), table.at("102"), table.at("000")) == ("red: cruiser", "red: cruiser", "red: cruiser")
    with table.refused("3.52.1-a", "not_enough_movement"):
        table.move("cruiser", "102", "101")
    assert table.move("cruiser", "201", "101", "201").at("201") == "red: cruiser"


def test_3_52_1_a_ships_named_together_go_only_where_each_can() -> None:
    """`/move all` is refused when one ship cannot go that way, and names it."""
    table = Table(board(red={"201": "carrier, cruiser"}))
    with table.refused("3.52.1-a", "not_enough_movement") as why:
        table.move("all", "201", "000")
    assert why[0].params["ship"].kind is Kind.CARRIER  # type: ignore[attr-defined]
    with table.refused("3.52.1-a", "not_your_ship_there"):
        table.do(cmd.MoveShips("red", "000", ("101",), (1,)))
    with table.refused("3.52.1-a", "already_there"):
        table.move("cruiser", "201", "201")
    with table.refused("3.52.1-a", "already_there"):
        table.do(cmd.MoveShips("red", "201", (), (1,)))
    with table.refused("3.52.1-a", "twice_on_the_way"):
        table.move("cruiser", "201", "202", "202")


def test_3_52_1_b_red_bordered_systems_cannot_be_entered() -> None:
    """Supernovas and asteroid fields are closed: neither a goal nor on the way."""
    table = Table(board(red={"201": "cruiser"}, tiles={"101": "asteroid_field", "202": "supernova"}))
    for label, clause in (("101", "3.52.1-c"), ("202", "3.52.4-d")):
        with table.refused(clause, "no_way") as why:
            table.move("cruiser", "201", label)
        assert Barred("202", "supernova", "3.52.4-d") in why[0].params["barred"]  # type: ignore[operator]
    with table.refused("3.52.1-a", "not_enough_movement"):
        table.move("cruiser", "201", "000")
    assert reach(table, "201") == {"212", "211", "106"}


def test_3_52_1_c_with_antimass_deflectors_a_ship_passes_an_asteroid_field() -> None:
    """With the technology a ship passes through a field, but never stops there, so it needs two points."""
    tech = {"red": ["antimass_deflectors"]}
    table = Table(board(red={"201": "cruiser, carrier"}, tiles={"101": "asteroid_field"}, tech=tech))
    with table.refused("3.52.1-c", "no_way") as why:
        table.move("cruiser", "201", "101")
    assert why[0].params["reason"] == Barred("101", "no_stop_in_asteroid_field", "3.52.1-c")
    with table.refused("3.52.1-a", "not_enough_movement"):
        table.move("carrier", "201", "000")
    assert table.move("cruiser", "201", "000").at("000") == "red: cruiser"
    assert way(table) == ["101", "000"]


def test_3_52_1_c_the_technology_is_the_movers_own() -> None:
    """Another player's deflectors open no field."""
    table = Table(
        board(red={"201": "cruiser"}, tiles={"101": "asteroid_field"}, tech={"blue": ["antimass_deflectors"]})
    )
    with table.refused("3.52.1-c", "no_way"):
        table.move("cruiser", "201", "101", "000")


def test_3_52_1_d_ground_forces_pds_and_fighters_move_only_with_a_carrier() -> None:
    """What has no movement of its own goes along with ships or not at all; docks never move."""
    azure = planet("Azure", "201", "red", gf=2, pds=1, dock=True)
    table = Table(board(azure, red={"201": "cruiser, carrier, 3 fighters"}))
    with table.refused("3.52.1-d", "no_movement_of_their_own"):
        table.move("2 fighters", "201", "101")
    with table.refused("3.52.1-d", "no_movement_of_their_own"):
        table.move("2 gf, pds", "201", "101")
    with table.refused("3.52.1-d", "docks_never_move"):
        table.move("carrier, dock", "201", "101")
    with table.refused("3.52.2-g", "no_room_for_fighters"):
        table.move("cruiser, fighter", "201", "101")
    table.move("carrier + gf + pds, 3 fighters", "201", "101")
    assert (table.at("101"), table.on("Azure")) == ("red: carrier+1gf+1pds, 3 fighter", "red: 1gf dock")


# ---- 2) carriers


def test_3_52_2_a_a_carrier_holds_five_in_any_mix() -> None:
    """Ground forces, PDS and fighters together are at most five on one carrier."""
    azure = planet("Azure", "201", "red", gf=6, pds=6, dock=True)
    table = Table(board(azure, red={"201": "carrier, 2 fighters"}))
    with table.refused("3.52.2-a", "no_room_on_ships"):
        table.move("carrier + 6 gf", "201", "101")
    table.load("2 gf", "201").load("2 pds", "201")
    with table.refused("3.52.2-g", "no_room_for_fighters"):
        table.move("carrier, 2 fighters", "201", "101")
    ship = table.state.ships_at("201", "red")[0].id
    with table.refused("3.52.2-a", "no_room_aboard"):
        table.do(cmd.LoadUnits("red", "201", (cmd.LoadOrder(ship, "Azure", 1, 1),)))
    assert table.move("carrier, fighter", "201", "101").at("101") == "red: carrier+2gf+2pds, fighter"


def test_3_52_2_a_only_ground_units_are_loaded_and_only_ships_carry() -> None:
    """Cruisers and dreadnoughts hold nothing; ships and docks are no cargo."""
    table = Table(board(planet("Azure", "201", "red", gf=2), red={"201": "cruiser"}))
    with table.refused("3.52.2-a", "no_room_on_ships"):
        table.load("gf", "201", carrier="cruiser 1")
    with table.refused("3.52.2-a", "cannot_be_loaded"):
        table.load("cruiser", "201")
    with table.refused("3.52.2-a", "carries_nothing"):
        table.load("gf", "201", carrier="fighter")


def test_3_52_2_b_loading_before_during_and_after_the_movement() -> None:
    """A carrier loads from own planets anywhere on its way, and loading costs no movement."""
    lying = [planet(name, at, "red", gf=1) for name, at in (("Azure", "201"), ("Ochre", "101"), ("Umber", "000"))]
    table = Table(board(*lying, red={"201": "carrier"}, tech={"red": ["xrd_transporters"]}))
    table.load("gf", "201").move("carrier", "201", "101").load("gf", "101").move("carrier", "101", "000").load(
        "gf", "000"
    )
    assert table.at("000") == "red: carrier+3gf"
    with table.refused("3.52.2-b", "none_on_own_planets"):
        table.load("gf", "000")


def test_3_52_2_b_only_from_own_planets_and_only_what_is_there() -> None:
    """Loading names a planet of one's own in that system which has so many; with two it must say which."""
    lying = (
        planet("Azure", "201", "red", gf=1),
        planet("Ochre", "201", "red", gf=2),
        planet("Umber", "201", "blue", gf=3),
    )
    table = Table(board(*lying, red={"201": "carrier", "101": "carrier"}))
    with pytest.raises(Ambiguous) as ambiguous:
        table.load("gf", "201")
    assert ambiguous.value.params["candidates"] == ("Azure", "Ochre")
    with table.refused(None, "not_so_many_on_planet"):
        table.load("3 gf", "201", planet="Ochre")
    for source in ("Umber", "Redhome"):
        with table.refused("3.52.2-b", "not_your_planet_there"):
            table.load("gf", "201", planet=source)
    here, elsewhere = table.state.ships_at("201", "red")[0].id, table.state.ships_at("101", "red")[0].id
    for order in (cmd.LoadOrder(here, "Umber", 1), cmd.LoadOrder(here, "Redhome", 1)):
        with table.refused("3.52.2-b"):
            table.do(cmd.LoadUnits("red", "201", (order,)))
    with table.refused(None, "not_so_many_on_planet"):
        table.do(cmd.LoadUnits("red", "201", (cmd.LoadOrder(here, "Azure", 2),)))
    with table.refused("3.52.1-a", "not_your_ship_there"):
        table.do(cmd.LoadUnits("red", "201", (cmd.LoadOrder(elsewhere, "Azure", 1),)))


@pytest.mark.parametrize("numbers", [(-1, 0), (0, -1), (2, -1), (0, 0)])
def test_3_52_2_b_nothing_is_unloaded_by_loading_less_than_nothing(numbers: tuple[int, int]) -> None:
    """Loading takes one ground unit at least aboard; a negative number is no way to unload."""
    table = Table(board(planet("Azure", "201", "red", gf=3, pds=1), red={"201": "carrier+1gf+1pds"}))
    with table.refused("3.52.2-b"):
        table.do(cmd.LoadUnits("red", "201", (cmd.LoadOrder(1, "Azure", *numbers),)))
    with table.refused("3.52.2-b", "nothing_named"):
        table.do(cmd.LoadUnits("red", "201", ()))


def test_3_52_2_c_ground_units_leave_only_in_the_invasion_step() -> None:
    """There is no unloading on the way, not even on an own planet, and nothing is handed over."""
    azure = planet("Azure", "101", "red")
    table = Table(board(azure, red={"201": "carrier+2gf", "101": "carrier"})).move("carrier", "201", "101")
    with table.refused("3.51-e", "wrong_step"):
        table.land("Azure", "2 gf")
    with table.refused("3.52.2-b", "none_on_own_planets"):
        table.load("2 gf", "101", carrier="carrier 1")
    assert table.at("101") == "red: carrier, carrier+2gf"
    assert table.done().land("Azure", "2 gf").invade().on("Azure") == "red: 2gf"


def test_3_52_2_d_fighters_leave_on_the_way_and_others_pick_them_up() -> None:
    """Fighters may stay where there is other room, and another carrier may take them on in the same step."""
    dock = planet("Azure", "101", "red", dock=True)
    tech = {"red": ["xrd_transporters"]}
    table = Table(board(dock, red={"201": "carrier, 2 fighters", "102": "carrier"}, tech=tech))
    table.move("carrier, 2 fighters", "201", "101").move("carrier", "101", "000")
    assert table.at("101") == "red: 2 fighter"
    table.move("carrier", "102", "101").move("carrier, 2 fighters", "101", "106").done()
    assert table.at("106") == "red: carrier, 2 fighter"


def test_3_52_2_e_a_destroyed_carrier_takes_its_ground_units_with_it() -> None:
    """The owner chooses which carrier dies; its ground forces and PDS die too."""
    table = Table(board(red={"101": "carrier+3gf+1pds, carrier+1gf"}, blue={"101": "cruiser"}), dice="9 1 8").done()
    with pytest.raises(Ambiguous):
        table.losses("carrier")
    table.losses("carrier 1")
    assert table.at("101") == "red: carrier+1gf"
    assert [(s.ground_forces, s.pds) for s in table.told(ev.UnitsDestroyed)[0].ships] == [(3, 1)]


def test_3_52_2_f_fighters_of_a_destroyed_carrier_fight_on_and_die_without_room_at_the_end() -> None:
    """They are destroyed only when the space battle is over, and only those for which there is no room."""
    table = Table(board(red={"101": "2 cruisers"}, blue={"101": "carrier, 2 fighters"}), dice="8 1 1 1 1 1 1 9 9")
    table.done().losses("carrier", by="blue")
    assert [len(fired.volley.shots) for fired in table.told(ev.VolleyFired)] == [2, 3, 2, 2]
    assert table.told(ev.FightersLost) == [ev.FightersLost("blue", "101", 2, "3.52.2-f")]
    assert table.at("101") == ""


def test_3_52_2_f_the_check_runs_where_only_pds_fired() -> None:
    """A carrier that dies to PDS alone leaves fighters without room: they are destroyed at the end of that step."""
    azure = planet("Azure", "101", "blue", pds=1)
    table = Table(board(azure, red={"201": "carrier, 3 fighters"}), dice="6").move("all", "201", "101").done()
    assert table.at("101") == "red: carrier, 3 fighter"
    table.losses("carrier")
    assert table.told(ev.FightersLost) == [ev.FightersLost("red", "101", 3, "3.52.2-f")]
    assert table.at("101") == ""


def test_3_52_2_f_own_docks_there_are_room() -> None:
    """Free places on own carriers there and own docks there count together."""
    azure = planet("Azure", "101", "blue", dock=True)
    table = Table(board(azure, red={"101": "cruiser"}, blue={"101": "carrier, 4 fighters"}), dice="8 1 1 9 1 1")
    table.done().losses("carrier", by="blue")
    assert (table.at("101"), table.told(ev.FightersLost)) == (
        "blue: 2 fighter",
        [ev.FightersLost("blue", "101", 2, "3.52.2-f")],
    )


def test_3_52_2_g_fighters_go_along_only_when_named() -> None:
    """Fighters stand in the system; as many go along as are named, if there are so many and there is room."""
    dock = planet("Azure", "201", "red", gf=3, dock=True)
    table = Table(board(dock, red={"201": "carrier, 4 fighters"}))
    with table.refused(None, "not_so_many_there"):
        table.move("carrier, 5 fighters", "201", "101")
    with table.refused("3.52.2-g", "no_room_for_fighters"):
        table.move("carrier + 3 gf, 3 fighters", "201", "101")
    with table.refused("3.52.2-g", "fighters_are_named_in_move"):
        table.load("fighter", "201")
    table.move("carrier + 2 fighters", "201", "101")
    assert (table.at("201"), table.at("101")) == ("red: 2 fighter", "red: carrier, 2 fighter")


def test_3_52_2_h_the_step_does_not_end_while_fighters_lack_room() -> None:
    """The refusal names each system and the number; scrapping, loading or leaving room settles it."""
    table = Table(board(red={"201": "carrier, 3 fighters", "104": "fighter"}))
    table.move("carrier, fighter", "201", "101")
    with table.refused("3.52.2-h", "fighters_without_room") as why:
        table.done()
    assert why[0].params["lacking"] == {"104": 1, "201": 2}
    table.scrap("2 fighters", "201").scrap("fighter", "104").done()
    assert table.acting == "blue"


def test_3_52_2_h_scrapping_is_of_own_units_in_the_movement_step() -> None:
    """A player destroys ships and fighters of his own; he names them, and not `all`."""
    table = Table(board(red={"201": "carrier+2gf, carrier, cruiser, 2 fighters"}, blue={"101": "cruiser"}))
    with table.refused("3.52.2-h", "all_not_allowed"):
        table.scrap("all", "201")
    with table.refused("3.52.2-h", "nothing_named"):
        table.do(cmd.ScrapUnits("red", "201", (), 0))
    with table.refused("3.52.1-a", "not_your_ship_there"):
        table.do(cmd.ScrapUnits("red", "101", (table.state.ships_at("101", "blue")[0].id,)))
    with table.refused(None, "not_so_many_there"):
        table.do(cmd.ScrapUnits("red", "201", (), -1))
    with pytest.raises(Ambiguous):
        table.scrap("carrier", "201")
    table.scrap("carrier 1, fighter", "201")
    assert table.at("201") == "red: cruiser, carrier, fighter"


def test_3_52_2_i_an_emptied_planet_stays_its_owners() -> None:
    """Taking the last ground force away leaves the control marker."""
    table = Table(board(planet("Azure", "201", "red", gf=1, power=2), red={"201": "carrier"}))
    table.move("carrier + gf", "201", "101").done()
    assert (table.on("Azure"), table.state.political_power("red")) == ("red:", 10)


def test_3_52_2_j_loading_under_siege_shares_the_fate_of_the_carrier() -> None:
    """On an own planet where an enemy fleet stands a carrier loads; what is aboard dies with it."""
    azure = planet("Azure", "101", "red", gf=2)
    table = Table(board(azure, red={"201": "carrier"}, blue={"101": "cruiser"}), dice="1 8")
    table.move("carrier", "201", "101").load("2 gf", "101").done()
    assert (table.at("101"), table.on("Azure")) == ("blue: cruiser", "red:")


# ---- 3) interception


def test_3_52_3_a_a_fleet_stops_a_ship_that_enters() -> None:
    """The moment a ship enters a system with another's fleet it stops, whatever movement it has left."""
    table = Table(board(red={"201": "cruiser"}, blue={"101": "carrier"}))
    with table.refused("3.52.3-a", "no_way") as why:
        table.move("cruiser", "201", "101", "000")
    assert why[0].params["reason"] == Barred("101", "intercepted_there", "3.52.3-a", {"player": "blue"})
    table.move("cruiser", "201", "101")
    assert table.told(ev.FleetIntercepted) == [ev.FleetIntercepted("red", (2,), "101", "blue")]
    assert movement_left(table.state, table.state.ships[2]) == 0
    with table.refused("3.52.3-a", "was_intercepted"):
        table.move("cruiser", "101", "000")


@pytest.mark.parametrize("ship", ["carrier", "cruiser", "dreadnought"])
def test_3_52_3_b_any_one_ship_is_a_fleet(ship: str) -> None:
    """One carrier, cruiser or dreadnought intercepts."""
    table = Table(board(red={"201": "cruiser"}, blue={"101": ship}))
    with table.refused("3.52.3-a"):
        table.move("cruiser", "201", "101", "000")


def test_3_52_3_b_ground_units_docks_and_fighters_do_not_intercept() -> None:
    """Systems with only these are passed freely, PDS or no PDS."""
    azure = planet("Azure", "101", "blue", gf=3, pds=2, dock=True)
    table = Table(board(azure, red={"201": "cruiser"}, blue={"101": "2 fighters"}))
    table.move("cruiser", "201", "101").move("cruiser", "101", "000")
    assert (table.at("000"), table.told(ev.FleetIntercepted)) == ("red: cruiser", [])


def test_3_52_3_c_ships_of_two_races_must_fight() -> None:
    """After the movement step every system with ships of two races has its battle."""
    table = Table(board(red={"201": "cruiser", "103": "cruiser"}, blue={"101": "cruiser", "103": "cruiser"}))
    table.move("cruiser", "201", "101").done()
    assert table.told(ev.MovementEnded) == [ev.MovementEnded("red", (), ("101", "103"))]
    other = Table(board(red={"201": "cruiser"}, blue={"101": "cruiser"})).done()
    assert other.told(ev.BattleBegan) == []


def test_3_52_3_d_ending_beside_lone_fighters_means_battle() -> None:
    """By default fighters fight too: ships that stop beside lone enemy fighters have a battle."""
    azure = planet("Azure", "101", "blue", dock=True)
    table = Table(board(azure, red={"201": "cruiser"}, blue={"101": "fighter"}), dice="8 1")
    table.move("cruiser", "201", "101").done()
    assert [event.defender for event in table.told(ev.BattleBegan)] == ["blue"]
    assert table.at("101") == "red: cruiser"


def test_3_52_3_d_under_ignore_a_battle_needs_ships_of_both() -> None:
    """`option lone_fighters: ignore`: fighters alone start no battle, in whoever's phase, and fight beside ships."""
    azure = planet("Azure", "101", "blue", dock=True)
    start = board(azure, red={"201": "cruiser"}, blue={"101": "2 fighters"}, options={"lone_fighters": "ignore"})
    assert start.options == Options(lone_fighters="ignore")
    table = Table(start).move("cruiser", "201", "101").done()
    assert (table.told(ev.BattleBegan), table.at("101")) == ([], "red: cruiser | blue: 2 fighter")
    assert table.done().told(ev.BattleBegan) == []
    beside = board(azure, red={"101": "cruiser"}, blue={"101": "cruiser, fighter"}, options={"lone_fighters": "ignore"})
    fought = Table(beside, dice="1 8 1").done()
    assert (len(fought.told(ev.VolleyFired)[1].volley.shots), fought.at("101")) == (2, "blue: cruiser, fighter")


def test_3_52_3_e_every_later_arrival_is_stopped_too() -> None:
    """The enemy is there until the battle step, so comrades do not pass behind the first; nobody is friendly."""
    table = Table(board(red={"201": "2 cruisers"}, blue={}, green={"101": "cruiser"}))
    table.move("cruiser", "201", "101")
    with table.refused("3.52.3-a", "no_way"):
        table.move("cruiser", "201", "101", "000")
    table.move("cruiser", "201", "101")
    assert [event.ships for event in table.told(ev.FleetIntercepted)] == [(2,), (3,)]


def test_3_52_3_f_a_ship_that_starts_beside_an_enemy_leaves_freely_or_attacks() -> None:
    """Where the phase begins with enemies together, ships may go; what stays has a battle as the attacker."""
    table = Table(board(red={"101": "2 cruisers"}, blue={"101": "cruiser"}), dice="1 8")
    table.move("cruiser", "101", "102", "103").done()
    assert table.at("103") == "red: cruiser"
    assert [(event.attacker, event.defender) for event in table.told(ev.BattleBegan)] == [("red", "blue")]
    back = Table(board(red={"101": "cruiser"}, blue={"101": "cruiser"}))
    with back.refused("3.52.3-a", "no_way"):
        back.move("cruiser", "101", "102", "101", "201")
    back.move("cruiser", "101", "102", "101")
    assert len(back.told(ev.FleetIntercepted)) == 1


def test_3_52_3_g_no_move_stops_where_two_others_are() -> None:
    """Three races in one system cannot be: stopping is refused, passing follows the ordinary rules."""
    options = {"lone_fighters": "ignore"}
    start = board(red={"201": "2 cruisers"}, blue={"101": "fighter"}, green={"101": "fighter"}, options=options)
    table = Table(start)
    with table.refused("3.52.3-g", "no_way") as why:
        table.move("cruiser", "201", "101")
    assert why[0].params["reason"] == Barred("101", "two_others_there", "3.52.3-g", {"players": ("blue", "green")})
    assert table.move("cruiser", "201", "101", "000").at("000") == "red: cruiser"
    assert "101" not in reach(table, "201")


# ---- 4) special tiles


def test_3_52_4_a_a_wormhole_links_all_of_its_letter() -> None:
    """Going through costs one movement and leads to every other system of the same letter, and to no other."""
    tiles = {"201": "alpha", "207": "alpha", "104": "alpha", "203": "beta", "209": "beta"}
    table = Table(board(red={"201": "carrier"}, tiles=tiles))
    assert reach(table, "201") == {"101", "202", "212", "207", "104"}
    table.move("carrier", "201", "207")
    assert way(table) == ["~207"]
    with table.refused("3.52.1-a", "not_enough_movement"):
        table.move("carrier", "207", "104")


def test_3_52_4_a_ships_are_intercepted_at_the_far_end() -> None:
    """Apart from its cost the step through is ordinary movement: a fleet at the other end stops it."""
    tiles = {"201": "alpha", "207": "alpha"}
    table = Table(board(red={"201": "cruiser"}, blue={"207": "cruiser"}, tiles=tiles)).move("cruiser", "201", "207")
    assert [event.at for event in table.told(ev.FleetIntercepted)] == ["207"]


def test_3_52_4_b_a_letter_without_a_partner_is_an_ordinary_system() -> None:
    """A wormhole whose letter no other system has leads nowhere."""
    table = Table(board(red={"201": "carrier"}, tiles={"201": "alpha", "207": "beta"}))
    assert reach(table, "201") == {"101", "202", "212"}


def test_3_52_4_c_nobody_retreats_through_a_wormhole() -> None:
    """A fleet that came by wormhole has no retreat to the other end."""
    tiles = {"201": "alpha", "207": "alpha"}
    table = Table(board(red={"201": "2 cruisers"}, blue={"207": "2 cruisers"}, tiles=tiles), dice="8 1 8 1 8 1")
    table.move("all", "201", "207").done()
    assert {barred.code for barred in table.told(ev.BattleContinued)[0].barred} == {"all_came_by_wormhole"}
    assert table.told(ev.FleetRetreated) == []


def test_3_52_4_d_a_supernova_is_never_entered() -> None:
    """No technology opens a supernova, not even for passing."""
    every = ["antimass_deflectors", "type_iv_drive", "xrd_transporters"]
    table = Table(board(red={"201": "cruiser"}, tiles={"101": "supernova"}, tech={"red": every}))
    with table.refused("3.52.4-d", "no_way"):
        table.move("cruiser", "201", "101", "000")
    with table.refused("3.52.4-d", "no_way"):
        table.move("cruiser", "201", "101")


def test_3_52_4_e_asteroid_fields_follow_one_another_with_the_technology() -> None:
    """Two fields in a row are passed with three points; the stop is always outside."""
    tiles = {"101": "asteroid_field", "000": "asteroid_field"}
    tech = {"red": ["antimass_deflectors", "type_iv_drive"]}
    table = Table(board(red={"201": "cruiser"}, tiles=tiles, tech=tech)).move("cruiser", "201", "101", "000", "104")
    assert table.at("104") == "red: cruiser"
    short = Table(board(red={"201": "cruiser"}, tiles=tiles, tech={"red": ["antimass_deflectors"]}))
    with short.refused("3.52.1-a", "not_enough_movement"):
        short.move("cruiser", "201", "101", "000", "104")


def test_3_52_4_f_touching_wormholes_of_one_letter_are_an_ordinary_step() -> None:
    """Where two systems of a letter also touch, the step counts as ordinary, also for a retreat."""
    tiles = {"201": "alpha", "101": "alpha"}
    table = Table(board(red={"201": "2 cruisers"}, blue={"101": "2 cruisers"}, tiles=tiles), dice="1 1 1 1")
    table.move("all", "201", "101").done().retreat("201")
    assert table.told(ev.ShipsMoved)[0].hops == (Hop("101"),)
    assert table.at("201") == "red: 2 cruiser"


# ---- which of equal ways, which of like ships


def test_of_equally_short_ways_one_without_a_wormhole_then_the_lowest_labels() -> None:
    """Without a wormhole before with one, then the lowest labels; `via` chooses another."""
    table = Table(board(red={"201": "2 cruisers"}, tiles={"201": "alpha", "103": "alpha"}))
    assert way(table.move("cruiser", "201", "102")) == ["101", "102"]
    assert way(table.move("cruiser", "201", "202", "102")) == ["202", "102"]
    farther = Table(board(red={"201": "cruiser"}, tiles={"201": "alpha", "103": "alpha"}))
    assert way(farther.move("cruiser", "201", "104")) == ["~103", "104"]


def test_a_shorter_way_by_wormhole_goes_before_a_longer_one() -> None:
    """The shortest allowed way is taken, by wormhole if that is shorter."""
    table = Table(board(red={"201": "cruiser"}, tiles={"201": "alpha", "000": "alpha"}))
    assert way(table.move("cruiser", "201", "000")) == ["~000"]


def test_a_refused_way_says_every_reason() -> None:
    """For each neighbour why it is barred: border, field, interception."""
    tiles = {"101": "supernova", "202": "asteroid_field"}
    table = Table(board(red={"201": "cruiser"}, blue={"212": "cruiser"}, tiles=tiles, rings=2))
    assert barriers(table.state, "red", "201", 2) == (
        Barred("101", "supernova", "3.52.4-d"),
        Barred("202", "asteroid_field", "3.52.1-c"),
        Barred("212", "intercepted_there", "3.52.3-a", {"player": "blue"}),
    )
    with table.refused("3.52.1-a", "no_way") as why:
        table.move("cruiser", "201", "000")
    assert why[0].params["barred"] == barriers(table.state, "red", "201", 2)


def test_of_like_ships_those_with_most_movement_left_go_then_the_oldest() -> None:
    """`/move cruiser` takes a ship that can still move before one that moved."""
    table = Table(board(red={"101": "cruiser", "201": "cruiser"})).move("cruiser", "101", "201")
    table.move("cruiser", "201", "202")
    assert [event.ships for event in table.told(ev.ShipsMoved)] == [(1,), (2,)]
    oldest = Table(board(red={"201": "3 cruisers"})).move("2 cruisers", "201", "101")
    assert oldest.told(ev.ShipsMoved)[0].ships == (1, 2)


def test_cargo_goes_where_the_plus_says_else_in_order() -> None:
    """`+` loads the carriers named just before; loose ground units fill the moved carriers in order."""
    azure = planet("Azure", "201", "red", gf=8, pds=2)
    table = Table(board(azure, red={"201": "3 carriers, cruiser"}))
    table.move("carrier 2 + 2 gf, carrier + pds, cruiser", "201", "101")
    assert table.at("101") == "red: cruiser, carrier+1pds, carrier+2gf"
    loose = Table(board(azure, red={"201": "2 carriers"})).move("2 carriers, 7 gf", "201", "101")
    assert loose.at("101") == "red: carrier+5gf, carrier+2gf"
    with loose.refused(None, "not_so_many_there"):
        loose.move("2 cruisers", "101", "000")
    with loose.refused(None, "no_ship_of_that_number"):
        loose.move("carrier 3", "101", "000")
    with loose.refused(None, "named_twice"):
        loose.move("carrier 1, carrier 1", "101", "000")


def test_all_takes_every_ship_and_the_fighters_that_have_room() -> None:
    """`/move all`: every ship there and all fighters that have room."""
    azure = planet("Azure", "201", "red", dock=True)
    table = Table(board(azure, red={"201": "carrier+2gf, cruiser, 5 fighters"})).move("all", "201", "101")
    assert (table.at("101"), table.at("201")) == ("red: cruiser, carrier+2gf, 3 fighter", "red: 2 fighter")


def test_a_carrier_among_several_must_be_named_where_one_is_meant() -> None:
    """`carrier: carrier` with several there is ambiguous and lists them; a number names one."""
    table = Table(board(planet("Azure", "201", "red", gf=3), red={"201": "2 carriers"}))
    with pytest.raises(Ambiguous) as ambiguous:
        table.load("gf", "201", carrier="carrier")
    assert len(ambiguous.value.params["candidates"]) == 2  # type: ignore[arg-type]
    assert table.load("2 gf", "201", carrier="carrier 2").at("201") == "red: carrier, carrier+2gf"


# ---- technologies and cases


def test_technologies_are_modifiers_of_movement_and_capacity() -> None:
    """Type IV drive, XRD transporters and stasis capsules change a profile and nothing else."""
    tech = {"red": ["type_iv_drive", "xrd_transporters", "stasis_capsules"]}
    azure = planet("Azure", "201", "red", gf=9, pds=1)
    table = Table(board(azure, red={"201": "carrier, cruiser, dreadnought"}, tech=tech, rings=3))
    left = {ship.kind.value: movement_left(table.state, ship) for ship in table.state.ships.values()}
    assert left == {"carrier": 2, "cruiser": 3, "dreadnought": 2}
    table.load("7 gf", "201")
    assert table.at("201") == "red: dreadnought+1gf, cruiser+1gf, carrier+5gf"
    with table.refused("3.52.2-a", "no_room_on_ships"):
        table.load("pds", "201", carrier="cruiser 1")
    assert table.move("cruiser", "201", "303").at("303") == "red: cruiser+1gf"


def test_case_060_capacity_is_counted_for_each_seat() -> None:
    """Several carriers and a dock: room is a player's own, five a carrier, two a dock."""
    lying = planet("Azure", "101", "red", dock=True), planet("Ochre", "101", "blue", dock=True)
    start = board(*lying, red={"101": "2 carriers, 12 fighters"}, blue={})
    assert start.fighter_room("101", "red") == 12
    assert start.fighter_room("101", "blue") == 2
    table = Table(start).done()
    assert table.acting == "blue"
    over = Table(board(*lying, red={"101": "2 carriers, 13 fighters"}))
    with over.refused("3.52.2-h") as why:
        over.done()
    assert why[0].params["lacking"] == {"101": 1}


def test_case_071_asteroids_supernova_and_the_last_point() -> None:
    """With and without deflectors, ending on a field, the last movement point, a supernova always closed."""
    tiles = {"101": "asteroid_field", "102": "supernova"}
    without = Table(board(red={"201": "cruiser"}, tiles=tiles))
    assert reach(without, "201") == {"202", "203", "212", "211", "106"}
    with_them = Table(board(red={"201": "cruiser"}, tiles=tiles, tech={"red": ["antimass_deflectors"]}))
    assert reach(with_them, "201") == {"202", "203", "212", "211", "106", "000"}
    last = with_them.move("cruiser", "201", "202")
    assert reach(last, "202") == {"201", "203"}

"""The referee's edits: bound by what must always hold, and by what is under way."""

import pytest

from rules_core import commands as cmd
from rules_core import events as ev
from rules_core.errors import RuleViolation, Unreadable
from rules_core.state import Party
from rules_core.units import Kind
from tests.rules.play import Table, board, planet

AZURE = planet("Azure", "101", "red", gf=1)


def place(
    at: str, player: str, *units: tuple[Kind, int], planet: str | None = None, ship: int | None = None
) -> cmd.Command:
    """Units that the referee gives."""
    return cmd.PlaceUnits(units, at, player, planet, ship)


def test_ships_and_fighters_appear_in_a_system() -> None:
    """New ships are younger than all others, in the order dreadnoughts, cruisers, carriers."""
    table = Table(board(red={"201": "cruiser"})).do(
        place("201", "red", (Kind.CARRIER, 1), (Kind.CRUISER, 2), (Kind.FIGHTER, 1))
    )
    assert [(ship.id, ship.kind.value) for ship in table.state.ships.values()] == [
        (1, "cruiser"),
        (2, "cruiser"),
        (3, "cruiser"),
        (4, "carrier"),
    ]
    assert table.at("201") == "red: 3 cruiser, carrier, fighter"


def test_no_ship_id_is_given_twice() -> None:
    """A ship that was removed leaves its id to nobody."""
    table = Table(board(red={"201": "cruiser"})).do(
        cmd.RemoveUnits("201", "red", (1,)), place("201", "red", (Kind.CRUISER, 1))
    )
    assert list(table.state.ships) == [2]


def test_ground_units_appear_on_the_own_planet_or_aboard() -> None:
    """On the planet named, the only own planet of the system, or the ship named; never on another's."""
    lying = AZURE, planet("Ochre", "101", "blue"), planet("Umber", "102", "red"), planet("Sable", "102", "red")
    table = Table(board(*lying, red={"101": "carrier+4gf"}))
    table.do(place("101", "red", (Kind.GROUND_FORCE, 2), (Kind.SPACE_DOCK, 1)))
    table.do(place("102", "red", (Kind.PDS, 1), planet="Sable"), place("101", "red", (Kind.PDS, 1), ship=1))
    assert [table.on(name) for name in ("Azure", "Sable")] == ["red: 3gf dock", "red: 1pds"]
    assert table.at("101") == "red: carrier+4gf+1pds"
    for command, code in (
        (place("102", "red", (Kind.PDS, 1)), "needs_one_own_planet"),
        (place("101", "red", (Kind.PDS, 1), planet="Ochre"), "not_his_planet"),
        (place("102", "red", (Kind.PDS, 1), planet="Azure"), "not_his_planet"),
        (place("103", "red", (Kind.PDS, 1)), "no_planet_of_his"),
    ):
        with table.refused("3.54-a", code):
            table.do(command)
    with table.refused("3.52.2-a", "no_room_aboard"):
        table.do(place("101", "red", (Kind.GROUND_FORCE, 1), ship=1))


@pytest.mark.parametrize("number", [0, -1, 100])
def test_numbers_out_of_range_are_refused(number: int) -> None:
    """One to 99 units at once."""
    table = Table(board(AZURE))
    for command in (place("101", "red", (Kind.CRUISER, number)), place("101", "red")):
        with table.refused(None, "number_out_of_range"):
            table.do(command)


def test_3_52_3_g_the_referee_puts_no_third_race_into_a_system() -> None:
    """Ships or fighters of a third race are refused, as is a red border."""
    table = Table(board(red={"201": "cruiser"}, blue={"201": "cruiser"}, green={}, tiles={"101": "asteroid_field"}))
    for kind in (Kind.CRUISER, Kind.FIGHTER):
        with table.refused("3.52.3-g", "third_race"):
            table.do(place("201", "green", (kind, 1)))
        with table.refused("3.52.1-b", "red_bordered"):
            table.do(place("101", "red", (kind, 1)))


def test_3_52_1_d_one_dock_a_planet_and_six_a_player() -> None:
    """The limits of docks hold for the referee too."""
    lying = [planet(f"P{n}", f"10{n}", "red", dock=n < 6) for n in range(1, 7)]
    table = Table(board(*lying))
    with table.refused("3.52.1-d", "one_dock_a_planet"):
        table.do(place("101", "red", (Kind.SPACE_DOCK, 1)))
    with table.refused("3.52.1-d", "one_dock_a_planet"):
        table.do(place("106", "red", (Kind.SPACE_DOCK, 2)))
    table.do(place("106", "red", (Kind.SPACE_DOCK, 1)))
    with table.refused("3.52.1-d", "too_many_docks"):
        table.do(place("901", "red", (Kind.SPACE_DOCK, 1)))


def test_units_are_removed_that_are_there() -> None:
    """Ships with their load, fighters, and what stands on the own planet named."""
    azure = planet("Azure", "101", "red", gf=3, pds=1, dock=True)
    ochre = planet("Ochre", "101", "blue", gf=1)
    table = Table(board(azure, ochre, red={"101": "carrier+2gf, 2 fighters"}))
    table.do(cmd.RemoveUnits("101", "red", (1,), 1), cmd.RemoveUnits("101", "red", (), 0, "Azure", 2, 1, True))
    assert (table.at("101"), table.on("Azure")) == ("red: fighter", "red: 1gf")
    for command, code in (
        (cmd.RemoveUnits("101", "red", (), 2), "not_so_many_there"),
        (cmd.RemoveUnits("101", "red", (), 0, "Azure", 2), "not_so_many_on_planet"),
        (cmd.RemoveUnits("101", "red", (), 0, "Azure", -1), "not_so_many_on_planet"),
        (cmd.RemoveUnits("101", "red", (), 0, "Azure", 0, 0, True), "not_so_many_on_planet"),
        (cmd.RemoveUnits("101", "red"), "nothing_named"),
        (cmd.RemoveUnits("101", "red", (), 0, None, 1), "needs_one_own_planet"),
        (cmd.RemoveUnits("101", "red", (), 0, "Ochre", 1), "not_his_planet"),
        (cmd.RemoveUnits("101", "red", (), 0, "Redhome"), "not_his_planet"),
        (cmd.RemoveUnits("101", "red", (9,)), "not_your_ship_there"),
    ):
        with pytest.raises(RuleViolation) as refusal:
            table.do(command)
        assert refusal.value.code == code


def test_no_edit_where_a_battle_is_fought_or_an_invasion_declared() -> None:
    """Its choices would dangle: units there stay as they are until it is over."""
    start = board(planet("Azure", "101", "blue", gf=1), red={"201": "2 cruisers"}, blue={"101": "3 cruisers"})
    table = Table(start, dice="1 1 1 1 1").move("all", "201", "101").done()
    for command in (place("101", "blue", (Kind.CRUISER, 1)), cmd.RemoveUnits("101", "red", (1,))):
        with table.refused("3.53-f", "battle_under_way"):
            table.do(command)
    table.do(place("102", "blue", (Kind.CRUISER, 1)))
    declared = Table(board(planet("Azure", "101"), red={"101": "carrier+2gf"})).done().land("Azure", "gf")
    for command in (cmd.RemoveUnits("101", "red", (1,)), cmd.GivePlanet("Azure", "blue")):
        with declared.refused("3.54-b", "invasion_declared_there"):
            declared.do(command)


def test_3_51_b_a_planet_given_changes_power_and_order() -> None:
    """An empty planet gets another owner; with units on it the referee removes these first."""
    lying = planet("Azure", "101", "blue", power=5), planet("Ochre", "102", "blue", gf=1)
    table = Table(board(*lying, green={})).do(cmd.GivePlanet("Azure", "green"))
    assert table.told(ev.OrderChanged) == [ev.OrderChanged(("blue", "green"), ("green", "blue"))]
    assert table.do(cmd.GivePlanet("Azure", None)).on("Azure") == "nobody:"
    with table.refused(None, "already_so"):
        table.do(cmd.GivePlanet("Azure", None))
    with table.refused("3.54-h", "planet_has_units"):
        table.do(cmd.GivePlanet("Ochre", "red"))


def test_technologies_are_given_and_taken() -> None:
    """Unknown or already so is refused, and so is taking away what ships need for their load."""
    start = board(planet("Azure", "201", "red", gf=1), red={"201": "cruiser"})
    table = Table(start).do(cmd.SetTechnology("red", "stasis_capsules")).load("gf", "201")
    with table.refused("3.52.2-a", "would_be_overloaded"):
        table.do(cmd.SetTechnology("red", "stasis_capsules", False))
    with table.refused(None, "unknown_technology"):
        table.do(cmd.SetTechnology("red", "warp"))
    with table.refused(None, "already_so"):
        table.do(cmd.SetTechnology("red", "cybernetics", False))
    table.do(cmd.SetTechnology("red", "cybernetics"), cmd.SetTechnology("red", "cybernetics", False))
    assert table.state.player("red").technologies == ("stasis_capsules",)


@pytest.mark.parametrize("amount", [-1, 1000])
def test_power_and_resources_have_a_range(amount: int) -> None:
    """From 0 to 999; what is set is the whole, the bonus makes it so."""
    table = Table(board())
    for command in (cmd.SetPowerBonus("red", amount), cmd.SetResourcesBonus("red", amount)):
        with table.refused(None, "number_out_of_range"):
            table.do(command)
    table.do(cmd.SetPowerBonus("red", 3), cmd.SetResourcesBonus("red", 4))
    assert (table.state.political_power("red"), table.state.resources("red")) == (3, 4)
    assert table.told(ev.PowerSet) == [ev.PowerSet("red", -5, 3)]


def test_names_that_do_not_exist_are_unreadable() -> None:
    """A command that names no system, player or planet of the game is no fault of the program."""
    table = Table(board(AZURE, red={"101": "carrier+1gf"}))
    for command in (
        cmd.Done("nobody"),
        cmd.MoveShips("red", "101", ("999",), (1,)),
        cmd.LoadUnits("red", "999", (cmd.LoadOrder(1, "Azure", 1),)),
        cmd.LoadUnits("red", "101", (cmd.LoadOrder(1, "Nowhere", 1),)),
        cmd.DeclareLanding("red", "Nowhere", (Party(1, 1),)),
        cmd.GivePlanet("Azure", "nobody"),
        place("999", "red", (Kind.CRUISER, 1)),
    ):
        with pytest.raises(Unreadable):
            table.do(command)

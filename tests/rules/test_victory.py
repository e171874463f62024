"""When a game is won: by the referee's word, by home systems held, by political power after a round."""

from dataclasses import replace

from rules_core import commands as cmd
from rules_core.state import State
from rules_core.victory import VICTORIES, homes, homes_held, winners
from tests.rules.play import Table, board, planet


def start() -> State:
    """Three players with a home each; blue's has two planets and a dock."""
    blue = planet("Tide", "101", "blue", dock=True), planet("Ebb", "101", "blue")
    lying = (
        planet("Ember", "102", "red", power=5),
        *blue,
        planet("Colony", "104", "blue"),
        planet("Moss", "103", "green"),
    )
    return board(*lying, green={}, homes=False, acting=None)


def test_a_home_is_the_system_of_the_dock_or_of_the_first_planet() -> None:
    """As the game begins."""
    assert homes(start()) == {"red": "102", "blue": "101", "green": "103"}


def test_a_home_is_held_with_all_its_planets() -> None:
    """One planet of two is not enough, and one's own home is none of others."""
    table = Table(
        board(planet("Tide", "101", "blue"), planet("Ebb", "101", "blue"), planet("Ember", "102", "red"), homes=False)
    )
    at = homes(table.state)
    assert homes_held(table.do(cmd.GivePlanet("Tide", "red")).state, at, "red") == 0
    assert homes_held(table.do(cmd.GivePlanet("Ebb", "red")).state, at, "red") == 1
    assert homes_held(table.state, at, "blue") == 0


def test_who_holds_so_many_homes_has_won() -> None:
    """Others than his own; with no goal nobody."""
    begun = start()
    now = replace(begun, planets={name: replace(p, owner="red") for name, p in begun.planets.items() if name != "Moss"})
    now = replace(now, planets={**now.planets, "Moss": begun.planets["Moss"]})
    assert winners(begun, now, "homes", 1) == ("red",)
    assert winners(begun, now, "homes", 2) == ()
    assert winners(begun, now, "homes", 0) == ()


def test_after_a_round_the_highest_power_wins() -> None:
    """Not before it; of equals all."""
    begun = start()
    assert winners(begun, begun, "power", 2) == ()
    assert winners(begun, replace(begun, round=2), "power", 2) == ("red",)
    planets = {name: replace(planet, political_power=0) for name, planet in begun.planets.items()}
    assert winners(begun, replace(begun, planets=planets), "power", 1) == ("red", "blue", "green")


def test_the_referee_alone_declares_otherwise() -> None:
    """The default: nothing wins by itself."""
    assert VICTORIES[0] == "referee"
    assert winners(start(), start(), "referee", 1) == ()

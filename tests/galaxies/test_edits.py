"""What a referee may change before the game begins."""

import pytest

from bot.galaxies import RACES, generate, homes_of
from bot.galaxies.edits import change_planet, seat, swap_systems
from bot.galaxies.names import races
from rules_core.errors import FileError
from rules_core.position import read_position, write_position

GALAXY = generate("edits", RACES[:3])
HOME = homes_of(GALAXY)["red"]
PLANET = GALAXY.galaxy.systems["000"].planets[0]


def test_swapped_systems_take_all_with_them() -> None:
    swapped = swap_systems(GALAXY, HOME, "000")
    assert homes_of(swapped)["red"] == "000"
    assert swapped.planets[PLANET].at == HOME
    assert len(swapped.ships_at("000", "red")) == len(GALAXY.ships_at(HOME, "red"))
    assert swapped.fighters_at("000", "red") == GALAXY.fighters_at(HOME, "red")
    assert list(swapped.galaxy.systems) == list(GALAXY.galaxy.systems)


def test_swapping_twice_changes_nothing() -> None:
    assert swap_systems(swap_systems(GALAXY, "101", "207"), "207", "101") == GALAXY


def test_a_planet_gets_another_name_and_other_numbers() -> None:
    changed = change_planet(GALAXY, PLANET, name="Quiet Harbour", resources=0, political_power=6)
    assert changed.galaxy.systems["000"].planets == ("Quiet Harbour",)
    assert (changed.planets["Quiet Harbour"].resources, changed.planets["Quiet Harbour"].political_power) == (0, 6)
    assert change_planet(GALAXY, PLANET) == GALAXY


@pytest.mark.parametrize("name", ["2 cruisers", "101", "a:b", "", next(n for n in GALAXY.planets if n != PLANET)])
def test_a_name_that_cannot_be_is_refused(name: str) -> None:
    with pytest.raises(FileError):
        change_planet(GALAXY, PLANET, name=name)


def test_numbers_that_cannot_be_are_refused() -> None:
    with pytest.raises(FileError):
        change_planet(GALAXY, PLANET, resources=-1)


def test_others_take_the_seats() -> None:
    seats = list(reversed(races("ko")[:3]))
    seated = seat(GALAXY, seats)
    assert seated == generate("edits", seats)
    assert read_position(write_position(seated)) == seated


def test_there_must_be_one_for_every_seat() -> None:
    with pytest.raises(ValueError, match="zip"):
        seat(GALAXY, RACES[:2])

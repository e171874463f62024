"""`/luck` counts the dice of the log, and says how often dice would have done worse."""

from math import comb

import pytest

from bot.luck import luck
from rules_core.units import Kind
from tests.rules.play import board, planet, play


def test_hits_against_what_the_dice_promised() -> None:
    state = board(
        planet("Hearth", "101", "blue", pds=2),
        red={"201": "3 cruisers"},
        blue={"101": "2 fighters, dreadnought"},
        standing={"red": {"retreat": "never", "losses": ["cruiser"]}, "blue": {"losses": ["fighter", "dreadnought"]}},
    )
    # PDS 6 5: one hit. Then two cruisers 8 9: two hits; dreadnought 3, fighters 9 10: two hits, red is gone.
    table = play(state, dice="6 5  8 9  3 9 10").move("all", "201", "101").done()
    found = {(each.player, each.kind): each for each in luck(table.events, ["red", "blue"])}
    assert list(found) == [
        ("red", Kind.CRUISER),
        ("blue", Kind.PDS),
        ("blue", Kind.FIGHTER),
        ("blue", Kind.DREADNOUGHT),
        ("blue", None),
    ]
    red = found["red", Kind.CRUISER]
    assert (red.dice, red.hits) == (2, 2)
    assert red.expected == pytest.approx(0.6)
    assert red.luckier == pytest.approx(1 - 0.3**2 / 2)
    assert (found["blue", None].dice, found["blue", None].hits) == (5, 3)
    assert found["blue", None].expected == pytest.approx(2 * 0.5 + 0.7 + 2 * 0.2)


def test_how_unusual_it_is() -> None:
    """Of ten dice that hit one time in two, three hits are what 117 of 1024 ways do or 56 below: a binomial."""
    state = board(
        planet("Hearth", "101", "blue", pds=10), red={"201": "11 cruisers"}, standing={"red": {"losses": ["cruiser"]}}
    )
    table = play(state, dice="6 6 6 1 1 1 1 1 1 1").move("all", "201", "101").done()
    (pds,) = luck(table.events, ["red", "blue"])
    below = sum(comb(10, hits) for hits in range(3))
    assert pds.luckier == pytest.approx((below + comb(10, 3) / 2) / 2**10)


def test_nobody_rolled() -> None:
    assert luck((), ["red", "blue"]) == ()

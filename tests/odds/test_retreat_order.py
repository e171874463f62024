"""The standing order `retreat: odds below 40%`."""

import pytest

from rules_core import events as ev
from rules_core.errors import FileError
from rules_core.forecast import battle_at
from rules_core.odds import QUICK_STEPS, space_battle, steps
from rules_core.pending import RetreatChoice
from rules_core.position import standing_from_json, standing_to_json
from rules_core.state import RetreatOrder
from rules_core.units import Kind
from tests.rules.play import Table, board, play

LOSSES = ["fighter", "cruiser", "carrier", "dreadnought"]


def war(order: str | None, red: str = "3 cruisers", blue: str = "3 cruisers, dreadnought") -> Table:
    standing = {"losses": LOSSES} if order is None else {"losses": LOSSES, "retreat": order}
    state = board(red={"201": red}, blue={"101": blue}, standing={"red": standing, "blue": {"losses": LOSSES}})
    return play(state, dice=1).move("all", "201", "101")


def percent_after_a_round_without_hits() -> float:
    table = war(None).done()
    assert isinstance(table.waits_for[0], RetreatChoice)
    return space_battle(battle_at(table.state, "101")).attacker_wins * 100


def test_3_53_g_below_the_odds_the_fleet_leaves() -> None:
    percent = int(percent_after_a_round_without_hits()) + 1
    table = war(f"odds below {percent}%").done()
    (left,) = table.told(ev.FleetRetreated)
    assert (left.cause, left.to) == (ev.Cause.STANDING_ORDER, "201")


def test_3_53_g_above_the_odds_it_fights_on() -> None:
    percent = int(percent_after_a_round_without_hits())
    table = war(f"odds below {percent}%")
    # One round without a hit, then one in which blue hits with everything: red is gone without a choice.
    table.dice.always = None
    table.dice.left = [*[1] * 7, *[1] * 3, *[10] * 4]
    table.done()
    (stayed,) = table.told(ev.BattleContinued)
    assert stayed.cause is ev.Cause.STANDING_ORDER
    assert table.told(ev.FleetRetreated) == []


def test_the_defenders_order_of_losses_is_not_looked_at() -> None:
    """It is private: the odds are those that `/odds` shows the attacker, the default order for the other side."""
    percent = int(percent_after_a_round_without_hits()) + 1
    table = war(f"odds below {percent}%").order("blue", losses=(Kind.DREADNOUGHT, Kind.CRUISER))
    assert table.done().told(ev.FleetRetreated)


def test_a_battle_too_large_to_judge_at_once_is_asked() -> None:
    table = war("odds below 99%", red="90 cruisers", blue="90 cruisers").done()
    assert steps(battle_at(table.state, "101")) > QUICK_STEPS
    assert isinstance(table.waits_for[0], RetreatChoice)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("never", RetreatOrder()),
        ("below 3 ships", RetreatOrder(3)),
        ("odds below 40%", RetreatOrder(odds_below=40)),
    ],
)
def test_a_position_file_keeps_it(text: str, order: RetreatOrder) -> None:
    read = standing_from_json({"retreat": text}, "here", ["red"])
    assert read.retreat == order
    assert standing_to_json(read) == {"retreat": text}


@pytest.mark.parametrize(
    "text", ["odds below 0%", "odds below 101%", "odds 40%", "odds below 40", "below 0 ships", "soon"]
)
def test_a_position_file_with_another_order_is_refused(text: str) -> None:
    with pytest.raises(FileError) as refused:
        standing_from_json({"retreat": text}, "here", ["red"])
    assert refused.value.place == "here.retreat"

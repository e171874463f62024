"""`/roll`: what is read, what is counted, what is refused, and that a comment is never read."""

import random

import pytest

from bot.roll import MOST_DICE, MOST_SHOWN, roll
from rules_core.errors import Unreadable


@pytest.fixture(autouse=True)
def _same_dice_every_time() -> None:
    random.seed(5)


@pytest.mark.parametrize(
    ("text", "least", "most"), [("3d10", 3, 30), ("2d6+1", 3, 13), ("d20", 1, 20), ("3D10 - 2", 1, 28)]
)
def test_sums(text: str, least: int, most: int) -> None:
    totals = [roll(text).total for _ in range(300)]
    assert least <= min(totals) < max(totals) <= most
    assert roll(text).counted_from is None


@pytest.mark.parametrize("text", ["4d10>=8", "4d10 >= 8", "4D10 ≥ 8"])
def test_dice_that_reach_a_number_are_counted(text: str) -> None:
    for _ in range(100):
        rolled = roll(text)
        faces = rolled.shown.removeprefix("4d10 (").removesuffix(")").replace("**", "").split(", ")
        assert rolled.total == sum(int(face) >= 8 for face in faces)
        assert rolled.shown.count("**") == 2 * rolled.total
        assert rolled.counted_from == 8


def test_the_faces_are_shown() -> None:
    assert roll("1d1+2").shown == "1d1 (1) + 2"


@pytest.mark.parametrize("text", ["200d10", "200d10>=8", f"{MOST_DICE}d100"])
def test_a_long_result_keeps_its_total(text: str) -> None:
    rolled = roll(text)
    assert len(rolled.shown) <= MOST_SHOWN
    assert rolled.total > 10


@pytest.mark.parametrize("comment", ["2d6 + 3d10 >= 4", "@everyone (((", "1d0 / 0", "세 번째 공격 # again"])
def test_case_094_a_comment_of_a_roll_stays_a_comment(comment: str) -> None:
    rolled = roll(f"1d1 # {comment}")
    assert (rolled.total, rolled.shown, rolled.comment) == (1, "1d1 (1)", comment)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "unknown_dice"),
        ("#only words", "unknown_dice"),
        ("three dice", "unknown_dice"),
        ("3d10 [@everyone]", "unknown_dice"),
        ("3d10; 4", "unknown_dice"),
        ("3d0", "unknown_dice"),
        ("1/0", "unknown_dice"),
        ("1%0", "unknown_dice"),
        ("(" * 50 + "1" + ")" * 49, "unknown_dice"),
        ("1d6>=", "unknown_dice"),
        (f"{MOST_DICE + 1}d6", "too_many_dice"),
        ("9" * 90 + "d6", "too_many_dice"),
        ("1d6e>0", "too_many_dice"),
        ("900d6+900d6", "too_many_dice"),
        ("1d6" + "+1" * 60, "too_long"),
    ],
)
def test_what_is_refused(text: str, code: str) -> None:
    with pytest.raises(Unreadable) as refused:
        roll(text)
    assert refused.value.code == code

"""`/roll`: dice for the chat, thrown by the library d20. No die of a game comes from here."""

import re
from dataclasses import dataclass, replace
from typing import Final

import d20

from rules_core.errors import Unreadable

MOST_LETTERS: Final = 100
MOST_DICE: Final = 1000
MOST_COMMENT: Final = 300
# A longer result is shown without its faces.
MOST_SHOWN: Final = 300
_COMMENT: Final = "#"
_READABLE: Final = re.compile(r"[0-9a-z+\-*/%()<>=≥!,. ]+")
# d20 would compare the sum with the number; at a table of this game it asks how many dice reach it.
_COUNTED: Final = re.compile(r"([0-9]*d[0-9]+) *(?:>=|≥) *([0-9]+)")


@dataclass(frozen=True, slots=True)
class Rolled:
    """What was thrown: the dice as they are shown, and their total, or how many of them reach `counted_from`."""

    shown: str
    total: int
    counted_from: int | None = None
    comment: str = ""


def roll(text: str) -> Rolled:
    """Throws `3d10`, `2d6+1`, `4d10>=8`; what follows a `#` is a comment and never read. Raises Unreadable."""
    typed, _, comment = text.partition(_COMMENT)
    dice = " ".join(typed.casefold().split())
    if len(dice) > MOST_LETTERS:
        raise Unreadable("too_long", text=dice[:40], limit=MOST_LETTERS, length=len(dice))
    if not _READABLE.fullmatch(dice):
        raise Unreadable("unknown_dice", text=dice)
    try:
        rolled = _counted(dice) or _summed(dice)
    except d20.TooManyRolls:
        raise Unreadable("too_many_dice", text=dice, most=MOST_DICE) from None
    except (d20.RollError, ArithmeticError, ValueError):
        raise Unreadable("unknown_dice", text=dice) from None
    shown = rolled.shown if len(rolled.shown) <= MOST_SHOWN else dice
    return replace(rolled, shown=shown, comment=comment.strip())


def _counted(dice: str) -> Rolled | None:
    found = _COUNTED.fullmatch(dice)
    if found is None:
        return None
    faces, needed = [int(die.total) for die in _thrown(found[1]).set], int(found[2])
    marked = ", ".join(f"**{face}**" if face >= needed else str(face) for face in faces)
    return Rolled(f"{found[1]} ({marked})", sum(face >= needed for face in faces), needed)


def _summed(dice: str) -> Rolled:
    thrown = _thrown(dice)
    # It shows the highest and the lowest face in bold, which here means that a die counts.
    shown = d20.MarkdownStringifier().stringify(thrown).replace("**", "")
    # The total is computed only now, and refused where there is none.
    return Rolled(shown, int(thrown.total))


def _thrown(dice: str) -> d20.Number:
    return d20.Roller(d20.RollContext(MOST_DICE)).roll(dice).expr.roll

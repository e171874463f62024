"""The scores of a galaxy as a small table, for the terminal and for a code block of Discord."""

import unicodedata
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from bot.galaxies.scores import MEASURES, homes_of, scores, spread
from bot.phrases import Language, phrases
from rules_core.state import State

# A phone shows so many columns of a code block before it breaks lines.
PHONE: Final = 40


def score_table(state: State, language: Language) -> str:
    """A line for each player who has a home, and one for the spread between the best and the worst.

    Names stand last: they are of any length, and on a screen Hangul need not be as wide as two digits.
    """
    words, measured, homes = phrases(language), scores(state), homes_of(state)
    measures = [*measured.values(), spread(measured)]
    columns = [
        *([words.say(f"galaxy.column.{name}"), *_numbers([getattr(each, name) for each in measures])]
          for name in MEASURES),
        ["", *(homes[key] for key in measured), ""],
    ]  # fmt: skip
    widths = [max(map(_width, column)) for column in columns]
    names = ["", *(state.player(key).race for key in measured), words.say("galaxy.spread")]
    rows = (_line(row, widths) for row in zip(*columns, strict=True))
    return "\n".join(_fitting(f"{row} {name}").rstrip() for row, name in zip(rows, names, strict=True))


def _numbers(values: Sequence[Fraction]) -> list[str]:
    """Whole numbers as they are; with one decimal where one of them is not whole."""
    decimals = 0 if all(value.denominator == 1 for value in values) else 1
    return [f"{float(value):.{decimals}f}" for value in values]


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return " ".join(" " * (width - _width(cell)) + cell for cell, width in zip(cells, widths, strict=True))


def _fitting(line: str) -> str:
    return line if _width(line) <= PHONE else "".join(_beginning(line, PHONE - 1)) + "…"


def _beginning(text: str, columns: int) -> Iterator[str]:
    for character in text:
        columns -= _width(character)
        if columns < 0:
            return
        yield character


def _width(text: str) -> int:
    """Columns on a terminal: Hangul takes two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)

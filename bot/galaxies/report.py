"""The scores of a galaxy as a small table, for the terminal and for a code block of Discord on a phone."""

import unicodedata
from collections.abc import Sequence
from fractions import Fraction

from bot.galaxies.scores import MEASURES, homes_of, scores, spread
from bot.phrases import Language, phrases, safe
from rules_core.state import State


def score_table(state: State, language: Language) -> str:
    """A line for each home, and one for the distance between the best and the worst.

    Without names: a phone shows 28 columns. `score_legend` tells whose homes they are.
    """
    words, measured, homes = phrases(language), scores(state), homes_of(state)
    measures = [*measured.values(), spread(measured)]
    columns = [
        ["", *(homes[key] for key in measured), words.say("galaxy.spread")],
        *(
            [words.say(f"galaxy.column.{name}"), *_numbers([getattr(each, name) for each in measures])]
            for name in MEASURES
        ),
    ]
    widths = [max(map(_width, column)) for column in columns]
    return "\n".join(_line(row, widths) for row in zip(*columns, strict=True))


def score_legend(state: State, language: Language) -> str:
    """What the lines and columns of that table are."""
    words = phrases(language)
    seats = tuple(f"{home} {safe(state.player(key).race)}" for key, home in homes_of(state).items())
    return "\n".join((words.say("galaxy.lines", seats=seats), words.say("galaxy.columns")))


def _numbers(values: Sequence[Fraction]) -> list[str]:
    """Whole numbers as they are; with one decimal where one of them is not whole."""
    decimals = 0 if all(value.denominator == 1 for value in values) else 1
    return [f"{float(value):.{decimals}f}" for value in values]


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return " ".join(" " * (width - _width(cell)) + cell for cell, width in zip(cells, widths, strict=True))


def _width(text: str) -> int:
    """Columns on a terminal: Hangul takes two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)

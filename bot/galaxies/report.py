"""The scores of a galaxy as a small table, for the terminal and for a code block of Discord."""

import unicodedata
from collections.abc import Sequence
from fractions import Fraction

from bot.galaxies.scores import MEASURES, homes_of, scores, spread
from bot.phrases import Language, phrases
from rules_core.state import State


def score_table(state: State, language: Language) -> str:
    """A line for each player who has a home, and one for the spread between the best and the worst."""
    words, measured, homes = phrases(language), scores(state), homes_of(state)
    measures = [*measured.values(), spread(measured)]
    columns = [
        [words.say("galaxy.player"), *(state.player(key).race for key in measured), words.say("galaxy.spread")],
        [words.say("galaxy.home"), *(homes[key] for key in measured), ""],
        *([words.say(f"galaxy.{name}"), *_numbers([getattr(each, name) for each in measures])] for name in MEASURES),
    ]
    widths = [max(map(_width, column)) for column in columns]
    return "\n".join(_line(row, widths) for row in zip(*columns, strict=True))


def _numbers(values: Sequence[Fraction]) -> list[str]:
    """Whole numbers as they are; with one decimal where one of them is not whole."""
    decimals = 0 if all(value.denominator == 1 for value in values) else 1
    return [f"{float(value):.{decimals}f}" for value in values]


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    """The name to the left, numbers to the right."""
    spaces = [" " * (width - _width(cell)) for cell, width in zip(cells, widths, strict=True)]
    numbers = (space + cell for cell, space in zip(cells[1:], spaces[1:], strict=True))
    return "  ".join((cells[0] + spaces[0], *numbers))


def _width(text: str) -> int:
    """Columns on a terminal: Hangul takes two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)

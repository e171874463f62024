"""A share of `python -m tests.fuzz`, with the same inputs each time."""

import pytest

from tests.fuzz.run import run
from tests.fuzz.targets import TABLES, TARGETS


@pytest.mark.parametrize(
    "code", ["move.0....", "move.0...0.", "land.101...0.101", "move.201...0.999", "move.201..123.0."]
)
def test_a_button_that_somebody_made_himself(code: str) -> None:
    """Found by fuzzing."""
    for table in TABLES:
        TARGETS["menu"]((table, "red", code))


@pytest.mark.parametrize("name", ["parse_number", "parse_rings", "parse_scale"])
@pytest.mark.parametrize("blank", ["\x1c", "\x1f", "\x85", "\u3000", "\n"])
def test_a_number_with_any_blank_beside_it(name: str, blank: str) -> None:
    """Found by fuzzing: not all blanks are blanks to int()."""
    TARGETS[name](f"{blank}1{blank}")


@pytest.mark.parametrize("name", TARGETS)
def test_nothing_but_a_refusal(name: str) -> None:
    run(TARGETS[name], 60)

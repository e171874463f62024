"""A share of `python -m tests.fuzz`, with the same inputs each time."""

import pytest

from tests.fuzz.run import run
from tests.fuzz.targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_nothing_but_a_refusal(name: str) -> None:
    run(TARGETS[name], 60, same=True)

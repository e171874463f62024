"""Feeds a target with inputs."""

from typing import Final

from hypothesis import HealthCheck, given, seed, settings

from tests.fuzz.targets import Target

# A search remembers what it has tried and gets slower by it, so a long one is many short ones.
PIECE: Final = 1000


def run(target: Target, inputs: int, first_seed: int = 0) -> None:
    """So many inputs, the same for the same seed; raises what the smallest one that is not refused raises."""
    for number in range(0, inputs, PIECE):
        _search(target, min(PIECE, inputs - number), first_seed + number)


def _search(target: Target, inputs: int, with_seed: int) -> None:
    @seed(with_seed)
    @settings(max_examples=inputs, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(target.inputs)
    def take(value: object) -> None:
        target(value)

    take()

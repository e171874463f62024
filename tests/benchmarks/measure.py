"""What a benchmark says, and how a time is taken."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import perf_counter


@dataclass(frozen=True)
class Result:
    """One number under the key that `tests/README.md` explains. `goal`: what it should be, as text, if anything."""

    key: str
    value: float
    unit: str
    goal: str = ""

    @property
    def line(self) -> str:
        return f"{self.key:<44}{self.value:>12.4g} {self.unit:<8}{self.goal}"


def milliseconds(what: Callable[[], object], times: int, warm: int = 1) -> float:
    """The median time of a call, after `warm` that do not count."""
    for _ in range(warm):
        what()
    taken = []
    for _ in range(times):
        start = perf_counter()
        what()
        taken.append(perf_counter() - start)
    return median(taken) * 1000

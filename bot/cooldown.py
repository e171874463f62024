"""Who asks for much waits a little, for what is dear to make sooner: for each user and for each channel."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Final

from rules_core.errors import Refusal

# What is drawn or computed for who asks.
DEAR: Final = frozenset({"map", "replay", "odds", "luck", "galaxy"})
# Who has not asked for long is forgotten; so many are remembered.
_REMEMBERED: Final = 10_000


@dataclass(frozen=True, slots=True)
class Rate:
    """`burst` at once, and one more every `seconds`."""

    burst: int
    seconds: float


# Commands and presses of any kind: more than anybody plays, less than a program can send.
OF_A_USER: Final = Rate(60, 0.5)
OF_A_CHANNEL: Final = Rate(180, 0.2)
DEAR_OF_A_USER: Final = Rate(12, 3.0)
DEAR_OF_A_CHANNEL: Final = Rate(30, 1.0)


class Cooldown:
    """Counts what was asked for. `now` gives seconds."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        # By whom, when all that he has asked for will be paid off.
        self._paid: OrderedDict[tuple[str, int], float] = OrderedDict()

    def ask(self, command: str, user: int, channel: int) -> None:
        """Notes a command, or a press that does the same; refused if it comes too soon."""
        asked = [(("user", user), OF_A_USER), (("channel", channel), OF_A_CHANNEL)]
        if command in DEAR:
            asked += [(("dear, user", user), DEAR_OF_A_USER), (("dear, channel", channel), DEAR_OF_A_CHANNEL)]
        if wait := max(self._left(key, rate) for key, rate in asked):
            raise Refusal("too_often", seconds=wait)
        for key, rate in asked:
            self._paid[key] = max(self._paid.pop(key, 0.0), self._now()) + rate.seconds
            if len(self._paid) > _REMEMBERED:
                self._paid.popitem(last=False)

    def _left(self, key: tuple[str, int], rate: Rate) -> int:
        """How many seconds until one may ask again, rounded up; none if one may now."""
        over = self._paid.get(key, 0.0) - self._now() - rate.seconds * (rate.burst - 1)
        return int(over) + 1 if over > 0 else 0

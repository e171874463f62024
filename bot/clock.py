"""The one clock of the program, injected wherever a time is needed."""

from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Says what time it is."""

    def now(self) -> datetime:
        """The time now, aware, in UTC."""


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class SettableClock:
    """A clock that stands still until it is moved: at the table and in tests."""

    def __init__(self, start: datetime) -> None:
        self._now = start

    def now(self) -> datetime:
        return self._now

    def advance(self, by: timedelta) -> None:
        """Moves the clock on."""
        self._now += by

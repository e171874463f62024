"""The Discord that is spoken to: simcord's model with a clock that runs, files that can be fetched, and a memory."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from simcord._clock import Clock
from simcord.backend import Backend
from simcord.backend.cdn import CDN_BASE, CdnStore
from simcord.backend.models import Interaction

# Nobody outside Discord knows how long exactly; its documentation says "a few minutes".
NONCE_MEMORY: Final = timedelta(minutes=5)
# So many files are kept, as many as are looked at: those of an hour of play would not fit.
FILES: Final = 500
# There only to end a test that hangs.
PATIENCE: Final = 20.0
TOKEN: Final = "a.loopback.token"


class RunningClock(Clock):
    """The machine's clock, moved on by what a test lets pass."""

    def now(self) -> datetime:
        return datetime.now(UTC) + timedelta(seconds=self.elapsed)


class LoopbackFiles(CdnStore):
    """Uploaded files under addresses of this server."""

    def __init__(self) -> None:
        super().__init__()
        self.base = CDN_BASE

    def store_attachment(
        self, attachment_id: int, channel_id: int, filename: str, data: bytes, description: str | None
    ) -> dict[str, Any]:
        stored = super().store_attachment(attachment_id, channel_id, filename, data, description)
        while len(self._blobs) > FILES:
            del self._blobs[next(iter(self._blobs))]
        address = stored["url"].replace(CDN_BASE, self.base)
        return {**stored, "url": address, "proxy_url": address}

    def fetch(self, path: str) -> bytes | None:
        """The file at `path` of this server."""
        return self.get(f"{CDN_BASE}/{path}")


@dataclass
class World:
    """What HTTP and gateway share.

    `complaints`: what the bot did that Discord would not have taken. `given_up`: interactions of which no answer is
    expected any more, because a test let them die.
    """

    backend: Backend = field(default_factory=lambda: Backend(clock=RunningClock()))
    files: LoopbackFiles = field(default_factory=LoopbackFiles)
    complaints: list[str] = field(default_factory=list)
    nonces: dict[tuple[int, str], tuple[int, datetime]] = field(default_factory=dict)
    given_up: set[int] = field(default_factory=set)
    shards: int = 1
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    _answered: dict[str, asyncio.Event] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.backend.cdn = self.files

    def complain(self, what: str) -> None:
        """Notes a fault of the bot."""
        self.complaints.append(what)

    def remembered(self, channel: int, nonce: str) -> int | None:
        """The message that a channel got with a nonce not long ago."""
        message, at = self.nonces.get((channel, nonce), (None, self.backend.clock.now()))
        return message if self.backend.clock.now() - at < NONCE_MEMORY else None

    def unanswered(self) -> list[Interaction]:
        """The interactions that got no answer, or stayed at "thinking"."""
        records = self.backend.interactions.values()
        return [each for each in records if not answered(each) and each.id not in self.given_up]

    async def changed(self, token: str | None = None) -> None:
        """Wakes those who wait for something; `token`: of the interaction that was spoken of."""
        # simcord keeps all that ever crossed the wire; an hour of play would not fit.
        self.backend.transcript.clear()
        self.backend.http_requests.clear()
        if token in self._answered:
            self._answered[token].set()
        async with self._changed:
            self._changed.notify_all()

    async def until(self, true: Callable[[], Any], what: str, seconds: float = PATIENCE) -> None:
        """Waits until something is true; raises AssertionError after too long a time."""
        try:
            async with asyncio.timeout(seconds), self._changed:
                await self._changed.wait_for(true)
        except TimeoutError:
            raise AssertionError(f"waited in vain for {what}; complaints: {self.complaints}") from None

    async def until_answered(self, record: Interaction, true: Callable[[Interaction], bool]) -> None:
        """Waits until something is true of an interaction, without waking at what concerns others."""
        event = self._answered.setdefault(record.token, asyncio.Event())
        try:
            async with asyncio.timeout(PATIENCE):
                while not true(record):
                    event.clear()
                    await event.wait()
        except TimeoutError:
            raise AssertionError(f"{record} waited in vain; complaints: {self.complaints}") from None
        finally:
            self._answered.pop(record.token, None)


def answered(record: Interaction) -> bool:
    """Whether an interaction has got what it was to get: not only a "thinking"."""
    return record.responded and not record.loading

"""Sends what is owed: in order in each channel, made only when it is sent, and on after a restart.

A crash between sending and noting it sends the post again; its nonce lets Discord drop the second one.
"""

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable
from typing import Protocol

from bot.clock import Clock
from bot.store import Post, Store

log = logging.getLogger(__name__)


class Undeliverable(Exception):
    """A post that can never be sent (its channel is gone, a permission is missing): those behind it go on."""


class Sender(Protocol):
    """Makes the words and the picture of a post and sends them."""

    async def send(self, post: Post) -> int | None:
        """Sends a post and gives the id of its message, None if it has become untrue and was not sent.

        Raises Undeliverable if it can never be sent.
        """


def nonce(post: Post) -> str:
    """What tells a post from every other, and is the same when it is sent again; at most 25 characters."""
    return hashlib.sha256(f"{post.game}/{post.id}/{post.created}".encode()).hexdigest()[:24]


class Outbox:
    """Empties the channels' queues. `wake` after a command, `drain` from time to time for what is left over.

    `afterwards` is told each channel whose queue is empty now.
    """

    def __init__(
        self,
        store: Store,
        sender: Sender,
        clock: Clock,
        afterwards: Callable[[int], Awaitable[None]] | None = None,
    ) -> None:
        self._store = store
        self._sender = sender
        self._clock = clock
        self._afterwards = afterwards
        self._locks: dict[int, asyncio.Lock] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def wake(self, channel: int) -> None:
        """Starts a task that sends what a channel is owed; it ends when nothing is left."""
        task = asyncio.create_task(self.empty(channel), name=f"outbox of {channel}")
        self._tasks.add(task)
        task.add_done_callback(self._done)

    async def drain(self) -> None:
        """Sends everything that is owed; what one channel refuses does not hold up the others."""
        channels = await self._store.owed_channels()
        results = await asyncio.gather(*map(self.empty, channels), return_exceptions=True)
        for channel, result in zip(channels, results, strict=True):
            if isinstance(result, BaseException):
                log.warning("channel %s is still owed posts", channel, exc_info=result)

    async def empty(self, channel: int) -> None:
        """Sends what a channel is owed, in order; raises what the sender raises, and the rest stays owed."""
        async with self._locks.setdefault(channel, asyncio.Lock()):
            while (post := await self._store.next_owed(channel)) is not None:
                await self._send(post)
            if self._afterwards is not None:
                await self._afterwards(channel)

    async def close(self) -> None:
        """Waits for what is being sent."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.warning("%s: posts stay owed", task.get_name(), exc_info=error)

    async def _send(self, post: Post) -> None:
        message: int | None
        try:
            message = await self._sender.send(post)
        except Undeliverable as reason:
            log.warning("post %s of game %s cannot be delivered: %s", post.id, post.game, reason)
            message = None
        await self._store.settle_post(post.id, message, self._clock.now().isoformat())

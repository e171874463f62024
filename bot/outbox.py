"""Sends what is owed: in order in each channel, made only when it is sent, and on after a restart.

A crash between sending and noting it sends the post again. Its nonce lets Discord drop the second one, but only for
some minutes; after that the post says that it may be a repeat. If nothing is heard of that one either, there is no
third: the referee is told.
"""

import asyncio
import hashlib
import logging
import sqlite3
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final, Protocol

from bot.clock import Clock
from bot.faults import noted
from bot.rows import Post
from bot.store import Store
from rules_core.errors import Refusal

log = logging.getLogger(__name__)


# So many posts are made and sent at once: while Discord is away each of them holds its picture.
AT_ONCE: Final = 12
# Discord remembers nonces for a few minutes; this is less, for a mark too many does no harm.
NONCE_MEMORY: Final = timedelta(minutes=2)
# Why a post is given up of which Discord has confirmed neither the first sending nor the repeat.
UNCONFIRMED: Final = "unconfirmed"


class Undeliverable(Exception):
    """A post that can never be sent (its channel is gone, a permission is missing): those behind it go on."""


class Later(Exception):
    """A post that cannot be sent now. `certain`: whether it is certain that it was not sent all the same.

    `answered`: whether Discord said at least that something went wrong.
    """

    def __init__(self, reason: Exception, certain: bool, answered: bool = False) -> None:
        super().__init__(str(reason))
        self.certain = certain
        self.answered = answered


# What passes, or is no fault of the post: it stays owed, and those behind it wait.
_PASSING: Final = (Later, OSError, sqlite3.Error, Refusal)


class Sender(Protocol):
    """Makes the words and the picture of a post and sends them."""

    async def send(self, post: Post, again: bool) -> int | None:
        """Sends a post and gives the id of its message, None if it has become untrue and was not sent.

        `again`: it may have been sent so long ago that a nonce does not help. Raises Undeliverable if it can never be
        sent (the referee has been told), Later if it cannot be sent now.
        """


def nonce(post: Post, part: int = 0) -> str:
    """What tells a part of a post from every other, and is the same when it is sent again; at most 25 characters."""
    return hashlib.sha256(f"{post.game}/{post.id}/{post.created}/{part}".encode()).hexdigest()[:24]


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
        self._sending = asyncio.Semaphore(AT_ONCE)

    def wake(self, channel: int) -> None:
        """Starts a task that sends what a channel is owed; it ends when nothing is left."""
        task = asyncio.create_task(self.empty(channel), name=f"outbox of {channel}")
        self._tasks.add(task)
        task.add_done_callback(self._done)

    async def drain(self) -> None:
        """Sends everything that is owed; what one channel refuses does not hold up the others."""
        channels = await self._store.posts.owed_channels()
        results = await asyncio.gather(*map(self.empty, channels), return_exceptions=True)
        for channel, result in zip(channels, results, strict=True):
            if isinstance(result, BaseException):
                log.warning("channel %s is still owed posts", channel, exc_info=result)

    async def empty(self, channel: int) -> None:
        """Sends what a channel is owed, in order; raises what the sender raises, and the rest stays owed."""
        async with self._locks.setdefault(channel, asyncio.Lock()):
            while (post := await self._store.posts.next_owed(channel)) is not None:
                async with self._sending:
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
        if self._is_forgotten(post.repeated):
            self.wake(await self._store.posts.give_up(post, UNCONFIRMED, self._now(), owe_word=True))
            return
        again = self._is_forgotten(post.begun)
        if post.begun is None:
            await self._store.posts.begin(post.id, self._now())
        elif again and post.repeated is None:
            await self._store.posts.repeat(post.id, self._now())
        try:
            message = await self._sender.send(post, again)
        except Undeliverable as reason:
            log.warning("post %s of game %s cannot be delivered: %s", post.id, post.game, reason)
            await self._store.posts.give_up(post, str(reason), self._now())
        except _PASSING as error:
            if isinstance(error, Later):
                await self._note_failure(post, error)
            raise
        except Exception as error:  # one post that cannot be made must not hold up all that come after it
            reference = noted(error, f"post {post.id} of game {post.game}")
            self.wake(await self._store.posts.give_up(post, reference, self._now(), owe_word=True))
        else:
            await self._store.posts.settle(post.id, message, self._now())

    async def _note_failure(self, post: Post, failure: Later) -> None:
        """What Discord said about this sending must not count as one that may have arrived."""
        if failure.certain and post.begun is None:
            await self._store.posts.begin(post.id, None)
        # Else an outage of some minutes would use up the one repeat.
        if (failure.certain or failure.answered) and post.repeated is None:
            await self._store.posts.repeat(post.id, None)

    def _is_forgotten(self, sent: str | None) -> bool:
        """Whether a nonce that was sent then does not help any more."""
        return sent is not None and self._clock.now() - datetime.fromisoformat(sent) > NONCE_MEMORY

    def _now(self) -> str:
        return self._clock.now().isoformat()

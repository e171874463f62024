"""A border war in which the bot is killed again and again, and what is checked after each time."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle, product
from pathlib import Path
from typing import Final, TypeVar

from tests.faults.books import Books, owed, read
from tests.faults.process import BotProcess, errors
from tests.wire.game import Table, next_line, open_table
from tests.wire.http import Trouble
from tests.wire.server import Told, WireServer
from tests.wire.world import answered

T = TypeVar("T")

# A command takes about so many requests, its posts included, and so many seconds.
REQUESTS: Final = 5
SECONDS: Final = 0.15
# ... and about so many awaits.
AWAITS: Final = 150
TICK: Final = 0.005
PATIENCE: Final = 30
# Characters; a message takes 2000, and a line of dice is cut off whole.
NEARLY_FULL: Final = 1000
TORN: Final = 0.2


@dataclass
class Report:
    """What a campaign came to. `kills`: how often at which kind of moment."""

    kills: Counter[str] = field(default_factory=Counter)
    unheard: int = 0
    torn: int = 0
    events: int = 0
    posts: int = 0


class Campaign:
    """The war, the process that referees it, and the one who kills it."""

    def __init__(self, server: WireServer, directory: Path, chance: random.Random) -> None:
        self._server = server
        self._database = directory / "games.db"
        self._log = directory / "bot.log"
        self._chance = chance
        self._process: BotProcess
        self._table: Table
        self._books: Books
        self._dead = asyncio.Event()
        # All in turn, so that a long campaign leaves out none.
        self._requests = _in_turn(list(product(range(REQUESTS), (False, True))), chance)
        self.report = Report()

    async def run(self, kills: int) -> Report:
        """Plays, with so many kills, until all is told."""
        await self._start()
        self._table = await open_table(self._server)
        try:
            for _ in range(kills):
                self._books = await self._settled()
                await self._one_kill()
                # One line in peace, so that the war goes on.
                self._books = await self._settled()
                await self._server.answered(self._table.send(next_line(self._books.state)))
            self._books = await self._settled()
        finally:
            self._process.kill()
        self.report.events, self.report.posts = self._books.head, len(self._books.posts)
        return self.report

    async def _start(self) -> None:
        self._process = BotProcess(self._database, self._server.port, self._log)
        await self._server.until(self._server.gateway.ready, "the bot to connect")

    async def _one_kill(self) -> None:
        """Gives a command, kills the bot somewhere in it, looks at what is left, and starts the bot again."""
        line = next_line(self._books.state)
        told = self._table.send(line)
        await self._moment(told)
        heard = answered(told.record)
        await self._stop()
        self._server.forgive(told)
        if self._chance.random() < TORN:
            self._tear()
        after = await read(self._database)
        assert after.entries[: len(self._books.entries)] == self._books.entries, "the log was changed"
        assert after.head > self._books.head or not heard, f"{line} was answered and is lost: {told.text}"
        self.report.unheard += not heard
        await self._start()

    def _tear(self) -> None:
        """Leaves half a page behind what was written last, as a power cut does."""
        self.report.torn += 1
        with self._database.with_name(f"{self._database.name}-wal").open("ab") as log:
            log.write(self._chance.randbytes(2000))

    async def _stop(self) -> None:
        self._process.kill()
        self._server.http.trouble.clear()
        self._server.gateway.forget()
        self._dead.set()
        self._dead = asyncio.Event()

    async def _moment(self, told: Told) -> None:
        """Waits for the moment of the kill."""
        moment = self._chance.choice((self._any_time, self._request, self._await))
        self.report.kills[await moment(told)] += 1

    async def _any_time(self, told: Told) -> str:
        await asyncio.sleep(self._chance.uniform(0, SECONDS))
        return "at any time"

    async def _await(self, told: Told) -> str:
        self._process.light_fuse(self._chance.randrange(1, AWAITS))
        await self._reached(told, lambda: not self._process.runs)
        return "after everything" if self._process.runs else "at an await"

    async def _request(self, told: Told) -> str:
        spared, followed = next(self._requests)
        trouble = Trouble(".*", spared=spared, status=0, carried_out=followed)
        trouble.until, trouble.answer_at = (None, self._dead) if followed else (self._dead, None)
        self._server.http.trouble.append(trouble)
        await self._reached(told, lambda: trouble.met > 0)
        if not trouble.met:
            return "after everything"
        return f"{'after' if followed else 'before'} a request was followed"

    async def _reached(self, told: Told, reached: Callable[[], bool]) -> None:
        """Waits until a moment has come, or all is over: an answer, and time for the posts that follow it."""
        left = 3 * SECONDS
        while not reached() and left > 0:
            await asyncio.sleep(TICK)
            left -= TICK if answered(told.record) else 0

    async def _settled(self) -> Books:
        """Waits until all posts are sent, and compares them with the channel."""
        async with asyncio.timeout(PATIENCE):
            while owed(self._database):
                await asyncio.sleep(TICK)
        books = await read(self._database)
        check_posts(self._server, self._table.channel, books)
        assert not errors(self._log), "\n".join(errors(self._log)[:50])
        assert not self._server.world.complaints
        return books


def check_posts(server: WireServer, channel: int, books: Books) -> None:
    """What a channel shows is what the books say was sent to it, each post once."""
    shown = server.posts(channel)
    noted = [post.id for post in shown if post.id in books.messages]
    assert books.messages == noted, "the channel does not show each post once, in order"
    # The books note the last message of a post; a post too long for one is cut where a message is nearly full.
    others = [post.content for post in shown if post.id not in books.messages]
    assert all(len(part) > NEARLY_FULL for part in others), f"shown, but in no book: {others}"
    assert len(set(others)) == len(others), "a part of a long post is shown twice"


def _in_turn(values: Sequence[T], chance: random.Random) -> Iterator[T]:
    start = chance.randrange(len(values))
    return cycle([*values[start:], *values[:start]])

"""A border war in which the bot is killed again and again, and what is checked after each time."""

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Final

from tests.faults import process
from tests.faults.books import Books, read
from tests.wire.game import Table, next_line, open_table
from tests.wire.http import Trouble
from tests.wire.server import Told, WireServer

# A command takes about so many requests, its posts included, and so many seconds.
REQUESTS: Final = 5
SECONDS: Final = 0.15
PATIENCE: Final = 30


@dataclass
class Report:
    """What a campaign came to. `kills`: how often at which kind of moment."""

    kills: Counter[str] = field(default_factory=Counter)
    unheard: int = 0
    events: int = 0
    posts: int = 0


class Campaign:
    """The war, the process that referees it, and the one who kills it."""

    def __init__(self, server: WireServer, directory: Path, chance: random.Random) -> None:
        self._server = server
        self._database = directory / "games.db"
        self._log = directory / "bot.log"
        self._chance = chance
        self._process: ForkServerProcess
        self._table: Table
        self._books: Books
        self._dead = asyncio.Event()
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
            process.kill(self._process)
        self.report.events, self.report.posts = self._books.head, len(self._books.posts)
        return self.report

    async def _start(self) -> None:
        self._process = process.start(self._database, self._server.port, self._log)
        await self._server.until(self._server.gateway.ready, "the bot to connect")

    async def _one_kill(self) -> None:
        """Gives a command, kills the bot somewhere in it, looks at what is left, and starts the bot again."""
        line = next_line(self._books.state)
        told = self._table.send(line)
        await self._moment(told)
        heard = _heard(told)
        await self._stop()
        self._server.forgive(told)
        after = await read(self._database)
        assert after.entries[: len(self._books.entries)] == self._books.entries, "the log was changed"
        assert after.head > self._books.head or not heard, f"{line} was answered and is lost"
        self.report.unheard += not heard
        await self._start()

    async def _stop(self) -> None:
        process.kill(self._process)
        self._server.http.trouble.clear()
        self._server.gateway.forget()
        self._dead.set()
        self._dead = asyncio.Event()

    async def _moment(self, told: Told) -> None:
        """Waits for the moment of the kill."""
        if self._chance.random() < 0.4:
            self.report.kills["at any time"] += 1
            await asyncio.sleep(self._chance.uniform(0, SECONDS))
            return
        moment = self._chance.choice(("before a request is followed", "after a request was followed"))
        trouble = Trouble(".*", spared=self._chance.randrange(REQUESTS), status=0)
        trouble.carried_out = moment.startswith("after")
        trouble.until, trouble.answer_at = (None, self._dead) if trouble.carried_out else (self._dead, None)
        self._server.http.trouble.append(trouble)
        await self._server.until(lambda: trouble.met or _heard(told), "a request")
        if not trouble.met:
            await asyncio.sleep(2 * SECONDS)  # the posts that follow the answer
        self.report.kills[moment if trouble.met else "after the answer"] += 1

    async def _settled(self) -> Books:
        """Waits until all posts are sent, and compares them with the channel."""
        async with asyncio.timeout(PATIENCE):
            while (books := await read(self._database)).owed:
                await asyncio.sleep(0.02)
        shown = [post.id for post in self._server.posts(self._table.channel)]
        assert books.messages == shown, "the channel does not show each post once, in order"
        assert not process.errors(self._log)
        assert not self._server.world.complaints
        return books


def _heard(told: Told) -> bool:
    """Whether somebody was answered for good."""
    return told.record.responded and not told.record.loading

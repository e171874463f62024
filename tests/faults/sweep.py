"""One command, again and again on a table like the first, the bot killed at the next await each time.

Every table must come to the same as the one at which nothing happened: the same log and so the same dice, the same
posts, each once.
"""

import asyncio
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rules_core.history import REFEREE
from tests.faults.books import Books, owed, read
from tests.faults.campaign import PATIENCE, TICK, check_posts
from tests.faults.process import BotProcess, errors
from tests.faults.scenes import Scene, Stage, staged
from tests.wire.server import Told, WireServer
from tests.wire.world import answered

# More awaits than any command takes.
_NEVER: Final = 10**6
# A bot that does nothing for so many seconds has nothing more to do.
_REST: Final = 0.1


@dataclass(frozen=True, slots=True)
class Swept:
    """What a sweep came to: the awaits a command takes, the kills, how often the command had to be given again."""

    awaits: int
    kills: int
    repeated: int


async def sweep(scene: Scene, first: int = 1, step: int = 1) -> Swept:
    """Kills the bot at the `first` await of a scene and at each `step` after that; raises AssertionError for a loss."""
    with tempfile.TemporaryDirectory() as directory:
        async with WireServer() as server:
            return await Sweep(server, Path(directory), scene).run(first, step)


class Sweep:
    """A scene, the process that plays it, and what it must come to."""

    def __init__(self, server: WireServer, directory: Path, scene: Scene) -> None:
        self._server = server
        self._database = directory / "games.db"
        self._log = directory / "bot.log"
        self._scene = scene
        self._people = {key: server.person(f"{directory.name} {key}") for key in (REFEREE, "red", "blue")}
        self._process: BotProcess
        self._stage: Stage

    async def run(self, first: int = 1, step: int = 1) -> Swept:
        """As `sweep` says."""
        kills = repeated = 0
        await self._next_stage()
        try:
            begun, awaits = await self._books(), await self._undisturbed()
            wanted = await self._books()
            assert _outcome(wanted) != _outcome(begun), "a scene in which nothing happens"
            await self._use_prompt()
            await self._next_stage()
            for at in range(first, awaits + 1, step):
                try:
                    killed, again = await self._killed_at(at, begun, wanted)
                except AssertionError as fault:
                    raise AssertionError(f"killed at await {at} of {awaits}") from fault
                kills, repeated = kills + killed, repeated + again
        finally:
            self._process.kill()
        return Swept(awaits, kills, repeated)

    async def _undisturbed(self) -> int:
        """How many awaits it takes until all is told, and the bot rests."""
        self._process.light_fuse(_NEVER)
        await self._server.answered(self._stage.act())
        await self._told()
        left = 0
        while left != (left := self._process.fuse):
            await asyncio.sleep(_REST)
        return _NEVER - left

    async def _killed_at(self, at: int, begun: Books, wanted: Books) -> tuple[bool, bool]:
        """Whether there was still something to kill, and whether the command had to be given again."""
        stage = self._stage
        self._process.light_fuse(at)
        told = stage.act()
        killed = await self._dead_or_done(told)
        await self._stop(told)
        now = await self._books()
        if answered(told.record):
            assert _outcome(now) == _outcome(wanted), f"answered and lost: {told.text}"
        again = _outcome(now) != _outcome(wanted)
        await self._next_stage()
        fresh, self._stage = self._stage, stage
        if again:
            await self._server.answered(stage.act())
            await self._told()
        books = await self._books()
        assert _outcome(books) == _outcome(wanted), f"came to {_outcome(books)}, not to {_outcome(wanted)}"
        assert _posts(books) == _posts(wanted), f"posts {_posts(books)}, not {_posts(wanted)}"
        await self._use_prompt()
        self._stage = fresh
        return killed, again

    async def _next_stage(self) -> None:
        """Sets the scene anew while the bot is down, starts it, and waits until all that is owed is told."""
        if hasattr(self, "_process"):
            self._process.kill()
            self._server.gateway.forget()
        self._stage = await staged(self._server, self._database, self._scene, self._people)
        self._process = BotProcess(self._database, self._server.port, self._log)
        await self._server.until(self._server.gateway.ready, "the bot to connect")
        await self._told()

    async def _dead_or_done(self, told: Told) -> bool:
        """Whether it is dead, be it that it dies after all is told."""
        async with asyncio.timeout(PATIENCE):
            while self._process.runs and (owed(self._database) or not answered(told.record)):
                await asyncio.sleep(TICK)
        if self._process.runs:
            await asyncio.sleep(_REST)
        return not self._process.runs

    async def _stop(self, told: Told) -> None:
        self._process.kill()
        self._server.gateway.forget()
        self._server.forgive(told)

    async def _told(self) -> None:
        async with asyncio.timeout(PATIENCE):
            while owed(self._database):
                await asyncio.sleep(TICK)
        assert not errors(self._log), "\n".join(errors(self._log)[:50])
        assert not self._server.world.complaints

    async def _books(self) -> Books:
        return await read(self._database, self._stage.game)

    async def _use_prompt(self) -> None:
        """All is shown, once and in order, and the newest post that asks answers who presses."""
        table = self._stage.table
        check_posts(self._server, table.channel, await self._books())
        if posts := [post for post in self._server.posts(table.channel) if post.components]:
            await self._server.press(self._people["red"], posts[-1])
        await self._told()


def _outcome(books: Books) -> Mapping[str, Any]:
    """What a game has come to; the hash of its log stands for every event and die in it."""
    row = books.row
    return {"status": row.status, "head": row.head, "dice": row.rolled, "log": row.chain, "seats": books.seats}


def _posts(books: Books) -> list[tuple[str, int, int]]:
    return [(post.kind, post.first, post.last) for post in books.posts]

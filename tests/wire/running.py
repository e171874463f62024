"""The bot on the loopback server, in this process."""

import asyncio
import contextlib
import gc
import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from bot.client import StarpostBot, create_bot
from bot.config import Settings
from rules_core.state import State
from tests.wire.game import Table, next_line
from tests.wire.server import WireServer
from tests.wire.world import PATIENCE, TOKEN

# There only to end a test that leads nowhere.
MOST_LINES: Final = 100


def _never(state: State) -> bool:
    return False


class Running:
    """The bot, connected; can be stopped and started again on the same database."""

    def __init__(self, server: WireServer, database: Path, log: pytest.LogCaptureFixture) -> None:
        self._server = server
        self._log = log
        self._accounted = False
        self._settings = Settings(token=TOKEN, database=database)
        self._task: asyncio.Task[None] | None = None
        self.bot: StarpostBot

    async def start(self) -> None:
        """Connects a new bot."""
        self.bot = create_bot(self._settings)
        self.bot.before_identify_hook = _at_once  # type: ignore[method-assign]
        # Discord may take seconds to tell all servers; here they are told at once.
        self.bot._connection.guild_ready_timeout = 0.05
        self._task = asyncio.create_task(self.bot.start(TOKEN))
        await self._server.until(lambda: self._server.gateway.ready() or self._task_failed(), "the bot to connect")
        await self.bot.wait_until_ready()

    async def stop(self) -> None:
        """Takes the bot down in order."""
        await self.bot.close()
        if self._task is not None:
            await self._task

    async def delivered(self) -> None:
        """Waits until nothing is owed any more."""
        async with asyncio.timeout(PATIENCE):
            while await self.bot.store.posts.owed_channels():
                await self.bot.outbox.drain()

    async def state(self, table: Table) -> State:
        """The table as it stands."""
        game = await self.bot.service.game_in(table.channel)
        return (await self.bot.service.load(game.id)).state

    async def play(self, table: Table, lines: int = MOST_LINES, until: Callable[[State], bool] = _never) -> None:
        """Plays so many lines, or until something is true of the table."""
        for _ in range(lines):
            state = await self.state(table)
            if until(state):
                return
            line = next_line(state)
            if not line.typed:
                await self.delivered()
            told = await self._server.answered(table.send(line))
            assert await self.state(table) != state, f"{line} changed nothing: {told.text}"
        assert until is _never, f"not reached in {lines} lines"

    def sent(self, table: Table) -> list[tuple[str, int]]:
        """The posts noted as sent, in order: kind and message; one that was edited into another is that one."""
        return list(dict.fromkeys(sent_posts(self._settings.database, table.channel)))

    async def account(self) -> None:
        """Stops the bot, once: nothing unanswered, no error in the log, no request outside the limits."""
        if self._accounted:
            return
        self._accounted = True
        await self.stop()
        gc.collect()  # an error that nobody fetched is logged only when its task is gone
        errors = [each.getMessage() for each in self._log.get_records("call") if each.levelno >= logging.ERROR]
        assert not self._server.world.complaints
        assert not errors
        assert not self._server.world.unanswered()

    def _task_failed(self) -> bool:
        if self._task is not None and self._task.done():
            self._task.result()
        return False


def sent_posts(database: Path, channel: int) -> list[tuple[str, int]]:
    """What a database holds of the posts of a channel, read beside the bot."""
    sql = "SELECT kind, message FROM posts WHERE channel = ? AND state = 'sent' ORDER BY id"
    with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return connection.execute(sql, (channel,)).fetchall()


async def _at_once(shard_id: int | None, *, initial: bool = False) -> None:
    """Discord wants five seconds between two logins; the loopback server does not."""

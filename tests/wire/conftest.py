"""A loopback Discord for each test, the bot on it, and the accounts at the end."""

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.client import StarpostBot, create_bot
from bot.config import Settings
from tests.wire.pointing import pointed_at
from tests.wire.server import WireServer
from tests.wire.world import TOKEN


class Running:
    """The bot, connected; can be stopped and started again on the same database."""

    def __init__(self, server: WireServer, database: Path) -> None:
        self._server = server
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
        while await self.bot.store.owed_channels():
            await self.bot.outbox.drain()

    def _task_failed(self) -> bool:
        if self._task is not None and self._task.done():
            self._task.result()
        return False


async def _at_once(shard_id: int | None, *, initial: bool = False) -> None:
    """Discord wants five seconds between two logins; the loopback server does not."""


@pytest.fixture
async def server() -> AsyncIterator[WireServer]:
    async with WireServer() as server:
        with pointed_at(server.port):
            yield server


@pytest.fixture
async def running(
    server: WireServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> AsyncIterator[Running]:
    """The bot, and at the end: nothing unanswered, no error in the log, no request outside the limits."""
    running = Running(server, tmp_path / "games.db")
    await running.start()
    yield running
    await running.stop()
    errors = [record.getMessage() for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
    assert not server.world.complaints
    assert not errors
    assert not server.world.unanswered()


@pytest.fixture
def bot(running: Running) -> StarpostBot:
    return running.bot

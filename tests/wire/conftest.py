"""A loopback Discord for each test, the bot on it, and the accounts at the end."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.wire.pointing import pointed_at
from tests.wire.running import Running
from tests.wire.server import WireServer


@pytest.fixture
async def server() -> AsyncIterator[WireServer]:
    async with WireServer() as server:
        with pointed_at(server.port):
            yield server


@pytest.fixture
async def running(server: WireServer, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Running]:
    running = Running(server, tmp_path / "games.db", caplog)
    await running.start()
    yield running
    await running.account()

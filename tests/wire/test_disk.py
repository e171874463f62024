"""The disk is full: a clear answer, nothing half done, and on it goes when there is room again."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from tests.faults.books import read
from tests.wire.game import next_line, open_table
from tests.wire.running import Running
from tests.wire.server import WireServer


@contextmanager
def no_room_beyond(size: int) -> Iterator[None]:
    """No file of this process grows over that size."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def test_a_full_disk(
    server: WireServer, running: Running, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table = await open_table(server)
    await running.delivered()
    before = await read(tmp_path / "games.db")
    line = next_line(before.state)
    with no_room_beyond((tmp_path / "games.db-wal").stat().st_size):
        told = await server.answered(table.send(line))
    assert any("reference" in record.getMessage() for record in caplog.records)
    assert told.text
    caplog.clear()
    assert (await read(tmp_path / "games.db")).entries == before.entries
    await server.answered(table.send(line))
    await running.delivered()
    after = await read(tmp_path / "games.db")
    assert len(after.entries) == len(before.entries) + 1
    assert replace(after.state, standing={}) == await running.bot.service.past.state_at(1, after.head)

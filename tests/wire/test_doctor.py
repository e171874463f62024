"""`starpost doctor` against the loopback Discord, with a bot running."""

import sys
from pathlib import Path

import pytest

from bot.config import Settings
from bot.doctor import examine
from bot.phrases import phrases
from tests.wire.game import open_table
from tests.wire.running import Running
from tests.wire.server import WireServer
from tests.wire.world import TOKEN

WORDS = phrases("en")


async def test_all_is_well_beside_a_running_bot(server: WireServer, running: Running, tmp_path: Path) -> None:
    await open_table(server)
    await running.delivered()
    found = await examine(Settings(token=TOKEN, database=tmp_path / "games.db"), WORDS)
    assert [each.text for each in found if not each.well] == []
    told = "\n".join(each.text for each in found)
    assert "a bot is running on it" in told
    assert "Channel of Border (game 1)" in told
    assert TOKEN not in told


async def test_a_channel_that_is_gone(server: WireServer, running: Running, tmp_path: Path) -> None:
    table = await open_table(server)
    await running.delivered()
    server.world.backend.delete_channel(table.channel)
    found = await examine(Settings(token=TOKEN, database=tmp_path / "games.db"), WORDS)
    (fault,) = [each.text for each in found if not each.well]
    assert "Border (game 1)" in fault


async def test_a_wrong_token_and_a_file_that_is_no_database(server: WireServer, tmp_path: Path) -> None:
    (tmp_path / "games.db").write_text("a letter to nobody\n" * 60)
    found = await examine(Settings(token="not.a.token", database=tmp_path / "games.db"), WORDS)
    faults = [each.text for each in found if not each.well]
    assert [fault.split(":")[0] for fault in faults] == ["Database", "Token"]
    found = await examine(Settings(database=tmp_path / "new.db"), WORDS)
    assert [each.text.split(":")[0] for each in found if not each.well] == ["Token"]


async def test_maps_that_cannot_be_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("renderer.painter.PROGRAM", (sys.executable, "-c", ""))
    found = await examine(Settings(database=tmp_path / "new.db"), WORDS)
    assert [each.text.split(":")[0] for each in found if not each.well] == ["Maps", "Token"]

"""What the bot does each minute beside sending and reminding: the health file, and copies of its database."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from bot.config import Settings
from tests.discord.tools import Table


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    (tmp_path / "backups").mkdir()
    return Settings(
        database=tmp_path / "starpost.db",
        shards=(0,),
        of=1,
        health=tmp_path / "health",
        backups=tmp_path / "backups",
        backup_hours=1,
        backups_kept=2,
    )


async def test_health_and_backups(game: Table, tmp_path: Path) -> None:
    for _ in range(7):
        await game.env.advance_time(timedelta(minutes=10).total_seconds())
    assert json.loads((tmp_path / "health").read_text())["channels_owed"] == 0
    assert len(list((tmp_path / "backups").glob("starpost-*.db"))) == 2


async def test_a_backup_that_cannot_be_made_ends_nothing(
    game: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for made in (tmp_path / "backups").iterdir():
        made.unlink()
    (tmp_path / "backups").rmdir()
    await game.env.advance_time(120)
    assert "no backup" in caplog.text
    assert "2 cruisers" in await game.use("red", "move", from_="202", to="105", units="2 cruisers")

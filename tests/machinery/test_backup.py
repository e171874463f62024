"""Copies of a database that is being used: consistent, on a schedule, rotated."""

import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest

from bot.backup import copy, into, is_due
from bot.cli import main
from bot.config import Settings
from bot.errors import Unusable
from tests.machinery.tools import START, played


async def test_a_copy_of_a_database_in_use_is_the_game_as_it_stands(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    async with played(database) as now:
        await now.do("red", "move", units="cruiser", start="201", to="202")
        made = copy(database, tmp_path / "copy.db")
        then = (await now.service.load(now.game)).state
        await now.do("red", "move", units="cruiser", start="201", to="212")
    assert sorted(path.name for path in tmp_path.glob("copy*")) == ["copy.db"]
    async with played(made) as copied:
        assert (await copied.service.load(copied.game)).state == then


async def test_copies_are_due_by_the_copies_there_and_rotated(tmp_path: Path) -> None:
    database, folder = tmp_path / "games.db", tmp_path / "copies"
    folder.mkdir()
    (folder / "starpost-letters.db").write_text("not one of ours")
    settings = Settings(database=database, backups=folder, backup_hours=6)
    async with played(database):
        pass
    assert is_due(settings, START)
    for hours in (0, 6, 12):
        into(folder, database, START + timedelta(hours=hours), keep=2)
    assert not is_due(settings, START + timedelta(hours=17))
    assert is_due(settings, START + timedelta(hours=18))
    assert sorted(path.name for path in folder.iterdir()) == [
        "starpost-20260101T060000Z.db",
        "starpost-20260101T120000Z.db",
        "starpost-letters.db",
    ]
    assert not is_due(Settings(database=database), START)


async def test_at_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = tmp_path / "games.db"
    async with played(database):
        pass
    command = ["backup", "--database", str(database), "--to", str(tmp_path / "copy.db")]
    assert main(command) == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "copy.db")
    assert main(command) == 2
    assert "exists already" in capsys.readouterr().err


def test_what_is_no_database_of_ours_is_not_copied(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="no such database"):
        copy(tmp_path / "nothing.db", tmp_path / "copy.db")
    (tmp_path / "letter.db").write_text("a letter to nobody\n" * 60)
    with pytest.raises(Unusable, match=r"letter\.db: it cannot be read"):
        copy(tmp_path / "letter.db", tmp_path / "copy.db")
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(Unusable, match="another program"):
        copy(tmp_path / "other.db", tmp_path / "copy.db")
    assert not list(tmp_path.glob("copy*"))


async def test_a_copy_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    async with played(database):
        pass
    with pytest.raises(Unusable, match="cannot be made"):
        copy(database, tmp_path / "nowhere" / "copy.db")

"""`starpost check`, and databases of every version of the schema so far."""

import json
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from bot.check import check
from bot.cli import main
from bot.packing import packed, unpacked
from bot.phrases import phrases
from bot.schema import APPLICATION_ID, SCHEMA
from rules_core.pending import decisions
from tests.machinery.tools import Played, played, war

WORDS = phrases("en")
# Another table than any of these tests.
ELSEWHERE = zlib.compress(json.dumps({**war(), "name": "Peace"}).encode()).hex()


async def to_battle(now: Played) -> None:
    """Plays into the middle of a battle, over an undo."""
    await now.do("red", "move", units="cruiser", start="201", to="202")
    await now.service.undoing.undo(now.game, "red")
    await now.do("red", "move", units="all", start="201", to="101")
    await now.do("red", "done")
    state = (await now.service.load(now.game)).state
    assert state.phase is not None
    assert state.phase.battle is not None


async def test_a_game_in_a_battle_is_as_it_should_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = tmp_path / "games.db"
    async with played(database) as now:
        await to_battle(now)
        # While the game is being played.
        lines, well = await check(database, WORDS)
    assert well
    assert lines[0].endswith("all as it should be.")


def spoilt(database: Path, sql: str) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute(sql)
        connection.commit()


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        (f"UPDATE games SET secret = X'{'01' * 32}'", "dice"),
        ("UPDATE games SET chain = 'x'", "not the one of its hash"),
        ("UPDATE games SET head = head + 1", "but the game is at"),
        ("DELETE FROM entries WHERE first = 2", "is missing"),
        ("UPDATE entries SET events = 'x'", "cannot be read"),
        (f"UPDATE snapshots SET position = X'{ELSEWHERE}' WHERE number > 1", "stored table"),
    ],
)
async def test_what_is_not_as_it_should_be_is_told(tmp_path: Path, sql: str, told: str) -> None:
    database = tmp_path / "games.db"
    async with played(database) as now:
        await to_battle(now)
    spoilt(database, sql)
    lines, well = await check(database, WORDS)
    assert not well
    assert told in "\n".join(lines)


async def test_case_035_a_game_that_cannot_be_read_does_not_end_the_check(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    async with played(database) as now:
        await now.service.end(now.game)
    async with played(database) as now:
        assert now.game == 2
    spoilt(database, "UPDATE snapshots SET position = X'00' WHERE game = 1")
    lines, well = await check(database, WORDS)
    assert not well
    assert "cannot be read" in lines[0]
    assert lines[1].endswith("all as it should be.")


def test_at_the_terminal_a_fault_is_exit_code_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--database", str(tmp_path / "nothing.db")]) == 2
    assert "no such database" in capsys.readouterr().err


# The version since which entries are packed.
PACKED = 7


def as_it_was(database: Path, version: int, old: Path) -> None:
    """Writes what a database holds into one of an older version: its tables, its columns."""
    with closing(sqlite3.connect(old)) as made:
        made.create_function("packed", 1, lambda text: text and packed(text))
        made.create_function("unpacked", 1, lambda data: data and unpacked(data))
        for step in SCHEMA[:version]:
            made.executescript(step)
        made.execute("ATTACH ? AS now", (str(database),))
        for (table,) in made.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'").fetchall():
            if table.startswith("sqlite_"):
                continue
            names = [row[1] for row in made.execute(f"PRAGMA main.table_info({table})")]
            plain = table == "entries" and version < PACKED
            read = (f"unpacked({name})" if plain and name in ("command", "events") else name for name in names)
            made.execute(f"INSERT INTO main.{table} ({', '.join(names)}) SELECT {', '.join(read)} FROM now.{table}")
        made.commit()
        made.executescript(f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {version}")


@pytest.mark.parametrize("version", range(1, len(SCHEMA) + 1))
async def test_case_015_a_battle_in_a_database_of_an_older_version_goes_on(tmp_path: Path, version: int) -> None:
    database, old = tmp_path / "games.db", tmp_path / "old.db"
    async with played(database) as now:
        await to_battle(now)
        then = (await now.service.load(now.game)).state
    as_it_was(database, version, old)
    # A check looks at it as it is, and leaves it so.
    assert (await check(old, WORDS))[1]
    with closing(sqlite3.connect(old)) as untouched:
        assert untouched.execute("PRAGMA user_version").fetchone() == (version,)
    async with played(old) as now:
        assert (await now.service.load(now.game)).state == then
        await now.do("red", "losses", units="1 fighter")
        assert decisions((await now.service.load(now.game)).state) != decisions(then)
    assert (await check(old, WORDS))[1]

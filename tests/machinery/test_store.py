"""The database: steps of the schema, what it refuses, and one transaction a command."""

import asyncio
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from bot.database import IN_MEMORY
from bot.packing import packed
from bot.rows import Entry, Owed
from bot.schema import SCHEMA, StoreError
from bot.store import HeadMoved, Store
from tests.machinery.tools import CHANNEL, played

ENTRY = Entry(1, 1, "red", "now", None, packed("[]"), None, 0, "hash")


async def test_a_new_database_has_been_through_every_step(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with await Store.open(path):
        pass
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA user_version").fetchone() == (len(SCHEMA),)
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)


async def test_it_is_opened_again_with_what_it_holds(tmp_path: Path) -> None:
    async with played(tmp_path / "games.db") as first:
        await first.do("red", "move", units="cruiser", start="201", to="202")
        then = (await first.service.load(first.game)).state
    async with played(tmp_path / "games.db") as second:
        assert (await second.service.load(second.game)).state == then


async def test_a_newer_database_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with await Store.open(path):
        pass
    with sqlite3.connect(path) as database:
        database.execute(f"PRAGMA user_version = {len(SCHEMA) + 1}")
    with pytest.raises(StoreError, match=r"games\.db: made by a newer Starpost \(schema "):
        await Store.open(path)


async def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(StoreError, match="another program"):
        await Store.open(path)
    with sqlite3.connect(path) as database:
        assert database.execute("SELECT name FROM sqlite_master").fetchall() == [("recipes",)]


async def test_what_is_no_database_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    path.write_text("a letter to nobody\n" * 60)
    with pytest.raises(StoreError) as caught:
        await Store.open(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


async def test_a_folder_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened"):
        await Store.open(tmp_path)


async def test_a_stale_command_writes_nothing() -> None:
    async with played() as now:
        row = await now.store.game(now.game)
        with pytest.raises(HeadMoved):
            await now.store.append(replace(row, head=5), replace(ENTRY, first=6, last=6), [Owed("move", 6, 6)])
        assert await now.store.log.entries(now.game) == ()
        assert await now.store.posts.next_owed(CHANNEL) is None
        assert await now.store.game(now.game) == row


async def test_a_failing_write_leaves_nothing_of_itself() -> None:
    async with played() as now:
        row = await now.store.game(now.game)
        await now.store.append(row, ENTRY, [])
        # The entry's number is taken, so the transaction fails after the head was moved.
        with pytest.raises(sqlite3.IntegrityError):
            await now.store.append(await now.store.game(now.game), ENTRY, [Owed("move", 1, 1)])
        assert (await now.store.game(now.game)).head == 1
        assert await now.store.posts.next_owed(CHANNEL) is None


async def test_the_secret_is_not_in_the_repr() -> None:
    async with played() as now:
        row = await now.store.game(now.game)
        assert repr(row.secret) not in repr(row)


async def test_what_is_written_together_is_written_as_a_whole_and_others_wait() -> None:
    async def fail(store: Store) -> None:
        async with store.together():
            await store.set_fact("one", "1")
            async with store.together():
                await store.set_fact("two", "2")
            assert (await store.fact("one"), await store.fact("two")) == ("1", "2")
            await asyncio.sleep(0)
            raise ZeroDivisionError

    async with await Store.open(IN_MEMORY) as store:
        failing = asyncio.create_task(fail(store))
        await asyncio.sleep(0)
        assert await store.fact("one") is None
        with pytest.raises(ZeroDivisionError):
            await failing
        assert (await store.fact("one"), await store.fact("two")) == (None, None)
        async with store.together():
            await store.set_fact("one", "1")
        assert await store.fact("one") == "1"

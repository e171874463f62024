"""`starpost games move`: carries a game from one database into another, for instance to another range of shards."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from bot.clock import SystemClock
from bot.errors import Unusable
from bot.lease import leased
from bot.service import Service
from bot.store import Store

# What is numbered anew in the other database.
_OWN_NUMBERS: Final = {"posts": "id"}


def move(source: Path, target: Path, game: int) -> int:
    """Copies the game, then deletes it where it was; gives its number there. No bot may run on either database.

    If that is interrupted the game is in both, never in none; doing it again is refused then, and says what to do.
    """
    with leased(source), leased(target):
        asyncio.run(_bring_up_to_date(source, target))
        with closing(sqlite3.connect(source, isolation_level=None)) as connection:
            connection.execute("ATTACH ? AS there", (str(target),))
            number = _copy(connection, game, target)
        asyncio.run(_remove(source, game))
        if number != game:
            asyncio.run(_ask_anew(target, number))
    return number


async def _bring_up_to_date(*databases: Path) -> None:
    for database in databases:
        async with await Store.open(database):
            pass


async def _ask_anew(database: Path, game: int) -> None:
    """The buttons in the channel name the old number and do nothing any more: a post with new ones is owed."""
    async with await Store.open(database) as store:
        service = Service(store, SystemClock(), lambda channel: None)
        await service.tell_how_it_stands(game)


async def _remove(database: Path, game: int) -> None:
    async with await Store.open(database) as store:
        await store.remove_game(game)


def _copy(connection: sqlite3.Connection, game: int, target: Path) -> int:
    """All rows of the game, in one transaction of the other database."""
    connection.execute("BEGIN IMMEDIATE")
    taken = "SELECT t.id FROM there.games t JOIN main.games g USING (channel) WHERE g.id = ? AND t.status <> 'ended'"
    if (found := connection.execute(taken, (game,)).fetchone()) is not None:
        raise Unusable(f"{target}: its game {found[0]} is in the same channel; if that is this game, remove it here")
    number = _number(connection, game)
    for table in ("games", *_tables_of_games(connection)):
        key = "id" if table == "games" else "game"
        columns = [column for column in _columns(connection, table) if column not in (key, _OWN_NUMBERS.get(table))]
        listed = ", ".join(columns)
        connection.execute(
            f"INSERT INTO there.{table} ({key}, {listed}) SELECT ?, {listed} FROM main.{table} WHERE {key} = ?",
            (number, game),
        )
    connection.execute("COMMIT")
    return number


def _number(connection: sqlite3.Connection, game: int) -> int:
    """Its own number if that is free, so that the buttons of its messages go on working; else the next."""
    if connection.execute("SELECT 1 FROM there.games WHERE id = ?", (game,)).fetchone() is None:
        return game
    return int(connection.execute("SELECT max(id) + 1 FROM there.games").fetchone()[0])


def _tables_of_games(connection: sqlite3.Connection) -> list[str]:
    named = connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return [table for (table,) in named.fetchall() if "game" in _columns(connection, table)]


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA main.table_info({table})")]

"""The log of a game as rows: its entries, and tables kept on the way."""

import zlib
from typing import Final

import aiosqlite

from bot.database import Database
from bot.rows import Entry, Snapshot, columns, values

_ENTRY: Final = columns(Entry)


class Log:
    """The logs of all games, to be read; `Store.append` adds to them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def entries(self, game: int, after: int = 0, until: int | None = None) -> tuple[Entry, ...]:
        """The entries with an event after number `after`, up to the one that holds number `until`."""
        rows = await self._database.rows(
            f"SELECT {_ENTRY} FROM entries WHERE game = ? AND last > ? AND first <= ? ORDER BY first",
            (game, after, 2**62 if until is None else until),
        )
        return tuple(Entry(*row) for row in rows)

    async def entry_with(self, game: int, number: int) -> Entry:
        """The entry that holds the event `number`; raises KeyError."""
        return (await self.entries_to(game, number, 1))[0]

    async def entries_to(self, game: int, number: int, most: int) -> tuple[Entry, ...]:
        """The entry that holds the event `number` and those before it, the newest first; raises KeyError."""
        rows = await self._database.rows(
            f"SELECT {_ENTRY} FROM entries WHERE game = ? AND first <= ? ORDER BY first DESC LIMIT ?",
            (game, number, most),
        )
        if not rows or rows[0][1] < number:
            raise KeyError(number)
        return tuple(Entry(*row) for row in rows)

    async def snapshot(self, game: int, until: int) -> Snapshot:
        """The latest snapshot not after event `until`."""
        rows = await self._database.rows(
            "SELECT number, position FROM snapshots WHERE game = ? AND number <= ? ORDER BY number DESC LIMIT 1",
            (game, until),
        )
        number, packed = next(iter(rows))
        return Snapshot(number, zlib.decompress(packed).decode())


async def write_entry(write: aiosqlite.Connection, game: int, entry: Entry) -> None:
    """Adds an entry, as a part of what is written together."""
    await write.execute(
        f"INSERT INTO entries (game, {_ENTRY}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (game, *values(entry)),
    )


async def write_snapshot(write: aiosqlite.Connection, game: int, snapshot: Snapshot) -> None:
    """Keeps a table, as a part of what is written together."""
    await write.execute(
        "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?)",
        (game, snapshot.number, zlib.compress(snapshot.position.encode())),
    )

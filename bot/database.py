"""One SQLite file that all tasks share: what one has begun is over before another looks."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import aiosqlite

from bot.locks import TaskLock
from bot.schema import StoreError, prepare

IN_MEMORY: Final = ":memory:"


class Database:
    """The open database. Use it as `async with await Database.open(path) as database`."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection
        # All share one connection, so what one task has begun must be over before another looks.
        self._lock = TaskLock()

    @classmethod
    async def open(cls, path: Path | str) -> Self:
        """Opens or makes the database; raises StoreError with one clear line."""
        try:
            # Tried first without aiosqlite, whose thread outlives a failure to open.
            await asyncio.to_thread(lambda: sqlite3.connect(path).close())
        except sqlite3.Error as error:
            raise StoreError(f"{path}: the database cannot be opened ({error})") from error
        connection = await aiosqlite.connect(path, isolation_level=None)
        try:
            await prepare(connection)
        except sqlite3.Error as error:
            await connection.close()
            raise StoreError(f"{path}: not a database that can be written ({error})") from error
        except StoreError as error:
            await connection.close()
            raise StoreError(f"{path}: {error}") from error
        return cls(connection)

    async def close(self) -> None:
        """Closes the database."""
        await self._connection.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    @asynccontextmanager
    async def together(self) -> AsyncIterator[None]:
        """What this task writes inside is written as a whole, or not at all; all others wait."""
        async with self.transaction():
            yield

    async def rows(self, sql: str, values: tuple[Any, ...] = ()) -> list[sqlite3.Row]:
        """What a query finds."""
        async with self._lock:
            return list(await self._connection.execute_fetchall(sql, values))

    async def write(self, sql: str, values: tuple[Any, ...]) -> None:
        """Follows one statement."""
        async with self.transaction() as write:
            await write.execute(sql, values)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[aiosqlite.Connection]:
        """Several statements, all of them or none."""
        async with self._lock:
            if self._connection.in_transaction:  # a part of what this task writes together
                yield self._connection
                return
            try:
                await self._connection.execute("BEGIN IMMEDIATE")
                yield self._connection
                await self._connection.commit()
            except BaseException:  # a cancelled task too must leave no transaction open
                await self._connection.rollback()
                raise

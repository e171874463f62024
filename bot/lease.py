"""One writer: who runs the bot on a database holds a lease on it, and a second process does not get it.

The lease is a transaction that is never committed, in an empty SQLite file beside the database: the system takes it
back the moment its process is gone, however it went, so there is nothing to expire and nothing to clean up.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

from bot.errors import Unusable

log = logging.getLogger(__name__)

# How often a standby looks whether the first process is gone, in seconds.
LOOK_EVERY: Final = 1.0


class Taken(Unusable):
    """Another process holds the lease."""


class Lease:
    """The right to write to a database, until it is released."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @classmethod
    def take(cls, database: Path) -> Self:
        """Takes the lease; raises Taken if another has it."""
        path = lease_path(database)
        try:
            connection = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise Unusable(f"{database}: the database cannot be opened ({path}: {error})") from error
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            connection.close()
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise Taken(
                    f"{database}: another Starpost runs on this database; stop it first, or start this one with"
                    " --standby, to take over when it is gone"
                ) from error
            raise Unusable(f"{database}: not a database that can be written ({path}: {error})") from error
        return cls(connection)

    @classmethod
    async def wait(cls, database: Path) -> Self:
        """Takes the lease as soon as no other has it."""
        waiting = False
        while True:
            try:
                return cls.take(database)
            except Taken:
                if not waiting:
                    log.warning("%s: another Starpost runs on this database; standing by until it is gone", database)
                waiting = True
            await asyncio.sleep(LOOK_EVERY)

    def release(self) -> None:
        """Lets others have it."""
        self._connection.close()


@contextmanager
def leased(database: Path) -> Iterator[None]:
    """Holds the lease inside; raises Taken if another has it."""
    lease = Lease.take(database)
    try:
        yield
    finally:
        lease.release()


def lease_path(database: Path) -> Path:
    """The file of the lease; the same by whatever way the database is named."""
    real = database.resolve()
    return real.with_name(f"{real.name}-lease")

"""The tables of the database, version by version, and how a file is brought up to date."""

from typing import Final

import aiosqlite

from bot.errors import Unusable
from bot.packing import packed

APPLICATION_ID: Final = 0x53545250

# One SQL text for each version of the schema; `PRAGMA user_version` says how many a file has been through.
SCHEMA: Final = (
    """
    CREATE TABLE games (
        id INTEGER PRIMARY KEY,
        guild INTEGER NOT NULL,
        channel INTEGER NOT NULL,
        name TEXT NOT NULL,
        language TEXT NOT NULL,
        referee INTEGER NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('lobby', 'running', 'ended')),
        secret BLOB NOT NULL,
        created TEXT NOT NULL,
        head INTEGER NOT NULL,
        rolled INTEGER NOT NULL,
        chain TEXT NOT NULL
    );
    CREATE UNIQUE INDEX one_game_a_channel ON games (channel) WHERE status <> 'ended';
    CREATE TABLE seats (
        game INTEGER NOT NULL REFERENCES games (id),
        key TEXT NOT NULL,
        race TEXT NOT NULL,
        user INTEGER,
        joined TEXT,
        standing TEXT NOT NULL,
        PRIMARY KEY (game, key)
    ) WITHOUT ROWID;
    CREATE INDEX seats_of_a_user ON seats (user) WHERE user IS NOT NULL;
    CREATE TABLE entries (
        game INTEGER NOT NULL REFERENCES games (id),
        first INTEGER NOT NULL,
        last INTEGER NOT NULL,
        actor TEXT NOT NULL,
        at TEXT NOT NULL,
        command TEXT,
        events TEXT NOT NULL,
        returns_to INTEGER,
        rolled INTEGER NOT NULL,
        chain TEXT NOT NULL,
        PRIMARY KEY (game, first)
    ) WITHOUT ROWID;
    CREATE TABLE snapshots (
        game INTEGER NOT NULL REFERENCES games (id),
        number INTEGER NOT NULL,
        position BLOB NOT NULL,
        PRIMARY KEY (game, number)
    ) WITHOUT ROWID;
    CREATE TABLE posts (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        game INTEGER NOT NULL REFERENCES games (id),
        channel INTEGER NOT NULL,
        kind TEXT NOT NULL,
        first INTEGER NOT NULL,
        last INTEGER NOT NULL,
        language TEXT NOT NULL,
        created TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('owed', 'sent', 'undeliverable')),
        message INTEGER,
        settled TEXT
    );
    CREATE INDEX posts_owed ON posts (channel, id) WHERE state = 'owed';
    CREATE TABLE prompts (
        game INTEGER NOT NULL REFERENCES games (id),
        decision TEXT NOT NULL,
        opened INTEGER NOT NULL,
        channel INTEGER NOT NULL,
        message INTEGER NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('open', 'closed')),
        PRIMARY KEY (game, decision, opened)
    ) WITHOUT ROWID;
    CREATE TABLE users (
        id INTEGER PRIMARY KEY,
        language TEXT NOT NULL
    );
    CREATE TABLE facts (
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE proposals (
        game INTEGER NOT NULL REFERENCES games (id),
        number INTEGER NOT NULL,
        actor TEXT NOT NULL,
        returns_to INTEGER NOT NULL,
        asked TEXT NOT NULL,
        agreed TEXT NOT NULL,
        PRIMARY KEY (game, number)
    ) WITHOUT ROWID;
    """,
    """
    ALTER TABLE games ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
    ALTER TABLE seats ADD COLUMN remind INTEGER;
    ALTER TABLE seats ADD COLUMN away TEXT;
    ALTER TABLE posts ADD COLUMN about TEXT NOT NULL DEFAULT '';
    CREATE TABLE waits (
        game INTEGER NOT NULL REFERENCES games (id),
        player TEXT NOT NULL,
        decision TEXT NOT NULL,
        since TEXT NOT NULL,
        sent INTEGER NOT NULL DEFAULT 0,
        muted INTEGER NOT NULL DEFAULT 0,
        late INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (game, player)
    ) WITHOUT ROWID;
    """,
    """
    ALTER TABLE games ADD COLUMN words TEXT NOT NULL DEFAULT '{}';
    ALTER TABLE games ADD COLUMN imported INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE games ADD COLUMN revealed INTEGER NOT NULL DEFAULT 0;
    """,
    """
    ALTER TABLE games ADD COLUMN second INTEGER;
    CREATE TABLE plans (
        game INTEGER NOT NULL REFERENCES games (id),
        player TEXT NOT NULL,
        commands TEXT NOT NULL,
        PRIMARY KEY (game, player)
    ) WITHOUT ROWID;
    """,
    """
    ALTER TABLE games ADD COLUMN broken TEXT NOT NULL DEFAULT '';
    ALTER TABLE posts ADD COLUMN begun TEXT;
    ALTER TABLE posts ADD COLUMN reason TEXT NOT NULL DEFAULT '';
    """,
    # Snapshots fill more than a quarter of a page: a table without row numbers would waste as much again.
    """
    ALTER TABLE entries RENAME TO unpacked_entries;
    CREATE TABLE entries (
        game INTEGER NOT NULL REFERENCES games (id),
        first INTEGER NOT NULL,
        last INTEGER NOT NULL,
        actor TEXT NOT NULL,
        at TEXT NOT NULL,
        command BLOB,
        events BLOB NOT NULL,
        returns_to INTEGER,
        rolled INTEGER NOT NULL,
        chain TEXT NOT NULL,
        PRIMARY KEY (game, first)
    ) WITHOUT ROWID;
    INSERT INTO entries
        SELECT game, first, last, actor, at, packed(command), packed(events), returns_to, rolled, chain
        FROM unpacked_entries;
    DROP TABLE unpacked_entries;
    ALTER TABLE snapshots RENAME TO old_snapshots;
    CREATE TABLE snapshots (
        game INTEGER NOT NULL REFERENCES games (id),
        number INTEGER NOT NULL,
        position BLOB NOT NULL,
        PRIMARY KEY (game, number)
    );
    INSERT INTO snapshots SELECT * FROM old_snapshots;
    DROP TABLE old_snapshots;
    ALTER TABLE posts ADD COLUMN repeated TEXT;
    """,
)


class StoreError(Unusable):
    """A database that cannot be used."""


async def prepare(connection: aiosqlite.Connection) -> None:
    """Brings an open database up to date; raises StoreError if it is none of ours."""
    await connection.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
    version = await _pragma(connection, "user_version")
    if version > len(SCHEMA):
        raise StoreError(f"made by a newer Starpost (schema {version}; this one knows schemas up to {len(SCHEMA)})")
    if await _pragma(connection, "schema_version") and await _pragma(connection, "application_id") != APPLICATION_ID:
        raise StoreError("a database of another program")
    # SQLite opens a file that is read-only without a word, and the first command would fail.
    await connection.executescript(f"BEGIN IMMEDIATE; PRAGMA user_version = {version}; ROLLBACK")
    await connection.create_function("packed", 1, _packed, deterministic=True)
    for number, step in enumerate(SCHEMA[version:], version + 1):
        await connection.executescript(
            f"BEGIN IMMEDIATE; {step}; PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {number}; COMMIT"
        )


def _packed(text: str | None) -> bytes | None:
    return None if text is None else packed(text)


async def _pragma(connection: aiosqlite.Connection, name: str) -> int:
    rows = await connection.execute_fetchall(f"PRAGMA {name}")
    return int(next(iter(rows))[0])

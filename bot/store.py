"""What is kept: one SQLite file with all games. It knows rows and texts, no rules and no words.

A command is one transaction: its entry in the log, the posts it owes, a snapshot where one is due, and the game's new
head, refused if the head is not where the command was judged.
"""

import asyncio
import sqlite3
import zlib
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import aiosqlite

from bot.errors import Unusable
from bot.locks import TaskLock
from bot.packing import packed, unpacked

IN_MEMORY: Final = ":memory:"
APPLICATION_ID: Final = 0x53545250
# The kind of post that tells a referee of another.
_UNDELIVERED: Final = "undelivered"

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


class ChannelTaken(Exception):
    """The channel has a game already; nothing was written."""


class HeadMoved(Exception):
    """Somebody else wrote to the game after this command was judged; nothing was written."""


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game. `head`: number of its last event; `rolled`: dice in its live events; `chain`: hash of its log.

    `settings`: what its table agreed on beside the rules (JSON). `words`: what players added to the secret (JSON).
    `imported`: number of the last event that came with a file. `revealed`: whether the secret is public (0, 1).
    `second`: another user who may do what the referee may. `broken`: the reference of the fault for which it is set
    aside.
    """

    id: int
    guild: int
    channel: int
    name: str
    language: str
    referee: int
    status: str
    secret: bytes
    created: str
    head: int
    rolled: int
    chain: str
    settings: str = "{}"
    words: str = "{}"
    imported: int = 0
    revealed: int = 0
    second: int | None = None
    broken: str = ""

    def __repr__(self) -> str:
        # The secret of a running game must not get into a log.
        return f"GameRow(id={self.id}, channel={self.channel}, name={self.name!r}, head={self.head})"


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's place in a game, with the user who holds it and his standing orders (JSON, private)."""

    game: int
    key: str
    race: str
    user: int | None
    joined: str | None
    standing: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A command that was followed, or an undo: never changed, never deleted.

    `events`: a JSON list, numbered `first` to `last` in the game. `returns_to`: for an undo, the number of the event
    after which the game stands again. `rolled` and `chain` are the game's after this entry.
    """

    first: int
    last: int
    actor: str
    at: str
    command: str | None
    events: str
    returns_to: int | None
    rolled: int
    chain: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole state (JSON) after event `number`."""

    number: int
    position: str


@dataclass(frozen=True, slots=True)
class Owed:
    """A post that a command owes the game's channel: its words and picture are made when it is sent.

    `about`: what the events do not tell, such as the players it is for.
    """

    kind: str
    first: int
    last: int
    about: str = ""


@dataclass(frozen=True, slots=True)
class Post:
    """A post that is owed, with its id and where it goes.

    `begun`: since when it may have been sent without a confirmation; `repeated`: since when once more, marked as a
    repeat. `reason`: why it can never be delivered.
    """

    id: int
    game: int
    channel: int
    kind: str
    first: int
    last: int
    language: str
    created: str
    about: str = ""
    begun: str | None = None
    reason: str = ""
    repeated: str | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """A seat that is waited for: for which decisions, since when, and what was done about it.

    `sent`: reminders; `late`: the deadline was dealt with. `remind`: hours until the first one, if its holder chose;
    `away`: until when he wants none.
    """

    game: int
    player: str
    decision: str
    since: str
    sent: int
    muted: int
    late: int
    remind: int | None
    away: str | None
    settings: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """The message that asks for a decision, since the event `opened`."""

    game: int
    decision: str
    opened: int
    channel: int
    message: int
    status: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """An undo that others must agree to; it holds as long as event `number` is the last one.

    `asked`, `agreed`: keys of players, with blanks between them.
    """

    game: int
    number: int
    actor: str
    returns_to: int
    asked: str
    agreed: str


_GAME: Final = (
    "id, guild, channel, name, language, referee, status, secret, created, head, rolled, chain, settings,"
    " words, imported, revealed, second, broken"
)
_SEAT: Final = "game, key, race, user, joined, standing"
_ENTRY: Final = "first, last, actor, at, command, events, returns_to, rolled, chain"
_POST: Final = "id, game, channel, kind, first, last, language, created, about, begun, reason, repeated"
# Nothing can be told of a game that is set aside but just that.
_TO_BE_SENT: Final = "state = 'owed' AND (kind = 'broken' OR game NOT IN (SELECT id FROM games WHERE broken <> ''))"
_PROPOSAL: Final = "game, number, actor, returns_to, asked, agreed"
_PROMPT: Final = "game, decision, opened, channel, message, status"


class Store:
    """The open database. Use it as `async with await Store.open(path) as store`."""

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
            await _prepare(connection)
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

    # ---- games

    async def create_game(
        self, game: GameRow, seats: Iterable[Seat], log: Iterable[Entry], snapshots: Iterable[Snapshot]
    ) -> GameRow:
        """Writes a new game (its `id` is given here); its first snapshot is the position it starts from."""
        async with self._transaction() as write:
            taken = "SELECT 1 FROM games WHERE channel = ? AND status <> 'ended'"
            if await write.execute_fetchall(taken, (game.channel,)):
                raise ChannelTaken(game.channel)
            new = await write.execute_insert(
                f"INSERT INTO games ({_GAME.removeprefix('id, ')}) VALUES ({', '.join('?' * _GAME.count(','))})",
                astuple(game)[1:],
            )
            assert new is not None, "an insert without a row"
            number = int(new[0])
            await _write_beginning(write, number, seats, log, snapshots)
        return await self.game(number)

    async def game(self, id: int) -> GameRow:
        """The game of that id; raises KeyError."""
        rows = await self._rows(f"SELECT {_GAME} FROM games WHERE id = ?", (id,))
        if not rows:
            raise KeyError(id)
        return GameRow(*rows[0])

    async def game_in(self, channel: int) -> GameRow | None:
        """The game of a channel that has not ended."""
        rows = await self._rows(f"SELECT {_GAME} FROM games WHERE channel = ? AND status <> 'ended'", (channel,))
        return GameRow(*rows[0]) if rows else None

    async def last_game_in(self, channel: int) -> GameRow | None:
        """The newest game of a channel, be it over."""
        rows = await self._rows(f"SELECT {_GAME} FROM games WHERE channel = ? ORDER BY id DESC LIMIT 1", (channel,))
        return GameRow(*rows[0]) if rows else None

    async def games_in(self, channels: Iterable[int | None]) -> tuple[GameRow, ...]:
        """All games of some channels, those that have ended too."""
        wanted = tuple(channels)
        rows = await self._rows(f"SELECT {_GAME} FROM games WHERE channel IN ({','.join('?' * len(wanted))})", wanted)
        return tuple(GameRow(*row) for row in rows)

    async def all_games(self) -> tuple[GameRow, ...]:
        """Every game, the oldest first."""
        rows = await self._rows(f"SELECT {_GAME} FROM games ORDER BY id")
        return tuple(GameRow(*row) for row in rows)

    async def remove_game(self, game: int) -> None:
        """Deletes a game with all that belongs to it."""
        async with self._transaction() as write:
            rows = await write.execute_fetchall("SELECT name FROM pragma_table_list WHERE schema = 'main'")
            tables = [str(row[0]) for row in rows if not str(row[0]).startswith("sqlite_")]
            for table in tables:
                columns = await write.execute_fetchall("SELECT name FROM pragma_table_info(?)", (table,))
                if "game" in {str(column[0]) for column in columns}:
                    await write.execute(f"DELETE FROM {table} WHERE game = ?", (game,))
            await write.execute("DELETE FROM games WHERE id = ?", (game,))

    async def live_games(self) -> tuple[GameRow, ...]:
        """All games that have not ended."""
        rows = await self._rows(f"SELECT {_GAME} FROM games WHERE status <> 'ended' ORDER BY id")
        return tuple(GameRow(*row) for row in rows)

    async def set_status(self, game: int, status: str) -> None:
        """`lobby`, `running` or `ended`."""
        await self._write("UPDATE games SET status = ? WHERE id = ?", (status, game))

    async def set_aside(self, game: GameRow, reference: str, at: str) -> None:
        """A game that cannot be read is left alone until the next start; its table is owed word of it."""
        async with self._transaction() as write:
            await write.execute("UPDATE games SET broken = ? WHERE id = ?", (reference, game.id))
            await _write_owed(write, game, Owed("broken", game.head, game.head, reference), at)

    async def try_again(self) -> None:
        """Whatever was set aside is tried again: it, or the program, may have been mended."""
        await self._write("UPDATE games SET broken = '' WHERE broken <> ''", ())

    async def set_words(self, game: int, words: str) -> None:
        """What the players have added to the secret (JSON)."""
        await self._write("UPDATE games SET words = ? WHERE id = ?", (words, game))

    async def reveal(self, game: int) -> None:
        """The secret is public from now on."""
        await self._write("UPDATE games SET revealed = 1 WHERE id = ?", (game,))

    async def set_channel(self, game: int, channel: int) -> None:
        """Moves a game and what it is owed to another channel; raises ChannelTaken."""
        async with self._transaction() as write:
            taken = "SELECT 1 FROM games WHERE channel = ? AND status <> 'ended' AND id <> ?"
            if await write.execute_fetchall(taken, (channel, game)):
                raise ChannelTaken(channel)
            await write.execute("UPDATE games SET channel = ? WHERE id = ?", (channel, game))
            await write.execute("UPDATE posts SET channel = ? WHERE game = ? AND state = 'owed'", (channel, game))

    async def set_referee(self, game: int, user: int) -> None:
        """Another user is referee from now on."""
        await self._write("UPDATE games SET referee = ? WHERE id = ?", (user, game))

    async def set_second(self, game: int, user: int | None) -> None:
        """Another user may do what the referee may."""
        await self._write("UPDATE games SET second = ? WHERE id = ?", (user, game))

    async def plan(self, game: int, player: str) -> str | None:
        """The private draft of a seat (JSON)."""
        rows = await self._rows("SELECT commands FROM plans WHERE game = ? AND player = ?", (game, player))
        return str(rows[0][0]) if rows else None

    async def set_plan(self, game: int, player: str, commands: str | None) -> None:
        """Keeps the private draft of a seat, or (None) drops it."""
        async with self._transaction() as write:
            await _write_plan(write, game, player, commands)

    async def set_up_game(
        self, game: GameRow, seats: Iterable[Seat], log: Iterable[Entry], snapshots: Iterable[Snapshot]
    ) -> None:
        """Another beginning for a game in the lobby, in place of the one it has."""
        async with self._transaction() as write:
            await write.execute(
                "UPDATE games SET name = ?, head = ?, rolled = ?, chain = ?, imported = ? WHERE id = ?",
                (game.name, game.head, game.rolled, game.chain, game.imported, game.id),
            )
            for table in ("seats", "entries", "snapshots"):
                await write.execute(f"DELETE FROM {table} WHERE game = ?", (game.id,))
            await _write_beginning(write, game.id, seats, log, snapshots)

    # ---- seats and users

    async def seats(self, game: int) -> tuple[Seat, ...]:
        """The seats of a game."""
        rows = await self._rows(f"SELECT {_SEAT} FROM seats WHERE game = ?", (game,))
        return tuple(Seat(*row) for row in rows)

    async def seats_of(self, user: int) -> tuple[Seat, ...]:
        """The seats that a user holds in running games."""
        of_seat = ", ".join(f"s.{column.strip()}" for column in _SEAT.split(","))
        rows = await self._rows(
            f"SELECT {of_seat} FROM seats s JOIN games g ON g.id = s.game"
            " WHERE s.user = ? AND g.status = 'running' ORDER BY s.game, s.key",
            (user,),
        )
        return tuple(Seat(*row) for row in rows)

    async def seat(self, game: int, key: str, user: int | None, joined: str | None) -> None:
        """Gives a seat to a user, or (None) makes it vacant; what its holder had set for himself goes."""
        await self._write(
            "UPDATE seats SET user = ?, joined = ?, remind = NULL, away = NULL WHERE game = ? AND key = ?",
            (user, joined, game, key),
        )

    async def set_standing(self, game: int, key: str, standing: str) -> None:
        """The standing orders of a seat."""
        await self._write("UPDATE seats SET standing = ? WHERE game = ? AND key = ?", (standing, game, key))

    async def forget(self, user: int) -> int:
        """Takes a user out of all ended games, and what he set for himself; gives in how many games he was named."""
        async with self._transaction() as write:
            ended = "SELECT id FROM games WHERE status = 'ended'"
            named = await write.execute_fetchall(
                f"SELECT id FROM games WHERE id IN ({ended}) AND (referee = :user OR second = :user"
                " OR id IN (SELECT game FROM seats WHERE user = :user))",
                {"user": user},
            )
            await write.execute(
                f"UPDATE seats SET user = NULL, joined = NULL WHERE user = ? AND game IN ({ended})", (user,)
            )
            await write.execute("UPDATE games SET referee = 0 WHERE referee = ? AND status = 'ended'", (user,))
            await write.execute("UPDATE games SET second = NULL WHERE second = ? AND status = 'ended'", (user,))
            await write.execute("DELETE FROM users WHERE id = ?", (user,))
        return len(list(named))

    async def language_of(self, user: int) -> str | None:
        """The language a user has set for himself."""
        rows = await self._rows("SELECT language FROM users WHERE id = ?", (user,))
        return str(rows[0][0]) if rows else None

    async def set_language(self, user: int, language: str) -> None:
        """The language in which a user wants to be answered."""
        await self._write(
            "INSERT INTO users VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET language = excluded.language",
            (user, language),
        )

    async def fact(self, name: str) -> str | None:
        """What was noted under a name, for the program itself."""
        rows = await self._rows("SELECT value FROM facts WHERE name = ?", (name,))
        return str(rows[0][0]) if rows else None

    async def set_fact(self, name: str, value: str) -> None:
        """Notes something under a name."""
        await self._write("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    # ---- the log

    async def append(
        self,
        game: GameRow,
        entry: Entry,
        owed: Iterable[Owed],
        snapshot: Snapshot | None = None,
        waits: Mapping[str, str] | None = None,
        plan: tuple[str, str | None] | None = None,
    ) -> GameRow:
        """Writes an entry, the posts it owes and maybe a snapshot, or nothing: raises HeadMoved if `game` is stale.

        `waits`: the seats that are waited for now, each with its decisions. `plan`: a seat, and what is left of its
        plan.
        """
        async with self._transaction() as write:
            moved = await write.execute(
                "UPDATE games SET head = ?, rolled = ?, chain = ? WHERE id = ? AND head = ?",
                (entry.last, entry.rolled, entry.chain, game.id, game.head),
            )
            if moved.rowcount != 1:
                raise HeadMoved(game.id)
            await _write_entry(write, game.id, entry)
            for each in owed:
                await _write_owed(write, game, each, entry.at)
            await _write_waits(write, game.id, waits or {}, entry.at, entry.actor)
            if plan is not None:
                await _write_plan(write, game.id, *plan)
            if snapshot is not None:
                await _write_snapshot(write, game.id, snapshot)
        return await self.game(game.id)

    async def entries(self, game: int, after: int = 0, until: int | None = None) -> tuple[Entry, ...]:
        """The entries with an event after number `after`, up to the one that holds number `until`."""
        rows = await self._rows(
            f"SELECT {_ENTRY} FROM entries WHERE game = ? AND last > ? AND first <= ? ORDER BY first",
            (game, after, 2**62 if until is None else until),
        )
        return tuple(map(_entry, rows))

    async def entry_with(self, game: int, number: int) -> Entry:
        """The entry that holds the event `number`; raises KeyError."""
        rows = await self._rows(
            f"SELECT {_ENTRY} FROM entries WHERE game = ? AND first <= ? ORDER BY first DESC LIMIT 1", (game, number)
        )
        if not rows or rows[0][1] < number:
            raise KeyError(number)
        return _entry(rows[0])

    async def snapshot(self, game: int, until: int) -> Snapshot:
        """The latest snapshot not after event `until`."""
        rows = await self._rows(
            "SELECT number, position FROM snapshots WHERE game = ? AND number <= ? ORDER BY number DESC LIMIT 1",
            (game, until),
        )
        number, packed = next(iter(rows))
        return Snapshot(number, zlib.decompress(packed).decode())

    # ---- posts and prompts

    async def owe(self, game: GameRow, owed: Owed, at: str) -> None:
        """A post that no entry of the log owes."""
        async with self._transaction() as write:
            await _write_owed(write, game, owed, at)

    async def was_posted(self, game: int, after: int, kinds: Sequence[str]) -> bool:
        """Whether a post of one of these kinds tells of anything after event `after`."""
        wanted = ",".join("?" * len(kinds))
        sql = f"SELECT 1 FROM posts WHERE game = ? AND last > ? AND kind IN ({wanted}) LIMIT 1"
        return bool(await self._rows(sql, (game, after, *kinds)))

    async def owed_channels(self) -> tuple[int, ...]:
        """The channels that are owed a post."""
        rows = await self._rows(f"SELECT DISTINCT channel FROM posts WHERE {_TO_BE_SENT} ORDER BY channel")
        return tuple(row[0] for row in rows)

    async def next_owed(self, channel: int) -> Post | None:
        """The oldest post that a channel is owed."""
        rows = await self._rows(
            f"SELECT {_POST} FROM posts WHERE {_TO_BE_SENT} AND channel = ? ORDER BY id LIMIT 1", (channel,)
        )
        return Post(*rows[0]) if rows else None

    async def post(self, id: int) -> Post:
        """A post, whatever became of it; raises KeyError."""
        rows = await self._rows(f"SELECT {_POST} FROM posts WHERE id = ?", (id,))
        if not rows:
            raise KeyError(id)
        return Post(*rows[0])

    async def begin_post(self, post: int, at: str | None) -> None:
        """A post may have been sent from now on, or (None) was certainly not."""
        await self._write("UPDATE posts SET begun = ? WHERE id = ?", (at, post))

    async def repeat_post(self, post: int, at: str | None) -> None:
        """A post may have been sent once more from now on, or (None) was certainly not."""
        await self._write("UPDATE posts SET repeated = ? WHERE id = ?", (at, post))

    async def settle_post(self, post: int, message: int | None, at: str) -> None:
        """A post was sent as `message`, or (None) dropped, because it had become untrue."""
        await self._write("UPDATE posts SET state = 'sent', message = ?, settled = ? WHERE id = ?", (message, at, post))

    async def give_up_post(self, post: Post, reason: str, at: str, owe_word: bool = False) -> int:
        """A post can never be delivered. Gives the referee, who is maybe owed word of it, under his number."""
        async with self._transaction() as write:
            await write.execute(
                "UPDATE posts SET state = 'undeliverable', settled = ?, reason = ? WHERE id = ?", (at, reason, post.id)
            )
            found = await write.execute_fetchall(f"SELECT {_GAME} FROM games WHERE id = ?", (post.game,))
            game = GameRow(*next(iter(found)))
            if owe_word and post.kind != _UNDELIVERED:
                told = Owed(_UNDELIVERED, post.first, post.last, str(post.id))
                await _write_owed(write, replace(game, channel=game.referee), told, at)
        return game.referee

    async def open_prompt(self, prompt: Prompt) -> None:
        """A message now asks for a decision."""
        await self._write(
            f"INSERT OR REPLACE INTO prompts ({_PROMPT}) VALUES (?, ?, ?, ?, ?, ?)",
            (prompt.game, prompt.decision, prompt.opened, prompt.channel, prompt.message, prompt.status),
        )

    async def open_prompts_in(self, channel: int) -> tuple[Prompt, ...]:
        """The messages of the games in a channel that still ask, wherever they stand."""
        games = "SELECT id FROM games WHERE channel = ?"
        rows = await self._rows(
            f"SELECT {_PROMPT} FROM prompts WHERE game IN ({games}) AND status = 'open' ORDER BY message", (channel,)
        )
        return tuple(Prompt(*row) for row in rows)

    async def post_of(self, game: int, message: int) -> Post:
        """The post that was sent as a message; raises KeyError."""
        rows = await self._rows(f"SELECT {_POST} FROM posts WHERE game = ? AND message = ?", (game, message))
        if not rows:
            raise KeyError(message)
        return Post(*rows[0])

    async def close_prompt(self, prompt: Prompt) -> None:
        """A message asks no more."""
        await self._write(
            "UPDATE prompts SET status = 'closed' WHERE game = ? AND decision = ? AND opened = ?",
            (prompt.game, prompt.decision, prompt.opened),
        )

    # ---- waits

    async def waits(self) -> tuple[Wait, ...]:
        """Every seat that is waited for in a running game."""
        rows = await self._rows(
            "SELECT w.game, w.player, w.decision, w.since, w.sent, w.muted, w.late, s.remind, s.away, g.settings"
            " FROM waits w JOIN games g ON g.id = w.game JOIN seats s ON s.game = w.game AND s.key = w.player"
            " WHERE g.status = 'running' AND g.broken = '' ORDER BY w.game, w.player"
        )
        return tuple(Wait(*row) for row in rows)

    async def wait_for(self, game: int, waits: Mapping[str, str], at: str) -> None:
        """Who is waited for from now on, each with his decisions."""
        async with self._transaction() as write:
            await _write_waits(write, game, waits, at, "")

    async def note_wait(self, wait: Wait) -> None:
        """What was done about a wait, unless it has become another in the meantime."""
        await self._write(
            "UPDATE waits SET since = ?, sent = ?, muted = ?, late = ? WHERE game = ? AND player = ? AND decision = ?",
            (wait.since, wait.sent, wait.muted, wait.late, wait.game, wait.player, wait.decision),
        )

    async def set_remind(self, game: int, key: str, hours: int | None) -> None:
        """After how many hours the holder of a seat wants his first reminder (0: none)."""
        await self._write("UPDATE seats SET remind = ? WHERE game = ? AND key = ?", (hours, game, key))

    async def set_away(self, game: int, key: str, until: str | None) -> None:
        """Until when the holder of a seat wants no reminder."""
        await self._write("UPDATE seats SET away = ? WHERE game = ? AND key = ?", (until, game, key))

    async def set_settings(self, game: int, settings: str) -> None:
        """What the table of a game has agreed on (JSON)."""
        await self._write("UPDATE games SET settings = ? WHERE id = ?", (settings, game))

    # ---- proposals

    async def propose(self, proposal: Proposal) -> None:
        """Keeps a proposal as it is now, in place of another about the same table."""
        await self._write(
            f"INSERT OR REPLACE INTO proposals ({_PROPOSAL}) VALUES (?, ?, ?, ?, ?, ?)", astuple(proposal)
        )

    async def proposal(self, game: int, number: int) -> Proposal | None:
        """What was proposed when event `number` was the last one."""
        rows = await self._rows(f"SELECT {_PROPOSAL} FROM proposals WHERE game = ? AND number = ?", (game, number))
        return Proposal(*rows[0]) if rows else None

    async def drop_proposal(self, game: int, number: int) -> None:
        """A proposal is no more."""
        await self._write("DELETE FROM proposals WHERE game = ? AND number = ?", (game, number))

    # ---- the connection

    @asynccontextmanager
    async def together(self) -> AsyncIterator[None]:
        """What this task writes inside is written as a whole, or not at all; all others wait."""
        async with self._transaction():
            yield

    async def _rows(self, sql: str, values: tuple[Any, ...] = ()) -> list[sqlite3.Row]:
        async with self._lock:
            return list(await self._connection.execute_fetchall(sql, values))

    async def _write(self, sql: str, values: tuple[Any, ...]) -> None:
        async with self._transaction() as write:
            await write.execute(sql, values)

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[aiosqlite.Connection]:
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


async def _write_beginning(
    write: aiosqlite.Connection, game: int, seats: Iterable[Seat], log: Iterable[Entry], snapshots: Iterable[Snapshot]
) -> None:
    await write.executemany(
        f"INSERT INTO seats ({_SEAT}) VALUES (?, ?, ?, ?, ?, ?)",
        [(game, seat.key, seat.race, seat.user, seat.joined, seat.standing) for seat in seats],
    )
    for entry in log:
        await _write_entry(write, game, entry)
    for snapshot in snapshots:
        await _write_snapshot(write, game, snapshot)


async def _write_owed(write: aiosqlite.Connection, game: GameRow, owed: Owed, at: str) -> None:
    await write.execute(
        "INSERT INTO posts (game, channel, kind, first, last, language, created, about, state)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'owed')",
        (game.id, game.channel, owed.kind, owed.first, owed.last, game.language, at, owed.about),
    )


async def _write_plan(write: aiosqlite.Connection, game: int, player: str, text: str | None) -> None:
    if text is None:
        await write.execute("DELETE FROM plans WHERE game = ? AND player = ?", (game, player))
    else:
        await write.execute("INSERT OR REPLACE INTO plans VALUES (?, ?, ?)", (game, player, text))


async def _write_waits(write: aiosqlite.Connection, game: int, waits: Mapping[str, str], at: str, actor: str) -> None:
    """Who is waited for now. A wait begins anew with another decision, and when its player has acted."""
    await write.execute(
        f"DELETE FROM waits WHERE game = ? AND player NOT IN ({','.join('?' * len(waits))})", (game, *waits)
    )
    await write.executemany(
        "INSERT INTO waits (game, player, decision, since) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE"
        " SET decision = excluded.decision, since = excluded.since, sent = 0, muted = 0, late = 0"
        " WHERE decision <> excluded.decision OR player = ?",
        [(game, player, decision, at, actor) for player, decision in waits.items()],
    )


def _entry(row: sqlite3.Row) -> Entry:
    first, last, actor, at, command, events, *rest = row
    return Entry(first, last, actor, at, None if command is None else unpacked(command), unpacked(events), *rest)


async def _write_entry(write: aiosqlite.Connection, game: int, entry: Entry) -> None:
    await write.execute(
        f"INSERT INTO entries (game, {_ENTRY}) VALUES (?, ?, ?, ?, ?, packed(?), packed(?), ?, ?, ?)",
        (game, *astuple(entry)),
    )


async def _write_snapshot(write: aiosqlite.Connection, game: int, snapshot: Snapshot) -> None:
    await write.execute(
        "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?)",
        (game, snapshot.number, zlib.compress(snapshot.position.encode())),
    )


async def _prepare(connection: aiosqlite.Connection) -> None:
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

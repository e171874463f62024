"""What is kept: one SQLite file with all games. It knows rows and texts, no rules and no words.

A command is one transaction: its entry in the log, the posts it owes, a snapshot where one is due, and the game's new
head, refused if the head is not where the command was judged.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import aiosqlite

from bot.database import Database
from bot.entries import Log, write_entry, write_snapshot
from bot.posts import Posts, write_owed
from bot.rows import Entry, GameRow, Owed, Proposal, Seat, Snapshot, Wait, columns, values


class ChannelTaken(Exception):
    """The channel has a game already; nothing was written."""


class HeadMoved(Exception):
    """Somebody else wrote to the game after this command was judged; nothing was written."""


_GAME: Final = columns(GameRow)
_SEAT: Final = columns(Seat)
_PROPOSAL: Final = columns(Proposal)


class Store(Database):
    """The open database. Use it as `async with await Store.open(path) as store`."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        super().__init__(connection)
        self.log = Log(self)
        self.posts = Posts(self)

    # ---- games

    async def create_game(
        self, game: GameRow, seats: Iterable[Seat], log: Iterable[Entry], snapshots: Iterable[Snapshot]
    ) -> GameRow:
        """Writes a new game (its `id` is given here); its first snapshot is the position it starts from."""
        async with self.transaction() as write:
            taken = "SELECT 1 FROM games WHERE channel = ? AND status <> 'ended'"
            if await write.execute_fetchall(taken, (game.channel,)):
                raise ChannelTaken(game.channel)
            new = await write.execute_insert(
                f"INSERT INTO games ({_GAME.removeprefix('id, ')}) VALUES ({', '.join('?' * _GAME.count(','))})",
                values(game)[1:],
            )
            assert new is not None, "an insert without a row"
            number = int(new[0])
            await _write_beginning(write, number, seats, log, snapshots)
        return await self.game(number)

    async def game(self, id: int) -> GameRow:
        """The game of that id; raises KeyError."""
        rows = await self.rows(f"SELECT {_GAME} FROM games WHERE id = ?", (id,))
        if not rows:
            raise KeyError(id)
        return GameRow(*rows[0])

    async def game_in(self, channel: int) -> GameRow | None:
        """The game of a channel that has not ended."""
        rows = await self.rows(f"SELECT {_GAME} FROM games WHERE channel = ? AND status <> 'ended'", (channel,))
        return GameRow(*rows[0]) if rows else None

    async def last_game_in(self, channel: int) -> GameRow | None:
        """The newest game of a channel, be it over."""
        rows = await self.rows(f"SELECT {_GAME} FROM games WHERE channel = ? ORDER BY id DESC LIMIT 1", (channel,))
        return GameRow(*rows[0]) if rows else None

    async def games_in(self, channels: Iterable[int | None]) -> tuple[GameRow, ...]:
        """All games of some channels, those that have ended too."""
        wanted = tuple(channels)
        rows = await self.rows(f"SELECT {_GAME} FROM games WHERE channel IN ({','.join('?' * len(wanted))})", wanted)
        return tuple(GameRow(*row) for row in rows)

    async def all_games(self) -> tuple[GameRow, ...]:
        """Every game, the oldest first."""
        rows = await self.rows(f"SELECT {_GAME} FROM games ORDER BY id")
        return tuple(GameRow(*row) for row in rows)

    async def remove_game(self, game: int) -> None:
        """Deletes a game with all that belongs to it."""
        async with self.transaction() as write:
            rows = await write.execute_fetchall("SELECT name FROM pragma_table_list WHERE schema = 'main'")
            tables = [str(row[0]) for row in rows if not str(row[0]).startswith("sqlite_")]
            for table in tables:
                columns = await write.execute_fetchall("SELECT name FROM pragma_table_info(?)", (table,))
                if "game" in {str(column[0]) for column in columns}:
                    await write.execute(f"DELETE FROM {table} WHERE game = ?", (game,))
            await write.execute("DELETE FROM games WHERE id = ?", (game,))

    async def live_games(self) -> tuple[GameRow, ...]:
        """All games that have not ended."""
        rows = await self.rows(f"SELECT {_GAME} FROM games WHERE status <> 'ended' ORDER BY id")
        return tuple(GameRow(*row) for row in rows)

    async def set_status(self, game: int, status: str) -> None:
        """`lobby`, `running` or `ended`."""
        await self.write("UPDATE games SET status = ? WHERE id = ?", (status, game))

    async def set_aside(self, game: GameRow, reference: str, at: str) -> None:
        """A game that cannot be read is left alone until the next start; its table is owed word of it."""
        async with self.transaction() as write:
            await write.execute("UPDATE games SET broken = ? WHERE id = ?", (reference, game.id))
            await write_owed(write, game, [Owed("broken", game.head, game.head, reference)], at)

    async def try_again(self) -> None:
        """Whatever was set aside is tried again: it, or the program, may have been mended."""
        await self.write("UPDATE games SET broken = '' WHERE broken <> ''", ())

    async def set_settings(self, game: int, settings: str) -> None:
        """What the table of a game has agreed on (JSON)."""
        await self.write("UPDATE games SET settings = ? WHERE id = ?", (settings, game))

    async def set_words(self, game: int, words: str) -> None:
        """What the players have added to the secret (JSON)."""
        await self.write("UPDATE games SET words = ? WHERE id = ?", (words, game))

    async def reveal(self, game: int) -> None:
        """The secret is public from now on."""
        await self.write("UPDATE games SET revealed = 1 WHERE id = ?", (game,))

    async def set_channel(self, game: int, channel: int) -> None:
        """Moves a game and what it is owed to another channel; raises ChannelTaken."""
        async with self.transaction() as write:
            taken = "SELECT 1 FROM games WHERE channel = ? AND status <> 'ended' AND id <> ?"
            if await write.execute_fetchall(taken, (channel, game)):
                raise ChannelTaken(channel)
            await write.execute("UPDATE games SET channel = ? WHERE id = ?", (channel, game))
            await write.execute("UPDATE posts SET channel = ? WHERE game = ? AND state = 'owed'", (channel, game))

    async def set_referee(self, game: int, user: int) -> None:
        """Another user is referee from now on."""
        await self.write("UPDATE games SET referee = ? WHERE id = ?", (user, game))

    async def set_second(self, game: int, user: int | None) -> None:
        """Another user may do what the referee may."""
        await self.write("UPDATE games SET second = ? WHERE id = ?", (user, game))

    async def set_up_game(
        self, game: GameRow, seats: Iterable[Seat], log: Iterable[Entry], snapshots: Iterable[Snapshot]
    ) -> None:
        """Another beginning for a game in the lobby, in place of the one it has."""
        async with self.transaction() as write:
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
        rows = await self.rows(f"SELECT {_SEAT} FROM seats WHERE game = ?", (game,))
        return tuple(Seat(*row) for row in rows)

    async def seats_of(self, user: int) -> tuple[Seat, ...]:
        """The seats that a user holds in running games."""
        of_seat = ", ".join(f"s.{column.strip()}" for column in _SEAT.split(","))
        rows = await self.rows(
            f"SELECT {of_seat} FROM seats s JOIN games g ON g.id = s.game"
            " WHERE s.user = ? AND g.status = 'running' ORDER BY s.game, s.key",
            (user,),
        )
        return tuple(Seat(*row) for row in rows)

    async def seat(self, game: int, key: str, user: int | None, joined: str | None) -> None:
        """Gives a seat to a user, or (None) makes it vacant; what its holder had set for himself goes."""
        await self.write(
            "UPDATE seats SET user = ?, joined = ?, remind = NULL, away = NULL WHERE game = ? AND key = ?",
            (user, joined, game, key),
        )

    async def set_standing(self, game: int, key: str, standing: str) -> None:
        """The standing orders of a seat."""
        await self.write("UPDATE seats SET standing = ? WHERE game = ? AND key = ?", (standing, game, key))

    async def set_remind(self, game: int, key: str, hours: int | None) -> None:
        """After how many hours the holder of a seat wants his first reminder (0: none)."""
        await self.write("UPDATE seats SET remind = ? WHERE game = ? AND key = ?", (hours, game, key))

    async def set_away(self, game: int, key: str, until: str | None) -> None:
        """Until when the holder of a seat wants no reminder."""
        await self.write("UPDATE seats SET away = ? WHERE game = ? AND key = ?", (until, game, key))

    async def forget(self, user: int) -> int:
        """Takes a user out of all ended games, and what he set for himself; gives in how many games he was named."""
        async with self.transaction() as write:
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
        rows = await self.rows("SELECT language FROM users WHERE id = ?", (user,))
        return str(rows[0][0]) if rows else None

    async def set_language(self, user: int, language: str) -> None:
        """The language in which a user wants to be answered."""
        await self.write(
            "INSERT INTO users VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET language = excluded.language",
            (user, language),
        )

    async def fact(self, name: str) -> str | None:
        """What was noted under a name, for the program itself."""
        rows = await self.rows("SELECT value FROM facts WHERE name = ?", (name,))
        return str(rows[0][0]) if rows else None

    async def set_fact(self, name: str, value: str) -> None:
        """Notes something under a name."""
        await self.write("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))

    # ---- a command

    async def append(
        self,
        game: GameRow,
        entry: Entry,
        owed: Sequence[Owed],
        snapshot: Snapshot | None = None,
        waits: Mapping[str, str] | None = None,
        plan: tuple[str, str | None] | None = None,
    ) -> GameRow:
        """Writes an entry, the posts it owes and maybe a snapshot, or nothing: raises HeadMoved if `game` is stale.

        `waits`: the seats that are waited for now, each with its decisions. `plan`: a seat, and what is left of its
        plan.
        """
        async with self.transaction() as write:
            moved = await write.execute_fetchall(
                f"UPDATE games SET head = ?, rolled = ?, chain = ? WHERE id = ? AND head = ? RETURNING {_GAME}",
                (entry.last, entry.rolled, entry.chain, game.id, game.head),
            )
            if not moved:
                raise HeadMoved(game.id)
            await write_entry(write, game.id, entry)
            if owed:
                await write_owed(write, game, owed, entry.at)
            await _write_waits(write, game.id, waits or {}, entry.at, entry.actor)
            if plan is not None:
                await _write_plan(write, game.id, *plan)
            if snapshot is not None:
                await write_snapshot(write, game.id, snapshot)
        return GameRow(*next(iter(moved)))

    # ---- waits

    async def waits(self) -> tuple[Wait, ...]:
        """Every seat that is waited for in a running game."""
        rows = await self.rows(
            "SELECT w.game, w.player, w.decision, w.since, w.sent, w.muted, w.late, s.remind, s.away, g.settings,"
            " g.guild, ifnull(s.user, g.referee)"
            " FROM waits w JOIN games g ON g.id = w.game JOIN seats s ON s.game = w.game AND s.key = w.player"
            " WHERE g.status = 'running' AND g.broken = '' ORDER BY w.game, w.player"
        )
        return tuple(Wait(*row) for row in rows)

    async def wait_for(self, game: int, waits: Mapping[str, str], at: str) -> None:
        """Who is waited for from now on, each with his decisions."""
        async with self.transaction() as write:
            await _write_waits(write, game, waits, at, "")

    async def note_wait(self, wait: Wait) -> None:
        """What was done about a wait, unless it has become another in the meantime."""
        await self.write(
            "UPDATE waits SET since = ?, sent = ?, muted = ?, late = ? WHERE game = ? AND player = ? AND decision = ?",
            (wait.since, wait.sent, wait.muted, wait.late, wait.game, wait.player, wait.decision),
        )

    # ---- plans and proposals

    async def plan(self, game: int, player: str) -> str | None:
        """The private draft of a seat (JSON)."""
        rows = await self.rows("SELECT commands FROM plans WHERE game = ? AND player = ?", (game, player))
        return str(rows[0][0]) if rows else None

    async def set_plan(self, game: int, player: str, commands: str | None) -> None:
        """Keeps the private draft of a seat, or (None) drops it."""
        async with self.transaction() as write:
            await _write_plan(write, game, player, commands)

    async def propose(self, proposal: Proposal) -> None:
        """Keeps a proposal as it is now, in place of another about the same table."""
        await self.write(f"INSERT OR REPLACE INTO proposals ({_PROPOSAL}) VALUES (?, ?, ?, ?, ?, ?)", values(proposal))

    async def proposal(self, game: int, number: int) -> Proposal | None:
        """What was proposed when event `number` was the last one."""
        rows = await self.rows(f"SELECT {_PROPOSAL} FROM proposals WHERE game = ? AND number = ?", (game, number))
        return Proposal(*rows[0]) if rows else None

    async def drop_proposal(self, game: int, number: int) -> None:
        """A proposal is no more."""
        await self.write("DELETE FROM proposals WHERE game = ? AND number = ?", (game, number))


async def _write_beginning(
    write: aiosqlite.Connection, game: int, seats: Iterable[Seat], log: Iterable[Entry], snapshots: Iterable[Snapshot]
) -> None:
    await write.executemany(
        f"INSERT INTO seats ({_SEAT}) VALUES (?, ?, ?, ?, ?, ?)",
        [(game, seat.key, seat.race, seat.user, seat.joined, seat.standing) for seat in seats],
    )
    for entry in log:
        await write_entry(write, game, entry)
    for snapshot in snapshots:
        await write_snapshot(write, game, snapshot)


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

"""The posts that channels are owed and what became of them; the messages that ask."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

import aiosqlite

from bot.database import Database
from bot.rows import GameRow, Owed, Post, Prompt, columns

# The kind of post that tells a referee of another.
_UNDELIVERED: Final = "undelivered"
_GAME: Final = columns(GameRow)
_POST: Final = columns(Post)
_PROMPT: Final = columns(Prompt)
# Nothing can be told of a game that is set aside but just that.
_TO_BE_SENT: Final = "state = 'owed' AND (kind = 'broken' OR game NOT IN (SELECT id FROM games WHERE broken <> ''))"


class Posts:
    """The posts of all games."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def owe(self, game: GameRow, owed: Owed, at: str) -> None:
        """A post that no entry of the log owes."""
        async with self._database.transaction() as write:
            await write_owed(write, game, [owed], at)

    async def was_posted(self, game: int, after: int, kinds: Sequence[str]) -> bool:
        """Whether a post of one of these kinds tells of anything after event `after`."""
        wanted = ",".join("?" * len(kinds))
        sql = f"SELECT 1 FROM posts WHERE game = ? AND last > ? AND kind IN ({wanted}) LIMIT 1"
        return bool(await self._database.rows(sql, (game, after, *kinds)))

    async def owed_channels(self) -> tuple[int, ...]:
        """The channels that are owed a post."""
        rows = await self._database.rows(f"SELECT DISTINCT channel FROM posts WHERE {_TO_BE_SENT} ORDER BY channel")
        return tuple(row[0] for row in rows)

    async def next_owed(self, channel: int) -> Post | None:
        """The oldest post that a channel is owed."""
        rows = await self._database.rows(
            f"SELECT {_POST} FROM posts WHERE {_TO_BE_SENT} AND channel = ? ORDER BY id LIMIT 1", (channel,)
        )
        return Post(*rows[0]) if rows else None

    async def post(self, id: int) -> Post:
        """A post, whatever became of it; raises KeyError."""
        rows = await self._database.rows(f"SELECT {_POST} FROM posts WHERE id = ?", (id,))
        if not rows:
            raise KeyError(id)
        return Post(*rows[0])

    async def post_of(self, game: int, message: int) -> Post:
        """The post that was sent as a message; raises KeyError."""
        rows = await self._database.rows(f"SELECT {_POST} FROM posts WHERE game = ? AND message = ?", (game, message))
        if not rows:
            raise KeyError(message)
        return Post(*rows[0])

    async def begin(self, post: int, at: str | None) -> None:
        """A post may have been sent from now on, or (None) was certainly not."""
        await self._database.write("UPDATE posts SET begun = ? WHERE id = ?", (at, post))

    async def repeat(self, post: int, at: str | None) -> None:
        """A post may have been sent once more from now on, or (None) was certainly not."""
        await self._database.write("UPDATE posts SET repeated = ? WHERE id = ?", (at, post))

    async def settle(self, post: int, message: int | None, at: str) -> None:
        """A post was sent as `message`, or (None) dropped, because it had become untrue."""
        await self._database.write(
            "UPDATE posts SET state = 'sent', message = ?, settled = ? WHERE id = ?", (message, at, post)
        )

    async def give_up(self, post: Post, reason: str, at: str, owe_word: bool = False) -> int:
        """A post can never be delivered. Gives the referee, who is maybe owed word of it, under his number."""
        async with self._database.transaction() as write:
            await write.execute(
                "UPDATE posts SET state = 'undeliverable', settled = ?, reason = ? WHERE id = ?", (at, reason, post.id)
            )
            found = await write.execute_fetchall(f"SELECT {_GAME} FROM games WHERE id = ?", (post.game,))
            game = GameRow(*next(iter(found)))
            if owe_word and post.kind != _UNDELIVERED:
                told = Owed(_UNDELIVERED, post.first, post.last, str(post.id))
                await write_owed(write, replace(game, channel=game.referee), [told], at)
        return game.referee

    # ---- messages that ask

    async def open_prompt(self, prompt: Prompt) -> None:
        """A message now asks for a decision."""
        await self._database.write(
            f"INSERT OR REPLACE INTO prompts ({_PROMPT}) VALUES (?, ?, ?, ?, ?, ?)",
            (prompt.game, prompt.decision, prompt.opened, prompt.channel, prompt.message, prompt.status),
        )

    async def open_prompts_in(self, channel: int) -> tuple[Prompt, ...]:
        """The messages of the games in a channel that still ask, wherever they stand."""
        games = "SELECT id FROM games WHERE channel = ?"
        rows = await self._database.rows(
            f"SELECT {_PROMPT} FROM prompts WHERE game IN ({games}) AND status = 'open' ORDER BY message", (channel,)
        )
        return tuple(Prompt(*row) for row in rows)

    async def close_prompt(self, prompt: Prompt) -> None:
        """A message asks no more."""
        await self._database.write(
            "UPDATE prompts SET status = 'closed' WHERE game = ? AND decision = ? AND opened = ?",
            (prompt.game, prompt.decision, prompt.opened),
        )


async def write_owed(write: aiosqlite.Connection, game: GameRow, owed: Iterable[Owed], at: str) -> None:
    """Owes posts, as a part of what is written together."""
    await write.executemany(
        "INSERT INTO posts (game, channel, kind, first, last, language, created, about, state)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'owed')",
        [(game.id, game.channel, each.kind, each.first, each.last, game.language, at, each.about) for each in owed],
    )

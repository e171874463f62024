"""What has happened in a game, as posts and players are told it; its log as a file, and its dice checked."""

import asyncio
from dataclasses import dataclass, replace

from bot.book import Book
from bot.happening import GAME, Happening
from bot.rows import GameRow, Post
from bot.sealed import seal_of
from bot.steps import LOSS_STEPS, PostKind, is_beside
from bot.texts import all_events, command_of, events_of
from bot.verify import Verdict, verify
from rules_core import commands as cmd
from rules_core import events as ev
from rules_core import history
from rules_core.apply import fold
from rules_core.errors import RuleViolation
from rules_core.game_file import write_game
from rules_core.state import State


@dataclass(frozen=True, slots=True)
class Told:
    """An entry of the log as it is told: when it was made, where it returned to, and whether it still holds."""

    happening: Happening
    at: str
    returns_to: int | None
    holds: bool


class Past:
    """What has happened in all games; it changes nothing."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._store = book.store
        self._record = book.record

    async def state_at(self, game: int, number: int) -> State:
        """The table after event `number` (0: at the start), without standing orders; refused if there is no such."""
        row = await self._store.game(game)
        if not 0 <= number <= row.head:
            raise RuleViolation("no_such_step", step=number, last=row.head)
        return await self._book.table_after(game, number)

    # ---- what posts tell

    async def happening(self, post: Post) -> Happening:
        """What a post tells of: its events as they held when it was owed."""
        row = await self._store.game(post.game)
        if post.kind == PostKind.OPENED:
            # It may be sent long after: the phase that it tells of can be over.
            then = await self._book.table_after(post.game, post.last)
            return Happening(row, GAME, post.first, then, (), then, at=post.created)
        if post.about and post.kind not in (PostKind.SUMMARY, PostKind.PROPOSAL):
            now, since = (await self._book.load(post.game)).state, await self._waiting_since(post)
            return Happening(row, GAME, post.first, now, (), now, post.about, since)
        newest = await self._store.log.entry_with(post.game, post.last)
        after = await self._book.table_after(post.game, post.last)
        if post.kind == PostKind.PROPOSAL:
            newest = replace(newest, actor=post.about or newest.actor)
        elif newest.returns_to is not None:
            head = newest.first - 1
            before = await self._book.table_after(post.game, head)
            _, going = await self._record.going(post.game, head, newest.returns_to, post.kind == PostKind.REDO)
            return Happening(row, newest.actor, post.first, before, (), after, at=newest.at, back=all_events(going))
        found: list[ev.Event] = []
        async for entry in self._record.back_from(post.game, post.last):
            events = events_of(entry)
            if not (post.kind in LOSS_STEPS.values() and is_beside(events)):
                numbered = enumerate(events, entry.first)
                found[:0] = [event for number, event in numbered if post.first <= number <= post.last]
            if entry.first <= post.first:
                break
        before = await self._book.table_after(post.game, post.first - 1)
        # Between the first and the last something may have been taken back: the last number is what must be right.
        first = post.last + 1 - max(1, len(found))
        return Happening(row, newest.actor, first, before, tuple(found), after, post.about, newest.at)

    async def _waiting_since(self, post: Post) -> str:
        """Since when the longest wait lasts that a post is about; the post's own time if there is none any more."""
        found = [wait.since for wait in await self._store.waits() if wait.game == post.game]
        return min((since for since in found), default=post.created)

    # ---- what players ask for

    async def whole(self, game: int) -> Happening:
        """All that happened in a game and was not taken back."""
        now = await self._book.load(game)
        events = tuple(event for entry in history.live(await self.log(game)) for event in entry.events)
        return Happening(now.row, GAME, 1, await self._book.table_after(game, 0), events, now.state)

    async def told(self, game: int, before: int | None, most: int) -> list[Told]:
        """At most so many entries of the log, the last of them the one with event `before`, oldest first."""
        row = await self._store.game(game)
        until = row.head if before is None else min(before, row.head)
        entries = (await self._store.log.entries(game, 0, until))[-most:] if until > 0 else ()
        holding = {entry.first async for entry in self._record.back_from(game, row.head)}
        told = []
        for entry in entries:
            start = await self._book.table_after(game, entry.first - 1)
            after = fold(start, events_of(entry)) if entry.returns_to is None else start
            done = Happening(row, entry.actor, entry.first, start, events_of(entry), after)
            told.append(Told(done, entry.at, entry.returns_to, entry.returns_to is not None or entry.first in holding))
        return told

    async def since(self, game: int, player: str) -> Happening:
        """Everything that holds and has happened since a player's last command, or since the beginning."""
        row, number = await self._store.game(game), 0
        events: list[ev.Event] = []
        async for entry in self._record.back_from(game, row.head):
            if entry.actor == player:
                number = entry.last
                break
            events[:0] = events_of(entry)
        before = await self._book.table_after(game, number)
        return Happening(row, GAME, number + 1, before, tuple(events), fold(before, events))

    # ---- single facts

    async def last_actor(self, game: GameRow) -> str | None:
        """Who gave the last command, or took one back."""
        return (await self._store.log.entry_with(game.id, game.head)).actor if game.head else None

    async def holds(self, game: int, number: int) -> bool:
        """Whether the event `number` was not taken back, or was brought back again."""
        since = {entry.last: entry for entry in await self._store.log.entries(game, number - 1)}
        at = max(since, default=0)
        while (entry := since.get(at)) is not None and entry.first > number:
            at = entry.first - 1 if entry.returns_to is None else entry.returns_to
        return number == 0 or at in since

    async def answer_to(self, game: int, opened: int, player: str) -> cmd.PlayerCommand | None:
        """The first command for a player that followed event `opened` and holds."""
        row, found = await self._store.game(game), None
        async for entry in self._record.back_from(game, row.head):
            if entry.first <= opened:
                break
            command = command_of(entry)
            if isinstance(command, cmd.PlayerCommand) and command.player == player:
                found = command
        return found

    # ---- the log as a whole

    async def log(self, game: int) -> tuple[history.Entry, ...]:
        """Everything that was done, what was taken back included."""
        rows = await self._store.log.entries(game)
        return tuple(history.Entry(row.first, row.actor, events_of(row), row.returns_to) for row in rows)

    async def game_file(self, game: int) -> str:
        """The game as a file: where it began and all that was done, without standing orders; the secret once public."""
        entries = await self.log(game)
        return write_game(await self._book.table_after(game, 0), entries, seal_of(await self._store.game(game)))

    async def verified(self, game: int) -> Verdict:
        """Recomputes every die that was rolled here; refused while the secret is one."""
        sealed = seal_of(await self._store.game(game))
        if sealed.dice is None:
            raise RuleViolation("secret_not_revealed")
        start, entries = await self._book.table_after(game, 0), await self.log(game)
        return await asyncio.to_thread(verify, start, entries, sealed.dice, sealed.after)

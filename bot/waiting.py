"""Who is waited for: whom a post may ping, what stops reminders, and what answers at a deadline."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from bot.agreed import Then
from bot.book import Book
from bot.happening import GAME, waits_of
from bot.rows import GameRow, Post, Seat
from bot.steps import ASKING, RETURNS, PostKind
from rules_core.decide import advance, decide
from rules_core.errors import RuleViolation
from rules_core.legal import passing


class Waiting:
    """The waits of all games."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._store = book.store

    async def is_true(self, post: Post) -> bool:
        """Whether a post that reminds of something still has something to remind of."""
        if post.kind not in (PostKind.REMINDER, PostKind.DEADLINE):
            return True
        waiting = waits_of((await self._book.load(post.game)).state)
        return any(player in waiting for player in post.about.split())

    async def to_ping(self, post: Post, mentions: Iterable[str]) -> tuple[str, ...]:
        """Whom a post may ping now: whoever it asks to act is left out if he is waited for no more."""
        if post.kind not in (*ASKING, *RETURNS, PostKind.REMINDER):
            return tuple(mentions)
        waiting = waits_of((await self._book.load(post.game)).state)
        return tuple(key for key in mentions if key in waiting)

    async def elsewhere(self, game: GameRow, user: int) -> int:
        """How many other games on the server of this one wait for a user."""
        waits = await self._store.waits()
        return len({each.game for each in waits if (each.guild, each.user) == (game.guild, user)} - {game.id})

    async def mute(self, game: int, player: str) -> None:
        """No more reminders for what a player is waited for now."""
        for wait in await self._store.waits():
            if (wait.game, wait.player) == (game, player):
                await self._store.note_wait(replace(wait, muted=1))
                return
        raise RuleViolation("nobody_waits_for_you")

    async def away(self, game: int, player: str, hours: int) -> datetime | None:
        """No reminders for so many hours (0: as before), in all games of who holds the seat; their tables are told."""
        until = self._book.clock.now() + timedelta(hours=hours) if hours else None
        for seat in await self._seats_of_holder(game, player):
            await self._store.set_away(seat.game, seat.key, None if until is None else until.isoformat())
            if until is not None:
                await self._book.tell(seat.game, PostKind.AWAY, seat.key)
        return until

    async def _seats_of_holder(self, game: int, player: str) -> tuple[Seat, ...]:
        """A seat with all others in running games that the same user holds."""
        here = next(seat for seat in await self._store.seats(game) if seat.key == player)
        return (here,) if here.user is None else await self._store.seats_of(here.user)

    async def answer_for(self, game: int, player: str, then: Then) -> bool:
        """At a deadline: lets a player's standing orders answer, or passes for him; False if that answers nothing."""
        async with self._book.as_one(game):
            now = await self._book.load(game)
            if then == "tell":
                return False
            waiting = waits_of(now.state).keys() - {player}
            standing = {key: orders for key, orders in now.state.standing.items() if key not in waiting}
            dice = self._book.dice_of(now.row)
            events = advance(replace(now.state, standing=standing), dice)
            if not events and then == "pass" and (command := passing(now.state, player)) is not None:
                events = decide(now.state, command, dice)
            if not events:
                return False
            await self._book.owe(now.row, PostKind.ANSWERED, now.row.head, player)
            await self._book.write(now, GAME, None, events)
            return True

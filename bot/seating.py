"""Who sits where, and what goes with a seat: its standing orders, its plan, its words for the dice."""

import json
from collections.abc import Mapping
from typing import Final

from bot.book import Book
from bot.happening import Game
from bot.texts import compact
from rules_core.errors import RuleViolation, Unreadable
from rules_core.state import Player

# Letters of what a player adds to the secret.
MOST_WORDS: Final = 100


class Seating:
    """The seats of all games."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._store = book.store

    async def seat_of(self, game: int, user: int) -> str:
        """The key of the first seat that a user holds; refused if he has none."""
        for seat in await self._store.seats(game):
            if seat.user == user:
                return seat.key
        raise RuleViolation("no_seat")

    async def free(self, game: int) -> tuple[Player, ...]:
        """The players whose seats nobody holds, in seat order."""
        free = {seat.key for seat in await self._store.seats(game) if seat.user is None}
        return tuple(player for player in (await self._book.load(game)).state.players if player.key in free)

    async def check_vacant(self, game: int, player: str) -> None:
        """Refused if somebody holds a seat: the referee plays only those that nobody does."""
        if any(seat.key == player and seat.user is not None for seat in await self._store.seats(game)):
            raise RuleViolation("not_yours_to_command")

    async def join(self, game: int, user: int, seat: str | None = None) -> str:
        """Gives a user the seat he names, or the first that is free; refused if there is none."""
        async with self._book.lock(game):
            seats = {each.key: each for each in await self._store.seats(game)}
            state = (await self._book.load(game)).state
            if any(each.user == user for each in seats.values()):
                raise RuleViolation("you_have_a_seat")
            free = [player.key for player in state.players if seats[player.key].user is None]
            if not free:
                raise RuleViolation("no_seat_is_free")
            if seat is not None and seat not in free:
                raise RuleViolation("seat_is_taken", player=seat, free=tuple(free))
            key = seat or free[0]
            await self._store.seat(game, key, user, self._book.time())
            return key

    async def leave(self, game: int, user: int) -> str:
        """Makes a user's seat vacant; his standing orders go with him, before the start his words too."""
        async with self._book.as_one(game):
            key = await self.seat_of(game, user)
            await self._hand_over(game, key, None)
            now = await self._book.load(game)
            if now.row.status == "lobby":
                await self.keep_words(now, json.loads(now.row.words))
            return key

    async def give(self, game: int, key: str, user: int | None) -> None:
        """Another user plays a seat from now on, or (None) nobody; whatever waits there waits for him."""
        async with self._book.as_one(game):
            await self._hand_over(game, key, user)

    async def swap(self, game: int, key: str, other: str) -> None:
        """Two seats change their users."""
        async with self._book.as_one(game):
            users = {seat.key: seat.user for seat in await self._store.seats(game)}
            await self._hand_over(game, key, users[other])
            await self._hand_over(game, other, users[key])

    async def _hand_over(self, game: int, key: str, user: int | None) -> None:
        """What the last one who sat there had ordered ahead or planned is void."""
        await self._store.seat(game, key, user, None if user is None else self._book.time())
        await self._store.set_standing(game, key, compact({}))
        await self._store.set_plan(game, key, None)
        self._book.forget(game)

    async def add_words(self, game: int, player: str, own: str) -> None:
        """Adds a player's own words to the secret of the dice, in place of those he gave before; only in the lobby."""
        plain = " ".join(own.split())
        if not 1 <= len(plain) <= MOST_WORDS:
            raise Unreadable("too_long", text=plain[:40], limit=MOST_WORDS, length=len(plain))
        async with self._book.lock(game):
            now = await self._book.load(game)
            if now.row.status != "lobby":
                raise RuleViolation("already_started")
            await self.keep_words(now, {**json.loads(now.row.words), player: plain})

    async def keep_words(self, now: Game, words: Mapping[str, str]) -> None:
        """Keeps the players' words, in seat order, and only of who has a seat."""
        taken = {seat.key for seat in await self._store.seats(now.row.id) if seat.user is not None}
        kept = {p.key: words[p.key] for p in now.state.players if p.key in words and p.key in taken}
        await self._store.set_words(now.row.id, compact(kept))
        self._book.forget(now.row.id)

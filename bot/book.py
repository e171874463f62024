"""The book of all games: each is read under its lock, and what happens in it is written at once or not at all."""

import logging
import sqlite3
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

from bot.agreed import read_agreed
from bot.clock import Clock
from bot.faults import noted
from bot.happening import Events, Game, Happening, waits_of
from bot.locks import TaskLock
from bot.owing import owed_for, summary
from bot.record import Record
from bot.rows import Entry, GameRow, Owed, Snapshot
from bot.sealed import sealed_dice
from bot.steps import ANEW, PostKind
from bot.store import Store
from bot.texts import orders_of, orders_text, packed_command, packed_events, state_text
from rules_core import commands as cmd
from rules_core import events as ev
from rules_core import history
from rules_core.apply import fold
from rules_core.dice import Dice
from rules_core.errors import RuleViolation
from rules_core.game_file import chained
from rules_core.state import StandingOrders, State
from rules_core.victory import winners

log = logging.getLogger(__name__)

SNAPSHOT_EVERY: Final = 100
HOT_GAMES: Final = 256


class Book:
    """All games as they stand. `wake` is told the channel of a game to which a command owes posts."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        wake: Callable[[int], None],
        dice: Callable[[GameRow], Dice] = sealed_dice,
    ) -> None:
        self.store = store
        self.clock = clock
        self.record = Record(store.log)
        self.dice_of = dice
        self._wake = wake
        self._locks: dict[int, TaskLock] = {}
        self._hot: OrderedDict[int, Game] = OrderedDict()

    def lock(self, game: int) -> TaskLock:
        """What is looked at and then changed is looked at inside."""
        return self._locks.setdefault(game, TaskLock())

    @asynccontextmanager
    async def as_one(self, game: int) -> AsyncIterator[None]:
        """What this task does to a game inside is done as a whole or not at all, with all that it owes."""
        async with self.lock(game):
            try:
                async with self.store.together():
                    yield
            finally:
                # What was read inside has perhaps not come to be.
                self.forget(game)

    def time(self) -> str:
        """What time it is, as it is kept."""
        return self.clock.now().isoformat()

    # ---- reading

    async def load(self, game: int) -> Game:
        """A game as it stands now; refused if it is set aside."""
        async with self.lock(game):
            if (hot := self._hot.get(game)) is not None:
                self._hot.move_to_end(game)
                return hot
            row = await self.store.game(game)
            if row.broken:
                raise RuleViolation("game_is_broken", game=game, reference=row.broken)
            seats = await self.store.seats(game)
            players = [seat.key for seat in seats]
            async with self._else_set_aside(game):
                standing = {seat.key: orders_of(seat, players) for seat in seats}
            given = {key: orders for key, orders in standing.items() if orders != StandingOrders()}
            now = Game(row, replace(await self.table_after(game, row.head), standing=given))
            self.keep(now)
            return now

    async def load_running(self, game: int) -> Game:
        """A game as it stands now; refused if it is not played."""
        now = await self.load(game)
        if now.row.status != "running":
            raise RuleViolation("not_running")
        return now

    async def table_after(self, game: int, number: int) -> State:
        """The table after event `number` (0: at the start), without standing orders."""
        async with self._else_set_aside(game):
            return await self.record.state_at(game, number)

    @asynccontextmanager
    async def _else_set_aside(self, game: int) -> AsyncIterator[None]:
        """A game that cannot be read is set aside, and its table is told; all others go on."""
        try:
            yield
        except sqlite3.Error:  # the fault of the database, not of the game
            raise
        except Exception as error:
            reference = noted(error, f"game {game} is set aside")
            row = await self.store.game(game)
            await self.store.set_aside(row, reference, self.time())
            self._wake(row.channel)
            raise RuleViolation("game_is_broken", game=game, reference=reference) from error

    async def won(self, row: GameRow, state: State) -> tuple[str, ...]:
        """Who has won on that table by what was agreed on."""
        agreed = read_agreed(row.settings)
        return winners(await self.table_after(row.id, 0), state, agreed.victory, agreed.goal)

    def keep(self, now: Game) -> None:
        """Has a game at hand as it stands now."""
        self._hot[now.row.id] = now
        if len(self._hot) > HOT_GAMES:
            self._hot.popitem(last=False)

    def forget(self, game: int) -> None:
        """A game is read again before it is looked at."""
        self._hot.pop(game, None)
        self.record.forget(game)

    # ---- writing

    async def write(
        self,
        now: Game,
        actor: str,
        command: cmd.Command | tuple[cmd.Command, ...] | None,
        events: Events,
        plan: tuple[str, str | None] | None = None,
    ) -> Happening:
        """Keeps what has happened; `plan`: whose plan that was, and what is left of it, `command` what was not."""
        after = fold(now.state, events)
        first = now.row.head + 1
        last = now.row.head + len(events)
        entry = Entry(
            first=first,
            last=last,
            actor=actor,
            at=self.time(),
            command=None if command is None else packed_command(command),
            events=packed_events(events),
            returns_to=None,
            rolled=now.row.rolled + history.rolled(events),
            chain=chained(now.row.chain, history.Entry(first, actor, events)),
        )
        owed = await owed_for(self.record, now, actor, events, after)
        if any(isinstance(event, ev.RoundEnded) for event in events):
            owed.append(await summary(self.record, now.row, last, await self.won(now.row, after)))
        async with self.store.together():
            row = await self.append(now.row, entry, owed, after, snapshot_due(first, last, events), plan)
            after = await self._without_passes(row, after, events)
        self.keep(Game(row, after))
        return Happening(row, actor, first, now.state, events, after)

    async def _without_passes(self, row: GameRow, after: State, events: Events) -> State:
        """An order to pass is for one phase: with its end it is gone."""
        for event in events:
            orders = after.standing.get(event.player) if isinstance(event, ev.PhaseEnded) else None
            if isinstance(event, ev.PhaseEnded) and orders is not None and orders.passes:
                orders = replace(orders, passes=False)
                await self.store.set_standing(row.id, event.player, orders_text(orders))
                after = replace(after, standing={**after.standing, event.player: orders})
        return after

    async def append(
        self,
        row: GameRow,
        entry: Entry,
        owed: Sequence[Owed],
        after: State,
        with_snapshot: bool,
        plan: tuple[str, str | None] | None = None,
    ) -> GameRow:
        """Writes an entry after which the table is `after`, with what it owes; `plan` as for `write`."""
        # Whatever happens while this is written, the next command looks again at what the database holds.
        self._hot.pop(row.id, None)
        kept = Snapshot(entry.last, state_text(after)) if with_snapshot else None
        appended = await self.store.append(row, entry, owed, kept, waits_of(after), plan)
        self.record.keep(row.id, entry.last, after)
        did = "undo" if entry.returns_to is not None else "command"
        log.info("%s of %s", did, entry.actor, extra={"game": row.id, "event": entry.last})
        self._wake(row.channel)
        return appended

    # ---- what is owed beside the log

    async def owe(self, row: GameRow, kind: PostKind, first: int, about: str = "") -> None:
        """Owes the channel a post about what there is since event `first`."""
        await self.store.posts.owe(row, Owed(kind, first, row.head, about), self.time())
        self._wake(row.channel)

    async def tell(self, game: int, kind: PostKind, about: str = "") -> None:
        """Owes the channel a post about the game as a whole, or about what it waits for."""
        row = await self.store.game(game)
        await self.owe(row, kind, row.head, about)

    async def tell_how_it_stands(self, game: int) -> None:
        """Owes the channel a post that asks anew what is asked now, or shows who sits where."""
        phase = (await self.load(game)).state.phase
        await self.tell(game, *((PostKind.LOBBY, ANEW) if phase is None else (PostKind.OPENED, phase.player)))

    @asynccontextmanager
    async def telling(self, game: int, kind: PostKind, about: str = "") -> AsyncIterator[None]:
        """What is done inside and the post that tells of it are one."""
        async with self.as_one(game):
            yield
            await self.tell(game, kind, about)


def snapshot_due(first: int, last: int, events: Events) -> bool:
    """At each beginning of a phase, and every so many events."""
    begins = any(isinstance(event, ev.PhaseBegan) for event in events)
    return begins or last // SNAPSHOT_EVERY > (first - 1) // SNAPSHOT_EVERY

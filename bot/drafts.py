"""The plans of players, kept beside the game until they are carried out; what a plan is stands in `plans.py`."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.book import Book
from bot.happening import Game, Happening, nothing
from bot.plans import DECLARING, Outcome, Plan, new_plan, phase_of, read_plan
from bot.rows import GameRow
from bot.texts import events_of
from rules_core import commands as cmd
from rules_core.apply import fold
from rules_core.errors import RuleViolation
from rules_core.events import PhaseEnded
from rules_core.state import State


@dataclass(frozen=True, slots=True)
class Planned:
    """A player's plan and what it comes to on the table."""

    game: GameRow
    player: str
    plan: Plan
    outcome: Outcome

    @property
    def is_open(self) -> bool:
        """Whether what he orders now goes into it."""
        return self.plan.is_open(self.outcome.start)


@dataclass(frozen=True, slots=True)
class Committed:
    """What of a plan was carried out, as it was `planned`, and what of it is kept for the invasion step."""

    done: Happening
    planned: Planned
    rest: Plan | None


class Drafts:
    """The plans of all games."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._store = book.store

    # ---- looking

    async def planned(self, game: int, player: str) -> Planned | None:
        """A player's plan for his phase that is under way, and what it comes to."""
        async with self._book.lock(game):
            now = await self._book.load(game)
            plan = await self.of(now, player)
            return None if plan is None else self._followed(now, player, plan)

    async def table_for(self, game: int, player: str, order: str) -> State:
        """The table as an order of that name would find it: who has a plan open orders as things would be then."""
        planned = await self.planned(game, player)
        if planned is None or not planned.is_open:
            return (await self._book.load(game)).state
        return planned.outcome.invading if order in DECLARING else planned.outcome.moved

    async def left_over(self, game: int, player: str) -> Planned | None:
        """What a player had planned and not carried out when his phase of this round ended, as it stood then."""
        async with self._book.lock(game):
            now = await self._book.load(game)
            text = await self._store.plan(game, player)
            if text is None or (plan := read_plan(text)).phase == phase_of(now.state, player):
                return None
            if not plan.commands or not plan.phase.startswith(f"{now.state.round}/"):
                return None
            ended = await self._end_of_phase(now.row, player)
            if ended is None:
                return None
            return self._followed(replace(now, state=await self._book.table_after(game, ended - 1)), player, plan)

    async def of(self, now: Game, player: str) -> Plan | None:
        """The plan of a player for his phase that is under way."""
        phase = phase_of(now.state, player)
        text = None if phase is None else await self._store.plan(now.row.id, player)
        plan = None if text is None else read_plan(text)
        return plan if plan is not None and plan.phase == phase else None

    # ---- changing

    async def open(self, game: int, player: str) -> None:
        """From now on what a player orders in this step is only planned, until he commits or discards it.

        Landings that he planned before are in it still.
        """
        async with self._book.lock(game):
            now = await self._book.load_running(game)
            before, fresh = await self.of(now, player), new_plan(now.state, player)
            if before is not None and before.is_open(now.state):
                raise RuleViolation("plan_open_already")
            opened = fresh if before is None else replace(before, open_in=fresh.open_in)
            await self._store.set_plan(game, player, opened.text)

    async def add(
        self, now: Game, player: str, plan: Plan, build: Callable[[State], cmd.Command], declares: bool
    ) -> Happening:
        """Puts a command into an open plan; what would happen by it.

        `declares`: it is one of the invasion step, and goes into the plan as it would be given then.
        """
        dice = self._book.dice_of(now.row)
        before = plan.follow(now.state, dice)
        command = build(before.invading if declares else before.moved)
        longer = plan.with_command(now.state, command, dice)
        after = longer.follow(now.state, dice)
        await self._store.set_plan(now.row.id, player, longer.text)
        start, events = before.moved, after.moves[len(before.moves) :]
        if declares:
            start, events = before.invading, after.declarations[len(before.declarations) :]
        return Happening(now.row, player, now.row.head + 1, start, events, fold(start, events))

    async def drop_last(self, game: int, player: str) -> bool:
        """Takes the last command out of a plan; False if no plan is open."""
        async with self._book.lock(game):
            now = await self._book.load(game)
            plan = await self.of(now, player)
            if plan is None or not plan.is_open(now.state):
                return False
            if not plan.commands:
                raise RuleViolation("plan_is_empty")
            await self._store.set_plan(game, player, replace(plan, commands=plan.commands[:-1]).text)
            return True

    async def commit(self, game: int, player: str, at: int | None = None, mark: str | None = None) -> Committed:
        """Carries out what of a plan is for this step, as one step; what is for the invasion step is kept for it.

        `at`, `mark`: the last event and the mark of the plan that was looked at, if it is to be no other.
        """
        async with self._book.lock(game):
            now = await self._book.load_running(game)
            plan = await self._looked_at(now, player, at, mark)
            planned = self._followed(now, player, plan)
            events, rest = plan.due(planned.outcome), plan.rest(now.state)
            left = None if rest is None else rest.text
            if events:
                done = await self._book.write(now, player, plan.for_step(now.state), events, (player, left))
                return Committed(done, planned, rest)
            await self._store.set_plan(game, player, left)
            return Committed(nothing(now, player), planned, rest)

    async def discard(self, game: int, player: str, at: int | None = None, mark: str | None = None) -> None:
        """Drops a plan; `at`, `mark` as for `commit`."""
        async with self._book.lock(game):
            await self._looked_at(await self._book.load(game), player, at, mark)
            await self._store.set_plan(game, player, None)

    async def _looked_at(self, now: Game, player: str, at: int | None, mark: str | None) -> Plan:
        plan = await self.of(now, player)
        if plan is None:
            raise RuleViolation("no_plan")
        if at not in (None, now.row.head) or mark not in (None, plan.mark):
            raise RuleViolation("table_changed")
        return plan

    def _followed(self, now: Game, player: str, plan: Plan) -> Planned:
        return Planned(now.row, player, plan, plan.follow(now.state, self._book.dice_of(now.row)))

    async def _end_of_phase(self, row: GameRow, player: str) -> int | None:
        """The event with which the last phase of a player ended, if it has ended."""
        async for entry in self._book.record.back_from(row.id, row.head):
            for number, event in reversed(list(enumerate(events_of(entry), entry.first))):
                if isinstance(event, PhaseEnded) and event.player == player:
                    return number
        return None

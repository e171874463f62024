"""The one use case: lock the game, load it, decide, append, hand out. No Discord and no words here."""

import asyncio
import json
import logging
import secrets
import sqlite3
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.agreed import Agreed, Then, agreed_text, read_agreed
from bot.clock import Clock
from bot.faults import noted
from bot.locks import TaskLock
from bot.phrases import Language
from bot.plans import DECLARING, Outcome, Plan, new_plan, phase_of, read_plan
from bot.record import Record, events_of
from bot.steps import ANEW, ASKING, RETURNS, STEPS, PostKind, asks, folded, last_opened, steps, waits_for_losses
from bot.store import ChannelTaken, Entry, GameRow, Owed, Post, Proposal, Seat, Snapshot, Store
from bot.verify import Verdict, verify
from rules_core import codec, history
from rules_core import commands as cmd
from rules_core import events as ev
from rules_core.apply import fold
from rules_core.decide import advance, decide
from rules_core.dice import SECRET_BYTES, Dice, SealedDice, seal, with_words
from rules_core.errors import RuleViolation, Unreadable
from rules_core.game_file import GameFile, Seal, chain_start, chained, write_game
from rules_core.history import REFEREE
from rules_core.legal import passing
from rules_core.pending import decisions
from rules_core.position import position_to_json, standing_from_json, standing_to_json
from rules_core.state import Player, StandingOrders, State
from rules_core.victory import winners

log = logging.getLogger(__name__)

# Who opens the phases when a game starts; not the referee, who could else take the start back.
GAME: Final = "game"
SNAPSHOT_EVERY: Final = 100
HOT_GAMES: Final = 256
# Letters of what a player adds to the secret.
MOST_WORDS: Final = 100

Events = tuple[ev.Event, ...]


def sealed_dice(game: GameRow) -> Dice:
    """The dice of a real game."""
    return SealedDice(with_words(game.secret, json.loads(game.words)))


def seal_of(game: GameRow) -> Seal:
    """What binds the dice of a game; with the secret once it has ended or the referee has revealed it."""
    public = game.status == "ended" or game.revealed
    return Seal(seal(game.secret), json.loads(game.words), game.imported, game.secret if public else None)


@dataclass(frozen=True, slots=True)
class Game:
    """A game as it stands now: its row, and its state with the standing orders of the seats."""

    row: GameRow
    state: State


@dataclass(frozen=True, slots=True)
class Happening:
    """Events that belong together, with the table before and after them; an undo has none.

    `first` is the number of the first event, `actor` who caused the last one. `about`: what else a post is
    about; `at`: when it happened, or since when that is waited for. `back`: what an undo took back, which leads from
    the table after it to the one before; or what a redo brought back, the other way round.
    """

    game: GameRow
    actor: str
    first: int
    before: State
    events: Events
    after: State
    about: str = ""
    at: str = ""
    back: Events = ()

    @property
    def last(self) -> int:
        """The number of the last event; an undo takes one number."""
        return self.first + max(1, len(self.events)) - 1


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


@dataclass(frozen=True, slots=True)
class Told:
    """An entry of the log as it is told: when it was made, where it returned to, and whether it still holds."""

    happening: Happening
    at: str
    returns_to: int | None
    holds: bool


class Service:
    """All games. `wake` is told the channel of a game to which a command owes posts."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        wake: Callable[[int], None],
        dice: Callable[[GameRow], Dice] = sealed_dice,
    ) -> None:
        self.store = store
        self._clock = clock
        self._wake = wake
        self._dice = dice
        self._locks: dict[int, TaskLock] = {}
        self._hot: OrderedDict[int, Game] = OrderedDict()
        self._record = Record(store)

    # ---- looking

    async def winners(self, game: int) -> tuple[str, ...]:
        """Who has won by what the table agreed on, as the game stands now."""
        now = await self.load(game)
        agreed = read_agreed(now.row.settings)
        return winners(await self._state_at(game, 0), now.state, agreed.victory, agreed.goal)

    async def game_in(self, channel: int) -> GameRow:
        """The game that is played in a channel; refused if there is none."""
        found = await self.store.game_in(channel)
        if found is None:
            raise RuleViolation("no_game_here")
        return found

    async def last_game_in(self, channel: int) -> GameRow:
        """The game that is or was played in a channel last; refused if there was none."""
        found = await self.store.last_game_in(channel)
        if found is None:
            raise RuleViolation("no_game_here")
        return found

    async def load(self, game: int) -> Game:
        """A game as it stands now."""
        async with self._lock(game):
            return await self._load(game)

    async def seat_of(self, game: int, user: int) -> str:
        """The key of the first seat that a user holds; refused if he has none."""
        for seat in await self.store.seats(game):
            if seat.user == user:
                return seat.key
        raise RuleViolation("no_seat")

    async def free_seats(self, game: int) -> tuple[Player, ...]:
        """The players whose seats nobody holds, in seat order."""
        free = {seat.key for seat in await self.store.seats(game) if seat.user is None}
        return tuple(player for player in (await self.load(game)).state.players if player.key in free)

    async def state_at(self, game: int, number: int) -> State:
        """The table after event `number` (0: at the start), without standing orders; refused if there is no such."""
        row = await self.store.game(game)
        if not 0 <= number <= row.head:
            raise RuleViolation("no_such_step", step=number, last=row.head)
        return await self._state_at(game, number)

    async def happening(self, post: Post) -> Happening:
        """What a post tells of: its events as they held when it was owed."""
        row = await self.store.game(post.game)
        if post.kind == PostKind.OPENED:
            # It may be sent long after: the phase that it tells of can be over.
            then = await self._state_at(post.game, post.last)
            return Happening(row, GAME, post.first, then, (), then, at=post.created)
        if post.about and post.kind not in (PostKind.SUMMARY, PostKind.PROPOSAL):
            now, since = (await self.load(post.game)).state, await self._waiting_since(post)
            return Happening(row, GAME, post.first, now, (), now, post.about, since)
        newest = await self.store.entry_with(post.game, post.last)
        after = await self._state_at(post.game, post.last)
        if post.kind == PostKind.PROPOSAL:
            newest = replace(newest, actor=post.about or newest.actor)
        elif newest.returns_to is not None:
            before = await self._state_at(post.game, newest.first - 1)
            _, back = await self._going_back(post.game, newest.first - 1, newest.returns_to, PostKind(post.kind))
            return Happening(row, newest.actor, post.first, before, (), after, at=newest.at, back=back)
        found: list[ev.Event] = []
        async for entry in self._record.back_from(post.game, post.last):
            numbered = enumerate(events_of(entry), entry.first)
            found[:0] = [event for number, event in numbered if post.first <= number <= post.last]
            if entry.first <= post.first:
                break
        before = await self._state_at(post.game, post.first - 1)
        # Between the first and the last something may have been taken back: the last number is what must be right.
        first = post.last + 1 - max(1, len(found))
        return Happening(row, newest.actor, first, before, tuple(found), after, post.about, newest.at)

    async def whole(self, game: int) -> Happening:
        """All that happened in a game and was not taken back."""
        now = await self.load(game)
        events = tuple(event for entry in history.live(await self.log(game)) for event in entry.events)
        return Happening(now.row, GAME, 1, await self._state_at(game, 0), events, now.state)

    async def _waiting_since(self, post: Post) -> str:
        """Since when the longest wait lasts that a post is about; the post's own time if there is none any more."""
        found = [wait.since for wait in await self.store.waits() if wait.game == post.game]
        return min((since for since in found), default=post.created)

    async def is_true(self, post: Post) -> bool:
        """Whether a post that reminds of something still has something to remind of."""
        if post.kind not in (PostKind.REMINDER, PostKind.DEADLINE):
            return True
        waiting = waits_of((await self.load(post.game)).state)
        return any(player in waiting for player in post.about.split())

    async def told(self, game: int, before: int | None, most: int) -> list[Told]:
        """At most so many entries of the log, the last of them the one with event `before`, oldest first."""
        row = await self.store.game(game)
        until = row.head if before is None else min(before, row.head)
        entries = (await self.store.entries(game, 0, until))[-most:] if until > 0 else ()
        holding = {entry.first async for entry in self._record.back_from(game, row.head)}
        told = []
        for entry in entries:
            start = await self._state_at(game, entry.first - 1)
            after = fold(start, events_of(entry)) if entry.returns_to is None else start
            done = Happening(row, entry.actor, entry.first, start, events_of(entry), after)
            told.append(Told(done, entry.at, entry.returns_to, entry.returns_to is not None or entry.first in holding))
        return told

    async def since(self, game: int, player: str) -> Happening:
        """Everything that holds and has happened since a player's last command, or since the beginning."""
        row, number = await self.store.game(game), 0
        events: list[ev.Event] = []
        async for entry in self._record.back_from(game, row.head):
            if entry.actor == player:
                number = entry.last
                break
            events[:0] = events_of(entry)
        before = await self._state_at(game, number)
        return Happening(row, GAME, number + 1, before, tuple(events), fold(before, events))

    async def last_actor(self, game: GameRow) -> str | None:
        """Who gave the last command, or took one back."""
        return (await self.store.entry_with(game.id, game.head)).actor if game.head else None

    async def holds(self, game: int, number: int) -> bool:
        """Whether the event `number` was not taken back, or was brought back again."""
        since = {entry.last: entry for entry in await self.store.entries(game, number - 1)}
        at = max(since, default=0)
        while (entry := since.get(at)) is not None and entry.first > number:
            at = entry.first - 1 if entry.returns_to is None else entry.returns_to
        return number == 0 or at in since

    async def answer_to(self, game: int, opened: int, player: str) -> cmd.PlayerCommand | None:
        """The first command for a player that followed event `opened` and holds."""
        row, found = await self.store.game(game), None
        async for entry in self._record.back_from(game, row.head):
            if entry.first <= opened:
                break
            command = None if entry.command is None else codec.command_from_json(json.loads(entry.command), "command")
            if isinstance(command, cmd.PlayerCommand) and command.player == player:
                found = command
        return found

    async def game_file(self, game: int) -> str:
        """The game as a file: where it began and all that was done, without standing orders; the secret once public."""
        entries = await self.log(game)
        return write_game(await self._state_at(game, 0), entries, seal_of(await self.store.game(game)))

    async def log(self, game: int) -> tuple[history.Entry, ...]:
        """Everything that was done, what was taken back included."""
        rows = await self.store.entries(game)
        return tuple(history.Entry(row.first, row.actor, events_of(row), row.returns_to) for row in rows)

    async def verified(self, game: int) -> Verdict:
        """Recomputes every die that was rolled here; refused while the secret is one."""
        sealed = seal_of(await self.store.game(game))
        if sealed.dice is None:
            raise RuleViolation("secret_not_revealed")
        start, entries = await self._state_at(game, 0), await self.log(game)
        return await asyncio.to_thread(verify, start, entries, sealed.dice, sealed.after)

    # ---- playing

    async def execute(
        self,
        game: int,
        actor: str,
        build: Callable[[State], cmd.Command],
        at: int | None = None,
        declares: bool = False,
    ) -> Happening:
        """Follows the command that `build` makes of the state; raises its refusal, and then nothing has changed.

        `at`: the last event of the table that the command was made for, if it is good for no other. `declares`: it is
        one of the invasion step, and goes into a plan as it would be given then.
        """
        async with self._lock(game):
            now = await self._load_running(game)
            if at not in (None, now.row.head):
                raise RuleViolation("table_changed")
            if (plan := await self._plan(now, actor)) is not None and plan.is_open(now.state):
                return await self._into_plan(now, actor, plan, build, declares)
            command = build(now.state)
            if actor == REFEREE and isinstance(command, cmd.PlayerCommand):
                await self._check_vacant(game, command.player)
            return await self._execute(now, actor, command)

    async def _check_vacant(self, game: int, player: str) -> None:
        """The referee plays the seats that nobody holds."""
        if any(seat.key == player and seat.user is not None for seat in await self.store.seats(game)):
            raise RuleViolation("not_yours_to_command")

    async def act_for(
        self, game: int, player: str, build: Callable[[State], cmd.Command], reason: str = ""
    ) -> Happening:
        """Follows a command of `player` that the referee gives; the log says so."""
        async with self._lock(game):
            now = await self._load_running(game)
            command = build(now.state)
            _check_authority(player, command)
            events = decide(now.state, command, self._dice(now.row))
            return await self._write(now, REFEREE, command, (ev.RefereeActed(player, reason), *events))

    # ---- plans

    async def open_plan(self, game: int, player: str) -> None:
        """From now on what a player orders in this step is only planned, until he commits or discards it.

        Landings that he planned before are in it still.
        """
        async with self._lock(game):
            now = await self._load_running(game)
            before, fresh = await self._plan(now, player), new_plan(now.state, player)
            if before is not None and before.is_open(now.state):
                raise RuleViolation("plan_open_already")
            opened = fresh if before is None else replace(before, open_in=fresh.open_in)
            await self.store.set_plan(game, player, opened.text)

    async def planned(self, game: int, player: str) -> Planned | None:
        """A player's plan for his phase that is under way, and what it comes to."""
        async with self._lock(game):
            now = await self._load(game)
            plan = await self._plan(now, player)
            return None if plan is None else self._followed(now, player, plan)

    async def table_for(self, game: int, player: str, order: str) -> State:
        """The table as an order of that name would find it: who has a plan open orders as things would be then."""
        planned = await self.planned(game, player)
        if planned is None or not planned.is_open:
            return (await self.load(game)).state
        return planned.outcome.invading if order in DECLARING else planned.outcome.moved

    async def left_over(self, game: int, player: str) -> Planned | None:
        """What a player had planned and not carried out when his phase of this round ended, as it stood then."""
        async with self._lock(game):
            now = await self._load(game)
            text = await self.store.plan(game, player)
            if text is None or (plan := read_plan(text)).phase == phase_of(now.state, player):
                return None
            if not plan.commands or not plan.phase.startswith(f"{now.state.round}/"):
                return None
            ended = await self._end_of_phase(now.row, player)
            if ended is None:
                return None
            return self._followed(replace(now, state=await self._state_at(game, ended - 1)), player, plan)

    async def commit_plan(self, game: int, player: str, at: int | None = None, mark: str | None = None) -> Committed:
        """Carries out what of a plan is for this step, as one step; what is for the invasion step is kept for it.

        `at`, `mark`: the last event and the mark of the plan that was looked at, if it is to be no other.
        """
        async with self._lock(game):
            now = await self._load_running(game)
            plan = await self._open_plan(now, player, at, mark)
            planned = self._followed(now, player, plan)
            events, rest = plan.due(planned.outcome), plan.rest(now.state)
            left = None if rest is None else rest.text
            if events:
                return Committed(await self._write(now, player, None, events, (player, left)), planned, rest)
            await self.store.set_plan(game, player, left)
            return Committed(Happening(now.row, player, now.row.head + 1, now.state, (), now.state), planned, rest)

    async def discard_plan(self, game: int, player: str, at: int | None = None, mark: str | None = None) -> None:
        """Drops a plan; `at`, `mark` as for `commit_plan`."""
        async with self._lock(game):
            await self._open_plan(await self._load(game), player, at, mark)
            await self.store.set_plan(game, player, None)

    async def unplan(self, game: int, player: str) -> bool:
        """Takes the last command out of a plan; False if no plan is open."""
        async with self._lock(game):
            now = await self._load(game)
            plan = await self._plan(now, player)
            if plan is None or not plan.is_open(now.state):
                return False
            if not plan.commands:
                raise RuleViolation("plan_is_empty")
            await self.store.set_plan(game, player, replace(plan, commands=plan.commands[:-1]).text)
            return True

    async def _plan(self, now: Game, player: str) -> Plan | None:
        """The plan of a player for his phase that is under way."""
        phase = phase_of(now.state, player)
        text = None if phase is None else await self.store.plan(now.row.id, player)
        plan = None if text is None else read_plan(text)
        return plan if plan is not None and plan.phase == phase else None

    async def _open_plan(self, now: Game, player: str, at: int | None, mark: str | None) -> Plan:
        plan = await self._plan(now, player)
        if plan is None:
            raise RuleViolation("no_plan")
        if at not in (None, now.row.head) or mark not in (None, plan.mark):
            raise RuleViolation("table_changed")
        return plan

    def _followed(self, now: Game, player: str, plan: Plan) -> Planned:
        return Planned(now.row, player, plan, plan.follow(now.state, self._dice(now.row)))

    async def _into_plan(
        self, now: Game, player: str, plan: Plan, build: Callable[[State], cmd.Command], declares: bool
    ) -> Happening:
        dice = self._dice(now.row)
        before = plan.follow(now.state, dice)
        command = build(before.invading if declares else before.moved)
        longer = plan.with_command(now.state, command, dice)
        after = longer.follow(now.state, dice)
        await self.store.set_plan(now.row.id, player, longer.text)
        start, events = before.moved, after.moves[len(before.moves) :]
        if declares:
            start, events = before.invading, after.declarations[len(before.declarations) :]
        return Happening(now.row, player, now.row.head + 1, start, events, fold(start, events))

    async def _end_of_phase(self, row: GameRow, player: str) -> int | None:
        """The event with which the last phase of a player ended, if it has ended."""
        async for entry in self._record.back_from(row.id, row.head):
            for number, event in reversed(list(enumerate(events_of(entry), entry.first))):
                if isinstance(event, ev.PhaseEnded) and event.player == player:
                    return number
        return None

    async def answer_for(self, game: int, player: str, then: Then) -> bool:
        """At a deadline: lets a player's standing orders answer, or passes for him; False if that answers nothing."""
        async with self.as_one(game):
            now = await self._load(game)
            if then == "tell":
                return False
            waiting = waits_of(now.state).keys() - {player}
            standing = {key: orders for key, orders in now.state.standing.items() if key not in waiting}
            events = advance(replace(now.state, standing=standing), self._dice(now.row))
            if not events and then == "pass" and (command := passing(now.state, player)) is not None:
                events = decide(now.state, command, self._dice(now.row))
            if not events:
                return False
            await self.store.owe(now.row, Owed(PostKind.ANSWERED, now.row.head, now.row.head, player), self._now())
            await self._write(now, GAME, None, events)
            return True

    async def undo(self, game: int, actor: str, whole_phase: bool = False) -> Happening:
        """Takes back the actor's last command, or all of his phase, as far as that is free."""
        async with self._lock(game):
            now = await self._load(game)
            return await self._undo(now, actor, await self._free_target(now, actor, whole_phase))

    async def to_undo(self, game: int, actor: str, whole_phase: bool = False) -> Happening:
        """What an undo would take back now, changing nothing; refused as the undo would be."""
        async with self._lock(game):
            now = await self._load(game)
            target = await self._free_target(now, actor, whole_phase)
            going = await self._checked_target(now, target)
            events = tuple(event for entry in reversed(going) for event in events_of(entry))
            return Happening(now.row, actor, target + 1, await self._state_at(game, target), events, now.state)

    async def redo(self, game: int, actor: str) -> Happening:
        """Brings back what the actor's last undo took back, as long as nothing else has happened since."""
        async with self._lock(game):
            now = await self._load(game)
            again = history.redo(await self._undos_at_the_end(game, now.row.head), actor)
            assert again.undone_to is not None, "a redo that returns to nothing"
            return await self._undo(now, actor, again.undone_to, PostKind.REDO)

    async def propose(self, game: int, actor: str, to: int | None = None) -> Proposal | Happening:
        """Asks those affected to agree to an undo to event `to` (else of the actor's last command).

        What is free anyway is taken back at once.
        """
        async with self.as_one(game):
            now = await self._load(game)
            target = await self._start_of_last(game, now.row.head, actor) if to is None else to
            going = await self._checked_target(now, target)
            if all(each.actor == actor and not history.rolled(events_of(each)) for each in going):
                return await self._undo(now, actor, target)
            events = [event for entry in going for event in events_of(entry)]
            holders = {seat.key for seat in await self.store.seats(game) if seat.user is not None}
            playing = [player.key for player in now.state.players if not player.eliminated and player.key in holders]
            asked = history.affected(events, playing, actor) or tuple(key for key in playing if key != actor)
            proposal = Proposal(game, now.row.head, actor, target, " ".join(asked), "")
            await self.store.propose(proposal)
            await self.store.owe(now.row, Owed(PostKind.PROPOSAL, target + 1, now.row.head, actor), self._now())
            self._wake(now.row.channel)
            return proposal

    async def answer(self, game: int, player: str, agrees: bool, number: int | None = None) -> Proposal | Happening:
        """What a player, or the referee, says to the undo that is proposed; the last to agree carries it out.

        `number`: the last event when it was proposed, where that is known.
        """
        async with self.as_one(game):
            now = await self._load(game)
            proposal = await self.store.proposal(game, now.row.head)
            if proposal is None or number not in (None, now.row.head):
                raise RuleViolation("no_proposal")
            if player not in (REFEREE, *proposal.asked.split()):
                raise RuleViolation("not_asked", player=proposal.actor)
            if not agrees:
                await self.store.drop_proposal(game, proposal.number)
                about = f"{player} {proposal.actor}"
                await self.store.owe(now.row, Owed(PostKind.REFUSED, now.row.head, now.row.head, about), self._now())
                self._wake(now.row.channel)
                return proposal
            agreed = {*proposal.agreed.split(), player}
            if player == REFEREE or agreed >= set(proposal.asked.split()):
                return await self._undo(now, proposal.actor, proposal.returns_to, PostKind.AGREED)
            proposal = replace(proposal, agreed=" ".join(sorted(agreed)))
            await self.store.propose(proposal)
            return proposal

    async def set_standing(self, game: int, player: str, change: Callable[[State], StandingOrders]) -> StandingOrders:
        """Sets the standing orders of a seat: private, no event, never undone."""
        async with self._lock(game):
            now = await self._load(game)
            orders = change(now.state)
            await self.store.set_standing(game, player, _compact(standing_to_json(orders)))
            self._hot[game] = replace(now, state=replace(now.state, standing={**now.state.standing, player: orders}))
            return orders

    async def mute(self, game: int, player: str) -> None:
        """No more reminders for what a player is waited for now."""
        for wait in await self.store.waits():
            if (wait.game, wait.player) == (game, player):
                await self.store.note_wait(replace(wait, muted=1))
                return
        raise RuleViolation("nobody_waits_for_you")

    async def away(self, game: int, player: str, hours: int) -> datetime | None:
        """No reminders for so many hours (0: as before), in all games of who holds the seat; their tables are told."""
        until = self._clock.now() + timedelta(hours=hours) if hours else None
        for seat in await self._seats_of_holder(game, player):
            await self.store.set_away(seat.game, seat.key, None if until is None else until.isoformat())
            if until is not None:
                await self.tell(seat.game, PostKind.AWAY, seat.key)
        return until

    async def _seats_of_holder(self, game: int, player: str) -> tuple[Seat, ...]:
        """A seat with all others in running games that the same user holds."""
        here = next(seat for seat in await self.store.seats(game) if seat.key == player)
        return (here,) if here.user is None else await self.store.seats_of(here.user)

    async def agree_on(self, game: int, change: Callable[[Agreed], Agreed]) -> Agreed:
        """Changes what the table has agreed on beside the rules."""
        async with self._lock(game):
            agreed = change(read_agreed((await self.store.game(game)).settings))
            await self.store.set_settings(game, agreed_text(agreed))
            self._hot.pop(game, None)
            return agreed

    async def to_ping(self, post: Post, mentions: Iterable[str]) -> tuple[str, ...]:
        """Whom a post may ping now: whoever it asks to act is left out if he is waited for no more."""
        if post.kind not in (*ASKING, *RETURNS, PostKind.REMINDER):
            return tuple(mentions)
        waiting = waits_of((await self.load(post.game)).state)
        return tuple(key for key in mentions if key in waiting)

    # ---- opening and ending games

    async def create(
        self, guild: int, channel: int, language: Language, referee: int, file: GameFile, secret: bytes | None = None
    ) -> GameRow:
        """A new game in the lobby of a channel, with the log that came with it; refused if the channel has one."""
        row = GameRow(
            id=0,
            guild=guild,
            channel=channel,
            name=file.start.name,
            language=language,
            referee=referee,
            status="lobby",
            secret=secret or secrets.token_bytes(SECRET_BYTES),
            created=self._now(),
            head=0,
            rolled=0,
            chain="",
        )
        row, seats, log, snapshots = _beginning(row, file, {}, self._now())
        try:
            return await self.store.create_game(row, seats, log, snapshots)
        except ChannelTaken as error:
            raise RuleViolation("channel_has_a_game") from error

    async def set_up(self, game: int, file: GameFile, holders: Mapping[str, int]) -> None:
        """Another beginning for a game in the lobby; `holders`: the users who have seats in it."""
        async with self.as_one(game):
            row = await self.store.game(game)
            if row.status != "lobby":
                raise RuleViolation("already_started")
            given, before = json.loads(row.words), await self.store.seats(game)
            own = {seat.user: given[seat.key] for seat in before if seat.user is not None and seat.key in given}
            await self.store.set_up_game(*_beginning(row, file, holders, self._now()))
            self._hot.pop(game, None)
            self._record.forget(game)
            # Words go with the user, whatever his seat is called now.
            words = {key: own[user] for key, user in holders.items() if user in own}
            await self._set_words(await self._load(game), words)

    async def tell(self, game: int, kind: PostKind, about: str = "") -> None:
        """Owes the channel a post about the game as a whole, or about what it waits for."""
        row = await self.store.game(game)
        await self.store.owe(row, Owed(kind, row.head, row.head, about), self._now())
        self._wake(row.channel)

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

    async def join(self, game: int, user: int, seat: str | None = None) -> str:
        """Gives a user the seat he names, or the first that is free; refused if there is none."""
        async with self._lock(game):
            seats = {each.key: each for each in await self.store.seats(game)}
            state = (await self._load(game)).state
            if any(each.user == user for each in seats.values()):
                raise RuleViolation("you_have_a_seat")
            free = [player.key for player in state.players if seats[player.key].user is None]
            if not free:
                raise RuleViolation("no_seat_is_free")
            if seat is not None and seat not in free:
                raise RuleViolation("seat_is_taken", player=seat, free=tuple(free))
            key = seat or free[0]
            await self.store.seat(game, key, user, self._now())
            return key

    async def leave(self, game: int, user: int) -> str:
        """Makes a user's seat vacant; his standing orders go with him, before the start his words too."""
        async with self.as_one(game):
            key = await self.seat_of(game, user)
            await self._hand_over(game, key, None)
            now = await self._load(game)
            if now.row.status == "lobby":
                await self._set_words(now, json.loads(now.row.words))
            return key

    async def rebind(self, game: int, channel: int) -> None:
        """Moves a game to another channel; what is owed goes there, and it is told there how the game stands."""
        async with self.as_one(game):
            try:
                await self.store.set_channel(game, channel)
            except ChannelTaken as error:
                raise RuleViolation("channel_has_a_game") from error
            await self.tell_how_it_stands(game)

    async def give_seat(self, game: int, key: str, user: int | None) -> None:
        """Another user plays a seat from now on, or (None) nobody; whatever waits there waits for him."""
        async with self.as_one(game):
            await self._hand_over(game, key, user)

    async def swap_seats(self, game: int, key: str, other: str) -> None:
        """Two seats change their users."""
        async with self.as_one(game):
            users = {seat.key: seat.user for seat in await self.store.seats(game)}
            await self._hand_over(game, key, users[other])
            await self._hand_over(game, other, users[key])

    async def _hand_over(self, game: int, key: str, user: int | None) -> None:
        """What the last one who sat there had ordered ahead or planned is void."""
        await self.store.seat(game, key, user, None if user is None else self._now())
        await self.store.set_standing(game, key, _compact({}))
        await self.store.set_plan(game, key, None)
        self._hot.pop(game, None)

    async def start(self, game: int) -> Happening:
        """Opens the game: whoever is first by political power begins."""
        async with self.as_one(game):
            now = await self._load(game)
            if now.row.status != "lobby":
                raise RuleViolation("already_started")
            await self._set_words(now, json.loads(now.row.words))
            opened = await self._execute(await self._load(game), GAME, cmd.Begin())
            await self.store.wait_for(game, waits_of(opened.after), self._now())
            await self.store.set_status(game, "running")
            if not opened.events and opened.after.phase is not None:
                await self.tell(game, PostKind.OPENED, opened.after.phase.player)
            return opened

    async def add_words(self, game: int, player: str, own: str) -> None:
        """Adds a player's own words to the secret of the dice, in place of those he gave before; only in the lobby."""
        plain = " ".join(own.split())
        if not 1 <= len(plain) <= MOST_WORDS:
            raise Unreadable("too_long", text=plain[:40], limit=MOST_WORDS, length=len(plain))
        async with self._lock(game):
            now = await self._load(game)
            if now.row.status != "lobby":
                raise RuleViolation("already_started")
            await self._set_words(now, {**json.loads(now.row.words), player: plain})

    async def _set_words(self, now: Game, words: Mapping[str, str]) -> None:
        """In seat order, and only of who has a seat."""
        taken = {seat.key for seat in await self.store.seats(now.row.id) if seat.user is not None}
        kept = {p.key: words[p.key] for p in now.state.players if p.key in words and p.key in taken}
        await self.store.set_words(now.row.id, _compact(kept))
        self._hot.pop(now.row.id, None)

    async def reveal(self, game: int) -> None:
        """Makes the secret of the dice public, for good: what will be rolled can be known from then on."""
        async with self._lock(game):
            await self.store.reveal(game)
            self._hot.pop(game, None)

    async def end(self, game: int) -> None:
        """Ends a game: its channel is free for another, its secret is public."""
        async with self._lock(game):
            await self.store.set_status(game, "ended")
            self._hot.pop(game, None)

    # ---- inside the lock

    def _lock(self, game: int) -> TaskLock:
        return self._locks.setdefault(game, TaskLock())

    @asynccontextmanager
    async def as_one(self, game: int) -> AsyncIterator[None]:
        """What this task does to a game inside is done as a whole or not at all, with all that it owes."""
        async with self._lock(game):
            try:
                async with self.store.together():
                    yield
            finally:
                # What was read inside has perhaps not come to be.
                self._hot.pop(game, None)
                self._record.forget(game)

    async def _load(self, game: int) -> Game:
        if (hot := self._hot.get(game)) is not None:
            self._hot.move_to_end(game)
            return hot
        row = await self.store.game(game)
        if row.broken:
            raise RuleViolation("game_is_broken", game=game, reference=row.broken)
        seats = await self.store.seats(game)
        players = [seat.key for seat in seats]
        async with self._else_set_aside(game):
            standing = {seat.key: _orders(seat, players) for seat in seats}
        given = {key: orders for key, orders in standing.items() if orders != StandingOrders()}
        now = Game(row, replace(await self._state_at(game, row.head), standing=given))
        self._keep(now)
        return now

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
            await self.store.set_aside(row, reference, self._now())
            self._wake(row.channel)
            raise RuleViolation("game_is_broken", game=game, reference=reference) from error

    async def _load_running(self, game: int) -> Game:
        now = await self._load(game)
        if now.row.status != "running":
            raise RuleViolation("not_running")
        return now

    def _keep(self, now: Game) -> None:
        self._hot[now.row.id] = now
        if len(self._hot) > HOT_GAMES:
            self._hot.popitem(last=False)

    async def _execute(self, now: Game, actor: str, command: cmd.Command) -> Happening:
        _check_authority(actor, command)
        events = decide(now.state, command, self._dice(now.row))
        if not events:
            return Happening(now.row, actor, now.row.head + 1, now.state, (), now.state)
        return await self._write(now, actor, command, events)

    async def _write(
        self,
        now: Game,
        actor: str,
        command: cmd.Command | None,
        events: Events,
        plan: tuple[str, str | None] | None = None,
    ) -> Happening:
        """Keeps what has happened; `plan`: whose plan that was, and what is left of it."""
        after = fold(now.state, events)
        first = now.row.head + 1
        last = now.row.head + len(events)
        entry = Entry(
            first=first,
            last=last,
            actor=actor,
            at=self._now(),
            command=None if command is None else _compact(codec.command_to_json(command)),
            events=_events_text(events),
            returns_to=None,
            rolled=now.row.rolled + history.rolled(events),
            chain=chained(now.row.chain, history.Entry(first, actor, events)),
        )
        owed = await self._owed(now, actor, events, after)
        async with self.store.together():
            row = await self._append(now.row, entry, owed, after, _snapshot_due(first, last, events), plan)
            after = await self._without_passes(row, after, events)
        self._keep(Game(row, after))
        return Happening(row, actor, first, now.state, events, after)

    async def _without_passes(self, row: GameRow, after: State, events: Events) -> State:
        """An order to pass is for one phase: with its end it is gone."""
        for event in events:
            orders = after.standing.get(event.player) if isinstance(event, ev.PhaseEnded) else None
            if isinstance(event, ev.PhaseEnded) and orders is not None and orders.passes:
                orders = replace(orders, passes=False)
                await self.store.set_standing(row.id, event.player, _compact(standing_to_json(orders)))
                after = replace(after, standing={**after.standing, event.player: orders})
        return after

    async def _free_target(self, now: Game, actor: str, whole_phase: bool) -> int:
        """To which event an undo without asking anybody returns."""
        line = await self._record.line_of(now.row.id, now.row.head, actor)
        start = await self._state_at(now.row.id, line[0].first - 1 if line else 0)
        taken = history.undo(start, line, actor, whole_phase)
        assert taken.undone_to is not None, "an undo that returns to nothing"
        return taken.undone_to

    async def _undos_at_the_end(self, game: int, number: int) -> list[history.Entry]:
        """The undos and redos that followed the last command."""
        found: list[history.Entry] = []
        while number > 0:
            entry = await self.store.entry_with(game, number)
            if entry.returns_to is None:
                break
            found.insert(0, history.Entry(entry.first, entry.actor, (), entry.returns_to))
            number = entry.first - 1
        return found

    async def _start_of_last(self, game: int, head: int, actor: str) -> int:
        """The event before the last command of `actor` that holds."""
        async for entry in self._record.back_from(game, head):
            if entry.actor == actor:
                return entry.first - 1
        raise RuleViolation("nothing_to_undo", None, actor=actor)

    async def _checked_target(self, now: Game, target: int) -> list[Entry]:
        """The entries that an undo to event `target` takes back; refused if no table that holds ended there."""
        going: list[Entry] = []
        async for entry in self._record.back_from(now.row.id, now.row.head):
            if going and entry.last == target:
                return going
            going.append(entry)
            if entry.first - 1 == target:
                return going
        raise RuleViolation("no_such_step_to_undo", step=target)

    async def _undo(self, now: Game, actor: str, to: int, kind: PostKind = PostKind.UNDO) -> Happening:
        """Goes to the table after event `to`: back, or for a redo to where an undo was made."""
        since, back = await self._going_back(now.row.id, now.row.head, to, kind)
        number = now.row.head + 1
        after = replace(await self._state_at(now.row.id, to), standing=now.state.standing)
        rolled = (await self.store.entry_with(now.row.id, to)).rolled if to else 0
        chain = chained(now.row.chain, history.Entry(number, actor, undone_to=to))
        entry = Entry(number, number, actor, self._now(), None, "[]", to, rolled, chain)
        owed = [Owed(kind, number, number)] if await self._is_public(now.row, since) else []
        row = await self._append(now.row, entry, owed, after, with_snapshot=True)
        self._keep(Game(row, after))
        return Happening(row, actor, number, now.state, (), after, back=back)

    async def _going_back(self, game: int, head: int, to: int, kind: PostKind) -> tuple[int, Events]:
        """What is taken back from `head` to event `to`, or brought back by a redo; and after which event it begins."""
        start = to
        if kind is PostKind.REDO:
            start, head = (await self.store.entry_with(game, to + 1)).returns_to or 0, to
        found: list[ev.Event] = []
        async for entry in self._record.back_from(game, head):
            if entry.first <= start:
                break
            found[:0] = events_of(entry)
        return start, tuple(found)

    async def _append(
        self,
        row: GameRow,
        entry: Entry,
        owed: Iterable[Owed],
        after: State,
        with_snapshot: bool,
        plan: tuple[str, str | None] | None = None,
    ) -> GameRow:
        # Whatever happens while this is written, the next command looks again at what the database holds.
        self._hot.pop(row.id, None)
        kept = Snapshot(entry.last, _state_text(after)) if with_snapshot else None
        appended = await self.store.append(row, entry, owed, kept, waits_of(after), plan)
        self._record.keep(row.id, entry.last, after)
        did = "undo" if entry.returns_to is not None else "command"
        log.info("%s of %s", did, entry.actor, extra={"game": row.id, "event": entry.last})
        self._wake(row.channel)
        return appended

    # ---- the log

    async def _state_at(self, game: int, number: int) -> State:
        async with self._else_set_aside(game):
            return await self._record.state_at(game, number)

    async def _owed(self, now: Game, actor: str, events: Events, after: State) -> list[Owed]:
        """The posts of these events: every step that is complete, and what is newly waited for."""
        last = now.row.head + len(events)
        earlier = await self._open_step(now.row) if waits_for_losses(now.state) else ()
        found = steps((*earlier, *events), now.row.head + 1 - len(earlier), waits_for_losses(now.state))
        complete = found[:-1] if waits_for_losses(after) else found
        posted = folded(complete) if read_agreed(now.row.settings).fold else complete
        owed = [Owed(step.kind, step.first, step.last) for step in posted]
        known = {decision.id for decision in decisions(now.state)}
        if any(asks(decision, actor) for decision in decisions(after) if decision.id not in known):
            owed.append(Owed(PostKind.WAITING, found[-1].first if len(complete) < len(found) else last, last))
        if any(isinstance(event, ev.RoundEnded) for event in events):
            owed.append(await self._summary(now.row, last, after))
        return owed

    async def _summary(self, row: GameRow, last: int, after: State) -> Owed:
        """The post that closes a round: from where the round began, with who has won."""
        first, agreed = 1, read_agreed(row.settings)
        async for entry in self._record.back_from(row.id, row.head):
            begun = [n for n, event in enumerate(events_of(entry), entry.first) if isinstance(event, ev.RoundBegan)]
            if begun:
                first = begun[-1]
                break
        won = winners(await self._state_at(row.id, 0), after, agreed.victory, agreed.goal)
        return Owed(PostKind.SUMMARY, first, last, " ".join(won))

    async def _open_step(self, row: GameRow) -> Events:
        """The events of the step that waits for losses: its dice were rolled, its post is still to come.

        A game may begin in the middle of it; then all that was done since.
        """
        events: Events = ()
        async for entry in self._record.back_from(row.id, row.head):
            events = (*events_of(entry), *events)
            if (begun := last_opened(events)) is not None:
                return events[begun:]
        return events

    async def _is_public(self, game: GameRow, after: int) -> bool:
        """Whether anything since event `after` was posted, or came with a file that everybody can read."""
        return after < game.imported or await self.store.was_posted(game.id, after, (*STEPS, PostKind.WAITING))

    def _now(self) -> str:
        return self._clock.now().isoformat()


def waits_of(state: State) -> dict[str, str]:
    """The players who are waited for, each with the ids of his decisions; nobody while the game is paused."""
    found: dict[str, str] = {}
    if state.paused:
        return found
    for decision in decisions(state):
        found[decision.player] = f"{found.get(decision.player, '')} {decision.id}".strip()
    return found


def _beginning(
    row: GameRow, file: GameFile, holders: Mapping[str, int], at: str
) -> tuple[GameRow, list[Seat], list[Entry], list[Snapshot]]:
    """The rows of a game that begins with `file`, the log that comes with it included."""
    log, snapshots = _imported(file, at)
    last = log[-1] if log else None
    row = replace(
        row,
        name=file.start.name,
        head=last.last if last else 0,
        rolled=last.rolled if last else 0,
        chain=file.head,
        imported=last.last if last else 0,
    )
    return row, [_seat(row.id, player, file.start, holders, at) for player in file.start.players], log, snapshots


def _seat(game: int, player: Player, start: State, holders: Mapping[str, int], at: str) -> Seat:
    user = holders.get(player.key)
    orders = standing_to_json(start.standing.get(player.key, StandingOrders()))
    return Seat(game, player.key, player.race, user, at if user else None, _compact(orders))


def _imported(file: GameFile, at: str) -> tuple[list[Entry], list[Snapshot]]:
    """The log of a game file as rows, with the snapshots that would stand there had it been played here."""
    chain, log = chain_start(file.start), []
    snapshots = [Snapshot(0, _state_text(file.start))]
    then = {0: (file.start, 0)}
    for entry in file.entries:
        state, rolled = then[entry.first - 1 if entry.undone_to is None else entry.undone_to]
        then[entry.last] = (fold(state, entry.events), rolled + history.rolled(entry.events))
        chain = chained(chain, entry)
        events = _events_text(entry.events)
        row = Entry(entry.first, entry.last, entry.actor, at, None, events, entry.undone_to, then[entry.last][1], chain)
        log.append(row)
        if entry.undone_to is not None or _snapshot_due(row.first, row.last, entry.events):
            snapshots.append(Snapshot(entry.last, _state_text(then[entry.last][0])))
    return log, snapshots


def _snapshot_due(first: int, last: int, events: Events) -> bool:
    """At each beginning of a phase, and every so many events."""
    return _begins_phase(events) or last // SNAPSHOT_EVERY > (first - 1) // SNAPSHOT_EVERY


def _events_text(events: Events) -> str:
    return _compact([codec.event_to_json(event) for event in events])


def _orders(seat: Seat, players: Iterable[str]) -> StandingOrders:
    return standing_from_json(json.loads(seat.standing), f"standing orders of {seat.key}", players)


def _state_text(state: State) -> str:
    return _compact(position_to_json(replace(state, standing={})))


def _compact(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _begins_phase(events: Events) -> bool:
    return any(isinstance(event, ev.PhaseBegan) for event in events)


def _check_authority(actor: str, command: cmd.Command) -> None:
    """Nobody commands another's units, and only the referee edits."""
    if isinstance(command, cmd.Begin):
        allowed: tuple[str, ...] = (GAME,)
    else:
        allowed = (command.player, REFEREE) if isinstance(command, cmd.PlayerCommand) else (REFEREE,)
    if actor not in allowed:
        raise RuleViolation("not_yours_to_command")

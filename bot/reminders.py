"""Waiting: reminders at growing intervals with an end, and deadlines. All times are the injected clock's."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby
from typing import Final

from bot.agreed import Agreed, read_agreed
from bot.clock import Clock
from bot.faults import noted
from bot.happening import waits_of
from bot.rows import Wait
from bot.service import Service
from bot.steps import PostKind

# When reminders come, in first intervals after the wait began: each wait is twice the last, and then no more.
MOMENTS: Final = (1, 3, 7, 15)
# Reminders of one person on one server that fall due within so long are one: it says how many games wait.
TOGETHER: Final = timedelta(hours=1)
# A deadline that is noticed later than this passed while the program was down.
LATE: Final = timedelta(minutes=15)


# The user who is waited for, and on which server: what one table hears of others stays on it.
Person = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Waited:
    """A wait with what was agreed for it."""

    wait: Wait
    agreed: Agreed

    @property
    def since(self) -> datetime:
        return datetime.fromisoformat(self.wait.since)

    @property
    def deadline(self) -> datetime | None:
        """When it ends, if that is still to come."""
        if not self.agreed.deadline or self.wait.late:
            return None
        return self.since + timedelta(hours=self.agreed.deadline)

    @property
    def first(self) -> timedelta:
        """How long it waits for its first reminder; nothing: it has none."""
        return timedelta(hours=self.agreed.remind if self.wait.remind is None else self.wait.remind)

    @property
    def reminder(self) -> datetime | None:
        """When the next reminder is due."""
        if not self.first or self.wait.muted or self.wait.sent >= len(MOMENTS):
            return None
        due = self.since + self.first * MOMENTS[self.wait.sent]
        return due if self.wait.away is None else max(due, datetime.fromisoformat(self.wait.away))

    @property
    def person(self) -> Person:
        return self.wait.guild, self.wait.user

    def reminded(self, now: datetime) -> Wait:
        """The wait when a reminder was sent: what should have come before counts as sent with it."""
        passed = sum(self.since + self.first * moment <= now for moment in MOMENTS)
        return replace(self.wait, sent=max(passed, self.wait.sent + 1))

    def moments(self) -> Iterator[datetime]:
        """When something is to be done."""
        yield from (moment for moment in (self.deadline, self.reminder) if moment is not None)


class Reminders:
    """Looks at what is waited for whenever it is told the time."""

    def __init__(self, service: Service, clock: Clock) -> None:
        self._service = service
        self._clock = clock

    async def next_moment(self) -> datetime | None:
        """When there will be something to do, as things are now."""
        return min((moment for each in await self._waited() for moment in each.moments()), default=None)

    async def tick(self) -> None:
        """Does what is due: at most one reminder for each game and each person, and one thing about each deadline."""
        now, told = self._clock.now(), set[Person]()
        games = [list(waited) for _, waited in groupby(await self._waited(), key=lambda each: each.wait.game)]
        # Where a reminder is due goes first: what is nearly due elsewhere goes with it.
        for waited in sorted(games, key=lambda each: not any(_is_due(one.reminder, now) for one in each)):
            game = waited[0].wait.game
            try:
                await self._look_at(game, waited, now, told)
            except Exception as error:  # one game in which this fails must not silence all others
                noted(error, f"what is due in game {game}")

    async def _look_at(self, game: int, waited: Sequence[_Waited], now: datetime, told: set[Person]) -> None:
        async with self._service.as_one(game):
            await self._do(game, waited, now, told)

    async def _do(self, game: int, waited: Sequence[_Waited], now: datetime, told: set[Person]) -> None:
        standing = waits_of((await self._service.load(game)).state)
        # What is no longer waited for is of no concern, whatever is written about it.
        true = [each for each in waited if standing.get(each.wait.player) == each.wait.decision]
        await self._remind(game, true, now, told)
        for each in true:
            if each.deadline is not None and _is_due(each.deadline, now):
                await self._deadline(each, each.deadline, now)

    async def _waited(self) -> list[_Waited]:
        return [_Waited(wait, read_agreed(wait.settings)) for wait in await self._service.store.waits()]

    async def _remind(self, game: int, waited: Sequence[_Waited], now: datetime, told: set[Person]) -> None:
        """Reminds in this game those who were not `told` in another, and adds them."""
        fresh = [each for each in waited if each.person not in told and _is_due(each.reminder, now)]
        if fresh:
            await self._service.tell(game, PostKind.REMINDER, " ".join(each.wait.player for each in fresh))
        for each in waited:
            if each in fresh or (each.person in told and _is_due(each.reminder, now + TOGETHER)):
                await self._service.store.note_wait(each.reminded(now))
        told.update(each.person for each in fresh)

    async def _deadline(self, due: _Waited, deadline: datetime, now: datetime) -> None:
        wait = due.wait
        if now - deadline > LATE:
            # Nobody could see it come: it begins again, and everybody is told.
            await self._service.store.note_wait(replace(wait, since=now.isoformat(), sent=0))
            await self._service.tell(wait.game, PostKind.EXTENDED, wait.player)
            return
        await self._service.store.note_wait(replace(wait, late=1))
        if not await self._service.waiting.answer_for(wait.game, wait.player, due.agreed.then):
            await self._service.tell(wait.game, PostKind.DEADLINE, wait.player)


def _is_due(moment: datetime | None, now: datetime) -> bool:
    return moment is not None and moment <= now

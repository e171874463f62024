"""The log of a game read back: the table after any event, and the way back along what holds."""

from collections import OrderedDict
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Final

from bot.entries import Log
from bot.rows import Entry
from bot.texts import events_of, read_state
from rules_core import events as ev
from rules_core import history
from rules_core.apply import fold
from rules_core.history import REFEREE
from rules_core.state import State

# Tables that are kept, of all games together; one read from a file takes some 50 KiB.
KEPT: Final = 256


class Record:
    """The logs of all games. What was written once never changes, so a table that was read is kept for a while."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._kept: OrderedDict[tuple[int, int], State] = OrderedDict()

    def keep(self, game: int, number: int, state: State) -> None:
        """Notes the table after event `number` once that is written."""
        self._kept[game, number] = replace(state, standing={})
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    def forget(self, game: int) -> None:
        """Drops what is kept of a game that begins otherwise."""
        for key in [key for key in self._kept if key[0] == game]:
            del self._kept[key]

    async def state_at(self, game: int, number: int) -> State:
        """The table after event `number` (0: at the start), without standing orders."""
        state = self._kept.pop((game, number), None) or await self._read(game, number)
        self.keep(game, number, state)
        return state

    async def _read(self, game: int, number: int) -> State:
        snapshot = await self._log.snapshot(game, number)
        state = read_state(snapshot.position)
        for entry in await self._log.entries(game, snapshot.number, number):
            # An undo leaves a snapshot, so that none lies between.
            numbered = enumerate(events_of(entry), entry.first)
            state = fold(state, (event for at, event in numbered if snapshot.number < at <= number))
        return state

    async def back_from(self, game: int, number: int) -> AsyncIterator[Entry]:
        """The entries that led to event `number`, the newest first, without what was taken back and the undos."""
        most = 1
        while number > 0:
            # Most look for something near; who looks on gets twice as many at once.
            for entry in await self._log.entries_to(game, number, most):
                if not entry.first <= number <= entry.last:
                    continue  # it was taken back
                if entry.returns_to is None:
                    yield entry
                    number = entry.first - 1
                else:
                    number = entry.returns_to
            most *= 2

    async def line_of(self, game: int, number: int, actor: str) -> list[history.Entry]:
        """The entries that led to event `number`, back to the beginning of the actor's last phase."""
        line: list[history.Entry] = []
        async for entry in self.back_from(game, number):
            events = events_of(entry)
            line.insert(0, history.Entry(entry.first, entry.actor, events))
            if any(isinstance(event, ev.PhaseBegan) and event.player == actor for event in events):
                break
            if actor == REFEREE != entry.actor:
                break
        return line

    async def going(self, game: int, head: int, to: int, forward: bool) -> tuple[int, list[Entry]]:
        """The entries that are taken back from `head` to event `to`, and after which event they begin.

        `forward`: those that a redo to event `to` brings back.
        """
        start = to
        if forward:
            start, head = (await self._log.entry_with(game, to + 1)).returns_to or 0, to
        found: list[Entry] = []
        async for entry in self.back_from(game, head):
            if entry.first <= start:
                break
            found.insert(0, entry)
        return start, found

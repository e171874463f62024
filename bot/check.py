"""`starpost check`: replays all games of a database and compares with what is stored: positions, dice, hashes.

It works on a copy, so a bot may be running; a database of an older version is brought up to date in the copy only.
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from bot.backup import copy
from bot.clock import SystemClock
from bot.config import load_settings
from bot.phrases import Phrases, phrases, safe
from bot.rows import GameRow
from bot.sealed import sealed_dice
from bot.service import Service
from bot.store import Store
from bot.verify import told, verify
from rules_core import history
from rules_core.apply import fold
from rules_core.game_file import chain_start, chained
from rules_core.invariants import problems
from rules_core.position import position_from_json
from rules_core.state import State


def main(parsed: argparse.Namespace) -> tuple[list[str], bool]:
    """What the terminal shows, and whether all is well."""
    return asyncio.run(check(parsed.database or load_settings().database, phrases(parsed.language)))


async def check(database: Path, words: Phrases) -> tuple[list[str], bool]:
    """A line for each game, or for each fault that it has; and whether there is none."""
    lines, well = [], True
    with tempfile.TemporaryDirectory(prefix="starpost-check-") as folder:
        async with await Store.open(copy(database, Path(folder) / "copy.db")) as store:
            for row in await store.all_games():
                checked = _Check(Service(store, SystemClock(), _nobody), row, words)
                found = await checked.faults()
                well = well and not found
                lines += found or [checked.line("check.right", events=row.head, dice=row.rolled)]
    return lines, well


def _nobody(channel: int) -> None:
    """Nothing is posted from here."""


class _Check:
    """One game."""

    def __init__(self, service: Service, row: GameRow, words: Phrases) -> None:
        self._service = service
        self._row = row
        self._words = words

    def line(self, key: str, **params: object) -> str:
        """Something about the game in words."""
        return self._words.say(key, game=self._row.id, name=safe(self._row.name), **params)

    async def faults(self) -> list[str]:
        """Everything that is wrong with it."""
        try:
            return await self._found()
        except Exception as error:  # whatever it is, it is what was looked for; the next game is to be checked too
            return [self.line("check.unreadable", reason=f"{type(error).__name__}: {error}")]

    async def _found(self) -> list[str]:
        start = position_from_json(json.loads((await self._service.store.log.snapshot(self._row.id, 0)).position))
        log = await self._service.past.log(self._row.id)
        if wrong := list(self._log(start, log)):
            return wrong
        tables = _tables(start, log)
        return [*(await self._positions(tables)), *self._dice(start, log)]

    def _log(self, start: State, log: tuple[history.Entry, ...]) -> Iterator[str]:
        """Events without a gap up to the head, under their hash."""
        head, number = chain_start(start), 0
        for entry in log:
            if entry.first != number + 1:
                yield self.line("check.gap", event=number + 1)
            head, number = chained(head, entry), _last(entry)
        if head != self._row.chain:
            yield self.line("check.chain")
        if number != self._row.head:
            yield self.line("check.head", event=number, head=self._row.head)

    async def _positions(self, tables: Mapping[int, State]) -> list[str]:
        """What is stored of the table follows from the log, and nothing on it is impossible."""
        found = [
            self.line("check.impossible", event=number, code=problem.code, clause=problem.clause)
            for number, state in tables.items()
            for problem in problems(state)
        ]
        number = self._row.head
        while number >= 0:
            stored = await self._service.store.log.snapshot(self._row.id, number)
            if position_from_json(json.loads(stored.position)) != tables.get(stored.number):
                found.append(self.line("check.table", event=stored.number))
            number = stored.number - 1
        return found

    def _dice(self, start: State, log: tuple[history.Entry, ...]) -> Iterator[str]:
        verdict = verify(start, log, sealed_dice(self._row), self._row.imported)
        if verdict.differing:
            yield self.line("check.dice", verdict=told(verdict, self._words))


def _tables(start: State, log: tuple[history.Entry, ...]) -> dict[int, State]:
    """The table after each entry, by the number of its last event."""
    tables = {0: replace(start, standing={})}
    for entry in log:
        before = tables[entry.first - 1 if entry.undone_to is None else entry.undone_to]
        tables[_last(entry)] = fold(before, entry.events)
    return tables


def _last(entry: history.Entry) -> int:
    return entry.first + max(1, len(entry.events)) - 1

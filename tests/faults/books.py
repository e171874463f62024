"""What a database holds, read from a copy beside the bot, and what must be true of it after any interruption."""

import contextlib
import json
import sqlite3
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from bot.clock import SystemClock
from bot.rows import Entry, GameRow
from bot.service import Service
from bot.steps import steps
from bot.store import Store
from bot.texts import events_of
from rules_core import history
from rules_core.apply import fold
from rules_core.game_file import chain_start, chained, records
from rules_core.invariants import problems
from rules_core.position import position_from_json
from rules_core.state import State


class Posted(NamedTuple):
    """A post: its kind, the events that it tells, whether it was sent, and as which message."""

    kind: str
    first: int
    last: int
    state: str
    message: int | None


@dataclass(frozen=True, slots=True)
class Books:
    """A game in a database: its row, who sits where, its log, the table as the bot reads it, and its posts."""

    row: GameRow
    seats: Mapping[str, int | None]
    entries: tuple[Entry, ...]
    state: State
    posts: tuple[Posted, ...]

    @property
    def head(self) -> int:
        """The number of the last event."""
        return self.row.head

    @property
    def messages(self) -> list[int | None]:
        """The messages of the posts that were sent, in order; what had become untrue was not."""
        return [post.message for post in self.posts if post.message is not None]


def owed(database: Path) -> int:
    """How many posts are still to be sent."""
    with contextlib.closing(_beside(database)) as connection:
        return int(connection.execute("SELECT count(*) FROM posts WHERE state = 'owed'").fetchone()[0])


async def read(database: Path, game: int = 1) -> Books:
    """The books of a game, audited."""
    with contextlib.closing(_copy(database)) as copy:
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        rows = copy.execute("SELECT kind, first, last, state, message FROM posts WHERE game = ? ORDER BY id", (game,))
        posts = tuple(Posted(*row) for row in rows)
    async with await Store.open(database.with_suffix(".copy")) as store:
        row, entries = await store.game(game), await store.log.entries(game)
        seats = {seat.key: seat.user for seat in await store.seats(game)}
        loaded = (await Service(store, SystemClock(), lambda channel: None).load(game)).state
        books = Books(row, seats, entries, loaded, posts)
        _audit(books, (await store.log.snapshot(game, 0)).position)
    return books


def _copy(database: Path) -> sqlite3.Connection:
    """A copy of what is committed, taken while the bot may be writing."""
    target = database.with_suffix(".copy")
    for old in target.parent.glob(f"{target.name}*"):
        old.unlink()
    copy = sqlite3.connect(target)
    with contextlib.closing(_beside(database)) as source:
        source.backup(copy)
    return copy


def _beside(database: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{database}?mode=ro", uri=True)


def _audit(books: Books, start: str) -> None:
    """The log has no gap, its hash is right, the position follows from it, no die was rolled twice, all is told."""
    first = position_from_json(json.loads(start))
    tables, head = {0: first}, chain_start(first)
    dice: Counter[str] = Counter()
    for entry in books.entries:
        assert entry.first == max(tables) + 1, "a gap in the log"
        then = history.Entry(entry.first, entry.actor, events_of(entry), entry.returns_to)
        tables[entry.last] = fold(
            tables[entry.first - 1 if entry.returns_to is None else entry.returns_to], then.events
        )
        head = chained(head, then)
        dice.update(json.dumps(die["place"]) for record in records(then) for die in record.get("dice", ()))
        for step in steps(then.events, then.first):
            assert any(post.first <= step.last <= post.last for post in books.posts), f"nobody is told of {step}"
    assert books.head == max(tables)
    assert head == books.row.chain, "the log is not what its hash says"
    assert not [place for place, times in dice.items() if times > 1], "a die was rolled anew"
    table = tables[books.head]
    assert table == replace(books.state, standing={}), "the position does not follow from the log"
    assert not problems(table)

"""Long games in a database: what a command, a load and the disk cost."""

import asyncio
import contextlib
import gzip
import json
import os
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import Final, NamedTuple

from bot.clock import SystemClock
from bot.galaxies import races, ready_made
from bot.service import Service
from bot.store import Store
from rules_core import commands as cmd
from rules_core import legal
from rules_core.apply import fold
from rules_core.history import REFEREE, live
from rules_core.position import position_from_json
from rules_core.state import State
from rules_core.units import Kind
from tests.benchmarks.measure import Result

SEATS: Final = 6
LONG: Final = 2_000
GAMES: Final = 8
SHARE_OF_ENDS: Final = 0.15
SHIPS: Final = 20
EARLY: Final = 100
LATE: Final = 10_000
# Commands of which the median is taken.
TIMED: Final = 150
LOADS: Final = 30
SECRET: Final = bytes(32)


class Taken(NamedTuple):
    """Seconds that a command took: by the clock, and of work, which other programs do not change."""

    clock: float
    work: float


def measured() -> Iterator[Result]:
    with tempfile.TemporaryDirectory() as directory:
        yield from asyncio.run(_measured(Path(directory)))


async def _measured(directory: Path) -> list[Result]:
    database = directory / "games.db"
    async with await Store.open(database) as store:
        war, young = await _War.begun(store, 1), await _War.begun(store, 2)
        commits = await war.play(LONG)
        loads = await _loads(store)
        await war.play(LATE)
        await young.play(EARLY)
        early, late = await _in_turn(young, war)
    live_mb, archived_mb = await _disk(directory)
    return [
        Result("store_command_to_commit_ms", median(each.clock for each in commits) * 1000, "ms"),
        Result("store_command_to_commit_p99_ms", _p99(each.clock for each in commits) * 1000, "ms", "<= 5"),
        Result("store_plain_write_p99_ms", _p99(_writes(directory)) * 1000, "ms", "4 KiB and fsync, alone, just then"),
        *loads,
        Result("store_command_at_100_ms", median(each.work for each in early) * 1000, "ms"),
        Result("store_command_at_10000_ms", median(each.work for each in late) * 1000, "ms"),
        Result("store_late_over_early", _ratio(late, early), "times", "<= 1.2"),
        Result("store_live_mb", live_mb, "MB", "<= 400, 1,000 games of 2,000 events"),
        Result("store_archived_mb", archived_mb, "MB", "<= 60, their files, exported and compressed"),
    ]


async def _in_turn(young: "_War", old: "_War") -> tuple[list[Taken], list[Taken]]:
    """What commands of a young and of an old game take, given in turn: what else the machine does slows both."""
    early, late = list[Taken](), list[Taken]()
    while len(early) < TIMED:
        early += await young.go_on()
        late += await old.go_on()
    return early, late


def _p99(seconds: Iterable[float]) -> float:
    return quantiles(seconds, n=100)[98]


def _ratio(late: list[Taken], early: list[Taken]) -> float:
    return median(each.work for each in late) / median(each.work for each in early)


def _writes(directory: Path) -> Iterator[float]:
    """What the disk takes for what a commit cannot do without."""
    with (directory / "plain").open("wb", buffering=0) as file:
        for _ in range(1000):
            start = perf_counter()
            file.write(bytes(4096))
            os.fsync(file.fileno())
            yield perf_counter() - start


async def _loads(store: Store) -> list[Result]:
    """A game as a service reads it that does not know it, and from its first position and its whole log."""
    by_snapshot, by_replay = [], []
    for _ in range(LOADS):
        start = process_time()
        loaded = await Service(store, SystemClock(), lambda channel: None).load(1)
        by_snapshot.append(process_time() - start)
        start = process_time()
        replayed = await _replayed(store)
        by_replay.append(process_time() - start)
        assert replayed == replace(loaded.state, standing={}), "the snapshots are not what the log says"
    return [
        Result("store_load_by_snapshot_ms", median(by_snapshot) * 1000, "ms", f"<= 5, {LONG} events"),
        Result("store_load_by_replay_ms", median(by_replay) * 1000, "ms", "<= 50, the same table"),
    ]


async def _replayed(store: Store) -> State:
    state = position_from_json(json.loads((await store.log.snapshot(1, 0)).position))
    log = await Service(store, SystemClock(), lambda channel: None).past.log(1)
    return fold(state, (event for entry in live(log) for event in entry.events))


async def _disk(directory: Path) -> tuple[float, float]:
    """Megabytes for 1,000 games: of the database, and of their files as `starpost games export` and gzip leave them."""
    database = directory / "many.db"
    async with await Store.open(database) as store:
        empty = _size(database)
        wars = [await _War.begun(store, channel) for channel in range(GAMES)]
        # All at once, as they are played.
        for until in range(EARLY, LONG + 1, EARLY):
            for war in wars:
                await war.play(until)
        exported = [len(gzip.compress((await war.service.past.game_file(war.game)).encode())) for war in wars]
    with contextlib.closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE posts SET state = 'sent', message = 1456074443980800000 + id, settled = created")
    return (_size(database) - empty) * 1000 / GAMES / 1e6, sum(exported) * 1000 / GAMES / 1e6


def _size(database: Path) -> int:
    with contextlib.closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return database.stat().st_size


class _War:
    """A game that never ends: whoever acts does any of the kinds of things he can, between rounds all get new ships."""

    def __init__(self, store: Store, service: Service, game: int) -> None:
        self.store = store
        self.service = service
        self.game = game
        self._random = Random(game)

    @classmethod
    async def begun(cls, store: Store, channel: int) -> "_War":
        service = Service(store, SystemClock(), lambda channel: None)
        file = ready_made("War", races("en")[:SEATS], "en")
        row = await service.create(1, channel, "en", 1, file, SECRET)
        for user in range(SEATS):
            await service.seating.join(row.id, user)
        await service.start(row.id)
        return cls(store, service, row.id)

    async def play(self, until: int) -> list[Taken]:
        """Plays until so many events have happened; gives what each command took."""
        taken: list[Taken] = []
        while (await self.store.game(self.game)).head < until:
            taken += await self.go_on()
        return taken

    async def go_on(self) -> list[Taken]:
        """The next command, or between rounds those that begin the next; what each took."""
        state = (await self.service.load(self.game)).state
        if state.phase is None:
            given: list[tuple[str, cmd.Command]] = [(REFEREE, each) for each in _new_ships(state)]
            given.append((REFEREE, cmd.NextRound()))
        else:
            command = _some(state, self._random)
            given = [(command.player, command)]
        taken = []
        for actor, command in given:
            start, worked = perf_counter(), process_time()
            await self.service.execute(self.game, actor, lambda state: command)  # noqa: B023
            taken.append(Taken(perf_counter() - start, process_time() - worked))
        return taken


def _some(state: State, random: Random) -> cmd.PlayerCommand:
    """Any of the kinds of commands that are possible, the end of a step not too often."""
    possible: dict[type[cmd.Command], list[cmd.PlayerCommand]] = {}
    for command in legal.commands(state):
        possible.setdefault(type(command), []).append(command)
    going_on = [kind for kind in possible if kind not in (cmd.Done, cmd.Invade, cmd.ScrapUnits)]
    kinds = going_on if going_on and random.random() > SHARE_OF_ENDS else [*possible]
    return random.choice(possible[random.choice(kinds)])


def _new_ships(state: State) -> Iterator[cmd.PlaceUnits]:
    for player in state.players:
        owned = [planet for planet in state.planets.values() if planet.owner == player.key]
        ships = [ship for ship in state.ships.values() if ship.owner != player.key]
        held = [planet for planet in owned if not any(ship.at == planet.at for ship in ships)]
        if held and sum(ship.owner == player.key for ship in state.ships.values()) < SHIPS:
            yield cmd.PlaceUnits(((Kind.CRUISER, 2), (Kind.CARRIER, 1), (Kind.FIGHTER, 2)), held[0].at, player.key)
            yield cmd.PlaceUnits(((Kind.GROUND_FORCE, 2),), held[0].at, player.key, held[0].name)

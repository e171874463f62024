"""The kinds of load, and what is measured of each."""

import asyncio
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import cycle, islice
from pathlib import Path
from statistics import mean, quantiles
from typing import Final

from tests.faults.books import owed
from tests.faults.process import BotProcess
from tests.load.seed import PLAYERS, Played, seed
from tests.wire.game import Line, Table
from tests.wire.server import WireServer

IN_FLIGHT: Final = 50
LATELY: Final = 36
SAMPLES: Final = 20
PATIENCE: Final = 3600
LOOK: Final = Line(PLAYERS[0], "/status")

Job = tuple[Table, Line]


async def measure(server: WireServer, directory: Path, games: int, commands: int, seats: int) -> Mapping[str, float]:
    """All figures, by their keys."""
    bench = Bench(server, directory)
    played = await seed(server, bench.database, games, seats)
    figures = {"games": float(games), "start_seconds": await bench.start()}
    try:
        figures |= await bench.load("no_picture", [(game.table, LOOK) for game in _spread(played, commands)])
        figures |= await bench.load("picture_cold", _edits(islice(played, commands)))
        figures |= await bench.load("picture_lately", _edits(_spread(played[:LATELY], commands)))
        figures["memory_mib"] = bench.memory()
        figures |= await bench.load("again", _edits(_spread(played[:LATELY], commands)))
        figures["memory_after_as_much_again_mib"] = bench.memory()
    finally:
        bench.stop()
    return figures


async def measure_hour(
    server: WireServer, directory: Path, games: int, commands: int, seats: int
) -> Mapping[str, float]:
    """The memory of the bot at equal distances through an hour's worth of play, printed, and by how much it grew."""
    bench = Bench(server, directory)
    played = await seed(server, bench.database, games, seats)
    await bench.start()
    jobs, part = _hour(played, commands), commands // SAMPLES
    samples = list[float]()
    try:
        for done in range(part, commands + 1, part):
            await bench.load("hour", list(islice(jobs, part)))
            samples.append(bench.memory_now())
            print(f"{done:8} commands {samples[-1]:8.1f} MiB", flush=True)
    finally:
        bench.stop()
    # The first quarter warms up: caches of bounded size are filled.
    quarter = SAMPLES // 4
    early, late = mean(samples[quarter : 2 * quarter]), mean(samples[-quarter:])
    return {"games": float(games), "second_quarter_mib": early, "last_quarter_mib": late, "growth": late / early}


def _hour(played: Sequence[Played], commands: int) -> Iterator[Job]:
    """In every game in turn: its referee makes a post with a map, then a player looks at the table."""
    for number, game in enumerate(_spread(played, commands)):
        yield game.table, LOOK if number // len(played) % 2 else game.edit


def _spread(played: Sequence[Played], commands: int) -> Iterator[Played]:
    return islice(cycle(played), commands)


def _edits(played: Iterable[Played]) -> list[Job]:
    return [(game.table, game.edit) for game in played]


class Bench:
    """The bot under load."""

    def __init__(self, server: WireServer, directory: Path) -> None:
        self._server = server
        self._directory = directory
        self.database = directory / "games.db"
        self._process: BotProcess

    async def start(self) -> float:
        """Starts the bot; how many seconds it took until it could answer."""
        begun = time.monotonic()
        self._process = BotProcess(self.database, self._server.port, self._directory / "bot.log")
        await self._server.until(self._server.gateway.ready, "the bot to connect")
        return time.monotonic() - begun

    def stop(self) -> None:
        """Ends the bot."""
        self._process.kill()

    def memory(self) -> float:
        """The most memory that the bot and its painter have held, in MiB."""
        return self._memory("VmHWM")

    def memory_now(self) -> float:
        """The memory that the bot and its painter hold now, in MiB."""
        return self._memory("VmRSS")

    def _memory(self, field: str) -> float:
        bot = Path(f"/proc/{self._process.id}")
        children = " ".join(each.read_text() for each in bot.glob("task/*/children")).split()
        processes = (bot, *(Path(f"/proc/{child}") for child in children))
        held = ((process / "status").read_text().split(f"{field}:")[1].split()[0] for process in processes)
        return sum(map(int, held)) / 1024

    async def load(self, name: str, jobs: Sequence[Job]) -> dict[str, float]:
        """Gives commands, so many at once, and waits for all that they owe."""
        queue, waits = iter(jobs), list[float]()
        begun = time.monotonic()
        async with asyncio.TaskGroup() as group:
            for _ in range(IN_FLIGHT):
                group.create_task(self._work(queue, waits))
        answered = time.monotonic() - begun
        await self._delivered()
        whole = time.monotonic() - begun
        assert not self._server.world.complaints
        assert not self._server.world.unanswered()
        return {
            f"{name}_answers_a_second": len(jobs) / answered,
            f"{name}_commands_a_second": len(jobs) / whole,
            f"{name}_first_answer_p99_seconds": quantiles(waits, n=100)[98],
        }

    async def _work(self, queue: Iterator[Job], waits: list[float]) -> None:
        world = self._server.world
        for table, line in queue:
            begun = time.monotonic()
            told = table.send(line)
            await world.until_answered(told.record, lambda record: record.responded)
            waits.append(time.monotonic() - begun)
            await self._server.answered(told)
            assert "Ask again" not in told.text, f"what was to be measured was refused: {told.text}"

    async def _delivered(self) -> None:
        """Waits until no post is owed any more."""
        async with asyncio.timeout(PATIENCE):
            while owed(self.database):
                await asyncio.sleep(0.05)

"""A step's picture beside a full redraw of it, and what drawing does to the event loop."""

import asyncio
import resource
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import perf_counter

from bot.drawing import Drawing
from renderer import BattleMark, Die, LossMark, Mark, PathMark, View, VolleyMark, canvas, render
from renderer.drawable import Picture
from renderer.scene import forget as forget_places
from rules_core.state import State
from rules_core.units import Kind
from tests.benchmarks.measure import Result
from tests.renderer.boards import ENGLISH, board

STEPS = 40
MAPS = 20
GAMES = 8
TICK = 0.001
VIEW = View("Two fronts · round 3", ENGLISH)
FIRST = """
from time import perf_counter
from renderer import View, render
from tests.renderer.boards import ENGLISH, board
state = board(4, 4, full=0.6)
start = perf_counter()
render(state, View("Two fronts", ENGLISH))
print(perf_counter() - start)
"""


def steps(state: State, number: int, random: Random) -> Iterator[tuple[State, View]]:
    """Moves to a neighbour, and every third time a round of a battle."""
    for step in range(number):
        ship = random.choice([*state.ships.values()])
        near = [at for at in state.galaxy.touching(ship.at) if not state.galaxy.systems[at].red_bordered]
        to = random.choice(near or [ship.at])
        marks: tuple[Mark, ...] = (PathMark((ship.at, to), ship.owner),) if near else ()
        ships = {**state.ships, ship.id: replace(ship, at=to)}
        if step % 3 == 2:
            dice = tuple(Die(Kind.CRUISER, 7, random.randint(1, 10)) for _ in range(5))
            lost = LossMark(ship.at, ship.owner, ((ship.kind, 1),))
            marks = (BattleMark(ship.at), VolleyMark(ship.at, ship.owner, dice), lost)
            ships = {key: each for key, each in state.ships.items() if key != ship.id}
        state = replace(state, ships=ships)
        yield state, replace(VIEW, title=f"Two fronts · round 3 · step {step}", marks=marks)


def measured() -> Iterator[Result]:
    yield Result("map_first_picture_ms", _first(), "ms", "<= 400, 61 systems, 1600 px, a process of its own")
    start = board(4, 4, full=0.6)
    render(start, VIEW)
    taken, painted, anew, sizes = [], [], [], []
    for state, view in steps(start, STEPS, Random(1)):
        taken.append(_seconds(state, view))
        sizes.append(len(render(state, view)) / 1024)
        canvas.forget()
        painted.append(_seconds(state, view))
        canvas.forget()
        forget_places()
        anew.append(_seconds(state, view))
        # A step later all is kept that the next step needs, where things stand too.
        render(state, replace(view, title="A step"))
    yield Result("map_step_ms", median(taken) * 1000, "ms", "<= 15")
    yield Result("map_repaint_ms", median(painted) * 1000, "ms", "<= 100: painted anew, places kept")
    yield Result("map_redraw_ms", median(anew) * 1000, "ms", "<= 100: nothing kept but sprites")
    ratio = median(full / step for full, step in zip(anew, taken, strict=True))
    yield Result("map_step_times_faster", ratio, "times", ">= 5")
    yield Result("map_step_kib", median(sizes), "KiB", "<= 300")
    yield Result("map_game_kept_mb", _memory(), "MB", f"<= 20, at most {canvas.KEPT} games")
    yield Result("map_loop_lateness_p99_ms", asyncio.run(_lateness()) * 1000, "ms", f"<= 10, {MAPS} maps drawn")


def _seconds(state: State, view: View) -> float:
    begun = perf_counter()
    render(state, view)
    return perf_counter() - begun


def _first() -> float:
    found = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True, check=True)
    return float(found.stdout) * 1000


def _memory() -> float:
    """What a kept picture takes, from the growth of the process with several."""
    canvas.forget()
    before = _resident()
    for game in range(GAMES):
        render(board(game + 20, 4, full=0.6), VIEW)
    return (_resident() - before) / GAMES


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


async def _lateness() -> float:
    """How late a task is that wants to wake every millisecond, while maps are drawn: the 99th percentile."""
    drawing, late = Drawing(), list[float]()
    pictures = [Picture(state, view, view.title) for state, view in steps(board(5, 4, full=0.6), MAPS, Random(2))]
    ticking = asyncio.create_task(_tick(late))
    await asyncio.gather(*map(drawing.file, pictures))
    ticking.cancel()
    return quantiles(late, n=100)[-1]


async def _tick(late: list[float]) -> None:
    while True:
        due = perf_counter() + TICK
        await asyncio.sleep(TICK)
        late.append(perf_counter() - due)

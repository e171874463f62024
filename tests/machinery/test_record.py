"""The log read back: what is kept of it is what stands in the database."""

import json

import pytest

from bot.clock import SettableClock
from bot.database import IN_MEMORY
from bot.files import read_game
from bot.record import Record
from bot.service import Service
from bot.store import Store
from rules_core.history import live
from tests.machinery.tools import CHANNEL, SECRET, START, Played, played, war


async def check_kept(now: Played) -> None:
    """Every table that the service gives is the one that the log gives to who reads it for the first time."""
    for number in range((await now.store.game(now.game)).head + 1):
        read = await Record(now.store.log).state_at(now.game, number)
        assert await now.service.past.state_at(now.game, number) == read


async def test_what_is_kept_is_what_was_written_after_commands_undo_and_redo() -> None:
    async with played() as now:
        await now.do("red", "move", units="2 cruisers", start="201", to="202")
        await now.do("red", "move", units="carrier", start="201", to="212")
        await check_kept(now)
        await now.service.undoing.undo(now.game, "red", whole_phase=True)
        await check_kept(now)
        await now.service.undoing.redo(now.game, "red")
        await now.do("red", "move", units="all", start="202", to="101")
        await now.do("red", "done")
        await check_kept(now)


async def test_what_was_done_together_and_failed_leaves_nothing_behind() -> None:
    async with played() as now:
        with pytest.raises(ZeroDivisionError):
            await _move_and_fail(now)
        await now.do("red", "move", units="carrier", start="201", to="212")
        await check_kept(now)


async def test_looking_back_far_finds_what_holds_and_nothing_else() -> None:
    """However many entries are read at once, and wherever among them something was taken back or brought back."""
    async with played() as now:
        for start, goal in (("201", "202"), ("201", "212"), ("202", "201"), ("212", "201")):
            await now.do("red", "move", units="cruiser", start=start, to=goal)
            for _ in range(3):
                await now.service.undoing.undo(now.game, "red")
                await now.service.undoing.redo(now.game, "red")
        head = (await now.store.game(now.game)).head
        for number in range(head + 1):
            back = [entry.first async for entry in Record(now.store.log).back_from(now.game, number)]
            entries = [entry for entry in await now.service.past.log(now.game) if entry.last <= number]
            assert back == [entry.first for entry in reversed(live(entries))]
        assert len(entries) > 20


async def test_a_log_with_a_gap_is_not_read_over_it() -> None:
    async with played() as now:
        for units in ("cruiser", "cruiser", "carrier", "carrier"):
            await now.do("red", "move", units=units, start="201", to="202")
        head = (await now.store.game(now.game)).head
        await now.store.write("DELETE FROM entries WHERE game = ? AND first = ?", (now.game, head - 2))
        with pytest.raises(KeyError):
            [entry async for entry in Record(now.store.log).back_from(now.game, head)]


async def _move_and_fail(now: Played) -> None:
    async with now.service.as_one(now.game):
        await now.do("red", "move", units="2 cruisers", start="201", to="202")
        raise ZeroDivisionError


async def test_another_beginning_in_the_lobby_is_not_the_one_before() -> None:
    async with await Store.open(IN_MEMORY) as store:
        service = Service(store, SettableClock(START), lambda channel: None)
        game = (await service.create(1, CHANNEL, "en", 7, read_game(json.dumps(war())), SECRET)).id
        assert (await service.past.state_at(game, 0)).name == "War"
        await service.set_up(game, read_game(json.dumps(war() | {"name": "Peace"})), {})
        assert (await service.past.state_at(game, 0)).name == "Peace"

"""Twenty users at once in twenty games, and two programs that write to one game: nothing lost, nothing stuck."""

import asyncio
import json
from functools import partial
from pathlib import Path

import pytest

from bot.check import check
from bot.clock import SettableClock
from bot.files import read_game
from bot.phrases import phrases
from bot.service import Service
from bot.store import HeadMoved, Store
from rules_core import commands as cmd
from rules_core.history import REFEREE
from rules_core.state import State
from tests.machinery.tools import SECRET, START, war

TWENTY = 20


def power(bonus: int, state: State) -> cmd.Command:
    """An edit of the referee, whatever the table is."""
    return cmd.SetPowerBonus("red", bonus)


async def games(service: Service, number: int) -> list[int]:
    """Begun games, each in a channel of its own."""
    made = [
        await service.create(1, channel, "en", 7, read_game(json.dumps(war())), SECRET) for channel in range(number)
    ]
    for row in made:
        await service.start(row.id)
    return [row.id for row in made]


async def test_case_031_twenty_users_at_once_in_twenty_games(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    async with await Store.open(database) as store:
        service = Service(store, SettableClock(START), lambda channel: None)
        numbers = await games(service, TWENTY)
        heads = {number: (await store.game(number)).head for number in numbers}
        presses = [
            service.execute(number, REFEREE, partial(power, bonus))
            for bonus in range(1, TWENTY + 1)
            for number in numbers
        ]
        await asyncio.gather(*presses)
        for number in numbers:
            assert (await store.game(number)).head == heads[number] + TWENTY
    lines, well = await check(database, phrases("en"))
    assert well, lines


async def test_case_013_another_program_that_wrote_in_between_makes_a_command_void_and_the_next_one_good(
    tmp_path: Path,
) -> None:
    database = tmp_path / "games.db"
    async with await Store.open(database) as first, await Store.open(database) as second:
        here = Service(first, SettableClock(START), lambda channel: None)
        there = Service(second, SettableClock(START), lambda channel: None)
        (number,) = await games(here, 1)
        await here.load(number)
        await there.execute(number, REFEREE, lambda state: cmd.SetPowerBonus("red", 5))
        with pytest.raises(HeadMoved):
            await here.execute(number, REFEREE, lambda state: cmd.SetPowerBonus("red", 6))
        await here.execute(number, REFEREE, lambda state: cmd.SetPowerBonus("blue", 7))
        assert (await here.load(number)).state.player("red").political_power_bonus == 5
    assert (await check(database, phrases("en")))[1]

"""What comes by itself as time passes: on the clock of the stand-in, which is the bot's."""

import pytest

from tests.discord.tools import Table

pytestmark = pytest.mark.simcord(settle_timeout=60)
HOUR = 3600


async def hours(table: Table, number: int) -> None:
    """Time passes, in pieces that the stand-in manages at once."""
    for start in range(0, number, 6):
        await table.env.advance_time(min(6, number - start) * HOUR)


async def test_one_reminder_after_a_day_for_who_is_waited_for(game: Table) -> None:
    await hours(game, 23)
    assert game.all_pings() == [["red"]]
    await hours(game, 2)
    assert game.all_pings() == [["red"], ["red"]]
    await hours(game, 12)
    assert len(game.all_pings()) == 2


async def test_no_reminder_for_what_is_done(game: Table) -> None:
    await hours(game, 20)
    await game.finish("red")
    await game.finish("red")
    assert game.all_pings()[-1] == ["blue"]
    await hours(game, 12)
    assert game.all_pings() == [["red"], ["blue"]]


async def test_a_reminder_that_fell_due_while_the_bot_was_down_comes_once(game: Table) -> None:
    await hours(game, 12)
    await game.bot.close()
    await hours(game, 24)
    await game.restart(killed=False)
    await hours(game, 1)
    assert game.all_pings() == [["red"], ["red"]]

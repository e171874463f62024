"""What comes by itself as time passes: on the clock of the stand-in, which is the bot's."""

import pytest

from rules_core.history import REFEREE
from tests.discord.tools import SECRET, Table, prepared

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


async def test_case_049_a_reminder_says_that_other_games_wait_too(game: Table) -> None:
    """One ping for all of them; where they are is for nobody else to read."""
    other = game.guild.create_text_channel("other")
    row = await game.bot.service.create(game.guild.id, other.id, "en", game.people[REFEREE].user.id, prepared(), SECRET)
    await game.bot.service.seating.join(row.id, game.people["red"].user.id, "red")
    await game.bot.service.start(row.id)
    await hours(game, 25)
    (reminder,) = [post for post in (*game.posts(), *game.posts(other)) if "Still waited for" in post.content]
    assert game.pinged(reminder) == ["red"]
    assert "1 other game on this server" in reminder.content
    assert str(other.id) not in reminder.content
    assert f"<#{other.id}>" in await game.use("red", "games")


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

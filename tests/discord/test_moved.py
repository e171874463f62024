"""A game that was carried into another database under another number: its old buttons are another game's there."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from bot.moving import move
from tests.discord.tools import Table
from tests.machinery.tools import played

pytestmark = pytest.mark.simcord(settle_timeout=60)


async def carry(table: Table, target: Path) -> int:
    """Moves the game, as the bot's owner does while no bot runs; gives its number there."""
    await table.bot.close()
    number = await asyncio.to_thread(move, table.settings.database, target, 1)
    table.settings = replace(table.settings, database=target)
    await table.restart(killed=False)
    await table.bot.outbox.drain()
    await table.env.settle()
    return number


async def test_old_buttons_act_on_no_other_game_and_new_ones_are_there(game: Table, tmp_path: Path) -> None:
    await game.to_losses()
    old, target = game.posts()[-1], tmp_path / "other.db"
    async with played(target):
        pass
    assert await carry(game, target) == 2
    before = await game.bot.service.load(1)
    assert "over" in await game.press("red", old, "losses-0.0.0.0.2")
    assert (await game.bot.service.load(1)) == before
    asked = game.posts()[-1]
    assert asked.id != old.id
    await game.press("red", asked, "losses-0.0.0.0.2")
    await game.press("blue", asked, "losses-0.2.0")
    assert game.posts()[-1].id != asked.id


async def test_buttons_go_on_under_the_same_number(game: Table, tmp_path: Path) -> None:
    await game.to_losses()
    asked, posts = game.posts()[-1], len(game.posts())
    assert await carry(game, tmp_path / "other.db") == 1
    assert len(game.posts()) == posts
    await game.press("red", asked, "losses-0.0.0.0.2")
    await game.press("blue", asked, "losses-0.2.0")
    assert len(game.posts()) > posts

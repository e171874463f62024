"""Channels that go away, close, or are forbidden: the game is safe, the referee told, the game moved."""

from typing import Any

import pytest

import discord
from rules_core.history import REFEREE
from tests.discord.tools import Table, buttons

pytestmark = pytest.mark.simcord(settle_timeout=60)


def letters(table: Table) -> list[str]:
    """What the referee was told by direct message."""
    channel = table.people[REFEREE].user.dm_channel
    return [message.content for message in channel.history()] if channel is not None else []


async def test_case_083_missing_permissions_are_told_to_the_referee_once(game: Table) -> None:
    channel: Any = game.bot.get_channel(game.channel.id)
    await channel.set_permissions(channel.guild.me, send_messages=False)
    await game.env.settle()
    assert "Movement left" in await game.use("red", "move", from_="202", to="105", units="cruiser")
    await game.use("red", "done")
    (letter,) = letters(game)
    assert "A prepared round" in letter
    assert "Send Messages" in letter
    assert (await game.state()).phase.step != "movement"  # type: ignore[union-attr]


async def test_a_deleted_channel_the_game_is_safe_and_goes_on_elsewhere(game: Table) -> None:
    await game.use("red", "move", from_="202", to="105", units="cruiser")
    before = await game.state()
    row = await game.bot.service.game_in(game.channel.id)
    await game.bot.get_channel(game.channel.id).delete()  # type: ignore[union-attr]
    await game.env.settle()
    await game.bot.service.undoing.undo(row.id, "red")
    await game.bot.outbox.empty(game.channel.id)
    (letter,) = letters(game)
    assert "The channel is gone" in letter
    assert "/game rebind" in letter
    haven = game.guild.create_text_channel("haven")
    assert "goes on in this channel" in await game.use(REFEREE, "game rebind", channel=haven, game=str(row.id))
    moved = game.posts(haven)[-1]
    assert game.pinged(moved) == ["red"]
    assert "Done" in [item.label for item in buttons(moved)]
    await game.use("red", "move", channel=haven, from_="202", to="105", units="cruiser")
    game.channel = haven
    assert (await game.state()).ships == before.ships


async def test_only_the_referee_moves_a_game_and_only_to_a_free_channel(game: Table) -> None:
    row = await game.bot.service.game_in(game.channel.id)
    there = game.guild.create_text_channel("there")
    assert "referee of no such game" in await game.use("red", "game rebind", channel=there, game=str(row.id))
    await game.use("blue", "game create", channel=there, name="Other")
    assert "has a game already" in await game.use(REFEREE, "game rebind", channel=there, game=str(row.id))


async def test_rebind_names_what_the_bot_lacks_there(game: Table) -> None:
    row = await game.bot.service.game_in(game.channel.id)
    closed = game.guild.create_text_channel(
        "closed", overwrites={game.guild.me: discord.PermissionOverwrite(attach_files=False)}
    )
    assert "Attach Files" in await game.use(REFEREE, "game rebind", channel=closed, game=str(row.id))


async def test_battles_can_have_a_thread_of_their_own(game: Table) -> None:
    await game.use(REFEREE, "referee settings", threads=True)
    await game.to_losses()
    (thread,) = game.channel.threads
    asked = game.posts(thread)[-1]
    assert game.pinged(asked) == ["red", "blue"]
    assert not any("PDS fire" in post.content for post in game.posts())
    assert any("PDS fire" in post.content for post in game.posts(thread))
    await game.press("red", asked, "losses-0.0.0.0.2")
    assert "2 cruisers" in await game.use("blue", "losses", channel=thread, units="2 cruisers")
    assert not buttons(next(post for post in game.posts(thread) if post.id == asked.id))


async def test_case_097_where_no_thread_can_be_made_battles_stay_in_the_channel(game: Table) -> None:
    await game.use(REFEREE, "referee settings", threads=True)
    game.env.inject_error("POST", "/channels/*/threads", status=400, times=None)
    await game.to_losses()
    assert not game.channel.threads
    assert game.pinged(game.posts()[-1]) == ["red", "blue"]
    assert letters(game) == []

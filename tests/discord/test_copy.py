"""What if: a copy of a game, in another channel, with dice of its own; never to be mistaken for the game."""

import pytest

import discord
from rules_core.history import REFEREE
from tests.discord.tools import Table, buttons

pytestmark = pytest.mark.simcord(settle_timeout=60)


async def test_a_copy_is_played_alone_and_the_game_is_left_as_it_was(game: Table) -> None:
    """In the middle of a battle; all sides are played by who made the copy, without a standing order of anybody."""
    await game.to_losses()
    await game.use("blue", "standing", losses="fighter, cruiser")
    before, seen = await game.state(), len(game.posts())
    front, sandbox = game.channel, game.guild.create_text_channel("sandbox")
    assert "What if?" in await game.use("yellow", "game copy", to=sandbox)
    game.channel = sandbox
    copied = await game.state()
    assert (copied.ships, copied.phase, copied.planets) == (before.ships, before.phase, before.planets)
    assert copied.standing == {}
    assert copied.name.startswith("What if? ")
    # All seats are his: a refusal says for which of them it took the command.
    assert "As Tidewright: " in await game.use("yellow", "losses", units="2 dreadnoughts")
    await game.use("yellow", "losses", units="2 fighters")
    await game.use("yellow", "losses", units="2 cruisers")
    assert "no seat" in await game.use("red", "continue")
    row, original = await game.bot.service.game_in(sandbox.id), await game.bot.service.game_in(front.id)
    assert row.secret != original.secret
    assert all(game.pinged(post) in ([], ["yellow"]) for post in game.posts())
    game.channel = front
    assert await game.state() == before
    assert len(game.posts()) == seen


async def test_the_end_of_a_copy_is_told_in_short(game: Table) -> None:
    """Nobody sits there who would read who has what; it can still be looked at."""
    sandbox = game.guild.create_text_channel("sandbox")
    await game.use("yellow", "game copy", to=sandbox)
    await game.people["yellow"].slash(sandbox, "game end")
    end = game.posts(sandbox)[-1]
    assert [button.label for button in buttons(end)] == ["Watch the whole game"]
    assert (len(end.content.splitlines()), end.attachments) == (2, [])
    await game.use(REFEREE, "game end")
    assert len(game.posts()[-1].content.splitlines()) > 10


async def test_a_copy_between_rounds_says_what_comes_next(game: Table) -> None:
    """So does a file of such a game that is started: nobody acts, so nobody is announced."""
    while (await game.state()).phase is not None:
        await game.use(REFEREE, "referee skip")
    game.channel, front = game.guild.create_text_channel("sandbox"), game.channel
    await game.people["yellow"].slash(front, "game copy", to=game.channel)
    (post,) = game.posts()
    assert "The round is over" in post.content
    assert [button.label for button in buttons(post)] == ["Ledger", "Next round"]
    assert "Round 2 begins" in await game.press("yellow", post, "next")
    assert not buttons(game.posts()[0])
    assert "The round is over" not in game.posts()[0].content


async def test_a_copy_needs_a_channel_where_the_bot_may_post_and_no_game_is(game: Table) -> None:
    denied = discord.PermissionOverwrite(send_messages=False)
    closed = game.guild.create_text_channel("closed", overwrites={game.guild.me: denied})
    assert "Send Messages" in await game.use("red", "game copy", to=closed)
    assert "has a game already" in await game.use("red", "game copy", to=game.channel)


async def test_a_copy_in_private(game: Table) -> None:
    """A thread for who asked, if the bot may make one."""
    assert "What if?" in await game.use("blue", "game copy")
    (thread,) = game.channel.threads
    assert (await game.bot.service.game_in(thread.id)).name.startswith("What if? ")
    assert game.bot.get_channel(thread.id).is_private()
    denied = discord.PermissionOverwrite(create_private_threads=False)
    await game.bot.get_channel(game.channel.id).set_permissions(game.guild.me, overwrite=denied)
    await game.env.settle()
    assert "Create Private Threads" in await game.use("red", "game copy")

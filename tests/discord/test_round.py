"""A whole round by three users: commands, completion, buttons, a restart in the middle of a battle."""

import io

import pytest
from PIL import Image

from rules_core.history import REFEREE
from tests.discord.tools import Table, buttons

pytestmark = pytest.mark.simcord(settle_timeout=60)


async def test_a_whole_round(game: Table) -> None:
    assert game.all_pings() == [["red"]]
    assert "101 (Marrow, Brine)" in await game.suggested(
        "red", "move", "to", "mar", from_="201", units="2 dreadnoughts"
    )
    assert (await game.suggested("red", "move", "units", from_="202"))[0] == "all"
    await game.to_losses()
    asked = game.posts()[-1]
    assert game.pinged(asked) == ["red", "blue"]

    await game.restart()
    # The message from before the restart, answered by a select and by a button.
    assert "2 fighters" in await game.press("red", asked, "losses-0.0.0.0.2")
    assert "2 cruisers" in await game.press("blue", asked, "losses-0.2.0")
    assert game.pinged(game.posts()[-1]) == ["red"]
    await game.press("red", game.posts()[-1], "continue")

    await game.use("red", "bombard", planet="Marrow")
    assert "Marrow" in await game.suggested("red", "land", "planet")
    await game.use("red", "land", planet="Marrow", units="all")
    await game.use("red", "invade")
    told = "\n".join(post.content for post in game.posts())
    for part in ("(wormhole)", "intercepted", "PDS fire", "Assault cannon", "retreats", "bombards", "lands on Marrow"):
        assert part in told
    assert "The order of those to come changes" in told
    assert game.all_pings()[-1] == ["yellow"]

    await game.finish("yellow")
    await game.finish("yellow")
    assert game.all_pings()[-1] == ["blue"]
    await game.finish("blue")
    assert any("Round 1 is over" in post.content for post in game.posts()[-2:])
    await game.use(REFEREE, "referee next-round")
    assert game.all_pings()[-1] == ["red"]
    assert (await game.state()).planets["Marrow"].owner == "red"
    assert (await game.state()).round == 2


async def test_every_step_shows_its_own_map(game: Table) -> None:
    await game.to_losses()
    pictures = game.pictures()[-7:]  # before them, the lobby shows its map each time somebody joins
    assert len(pictures) == len(set(pictures)) == 7
    assert {Image.open(io.BytesIO(each)).width for each in pictures} == {1600}
    # What only asks has no map.
    assert not game.posts()[-1].attachments


async def test_case_039_every_command_and_every_button_is_answered_privately_at_once(game: Table) -> None:
    """The first thing Discord hears is a private deferral: it waits three seconds, and posts go their own way."""
    await game.to_losses()
    await game.press("red", game.posts()[-1], "losses-0.0.0.0.2")
    callbacks = [each.json for each in game.env.http_requests if each.path.endswith("/callback")]
    assert len(callbacks) > 10
    assert all(each == {"type": 5, "data": {"flags": 64}} for each in callbacks)


async def test_nobody_is_pinged_but_who_must_act(game: Table) -> None:
    await game.to_losses()
    for post in game.posts():
        if any(getattr(item, "label", "") == "Join" for item in buttons(post)):
            continue  # the lobby names everybody
        asks = [name for name in ("red", "blue", "yellow") if game.people[name].user.mention in post.content]
        assert game.pinged(post) == (asks if buttons(post) or "it is your turn" in post.content else [])


async def test_a_seat_in_the_battle_is_not_the_other_side(game: Table) -> None:
    await game.to_losses()
    asked = game.posts()[-1]
    before = await game.state()
    assert "not yours" in await game.press("yellow", asked, "losses-0.2.0")
    assert "not yours" in await game.press("red", asked, "losses-0.2.0")
    game.people["stranger"] = game.join_server("stranger")
    assert "no seat" in await game.press("stranger", asked, "losses-0.2.0")
    assert await game.state() == before


@pytest.mark.parametrize("killed", [True, False])
async def test_case_040_buttons_work_after_a_restart(game: Table, killed: bool) -> None:
    await game.to_losses()
    asked = game.posts()[-1]
    await game.restart(killed)
    game.keep_old_buttons()
    await game.press("blue", asked, "losses-0.2.0")
    assert "over" in await game.press("blue", asked, "losses-0.2.0")
    await game.press("red", asked, "losses-0.0.0.0.2")
    assert "over" in await game.press("red", asked, "losses-0.0.0.0.2")
    assert len((await game.state()).ships_at("101", "blue")) == 1


async def test_case_004_a_button_from_before_an_undo_is_refused(game: Table) -> None:
    """The battles to choose from are the same again, but the message belongs to what was taken back."""
    person = game.people["red"]
    await game.use("red", "move", from_="201", to="101", units="all")
    await game.use("red", "move", from_="202", to="105", units="2 cruisers")
    first = (await person.slash(game.channel, "done")).response.message
    await game.use("red", "undo")
    second = (await person.slash(game.channel, "done")).response.message
    before = await game.state()
    assert "over" in await game.press("red", first, "battle-105")
    assert await game.state() == before
    assert "over" not in await game.press("red", second, "battle-105")


async def test_what_comes_after_an_undo_is_taken_back_as_well(game: Table) -> None:
    before = await game.state()
    for _ in range(2):
        await game.use("red", "move", from_="202", to="105", units="2 cruisers")
        assert "took back" in await game.use("red", "undo")
    assert await game.state() == before


async def test_case_037_buttons_of_two_games_do_not_meet(game: Table) -> None:
    await game.to_losses()
    here = game.posts()[-1]
    there = game.guild.create_text_channel("elsewhere")
    game.channel, front = there, game.channel
    await game.begin()
    await game.to_losses()
    await game.press("blue", here, "losses-0.2.0")
    assert not (await game.state()).phase.battle.chosen
    game.channel = front
    assert "blue" in (await game.state()).phase.battle.chosen


async def test_posts_that_could_not_be_sent_come_later_and_in_order(game: Table) -> None:
    """Discord is out of order, then the bot is killed: nothing is lost and nothing comes twice."""
    game.env.inject_error("POST", "/channels/*/messages", status=503, times=None)
    seen = len(game.posts())
    await game.use("red", "move", from_="201", to="101", units="all")
    await game.use("red", "move", from_="202", to="105", units="2 cruisers")
    assert len(game.posts()) == seen
    game.env.backend.faults.clear()
    await game.restart()
    new = [post.content for post in game.posts()[seen:]]
    assert [("101" in text, "105" in text) for text in new] == [(True, False), (False, True)]


async def test_posts_go_on_when_the_permission_is_gone(game: Table) -> None:
    """What can never be sent is given up; the game and what follows go on."""
    game.env.inject_error(
        "POST", "/channels/*/messages", status=403, code=50013, message="Missing Permissions", times=1
    )
    await game.use("red", "move", from_="201", to="101", units="all")
    await game.use("red", "move", from_="202", to="105", units="2 cruisers")
    assert "105" in game.posts()[-1].content
    assert not await game.bot.store.posts.owed_channels()


async def test_a_game_in_a_thread(table: Table) -> None:
    message = await table.bot.get_channel(table.channel.id).send("a place")
    await table.bot.get_channel(table.channel.id).create_thread(name="side", message=message)
    (table.channel,) = table.channel.threads
    await table.begin()
    await table.use("red", "move", from_="202", to="104", units="2 cruisers")
    assert "**Emberfolk** moves" in table.posts()[-1].content


async def test_a_look_at_the_map_is_private_and_changes_nothing(game: Table) -> None:
    before, seen = await game.state(), len(game.posts())
    for options in ({}, {"system": "Marrow"}, {"step": 1}):
        result = await game.people["yellow"].slash(game.channel, "map", **options)
        assert result.ephemeral
        picture = game.env.backend.cdn.get(result.response.attachments[0].url)
        assert Image.open(io.BytesIO(picture)).format == "PNG"
    assert (await game.state(), len(game.posts())) == (before, seen)

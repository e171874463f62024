"""Dice that can be checked, and odds, as people on Discord meet them: what is private, what everybody sees."""

import io
import json

import pytest
from PIL import Image

from rules_core.dice import seal
from rules_core.history import REFEREE
from tests.discord.tools import SECRET, Table, prepared

pytestmark = pytest.mark.simcord(settle_timeout=60)


async def test_the_seal_is_in_the_first_announcement_and_the_words_of_players_too(table: Table) -> None:
    await table.use(REFEREE, "game create", name="Long night")
    game = await table.bot.service.game_in(table.channel.id)
    assert seal(game.secret) in table.posts()[0].content
    assert game.secret.hex() not in table.posts()[0].content
    await table.use("red", "game join")
    assert "secret" in await table.use("red", "game words", words="**the** sun @everyone")
    assert "\\*\\*the\\*\\* sun" in table.posts()[-1].content
    assert "no seat" in await table.use("blue", "game words", words="not mine")
    await table.use("blue", "game join")
    await table.use(REFEREE, "game start")
    assert "already" in await table.use("red", "game words", words="too late")
    seats = {seat.user: seat.key for seat in await table.bot.store.seats(game.id)}
    words = {seats[table.people["red"].user.id]: "**the** sun @everyone"}
    assert json.loads((await table.bot.store.game(game.id)).words) == words
    assert all(not table.pinged(post) for post in table.posts()[:-1])


async def test_at_the_end_everybody_can_check_every_die(game: Table) -> None:
    await game.to_losses()
    assert "still one" in await game.use("blue", "game verify")
    assert any(seal(SECRET) in post.content for post in game.posts())
    assert all(SECRET.hex() not in post.content for post in game.posts())
    await game.use(REFEREE, "game end")
    assert SECRET.hex() in game.posts()[-1].content
    assert "Every one is what the secret says" in await game.use("blue", "game verify")
    exported = await game.people["blue"].slash(game.channel, "game export")
    (file,) = exported.response.attachments
    assert SECRET.hex().encode() in game.env.backend.cdn.get(file.url)


async def test_only_the_referee_reveals_and_it_is_for_good(game: Table) -> None:
    assert "referee" in await game.use("red", "game reveal")
    assert all(SECRET.hex() not in post.content for post in game.posts())
    assert "for good" in await game.use(REFEREE, "game reveal")
    assert SECRET.hex() in game.posts()[-1].content
    await game.to_losses()
    assert "Every one is what the secret says" in await game.use("red", "game verify")


async def test_chat_dice_are_for_all_and_are_none_of_a_battle(game: Table) -> None:
    before = await game.state()
    thrown = await game.people["red"].slash(game.channel, "roll", dice="3d1+2", comment="for luck, 2d6 @everyone")
    assert thrown.response.ephemeral
    (said,) = thrown.followups
    assert not said.ephemeral
    assert "chat dice, not those of a battle" in said.content
    assert "**5**" in said.content
    assert "for luck, 2d6 @" in said.content
    assert "@everyone" not in said.content
    assert await game.state() == before
    assert "no dice" in await game.use("red", "roll", dice="a fistful")


async def test_odds_and_luck_are_private_and_come_with_a_picture(game: Table) -> None:
    await game.to_losses()
    before = len(game.posts())
    for command, options in (
        ("odds", {"system": "101"}),
        ("odds", {"units": "2 cruisers", "against": "carrier"}),
        ("luck", {}),
    ):
        looked = await game.people["red"].slash(game.channel, command, **options)
        assert looked.response.ephemeral
        assert "%" in looked.response.content
        (picture,) = looked.response.attachments
        assert Image.open(io.BytesIO(game.env.backend.cdn.get(picture.url))).width == 1000
    assert len(game.posts()) == before


async def test_odds_by_a_button_beside_the_retreat_for_who_presses_alone(game: Table) -> None:
    await game.to_losses()
    asked = game.posts()[-1]
    await game.press("red", asked, "losses-0.0.0.0.2")
    answer = await game.press("blue", asked, "losses-0.2.0")
    assert "Odds of fighting on" not in answer
    asked = game.posts()[-1]
    assert "%" not in asked.content
    await game.restart()
    for who in ("red", "blue", "yellow"):
        assert "Odds in 101" in await game.press(who, asked, "101")
    assert "Odds of fighting on" in await game.use("red", "status")
    await game.press("red", asked, "continue")
    assert prepared().start.options.public_odds == "hidden"


async def test_a_retreat_ordered_by_the_odds(game: Table) -> None:
    assert "40%" in await game.use("red", "standing", retreat="odds below 40%")
    assert "odds below 40%" in await game.suggested("red", "standing", "retreat")
    assert "odds below 40%" in await game.use("red", "standing", retreat="odds below 140%")

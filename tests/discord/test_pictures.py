"""Pictures on Discord: words for who cannot see them, the battle view, a look at the map, the replay."""

import io
from typing import Any

import pytest
from PIL import Image

from rules_core.history import REFEREE
from tests.discord.tools import Table, buttons, text_of

pytestmark = pytest.mark.simcord(settle_timeout=60)


def opened(game: Table, result: Any) -> Image.Image:
    """The picture in a private reply."""
    (attachment,) = result.response.message.attachments
    return Image.open(io.BytesIO(game.env.backend.cdn.get(attachment.url)))


async def test_every_map_says_in_words_what_changed(game: Table) -> None:
    await game.to_losses()
    shown = [attachment for post in game.posts() for attachment in post.attachments]
    assert shown
    for attachment in shown:
        assert attachment.description
        assert len(attachment.description) <= 1024
    moved = next(post for post in game.posts() if " moves " in post.content)
    assert "moves" in moved.attachments[0].description
    assert "**" not in moved.attachments[0].description
    assert "round 1" in moved.attachments[0].description


@pytest.mark.parametrize("language", ["en", "ko"])
async def test_every_private_picture_says_in_words_what_it_shows(game: Table, language: str) -> None:
    for who in ("red", "yellow"):
        await game.use(who, "language", language=language)
    await game.use("red", "plan open")
    await game.use("red", "move", from_="201", to="105", units="cruiser")
    shown = [await game.people["red"].slash(game.channel, "plan show")]
    await game.use("red", "plan discard")
    await game.to_losses()
    looks = ("map", "odds", "luck", "galaxy show", "replay", "since")
    shown += [await game.people["yellow"].slash(game.channel, look) for look in looks]
    pictures = [result.response.message.attachments for result in shown]
    assert [len(each) for each in pictures] == [1, 1, 1, 1, 1, 1, 2]
    assert all(each.description and "**" not in each.description for several in pictures for each in several)


async def test_a_map_can_be_light_and_small(game: Table) -> None:
    result = await game.people["red"].slash(game.channel, "map", theme="light", scale="0.5", system="101", rings="2")
    assert opened(game, result).width == 800


async def test_case_022_a_look_at_an_earlier_step_can_only_be_looked_at(game: Table) -> None:
    await game.use("red", "move", units="cruiser", from_="202", to="105")
    for options in ({"step": 1}, {}):
        result = await game.people["red"].slash(game.channel, "map", **options)
        assert result.response.message.attachments
        assert not buttons(result.response.message)


async def test_a_replay_is_an_animated_picture_shown_to_who_asked(game: Table) -> None:
    await game.to_losses()
    result = await game.people["red"].slash(game.channel, "replay")
    assert result.response.message.attachments[0].filename == "replay.gif"
    assert opened(game, result).n_frames > 3  # type: ignore[attr-defined]
    assert "round 1" in text_of(result)
    assert "Nothing has happened in round 7" in await game.use(REFEREE, "replay", round=7)

"""Faults stay small: pictures that cannot be drawn, channels that are gone, games that cannot be read."""

import io
import re
import sys

import pytest
from PIL import Image

from bot.drawing import PAINTER
from renderer import painter
from rules_core.history import REFEREE
from tests.discord.tools import Table

MOVE = {"from_": "202", "to": "105", "units": "2 cruisers"}


async def test_case_084_a_picture_that_cannot_be_drawn_holds_nothing_up(
    game: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    before = len(game.posts())
    PAINTER.close()
    with monkeypatch.context() as broken:
        broken.setattr(painter, "PROGRAM", (sys.executable, "-c", ""))
        await game.use("red", "move", **MOVE)
    (post,) = game.posts()[before:]
    assert not post.attachments
    assert "2 cruisers" in post.content
    (reference,) = re.findall(r"reference ([0-9a-f]{8})", post.content)
    assert reference in caplog.text
    await game.use("red", "move", from_="201", to="101", units="all")
    assert game.posts()[-1].attachments


def width(picture: bytes) -> int:
    with Image.open(io.BytesIO(picture)) as opened:
        return opened.width


async def test_case_080_a_picture_that_is_too_large_is_drawn_smaller(game: Table) -> None:
    usual, before = width(game.pictures()[-1]), len(game.posts())
    game.env.inject_error("POST", f"/channels/{game.channel.id}/messages", status=413, code=40005)
    await game.use("red", "move", **MOVE)
    (post,) = game.posts()[before:]
    assert post.attachments
    assert width(game.pictures()[-1]) == usual // 2
    assert "too large" not in post.content


async def test_case_080_a_picture_that_is_too_large_at_any_size_is_left_out(game: Table) -> None:
    before = len(game.posts())
    game.env.inject_error("POST", f"/channels/{game.channel.id}/messages", status=413, code=40005, times=2)
    await game.use("red", "move", **MOVE)
    (post,) = game.posts()[before:]
    assert not post.attachments
    assert "too large" in post.content


async def test_case_083_the_referee_is_told_what_could_not_be_posted(game: Table) -> None:
    game.env.inject_error(
        "POST", f"/channels/{game.channel.id}/messages", status=403, code=50013, message="Missing Permissions", times=2
    )
    await game.use("red", "move", **MOVE)
    await game.use("red", "move", from_="201", to="101", units="all")
    (told,) = game.people[REFEREE].user.dm_channel.history()
    assert f"<#{game.channel.id}>" in told.content
    assert "The game is safe" in told.content


async def test_case_035_a_broken_game_does_not_stop_another(game: Table, caplog: pytest.LogCaptureFixture) -> None:
    other = game.guild.create_text_channel("other")
    await game.bot.store.write("UPDATE snapshots SET position = X'00'", ())
    await game.use(REFEREE, "game create", channel=other)
    await game.restart()
    answer = await game.use("red", "done")
    (reference,) = re.findall(r"[0-9a-f]{8}", answer)
    assert reference in caplog.text
    assert reference in game.posts()[-1].content
    assert "(game 1)" in game.posts()[-1].content
    assert game.pinged(game.posts()[-1]) == [REFEREE]
    await game.use("red", "game join", channel=other)
    assert "Emberfolk" in await game.use("red", "order", channel=other) or game.posts(other)

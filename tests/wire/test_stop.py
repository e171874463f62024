"""SIGTERM: what is in hand is finished, what comes after is refused, and the process ends in order."""

import asyncio
import logging
import os
import signal
from pathlib import Path

import pytest

from bot import client
from bot.config import Settings
from tests.faults.books import owed, read
from tests.wire.game import next_line, open_table
from tests.wire.http import Trouble
from tests.wire.server import WireServer
from tests.wire.world import TOKEN

FOLLOW_UP = r"POST /webhooks/.*"


async def test_a_stop_finishes_what_is_in_hand(
    server: WireServer, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What the program sets up for its own log is none of the other tests'.
    monkeypatch.setattr(logging.root, "handlers", [*logging.root.handlers])
    monkeypatch.setattr(logging.root, "level", logging.root.level)
    settings = Settings(token=TOKEN, database=tmp_path / "games.db", emojis=False)
    bot = asyncio.create_task(client._serve(settings))
    await server.until(server.gateway.ready, "the bot to connect")
    table = await open_table(server)
    while owed(tmp_path / "games.db"):
        await asyncio.sleep(0.01)
    asked = [post for post in server.posts(table.channel) if post.components][-1]
    before = await read(tmp_path / "games.db")
    held = asyncio.Event()
    server.http.trouble.append(Trouble(FOLLOW_UP, until=held))
    in_hand = table.send(next_line(before.state))
    await server.until(lambda: server.http.trouble[-1].met, "the answer that is held up")
    os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.sleep(0)
    late = await table.say("red", "/status")
    assert "being restarted" in late.text
    pressed = await server.press(table.people["red"], asked)
    assert "being restarted" in pressed.text
    assert not bot.done()
    held.set()
    await server.answered(in_hand)
    await bot
    after = await read(tmp_path / "games.db")
    assert after.head > before.head
    assert all(post.state == "sent" for post in after.posts)
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]

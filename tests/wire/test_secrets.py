"""What must never be read, however much is logged and whatever fails: the token, and the secret of a running game."""

import asyncio
import base64
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import pytest

from bot import logs, service
from bot.config import Settings
from rules_core.dice import SealedDice
from tests.wire.game import next_line, open_table
from tests.wire.running import Running
from tests.wire.server import WireServer
from tests.wire.world import TOKEN


@contextmanager
def everything_logged(path: Path) -> Iterator[None]:
    """The program's own log at its most talkative, and each step of the event loop with what it works on."""
    loop, loggers = asyncio.get_running_loop(), [logging.root, *map(logging.getLogger, logs._TALKATIVE)]
    levels, before = [each.level for each in loggers], [*logging.root.handlers]
    logs.set_up(Settings(token=TOKEN, log_level="DEBUG"))
    ours = logging.root.handlers[-1]
    assert isinstance(ours, logging.StreamHandler)
    with path.open("w") as stream:
        ours.setStream(stream)
        loop.set_debug(True)
        loop.slow_callback_duration = 0
        try:
            yield
        finally:
            loop.set_debug(False)
            logging.root.handlers[:] = before
            for each, level in zip(loggers, levels, strict=True):
                each.setLevel(level)


def shapes(secret: bytes) -> Iterator[str]:
    """The ways in which a secret could stand in a text, each in a part that tells."""
    yield secret.hex()[:16]
    yield repr(secret)[2:20]
    yield base64.b64encode(secret).decode()[:16]
    yield str(list(secret))[1:20]


async def test_no_log_and_no_answer_tells_a_secret(
    server: WireServer,
    running: Running,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = []
    with everything_logged(tmp_path / "log"):
        table = await open_table(server)
        await running.play(table, 12)
        referee = table.people["referee"]
        exported = await server.slash(referee, table.channel, "game export")
        said.append(server.file_of(exported.messages[-1]).decode())
        for command in ("game status", "game verify", "game settings", "history", "luck", "help"):
            said.append((await server.slash(referee, table.channel, command)).text)
        row = await running.bot.service.game_in(table.channel)

        def fails(state: object, command: object, dice: SealedDice) -> NoReturn:
            secret = dice._secret
            raise RuntimeError(f"a fault beside {len(secret)} bytes", row, dice)

        with monkeypatch.context() as broken:
            broken.setattr(service, "decide", fails)
            said.append((await server.answered(table.send(next_line(await running.state(table))))).text)
        assert "owner this number" in said[-1]
        await running.delivered()
    caplog.clear()  # the fault was meant
    said += [post.content for post in server.posts(table.channel)]
    logged = (tmp_path / "log").read_text()
    assert "a fault beside 32 bytes" in logged
    assert "Executing" in logged
    for text in (logged, *said):
        assert TOKEN not in text
        assert [shape for shape in shapes(row.secret) if shape in text] == []

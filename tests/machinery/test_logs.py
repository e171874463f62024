"""The log and the health file."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot import health
from bot.config import Settings
from bot.logs import Formatter, set_up
from tests.machinery.tools import START, played

TOKEN = "MTIzNDU2.never.shown"


def record(text: str, *args: object, **numbers: object) -> logging.LogRecord:
    return logging.makeLogRecord({"name": "bot", "levelname": "INFO", "msg": text, "args": args, **numbers})


def test_a_line_has_the_numbers_of_game_and_event() -> None:
    assert "bot game=7 event=12 command of red" in Formatter("", False).format(
        record("command of red", game=7, event=12)
    )
    found = json.loads(Formatter("", True).format(record("%s of red", "command", game=7, event=12)))
    assert (found["game"], found["event"], found["text"], found["level"]) == (7, 12, "command of red", "INFO")


@pytest.mark.parametrize("as_json", [False, True])
def test_no_token_is_in_the_log(as_json: bool) -> None:
    try:
        raise RuntimeError(f"POST https://discord.com/api/v10/webhooks/12345/aW50-ZXJh_Y3Rpb24.x failed, Bot {TOKEN}")
    except RuntimeError as error:
        told = record("with %s", TOKEN, exc_info=(type(error), error, error.__traceback__))
    line = Formatter(TOKEN, as_json).format(told)
    assert TOKEN not in line
    assert "aW50" not in line
    assert "/webhooks/12345/[hidden]" in line


@contextmanager
def debugged() -> Iterator[None]:
    """The program's own log, with all that it can tell."""
    loggers = [logging.root, logging.getLogger("aiosqlite"), logging.getLogger("discord")]
    levels, before = [each.level for each in loggers], [*logging.root.handlers]
    set_up(Settings(token=TOKEN, log_level="DEBUG"))
    yield
    logging.root.handlers[:] = before
    for each, level in zip(loggers, levels, strict=True):
        each.setLevel(level)


async def test_every_command_is_in_the_log_and_no_secret(capsys: pytest.CaptureFixture[str]) -> None:
    with debugged():
        async with played() as now:
            await now.do("red", "move", units="cruiser", start="201", to="202")
            row = await now.store.game(now.game)
    logged = capsys.readouterr().err
    assert f"bot.book game={now.game} event={row.head} command of red" in logged
    assert repr(row.secret) not in logged
    assert row.secret.hex() not in logged


def test_the_health_file_is_whole_and_new(tmp_path: Path) -> None:
    for owed in (3, 0):
        health.write(tmp_path / "health", START, 0.1234, owed)
    assert json.loads((tmp_path / "health").read_text()) == {
        "at": START.isoformat(),
        "latency": 0.123,
        "channels_owed": 0,
    }
    assert [path.name for path in tmp_path.iterdir()] == ["health"]

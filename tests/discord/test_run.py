"""`starpost run` that cannot start: one line, exit code 2."""

import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web

import discord
from bot import client
from bot.cli import main
from bot.config import Settings
from bot.errors import Unusable

TOKEN = "never-shown"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to run in, with a token in the environment."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("STARPOST_DATABASE", str(tmp_path / "starpost.db"))
    return tmp_path


def only_line(capsys: pytest.CaptureFixture[str]) -> str:
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert TOKEN not in said.err
    return said.err


def test_no_token(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("DISCORD_TOKEN")
    assert main(["run"]) == 2
    assert "DISCORD_TOKEN" in only_line(capsys)


@pytest.mark.parametrize("content", [b"no database at all, but a text that is long enough" * 40, None])
def test_a_database_that_cannot_be_opened(
    folder: Path, content: bytes | None, capsys: pytest.CaptureFixture[str]
) -> None:
    database = folder / "starpost.db"
    database.mkdir() if content is None else database.write_bytes(content)
    assert main(["run"]) == 2
    assert str(database) in only_line(capsys)


def test_a_database_of_a_newer_program(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with sqlite3.connect(folder / "starpost.db") as database:
        database.execute("PRAGMA user_version = 1000")
    database.close()
    assert main(["run"]) == 2
    assert "newer" in only_line(capsys)


@pytest.fixture
async def refusing(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """A Discord that refuses every token."""

    async def refuse(request: web.Request) -> web.Response:
        return web.json_response({"message": "401: Unauthorized", "code": 0}, status=401)

    application = web.Application()
    application.router.add_get("/api/v10/users/@me", refuse)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    monkeypatch.setattr(discord.http.Route, "BASE", f"http://127.0.0.1:{runner.addresses[0][1]}/api/v10")
    yield
    await runner.cleanup()


@pytest.mark.usefixtures("refusing")
async def test_a_refused_token(folder: Path) -> None:
    with pytest.raises(Unusable, match="DISCORD_TOKEN: Discord refuses"):
        await client._serve(Settings(token=TOKEN, database=folder / "starpost.db"))


async def test_discord_out_of_reach(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discord.http.Route, "BASE", "http://127.0.0.1:9/api/v10")
    with pytest.raises(Unusable, match="cannot be reached"):
        await client._serve(Settings(token=TOKEN, database=folder / "starpost.db"))

"""`starpost games`: the games of a database at the terminal."""

import asyncio
from pathlib import Path

import pytest

from bot.cli import main
from bot.clock import SystemClock
from bot.files import first_steps, read_game_at
from bot.lease import Lease
from bot.service import Service
from bot.store import Store
from rules_core import commands as cmd
from rules_core.history import REFEREE


def waked(channel: int) -> None:
    """Nobody listens."""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A database with a running game, in the middle of something, and one that has ended."""
    path = tmp_path / "starpost.db"

    async def fill() -> None:
        async with await Store.open(path) as store:
            service = Service(store, SystemClock(), waked)
            for channel in (1, 2):
                game = await service.create(9, channel, "en", 7, first_steps())
                await service.start(game.id)
                await service.execute(game.id, REFEREE, lambda state: cmd.SetPowerBonus("red", 50))
            await service.end(game.id)

    asyncio.run(fill())
    return path


def games(database: Path, *options: str) -> int:
    """Runs the command."""
    return main(["games", "--database", str(database), *options])


def test_games_are_listed_and_shown(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert games(database, "list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["1", "2"]
    assert "running" in lines[0]
    assert "ended" in lines[1]
    assert games(database, "--language", "ko", "show", "1") == 0
    shown = capsys.readouterr().out
    assert "라운드" in shown
    # No markup on a terminal, and options are understood behind the rest too.
    assert "*" not in shown
    assert main(["games", "show", "1", "--language", "ko", "--database", str(database)]) == 0
    assert capsys.readouterr().out == shown


def test_a_game_is_exported_as_a_game_or_as_a_position(database: Path, tmp_path: Path) -> None:
    whole, position = tmp_path / "game.json", tmp_path / "position.json"
    assert games(database, "export", "1", "--out", str(whole)) == 0
    assert games(database, "export", "1", "--position", "--out", str(position)) == 0
    read = read_game_at(whole, "en")
    assert len(read.entries) == 2
    assert read_game_at(position, "en").start == read.state


def test_a_game_is_removed_with_all_that_belongs_to_it(
    database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert games(database, "remove", "1") == 2
    assert "--running" in capsys.readouterr().err
    assert games(database, "remove", "2") == 0
    assert games(database, "remove", "1", "--running") == 0
    capsys.readouterr()
    games(database, "list")
    assert "no game" in capsys.readouterr().out

    async def left() -> int:
        async with await Store.open(database) as store:
            return len(await store.seats(1)) + len(await store.log.entries(1)) + len(await store.posts.owed_channels())

    assert asyncio.run(left()) == 0


def test_nothing_is_removed_while_the_bot_runs(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lease = Lease.take(database)
    assert games(database, "remove", "2") == 2
    assert "another Starpost runs" in capsys.readouterr().err
    assert games(database, "list") == 0
    lease.release()


@pytest.mark.parametrize("options", [("show", "9"), ("export", "9", "--out", "x")])
def test_a_game_that_is_not_there_is_one_line(
    database: Path, options: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert games(database, *options) == 2
    assert capsys.readouterr().err == "9: there is no such game; there are: 1, 2\n"
    assert games(database.with_name("other.db"), "list") == 2
    assert not database.with_name("other.db").exists()

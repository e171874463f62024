"""`starpost games move`: a game goes from one database into another."""

import asyncio
from pathlib import Path

import pytest

from bot.check import check
from bot.cli import main
from bot.lease import leased
from bot.phrases import phrases
from bot.store import Store
from tests.machinery.tools import CHANNEL, played


def move(source: Path, target: Path, game: int = 1) -> int:
    return main(["games", "--database", str(source), "move", str(game), "--to", str(target)])


async def in_battle(database: Path) -> None:
    async with played(database) as now:
        await now.do("red", "move", units="all", start="201", to="101")
        await now.do("red", "done")


async def a_game_elsewhere(database: Path) -> None:
    """A database that has a game of that number already, in another channel."""
    async with played(database):
        pass
    async with await Store.open(database) as store:
        await store.write("UPDATE games SET channel = ?", (CHANNEL + 1,))


@pytest.mark.parametrize("taken", [False, True])
def test_a_game_goes_on_in_the_other_database(tmp_path: Path, taken: bool) -> None:
    source, target = tmp_path / "a.db", tmp_path / "b.db"
    asyncio.run(in_battle(source))
    if taken:
        asyncio.run(a_game_elsewhere(target))
    assert move(source, target) == 0

    async def look() -> None:
        lines, well = await check(target, phrases("en"))
        assert well, lines
        async with await Store.open(source) as store:
            assert await store.all_games() == ()
            assert await store.posts.owed_channels() == ()
        async with played(target) as now:
            assert now.game == (2 if taken else 1)
            await now.do("red", "losses", units="1 fighter")
            assert "move" in [post.kind for post in await now.owed()]

    asyncio.run(look())


def test_what_cannot_be_moved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "a.db", tmp_path / "b.db"
    for database in (source, target):
        asyncio.run(in_battle(database))
    assert move(source, target) == 2
    assert "in the same channel" in capsys.readouterr().err
    assert move(source, target, game=9) == 2
    with leased(target):
        assert move(source, target) == 2
    assert "another Starpost runs" in capsys.readouterr().err

"""Cases about what surrounds a game: restarts at bad moments, what comes from outside, and what must not be needed."""

import json
import socket
from pathlib import Path
from typing import Any, NoReturn

import pytest

from bot.files import read_game
from rules_core.errors import FileError
from rules_core.events import BattleBegan
from tests.machinery.tools import Played, played, war


async def battles(now: Played) -> list[str]:
    """Where battles have begun, by the log."""
    entries = await now.service.past.log(now.game)
    return [event.at for entry in entries for event in entry.events if isinstance(event, BattleBegan)]


async def test_case_024_a_restart_before_a_battle_is_opened_and_in_it_makes_no_second_one(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    for command, texts in (
        ("move", {"units": "all", "start": "201", "to": "101"}),
        ("done", {}),
        ("losses", {"units": "1 fighter"}),
    ):
        async with played(database) as now:
            await now.do("red", command, **texts)
    async with played(database) as now:
        assert await battles(now) == ["101"]


async def test_case_107_dice_need_nothing_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*_: Any) -> NoReturn:
        raise OSError("there is no network")

    monkeypatch.setattr(socket.socket, "connect", unreachable)
    monkeypatch.setattr(socket, "getaddrinfo", unreachable)
    async with played() as now:
        await now.do("red", "move", units="all", start="201", to="101")
        await now.do("red", "done")
        await now.do("red", "losses", units="1 fighter")
        await now.service.end(now.game)
        verdict = await now.service.past.verified(now.game)
    assert verdict.dice > 0
    assert not verdict.differing


@pytest.mark.parametrize("at", ["1000", "10" * 30, "-101", "991"])
def test_case_089_a_place_beyond_the_largest_map_is_refused(at: str) -> None:
    position = war()
    position["systems"].append({"at": at})
    with pytest.raises(FileError):
        read_game(json.dumps(position))

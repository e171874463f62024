"""What the tests of the machinery share: a game in a real file, and a small war to play in it."""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot import slash
from bot.clock import SettableClock
from bot.database import IN_MEMORY
from bot.files import read_game
from bot.happening import Happening
from bot.rows import GameRow, Post
from bot.sealed import sealed_dice
from bot.service import Service
from bot.store import Store
from rules_core.dice import Dice

CHANNEL = 500
START = datetime(2026, 1, 1, tzinfo=UTC)
SECRET = bytes(32)


def war() -> dict[str, Any]:
    """Red beside blue: a battle in 101 with losses to choose, and a planet there to take."""
    hexes = ["000", "102", "106", "202", "212"]
    azure = {"name": "Azure", "resources": 1, "political_power": 2, "owner": "blue", "ground_forces": 1}
    fleet = {"carriers": [{"ground_forces": 3}, {}], "cruisers": 2, "fighters": 1}
    return {
        "format": "starpost-position/1",
        "name": "War",
        "players": [{"key": "red", "race": "Emberfolk"}, {"key": "blue", "race": "Tidewright"}],
        "acting": "red",
        "systems": [
            {"at": "101", "planets": [azure], "units": {"blue": {"cruisers": 1, "dreadnoughts": 1}}},
            {"at": "201", "planets": [{"name": "Hearth", "owner": "red", "ground_forces": 2}], "units": {"red": fleet}},
            *({"at": at} for at in hexes),
        ],
    }


@dataclass
class Played:
    """A game that is being played."""

    store: Store
    service: Service
    game: int
    woken: list[int]

    async def do(self, actor: str, name: str, **texts: str) -> Happening:
        """`actor` gives the slash command `name`; `start` stands for the option `from`."""
        options = {"from" if key == "start" else key: text for key, text in texts.items()}
        return await self.service.execute(self.game, actor, lambda state: slash.build(state, actor, name, options))

    async def owed(self) -> list[Post]:
        """What the channel is owed, the oldest first, noting each as sent."""
        found = []
        while (post := await self.store.posts.next_owed(CHANNEL)) is not None:
            found.append(post)
            await self.store.posts.settle(post.id, 1, "now")
        return found


@asynccontextmanager
async def played(
    path: Path | str = IN_MEMORY, dice: Callable[[GameRow], Dice] = sealed_dice, position: dict[str, Any] | None = None
) -> AsyncIterator[Played]:
    """A begun game in the database at `path`, or the one that is there already."""
    woken: list[int] = []
    async with await Store.open(path) as store:
        service = Service(store, SettableClock(START), woken.append, dice)
        row = await store.game_in(CHANNEL)
        if row is not None:
            yield Played(store, service, row.id, woken)
            return
        row = await service.create(1, CHANNEL, "en", 7, read_game(json.dumps(position or war())), SECRET)
        await service.start(row.id)
        now = Played(store, service, row.id, woken)
        # What a start itself says is not what these tests are about.
        await now.owed()
        woken.clear()
        yield now

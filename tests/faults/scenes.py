"""What is under way when the bot is killed at each await: a table, and the one command that is followed at it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from bot import slash
from bot.clock import SystemClock
from bot.files import read_game
from bot.script import read_command
from bot.service import Service
from bot.slash import Slash, Texts
from bot.store import Store
from rules_core.commands import Command
from rules_core.history import REFEREE
from rules_core.state import State
from tests.wire.game import Line, Table
from tests.wire.server import Person, Told, WireServer

# All tables have the same dice, so that all must come to the same.
SECRET: Final = bytes(range(32))
_FLEET: Final = {"carriers": [{"ground_forces": 3}], "cruisers": 2, "dreadnoughts": 1, "fighters": 2}


@dataclass(frozen=True, slots=True)
class Scene:
    """What was done before, and who does what now. `defended`: whether the hub has ships.

    `typed`: a command, or empty for the first answer of the newest post that asks. `begun`: whether the game was
    started before.
    """

    typed: str
    actor: str = "red"
    before: tuple[tuple[str, str], ...] = ()
    defended: bool = False
    joined: tuple[str, ...] = ("red", "blue")
    begun: bool = True


_MOVED: Final = ("red", "/move units:all from:101 to:000")
_AT_THE_HUB: Final = (_MOVED, ("red", "/done"))
_LANDED: Final = (*_AT_THE_HUB, ("red", "/land planet:Hub units:all"))
_PROPOSED: Final = (
    (REFEREE, "/referee skip"),
    (REFEREE, "/referee skip"),
    ("red", "/build units:1 cruiser planet:Redhold"),
)

SCENES: Final[Mapping[str, Scene]] = {
    "join": Scene("/game join", "blue", joined=("red",), begun=False),
    "start": Scene("/game start", REFEREE, begun=False),
    "move": Scene("/move units:2 cruisers from:101 to:000"),
    "undo": Scene("/undo", before=(_MOVED,)),
    "done, with a battle": Scene("/done", before=(_MOVED,), defended=True),
    "losses, by a button": Scene("", before=_AT_THE_HUB, defended=True),
    "land": Scene("/land planet:Hub units:all", before=_AT_THE_HUB),
    "invade": Scene("/invade", before=_LANDED),
    "an edit of the referee": Scene("/referee place units:1 fighter at:101 player:red", REFEREE),
    "purchases accepted": Scene("/referee accept", REFEREE, before=_PROPOSED),
}


def _position(defended: bool) -> str:
    hub: dict[str, Any] = {
        "at": "000",
        "planets": [{"name": "Hub", "resources": 1, "political_power": 6, "owner": "blue", "ground_forces": 1}],
    }
    redhold = {"name": "Redhold", "resources": 9, "owner": "red", "ground_forces": 3, "space_dock": True}
    bluehold = {"name": "Bluehold", "owner": "blue", "ground_forces": 3}
    systems = [
        hub | ({"units": {"blue": {"cruisers": 2, "dreadnoughts": 1, "fighters": 1}}} if defended else {}),
        {"at": "101", "planets": [redhold], "units": {"red": _FLEET}},
        {"at": "104", "planets": [bluehold]},
    ]
    players = [{"key": "red", "race": "Emberfolk"}, {"key": "blue", "race": "Tidewright"}]
    data = {"format": "starpost-position/1", "name": "Scene", "players": players, "acting": "red", "systems": systems}
    return json.dumps(data)


@dataclass(frozen=True, slots=True)
class Stage:
    """A scene in a channel of its own: its game, and the table."""

    scene: Scene
    game: int
    table: Table

    def act(self) -> Told:
        """Does what the scene is about, without waiting for an answer."""
        if self.scene.typed.startswith("/game"):
            who = self.table.people[self.scene.actor]
            return self.table.server.send_slash(who, self.table.channel, self.scene.typed.removeprefix("/"))
        return self.table.send(Line(self.scene.actor, self.scene.typed))


async def staged(server: WireServer, database: Path, scene: Scene, people: Mapping[str, Person]) -> Stage:
    """Writes the game of a scene into the database; the bot learns of it by what is done in its channel."""
    channel = server.channel("scene")
    async with await Store.open(database) as store:
        service = Service(store, SystemClock(), lambda channel: None)
        file = read_game(_position(scene.defended))
        row = await service.create(server.guild, channel, "en", people[REFEREE].id, file, SECRET)
        for key in scene.joined:
            await service.seating.join(row.id, people[key].id, key)
        if scene.begun:
            await service.start(row.id)
        for actor, typed in scene.before:
            command, texts = read_command(typed)
            await service.execute(row.id, actor, partial(_built, actor=actor, command=command, texts=texts))
    return Stage(scene, row.id, Table(server, channel, people))


def _built(state: State, actor: str, command: Slash, texts: Texts) -> Command:
    return slash.build(state, actor, command.name, texts)

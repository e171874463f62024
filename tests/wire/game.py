"""A game of three on the loopback server, and a script of moves that leads through every kind of post."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bot.script import read_command
from tests.wire.server import Person, Told, WireServer

POSITION: Final = Path(__file__).parents[2] / "bot" / "positions" / "first_steps.json"
SEATS: Final = ("red", "blue", "gold")


@dataclass(frozen=True, slots=True)
class Table:
    """A channel with a game in it, and who plays."""

    server: WireServer
    channel: int
    referee: Person
    players: Mapping[str, Person]

    async def says(self, seat: str, typed: str) -> Told:
        """Gives a command as it stands in a script for the table: `/move units:... from:...`."""
        slash, texts = read_command(typed)
        who = self.players.get(seat, self.referee)
        return await self.server.slash(who, self.channel, slash.name, **texts)


async def open_table(server: WireServer, name: str = "starpost") -> Table:
    """A channel in which a game of three has begun."""
    referee, *people = (server.person(each) for each in ("Referee", "Rita", "Bert", "Gül"))
    table = Table(server, server.channel(name), referee, dict(zip(SEATS, people, strict=True)))
    file = ("first_steps.json", POSITION.read_bytes())
    await server.slash(referee, table.channel, "game import", file=file)
    for person in people:
        await server.slash(person, table.channel, "game join")
    await server.slash(referee, table.channel, "game start")
    return table

"""A database with many live games, written before the bot starts."""

import contextlib
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from bot.clock import SystemClock
from bot.galaxies import SEATS, generate, races
from bot.service import Service
from bot.store import Store
from rules_core.game_file import GameFile, chain_start
from rules_core.history import REFEREE
from rules_core.state import State
from tests.wire.game import Line, Table
from tests.wire.server import Person, WireServer

PLAYERS: Final = tuple(f"player {number}" for number in range(1, 9))
# Games differ in size, and in what their maps show; so many galaxies are more than the renderer keeps pictures.
GALAXIES: Final = 70
# Discord's own limit.
CHANNELS_OF_A_SERVER: Final = 500


@dataclass(frozen=True, slots=True)
class Played:
    """A live game, and a command of its referee that makes a post with a map."""

    table: Table
    edit: Line


async def seed(server: WireServer, database: Path, games: int, seats: int) -> list[Played]:
    """Games for two to so many players, each in its channel, all begun, nothing owed."""
    played = []
    async with await Store.open(database) as store:
        service = Service(store, SystemClock(), lambda channel: None)
        for number in range(games):
            # Nobody plays in many games at once: who gives so many commands would have to wait.
            people = {key: server.person(f"{key} of {number}") for key in (REFEREE, *PLAYERS)}
            channel = server.channel(f"game-{number}", _guild(server, number, people.values()))
            table = Table(server, channel, people)
            played.append(Played(table, await _begin(service, table, number, seats)))
    with contextlib.closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE posts SET state = 'sent'")
    return played


async def _begin(service: Service, table: Table, number: int, seats: int) -> Line:
    backend = table.server.world.backend
    guild = backend.get_channel(table.channel).guild_id or 0
    start = replace(_galaxy(number % GALAXIES, seats), name=f"Game {number}")
    file = GameFile(start, (), chain_start(start))
    game = await service.create(guild, table.channel, "en", table.people[REFEREE].id, file)
    for key in PLAYERS[: len(start.players)]:
        await service.seating.join(game.id, table.people[key].id)
    await service.start(game.id)
    home = next(planet for planet in (await service.load(game.id)).state.planets.values() if planet.owner)
    return Line(REFEREE, f"/referee place units:1 fighter at:{home.at} player:{home.owner}")


@cache
def _galaxy(number: int, most: int) -> State:
    """One of the galaxies, for each number of seats as many."""
    usual = [seats for seats in SEATS if seats <= most]
    return generate(str(number), races("en")[: usual[number % len(usual)]])


def _guild(server: WireServer, number: int, people: Iterable[Person]) -> int:
    """The server of a game: as many as are needed for so many channels."""
    backend = server.world.backend
    guild = list(backend.guilds)[-1] if number % CHANNELS_OF_A_SERVER else backend.create_guild(f"Server {number}").id
    for person in people:
        backend.add_member(guild, person.id)
    return guild

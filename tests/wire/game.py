"""A border war of two on the loopback server: a game that goes on for as long as one likes, through every kind of post.

What is done next follows from the state alone, so that a player can go on after any interruption.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.menus import needs_menu
from bot.script import read_command
from rules_core.choices import BattleChoice, InvasionChoice, LossesChoice, MovementChoice
from rules_core.history import REFEREE
from rules_core.pending import decisions
from rules_core.state import State
from rules_core.units import Kind
from tests.wire.server import Person, Told, WireServer

HUB: Final = "000"
BASES: Final = {"red": "101", "blue": "104"}
_FLEET: Final = "2 cruisers, 1 dreadnought, 2 fighters"
_CARRIER: Final = "1 carrier"
_TROOPS: Final = 3


def position() -> bytes:
    """Two bases and a planet between them."""
    systems = [
        {"at": HUB, "planets": [{"name": "Hub", "resources": 1, "political_power": 6}]},
        *(
            {"at": at, "planets": [{"name": f"{key}hold".title(), "owner": key, "ground_forces": 3, "pds": 1}]}
            for key, at in BASES.items()
        ),
    ]
    players = [{"key": "red", "race": "Emberfolk"}, {"key": "blue", "race": "Tidewright"}]
    data = {"format": "starpost-position/1", "name": "Border", "players": players, "systems": systems}
    return json.dumps(data).encode()


@dataclass(frozen=True, slots=True)
class Line:
    """What somebody does next: a command, or the first answer of a prompt if `typed` is empty."""

    actor: str
    typed: str = ""


def next_line(state: State) -> Line:
    """What the border war goes on with."""
    owed = decisions(state)
    if not owed:
        return Line(REFEREE, "/referee next-round")
    decision = owed[0]
    match decision:
        case MovementChoice(player=player):
            return _movement(state, player)
        case BattleChoice(player=player, systems=systems):
            return Line(player, f"/battle system:{systems[0]}")
        case InvasionChoice(player=player, declared=declared, declarable=declarable):
            return Line(player, _invasion(state, player, HUB in declarable, bool(declared)))
        case LossesChoice(player=player) if needs_menu(state, decision):
            return Line(player, f"/losses units:{_lost(state, decision)}")
    return Line(decision.player)


def _lost(state: State, choice: LossesChoice) -> str:
    """What is lost where there are more answers than buttons: fighters, then ships, carriers by their numbers last."""
    carriers = [ship.id for ship in state.ships_at(choice.at, choice.player) if ship.kind is Kind.CARRIER]
    ships = sorted(choice.ships, key=lambda ship: ship in carriers)
    names = [
        f"carrier {carriers.index(ship) + 1}" if ship in carriers else f"1 {state.ships[ship].kind.value}"
        for ship in ships
    ]
    return ", ".join([*["1 fighter"] * choice.fighters, *names][: choice.hits])


def _invasion(state: State, player: str, declarable: bool, declared: bool) -> str:
    if declared:
        return "/invade"
    if not declarable:
        return "/done"
    aboard = any(ship.ground_forces for ship in state.ships_at(HUB, player))
    return "/land planet:Hub units:all" if aboard else "/bombard planet:Hub"


def _movement(state: State, player: str) -> Line:
    base = BASES[player]
    if state.phase is not None and state.phase.journeys:
        return Line(player, "/done")
    planet = f"{player}hold".title()
    if not state.ships_at(base, player):
        return Line(REFEREE, f"/referee place units:{_FLEET}, {_CARRIER} at:{base} player:{player}")
    if state.planets[planet].ground_forces < _TROOPS:
        return Line(REFEREE, f"/referee place units:{_TROOPS} ground forces at:{base} player:{player} planet:{planet}")
    return Line(player, f"/move units:{_FLEET}, {_CARRIER} + {_TROOPS} ground forces from:{base} to:{HUB}")


@dataclass(frozen=True, slots=True)
class Table:
    """A channel with a game in it, and who plays."""

    server: WireServer
    channel: int
    people: Mapping[str, Person]

    def send(self, line: Line) -> Told:
        """Does what a line says, without waiting for an answer."""
        who = self.people[line.actor]
        if line.typed:
            slash, texts = read_command(line.typed)
            return self.server.send_slash(who, self.channel, slash.name, **texts)
        asked = next(post for post in reversed(self.server.posts(self.channel)) if post.components)
        return self.server.send_press(who, asked)

    async def say(self, actor: str, typed: str) -> Told:
        """Gives a command as it stands in a script for the table."""
        return await self.server.answered(self.send(Line(actor, typed)))


async def open_table(server: WireServer, name: str = "border") -> Table:
    """A channel in which the border war has begun. Blue has given orders ahead, red answers himself."""
    people = {key: server.person(f"{name} {key}") for key in (REFEREE, *BASES)}
    table = Table(server, server.channel(name), people)
    file = ("border.json", position())
    await server.slash(people[REFEREE], table.channel, "game import", file=file)
    for key in BASES:
        await server.slash(people[key], table.channel, "game join", race=key)
    await server.slash(people[REFEREE], table.channel, "game start")
    await table.say("blue", "/standing losses:fighter, cruiser, carrier, dreadnought retreat:never")
    return table

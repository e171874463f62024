"""Counts of legal movement sequences, as chess engines do, against a second search written from the rule text alone."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from rules_core import commands as cmd
from rules_core import legal
from rules_core.apply import fold
from rules_core.decide import decide
from rules_core.errors import RuleViolation
from rules_core.events import PhaseBegan
from rules_core.position import position_from_json, position_to_json
from rules_core.state import State
from tests.rules.play import RecordedDice, board_json, planet
from tests.rules.random_play import random_position

# ---- the second search: its own geometry, its own reading of 3.52; it reads only the position file

Place = tuple[int, int, int]
STEPS: tuple[Place, ...] = ((0, 1, -1), (1, 0, -1), (1, -1, 0), (0, -1, 1), (-1, 0, 1), (-1, 1, 0))
MOVEMENT = {"carriers": 1, "cruisers": 2, "dreadnoughts": 1}
FASTER = {"type_iv_drive": ("cruisers", "dreadnoughts"), "xrd_transporters": ("carriers",)}


@cache
def places() -> dict[str, Place]:
    """Cube coordinates by label: a spiral from the centre, each ring from its northern corner clockwise."""
    found = {"000": (0, 0, 0)}
    for ring in range(1, 10):
        x, y, z = 0, ring, -ring
        number = 1
        for side in range(6):
            dx, dy, dz = STEPS[(side + 2) % 6]
            for _ in range(ring):
                found[f"{ring}{number:02d}"] = (x, y, z)
                x, y, z, number = x + dx, y + dy, z + dz, number + 1
    return found


def touch(one: str, other: str) -> bool:
    """Two hexes touch if their cube coordinates differ by one step."""
    a, b = places()[one], places()[other]
    return max(abs(a[n] - b[n]) for n in range(3)) == 1


class Board:
    """A position file, and where its single ships of one player have gone."""

    def __init__(self, data: dict[str, Any], player: str) -> None:
        self.systems = {system["at"]: system for system in data["systems"]}
        self.player = player
        self.tech = next(p["technologies"] for p in data["players"] if p["key"] == player)
        self.ships: list[tuple[str, int]] = []
        for at, system in self.systems.items():
            for kind, movement in MOVEMENT.items():
                there = system.get("units", {}).get(player, {}).get(kind, 0)
                points = movement + sum(kind in FASTER.get(tech, ()) for tech in self.tech)
                self.ships += [(at, points)] * (there if isinstance(there, int) else len(there))

    def others(self, at: str, *kinds: str) -> int:
        """How many other races have something of these kinds in space here."""
        units = self.systems[at].get("units", {})
        return sum(any(of.get(kind) for kind in kinds) for key, of in units.items() if key != self.player)

    def enterable(self, at: str) -> bool:
        """3.52.1-b, c: no red border, but a field with the technology."""
        kind = self.systems[at].get("kind", "normal")
        return kind == "normal" or (kind == "asteroid_field" and "antimass_deflectors" in self.tech)

    def next_to(self, at: str) -> Iterator[str]:
        """3.52.4-a: what touches, and the systems of the same letter."""
        letter = self.systems[at].get("wormhole")
        for other, system in self.systems.items():
            if other != at and (touch(at, other) or (letter and system.get("wormhole") == letter)):
                yield other

    def stops(self, start: str, points: int) -> dict[str, int]:
        """Where a ship can stop that has so many points, and how many it has left: none when intercepted."""
        cost: dict[str, int] = {}
        walks = [(start, 0)]
        while walks:
            at, spent = walks.pop()
            for other in self.next_to(at) if spent < points else ():
                if not self.enterable(other):
                    continue
                cost[other] = min(cost.get(other, 99), spent + 1)
                if not self.others(other, *MOVEMENT):
                    walks.append((other, spent + 1))
        return {at: self.left(at, points - spent) for at, spent in cost.items() if at != start and self.stoppable(at)}

    def left(self, at: str, points: int) -> int:
        """3.52.3-a: a fleet of another race takes away what is left."""
        return 0 if self.others(at, *MOVEMENT) else points

    def stoppable(self, at: str) -> bool:
        """3.52.1-c, 3.52.3-g: no stop in a field, none where two others are."""
        field = self.systems[at].get("kind") == "asteroid_field"
        return not field and self.others(at, *MOVEMENT, "fighters") < 2

    def count(self, depth: int) -> int:
        """How many sequences of so many single-ship moves there are."""
        return self._count(tuple(self.ships), depth)

    def _count(self, ships: tuple[tuple[str, int], ...], depth: int) -> int:
        if not depth:
            return 1
        total = 0
        for n, (at, points) in enumerate(ships):
            for to, left in self.stops(at, points).items():
                total += self._count((*ships[:n], (to, left), *ships[n + 1 :]), depth - 1)
        return total


# ---- the same by the rules core


def moves(state: State, player: str) -> Iterator[cmd.MoveShips]:
    """Every single-ship move that `legal` offers."""
    for ship in legal.movable(state, player):
        for to in legal.destinations(state, [ship]):
            yield cmd.MoveShips(player, ship.at, (to,), (ship.id,))


def count(state: State, player: str, depth: int) -> int:
    """How many sequences of so many single-ship moves the core allows."""
    if not depth:
        return 1
    dice = RecordedDice("")
    return sum(count(fold(state, decide(state, move, dice)), player, depth - 1) for move in moves(state, player))


AZURE = planet("Azure", "101", "blue", gf=1, pds=2, dock=True)
POSITIONS: dict[str, dict[str, Any]] = {
    "open": board_json(red={"201": "cruiser, carrier", "000": "dreadnought"}),
    "fields": board_json(
        red={"201": "cruiser", "104": "carrier"},
        tiles={"101": "asteroid_field", "202": "supernova", "103": "asteroid_field", "105": "supernova"},
    ),
    "fields with deflectors": board_json(
        red={"201": "cruiser", "104": "cruiser, carrier"},
        tiles={"101": "asteroid_field", "000": "asteroid_field", "202": "supernova"},
        tech={"red": ["antimass_deflectors", "xrd_transporters"]},
    ),
    "wormholes": board_json(
        red={"201": "2 cruisers", "104": "carrier"},
        tiles={"201": "alpha", "207": "alpha", "101": "alpha", "209": "beta", "103": "beta", "205": "alpha"},
    ),
    "enemies": board_json(
        AZURE,
        red={"201": "cruiser, carrier", "102": "cruiser"},
        blue={"101": "fighter", "202": "cruiser", "000": "carrier", "102": "cruiser"},
        green={"106": "2 fighters", "101": "fighter", "212": "dreadnought"},
        options={"lone_fighters": "ignore"},
    ),
    "fast": board_json(
        red={"201": "cruiser", "207": "dreadnought"},
        blue={"103": "cruiser"},
        tiles={"101": "asteroid_field", "202": "alpha", "208": "alpha"},
        tech={"red": ["type_iv_drive", "antimass_deflectors"]},
    ),
    "holes": board_json(red={"201": "2 cruisers"}, holes=["101", "000", "105"], tiles={"212": "beta"}),
}


@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_counts_of_movement_sequences_agree(name: str, depth: int) -> None:
    """The core allows exactly as many sequences of single-ship moves as the other search finds."""
    data = POSITIONS[name]
    expected = Board(data, "red").count(depth)
    assert expected > 0
    assert count(position_from_json(data), "red", depth) == expected


def test_some_counts_are_known_by_hand() -> None:
    """A carrier at the centre has 6 moves; a cruiser there 18 (6 near, 12 far)."""
    assert count(position_from_json(board_json(red={"000": "carrier"})), "red", 1) == 6
    assert count(position_from_json(board_json(red={"000": "cruiser"})), "red", 1) == 18
    # One step leaves one point: 6 near systems with 6 neighbours each; 12 far ones leave none.
    assert count(position_from_json(board_json(red={"000": "cruiser"}, rings=3)), "red", 2) == 36


@pytest.mark.parametrize("seed", range(12))
def test_what_is_offered_is_accepted_and_all_else_refused(seed: int) -> None:
    """In random positions: every system as a goal of every ship, accepted exactly if the other search reaches it."""
    state = random_position(seed)
    player = state.players[0].key
    started = fold(state, [PhaseBegan(player, 1, 0)])
    board = Board(position_to_json(started), player)
    dice = RecordedDice("")
    for ship in started.ships.values():
        if ship.owner != player:
            continue
        points = started.profile(ship.kind, player).movement
        reach = set(board.stops(ship.at, points))
        assert set(legal.destinations(started, [ship])) == reach
        for to in started.galaxy.systems:
            command = cmd.MoveShips(player, ship.at, (to,), (ship.id,))
            if to in reach:
                assert decide(started, command, dice)
            else:
                with pytest.raises(RuleViolation):
                    decide(started, command, dice)

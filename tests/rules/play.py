"""Small positions from short texts, and a table that plays commands and checks after each what must always hold."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from typing import Any, TypeVar

from rules_core import codec, hexes, selection
from rules_core import commands as cmd
from rules_core import events as ev
from rules_core.apply import apply, fold
from rules_core.decide import advance, decide
from rules_core.dice import Dice, DiePlace
from rules_core.errors import Refusal
from rules_core.invariants import phase_end_problems, problems
from rules_core.pending import Decision, decisions
from rules_core.position import position_from_json, position_to_json
from rules_core.selection import Counted, Group, Numbered, Request
from rules_core.state import Planet, RetreatOrder, StandingOrders, State
from rules_core.units import SHIP_KINDS, Kind

KEYS = ("red", "blue", "green", "gold")
# Every player has a planet of his own that nobody can reach, so that nobody is eliminated by the way.
HOMES = {"red": "901", "blue": "910", "green": "919", "gold": "928"}
POWER = {"red": 8, "blue": 6, "green": 4, "gold": 2}
E = TypeVar("E", bound=ev.Event)

_KINDS = {str(kind): kind for kind in Kind} | {"gf": Kind.GROUND_FORCE, "dock": Kind.SPACE_DOCK}
_LISTS = {Kind.CARRIER: "carriers", Kind.CRUISER: "cruisers", Kind.DREADNOUGHT: "dreadnoughts"}


# ---- positions


def planet(
    name: str,
    at: str,
    owner: str | None = None,
    gf: int = 0,
    pds: int = 0,
    dock: bool = False,
    power: int = 0,
    resources: int = 0,
) -> dict[str, Any]:
    """A planet as a position file has it, with the system it lies in."""
    record = {"name": name, "owner": owner, "ground_forces": gf, "pds": pds, "space_dock": dock}
    return {"at": at, "planet": {**record, "political_power": power, "resources": resources}}


def board_json(
    *planets: Mapping[str, Any],
    red: Mapping[str, str] | None = None,
    blue: Mapping[str, str] | None = None,
    green: Mapping[str, str] | None = None,
    gold: Mapping[str, str] | None = None,
    tiles: Mapping[str, str] | None = None,
    tech: Mapping[str, Sequence[str]] | None = None,
    options: Mapping[str, str] | None = None,
    standing: Mapping[str, Any] | None = None,
    power: Mapping[str, int] | None = None,
    acting: str | None = "red",
    acted: Iterable[str] = (),
    rings: int = 2,
    holes: Iterable[str] = (),
    homes: bool = True,
) -> dict[str, Any]:
    """A position file: all systems of the inner rings, what is named in them, a home for everybody.

    Units read `2 cruisers, carrier+2gf+1pds, 3 fighters`; tiles `supernova`, `asteroid_field`, `alpha`, `beta`.
    """
    fleets = {"red": red, "blue": blue, "green": green, "gold": gold}
    seats = [key for key in KEYS if key in ("red", "blue") or fleets[key] is not None]
    labels = [label for ring in range(rings + 1) for label in _ring(ring) if label not in holes]
    systems: dict[str, dict[str, Any]] = {label: {"at": label, "planets": [], "units": {}} for label in labels}
    for label, tile in (tiles or {}).items():
        systems[label]["wormhole" if tile in ("alpha", "beta") else "kind"] = tile
    lying = [*planets, *((planet(f"{k.title()}home", HOMES[k], k, power=POWER[k]) for k in seats) if homes else ())]
    for each in lying:
        systems.setdefault(each["at"], {"at": each["at"], "planets": [], "units": {}})
        systems[each["at"]]["planets"].append(each["planet"])
    for key in seats:
        for label, text in (fleets[key] or {}).items():
            systems[label]["units"][key] = _units(text)
    players = [
        {
            "key": key,
            "race": f"{key.title()} League",
            "technologies": list((tech or {}).get(key, ())),
            "acted": key in acted,
            "political_power_bonus": (power or {}).get(key, 0),
            "standing_orders": (standing or {}).get(key, {}),
        }
        for key in seats
    ]
    head = {"format": "starpost-position/1", "name": "Test", "options": dict(options or {})}
    return {**head, "players": players, "acting": acting, "systems": list(systems.values())}


def board(*planets: Mapping[str, Any], **what: Any) -> State:
    """The state in `board_json`."""
    return position_from_json(board_json(*planets, **what))


def _ring(ring: int) -> list[str]:
    return [label for label in (f"{ring}{n:02d}" for n in range(61)) if hexes.is_label(label)]


def _units(text: str) -> dict[str, Any]:
    units: dict[str, Any] = {"carriers": [], "cruisers": [], "dreadnoughts": [], "fighters": 0}
    for item in filter(None, (part.strip() for part in text.split(","))):
        head, *cargo = item.split("+")
        number, kind = _counted(head)
        if kind is Kind.FIGHTER:
            units["fighters"] += number
            continue
        load = {"ground_forces": 0, "pds": 0}
        for part in cargo:
            count, what = re.fullmatch(r"(\d+)(gf|pds)", part).groups()  # type: ignore[union-attr]
            load["ground_forces" if what == "gf" else "pds"] += int(count)
        units[_LISTS[kind]] += [dict(load) for _ in range(number)]
    return units


def _counted(text: str) -> tuple[int, Kind]:
    found = re.fullmatch(r"(?:(\d+) )?(\w+?)s?", text.strip())
    assert found is not None, text
    name = found[2] if found[2] in _KINDS else found[2] + "s"
    return int(found[1] or 1), _KINDS[name]


def request(text: str) -> Request:
    """What a player wrote as units: `2 cruisers, carrier 2 + 3 gf`, `all`."""
    if text == "all":
        return Request(everything=True)
    return Request(tuple(_group(part) for part in text.split(",")))


def _group(text: str) -> Group:
    head, *cargo = text.split("+")
    return Group((_unit(head),), tuple(Counted(kind, n) for n, kind in map(_counted, cargo)))


def _unit(text: str) -> Counted | Numbered:
    if found := re.fullmatch(r"(carrier|cruiser|dreadnought) (\d+)", text.strip()):
        return Numbered(_KINDS[found[1]], int(found[2]))
    number, kind = _counted(text)
    return Counted(kind, number)


# ---- dice


class RecordedDice:
    """The given faces in order, and the places they were asked for; asking for one more fails the test.

    A single face (`dice=1`) shows on every die.
    """

    def __init__(self, faces: str | int | Dice) -> None:
        self.left = [int(face) for face in faces.split()] if isinstance(faces, str) else []
        self.always = None if isinstance(faces, str) else faces
        self.places: list[DiePlace] = []

    def roll(self, place: DiePlace) -> int:
        self.places.append(place)
        if isinstance(self.always, int):
            return self.always
        if self.always is not None:
            return self.always.roll(place)
        assert self.left, f"no die is left for {place}"
        return self.left.pop(0)


# ---- the table


class Table:
    """A game under way. Every command goes through `do`, which checks what must hold after any command."""

    def __init__(self, state: State, dice: str | int | Dice = "") -> None:
        self.state = state
        self.dice = RecordedDice(dice)
        self.events: list[ev.Event] = []
        self.last: tuple[ev.Event, ...] = ()
        check_state(state)

    # -- commands

    def do(self, *commands: cmd.Command) -> "Table":
        """Plays commands, under all the checks."""
        for command in commands:
            self.last = followed(self.state, command, self.dice)
            self.events += self.last
            self.state = fold(self.state, self.last)
        return self

    @contextmanager
    def refused(self, clause: str | None, code: str | None = None) -> Iterator[list[Refusal]]:
        """Inside, a command is refused for `clause` (and by `code`), and nothing changes."""
        before, snapshot, rolled, why = self.state, deepcopy(self.state), len(self.dice.places), []  # type: ignore[var-annotated]
        try:
            yield why
        except Refusal as refusal:
            why.append(refusal)
        assert why, f"was not refused (expected {clause})"
        assert (why[0].clause, why[0].code) == (clause, code or why[0].code)
        assert self.state is before
        assert before == snapshot
        assert len(self.dice.places) == rolled

    def move(self, units: str, *way: str, by: str = "red") -> "Table":
        """`move("2 cruisers", "201", "101")`: from the first system through the others."""
        chosen = selection.choose_move(self.state, by, way[0], request(units))
        return self.do(cmd.MoveShips(by, way[0], way[1:], chosen.ships, chosen.fighters, chosen.load))

    def load(self, units: str, at: str, carrier: str | None = None, planet: str | None = None) -> "Table":
        player = self.acting
        ship = None if carrier is None else _unit(carrier)
        orders = selection.choose_load(self.state, player, at, request(units), ship, planet)
        return self.do(cmd.LoadUnits(player, at, orders))

    def scrap(self, units: str, at: str) -> "Table":
        gone = selection.choose_scrap(self.state, self.acting, at, request(units))
        return self.do(cmd.ScrapUnits(self.acting, at, gone.ships, gone.fighters))

    def done(self, by: str | None = None) -> "Table":
        return self.do(cmd.Done(by or self.acting))

    def battle(self, at: str) -> "Table":
        return self.do(cmd.ChooseBattle(self.acting, at))

    def losses(self, units: str, by: str = "red") -> "Table":
        gone = selection.choose_losses(self.state, by, self.battle_at, request(units))
        return self.do(cmd.ChooseLosses(by, gone.ships, gone.fighters))

    def go_on(self, by: str = "red") -> "Table":
        return self.do(cmd.ContinueBattle(by))

    def retreat(self, to: str, by: str = "red") -> "Table":
        return self.do(cmd.Retreat(by, to))

    def bombard(self, planet: str, dreadnoughts: int | None = None) -> "Table":
        ids = selection.choose_dreadnoughts(self.state, self.acting, planet, dreadnoughts)
        return self.do(cmd.DeclareBombardment(self.acting, planet, ids))

    def land(self, planet: str, units: str, carrier: str | None = None) -> "Table":
        ship = None if carrier is None else _unit(carrier)
        parties = selection.choose_landing(self.state, self.acting, planet, request(units), ship)
        return self.do(cmd.DeclareLanding(self.acting, planet, parties))

    def invade(self, at: str | None = None) -> "Table":
        return self.do(cmd.Invade(self.acting, at))

    def order(self, player: str, **orders: Any) -> "Table":
        """Sets standing orders, which is no command of the core."""
        if isinstance(orders.get("retreat"), int):
            orders["retreat"] = RetreatOrder(orders["retreat"])
        standing = {**self.state.standing, player: StandingOrders(**orders)}
        self.state = replace(self.state, standing=standing)
        return self

    # -- what is on the table

    @property
    def acting(self) -> str:
        assert self.state.phase is not None
        return self.state.phase.player

    @property
    def step(self) -> str:
        assert self.state.phase is not None
        return self.state.phase.step.value

    @property
    def battle_at(self) -> str:
        assert self.state.phase is not None
        assert self.state.phase.battle is not None
        return self.state.phase.battle.at

    @property
    def waits_for(self) -> tuple[Decision, ...]:
        return decisions(self.state)

    def at(self, label: str) -> str:
        """What is in space in a system, as `red: 2 cruiser, carrier+1gf, fighter | blue: dreadnought`."""
        owners = self.state.space_owners(label)
        return " | ".join(f"{owner}: {_space(self.state, label, owner)}" for owner in owners)

    def on(self, name: str) -> str:
        """What is on a planet, as `blue: 2gf 1pds dock`; `nobody: ` when neutral."""
        here: Planet = self.state.planets[name]
        units = [f"{here.ground_forces}gf"] * bool(here.ground_forces) + [f"{here.pds}pds"] * bool(here.pds)
        return f"{here.owner or 'nobody'}: {' '.join([*units, *['dock'] * here.space_dock])}".strip()

    def told(self, kind: type[E]) -> list[E]:
        """The events of a kind so far."""
        return [event for event in self.events if isinstance(event, kind)]

    def faces(self) -> list[tuple[str, str, str, int]]:
        """The dice rolled so far: purpose, site, side, number."""
        return [(place.purpose.value, place.site, place.side, place.number) for place in self.dice.places]


def play(state: State, *commands: cmd.Command, dice: str | int | Dice = "") -> Table:
    """A table on which these commands were played."""
    return Table(state, dice).do(*commands)


def _space(state: State, at: str, owner: str) -> str:
    looks = [
        f"{ship.kind.value}{f'+{ship.ground_forces}gf' * bool(ship.ground_forces)}{f'+{ship.pds}pds' * bool(ship.pds)}"
        for kind in SHIP_KINDS
        for ship in state.ships_at(at, owner)
        if ship.kind is kind
    ]
    looks += ["fighter"] * state.fighters_at(at, owner)
    return ", ".join(look if n == 1 else f"{n} {look}" for look, n in Counter(looks).items())


# ---- what must hold after every command


def followed(state: State, command: cmd.Command, dice: Dice) -> tuple[ev.Event, ...]:
    """The events of a command, after checking all that must hold of any command that is followed."""
    snapshot = deepcopy(state)
    assert codec.command_from_json(_json(codec.command_to_json(command)), "") == command
    try:
        events = decide(state, command, dice)
    finally:
        assert state == snapshot
    check_events(state, events)
    after = fold(state, events)
    assert state == snapshot
    check_state(after)
    return events


def check_events(state: State, events: Iterable[ev.Event]) -> None:
    """The codec is the identity, folding again gives the same, units go only where an event says so."""
    for event in events:
        read = codec.event_from_json(_json(codec.event_to_json(event)), "")
        assert read == event
        if isinstance(event, ev.PhaseEnded):
            assert phase_end_problems(state, event.player) == ()
        after = apply(state, event)
        assert apply(state, read) == after
        assert _number_of_units(after) - _number_of_units(state) == _change_told(event), event
        state = after


def check_state(state: State) -> None:
    """The invariants, the position file, and a pump that is at rest."""
    assert problems(state) == ()
    assert position_from_json(_json(position_to_json(state))) == state
    waiting = decisions(state)
    assert len({decision.id for decision in waiting}) == len(waiting)
    assert bool(waiting) is (state.phase is not None)
    if state.phase is not None:
        assert advance(state, RecordedDice(""), waiting) == ()


def _json(value: Any) -> Any:
    return json.loads(json.dumps(value, ensure_ascii=False))


def _number_of_units(state: State) -> int:
    in_space = sum(1 + ship.ground_forces + ship.pds for ship in state.ships.values()) + sum(state.fighters.values())
    on_planets = sum(p.ground_forces + p.pds + p.space_dock for p in state.planets.values())
    ashore = state.phase.ashore if state.phase is not None else None
    return in_space + on_planets + (0 if ashore is None else ashore.ground_forces + ashore.pds)


def _change_told(event: ev.Event) -> int:
    """By how much the number of all units changes, by what the event says."""
    match event:
        case ev.UnitsDestroyed() | ev.UnitsScrapped():
            return -sum(1 + ship.load for ship in event.ships) - event.fighters
        case ev.FleetRetreated():
            return -event.fighters_lost
        case ev.FightersLost():
            return -event.fighters
        case ev.PlanetBombarded() | ev.LandingFiredAt():
            return -event.ground_forces_lost
        case ev.GroundRoundFought():
            return -event.attackers_lost - event.defenders_lost
        case ev.LandingRepelled():
            return -event.pds_lost
        case ev.PlanetCaptured():
            return -event.pds_destroyed - event.space_dock_destroyed
        case ev.UnitsPlaced():
            return len(event.ships) + event.fighters + event.ground_forces + event.pds + event.space_dock
        case ev.UnitsRemoved():
            on_planet = event.ground_forces + event.pds + event.space_dock
            return -sum(1 + ship.load for ship in event.ships) - event.fighters - on_planet
        case _:
            return 0

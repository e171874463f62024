"""State to a position file (`starpost-position/1`) and back. A stored snapshot is a position file with progress."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, NamedTuple, TypeAlias

from rules_core import hexes
from rules_core.codec import from_json, to_json
from rules_core.errors import FileError
from rules_core.frozen import replace
from rules_core.galaxy import Galaxy, System, SystemKind, Wormhole
from rules_core.invariants import problems
from rules_core.state import (
    MAX_UNITS_IN_ALL,
    Options,
    Phase,
    Planet,
    Player,
    Purchase,
    RetreatOrder,
    Ship,
    StandingOrders,
    State,
)
from rules_core.units import FIRING_ORDER, Kind, load_ruleset, ruleset_names

FORMAT: Final = "starpost-position/1"
MAX_CHARACTERS: Final = 2_000_000
MAX_NAME: Final = 32
MAX_PLAYERS: Final = 8
MAX_NUMBER: Final = 999
MAX_PLANETS: Final = 3
# A bonus can take away all that a player's planets give (`/referee power`).
MAX_BONUS: Final = 10**6
RESERVED_KEYS: Final = ("referee", "clock", "default", "none")
_LISTS: Final = {"carriers": Kind.CARRIER, "cruisers": Kind.CRUISER, "dreadnoughts": Kind.DREADNOUGHT}


# ---- reading a JSON value with its place


class _Node(NamedTuple):
    """A value in the file and where it stands."""

    value: Any
    place: str

    def fail(self, code: str, **params: object) -> FileError:
        return FileError(self.place, code, **params)

    def record(self, *known: str) -> "_Record":
        if not isinstance(self.value, dict):
            raise self.fail("not_an_object")
        for key in self.value:
            if known and key not in known:
                raise FileError(_join(self.place, key), "unknown_key", known=known)
        return _Record(self.value, self.place)

    def items(self) -> list["_Node"]:
        if not isinstance(self.value, list):
            raise self.fail("not_a_list")
        return [_Node(item, f"{self.place}[{n}]") for n, item in enumerate(self.value)]

    def number(self, least: int = 0, most: int = MAX_NUMBER) -> int:
        if type(self.value) is not int:
            raise self.fail("not_a_number")
        if not least <= self.value <= most:
            raise self.fail("number_out_of_range", least=least, most=most)
        return self.value

    def boolean(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.fail("not_a_boolean")
        return self.value

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.fail("not_a_text")
        return self.value

    def name(self) -> str:
        name = self.text()
        if not 1 <= len(name) <= MAX_NAME or name != name.strip():
            raise self.fail("bad_name_length", most=MAX_NAME)
        if not unicodedata.is_normalized("NFC", name):
            raise self.fail("name_not_nfc")
        categories = [unicodedata.category(character) for character in name]
        # Marks that nobody sees (Cf) stand in names too, but a name is not made of them alone.
        if not {"Cc", "Cs", "Zl", "Zp"}.isdisjoint(categories):
            raise self.fail("control_character")
        if set(categories) == {"Cf"}:
            raise self.fail("invisible_character")
        return name

    def typed_name(self) -> str:
        """A name that commands are given: nothing in it that cannot be seen and so not be typed."""
        name = self.name()
        if any(unicodedata.category(character) == "Cf" for character in name):
            raise self.fail("invisible_character")
        return name

    def one_of(self, known: Iterable[str]) -> str:
        known = tuple(known)
        if self.text() not in known:
            raise self.fail("not_one_of", found=self.value, known=known)
        return str(self.value)


class _Record(NamedTuple):
    """An object of the file; what is left out has the default given."""

    values: Mapping[str, Any]
    place: str

    def at(self, key: str, default: Any = None) -> _Node:
        return _Node(self.values.get(key, default), _join(self.place, key))

    def need(self, key: str) -> _Node:
        if key not in self.values:
            raise FileError(_join(self.place, key), "missing_key")
        return self.at(key)

    def nodes(self) -> list[tuple[str, _Node]]:
        return [(key, self.at(key)) for key in self.values]


def _join(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def parse_json(text: str) -> Any:
    """The JSON value in `text`; raises FileError for what is too large, no JSON, or names a key twice."""
    if len(text) > MAX_CHARACTERS:
        raise FileError("", "too_large", most=MAX_CHARACTERS)
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise FileError(f"line {error.lineno}, column {error.colno}", "not_json") from None
    except RecursionError:
        raise FileError("", "nested_too_deeply") from None
    except ValueError:
        # Python refuses to read numbers of thousands of digits.
        raise FileError("", "number_out_of_range", least=-MAX_NUMBER, most=MAX_NUMBER) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        twice = next(key for key, _ in pairs if sum(key == other for other, _ in pairs) > 1)
        raise FileError(twice, "key_twice")
    return record


def _no_constant(name: str) -> Any:
    raise FileError("", "not_json", found=name)


# ---- reading a position


def read_position(text: str, reads_like_a_unit: Callable[[str], bool] = lambda name: False) -> State:
    """The state in a position file; raises FileError naming the place.

    `reads_like_a_unit` tells names that a command would take for a unit, in any language.
    """
    return position_from_json(parse_json(text), reads_like_a_unit)


def position_from_json(
    data: object, reads_like_a_unit: Callable[[str], bool] = lambda name: False, place: str = ""
) -> State:
    """The state in the decoded JSON of a position file; raises FileError naming the place."""
    root = _Node(data, place).record(
        "format", "name", "ruleset", "round", "options", "players", "acting", "systems", "progress"
    )
    root.need("format").one_of([FORMAT])
    ruleset_name = root.at("ruleset", "classic").one_of(ruleset_names())
    players = _players(root.need("players"), ruleset_name)
    systems = root.need("systems")
    galaxy, planets = _galaxy(systems, players, reads_like_a_unit)
    ships, fighters, next_ship = _units(systems, players, root.at("progress"))
    state = State(
        root.at("name", "Starpost").name(),
        ruleset_name,
        root.at("round", 1).number(least=1, most=9999),
        from_json(Options, root.at("options", {}).value, root.at("options").place),
        galaxy,
        players,
        planets,
        ships,
        fighters,
        standing=_all_standing(root.need("players"), players),
        next_ship=next_ship,
    )
    _check(state, systems)
    return _with_progress(_with_eliminated(state), root)


_PLAYER_KEYS: Final = (
    "key",
    "race",
    "technologies",
    "acted",
    "political_power_bonus",
    "resources_bonus",
    "standing_orders",
)


def _players(node: _Node, ruleset_name: str) -> tuple[Player, ...]:
    players: list[Player] = []
    for each in node.items():
        record = each.record(*_PLAYER_KEYS)
        key = _player_key(record.need("key"))
        if any(key.casefold() == other.key.casefold() for other in players):
            raise record.at("key").fail("name_twice", name=key)
        players.append(_player(key, record, ruleset_name))
    if not 1 <= len(players) <= MAX_PLAYERS:
        raise node.fail("number_of_players", least=1, most=MAX_PLAYERS)
    return tuple(players)


def _player(key: str, record: _Record, ruleset_name: str) -> Player:
    technologies = [
        node.one_of(load_ruleset(ruleset_name).technologies) for node in record.at("technologies", []).items()
    ]
    if len(set(technologies)) < len(technologies):
        raise record.at("technologies").fail("technology_twice")
    return Player(
        key,
        record.at("race", key).name(),
        tuple(technologies),
        record.at("acted", False).boolean(),
        record.at("political_power_bonus", 0).number(least=-MAX_BONUS, most=MAX_BONUS),
        record.at("resources_bonus", 0).number(least=-MAX_BONUS, most=MAX_BONUS),
    )


def _player_key(node: _Node) -> str:
    key = node.typed_name()
    if key.casefold() in RESERVED_KEYS or any(character.isspace() or character in ",:+/" for character in key):
        raise node.fail("bad_player_key", found=key)
    return key


def _all_standing(node: _Node, players: Iterable[Player]) -> dict[str, StandingOrders]:
    keys = [player.key for player in players]
    found = {
        key: standing_from_json(each.record().at("standing_orders", {}).value, f"{each.place}.standing_orders", keys)
        for key, each in zip(keys, node.items(), strict=True)
    }
    return {key: orders for key, orders in found.items() if orders != StandingOrders()}


def standing_from_json(data: object, place: str, players: Iterable[str]) -> StandingOrders:
    """Standing orders as a position file has them: `losses` a list, `pds` by player, `retreat` a text, `pass`."""
    record = _Node(data, place).record("losses", "pds", "retreat", "pass")
    losses = tuple(Kind(node.one_of(FIRING_ORDER)) for node in record.at("losses", []).items())
    if twice := [kind for kind in losses if losses.count(kind) > 1]:
        raise record.at("losses").fail("name_twice", name=str(twice[0]))
    pds = record.at("pds", {}).record("default", *players)
    return StandingOrders(
        losses,
        {key: "hold" if node.one_of(("fire", "hold")) == "hold" else "fire" for key, node in pds.nodes()},
        _retreat_order(record.at("retreat")),
        record.at("pass", False).boolean(),
    )


def _retreat_order(node: _Node) -> RetreatOrder | None:
    if node.value is None:
        return None
    text = " ".join(node.text().split())
    if text == "never":
        return RetreatOrder()
    if ships := re.fullmatch("below ([0-9]{1,9}) ships?", text):
        return RetreatOrder(below_ships=_Node(int(ships[1]), node.place).number(least=1))
    if odds := re.fullmatch("odds below ([0-9]{1,9}) ?%", text):
        return RetreatOrder(odds_below=_Node(int(odds[1]), node.place).number(least=1, most=100))
    raise node.fail("not_one_of", found=node.value, known=("never", "below 3 ships", "odds below 40%"))


def standing_to_json(orders: StandingOrders) -> dict[str, Any]:
    """Standing orders as a position file has them."""
    retreat = None if orders.retreat is None else _retreat_text(orders.retreat)
    losses = [str(kind) for kind in orders.losses]
    found = {"losses": losses, "pds": dict(orders.pds), "retreat": retreat, "pass": orders.passes}
    return {key: value for key, value in found.items() if value}


def _retreat_text(order: RetreatOrder) -> str:
    if order.below_ships is not None:
        return f"below {order.below_ships} ships"
    return "never" if order.odds_below is None else f"odds below {order.odds_below}%"


# ---- systems, planets, units

_SYSTEM_KEYS: Final = ("at", "kind", "wormhole", "planets", "units")
_PLANET_KEYS: Final = ("name", "resources", "political_power", "owner", "ground_forces", "pds", "space_dock")


def _galaxy(
    node: _Node, players: Iterable[Player], reads_like_a_unit: Callable[[str], bool]
) -> tuple[Galaxy, dict[str, Planet]]:
    systems: dict[str, System] = {}
    planets: dict[str, Planet] = {}
    for each in node.items():
        record = each.record(*_SYSTEM_KEYS)
        at = record.need("at")
        if not hexes.is_label(at.text()):
            raise at.fail("not_a_label", found=at.value)
        if at.value in systems:
            raise at.fail("label_twice", found=at.value)
        own = [
            _planet(planet, at.value, players, planets, reads_like_a_unit)
            for planet in record.at("planets", []).items()
        ]
        if len(own) > MAX_PLANETS:
            raise record.at("planets").fail("too_many_planets", most=MAX_PLANETS)
        systems[at.value] = _system(record, at.value, tuple(planet.name for planet in own))
    if not systems:
        raise node.fail("no_systems")
    return Galaxy(systems), planets


def _system(record: _Record, at: str, planets: tuple[str, ...]) -> System:
    kind = SystemKind(record.at("kind", "normal").one_of(SystemKind))
    wormhole = record.at("wormhole")
    letter = None if wormhole.value is None else Wormhole(wormhole.one_of(Wormhole))
    return System(at, kind, letter, planets)


def _planet(
    node: _Node,
    at: str,
    players: Iterable[Player],
    planets: dict[str, Planet],
    reads_like_a_unit: Callable[[str], bool],
) -> Planet:
    record = node.record(*_PLANET_KEYS)
    name = _planet_name(record.need("name"), planets, reads_like_a_unit)
    owner = record.at("owner")
    planet = Planet(
        name,
        at,
        record.at("resources", 0).number(),
        record.at("political_power", 0).number(),
        None if owner.value is None else _known_player(owner, players),
        record.at("ground_forces", 0).number(most=MAX_UNITS_IN_ALL),
        record.at("pds", 0).number(most=MAX_UNITS_IN_ALL),
        record.at("space_dock", False).boolean(),
    )
    if planet.owner is None and (planet.ground_forces or planet.pds or planet.space_dock):
        raise node.fail("units_without_owner", planet=name)
    planets[name] = planet
    return planet


def _planet_name(node: _Node, planets: Iterable[str], reads_like_a_unit: Callable[[str], bool]) -> str:
    name = node.typed_name()
    if any(character in ",:+" for character in name):
        raise node.fail("bad_character_in_name", name=name)
    if (len(name) == 3 and name.isdecimal()) or reads_like_a_unit(name):
        raise node.fail("name_reads_like_another_thing", name=name)
    if any(name.casefold() == other.casefold() for other in planets):
        raise node.fail("name_twice", name=name)
    return name


def is_planet_name(name: str, taken: Iterable[str]) -> bool:
    """Whether a planet can be called so where others have the names `taken`."""
    try:
        return _planet_name(_Node(name, ""), taken, lambda _: False) == name
    except FileError:
        return False


def _known_player(node: _Node, players: Iterable[Player]) -> str:
    known = tuple(player.key for player in players)
    if node.text() not in known:
        raise node.fail("no_such_player", found=node.value, known=known)
    return str(node.value)


def _units(
    systems: _Node, players: Iterable[Player], progress: _Node
) -> tuple[dict[int, Ship], dict[tuple[str, str], int], int]:
    ships: list[Ship] = []
    fighters: dict[tuple[str, str], int] = {}
    for each in systems.items():
        record = each.record()
        for owner, node in record.at("units", {}).record().nodes():
            at = str(record.at("at").value)
            _known_player(_Node(owner, node.place), players)
            of_owner = node.record(*_LISTS, "fighters")
            for key, kind in _LISTS.items():
                ships += _ships(of_owner.at(key, []), kind, owner, at, len(ships) + 1)
                if len(ships) > MAX_UNITS_IN_ALL:
                    raise of_owner.at(key).fail("number_out_of_range", least=0, most=MAX_UNITS_IN_ALL)
            if number := of_owner.at("fighters", 0).number(most=MAX_UNITS_IN_ALL):
                fighters[at, owner] = number
    numbered, next_ship = _numbered(ships, progress)
    return {ship.id: ship for ship in sorted(numbered, key=lambda ship: ship.id)}, fighters, next_ship


def _ships(node: _Node, kind: Kind, owner: str, at: str, first: int) -> list[Ship]:
    if kind is not Kind.CARRIER and not isinstance(node.value, list):
        return [Ship(first + n, kind, owner, at) for n in range(node.number(most=MAX_UNITS_IN_ALL))]
    records = [item.record("ground_forces", "pds") for item in node.items()]
    loads = [(record.at("ground_forces", 0).number(), record.at("pds", 0).number()) for record in records]
    return [Ship(first + n, kind, owner, at, forces, pds) for n, (forces, pds) in enumerate(loads)]


def _numbered(ships: list[Ship], progress: _Node) -> tuple[list[Ship], int]:
    """The ships under the ids that the progress gives them, in the order of the file."""
    if progress.value is None:
        return ships, len(ships) + 1
    record = progress.record(*_PROGRESS_KEYS)
    ids = [node.number(least=1, most=10**9) for node in record.need("ships").items()]
    if len(ids) != len(ships) or len(set(ids)) < len(ids):
        raise record.at("ships").fail("inconsistent")
    renamed = [Ship(id, s.kind, s.owner, s.at, s.ground_forces, s.pds) for id, s in zip(ids, ships, strict=True)]
    return renamed, record.need("next_ship").number(least=1, most=10**9)


# ---- what the whole must be like


def _check(state: State, systems: _Node) -> None:
    places = {str(each.record().at("at").value): each.place for each in systems.items()}
    for problem in problems(state):
        at = str(problem.params.get("at", ""))
        raise FileError(places.get(at, systems.place), problem.code, clause=problem.clause, **problem.params)


def _with_eliminated(state: State) -> State:
    """3.51-g: who has nothing is eliminated and counts as having acted."""
    gone = {player.key for player in state.players if not state.has_anything(player.key)}
    players = tuple(replace(p, eliminated=True, acted=True) if p.key in gone else p for p in state.players)
    return replace(state, players=players)


# ---- progress: how far the phase has come

_PROGRESS_KEYS: Final = (
    "ships",
    "next_ship",
    "openings",
    "announced",
    "phase",
    "combat_bonus",
    "order",
    "paused",
    "interval",
)


@dataclass(frozen=True, slots=True)
class _Interval:
    """What is being settled between two rounds, as the progress has it."""

    purchases: tuple[Purchase, ...] = ()
    next_purchase: int = 1
    spent: Mapping[str, int] = field(default_factory=dict)
    built: Mapping[str, int] = field(default_factory=dict)


def _with_progress(state: State, root: _Record) -> State:
    acting, progress = root.at("acting"), root.at("progress")
    key = None if acting.value is None else _known_player(acting, state.players)
    if progress.value is None:
        return state if key is None else _phase_from_its_start(state, key, acting)
    record = progress.record(*_PROGRESS_KEYS)
    openings = record.at("openings", {}).record(*(player.key for player in state.players))
    bonuses = record.at("combat_bonus", {}).record(*(player.key for player in state.players))
    announced = [_known_player(node, state.players) for node in record.at("announced", []).items()]
    phase = (
        None
        if record.at("phase").value is None
        else from_json(Phase, record.at("phase").value, record.at("phase").place)
    )
    acted = {
        str(node.record().at("key").value): node.record().at("acted", False).boolean()
        for node in root.at("players").items()
    }
    players = tuple(
        replace(
            player,
            openings=openings.at(player.key, 0).number(),
            eliminated=player.key in announced,
            acted=acted[player.key],
            combat_bonus=bonuses.at(player.key, 0).number(least=-MAX_NUMBER),
        )
        for player in state.players
    )
    order = tuple(_known_player(node, state.players) for node in record.at("order", []).items())
    state = replace(state, players=players, phase=phase, order=order, paused=record.at("paused", False).boolean())
    interval = from_json(_Interval, record.at("interval", {}).value, record.at("interval").place)
    state = replace(state, **{each.name: getattr(interval, each.name) for each in fields(_Interval)})
    if (None if phase is None else phase.player) != key or problems(state):
        raise progress.fail("inconsistent")
    return state


def _phase_from_its_start(state: State, key: str, acting: _Node) -> State:
    if state.player(key).eliminated:
        raise acting.fail("acting_is_eliminated", player=key, clause="3.51-g")
    if state.player(key).acted:
        raise acting.fail("acting_has_acted", player=key, clause="3.51-c")
    players = tuple(replace(player, openings=1) if player.key == key else player for player in state.players)
    return replace(state, players=players, phase=Phase(key))


# ---- writing


def write_position(state: State, standing_orders: bool = True) -> str:
    """The position file of a state, with progress where the state needs it."""
    return json.dumps(position_to_json(state, standing_orders), ensure_ascii=False, indent=1) + "\n"


def position_to_json(state: State, standing_orders: bool = True, whole: bool = False) -> dict[str, Any]:
    """The position file as a JSON value.

    Progress is left out where reading gives the same state without it, unless `whole`: to find that out takes most of
    the time.
    """
    kept = state if standing_orders else replace(state, standing={})
    plain = _plain(kept)
    return plain if not whole and position_from_json(plain) == kept else {**plain, "progress": _progress(kept)}


_Fleets: TypeAlias = Mapping[tuple[str, str], Sequence[Ship]]


def _plain(state: State) -> dict[str, Any]:
    fleets = state.fleets()
    return {
        "format": FORMAT,
        "name": state.name,
        "ruleset": state.ruleset_name,
        "round": state.round,
        "options": _options_to_json(state.options),
        "players": [_player_to_json(state, player) for player in state.players],
        "acting": None if state.phase is None else state.phase.player,
        "systems": [_system_to_json(state, system, fleets) for system in state.galaxy.systems.values()],
    }


# The settings of the first version: always written, for the hash of every game begins with its first position.
_FIRST_OPTIONS: Final = ("lone_fighters", "pds_targets", "marker_bombardment")


def _options_to_json(options: Options) -> dict[str, str]:
    """The settings; one that came later is left out while it has its default, so that older games keep their hash."""
    values = {each.name: str(getattr(options, each.name)) for each in fields(Options)}
    later = {each.name: each.default for each in fields(Options) if each.name not in _FIRST_OPTIONS}
    return {name: value for name, value in values.items() if value != later.get(name)}


def _player_to_json(state: State, player: Player) -> dict[str, Any]:
    record = {key: getattr(player, key) for key in _PLAYER_KEYS if key != "standing_orders"}
    record["technologies"] = list(player.technologies)
    orders = state.standing.get(player.key)
    return record if orders is None else {**record, "standing_orders": standing_to_json(orders)}


def _system_to_json(state: State, system: System, fleets: _Fleets) -> dict[str, Any]:
    planets = [{key: getattr(state.planets[name], key) for key in _PLANET_KEYS} for name in system.planets]
    units = {
        player.key: _units_to_json(fleets[system.at, player.key], state.fighters_at(system.at, player.key))
        for player in state.players
        if (system.at, player.key) in fleets
    }
    wormhole = None if system.wormhole is None else system.wormhole.value
    record = {"at": system.at, "kind": system.kind.value, "wormhole": wormhole, "planets": planets, "units": units}
    return {key: value for key, value in record.items() if value or key in ("at", "kind")}


def _units_to_json(fleet: Sequence[Ship], fighters: int) -> dict[str, Any]:
    units: dict[str, Any] = {}
    for key, kind in _LISTS.items():
        ships = [ship for ship in fleet if ship.kind is kind]
        loads = [{"ground_forces": ship.ground_forces, "pds": ship.pds} for ship in ships]
        units[key] = loads if kind is Kind.CARRIER or any(ship.load for ship in ships) else len(ships)
    return {**units, "fighters": fighters}


def _progress(state: State) -> dict[str, Any]:
    fleets = state.fleets()
    ships = [
        ship.id
        for at in state.galaxy.systems
        for player in state.players
        for kind in _LISTS.values()
        for ship in fleets.get((at, player.key), ())
        if ship.kind is kind
    ]
    # What the referee may have set is left out where he has not: older files have none of it.
    edits = {
        "combat_bonus": {player.key: player.combat_bonus for player in state.players if player.combat_bonus},
        "order": list(state.order),
        "paused": state.paused,
        "interval": to_json(_Interval(state.purchases, state.next_purchase, state.spent, state.built)),
    }
    return {
        "ships": ships,
        "next_ship": state.next_ship,
        "openings": {player.key: player.openings for player in state.players if player.openings},
        "announced": [player.key for player in state.players if player.eliminated],
        "phase": None if state.phase is None else to_json(state.phase),
        **{key: value for key, value in edits.items() if value},
    }

"""What a referee may change in a galaxy before the game begins.

Each edit is made in the position file and read again, so what it must be like is said in one place; raises FileError.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.parse import reads_like_a_unit
from rules_core.position import position_from_json, position_to_json
from rules_core.state import State


def swap_systems(state: State, one: str, other: str) -> State:
    """Two systems change places, with all that is in them."""
    data = position_to_json(state)
    labels = {one: other, other: one}
    systems = [{**system, "at": labels.get(system["at"], system["at"])} for system in data["systems"]]
    return _read({**data, "systems": sorted(systems, key=lambda system: str(system["at"]))})


def change_planet(
    state: State,
    planet: str,
    name: str | None = None,
    resources: int | None = None,
    political_power: int | None = None,
) -> State:
    """Another name or other numbers for a planet; what is None stays."""
    wanted = {"name": name, "resources": resources, "political_power": political_power}
    changes = {key: value for key, value in wanted.items() if value is not None}
    data = position_to_json(state)
    systems = [{**system, "planets": _changed(system, planet, changes)} for system in data["systems"]]
    return _read({**data, "systems": systems})


def _changed(system: Mapping[str, Any], planet: str, changes: Mapping[str, object]) -> list[dict[str, Any]]:
    return [{**each, **changes} if each["name"] == planet else each for each in system.get("planets", ())]


def seat(state: State, seats: Sequence[tuple[str, str]]) -> State:
    """Others, each a key and a race, in the place of the players, in their order; ValueError for another number."""
    data = position_to_json(state)
    keys = {player.key: key for player, (key, _) in zip(state.players, seats, strict=True)}
    players = [{**each, "key": key, "race": race} for each, (key, race) in zip(data["players"], seats, strict=True)]
    systems = [_with_owners(system, keys) for system in data["systems"]]
    return _read({**data, "players": players, "systems": systems})


def _with_owners(system: Mapping[str, Any], keys: Mapping[str, str]) -> dict[str, Any]:
    planets = [{**planet, "owner": keys.get(planet["owner"])} for planet in system.get("planets", ())]
    units = {keys[owner]: units for owner, units in system.get("units", {}).items()}
    return {**system, "planets": planets, "units": units}


def _read(data: dict[str, Any]) -> State:
    return position_from_json(data, reads_like_a_unit)

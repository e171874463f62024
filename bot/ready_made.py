"""Ready-made galaxies for two to eight players: the same for the same races, and alike for each of them."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.files import read_game
from rules_core import hexes
from rules_core.game_file import GameFile

LEAST_PLAYERS: Final = 2
_FEW: Final = 4


@dataclass(frozen=True, slots=True)
class Race:
    """A seat to choose: its key, its name, its home, and the technologies it begins with."""

    key: str
    name: str
    home: str
    colony: str
    technologies: tuple[str, ...]


RACES: Final = (
    Race("red", "Emberfolk", "Emberhall", "Cinder", ("assault_cannon", "antimass_deflectors")),
    Race("blue", "Tidewright", "Tidewell", "Brine", ("xrd_transporters", "hylar_v_assault_laser")),
    Race("yellow", "Sunherd", "Sunreach", "Amberfall", ("graviton_negator", "stasis_capsules")),
    Race("green", "Mossguard", "Fernhold", "Lichen", ("antimass_deflectors", "type_iv_drive")),
    Race("purple", "Duskmarch", "Gloaming", "Vesper", ("cybernetics", "xrd_transporters")),
    Race("pink", "Glasswing", "Prism", "Facet", ("type_iv_drive", "stasis_capsules")),
    Race("orange", "Ironbark", "Rootforge", "Knot", ("hylar_v_assault_laser", "cybernetics")),
    Race("white", "Hollowsong", "Echo", "Refrain", ("assault_cannon", "graviton_negator")),
)
# What fills the space between the homes, again and again; a star is a planet (resources, political power).
_PATTERN: Final[tuple[dict[str, Any], ...]] = (
    {"planets": [(2, 1)]},
    {"wormhole": "alpha"},
    {"planets": [(1, 2), (0, 1)]},
    {"kind": "asteroid_field"},
    {"planets": [(1, 1)]},
    {},
    {"wormhole": "beta", "planets": [(1, 0)]},
    {"planets": [(3, 0)]},
    {"kind": "supernova"},
)
# Beside a home nothing bars the way.
_NEAR: Final[tuple[dict[str, Any], ...]] = ({"planets": [(1, 1)]}, {}, {"planets": [(2, 0)]})
_NAMES: Final = (
    "Larkspur",
    "Quill",
    "Sedge",
    "Fennel",
    "Marrow",
    "Bracken",
    "Rook",
    "Thistle",
    "Osprey",
    "Tansy",
    "Wick",
    "Hollin",
    "Burdock",
    "Clover",
    "Dapple",
    "Eyrie",
    "Flint",
    "Garnet",
    "Hearth",
    "Inkwell",
    "Juniper",
    "Kestrel",
    "Linden",
    "Mallow",
    "Nettle",
    "Orchard",
    "Pebble",
    "Quarry",
    "Rushes",
    "Saffron",
    "Teasel",
    "Umber",
    "Verbena",
    "Willow",
    "Yarrow",
    "Zinnia",
    "Alder",
    "Bramble",
    "Cobble",
    "Dunlin",
)


def ready_made(name: str, races: Sequence[Race]) -> GameFile:
    """The beginning of a game called `name` between these races; raises FileError for a name that cannot be one."""
    rings = 2 if len(races) <= _FEW else 3
    labels = [label for radius in range(rings + 1) for label in _ring(radius)]
    homes = _homes(_ring(rings), races)
    near = {other for home in homes for other in hexes.neighbours(home)}
    names, between, beside = iter(_NAMES), 0, 0
    systems = []
    for label in labels:
        if label in homes:
            systems.append(_home(label, homes[label]))
        elif label == "000":
            systems.append(_system(label, {"planets": [(1, 6)]}, names))
        elif label in near:
            systems.append(_system(label, _NEAR[beside % len(_NEAR)], names))
            beside += 1
        else:
            systems.append(_system(label, _PATTERN[between % len(_PATTERN)], names))
            between += 1
    players = [{"key": race.key, "race": race.name, "technologies": race.technologies} for race in races]
    return read_game(
        json.dumps({"format": "starpost-position/1", "name": name, "players": players, "systems": systems})
    )


def _ring(radius: int) -> list[str]:
    return [f"{radius}{number:02}" for number in range(1, 6 * radius + 1)] if radius else ["000"]


def _homes(ring: Sequence[str], races: Sequence[Race]) -> dict[str, Race]:
    return {ring[number * len(ring) // len(races)]: race for number, race in enumerate(races)}


def _system(label: str, kind: dict[str, Any], names: Iterator[str]) -> dict[str, Any]:
    planets = [
        {"name": next(names), "resources": resources, "political_power": power}
        for resources, power in kind.get("planets", ())
    ]
    return {**kind, "at": label, "planets": planets}


def _home(label: str, race: Race) -> dict[str, Any]:
    home = {"name": race.home, "resources": 4, "political_power": 3, "ground_forces": 4, "pds": 1, "space_dock": True}
    colony = {"name": race.colony, "resources": 1, "political_power": 1, "ground_forces": 2}
    fleet = {"carriers": [{"ground_forces": 2}, {}], "cruisers": 2, "dreadnoughts": 1, "fighters": 3}
    planets = [{**planet, "owner": race.key} for planet in (home, colony)]
    return {"at": label, "planets": planets, "units": {race.key: fleet}}

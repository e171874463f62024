"""Kinds of unit, their profiles, and technologies as modifiers of them. The numbers are in `rulesets/*.toml`."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any, Final

from rules_core.dice import FACES
from rules_core.frozen import replace


class Kind(StrEnum):
    """A kind of unit; the value is its key in files."""

    GROUND_FORCE = "ground_force"
    PDS = "pds"
    FIGHTER = "fighter"
    CRUISER = "cruiser"
    CARRIER = "carrier"
    DREADNOUGHT = "dreadnought"
    SPACE_DOCK = "space_dock"


class Ability(StrEnum):
    """What a clause allows only to the owner of a technology."""

    PASS_ASTEROID_FIELDS = "pass_asteroid_fields"
    FIRE_ASSAULT_CANNON = "fire_assault_cannon"
    BOMBARD_PAST_PDS = "bombard_past_pds"


# Ships in the order in which they roll within a side (3.53-o), and the fighters after them.
SHIP_KINDS: Final = (Kind.DREADNOUGHT, Kind.CRUISER, Kind.CARRIER)
FIRING_ORDER: Final = (*SHIP_KINDS, Kind.FIGHTER)
# Who takes ground units first where nobody is named: carriers, then cruisers, then dreadnoughts.
LOADING_ORDER: Final = (Kind.CARRIER, Kind.CRUISER, Kind.DREADNOUGHT)
GROUND_KINDS: Final = (Kind.GROUND_FORCE, Kind.PDS)


@dataclass(frozen=True, slots=True)
class Profile:
    """The numbers of one kind of unit, for one player.

    `hits_on`: the combat value, a d10 hits at or above it (None: never fires). `movement` in hexes.
    `capacity`: how many units of the kinds in `holds` it takes. `limit`: how many a player may have.
    """

    kind: Kind
    cost: int
    hits_on: int | None = None
    movement: int = 0
    capacity: int = 0
    holds: frozenset[Kind] = frozenset()
    limit: int | None = None

    def room_for(self, kind: Kind) -> int:
        """How many units of `kind` an empty one takes."""
        return self.capacity if kind in self.holds else 0

    def better_by(self, bonus: int) -> "Profile":
        """The profile of a race whose dice are all better by `bonus`."""
        return self if self.hits_on is None else replace(self, hits_on=on_a_die(self.hits_on - bonus))


def on_a_die(hits_on: int) -> int:
    """The combat value that a die can show: a 10 always hits, for battles of those who never hit would never end."""
    return min(FACES, max(1, hits_on))


@dataclass(frozen=True, slots=True)
class Modifier:
    """What a technology adds to the profile of some kinds of unit."""

    units: frozenset[Kind]
    hits_on: int = 0
    movement: int = 0
    capacity: int = 0

    def on(self, profile: Profile) -> Profile:
        """`profile` with this modifier, or as it was if the modifier does not concern its kind."""
        if profile.kind not in self.units:
            return profile
        hits_on = None if profile.hits_on is None else on_a_die(profile.hits_on + self.hits_on)
        movement = profile.movement + self.movement
        return replace(profile, hits_on=hits_on, movement=movement, capacity=profile.capacity + self.capacity)


@dataclass(frozen=True, slots=True)
class Technology:
    """A technology: an ability that a clause names, or modifiers of profiles."""

    key: str
    allows: Ability | None = None
    modifiers: tuple[Modifier, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Ruleset:
    """The numbers of an edition: profiles by kind, technologies by key."""

    name: str
    profiles: Mapping[Kind, Profile]
    technologies: Mapping[str, Technology]

    def profile(self, kind: Kind, technologies: Iterable[str]) -> Profile:
        """The profile of `kind` for a player who owns `technologies`."""
        profile = self.profiles[kind]
        for key in technologies:
            for modifier in self.technologies[key].modifiers:
                profile = modifier.on(profile)
        return profile

    def allows(self, ability: Ability, technologies: Iterable[str]) -> bool:
        """Whether one of `technologies` allows `ability`."""
        return any(self.technologies[key].allows is ability for key in technologies)


def ruleset_names() -> tuple[str, ...]:
    """The names of the rulesets that are shipped."""
    found = (entry.name for entry in files(__package__).joinpath("rulesets").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml")))


@cache
def load_ruleset(name: str) -> Ruleset:
    """The ruleset of that name; raises KeyError if none is shipped under it."""
    if name not in ruleset_names():
        raise KeyError(name)
    text = files(__package__).joinpath("rulesets", f"{name}.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    profiles = {Kind(key): _profile(Kind(key), numbers) for key, numbers in data["units"].items()}
    technologies = {key: _technology(key, entry) for key, entry in data["technologies"].items()}
    return Ruleset(data["name"], profiles, technologies)


def _profile(kind: Kind, numbers: dict[str, Any]) -> Profile:
    holds = frozenset(Kind(key) for key in numbers.get("holds", ()))
    return Profile(kind, **{**numbers, "holds": holds})


def _technology(key: str, entry: dict[str, Any]) -> Technology:
    allows = Ability(entry["allows"]) if "allows" in entry else None
    return Technology(key, allows, tuple(_modifier(numbers) for numbers in entry.get("modifiers", ())))


def _modifier(numbers: dict[str, Any]) -> Modifier:
    return Modifier(**{**numbers, "units": frozenset(Kind(key) for key in numbers["units"])})

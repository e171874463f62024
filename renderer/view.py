"""How a position is to be shown: the words, what to stress, which part of the board. No word is in the renderer."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from renderer.theme import ThemeName
from rules_core.units import Kind


@dataclass(frozen=True, slots=True)
class Labels:
    """The words of a picture in the reader's language.

    `acted`, `acting`, `next`, `eliminated`: the standing of a player. `power`, `resources`: the two numbers of
    planets and players. `units`: a name for each kind. `technologies`: names by key; without one it is not shown.
    `red_border`: what a red border means, for the legend. `cargo`: what a badge like 3/5 means, for the legend.
    """

    acted: str
    acting: str
    next: str
    eliminated: str
    power: str
    resources: str
    supernova: str
    asteroid_field: str
    red_border: str
    wormhole: str
    cargo: str
    units: Mapping[Kind, str]
    technologies: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PathMark:
    """The way of a fleet of `player`, its start first; `intercepted`: it was stopped in the last system."""

    systems: tuple[str, ...]
    player: str
    intercepted: bool = False


@dataclass(frozen=True, slots=True)
class RetreatMark:
    """A fleet of `player` retreated from one system to another."""

    at: str
    to: str
    player: str


@dataclass(frozen=True, slots=True)
class BattleMark:
    """A space battle in a system; `hits` by player, as far as dice were rolled."""

    at: str
    hits: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FireMark:
    """`player` fired with units of `kind` (PDS, dreadnoughts' assault cannon) in a system and hit so often."""

    at: str
    player: str
    kind: Kind
    hits: int


@dataclass(frozen=True, slots=True)
class LossMark:
    """What `player` lost in a system, drawn as ghosts: kinds and how many."""

    at: str
    player: str
    lost: tuple[tuple[Kind, int], ...]


@dataclass(frozen=True, slots=True)
class BombardMark:
    """A planet was bombarded."""

    planet: str


@dataclass(frozen=True, slots=True)
class LandingMark:
    """`player` landed on a planet."""

    planet: str
    player: str


@dataclass(frozen=True, slots=True)
class CaptureMark:
    """A planet changed hands (its owner now is in the state)."""

    planet: str


@dataclass(frozen=True, slots=True)
class ChangedMark:
    """Something changed in a system."""

    at: str


Mark = PathMark | RetreatMark | BattleMark | FireMark | LossMark | BombardMark | LandingMark | CaptureMark | ChangedMark


@dataclass(frozen=True, slots=True)
class View:
    """What a picture shows of a state, and how.

    `title`: the line at the top. `width`: pixels of the picture; its height follows. `focus`: only this system and
    what lies within `rings` steps of it. `player_names`: by key, the race where there is none.
    """

    title: str
    labels: Labels
    width: int = 1600
    theme: ThemeName = "dark"
    focus: str | None = None
    rings: int = 1
    player_names: Mapping[str, str] = field(default_factory=dict)
    marks: tuple[Mark, ...] = ()

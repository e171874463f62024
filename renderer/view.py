"""How a position is to be shown: the words, what to stress, which part of the board. No word is in the renderer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from renderer.theme import ThemeName
from rules_core.units import Kind


@dataclass(frozen=True, slots=True)
class Labels:
    """The words of a picture in the reader's language.

    `acted`, `acting`, `next`, `eliminated`: the standing of a player. `power`, `resources`: the two numbers of
    planets and players. `units`: a name for each kind. `technologies`: names by key; without one it is not shown.
    `red_border`: what a red border means, for the legend. `cargo`: what a badge like 3/5 means, for the legend.
    `attacker`, `defender`: the sides of a battle. `odds`: what the bar of chances says. `ground_round`: which round of
    ground combat, with `{number}` where its number stands, or `1–3`.
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
    attacker: str
    defender: str
    odds: str
    ground_round: str
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
    """A space battle in a system."""

    at: str


@dataclass(frozen=True, slots=True)
class Die:
    """A die that a unit of `kind` rolled: it hits with `needed` or more."""

    kind: Kind
    needed: int
    face: int

    @property
    def hit(self) -> bool:
        """Whether it hit."""
        return self.face >= self.needed


@dataclass(frozen=True, slots=True)
class VolleyMark:
    """Dice that `player` rolled together in a system; `kind`: of these units alone (PDS, an assault cannon).

    `earlier`: what he rolled in each round of ground combat before.
    """

    at: str
    player: str
    dice: tuple[Die, ...]
    kind: Kind | None = None
    earlier: tuple[tuple[Die, ...], ...] = ()

    @property
    def hits(self) -> int:
        """How many of the dice hit."""
        return sum(die.hit for die in self.dice)


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


Mark = (
    PathMark | RetreatMark | BattleMark | VolleyMark | LossMark | BombardMark | LandingMark | CaptureMark | ChangedMark
)


@dataclass(frozen=True, slots=True)
class Duel:
    """Two sides that fight; `defender` None: PDS fire only. `odds`: chances of attacker, nobody, defender to hold.

    `planet`: what they fight for in a bombardment or a landing; then their ground units are shown, not their ships.
    """

    attacker: str
    defender: str | None
    odds: tuple[float, float, float] | None = None
    planet: str | None = None


# Pixels that a picture is wide if nothing else is said.
USUAL_WIDTH: Final = 1600


@dataclass(frozen=True, slots=True)
class View:
    """What a picture shows of a state, and how.

    `title`: the line at the top; `caption`: lines below it. `width`: pixels of the picture; its height follows.
    `focus`: only this system and what lies within `rings` steps of it, without the cards; with a `duel` there, both
    sides and the last dice above it. `player_names`: by key, the race where there is none.
    """

    title: str
    labels: Labels
    width: int = USUAL_WIDTH
    theme: ThemeName = "dark"
    focus: str | None = None
    rings: int = 1
    duel: Duel | None = None
    caption: str = ""
    player_names: Mapping[str, str] = field(default_factory=dict)
    marks: tuple[Mark, ...] = ()

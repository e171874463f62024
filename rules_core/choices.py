"""The kinds of decision a game can wait for, each with an id, who decides, the clause, and the options by the rules."""

from dataclasses import dataclass
from typing import ClassVar

from rules_core.errors import Barred


@dataclass(frozen=True, slots=True)
class MovementChoice:
    """The acting player moves, loads, or is done (3.51-e)."""

    clause: ClassVar[str] = "3.51-e"
    id: str
    player: str


@dataclass(frozen=True, slots=True)
class BattleChoice:
    """The acting player picks the next battle (3.51-f)."""

    clause: ClassVar[str] = "3.51-f"
    id: str
    player: str
    systems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LossesChoice:
    """A side picks what it removes for its hits (3.53-f): exactly `hits` of `ships` (ids) and `fighters`."""

    clause: ClassVar[str] = "3.53-f"
    id: str
    player: str
    at: str
    hits: int
    ships: tuple[int, ...]
    fighters: int


@dataclass(frozen=True, slots=True)
class RetreatChoice:
    """The attacker continues or retreats to one of `goals` (3.53-g); `barred`: other neighbours and why not."""

    clause: ClassVar[str] = "3.53-g"
    id: str
    player: str
    at: str
    goals: tuple[str, ...]
    barred: tuple[Barred, ...]


@dataclass(frozen=True, slots=True)
class InvasionChoice:
    """The acting player declares landings and bombardments, carries them out, or is done (3.54-b).

    `declarable`: systems in which something can still be declared; `declared`: where something is.
    """

    clause: ClassVar[str] = "3.54-b"
    id: str
    player: str
    declarable: tuple[str, ...]
    declared: tuple[str, ...]


Decision = MovementChoice | BattleChoice | LossesChoice | RetreatChoice | InvasionChoice

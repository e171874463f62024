"""What never moves: systems, their kind, wormholes, and which systems touch. Section 3.52 4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from rules_core import hexes


class SystemKind(StrEnum):
    """What a system is; supernova and asteroid field have a red border (3.52.1-b)."""

    NORMAL = "normal"
    SUPERNOVA = "supernova"
    ASTEROID_FIELD = "asteroid_field"


class Wormhole(StrEnum):
    """The letter of a wormhole (3.52.4-a)."""

    ALPHA = "alpha"
    BETA = "beta"


@dataclass(frozen=True, slots=True)
class System:
    """One hex. `planets`: names in the order of the file, which is the order of the dice (3.53-o)."""

    at: str
    kind: SystemKind = SystemKind.NORMAL
    wormhole: Wormhole | None = None
    planets: tuple[str, ...] = ()

    @property
    def red_bordered(self) -> bool:
        """3.52.1-b: supernova and asteroid field."""
        return self.kind is not SystemKind.NORMAL


@dataclass(frozen=True, slots=True)
class Galaxy:
    """All systems by label, in the order of the file. A label that is missing does not exist."""

    systems: Mapping[str, System]

    def touching(self, at: str) -> tuple[str, ...]:
        """The existing systems that are hex-adjacent to `at`, clockwise from the north."""
        return tuple(other for other in hexes.neighbours(at) if other in self.systems)

    def through_wormhole(self, at: str) -> tuple[str, ...]:
        """3.52.4-a, b: the other systems of the same letter that do not touch `at` (3.52.4-f), by label."""
        letter = self.systems[at].wormhole
        if letter is None:
            return ()
        others = (o.at for o in self.systems.values() if o.wormhole is letter and o.at != at)
        return tuple(sorted(other for other in others if not hexes.adjacent(at, other)))

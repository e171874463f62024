"""Which units are meant: from a request such as `2 cruisers, carrier + 3 ground forces` to ids.

The text itself is read by the bot; here the rules of the commands page choose among like units.
"""

from dataclasses import dataclass

from rules_core.units import Kind


@dataclass(frozen=True, slots=True)
class Counted:
    """So many units of a kind: `2 cruisers`, `carrier` (one)."""

    kind: Kind
    count: int = 1


@dataclass(frozen=True, slots=True)
class Numbered:
    """One ship by its number among the ships of its kind of that player in that system: `carrier 2`."""

    kind: Kind
    number: int


@dataclass(frozen=True, slots=True)
class Group:
    """Units named together, and (after `+`) the cargo that goes onto the carriers named just before it."""

    units: tuple[Counted | Numbered, ...]
    cargo: tuple[Counted, ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """What a player wrote as `units`; `everything` is `all`."""

    groups: tuple[Group, ...] = ()
    everything: bool = False

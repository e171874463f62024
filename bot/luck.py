"""`/luck`: the hits of each player against what his dice promised, by kind of unit, from the log of the game. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rules_core.chances import volley
from rules_core.events import Event, Shot
from rules_core.history import volleys
from rules_core.odds import hit_chance
from rules_core.units import Kind


@dataclass(frozen=True, slots=True)
class Luck:
    """The dice of a player's units of one kind (None: of all kinds).

    `luckier`: the share of all ways these dice could have fallen that have fewer hits, and half of those with as many:
    0.5 is ordinary, 0.02 and 0.98 are what one game in fifty sees.
    """

    player: str
    kind: Kind | None
    dice: int
    hits: int
    expected: float
    luckier: float


def luck(events: Iterable[Event], players: Sequence[str]) -> Iterator[Luck]:
    """The luck of all who rolled, in seat order: of each kind, then of all kinds if there are several."""
    shots: defaultdict[tuple[str, Kind], list[Shot]] = defaultdict(list)
    for fired in (each for event in events for each in volleys(event)):
        for shot in fired.shots:
            shots[fired.place.side, shot.kind].append(shot)
    for player in players:
        mine = {kind: shots[player, kind] for kind in Kind if (player, kind) in shots}
        yield from (_luck(player, kind, of_kind) for kind, of_kind in mine.items())
        if len(mine) > 1:
            yield _luck(player, None, [shot for of_kind in mine.values() for shot in of_kind])


def _luck(player: str, kind: Kind | None, shots: Sequence[Shot]) -> Luck:
    promised = [hit_chance(shot.needed) for shot in shots]
    hits = sum(shot.hit for shot in shots)
    chances = volley(promised)
    luckier = sum(chances[:hits]) + chances[hits] / 2
    return Luck(player, kind, len(shots), hits, sum(promised), luckier)

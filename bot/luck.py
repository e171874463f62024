"""`/luck`: the hits of each player against what his dice promised, by kind of unit, from the log of the game. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bot.phrases import Phrases, safe
from renderer.chart import Chart, Lane
from rules_core.chances import volley
from rules_core.events import Event, Shot
from rules_core.history import volleys
from rules_core.odds import hit_chance
from rules_core.state import State
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


def luck(events: Iterable[Event], players: Sequence[str]) -> tuple[Luck, ...]:
    """The luck of all who rolled, in seat order: of each kind, then of all kinds if there are several."""
    return tuple(_all_luck(events, players))


def _all_luck(events: Iterable[Event], players: Sequence[str]) -> Iterator[Luck]:
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


# ---- in words and as a picture


def told(found: Sequence[Luck], state: State, words: Phrases) -> str:
    """The luck of everybody, a line each."""
    return "\n".join((words.say("luck.title"), *(_line(each, state, words) for each in found)))


def _line(each: Luck, state: State, words: Phrases) -> str:
    return words.say("luck.line", label=_label(each, safe(state.player(each.player).race), words), hits=each.hits,
                     dice=each.dice, expected=f"{each.expected:.1f}", luckier=f"{each.luckier:.0%}")  # fmt: skip


def _label(each: Luck, player: str, words: Phrases) -> str:
    if each.kind is None:
        return words.say("luck.all", player=player)
    return words.say("luck.kind", player=player, unit=words.units(each.kind))


def chart(found: Sequence[Luck], state: State, words: Phrases) -> Chart:
    """A lane for each: in the middle is what the dice promised."""
    lanes = tuple(
        Lane(_label(each, state.player(each.player).race, words), each.luckier, _caption(each, words), each.player)
        for each in found
    )
    return Chart(words.say("luck.picture"), tuple(player.key for player in state.players), lanes=lanes)


def _caption(each: Luck, words: Phrases) -> str:
    return words.say("luck.caption", hits=each.hits, dice=each.dice, expected=f"{each.expected:.1f}")

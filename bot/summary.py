"""What a round, and a whole game, has brought: for the post that closes it. Pure."""

from collections import Counter
from collections.abc import Iterable, Sequence

from bot.luck import luck
from bot.marks import marks
from bot.phrases import Language, Phrases, phrases, safe
from bot.report import Lines, Scene, race, races, scenes
from renderer.view import LossMark
from rules_core import events as ev
from rules_core.state import State
from rules_core.units import Kind


def of_round(
    before: State,
    events: Sequence[ev.Event],
    after: State,
    winners: Iterable[str],
    language: Language,
    referee: str | None = None,
) -> str:
    """A round from its beginning: battles, losses, planets that changed hands, what everybody has now, what comes next.

    `referee`: how he is mentioned, who does that.
    """
    words = phrases(language)
    named, won = referee or words.say("post.the_referee"), tuple(races(after, winners).values())
    return "\n".join(
        (
            words.say("summary.round", round=after.round),
            *_battles(words, scenes(before, events)),
            *_losses(words, before, events),
            *_planets(words, before, after),
            *_balance(words, after),
            words.say("summary.won", players=won, referee=named)
            if won
            else words.say("summary.interval", referee=named),
        )
    )


def of_game(start: State, events: Sequence[ev.Event], after: State, winners: Iterable[str], language: Language) -> str:
    """A game that has ended: who has won, in which order the others stand, what everybody has, and the dice of each."""
    words, first = phrases(language), tuple(winners)
    won = tuple(races(after, first).values())
    battles = sum(isinstance(event, ev.BattleBegan) and event.defender is not None for event in events)
    return "\n".join(
        (
            words.say("summary.game", name=safe(after.name), rounds=after.round, battles=battles),
            words.say("summary.winner", players=won) if won else words.say("summary.no_winner"),
            *_balance(words, after, "summary.place", first),
            *_losses(words, start, events),
            *_dice(words, after, events),
            words.say("summary.look"),
        )
    )


def _battles(words: Phrases, told: Sequence[Scene]) -> Lines:
    """The battles in which both sides had something, each with its end."""
    lines = []
    for scene in told:
        battle = None if scene.before.phase is None else scene.before.phase.battle
        if isinstance(scene.event, ev.BattleEnded) and battle is not None and battle.defender is not None:
            sides = {"attacker": battle.attacker, "defender": battle.defender}
            named = {side: race(scene.before, key, words) for side, key in sides.items()}
            holder = race(scene.before, scene.event.holder, words)
            lines.append(words.say("summary.battle", at=battle.at, holder=holder, **named))
    return tuple(lines) or (words.say("summary.no_battle"),)


def _losses(words: Phrases, before: State, events: Sequence[ev.Event]) -> Lines:
    lost: dict[str, Counter[Kind]] = {player.key: Counter() for player in before.players}
    for mark in marks(before, events):
        if isinstance(mark, LossMark):
            lost[mark.player].update(dict(mark.lost))
    named = races(before, lost)
    units = {key: words.counts({kind: numbers[kind] for kind in Kind}) for key, numbers in lost.items()}
    return tuple(words.say("summary.lost", player=named[key], units=units[key]) for key in lost if units[key])


def _planets(words: Phrases, before: State, after: State) -> Lines:
    """A planet that was renamed meanwhile is found by its place in its system."""
    lines = []
    for at in after.galaxy.systems:
        for old, new in zip(before.planets_at(at), after.planets_at(at), strict=True):
            if old.owner != new.owner:
                owners = {"old": race(after, old.owner, words), "new": race(after, new.owner, words)}
                lines.append(words.say("summary.planet", planet=safe(new.name), at=at, **owners))
    return tuple(lines)


def _balance(words: Phrases, state: State, key: str = "summary.player", first: Sequence[str] = ()) -> Lines:
    """Everybody's power and resources, the highest power first; before all others those who have won."""
    ranked = sorted(
        state.players, key=lambda p: (p.key not in first, -state.political_power(p.key), -state.resources(p.key))
    )
    return tuple(
        words.say(
            key,
            n=place,
            player=safe(player.race),
            power=state.political_power(player.key),
            resources=state.resources(player.key),
            planets=sum(planet.owner == player.key for planet in state.planets.values()),
        )
        for place, player in enumerate(ranked, 1)
    )


def _dice(words: Phrases, state: State, events: Sequence[ev.Event]) -> Lines:
    """The hits of each player against what his dice promised; of all his kinds together."""
    whole = {each.player: each for each in luck(events, [player.key for player in state.players])}
    return tuple(
        words.say(
            "summary.dice",
            player=race(state, key, words),
            hits=each.hits,
            dice=each.dice,
            expected=f"{each.expected:.1f}",
        )
        for key, each in whole.items()
    )

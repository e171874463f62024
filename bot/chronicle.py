"""What has happened: the log page by page, and what is new to a player since he last acted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from bot import presenter
from bot.autocomplete import MOST, UNDO_TO
from bot.happening import GAME, Happening, waits_of
from bot.past import Told
from bot.phrases import Language, Phrases, moment, phrases, safe
from bot.report import Reporter, Scene, all_races, fleet, scenes
from bot.rows import Seat
from bot.service import Service
from rules_core import events as ev
from rules_core.history import REFEREE, affected
from rules_core.state import State

PAGE: Final = 12
# Lines of one entry that a page shows, and of a digest; the rest is counted.
_LINES: Final = 3
_DIGEST: Final = 30
_DICE: Final = (ev.VolleyFired, ev.GroundRoundFought, ev.LandingFiredAt)


async def page(service: Service, game: int, before: int | None, language: Language) -> str:
    """The entries of the log that end with event `before` (the last), with their numbers; taken back ones struck."""
    told, words = await service.past.told(game, before, PAGE), phrases(language)
    if not told:
        return words.say("history.empty")
    lines = [words.say("history.heading")]
    lines += [_entry(words, each) for each in told]
    if told[0].happening.first > 1:
        lines.append(words.say("history.older", number=told[0].happening.first - 1))
    return "\n".join(lines)


def _entry(words: Phrases, told: Told) -> str:
    done = told.happening
    actor = _actor(words, done.after, done.actor)
    if told.returns_to is not None:
        text = words.say("history.returned", number=told.returns_to)
    else:
        text = " / ".join(headlines(words, scenes(done.before, done.events), _LINES)) or words.say("history.quiet")
    line = words.say("history.line", number=done.first, time=moment(told.at, "R"), actor=actor, text=text)
    return line if told.holds else words.say("history.undone", line=line)


async def ways_back(service: Service, game: int, actor: str, typed: str, language: Language) -> dict[str, str]:
    """What `/undo to:` can be filled with, each with its words: what `actor` did lately, the latest first."""
    words = phrases(language)
    found = {value: words.say(f"history.back.{value}") for value in UNDO_TO}
    for told in reversed(await service.past.told(game, None, MOST)):
        entry = told.happening
        if entry.actor == actor and entry.events and told.holds:
            did = words.list(presenter.done(entry.before, entry.events, actor, language)) or words.say("history.quiet")
            found[str(entry.first - 1)] = words.say("history.back.to", number=entry.first, text=did.replace("**", ""))
    wanted = typed.strip().casefold()
    matching = ((value, name) for value, name in found.items() if wanted in f"{value} {name}".casefold())
    return dict(list(matching)[:MOST])


def _actor(words: Phrases, state: State, actor: str) -> str:
    if actor == GAME:
        return words.say("history.game")
    return words.say("post.the_referee") if actor == REFEREE else all_races(state).get(actor, actor)


def headlines(words: Phrases, told: Sequence[Scene], most: int) -> list[str]:
    """The first line of each event that has any, without markup that reaches over lines."""
    reporter = Reporter(words)
    found = [(scene.event, lines[0]) for scene in told if (lines := reporter.lines(scene) or _quiet(words, scene))]
    # Where not all have room, what came of the dice goes before the dice.
    ranked = sorted(range(len(found)), key=lambda number: (isinstance(found[number][0], _DICE), number))
    shown, rest = [found[number][1] for number in sorted(ranked[:most])], len(found) - most
    return shown if rest <= 0 else [*shown, words.say("history.more", n=rest)]


def _quiet(words: Phrases, scene: Scene) -> tuple[str, ...]:
    """What posts tell in other ways: that a phase begins, that a movement step is over."""
    match scene.event:
        case ev.PhaseBegan(player=player):
            player = all_races(scene.before)[player]
            return (words.say("post.phase_began", player=player, round=scene.before.round),)
        case ev.MovementEnded():
            return (words.say("history.movement_ended"),)
        case ev.UnitsScrapped(player=player, at=at):
            units = fleet(words, scene.event.ships, scene.event.fighters)
            return (words.say("history.scrapped", at=at, player=all_races(scene.before)[player], units=units),)
    return ()


@dataclass(frozen=True, slots=True)
class _News:
    """What happened to a player, and what else."""

    mine: tuple[Scene, ...]
    others: tuple[Scene, ...]


def since(done: Happening, player: str, language: Language) -> str:
    """What happened since `player` acted last: to him, and elsewhere."""
    words = phrases(language)
    if not done.events:
        return words.say("history.nothing_new")
    news = _news(scenes(done.before, done.events), player)
    return "\n".join(
        (
            words.say("history.since", number=done.first),
            *_part(words, "history.to_you", news.mine),
            *_part(words, "history.elsewhere", news.others),
            *ordered(done, player, language),
        )
    )


def ordered(done: Happening, player: str, language: Language) -> list[str]:
    """What a player's own standing orders chose for him; nobody else is told that they did."""
    words, lines = phrases(language), []
    for scene in scenes(done.before, done.events):
        match scene.event:
            case ev.LossesChosen(player=whose, at=at, losses=losses, cause=ev.Cause.STANDING_ORDER) if whose == player:
                units = fleet(words, [scene.before.ships[id] for id in losses.ships], losses.fighters)
                lines.append(words.say("history.ordered_losses", at=at, units=units))
            case ev.BattleContinued(player=whose, at=at, cause=ev.Cause.STANDING_ORDER) if whose == player:
                lines.append(words.say("history.ordered_fight", at=at))
            case ev.FleetRetreated(player=whose, at=at, to=to, cause=ev.Cause.STANDING_ORDER) if whose == player:
                lines.append(words.say("history.ordered_retreat", at=at, to=to))
            case ev.FireHeld(owner=whose, at=at) if whose == player:
                lines.append(words.say("history.ordered_hold", at=at))
    return [words.say("history.ordered"), *(f"- {line}" for line in lines)] if lines else []


def _news(told: Iterable[Scene], player: str) -> _News:
    mine: list[Scene] = []
    others: list[Scene] = []
    for scene in told:
        (mine if affected((scene.event,), (player,), "") else others).append(scene)
    return _News(tuple(mine), tuple(others))


def _part(words: Phrases, heading: str, told: Sequence[Scene]) -> list[str]:
    lines = headlines(words, told, _DIGEST)
    return [words.say(heading), *(f"- {line}" for line in lines)] if lines else []


async def games(service: Service, user: int, language: Language) -> str:
    """All games of a user at a glance: where something is waited for, and from whom."""
    words, seats = phrases(language), await service.store.seats_of(user)
    lines = [await _game(service, seat, words) for seat in seats]
    return "\n".join((words.say("games.heading"), *lines)) if lines else words.say("games.none")


async def _game(service: Service, seat: Seat, words: Phrases) -> str:
    now = await service.load(seat.game)
    waiting, races = waits_of(now.state), all_races(now.state)
    if seat.key in waiting:
        wait = next(w for w in await service.store.waits() if (w.game, w.player) == (seat.game, seat.key))
        waits = words.say("games.yours", since=moment(wait.since, "R"))
    elif waiting:
        waits = words.say("games.others", players=tuple(races[key] for key in waiting))
    else:
        waits = words.say("games.nobody")
    if await service.plans.planned(seat.game, seat.key) is not None:
        waits = words.say("games.with_plan", waits=waits)
    channel = f"<#{now.row.channel}>"
    return words.say("games.line", name=safe(now.state.name), channel=channel, round=now.state.round, waits=waits)

"""What people are told: posts for the channel and private lines for the actor. Pure: events in, words out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot import odds
from bot.looks import answer, prompt, waiting_line
from bot.phrases import PLAIN, Language, Phrases, Signs, moment, phrases, safe
from bot.report import Lines, Reporter, Scene, all_races, announcement, fleet, ground, scenes, way
from bot.steps import PostKind
from bot.tally import tallies
from rules_core import events as ev
from rules_core.commands import PlayerCommand
from rules_core.dice import Purpose
from rules_core.history import REFEREE, affected, rolled
from rules_core.legal import movable
from rules_core.movement import movement_left
from rules_core.pending import MovementChoice, RetreatChoice, decisions
from rules_core.selection import number_of
from rules_core.state import Landing, Ship, State, Step
from rules_core.units import SHIP_KINDS

MESSAGE_LIMIT: Final = 2000
# So many lines say what was taken back; a whole phase can have hundreds.
MOST_GOING: Final = 12
NOBODY_MENTIONED: Final[Mapping[str, str]] = {}
# Ships and ground units of one edit are a line each.
_TOLD_IN_FULL: Final = (ev.UnitsPlaced, ev.UnitsRemoved, ev.UnitsMoved)
# What the actor is told in the words of the post, but only the heart of it.
_TOLD_IN_ONE_LINE: Final = (
    ev.FleetIntercepted,
    ev.FleetRetreated,
    ev.FightersLost,
    ev.BattleEnded,
    ev.UnitsTransferred,
    ev.PlanetCaptured,
    ev.LandingRepelled,
    ev.PhaseEnded,
    ev.RoundBegan,
    ev.PurchaseProposed,
    ev.PurchaseMade,
    ev.PurchaseDropped,
    ev.PlanetGiven,
    ev.PlanetChanged,
    ev.TechnologySet,
    ev.CombatSet,
    ev.PowerSet,
    ev.ResourcesSet,
    ev.OrderSet,
    ev.PhaseReturned,
    ev.RefereeActed,
    ev.OptionSet,
    ev.GamePaused,
    ev.GameResumed,
)
ABOUT_WAITS: Final = (PostKind.REMINDER, PostKind.DEADLINE, PostKind.EXTENDED, PostKind.ANSWERED, PostKind.AWAY)
_RETURNS: Final = {PostKind.UNDO: "undone", PostKind.REDO: "redone", PostKind.AGREED: "undone_by_agreement"}
_FIRING: Final = (ev.VolleyFired, ev.FireHeld)
_BATTLE_POSTS: Final = (PostKind.PDS, PostKind.CANNON, PostKind.ROUND)


@dataclass(frozen=True, slots=True)
class Post:
    """What the channel is told; `mentions`: the keys of the players whom it may ping."""

    text: str
    mentions: tuple[str, ...] = ()

    @property
    def pieces(self) -> tuple[str, ...]:
        """The text in parts that Discord takes."""
        return pieces(self.text)


def pieces(text: str, limit: int = MESSAGE_LIMIT) -> tuple[str, ...]:
    """`text` in parts of at most `limit` characters, cut at ends of lines where that is possible; nothing is lost."""
    parts: list[str] = []
    while len(text) > limit:
        cut = text.rfind("\n", 1, limit) + 1 or limit
        parts.append(text[:cut])
        text = text[cut:]
    return (*parts, text)


# ---- the channel


def post(
    kind: PostKind,
    before: State,
    events: Sequence[ev.Event],
    language: Language,
    names: Mapping[str, str] = NOBODY_MENTIONED,
    signs: Signs = PLAIN,
) -> Post:
    """One step in words. `names`: how a player is addressed who must act now, a mention for instance; else his race."""
    words, told = phrases(language, signs), scenes(before, events)
    after = told[-1].after if told else before
    if kind is PostKind.WAITING:
        return _waiting(words, told, after, names)
    lines = _lines(words, kind, told)
    began = next((scene for scene in reversed(told) if isinstance(scene.event, ev.PhaseBegan | ev.PhaseEnded)), None)
    lines += _passed(words, told)
    if began is None or not isinstance(began.event, ev.PhaseBegan):
        return Post("\n".join(lines))
    player = began.event.player
    shown = _shown(began.after, player, names)
    return Post("\n".join((*lines, *announcement(words, began.after, player, shown))), (player,))


def opened(state: State, language: Language, names: Mapping[str, str]) -> Post:
    """A game that begins in the middle of a phase: whose it is, and what is waited for."""
    words = phrases(language)
    assert state.phase is not None, "a game opened while nobody acts begins with a phase"
    asked = _waiting(words, (), state, names)
    mentioned = asked.mentions or (state.phase.player,)
    shown = _shown(state, state.phase.player, names if state.phase.player in mentioned else {})
    lines = announcement(words, state, state.phase.player, shown)
    return Post("\n".join((*lines, *asked.text.splitlines())), mentioned)


def _passed(words: Phrases, told: Sequence[Scene]) -> Lines:
    """Whose phase began and ended at once, by his order."""
    began = {scene.event.player for scene in told if isinstance(scene.event, ev.PhaseBegan)}
    ended = (scene for scene in told if isinstance(scene.event, ev.PhaseEnded) and scene.event.player in began)
    names = [all_races(scene.before)[scene.event.player] for scene in ended if isinstance(scene.event, ev.PhaseEnded)]
    return tuple(words.say("post.passed", player=name) for name in names)


def returned(
    kind: PostKind, before: State, back: Sequence[ev.Event], after: State, actor: str, language: Language
) -> Post:
    """What was taken or brought `back`; `after`: the table as it stands again. `actor`: a key or the referee."""
    words = phrases(language)
    told: Sequence[Scene] = scenes(before if kind is PostKind.REDO else after, back)
    # That a fleet was met goes without saying when its move is taken back.
    told = [scene for scene in told if not isinstance(scene.event, ev.FleetIntercepted)]
    lines = [line for scene in told for line in Reporter(words).lines(scene)[:1]]
    heading = _gone_back(words, kind, lines, all_races(after).get(actor))
    return Post("\n".join((*heading, words.say("post.as_it_stands"))))


def _gone_back(words: Phrases, kind: PostKind, lines: Sequence[str], name: str | None) -> Lines:
    """Who took or brought back what, line by line."""
    key = f"post.{_RETURNS[kind]}_these" if lines else f"post.{_RETURNS[kind]}"
    first = words.say(key, player=name or words.say("post.the_referee"))
    more = [words.say("history.more", n=len(lines) - MOST_GOING)] if len(lines) > MOST_GOING else []
    return (first, *(f"- {line}" for line in lines[:MOST_GOING]), *more)


def asked_again(
    before: State, after: State, actor: str, language: Language, names: Mapping[str, str] = NOBODY_MENTIONED
) -> Post:
    """Who is waited for after something was taken or brought back, and was not before; who did it knows."""
    words = phrases(language)
    known = {decision.player for decision in decisions(before)} | {actor}
    owed = [each for each in decisions(after) if each.player not in known]
    lines = [
        words.say("post.asks", player=_shown(after, each.player, names), text=prompt(after, each, language).text)
        for each in owed
    ]
    return Post("\n".join(lines), tuple(dict.fromkeys(each.player for each in owed)))


def deadline(at: str, hours: int, language: Language) -> str:
    """Until when those who are asked have time."""
    until = datetime.fromisoformat(at) + timedelta(hours=hours)
    return phrases(language).say("post.until", time=moment(until, "f"), left=moment(until, "R"))


def proposed(
    before: State, events: Sequence[ev.Event], now: State, actor: str, language: Language, names: Mapping[str, str]
) -> Post:
    """An undo that needs agreement: what it takes back, and what everybody has learned since."""
    words, known = phrases(language), all_races(now)
    asked = affected(events, known, actor) or tuple(key for key in known if key != actor)
    shown = tuple(_shown(now, key, names) for key in asked)
    reporter = Reporter(words)
    going = [f"- {line}" for scene in scenes(before, events) for line in reporter.lines(scene)[:1]]
    return Post(
        "\n".join(
            (
                words.say("post.proposed", player=known.get(actor, words.say("post.the_referee"))),
                *going,
                words.say("post.learned" if (dice := rolled(events)) else "post.no_dice", dice=dice),
                words.say("post.concerned", players=tuple(known[key] for key in asked)),
                words.say("post.agree", players=shown),
            )
        ),
        asked,
    )


def refused(now: State, about: str, language: Language, names: Mapping[str, str]) -> Post:
    """That an undo is not agreed to; `about`: who refused, then who had asked."""
    words = phrases(language)
    by, asker = about.split()
    named = {REFEREE: words.say("post.the_referee"), **all_races(now)}
    return Post(words.say("post.refused", player=named[by], asker=names.get(asker, named[asker])), (asker,))


def waited(kind: PostKind, state: State, about: str, since: str, language: Language, names: Mapping[str, str]) -> Post:
    """A reminder, or what became of a deadline; `about`: the players it is for, `since`: when the wait began."""
    words, known = phrases(language), all_races(state)
    keys = tuple(key for key in about.split() if key in known)
    shown = tuple(_shown(state, key, names) for key in keys)
    referee = names.get(REFEREE, words.say("post.the_referee"))
    lines = [words.say(f"post.{kind}", players=shown, since=moment(since, "R"), referee=referee)]
    if kind is PostKind.REMINDER:
        lines += [
            f"{shown[keys.index(each.player)]}: {_only_done(state, words) or prompt(state, each, language).text}"
            for each in decisions(state)
            if each.player in keys
        ]
    pinged = {PostKind.REMINDER: keys, PostKind.EXTENDED: keys, PostKind.DEADLINE: (REFEREE,)}
    return Post("\n".join(lines), pinged.get(kind, ()))


def _only_done(state: State, words: Phrases) -> str | None:
    """For a movement step in which nothing can move any more: that only its end is waited for."""
    phase = state.phase
    if phase is None or phase.step is not Step.MOVEMENT or movable(state, phase.player):
        return None
    return words.say("post.only_done")


def decided(state: State, command: PlayerCommand, language: Language) -> str:
    """What was answered to a question; `state`: the table when it was asked."""
    words = phrases(language)
    player = safe(state.player(command.player).race)
    return words.say("post.decided", player=player, answer=answer(state, command, language))


def taken_back(language: Language) -> str:
    """That a question is over because what led to it was taken back."""
    return phrases(language).say("post.question_over")


def _lines(words: Phrases, kind: PostKind, told: Sequence[Scene]) -> Lines:
    if kind in _BATTLE_POSTS:
        return tuple(line for part in _rounds(words, told) for line in _round_lines(words, part))
    reporter = _reporter(words, told)
    lines = [line for scene in told for line in reporter.lines(scene)]
    if kind is PostKind.REFEREE and not isinstance(told[0].event, ev.PurchaseMade):
        lines[:0] = (words.say("post.referee"),)
    return tuple(lines)


def _rounds(words: Phrases, told: Sequence[Scene]) -> Iterator[Sequence[Scene]]:
    """The scenes of one battle post, round by round: a game may fold several into one."""
    reporter, start, heading = Reporter(words), 0, None
    for number, scene in enumerate(told):
        if isinstance(scene.event, _FIRING):
            now = reporter.heading(scene.before)
            if heading not in (None, now):
                yield told[start:number]
                start = number
            heading = now
    yield told[start:]


def _round_lines(words: Phrases, told: Sequence[Scene]) -> Lines:
    reporter = _reporter(words, told)
    heading = next((reporter.heading(scene.before) for scene in told if isinstance(scene.event, _FIRING)), ())
    return (*heading, *(line for scene in told for line in reporter.lines(scene)))


def _reporter(words: Phrases, told: Sequence[Scene]) -> Reporter:
    """One who knows, beside each event, whose losses were forced and whose PDS hit."""
    events = [scene.event for scene in told]
    chosen = [event for event in events if isinstance(event, ev.LossesChosen)]
    forced = frozenset(event.player for event in chosen if event.cause is ev.Cause.FORCED)
    fired = (event for event in events if isinstance(event, ev.VolleyFired) and event.volley.hits)
    gunners = tuple(event.shooter for event in fired if event.volley.place.purpose is Purpose.PDS)
    return Reporter(words, forced, gunners)


def _shown(state: State, player: str, names: Mapping[str, str]) -> str:
    return names.get(player, safe(state.player(player).race))


def _waiting(words: Phrases, told: Sequence[Scene], after: State, names: Mapping[str, str]) -> Post:
    """Who must answer what; with the dice, if the step that asks is told only here."""
    owed = tuple(each for each in decisions(after) if not isinstance(each, MovementChoice))
    fired = [scene for scene in told if isinstance(scene.event, _FIRING)]
    reporter = Reporter(words)
    lines = [*reporter.heading(fired[0].before)] if fired else []
    lines += [line for scene in fired for line in reporter.lines(scene)]
    for decision in owed:
        shown = _shown(after, decision.player, names)
        lines.append(words.say("post.asks", player=shown, text=prompt(after, decision, words.language).text))
        if isinstance(decision, RetreatChoice) and after.options.public_odds == "shown":
            # From the default orders: anybody's own are private.
            lines += odds.beside(after, decision, {}, words)
    return Post("\n".join(lines), tuple(dict.fromkeys(each.player for each in owed)))


# ---- the actor


def private(before: State, events: Sequence[ev.Event], player: str, language: Language) -> str:
    """What `player` (or "referee") is told after his command: what he did, and what comes now."""
    told = scenes(before, events)
    after = told[-1].after if told else before
    # Who pauses a game has just read that nobody is waited for.
    paused = any(isinstance(event, ev.GamePaused) for event in events)
    comes = () if paused else (waiting_line(after, player, language),)
    return "\n".join((*done(before, events, player, language), *comes))


def done(before: State, events: Sequence[ev.Event], player: str, language: Language) -> Lines:
    """What these events did, as `player` is told who gave the command."""
    words, told = phrases(language), scenes(before, events)
    reporter, fought = Reporter(words), tallies(words, told)
    # What was not his choice stands in the tally of the battle, once it is destroyed.
    gone = {event.player for event in events if isinstance(event, ev.UnitsDestroyed)}
    lines: list[str] = []
    for number, scene in enumerate(told):
        lines += fought.get(number, ())
        if not (isinstance(scene.event, ev.LossesChosen) and _not_chosen(scene.event) and scene.event.player in gone):
            lines += _private_lines(words, reporter, scene, player)
    return (*lines, *fought.get(len(told), ()))


def _not_chosen(event: ev.LossesChosen) -> bool:
    return event.cause is not ev.Cause.CHOSEN


def gone_back(
    kind: PostKind, before: State, back: Sequence[ev.Event], after: State, actor: str, player: str, language: Language
) -> str:
    """What `actor` took or brought `back`, as `player` is told who gave the command."""
    lines = done(before if kind is PostKind.REDO else after, back, player, language)
    return "\n".join(_gone_back(phrases(language), kind, lines, all_races(after).get(actor)))


def to_be_undone(before: State, events: Sequence[ev.Event], player: str, language: Language) -> str:
    """What an undo takes back, line by line."""
    lines = (f"- {line}" for line in done(before, events, player, language))
    return "\n".join((phrases(language).say("private.to_be_undone"), *lines))


def _private_lines(words: Phrases, reporter: Reporter, scene: Scene, player: str) -> Lines:
    event = scene.event
    if isinstance(event, _TOLD_IN_ONE_LINE) or (isinstance(event, ev.BattleContinued) and event.barred):
        return reporter.lines(scene)[:1]
    if isinstance(event, _TOLD_IN_FULL):
        return reporter.lines(scene)
    match event:
        case ev.UnitsLoaded():
            return (_loaded(words, scene, event),)
        case ev.ShipsMoved():
            return (_moved(words, scene, event),)
        case ev.UnitsScrapped():
            return (words.say("private.scrapped", units=fleet(words, event.ships, event.fighters), at=event.at),)
        case ev.LossesChosen() if event.player == player:
            return (_losses(words, scene, event),)
        case ev.PlanetBombarded():
            return (_bombarded(words, event),)
        case ev.BombardmentDeclared() | ev.LandingDeclared():
            return (_declared(words, event),)
        case ev.MovementEnded(player=whose) if whose == player:
            return (words.say("private.movement_ended"),)
    return ()


def _losses(words: Phrases, scene: Scene, event: ev.LossesChosen) -> str:
    ships = (scene.before.ships[id] for id in event.losses.ships)
    key = "private.lost" if _not_chosen(event) else "private.losses"
    return words.say(key, units=fleet(words, ships, event.losses.fighters), at=event.at)


def _declared(words: Phrases, event: ev.BombardmentDeclared | ev.LandingDeclared) -> str:
    if isinstance(event, ev.BombardmentDeclared):
        number = len(event.bombardment.dreadnoughts)
        return words.say("private.bombardment", planet=safe(event.bombardment.planet), n=number)
    landing = Landing(event.planet, event.parties)
    units = ground(words, landing.ground_forces, landing.pds)
    return words.say("private.landing", planet=safe(event.planet), units=units)


def _bombarded(words: Phrases, event: ev.PlanetBombarded) -> str:
    lost = ground(words, event.ground_forces_lost, 0) or words.say("none")
    return words.say("private.bombarded", planet=safe(event.planet), hits=event.volley.hits, units=lost)


def _loaded(words: Phrases, scene: Scene, event: ev.UnitsLoaded) -> str:
    ship = scene.after.ships[event.ship]
    carrier = words.numbered(ship.kind, number_of(scene.after, ship))
    units = ground(words, event.ground_forces, event.pds)
    return words.say("private.loaded", units=units, planet=safe(event.planet), carrier=carrier, at=event.at)


def _moved(words: Phrases, scene: Scene, event: ev.ShipsMoved) -> str:
    ships = [scene.before.ships[id] for id in event.ships]
    # A fleet that meets another is stopped by the event that follows; what is left then is said there.
    return words.say(
        "private.moved",
        units=fleet(words, ships, event.fighters),
        way=way(words, event.start, event.hops),
        left=_left(words, scene.after, [scene.after.ships[id] for id in event.ships]),
    )


def _left(words: Phrases, state: State, ships: Sequence[Ship]) -> str:
    """`1`, or `dreadnoughts 0, cruisers 1`: the movement that these ships have left."""
    left = {kind: {movement_left(state, ship) for ship in ships if ship.kind is kind} for kind in SHIP_KINDS}
    if len({number for numbers in left.values() for number in numbers}) == 1:
        return str(movement_left(state, ships[0]))
    told = {kind: " / ".join(map(str, sorted(numbers))) for kind, numbers in left.items() if numbers}
    return words.list(f"{words.units(kind)} {numbers}" for kind, numbers in told.items())

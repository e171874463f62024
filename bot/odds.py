"""`/odds`: what is asked about, and the answer in words and as a picture. Pure; a large battle takes its time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot import parse
from bot.phrases import Phrases, safe
from bot.slash import Texts
from renderer.chart import Chart, Histogram, Piece, percent
from rules_core import odds
from rules_core.choices import RetreatChoice
from rules_core.errors import RuleViolation
from rules_core.forecast import battle_at, landing_on, pds_at
from rules_core.odds import Counts, Force, Landing, Odds, Side, SpaceBattle, space_battle
from rules_core.selection import Counted, Request
from rules_core.space_battle import enemy_in_space, holds_fire
from rules_core.state import State
from rules_core.turn_order import acting
from rules_core.units import FIRING_ORDER, GROUND_KINDS, SHIP_KINDS, Ability, Kind, Profile

Profiles = Callable[[Kind], Profile]
# An order that is better by less than this is not worth naming.
_WORTH_NAMING: Final = 0.001
# Four kinds can be lost in so many orders; a battle with more steps in them is judged in the given order alone.
_ORDERS: Final = 24
_STEPS: Final = 2**20


@dataclass(frozen=True, slots=True)
class Asked:
    """A battle to judge. `sides`: what attacker and defender are called, `keys`: whose colours they have.

    `whose`: the side that asks, whose best order of losses is named too.
    """

    battle: SpaceBattle
    title: str
    sides: tuple[str, str]
    keys: tuple[str, str]
    players: tuple[str, ...]
    whose: Side | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """The odds of what was asked, and the order in which the asking side would do better, if there is one."""

    asked: Asked
    odds: Odds
    best: tuple[Kind, ...] | None = None
    best_odds: Odds | None = None


# ---- what is asked


def asked(state: State, actor: str, texts: Texts, words: Phrases) -> Asked:
    """What `/odds` with these options is about: a battle of this game from here, or a plan."""
    if "units" in texts:
        return _plan(state, actor, texts, words)
    if "against" in texts:
        raise RuleViolation("odds_of_what")
    at = _place(state, texts)
    player = acting(state)
    enemy = None if player is None else enemy_in_space(state, at, player)
    if state.phase is None or player is None or not _meet(state, at, player):
        raise RuleViolation("no_battle_there", at=at)
    holding = [key for key in state.standing if key == actor and holds_fire(state, key, player)]
    question = battle_at(state, at, _own_order(state, actor), holding, known=(actor,))
    return _asked(state, actor, question, texts, words.say("odds.here", at=at), (player, enemy or ""), words)


def _place(state: State, texts: Texts) -> str:
    """The system that is meant: the one named, that of the battle, or the only one in which one waits."""
    if "system" in texts:
        return parse.parse_system(state, texts["system"])
    phase = state.phase
    if phase is not None and phase.battle is not None:
        return phase.battle.at
    due = [at for at in state.galaxy.systems if phase is not None and _meet(state, at, phase.player)]
    if len(due) != 1:
        raise RuleViolation("odds_of_what")
    return due[0]


def _meet(state: State, at: str, player: str) -> bool:
    """Whether the acting player has something there at which somebody shoots."""
    shot_at = enemy_in_space(state, at, player) is not None or bool(pds_at(state, at, player))
    return player in state.space_owners(at) and shot_at


def _own_order(state: State, actor: str) -> Mapping[str, Sequence[Kind]]:
    """The standing order of who asks; everybody else's is private."""
    return {actor: state.standing[actor].losses} if actor in state.standing else {}


def _plan(state: State, actor: str, texts: Texts, words: Phrases) -> Asked:
    """These units as attackers: against units that are named, or against what is in a system."""
    me = actor if actor in {player.key for player in state.players} else acting(state)
    technologies = state.player(me).technologies if me else ()
    mine = force(parse.parse_units(texts["units"]), lambda kind: state.ruleset.profile(kind, technologies))
    if not {"against", "system"} & texts.keys():
        raise RuleViolation("odds_against_what")
    at = parse.parse_system(state, texts["system"]) if "system" in texts else None
    enemy = None if at is None else _holder(state, at, me)
    theirs = Force(()) if at is None or enemy is None else odds.force_at(state, at, enemy)
    if "against" in texts:
        known = state.player(enemy).technologies if enemy else ()
        named = force(parse.parse_units(texts["against"]), lambda kind: state.ruleset.profile(kind, known))
        theirs = replace(named, dock_room=theirs.dock_room)
    question = SpaceBattle(
        mine.losing(_own_order(state, actor).get(actor, ())),
        theirs,
        () if at is None else pds_at(state, at, me),
        state.ruleset.allows(Ability.FIRE_ASSAULT_CANNON, technologies),
    )
    title = words.say("odds.plan") if at is None else words.say("odds.plan_there", at=at)
    return _asked(state, actor, question, texts, title, (me or "", enemy or ""), words)


def _holder(state: State, at: str, me: str | None) -> str | None:
    """Whom one would meet in a system: who is there, or whose PDS fire."""
    owners = [planet.owner for planet in state.planets_at(at) if planet.pds and planet.owner not in (None, me)]
    return next((owner for owner in (*state.space_owners(at), *owners) if owner != me), None)


def _asked(
    state: State, actor: str, question: SpaceBattle, texts: Texts, title: str, keys: tuple[str, str], words: Phrases
) -> Asked:
    """A question with what the options say about losses and retreat."""
    attacker = safe(state.player(keys[0]).race) if keys[0] else words.say("odds.attacker")
    defender = safe(state.player(keys[1]).race) if keys[1] else words.say("odds.defender")
    # In a plan against nobody in particular the asker attacks; else he is on the side that is his.
    whose: Side | None = "attacker" if actor == keys[0] else "defender" if actor == keys[1] else None
    own, other = ("defender", "attacker") if whose == "defender" else ("attacker", "defender")
    losses = {own: texts.get("losses"), other: texts.get("enemy_losses")}
    if "retreat" in texts:
        question = replace(question, retreat=parse.parse_retreat_rule(texts["retreat"]))
    question = with_orders(question, losses.get("attacker"), losses.get("defender"))
    players = tuple(player.key for player in state.players)
    return Asked(question, title, (attacker, defender), keys, players, whose)


def with_orders(battle: SpaceBattle, attacker: str | None, defender: str | None) -> SpaceBattle:
    """`battle` with orders of losses as they were typed: kinds, or `best`; None leaves the order as it is."""
    wishes: dict[Side, str | None] = {"attacker": attacker, "defender": defender}
    read = {side: parse.parse_loss_order(text) for side, text in wishes.items() if text is not None}
    for side, order in read.items():
        battle = battle.losing(side, order or ())
    for side in (side for side, order in read.items() if order is None):
        battle = battle.losing(side, odds.best_order(battle, side))
    return battle


def force(request: Request | None, profile: Profiles, dock_room: int = 0) -> Force:
    """Units that are nowhere yet: `2 carriers + 3 ground forces, 4 fighters`; cargo fills the carriers in order."""
    if request is None:
        return Force((), dock_room)
    if request.everything:
        raise RuleViolation("odds_of_what")
    named = [unit for group in request.groups for unit in (*group.units, *group.cargo)]
    numbers = {kind: sum(_number(unit) for unit in named if unit.kind is kind) for kind in Kind}
    if numbers[Kind.SPACE_DOCK]:
        raise RuleViolation("never_lost_in_battle", "3.53-f", kind=Kind.SPACE_DOCK)
    cargo = {kind: numbers[kind] for kind in GROUND_KINDS}
    units = []
    for kind in (*SHIP_KINDS, Kind.FIGHTER):
        for _ in range(numbers[kind]):
            aboard = _load(profile(kind), cargo)
            cargo = {each: cargo[each] - aboard[each] for each in cargo}
            units.append(odds.unit(profile(kind), aboard[Kind.GROUND_FORCE], aboard[Kind.PDS]))
    if any(cargo.values()):
        raise RuleViolation(
            "too_much_cargo", "3.52.2-a", left=tuple(Counted(*each) for each in cargo.items() if each[1])
        )
    return Force(tuple(units), dock_room).losing(())


def _number(unit: object) -> int:
    return unit.count if isinstance(unit, Counted) else 1


def _load(profile: Profile, cargo: Mapping[Kind, int]) -> dict[Kind, int]:
    room, aboard = profile.capacity, dict[Kind, int]()
    for kind, left in cargo.items():
        aboard[kind] = min(left, room) if profile.room_for(kind) else 0
        room -= aboard[kind]
    return aboard


# ---- the answer


def judged(asked: Asked) -> Judged:
    """The odds, and whether the asking side could lose its units in a better order."""
    battle, side = asked.battle, asked.whose
    found = space_battle(battle)
    if side is None or len(battle.force(side).kinds) < 2 or odds.steps(battle, _ORDERS) > _STEPS:
        return Judged(asked, found)
    best = odds.best_order(battle, side)
    other = space_battle(battle.losing(side, best))
    better = other.success(side) - found.success(side) >= _WORTH_NAMING
    return Judged(asked, found, best, other) if better else Judged(asked, found)


def told(answer: Judged, words: Phrases) -> str:
    """The odds in words."""
    asked, found = answer.asked, answer.odds
    attacker, defender = asked.sides
    lines = [
        words.say("odds.title", title=asked.title),
        _side(words, attacker, asked.battle.attacker),
        _side(words, defender, asked.battle.defender),
        *_before(words, asked),
        words.list(f"{label} **{percent(chance)}**" for label, chance, _ in _outcomes(words, asked, found)),
        words.say("odds.rounds", rounds=f"{found.rounds:.1f}"),
        _left(words, attacker, found.attacker),
        _left(words, defender, found.defender),
    ]
    if answer.best is not None and answer.best_odds is not None and asked.whose is not None:
        side = attacker if asked.whose == "attacker" else defender
        chance = percent(answer.best_odds.success(asked.whose))
        lines.append(words.say("odds.best", side=side, order=_kinds(words, answer.best), chance=chance))
    return "\n".join(lines)


def _side(words: Phrases, side: str, force: Force) -> str:
    if not force.units:
        return words.say("odds.nobody", side=side)
    counts = {kind: sum(unit.kind is kind for unit in force.units) for kind in FIRING_ORDER}
    cargo = {
        Kind.GROUND_FORCE: sum(unit.ground_forces for unit in force.units),
        Kind.PDS: sum(unit.pds for unit in force.units),
    }
    return words.say("odds.side", side=side, units=words.counts(counts | cargo), order=_kinds(words, force.kinds))


def _kinds(words: Phrases, kinds: Sequence[Kind]) -> str:
    return words.list(map(words.unit, kinds))


def _before(words: Phrases, asked: Asked) -> Iterator[str]:
    """What comes before the next round: hits not yet removed, PDS, assault cannon."""
    battle = asked.battle
    for side, hits in zip(asked.sides, battle.hits, strict=True):
        if hits:
            yield words.say("odds.owed", side=side, hits=hits)
    if battle.pds:
        yield words.say("odds.pds", n=len(battle.pds))
    if battle.cannon and Kind.DREADNOUGHT in battle.attacker.kinds:
        yield words.say("odds.cannon")


def _outcomes(words: Phrases, asked: Asked, found: Odds) -> list[tuple[str, float, str | None]]:
    """Every outcome that can be: its words, its chance, whose colour it has."""
    (attacker, defender), (mine, theirs) = asked.sides, asked.keys
    outcomes: list[tuple[str, float, str | None]] = [
        (words.say("odds.wins", side=attacker), found.attacker_wins, mine),
        (words.say("odds.wins", side=defender), found.defender_wins, theirs),
        (words.say("odds.both"), found.both_destroyed, None),
        (words.say("odds.retreats", side=attacker), found.retreats, None),
    ]
    return outcomes if asked.battle.retreat is not None else outcomes[:-1]


def _left(words: Phrases, side: str, counts: Counts) -> str:
    left = [(kind, number) for kind, number in odds.expected(counts).items() if number >= 0.05]
    units = words.list(words.say("odds.expected", n=f"{number:.1f}", unit=words.units(kind)) for kind, number in left)
    return words.say("odds.left", side=side, units=units or words.say("none"))


def told_landing(fight: Landing, found: Odds, words: Phrases) -> str:
    """The odds of a landing in words."""
    outcomes = (
        ("odds.captured", found.attacker_wins),
        ("odds.kept", found.defender_wins),
        ("odds.both_gone", found.both_destroyed),
    )
    title = words.say("odds.landing", attackers=len(fight.attackers), defenders=len(fight.defenders))
    return "\n".join(
        (
            words.say("odds.title", title=title),
            words.list(f"{words.say(key)} **{percent(chance)}**" for key, chance in outcomes),
            words.say("odds.rounds", rounds=f"{found.rounds:.1f}"),
            _left(words, words.say("odds.attacker"), found.attacker),
            _left(words, words.say("odds.defender"), found.defender),
        )
    )


def of_landings(state: State, words: Phrases) -> tuple[str, ...]:
    """A line for each landing declared on an enemy planet, if all that is declared comes to pass."""
    lines = []
    for planet in state.planets:
        fight = landing_on(state, planet)
        if fight is None or odds.landing_steps(fight) > odds.QUICK_STEPS:
            continue
        found = odds.landing(fight)
        chances = ("odds.captured", found.attacker_wins), ("odds.kept", found.defender_wins + found.both_destroyed)
        shown = words.list(f"{words.say(key)} {percent(chance)}" for key, chance in chances)
        lines.append(words.say("odds.landing_on", planet=safe(planet), chances=shown))
    return tuple(lines)


def beside(
    state: State, choice: RetreatChoice, orders: Mapping[str, Sequence[Kind]], words: Phrases
) -> tuple[str, ...]:
    """A line about the odds of fighting on to the end, where they can be told at once; by these orders of losses."""
    chances = _chances(state, choice.at, choice.player, orders, words)
    return () if chances is None else (words.say("odds.line", chances=chances),)


def outlook(state: State, player: str, words: Phrases) -> tuple[str, ...]:
    """For a plan: a line for each battle that the acting `player` would have, did his movement end on this table."""
    if acting(state) != player:
        return ()
    found = ((at, _chances(state, at, player, _own_order(state, player), words)) for at in state.places_of(player))
    return tuple(words.say("odds.there", at=at, chances=chances) for at, chances in found if chances is not None)


def _chances(state: State, at: str, player: str, orders: Mapping[str, Sequence[Kind]], words: Phrases) -> str | None:
    """The chances of a battle of the acting player alone; None where there is none, or they take too long."""
    enemy = enemy_in_space(state, at, player)
    question = battle_at(state, at, orders)
    if enemy is None or odds.steps(question) > odds.QUICK_STEPS:
        return None
    sides = safe(state.player(player).race), safe(state.player(enemy).race)
    outcomes = _outcomes(words, Asked(question, "", sides, (player, enemy), ()), space_battle(question))
    return words.list(f"{label} {percent(chance)}" for label, chance, _ in outcomes)


def chart(answer: Judged, words: Phrases) -> Chart:
    """The odds as a picture: what may come, and what is left of each kind."""
    asked, found = answer.asked, answer.odds
    pieces = tuple(Piece(label, chance, key) for label, chance, key in _outcomes(words, asked, found))
    columns = tuple(
        tuple(
            Histogram(words.say("odds.histogram", side=side, unit=words.units(kind)), row, key)
            for kind, row in of.items()
        )
        for side, key, of in zip(asked.sides, asked.keys, (found.attacker, found.defender), strict=True)
    )
    return Chart(asked.title, asked.players, pieces, columns)

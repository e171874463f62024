"""Exact chances of a space battle (3.53) and of a landing (3.54): by the rules, to the end, without a die."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, permutations, zip_longest
from operator import add
from typing import Final, Literal

from rules_core import chances
from rules_core.chances import Ends, Row, Table, saturated
from rules_core.dice import FACES
from rules_core.errors import RuleViolation
from rules_core.frozen import replace
from rules_core.state import Losses, State
from rules_core.units import Kind, Profile

# The order of losses of a side that has named none: what costs least goes first, carriers before dreadnoughts.
DEFAULT_LOSSES: Final = (Kind.FIGHTER, Kind.CRUISER, Kind.CARRIER, Kind.DREADNOUGHT)
# More steps than this are too many to wait for, and more than these where others wait meanwhile; round by round a
# battle takes about so many times as many.
MOST_STEPS: Final = 2**25
QUICK_STEPS: Final = 2**17
_BY_ROUNDS: Final = 2**5

_NOTHING: Final = Losses()

Counts = Mapping[Kind, tuple[float, ...]]
Side = Literal["attacker", "defender"]

# ---- what is asked


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit that fires. `places`: room for fighters (3.52.2-g); `exposed`: whether PDS may hit it (3.53-c)."""

    kind: Kind
    hits_on: int
    places: int = 0
    ground_forces: int = 0
    pds: int = 0
    exposed: bool = True


@dataclass(frozen=True, slots=True)
class Force:
    """One side: its units, the first to be lost first, and the room for fighters of its docks (3.52.2-g)."""

    units: tuple[Unit, ...]
    dock_room: int = 0

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of its units, in the order in which they are lost."""
        return tuple(dict.fromkeys(unit.kind for unit in self.units))

    def losing(self, order: Sequence[Kind]) -> "Force":
        """The same units lost in this order of kinds, the least loaded of a kind first, as standing orders do it."""
        full = complete_order(order)

        def turn(unit: Unit) -> tuple[int, int, int]:
            return full.index(unit.kind), unit.ground_forces + unit.pds, unit.ground_forces

        return replace(self, units=tuple(sorted(self.units, key=turn)))


@dataclass(frozen=True, slots=True)
class Retreat:
    """When the attacker leaves after a full round (3.53-g): as soon as one of these holds.

    `odds_below`: his chance to win is lower than this, were he to fight on to the end.
    """

    after_rounds: int | None = None
    below_ships: int | None = None
    odds_below: float | None = None

    def is_due(self, rounds: int, ships: int, chance: float) -> bool:
        """Whether one holds after so many rounds."""
        late = self.after_rounds is not None and rounds >= self.after_rounds
        few = self.below_ships is not None and ships < self.below_ships
        return late or few or (self.odds_below is not None and chance < self.odds_below)


@dataclass(frozen=True, slots=True)
class SpaceBattle:
    """A battle from here to its end. `pds`: the combat value of each PDS that is still to fire (3.53-c).

    `cannon`: the attacker's assault cannon are still to fire (3.53-d). `hits`: what attacker and defender have taken
    and not yet removed; `after_round`: with these a round is over, so that the attacker may leave before another.
    """

    attacker: Force
    defender: Force
    pds: tuple[int, ...] = ()
    cannon: bool = False
    retreat: Retreat | None = None
    hits: tuple[int, int] = (0, 0)
    after_round: bool = False

    def force(self, side: Side) -> Force:
        """One of the two."""
        return self.attacker if side == "attacker" else self.defender

    def losing(self, side: Side, order: Sequence[Kind]) -> "SpaceBattle":
        """The same battle with another order of losses of one side."""
        force = self.force(side).losing(order)
        return replace(self, attacker=force) if side == "attacker" else replace(self, defender=force)


@dataclass(frozen=True, slots=True)
class Landing:
    """A landing on the planet of another. `pds`, `bombard`: the combat value of each PDS there, of each dreadnought.

    `past_pds`: the attacker has the graviton negator (3.54-d). `landing_pds`: PDS that land with the ground forces.
    """

    attackers: tuple[Unit, ...]
    defenders: tuple[Unit, ...]
    pds: tuple[int, ...] = ()
    bombard: tuple[int, ...] = ()
    past_pds: bool = False
    landing_pds: int = 0


@dataclass(frozen=True, slots=True)
class Odds:
    """What may come of it. Who wins is judged when the shooting ends, survivors when homeless fighters are gone.

    `rounds`: the expected number. `attacker`, `defender`: for each kind the chance of 0, 1, 2, ... survivors.
    `attacker_hits`, `defender_hits`: the chance that a side loses 0, 1, 2, ... units to hits; surplus hits are lost.
    `round_chances`: the chance of 0, 1, 2, ... rounds, where it was asked for.
    """

    attacker_wins: float
    defender_wins: float
    both_destroyed: float
    retreats: float
    rounds: float
    attacker: Counts
    defender: Counts
    attacker_hits: tuple[float, ...]
    defender_hits: tuple[float, ...]
    round_chances: tuple[float, ...] = ()

    def success(self, side: Side) -> float:
        """The chance that a side holds the field: the defender does, too, when the attacker retreats."""
        return self.attacker_wins if side == "attacker" else self.defender_wins + self.retreats


def expected(counts: Counts) -> dict[Kind, float]:
    """The expected number of survivors of each kind."""
    return {kind: sum(number * chance for number, chance in enumerate(row)) for kind, row in counts.items()}


def complete_order(losses: Sequence[Kind]) -> tuple[Kind, ...]:
    """An order of losses with every kind in it: those that `losses` leaves out follow in the default order."""
    return tuple(dict.fromkeys((*losses, *DEFAULT_LOSSES)))


def unit(profile: Profile, ground_forces: int = 0, pds: int = 0, exposed: bool = True) -> Unit:
    """A unit of this profile with this load."""
    assert profile.hits_on is not None, f"{profile.kind} never fires"
    places = max(0, profile.room_for(Kind.FIGHTER) - ground_forces - pds)
    return Unit(profile.kind, profile.hits_on, places, ground_forces, pds, exposed)


def force_at(
    state: State,
    at: str,
    owner: str,
    order: Sequence[Kind] = (),
    exposed: Losses | None = None,
    gone: Losses = _NOTHING,
) -> Force:
    """What `owner` has in a system but for what is `gone`, lost in this order; `exposed`: to PDS (None: all)."""
    ships = state.ships_at(at, owner)
    fleet = [
        unit(state.profile(s.kind, owner), s.ground_forces, s.pds, exposed is None or s.id in exposed.ships)
        for s in ships
        if s.id not in gone.ships
    ]
    fighter = unit(state.profile(Kind.FIGHTER, owner), exposed=exposed is None or exposed.fighters > 0)
    fighters = [fighter] * (state.fighters_at(at, owner) - gone.fighters)
    return Force((*fleet, *fighters), state.fighter_room(at, owner) - state.free_places(ships)).losing(order)


# ---- the answers


def space_battle(battle: SpaceBattle, by_rounds: bool = False) -> Odds:
    """The odds of a battle; `by_rounds`: with the chance of each number of rounds.

    Raises RuleViolation if the battle is too large to say, or if nobody who is left last could ever hit.
    """
    if (battle.pds or battle.hits[0]) and not all(each.exposed for each in battle.attacker.units):
        return _mixed([(chance, lost, space_battle(part, by_rounds)) for chance, lost, part in _after_pds(battle)])
    slow = by_rounds or battle.retreat is not None
    fire = _fire(battle.attacker.units, battle.defender.units, _BY_ROUNDS if slow else 1)
    start = _start(battle)
    ends = chances.by_rounds(fire, start, _leaving(battle, fire)) if slow else chances.fought_out(fire, start)
    return _odds(battle.attacker, battle.defender, ends)


def landing(fight: Landing) -> Odds:
    """The odds of a landing: bombardment, PDS, ground rounds (3.54-c to i). With both gone the defender keeps it."""
    fire = _fire(fight.attackers, fight.defenders)
    bombard = fight.bombard if fight.past_pds or not fight.pds else ()
    landed, waiting = _saturated_volley(fight.pds, fight.attackers), _saturated_volley(bombard, fight.defenders)
    ends = chances.fought_out(fire, [[mine * theirs for theirs in waiting] for mine in landed])
    odds = _odds(Force(fight.attackers), Force(fight.defenders), ends)
    won, kept = odds.attacker_wins, odds.defender_wins + odds.both_destroyed
    return replace(
        odds,
        attacker={**odds.attacker, **_all_or_none(fight.landing_pds, won, kept)},
        defender={**odds.defender, **_all_or_none(len(fight.pds), kept, won)},
    )


def best_order(battle: SpaceBattle, side: Side) -> tuple[Kind, ...]:
    """The order of kinds in which a side should lose its units to succeed most often, the other's order as it is.

    Of orders that come to the same, the one nearest to the default.
    """
    orders = tuple(permutations(battle.force(side).losing(()).kinds))
    if steps(battle, len(orders)) > MOST_STEPS:
        raise _too_large(battle.attacker.units, battle.defender.units)
    # Rounded, so that orders that are equal but for the last digit are equal.
    return max(orders, key=lambda order: round(space_battle(battle.losing(side, order)).success(side), 12))


def steps(battle: SpaceBattle, times: int = 1) -> int:
    """How much work the odds of a battle are; `times` over."""
    slow = battle.retreat is not None
    return _steps(battle.attacker.units, battle.defender.units) * times * (_BY_ROUNDS if slow else 1)


def landing_steps(fight: Landing) -> int:
    """How much work the odds of a landing are."""
    return _steps(fight.attackers, fight.defenders)


def _steps(attackers: Sequence[Unit], defenders: Sequence[Unit]) -> int:
    return len(attackers) * len(defenders) * (len(attackers) + len(defenders))


def _too_large(attackers: Sequence[Unit], defenders: Sequence[Unit]) -> RuleViolation:
    return RuleViolation("battle_too_large", attackers=len(attackers), defenders=len(defenders))


# ---- how it begins


def hit_chance(hits_on: int) -> float:
    """3.53-e: how often a die hits."""
    return min(max(FACES + 1 - hits_on, 0), FACES) / FACES


def _fire(attackers: Sequence[Unit], defenders: Sequence[Unit], times: int = 1) -> chances.Fire:
    if _steps(attackers, defenders) * times > MOST_STEPS:
        raise _too_large(attackers, defenders)
    attack, defence = ([hit_chance(each.hits_on) for each in units] for units in (attackers, defenders))
    if attack and defence and not attack[-1] and not defence[-1]:
        raise RuleViolation("nobody_can_hit")
    return chances.fire(attack, defence)


def _saturated_volley(hits_on: Iterable[int], targets: Sequence[Unit], before: int = 0) -> Row:
    """The chance that 0, 1, 2, ... of `targets` are lost to these dice and the hits before them."""
    return saturated([*[0.0] * before, *chances.volley(map(hit_chance, hits_on))], len(targets))


def _start(battle: SpaceBattle) -> Table:
    """Where the first round begins: hits not yet removed, PDS fire (3.53-c), assault cannon (3.53-d)."""
    attackers, targets = battle.attacker.units, len(battle.defender.units)
    after_pds = _saturated_volley(battle.pds, attackers, battle.hits[0])
    fires = [battle.cannon and each.kind is Kind.DREADNOUGHT for each in attackers]
    gunners = [hit_chance(each.hits_on) for each, yes in zip(attackers, fires, strict=True) if yes]
    cannon = [saturated([*[0.0] * battle.hits[1], *hits], targets) for hits in chances.volleys(gunners)]
    gunners_lost = accumulate(fires, initial=0)
    return [[chance * hit for hit in cannon[gone]] for chance, gone in zip(after_pds, gunners_lost, strict=True)]


def _after_pds(battle: SpaceBattle) -> Iterable[tuple[float, int, SpaceBattle]]:
    """The battle that follows each number of losses to PDS, where these pass over units that are not exposed."""
    units = battle.attacker.units
    targets = [place for place, each in enumerate(units) if each.exposed]
    after_pds = _saturated_volley(battle.pds, [units[place] for place in targets], battle.hits[0])
    for lost, chance in enumerate(after_pds):
        left = tuple(each for place, each in enumerate(units) if place not in targets[:lost])
        force = replace(battle.attacker, units=left)
        yield chance, lost, replace(battle, attacker=force, pds=(), hits=(0, battle.hits[1]))


def _leaving(battle: SpaceBattle, fire: chances.Fire) -> Callable[[int], Table]:
    """Where (1) and where not (0) the attacker retreats when a number of rounds is over."""
    rule = battle.retreat or Retreat()
    units = battle.attacker.units
    ships = [sum(each.kind is not Kind.FIGHTER for each in units[lost:]) for lost in range(len(units) + 1)]
    never = [[0.0] * (fire.defenders + 1) for _ in ships]
    winning = never if rule.odds_below is None else chances.winning(fire)

    def leaving(rounds: int) -> Table:
        if rounds == 0 and not battle.after_round:
            return never
        # 3.53-k: fighters alone cannot retreat.
        return [
            [float(left > 0 and rule.is_due(rounds, left, chance)) for chance in row]
            for left, row in zip(ships, winning, strict=True)
        ]

    return leaving


# ---- what comes of it


def _odds(attacker: Force, defender: Force, ends: Ends) -> Odds:
    fought, left = [sum(row) for row in ends.fought], [sum(row) for row in ends.left]
    kept = [sum(column) for column in zip(*ends.fought, strict=True)]
    spared = [sum(column) for column in zip(*ends.left, strict=True)]
    defended = list(map(add, kept, spared))
    return Odds(
        attacker_wins=sum(row[-1] for row in ends.fought[:-1]),
        defender_wins=sum(ends.fought[-1][:-1]),
        both_destroyed=ends.fought[-1][-1],
        retreats=sum(left),
        rounds=ends.rounds,
        # 3.53-k: who retreats leaves the room of docks behind.
        attacker=_counts(attacker, ((attacker.dock_room, fought), (0, left))),
        defender=_counts(defender, ((defender.dock_room, defended),)),
        attacker_hits=tuple(map(add, fought, left)),
        defender_hits=tuple(defended),
        round_chances=tuple(ends.round_chances),
    )


def _counts(force: Force, cases: Iterable[tuple[int, Row]]) -> Counts:
    """For each kind the chance of every number of survivors. A case: room of docks, the chance of each loss."""
    counts = {kind: [0.0] * (number + 1) for kind, number in _survivors(force.units, len(force.units)).items()}
    for dock_room, by_loss in cases:
        for lost, chance in enumerate(by_loss):
            alive = _survivors(force.units[lost:], dock_room)
            for kind, by_number in counts.items():
                by_number[alive[kind]] += chance
    return {kind: tuple(by_number) for kind, by_number in counts.items()}


def _survivors(units: Sequence[Unit], dock_room: int) -> Counter[Kind]:
    """3.52.2-e, f: these units and their loads, without the fighters that have no room."""
    alive = Counter(each.kind for each in units)
    alive[Kind.FIGHTER] = min(alive[Kind.FIGHTER], dock_room + sum(each.places for each in units))
    alive[Kind.GROUND_FORCE] += sum(each.ground_forces for each in units)
    alive[Kind.PDS] += sum(each.pds for each in units)
    return +alive


def _all_or_none(number: int, all_live: float, none_lives: float) -> Counts:
    """3.54-h, i: PDS stand or fall with their side."""
    return {Kind.PDS: (none_lives, *[0.0] * (number - 1), all_live)} if number else {}


def _mixed(parts: Sequence[tuple[float, int, Odds]]) -> Odds:
    """The odds of what becomes one of several battles, each with its chance and the attackers lost before it."""

    def mean(part: Callable[[Odds], float]) -> float:
        return sum(chance * part(odds) for chance, _, odds in parts)

    def blend(rows: Iterable[Sequence[float]]) -> tuple[float, ...]:
        weighed = ([chance * value for value in row] for row, (chance, _, _) in zip(rows, parts, strict=True))
        return tuple(map(sum, zip_longest(*weighed, fillvalue=0.0)))

    def counts(sides: Sequence[Counts]) -> Counts:
        kinds = dict.fromkeys(kind for side in sides for kind in side)
        return {kind: blend(side.get(kind, (1.0,)) for side in sides) for kind in kinds}

    return Odds(
        attacker_wins=mean(lambda odds: odds.attacker_wins),
        defender_wins=mean(lambda odds: odds.defender_wins),
        both_destroyed=mean(lambda odds: odds.both_destroyed),
        retreats=mean(lambda odds: odds.retreats),
        rounds=mean(lambda odds: odds.rounds),
        attacker=counts([odds.attacker for _, _, odds in parts]),
        defender=counts([odds.defender for _, _, odds in parts]),
        attacker_hits=blend((*[0.0] * lost, *odds.attacker_hits) for _, lost, odds in parts),
        defender_hits=blend(odds.defender_hits for _, _, odds in parts),
        round_chances=blend(odds.round_chances for _, _, odds in parts),
    )

"""The same questions answered the slow and plain way: whole fleets as states, every number of hits, fractions.

It shares nothing with `rules_core.chances`: no prefixes of an order, no rows, no floating point, nothing cut off.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product

from rules_core.odds import Force, Landing, Retreat, SpaceBattle, Unit
from rules_core.units import Kind

Fleet = tuple[Unit, ...]


@dataclass(frozen=True)
class End:
    """How a battle came out: who is left, and whether the attacker retreated."""

    attackers: Fleet
    defenders: Fleet
    retreated: bool = False


Chances = Counter[End]


def chance(hits_on: int) -> Fraction:
    return Fraction(sum(face >= hits_on for face in range(1, 11)), 10)


def hits(dice: Iterable[int]) -> dict[int, Fraction]:
    """How likely each number of hits is: every outcome of every die, one by one."""
    dice = tuple(dice)
    found: Counter[int] = Counter()
    for outcome in product((False, True), repeat=len(dice)):
        weight = Fraction(1)
        for hit, hits_on in zip(outcome, dice, strict=True):
            weight *= chance(hits_on) if hit else 1 - chance(hits_on)
        found[sum(outcome)] += weight
    return dict(found)


@cache
def volley(fleet: Fleet) -> dict[int, Fraction]:
    return hits(unit.hits_on for unit in fleet)


def without(fleet: Fleet, number: int, exposed_only: bool = False) -> Fleet:
    """The fleet after so many losses, one at a time: the first in its order that may be lost."""
    for _ in range(number):
        place = next((n for n, unit in enumerate(fleet) if unit.exposed or not exposed_only), None)
        if place is None:
            return fleet
        fleet = fleet[:place] + fleet[place + 1 :]
    return fleet


def beginnings(battle: SpaceBattle) -> Iterator[tuple[Fraction, Fleet, Fleet]]:
    """After hits that are owed, PDS and assault cannon."""
    for by_pds, weight in hits(battle.pds).items():
        attackers = without(battle.attacker.units, by_pds + battle.hits[0], exposed_only=True)
        gunners = [u.hits_on for u in attackers if battle.cannon and u.kind is Kind.DREADNOUGHT]
        for by_cannon, more in hits(gunners).items():
            yield weight * more, attackers, without(battle.defender.units, by_cannon + battle.hits[1])


def battle(question: SpaceBattle) -> Chances:
    """How likely each end is."""
    found: Chances = Counter()
    for weight, attackers, defenders in beginnings(question):
        for end, more in fought(question, attackers, defenders, 0).items():
            found[end] += weight * more
    return found


def fought(question: SpaceBattle, mine: Fleet, theirs: Fleet, number: int) -> Chances:
    """How it ends from here, when `number` rounds are over."""
    rule = question.retreat
    if not mine or not theirs:
        return Counter({End(mine, theirs): Fraction(1)})
    if rule is None or not ships(mine):  # 3.53-k: fighters alone cannot retreat
        return fought_out(mine, theirs)
    if (number or question.after_round) and is_due(rule, number, mine, theirs):
        return Counter({End(mine, theirs, retreated=True): Fraction(1)})
    # Where no rule counts rounds, a round without a hit leads back here: after the first round that is divided out.
    loops = number > 0 and rule.after_rounds is None
    found: Chances = Counter()
    still = Fraction(0)
    for weight, left, kept in one_round(mine, theirs):
        if loops and (left, kept) == (mine, theirs):
            still += weight
            continue
        for end, more in fought(question, left, kept, number + 1).items():
            found[end] += weight * more
    return Counter({end: weight / (1 - still) for end, weight in found.items()})


def ships(fleet: Fleet) -> int:
    return sum(unit.kind is not Kind.FIGHTER for unit in fleet)


def is_due(rule: Retreat, number: int, mine: Fleet, theirs: Fleet) -> bool:
    return (
        (rule.after_rounds is not None and number >= rule.after_rounds)
        or (rule.below_ships is not None and ships(mine) < rule.below_ships)
        or (rule.odds_below is not None and wins(mine, theirs) < Fraction(rule.odds_below))
    )


def one_round(mine: Fleet, theirs: Fleet) -> Iterator[tuple[Fraction, Fleet, Fleet]]:
    """3.53-e, f: both roll, then both remove."""
    for (hit, p), (taken, q) in product(volley(mine).items(), volley(theirs).items()):
        yield p * q, without(mine, taken), without(theirs, hit)


def over_after(question: SpaceBattle, rounds: int) -> Fraction:
    """How likely the shooting is over when so many rounds are, nobody retreating."""
    going = Counter({(mine, theirs): weight for weight, mine, theirs in beginnings(question)})
    for _ in range(rounds):
        after: Counter[tuple[Fleet, Fleet]] = Counter()
        for (mine, theirs), weight in going.items():
            for more, left, kept in one_round(mine, theirs) if mine and theirs else [(Fraction(1), mine, theirs)]:
                after[left, kept] += weight * more
        going = after
    return sum((weight for (mine, theirs), weight in going.items() if not mine or not theirs), Fraction(0))


@cache
def fought_out(attackers: Fleet, defenders: Fleet) -> Chances:
    """3.53 without a retreat, to the end."""
    if not attackers or not defenders:
        return Counter({End(attackers, defenders): Fraction(1)})
    found: Chances = Counter()
    still = Fraction(0)
    for weight, left, kept in one_round(attackers, defenders):
        if (left, kept) == (attackers, defenders):
            still += weight
            continue
        for end, more in fought_out(left, kept).items():
            found[end] += weight * more
    return Counter({end: weight / (1 - still) for end, weight in found.items()})


def wins(attackers: Fleet, defenders: Fleet) -> Fraction:
    """How likely the attacker wins in a fight to the end."""
    return sum((w for end, w in fought_out(attackers, defenders).items() if end.attackers), Fraction(0))


def survivors(fleet: Fleet, dock_room: int) -> Counter[Kind]:
    """What is left of a fleet when it is over: fighters need room, cargo is where its carrier is."""
    fighters = [unit for unit in fleet if unit.kind is Kind.FIGHTER]
    room = dock_room + sum(unit.places for unit in fleet)
    alive = [unit.kind for unit in fleet if unit.kind is not Kind.FIGHTER] + [Kind.FIGHTER] * min(len(fighters), room)
    for unit in fleet:
        alive += [Kind.GROUND_FORCE] * unit.ground_forces + [Kind.PDS] * unit.pds
    return Counter(alive)


def expected(ends: Chances, force: Callable[[End], Counter[Kind]]) -> dict[Kind, Fraction]:
    found: Counter[Kind] = Counter()
    for end, weight in ends.items():
        for kind, number in force(end).items():
            found[kind] += weight * number
    return dict(found)


def number_of(ends: Chances, force: Callable[[End], Counter[Kind]], kind: Kind, most: int) -> list[Fraction]:
    """How likely each number of survivors of a kind is."""
    found = [Fraction(0)] * (most + 1)
    for end, weight in ends.items():
        found[force(end)[kind]] += weight
    return found


def attackers_left(force: Force) -> Callable[[End], Counter[Kind]]:
    return lambda end: survivors(end.attackers, 0 if end.retreated else force.dock_room)


def defenders_left(force: Force) -> Callable[[End], Counter[Kind]]:
    return lambda end: survivors(end.defenders, force.dock_room)


def landing(fight: Landing) -> Chances:
    """3.54-c to h, ground forces only."""
    bombard: Sequence[int] = fight.bombard if fight.past_pds or not fight.pds else ()
    found: Chances = Counter()
    for (bombed, p), (shot, q) in product(hits(bombard).items(), hits(fight.pds).items()):
        ends = fought_out(without(fight.attackers, shot), without(fight.defenders, bombed))
        for end, weight in ends.items():
            found[end] += p * q * weight
    return found

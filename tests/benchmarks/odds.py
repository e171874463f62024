"""Exact odds beside a Monte Carlo of the same battle, both in plain Python."""

from collections.abc import Iterator
from contextlib import suppress
from random import Random

from rules_core.errors import RuleViolation
from rules_core.odds import Force, Retreat, SpaceBattle, best_order, space_battle, unit
from rules_core.units import Kind, load_ruleset
from tests.benchmarks.measure import Result, milliseconds

RUNS = 20_000
CLASSIC = load_ruleset("classic")


def fleet(dreadnoughts: int, cruisers: int, carriers: int, fighters: int) -> Force:
    numbers = {
        Kind.DREADNOUGHT: dreadnoughts,
        Kind.CRUISER: cruisers,
        Kind.CARRIER: carriers,
        Kind.FIGHTER: fighters,
    }
    units = (unit(CLASSIC.profile(kind, ())) for kind, number in numbers.items() for _ in range(number))
    return Force(tuple(units)).losing(())


THIRTEEN = SpaceBattle(fleet(3, 5, 2, 3), fleet(2, 6, 2, 3))
THIRTY = SpaceBattle(fleet(6, 12, 4, 8), fleet(5, 13, 4, 8))
HUNDREDS = SpaceBattle(fleet(60, 70, 40, 80), fleet(60, 70, 40, 80))
FIVE_HUNDRED = SpaceBattle(fleet(100, 200, 50, 150), fleet(100, 200, 50, 150))


def simulated(battle: SpaceBattle, runs: int, random: Random) -> float:
    """How often the attacker wins in so many battles played with dice."""
    mine = [each.hits_on for each in battle.attacker.units]
    theirs = [each.hits_on for each in battle.defender.units]
    return sum(_attacker_wins(mine, theirs, random.random) for _ in range(runs)) / runs


def _attacker_wins(mine: list[int], theirs: list[int], random) -> bool:
    while mine and theirs:
        hits = sum(int(random() * 10) + 1 >= needed for needed in mine)
        taken = sum(int(random() * 10) + 1 >= needed for needed in theirs)
        mine, theirs = mine[taken:], theirs[hits:]
    return bool(mine)


def measured() -> Iterator[Result]:
    for key, battle, goal in (("13", THIRTEEN, "<= 2"), ("30", THIRTY, "<= 25")):
        exact = milliseconds(lambda battle=battle: space_battle(battle), 50, warm=5)
        simulation = milliseconds(lambda battle=battle: simulated(battle, RUNS, Random(2)), 1, warm=0)
        error = abs(simulated(battle, RUNS, Random(2)) - space_battle(battle).attacker_wins)
        yield Result(f"odds_{key}_against_{key}_ms", exact, "ms", goal)
        yield Result(f"odds_{key}_against_{key}_monte_carlo_ms", simulation, "ms", f"{RUNS} runs")
        yield Result(f"odds_{key}_against_{key}_monte_carlo_error", error * 100, "points")
        yield Result(f"odds_{key}_against_{key}_times_faster", simulation / exact, "times", ">= 50")
    by_rounds = milliseconds(lambda: space_battle(THIRTY, by_rounds=True), 5)
    yield Result("odds_30_against_30_by_rounds_ms", by_rounds, "ms")
    retreating = SpaceBattle(THIRTY.attacker, THIRTY.defender, retreat=Retreat(odds_below=0.4))
    yield Result("odds_30_against_30_retreat_ms", milliseconds(lambda: space_battle(retreating), 5), "ms")
    yield Result("odds_13_against_13_best_order_ms", milliseconds(lambda: best_order(THIRTEEN, "attacker"), 5), "ms")
    yield Result("odds_250_against_250_ms", milliseconds(lambda: space_battle(HUNDREDS), 1), "ms")
    yield Result("odds_500_against_500_ms", milliseconds(_five_hundred, 1), "ms", "an answer, or too large")


def _five_hundred() -> None:
    with suppress(RuleViolation):
        space_battle(FIVE_HUNDRED)

"""The odds against an oracle that plays the rules on whole fleets in fractions: equal to 1e-12."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_core import odds
from rules_core.odds import Force, Landing, Retreat, SpaceBattle
from rules_core.units import Kind
from tests.odds import oracle
from tests.odds.fleets import battles, fleet, forces, ground_forces, half_exposed, one, retreats

EXACT = 1e-12


def close(found: float, right: Fraction) -> bool:
    return abs(Fraction(found) - right) <= Fraction(EXACT)


def same(question: SpaceBattle, found: odds.Odds, ends: oracle.Chances) -> None:
    """Every number in the answer is the oracle's."""
    stayed = {end: weight for end, weight in ends.items() if not end.retreated}
    assert close(found.attacker_wins, sum(w for e, w in stayed.items() if e.attackers and not e.defenders))
    assert close(found.defender_wins, sum(w for e, w in stayed.items() if e.defenders and not e.attackers))
    assert close(found.both_destroyed, sum(w for e, w in stayed.items() if not e.attackers and not e.defenders))
    assert close(found.retreats, sum(w for e, w in ends.items() if e.retreated))
    for counts, left in (
        (found.attacker, oracle.attackers_left(question.attacker)),
        (found.defender, oracle.defenders_left(question.defender)),
    ):
        for kind, row in counts.items():
            right = oracle.number_of(ends, left, kind, len(row) - 1)
            assert all(map(close, row, right)), (kind, row, right)
        right_mean = oracle.expected(ends, left)
        assert all(close(mean, right_mean.get(kind, Fraction(0))) for kind, mean in odds.expected(counts).items())
        assert set(right_mean) <= set(counts)
    for row, total, gone in (
        (found.attacker_hits, len(question.attacker.units), lambda end: end.attackers),
        (found.defender_hits, len(question.defender.units), lambda end: end.defenders),
    ):
        for number, hit in enumerate(row):
            assert close(hit, sum(w for end, w in ends.items() if total - len(gone(end)) == number))


def sums_to_one(found: odds.Odds) -> None:
    outcomes = found.attacker_wins + found.defender_wins + found.both_destroyed + found.retreats
    rows = [found.attacker_hits, found.defender_hits, *found.attacker.values(), *found.defender.values()]
    rows += [found.round_chances] if found.round_chances else []
    assert abs(outcomes - 1) <= EXACT
    assert all(abs(sum(row) - 1) <= EXACT and min(row) >= 0 for row in rows)


@given(battles)
@settings(max_examples=150, deadline=None)
def test_a_battle_to_the_end(question: SpaceBattle) -> None:
    found = odds.space_battle(question)
    same(question, found, oracle.battle(question))
    sums_to_one(found)


@given(battles, retreats, st.booleans())
@settings(max_examples=60, deadline=None)
def test_a_battle_with_a_retreat(question: SpaceBattle, rule: Retreat, after_round: bool) -> None:
    question = replace(question, retreat=rule, after_round=after_round)
    found = odds.space_battle(question)
    same(question, found, oracle.battle(question))
    sums_to_one(found)


@pytest.mark.parametrize("rule", [Retreat(1), Retreat(below_ships=3), Retreat(odds_below=0.5)])
@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (fleet("dcff"), fleet("ccc")),  # 3.53-k: the fighters that are left at the end cannot retreat alone
        (fleet("kcffdd", dock_room=1), fleet("ddc")),  # 3.53-k: a dock is left behind
        (fleet("ffkd", dock_room=2), fleet("fffk", dock_room=1)),
    ],
)
def test_who_may_retreat_and_with_what(mine: Force, theirs: Force, rule: Retreat) -> None:
    question = SpaceBattle(mine, theirs, retreat=rule)
    found = odds.space_battle(question)
    assert 0 < found.retreats < 1
    same(question, found, oracle.battle(question))
    sums_to_one(found)


@given(st.lists(half_exposed, max_size=4), forces, st.lists(st.integers(1, 10), max_size=3), st.booleans())
@settings(max_examples=60, deadline=None)
def test_pds_that_pass_over_units(mine: list, theirs: Force, pds: list[int], cannon: bool) -> None:
    """3.53-c, option `pds_targets: moved`: losses are chosen among the ships that moved."""
    question = SpaceBattle(Force(tuple(mine)), theirs, tuple(pds), cannon)
    found = odds.space_battle(question, by_rounds=True)
    same(question, found, oracle.battle(question))
    sums_to_one(found)


def test_the_number_of_rounds() -> None:
    question = SpaceBattle(fleet("fcd"), fleet("kcc"), pds=(6,), cannon=True)
    found = odds.space_battle(question, by_rounds=True)
    over = [Fraction(0), *(oracle.over_after(question, rounds) for rounds in range(6))]
    each = [now - before for before, now in pairwise(over)]
    assert all(map(close, found.round_chances, each))
    assert abs(found.rounds - odds.space_battle(question).rounds) <= EXACT
    sums_to_one(found)


@given(*[st.lists(ground_forces, max_size=4)] * 2, *[st.lists(st.integers(1, 10), max_size=2)] * 2)
@settings(max_examples=60, deadline=None)
def test_a_landing(mine: list, theirs: list, pds: list[int], bombard: list[int]) -> None:
    for past_pds in (False, True):
        fight = Landing(tuple(mine), tuple(theirs), tuple(pds), tuple(bombard), past_pds, landing_pds=2)
        found, ends = odds.landing(fight), oracle.landing(fight)
        won = sum(w for end, w in ends.items() if end.attackers and not end.defenders)
        assert close(found.attacker_wins, won)
        assert close(found.both_destroyed, sum(w for e, w in ends.items() if not e.attackers and not e.defenders))
        # 3.54-i, h: PDS that landed live with the winner, those of the planet with the defender.
        lost = found.defender_wins + found.both_destroyed
        assert found.attacker[Kind.PDS] == (lost, 0, found.attacker_wins)
        assert not pds or found.defender[Kind.PDS][-1] == lost
        sums_to_one(found)


@pytest.mark.parametrize("side", ["attacker", "defender"])
def test_the_best_order_of_kinds(side: str) -> None:
    """No other order of the kinds wins more often."""
    question = SpaceBattle(fleet("dkcff", dock_room=1), fleet("kkdcf"), pds=(6,), cannon=True)
    best = odds.best_order(question, side)  # type: ignore[arg-type]
    force = getattr(question, side)
    assert set(best) == set(force.kinds)

    def wins(order: tuple[Kind, ...]) -> float:
        found = odds.space_battle(replace(question, **{side: force.losing(order)}))
        return getattr(found, f"{side}_wins")

    assert all(wins(order) <= wins(best) + EXACT for order in permutations(force.kinds))


def test_the_order_of_losses_matters() -> None:
    question = SpaceBattle(fleet("ddcccff"), fleet("ffcccdd"))
    worst = odds.space_battle(question).attacker_wins
    best = odds.space_battle(replace(question, attacker=question.attacker.losing(()))).attacker_wins
    assert worst < best / 2


def test_loaded_carriers_go_last_of_their_kind() -> None:
    force = Force((one(Kind.CARRIER, 3), one(Kind.CARRIER), one(Kind.CARRIER, 1, 2))).losing(())
    assert [(each.ground_forces, each.pds) for each in force.units] == [(0, 0), (1, 2), (3, 0)]

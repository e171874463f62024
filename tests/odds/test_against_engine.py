"""The odds against the rules themselves: the same battle played many times with sealed dice, all from fixed secrets."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from math import sqrt

import pytest

from rules_core import commands as cmd
from rules_core import events as ev
from rules_core.apply import fold
from rules_core.decide import decide
from rules_core.dice import SealedDice
from rules_core.forecast import battle_at
from rules_core.odds import Counts, Landing, Retreat, landing, space_battle, unit
from rules_core.state import State
from rules_core.units import Kind
from tests.rules.play import board, planet, play

GAMES = 400
# So many standard deviations are passed by chance once in 15,000 comparisons; the secrets are fixed, so never.
FAR = 4
ORDER = {"losses": ["fighter", "cruiser", "carrier", "dreadnought"]}


def dice(game: int) -> SealedDice:
    return SealedDice(game.to_bytes(32, "big"))


def played(state: State, command: Callable[[State], cmd.Command]) -> list[tuple[State, tuple[ev.Event, ...]]]:
    """The state after the same command under many secrets, and what happened."""
    ends = []
    for game in range(GAMES):
        events = decide(state, command(state), dice(game))
        ends.append((fold(state, events), events))
    return ends


def compare(chance: float, times: int) -> None:
    spread = sqrt(GAMES * chance * (1 - chance))
    assert abs(times - GAMES * chance) <= FAR * spread + 1e-6, (times, GAMES * chance, spread)


def compare_survivors(counts: Counts, found: list[Counter[Kind]]) -> None:
    for kind, row in counts.items():
        for number, chance in enumerate(row):
            compare(chance, sum(each[kind] == number for each in found))


def in_space(state: State, at: str, owner: str) -> Counter[Kind]:
    ships = state.ships_at(at, owner)
    alive = Counter(ship.kind for ship in ships)
    alive[Kind.FIGHTER] = state.fighters_at(at, owner)
    alive[Kind.GROUND_FORCE] = sum(ship.ground_forces for ship in ships)
    alive[Kind.PDS] = sum(ship.pds for ship in ships)
    return alive


def rounds(events: tuple[ev.Event, ...]) -> int:
    return max((e.volley for e in events if isinstance(e, ev.BattleAdvanced)), default=0)


@pytest.mark.parametrize(
    ("red", "blue", "retreat", "rule"),
    [
        ("2 dreadnoughts, 3 cruisers, carrier+2gf, 3 fighters", "dreadnought, 4 cruisers, 4 fighters", "never", None),
        ("3 cruisers, 2 carriers+1gf+1pds, 6 fighters", "2 dreadnoughts, carrier, 5 fighters", "never", None),
        (
            "dreadnought, 4 cruisers, carrier, 5 fighters",
            "2 dreadnoughts, 2 cruisers",
            "below 4 ships",
            Retreat(below_ships=4),
        ),
    ],
)
def test_a_space_battle(red: str, blue: str, retreat: str, rule: Retreat | None) -> None:
    state = board(
        planet("Hearth", "101", "blue", pds=2, dock=True),
        red={"201": red},
        blue={"101": blue},
        tech={"red": ["assault_cannon", "cybernetics"], "blue": ["hylar_v_assault_laser"]},
        standing={"red": {**ORDER, "retreat": retreat}, "blue": ORDER},
    )
    moved = play(state).move("all", "201", "101").state
    odds = space_battle(replace(battle_at(moved, "101"), retreat=rule), by_rounds=True)
    ends = played(moved, lambda _: cmd.Done("red"))
    left = [any(isinstance(event, ev.FleetRetreated) for event in events) for _, events in ends]
    compare(odds.retreats, sum(left))
    compare_survivors(
        odds.attacker,
        [in_space(after, "201" if gone else "101", "red") for (after, _), gone in zip(ends, left, strict=True)],
    )
    compare_survivors(odds.defender, [in_space(after, "101", "blue") for after, _ in ends])
    stayed = [events for (_, events), gone in zip(ends, left, strict=True) if not gone]
    shot = Counter(last_standing(events, moved) for events in stayed)
    for owners, chance in (
        (("red",), odds.attacker_wins),
        (("blue",), odds.defender_wins),
        ((), odds.both_destroyed),
    ):
        compare(chance, shot[owners])
    for number, chance in enumerate(odds.round_chances):
        compare(chance, sum(rounds(events) == number for _, events in ends))


def last_standing(events: tuple[ev.Event, ...], state: State) -> tuple[str, ...]:
    """Who had anything there when the shooting ended: before fighters without room went."""
    for number, event in enumerate(events):
        if isinstance(event, ev.FightersLost | ev.BattleEnded):
            return fold(state, events[:number]).space_owners("101")
    raise AssertionError("the battle did not end")


def test_a_landing() -> None:
    state = board(
        planet("Hearth", "101", "blue", gf=4, pds=1),
        red={"101": "2 dreadnoughts, 2 carriers+3gf+1pds"},
        tech={"red": ["graviton_negator"]},
        standing={"red": ORDER, "blue": {"pds": {"default": "hold"}}},
    )
    table = play(state).done().bombard("Hearth").land("Hearth", "all")
    force = unit(state.profile(Kind.GROUND_FORCE, "red"))
    odds = landing(Landing((force,) * 6, (force,) * 4, (6,), (4, 4), past_pds=True, landing_pds=2))
    ends = [after for after, _ in played(table.state, lambda _: cmd.Invade("red"))]
    won = [after.planets["Hearth"].owner == "red" for after in ends]
    compare(odds.attacker_wins, sum(won))
    on_planet = [
        Counter({Kind.GROUND_FORCE: p.ground_forces, Kind.PDS: p.pds}) for p in (a.planets["Hearth"] for a in ends)
    ]
    compare_survivors(odds.attacker, [here if mine else Counter() for here, mine in zip(on_planet, won, strict=True)])
    compare_survivors(odds.defender, [Counter() if mine else here for here, mine in zip(on_planet, won, strict=True)])


def test_pds_that_spare_what_stood_there() -> None:
    """`pds_targets: moved`: 3.53-c, the losses pass over ships that did not move."""
    state = board(
        planet("Hearth", "101", "blue", pds=3),
        red={"201": "cruiser, dreadnought", "101": "2 cruisers"},
        blue={"101": "2 cruisers"},
        options={"pds_targets": "moved"},
        standing={"red": {**ORDER, "retreat": "never"}, "blue": ORDER},
    )
    moved = play(state).move("all", "201", "101").state
    ends = played(moved, lambda _: cmd.Done("red"))
    odds = space_battle(battle_at(moved, "101"))
    compare_survivors(odds.attacker, [in_space(after, "101", "red") for after, _ in ends])

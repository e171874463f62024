"""`starpost odds`: what it answers, as text and as JSON, and what it says to what it cannot read."""

import json
from fractions import Fraction

import pytest

from bot.cli import main
from rules_core.odds import Force, SpaceBattle
from rules_core.units import Kind
from tests.odds import oracle
from tests.odds.fleets import fleet, one


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict:
    assert main(["odds", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_battle_as_json(capsys) -> None:
    found = asked(
        capsys,
        *("--attacker", "dreadnought, carrier + 2 ground forces, 2 fighters"),
        *("--defender", "2 cruisers, 2 fighters"),
        *("--attacker-technologies", "assault_cannon", "--pds", "1", "--fighter-room", "1"),
        *("--attacker-losses", "carrier, fighter", "--defender-losses", "cruiser"),
    )
    mine = Force((one(Kind.CARRIER, 2), one(Kind.FIGHTER), one(Kind.FIGHTER), one(Kind.DREADNOUGHT)))
    question = SpaceBattle(mine, fleet("ccff", dock_room=1), (6,), cannon=True)
    ends = oracle.battle(question)
    won = sum(weight for end, weight in ends.items() if end.attackers and not end.defenders)
    assert found["attacker_wins"] == pytest.approx(float(won), abs=1e-12)
    outcomes = [found[key] for key in ("attacker_wins", "defender_wins", "both_destroyed", "retreats")]
    assert sum(outcomes) == pytest.approx(1, abs=1e-12)
    assert found["retreats"] == 0
    for key, left in (
        ("attacker_survivors", oracle.attackers_left(question.attacker)),
        ("defender_survivors", oracle.defenders_left(question.defender)),
    ):
        right = oracle.expected(ends, left)
        assert found[key] == {
            kind: pytest.approx(float(right.get(Kind(kind), Fraction(0))), abs=1e-12) for kind in found[key]
        }
    assert set(found["attacker_survivors"]) == {"carrier", "fighter", "dreadnought", "ground_force"}
    assert found["attacker_losses"] == ["carrier", "fighter", "dreadnought"]
    assert found["rounds"] > 1


def test_technologies_of_both_sides(capsys) -> None:
    """A cruiser with the laser hits on 7."""
    battle = ("--attacker", "cruiser", "--defender", "cruiser")
    plain = asked(capsys, *battle)
    better = asked(capsys, *battle, "--attacker-technologies", "hylar_v_assault_laser, cybernetics")
    worse = asked(capsys, *battle, "--defender-technologies", "Hylar V Assault Laser")
    assert better["attacker_wins"] == pytest.approx(worse["defender_wins"])
    assert better["attacker_wins"] > plain["attacker_wins"] == pytest.approx(plain["defender_wins"])


def test_a_retreat_rule(capsys) -> None:
    found = asked(capsys, "--attacker", "3 cruisers", "--defender", "2 dreadnoughts", "--retreat", "after 1 round")
    assert found["rounds"] == pytest.approx(1)
    assert found["retreats"] > 0.4


def test_the_best_order(capsys) -> None:
    battle = ("--attacker", "2 dreadnoughts, 3 cruisers, 2 carriers", "--defender", "2 dreadnoughts, 4 cruisers")
    plain = asked(capsys, *battle, "--attacker-losses", "dreadnought")
    best = asked(capsys, *battle, "--attacker-losses", "best")
    assert best["attacker_losses"] == ["carrier", "cruiser", "dreadnought"]
    assert best["attacker_wins"] > plain["attacker_wins"]


def test_a_landing_as_json(capsys) -> None:
    landing = ("--land", "3", "--defenders", "2", "--pds", "1", "--bombard", "2")
    found = asked(capsys, *landing)
    assert found["attacker_wins"] + found["defender_wins"] + found["both_destroyed"] == pytest.approx(1, abs=1e-12)
    assert set(found["attacker_survivors"]) == {"ground_force"}
    assert set(found["defender_survivors"]) == {"ground_force", "pds"}
    # 3.54-d: PDS bar the bombardment, unless there is the graviton negator.
    assert asked(capsys, *landing, "--graviton-negator")["attacker_wins"] > found["attacker_wins"]
    assert asked(capsys, *landing[:6]) == found


def test_pds_alone(capsys) -> None:
    found = asked(capsys, "--attacker", "cruiser", "--pds", "1")
    assert (found["attacker_wins"], found["rounds"]) == (0.5, 0)


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize(
    "question",
    [
        ("--attacker", "2 dreadnoughts, carrier, 4 fighters", "--defender", "5 cruisers", "--pds", "1"),
        ("--land", "3", "--defenders", "3", "--pds", "1"),
    ],
)
def test_in_words(capsys, language: str, question: tuple[str, ...]) -> None:
    assert main(["odds", *question, "--language", language]) == 0
    said = capsys.readouterr().out
    assert said.count("%") >= 3
    assert ("평균" in said) is (language == "ko")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((), "--attacker"),
        (("--attacker", "cruiser", "--land", "3"), "--land"),
        (("--attacker", "2 bananas"), "2 bananas"),
        (("--attacker", "all"), "Odds of what"),
        (("--attacker", "space dock"), "space dock"),
        (("--attacker", "cruiser", "--attacker-technologies", "warp"), "warp"),
        (("--attacker", "cruiser", "--attacker-losses", "pds"), "PDS"),
        (("--attacker", "carrier + 6 ground forces"), "no room"),
        (("--attacker", "cruiser", "--pds", "-1"), "--pds"),
        (("--attacker", "cruiser", "--pds", "1000"), "--pds"),
        (("--attacker", "cruiser", "--retreat", "soon"), "soon"),
        (("--attacker", "500 cruisers", "--defender", "500 cruisers"), "too large"),
    ],
)
def test_what_cannot_be_answered_is_one_clear_line(capsys, arguments: tuple[str, ...], named: str) -> None:
    assert main(["odds", *arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert named in told.err
    assert len(told.err.splitlines()) == 1

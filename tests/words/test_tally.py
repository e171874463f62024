"""What who acts is told of his battles: the hits and losses that the posts tell, and no choice that was none."""

from collections import defaultdict

import pytest

from bot.phrases import LANGUAGES, phrases
from bot.presenter import private
from bot.report import fleet
from rules_core import events as ev
from rules_core.state import Ship

from .table import POSITION, Table, random_game


def test_done_tells_what_the_battle_came_to() -> None:
    table = Table("en", [9, 1, 9, 1])
    table.type("red", "move", units="2 cruisers", from_="000", to="104")
    table.type("red", "done")
    assert table.privately[-1].splitlines()[:2] == [
        "Your movement step is over.",
        "Battle in 104: Emberfolk scored 1 hit, lost 1 cruiser; Mossborn scored 1 hit, lost 1 cruiser.",
    ]


def test_while_losses_are_chosen_only_hits_are_told() -> None:
    table = Table("en", [1, 1, 9, 1, 1, 1, 1, 1, 1, 9, 1, 1, 1, 1, 1, 1])
    table.type("red", "move", units="2 cruisers, dreadnought", from_="000", to="101")
    table.type("red", "done")
    line = next(line for line in table.privately[-1].splitlines() if line.startswith("Battle in 101"))
    assert "scored" in line
    assert "lost none" not in line


def test_losses_without_a_choice_are_not_said_to_be_chosen() -> None:
    table = Table("en", [1, 9, 9, 1, 1, 1, 1])
    table.type("red", "move", units="cruiser", from_="000", to="101")
    table.type("red", "done")
    assert table.privately[-1].splitlines()[1:4] == [
        "PDS fire in 101 (Tide, Bare): Emberfolk lost none; 조수단 scored 0 hits.",
        "Lost in 101: 1 cruiser.",
        "Battle in 101 (Tide, Bare): Emberfolk scored 1 hit; 조수단 scored 1 hit.",
    ]


def test_pds_fire_without_a_fleet_is_called_no_battle() -> None:
    position = {
        **POSITION,
        "systems": [{**system, "units": {}} if system["at"] == "101" else system for system in POSITION["systems"]],
    }
    table = Table("en", [9], position)
    table.type("red", "move", units="cruiser", from_="000", to="101")
    table.type("red", "done")
    assert "PDS fire in 101 (Tide, Bare): Emberfolk lost 1 cruiser; 조수단 scored 1 hit." in table.privately[-1]


def test_what_pds_hit_and_what_the_battle_cost_are_told_apart() -> None:
    """Both sides fire once more after the choice: its loss is none of theirs."""
    table = Table("en", [9, 9, 9, 1, 1, 1, 1, 1])
    table.type("red", "move", units="2 cruisers, dreadnought", from_="000", to="101")
    table.type("red", "done")
    assert table.privately[-1].splitlines()[1] == "PDS fire in 101 (Tide, Bare): 조수단 scored 1 hit."
    table.type("red", "losses", units="1 cruiser")
    told = table.privately[-1].splitlines()
    assert told[:2] == ["Chosen in 101: 1 cruiser.", "PDS fire in 101 (Tide, Bare): Emberfolk lost 1 cruiser."]
    assert told[2].startswith("Battle in 101 (Tide, Bare): Emberfolk scored")
    assert "1 cruiser" not in told[2]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_loss_in_space_is_told_to_who_acts(language: str, seed: int) -> None:
    tongue = "ko" if language == "ko" else "en"
    words = phrases(tongue)
    told = random_game(language, seed).followed
    lost_any = False
    for actor, before, events in told:
        text = private(before, events, actor, tongue)
        ships: dict[tuple[str, str], tuple[Ship, ...]] = defaultdict(tuple)
        fighters: dict[tuple[str, str], int] = defaultdict(int)
        for event in events:
            if isinstance(event, ev.UnitsDestroyed):
                ships[event.at, event.player] += event.ships
                fighters[event.at, event.player] += event.fighters
        for battle in ships:
            lost_any = True
            assert fleet(words, ships[battle], fighters[battle]) in text
        chose = any(isinstance(event, ev.LossesChosen) and event.cause is ev.Cause.CHOSEN for event in events)
        assert chose or not any(line.startswith(("Chosen in", "선택(")) for line in text.splitlines())
    assert lost_any

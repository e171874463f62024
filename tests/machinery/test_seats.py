"""Seats change hands at any moment; a restart at any moment finds the game as it was."""

import json
import random
from pathlib import Path

import pytest

from bot.files import first_steps
from rules_core import commands as cmd
from rules_core import events as ev
from rules_core import legal
from rules_core.errors import RuleViolation
from rules_core.history import REFEREE
from rules_core.pending import InvasionChoice, LossesChoice, MovementChoice, RetreatChoice, decisions
from rules_core.position import write_position
from tests.machinery.tools import Played, played


async def choose(now: Played, chance: random.Random) -> cmd.PlayerCommand:
    """Something that is possible now, for whoever is waited for; often that he is done."""
    state = (await now.service.load(now.game)).state
    possible = [each for each in legal.commands(state) if isinstance(each, cmd.PlayerCommand)]
    ends = [each for each in possible if isinstance(each, cmd.Done | cmd.Invade)]
    return chance.choice(ends if ends and chance.random() < 0.5 else possible)


async def test_at_every_kind_of_decision_a_seat_can_change_hands() -> None:
    kinds = [await hand_over(seed) for seed in range(8)]
    assert {MovementChoice, LossesChoice, RetreatChoice, InvasionChoice} <= set().union(*kinds)


async def hand_over(seed: int) -> set[type]:
    """Before each command its seat is vacated: the referee gives it, or somebody new who has just sat down."""
    chance, kinds = random.Random(seed), set[type]()
    position = json.loads(write_position(first_steps().start)) if seed % 2 else None
    async with played(position=position) as now:
        for user in range(100, 220):
            state = (await now.service.load(now.game)).state
            if state.phase is None:
                break
            kinds |= {type(each) for each in decisions(state)}
            command = await choose(now, chance)
            await now.service.seating.give(now.game, command.player, None)
            if user % 2:
                await now.service.seating.give(now.game, command.player, user)
                with pytest.raises(RuleViolation, match="not_yours_to_command"):
                    await now.service.execute(now.game, REFEREE, lambda _, wanted=command: wanted)
                await now.service.execute(now.game, command.player, lambda _, wanted=command: wanted)
            else:
                await now.service.execute(now.game, REFEREE, lambda _, wanted=command: wanted)
                row = await now.store.game(now.game)
                assert (await now.store.log.entry_with(now.game, row.head)).actor == REFEREE
    return kinds


@pytest.mark.parametrize("seed", range(3))
async def test_case_024_a_restart_before_each_command_starts_no_battle_twice(tmp_path: Path, seed: int) -> None:
    chance, path = random.Random(seed), tmp_path / "games.db"
    for _ in range(40):
        async with played(path) as now:
            if (await now.service.load(now.game)).state.phase is None:
                break
            command = await choose(now, chance)
            await now.service.execute(now.game, command.player, lambda _, wanted=command: wanted)
    async with played(path) as now:
        player, began = "", []
        for event in (await now.service.past.whole(now.game)).events:
            if isinstance(event, ev.PhaseBegan):
                player = event.player
            elif isinstance(event, ev.BattleBegan):
                began.append((player, event.at))
        assert len(began) == len(set(began))


async def test_two_seats_of_one_person_and_a_swap_keep_what_waits() -> None:
    async with played() as now:
        await now.service.seating.join(now.game, 11, "red")
        await now.service.seating.give(now.game, "blue", 11)
        await now.service.seating.swap(now.game, "red", "blue")
        assert [seat.user for seat in await now.store.seats(now.game)] == [11, 11]
        assert [(wait.player, wait.sent) for wait in await now.store.waits()] == [("red", 0)]

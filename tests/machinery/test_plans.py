"""Plans: private, tried out on the table, made one step, or dropped."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.menus import Draft
from bot.plans import Plan
from bot.script import read_line
from bot.seats import Speaker
from bot.table import Arguments, Record, Table, opened
from bot.tapping import tap
from rules_core.commands import MoveShips
from rules_core.position import write_position
from tests.machinery.tools import war

MOVE = "red: /move units: all from: 201 to: 101"
LAND = "red: /land planet: Azure units: 3 ground forces"
# Of a battle in which red, with all he has, destroys the defender in the first round.
WON = "10 10 1 1 1 1 1"


@asynccontextmanager
async def table(tmp_path: Path, dice: str = "") -> AsyncIterator[Table]:
    path = tmp_path / "war.json"
    path.write_text(json.dumps(war()), encoding="utf-8")
    async with opened(Arguments(position=path, script=path, dice=dice)) as found:
        yield found


async def follow(now: Table, *lines: str) -> list[Record]:
    return [await now.follow(read_line(line, number)) for number, line in enumerate(lines, 1)]


async def test_case_026_and_102_a_plan_changes_nothing_and_nobody_hears_of_it(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        before = await now.state()
        records = await follow(now, "red: /plan", MOVE, LAND, "red: /plan show")
        assert [record.ok for record in records] == [True] * 4
        assert [record.posts for record in records] == [()] * 4
        assert await now.state() == before
        seen = [await now.service.past.game_file(now.game), write_position(await now.state())]
        looks = ("units", "status", "order", "map", "since", "history", "help", "plan show")
        others = [f"{who}: /{look}" for who in ("blue", "referee") for look in looks]
        told = [
            record.text.replace("You have no plan open. /plan open begins one.", "")
            for record in await follow(now, *others)
        ]
        private = ("your plan", "landing on", "101 (", "1 move")
        assert not any(word in text.casefold() for word in private for text in (*seen, *told))


async def test_it_shows_the_battles_it_would_cause_and_their_odds(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        *_, shown = await follow(now, "red: /plan", MOVE, "red: /plan show")
        assert "only you see" in shown.text
        assert "101" in shown.text
        assert "%" in shown.text


async def test_committed_it_is_one_step_with_one_post(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        lines = ("red: /move units: cruiser from: 201 to: 202", "red: /move units: cruiser from: 201 to: 212")
        *_, done = await follow(now, "red: /plan", *lines, "red: /plan commit")
        assert len(done.posts) == 1
        assert len(await now.service.store.log.entries(now.game)) == 1
        assert len((await now.state()).ships_at("202", "red")) == 1
        (undone,) = await follow(now, "red: /undo")
        assert undone.ok
        assert len((await now.state()).ships_at("201", "red")) == 4


async def _plan_now(now: Table) -> Plan | None:
    planned = await now.service.plans.planned(now.game, "red")
    return planned and planned.plan


async def test_a_commit_that_is_undone_gives_the_plan_back_and_a_redo_carries_it_out_again(tmp_path: Path) -> None:
    """Move and landing are in it again, open as before; brought back, only the landing waits."""
    async with table(tmp_path) as now:
        await follow(now, "red: /plan", MOVE, LAND)
        before, start = await _plan_now(now), await now.state()
        await follow(now, "red: /plan commit")
        left, moved = await _plan_now(now), await now.state()
        (undone,) = await follow(now, "red: /undo")
        assert (await _plan_now(now), await now.state()) == (before, start)
        assert "Your plan" in undone.text
        await follow(now, "red: /redo")
        assert (await _plan_now(now), await now.state()) == (left, moved)
        # What everybody can have tells nothing of a plan.
        assert "Azure" not in "".join(post.text for post in undone.posts)


async def test_what_was_planned_since_a_commit_stays_behind_what_comes_back(tmp_path: Path) -> None:
    one, two = "red: /move units: cruiser from: 201 to: 202", "red: /move units: cruiser from: 201 to: 212"
    async with table(tmp_path) as now:
        await follow(now, "red: /plan", one, "red: /plan commit", "red: /plan", two, "red: /undo to: phase")
        plan = await _plan_now(now)
        assert plan is not None
        assert [move.waypoints for move in plan.moves if isinstance(move, MoveShips)] == [("202",), ("212",)]
        (again,) = await follow(now, "red: /redo")
        plan = await _plan_now(now)
        assert again.ok
        assert plan is not None
        assert [move.waypoints for move in plan.moves if isinstance(move, MoveShips)] == [("212",)]


async def test_bombardments_and_landings_come_back_into_the_plan_of_the_invasion_step(tmp_path: Path) -> None:
    async with table(tmp_path, WON) as now:
        await follow(now, MOVE, "red: /done", "red: /losses units: all", "red: /plan", LAND, "red: /plan commit")
        assert await _plan_now(now) is None
        await follow(now, "red: /undo")
        plan = await _plan_now(now)
        assert plan is not None
        assert len(plan.declarations) == 1
        (done,) = await follow(now, "red: /plan commit")
        assert done.ok


async def test_discarded_it_leaves_nothing_and_moves_take_effect_again(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        before = await now.state()
        await follow(now, "red: /plan", MOVE, "red: /plan discard")
        assert await now.state() == before
        await follow(now, MOVE)
        assert await now.state() != before


async def test_what_rolls_dice_or_ends_a_step_waits_for_the_plan(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        _, refused = await follow(now, "red: /plan", "red: /done")
        assert not refused.ok
        assert "/plan commit" in refused.text


async def test_undo_takes_the_last_command_out_of_the_plan(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        lines = ("red: /move units: cruiser from: 201 to: 202", "red: /move units: cruiser from: 201 to: 212")
        await follow(now, "red: /plan", *lines, "red: /undo", "red: /plan commit")
        state = await now.state()
        assert (len(state.ships_at("202", "red")), len(state.ships_at("212", "red"))) == (1, 0)


async def test_a_plan_must_obey_the_rules_as_it_goes(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        *_, refused = await follow(now, "red: /plan", MOVE, MOVE)
        assert not refused.ok


async def test_a_plan_of_a_step_that_is_over_is_void(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        await follow(now, "red: /plan", "red: /move units: cruiser from: 201 to: 202")
        await follow(now, "referee: /referee skip", "blue: /done", "referee: /referee next-round", "blue: /done")
        moved = await follow(now, "red: /move units: cruiser from: 201 to: 212")
        assert len(moved[0].posts) == 1


async def test_only_who_acts_can_plan(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        blue, shown = await follow(now, "blue: /plan", "red: /plan show")
        assert not blue.ok
        assert not shown.ok


async def test_menus_lead_through_the_table_as_it_is_planned(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        before = await now.state()
        await follow(now, "red: /plan", "red: /move units: 2 cruisers from: 201 to: 202")
        shown = await tap(now.service, now.game, Speaker("red", "red"), 0, Draft("move"), "en")
        assert shown.menu is not None
        assert {pick.draft.place for pick in shown.menu.lists[0].picks} == {"201", "202"}
        assert await now.state() == before


async def test_case_045_an_open_plan_is_named_to_its_owner_alone(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        red, blue = (await follow(now, "red: /plan", MOVE, "red: /status", "blue: /status"))[2:]
        assert "Your plan is open" in red.text
        assert "/plan commit carries it out, not before" in red.text
        assert "plan" not in blue.text
        (reminder,) = (await follow(now, "clock: +1d"))[0].posts
        assert "plan" not in reminder.text


# ---- landings and bombardments, planned before the battles


async def test_a_landing_planned_before_the_battle_is_declared_after_it(tmp_path: Path) -> None:
    async with table(tmp_path, f"{WON} 10 1 1 1") as now:
        *_, shown, committed, ended = await follow(
            now, "red: /plan", MOVE, LAND, "red: /plan show", "red: /plan commit", "red: /done"
        )
        assert "landing on Azure with 3 ground forces" in shown.text
        assert "Landing on Azure: the planet is taken 98.2 %" in shown.text
        assert "waits for the invasion step" in committed.text
        assert "Your plan still holds" in ended.text
        declared, invaded = await follow(now, "red: /plan commit", "red: /invade")
        assert "Declared: landing on Azure: 3 ground forces." in declared.text
        assert invaded.ok
        assert (await now.state()).planets["Azure"].owner == "red"
        everybody_reads = "\n".join(post.text for record in (shown, committed, declared) for post in record.posts)
        assert "Azure" not in everybody_reads


async def test_what_is_kept_bars_neither_an_undo_nor_a_redo(tmp_path: Path) -> None:
    async with table(tmp_path, WON) as now:
        records = await follow(
            now, "red: /plan", MOVE, LAND, "red: /plan commit", "red: /undo", "red: /redo", "red: /done"
        )
        assert all(record.ok for record in records)
        assert "Your plan still holds" in records[-1].text


async def test_a_landing_needs_what_would_be_there(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        _, too_early, _, too_many, no_dreadnought = await follow(
            now,
            *("red: /plan", LAND, MOVE),
            *("red: /land planet: Azure units: 4 ground forces", "red: /bombard planet: Azure"),
        )
        assert (too_early.ok, too_many.ok) == (False, False)
        assert "3 wanted, 0 there" in too_early.text
        assert "4 wanted, 3 there" in too_many.text
        assert (no_dreadnought.ok, no_dreadnought.clause) == (False, "3.54-c")


async def test_a_move_cannot_take_away_what_is_planned_to_land(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        at_home = "red: /land planet: Hearth units: 3 ground forces"
        *_, refused, shown = await follow(now, "red: /plan", at_home, MOVE, "red: /plan show")
        assert not refused.ok
        assert "Hearth" in refused.text
        assert "landing on Hearth" in shown.text
        assert "101" not in shown.text


async def test_what_a_battle_made_impossible_is_told_with_the_clause(tmp_path: Path) -> None:
    async with table(tmp_path, "1 1 1 1 1 10 10") as now:
        lost = "red: /losses units: carrier 1, fighter"
        *_, hit = await follow(now, "red: /plan", MOVE, LAND, "red: /plan commit", "red: /done", lost)
        shown, status = await follow(now, "red: /plan show", "red: /status")
        for record in (hit, shown, status):
            assert "Not possible as things stand:\n- landing on Azure with 3 ground forces." in record.text
            assert "(3.54-a)" in record.text


async def test_what_was_left_of_a_plan_when_its_phase_ended_is_told_to_its_owner_alone(tmp_path: Path) -> None:
    async with table(tmp_path, WON) as now:
        *_, ended = await follow(now, "red: /plan", MOVE, LAND, "red: /plan commit", "red: /done", "red: /done")
        mine, theirs = await follow(now, "red: /since", "blue: /since")
        for record in (ended, mine):
            assert "this was not carried out:\n- landing on Azure with 3 ground forces." in record.text
        assert "landing" not in theirs.text
        assert "landing" not in "\n".join(post.text for post in ended.posts)


async def test_a_fleet_that_is_lost_takes_its_landing_with_it_and_that_is_told(tmp_path: Path) -> None:
    one = "red: /move units: carrier 1 from: 201 to: 101"
    async with table(tmp_path, "1 10 1") as now:
        *_, ended = await follow(now, "red: /plan", one, LAND, "red: /plan commit", "red: /done")
        assert "not carried out:\n- landing on Azure with 3 ground forces. A ship that was to take part" in ended.text


async def test_a_plan_that_waits_can_be_gone_on_with(tmp_path: Path) -> None:
    async with table(tmp_path, WON) as now:
        waits, again, added = (
            await follow(
                now,
                *("red: /plan", MOVE, LAND, "red: /plan commit"),
                *("red: /plan commit", "red: /plan open", "red: /load units: 2 ground forces at: 201"),
            )
        )[-3:]
        assert (waits.ok, waits.clause) == (False, "3.51-e")
        assert again.ok
        assert not added.ok  # no ship is left there
        (shown,) = await follow(now, "red: /plan show")
        assert "landing on Azure" in shown.text


async def test_a_plan_whose_step_ended_without_it_is_not_lost(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        at_home = "red: /land planet: Hearth units: 3 ground forces"
        moved = "red: /move units: cruiser from: 201 to: 202"
        passes = ("referee: /referee settings deadline: 1 then: pass", "clock: +1h")
        records = await follow(now, "red: /plan", moved, at_home, *passes, "red: /plan show", "red: /plan commit")
        shown, committed = records[-2:]
        assert "ship from 201 to 202" in shown.text
        assert "(3.51-e)" in shown.text
        assert "is dropped:\n- 1 ship from 201 to 202" in committed.text
        assert "Declared: landing on Hearth" in committed.text


async def test_a_plan_kept_by_an_older_version_is_open_where_it_was(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        await now.service.store.set_plan(now.game, "red", '{"step": "1/red/1/movement", "commands": []}')
        moved, shown = await follow(now, MOVE, "red: /plan show")
        assert moved.posts == ()
        assert "1 move" in shown.text


async def test_while_the_game_is_paused_a_plan_is_neither_carried_out_nor_lost(tmp_path: Path) -> None:
    async with table(tmp_path, WON) as now:
        await follow(now, "red: /plan", MOVE, LAND, "red: /plan commit", "red: /done", "referee: /referee pause")
        (refused,) = await follow(now, "red: /plan commit")
        assert not refused.ok
        *_, declared = await follow(now, "referee: /referee resume", "red: /plan commit")
        assert "Declared: landing on Azure" in declared.text


async def test_a_plan_goes_with_who_leaves_his_seat(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        await follow(now, "red: /plan", MOVE)
        await now.service.seating.give(now.game, "red", 12)
        shown, status = await follow(now, "red: /plan show", "red: /status")
        assert not shown.ok
        assert "plan" not in status.text


async def test_an_empty_plan_has_nothing_to_take_out(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        *_, refused = await follow(now, "red: /move units: cruiser from: 201 to: 202", "red: /plan", "red: /undo")
        assert not refused.ok
        assert len((await now.state()).ships_at("202", "red")) == 1


async def test_completion_at_the_table_looks_at_what_is_planned(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        await follow(now, "red: /plan", MOVE)
        assert "Azure" in [each.text for each in await now.suggestions("red: /land planet: ")]
        assert [each.text for each in await now.suggestions("red: /move units: 1 cruiser from: ")] == []

"""Plans: private, tried out on the table, made one step, or dropped."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.menus import Draft
from bot.script import read_line
from bot.seats import Speaker
from bot.table import Arguments, Record, Table, opened
from bot.tapping import tap
from rules_core.position import write_position
from tests.machinery.tools import war

MOVE = "red: /move units: all from: 201 to: 101"


@asynccontextmanager
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    path = tmp_path / "war.json"
    path.write_text(json.dumps(war()), encoding="utf-8")
    async with opened(Arguments(position=path, script=path)) as found:
        yield found


async def follow(now: Table, *lines: str) -> list[Record]:
    return [await now.follow(read_line(line, number)) for number, line in enumerate(lines, 1)]


async def test_case_026_and_102_a_plan_changes_nothing_and_nobody_hears_of_it(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        before = await now.state()
        records = await follow(now, "red: /plan", MOVE, "red: /plan show")
        assert [record.ok for record in records] == [True] * 3
        assert [record.posts for record in records] == [()] * 3
        assert await now.state() == before
        seen = [await now.service.game_file(now.game), write_position(await now.state())]
        blue = await follow(now, "blue: /units", "blue: /status", "blue: /order", "blue: /map")
        assert not any("plan " in text.casefold() for text in (*seen, *(record.text for record in blue)))


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
        assert len(await now.service.store.entries(now.game)) == 1
        assert len((await now.state()).ships_at("202", "red")) == 1
        (undone,) = await follow(now, "red: /undo")
        assert undone.ok
        assert len((await now.state()).ships_at("201", "red")) == 4
        (gone,) = await follow(now, "red: /plan show")
        assert not gone.ok


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

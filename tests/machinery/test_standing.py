"""Standing orders beyond the rules of one choice: passing a phase, being told, folded posts."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from bot import looks
from bot.script import read_line
from bot.table import Arguments, Record, Table, opened
from rules_core.pending import decisions
from rules_core.position import position_from_json, position_to_json, write_position
from tests.machinery.tools import war

ORDERS = ("red: /standing losses: fighter, cruiser, carrier", "blue: /standing losses: cruiser, dreadnought")
ATTACK = ("red: /move units: all from: 201 to: 101", "red: /done")


@asynccontextmanager
async def table(tmp_path: Path, dice: str = "") -> AsyncIterator[Table]:
    path = tmp_path / "war.json"
    path.write_text(json.dumps(war()), encoding="utf-8")
    async with opened(Arguments(position=path, script=path, dice=dice)) as found:
        yield found


async def follow(now: Table, *lines: str) -> list[Record]:
    records = [await now.follow(read_line(line, number)) for number, line in enumerate(lines, 1)]
    assert [record.text for record in records if not record.ok] == []
    return records


async def test_who_passes_ahead_is_not_waited_for_and_only_once(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        private, *_, done = await follow(now, "blue: /standing pass: true", "red: /done", "red: /done")
        assert "pass" in private.text
        assert (await now.state()).phase is None
        post = done.posts[0]
        assert "Tidewright passes." in post.text
        assert "Your movement step is over" not in done.text  # it is another's
        assert post.mentions == ()
        (again,) = await follow(now, "referee: /referee next-round")
        assert again.posts[-1].mentions
        assert (await now.state()).phase is not None


async def test_a_phase_that_has_begun_is_not_passed(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        await follow(now, "red: /standing pass: true", "red: /move units: cruiser from: 201 to: 202")
        assert (await now.state()).phase.player == "red"  # type: ignore[union-attr]
        await follow(now, "red: /standing pass: false", "red: /done", "red: /done", "blue: /done")
        assert (await now.state()).phase is None


def test_an_order_to_pass_is_kept_in_files() -> None:
    data = war()
    data["players"][1]["standing_orders"] = {"pass": True}
    state = position_from_json(data)
    assert state.standing["blue"].passes
    assert position_from_json(position_to_json(state)) == state


async def test_what_a_standing_order_chose_is_told_to_its_owner_only(tmp_path: Path) -> None:
    async with table(tmp_path, "10 1 1 1 1 1 1") as now:
        *_, done = await follow(now, *ORDERS, *ATTACK)
        assert "standing order" not in "\n".join(post.text for post in done.posts)
        blue, red = await follow(now, "blue: /since", "red: /since")
        assert "By your standing orders:" in blue.text
        assert "standing orders" not in red.text


async def test_what_was_ordered_is_shown_as_used_with_the_very_command_that_brought_it_about(tmp_path: Path) -> None:
    async with table(tmp_path, "1 1 1 1 1 10 1 1 1 1 1 1 1") as now:
        orders = ("red: /standing losses: fighter, cruiser, carrier retreat: below 9 ships", ORDERS[1])
        *_, done = await follow(now, *orders, *ATTACK)
        assert "By your standing orders:\n- 101: you removed 1 fighter.\n- 101: you retreated to 201." in done.text
        assert "order" not in "\n".join(post.text for post in done.posts)
        (theirs,) = await follow(now, "blue: /since")
        assert "standing orders" not in theirs.text


async def test_that_pds_held_their_fire_by_order_is_told_to_their_owner(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        before = await now.state()
        armed = replace(before.planets["Azure"], pds=1)
        path = tmp_path / "armed.json"
        path.write_text(write_position(replace(before, planets={**before.planets, "Azure": armed})), encoding="utf-8")
        async with opened(Arguments(position=path, script=path, dice="1 1 1 1 1 1 1")) as then:
            await follow(then, "blue: /standing pds: hold", *ATTACK)
            mine, theirs = await follow(then, "blue: /since", "red: /since")
    assert "- 101: your PDS held their fire." in mine.text
    assert "By your standing orders" not in theirs.text


async def test_case_026_standing_orders_reach_neither_the_channel_nor_the_log_nor_a_file(tmp_path: Path) -> None:
    """With them and without them the game is told and written in the same words."""
    told = []
    for orders in ((), ("red: /standing losses: cruiser", "blue: /standing pds: hold for: red")):
        async with table(tmp_path, "1 1 1 1 1 1 1") as now:
            *_, done = await follow(now, *orders, *ATTACK[:1], "red: /undo", *ATTACK)
            file = json.loads(await now.service.past.game_file(now.game))
            told.append((done.posts[0], file["log"], file["position"]))
            history = await follow(now, "blue: /history", "referee: /history", "blue: /units", "referee: /units")
            assert not any(word in each.text for each in history for word in ("standing", "hold"))
    assert told[0] == told[1]


async def test_who_acts_for_another_does_not_see_his_orders(tmp_path: Path) -> None:
    async with table(tmp_path, "10 1 1 1 1 10 1") as now:
        *_, done = await follow(now, *ORDERS, ATTACK[0], "referee: /referee act player: red command: /done")
        assert "standing order" not in done.text
        assert "standing order" not in "\n".join(post.text for post in done.posts)


async def test_an_order_changed_before_the_die_rolls_is_the_one_that_is_used(tmp_path: Path) -> None:
    async with table(tmp_path, "1 1 1 1 1 10 1 1 1 1 1 1 1") as now:
        changed = "red: /standing losses: cruiser, fighter, carrier"
        *_, done = await follow(now, *ORDERS, ATTACK[0], changed, ATTACK[1])
        assert "- 101: you removed 1 cruiser." in done.text


async def test_what_already_waits_is_asked_whatever_is_ordered_then(tmp_path: Path) -> None:
    async with table(tmp_path, "1 1 1 1 1 10 1") as now:
        await follow(now, ORDERS[1], *ATTACK)
        (late,) = await follow(now, ORDERS[0])
        assert late.posts == ()
        assert [each.player for each in decisions(await now.state())] == ["red"]


async def test_a_battle_with_orders_on_both_sides_goes_on_by_itself_round_by_round_or_folded(tmp_path: Path) -> None:
    dice = "1 1 1 1 1 10 1 10 10 10 10 1 1"
    told = {}
    for fold in ("true", "false"):
        async with table(tmp_path, dice) as now:
            orders = (*ORDERS, "red: /standing retreat: never", f"referee: /referee settings fold: {fold}")
            *_, done = await follow(now, *orders, *ATTACK)
            told[fold] = [post.text for post in done.posts if "Space battle" in post.text]
    assert len(told["false"]) > 1
    assert len(told["true"]) == 1
    rounds = [text.splitlines()[0] for text in told["false"]]
    assert [line for line in told["true"][0].splitlines() if line in rounds] == rounds


async def test_case_110_every_post_ends_with_game_and_event(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        for record in await follow(now, *ATTACK):
            for post in record.posts:
                assert post.text.splitlines()[-1].startswith("-# War · #")


def test_where_no_order_is_set_it_says_what_happens() -> None:
    """ "Retreat: none" reads as an order never to retreat."""
    shown = looks.standing_orders(position_from_json(war()), "red", "en")
    assert shown.splitlines()[1:] == [
        "Losses, in this order: no order: you are asked",
        "PDS: no order: they fire",
        "Retreat: no order: you are asked",
        "Next phase, if it has not begun: no order: you play it",
    ]

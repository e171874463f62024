"""Waiting, on the clock of the table: reminders, deadlines, and who is pinged."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

import pytest

from bot.clock import SettableClock
from bot.files import read_game
from bot.reminders import Reminders
from bot.script import read_line
from bot.table import Arguments, Record, Shown, Table, opened
from tests.machinery.tools import START, Played, played, war


@asynccontextmanager
async def table(tmp_path: Path, dice: str = "") -> AsyncIterator[Table]:
    path = tmp_path / "war.json"
    path.write_text(json.dumps(war()), encoding="utf-8")
    async with opened(Arguments(position=path, script=path, dice=dice)) as found:
        yield found


async def follow(now: Table, *lines: str) -> list[Record]:
    return [await now.follow(read_line(line, number)) for number, line in enumerate(lines, 1)]


async def posts(now: Table, *lines: str) -> list[Shown]:
    records = await follow(now, *lines)
    assert [record.text for record in records if not record.ok] == []
    return [post for record in records for post in record.posts]


async def test_case_046_reminders_come_at_growing_intervals_and_end(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        days = []
        for day in range(1, 31):
            days += [(day, post.mentions) for post in await posts(now, "clock: +24h")]
        assert days == [(day, ("red",)) for day in (1, 3, 7, 15)]


async def test_case_044_a_long_silence_is_no_flood(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        assert len(await posts(now, "clock: +400d")) == 4


async def test_case_045_who_acts_is_waited_for_anew_and_told_what_is_missing(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        assert await posts(now, "clock: +20h") == []
        await posts(now, "red: /move units: carrier 1 from: 201 to: 202")
        assert await posts(now, "clock: +23h") == []
        (first,) = await posts(now, "clock: +1h")
        assert "only /done" not in first.text
        lines = ("carrier 1 from: 201 to: 212", "2 cruisers from: 201 to: 202", "2 cruisers from: 202 to: 201")
        await posts(now, *(f"red: /move units: {line}" for line in lines))
        (second,) = await posts(now, "clock: +1d")
        assert "only /done is missing" in second.text


async def test_case_008_after_the_turn_has_gone_on_only_the_next_is_reminded(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        told = await posts(now, "red: /done", "red: /done", "clock: +1d")
        assert [post.mentions for post in told] == [("blue",), ("blue",)]
        assert (await posts(now, "clock: +1d")) == []


async def test_case_049_each_player_chooses_for_himself_also_to_hear_nothing(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        assert await posts(now, "red: /remind hours: 0", "clock: +90d") == []
        assert [post.mentions for post in await posts(now, "red: /remind hours: 6", "clock: +1h")] == [("red",)]


async def test_the_table_chooses_for_all(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        (record,) = await follow(now, "red: /referee settings reminders: 2")
        assert not record.ok
        assert len(await posts(now, "referee: /referee settings reminders: 2", "clock: +2h")) == 1


async def test_a_wait_can_be_muted_the_next_one_is_not(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        (refused,) = await follow(now, "blue: /mute")
        assert not refused.ok
        assert await posts(now, "red: /mute", "clock: +90d") == []
        assert len(await posts(now, "red: /done", "clock: +1d")) == 1


async def test_case_048_who_is_away_is_left_alone_and_the_table_told_once(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        (told,) = await posts(now, "red: /away hours: 100")
        assert ("Emberfolk is away" in told.text, told.mentions) == (True, ())
        assert await posts(now, "clock: +99h") == []
        assert len(await posts(now, "clock: +1h")) == 1


async def test_case_048_away_holds_in_all_games_of_a_user() -> None:
    async with played() as one:
        await one.service.seating.join(one.game, 11, "red")
        other = await second_game(one)
        await one.service.seating.join(other, 11, "blue")
        await one.service.waiting.away(one.game, "red", 24)
        waits = {(wait.game, wait.player): wait.away for wait in await one.store.waits()}
        assert waits[one.game, "red"] is not None
        assert [post.game for post in await one.owed() if post.kind == "away"] == [one.game]
        assert (await one.store.posts.next_owed(501)) is not None


async def games_of_one(now: Played, servers: list[int]) -> list[int]:
    """A game on each of these servers; in each red is played by user 11."""
    found = []
    for number, server in enumerate(servers):
        row = await now.service.create(server, 501 + number, "en", 7, read_game(json.dumps(war())))
        await now.service.seating.join(row.id, 11, "red")
        await now.service.start(row.id)
        found.append(row.id)
    return found


async def reminded(now: Played, at: timedelta) -> list[int]:
    """The games in whose channels somebody is reminded at a moment."""
    await Reminders(now.service, SettableClock(START + at)).tick()
    found = []
    for channel in await now.store.posts.owed_channels():
        while (post := await now.store.posts.next_owed(channel)) is not None:
            await now.store.posts.settle(post.id, 1, "now")
            found += [post.game] * (post.kind == "reminder")
    return found


async def test_case_049_a_person_in_five_games_is_reminded_once_on_each_server() -> None:
    """What is due in the others, or will be within the hour, counts as sent; what is due later comes by itself."""
    async with played() as now:
        here, *others, elsewhere = await games_of_one(now, [5, 5, 5, 5, 6])
        await now.store.set_remind(here, "red", 30)
        await now.store.set_remind(others[0], "red", 31)
        await now.store.set_remind(others[1], "red", 33)
        await now.store.set_remind(others[2], "red", 30)
        await now.store.set_remind(elsewhere, "red", 30)
        assert [await now.service.waiting.elsewhere(await now.store.game(id), 11) for id in (here, elsewhere)] == [3, 0]
        assert await reminded(now, timedelta(hours=30)) == [now.game, here, elsewhere]
        assert await reminded(now, timedelta(hours=32)) == []
        assert await reminded(now, timedelta(hours=33)) == [others[1]]


async def second_game(now: Played) -> int:
    row = await now.service.create(1, 501, "en", 7, read_game(json.dumps(war())))
    await now.service.start(row.id)
    return row.id


@pytest.mark.parametrize(
    ("then", "pinged"), [("tell", [("referee",)]), ("standing", [("referee",)]), ("pass", [(), ("red",)])]
)
async def test_a_deadline_does_what_the_table_agreed(tmp_path: Path, then: str, pinged: list[tuple[str, ...]]) -> None:
    async with table(tmp_path) as now:
        setting = f"referee: /referee settings deadline: 12 then: {then} reminders: 0"
        told = await posts(now, setting, "clock: +12h")
        assert "deadline has passed" in told[0].text
        step = (await now.state()).phase.step  # type: ignore[union-attr]
        assert (step == "invasion") == (then == "pass")
        assert [post.mentions for post in told] == pinged


async def test_standing_orders_set_too_late_answer_at_the_deadline(tmp_path: Path) -> None:
    async with table(tmp_path, dice="1 1 1 1 1 10 10 1 1") as now:
        await posts(now, "referee: /referee settings deadline: 12 then: standing reminders: 0")
        await posts(now, "red: /move units: all from: 201 to: 101", "red: /done")
        volley = (await now.state()).phase.battle.volley  # type: ignore[union-attr]
        owed = sorted({wait.player for wait in await now.service.store.waits()})
        await posts(now, *(f"{key}: /standing losses: fighter, cruiser, carrier, dreadnought" for key in owed))
        assert (await now.state()).phase.battle.volley == volley  # type: ignore[union-attr]
        told = await posts(now, "clock: +12h")
        assert "the game goes on without waiting" in told[0].text


async def test_case_106_a_deadline_that_passed_while_down_is_skipped_with_a_notice() -> None:
    async with played() as now:
        await now.service.seating.join(now.game, 11, "red")
        await now.service.agree_on(now.game, lambda agreed: type(agreed)(remind=0, deadline=12, then="pass"))
        before = (await now.service.load(now.game)).state
        clock = SettableClock(START + timedelta(hours=40))
        later = Reminders(now.service, clock)
        await later.tick()
        assert (await now.service.load(now.game)).state == before
        assert [post.kind for post in await now.owed()][-1] == "extended"
        assert await later.next_moment() == clock.now() + timedelta(hours=12)


async def test_case_041_one_ping_for_each_phase_none_for_each_move(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        told = await posts(
            now,
            "red: /move units: cruiser from: 201 to: 202",
            "red: /move units: cruiser from: 201 to: 212",
            "red: /done",
            "red: /done",
        )
        assert [post.mentions for post in told if post.mentions] == [("blue",)]


async def test_a_reminder_that_became_untrue_is_not_sent() -> None:
    async with played() as now:
        await Reminders(now.service, SettableClock(START + timedelta(days=1))).tick()
        (post,) = [post for post in await now.owed() if post.kind == "reminder"]
        assert await now.service.waiting.is_true(post)
        await now.do("red", "done")
        await now.do("red", "done")
        assert not await now.service.waiting.is_true(post)


async def test_after_an_undo_the_one_who_is_waited_for_is_reminded(tmp_path: Path) -> None:
    async with table(tmp_path) as now:
        await posts(now, "red: /done", "red: /done", "red: /undo")
        assert [post.mentions for post in await posts(now, "clock: +1d")] == [("red",)]

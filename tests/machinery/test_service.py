"""Commands, one after another and at once; undo; posts; what a post tells of."""

import asyncio
import json
from collections.abc import Callable

import pytest

from bot import desk, slash
from bot.book import SNAPSHOT_EVERY
from bot.clock import SettableClock
from bot.database import IN_MEMORY
from bot.files import read_game
from bot.rows import GameRow, Owed
from bot.service import Service
from bot.steps import PostKind
from bot.store import Store
from bot.table import TableDice
from rules_core import events as ev
from rules_core.dice import ALWAYS_HIGH, ALWAYS_LOW, Dice, ScriptedDice
from rules_core.errors import RuleViolation
from rules_core.history import REFEREE
from rules_core.position import write_position
from tests.machinery.tools import CHANNEL, SECRET, START, Played, played, war


def fixed(dice: Dice) -> Callable[[GameRow], Dice]:
    return lambda game: dice


async def fight(now: Played) -> None:
    """Red goes to 101 and fights the first round."""
    await now.do("red", "move", units="all", start="201", to="101")
    await now.do("red", "done")


async def kinds(now: Played) -> list[str]:
    return [post.kind for post in await now.owed()]


async def test_a_refused_command_changes_nothing() -> None:
    async with played() as now:
        before = await now.service.load(now.game)
        with pytest.raises(RuleViolation) as caught:
            await now.do("blue", "done")
        assert (caught.value.code, caught.value.clause) == ("not_your_phase", "3.51-a")
        assert await now.service.load(now.game) == before
        assert await now.owed() == []
        assert now.woken == []


async def test_two_commands_at_once_lose_nothing() -> None:
    async with played() as now:
        moves = [now.do("red", "move", units="cruiser", start="201", to=to) for to in ("202", "212")]
        done = await asyncio.gather(*moves, return_exceptions=True)
        assert [outcome.first for outcome in done if not isinstance(outcome, BaseException)] == [1, 2]
        assert (await now.store.game(now.game)).head == 2


async def test_case_030_twenty_users_at_once_follow_one_another() -> None:
    async with played() as now:
        presses = [now.do("red", "done") for _ in range(20)]
        done = await asyncio.gather(*presses, return_exceptions=True)
        state = (await now.service.load(now.game)).state
        assert sum(isinstance(outcome, RuleViolation) for outcome in done) + len(
            await now.store.log.entries(now.game)
        ) == len(presses)
        assert await now.service.past.state_at(now.game, (await now.store.game(now.game)).head) == state


async def test_case_030_both_sides_choose_their_losses_at_once() -> None:
    """Each is asked once; the round is over when both are in, and over once."""
    async with played(dice=lambda game: ScriptedDice([10, 1, 1, 1, 1, 10, 1], ALWAYS_LOW)) as now:
        await fight(now)
        answers = [("red", "fighter"), ("blue", "cruiser"), ("red", "cruiser"), ("blue", "dreadnought")]
        done = [now.do(player, "losses", units=units) for player, units in answers]
        came = await asyncio.gather(*done, return_exceptions=True)
        assert [isinstance(each, RuleViolation) for each in came] == [False, False, True, True]
        events = (await now.service.past.whole(now.game)).events
        gone = [event for event in events if isinstance(event, ev.UnitsDestroyed)]
        assert [(event.player, len(event.ships), event.fighters) for event in gone] == [
            ("red", 0, 1),
            ("blue", 1, 0),
        ]


async def test_nobody_commands_another() -> None:
    async with played() as now:
        with pytest.raises(RuleViolation, match="not_yours_to_command"):
            await now.service.execute(now.game, "blue", lambda state: slash.build(state, "red", "done", {}))
        with pytest.raises(RuleViolation, match="not_yours_to_command"):
            await now.service.execute(now.game, "red", lambda state: slash.build(state, "red", "referee skip", {}))


async def test_undo_is_an_entry_and_the_table_is_as_before() -> None:
    async with played() as now:
        before = (await now.service.load(now.game)).state
        await now.do("red", "move", units="2 cruisers", start="201", to="202")
        await now.do("red", "move", units="carrier", start="201", to="212")
        undone = await now.service.undoing.undo(now.game, "red", whole_phase=True)
        assert undone.first == 3
        assert undone.after == before
        assert await kinds(now) == ["move", "move", "undo"]
        assert [entry.returns_to for entry in await now.store.log.entries(now.game)] == [None, None, 0]


async def test_undo_of_a_private_step_is_private() -> None:
    async with played() as now:
        await now.do("red", "load", units="1 ground force", at="201")
        await now.service.undoing.undo(now.game, "red")
        assert await kinds(now) == []


async def test_case_011_undo_at_the_very_start_is_refused() -> None:
    async with played() as now:
        with pytest.raises(RuleViolation, match="nothing_to_undo"):
            await now.service.undoing.undo(now.game, "red")


async def test_case_001_a_die_is_not_taken_back() -> None:
    async with played(dice=fixed(ALWAYS_HIGH)) as now:
        await fight(now)
        with pytest.raises(RuleViolation, match="a_die_was_rolled"):
            await now.service.undoing.undo(now.game, "red")


async def test_standing_orders_are_no_events_and_survive_an_undo() -> None:
    async with played() as now:
        await now.do("red", "move", units="cruiser", start="201", to="202")
        await now.service.set_standing(
            now.game, "red", lambda state: slash.standing_orders(state, "red", {"losses": "fighter, cruiser"})
        )
        undone = await now.service.undoing.undo(now.game, "red")
        assert [str(kind) for kind in undone.after.standing["red"].losses] == ["fighter", "cruiser"]
        assert (await now.store.game(now.game)).head == 2
        assert "fighter, cruiser" not in await now.service.past.game_file(now.game)


async def test_scripted_dice_are_given_back_by_an_undo() -> None:
    async with played() as now:
        dice = TableDice((3, 4, 5), (await now.store.game(now.game)).rolled)
        await now.do("red", "move", units="cruiser", start="201", to="202")
        undone = await now.service.undoing.undo(now.game, "red")
        assert dice(undone.game).roll(None) == 3  # type: ignore[arg-type]


async def test_a_round_is_posted_when_the_losses_of_both_are_in() -> None:
    async with played(dice=fixed(ALWAYS_LOW)) as now:
        await fight(now)
        # Nobody hits: the round is complete, and the attacker is asked.
        assert await kinds(now) == ["move", "round", "waiting"]
    async with played(dice=lambda game: TableDice((1, 1, 1, 1, 1, 10, 1), 0)(game)) as now:
        await fight(now)
        posts = await now.owed()
        assert [post.kind for post in posts] == ["move", "waiting"]
        waiting = await now.service.past.happening(posts[1])
        assert sum(isinstance(event, ev.VolleyFired) for event in waiting.events) == 2
        await now.do("red", "losses", units="fighter")
        posts = await now.owed()
        assert [post.kind for post in posts] == ["round", "waiting"]
        told = await now.service.past.happening(posts[0])
        assert sum(isinstance(event, ev.VolleyFired) for event in told.events) == 2
        assert sum(isinstance(event, ev.UnitsDestroyed) for event in told.events) == 1


@pytest.mark.parametrize(
    ("edit", "texts"),
    [
        ("pause", {}),
        ("power", {"player": "blue", "amount": "9"}),
        ("place", {"units": "cruiser", "at": "000", "player": "red"}),
    ],
)
async def test_an_edit_while_losses_are_owed_is_told_at_once_and_the_round_once(
    edit: str, texts: dict[str, str]
) -> None:
    """The round is told whole when the losses are in, without what was done beside it."""
    async with played(dice=lambda game: TableDice((10, 1, 1, 1, 1, 10, 1), 0)(game)) as now:
        await fight(now)
        await now.owed()
        await now.do(REFEREE, f"referee {edit}", **texts)
        (beside,) = await now.owed()
        assert beside.kind == PostKind.REFEREE
        if (await now.service.load(now.game)).state.paused:
            await now.do(REFEREE, "referee resume")
            assert await kinds(now) == [PostKind.REFEREE]
        # A choice that is taken back leaves its numbers behind, too.
        await now.do("red", "losses", units="cruiser")
        await now.service.undoing.undo(now.game, "red")
        await now.do("red", "losses", units="fighter")
        await now.do("blue", "losses", units="cruiser")
        fought = next(post for post in await now.owed() if post.kind == PostKind.ROUND)
        told = await now.service.past.happening(fought)
        assert isinstance(told.events[0], ev.VolleyFired)
        assert {type(event) for event in told.events} >= {ev.LossesChosen, ev.UnitsDestroyed}
        own = {type(event) for event in (await now.service.past.happening(beside)).events}
        assert not own & {type(event) for event in told.events}


async def test_what_a_post_tells_leaves_out_what_was_taken_back() -> None:
    # Red takes one hit and blue one: red chooses, takes it back, chooses otherwise; then blue.
    async with played(dice=lambda game: TableDice((10, 1, 1, 1, 1, 10, 1), 0)(game)) as now:
        await fight(now)
        await now.do("red", "losses", units="cruiser")
        await now.service.undoing.undo(now.game, "red")
        await now.do("red", "losses", units="fighter")
        await now.owed()
        await now.do("blue", "losses", units="cruiser")
        told = await now.service.past.happening((await now.owed())[0])
        chosen = [event.losses for event in told.events if isinstance(event, ev.LossesChosen)]
        assert [(len(losses.ships), losses.fighters) for losses in chosen] == [(0, 1), (1, 0)]


async def test_a_long_game_is_loaded_from_its_latest_snapshot() -> None:
    position = war()
    position["systems"][1]["units"]["red"]["fighters"] = 0
    async with played(position=position) as now:
        for number in range(SNAPSHOT_EVERY + 5):
            amount = str(number % 7)
            await now.service.execute(
                now.game,
                "referee",
                lambda state, amount=amount: slash.build(
                    state, "referee", "referee resources", {"player": "red", "amount": amount}
                ),
            )
        row = await now.store.game(now.game)
        assert (await now.store.log.snapshot(now.game, row.head)).number == SNAPSHOT_EVERY
        state = (await now.service.load(now.game)).state
        assert await now.service.past.state_at(now.game, row.head) == state
        assert (await now.service.past.state_at(now.game, 4)).resources("red") == 3


async def test_a_game_file_is_read_again_with_its_log() -> None:
    async with played(dice=fixed(ALWAYS_LOW)) as now:
        await now.do("red", "move", units="cruiser", start="201", to="202")
        await now.service.undoing.undo(now.game, "red")
        await fight(now)
        text = await now.service.past.game_file(now.game)
        state = (await now.service.load(now.game)).state
        row = await now.store.game(now.game)
        assert row.chain == json.loads(text)["head"]
        assert row.secret.hex() not in text
        again = await now.service.create(1, CHANNEL + 1, "en", 7, read_game(text))
        assert (again.head, again.chain, again.rolled) == (row.head, row.chain, row.rolled)
        assert (await now.service.load(again.id)).state == state


async def test_a_channel_has_one_game() -> None:
    async with played() as now:
        with pytest.raises(RuleViolation, match="channel_has_a_game"):
            await now.service.create(1, CHANNEL, "en", 7, read_game(json.dumps(war())))
        await now.service.end(now.game)
        await now.service.create(1, CHANNEL, "en", 7, read_game(json.dumps(war())))


async def test_seats() -> None:
    async with played() as now:
        assert await now.service.seating.join(now.game, 11) == "red"
        with pytest.raises(RuleViolation, match="you_have_a_seat"):
            await now.service.seating.join(now.game, 11)
        with pytest.raises(RuleViolation, match="seat_is_taken"):
            await now.service.seating.join(now.game, 12, "red")
        assert await now.service.seating.join(now.game, 12, "blue") == "blue"
        with pytest.raises(RuleViolation, match="no_seat_is_free"):
            await now.service.seating.join(now.game, 13)
        assert await now.service.seating.seat_of(now.game, 12) == "blue"
        assert await now.service.seating.leave(now.game, 11) == "red"
        assert {seat.key: seat.joined for seat in await now.store.seats(now.game)}["blue"] == START.isoformat()


async def test_a_game_that_has_not_begun_follows_no_command() -> None:
    async with played() as now:
        row = await now.service.create(1, CHANNEL + 1, "en", 7, read_game(json.dumps(war())))
        with pytest.raises(RuleViolation, match="not_running"):
            await now.service.execute(row.id, "red", lambda state: slash.build(state, "red", "done", {}))


async def test_a_game_that_begins_in_the_middle_of_a_phase_says_whose_it_is() -> None:
    async with await Store.open(IN_MEMORY) as store:
        service = Service(store, SettableClock(START), lambda channel: None)
        row = await service.create(1, CHANNEL, "en", 7, read_game(json.dumps(war())), SECRET)
        await service.start(row.id)
        owed = await store.posts.next_owed(CHANNEL)
        assert owed is not None
        assert (owed.kind, owed.about) == (PostKind.OPENED, "red")
        told = await service.past.happening(owed)
        said = desk.post(owed.kind, told, "en")
        assert said.mentions == ("red",)
        assert "Emberfolk: it is your turn" in said.text


@pytest.mark.parametrize(
    ("pds", "faces", "told"),
    [
        (1, (10,), "loses 1 fighter (PDS fire of Tidewright)"),
        (0, (1, 1, 1, 1, 1, 10, 1), "loses 1 fighter (hit by Tidewright in round 1)"),
    ],
)
async def test_a_game_that_begins_where_losses_are_owed_goes_on(pds: int, faces: tuple[int, ...], told: str) -> None:
    """A position as it stands has no log: the volley is not in it, but the step ends with the losses all the same."""
    position = war()
    position["systems"][0]["planets"][0]["pds"] = pds
    async with played(dice=lambda game: TableDice(faces, 0)(game), position=position) as now:
        await fight(now)
        kept = json.loads(write_position((await now.service.load(now.game)).state))
    async with played(position=kept) as now:
        await now.do("red", "losses", units="fighter")
        first = (await now.owed())[0]
        assert first.kind == (PostKind.PDS if pds else PostKind.ROUND)
        assert told in desk.post(first.kind, await now.service.past.happening(first), "en").text


async def test_case_042_a_post_that_opens_a_game_can_be_made_when_the_phase_is_long_over() -> None:
    async with played() as now:
        row = await now.store.game(now.game)
        await now.store.posts.owe(row, Owed(PostKind.OPENED, row.head, row.head, "red"), "2026-01-01T00:00:00+00:00")
        while (await now.service.load(now.game)).state.phase is not None:
            await now.do(REFEREE, "referee skip")
        opened = next(post for post in await now.owed() if post.kind == PostKind.OPENED)
        told = await now.service.past.happening(opened)
        assert told.after.phase is not None
        assert told.after.phase.player == "red"
        assert "red" in desk.post(opened.kind, told, "en", {"red": "red", "blue": "blue"}).text


async def test_a_summary_begins_where_its_round_does() -> None:
    """Not with what was done before it, and not with the last command of it."""
    async with played() as now:
        summaries = []
        for _ in range(2):
            await now.do(REFEREE, "referee skip")
            await now.do(REFEREE, "referee skip")
            summaries += [post for post in await now.owed() if post.kind == PostKind.SUMMARY]
            await now.do(REFEREE, "referee power", player="blue", amount="1")
            await now.do(REFEREE, "referee next-round")
        first, second = summaries
        assert first.first == 1
        told = (await now.service.past.happening(second)).events
        assert isinstance(told[0], ev.RoundBegan)
        assert isinstance(told[-1], ev.RoundEnded)

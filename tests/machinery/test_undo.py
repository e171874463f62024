"""Taking back, bringing back, and asking the others where dice were rolled."""

import pytest

from bot import desk, slash
from bot.happening import Happening
from bot.rows import Proposal
from rules_core.apply import fold
from rules_core.dice import ALWAYS_HIGH, ALWAYS_LOW
from rules_core.errors import RuleViolation
from rules_core.game_file import read_any
from rules_core.state import State
from tests.machinery.tools import Played, played


async def state(now: Played) -> State:
    return (await now.service.load(now.game)).state


async def refused(now: Played, actor: str, name: str, code: str, **texts: str) -> None:
    with pytest.raises(RuleViolation) as caught:
        await say(now, actor, name, **texts)
    assert caught.value.code == code


async def say(now: Played, actor: str, name: str, **texts: str) -> str:
    answer = await desk.perform(now.service, now.game, actor, slash.find(name), texts, "en")
    return answer.text


async def seated(now: Played) -> None:
    await now.service.seating.join(now.game, 11, "red")
    await now.service.seating.join(now.game, 12, "blue")


async def fight(now: Played) -> None:
    await now.do("red", "move", units="all", start="201", to="101")
    await now.do("red", "done")


async def test_redo_until_something_else_happens() -> None:
    async with played() as now:
        await now.do("red", "move", units="cruiser", start="201", to="202")
        one = await state(now)
        await now.do("red", "move", units="cruiser", start="201", to="212")
        two = await state(now)
        await say(now, "red", "undo")
        await say(now, "red", "undo")
        await say(now, "red", "redo")
        assert await state(now) == one
        await say(now, "red", "redo")
        assert await state(now) == two
        await refused(now, "red", "redo", "nothing_to_redo")
        await say(now, "red", "undo")
        await now.do("red", "move", units="cruiser", start="201", to="101")
        await refused(now, "red", "redo", "nothing_to_redo")


async def test_case_029_undo_undo_redo_every_post_shows_the_table_of_its_moment() -> None:
    async with played() as now:
        tables = []
        await now.do("red", "move", units="cruiser", start="201", to="202")
        await now.do("red", "move", units="cruiser", start="201", to="212")
        await now.owed()
        for name in ("undo", "undo", "redo"):
            await say(now, "red", name)
            tables.append(await state(now))
        posts = await now.owed()
        assert [post.kind for post in posts] == ["undo", "undo", "redo"]
        assert [(await now.service.past.happening(post)).after for post in posts] == tables


async def test_everybody_reads_what_was_taken_and_brought_back() -> None:
    """Each post lists the very events between the table before and the table after it."""
    async with played() as now:
        await now.do("red", "move", units="cruiser", start="201", to="202")
        await now.do("red", "move", units="cruiser", start="201", to="212")
        await now.owed()
        for name in ("undo", "undo", "redo", "redo"):
            assert "cruiser" in await say(now, "red", name)
        await say(now, "red", "undo", to="phase")
        texts = []
        for post in await now.owed():
            told = await now.service.past.happening(post)
            start, end = (told.before, told.after) if post.kind == "redo" else (told.after, told.before)
            assert fold(start, told.back).ships == end.ships
            texts.append(desk.post(post.kind, told, "en").text.splitlines())
        one, two = "**Emberfolk** moves 1 cruiser: 201 → 202.", "**Emberfolk** moves 1 cruiser: 201 → 212."
        assert [lines[0] for lines in texts] == [
            *["**Emberfolk took back:**"] * 2,
            *["**Emberfolk brought back:**"] * 2,
            "**Emberfolk took back:**",
        ]
        went = [[line.removeprefix("- ") for line in lines if line.startswith("- ")] for lines in texts]
        assert went == [[two], [one], [one], [two], [one, two]]


async def test_a_move_that_is_taken_back_is_one_line_whomever_it_met() -> None:
    async with played() as now:
        await now.do("red", "move", units="2 cruisers", start="201", to="101")
        await now.owed()
        await say(now, "red", "undo")
        (post,) = await now.owed()
        text = desk.post(post.kind, await now.service.past.happening(post), "en").text
        assert [line for line in text.splitlines() if line.startswith("- ")] == [
            "- **Emberfolk** moves 2 cruisers: 201 → 101."
        ]


async def test_a_redo_is_in_the_game_file_and_reads_the_same() -> None:
    async with played() as now:
        await now.do("red", "move", units="cruiser", start="201", to="202")
        await say(now, "red", "undo")
        await say(now, "red", "redo")
        await now.do("red", "done")
        assert read_any(await now.service.past.game_file(now.game)).state == await state(now)


async def test_another_cannot_redo_my_undo() -> None:
    async with played() as now:
        await now.do("red", "move", units="cruiser", start="201", to="202")
        await say(now, "red", "undo")
        await refused(now, "blue", "redo", "nothing_to_redo")


async def test_case_001_dice_are_taken_back_by_agreement_only_and_fall_the_same_again() -> None:
    async with played() as now:
        await seated(now)
        await now.do("red", "move", units="all", start="201", to="101")
        await now.do("red", "done")
        first = await state(now)
        await refused(now, "red", "undo", "a_die_was_rolled")
        # By its race, not by its key.
        race = first.player("blue").race
        assert race != "blue"
        assert await say(now, "red", "undo", to="last") == f"Noted. Still to agree: {race}."
        assert await state(now) == first  # asking changes nothing
        await refused(now, "red", "agree", "not_asked")
        await say(now, "blue", "agree")
        assert (await state(now)).phase is not None
        await say(now, "red", "undo", to="phase")
        await now.do("red", "move", units="cruiser", start="201", to="101", via="202")  # a detour
        await now.do("red", "move", units="all", start="201", to="101")
        await now.do("red", "done")
        again = await state(now)
        assert (again.phase.battle, again.fighters) == (first.phase.battle, first.fighters)  # type: ignore[union-attr]


async def test_case_002_pds_fire_is_not_taken_back_freely() -> None:
    async with played(dice=lambda game: ALWAYS_HIGH) as now:
        await fight(now)
        await refused(now, "red", "undo", "a_die_was_rolled")


async def test_case_016_a_proposal_lists_what_it_takes_back_and_what_was_learned() -> None:
    async with played(dice=lambda game: ALWAYS_LOW) as now:
        await seated(now)
        await fight(now)
        await now.owed()
        await say(now, "red", "undo", to="0")
        (post,) = await now.owed()
        told = desk.post(post.kind, await now.service.past.happening(post), "en", {"blue": "<@12>"})
        assert told.mentions == ("blue",)
        assert "moves" in told.text
        assert "dice were rolled" in told.text
        assert "<@12>: /agree or /refuse" in told.text
        assert desk.post_pictures(post.kind, await now.service.past.happening(post), "en") == ()


async def test_the_referee_decides_and_the_log_keeps_everything() -> None:
    async with played() as now:
        await seated(now)
        before = await state(now)
        await fight(now)
        entries = await now.store.log.entries(now.game)
        proposal = await now.service.undoing.propose(now.game, "red", 0)
        assert isinstance(proposal, Proposal)
        assert isinstance(await now.service.undoing.answer(now.game, "referee", agrees=True), Happening)
        assert await state(now) == before
        assert (await now.store.log.entries(now.game))[: len(entries)] == entries
        assert [post.kind for post in await now.owed()][-1] == "agreed"


async def test_a_proposal_is_over_when_something_happens_or_somebody_refuses() -> None:
    async with played() as now:
        await seated(now)
        await fight(now)
        await say(now, "red", "undo", to="last")
        await say(now, "blue", "refuse")
        await refused(now, "blue", "agree", "no_proposal")
        assert [post.kind for post in await now.owed()][-2:] == ["proposal", "refused"]
        await say(now, "red", "undo", to="last")
        await now.do("red", "continue") if (await state(now)).phase.battle.step == "retreat" else await now.do(  # type: ignore[union-attr]
            "red", "losses", units="cruiser"
        )
        await refused(now, "blue", "agree", "no_proposal")


async def test_a_proposal_within_the_free_range_is_a_plain_undo() -> None:
    async with played() as now:
        await seated(now)
        before = await state(now)
        await now.do("red", "move", units="cruiser", start="201", to="202")
        await say(now, "red", "undo", to="last")
        assert await state(now) == before


async def test_nothing_is_taken_back_by_half() -> None:
    async with played() as now:
        await fight(now)
        await refused(now, "red", "undo", "no_such_step_to_undo", to="3")
        await refused(now, "red", "undo", "no_such_step_to_undo", to="99")


async def test_case_006_the_last_in_order_takes_a_move_back_even_when_the_round_is_over() -> None:
    async with played() as now:
        await seated(now)
        await now.do("red", "move", units="cruiser", start="201", to="202")
        await now.do("red", "done")
        await now.do("red", "done")
        await now.do("blue", "move", units="cruiser", start="101", to="102")
        moved = await state(now)
        await now.do("blue", "done")
        assert (await state(now)).phase is None
        await say(now, "blue", "undo")
        assert await state(now) == moved


async def test_case_007_what_is_used_once_is_unused_again() -> None:
    async with played(dice=lambda game: ALWAYS_LOW) as now:
        await seated(now)
        await fight(now)
        proposal = await now.service.undoing.propose(now.game, "red")
        assert isinstance(proposal, Proposal)
        await now.service.undoing.answer(now.game, "blue", agrees=True, number=proposal.number)
        phase = (await state(now)).phase
        assert phase is not None
        assert (phase.battle, phase.step) == (None, "movement")


async def test_case_010_two_presses_of_undo_for_the_same_table_take_back_once() -> None:
    async with played() as now:
        await seated(now)
        await fight(now)
        proposal = await now.service.undoing.propose(now.game, "red")
        assert isinstance(proposal, Proposal)
        await now.service.undoing.answer(now.game, "blue", agrees=True, number=proposal.number)
        with pytest.raises(RuleViolation, match="no_proposal"):
            await now.service.undoing.answer(now.game, "blue", agrees=True, number=proposal.number)


async def test_case_004_what_was_taken_back_holds_no_more_until_it_is_brought_back() -> None:
    async with played() as now:
        await now.do("red", "move", units="cruiser", start="201", to="202")
        await now.do("red", "move", units="cruiser", start="201", to="212")
        assert await now.service.past.holds(now.game, 2)
        await say(now, "red", "undo")
        assert [await now.service.past.holds(now.game, number) for number in (1, 2, 3)] == [True, False, True]
        await say(now, "red", "redo")
        assert [await now.service.past.holds(now.game, number) for number in (1, 2, 3, 4)] == [True, True, False, True]


async def test_case_016_undo_lists_what_it_took_back() -> None:
    async with played() as now:
        await now.do("red", "load", units="2 ground forces", at="201", carrier="carrier 2")
        await now.do("red", "move", units="cruiser", start="201", to="202")
        text = await say(now, "red", "undo", to="phase")
        assert "Loaded in 201" in text
        assert "Moved: 1 cruiser" in text

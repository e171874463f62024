"""Plans by buttons: opened, filled, shown, committed and dropped by taps alone; private, and safe from old buttons."""

from typing import Any

import pytest

from bot.phrases import LANGUAGES, phrases
from tests.discord.test_prompts import Taps
from tests.discord.tools import Table, buttons, text_of

pytestmark = pytest.mark.simcord(settle_timeout=60)


def labels(message: Any) -> list[str]:
    return [item.label for item in buttons(message)]


def id_of(message: Any, label: str) -> str:
    return next(item.custom_id for item in buttons(message) if (item.label or "").startswith(label))


async def planning(game: Table) -> Taps:
    """Red has planned to send everything from 201 to 101, by taps."""
    taps = Taps(game, "red")
    await taps.on(game.posts()[-1], "Plan", "Move", "201", "All", "Go on", "101")
    return taps


async def test_a_plan_by_taps_changes_nothing_until_it_is_committed_and_is_then_one_step(game: Table) -> None:
    before, posts = await game.state(), len(game.posts())
    taps = await planning(game)
    assert taps.count == 1 + 7  # the figures of bot/README.md
    assert (await game.state()) == before
    assert len(game.posts()) == posts
    assert "Your plan is open" in taps.shown.content
    assert "Commit: 1 move, battle in 101" in labels(taps.shown)
    await taps.next("Commit")
    assert len((await game.state()).ships_at("101", "red")) > 0
    assert len(game.posts()) == posts + 1
    assert "Plan" in labels(taps.shown)


async def test_a_landing_is_planned_by_taps_before_the_battle(game: Table) -> None:
    await game.use("red", "load", at="201", carrier="2", planet="Emberhall", units="3 ground forces, 1 PDS")
    taps = await planning(game)
    for label in ("Land", "101 Marrow", "All", "Declare"):
        await taps.next(label)
    assert "after the battles: landing on Marrow" in taps.shown.content
    await taps.next("Commit")
    assert "waits for the invasion step" in taps.shown.content
    await taps.next("Show my plan")
    assert not any(label.startswith(("Commit", "Declare")) for label in labels(taps.shown))
    public = "\n".join(post.content for post in game.posts())
    assert "Marrow with" not in public


async def test_what_is_planned_is_taken_out_by_taps_and_dropped_by_taps(game: Table) -> None:
    before, taps = await game.state(), await planning(game)
    await taps.next("Undo")
    assert "Nothing is in it yet" in taps.shown.content
    await taps.next("Discard my plan")
    assert "dropped" in taps.shown.content
    assert await game.state() == before
    await taps.next("Plan")
    assert "Your plan is open" in taps.shown.content


async def test_a_commit_works_after_a_restart_and_only_once(game: Table) -> None:
    taps = await planning(game)
    shown = (await game.people["red"].slash(game.channel, "plan show")).response.message
    await game.restart()
    assert shown.attachments
    done = await game.people["red"].click(shown, custom_id=id_of(shown, "Commit"))
    assert not done.response.message.attachments  # the picture of the plan is no picture of what was done
    posts = len(game.posts())
    again = text_of(await game.people["red"].click(taps.shown, custom_id=id_of(taps.shown, "Commit")))
    assert "no plan" in again
    assert len(game.posts()) == posts


async def test_a_commit_of_another_plan_than_was_shown_is_refused(game: Table) -> None:
    taps = await planning(game)
    before, shown, commit = await game.state(), taps.shown, id_of(taps.shown, "Commit")
    await game.use("red", "move", from_="202", to="105", units="2 cruisers")
    refused = text_of(await game.people["red"].click(shown, custom_id=commit))
    assert "changed in the meantime" in refused
    assert await game.state() == before
    discard = id_of(shown, "Discard")
    assert "changed in the meantime" in text_of(await game.people["red"].click(shown, custom_id=discard))
    assert await game.bot.service.plans.planned((await game.bot.service.game_in(game.channel.id)).id, "red") is not None


async def test_plan_pressed_twice_opens_one_plan(game: Table) -> None:
    announced = game.posts()[-1]
    first, second = [await game.people["red"].click(announced, custom_id=id_of(announced, "Plan")) for _ in range(2)]
    assert "Your plan is open" in text_of(first)
    assert "Nothing is in it yet" in text_of(second)


async def test_only_who_acts_plans(game: Table) -> None:
    announced = game.posts()[-1]
    refused = text_of(await game.people["blue"].click(announced, custom_id=id_of(announced, "Plan")))
    assert "your own movement or invasion step" in refused


@pytest.mark.parametrize("language", LANGUAGES)
async def test_slash_commands_of_a_plan_bring_its_buttons(game: Table, language: str) -> None:
    words = phrases("ko" if language == "ko" else "en")
    await game.use("red", "language", language=language)
    result = await game.people["red"].slash(game.channel, "plan open")
    wanted = [words.say(f"menu.{key}") for key in ("move", "load", "scrap", "land", "undo", "plan_show")]
    assert labels(result.response.message) == [*wanted, words.say("menu.plan_discard")]


async def test_done_while_a_plan_is_open_says_what_to_do_and_brings_the_plan(game: Table) -> None:
    announced = game.posts()[-1]
    await game.use("red", "plan open")
    result = await game.people["red"].click(announced, custom_id=id_of(announced, "Done"))
    assert "/plan commit" in text_of(result)
    assert "Discard my plan" in labels(result.response.message)


async def test_done_asks_once_and_names_the_plan_that_would_be_lost(game: Table) -> None:
    await game.use("red", "load", at="201", carrier="2", planet="Emberhall", units="3 ground forces, 1 PDS")
    for command in ("plan open", "plan commit", "done"):
        if command == "plan commit":
            await game.use("red", "land", planet="Emberhall", units="3 ground forces")
        await game.use("red", command)
    result = await game.people["red"].slash(game.channel, "done")
    assert "Your plan still holds" in text_of(result)
    assert "Show my plan" in labels(result.response.message)
    assert "plan" not in "\n".join(post.content for post in game.posts()).casefold()


@pytest.mark.parametrize("typed", [True, False])
@pytest.mark.parametrize(("answer", "landed"), [("Declare", 3), ("Carry it out without my plan", 0)])
async def test_an_invasion_that_would_leave_out_the_plan_asks_first(
    game: Table, answer: str, landed: int, typed: bool
) -> None:
    await game.use("red", "load", at="201", carrier="2", planet="Emberhall", units="3 ground forces, 1 PDS")
    await game.use("red", "plan open")
    await game.use("red", "land", planet="Emberhall", units="3 ground forces")
    await game.use("red", "plan commit")
    await game.use("red", "done")
    taps = Taps(game, "red")
    declared = await game.people["red"].slash(game.channel, "land", planet="Emberhall", units="PDS")
    taps.shown, before = declared.response.message, await game.state()
    if typed:
        taps.shown = (await game.people["red"].slash(game.channel, "invade")).response.message
    else:
        await taps.next("Carry out the invasion")
    assert "leave out what your plan still holds" in taps.shown.content
    assert await game.state() == before
    await taps.next(answer)
    if landed:
        await taps.next("Carry out the invasion")
    there = (await game.state()).planets["Emberhall"]
    assert there.pds == before.planets["Emberhall"].pds + 1
    assert there.ground_forces == before.planets["Emberhall"].ground_forces + landed


async def test_games_names_an_open_plan_to_its_owner(game: Table) -> None:
    assert "plan" not in await game.use("red", "games")
    await game.use("red", "plan open")
    assert "you have a plan" in await game.use("red", "games")
    assert "plan" not in await game.use("blue", "games")


async def test_completion_looks_at_the_table_as_it_is_planned(game: Table) -> None:
    await game.use("red", "load", at="201", carrier="2", planet="Emberhall", units="3 ground forces, 1 PDS")
    await game.use("red", "plan open")
    await game.use("red", "move", from_="201", to="101", units="all")
    assert "Marrow" in await game.suggested("red", "land", "planet")
    assert not [name for name in await game.suggested("red", "move", "from") if name.startswith("201")]

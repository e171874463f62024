"""`/undo to:` an event: what is offered, what is free, and what the others are asked."""

import pytest

from bot.phrases import LANGUAGES
from tests.discord.tools import Table, buttons

pytestmark = pytest.mark.simcord(settle_timeout=60)


async def moved_twice(game: Table) -> None:
    await game.use("red", "move", from_="202", to="105", units="1 cruiser")
    await game.use("red", "move", from_="202", to="104", units="1 cruiser")


async def test_completion_offers_the_players_own_events_the_latest_first(game: Table) -> None:
    await moved_twice(game)
    offered = await game.suggested("red", "undo", "to")
    own = [name for name in offered if name.startswith("#")]
    assert "202 → 104" in own[0]
    assert "105" in own[1]
    assert len(own) == 2
    assert offered[:2] == ["all of my phase", "the last, asking the others where dice were rolled"]
    assert not [name for name in await game.suggested("blue", "undo", "to") if name.startswith("#")]


async def test_what_was_taken_back_is_not_offered(game: Table) -> None:
    await moved_twice(game)
    await game.use("red", "undo")
    assert len([name for name in await game.suggested("red", "undo", "to") if name.startswith("#")]) == 1


async def test_an_event_goes_back_to_before_it(game: Table) -> None:
    before = await game.state()
    await moved_twice(game)
    found = await game.people["red"].autocomplete(game.channel, "undo", "to", "105")
    told = await game.use("red", "undo", to=found[0]["value"])
    assert "took back" in told
    assert await game.state() == before


@pytest.mark.parametrize("language", LANGUAGES)
async def test_an_event_before_a_die_is_proposed(game: Table, language: str) -> None:
    await game.use("red", "language", language=language)
    await game.to_losses()
    before = await game.state()
    oldest = (await game.people["red"].autocomplete(game.channel, "undo", "to", ""))[-1]
    await game.use("red", "undo", to=oldest["value"])
    asked = game.posts()[-1]
    assert [item.label for item in buttons(asked)] == ["Agree", "Do not agree"]
    assert await game.state() == before


@pytest.mark.parametrize("given", ["99999", "soon", "-1"])
async def test_what_is_no_way_back_is_refused_and_changes_nothing(game: Table, given: str) -> None:
    await moved_twice(game)
    before = await game.state()
    assert "to" in await game.use("red", "undo", to=given)
    assert await game.state() == before

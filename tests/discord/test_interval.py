"""Between rounds: players propose what they buy, the referee accepts it, and the next round is opened."""

import pytest

from rules_core import legal
from rules_core.history import REFEREE
from tests.discord.tools import Table, buttons, options

pytestmark = pytest.mark.simcord(settle_timeout=60)


async def test_an_interval_from_the_summary_to_the_next_round(game: Table) -> None:
    assert "between rounds" in await game.use("red", "build", units="cruiser", planet="Emberhall")
    while (await game.state()).phase is not None:
        await game.use(REFEREE, "referee skip")
    assert "/build, /research, /ledger" in game.posts()[-1].content
    assert legal.movable(await game.state(), "red") == ()
    await game.use(REFEREE, "referee resources", player="red", amount=30)
    bonus = (await game.state()).player("red").resources_bonus
    told = await game.use("red", "build", units="1 cruiser, 1 ground force", planet="Emberhall")
    assert "proposes to buy: 1 cruiser, 1 ground force at Emberhall, cost 10" in told
    assert not game.posts()[-1].attachments
    await game.use("blue", "research", name="cybernetics", cost=2)
    ledger = await game.use("yellow", "ledger")
    held = f"- Emberfolk: 30 (planets {30 - bonus}, adjustments +{bonus}), spent 0, proposed 10, left 20"
    assert held in ledger
    assert "- proposal 2, Tidewright: cybernetics, cost 2" in ledger
    assert "Only the referee" in await game.use("red", "referee accept")
    ships = len((await game.state()).ships_at("201", "red"))
    await game.use(REFEREE, "referee refuse", number=2)
    await game.use(REFEREE, "referee accept")
    assert "Emberfolk pays 10" in game.posts()[-1].content
    assert game.posts()[-1].attachments
    assert len((await game.state()).ships_at("201", "red")) == ships + 1
    await game.restart()
    assert "spent 10" in await game.use("red", "ledger")
    await game.use(REFEREE, "undo")
    assert len((await game.state()).ships_at("201", "red")) == ships
    await game.use("red", "withdraw", number=1)
    await game.use(REFEREE, "game settings", option="purchases", value="free")
    await game.use("red", "build", units="1 cruiser", planet="Emberhall")
    assert len((await game.state()).ships_at("201", "red")) == ships + 1
    # The buyer takes it back by himself, but not with a plain /undo, which tells him how.
    assert "to:last" in await game.use("red", "undo")
    await game.use("red", "undo", to="last")
    assert len((await game.state()).ships_at("201", "red")) == ships
    await game.use("red", "build", units="1 cruiser", planet="Emberhall")
    await game.use(REFEREE, "game settings", option="purchases", value="referee")
    # The rules name no price of a technology: whoever buys one says what the table agreed on.
    named = {option["name"]: option for command in game.synced()[0] if command["name"] == "research"
             for option in options(command)}  # fmt: skip
    assert named["cost"]["required"]
    await game.use("blue", "research", name="cybernetics", cost=0)
    await game.use(REFEREE, "referee next-round")
    refused, opened = game.posts()[-2:]
    assert "refuses proposal 4 of Tidewright" in refused.content
    assert "Round 2" in opened.content
    assert "spent 0" in await game.use("red", "ledger")


async def test_the_referee_answers_proposals_by_buttons(game: Table) -> None:
    """They last over a restart and are gone when the proposal is settled."""
    while (await game.state()).phase is not None:
        await game.use(REFEREE, "referee skip")
    await game.use(REFEREE, "referee resources", player="red", amount=30)
    for _ in range(4):
        await game.use("red", "build", units="1 ground force", planet="Emberhall")
    first, second, third, fourth = game.posts()[-4:]
    assert [button.label for button in buttons(fourth)] == ["Accept", "Refuse", "Accept all"]
    await game.restart()
    assert "Only the referee" in await game.press("red", first, "accept")
    assert "Emberfolk pays 4" in await game.press(REFEREE, first, "accept")
    assert "refuses proposal 2" in await game.press(REFEREE, second, "refuse")
    await game.use("red", "withdraw", number=3)
    shown = {post.id: post for post in game.posts()}
    assert [bool(buttons(shown[post.id])) for post in (first, second, third, fourth)] == [False, False, False, True]
    await game.press(REFEREE, fourth, "all")
    assert not (await game.state()).purchases


async def test_an_old_button_answers_no_proposal_of_another_round(game: Table) -> None:
    """Proposals are numbered anew in each round."""
    game.keep_old_buttons()
    while (await game.state()).phase is not None:
        await game.use(REFEREE, "referee skip")
    await game.use("red", "build", units="1 ground force", planet="Emberhall")
    old = game.posts()[-1]
    await game.press(REFEREE, old, "refuse")
    assert "Nothing is proposed" in await game.press(REFEREE, old, "accept")
    await game.use(REFEREE, "referee next-round")
    while (await game.state()).phase is not None:
        await game.use(REFEREE, "referee skip")
    await game.use("red", "build", units="1 ground force", planet="Emberhall")
    assert "proposed in round 1" in await game.press(REFEREE, old, "accept")
    assert len((await game.state()).purchases) == 1

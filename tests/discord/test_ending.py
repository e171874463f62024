"""The end of a round and of a game: summaries, who has won, the archive; edits with a reason and for somebody else."""

import io
import json

import pytest
from PIL import Image

from bot.files import read_game
from bot.replay import frames
from rules_core.history import REFEREE
from tests.discord.tools import Table, buttons

pytestmark = pytest.mark.simcord(settle_timeout=60)


async def to_the_end_of_the_round(game: Table) -> None:
    """Nobody wants anything more."""
    while (await game.state()).phase is not None:
        assert "ended by the referee" in await game.use(REFEREE, "referee skip")


# ---- a round


async def test_a_round_is_closed_by_a_summary(game: Table) -> None:
    """Battles, losses, planets, what everybody has, and the map."""
    await game.use("red", "move", units="1 dreadnought", from_="201", to="101")
    await game.use("red", "undo")
    await game.to_losses()
    await game.use("red", "losses", units="2 fighters")
    await game.use("blue", "losses", units="2 cruisers")
    await game.use("red", "continue")
    await game.use("red", "land", planet="Marrow", units="all")
    await game.use("red", "invade")
    await to_the_end_of_the_round(game)
    summary = game.posts()[-1]
    state = await game.state()
    assert summary.content.startswith("**Summary of round 1**")
    assert "- Space battle in 101: Emberfolk attacked Tidewright. Afterwards there:" in summary.content
    assert "- Emberfolk lost: " in summary.content
    assert "- Marrow (101): Tidewright → Emberfolk" in summary.content
    for player in state.players:
        power, resources = state.political_power(player.key), state.resources(player.key)
        assert f"- {player.race}: political power {power}, resources {resources}, " in summary.content
    # What was taken back is not told, and the number is that of the last event.
    assert summary.content.splitlines()[-1] == game.posts()[-2].content.splitlines()[-1]
    assert summary.attachments
    assert not game.pinged(summary)
    # The next round's tells of the next round only.
    await game.use(REFEREE, "referee next-round")
    await to_the_end_of_the_round(game)
    assert game.posts()[-1].content.startswith("**Summary of round 2**")
    assert "No space battle" in game.posts()[-1].content
    assert "Marrow (101)" not in game.posts()[-1].content


async def test_the_summary_names_who_has_won(game: Table) -> None:
    """By what the table agreed on; the game ends only by the referee's word."""
    assert "needs a goal" in await game.use(REFEREE, "referee settings", victory="power")
    shown = await game.use(REFEREE, "referee settings", victory="power", goal=1)
    assert "After round 1, who has most political power has won." in shown
    await to_the_end_of_the_round(game)
    state = await game.state()
    most = max(state.players, key=lambda player: state.political_power(player.key))
    assert f"the game is decided. Winner: {most.race}" in game.posts()[-1].content
    assert f"{game.people[REFEREE].user.mention} ends it with /game end" in game.posts()[-1].content
    assert "/build" not in game.posts()[-1].content
    assert not game.pinged(game.posts()[-1])
    await game.use(REFEREE, "game end")
    assert f"**Winner: {most.race}**" in game.posts()[-1].content


async def test_a_decided_game_is_ended_by_a_button(game: Table) -> None:
    """The referee's alone; it asks once more, and is gone when the table plays on."""
    await game.use(REFEREE, "referee settings", victory="power", goal=1)
    await to_the_end_of_the_round(game)
    await game.use(REFEREE, "referee next-round")
    played_on = next(post for post in game.posts() if "Winner" in post.content)
    assert not buttons(played_on)
    assert "Winner" in played_on.content
    await to_the_end_of_the_round(game)
    summary = game.posts()[-1]
    await game.restart()
    assert "Only the referee" in await game.press("red", summary, "end")
    asked = (await game.people[REFEREE].click(summary, label="End the game")).response
    assert "Nothing can be changed afterwards" in asked.content
    assert (await game.bot.service.game_in(game.channel.id)).status == "running"
    await game.use(REFEREE, "referee settings", victory="referee")
    assert "nobody has won" in await game.press(REFEREE, asked.message, "end_now")
    await game.use(REFEREE, "referee settings", victory="power", goal=2)
    assert "has ended" in await game.press(REFEREE, asked.message, "end_now")
    assert "**Winner: " in game.posts()[-1].content
    *_, summary, _ = game.posts()
    assert not buttons(summary)
    assert "not running" in await game.press(REFEREE, asked.message, "end_now")


async def test_a_round_that_is_over_names_who_opens_the_next(game: Table) -> None:
    await to_the_end_of_the_round(game)
    *_, last, summary = game.posts()
    assert "**Round 1 is over.**\n" in last.content
    referee = game.people[REFEREE].user.mention
    assert f"{referee} accepts purchases with /referee accept and opens the round" in summary.content
    assert not game.pinged(summary)


async def test_the_next_round_by_a_button(game: Table) -> None:
    """The referee's; the ledger is for everybody. In the next round both are gone."""
    await to_the_end_of_the_round(game)
    summary = game.posts()[-1]
    assert [button.label for button in buttons(summary)] == ["Ledger", "Next round"]
    await game.restart()
    assert "Resources of round 1" in await game.press("yellow", summary, "ledger")
    assert "Only the referee" in await game.press("yellow", summary, "next")
    assert "Round 2 begins" in await game.press(REFEREE, summary, "next")
    assert "Round 2 begins" in game.posts()[-1].content
    assert not buttons(next(post for post in game.posts() if post.id == summary.id))


# ---- a game


async def test_the_end_tells_the_whole_game_and_what_stays_to_be_seen(game: Table) -> None:
    await game.to_losses()
    assert "no player" in await game.use(REFEREE, "game end", winner="Nobody's")
    await game.use(REFEREE, "game end", winner="blue")
    end = game.posts()[-1]
    assert "has ended** after round 1" in end.content
    assert "**Winner: Tidewright**" in end.content
    assert "dice hit" in end.content
    assert "1. Tidewright: political power" in end.content
    assert "secret" in end.content
    assert end.attachments
    # Read-only: everything is still to be seen, nothing can be done.
    before = len(game.posts())
    for look in ("map", "units", "status", "luck", "order"):
        assert "no game" not in await game.use("yellow", look)
    assert "no game" in await game.use("red", "losses", units="2 fighters")
    assert "no game" in await game.use(REFEREE, "referee skip")
    result = await game.people["yellow"].slash(game.channel, "game export")
    content = json.loads(game.env.backend.cdn.get(result.response.attachments[0].url))
    assert content["seal"]["secret"]
    assert len(game.posts()) == before
    # Its replay is one press away, for everybody.
    film = (await game.people["yellow"].click(end, label="Watch the whole game")).response
    assert film.ephemeral
    assert "the whole game" in film.content
    (attachment,) = film.attachments
    images = Image.open(io.BytesIO(game.env.backend.cdn.get(attachment.url)))
    assert images.format == "GIF"
    assert images.n_frames == len(frames(read_game(json.dumps(content))))
    # A new game in the channel takes its place.
    await game.use("red", "game create", name="Again")
    assert "Again" in await game.use("red", "game status")


# ---- the referee's edits


async def test_an_edit_is_public_with_its_reason_and_can_be_taken_back(game: Table) -> None:
    await game.use(REFEREE, "referee values", name="Marrow", power=9, reason="the *senate* voted")
    post = game.posts()[-1]
    assert "Marrow in 101 is now" in post.content
    assert r"Reason: the \*senate\* voted" in post.content
    assert post.attachments
    await game.use(REFEREE, "undo")
    assert (await game.state()).planets["Marrow"].political_power != 9
    assert "at most 200" in await game.use(REFEREE, "referee pause", reason="x" * 201)


async def test_the_referee_acts_for_a_player_and_everybody_reads_it(game: Table) -> None:
    await game.use(REFEREE, "referee act", player="red", command_="/move units: 2 cruisers from: 202 to: 104")
    assert "**The referee acts for Emberfolk.**" in game.posts()[-1].content
    assert "2 cruisers: 202 → 104" in game.posts()[-1].content
    assert "Acting: Emberfolk" in await game.use(REFEREE, "referee act", player="blue", command_="/done")
    answer = await game.use(REFEREE, "referee act", player="red", command_="/referee skip")
    assert "only what he does" in answer
    # Loading is told to nobody; that the referee did it is.
    seen = len(game.posts())
    load = "/load units: 1 ground force at: 201 carrier: 2 planet: Emberhall"
    await game.use(REFEREE, "referee act", player="red", command_=load, reason="he asked me to")
    assert len(game.posts()) == seen + 1
    assert "he asked me to" in game.posts()[-1].content


async def test_the_order_of_a_round_is_completed_by_races(game: Table) -> None:
    """One after another, none twice."""
    assert await game.suggested(REFEREE, "referee order", "players", "tide") == ["Tidewright"]
    offered = await game.suggested(REFEREE, "referee order", "players", "Sunherd,")
    assert offered == ["Sunherd, Emberfolk", "Sunherd, Tidewright"]
    await to_the_end_of_the_round(game)
    await game.use(REFEREE, "referee order", players=offered[1])
    await game.use(REFEREE, "referee next-round")
    assert (await game.state()).phase.player == "yellow"


async def test_a_paused_game_waits(game: Table) -> None:
    told = await game.use(REFEREE, "referee pause", reason="holidays")
    assert told.count("paused") == 1
    assert "paused" in await game.use("red", "done")
    assert "paused" in await game.use("red", "status")
    # Nobody is waited for, so nobody is reminded.
    assert not await game.bot.store.waits()
    await game.restart()
    assert "paused" in await game.use("red", "done")
    await game.use(REFEREE, "referee resume")
    assert "paused" not in await game.use("red", "done")


async def test_units_are_moved_into_a_carrier_by_hand(game: Table) -> None:
    answer = await game.use(
        REFEREE,
        "referee move",
        units="2 ground forces",
        at="201",
        to="201",
        player="red",
        source="Emberhall",
        carrier="carrier 2",
        reason="loaded too late",
    )
    assert "201, carrier 2" in answer
    assert [ship.ground_forces for ship in (await game.state()).ships_at("201", "red") if ship.load][-1] >= 2
    assert "a battle would follow" in await game.use(REFEREE, "referee place", units="cruiser", at="201", player="blue")
    await game.use(REFEREE, "referee place", units="cruiser", at="201", player="blue", anyway=True)
    assert (await game.state()).space_owners("201") == ("red", "blue")
    assert not buttons(game.posts()[-1])

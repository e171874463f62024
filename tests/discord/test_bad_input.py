"""What cannot be followed: a clear sentence, private, and nothing changed."""

import logging
import re
import zlib

import pytest

from bot.cooldown import OF_A_USER, Cooldown
from rules_core.history import REFEREE
from tests.discord.tools import Table, buttons

pytestmark = pytest.mark.simcord(settle_timeout=60)

BAD = (
    ("red", "move", {"units": "2 cruisers", "from_": "202", "to": "999"}, "system"),
    ("red", "move", {"units": "2 cruisers", "from_": "Nowhere", "to": "104"}, "Nowhere"),
    ("red", "move", {"units": "2 spaceships", "from_": "202", "to": "104"}, "Did you mean"),
    ("red", "move", {"units": "0 cruisers", "from_": "202", "to": "104"}, "1 to"),
    ("red", "move", {"units": "-1 cruisers", "from_": "202", "to": "104"}, "1 to"),
    ("red", "move", {"units": "9" * 300 + " cruisers", "from_": "202", "to": "104"}, "1 to"),
    ("red", "move", {"units": "3 cruisers", "from_": "202", "to": "104"}, "2 there"),
    ("red", "move", {"units": "x" * 5000, "from_": "202", "to": "104"}, "too long"),
    ("red", "move", {"units": "cruisers", "from_": "202", "to": "203"}, "supernova"),
    ("red", "move", {"units": "@everyone <@1>", "from_": "202", "to": "104"}, "no unit"),
    ("red", "land", {"planet": "Marrow", "units": "all"}, "invasion step"),
    ("red", "losses", {"units": "1 cruiser"}, "no such choice"),
    ("red", "bombard", {"planet": "Nimbus"}, "no planet"),
    ("red", "bombard", {"planet": "Marrow", "dreadnoughts": -3}, "3.5"),
    ("red", "standing", {"retreat": "sometimes"}, "no order for retreats"),
    ("red", "standing", {"for_": "blue"}, "needs: pds"),
    ("red", "rules", {"clause": "4.1"}, "no clause"),
    ("red", "map", {"step": 400}, "last one is"),
    ("red", "map", {"step": -1}, "no step"),
    ("red", "map", {"system": "999"}, "no system"),
    ("blue", "move", {"units": "1 cruiser", "from_": "204", "to": "205"}, "not your individual phase"),
    ("blue", "undo", {}, "nothing"),
    (REFEREE, "move", {"units": "1 cruiser", "from_": "204", "to": "205"}, "no seat"),
    (REFEREE, "referee place", {"units": "5 docks", "at": "000", "player": "red"}, ""),
    (REFEREE, "referee place", {"units": "1 cruiser", "at": "203", "player": "red"}, "red border"),
    (REFEREE, "referee place", {"units": "1 cruiser", "at": "000", "player": "nobody"}, "no player"),
    (REFEREE, "referee technology", {"player": "red", "name": "warp"}, "no technology"),
    (REFEREE, "referee power", {"player": "red", "amount": 10**9}, ""),
    (REFEREE, "referee next-round", {}, "not over"),
)


async def test_a_bad_command_says_what_is_wrong_and_changes_nothing(game: Table) -> None:
    before, seen = await game.state(), len(game.posts())
    for who, command, options, said in BAD:
        answer = await game.use(who, command, **options)
        assert said in answer, (command, options, answer)
        assert "@everyone" not in answer
        assert len(answer) <= 2000
        assert await game.state() == before, (command, options)
    assert len(game.posts()) == seen


async def test_a_line_that_only_says_something_is_understood_as_nothing_chosen(game: Table) -> None:
    """A list cannot be empty on Discord, and what stands in it can be picked."""
    before = await game.state()
    for command, option, others in (
        ("land", "planet", {"units": "all"}),
        ("retreat", "to", {}),
        ("load", "carrier", {"units": "1 ground force", "at": "201"}),
        ("move", "to", {"units": "all", "from_": "999"}),
    ):
        offered = await game.people["red"].autocomplete(game.channel, command, option, "")
        assert len(offered) == 1
        answer = await game.use("red", command, **{option: offered[0]["value"]}, **others)
        assert f"Nothing was chosen for {option}" in answer, (command, answer)
    assert await game.state() == before


@pytest.mark.parametrize(
    ("command", "option", "typed"),
    [
        ("referee place", "units", "7 ground forces, 5 PDS"),
        ("move", "units", "carrier 1 + 3 ground forces"),
        ("move", "to", "nowhere"),
        ("odds", "units", "12 cruisers, 9 fighters"),
    ],
)
async def test_what_is_typed_and_not_suggested_can_be_sent(game: Table, command: str, option: str, typed: str) -> None:
    """A list knows only some of what can be said; whether it is right is told when it is sent."""
    who = REFEREE if command.startswith("referee") else "red"
    offered = await game.people[who].autocomplete(game.channel, command, option, typed)
    assert [(each["name"], each["value"]) for each in offered] == [(typed, typed)]


async def test_case_104_another_channel_is_another_game(game: Table) -> None:
    elsewhere = game.guild.create_text_channel("elsewhere")
    for command, options in (("done", {}), ("game status", {}), ("referee skip", {}), ("map", {}), ("undo", {})):
        assert "no game in this channel" in await game.use("red", command, channel=elsewhere, **options)
    found = await game.people["red"].autocomplete(elsewhere, "move", "from", "")
    assert "no game in this channel" in found[0]["name"]
    assert not game.posts(elsewhere)


async def test_a_stranger_looks_and_touches_nothing(game: Table) -> None:
    game.people["stranger"] = game.join_server("stranger")
    before = await game.state()
    assert "Emberfolk" in await game.use("stranger", "order")
    assert "Sunherd" in await game.use("stranger", "units")
    assert "Acting" in await game.use("stranger", "status")
    for command, options in (("done", {}), ("undo", {}), ("standing", {"pds": "hold"})):
        assert "no seat" in await game.use("stranger", command, **options)
    assert "Only the referee" in await game.use("stranger", "referee skip")
    assert await game.state() == before


async def test_standing_orders_are_seen_by_nobody_else(game: Table) -> None:
    await game.use("blue", "standing", losses="cruiser, fighter", pds="hold", for_="red")
    assert "hold" in await game.use("blue", "standing", retreat="never")
    for who in ("red", REFEREE):
        for command in ("units", "status", "order", "game status"):
            assert "hold" not in await game.use(who, command)
    assert not any("hold" in post.content for post in game.posts())


async def test_after_the_end_commands_and_buttons_are_refused(game: Table) -> None:
    await game.to_losses()
    asked = game.posts()[-1]
    game.keep_old_buttons()
    await game.use(REFEREE, "game end")
    assert "not running" in await game.press("blue", asked, "losses-0.2.0")
    assert "no game" in await game.use("red", "losses", units="2 fighters")


async def test_what_was_not_foreseen_is_a_number_that_the_log_has(
    game: Table, caplog: pytest.LogCaptureFixture
) -> None:
    """The file was damaged by something else: the player is told a number, the owner finds it in the log."""
    game.expected = (zlib.error,)
    await game.bot.store.write("UPDATE snapshots SET position = ?", (b"damaged",))
    await game.restart()
    with caplog.at_level(logging.ERROR, "bot.error_replies"):
        answer = await game.use("red", "done")
    found = re.search(r"[0-9a-f]{8}", answer)
    assert found is not None
    assert found.group() in caplog.text
    assert "Traceback" in caplog.text


async def test_who_sends_too_much_is_told_to_wait_and_nobody_else_is(game: Table) -> None:
    game.bot.cooldown = Cooldown(lambda: 0.0)
    before, announced = await game.state(), game.posts()[-1]
    first = next(iter(buttons(announced))).custom_id.rpartition(":")[2]
    for _ in range(OF_A_USER.burst):
        game.bot.cooldown.ask("", game.people["red"].user.id, 1)
    assert "That is much at once" in await game.use("red", "move", from_="202", to="104", units="2 cruisers")
    assert "That is much at once" in await game.press("red", announced, first)
    assert await game.state() == before
    assert "That is much at once" not in await game.use("blue", "status")

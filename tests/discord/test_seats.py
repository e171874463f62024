"""Seats, not people: who leaves, who takes over, who plays two, who is referee; whom nobody pings."""

from typing import Any

import pytest

from rules_core.history import REFEREE
from tests.discord.tools import Table, buttons, text_of

pytestmark = pytest.mark.simcord(settle_timeout=60)


async def press(table: Table, who: str, message: Any, label: str) -> str:
    id = next(item.custom_id for item in buttons(message) if (item.label or "").startswith(label))
    return text_of(await table.people[who].click(message, custom_id=id))


async def test_case_100_a_new_user_can_and_the_old_one_cannot(game: Table) -> None:
    await game.to_losses()
    asked = game.posts()[-1]
    game.people["heir"] = game.join_server("heir")
    await game.use(REFEREE, "seat give", race="red", user=game.people["heir"])
    assert "no seat" in await game.press("red", asked, "losses-0.0.0.0.2")
    assert "2 fighters" in await game.press("heir", asked, "losses-0.0.0.0.2")


async def test_the_referee_plays_a_vacant_seat_and_the_log_says_so(game: Table) -> None:
    await game.to_losses()
    asked = game.posts()[-1]
    await game.use(REFEREE, "seat free", race="red")
    assert "vacant; the referee plays for it" in game.posts()[-1].content
    assert "2 fighters" in await game.press(REFEREE, asked, "losses-0.0.0.0.2")
    row = await game.bot.service.game_in(game.channel.id)
    assert (await game.bot.store.log.entry_with(row.id, row.head)).actor == REFEREE
    await game.press("blue", asked, "losses-0.2.0")
    assert game.pinged(game.posts()[-1]) == [REFEREE]
    await game.use("red", "game join", race="red")
    assert "no seat" in await game.use(REFEREE, "continue")


async def test_one_person_plays_two_seats(game: Table) -> None:
    await game.to_losses()
    asked = game.posts()[-1]
    await game.use(REFEREE, "seat give", race="blue", user=game.people["red"])
    await game.press("red", asked, "losses-0.2.0")
    await game.press("red", asked, "losses-0.0.0.0.2")
    assert game.all_pings()[-1] == ["red"]
    await game.use("red", "continue")
    await game.finish("red")
    # The phase of his other seat: what he says is said for the one that is waited for.
    assert (await game.state()).phase.player == "blue"  # type: ignore[union-attr]
    await game.finish("red")
    await game.finish("red")
    assert (await game.state()).phase.player == "yellow"  # type: ignore[union-attr]


async def test_two_seats_change_their_users(game: Table) -> None:
    await game.use(REFEREE, "seat swap", race="red", other="yellow")
    assert "not your individual phase" in await game.use("red", "done")
    assert "movement step is over" in await game.use("yellow", "done")


async def test_the_post_about_a_seat_says_first_who_has_which_now(game: Table) -> None:
    """Whatever changes hands: nobody has to compare it with an older list."""
    ids = {name: f"<@{person.user.id}>" for name, person in game.people.items()}

    def told() -> str:
        return game.posts()[-1].content.partition("**A prepared round**")[0]

    await game.use(REFEREE, "seat swap", race="red", other="yellow")
    assert told().splitlines() == [
        f"**Emberfolk (red)** is played by {ids['yellow']} from now on.",
        f"**Sunherd (yellow)** is played by {ids['red']} from now on.",
    ]
    await game.use(REFEREE, "seat free", race="red")
    assert "**Emberfolk (red)** is vacant" in told()
    await game.use("yellow", "game join", race="red")
    assert told().splitlines()[0] == f"**Emberfolk (red)** is played by {ids['yellow']} from now on."
    await game.use("blue", "game leave")
    assert "**Tidewright (blue)** is vacant" in told()
    await game.use(REFEREE, "seat give", race="blue", user=game.people["red"])
    assert f"is played by {ids['red']}" in told()
    await game.use(REFEREE, "seat second", user=game.people["blue"])
    assert told().splitlines()[0] == f"Referee from now on: {ids[REFEREE]}, {ids['blue']}"


async def test_standing_orders_go_with_who_leaves(game: Table) -> None:
    await game.use("red", "standing", losses="fighter")
    await game.use(REFEREE, "seat give", race="red", user=game.people["blue"])
    assert (await game.state()).standing == {}


async def test_only_the_referee_moves_people(game: Table) -> None:
    for command, options in (
        ("seat give", {"race": "red", "user": game.people["blue"]}),
        ("seat free", {"race": "red"}),
        ("seat swap", {"race": "red", "other": "blue"}),
        ("seat second", {"user": game.people["blue"]}),
    ):
        assert "Only the referee" in await game.use("blue", command, **options)


async def test_a_second_referee_and_when_the_referee_vanishes(game: Table) -> None:
    assert "still on this server" in await game.use("red", "seat takeover")
    named = await game.use(REFEREE, "seat second", user=game.people["blue"])
    assert "ordered ahead" not in named  # no seat has another user
    assert "2 cruisers" in await game.use(
        "blue", "referee place", units="2 cruisers", at="201", player="red", reason="agreed"
    )
    await game.use("blue", "seat takeover")
    assert (await game.bot.service.game_in(game.channel.id)).referee == game.people["blue"].user.id
    game.guild.remove_member(game.people["blue"])
    game.bot.members.clear()
    await game.use("red", "seat takeover")
    assert (await game.bot.service.game_in(game.channel.id)).referee == game.people["red"].user.id


async def test_case_099_who_left_the_server_is_not_pinged_and_can_come_back(game: Table) -> None:
    game.guild.remove_member(game.people["blue"])
    await game.finish("red")
    await game.finish("red")
    post = game.posts()[-1]
    assert "Tidewright" in post.content
    assert "no longer on this server" in post.content
    assert game.pinged(post) == []
    game.people["blue"] = game.guild.add_member(game.people["blue"].user)
    assert "movement step is over" in await game.use("blue", "done")


async def test_case_104_names_of_channels_do_not_matter(game: Table) -> None:
    await game.bot.get_channel(game.channel.id).edit(name="renamed")  # type: ignore[union-attr]
    await game.env.settle()
    assert "movement step is over" in await game.use("red", "done")


async def test_a_spectator_sees_what_is_public_and_can_do_nothing(game: Table) -> None:
    game.people["guest"] = game.join_server("guest")
    await game.use("red", "standing", losses="fighter", retreat="never")
    assert "Emberfolk" in await game.use("guest", "order")
    assert "no seat" in await game.use("guest", "standing", losses="fighter")
    assert "no seat" in await press(game, "guest", game.posts()[-1], "Done")

"""The lobby: seats dealt or chosen, colours and names of races, the galaxy that is going to be played, settings."""

import pytest

from bot.galaxies import RACES, generate, ready_made
from rules_core.history import REFEREE
from rules_core.state import Options
from tests.discord.tools import Table, buttons, text_of

pytestmark = pytest.mark.simcord(settle_timeout=60)
KEYS = [race.key for race in RACES]


async def press_labelled(table: Table, who: str, message: object, label: str) -> str:
    """Presses the button with that label."""
    return text_of(await table.people[who].click(message, label=label))


# ---- seats


async def test_join_and_leave_by_button(table: Table) -> None:
    """Who chooses nothing is dealt a seat; the post shows who sits where, on the map too."""
    await table.use(REFEREE, "game create", seats=3)
    post = table.posts()[-1]
    assert [button.label for button in buttons(post)] == ["Join", "Leave"]
    assert len(post.attachments) == 1
    assert "You play" in await press_labelled(table, "red", post, "Join")
    assert "a seat in this game already" in await press_labelled(table, "red", post, "Join")
    assert f": {table.people['red'].user.mention}" in table.posts()[-1].content
    assert "free now" in await press_labelled(table, "red", post, "Leave")
    assert table.posts()[-1].content.count("free") == 3
    await table.restart()
    assert "You play" in await press_labelled(table, "blue", post, "Join")


async def test_the_lobby_is_one_post(table: Table) -> None:
    """It is edited, also after a restart; asked for anew it stands below, and the old one has no buttons any more."""
    await table.use(REFEREE, "game create", seats=3)
    (first,) = table.posts()
    before = table.pictures()
    await press_labelled(table, "red", first, "Join")
    await table.restart()
    await table.use("blue", "game join", race="white")
    (post,) = table.posts()
    assert all(table.people[who].user.mention in post.content for who in ("red", "blue"))
    assert len(post.attachments) == 1
    assert "Emberfolk" in post.attachments[0].description
    assert table.pictures() != before
    before = table.pictures()
    preview = (await table.people[REFEREE].slash(table.channel, "galaxy generate")).response.message
    assert len(table.posts()) == 1
    assert table.pictures() != before
    await press_labelled(table, REFEREE, preview, "Show everybody")
    older, newer = table.posts()
    assert (buttons(older), older.attachments, "newer post" in older.content) == ([], [], True)
    await press_labelled(table, "blue", newer, "Leave")
    assert len(table.posts()) == 2
    assert table.people["blue"].user.mention not in table.posts()[-1].content
    await table.use("blue", "game join")
    await table.use("yellow", "game join")
    await table.use(REFEREE, "game start")
    _, newer, _ = table.posts()
    assert buttons(newer) == []
    assert "is running" in newer.content
    assert "Seal of the dice" in newer.content


async def test_a_lobby_post_that_is_gone_is_made_again(table: Table) -> None:
    await table.use(REFEREE, "game create", seats=3)
    await table.bot.get_partial_messageable(table.channel.id).get_partial_message(table.posts()[0].id).delete()
    await table.use("red", "game join")
    (post,) = table.posts()
    assert table.people["red"].user.mention in post.content
    assert [button.label for button in buttons(post)] == ["Join", "Leave"]


async def test_a_colour_that_is_not_among_the_seats_takes_a_free_one(table: Table) -> None:
    await table.use(REFEREE, "game create", seats=2)
    assert "1 to 32 characters" in await table.use("red", "game join", race="white", name="x" * 33)
    await table.use("red", "game join", race="white")
    await table.use("blue", "game join", race=RACES[0].name, name="The Two Moons")
    state = await table.state()
    assert [(player.key, player.race) for player in state.players] == [
        ("red", "The Two Moons"),
        ("white", RACES[7].name),
    ]
    assert "No seat is free" in await table.use("yellow", "game join", race="green")
    await table.use(REFEREE, "game start")
    assert "started already" in await table.use("yellow", "game join", name="Late")


async def test_somebody_else_as_referee(table: Table) -> None:
    await table.use("red", "game create", referee=table.people["blue"], seats=2)
    assert "Only the referee" in await table.use("red", "game start")
    robot = table.guild.add_member(table.env.create_user("robot", bot=True))
    table.channel = table.guild.create_text_channel("other")
    assert "bot" in await table.use("red", "game create", referee=robot)


# ---- the galaxy


async def test_a_galaxy_from_a_seed_is_the_same_for_the_same_seed(table: Table) -> None:
    await table.use(REFEREE, "game create", seats=4, name="Twice")
    answer = await table.use(REFEREE, "galaxy generate", seed="seven", rings=3)
    assert "seed seven" in answer
    assert "Fair" in answer
    assert (await table.state()).planets == generate("seven", RACES[:4], 3, name="Twice").planets
    posts = len(table.posts())
    assert "Only the referee" in await table.use("red", "galaxy generate")
    await table.use(REFEREE, "galaxy ready")
    assert (await table.state()).planets == ready_made("Twice", RACES[:4]).start.planets
    assert len(table.posts()) == posts


async def test_another_galaxy_by_button_and_then_everybody_sees_it(table: Table) -> None:
    await table.use(REFEREE, "game create", seats=2)
    await table.use("red", "game join", race="blue")
    preview = (await table.people[REFEREE].slash(table.channel, "galaxy generate")).response.message
    assert preview.attachments
    assert [button.label for button in buttons(preview)] == ["Another galaxy", "Show everybody"]
    before = (await table.state()).planets
    assert "seed" in await press_labelled(table, REFEREE, preview, "Another galaxy")
    assert (await table.state()).planets != before
    posts = len(table.posts())
    await press_labelled(table, REFEREE, preview, "Show everybody")
    assert len(table.posts()) == posts + 1
    assert table.people["red"].user.mention in table.posts()[-1].content
    assert not buttons((await table.people["red"].slash(table.channel, "galaxy show")).response.message)


async def test_a_name_breaks_nothing_in_the_scores(table: Table) -> None:
    await table.use(REFEREE, "game create", seats=2)
    await table.use("red", "game join", name="**b** `c` <@1>")
    shown = await table.use(REFEREE, "galaxy show")
    assert "**b**" not in shown
    assert shown.count("`") == len("``````") + shown.count("\\`")


async def test_what_the_referee_edits_is_fixed(table: Table) -> None:
    """Two systems change places, a planet changes; from then on every seat must be taken."""
    await table.use(REFEREE, "game create", seats=3)
    state = await table.state()
    one, other = state.galaxy.systems["101"], state.galaxy.systems["102"]
    planet = next(planet for planet in state.planets.values() if planet.owner is None)
    await table.use(REFEREE, "galaxy swap", one="101", other="102")
    answer = await table.use(REFEREE, "galaxy planet", name=planet.name, rename="Tide", resources=6)
    assert "edited or imported" in answer
    after = await table.state()
    assert (after.galaxy.systems["101"].planets, after.galaxy.systems["102"].planets) in [
        (other.planets, one.planets),
        tuple(tuple("Tide" if name == planet.name else name for name in each) for each in (other.planets, one.planets)),
    ]
    assert after.planets["Tide"].resources == 6
    assert "name_twice" not in (answer := await table.use(REFEREE, "galaxy planet", name="Tide", rename="103"))
    assert "103" in answer
    for who in ("red", "blue"):
        await table.use(who, "game join")
    assert "Vacant" in await table.use(REFEREE, "game start")
    await table.use("yellow", "game join")
    await table.use(REFEREE, "game start")
    assert (await table.state()).planets["Tide"].resources == 6
    assert "started already" in await table.use(REFEREE, "galaxy ready")


async def test_a_tap_does_not_throw_away_what_the_referee_edited(table: Table) -> None:
    """Another galaxy is then a command to write; the button of a preview from before is refused."""
    table.keep_old_buttons()
    await table.use(REFEREE, "game create", seats=2)
    before = (await table.people[REFEREE].slash(table.channel, "galaxy show")).response.message
    assert [button.label for button in buttons(before)] == ["Another galaxy", "Show everybody"]
    await table.use(REFEREE, "galaxy swap", one="101", other="102")
    after = (await table.people[REFEREE].slash(table.channel, "galaxy show")).response.message
    assert [button.label for button in buttons(after)] == ["Show everybody"]
    edited = (await table.state()).galaxy
    assert "/galaxy generate" in await table.press(REFEREE, before, "another")
    assert (await table.state()).galaxy == edited
    await table.use(REFEREE, "galaxy generate", seed="anew")
    assert (await table.state()).galaxy != edited


async def test_everybody_is_told_what_ends_the_game(table: Table) -> None:
    """In the lobby's post, and by a new one when it changes later; not again when something else is agreed on."""
    await table.use(REFEREE, "game create", seats=2)
    assert "ends when the referee declares it" in table.posts()[-1].content
    await table.use(REFEREE, "referee settings", victory="power", goal=3)
    assert "After round 3" in table.posts()[-1].content
    for who in ("red", "blue"):
        await table.use(who, "game join")
    await table.use(REFEREE, "game start")
    await table.use(REFEREE, "referee settings", victory="homes", goal=1)
    told = table.posts()
    assert "home system" in told[-1].content
    await table.use(REFEREE, "referee settings", reminders=5)
    assert len(table.posts()) == len(told)


async def test_a_galaxy_shrinks_to_those_who_joined(table: Table) -> None:
    """From the same seed, with the settings that were chosen."""
    await table.use(REFEREE, "game create", seats=6, name="Fewer")
    await table.use(REFEREE, "galaxy generate", seed="eleven")
    await table.use(REFEREE, "game settings", option="lone_fighters", value="ignore")
    for who in ("red", "blue"):
        await table.use(who, "game join", race=who)
    await table.use(REFEREE, "game start")
    state = await table.state()
    assert state.options.lone_fighters == "ignore"
    assert state.planets == generate("eleven", RACES[:2], name="Fewer").planets


async def test_a_korean_game_has_korean_names(table: Table) -> None:
    await table.use(REFEREE, "game create", seats=2, language="ko")
    state = await table.state()
    assert all("가" <= name[0] <= "힣" for name in (*state.planets, *(player.race for player in state.players)))


# ---- settings


async def test_options_are_chosen_when_the_game_is_created(table: Table) -> None:
    await table.use(REFEREE, "game create", seats=2, lone_fighters="ignore", pds_targets="present")
    assert (await table.state()).options == Options(lone_fighters="ignore")


async def test_settings_are_shown_with_what_they_mean(table: Table) -> None:
    for command, option in (("game settings", "option"), ("game settings", "value"), ("game end", "winner")):
        assert await table.people["red"].autocomplete(table.channel, command, option, "") == []
    await table.use(REFEREE, "game create", seats=2)
    shown = await table.use("red", "game settings")
    assert "- lone fighters: **they fight**. Fighters without a ship" in shown
    assert "Instead it could be: they are passed over." in shown
    assert "Only the referee" in await table.use("red", "game settings", option="lone_fighters", value="ignore")
    assert "lone fighters" in await table.suggested(REFEREE, "game settings", "option")
    offered = await table.people[REFEREE].autocomplete(
        table.channel, "game settings", "value", "", option="lone fighters"
    )
    assert [each["name"] for each in offered] == ["they fight", "they are passed over"]
    shown = await table.use(REFEREE, "game settings", option="lone fighters", value=offered[1]["value"])
    assert "**they are passed over**" in shown
    assert "no value" in await table.use(REFEREE, "game settings", option="lone_fighters", value="often")
    for who in ("red", "blue"):
        await table.use(who, "game join")
    await table.use(REFEREE, "game start")
    await table.use(REFEREE, "game settings", option="lone_fighters", value="battle")
    assert "A setting changes" in table.posts()[-1].content

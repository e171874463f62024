"""`/game`: from its creation to its end, who may do what, files, and names that try to break something."""

import json

import pytest

import discord
from bot.galaxies import RACES
from bot.lobby import MAX_BYTES
from rules_core.game_file import read_any
from rules_core.history import REFEREE
from tests.discord.tools import Table, prepared

pytestmark = pytest.mark.simcord(settle_timeout=60)


def least_invite(table: Table, asked_for: discord.Permissions) -> None:
    """Takes away all that the stand-in gives and the README does not ask for."""
    members = discord.Permissions(view_channel=True, use_application_commands=True)
    for role in table.env.backend.get_guild(table.guild.id).roles.values():
        role.permissions = (asked_for if role.managed else members).value


# ---- create


async def test_a_game_for_those_who_join(table: Table) -> None:
    referee = table.people[REFEREE].user.mention
    assert f"its referee is {referee}" in await table.use(REFEREE, "game create", name="Long night")
    free = await table.suggested("red", "game join", "race")
    assert free == [f"{race.name} ({race.key})" for race in RACES]
    await table.use("red", "game join", race=free[2])
    await table.use("blue", "game join", race=RACES[6].key)
    await table.use("yellow", "game join", race=free[0])
    status = await table.use("red", "game status")
    assert "Long night" in status
    assert status.count("free") == len(RACES) - 3
    await table.use(REFEREE, "game start")
    state = await table.state()
    assert [player.race for player in state.players] == [RACES[0].name, RACES[2].name, RACES[6].name]
    assert len(table.all_pings()) == 1
    # Everything before the start pings nobody, and everybody is named.
    assert all(table.people[who].user.mention in table.posts()[-2].content for who in ("red", "blue", "yellow"))


async def test_the_creator_need_not_play_and_may(table: Table) -> None:
    await table.use("red", "game create")
    await table.use("red", "game join", race="red")
    await table.use("blue", "game join", race="blue")
    await table.use("red", "game start")
    state = await table.state()
    assert [player.key for player in state.players] == ["red", "blue"]
    await table.use(state.phase.player, "done")


async def test_a_second_create_is_refused_until_the_first_game_has_ended(table: Table) -> None:
    await table.use("red", "game create", name="First")
    assert "has a game already" in await table.use("blue", "game create", name="Second")
    elsewhere = table.guild.create_text_channel("elsewhere")
    assert "referee" in await table.use("blue", "game create", channel=elsewhere)
    assert "Only the referee" in await table.use("blue", "game end")
    await table.use("red", "game end")
    assert "has ended" in table.posts()[-1].content
    assert "referee" in await table.use("blue", "game create", name="Second")


async def test_missing_permissions_are_named(table: Table) -> None:
    denied = discord.PermissionOverwrite(attach_files=False, send_messages=False)
    closed = table.guild.create_text_channel("closed", overwrites={table.guild.me: denied})
    answer = await table.use("red", "game create", channel=closed)
    assert "Send Messages, Attach Files" in answer
    assert "View Channel" not in answer
    assert "no game" in await table.use("red", "game status", channel=closed)
    file = ("position.json", b"{}")
    assert "Send Messages" in await table.use("red", "game import", channel=closed, file=file)
    await table.use("red", "language", language="ko")
    assert "메시지 보내기, 파일 첨부하기" in await table.use("red", "game create", channel=closed)


async def test_the_permissions_of_the_readme_suffice(table: Table) -> None:
    least_invite(table, discord.Permissions(view_channel=True, send_messages=True, attach_files=True))
    await table.begin()
    await table.to_losses()
    assert "choose" in table.posts()[-1].content.lower()


# ---- join, leave, start


async def test_seats_are_taken_once(table: Table) -> None:
    await table.use(REFEREE, "game create")
    await table.use("red", "game join", race="Emberfolk")
    assert "is taken" in await table.use("blue", "game join", race="Emberfolk")
    assert "a seat in this game already" in await table.use("red", "game join")
    # Whatever cannot be had, what is free is said.
    for wrong in ("Nobody's", "turquoise"):
        answer = await table.use("blue", "game join", race=wrong)
        assert f'no race and no colour "{wrong}" to play. Free: Tidewright (blue), Loamkin (green)' in answer
        assert "Emberfolk" not in answer
    await table.use("red", "game leave")
    assert "no seat" in await table.use("red", "game leave")
    assert "Emberfolk" in await table.use("blue", "game join", race="Emberfolk")
    assert "Emberfolk" not in await table.suggested("yellow", "game join", "race")


async def test_a_full_game(table: Table) -> None:
    await table.begin()
    table.people["late"] = table.join_server("late")
    assert "No seat is free" in await table.use("late", "game join")
    assert await table.suggested("late", "game join", "race") == ["no seat is free"]


async def test_too_few_and_too_early_and_twice(table: Table) -> None:
    await table.use(REFEREE, "game create")
    await table.use("red", "game join")
    assert "at least 2 players" in await table.use(REFEREE, "game start")
    await table.use("blue", "game join")
    assert "not running" in await table.use("red", "done")
    for command in ("status", "help", "game status"):
        assert "2 of 8 seats taken" in await table.use("red", command)
    assert "Only the referee" in await table.use("red", "game start")
    await table.use(REFEREE, "game start")
    assert "started already" in await table.use(REFEREE, "game start")


async def test_who_takes_over_a_seat_goes_on_with_it(game: Table) -> None:
    """The seat plays on with another user: he can press and type, the one who left cannot."""
    await game.to_losses()
    asked = game.posts()[-1]
    await game.use("red", "game leave")
    game.people["heir"] = game.join_server("heir")
    await game.use("heir", "game join", race="red")
    assert "no seat" in await game.press("red", asked, "losses-0.0.0.0.2")
    assert "2 fighters" in await game.press("heir", asked, "losses-0.0.0.0.2")


# ---- referee


async def test_the_referee_hands_over(game: Table) -> None:
    assert "Only the referee" in await game.use("red", "referee skip")
    assert "Only the referee" in await game.use("red", "game referee", user=game.people["red"])
    await game.use(REFEREE, "game referee", user=game.people["red"])
    assert "Only the referee" in await game.use(REFEREE, "referee skip")
    await game.use("red", "referee power", player="blue", amount=20)
    assert (await game.state()).political_power("blue") == 20
    # What he did as the referee he takes back as the referee.
    assert "The referee took back" in await game.use("red", "undo")
    assert (await game.state()).political_power("blue") == 6


async def test_no_bot_is_referee(game: Table) -> None:
    robot = game.guild.add_member(game.env.create_user("robot", bot=True))
    assert "bot" in await game.use(REFEREE, "game referee", user=robot)


# ---- files


async def test_export_and_import_are_one_game(game: Table) -> None:
    await game.to_losses()
    await game.use("red", "standing", losses="fighter, cruiser")
    result = await game.people["yellow"].slash(game.channel, "game export")
    assert result.ephemeral
    content = game.env.backend.cdn.get(result.response.attachments[0].url)
    assert b"standing_orders" not in content
    assert read_any(content.decode()).state.ships == (await game.state()).ships
    before = await game.state()
    game.channel = game.guild.create_text_channel("copy")
    assert "begins from this file" in await game.use(REFEREE, "game import", file=("game.json", content))
    for who in ("red", "blue", "yellow"):
        await game.use(who, "game join", race=who)
    await game.use(REFEREE, "game start")
    after = await game.state()
    assert (after.ships, after.phase, after.planets) == (before.ships, before.phase, before.planets)
    await game.use("red", "losses", units="2 fighters")


async def test_a_position_for_the_game_in_the_lobby(table: Table) -> None:
    await table.use(REFEREE, "game create", name="Before")
    await table.use("red", "game join")
    position = json.dumps(
        {
            "format": "starpost-position/1",
            "name": "After",
            "players": [{"key": "a", "race": "Alphas"}, {"key": "b", "race": "Betas"}],
            "systems": [{"at": "000", "planets": [{"name": "Home", "owner": "a"}, {"name": "Abroad", "owner": "b"}]}],
        }
    ).encode()
    assert "Only the referee" in await table.use("blue", "game import", file=("p.json", position))
    await table.use(REFEREE, "game import", file=("p.json", position))
    assert f"Alphas: {table.people['red'].user.mention}" in await table.use("red", "game status")
    assert "Vacant: Betas" in await table.use(REFEREE, "game start")
    await table.use("blue", "game join")
    await table.use(REFEREE, "game start")
    assert (await table.state()).name == "After"
    assert "started already" in await table.use(REFEREE, "game import", file=("p.json", position))


async def test_a_map_of_ones_own_stays_as_it_is(table: Table) -> None:
    """Imported into an empty channel, with names of any kind; it is not made anew for fewer players."""
    home = {"resources": 4, "political_power": 4}
    races = [{"key": key, "race": race} for key, race in (("a", "Ünï *côde*"), ("b", "고양이 제국"), ("c", "C 3"))]
    planets = (("000", "a", "Mecha's End"), ("101", "b", "집"), ("104", "c", "달 2"))
    systems = [{"at": at, "planets": [home | {"name": name, "owner": owner}]} for at, owner, name in planets]
    position = {"format": "starpost-position/1", "name": "우리 은하 #1", "players": races, "systems": systems}
    await table.use(REFEREE, "game import", file=("map.json", json.dumps(position).encode()))
    shown = await table.use(REFEREE, "galaxy show")
    assert "edited or imported" in shown
    assert "101 고양이 제국" in shown
    assert "You play: 고양이 제국" in await table.use("blue", "game join", race="고양이 제국")
    assert "You play: Ünï \\*côde\\*." in await table.use("red", "game join", race="Ünï *côde*")
    assert "Vacant: C 3" in await table.use(REFEREE, "game start")
    await table.use("yellow", "game join")
    await table.use(REFEREE, "game start")
    assert (await table.state()).planets["집"].owner == "b"
    # Who holds the home of another when a round is over has won.
    assert "needs a goal" in await table.use(REFEREE, "referee settings", victory="homes")
    await table.use(REFEREE, "referee settings", victory="homes", goal=1)
    await table.use(REFEREE, "referee planet", name="집", owner="a")
    while (await table.state()).phase is not None:
        await table.use(REFEREE, "referee skip")
    assert "Winner: Ünï" in table.posts()[-1].content
    await table.use(REFEREE, "game end")
    assert "No die was rolled" in await table.use("red", "game verify")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "JSON"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"[" * 100_000, "nested"),
        (b'{"format": "starpost-position/1"}', "players"),
        (b'{"format": "starpost-game/1", "log": 3}', "position"),
        (b" " * (MAX_BYTES + 1), "characters"),
        (b" " * (MAX_BYTES // 4 + 1), "characters"),
    ],
)
async def test_a_file_that_cannot_be_used_is_named_and_changes_nothing(table: Table, content: bytes, said: str) -> None:
    assert said in await table.use("red", "game import", file=("x.json", content))
    assert "no game" in await table.use("red", "game status")
    assert not table.posts()


# ---- names

HOSTILE = (
    "@everyone",
    "<@1> <@&2> <#3>",
    "**bold** `code` ||spoiler||",
    "\u202eright to left",
    "# heading",
    "🛰️ 우주",
    "[link](https://example.com)",
    "```\nblock",
)


@pytest.mark.parametrize("name", HOSTILE)
async def test_case_093_names_ping_nobody_and_break_nothing(table: Table, name: str) -> None:
    answer = await table.use(REFEREE, "game create", name=name)
    if "its referee is" not in answer:
        assert "control characters" in answer
        assert not table.posts()
        return
    for who in ("red", "blue"):
        await table.use(who, "game join", race=who)
    await table.use(REFEREE, "game start")
    assert len(table.all_pings()) == 1
    for post in table.posts():
        assert "@everyone" not in post.content
        assert "\u202e" not in post.content
        assert not post.role_mentions
        assert "||spoiler" not in post.content
    assert len((await table.state()).name) <= 32


@pytest.mark.parametrize("name", ["x" * 33, "x" * 100, " edge ", "a\nb"])
async def test_names_that_cannot_be_are_refused_with_the_reason(table: Table, name: str) -> None:
    answer = await table.use(REFEREE, "game create", name=name)
    assert "1 to 32 characters" in answer or "control characters" in answer
    assert "no game" in await table.use(REFEREE, "game status")


async def test_races_of_a_file_ping_nobody(table: Table) -> None:
    file = json.loads(json.dumps({"format": "starpost-position/1"}))
    file |= {
        "name": "@here",
        "players": [{"key": "red", "race": "@everyone"}, {"key": "blue", "race": "<@&7> `x`"}],
        "systems": [
            {"at": "000", "planets": [{"name": "||a||", "owner": "red"}], "units": {"red": {"cruisers": 1}}},
            {"at": "101", "planets": [{"name": "<@1>", "owner": "blue"}]},
        ],
    }
    await table.use(REFEREE, "game import", file=("p.json", json.dumps(file).encode()))
    for who in ("red", "blue"):
        await table.use(who, "game join", race=who)
    await table.use(REFEREE, "game start")
    await table.use("red", "move", units="cruiser", from_="000", to="<@1>")
    await table.use("red", "done")
    assert table.all_pings() == [["red"], ["blue"]]
    assert all("@everyone" not in post.content and not post.role_mentions for post in table.posts())


async def test_names_are_ids_underneath(game: Table) -> None:
    """Case 104: renaming the channel and the people changes nothing."""
    await game.bot.get_channel(game.channel.id).edit(name="other")
    await game.use("red", "move", from_="202", to="104", units="2 cruisers")
    assert "**Emberfolk** moves" in game.posts()[-1].content
    assert prepared().start.name in await game.use("blue", "game status")

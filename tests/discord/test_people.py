"""What the bot knows of people and what it says to them: privacy, help, names, errors, counts of commands."""

from typing import Any

import pytest

from bot.phrases import LANGUAGES
from bot.presenter import MESSAGE_LIMIT
from rules_core.history import REFEREE
from tests.discord.tools import Table, prepared

pytestmark = pytest.mark.simcord(settle_timeout=60)


async def test_privacy_says_what_is_kept_and_forgets_in_ended_games(game: Table) -> None:
    assert "never by name" in await game.use("red", "privacy")
    await game.use("red", "language", language="ko")
    assert "0개" in await game.use("red", "privacy", forget=True)
    user = game.people["red"].user.id
    row = await game.bot.service.game_in(game.channel.id)
    assert user in [seat.user for seat in await game.bot.store.seats(row.id)]
    await game.use(REFEREE, "game end")
    assert "1 ended game" in await game.use("red", "privacy", forget=True)
    seats = await game.bot.store.seats(row.id)
    assert user not in [seat.user for seat in seats]
    assert "Emberfolk" in [seat.race for seat in seats]
    assert await game.bot.store.language_of(user) is None
    assert (await game.bot.store.game(row.id)).referee == game.people[REFEREE].user.id


@pytest.mark.parametrize("language", LANGUAGES)
async def test_help_says_in_one_screen_what_to_do_now(game: Table, language: str) -> None:
    for who in ("red", "blue"):
        await game.use(who, "language", language=language)
    acting, waiting = await game.use("red", "help"), await game.use("blue", "help")
    assert ("/move" in acting, "/standing" in waiting) == (True, True)
    await game.to_losses()
    owing = await game.use("blue", "help")
    assert "/losses" in owing
    assert all(len(text) < MESSAGE_LIMIT and text.count("\n") < 15 for text in (acting, waiting, owing))


async def test_case_014_a_refusal_is_private_stays_and_names_the_event(game: Table) -> None:
    before = len(game.posts())
    answer = await game.use("blue", "move", from_="105", to="104", units="all")
    assert answer.splitlines()[-1] == "-# A prepared round · #1"
    assert len(game.posts()) == before


async def test_case_085_one_map_for_each_step_not_for_each_unit(game: Table) -> None:
    before = len(game.pictures())
    await game.use("red", "load", at="201", carrier="2", planet="Emberhall", units="3 ground forces, 1 PDS")
    assert len(game.pictures()) == before
    await game.use("red", "move", from_="202", to="104", units="2 cruisers")
    assert len(game.pictures()) == before + 1


async def test_case_093_names_of_games_ping_nobody_and_break_nothing(table: Table) -> None:
    name = "@everyone <@&1> `x` ||y|| \u202etfel"
    await table.use("red", "game create", name=name)
    post = table.posts()[-1]
    assert table.pinged(post) == []
    policy = table.env.backend.get_message(post.channel.id, post.id).allowed_mentions
    assert not policy.everyone
    assert "@everyone" not in post.content
    assert "\u202e" not in post.content


async def test_case_090_the_numbers_of_commands_are_within_the_limits(table: Table) -> None:
    commands = [command for payload in table.synced() for command in payload]
    assert 0 < len(commands) <= 100
    for command in commands:
        _check(command)


def _check(command: Any) -> None:
    options = command.get("options", [])
    assert len(options) <= 25, command["name"]
    names = [command["name"], *command.get("name_localizations", {}).values()]
    texts = [command["description"], *command.get("description_localizations", {}).values()]
    assert all(1 <= len(name) <= 32 for name in names)
    assert all(1 <= len(text) <= 100 for text in texts)
    for option in options:
        assert len(option.get("choices", ())) <= 25
        _check(option)


async def test_case_028_an_old_file_does_not_replace_what_was_played_since(game: Table) -> None:
    row = await game.bot.service.game_in(game.channel.id)
    before = await game.bot.service.load(row.id)
    await game.use("red", "move", from_="202", to="104", units="2 cruisers")
    moved = await game.state()
    with pytest.raises(Exception, match="already_started"):
        await game.bot.service.set_up(row.id, prepared(), {})
    assert await game.state() == moved != before.state

"""What Discord is told of the commands: within its limits, in both languages, and only when it has changed."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from bot.slash import COMMANDS, Does
from discord import app_commands
from tests.discord.tools import Table, options

pytestmark = pytest.mark.simcord(settle_timeout=60)
NAME = re.compile(r"[-_\w가-힣]{1,32}")
SUBCOMMAND_TYPES = (1, 2)


def nodes(commands: list[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for each in commands:
        yield each
        yield from nodes(list(options(each)))


async def test_the_limits_of_discord_hold(table: Table) -> None:
    (commands,) = table.synced()
    assert len(commands) <= 100
    for node in nodes(commands):
        assert len(options(node)) <= 25
        assert len(node.get("choices", ())) <= 25
        assert 1 <= len(node["description"]) <= 100
        assert NAME.fullmatch(node["name"])
        assert node["name"] == node["name"].lower()
        required = [option.get("required", False) for option in options(node) if option["type"] not in SUBCOMMAND_TYPES]
        assert required == sorted(required, reverse=True)


async def test_every_name_and_description_has_its_korean(table: Table) -> None:
    (commands,) = table.synced()
    for node in nodes(commands):
        assert set(node["name_localizations"]) == set(node["description_localizations"]) == {"ko"}
        assert NAME.fullmatch(node["name_localizations"]["ko"]), node
        assert 1 <= len(node["description_localizations"]["ko"]) <= 100
        for siblings in (options(node), node.get("choices", ())):
            for names in ([each["name"] for each in siblings], [korean(each) for each in siblings]):
                assert len(set(names)) == len(names), node
    for names in ([each["name"] for each in commands], [korean(each) for each in commands]):
        assert len(set(names)) == len(names)


def korean(node: Mapping[str, Any]) -> str:
    return str(node["name_localizations"]["ko"])


async def test_a_command_is_not_longer_than_discord_takes(table: Table) -> None:
    (commands,) = table.synced()
    for command in commands:
        texts = [
            max(len(node[part]), len(node[f"{part}_localizations"]["ko"]))
            for node in nodes([command])
            for part in ("name", "description")
        ]
        assert sum(texts) <= 8000


async def test_every_command_of_the_registry_is_offered(table: Table) -> None:
    offered = set(table.people["red"].available_commands(table.channel))
    assert {name for name, slash in COMMANDS.items() if slash.does is not Does.TO_COME} <= offered
    assert {"game create", "game join", "game leave", "game start", "game status"} <= offered
    assert {"game export", "game import", "game end", "game referee", "language"} <= offered


async def test_commands_are_told_again_only_when_they_changed(table: Table) -> None:
    await table.restart()
    assert len(table.synced()) == 1
    await table.bot.store.set_fact("synced_commands", "what they were before")
    await table.restart()
    assert len(table.synced()) == 2


async def test_case_090_commands_that_discord_refuses_stop_nothing(table: Table) -> None:
    """The bot starts with those that Discord knows, stays on its servers, and tells the new ones at its next start."""
    await table.begin()
    await table.bot.store.set_fact("synced_commands", "what they were before")
    table.env.inject_error("PUT", "/applications/*/commands", status=400, code=50035)
    await table.restart()
    assert [guild.id for guild in table.bot.guilds] == [table.guild.id]
    assert "movement step is over" in await table.finish("red")
    assert await table.bot.store.fact("synced_commands") == "what they were before"
    told = len(table.synced())
    await table.restart()
    assert len(table.synced()) == told + 1


async def test_a_command_that_the_bot_does_not_have_any_more_is_answered(game: Table) -> None:
    """A client may offer what was there before an update: its user is told to try again."""
    game.expected = (app_commands.CommandNotFound,)
    game.bot.tree.remove_command("status")
    assert "try again" in await game.use("red", "status")
    assert "Movement step" in await game.use("red", "help")


async def test_every_suggestion_is_within_the_limits(game: Table) -> None:
    """Of every option of every command, for who acts, who waits, and who only looks on."""
    game.people["stranger"] = game.join_server("stranger")
    (commands,) = game.synced()
    for path, option in suggesting(commands, ""):
        for who in ("red", "blue", "stranger"):
            found = await game.people[who].autocomplete(game.channel, path, option, "")
            assert 1 <= len(found) <= 25, (path, option)
            assert all(1 <= len(each["name"]) <= 100 for each in found)


def suggesting(commands: Any, path: str) -> Iterator[tuple[str, str]]:
    for each in commands:
        name = f"{path} {each['name']}".strip()
        if each.get("autocomplete"):
            yield path, each["name"]
        yield from suggesting(options(each), name)

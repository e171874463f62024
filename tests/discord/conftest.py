"""The bot on simcord for each test; Discord itself is the only thing that is not real."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.client import StarpostBot, create_bot
from bot.config import Settings
from tests.discord.tools import Table


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(database=tmp_path / "starpost.db", shards=(0,), of=1)


@pytest.fixture
def simcord_bot(settings: Settings) -> StarpostBot:
    return create_bot(settings)


@pytest.fixture
async def table(simcord_env: Any, settings: Settings) -> AsyncIterator[Table]:
    """A server with people. At the end nothing has failed (a refusal is no failure), and the bot is closed.

    The thread of its database is no daemon; a bot left open would keep the tests from ending.
    """
    table = Table(simcord_env, settings)
    yield table
    await simcord_env.bot.close()
    errors = [getattr(error, "original", error) for error in simcord_env.errors]
    assert [error for error in errors if not isinstance(error, table.expected)] == []


@pytest.fixture
async def game(table: Table) -> Table:
    """The table with the prepared position, started."""
    await table.begin()
    return table

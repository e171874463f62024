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
    return Settings(database=tmp_path / "starpost.db")


@pytest.fixture
def simcord_bot(settings: Settings) -> StarpostBot:
    return create_bot(settings)


@pytest.fixture
async def table(simcord_env: Any, settings: Settings) -> AsyncIterator[Table]:
    """A server with people; the bot is closed at the end, for the thread of its database is no daemon."""
    yield Table(simcord_env, settings)
    await simcord_env.bot.close()


@pytest.fixture
async def game(table: Table) -> Table:
    """The table with the prepared position, started."""
    await table.begin()
    return table

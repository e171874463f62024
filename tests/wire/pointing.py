"""Points discord.py at the loopback server: it reads these class attributes late, and the bot needs to know nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from discord.gateway import DiscordWebSocket
from discord.http import Route
from yarl import URL


@contextmanager
def pointed_at(port: int) -> Iterator[None]:
    """While it lasts, Discord is at this port of the loopback address."""
    gateway = URL(f"ws://127.0.0.1:{port}/gateway/")
    with (
        patch.object(Route, "BASE", f"http://127.0.0.1:{port}/api/v10"),
        patch.object(DiscordWebSocket, "DEFAULT_GATEWAY", gateway),
    ):
        yield

"""The bot in a process of its own, on the loopback server."""

import logging
import multiprocessing
import os
import signal
from collections.abc import Callable
from itertools import dropwhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import aiosqlite
from discord.state import ConnectionState

from bot.client import create_bot
from bot.config import Settings
from tests.wire.pointing import pointed_at
from tests.wire.world import TOKEN

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import Synchronized

# A process that has loaded the program and waits: each start of the bot is a fork of it and takes no second.
_FORKS: Final = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload([__name__])


class BotProcess:
    """The bot. It ends by being killed."""

    def __init__(
        self, database: Path, port: int, log: Path, shards: tuple[int, ...] | None = None, of: int | None = None
    ) -> None:
        self._fuse = _FORKS.Value("i", 0)
        # Without the signs of dice and units each post is one message, and can be counted as such.
        settings = Settings(token=TOKEN, database=database, shards=shards, of=of, emojis=False)
        self._process = _FORKS.Process(target=_run, args=(settings, port, log, self._fuse), daemon=True)
        self._process.start()

    @property
    def id(self) -> int:
        """Its number in the system."""
        assert self._process.pid is not None, "a process that was not started"
        return self._process.pid

    @property
    def runs(self) -> bool:
        """Whether it is still alive."""
        return self._process.is_alive()

    def light_fuse(self, steps: int) -> None:
        """It will kill itself so many steps of the database later: each call is one, and its return another."""
        self._fuse.value = steps

    def kill(self) -> None:
        """Kills it as the power would: nothing of it runs any more."""
        self._process.kill()
        self._process.join()


def errors(log: Path) -> list[str]:
    """The log of a process from its first error on."""
    lines = log.read_text().splitlines()
    return list(dropwhile(lambda line: not line.startswith(("ERROR", "CRITICAL")), lines))


def _run(settings: Settings, port: int, log: Path, fuse: "Synchronized[int]") -> None:
    _burn(fuse)
    logging.basicConfig(filename=log, level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    with pointed_at(port):
        bot = create_bot(settings)
        _hear_of_servers_at_once(bot._connection)
        bot.run(TOKEN, log_handler=None)


def _hear_of_servers_at_once(connection: ConnectionState[Any]) -> None:
    # Discord may take seconds to tell all servers, and the library waits for them.
    connection.guild_ready_timeout = 0.02


def _burn(fuse: "Synchronized[int]") -> None:
    """Counts the fuse down around each call of the database."""
    execute: Callable[..., Any] = aiosqlite.Connection._execute

    async def counted(self: aiosqlite.Connection, *args: Any, **options: Any) -> Any:
        _count(fuse)
        result = await execute(self, *args, **options)
        _count(fuse)
        return result

    aiosqlite.Connection._execute = counted  # type: ignore[method-assign]


def _count(fuse: "Synchronized[int]") -> None:
    if fuse.value == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    fuse.value = max(0, fuse.value - 1)

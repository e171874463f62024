"""The bot in a process of its own, on the loopback server."""

import asyncio
import logging
import multiprocessing
import os
import signal
from collections.abc import Callable, Coroutine
from itertools import dropwhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

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

    def light_fuse(self, awaits: int) -> None:
        """It kills itself so many awaits later: where a task begins to wait is one, where it goes on another."""
        self._fuse.value = awaits

    @property
    def fuse(self) -> int:
        """How much is left of it."""
        return self._fuse.value

    def kill(self) -> None:
        """Kills it as the power would: nothing of it runs any more."""
        self._process.kill()
        self._process.join()


def errors(log: Path) -> list[str]:
    """The log of a process from its first error on."""
    lines = log.read_text().splitlines()
    return list(dropwhile(lambda line: not line.startswith(("ERROR", "CRITICAL")), lines))


def _run(settings: Settings, port: int, log: Path, fuse: "Synchronized[int]") -> None:
    logging.basicConfig(filename=log, level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    with pointed_at(port), asyncio.Runner(loop_factory=lambda: _burning(fuse)) as runner:
        bot = create_bot(settings)
        _hear_of_servers_at_once(bot._connection)
        runner.run(bot.start(TOKEN))


def _hear_of_servers_at_once(connection: ConnectionState[Any]) -> None:
    # Discord may take seconds to tell all servers, and the library waits for them.
    connection.guild_ready_timeout = 0.02


def _burning(fuse: "Synchronized[int]") -> asyncio.AbstractEventLoop:
    """A loop whose tasks burn the fuse."""

    def burn() -> None:
        if fuse.value == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        fuse.value = max(0, fuse.value - 1)

    def task(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Any], **options: Any) -> asyncio.Task[Any]:
        return asyncio.Task(_Counted(work, burn), loop=loop, **options)

    loop = asyncio.new_event_loop()
    loop.set_task_factory(task)
    return loop


class _Counted(Coroutine[Any, Any, Any]):
    """A coroutine that tells each time before it goes on, and each time it waits."""

    def __init__(self, work: Coroutine[Any, Any, Any], tell: Callable[[], None]) -> None:
        self._work = work
        self._tell = tell

    def send(self, value: Any) -> Any:
        return self._step(self._work.send, value)

    def throw(self, *error: Any) -> Any:
        return self._step(self._work.throw, *error)

    def close(self) -> None:
        self._work.close()

    def __await__(self) -> Any:
        raise TypeError("a task awaits its coroutine by its steps")

    def _step(self, go_on: Callable[..., Any], *values: Any) -> Any:
        self._tell()
        waits_for = go_on(*values)
        self._tell()
        return waits_for

"""The bot in a process of its own, on the loopback server."""

import logging
import multiprocessing
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, Final

from discord.state import ConnectionState

from bot.client import create_bot
from bot.config import Settings
from tests.wire.pointing import pointed_at
from tests.wire.world import TOKEN

# A process that has loaded the program and waits: each start of the bot is a fork of it and takes no second.
_FORKS: Final = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload([__name__])


def start(database: Path, port: int, log: Path) -> ForkServerProcess:
    """Starts the bot. It ends by being killed."""
    process = _FORKS.Process(target=_run, args=(database, port, log), daemon=True)
    process.start()
    return process


def kill(process: ForkServerProcess) -> None:
    """Kills it as the power would: nothing of it runs any more."""
    process.kill()
    process.join()


def errors(log: Path) -> list[str]:
    """The errors in the log of a process."""
    return [line for line in log.read_text().splitlines() if line.startswith(("ERROR", "CRITICAL"))]


def _run(database: Path, port: int, log: Path) -> None:
    logging.basicConfig(filename=log, level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    with pointed_at(port):
        bot = create_bot(Settings(token=TOKEN, database=database))
        _hear_of_servers_at_once(bot._connection)
        bot.run(TOKEN, log_handler=None)


def _hear_of_servers_at_once(connection: ConnectionState[Any]) -> None:
    # Discord may take seconds to tell all servers, and the library waits for them.
    connection.guild_ready_timeout = 0.02

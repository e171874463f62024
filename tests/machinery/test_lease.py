"""One writer: two processes on one database, and what becomes of the lease when its holder dies."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.errors import Unusable
from bot.lease import Lease, Taken, leased

REPOSITORY = Path(__file__).parents[2]

# Takes the lease, says so, and holds it until it is killed.
HOLDER = """
import signal, sys
from pathlib import Path
from bot.lease import Lease
lease = Lease.take(Path(sys.argv[1]))
print("held", flush=True)
signal.pause()
"""


def holder(database: Path) -> "subprocess.Popen[bytes]":
    """Another process that has the lease."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(database)], cwd=REPOSITORY, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    return process


def killed(process: "subprocess.Popen[bytes]") -> None:
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()


def test_case_034_a_second_process_leaves_and_says_why(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    first = holder(database)
    second = subprocess.run(
        [sys.executable, "-m", "bot.cli", "run"],
        cwd=REPOSITORY,
        env={**os.environ, "DISCORD_TOKEN": "never-shown", "STARPOST_DATABASE": str(database)},
        capture_output=True,
        text=True,
        check=False,
    )
    killed(first)
    assert second.returncode == 2
    assert second.stderr.count("\n") == 1
    assert "another Starpost runs on this database" in second.stderr
    # It has not even looked: a database of an older version must not be migrated under the one who runs.
    assert not database.exists()


async def test_case_034_a_standby_takes_over_when_the_first_is_killed(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    first = holder(database)
    waiting = asyncio.create_task(Lease.wait(database))
    await asyncio.sleep(0)
    assert not waiting.done()
    killed(first)
    (await waiting).release()


def test_the_lease_is_the_same_by_another_name_of_the_database(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to(tmp_path / "games.db")
    with leased(tmp_path / "games.db"), pytest.raises(Taken), leased(tmp_path / "link.db"):
        raise AssertionError("two have it")
    with leased(tmp_path / "link.db"):
        pass


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match=r"games\.db: the database cannot be opened"):
        Lease.take(tmp_path / "nowhere" / "games.db")

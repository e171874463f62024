"""What is owed is sent: in order, once, and on after the bot was killed between command and post."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from bot.clock import SettableClock
from bot.outbox import Outbox, Undeliverable, nonce
from bot.store import Post
from tests.machinery.tools import CHANNEL, START, Played, played

REPOSITORY = Path(__file__).parents[2]


class Channel:
    """Notes what is sent; `broken` posts fail, `gone` ones can never be delivered."""

    def __init__(self) -> None:
        self.sent: list[int] = []
        self.broken: set[int] = set()
        self.gone: set[int] = set()

    async def send(self, post: Post) -> int:
        await asyncio.sleep(0)
        if post.id in self.broken:
            raise OSError("the network is down")
        if post.id in self.gone:
            raise Undeliverable("the channel is gone")
        self.sent.append(post.id)
        return 1000 + post.id


async def two_moves(now: Played) -> None:
    await now.do("red", "move", units="cruiser", start="201", to="202")
    await now.do("red", "move", units="cruiser", start="201", to="212")


async def test_posts_are_sent_in_order_and_once() -> None:
    async with played() as now:
        await two_moves(now)
        channel = Channel()
        outbox = Outbox(now.store, channel, SettableClock(START))
        for woken in now.woken:
            outbox.wake(woken)
        await outbox.drain()
        await outbox.close()
        assert channel.sent == [2, 3]
        assert now.woken == [CHANNEL, CHANNEL]


async def test_what_fails_stays_owed_and_holds_its_place() -> None:
    async with played() as now:
        await two_moves(now)
        channel = Channel()
        channel.broken = {2}
        outbox = Outbox(now.store, channel, SettableClock(START))
        await outbox.drain()
        assert channel.sent == []
        channel.broken = set()
        await outbox.drain()
        assert channel.sent == [2, 3]


async def test_what_can_never_be_delivered_does_not_block_the_others() -> None:
    async with played() as now:
        await two_moves(now)
        channel = Channel()
        channel.gone = {2}
        await Outbox(now.store, channel, SettableClock(START)).drain()
        assert channel.sent == [3]
        assert await now.store.next_owed(CHANNEL) is None


async def test_a_nonce_is_the_same_when_a_post_is_sent_again() -> None:
    async with played() as now:
        await two_moves(now)
        first, again = await now.store.next_owed(CHANNEL), await now.store.next_owed(CHANNEL)
        assert first is not None
        assert again is not None
        assert nonce(first) == nonce(again)
        assert len(nonce(first)) <= 25
        await now.store.settle_post(first.id, 1, "now")
        second = await now.store.next_owed(CHANNEL)
        assert second is not None
        assert nonce(second) != nonce(first)


KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from tests.machinery.tools import played

async def main():
    async with played(Path(sys.argv[1])) as now:
        await now.do("red", "move", units="cruiser", start="201", to="202")
        os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
async def test_case_023_posts_of_a_killed_bot_are_sent_by_the_next(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    killed = subprocess.run([sys.executable, "-c", KILLED, str(path)], cwd=REPOSITORY, check=False)
    assert killed.returncode == -9
    async with played(path) as now:
        channel = Channel()
        await Outbox(now.store, channel, SettableClock(START)).drain()
        assert channel.sent == [2]
        assert [ship.at for ship in (await now.service.load(now.game)).state.ships_at("202", "red")] == ["202"]

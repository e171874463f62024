"""What is owed is sent: in order, once, and on after the bot was killed between command and post."""

import asyncio
import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from bot.clock import SettableClock
from bot.files import read_game
from bot.outbox import AT_ONCE, UNCONFIRMED, Later, Outbox, Undeliverable, nonce
from bot.rows import Post
from bot.service import Service
from bot.steps import PostKind
from rules_core.errors import RuleViolation
from tests.machinery.tools import CHANNEL, SECRET, START, Played, played, war

# The user who referees the game of these tests.
REFEREE_USER = 7
REPOSITORY = Path(__file__).parents[2]


class Channel:
    """Notes what is sent, and what of it as a possible repeat; some posts fail, in whatever way."""

    def __init__(self) -> None:
        self.sent: list[int] = []
        self.again: list[int] = []
        self.tried_again: list[int] = []
        self.fails: dict[int, Exception] = {}
        self.broken: set[int] = set()
        self.gone: set[int] = set()

    async def send(self, post: Post, again: bool) -> int:
        await asyncio.sleep(0)
        if again:
            self.tried_again.append(post.id)
        if post.id in self.broken:
            raise OSError("the network is down")
        if post.id in self.gone:
            raise Undeliverable("the channel is gone")
        if post.id in self.fails:
            raise self.fails[post.id]
        self.sent.append(post.id)
        if again:
            self.again.append(post.id)
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


class Crowd(Channel):
    """Notes how many posts were being sent at once."""

    def __init__(self) -> None:
        super().__init__()
        self._now = self.most = 0

    async def send(self, post: Post, again: bool) -> int:
        self._now += 1
        self.most = max(self.most, self._now)
        await asyncio.sleep(0.1)  # as long as a request takes; meanwhile the others come
        message = await super().send(post, again)
        self._now -= 1
        return message


async def test_after_an_outage_not_all_channels_send_at_once(tmp_path: Path) -> None:
    """Each post that is being sent holds its pictures."""
    async with played(tmp_path / "games.db") as now:
        beginning = read_game(json.dumps(war()))
        for channel in range(1, AT_ONCE + 20):
            game = await now.service.create(1, CHANNEL + channel, "en", REFEREE_USER, beginning, SECRET)
            await now.service.tell(game.id, PostKind.LOBBY)
        crowd = Crowd()
        await Outbox(now.store, crowd, SettableClock(START)).drain()
        assert not await now.store.posts.owed_channels()
        assert 1 < crowd.most <= AT_ONCE


async def test_what_can_never_be_delivered_does_not_block_the_others() -> None:
    async with played() as now:
        await two_moves(now)
        channel = Channel()
        channel.gone = {2, 3}
        outbox = Outbox(now.store, channel, SettableClock(START))
        await outbox.drain()
        await outbox.close()
        assert await now.store.posts.owed_channels() == ()
        assert channel.sent == []
        assert (await now.store.posts.post(3)).reason == "the channel is gone"


async def test_a_post_that_cannot_be_made_holds_nothing_up(caplog: pytest.LogCaptureFixture) -> None:
    async with played() as now:
        await two_moves(now)
        channel = Channel()
        channel.fails = {2: ZeroDivisionError("a fault in the words")}
        outbox = Outbox(now.store, channel, SettableClock(START))
        await outbox.drain()
        await outbox.close()
        assert channel.sent[0] == 3
        reference = (await now.store.posts.post(2)).reason
        assert reference in caplog.text
        assert "ZeroDivisionError" in caplog.text
        # The referee is told.
        told = await now.store.posts.post(channel.sent[1])
        assert (told.kind, told.channel, told.about) == ("undelivered", REFEREE_USER, "2")


async def test_a_referee_who_cannot_be_told_is_not_told_of_that() -> None:
    async with played() as now:
        await two_moves(now)
        channel = Channel()
        channel.fails = dict.fromkeys(range(100), ZeroDivisionError("all words fail"))
        outbox = Outbox(now.store, channel, SettableClock(START))
        await outbox.drain()
        await outbox.close()
        assert channel.sent == []
        assert await now.store.posts.owed_channels() == ()


@pytest.mark.parametrize(
    ("failure", "pause", "marked"),
    [
        (OSError("no answer"), timedelta(minutes=10), True),
        (Later(OSError("no answer"), certain=False), timedelta(minutes=10), True),
        (OSError("no answer"), timedelta(minutes=1), False),
        (Later(OSError("too many requests"), certain=True), timedelta(minutes=10), False),
    ],
)
async def test_case_042_what_may_be_a_repeat_is_marked_when_nonces_are_forgotten(
    failure: Exception, pause: timedelta, marked: bool
) -> None:
    async with played() as now:
        await two_moves(now)
        clock, channel = SettableClock(START), Channel()
        channel.fails = {2: failure}
        outbox = Outbox(now.store, channel, clock)
        await outbox.drain()
        clock.advance(pause)
        channel.fails = {}
        await outbox.drain()
        assert channel.sent == [2, 3]
        assert channel.again == ([2] if marked else [])


@pytest.mark.parametrize(
    ("failure", "repeats"),
    [
        (OSError("no answer"), [2]),
        (Later(OSError("no answer"), certain=False), [2]),
        # Discord says that it failed: an outage, after which all catches up.
        (Later(OSError("bad gateway"), certain=False, answered=True), [2] * 6),
        (Later(OSError("unavailable"), certain=True), []),
    ],
)
async def test_case_042_nothing_is_repeated_more_than_once(failure: Exception, repeats: list[int]) -> None:
    async with played() as now:
        await two_moves(now)
        clock, channel = SettableClock(START), Channel()
        channel.fails = {2: failure}
        outbox = Outbox(now.store, channel, clock)
        for _ in range(7):
            await outbox.drain()
            await outbox.close()
            clock.advance(timedelta(minutes=5))
        tried = [post for post in channel.tried_again if post == 2]
        assert tried == repeats
        given_up = (await now.store.posts.post(2)).reason == UNCONFIRMED
        assert given_up == (repeats == [2])
        if given_up:  # what comes behind it goes on, and the referee is told
            assert channel.sent[0] == 3
            told = await now.store.posts.post(channel.sent[1])
            assert (told.kind, told.channel, told.about) == ("undelivered", REFEREE_USER, "2")


async def test_case_035_a_broken_game_is_set_aside_and_told_of_and_goes_on_when_mended() -> None:
    async with played() as now:
        await two_moves(now)
        service = Service(now.store, SettableClock(START), now.woken.append)
        await now.store.write("UPDATE snapshots SET position = X'00'", ())
        for _ in range(2):
            with pytest.raises(RuleViolation, match="game_is_broken"):
                await service.load(now.game)
        channel = Channel()
        outbox = Outbox(now.store, channel, SettableClock(START))
        await outbox.drain()
        (notice,) = channel.sent
        assert (await now.store.posts.post(notice)).kind == "broken"
        assert await now.store.waits() == ()
        await now.store.try_again()
        await outbox.drain()
        assert channel.sent == [notice, 2, 3]


async def test_a_nonce_is_the_same_when_a_post_is_sent_again() -> None:
    async with played() as now:
        await two_moves(now)
        first, again = await now.store.posts.next_owed(CHANNEL), await now.store.posts.next_owed(CHANNEL)
        assert first is not None
        assert again is not None
        assert nonce(first) == nonce(again)
        assert len(nonce(first)) <= 25
        await now.store.posts.settle(first.id, 1, "now")
        second = await now.store.posts.next_owed(CHANNEL)
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

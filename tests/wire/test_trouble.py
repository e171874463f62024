"""Discord refuses, fails, loses requests and answers: what is owed is sent all the same, in order, once."""

import asyncio
from datetime import timedelta

import pytest

from tests.wire.game import Table, open_table
from tests.wire.http import Trouble
from tests.wire.running import Running
from tests.wire.server import WireServer
from tests.wire.world import NONCE_MEMORY

POSTS = r"POST /channels/\d+/messages"
FOR_LONG = 1_000_000


def in_trouble(server: WireServer, trouble: Trouble) -> Trouble:
    server.http.trouble.append(trouble)
    return trouble


async def assert_sent_once_in_order(server: WireServer, running: Running, table: Table) -> None:
    await running.delivered()
    assert [message for _, message in running.sent(table)] == [post.id for post in server.posts(table.channel)]


@pytest.mark.parametrize("status", [503, 0])
async def test_case_108_posts_catch_up_in_order_after_a_storm(
    server: WireServer, running: Running, status: int
) -> None:
    """Nothing comes through for a while; commands are answered, and then every post comes, in order."""
    table = await open_table(server)
    await running.delivered()
    before = len(server.posts(table.channel))
    storm = in_trouble(server, Trouble(POSTS, times=FOR_LONG, status=status))
    await running.play(table, 5)
    await running.bot.outbox.drain()
    assert len(server.posts(table.channel)) == before
    storm.times = 0
    await assert_sent_once_in_order(server, running, table)
    assert len(server.posts(table.channel)) > before + 3


@pytest.mark.parametrize("trouble", [Trouble(POSTS, status=502), Trouble(POSTS, times=2, status=429)])
async def test_a_picture_is_whole_after_a_repeat_of_the_library(
    server: WireServer, running: Running, trouble: Trouble
) -> None:
    table = await open_table(server)
    await running.delivered()
    in_trouble(server, trouble)
    await running.play(table, 1)
    await assert_sent_once_in_order(server, running, table)
    assert trouble.met == trouble.times
    assert server.file_of(server.posts(table.channel)[-1]).endswith(b"IEND\xaeB`\x82")


async def test_a_ban_for_a_while_loses_no_post(server: WireServer, running: Running) -> None:
    """What stands before Discord answers 429 without `Via`: the library gives up at once, the post stays owed."""
    table = await open_table(server)
    await running.delivered()
    ban = in_trouble(server, Trouble(POSTS, times=FOR_LONG, status=429, via=False))
    await running.play(table, 2)
    await running.bot.outbox.drain()
    ban.times = 0
    before = len(running.sent(table))
    await assert_sent_once_in_order(server, running, table)
    assert len(running.sent(table)) == before + 2


async def test_rate_limits_are_kept(server: WireServer, running: Running) -> None:
    """The library waits by the headers, so that no request is refused."""
    table = await open_table(server)
    await running.delivered()
    server.http.rate = (2, 0.2)
    await running.play(table, 6)
    await assert_sent_once_in_order(server, running, table)


async def test_case_042_a_lost_answer_posts_nothing_twice(server: WireServer, running: Running) -> None:
    """Discord got the post, the bot did not get the answer: it sends again, and the nonce makes that the same post."""
    table = await open_table(server)
    await running.delivered()
    lost = in_trouble(server, Trouble(POSTS, times=3, status=0, carried_out=True))
    await running.play(table, 4)
    await assert_sent_once_in_order(server, running, table)
    assert lost.met == 3


async def test_after_minutes_there_is_at_most_one_repeat(server: WireServer, running: Running) -> None:
    table = await open_table(server)
    await running.delivered()
    before = len(server.posts(table.channel))
    in_trouble(server, Trouble(POSTS, status=0, carried_out=True))
    await running.play(table, 1)
    await server.until(lambda: len(server.posts(table.channel)) > before, "the post of which the answer is lost")
    server.pass_time(NONCE_MEMORY + timedelta(minutes=1))
    await running.delivered()
    assert len(server.posts(table.channel)) == before + 2


@pytest.mark.parametrize("status", [403, 404])
async def test_what_can_never_be_delivered_holds_nothing_up(server: WireServer, running: Running, status: int) -> None:
    table = await open_table(server)
    await running.delivered()
    before = len(server.posts(table.channel))
    in_trouble(server, Trouble(POSTS, status=status))
    await running.play(table, 2)
    await running.delivered()
    assert len(server.posts(table.channel)) == before + 1


async def test_a_channel_that_is_gone_does_not_stop_another_game(server: WireServer, running: Running) -> None:
    gone, other = await open_table(server, "gone"), await open_table(server, "other")
    await running.delivered()
    storm = in_trouble(server, Trouble(POSTS, times=FOR_LONG, status=503))
    await running.play(gone, 2)
    server.world.backend.delete_channel(gone.channel)
    storm.times = 0
    await running.play(other, 3)
    await assert_sent_once_in_order(server, running, other)


async def test_a_slow_answer_of_discord_holds_up_one_channel_only(server: WireServer, running: Running) -> None:
    slow, other = await open_table(server, "slow"), await open_table(server, "other")
    await running.delivered()
    held = asyncio.Event()
    in_trouble(server, Trouble(rf"POST /channels/{slow.channel}/messages", until=held))
    before = len(server.posts(other.channel))
    await running.play(slow, 2)
    await running.play(other, 2)
    await server.until(lambda: len(server.posts(other.channel)) == before + 2, "the posts of the other game")
    held.set()
    await assert_sent_once_in_order(server, running, slow)

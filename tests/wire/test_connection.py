"""The gateway breaks: with and without a resume, on request, in the middle of a game."""

import asyncio

from tests.wire.game import next_line, open_table
from tests.wire.http import Trouble
from tests.wire.running import Running
from tests.wire.server import WireServer

FIRST_ANSWER = r"POST /interactions/\d+/[^/]+/callback"
FOLLOW_UP = r"POST /webhooks/.*"


async def test_what_came_during_a_break_is_heard_after_the_resume(server: WireServer, running: Running) -> None:
    table = await open_table(server)
    server.gateway.drop()
    told = table.send(next_line(await running.state(table)))
    await server.answered(told)
    assert server.gateway.resumed == 1
    assert server.gateway.identified == 1


async def test_a_session_that_cannot_be_resumed(server: WireServer, running: Running) -> None:
    """Discord has forgotten the session: the bot logs in anew, posts nothing twice, and goes on."""
    table = await open_table(server)
    await running.delivered()
    before = len(server.posts(table.channel))
    server.gateway.forget()
    await server.until(lambda: server.gateway.identified == 2 and server.gateway.ready(), "a new login")
    await running.play(table, 1)
    await running.delivered()
    assert len(server.posts(table.channel)) == before + 1


async def test_discord_asks_to_reconnect(server: WireServer, running: Running) -> None:
    table = await open_table(server)
    server.gateway.ask_reconnect()
    await running.play(table, 1)
    assert server.gateway.resumed == 1


async def test_a_restart_sends_what_was_left_over(server: WireServer, running: Running) -> None:
    table = await open_table(server)
    await running.delivered()
    before = len(server.posts(table.channel))
    storm = Trouble(r"POST /channels/.*", times=1_000_000, status=503)
    server.http.trouble.append(storm)
    await running.play(table, 2)
    await running.stop()
    storm.times = 0
    await running.start()
    await server.until(lambda: len(server.posts(table.channel)) == before + 2, "what was left over")


async def test_buttons_work_after_a_restart(server: WireServer, running: Running) -> None:
    """Case 040."""
    table = await open_table(server)
    await running.play(table, until=lambda state: not next_line(state).typed)
    await running.delivered()
    head = (await running.bot.service.game_in(table.channel)).head
    await running.stop()
    await running.start()
    await running.play(table, 1)
    assert (await running.bot.service.game_in(table.channel)).head > head


async def test_case_039_the_first_answer_comes_too_late(server: WireServer, running: Running) -> None:
    """Discord has given the interaction up (10062): nothing is done, nothing breaks, and the next command works."""
    table = await open_table(server)
    line = next_line(await running.state(table))
    held = asyncio.Event()
    server.http.trouble.append(Trouble(FIRST_ANSWER, until=held))
    told = table.send(line)
    await server.until(lambda: server.http.trouble[-1].met, "the first answer")
    server.forgive(told)
    held.set()
    await server.answered(table.send(line))
    assert len(await running.bot.store.log.entries(1)) == 2
    await running.account()


async def test_case_039_the_answer_after_a_quarter_of_an_hour(server: WireServer, running: Running) -> None:
    """The token is dead (50027): what was done stays done, and the channel is told by the post."""
    table = await open_table(server)
    await running.delivered()
    held = asyncio.Event()
    server.http.trouble.append(Trouble(FOLLOW_UP, until=held))
    told = table.send(next_line(await running.state(table)))
    await server.until(lambda: server.http.trouble[-1].met, "the answer")
    server.forgive(told)
    held.set()
    await table.say("red", "/status")
    await running.delivered()
    assert len(await running.bot.store.log.entries(1)) == 2
    await running.account()

"""The server itself: what it must refuse, it refuses, and notes."""

import io

import discord
import pytest

from bot.client import create_bot
from bot.config import Settings
from tests.wire.limits import MIB, faults
from tests.wire.running import Running
from tests.wire.server import WireServer

COMMAND = {"name": "move", "description": "Move ships", "options": []}


async def test_a_file_that_is_too_large(server: WireServer, running: Running) -> None:
    channel = running.bot.get_partial_messageable(server.channel("here"))
    with pytest.raises(discord.HTTPException) as refused:
        await channel.send(file=discord.File(io.BytesIO(bytes(11 * MIB)), "map.png"))
    assert (refused.value.status, refused.value.code) == (413, 40005)
    assert "map.png" not in str(server.world.complaints.pop())


async def test_a_text_that_is_too_long(server: WireServer, running: Running) -> None:
    channel = running.bot.get_partial_messageable(server.channel("here"))
    with pytest.raises(discord.HTTPException) as refused:
        await channel.send("x" * 2001)
    assert refused.value.code == 50035
    assert "2000" in server.world.complaints.pop()


async def test_a_nonce_makes_two_messages_one(server: WireServer, running: Running) -> None:
    channel = running.bot.get_partial_messageable(server.channel("here"))
    first, second = [await channel.send("hello", nonce="same") for _ in range(2)]
    assert first.id == second.id
    assert (await channel.send("hello", nonce="other")).id != first.id


async def test_threads_direct_messages_and_members(server: WireServer, running: Running) -> None:
    who, here = server.person("Rita"), server.channel("here")
    channel = await running.bot.fetch_channel(here)
    assert isinstance(channel, discord.TextChannel)
    thread = await (await channel.send("A battle")).create_thread(name="000")
    await thread.send("Round 1")
    await (await running.bot.fetch_user(who.id)).send("It is your turn")
    guild = running.bot.get_guild(server.guild)
    assert guild is not None
    assert (await guild.fetch_member(who.id)).name == "Rita"
    assert [post.content for post in server.posts(thread.id)] == ["Round 1"]


async def test_a_wrong_token(server: WireServer) -> None:
    bot = create_bot(Settings())
    with pytest.raises(discord.LoginFailure):
        await bot.start("not.a.token")
    await bot.close()


@pytest.mark.parametrize(
    ("call", "payload", "fault"),
    [
        ("POST /channels/1/messages", {"allowed_mentions": {}}, "is no id"),
        ("POST /channels/123456789012345678/messages", {}, "without allowed_mentions"),
        ("POST /channels/123456789012345678/messages", {"allowed_mentions": {}, "nonce": "x" * 26}, "nonce"),
        ("POST /channels/123456789012345678/messages", {"allowed_mentions": {}, "attachments": [{"id": 0}]}, "files"),
        ("POST /channels/123456789012345678/threads", {"name": ""}, "thread"),
        (
            "POST /interactions/123456789012345678/t/callback",
            {"type": 8, "data": {"choices": [{"name": "a", "value": "a"}] * 26}},
            "choices",
        ),
        ("PUT /applications/123456789012345678/commands", [COMMAND, COMMAND], "twice"),
        ("PUT /applications/123456789012345678/commands", [{**COMMAND, "name": "Move"}], "no name"),
        ("PUT /applications/123456789012345678/commands", [{**COMMAND, "description": "x" * 101}], "description"),
        ("PUT /applications/123456789012345678/commands", [{**COMMAND, "options": [COMMAND] * 26}], "options"),
        (
            "PUT /applications/123456789012345678/commands",
            [{**COMMAND, "name_localizations": {"kr": "이동"}}],
            "locale",
        ),
    ],
)
def test_requests_outside_the_limits(call: str, payload: object, fault: str) -> None:
    assert any(fault in each for each in faults(call, payload, ()))

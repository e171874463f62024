"""Games over the wire: the real client, real HTTP, a real socket."""

import asyncio
import io

from PIL import Image

from bot.steps import PostKind
from rules_core.history import REFEREE
from tests.wire.game import BASES, HUB, Line, next_line, open_table
from tests.wire.running import Running
from tests.wire.server import WireServer, offers


async def test_a_battle_with_pictures_and_buttons(server: WireServer, running: Running) -> None:
    """A round of the border war: maps go up as files, losses and retreats are answered by what the question offers."""
    table = await open_table(server)
    await running.play(table, until=lambda state: state.round > 2)
    await running.delivered()
    kinds = {message: kind for kind, message in running.sent(table)}
    # A long post is several messages; the last of them is the one that is noted, with the map.
    steps = [post for post in server.posts(table.channel) if kinds.get(post.id) != PostKind.LOBBY]
    maps = [post for post in steps if post.attachments]
    assert {Image.open(io.BytesIO(server.file_of(post))).format for post in maps} == {"PNG"}
    assert not [post.content for post in maps if not post.attachments[0]["description"]]
    assert len(maps) > 10
    assert {PostKind.ROUND, PostKind.MOVE, PostKind.TURN} <= set(kinds.values())


async def test_what_is_asked_offers_answers(server: WireServer, running: Running) -> None:
    table = await open_table(server)
    await running.play(table, until=lambda state: not next_line(state).typed)
    await running.delivered()
    assert offers(server.posts(table.channel)[-1])


async def test_completion(server: WireServer, running: Running) -> None:
    table = await open_table(server)
    await running.play(table, 1)
    told = await server.complete(table.people["red"], table.channel, "move", "from", "")
    assert any("101" in choice for choice in told.choices)
    assert not any(choice.startswith(HUB) for choice in told.choices)


async def test_each_post_is_sent_once_in_order(server: WireServer, running: Running) -> None:
    table = await open_table(server)
    await running.play(table, 8)
    await running.delivered()
    sent = running.sent(table)
    assert [message for _, message in sent] == [post.id for post in server.posts(table.channel)]
    assert PostKind.MOVE in [kind for kind, _ in sent]


async def test_case_031_many_commands_at_once(server: WireServer, running: Running) -> None:
    """Ten people give a command at once in each of four games: all are followed, all are told, in order."""
    tables = [await open_table(server, f"game-{number}") for number in range(4)]
    line = Line(REFEREE, f"/referee place units:1 fighter at:{BASES['red']} player:red")
    given = [table.send(Line(REFEREE, "/referee place units:1 carrier at:101 player:red")) for table in tables]
    await asyncio.gather(*map(server.answered, given))
    await asyncio.gather(*(server.answered(table.send(line)) for _ in range(10) for table in tables))
    await running.delivered()
    for number, table in enumerate(tables, 1):
        assert len(await running.bot.store.log.entries(number)) == 12
        assert [message for _, message in running.sent(table)] == [post.id for post in server.posts(table.channel)]


async def test_other_languages(server: WireServer, running: Running) -> None:
    table = await open_table(server)
    korean = server.person("Minji", locale="ko")
    assert any("가" <= letter <= "힣" for letter in (await server.slash(korean, table.channel, "status")).text)

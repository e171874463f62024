"""Games over the wire: the real client, real HTTP, a real socket."""

import io

from PIL import Image

from bot.steps import PostKind
from rules_core.pending import LossesChoice, RetreatChoice, decisions
from tests.wire.game import HUB, next_line, open_table
from tests.wire.running import Running
from tests.wire.server import WireServer, offers


async def test_a_battle_with_pictures_and_buttons(server: WireServer, running: Running) -> None:
    """A round of the border war: maps go up as files, losses and retreats are answered by what the question offers."""
    table = await open_table(server)
    pressed = 0
    for _ in range(60):
        state = await running.state(table)
        if state.round > 2:
            break
        await running.delivered()
        line = next_line(state)
        pressed += not line.typed
        await server.answered(table.send(line))
    await running.delivered()
    maps = [post for post in server.posts(table.channel) if post.attachments]
    assert all(Image.open(io.BytesIO(server.file_of(post))).format == "PNG" for post in maps)
    assert all(post.attachments[0]["description"] for post in maps)
    assert len(maps) > 10
    assert pressed


async def test_what_is_asked_offers_answers(server: WireServer, running: Running) -> None:
    table = await open_table(server)
    for _ in range(60):
        state = await running.state(table)
        if any(isinstance(each, LossesChoice | RetreatChoice) for each in decisions(state)):
            break
        await server.answered(table.send(next_line(state)))
    await running.delivered()
    assert offers(server.posts(table.channel)[-1])


async def test_completion(server: WireServer, running: Running) -> None:
    table = await open_table(server)
    place = next_line(await running.state(table))
    await server.answered(table.send(place))
    told = await server.complete(table.people["red"], table.channel, "move", "from", "")
    assert any("101" in choice for choice in told.choices)
    assert not any(choice.startswith(HUB) for choice in told.choices)


async def test_each_post_is_sent_once_in_order(server: WireServer, running: Running) -> None:
    table = await open_table(server)
    for _ in range(8):
        await server.answered(table.send(next_line(await running.state(table))))
    await running.delivered()
    sent = running.sent(table)
    assert [message for _, message in sent] == [post.id for post in server.posts(table.channel)]
    assert PostKind.MOVE in [kind for kind, _ in sent]


async def test_direct_messages_and_other_languages(server: WireServer, running: Running) -> None:
    table = await open_table(server)
    korean = server.person("Minji", locale="ko")
    assert any("가" <= letter <= "힣" for letter in (await server.slash(korean, table.channel, "status")).text)

"""Games over the wire: the real client, real HTTP, a real socket."""

from tests.wire.conftest import Running
from tests.wire.game import next_line, open_table
from tests.wire.server import WireServer

PNG = b"\x89PNG\r\n\x1a\n"


async def test_a_border_war(server: WireServer, running: Running) -> None:
    table = await open_table(server)
    game = (await running.bot.service.game_in(table.channel)).id
    for _ in range(40):
        line = next_line((await running.bot.service.load(game)).state)
        await running.delivered()
        told = await server.answered(table.send(line))
        print(line, told.text)
    await running.delivered()
    for post in server.posts(table.channel):
        print(post.content[:300], [a["filename"] for a in post.attachments])

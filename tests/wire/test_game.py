"""A game over the wire: the real client, real HTTP, a real socket."""

from tests.wire.conftest import Running
from tests.wire.game import open_table
from tests.wire.server import WireServer


async def test_a_game_over_the_wire(server: WireServer, running: Running) -> None:
    table = await open_table(server)
    await running.delivered()
    for post in server.posts(table.channel):
        print(post.content[:200], post.attachments)
    print((await table.says("gold", "/status")).text)

"""Two processes, each with its own shards and its own database, on one loopback Discord."""

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.faults.process import BotProcess
from tests.wire.game import open_table
from tests.wire.server import WireServer

OF = 2


def games(database: Path) -> list[int]:
    """The channels that have a game in a database."""
    with closing(sqlite3.connect(database)) as connection:
        return [row[0] for row in connection.execute("SELECT channel FROM games ORDER BY id")]


async def test_each_process_serves_the_servers_of_its_shards(server: WireServer, tmp_path: Path) -> None:
    shard = (server.guild >> 22) % OF
    other = server.guild
    while (other >> 22) % OF == shard:
        other = server.world.backend.create_guild("Elsewhere").id
    databases = [tmp_path / f"shard-{shard}.db" for shard in range(OF)]
    processes = [
        BotProcess(database, server.port, tmp_path / f"{number}.log", shards=(number,), of=OF)
        for number, database in enumerate(databases)
    ]
    try:
        await server.until(lambda: server.gateway.identified == OF and server.gateway.ready(), "both to connect")
        table = await open_table(server)
        there, somebody = server.channel("there", other), server.person("Sol")
        server.world.backend.add_member(other, somebody.id)
        await server.slash(somebody, there, "game create")
        assert games(databases[shard]) == [table.channel]
        assert games(databases[1 - shard]) == [there]
    finally:
        for process in processes:
            process.kill()

"""`python -m tests.load [--games N] [--commands N] [--seats N] [--json FILE | --hour]`: see `tests/README.md`."""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tests.load.bench import measure, measure_hour
from tests.wire.server import WireServer

# Of a game by post: a command every three minutes from each of 1,000 games.
HOUR = 20


def main() -> None:
    """The entry point."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--commands", type=int, help="of each kind; with --hour in all")
    parser.add_argument("--seats", type=int, default=6, help="at most; with 7 and 8 a post has two pictures")
    parser.add_argument("--hour", action="store_true", help="an hour's worth of play, and the memory all along")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parsed = parser.parse_args()
    commands = parsed.commands or (parsed.games * HOUR if parsed.hour else 1000)
    figures = asyncio.run(_run(parsed.games, commands, parsed.seats, parsed.hour))
    for key, value in figures.items():
        print(f"{key:40} {value:12.3f}")
    if parsed.json is not None:
        parsed.json.write_text(json.dumps(figures, indent=1) + "\n")


async def _run(games: int, commands: int, seats: int, hour: bool) -> Mapping[str, float]:
    with tempfile.TemporaryDirectory() as directory:
        async with WireServer() as server:
            return await (measure_hour if hour else measure)(server, Path(directory), games, commands, seats)


if __name__ == "__main__":
    main()

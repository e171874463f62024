"""`python -m tests.load [--games N] [--commands N] [--json FILE]`: figures, explained in `tests/README.md`."""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tests.load.bench import measure
from tests.wire.server import WireServer


def main() -> None:
    """The entry point."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--commands", type=int, default=1000, help="of each kind")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parsed = parser.parse_args()
    figures = asyncio.run(_run(parsed.games, parsed.commands))
    for key, value in figures.items():
        print(f"{key:40} {value:12.3f}")
    if parsed.json is not None:
        parsed.json.write_text(json.dumps(figures, indent=1) + "\n")


async def _run(games: int, commands: int) -> Mapping[str, float]:
    with tempfile.TemporaryDirectory() as directory:
        async with WireServer() as server:
            return await measure(server, Path(directory), games, commands)


if __name__ == "__main__":
    main()

"""`python -m tests.faults [--kills N] [--seed S]`: a table of what was killed when, exit 1 at the first fault."""

import argparse
import asyncio
import random
import tempfile
from pathlib import Path

from tests.faults.campaign import Campaign, Report
from tests.wire.server import WireServer


def main() -> None:
    """The entry point."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parsed = parser.parse_args()
    print(f"seed {parsed.seed}", flush=True)
    report = asyncio.run(_run(parsed.kills, parsed.seed))
    for moment, times in report.kills.most_common():
        print(f"{times:6} kills {moment}")
    print(f"{report.unheard:6} commands without an answer")
    print(f"{report.torn:6} writes torn")
    print(f"{report.events:6} events")
    print(f"{report.posts:6} posts, each once")


async def _run(kills: int, seed: int) -> Report:
    with tempfile.TemporaryDirectory() as directory:
        async with WireServer() as server:
            return await Campaign(server, Path(directory), random.Random(seed)).run(kills)


if __name__ == "__main__":
    main()

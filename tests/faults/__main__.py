"""`python -m tests.faults [--kills N] [--seed S] | --awaits`: what was killed when; exit 1 at the first fault."""

import argparse
import asyncio
import random
import tempfile
from pathlib import Path

from tests.faults.campaign import Campaign, Report
from tests.faults.scenes import SCENES
from tests.faults.sweep import sweep
from tests.wire.server import WireServer


def main() -> None:
    """The entry point."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--awaits", action="store_true", help="instead: each command killed at each of its awaits")
    parsed = parser.parse_args()
    if parsed.awaits:
        asyncio.run(_sweep_all())
    else:
        _tell(parsed.seed, asyncio.run(_run(parsed.kills, parsed.seed)))


def _tell(seed: int, report: Report) -> None:
    print(f"seed {seed}")
    for moment, times in report.kills.most_common():
        print(f"{times:6} kills {moment}")
    print(f"{report.unheard:6} commands without an answer")
    print(f"{report.torn:6} writes torn")
    print(f"{report.events:6} events")
    print(f"{report.posts:6} posts, each once")


async def _sweep_all() -> None:
    for name, scene in SCENES.items():
        swept = await sweep(scene)
        counts = f"{swept.awaits:5} awaits {swept.kills:5} kills {swept.repeated:5} commands given again"
        print(f"{counts}  {name}", flush=True)


async def _run(kills: int, seed: int) -> Report:
    with tempfile.TemporaryDirectory() as directory:
        async with WireServer() as server:
            return await Campaign(server, Path(directory), random.Random(seed)).run(kills)


if __name__ == "__main__":
    main()

"""Case 023 and its kin, in short: `python -m tests.faults` does it 300 times."""

import random
from pathlib import Path

from tests.faults.campaign import Campaign
from tests.wire.server import WireServer


async def test_25_kills(tmp_path: Path) -> None:
    async with WireServer() as server:
        report = await Campaign(server, tmp_path, random.Random(7)).run(25)
    assert sum(report.kills.values()) == 25

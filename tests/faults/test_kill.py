"""Case 023 and its kin, in short: `python -m tests.faults` does it 300 times, and with `--awaits` at every await."""

import random
from pathlib import Path

import pytest

from tests.faults.campaign import Campaign
from tests.faults.scenes import SCENES
from tests.faults.sweep import sweep
from tests.wire.server import WireServer


async def test_25_kills(tmp_path: Path) -> None:
    async with WireServer() as server:
        report = await Campaign(server, tmp_path, random.Random(7)).run(25)
    assert sum(report.kills.values()) == 25


@pytest.mark.parametrize(("name", "first"), [(name, 5 + 4 * number) for number, name in enumerate(SCENES)])
async def test_a_command_killed_at_some_of_its_awaits(name: str, first: int) -> None:
    assert (await sweep(SCENES[name], first, 45)).kills

"""What is dear to make: asked for too often, and by many at once."""

import asyncio
from dataclasses import dataclass

from bot.cooldown import DEAR_OF_A_CHANNEL, DEAR_OF_A_USER, OF_A_CHANNEL, OF_A_USER, Cooldown
from bot.drawing import Drawing
from bot.files import first_steps
from bot.marks import map_labels
from renderer import View
from renderer.drawable import Picture
from rules_core.errors import Refusal


@dataclass
class Watch:
    """Seconds that pass when they are told to."""

    seconds: float = 0.0

    def __call__(self) -> float:
        return self.seconds


def refused(cooldown: Cooldown, user: int, channel: int = 1, command: str = "map") -> object:
    """For how many seconds a command is refused."""
    try:
        cooldown.ask(command, user, channel)
    except Refusal as refusal:
        return refusal.params["seconds"]
    return 0


def test_a_user_waits_after_a_burst_and_nobody_else_does() -> None:
    watch = Watch()
    cooldown = Cooldown(watch)
    assert [refused(cooldown, 7) for _ in range(DEAR_OF_A_USER.burst)] == [0] * DEAR_OF_A_USER.burst
    wait = refused(cooldown, 7)
    assert isinstance(wait, int)
    assert 0 < wait <= DEAR_OF_A_USER.seconds + 1
    assert refused(cooldown, 8) == 0
    cooldown.ask("move", 7, 1)
    watch.seconds += wait
    assert refused(cooldown, 7) == 0
    assert refused(cooldown, 7) != 0


def test_a_channel_waits_whoever_asks() -> None:
    cooldown = Cooldown(Watch())
    assert [refused(cooldown, user) for user in range(DEAR_OF_A_CHANNEL.burst)] == [0] * DEAR_OF_A_CHANNEL.burst
    assert refused(cooldown, 99) != 0
    assert refused(cooldown, 99, channel=2) == 0


def test_whatever_is_asked_for_too_often_waits() -> None:
    watch = Watch()
    cooldown = Cooldown(watch)
    assert [refused(cooldown, 7, n, "move") for n in range(OF_A_USER.burst)] == [0] * OF_A_USER.burst
    assert refused(cooldown, 7, 99, "move") == 1
    assert refused(cooldown, 8, 99, "move") == 0
    watch.seconds += OF_A_USER.seconds
    assert refused(cooldown, 7, 99, "move") == 0
    others = [refused(cooldown, 100 + n, 5, "move") for n in range(OF_A_CHANNEL.burst + 1)]
    assert others == [0] * OF_A_CHANNEL.burst + [1]


async def test_case_032_and_081_many_who_look_at_one_table_get_each_his_file_of_one_drawing() -> None:
    state, view = first_steps().start, View("Title", map_labels("en"))
    drawing = Drawing()
    files = await asyncio.gather(*(drawing.file(Picture(state, view, "Map")) for _ in range(8)))
    contents = {file.fp.read() for file in files}
    assert len(contents) == 1
    assert contents.pop().startswith(b"\x89PNG")
    assert len(drawing._lately) == 1
    other = await drawing.file(Picture(state, View("Other", map_labels("en")), "Other"))
    assert other.fp.read() not in contents
    assert len(drawing._lately) == 2

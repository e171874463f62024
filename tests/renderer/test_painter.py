"""The process that draws: it outlives what befalls it, and leaves with who asked."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from renderer import View
from renderer.drawable import Picture
from renderer.painter import Painter, UndrawableError
from tests.renderer.boards import ENGLISH, board

PICTURE = Picture(board(1, 1), View("Two fronts", ENGLISH, width=320), "Two fronts")
ASKING = """
import sys
from renderer.painter import Painter
from tests.renderer.test_painter import PICTURE
painter = Painter()
painter.draw(PICTURE.png)
print(painter.id, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def painter() -> Iterator[Painter]:
    painter = Painter()
    yield painter
    painter.close()


def lives(process: int) -> bool:
    """Whether a process still runs; one that is dead and not yet waited for does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def test_it_draws_what_is_drawn_here(painter: Painter) -> None:
    assert painter.draw(PICTURE.png) == PICTURE.png()
    assert painter.id != os.getpid()


def test_it_starts_anew_after_it_was_killed(painter: Painter) -> None:
    painter.draw(PICTURE.png)
    before = painter.id
    assert before is not None
    os.kill(before, signal.SIGKILL)
    assert painter.draw(PICTURE.png) == PICTURE.png()
    assert painter.id != before


def test_what_cannot_be_drawn_is_told_and_the_next_picture_is_drawn(painter: Painter) -> None:
    nowhere = Picture(PICTURE.state, View("Nowhere", ENGLISH, focus="999"), "Nowhere")
    with pytest.raises(UndrawableError, match="KeyError: '999'"):
        painter.draw(nowhere.png)
    assert painter.draw(PICTURE.png) == PICTURE.png()


def test_a_process_that_cannot_live_is_no_picture_and_not_tried_for_ever(
    painter: Painter, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr("renderer.painter.PROGRAM", (sys.executable, "-c", ""))
        with pytest.raises(UndrawableError, match="ended twice"):
            painter.draw(PICTURE.png)
    assert painter.draw(PICTURE.png) == PICTURE.png()


def test_signals_that_stop_the_bot_do_not_stop_it_before_the_bot_is_gone(painter: Painter) -> None:
    painter.draw(PICTURE.png)
    before = painter.id
    assert before is not None
    for number in (signal.SIGINT, signal.SIGTERM):
        os.kill(before, number)
    assert painter.draw(PICTURE.png) == PICTURE.png()
    assert painter.id == before


def test_it_leaves_when_who_asked_was_killed() -> None:
    command = (sys.executable, "-c", ASKING)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as asking:
        assert asking.stdout is not None
        process = int(asking.stdout.readline())
        assert lives(process)
        asking.kill()
    while lives(process):
        time.sleep(0.01)

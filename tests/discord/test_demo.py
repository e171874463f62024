"""`starpost demo`: the prepared round shows every part of the rules; the page obeys its prompt."""

import asyncio
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from bot.cli import main
from bot.files import first_steps
from bot.page import CannotObey, Page, seconds
from bot.phrases import phrases
from bot.stand_in import CHANNEL, world

COMMAND = (sys.executable, "-W", "ignore", "-c", "import sys; from bot.cli import main; sys.exit(main(sys.argv[1:]))")
PARTS = {
    "en": (
        "Loaded in", "(wormhole)", "is intercepted", "PDS fire", "Assault cannon", "Mira chooses:", "retreats",
        "bombards", "lands on Marrow", "takes Marrow", "order of those to come changes", "only Mira sees this",
        "killed and started again", "It is not your individual phase", "Round 1 is over", "cruiser 8+:",
    ),
    "ko": ("적재(", "(웜홀)", "저지당해", "P.D.S. 사격", "돌격포", "의 선택:", "후퇴", "폭격", "상륙", "점령", "순서"),
}  # fmt: skip


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_prepared_round_shows_every_part_the_same_each_time(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outputs = []
    for run in ("first", "second"):
        assert main(["demo", "--once", "--language", language, "--out", str(tmp_path / run)]) == 0
        outputs.append(capsys.readouterr())
    told = outputs[0].out
    assert outputs[0] == outputs[1]
    assert outputs[0].err == ""
    assert [part for part in PARTS[language] if part not in told] == []
    assert "None" not in told
    assert "<:" not in told, "an emoji that neither the page nor the terminal can show"
    maps = {
        run: {path.name: path.read_bytes() for path in sorted((tmp_path / run).iterdir())}
        for run in ("first", "second")
    }
    assert maps["first"] == maps["second"]
    assert list(maps["first"]) == [f"{number:04}.png" for number in range(1, told.count(".png:") + 1)]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_a_folder_that_cannot_be_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert main(["demo", "--once", "--out", str(tmp_path / "file")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_without_simcord_one_line_says_how_to_install_it() -> None:
    code = "import sys; sys.modules['simcord'] = None; from bot.cli import main; sys.exit(main(['demo']))"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert 'pip install "starpost[demo]"' in done.stderr


def test_the_page_and_its_prompt() -> None:
    lines = "advance 6h\nadvance soon\nrestart\nopen nowhere\nopen @Mira\nopen front\nwhat\nquit\n"
    done = subprocess.run([*COMMAND, "demo"], input=lines, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    addresses = [line.partition(": ")[2] for line in done.stdout.splitlines() if "http://127.0.0.1:" in line]
    assert len(addresses) == 3
    assert len(set(addresses)) == 1
    assert done.stdout.endswith("Bye.\n")
    for part in ("06:00 UTC", "advance 6h", "killed and started", "@준호"):
        assert part in done.stdout


async def test_a_private_thread_is_shown_to_those_who_are_in_it() -> None:
    """Where a copy is tried out, for instance: the others may not look, and the page stays up."""
    async with world(first_steps(), "en") as here:
        who, page = next(iter(here.people.values())), Page(here, phrases("en"))
        front = here.guild.channels[CHANNEL]
        await who.slash(front, "game copy")
        (thread,) = front.threads
        assert here.who_sees(thread) == (who,)
        assert len(here.who_sees(front)) == len(here.people)
        await page.open(thread.name)
        await page.close()


async def test_the_page_is_there_until_the_end_of_the_input() -> None:
    pipe = asyncio.subprocess.PIPE
    demo = await asyncio.create_subprocess_exec(*COMMAND, "demo", "--language", "ko", stdin=pipe, stdout=pipe)
    assert demo.stdin is not None
    assert demo.stdout is not None
    address = (await demo.stdout.readline()).decode().partition(": ")[2].strip()
    with await asyncio.to_thread(urllib.request.urlopen, address) as page:
        assert page.status == 200
    demo.stdin.write(b"restart\n")
    demo.stdin.close()
    told = (await demo.stdout.read()).decode()
    assert "다시 시작했습니다" in told
    assert await demo.wait() == 0


@pytest.mark.parametrize(("text", "wanted"), [("6h", 21600), (" 90 m ", 5400), ("1d", 86400), ("5s", 5)])
def test_times(text: str, wanted: int) -> None:
    assert seconds(text) == wanted


@pytest.mark.parametrize("text", ["", "6", "h", "-1h", "0h", "1y", "99999d", "9" * 50 + "s"])
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(CannotObey):
        seconds(text)

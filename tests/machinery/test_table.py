"""`starpost table` and `starpost map` as they are called, with good files and with bad ones."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.cli import main
from bot.files import first_steps
from bot.script import Line
from bot.table import Arguments, Record, opened
from rules_core.position import write_position
from tests.machinery.tools import SECRET, war

REPOSITORY = Path(__file__).parents[2]
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], str]:
    """Writes a file and gives its path."""

    def written(name: str, text: str) -> str:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path / name)

    return written


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_ready_made_game_is_a_sound_position() -> None:
    start = first_steps().start
    assert len(start.players) == 3
    assert len(start.galaxy.systems) == 19


def test_transcript_maps_and_export(tmp_path: Path, write: Callable[[str, str], str]) -> None:
    script = write(
        "s.txt", "red: /load units: 1 ground force at: 201\nred: /move units: cruiser from: 201 to: 202\n/x\n"
    )
    position, transcript, export = write("p.json", json.dumps(war())), tmp_path / "t.jsonl", tmp_path / "e.json"
    options = ["--position", position, "--script", script, "--maps", str(tmp_path / "maps")]
    assert main(["table", *options, "--transcript", str(transcript), "--export", str(export)]) == 0
    loaded, moved, unreadable = records(transcript)
    assert list(loaded) == ["line", "actor", "command", "ok", "clause", "text", "posts"]
    assert (loaded["ok"], loaded["posts"]) == (True, [])
    assert [(list(post), post["map"]) for post in moved["posts"]] == [(["text", "mentions", "map"], "0001.png")]
    assert (unreadable["actor"], unreadable["ok"], unreadable["clause"]) == (None, False, None)
    assert [path.name for path in (tmp_path / "maps").iterdir()] == ["0001.png"]
    systems = {system["at"]: system for system in json.loads(export.read_text())["systems"]}
    assert systems["202"]["units"]["red"]["cruisers"] == 1


def test_without_maps_none_is_drawn(tmp_path: Path, write: Callable[[str, str], str]) -> None:
    script = write("s.txt", "gold: /move units: cruiser from: 209 to: 105\n")
    assert main(["table", "--script", script, "--transcript", str(tmp_path / "t.jsonl")]) == 0
    assert records(tmp_path / "t.jsonl")[0]["posts"][0]["map"] is None


def test_the_acting_player_is_mentioned(tmp_path: Path, write: Callable[[str, str], str]) -> None:
    script = write("s.txt", "gold: /done\ngold: /done\n")
    assert main(["table", "--script", script, "--transcript", str(tmp_path / "t.jsonl")]) == 0
    assert [post["mentions"] for post in records(tmp_path / "t.jsonl")[1]["posts"]] == [["blue"]]


def test_a_refused_line_ends_a_strict_run(tmp_path: Path, write: Callable[[str, str], str]) -> None:
    script, transcript = write("s.txt", "red: /done\ngold: /done\n"), tmp_path / "t.jsonl"
    assert main(["table", "--script", script, "--transcript", str(transcript)]) == 0
    assert [record["ok"] for record in records(transcript)] == [False, True]
    assert main(["table", "--script", script, "--transcript", str(transcript), "--strict"]) == 1
    assert [record["ok"] for record in records(transcript)] == [False]


def test_a_line_without_an_actor_is_shown_as_it_is(write: Callable[[str, str], str], capsys: Captured) -> None:
    assert main(["table", "--script", write("s.txt", "nobody knows\n")]) == 0
    assert capsys.readouterr().out.startswith("nobody knows\n")


def test_a_database_is_gone_on_with(tmp_path: Path, write: Callable[[str, str], str], capsys: Captured) -> None:
    database, position = str(tmp_path / "table.db"), write("p.json", json.dumps(war()))
    first = write("1.txt", "red: /move units: cruiser from: 201 to: 202\n")
    assert main(["table", "--position", position, "--script", first, "--database", database]) == 0
    second, export = write("2.txt", "red: /move units: cruiser from: 202 to: 201\n"), tmp_path / "e.json"
    assert main(["table", "--script", second, "--database", database, "--export", str(export), "--strict"]) == 0
    capsys.readouterr()
    assert main(["table", "--position", position, "--script", second, "--database", database]) == 2
    assert "holds a game already" in capsys.readouterr().err


async def test_a_table_answers_about_its_game_and_speaks_both_languages(tmp_path: Path) -> None:
    """What is about a channel and its people on Discord, as far as a table has it: there is nobody to name."""
    (tmp_path / "p.json").write_text(json.dumps(war()))
    async with opened(Arguments(position=tmp_path / "p.json", script=tmp_path, dice="10 1 1 1 1 1 1")) as table:

        async def ask(actor: str, typed: str) -> Record:
            record = await table.follow(Line(1, actor, typed))
            assert "<@" not in "".join((record.text, *(post.text for post in record.posts)))
            return record

        status = await ask("red", "/game status")
        assert "Emberfolk" in status.text
        assert "SHA-256" in status.text
        assert "Emberfolk" in (await ask("red", "/galaxy show")).text
        assert not (await ask("red", "/game settings option: lone_fighters value: ignore")).ok
        assert (await ask("referee", "/game settings option: lone_fighters value: ignore")).ok
        assert (await table.state()).options.lone_fighters == "ignore"
        assert not (await ask("red", "/game reveal")).ok
        assert not (await ask("red", "/game verify")).ok
        (told,) = (await ask("referee", "/game reveal")).posts
        assert "The secret of the dice" in told.text
        assert (await ask("red", "/game verify")).ok
        (told,) = (await ask("referee", "/referee settings victory: homes goal: 1")).posts
        assert "1 home system" in told.text
        assert "한국어" in (await ask("red", "/language language: 한국어")).text
        assert "이동" in (await ask("red", "/status")).text
        assert "English" in (await ask("red", "/language language: en")).text
        assert "English, 한국어" in (await ask("red", "/language language: x")).text
        assert [each.text for each in await table.suggestions("/game st")] == ["/game status"]


async def test_scripted_dice_go_on_where_they_were_after_an_undo(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text(json.dumps(war()))
    arguments = Arguments(position=tmp_path / "p.json", script=tmp_path, seed=SECRET.hex(), dice="10 10")
    async with opened(arguments) as table:
        for typed in ("/move units: cruiser from: 201 to: 202", "/undo", "/move units: 2 cruisers from: 201 to: 101"):
            assert (await table.follow(Line(1, "red", typed))).ok
        fought = await table.follow(Line(4, "red", "/done"))
        assert "10 10" in fought.posts[0].text


def test_typed_lines_are_for_whoever_is_waited_for() -> None:
    command = [sys.executable, "-m", "bot.cli", "table"]
    typed = "/move units: cruiser from: 209 to: 105\nblue: /done\n"
    done = subprocess.run(command, cwd=REPOSITORY, input=typed, capture_output=True, text=True, check=True)
    assert "gold: /move" in done.stdout
    assert "0001.png" in done.stdout
    assert "(3.51-a)" in done.stdout


def test_a_table_says_at_once_how_it_stands_and_what_can_be_typed(tmp_path: Path) -> None:
    """A new game, and one that goes on: then there is nothing new to tell but what is waited for."""
    command = [sys.executable, "-m", "bot.cli", "table", "--database", str(tmp_path / "kept.db")]
    for expected in ("Sunherd: it is your turn", "Acting: Sunherd"):
        done = subprocess.run(command, cwd=REPOSITORY, input="", capture_output=True, text=True, check=True)
        assert expected in done.stdout
        assert "Keys: red, blue, gold, referee." in done.stdout


def test_the_clock_does_not_run_out_of_years(tmp_path: Path, write: Callable[[str, str], str]) -> None:
    script = write("s.txt", "clock: +300000d\nclock: +300000d\nclock: +999999h\ngold: /away hours: 8784\n")
    assert main(["table", "--script", script, "--transcript", str(tmp_path / "t.jsonl")]) == 0
    found = records(tmp_path / "t.jsonl")
    assert [record["ok"] for record in found] == [True, False, True, True]
    assert "2999" in found[1]["text"]


def test_who_reads_only_the_beginning_of_the_output_gets_no_complaint(write: Callable[[str, str], str]) -> None:
    """`starpost table ... | head -1`."""
    script = write("s.txt", "gold: /rules clause:3.52\n" * 40)
    command = [sys.executable, "-m", "bot.cli", "table", "--script", script]
    with subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as table:
        assert table.stdout is not None
        assert table.stderr is not None
        assert table.stdout.readline() == "gold: /rules clause:3.52\n"
        table.stdout.close()
        assert table.stderr.read() == ""
    assert table.returncode == 1


# ---- bad input: one clear line, exit 2


def fault(position: dict[str, Any]) -> dict[str, Any]:
    position["systems"][0]["planets"][0]["owner"] = "bleu"
    return position


BAD = [
    (["--position", "FOLDER/nowhere.json"], "nowhere.json: cannot be opened"),
    (["--position", "FOLDER/bad.json"], "systems[0].planets[0].owner"),
    (["--position", "FOLDER/other.json"], '"starpost-game/2" is not one of: starpost-position/1, starpost-game/1'),
    (["--position", "FOLDER/latin1.txt"], "latin1.txt: byte 4: expected text in UTF-8"),
    (["--position", "FOLDER/script.txt"], "script.txt: line 1, column 1"),
    (["--script", "FOLDER/nowhere.txt"], "nowhere.txt: cannot be opened"),
    (["--script", "FOLDER/latin1.txt"], "latin1.txt: byte 4"),
    (["--script", "FOLDER"], "cannot be opened"),
    (["--dice", "9 3 11"], "--dice: number 3 is 11: expected a number from 1 to 10"),
    (["--dice", "0"], "--dice: number 1 is 0"),
    (["--dice", "9 x"], "--dice: number 2 is x"),
    (["--seed", "00ff"], "--seed: expected 32 bytes"),
    (["--maps", "FOLDER/script.txt"], "script.txt: not a folder for maps"),
    (["--transcript", "FOLDER/none/t.jsonl"], "t.jsonl: cannot be written"),
    (["--export", "FOLDER"], "cannot be written"),
    (["--database", "FOLDER"], "cannot be opened"),
    (["--database", "FOLDER/letter.db"], "letter.db: not a database"),
    (["--language", "fr"], "--language"),
    (["--frob"], "--frob"),
]


@pytest.mark.parametrize(("options", "expected"), BAD)
def test_what_cannot_be_used_is_said_in_one_line(
    options: list[str], expected: str, tmp_path: Path, write: Callable[[str, str], str], capsys: Captured
) -> None:
    script = write("script.txt", "gold: /done\n")
    write("bad.json", json.dumps(fault(war())))
    write("other.json", json.dumps({**war(), "format": "starpost-game/2"}))
    write("letter.db", "a letter to nobody\n" * 60)
    (tmp_path / "latin1.txt").write_bytes("caf\u00e9: /done".encode("latin-1"))
    given = [option.replace("FOLDER", str(tmp_path)) for option in options]
    assert main(["table", "--script", script, *given]) == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert expected in said.err
    assert said.out == ""


def test_a_position_is_drawn(tmp_path: Path, write: Callable[[str, str], str]) -> None:
    position = write("p.json", write_position(first_steps().start))
    out, scene = tmp_path / "map.png", tmp_path / "scene.json"
    assert main(["map", "--position", position, "--out", str(out), "--scene", str(scene), "--language", "ko"]) == 0
    assert out.read_bytes().startswith(b"\x89PNG")
    assert json.loads(scene.read_text(encoding="utf-8"))
    assert main(["map", "--position", position, "--out", str(out), "--system", "201"]) == 0


@pytest.mark.parametrize(
    "options",
    [["--system", "999"], ["--out", "/nowhere/map.png"], ["--out", "map.gif"], ["--out", "map"], ["--position", "no"]],
)
def test_a_map_that_cannot_be_drawn_is_said_in_one_line(
    options: list[str], tmp_path: Path, write: Callable[[str, str], str], capsys: Captured
) -> None:
    position = write("p.json", write_position(first_steps().start))
    assert main(["map", "--position", position, "--out", str(tmp_path / "map.png"), *options]) == 2
    assert capsys.readouterr().err.count("\n") == 1

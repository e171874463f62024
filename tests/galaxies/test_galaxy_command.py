"""`starpost galaxy` at the terminal."""

from pathlib import Path

import pytest

from bot.cli import main
from bot.files import read_game_at


def test_it_writes_a_position_file_and_a_picture_and_shows_the_scores(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, picture = tmp_path / "galaxy.json", tmp_path / "galaxy.png"
    options = ["--seats", "4", "--seed", "lantern", "--out", str(out), "--picture", str(picture)]
    assert main(["galaxy", *options]) == 0
    shown = capsys.readouterr().out
    assert "Seed lantern: 4 seats, 37 systems" in shown
    assert "Emberfolk" in shown
    assert "Fair" in shown
    assert len(read_game_at(out, "en").state.players) == 4
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_the_same_seed_writes_the_same_file(tmp_path: Path) -> None:
    files = [tmp_path / "one.json", tmp_path / "two.json"]
    for file in files:
        main(["galaxy", "--seats", "3", "--seed", "again", "--out", str(file)])
    assert files[0].read_bytes() == files[1].read_bytes()


def test_without_a_seed_one_is_drawn_and_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawn, again = tmp_path / "drawn.json", tmp_path / "again.json"
    main(["galaxy", "--seats", "2", "--out", str(drawn)])
    seed = capsys.readouterr().out.split()[1].removesuffix(":")
    main(["galaxy", "--seats", "2", "--seed", seed, "--out", str(again)])
    assert drawn.read_bytes() == again.read_bytes()


def test_korean_names_and_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "galaxy.json"
    assert main(["galaxy", "--seats", "2", "--seed", "등불", "--language", "ko", "--out", str(out)]) == 0
    assert "정치력" in capsys.readouterr().out
    assert read_game_at(out, "ko").state.players[0].race == "잉걸 부족"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--seats", "9"], "--seats"),
        ([], "--seats"),
        (["--seats", "6", "--rings", "2"], "--rings: 2: expected 3 to 5 for 6 seats"),
        (["--seats", "2", "--out", "/nowhere/at/all.json"], "/nowhere/at/all.json"),
    ],
)
def test_what_cannot_be_is_one_line_and_exit_2(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["galaxy", *options]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1

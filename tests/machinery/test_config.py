"""Settings, and what the packaging promises."""

import re
import tomllib
from pathlib import Path

import pytest

from bot.config import Settings, SettingsError, load_settings

REPOSITORY = Path(__file__).parents[2]


def test_what_is_not_given_has_its_default() -> None:
    assert Settings.read({}) == Settings("", Path("starpost.db"), "INFO")
    assert Settings.read({"DISCORD_TOKEN": "  ", "STARPOST_LOG_LEVEL": ""}) == Settings()


def test_the_environment_goes_before_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text("DISCORD_TOKEN=file\nSTARPOST_DATABASE=games.db\n")
    monkeypatch.setenv("DISCORD_TOKEN", "environment")
    settings = load_settings(tmp_path / ".env")
    assert (settings.token, settings.database) == ("environment", Path("games.db"))


def test_a_level_that_does_not_exist_is_refused_in_one_line() -> None:
    with pytest.raises(SettingsError, match="STARPOST_LOG_LEVEL: LOUD is no level"):
        Settings.read({"STARPOST_LOG_LEVEL": "loud"})


def test_the_token_is_not_shown() -> None:
    assert "abc" not in repr(Settings("abc"))


def test_every_setting_is_in_the_example_and_nothing_else() -> None:
    example = re.findall(r"^([A-Z_]+)=", (REPOSITORY / ".env.example").read_text(encoding="utf-8"), re.MULTILINE)
    read = re.findall(r'given\.get\("([A-Z_]+)"', (REPOSITORY / "bot" / "config.py").read_text(encoding="utf-8"))
    assert sorted(example) == sorted(read)


def test_the_readme_begins_with_two_commands_of_one_line() -> None:
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    assert [block.count("\n") for block in blocks[:2]] == [1, 1]
    assert all(block.startswith("python3 -m venv .venv && .venv/bin/pip install") for block in blocks[:2])


def test_dependencies_are_pinned_to_a_range() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]
    assert all(re.search(r">=.*,<|^starpost\[", each) for each in wanted)

"""The names and descriptions of the slash commands keep Discord's limits, in both languages."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import regex

from bot import phrases, slash
from bot.phrases import LANGUAGES

NAME = regex.compile(r"^[-_\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$")
MOST_OPTIONS = 25
MOST_CHARACTERS = 8000
Table = Mapping[str, Any]


def commands(language: str) -> Table:
    """The catalogue of commands as it stands in its file."""
    path = phrases.files("bot").joinpath("locales", f"commands.{language}.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


def siblings(table: Table) -> Iterator[Table]:
    """Every set of names that stand beside each other."""
    yield table
    for entry in table.values():
        if "commands" in entry:
            yield from siblings(entry["commands"])
        if "options" in entry:
            yield entry["options"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_and_descriptions_fit(language: str) -> None:
    for group in siblings(commands(language)):
        assert len(group) <= 100
        for key, entry in group.items():
            assert NAME.match(entry["name"]), (key, entry["name"])
            assert entry["name"] == entry["name"].lower()
            assert 1 <= len(entry["text"]) <= 100, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_are_unique_among_siblings(language: str) -> None:
    for group in siblings(commands(language)):
        names = [entry["name"] for entry in group.values()]
        assert len(set(names)) == len(names), names


def test_english_names_are_the_keys() -> None:
    for group in siblings(commands("en")):
        assert all(entry["name"] == key for key, entry in group.items())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_command_is_larger_than_discord_takes(language: str) -> None:
    for entry in commands(language).values():
        assert len(entry.get("options", ())) <= MOST_OPTIONS
        assert len(entry.get("commands", ())) <= MOST_OPTIONS
        texts = list(_texts(entry))
        assert sum(map(len, texts)) <= MOST_CHARACTERS


def _texts(entry: Table) -> Iterator[str]:
    for value in entry.values():
        if isinstance(value, str):
            yield value
        else:
            yield from _texts(value)


def test_every_command_of_the_table_has_words() -> None:
    for name, command in slash.COMMANDS.items():
        if command.does is slash.Does.TO_COME:
            continue
        path = "commands." + ".commands.".join(name.split())
        for key in (path, *(f"{path}.options.{option.name}" for option in command.options)):
            assert f"{key}.text" in phrases.catalogue("en"), key


def test_korean_names_are_korean() -> None:
    for group in siblings(commands("ko")):
        assert all(re.search("[가-힣]", entry["name"]) for entry in group.values())

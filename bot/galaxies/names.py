"""Invented names of planets and races, in the script of a language."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from bot.phrases import Language

# Which form of a name a language writes.
_FORM: Final[Mapping[Language, int]] = {"en": 0, "ko": 1}


@cache
def _names() -> Mapping[str, Any]:
    return tomllib.loads(files(__package__).joinpath("names.toml").read_text(encoding="utf-8"))


class Race(NamedTuple):
    """Who sits in a seat: the key of the player, a colour, and the name of the race."""

    key: str
    name: str


@cache
def races(language: Language) -> tuple[Race, ...]:
    """Eight races, in the order in which seats are filled."""
    return tuple(Race(key, forms[_FORM[language]]) for key, forms in _names()["races"].items())


@cache
def planet_names(language: Language) -> tuple[str, ...]:
    """Every name that a planet may get; the same place is the same name in every language."""
    form = _FORM[language]
    return tuple(start[form] + end[form] for start in _names()["beginnings"] for end in _names()["endings"])

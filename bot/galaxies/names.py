"""Invented names of planets and races, in the script of a language."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from bot.galaxies.chance import Chance
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


def planet_names(chance: Chance, language: Language) -> Iterator[str]:
    """Names that do not repeat; what stands close together in the row has neither beginning nor ending in common.

    The draws do not depend on the language: the same place in the row is the same name in each.
    """
    form = _FORM[language]
    starts = [each[form] for each in chance.shuffled(_names()["beginnings"])]
    ends = [each[form] for each in chance.shuffled(_names()["endings"])]
    for lap in range(len(ends)):
        for place, beginning in enumerate(starts):
            yield beginning + ends[(place + lap) % len(ends)]

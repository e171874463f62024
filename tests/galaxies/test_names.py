"""Names that the project ships: each that can come up is one that can be used."""

import unicodedata

import pytest

from bot.galaxies import RACES, races
from bot.galaxies.chance import Chance
from bot.galaxies.names import planet_names
from bot.parse import reads_like_a_unit
from bot.phrases import Language
from rules_core import hexes
from rules_core.position import MAX_NAME

LANGUAGES: tuple[Language, ...] = ("en", "ko")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_of_a_planet_can_stand_in_a_file_and_in_a_command(language: Language) -> None:
    for name in planet_names(Chance(""), language):
        assert len(name) <= MAX_NAME
        assert unicodedata.is_normalized("NFC", name)
        assert not reads_like_a_unit(name)
        assert not hexes.is_label(name)
        assert name.isalpha()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_name_comes_twice_and_none_is_in_another_script(language: Language) -> None:
    names = list(planet_names(Chance("twice"), language))
    script = {"en": "LATIN", "ko": "HANGUL"}[language]
    assert len({name.casefold() for name in names}) == len(names) > 700
    assert all(unicodedata.name(letter).startswith(script) for name in names for letter in name)


def test_a_place_in_the_row_is_one_name_in_both_scripts() -> None:
    pairs = {
        pair
        for seed in "abc"
        for pair in zip(planet_names(Chance(seed), "en"), planet_names(Chance(seed), "ko"), strict=True)
    }
    assert len({english for english, _ in pairs}) == len({korean for _, korean in pairs}) == len(pairs)


def test_names_that_come_together_begin_and_end_differently() -> None:
    names = list(planet_names(Chance("near"), "en"))[:20]
    assert len({name[:3] for name in names}) == len({name[-4:] for name in names}) == 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_eight_races_differ_in_key_and_name(language: Language) -> None:
    assert [race.key for race in races(language)] == [race.key for race in RACES]
    assert len({race.key for race in races(language)}) == len({race.name for race in races(language)}) == 8
    assert not any(reads_like_a_unit(race.name) for race in races(language))

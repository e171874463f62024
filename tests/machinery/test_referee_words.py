"""What a referee is told about his own edits, and about a text that an edit cannot read."""

import json
from dataclasses import fields
from typing import get_args, get_type_hints

import pytest

from bot import presenter, slash
from bot.files import read_game
from bot.phrases import LANGUAGES, Language, phrases
from bot.steps import PostKind
from rules_core.apply import fold
from rules_core.decide import decide
from rules_core.dice import ALWAYS_LOW
from rules_core.errors import Unreadable
from rules_core.history import REFEREE
from rules_core.state import Options, State
from tests.machinery.tools import war

STATE = read_game(json.dumps(war())).start


def _told(state: State, name: str, **texts: str) -> tuple[State, set[str], set[str]]:
    """The table after an edit, what its referee is told of it, and what everybody is."""
    events = decide(state, slash.build(state, REFEREE, name, texts), ALWAYS_LOW)
    mine = presenter.done(state, events, REFEREE, "en")
    public = presenter.post(PostKind.REFEREE, state, events, "en").text
    return fold(state, events), set(mine), set(public.splitlines()[1:])


def test_the_referee_reads_of_all_units_that_he_edits() -> None:
    """Ships and ground units of one edit are a line each: who misses one would place it again."""
    home = next(planet.name for planet in STATE.planets_at("201") if planet.owner == "red")
    units = "1 cruiser, 2 ground forces"
    state, mine, public = _told(STATE, "referee place", units=units, at="201", player="red", planet=home)
    assert mine == public
    assert len(mine) == 2
    _, mine, public = _told(state, "referee remove", units=units, at="201", player="red", planet=home)
    assert mine == public
    assert len(mine) == 2


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("setting", [each.name for each in fields(Options)])
def test_a_wrong_setting_is_answered_with_words_of_the_reader(setting: str, language: Language) -> None:
    """Not with the keys that a file has for them."""
    words = phrases(language)
    for name, value in (("?", "?"), (setting, "?")):
        with pytest.raises(Unreadable) as refused:
            slash.build(STATE, REFEREE, "referee option", {"name": name, "value": value})
        said = words.refusal(refused.value)
        if name == "?":
            assert words.option(setting) in said
        else:
            keys = get_args(get_type_hints(Options)[setting])
            assert all(words.option_value(setting, key) in said for key in keys)


def test_a_system_in_place_of_a_planet_is_answered_with_its_planets() -> None:
    with pytest.raises(Unreadable) as refused:
        slash.build(STATE, REFEREE, "referee planet", {"name": "201", "owner": "red"})
    assert refused.value.params["near"] == tuple(planet.name for planet in STATE.planets_at("201"))

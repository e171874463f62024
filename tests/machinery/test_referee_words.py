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
from rules_core.errors import RuleViolation, Unreadable
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


def _with_another_planet(owner: str | None) -> State:
    position = war()
    position["systems"][1]["planets"].append({"name": "Ochre", "owner": owner, "ground_forces": 2 if owner else 0})
    return read_game(json.dumps(position)).start


@pytest.mark.parametrize(
    ("command", "texts"),
    [
        ("referee place", {"units": "2 ground forces", "at": "{}"}),
        ("referee remove", {"units": "1 ground force", "at": "{}"}),
        ("referee move", {"units": "1 ground force", "at": "{}", "to": "201", "carrier": "carrier 2"}),
        ("referee move", {"units": "1 ground force", "source": "carrier 1", "at": "201", "to": "{}"}),
    ],
)
def test_a_system_named_by_a_planet_names_the_planet(command: str, texts: dict[str, str]) -> None:
    """Ground units stand on the planet that was said; if it is not their owner's, that is what is refused."""
    named = {"player": "red", **{option: text.replace("{}", "Ochre") for option, text in texts.items()}}
    state = _with_another_planet("red")
    after, _, _ = _told(state, command, **named)
    assert after.planets["Ochre"].ground_forces != state.planets["Ochre"].ground_forces
    assert after.planets["Hearth"] == state.planets["Hearth"]
    with pytest.raises(RuleViolation) as refused:
        _told(_with_another_planet(None), command, **named)
    assert refused.value.code == "not_his_planet"
    for language in LANGUAGES:
        assert "/referee planet" in phrases(language).refusal(refused.value, {"red": "Red"})


def test_the_only_planet_of_a_player_need_not_be_named() -> None:
    """In a system with one of his the label is enough, whatever is done with what stands there."""
    for command, more in (("place", {}), ("remove", {}), ("move", {"to": "201", "carrier": "2"})):
        after, _, _ = _told(STATE, f"referee {command}", units="1 ground force", at="201", player="red", **more)
        assert after.planets["Hearth"] != STATE.planets["Hearth"]


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

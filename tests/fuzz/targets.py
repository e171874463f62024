"""What is fuzzed: a target takes one input, and fails by anything but a refusal."""

import copy
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from hypothesis import strategies as st

from bot import menus, odds, parse, roll, script, slash
from bot.agreed import Agreed
from bot.autocomplete import suggest
from bot.config import Settings, SettingsError
from bot.files import first_steps, read_game
from bot.phrases import phrases
from rules_core.apply import fold
from rules_core.decide import decide
from rules_core.dice import SealedDice
from rules_core.errors import FileError, Refusal
from rules_core.history import REFEREE
from rules_core.invariants import problems
from rules_core.position import position_to_json
from rules_core.state import State
from tests.machinery.tools import war

# The only ways in which an input may be turned down.
REFUSALS: Final = (Refusal, FileError, SettingsError)
WAR: Final = read_game(json.dumps(war())).start
_ENGLISH: Final = phrases("en")
_DICE: Final = SealedDice(bytes(32))


@dataclass(frozen=True, slots=True)
class Target:
    """Something that takes inputs."""

    inputs: st.SearchStrategy[Any]
    take: Callable[[Any], object]

    def __call__(self, value: Any) -> None:
        with suppress(*REFUSALS):
            self.take(value)


# ---- texts: anything, and what is nearly right

_WORDS: Final = (
    *("2 cruisers", "carrier 1", "carrier + 3 ground forces", "1 fighter", "all", "전부", "순양함 2척", "dreadnoughts"),
    *("101", "201", "202", "212", "000", "red", "blue", "Azure", "Hearth", "cruiser, fighter", "below 40%", "never"),
    *("off", "fire", "hold", "x", "-1", "0", "99999999999", "²", "1e9", "\u202e", "@everyone", "4d10>=8"),
    *("((", "1d", "+", "/move", "units:", "from:", "to:", "clock:", "6h", "referee", "#", "||", "`"),
    *("\x00", "\ud7ff", " ", ",", ":", "\n"),
)  # fmt: skip
_WORD: Final = st.sampled_from(_WORDS)
_NEARLY: Final = st.lists(st.one_of(_WORD, st.text(max_size=3)), max_size=8).map(" ".join)
TEXTS: Final = st.one_of(_WORD, _NEARLY, st.text(max_size=40))

# ---- files: a good one of which something is changed


def _places(data: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [here, *(place for key, each in inside for place in _places(each, (*here, key)))]


_FILES: Final = (war(), position_to_json(first_steps().start))
_CHANGES: Final = st.one_of(
    st.sampled_from(("red", "101", "alpha", -1, 2**70, 1e308, True, None, "", [], {}, [[]], {"": None}, "x" * 300)),
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5)),
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
        max_leaves=5,
    ),
)
_CHANGED: Final = st.sampled_from([(file, place) for file in _FILES for place in _places(file) if place]).flatmap(
    lambda chosen: st.tuples(st.just(chosen), _CHANGES)
)


def _read_changed(change: tuple[tuple[dict[str, Any], tuple[Any, ...]], Any]) -> None:
    (file, place), value = change
    data = copy.deepcopy(file)
    at: Any = data
    for key in place[:-1]:
        at = at[key]
    at[place[-1]] = value
    assert not problems(read_game(json.dumps(data)).start), "a position that cannot be was taken"


def _deep(depth: int) -> str:
    return '{"systems":' + "[" * depth


RAW: Final = st.one_of(
    st.text(max_size=60),
    st.integers(0, 200_000).map(_deep),
    st.sampled_from(
        ("NaN", "1e999", "[" * 100_000, '{"a":' * 100_000, "9" * 5000, '"\\ud800"', "\ufeff{}", "[]", "{}")
    ),
)

# ---- commands

PLAYERS: Final = st.sampled_from(("red", "blue", REFEREE, "nobody"))
_ORDERS: Final = [each for each in slash.COMMANDS.values() if each.build is not None]
ORDERS: Final = st.sampled_from(_ORDERS).flatmap(
    lambda order: st.tuples(
        st.just(order.name), PLAYERS, st.fixed_dictionaries({option.name: TEXTS for option in order.options})
    )
)


def _tables() -> tuple[State, ...]:
    """The war, the battle in it, and the landing after it."""
    found = [WAR]
    for name, texts in (
        ("move", {"units": "all", "from": "201", "to": "101"}),
        ("done", {}),
        ("losses", {"units": "1 fighter"}),
    ):
        now = found[-1]
        found.append(fold(now, decide(now, slash.build(now, "red", name, texts), _DICE)))
    return tuple(found)


TABLES: Final = _tables()
TABLE: Final = st.sampled_from(TABLES)


def _order(given: tuple[State, tuple[str, str, Mapping[str, str]]]) -> None:
    state, (name, player, texts) = given
    after = fold(state, decide(state, slash.build(state, player, name, texts), _DICE))
    assert not problems(after), "the rules led to a table that cannot be"


def _suggest(given: tuple[State, tuple[str, str, Mapping[str, str]], str]) -> None:
    state, (name, player, texts), typed = given
    command = slash.find(name)
    for option in command.options:
        found = suggest(state, player, command, option, typed, texts, "ko")
        assert len(found) <= 25


def _draft(given: tuple[State, str, str]) -> None:
    state, player, code = given
    menus.follow(state, player, menus.read_draft(code), "en")


# What the buttons carry: nobody types it, but anybody can send it.
_ACTIONS: Final = "move|load|scrap|losses|battle|land|bombard|invade|done|undo|[a-z]{1,6}"
_CODE: Final = rf"({_ACTIONS})(\.(101|201|000|[a-z0-9]{{0,3}})\.[0-9a-o]{{0,4}}\.[0-3]{{0,6}}\.[0-9]\.(101|!|))?"
_CODES: Final = st.one_of(
    st.from_regex(_CODE, fullmatch=True), st.text(alphabet="abcdefghij0123456789.!-_", max_size=40)
)


def _some(name: str) -> st.SearchStrategy[dict[str, str]]:
    """Any of the options of a command."""
    return st.fixed_dictionaries({}, optional={option.name: TEXTS for option in slash.find(name).options})


def _with_state(read: Callable[[State, str], object]) -> Callable[[str], object]:
    return partial(read, WAR)


def _standing(given: tuple[State, Mapping[str, str]]) -> object:
    return slash.standing_orders(given[0], "red", given[1])


TARGETS: Final[Mapping[str, Target]] = {
    **{
        name: Target(TEXTS, getattr(parse, name))
        for name in ("parse_units", "parse_carrier", "parse_kinds", "parse_scale", "parse_rings", "parse_theme")
    },
    **{
        name: Target(TEXTS, getattr(parse, name))
        for name in ("parse_number", "parse_retreat", "parse_retreat_rule", "parse_loss_order", "parse_fire")
    },
    **{
        name: Target(TEXTS, _with_state(getattr(parse, name)))
        for name in ("parse_system", "parse_systems", "parse_planet", "parse_player", "parse_technology")
    },
    "roll": Target(TEXTS, roll.roll),
    "read_script": Target(TEXTS, script.read_script),
    "read_clock": Target(TEXTS, script.read_clock),
    "read_command": Target(st.one_of(TEXTS, TEXTS.map("/move {}".format)), script.read_command),
    "hours": Target(TEXTS, slash.hours),
    "import": Target(RAW, read_game),
    "changed import": Target(_CHANGED, _read_changed),
    "order": Target(st.tuples(TABLE, ORDERS), _order),
    "suggestion": Target(st.tuples(TABLE, ORDERS, TEXTS), _suggest),
    "menu": Target(st.tuples(TABLE, PLAYERS, _CODES), _draft),
    "odds": Target(st.tuples(TABLE, _some("odds")), lambda given: odds.asked(given[0], "red", given[1], _ENGLISH)),
    "standing": Target(
        st.tuples(TABLE, _some("standing")), lambda given: slash.standing_orders(given[0], "red", given[1])
    ),
    "settings of a table": Target(_some("referee settings"), lambda texts: slash.agreed(Agreed(), texts)),
    "settings": Target(
        st.dictionaries(st.sampled_from(("STARPOST_LOG_LEVEL", "STARPOST_BACKUP_HOURS", "STARPOST_LOG_FORMAT")), TEXTS),
        Settings.read,
    ),
}

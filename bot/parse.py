"""Text to values: units, systems, planets, players, standing orders. Every failure says what would be right.

A text is read once, piece by piece, and refused unread if it is longer than any sensible order.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, get_args

from bot.phrases import LANGUAGES, Language, catalogue
from renderer.theme import ThemeName
from rules_core import hexes
from rules_core.errors import Ambiguous, Refusal, RuleViolation, Unreadable
from rules_core.odds import Retreat
from rules_core.selection import Counted, Group, Numbered, Request
from rules_core.state import RetreatOrder, State
from rules_core.units import FIRING_ORDER, SHIP_KINDS, Kind, Ruleset

MAX_LENGTH: Final = 400
MAX_NUMBER: Final = 999
LEAST_SCALE: Final = 0.25
MOST_SCALE: Final = 2
THEMES: Final[tuple[ThemeName, ...]] = get_args(ThemeName)
_TOKEN: Final = re.compile(r"[-−]?[0-9]+|[×#]|[^\s0-9×#]+")


# ---- the words that players may type


@dataclass(frozen=True, slots=True)
class _Name:
    kind: Kind
    plural: bool


@dataclass(frozen=True, slots=True)
class _Input:
    """What `input.toml` says, by squeezed word."""

    units: Mapping[str, _Name]
    numbers: Mapping[str, int]
    words: Mapping[str, frozenset[str]]

    def is_a(self, text: str, meaning: str) -> bool:
        """Whether `text` is one of the words for `meaning`."""
        return _squeeze(text) in self.words[meaning]


@cache
def _input() -> _Input:
    data = tomllib.loads(files(__package__).joinpath("locales", "input.toml").read_text(encoding="utf-8"))
    words = {key: frozenset(map(_squeeze, value)) for key, value in data.items() if isinstance(value, list)}
    numbers = {_squeeze(word): int(number) for number, words_ in data["numbers"].items() for word in words_}
    return _Input(dict(_unit_names(data["units"])), numbers, words)


def _unit_names(units: Mapping[str, Any]) -> Iterator[tuple[str, _Name]]:
    for key, forms in units.items():
        for form in ("one", "many"):
            for word in forms[form]:
                yield _squeeze(word), _Name(Kind(key), form == "many")


def _squeeze(text: str) -> str:
    """A word as it is compared: without case, spaces, dots, hyphens and underscores."""
    return re.sub(r"[\s._\-]+", "", unicodedata.normalize("NFKC", text).casefold())


def _read(text: str) -> str:
    """`text` in its plain form; refused if it is too long to be an order, or empty."""
    if len(text) > MAX_LENGTH:
        raise Unreadable("too_long", text=text[:40], limit=MAX_LENGTH, length=len(text))
    plain = unicodedata.normalize("NFKC", text).casefold().strip()
    if not plain:
        raise Unreadable("nothing_written", text="")
    return plain


def _near(text: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """Candidates that look like `text`, the likeliest first."""
    by_look = {_squeeze(candidate): candidate for candidate in candidates}
    return tuple(by_look[look] for look in get_close_matches(_squeeze(text), by_look, n=3, cutoff=0.5))


def _find(text: str, values: Mapping[str, str]) -> str | None:
    """The value whose name reads like `text`: by its very letters before a looser look."""
    for form in (_letters, _squeeze):
        found = {value for name, value in values.items() if form(name) == form(text)}
        if len(found) == 1:
            return found.pop()
    return None


def _letters(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold().strip()


# ---- units


def parse_units(text: str) -> Request:
    """`2 cruisers, carrier 2 + 3 ground forces`, `순양함 2척, 모함 2 + 지상군 3`, `all` -> what is asked for."""
    plain = _read(text)
    if _input().is_a(plain, "all"):
        return Request(everything=True)
    return Request(tuple(_group(part) for part in plain.split(",")))


def reads_like_a_unit(name: str) -> bool:
    """Whether a command would take `name` for a unit, in either language; so nothing else may be called so."""
    try:
        parse_units(name)
    except Refusal:
        return False
    return True


def _group(text: str) -> Group:
    first, *cargo = text.split("+")
    return Group((_item(first),), tuple(_cargo(each) for each in cargo))


def _cargo(text: str) -> Counted:
    item = _item(text)
    if item.kind in SHIP_KINDS or isinstance(item, Numbered):
        raise RuleViolation("no_cargo", "3.52.2-a", text=text.strip())
    return item


def parse_carrier(text: str) -> Counted | Numbered:
    """The option `carrier`: one ship, by number if there is one (`carrier 2`, `cruiser 1`, `2`)."""
    plain = _read(text)
    if re.fullmatch("[0-9]+", plain):
        return Numbered(Kind.CARRIER, _number(plain))
    item = _item(plain, numbers_name=SHIP_KINDS)
    if item.kind not in SHIP_KINDS or (isinstance(item, Counted) and item.count != 1):
        raise Unreadable("not_one_ship", text=text.strip())
    return item


def _item(text: str, numbers_name: tuple[Kind, ...] = (Kind.CARRIER,)) -> Counted | Numbered:
    """One unit with its number; behind a kind of `numbers_name` the number names one ship."""
    tokens = _TOKEN.findall(text)
    places = [place for place, token in enumerate(tokens) if _is_number(token)]
    if not tokens:
        raise Unreadable("nothing_between_commas", text=text.strip())
    if len(places) > 1:
        raise Unreadable("two_numbers", text=text.strip())
    if not places:
        return Counted(_kind(text, tokens).kind)
    return _numbered_item(text, tokens, places[0], numbers_name)


def _numbered_item(text: str, tokens: list[str], place: int, numbers_name: tuple[Kind, ...]) -> Counted | Numbered:
    before, after, number = tokens[:place], tokens[place + 1 :], _number(tokens[place])
    counted = named = False
    if after and _input().is_a(after[0], "ordinals"):
        after, named = after[1:], True
    elif after and _input().is_a(after[0], "counters"):
        after, counted = after[1:], True
    if before and _input().is_a(before[-1], "number_signs"):
        before, named = before[:-1], True
    elif before and _input().is_a(before[-1], "counters"):
        before, counted = before[:-1], True
    name = _kind(text, before + after)
    if named and name.kind not in SHIP_KINDS:
        raise Unreadable("not_one_ship", text=text.strip())
    behind = bool(before) and not counted and not name.plural and name.kind in numbers_name
    return Numbered(name.kind, number) if named or behind else Counted(name.kind, number)


def _is_number(token: str) -> bool:
    return token[-1] in "0123456789" or _squeeze(token) in _input().numbers


def _number(token: str) -> int:
    word = _squeeze(token)
    if word in _input().numbers:
        return _input().numbers[word]
    number = int(token.replace("−", "-"))
    if not 1 <= number <= MAX_NUMBER:
        raise Unreadable("bad_number", text=token, most=MAX_NUMBER)
    return number


def _kind(text: str, words: list[str]) -> _Name:
    name = _squeeze("".join(words))
    found = _input().units.get(name)
    if found is None:
        near = tuple(dict.fromkeys(_input().units[each].kind for each in _near(name, _input().units)))
        raise Unreadable("unknown_unit", text=text.strip(), near=near or FIRING_ORDER)
    return found


def parse_kinds(text: str) -> tuple[Kind, ...]:
    """The order of removal in `losses: fighter, cruiser, carrier`; `off` is empty."""
    plain = _read(text)
    if _input().is_a(plain, "off"):
        return ()
    kinds = tuple(_kind(part, [part]).kind for part in re.split(r"[,>]", plain))
    for kind in kinds:
        if kind not in FIRING_ORDER:
            raise RuleViolation("never_lost_in_battle", "3.53-f", kind=kind)
        if kinds.count(kind) > 1:
            raise Unreadable("kind_named_twice", text=text.strip(), kind=kind)
    return kinds


# ---- places, players, technologies


def parse_scale(text: str) -> float:
    """How many times the usual size, 0.25 to 2."""
    if not re.fullmatch(r"[0-9]{1,2}([.,][0-9]{1,2})?", text.strip()):
        raise Unreadable("not_a_scale", text=text)
    scale = float(text.strip().replace(",", "."))
    if not LEAST_SCALE <= scale <= MOST_SCALE:
        raise Unreadable("not_a_scale", text=text)
    return scale


def parse_language(text: str) -> Language:
    """A language that the bot speaks, by its code or its own name."""
    names = {catalogue(each)[f"commands.language.options.language.choices.{each}"]: each for each in LANGUAGES}
    for name, language in names.items():
        if text.strip().casefold() in (language, name.casefold()):
            return language
    raise Unreadable("unknown_language", text=text, known=tuple(names))


def parse_rings(text: str) -> int:
    """How many rings around a system: 1 or 2."""
    plain = text.strip()
    if plain not in ("1", "2"):
        raise Unreadable("not_rings", text=text)
    return int(plain)


def parse_theme(text: str) -> ThemeName:
    """`dark` or `light`."""
    for theme in THEMES:
        if text.strip().casefold() == theme:
            return theme
    raise Unreadable("unknown_theme", text=text, known=THEMES)


def parse_number(text: str) -> int:
    """A plain number."""
    plain = text.strip()
    if not re.fullmatch(r"-?[0-9]{1,6}", plain):
        raise Unreadable("not_a_number", text=text)
    return int(plain)


def parse_flag(text: str) -> bool:
    """`true` or `false`, `yes` or `no`, `on` or `off`."""
    if _input().is_a(text, "yes"):
        return True
    if _input().is_a(text, "no"):
        return False
    raise Unreadable("not_yes_or_no", text=text)


def parse_system(state: State, text: str) -> str:
    """The label of a system, from its label or from a planet in it."""
    plain = _read(text)
    if plain in state.galaxy.systems:
        return plain
    if (at := _find(text, {planet.name: planet.at for planet in state.planets.values()})) is not None:
        return at
    if hexes.is_label(plain):
        raise Unreadable("no_such_system", text=text.strip(), near=_near(plain, state.galaxy.systems))
    near = _near(plain, (*state.planets, *state.galaxy.systems))
    raise Unreadable("unknown_system", text=text.strip(), near=near)


def parse_systems(state: State, text: str) -> tuple[str, ...]:
    """The systems of `via`, in order."""
    return tuple(parse_system(state, part) for part in _read(text).split(","))


def parse_planet(state: State, text: str) -> str:
    """The name of a planet as the game writes it."""
    _read(text)
    if (name := named_planet(state, text)) is not None:
        return name
    # Who names a system is told what lies there.
    there = (
        tuple(planet.name for planet in state.planets_at(text.strip())) if text.strip() in state.galaxy.systems else ()
    )
    raise Unreadable("unknown_planet", text=text.strip(), near=there or _near(text, state.planets))


def named_planet(state: State, text: str) -> str | None:
    """The planet of which `text` is the name, or None: a system may be named by a planet, or by its label."""
    return _find(text, {name: name for name in state.planets})


def parse_player(state: State, text: str) -> str:
    """The key of a player, from his key or his race."""
    _read(text)
    if (by_key := _find(text, {player.key: player.key for player in state.players})) is not None:
        return by_key
    race = _find(text, {player.race: player.race for player in state.players})
    found = tuple(player.key for player in state.players if player.race == race)
    if len(found) > 1:
        raise Ambiguous("which_player", text=text.strip(), candidates=found)
    if found:
        return found[0]
    raise Unreadable("unknown_player", text=text.strip(), near=tuple(player.race for player in state.players))


def parse_technology(state: State, text: str) -> str:
    """The key of a technology of the game, from its key or its name in any language."""
    return parse_technology_of(state.ruleset, text)


def parse_technology_of(ruleset: Ruleset, text: str) -> str:
    """The key of a technology of a ruleset, from its key or its name in any language."""
    _read(text)
    keys = tuple(ruleset.technologies)
    by_name = {key: key for key in keys}
    by_name |= {catalogue(language)[f"technology.{key}"]: key for language in LANGUAGES for key in keys}
    if (found := _find(text, by_name)) is not None:
        return found
    near = tuple(dict.fromkeys(by_name[each] for each in _near(text, by_name)))
    raise Unreadable("unknown_technology_name", text=text.strip(), technologies=near or keys)


# ---- standing orders


def parse_retreat(text: str) -> RetreatOrder | None:
    """`never`, `below 3 ships`, `odds below 40%`, or `off` (None)."""
    plain = _read(text)
    if _input().is_a(plain, "off"):
        return None
    if _input().is_a(plain, "never"):
        return RetreatOrder()
    numbers = [_number(token) for token in _TOKEN.findall(plain) if _is_number(token)]
    if len(numbers) == 1 and _has_word(plain, "below"):
        if not (_has_word(plain, "odds") or "%" in plain):
            return RetreatOrder(below_ships=numbers[0])
        if numbers[0] <= 100:
            return RetreatOrder(odds_below=numbers[0])
    raise Unreadable("unknown_retreat_order", text=text.strip())


def _has_word(plain: str, meaning: str) -> bool:
    return any(word in _squeeze(plain) for word in _input().words[meaning])


def parse_retreat_rule(text: str) -> Retreat:
    """When the attacker leaves, for odds: a standing order, or `after 2 rounds`."""
    plain = _read(text)
    numbers = [_number(token) for token in _TOKEN.findall(plain) if _is_number(token)]
    if len(numbers) == 1 and _has_word(plain, "rounds"):
        return Retreat(after_rounds=numbers[0])
    order = parse_retreat(text) or RetreatOrder()
    return Retreat(None, order.below_ships, None if order.odds_below is None else order.odds_below / 100)


def parse_loss_order(text: str) -> tuple[Kind, ...] | None:
    """An order of losses for odds: kinds, or `best` (None)."""
    return None if _input().is_a(text, "best") else parse_kinds(text)


def parse_fire(text: str) -> Literal["fire", "hold"] | None:
    """`fire`, `hold`, or `off` (None)."""
    plain = _read(text)
    if _input().is_a(plain, "fire"):
        return "fire"
    if _input().is_a(plain, "hold"):
        return "hold"
    if _input().is_a(plain, "off"):
        return None
    raise Unreadable("unknown_fire_order", text=text.strip())

"""Words: the catalogues of both languages, plurals, Korean particles, and names made safe to show.

A catalogue is a TOML file of templates for `str.format`, read under dotted keys (`post.moved`). In a template
`{n:hit|hits}` is a number with its noun, `{kind:#{n}}` so many units of a kind, `{player:이}` a name with the Korean
particle that fits it.
"""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any, Final, Literal, get_args

from rules_core.choices import BattleChoice, Decision, InvasionChoice, LossesChoice, MovementChoice, RetreatChoice
from rules_core.errors import Barred, FileError, Refusal
from rules_core.galaxy import SystemKind, Wormhole
from rules_core.selection import Counted, Group, Numbered, Request
from rules_core.state import Ship, Step
from rules_core.units import Kind

Language = Literal["en", "ko"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
NOBODY: Final[Mapping[str, str]] = {}
MAX_QUOTED: Final = 60
# More dice than these are written as numbers: a picture takes many characters of a message.
MOST_PICTURES: Final = 20
# The parameters of refusals that hold keys of players.
_PLAYER_PARAMS: Final = ("player", "players", "owner", "acting")
# What a file must hold stands there as it is written in it; harmless on Discord, and a terminal shows no escapes.
_IN_FILES: Final = re.compile("[a-z0-9_/% -]+")
_TECHNOLOGY_PARAMS: Final = ("technology", "technologies", "known")
# How the keys of the words for settings and their values begin.
_SETTINGS: Final = "option."
WAITS: Final[Mapping[type[Decision], str]] = {
    MovementChoice: "waits.movement",
    BattleChoice: "waits.battle",
    LossesChoice: "waits.losses",
    RetreatChoice: "waits.retreat",
    InvasionChoice: "waits.invasion",
}


def language_of(locale: str) -> Language:
    """The language for a locale of Discord (`ko`, `en-US`, `de`): English unless it is Korean."""
    return "ko" if locale == "ko" else "en"


# ---- names


def safe(name: str) -> str:
    """A user's name as it can stand in any message: shown as it was given, without markup, pings or broken lines."""
    clean = "".join(char for char in unicodedata.normalize("NFC", name) if not _unprintable(char))
    clean = re.sub(r"([\\*_~`|<>\[\]#])", r"\\\1", clean.strip())
    # A zero-width space ends what Discord would take for a mention or a link.
    clean = re.sub(r"@|(?<=:)(?=//)", "\\g<0>\u200b", clean)
    if any(unicodedata.bidirectional(char) in ("R", "AL") for char in clean):
        return f"\u2068{clean}\u2069"
    return clean


def moment(at: datetime | str, style: str) -> str:
    """A time as Discord shows it to each reader in his own zone."""
    time = datetime.fromisoformat(at) if isinstance(at, str) else at
    return f"<t:{int(time.timestamp())}:{style}>"


def _unprintable(char: str) -> bool:
    # The joiner stays: emoji are made with it. Other invisible characters turn text around or hide in it.
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char != "\u200d"


def _short(text: str) -> str:
    """What somebody typed, as far as it is worth repeating to him."""
    return text if len(text) <= MAX_QUOTED else text[:MAX_QUOTED] + "..."


# ---- Korean particles

# After a final consonant, after a vowel. 으로 turns to 로 after ㄹ, too.
_PAIRS: Final = (
    ("이", "가"),
    ("은", "는"),
    ("을", "를"),
    ("과", "와"),
    ("으로", "로"),
    ("이나", "나"),
    ("이라", "라"),
    ("이랑", "랑"),
    ("이며", "며"),
    ("이고", "고"),
    ("아", "야"),
)
PARTICLES: Final[Mapping[str, tuple[str, str]]] = {form: pair for pair in _PAIRS for form in pair}
_L: Final = "ㄹ"
_OTHER: Final = "other"
_DIGITS: Final = {"0": _OTHER, "1": _L, "3": _OTHER, "6": _OTHER, "7": _L, "8": _L}
_LETTERS: Final = {"l": _L, "r": _L, "m": _OTHER, "n": _OTHER}
_RIEUL: Final = 8


def with_particle(name: str, particle: str) -> str:
    """`name` with the form of `particle` that fits how its end is read; both forms where that is unknown."""
    closed, open_ = PARTICLES[particle]
    final = _final(name)
    if final is None:
        both = f"({closed.removesuffix(open_)}){open_}" if closed.endswith(open_) else f"{closed}({open_})"
        return name + both
    if final == "" or (final == _L and closed == "으로"):
        return name + open_
    return name + closed


def _final(name: str) -> str | None:
    """The final consonant of a name as Koreans read it: `""` none, `ㄹ`, any other, or None if unknown."""
    # What stands in brackets behind a name is not read, what follows it as markup or symbol neither.
    spoken = re.sub(r"(?<=\w)[\W_]*[(\[{（【「][^()\[\]{}]*[)\]}）】」][\W_]*$", "", name)
    if re.search(r"<[@#:][^<>]*>?[\W_]*$", spoken):
        return None
    spoken = re.sub(r"[\W_]+$", "", unicodedata.normalize("NFC", spoken))
    if not spoken:
        return None
    last = spoken[-1]
    if "가" <= last <= "힣":
        number = (ord(last) - ord("가")) % 28
        return "" if number == 0 else _L if number == _RIEUL else _OTHER
    if last.isdecimal():
        return _DIGITS.get(str(int(last)), "")
    word = re.search(r"[a-z]+$", "".join(unicodedata.normalize("NFD", c)[0] for c in spoken), re.IGNORECASE)
    return None if word is None else _latin_final(word.group())


def _latin_final(word: str) -> str:
    """An abbreviation is read letter by letter, another word as Koreans pronounce English."""
    if len(word) == 1 or (word.isupper() and len(word) <= 3):
        return _LETTERS.get(word[-1].lower(), "")
    word = word.lower()
    if re.search(r"(l|[^aeiou]le|[aeiou]le)$", word):
        return _L
    # m, n and ng close a syllable (a silent e behind them too), p, t, k only after one short vowel.
    return _OTHER if re.search(r"([mn]e?|ng|(?<![aeiou])[aeiou](p|t|c?k|c))$", word) else ""


# ---- catalogues


@cache
def catalogue(language: Language) -> Mapping[str, str]:
    """Every template of a language by its dotted key; the slash commands' under `commands.`."""
    tables = {**_table(f"{language}.toml"), "commands": _table(f"commands.{language}.toml")}
    return dict(_flat(tables))


@cache
def rule_texts(language: Language) -> Mapping[str, Mapping[str, str]]:
    """Title and text of every clause."""
    return _table(f"rules.{language}.toml")


def _table(name: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("locales", name).read_text(encoding="utf-8"))


def _flat(table: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, (*path, key))
        else:
            yield ".".join((*path, key)), value


class _Words(Formatter):
    """`str.format` that knows particles, plurals and kinds of unit in place of format specifications."""

    def __init__(self, phrases: "Phrases") -> None:
        self._phrases = phrases

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec.startswith("#"):
            return self._phrases.count(value, int(format_spec[1:]))
        if "|" in format_spec:
            return f"{value} {format_spec.split('|')[value != 1]}"
        text = self._phrases.word(value)
        return with_particle(text, format_spec) if format_spec else text


@dataclass(frozen=True, eq=False)
class Signs:
    """Pictures that can stand in a text, as Discord writes them, by name."""

    emojis: Mapping[str, str]


PLAIN: Final = Signs({})


def unit_sign(kind: Kind) -> str:
    """The name of the picture of a kind of unit."""
    return f"sp_{kind}"


def die_sign(face: int, hit: bool) -> str:
    """The name of the picture of a die."""
    return f"sp_d{face}_hit" if hit else f"sp_d{face}"


class Phrases:
    """The words of one language, with `signs` where there are pictures for them."""

    def __init__(self, language: Language, signs: Signs = PLAIN) -> None:
        self.language = language
        self._emojis = signs.emojis
        self._templates = catalogue(language)
        self._formatter = _Words(self)

    def has(self, key: str) -> bool:
        """Whether the catalogue has a template of that key."""
        return key in self._templates

    def say(self, key: str, **params: object) -> str:
        """The sentence `key` with `params` in it. Names of users must have gone through `safe`."""
        return self._formatter.vformat(self._templates[key], (), params)

    # ---- labels

    def word(self, value: object) -> str:
        """A value of the rules as it stands in a sentence."""
        match value:
            case Kind():
                return self.unit(value)
            case Step():
                return self.step(value)
            case SystemKind():
                return self.say(f"system.{value}")
            case Wormhole():
                return self.say(f"wormhole.{value}")
            case Counted(kind, count):
                return self.count(kind, count)
            case Numbered(kind, number):
                return self.numbered(kind, number)
            case Ship():
                return self.ship(value)
            case None:
                return self.say("none")
            case tuple():
                return self.list(self.word(each) for each in value) or self.say("none")
        return str(value)

    def unit(self, kind: Kind) -> str:
        """`cruiser`."""
        return self.say(f"unit.{kind}.one")

    def units(self, kind: Kind) -> str:
        """`cruisers`."""
        return self.say(f"unit.{kind}.many")

    def short(self, kind: Kind) -> str:
        """The few letters that stand for a kind where there is no room."""
        return self.say(f"unit.{kind}.short")

    def count(self, kind: Kind, number: int) -> str:
        """`2 cruisers`, `순양함 2척`: readable by `parse` again."""
        form = "one" if number == 1 else "many"
        return self.say("count." + kind, n=number, unit=self.say(f"unit.{kind}.{form}"))

    def signed(self, kind: Kind, text: str) -> str:
        """A text about a kind of unit with its picture before it, if there is one."""
        return f"{emoji} {text}" if (emoji := self._emojis.get(unit_sign(kind))) else text

    def faces(self, dice: Sequence[tuple[int, bool]]) -> str:
        """Dice, each its face and whether it hit, as pictures if there are any and the dice are not too many."""
        few = len(dice) <= MOST_PICTURES
        shown = (self._emojis.get(die_sign(face, hit)) if few else None for face, hit in dice)
        return " ".join(emoji or str(face) for emoji, (face, _) in zip(shown, dice, strict=True))

    def numbered(self, kind: Kind, number: int) -> str:
        """`carrier 2`: the second of its kind in its system."""
        return self.say("numbered", unit=self.unit(kind), n=number)

    def ship(self, ship: Ship) -> str:
        """`carrier (2 ground forces, 1 PDS)`."""
        cargo = self.counts({Kind.GROUND_FORCE: ship.ground_forces, Kind.PDS: ship.pds})
        return self.say("laden", unit=self.unit(ship.kind), cargo=cargo) if cargo else self.unit(ship.kind)

    def counts(self, numbers: Mapping[Kind, int]) -> str:
        """`2 cruisers, 1 fighter`; what is not there is left out."""
        return self.list(self.count(kind, number) for kind, number in numbers.items() if number)

    def list(self, words: Iterable[str]) -> str:
        """Words with commas between them."""
        return ", ".join(words)

    def technology(self, key: str) -> str:
        """`assault cannon`."""
        return self.say(f"technology.{key}")

    def step(self, step: Step) -> str:
        """`movement step`."""
        return self.say(f"step.{step}")

    def option(self, name: str) -> str:
        """A setting of a game."""
        return self.say(f"option.{name}.name")

    def option_value(self, name: str, value: str) -> str:
        """A value of a setting, in a few words."""
        return self.say(f"option.{name}.{value}")

    def request(self, request: Request) -> str:
        """A request for units as it may be typed."""
        if request.everything:
            return self.say("all")
        return self.list(self._group(group) for group in request.groups)

    def _group(self, group: Group) -> str:
        return " + ".join(self.word(each) for each in (*group.units, *group.cargo))

    def clause(self, clause: str) -> str:
        """A clause with its id, title and text."""
        entry = rule_texts(self.language)[clause]
        return self.say("clause", id=clause, title=entry["title"], text=entry["text"])

    # ---- refusals

    def refusal(self, refusal: Refusal, names: Mapping[str, str] = NOBODY) -> str:
        """What was wrong, where, what would be right, and the clause; `names`: what players are called."""
        params = {key: self._param(key, value, names) for key, value in refusal.params.items()}
        sentence = self.say(f"refusal.{refusal.code}", **params)
        if refusal.clause is not None:
            sentence = self.say("with_clause", text=sentence, clause=refusal.clause)
        barred = refusal.params.get("barred", ())
        assert isinstance(barred, tuple)
        return "\n".join([sentence, *self.barred(barred, names)])

    def barred(self, reasons: Iterable[Barred], names: Mapping[str, str] = NOBODY) -> tuple[str, ...]:
        """One line for each system that is barred, with the reason and its clause."""
        return tuple(self.say("barred_line", at=each.at, reason=self.reason(each, names)) for each in reasons)

    def reason(self, barred: Barred, names: Mapping[str, str] = NOBODY) -> str:
        """Why a system is barred, and by which clause."""
        return self.say("with_clause", text=self._why(barred, names), clause=barred.clause)

    def _why(self, barred: Barred, names: Mapping[str, str]) -> str:
        params = {key: self._param(key, value, names) for key, value in barred.params.items()}
        return self.say(f"barred_by.{barred.code}", **params)

    def waits_for(self, decision: Decision, names: Mapping[str, str] = NOBODY) -> str:
        """Who must choose what, in a few words."""
        key = WAITS[type(decision)]
        player = names.get(decision.player, safe(decision.player))
        match decision:
            case BattleChoice(systems=systems):
                return self.say(key, player=player, systems=systems)
            case LossesChoice(at=at, hits=hits):
                return self.say(key, player=player, at=at, hits=hits)
            case RetreatChoice(at=at):
                return self.say(key, player=player, at=at)
        return self.say(key, player=player)

    def _param(self, key: str, value: object, names: Mapping[str, str]) -> object:
        """A parameter of a refusal in words; what the formatter inflects itself (numbers, kinds) stays."""
        match value:
            case Barred():
                return self.say("barred", at=value.at, reason=self._why(value, names))
            case MovementChoice() | BattleChoice() | LossesChoice() | RetreatChoice() | InvasionChoice():
                return self.waits_for(value, names)
            case StrEnum():
                return value
            case str():
                return self._named(key, value, names)
            case tuple():
                return self.word(tuple(self._param(key, each, names) for each in value))
            case Mapping():
                return self.list(self.say("fighters_at", at=at, n=n) for at, n in value.items())
            case Counted() | Numbered():
                return self.word(value)
            case int() | Ship() | None:
                return value
        return safe(_short(str(value)))

    def _named(self, key: str, value: str, names: Mapping[str, str]) -> str:
        if key in _PLAYER_PARAMS:
            return names.get(value, safe(value))
        if key in _TECHNOLOGY_PARAMS and self.has(f"technology.{value}"):
            return self.technology(value)
        return self.say(value) if key == "known" and value.startswith(_SETTINGS) else safe(_short(value))

    def file_error(self, error: FileError) -> str:
        """What is wrong in a position or game file, and where in it."""
        params = {key: self._param(key, value, NOBODY) for key, value in error.params.items()}
        if isinstance(known := error.params.get("known"), tuple):
            params["known"] = self.list(map(_as_written, known))
        problem = self.say(f"file.{error.code}", **params)
        return self.say("file_error", place=safe(error.place), problem=problem) if error.place else problem


def _as_written(value: object) -> str:
    text = str(value)
    return text if _IN_FILES.fullmatch(text) else safe(_short(text))


@cache
def phrases(language: Language, signs: Signs = PLAIN) -> Phrases:
    """The words of `language`; made once."""
    return Phrases(language, signs)

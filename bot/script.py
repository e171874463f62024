"""Lines of a script for the table: `actor: /command name:value name:value`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.slash import Does, Fills, Option, Slash, Texts, find
from rules_core.errors import Unreadable

CLOCK: Final = "clock"
# What is about a channel of Discord and its people; the options of the program are that at the table.
_OF_A_CHANNEL: Final = ("game", "galaxy", "seat", "games", "privacy")
# What of it makes sense for the one game of a table.
_OF_THE_TABLE: Final = (
    Slash("language", Does.LOOK, (Option("language", Fills.TEXT),)),
    Slash("game status", Does.LOOK),
    Slash("game settings", Does.LOOK, (Option("option", Fills.SETTING, False), Option("value", Fills.VALUE, False))),
    Slash("game reveal", Does.LOOK),
    Slash("game verify", Does.LOOK),
    Slash("galaxy show", Does.LOOK),
)
OF_THE_TABLE: Final[Mapping[str, Slash]] = {slash.name: slash for slash in _OF_THE_TABLE}
_LINE: Final = re.compile(r"\s*([^\s:/]+)\s*:\s*(.*?)\s*")
_CLOCK: Final = re.compile(r"\+\s*([0-9]{1,6})\s*(m|h|d)")
_UNITS_OF_TIME: Final = {"m": "minutes", "h": "hours", "d": "days"}


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its number in the file, who speaks (None where that cannot be read), and what he types."""

    number: int
    actor: str | None
    typed: str


def read_script(text: str) -> tuple[Line, ...]:
    """The lines of a script that are to be followed."""
    # Not splitlines: that would also end a line at signs that may stand in a text.
    lines = enumerate(re.split(r"\r\n?|\n", text.removeprefix("\ufeff")), 1)
    return tuple(read_line(line, number) for number, line in lines if line.strip() and not line.startswith("#"))


def read_line(text: str, number: int) -> Line:
    """One line; without an actor the whole of it counts as typed."""
    found = _LINE.fullmatch(text)
    return Line(number, found[1], found[2]) if found else Line(number, None, text.strip())


def read_clock(typed: str) -> timedelta:
    """How far `clock: +6h` moves the clock."""
    found = _CLOCK.fullmatch(typed.strip())
    if found is None:
        raise Unreadable("unreadable_clock", text=typed)
    return timedelta(**{_UNITS_OF_TIME[found[2]]: int(found[1])})


def read_command(typed: str) -> tuple[Slash, Texts]:
    """The slash command and the texts of its options; a value runs to the next ` name:` of that command."""
    if not typed.startswith("/"):
        raise Unreadable("not_a_command", text=typed)
    words = typed[1:].split(maxsplit=2)
    slash, rest = _named(words, typed)
    return slash, {} if slash.does is Does.TO_COME else _texts(slash, rest)


def _named(words: list[str], typed: str) -> tuple[Slash, str]:
    """The command that the first word, or the first two words, name, and what follows."""
    names = [word.casefold() for word in words[:2]]
    if names == ["plan"]:
        names = ["plan", "open"]
    count = 2 if names[:1] and names[0] in ("referee", "plan", "game", "galaxy") else 1
    name, rest = " ".join(names[:count]), " ".join(typed[1:].split(maxsplit=count)[count:])
    if name in OF_THE_TABLE:
        return OF_THE_TABLE[name], rest
    if names and names[0] in _OF_A_CHANNEL:
        raise Unreadable("only_on_discord", text=name, known=tuple(f"/{each}" for each in OF_THE_TABLE))
    return find(name), rest


def _texts(slash: Slash, rest: str) -> Texts:
    names = "|".join(option.name for option in slash.options)
    pieces = re.split(rf"(?:^|\s)({names})\s*:", f" {rest}", flags=re.IGNORECASE) if names else [rest]
    beginning, *flags = _flags_apart(slash, None, pieces[0])
    if beginning:
        raise slash.has_no(beginning)
    pairs = [(flag, "true") for flag in flags]
    for name, value in zip(map(str.casefold, pieces[1::2]), pieces[2::2], strict=True):
        text, *flags = _flags_apart(slash, slash.option(name), value)
        pairs += [(name, text), *((flag, "true") for flag in flags)]
    return _once(slash, pairs)


def _flags_apart(slash: Slash, option: Option | None, value: str) -> tuple[str, ...]:
    """A value, and the flags that stand alone behind it (`name: assault_cannon off`); in a text nothing is one."""
    words = value.strip()
    if option is not None and option.fills is Fills.TEXT:
        return (words,)
    for flag in (each.name for each in slash.options if each.fills is Fills.FLAG):
        if found := re.fullmatch(rf"(?:(.*)\s)?{flag}", words, flags=re.IGNORECASE | re.DOTALL):
            return (*_flags_apart(slash, option, found[1] or ""), flag)
    return (words,)


def _once(slash: Slash, pairs: Sequence[tuple[str, str]]) -> Texts:
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise Unreadable("option_twice", text=name, command=slash.name)
    return dict(pairs)

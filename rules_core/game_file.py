"""The game file (`starpost-game/1`): a position to start from, every event since, and a hash that chains them."""

import hashlib
import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from rules_core import codec
from rules_core.apply import fold
from rules_core.dice import SECRET_BYTES, SealedDice, seal, with_words
from rules_core.errors import FileError
from rules_core.events import Event
from rules_core.frozen import replace
from rules_core.history import Entry, live, volleys
from rules_core.invariants import problems
from rules_core.position import FORMAT as POSITION_FORMAT
from rules_core.position import parse_json, position_from_json, position_to_json
from rules_core.state import State

FORMAT: Final = "starpost-game/1"
FORMATS: Final = (POSITION_FORMAT, FORMAT)
_KEYS: Final = ("format", "position", "log", "head", "seal")
_SEAL_KEYS: Final = ("sha256", "words", "after", "secret")
_RECORD_KEYS: Final = ("number", "entry", "actor", "event", "dice", "undone_to")


@dataclass(frozen=True, slots=True)
class Seal:
    """What binds the dice: the SHA-256 of the secret, the players' own words in seat order, the secret once revealed.

    `after`: the dice of the events up to this number were rolled elsewhere, in a game that was imported.
    """

    sha256: str
    words: Mapping[str, str] = field(default_factory=dict)
    after: int = 0
    secret: bytes | None = None

    @property
    def dice(self) -> SealedDice | None:
        """The dice of the game, once the secret is revealed."""
        return None if self.secret is None else SealedDice(with_words(self.secret, self.words))


@dataclass(frozen=True, slots=True)
class GameFile:
    """What a game file says: where the game began, what was done since, and what binds its dice, if it says so."""

    start: State
    entries: tuple[Entry, ...]
    head: str
    seal: Seal | None = None

    @property
    def state(self) -> State:
        """The table after the last entry."""
        return fold(self.start, (event for entry in live(self.entries) for event in entry.events))


# ---- writing


def chain_start(start: State) -> str:
    """The hash that the chain of a game begins with: that of its first position."""
    return _sha256(_canonical(position_to_json(start, standing_orders=False)))


def chained(head: str, entry: Entry) -> str:
    """The head of the chain after an entry."""
    for record in records(entry):
        head = _sha256(f"{head}\n{_canonical(record)}")
    return head


def records(entry: Entry) -> list[dict[str, Any]]:
    """An entry as the log has it: a record for each event, with its number and its dice."""
    if entry.undone_to is not None:
        return [{"number": entry.first, "entry": entry.first, "actor": entry.actor, "undone_to": entry.undone_to}]
    return [
        {
            "number": number,
            "entry": entry.first,
            "actor": entry.actor,
            "event": codec.event_to_json(event),
            "dice": _dice(event),
        }
        for number, event in enumerate(entry.events, entry.first)
    ]


def _dice(event: Event) -> list[dict[str, Any]]:
    return [
        {
            "purpose": volley.place.purpose.value,
            "place": replace(volley.place, number=number).text().split("\n"),
            "value": shot.die,
        }
        for volley in volleys(event)
        for number, shot in enumerate(volley.shots, 1)
    ]


def write_game(start: State, entries: Iterable[Entry], sealed: Seal | None = None) -> str:
    """The game file, without standing orders, and without the secret unless `sealed` reveals it."""
    log: list[dict[str, Any]] = []
    head = chain_start(start)
    for entry in entries:
        log += records(entry)
        head = chained(head, entry)
    position = position_to_json(start, standing_orders=False)
    data = {"format": FORMAT, "position": position, "log": log, "head": head}
    if sealed is not None:
        data["seal"] = _seal_to_json(sealed)
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def _seal_to_json(sealed: Seal) -> dict[str, Any]:
    found = {"sha256": sealed.sha256, "words": dict(sealed.words), "after": sealed.after}
    return found if sealed.secret is None else {**found, "secret": sealed.secret.hex()}


def _canonical(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


# ---- reading


def read_any(text: str, reads_like_a_unit: Callable[[str], bool] = lambda name: False) -> GameFile:
    """A game file, or a position file as a game without a log; raises FileError naming the place."""
    data = parse_json(text)
    if isinstance(data, dict) and isinstance(found := data.get("format"), str) and found not in FORMATS:
        raise FileError("format", "not_one_of", found=found, known=FORMATS)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        start = position_from_json(data, reads_like_a_unit)
        return GameFile(start, (), chain_start(start))
    for key in data:
        if key not in _KEYS:
            raise FileError(key, "unknown_key", known=_KEYS)
    start = position_from_json(data.get("position"), reads_like_a_unit, "position")
    entries = _entries(data.get("log"))
    game = GameFile(start, entries, _checked_head(start, entries, data.get("head")), _seal(data.get("seal")))
    _check_replay(game)
    return game


def _seal(data: object) -> Seal | None:
    """What the file says of the seal; a secret that is not the one that was announced is refused."""
    if data is None:
        return None
    if not isinstance(data, dict):
        raise FileError("seal", "not_an_object")
    for key in data:
        if key not in _SEAL_KEYS:
            raise FileError(f"seal.{key}", "unknown_key", known=_SEAL_KEYS)
    words, after = data.get("words", {}), data.get("after", 0)
    if not isinstance(words, dict) or not all(isinstance(own, str) for own in words.values()):
        raise FileError("seal.words", "not_an_object")
    if type(after) is not int or after < 0:
        raise FileError("seal.after", "not_a_number")
    secret = None if data.get("secret") is None else _bytes(data["secret"], "seal.secret")
    sha256 = _bytes(data.get("sha256"), "seal.sha256").hex()
    if secret is not None and seal(secret) != sha256:
        raise FileError("seal.secret", "another_secret")
    return Seal(sha256, words, after, secret)


def _bytes(value: object, place: str) -> bytes:
    if not isinstance(value, str) or not re.fullmatch(f"[0-9a-f]{{{2 * SECRET_BYTES}}}", value):
        raise FileError(place, "not_32_bytes")
    return bytes.fromhex(value)


def _entries(log: object) -> tuple[Entry, ...]:
    if not isinstance(log, list):
        raise FileError("log", "not_a_list")
    entries: list[Entry] = []
    for index, record in enumerate(log):
        place = f"log[{index}]"
        _check_record(record, place, index + 1)
        entry = _entry(record, place)
        if record["entry"] == record["number"]:
            _check_returns(entry, entries, place)
            entries.append(entry)
        elif entries and _continues(entries[-1], entry):
            entries[-1] = replace(entries[-1], events=entries[-1].events + entry.events)
        else:
            raise FileError(f"{place}.entry", "inconsistent")
    return tuple(entries)


def _check_returns(entry: Entry, entries: Sequence[Entry], place: str) -> None:
    """Nothing is taken back by half."""
    if not entry.undone_to:
        return
    found = bisect_left(entries, entry.undone_to, key=lambda each: each.last)
    if found == len(entries) or entries[found].last != entry.undone_to:
        raise FileError(f"{place}.undone_to", "inconsistent")


def _continues(before: Entry, entry: Entry) -> bool:
    """Whether a record belongs to the entry before it; an undo stands alone."""
    same = before.first == entry.first and before.actor == entry.actor
    return same and before.undone_to is None and entry.undone_to is None


def _check_record(record: Any, place: str, number: int) -> None:
    if not isinstance(record, dict):
        raise FileError(place, "not_an_object")
    for key in record:
        if key not in _RECORD_KEYS:
            raise FileError(f"{place}.{key}", "unknown_key", known=_RECORD_KEYS)
    for key, kind in (("number", int), ("entry", int), ("actor", str)):
        if type(record.get(key)) is not kind:
            raise FileError(f"{place}.{key}", "not_a_number" if kind is int else "not_a_text")
    if record["number"] != number:
        raise FileError(f"{place}.number", "wrong_event_number", expected=number, found=record["number"])


def _entry(record: dict[str, Any], place: str) -> Entry:
    first, actor = record["entry"], record["actor"]
    if "undone_to" in record:
        if type(record["undone_to"]) is not int or not 0 <= record["undone_to"] < first:
            raise FileError(f"{place}.undone_to", "not_a_number")
        return Entry(first, actor, undone_to=record["undone_to"])
    event = codec.event_from_json(record.get("event"), f"{place}.event")
    if record.get("dice") != _dice(event):
        raise FileError(f"{place}.dice", "dice_differ_from_event")
    return Entry(first, actor, (event,))


def _checked_head(start: State, entries: Sequence[Entry], head: object) -> str:
    computed = chain_start(start)
    for entry in entries:
        computed = chained(computed, entry)
    if head != computed:
        raise FileError("head", "chain_broken")
    return computed


def _check_replay(game: GameFile) -> None:
    """The events must fit the table they fall on, though none is judged again."""
    state = game.start
    for entry in live(game.entries):
        try:
            state = fold(state, entry.events)
            fits = not problems(state)
        except (KeyError, AssertionError, IndexError):
            fits = False
        if not fits:
            raise FileError(f"log[{entry.first - 1}]", "event_does_not_fit")

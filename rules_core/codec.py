"""Frozen values to JSON and back, by their annotations: events, commands, the progress of a phase.

A value of one of the unions carries its class name as `type`. Reading is strict: it raises FileError with the place.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from functools import cache, partial
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from rules_core import commands, events
from rules_core.errors import FileError
from rules_core.events import Event
from rules_core.frozen import slots

SCHEMA: Final = 1
T = TypeVar("T")
# How the values of a type become JSON and are read back: found out once for each type, for a long game has thousands of
# events. A reader raises FileError with the place inside what it reads; whoever called it says where that stands.
_Writer: TypeAlias = Callable[[Any], Any]
_Reader: TypeAlias = Callable[[object], Any]


# ---- writing


def to_json(value: object) -> Any:
    """`value` as what `json.dumps` takes; defaults of dataclasses are left out."""
    kind: Any = type(value)
    return _writer(kind)(value)


def event_to_json(event: Event) -> dict[str, Any]:
    """An event with its `type`."""
    return {"type": type(event).__name__, **to_json(event)}


@cache
def _writer(kind: Any) -> _Writer:
    if issubclass(kind, StrEnum):
        return str
    if is_dataclass(kind):
        return partial(_write_dataclass, _defaults(kind))
    if issubclass(kind, Mapping):
        return lambda value: {str(key): to_json(inner) for key, inner in value.items()}
    if issubclass(kind, frozenset):
        return lambda value: [to_json(inner) for inner in sorted(value)]
    if issubclass(kind, tuple):
        return lambda value: [to_json(inner) for inner in value]
    if issubclass(kind, bool | int | str | NoneType):
        return lambda value: value
    raise TypeError(f"no encoding for {kind.__name__}")


def _write_dataclass(defaults: Mapping[str, object], value: Any) -> dict[str, Any]:
    written = {}
    for name, default in defaults.items():
        inner = getattr(value, name)
        if inner != default:
            written[name] = to_json(inner)
    return written


def _defaults(kind: Any) -> dict[str, object]:
    """The fields of a dataclass with their defaults; MISSING is no value's equal."""
    made = {each.name: each.default_factory() for each in fields(kind) if each.default_factory is not MISSING}
    return {each.name: made.get(each.name, each.default) for each in fields(kind)}


# ---- reading


def event_from_json(data: object, place: str) -> Event:
    """The event that `event_to_json` wrote; raises FileError."""
    return _placed(place, _read_event, data)  # type: ignore[no-any-return]


def from_json(kind: type[T], data: object, place: str) -> T:
    """The value of type `kind` that `to_json` wrote; raises FileError with the place of what is wrong."""
    wanted: Any = kind
    return _placed(place, _reader(wanted), data)  # type: ignore[no-any-return]


def _placed(place: str, read: _Reader, data: object) -> Any:
    try:
        return read(data)
    except FileError as error:
        raise error.within(place) from None


def _read_tagged(classes: Mapping[str, type[Any]], data: object) -> Any:
    record = dict(_record(data))
    name = record.pop("type", None)
    if not isinstance(name, str) or name not in classes:
        raise FileError(".type", "unknown_type", found=name, known=tuple(classes))
    kind: Any = classes[name]
    return _reader(kind)(record)


def _record(data: object) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise FileError("", "not_an_object")
    return data


@cache
def _reader(kind: Any) -> _Reader:
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _union_reader(inner)
    if origin is Literal:
        return partial(_read_one_of, {value: value for value in inner})
    if origin in (tuple, frozenset):
        return _sequence_reader(origin, inner)
    if origin is not None and issubclass(origin, Mapping):
        return partial(_read_mapping, inner[0], _reader(inner[1]))
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return partial(_read_one_of, {each.value: each for each in kind})
    if is_dataclass(kind):
        return _dataclass_reader(kind)
    return partial(_read_plain, kind)


def _union_reader(kinds: tuple[Any, ...]) -> _Reader:
    others = [kind for kind in kinds if kind is not NoneType]
    # Only `str | tuple[str, ...]` has two members that are not None; JSON tells them apart.
    lists = [kind for kind in others if get_origin(kind) is tuple] or others
    single = [kind for kind in others if get_origin(kind) is not tuple] or others
    read_list, read_single = _reader(lists[0]), _reader(single[0])

    def read(data: object) -> Any:
        if data is None and NoneType in kinds:
            return None
        return read_list(data) if isinstance(data, list) else read_single(data)

    return read


def _read_one_of(values: Mapping[str, Any], data: object) -> Any:
    if not isinstance(data, str) or data not in values:
        raise FileError("", "not_one_of", found=data, known=tuple(values))
    return values[data]


def _sequence_reader(origin: type[Any], inner: tuple[Any, ...]) -> _Reader:
    first, *others = inner
    if others and others != [Ellipsis]:
        return partial(_read_tuple, [_reader(kind) for kind in inner])
    return partial(_read_sequence, origin, _reader(first))


def _read_tuple(readers: Sequence[_Reader], data: object) -> Any:
    if not isinstance(data, list) or len(data) != len(readers):
        raise FileError("", "not_a_list")
    return tuple(_placed(f"[{n}]", read, item) for n, (read, item) in enumerate(zip(readers, data, strict=True)))


def _read_sequence(origin: type[Any], read: _Reader, data: object) -> Any:
    if not isinstance(data, list):
        raise FileError("", "not_a_list")
    items: list[Any] = []
    for item in data:
        try:
            items.append(read(item))
        except FileError as error:
            raise error.within(f"[{len(items)}]") from None
    return origin(items)


def _read_mapping(key: Any, read: _Reader, data: object) -> Any:
    return {_read_key(key, each): _placed(f".{each}", read, item) for each, item in _record(data).items()}


def _read_key(kind: Any, key: str) -> Any:
    if kind is not int:
        return key
    if not key.isascii() or not key.isdigit() or len(key) > 9:
        raise FileError(f".{key}", "not_a_number")
    return int(key)


def _dataclass_reader(kind: Any) -> _Reader:
    hints, defaults = get_type_hints(kind), _defaults(kind)
    needed = {name for name, default in defaults.items() if default is MISSING}
    plan = [(name, _reader(hints[name]), write, defaults[name]) for name, _, write in slots(kind)]

    def read(data: object) -> Any:
        record = _record(data)
        if not needed <= record.keys() <= defaults.keys():
            raise _wrong_keys(record, tuple(defaults), needed)
        new = object.__new__(kind)
        for key, read_one, write, default in plan:
            try:
                write(new, read_one(record[key]) if key in record else default)
            except FileError as error:
                raise error.within(f".{key}") from None
        return new

    return read


def _wrong_keys(record: Collection[str], known: tuple[str, ...], needed: Collection[str]) -> FileError:
    for key in record:
        if key not in known:
            return FileError(f".{key}", "unknown_key", known=known)
    missing = next(key for key in known if key in needed and key not in record)
    return FileError(f".{missing}", "missing_key")


def _read_plain(kind: Any, data: Any) -> Any:
    if type(data) is not kind:
        raise FileError("", {int: "not_a_number", bool: "not_a_boolean", str: "not_a_text"}[kind])
    if kind is int and abs(data) > 10**9:
        raise FileError("", "number_out_of_range", least=-(10**9), most=10**9)
    return data


_read_event: Final = partial(_read_tagged, {kind.__name__: kind for kind in get_args(events.Event)})
_read_command: Final = partial(_read_tagged, {kind.__name__: kind for kind in get_args(commands.Command)})


def command_to_json(command: commands.Command) -> dict[str, Any]:
    """A command with its `type`."""
    return {"type": type(command).__name__, **to_json(command)}


def command_from_json(data: object, place: str) -> commands.Command:
    """The command that `command_to_json` wrote; raises FileError."""
    return _placed(place, _read_command, data)  # type: ignore[no-any-return]

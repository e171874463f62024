"""Frozen values to JSON and back, by their annotations: events, commands, the progress of a phase.

A value of one of the unions carries its class name as `type`. Reading is strict: it raises FileError with the place.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import StrEnum
from functools import cache, partial
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from rules_core import commands, events
from rules_core.errors import FileError
from rules_core.events import Event

SCHEMA: Final = 1
T = TypeVar("T")
# Makes a value of what JSON holds at a place.
_Reader: TypeAlias = Callable[[object, str], Any]


# ---- writing


def to_json(value: object) -> Any:
    """`value` as what `json.dumps` takes; defaults of dataclasses are left out."""
    if isinstance(value, StrEnum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: to_json(inner) for each, inner in _values(value) if not _is_default(each, inner)}
    if isinstance(value, Mapping):
        return {str(key): to_json(inner) for key, inner in value.items()}
    if isinstance(value, frozenset):
        return [to_json(inner) for inner in sorted(value)]
    if isinstance(value, tuple):
        return [to_json(inner) for inner in value]
    if value is None or isinstance(value, bool | int | str):
        return value
    raise TypeError(f"no encoding for {type(value).__name__}")


def event_to_json(event: Event) -> dict[str, Any]:
    """An event with its `type`."""
    return {"type": type(event).__name__, **to_json(event)}


def _values(value: Any) -> list[tuple[Field[Any], object]]:
    return [(each, getattr(value, each.name)) for each in fields(value)]


def _is_default(each: Field[Any], value: object) -> bool:
    if each.default is not MISSING:
        return bool(value == each.default)
    return each.default_factory is not MISSING and bool(value == each.default_factory())


# ---- reading


def event_from_json(data: object, place: str) -> Event:
    """The event that `event_to_json` wrote; raises FileError."""
    return _tagged(data, place, _EVENTS)  # type: ignore[no-any-return]


def _tagged(data: object, place: str, classes: Mapping[str, type[Any]]) -> Any:
    record = _record(data, place)
    name = record.pop("type", None)
    if not isinstance(name, str) or name not in classes:
        raise FileError(f"{place}.type", "unknown_type", found=name, known=tuple(classes))
    return from_json(classes[name], record, place)


def _record(data: object, place: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise FileError(place, "not_an_object")
    return dict(data)


def from_json(kind: type[T], data: object, place: str) -> T:
    """The value of type `kind` that `to_json` wrote; raises FileError with the place of what is wrong."""
    wanted: Any = kind
    return _reader(wanted)(data, place)  # type: ignore[no-any-return]


@cache
def _reader(kind: Any) -> _Reader:
    """How a type is read: found out once, for a long game has thousands of events."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _union_reader(inner)
    if origin is Literal:
        return partial(_one_of, inner)
    if origin in (tuple, frozenset):
        return _sequence_reader(origin, inner)
    if origin is not None and issubclass(origin, Mapping):
        return partial(_read_mapping, *inner)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return partial(_read_enum, {each.value: each for each in kind})
    if is_dataclass(kind):
        return partial(_read_dataclass, kind)
    return partial(_read_plain, kind)


def _union_reader(kinds: tuple[Any, ...]) -> _Reader:
    others = [kind for kind in kinds if kind is not NoneType]
    # Only `str | tuple[str, ...]` has two members that are not None; JSON tells them apart.
    lists = [kind for kind in others if get_origin(kind) is tuple] or others
    single = [kind for kind in others if get_origin(kind) is not tuple] or others

    def read(data: object, place: str) -> Any:
        if data is None and NoneType in kinds:
            return None
        return _reader((lists if isinstance(data, list) else single)[0])(data, place)

    return read


def _one_of(values: tuple[Any, ...], data: object, place: str) -> Any:
    if not isinstance(data, str) or data not in values:
        raise FileError(place, "not_one_of", found=data, known=tuple(str(value) for value in values))
    return data


def _read_enum(members: Mapping[str, StrEnum], data: object, place: str) -> StrEnum:
    if not isinstance(data, str) or data not in members:
        raise FileError(place, "not_one_of", found=data, known=tuple(members))
    return members[data]


def _sequence_reader(origin: type[Any], inner: tuple[Any, ...]) -> _Reader:
    first, *others = inner
    if others and others != [Ellipsis]:
        return partial(_read_tuple, inner)
    return partial(_read_sequence, origin, first)


def _read_tuple(kinds: tuple[Any, ...], data: object, place: str) -> Any:
    if not isinstance(data, list) or len(data) != len(kinds):
        raise FileError(place, "not_a_list")
    pairs = zip(kinds, data, strict=True)
    return tuple(_reader(kind)(item, f"{place}[{n}]") for n, (kind, item) in enumerate(pairs))


def _read_sequence(origin: type[Any], kind: Any, data: object, place: str) -> Any:
    if not isinstance(data, list):
        raise FileError(place, "not_a_list")
    read = _reader(kind)
    return origin(read(item, f"{place}[{n}]") for n, item in enumerate(data))


def _read_mapping(key: Any, kind: Any, data: object, place: str) -> Any:
    read = _reader(kind)
    return {_read_key(key, k, place): read(v, f"{place}.{k}") for k, v in _record(data, place).items()}


def _read_key(kind: Any, key: str, place: str) -> Any:
    if kind is not int:
        return key
    if not key.isascii() or not key.isdigit() or len(key) > 9:
        raise FileError(f"{place}.{key}", "not_a_number")
    return int(key)


def _read_dataclass(kind: Any, data: object, place: str) -> Any:
    record, (readers, needed) = _record(data, place), _fields(kind)
    for key in record:
        if key not in readers:
            raise FileError(f"{place}.{key}", "unknown_key", known=tuple(readers))
    for key in needed:
        if key not in record:
            raise FileError(f"{place}.{key}", "missing_key")
    return kind(**{key: readers[key](value, f"{place}.{key}") for key, value in record.items()})


@cache
def _fields(kind: Any) -> tuple[dict[str, _Reader], tuple[str, ...]]:
    """The readers of a dataclass, and the fields that have no default."""
    hints, known = get_type_hints(kind), fields(kind)
    needed = (each.name for each in known if each.default is MISSING and each.default_factory is MISSING)
    return {each.name: _reader(hints[each.name]) for each in known}, tuple(needed)


def _read_plain(kind: Any, data: object, place: str) -> Any:
    if type(data) is not kind:
        raise FileError(place, {int: "not_a_number", bool: "not_a_boolean", str: "not_a_text"}[kind])
    if isinstance(data, int) and abs(data) > 10**9:
        raise FileError(place, "number_out_of_range", least=-(10**9), most=10**9)
    return data


_EVENTS: Final[Mapping[str, type[Any]]] = {kind.__name__: kind for kind in get_args(events.Event)}
_COMMANDS: Final[Mapping[str, type[Any]]] = {kind.__name__: kind for kind in get_args(commands.Command)}


def command_to_json(command: commands.Command) -> dict[str, Any]:
    """A command with its `type`."""
    return {"type": type(command).__name__, **to_json(command)}


def command_from_json(data: object, place: str) -> commands.Command:
    """The command that `command_to_json` wrote; raises FileError."""
    return _tagged(data, place, _COMMANDS)  # type: ignore[no-any-return]

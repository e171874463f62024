"""Frozen values to JSON and back, by their annotations: events, commands, the progress of a phase.

A value of one of the unions carries its class name as `type`. Reading is strict: it raises FileError with the place.
"""

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from rules_core import commands, events
from rules_core.errors import FileError
from rules_core.events import Event

SCHEMA: Final = 1
T = TypeVar("T")


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
    return _read(kind, data, place)  # type: ignore[no-any-return]


def _read(kind: Any, data: object, place: str) -> Any:
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _read_union(get_args(kind), data, place)
    if origin is Literal:
        return _one_of(data, get_args(kind), place)
    if origin in (tuple, frozenset):
        return _read_sequence(kind, data, place)
    if origin is not None and issubclass(origin, Mapping):
        key, inner = get_args(kind)
        items = _record(data, place).items()
        return {_read_key(key, k, place): _read(inner, v, f"{place}.{k}") for k, v in items}
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return kind(_one_of(data, tuple(kind), place))
    if is_dataclass(kind):
        return _read_dataclass(kind, data, place)
    return _read_plain(kind, data, place)


def _read_union(kinds: tuple[Any, ...], data: object, place: str) -> Any:
    if data is None and NoneType in kinds:
        return None
    others = [kind for kind in kinds if kind is not NoneType]
    # Only `str | tuple[str, ...]` has two members that are not None; JSON tells them apart.
    fitting = [kind for kind in others if (get_origin(kind) is tuple) == isinstance(data, list)]
    return _read(fitting[0] if len(others) > 1 and fitting else others[0], data, place)


def _one_of(data: object, values: tuple[Any, ...], place: str) -> Any:
    if not isinstance(data, str) or data not in values:
        raise FileError(place, "not_one_of", found=data, known=tuple(str(value) for value in values))
    return data


def _read_sequence(kind: Any, data: object, place: str) -> Any:
    if not isinstance(data, list):
        raise FileError(place, "not_a_list")
    inner, *others = get_args(kind)
    if others and others != [Ellipsis]:
        if len(data) != 1 + len(others):
            raise FileError(place, "not_a_list")
        pairs = zip((inner, *others), data, strict=True)
        return tuple(_read(each, item, f"{place}[{n}]") for n, (each, item) in enumerate(pairs))
    items = (_read(inner, item, f"{place}[{n}]") for n, item in enumerate(data))
    return frozenset(items) if get_origin(kind) is frozenset else tuple(items)


def _read_key(kind: Any, key: str, place: str) -> Any:
    if kind is not int:
        return key
    if not key.isascii() or not key.isdigit() or len(key) > 9:
        raise FileError(f"{place}.{key}", "not_a_number")
    return int(key)


def _read_dataclass(kind: Any, data: object, place: str) -> Any:
    record = _record(data, place)
    hints = _hints(kind)
    for key in record:
        if key not in hints:
            raise FileError(f"{place}.{key}", "unknown_key", known=tuple(hints))
    for each in fields(kind):
        if each.name not in record and each.default is MISSING and each.default_factory is MISSING:
            raise FileError(f"{place}.{each.name}", "missing_key")
    return kind(**{key: _read(hints[key], value, f"{place}.{key}") for key, value in record.items()})


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return {name: hint for name, hint in get_type_hints(kind).items() if name in {f.name for f in fields(kind)}}


def _read_plain(kind: Any, data: object, place: str) -> Any:
    names = {int: "not_a_number", bool: "not_a_boolean", str: "not_a_text"}
    if type(data) is not kind:
        raise FileError(place, names[kind])
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

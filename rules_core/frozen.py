"""Frozen values with some fields changed: `dataclasses.replace`, quick, for a long game is thousands of such copies."""

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


def replace(value: T, **changes: object) -> T:
    """A copy of a frozen dataclass with slots, these fields changed; raises TypeError for a field that it has not."""
    kind: Any = type(value)
    new: T = object.__new__(kind)
    for name, read, write in slots(kind):
        write(new, changes.pop(name) if name in changes else read(value))
    if changes:
        raise TypeError(f"{kind.__name__} has no {', '.join(changes)}")
    return new


@cache
def slots(kind: Any) -> tuple[tuple[str, Callable[[object], object], Callable[[object, object], None]], ...]:
    """The fields of such a class, each with what reads and what writes it: for a new value only, for writing passes by
    what keeps it frozen.
    """
    found = ((each.name, getattr(kind, each.name)) for each in fields(kind))
    return tuple((name, slot.__get__, slot.__set__) for name, slot in found)

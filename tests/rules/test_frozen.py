"""Frozen values with fields changed: what the standard library would give, for every class of the rules."""

import dataclasses
import importlib
import pkgutil
from collections.abc import Iterator

import pytest

import rules_core
from rules_core.frozen import replace
from rules_core.state import Ship, Step
from tests.rules.play import board


def classes() -> Iterator[type]:
    """Every dataclass of the rules."""
    for module in pkgutil.iter_modules(rules_core.__path__, "rules_core."):
        for found in vars(importlib.import_module(module.name)).values():
            if isinstance(found, type) and dataclasses.is_dataclass(found):
                yield found


def test_every_class_of_the_rules_is_one_that_can_be_copied_by_its_slots() -> None:
    found = set(classes())
    assert len(found) > 100
    for kind in found:
        assert all(each.name in kind.__slots__ for each in dataclasses.fields(kind)), kind
        assert not hasattr(kind, "__post_init__"), kind


def test_a_copy_is_the_value_with_these_fields_changed_and_no_other() -> None:
    state = board(red={"201": "2 cruisers"})
    assert state.phase is not None
    ship = state.ships[1]
    assert (
        replace(ship, at="101", pds=1)
        == dataclasses.replace(ship, at="101", pds=1)
        == Ship(1, ship.kind, "red", "101", 0, 1)
    )
    assert replace(state, round=7, ships={}) == dataclasses.replace(state, round=7, ships={})
    assert replace(state.phase, step=Step.INVASION) == dataclasses.replace(state.phase, step=Step.INVASION)
    assert state == board(red={"201": "2 cruisers"}), "the value itself was changed"


def test_a_field_that_is_none_is_refused() -> None:
    ship = board(red={"201": "cruiser"}).ships[1]
    with pytest.raises(TypeError, match="Ship has no speed"):
        replace(ship, speed=1)

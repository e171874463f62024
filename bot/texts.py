"""States, events, commands and orders as what is kept of them, and read back."""

import json
from collections.abc import Iterable
from typing import Any

from bot.happening import Events
from bot.packing import packed, unpacked
from bot.rows import Entry, Seat
from rules_core import codec
from rules_core import commands as cmd
from rules_core.events import Event
from rules_core.position import position_from_json, position_to_json, standing_from_json, standing_to_json
from rules_core.state import StandingOrders, State


def compact(data: object) -> str:
    """JSON without a blank too many."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def state_text(state: State) -> str:
    """A table without its standing orders, which are kept with the seats."""
    return compact(position_to_json(state, standing_orders=False, whole=True))


def read_state(text: str) -> State:
    """The table of such a text."""
    return position_from_json(json.loads(text))


def packed_events(events: Events) -> bytes:
    """The events of an entry."""
    return packed(compact([codec.event_to_json(event) for event in events]))


def events_of(entry: Entry) -> Events:
    """The events of a row of the log."""
    numbered = enumerate(json.loads(unpacked(entry.events)), entry.first)
    return tuple(codec.event_from_json(each, f"event {number}") for number, each in numbered)


def all_events(entries: Iterable[Entry]) -> Events:
    """The events of rows of the log, in their order."""
    return tuple(event for entry in entries for event in events_of(entry))


def mentions(entry: Entry, kind: type[Event]) -> bool:
    """Whether an event of that kind may be in a row of the log, found out without reading its events."""
    return f'"{kind.__name__}"' in unpacked(entry.events)


def packed_command(command: cmd.Command | tuple[cmd.Command, ...]) -> bytes:
    """The command of an entry, or those of the plan that it carried out."""
    if isinstance(command, tuple):
        return packed(compact([codec.command_to_json(each) for each in command]))
    return packed(compact(codec.command_to_json(command)))


def command_of(entry: Entry) -> cmd.Command | None:
    """The command of a row of the log, if it was one."""
    given = _given(entry)
    return None if given is None or isinstance(given, list) else codec.command_from_json(given, "command")


def committed(entry: Entry) -> tuple[cmd.Command, ...]:
    """The commands of the plan that a row of the log carried out, if it was one."""
    given = _given(entry)
    return tuple(codec.command_from_json(each, "plan") for each in given) if isinstance(given, list) else ()


def _given(entry: Entry) -> Any:
    return None if entry.command is None else json.loads(unpacked(entry.command))


def orders_text(orders: StandingOrders) -> str:
    """The standing orders of a seat."""
    return compact(standing_to_json(orders))


def orders_of(seat: Seat, players: Iterable[str]) -> StandingOrders:
    """The standing orders of the row of a seat."""
    return standing_from_json(json.loads(seat.standing), f"standing orders of {seat.key}", players)

"""The rows of a game that begins with a file."""

from collections.abc import Mapping
from dataclasses import replace

from bot.book import snapshot_due
from bot.rows import Entry, GameRow, Seat, Snapshot
from bot.texts import orders_text, packed_events, state_text
from rules_core import history
from rules_core.apply import fold
from rules_core.game_file import GameFile, chain_start, chained
from rules_core.state import Player, StandingOrders, State


def beginning(
    row: GameRow, file: GameFile, holders: Mapping[str, int], at: str
) -> tuple[GameRow, list[Seat], list[Entry], list[Snapshot]]:
    """The rows of a game that begins with `file`, the log that comes with it included."""
    log, snapshots = _imported(file, at)
    last = log[-1] if log else None
    row = replace(
        row,
        name=file.start.name,
        head=last.last if last else 0,
        rolled=last.rolled if last else 0,
        chain=file.head,
        imported=last.last if last else 0,
    )
    return row, [_seat(row.id, player, file.start, holders, at) for player in file.start.players], log, snapshots


def _seat(game: int, player: Player, start: State, holders: Mapping[str, int], at: str) -> Seat:
    user = holders.get(player.key)
    orders = orders_text(start.standing.get(player.key, StandingOrders()))
    return Seat(game, player.key, player.race, user, at if user else None, orders)


def _imported(file: GameFile, at: str) -> tuple[list[Entry], list[Snapshot]]:
    """The log of a game file as rows, with the snapshots that would stand there had it been played here."""
    chain, log = chain_start(file.start), []
    snapshots = [Snapshot(0, state_text(file.start))]
    then = {0: (file.start, 0)}
    for entry in file.entries:
        state, rolled = then[entry.first - 1 if entry.undone_to is None else entry.undone_to]
        then[entry.last] = (fold(state, entry.events), rolled + history.rolled(entry.events))
        chain = chained(chain, entry)
        events = packed_events(entry.events)
        row = Entry(entry.first, entry.last, entry.actor, at, None, events, entry.undone_to, then[entry.last][1], chain)
        log.append(row)
        if entry.undone_to is not None or snapshot_due(row.first, row.last, entry.events):
            snapshots.append(Snapshot(entry.last, state_text(then[entry.last][0])))
    return log, snapshots

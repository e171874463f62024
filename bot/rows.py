"""The rows of the database, as values."""

from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game. `head`: number of its last event; `rolled`: dice in its live events; `chain`: hash of its log.

    `settings`: what its table agreed on beside the rules (JSON). `words`: what players added to the secret (JSON).
    `imported`: number of the last event that came with a file. `revealed`: whether the secret is public (0, 1).
    `second`: another user who may do what the referee may. `broken`: the reference of the fault for which it is set
    aside.
    """

    id: int
    guild: int
    channel: int
    name: str
    language: str
    referee: int
    status: str
    secret: bytes
    created: str
    head: int
    rolled: int
    chain: str
    settings: str = "{}"
    words: str = "{}"
    imported: int = 0
    revealed: int = 0
    second: int | None = None
    broken: str = ""

    def __repr__(self) -> str:
        # The secret of a running game must not get into a log.
        return f"GameRow(id={self.id}, channel={self.channel}, name={self.name!r}, head={self.head})"


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's place in a game, with the user who holds it and his standing orders (JSON, private)."""

    game: int
    key: str
    race: str
    user: int | None
    joined: str | None
    standing: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A command that was followed, or an undo: never changed, never deleted.

    `command` and `events`: JSON, packed; the command of a plan that was carried out is a list, the events are numbered
    `first` to `last` in the game. `returns_to`: for an undo, the number of the event after which the game stands again.
    `rolled` and `chain` are the game's after this entry.
    """

    first: int
    last: int
    actor: str
    at: str
    command: bytes | None
    events: bytes
    returns_to: int | None
    rolled: int
    chain: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole state (JSON) after event `number`."""

    number: int
    position: str


@dataclass(frozen=True, slots=True)
class Owed:
    """A post that a command owes the game's channel: its words and picture are made when it is sent.

    `about`: what the events do not tell, such as the players it is for.
    """

    kind: str
    first: int
    last: int
    about: str = ""


@dataclass(frozen=True, slots=True)
class Post:
    """A post that is owed, with its id and where it goes.

    `begun`: since when it may have been sent without a confirmation; `repeated`: since when once more, marked as a
    repeat. `reason`: why it can never be delivered.
    """

    id: int
    game: int
    channel: int
    kind: str
    first: int
    last: int
    language: str
    created: str
    about: str = ""
    begun: str | None = None
    reason: str = ""
    repeated: str | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """A seat that is waited for: for which decisions, since when, and what was done about it.

    `sent`: reminders; `late`: the deadline was dealt with. `remind`: hours until the first one, if its holder chose;
    `away`: until when he wants none. `guild`, `user`: on which server, and whom: of a vacant seat its referee.
    """

    game: int
    player: str
    decision: str
    since: str
    sent: int
    muted: int
    late: int
    remind: int | None
    away: str | None
    settings: str
    guild: int
    user: int


@dataclass(frozen=True, slots=True)
class Prompt:
    """The message that asks for a decision, since the event `opened`."""

    game: int
    decision: str
    opened: int
    channel: int
    message: int
    status: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """An undo that others must agree to; it holds as long as event `number` is the last one.

    `asked`, `agreed`: keys of players, with blanks between them.
    """

    game: int
    number: int
    actor: str
    returns_to: int
    asked: str
    agreed: str


def columns(row: type[Any]) -> str:
    """The columns of such a row, in the order of its fields."""
    return ", ".join(field.name for field in fields(row))


def values(row: Any) -> tuple[Any, ...]:
    """What stands in such a row, in the order of its columns."""
    return tuple(getattr(row, field.name) for field in fields(row))

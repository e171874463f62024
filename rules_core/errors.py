"""The refusals: illegal, ambiguous, unreadable. Codes and parameters only; the words are in the bot's catalogues."""

from collections.abc import Mapping
from dataclasses import dataclass, field


class Refusal(Exception):
    """A command that cannot be followed. Nothing has changed.

    `code` names the sentence in the catalogues, `params` fill it, `clause` is the rule that forbids it (None
    where no rule does).
    """

    def __init__(self, code: str, clause: str | None = None, **params: object) -> None:
        super().__init__(code, clause, params)
        self.code = code
        self.clause = clause
        self.params: Mapping[str, object] = params


class RuleViolation(Refusal):
    """Illegal: understood, but the rules (or the state of the game) forbid it."""


class Ambiguous(Refusal):
    """More than one reading; `params["candidates"]` lists them."""


class Unreadable(Refusal):
    """Not understood; `params["text"]` is what could not be read."""


@dataclass(frozen=True, slots=True)
class Barred:
    """Why one system cannot be entered or reached: a reason of a refused way or retreat."""

    at: str
    code: str
    clause: str
    params: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)


class FileError(Exception):
    """A position or game file that cannot be used.

    `place` says where in it (`systems[4].planets[0].owner`), `code` and `params` what was expected.
    """

    def __init__(self, place: str, code: str, **params: object) -> None:
        super().__init__(place, code, params)
        self.place = place
        self.code = code
        self.params: Mapping[str, object] = params

    def within(self, place: str) -> "FileError":
        """The same of what stands at `place`, where `self.place` goes on from there."""
        return FileError(place + self.place, self.code, **self.params)

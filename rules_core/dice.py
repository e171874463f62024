"""Where dice come from. A die is a function of its place, so the way to it changes nothing."""

import hashlib
import hmac
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import count
from typing import Final, Protocol

FACES: Final = 10
SECRET_BYTES: Final = 32


class Purpose(StrEnum):
    """What a die is rolled for."""

    PDS = "pds"
    CANNON = "cannon"
    VOLLEY = "volley"
    BOMBARDMENT = "bombardment"
    LANDING_PDS = "landing_pds"
    GROUND = "ground"


@dataclass(frozen=True, slots=True)
class DiePlace:
    """The place of one volley's dice in a game; `number` 1, 2, ... tells them apart.

    `site`: the label of the system, or the name of the planet. `side`: the key of the player who rolls.
    """

    round: int
    phase: str
    opening: int
    site: str
    purpose: Purpose
    volley: int
    side: str
    number: int = 1

    def text(self) -> str:
        """The place as the text that is sealed: its fields in order, a line each."""
        fields = (self.round, self.phase, self.opening, self.site, self.purpose, self.volley, self.side, self.number)
        return "\n".join(str(field) for field in fields)


class Dice(Protocol):
    """Where the rules take dice from."""

    def roll(self, place: DiePlace) -> int:
        """The face, 1 to 10, of the die at `place`."""


class SealedDice:
    """Real dice: HMAC-SHA-256 of the game's secret over the die's place."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) != SECRET_BYTES:
            raise ValueError(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")
        self._secret = secret

    def roll(self, place: DiePlace) -> int:
        return next(byte % FACES + 1 for byte in self._bytes(place.text()) if byte < 250)

    def _bytes(self, place: str) -> Iterator[int]:
        # Bytes of 250 and more are rejected, so that ten faces are exactly equal; then the next block serves.
        for block in count():
            yield from hmac.digest(self._secret, f"{place}\n{block}".encode(), hashlib.sha256)


def seal(secret: bytes) -> str:
    """What is published of a secret before a die is rolled: it binds whoever holds it, and tells nothing."""
    return hashlib.sha256(secret).hexdigest()


def with_words(secret: bytes, words: Mapping[str, str]) -> bytes:
    """The secret of the dice when players (by key, in seat order) have added words of their own, a line each."""
    lines = "\n".join(f"{key}={own}" for key, own in words.items())
    return hmac.digest(secret, lines.encode(), hashlib.sha256) if words else secret


class ScriptedDice:
    """Given faces first, in the order in which the rules roll; when they run out, `then` takes over."""

    def __init__(self, faces: Sequence[int], then: Dice) -> None:
        self._faces = iter(faces)
        self._then = then

    def roll(self, place: DiePlace) -> int:
        face = next(self._faces, None)
        return self._then.roll(place) if face is None else face


@dataclass(frozen=True, slots=True)
class FixedDice:
    """Every die shows the same face: always low, always high."""

    face: int

    def roll(self, place: DiePlace) -> int:
        return self.face


ALWAYS_LOW: Final = FixedDice(1)
ALWAYS_HIGH: Final = FixedDice(FACES)

"""The construction of the dice as `rules_core/README.md` writes it down, followed by a second implementation.

It shares no code with the first, not even HMAC: that is made of SHA-256 here, as its standard defines it.
"""

import hashlib
import re
from itertools import count
from pathlib import Path

import rules_core
from rules_core.dice import DiePlace, Purpose, SealedDice, seal, with_words

README = Path(rules_core.__file__).with_name("README.md").read_text(encoding="utf-8")
SECRET = bytes(range(32))
WORDS = {"red": "the sun rose", "blue": "세 번째 밤"}
ROW = re.compile(r"\| `([^`]+)`[^|]*\| (\d+) \| (\d+) \|")


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def mac(key: bytes, message: bytes) -> bytes:
    padded = key.ljust(64, b"\0")
    inner = sha256(bytes(byte ^ 0x36 for byte in padded) + message)
    return sha256(bytes(byte ^ 0x5C for byte in padded) + inner)


def face(secret: bytes, fields: list[str]) -> int:
    for block in count():
        for byte in mac(secret, "\n".join([*fields, str(block)]).encode("utf-8")):
            if byte < 250:
                return byte % 10 + 1
    raise AssertionError


def rows() -> list[tuple[list[str], int, int]]:
    return [(place.split("/"), int(one), int(other)) for place, one, other in ROW.findall(README)]


def place(fields: list[str]) -> DiePlace:
    round, phase, opening, site, purpose, volley, side, number = fields
    return DiePlace(int(round), phase, int(opening), site, Purpose(purpose), int(volley), side, int(number))


def test_the_vectors_of_the_readme_hold_in_both() -> None:
    mixed = mac(SECRET, "red=the sun rose\nblue=세 번째 밤".encode())
    assert len(rows()) == 5
    for fields, plain, with_own in rows():
        assert (face(SECRET, fields), face(mixed, fields)) == (plain, with_own)
        assert SealedDice(SECRET).roll(place(fields)) == plain
        assert SealedDice(with_words(SECRET, WORDS)).roll(place(fields)) == with_own


def test_the_seal_and_the_words() -> None:
    mixed = mac(SECRET, "red=the sun rose\nblue=세 번째 밤".encode())
    assert with_words(SECRET, WORDS) == mixed
    assert with_words(SECRET, {}) == SECRET
    assert seal(SECRET) == sha256(SECRET).hex()
    assert all(text in README for text in (SECRET.hex(), seal(SECRET), mixed.hex()))


def test_a_thousand_dice_agree() -> None:
    for number in range(1, 1001):
        fields = ["2", "blue", "1", "Hearth", "ground", str(number % 7 + 1), "red", str(number)]
        assert SealedDice(SECRET).roll(place(fields)) == face(SECRET, fields)


def test_a_block_without_a_byte_that_counts_leads_to_the_next(monkeypatch) -> None:
    """Never seen in practice: 32 bytes of 250 and more."""
    blocks = iter([b"\xff" * 32, b"\xfa\x07" + b"\0" * 30])
    monkeypatch.setattr("rules_core.dice.hmac.digest", lambda key, message, how: next(blocks))
    assert SealedDice(SECRET).roll(place(["1", "red", "1", "101", "volley", "1", "red", "1"])) == 8

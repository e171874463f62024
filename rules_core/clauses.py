"""The clause ids of the individual phase (section 3.5 of the rules).

Every rule of the individual phase, rulings included, has one id such as
``3.51-a`` or ``3.52.1-c``.  They stand here in the order of the rules page.
Code, tests, refusals and the ``/rules`` help name clauses by these ids; the
texts of the clauses are in ``bot/locales/rules.en.toml`` and
``bot/locales/rules.ko.toml``, one table for each id.
"""

from typing import Final

CLAUSES: Final[tuple[str, ...]] = (
    "3.51-a",
    "3.51-b",
    "3.51-c",
    "3.51-d",
    "3.51-e",
    "3.51-f",
    "3.51-g",
    "3.52.1-a",
    "3.52.1-b",
    "3.52.1-c",
    "3.52.1-d",
    "3.52.2-a",
    "3.52.2-b",
    "3.52.2-c",
    "3.52.2-d",
    "3.52.2-e",
    "3.52.2-f",
    "3.52.2-g",
    "3.52.2-h",
    "3.52.2-i",
    "3.52.2-j",
    "3.52.3-a",
    "3.52.3-b",
    "3.52.3-c",
    "3.52.3-d",
    "3.52.3-e",
    "3.52.3-f",
    "3.52.3-g",
    "3.52.4-a",
    "3.52.4-b",
    "3.52.4-c",
    "3.52.4-d",
    "3.52.4-e",
    "3.52.4-f",
    "3.53-a",
    "3.53-b",
    "3.53-c",
    "3.53-d",
    "3.53-e",
    "3.53-f",
    "3.53-g",
    "3.53-h",
    "3.53-i",
    "3.53-j",
    "3.53-k",
    "3.53-l",
    "3.53-m",
    "3.53-n",
    "3.53-o",
    "3.54-a",
    "3.54-b",
    "3.54-c",
    "3.54-d",
    "3.54-e",
    "3.54-f",
    "3.54-g",
    "3.54-h",
    "3.54-i",
    "3.54-j",
    "3.54-k",
    "3.54-l",
    "3.54-m",
)


def is_clause(text: str) -> bool:
    """Whether ``text`` is exactly the id of a clause."""
    return text in CLAUSES

"""`/rules clause:` answers every clause with its text and its ruling; refusals name only clauses that it knows."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.phrases import LANGUAGES, Language, rule_texts
from bot.script import read_line
from bot.table import Arguments, opened
from rules_core.clauses import CLAUSES

ROOT = Path(__file__).parents[2]
SOURCES = sorted([*ROOT.glob("rules_core/*.py"), *ROOT.glob("bot/**/*.py")])
# The clauses in which the printed rules leave something open that is settled here.
SETTLED = {
    *("3.51-d", "3.51-e", "3.51-f", "3.51-g", "3.52.2-c", "3.52.2-f", "3.52.2-g", "3.52.2-h", "3.52.2-i", "3.52.2-j"),
    *("3.52.3-d", "3.52.3-e", "3.52.3-f", "3.52.3-g", "3.52.4-f", "3.53-c", "3.53-h", "3.53-i", "3.53-m", "3.53-n"),
    *("3.53-o", "3.54-b", "3.54-c", "3.54-i", "3.54-k", "3.54-l", "3.54-m"),
}
RULING = {"en": "Ruling:", "ko": "해석:"}


async def asked(language: Language, *clauses: str) -> list[str]:
    """What `/rules` says to these."""
    async with opened(Arguments(script=Path("none"), language=language)) as table:
        state = await table.state()
        lines = [f"{state.players[0].key}: /rules clause: {clause}" for clause in clauses]
        records = [await table.follow(read_line(line, number)) for number, line in enumerate(lines, 1)]
    assert all(record.ok for record in records)
    return [record.text for record in records]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_clause_is_answered_with_its_text_and_its_ruling(language: Language) -> None:
    texts = rule_texts(language)
    for clause, said in zip(CLAUSES, await asked(language, *CLAUSES), strict=True):
        assert said.startswith(f"**{clause} ")
        assert texts[clause]["text"] in said
        assert (RULING[language] in said) == (clause in SETTLED), clause


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_section_is_answered_with_all_its_clauses(language: Language) -> None:
    sections = sorted({clause.partition("-")[0] for clause in CLAUSES} | {"3.52"})
    for section, said in zip(sections, await asked(language, *sections), strict=True):
        shown = [clause for clause in CLAUSES if f"**{clause} " in said]
        assert shown == [clause for clause in CLAUSES if clause.startswith((f"{section}-", f"{section}."))]


def named_in_refusals() -> Iterator[tuple[str, str]]:
    """Every clause that stands in the making of a refusal, with where."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _made(node) in ("RuleViolation", "Ambiguous", "Barred"):
                for each in node.args:
                    if isinstance(each, ast.Constant) and isinstance(each.value, str) and each.value.startswith("3.5"):
                        yield each.value, f"{path.name}:{node.lineno}"


def _made(node: Any) -> str:
    return str(getattr(node.func, "id", ""))


def test_refusals_name_only_clauses_that_can_be_asked_after() -> None:
    named = list(named_in_refusals())
    assert len(named) > 50
    assert [(clause, where) for clause, where in named if clause not in CLAUSES] == []


@pytest.mark.parametrize("text", ["3.59", "", "3.52.3-zz", "movement"])
async def test_what_is_no_clause_is_refused_and_told_how_to_ask(text: str) -> None:
    async with opened(Arguments(script=Path("none"))) as table:
        key = (await table.state()).players[0].key
        record = await table.follow(read_line(f"{key}: /rules clause: {text}", 1))
    assert not record.ok
    assert "3.52.3" in record.text or "clause" in record.text

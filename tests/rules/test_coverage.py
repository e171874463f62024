"""Every clause has a test named after it, a text in both languages, and a place in the code that cites it.

And every case that players reported has its test.
"""

import ast
import re
import tomllib
from pathlib import Path

import pytest

from rules_core.clauses import CLAUSES, is_clause

ROOT = Path(__file__).parents[2]
TESTS = sorted(Path(__file__).parent.glob("test_3_*.py"))
# The list itself and the sentences of the refusals are no place where a clause is carried out.
CODE = [path for path in sorted((ROOT / "rules_core").rglob("*.py")) if path.name != "clauses.py"]


def functions_of(tree: ast.Module) -> list[ast.FunctionDef]:
    """The test functions of a module."""
    return [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]


def all_tests() -> list[ast.FunctionDef]:
    """The test functions of the files named after sections."""
    return [test for path in TESTS for test in functions_of(ast.parse(path.read_text(encoding="utf-8")))]


def cited(text: str) -> set[str]:
    """The clause ids in a text; `3.53-h, i` and `3.54-c to l` cite them in short."""
    found: set[str] = set()
    for section, letters in re.findall(r"(3\.5\d(?:\.\d)?)-([a-o](?:(?:, | to |, and | and )[a-o]\b)*)", text):
        names = re.findall(r"\b[a-o]\b", letters)
        if " to " in letters:
            names = [chr(code) for code in range(ord(names[0]), ord(names[-1]) + 1)]
        found |= {f"{section}-{name}" for name in names}
    return found


@pytest.mark.parametrize("clause", CLAUSES)
def test_every_clause_has_a_test_named_after_it(clause: str) -> None:
    """A test's name begins with the id of the clause that it shows."""
    start = f"test_{clause.replace('.', '_').replace('-', '_')}_"
    assert any(test.name.startswith(start) for test in all_tests())


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_clause_has_a_text_in_both_languages(language: str) -> None:
    """The `/rules` help has a title and a text for every clause, and for nothing else."""
    texts = tomllib.loads((ROOT / "bot" / "locales" / f"rules.{language}.toml").read_text(encoding="utf-8"))
    assert tuple(key for key in texts if is_clause(key)) == CLAUSES
    assert all(texts[clause]["title"].strip() and texts[clause]["text"].strip() for clause in CLAUSES)


@pytest.mark.parametrize("clause", CLAUSES)
def test_every_clause_is_cited_in_the_code(clause: str) -> None:
    """Some place of the rules core names the clause: a docstring, a comment, a refusal."""
    assert any(clause in cited(path.read_text(encoding="utf-8")) for path in CODE)


def test_the_code_cites_no_clause_that_does_not_exist() -> None:
    """Every id in the rules core is one of the page's."""
    unknown = {path.name: cited(path.read_text(encoding="utf-8")) - set(CLAUSES) for path in CODE}
    assert {name: ids for name, ids in unknown.items() if ids} == {}


def test_every_test_says_its_rule_and_asserts_something() -> None:
    """Each test has a docstring of its own and at least one check."""
    for test in all_tests():
        assert ast.get_docstring(test), test.name
        checks = (ast.Assert, ast.With)
        assert any(isinstance(node, checks) for node in ast.walk(test)), test.name
    texts = [ast.get_docstring(test) for test in all_tests()]
    assert len(set(texts)) == len(texts)


def test_the_ids_of_the_page_are_in_order() -> None:
    """The clauses are 62, each once, in the order of the rules page, without a gap in the letters."""
    assert len(set(CLAUSES)) == len(CLAUSES) == 62
    assert list(CLAUSES) == sorted(CLAUSES)
    letters: dict[str, str] = {}
    for clause in CLAUSES:
        section, _, letter = clause.partition("-")
        letters[section] = letters.get(section, "") + letter
    assert all(run == "abcdefghijklmno"[: len(run)] for run in letters.values())


def test_every_case_of_the_list_has_a_test_and_no_test_names_another() -> None:
    """`tests/README.md` lists the cases from public reports; `test_case_026_and_102_...` is the test of two."""
    readme = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"\b[0-9]{3}\b", readme.partition("## Cases\n")[2].partition("\n## ")[0])
    sources = (path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    names = (name for source in sources for name in re.findall(r"def test_case_([0-9]{3}(?:_and_[0-9]{3})*)_", source))
    assert sorted(listed) == sorted({number for name in names for number in name.split("_and_")})

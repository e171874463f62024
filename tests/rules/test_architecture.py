"""The shape of the packages: who may import whom, no clock and no chance in the rules, short functions."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FONTS = {"pylopdf_fonts_ko"}
MAY_IMPORT = {"rules_core": {"rules_core"}, "renderer": {"renderer", "rules_core", "PIL", "zlib_ng"} | FONTS}
# What a function of the same input and the same output every time has no use for.
IMPURE = {
    "asyncio", "datetime", "locale", "logging", "os", "random", "secrets", "socket", "sqlite3", "subprocess",
    "threading", "time", "uuid",
}  # fmt: skip


def modules(package: str) -> list[tuple[str, ast.Module]]:
    """The modules of a package, read."""
    files = sorted((ROOT / package).rglob("*.py"))
    assert files
    return [(str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8"))) for path in files]


def imported(tree: ast.Module) -> Iterator[str]:
    """The top-level names of what a module imports, anywhere in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative import"
            yield str(node.module).partition(".")[0]


def functions(package: str) -> list[tuple[str, int]]:
    """The functions of a package with their lengths in lines."""
    return [
        (f"{name}:{node.name}", (node.end_lineno or 0) - node.lineno + 1)
        for name, tree in modules(package)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_packages_import_only_in_one_direction(package: str) -> None:
    """The rules import the standard library only, the renderer the rules and Pillow too; neither the bot."""
    allowed = MAY_IMPORT[package] | sys.stdlib_module_names
    strange = {(name, module) for name, tree in modules(package) for module in imported(tree) if module not in allowed}
    assert strange == set()


def test_the_rules_know_no_clock_no_chance_and_no_outside() -> None:
    """Nothing in the rules core reads a clock, draws at random, or opens anything."""
    found = {(name, module) for name, tree in modules("rules_core") for module in imported(tree) if module in IMPURE}
    assert found == set()
    calls = {
        (name, node.func.id)
        for name, tree in modules("rules_core")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("open", "print", "input")
    }
    assert calls == set()


def test_the_bot_alone_knows_discord_and_the_database() -> None:
    """discord.py and aiosqlite are imported nowhere but in the bot."""
    for package in MAY_IMPORT:
        for name, tree in modules(package):
            assert not {"discord", "aiosqlite", "bot"} & set(imported(tree)), name


@pytest.mark.parametrize("package", ["rules_core", "renderer", "bot"])
def test_functions_are_short(package: str) -> None:
    """Nine functions of ten have at most 30 lines, and none is very long."""
    lengths = sorted(length for _, length in functions(package))
    assert lengths[int(len(lengths) * 0.9)] <= 30
    assert max(functions(package), key=lambda each: each[1])[1] <= 80


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_every_module_and_class_says_its_purpose(package: str) -> None:
    """Modules and public classes have a docstring."""
    for name, tree in modules(package):
        assert ast.get_docstring(tree), name
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                assert ast.get_docstring(node), f"{name}:{node.name}"


def test_events_and_state_are_frozen() -> None:
    """Every dataclass of the rules core is frozen."""
    for name, tree in modules("rules_core"):
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                for decorator in node.decorator_list:
                    text = ast.unparse(decorator)
                    assert not text.startswith("dataclass") or "frozen=True" in text, f"{name}:{node.name}"

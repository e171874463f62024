"""The catalogues: both languages say the same things, and everything the program can mean has words."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from bot.phrases import LANGUAGES, PARTICLES, WAITS, catalogue, phrases, rule_texts
from rules_core import choices
from rules_core.clauses import CLAUSES
from rules_core.dice import Purpose
from rules_core.errors import Ambiguous, Barred, FileError, RuleViolation, Unreadable
from rules_core.galaxy import SystemKind, Wormhole
from rules_core.position import read_position
from rules_core.state import Options, Ship, Step
from rules_core.units import Kind, load_ruleset

ROOT = Path(__file__).parents[2]
SOURCES = sorted([*ROOT.glob("rules_core/*.py"), *ROOT.glob("bot/**/*.py")])
# What is said of the lines of a script.
FOR_SCRIPTS = ("refusal.malformed_line", "refusal.not_a_command", "refusal.unreadable_clock")
# How the refusals of the program are made, and where their codes stand among the arguments.
CODES = {
    "RuleViolation": ("refusal", 0),
    "Ambiguous": ("refusal", 0),
    "Unreadable": ("refusal", 0),
    "Refusal": ("refusal", 0),
    "_refuse_kinds": ("refusal", 2),
    "Barred": ("barred_by", 1),
    "FileError": ("file", 1),
    "fail": ("file", 0),
    "Problem": ("file", 0),
}


def fields(template: str) -> set[str]:
    """The names in the braces of a template, those inside format specifications too."""
    found = set()
    for _, name, spec, _ in Formatter().parse(template):
        if name is not None:
            found |= {name} | fields(spec or "")
    return found


def called(node: ast.Call) -> str:
    """The last name of what is called."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def calls() -> Iterator[tuple[Path, ast.Call]]:
    """Every call in the program's source."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                yield path, node


def keys_of_refusals() -> Iterator[tuple[str, str]]:
    """The key of every refusal, problem of a file and barred way, with where it is made."""
    for path, node in calls():
        table, place = CODES.get(called(node), ("", 0))
        if not table or len(node.args) <= place:
            continue
        for each in ast.walk(node.args[place]):
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                yield f"{table}.{each.value}", f"{path.name}:{node.lineno}"


def test_both_languages_have_the_same_keys_with_the_same_names_in_braces() -> None:
    english, korean = catalogue("en"), catalogue("ko")
    assert english.keys() == korean.keys()
    differing = {key for key in english if fields(english[key]) != fields(korean[key])}
    assert not differing


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_template_is_well_formed(language: str) -> None:
    for key, template in catalogue(language).items():
        assert template.strip() == template, key
        for _, name, spec, _ in Formatter().parse(template):
            if not name or not spec:
                continue
            if language == "ko":
                assert spec in PARTICLES or spec.startswith("#"), f"{key}: {spec}"
            else:
                assert spec.count("|") == 1 or spec.startswith("#"), f"{key}: {spec}"


def test_korean_never_guesses_a_particle_after_a_name() -> None:
    """이(가) and the like are for names that cannot be read; a template always says which particle it means."""
    fixed = re.compile(r"\}\"?(이|가|은|는|을|를|과|와|으로|로)(?=[ .,:;)?!]|$)")
    assert [key for key, template in catalogue("ko").items() if fixed.search(template)] == []


def test_korean_names_every_command_in_both_languages_in_one_form() -> None:
    """`/move(이동)`: as scripts have it and as Discord shows it; lines for scripts have no second."""
    korean = catalogue("ko")
    names = {key.removeprefix("commands.").removesuffix(".name"): text for key, text in korean.items()
             if key.startswith("commands.") and key.endswith(".name") and ".options." not in key}  # fmt: skip
    shown = {}
    for path, name in names.items():
        group, _, command = path.partition(".commands.")
        shown[f"{group} {command}".strip()] = f"{names[group]} {name}" if command else name
    for key, text in korean.items():
        if key.startswith(("commands.", "table.", "demo.", "doctor.")) or key in FOR_SCRIPTS:
            continue
        for found in re.finditer(r"(?<![\w/.])/([a-z][a-z-]*(?: [a-z-]+)?)(\([^)]*\))?", text):
            assert found[2] == f"({shown.get(found[1])})", f"{key}: {found[0]}"


def test_every_refusal_has_a_sentence() -> None:
    missing = {key for key, _ in keys_of_refusals() if key not in catalogue("en")}
    # Asked of a phase that ends, by tests alone: no file can be in that state.
    assert missing <= {"file.battle_left", "file.fighters_without_room"}


def test_every_sentence_of_a_refusal_is_used() -> None:
    used = {key for key, _ in keys_of_refusals()}
    texts = "".join(path.read_text(encoding="utf-8") for path in SOURCES)
    codes = {key for key in catalogue("en") if key.split(".")[0] in ("refusal", "barred_by", "file")}
    assert {key for key in codes - used if f'"{key.split(".")[1]}"' not in texts} == set()


def test_every_sentence_that_is_said_exists() -> None:
    for path, node in calls():
        if called(node) == "say" and node.args and isinstance(node.args[0], ast.Constant):
            assert node.args[0].value in catalogue("en"), f"{path.name}:{node.lineno}"


def test_a_sentence_is_given_all_that_it_names() -> None:
    for path, node in calls():
        if called(node) != "say" or not node.args or not isinstance(node.args[0], ast.Constant):
            continue
        given = {keyword.arg for keyword in node.keywords}
        if None not in given:
            assert fields(catalogue("en")[node.args[0].value]) <= given, f"{path.name}:{node.lineno}"


def test_a_refusal_is_given_all_that_its_sentence_names() -> None:
    for path, node in calls():
        if called(node) not in ("RuleViolation", "Ambiguous", "Unreadable", "FileError", "fail"):
            continue
        table, place = CODES[called(node)]
        if len(node.args) <= place or not isinstance(node.args[place], ast.Constant):
            continue
        given = {keyword.arg for keyword in node.keywords}
        if None not in given:
            template = catalogue("en")[f"{table}.{node.args[place].value}"]
            assert fields(template) <= given, f"{path.name}:{node.lineno}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_value_of_the_rules_has_a_name(language: str) -> None:
    words = phrases(language)
    for kind in Kind:
        assert words.unit(kind)
        assert words.units(kind)
        assert words.short(kind)
        assert words.count(kind, 2)
    for key in load_ruleset("classic").technologies:
        assert words.technology(key)
    for value in (*Step, *SystemKind, *Wormhole):
        assert words.word(value) != value.value or language == "en"
    for purpose in set(Purpose) - {Purpose.BOMBARDMENT}:
        assert words.has(f"post.volley.{purpose}")
    for name, kind_of in Options.__annotations__.items():
        assert words.option(name)
        for value in kind_of.__args__:
            assert words.option_value(name, value)


def test_every_decision_can_be_waited_for() -> None:
    assert set(WAITS) == set(choices.Decision.__args__)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_clause_is_shown_with_its_id(language: str) -> None:
    assert tuple(rule_texts(language)) == CLAUSES
    for clause in CLAUSES:
        assert phrases(language).clause(clause).startswith(f"**{clause} ")


def test_english_plurals() -> None:
    words = phrases("en")
    assert words.count(Kind.CRUISER, 1) == "1 cruiser"
    assert words.count(Kind.CRUISER, 2) == "2 cruisers"
    assert words.count(Kind.PDS, 2) == "2 PDS"
    assert words.say("post.volley.volley", player="A", target="B", hits=1) == "A fires at B: 1 hit"
    assert words.say("post.volley.volley", player="A", target="B", hits=0) == "A fires at B: 0 hits"


def test_a_refusal_ends_with_its_clause() -> None:
    error = RuleViolation("not_your_phase", "3.51-a", player="red", acting="blue")
    assert phrases("en").refusal(error, {"blue": "Tidewright"}).endswith("Acting: Tidewright. (3.51-a)")
    assert phrases("ko").refusal(error, {"blue": "조수단"}).endswith("진행 중: 조수단 (3.51-a)")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refused_way_lists_every_neighbour_with_its_reason(language: str) -> None:
    barred = (
        Barred("203", "supernova", "3.52.4-d"),
        Barred("204", "intercepted_there", "3.52.3-a", {"player": "blue"}),
    )
    error = RuleViolation("no_way", "3.52.4-d", start="101", to="203", reason=barred[0], barred=barred)
    first, *lines = phrases(language).refusal(error, {"blue": "Tidewright"}).splitlines()
    assert "101" in first
    assert "203" in first
    assert first.endswith("(3.52.4-d)")
    assert [line[:6] for line in lines] == ["- 203:", "- 204:"]
    assert "Tidewright" in lines[1]
    assert lines[1].endswith("(3.52.3-a)")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_ambiguous_request_lists_the_candidates(language: str) -> None:
    ships = (Ship(1, Kind.CARRIER, "red", "101", 2, 1), Ship(2, Kind.CARRIER, "red", "101"))
    error = Ambiguous("which_ship", None, at="101", kind=Kind.CARRIER, candidates=ships)
    words = phrases(language)
    assert f"{words.ship(ships[0])}, {words.ship(ships[1])}" in words.refusal(error)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_error_in_a_file_names_its_place(language: str) -> None:
    error = FileError("systems[4].planets[0].owner", "no_such_player", found="bleu", known=("red", "blue"))
    text = phrases(language).file_error(error)
    assert text.startswith(r"systems\[4\].planets\[0\].owner: ")
    assert "bleu" in text
    assert "red, blue" in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ({"kind": "nebula"}, "normal, supernova, asteroid_field"),
        ({"wormhole": "gamma"}, "alpha, beta"),
        ({"planet": []}, "at, kind, wormhole, planets, units"),
    ],
)
def test_an_error_in_a_file_says_what_could_stand_there(language: str, wrong: dict[str, Any], right: str) -> None:
    """As it is written in the file, and not the words for it in a sentence."""
    red = {"key": "red", "race": "Emberfolk"}
    file = {"format": "starpost-position/1", "players": [red], "systems": [{"at": "000", **wrong}]}
    with pytest.raises(FileError) as caught:
        read_position(json.dumps(file))
    assert right in phrases(language).file_error(caught.value)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_typed_is_repeated_in_short(language: str) -> None:
    assert len(phrases(language).refusal(Unreadable("unknown_unit", text="x" * 5000, near=()))) < 200

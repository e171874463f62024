"""Lines of a script, and how a command is cut into its options."""

from datetime import timedelta

import pytest

from bot.script import Line, read_clock, read_command, read_line, read_script
from rules_core.errors import Unreadable


def test_blank_lines_and_comments_are_skipped_and_numbers_are_those_of_the_file() -> None:
    text = "\ufeff# a script\n\nred: /done\r\n  \nblue:/move units: carrier from: 101 to: 102\n"
    assert read_script(text) == (
        Line(3, "red", "/done"),
        Line(5, "blue", "/move units: carrier from: 101 to: 102"),
    )


@pytest.mark.parametrize("sign", ["\u2028", "\x85", "\x0c", "\x0b"])
def test_only_ends_of_lines_end_a_line(sign: str) -> None:
    typed = f"/referee power player: red amount: 3 reason: one{sign}two"
    assert read_script(f"# lines of all systems\r\nreferee: {typed}\rred: /done") == (
        Line(2, "referee", typed),
        Line(3, "red", "/done"),
    )


@pytest.mark.parametrize("text", ["/done", "hello", "red /done", ": /done", "two words: /done"])
def test_a_line_without_an_actor_is_kept_whole(text: str) -> None:
    assert read_line(text, 1) == Line(1, None, text)


def test_a_value_runs_to_the_next_option_of_that_command() -> None:
    command, texts = read_command(
        "/move units: 2 cruisers, carrier + 3 ground forces from: 101 to:New Hope via: 102, 103"
    )
    assert command.name == "move"
    assert texts == {
        "units": "2 cruisers, carrier + 3 ground forces",
        "from": "101",
        "to": "New Hope",
        "via": "102, 103",
    }


def test_what_is_no_option_of_that_command_belongs_to_the_value() -> None:
    assert read_command("/land planet: Port at: Sea units: all")[1] == {"planet": "Port at: Sea", "units": "all"}


@pytest.mark.parametrize("typed", ["name: assault_cannon off", "name: assault_cannon off: true"])
def test_a_subcommand_and_a_flag(typed: str) -> None:
    command, texts = read_command(f"/referee technology player: red {typed}")
    assert command.name == "referee technology"
    assert texts == {"player": "red", "name": "assault_cannon", "off": "true"}


@pytest.mark.parametrize(
    "reason", ["he called it off", "anyway", "2 cruisers + 3d6 >= 4", "# ; && || `x`", "red: /done", "/undo"]
)
def test_case_094_a_comment_stays_a_comment(reason: str) -> None:
    """No word, sign or flag in it does anything; flags that stand before it do."""
    command, texts = read_command(f"/referee technology player: red name: cybernetics reason: {reason}")
    assert texts == {"player": "red", "name": "cybernetics", "reason": reason}
    command, texts = read_command(f"/referee place units: cruiser at: 101 player: red anyway reason: {reason}")
    assert command.name == "referee place"
    assert texts == {"units": "cruiser", "at": "101", "player": "red", "anyway": "true", "reason": reason}


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("done", "not_a_command"),
        ("/", "unknown_command"),
        ("/dance", "unknown_command"),
        ("/referee", "unknown_command"),
        ("/referee dance", "unknown_command"),
        ("/game export", "only_on_discord"),
        ("/game", "only_on_discord"),
        ("/galaxy generate seed: x", "only_on_discord"),
        ("/seat swap race: red other: blue", "only_on_discord"),
        ("/games", "only_on_discord"),
        ("/privacy", "only_on_discord"),
        ("/move 2 cruisers from: 101 to: 102", "unknown_option"),
        ("/done now", "takes_nothing"),
        ("/map now", "unknown_option"),
        ("/retreat to: 101 to: 102", "option_twice"),
    ],
)
def test_what_cannot_be_read_is_refused_without_a_clause(typed: str, code: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read_command(typed)
    assert (caught.value.code, caught.value.clause) == (code, None)


@pytest.mark.parametrize(("typed", "hours"), [("+6h", 6), ("+ 90m", 1.5), ("+2d", 48)])
def test_the_clock_is_moved(typed: str, hours: float) -> None:
    assert read_clock(typed) == timedelta(hours=hours)


@pytest.mark.parametrize("typed", ["", "6h", "-6h", "+6", "+6w", "+1234567h"])
def test_the_clock_is_moved_forward_only(typed: str) -> None:
    with pytest.raises(Unreadable):
        read_clock(typed)

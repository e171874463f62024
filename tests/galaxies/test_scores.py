"""What is measured of the seats, on boards small enough to count."""

from dataclasses import replace
from fractions import Fraction

from bot.galaxies import generate, homes_of, score_legend, score_table, scores, spread, unfairness
from bot.galaxies.names import races
from bot.phrases import LANGUAGES
from rules_core.position import position_from_json
from rules_core.state import State


def board(*systems: dict[str, object]) -> State:
    """Red at 201, blue at 207, a straight line of systems between them, and `systems` besides or instead."""
    line: dict[str, dict[str, object]] = {at: {"at": at} for at in ("101", "000", "104")}
    for at, player in (("201", "red"), ("207", "blue")):
        planet = {"name": f"Home of {player}", "resources": 4, "political_power": 3, "owner": player}
        line[at] = {"at": at, "planets": [{**planet, "space_dock": True}]}
    line |= {str(system["at"]): system for system in systems}
    return position_from_json(
        {
            "format": "starpost-position/1",
            "players": [{"key": "red"}, {"key": "blue"}],
            "systems": list(line.values()),
        }
    )


def planet(name: str, resources: int, power: int) -> dict[str, object]:
    return {"name": name, "resources": resources, "political_power": power}


def test_a_planet_counts_for_the_nearest_home_and_half_for_each_of_two() -> None:
    state = board({"at": "101", "planets": [planet("Near", 2, 1)]}, {"at": "000", "planets": [planet("Middle", 1, 5)]})
    found = scores(state)
    assert (found["red"].resources, found["red"].political_power) == (Fraction(13, 2), Fraction(13, 2))
    assert (found["blue"].resources, found["blue"].political_power) == (Fraction(9, 2), Fraction(11, 2))


def test_hops_go_around_red_systems() -> None:
    straight = board({"at": "102"}, {"at": "103"})
    detour = board({"at": "102"}, {"at": "103"}, {"at": "000", "kind": "asteroid_field"})
    assert scores(straight)["red"].neighbours == 4
    assert scores(detour)["red"].neighbours == 5


def test_hops_go_through_wormholes() -> None:
    state = board({"at": "101", "wormhole": "alpha"}, {"at": "104", "wormhole": "alpha"})
    assert scores(state)["red"].neighbours == 3
    assert scores(state)["red"].centre == 2


def test_what_cannot_be_reached_is_farther_than_anything() -> None:
    found = scores(board({"at": "000", "kind": "supernova"}))
    assert found["red"].centre == found["red"].neighbours == 5
    assert found["red"].red == found["blue"].red == 1


def test_only_what_is_near_counts_as_near() -> None:
    wormholes = board({"at": "202", "wormhole": "beta"}, {"at": "203"}, {"at": "205", "wormhole": "beta"})
    red = board({"at": "203", "kind": "supernova"}, {"at": "202", "kind": "asteroid_field"})
    assert [found.wormholes for found in scores(wormholes).values()] == [1, 1]
    assert [found.red for found in scores(red).values()] == [2, 0]


def test_the_spread_is_the_distance_of_best_and_worst() -> None:
    state = board({"at": "101", "planets": [planet("Near", 3, 0)]})
    assert spread(scores(state)).resources == 3
    assert unfairness(scores(state)) == 2


def test_a_player_without_planets_has_no_scores() -> None:
    state = board()
    gone = {name: replace(each, owner=None, space_dock=False) if each.owner == "blue" else each
            for name, each in state.planets.items()}  # fmt: skip
    state = replace(state, planets=gone)
    assert homes_of(state) == {"red": "201"}
    assert scores(state)["red"].neighbours == 0
    assert unfairness(scores(replace(state, planets={}))) == 0


def test_the_home_is_where_the_dock_is() -> None:
    state = board({"at": "101", "planets": [{**planet("Outpost", 6, 6), "owner": "red"}]})
    assert homes_of(state) == {"red": "201", "blue": "207"}


def columns(line: str) -> int:
    """Hangul is two columns wide."""
    return len(line) + sum("가" <= letter <= "힣" for letter in line)


def test_the_table_has_a_line_for_each_seat_in_columns() -> None:
    state = generate("table", races("ko")[:3], language="ko")
    for language in LANGUAGES:
        heading, *lines, last = score_table(state, language).splitlines()
        assert [line.split()[0] for line in lines] == list(homes_of(state).values())
        assert {len(line.split()) for line in (*lines, last)} == {7}
        assert len({columns(line) for line in (heading, *lines, last)}) == 1
        for key, home in homes_of(state).items():
            assert f"{home} {state.player(key).race}" in score_legend(state, language)


def test_the_table_fits_a_phone() -> None:
    """For every number of seats, in both scripts, whatever the names."""
    for language in LANGUAGES:
        for seats in range(2, 9):
            state = generate("phone", races(language)[:seats], language=language)
            assert max(map(columns, score_table(state, language).splitlines())) <= 28
    long = generate("phone", [("red", "가" * 32), ("blue", "x" * 32)])
    assert max(map(columns, score_table(long, "en").splitlines())) <= 28

"""Which pictures a step has, what they say in words, and the replay."""

import io
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from PIL import Image

from bot import replay
from bot.marks import marks
from bot.pictures import ALT_LIMIT, alt_text, views
from bot.report import scenes
from renderer import View
from renderer.view import BattleMark, LossMark, VolleyMark
from rules_core import events as ev
from rules_core.dice import SealedDice
from rules_core.game_file import GameFile, read_any, write_game
from rules_core.state import State
from rules_core.units import Kind
from tests.rules.random_play import Game, random_position


def played(seed: int = 5, rounds: int = 2) -> GameFile:
    game = Game(random_position(seed), SealedDice(b"x" * 32)).play(Random(3), rounds)
    return read_any(write_game(game.start, game.entries))


GAME = played()
FRAMES = replay.frames(GAME)


def pictures(frame: replay.Frame, after: State | None = None) -> tuple[View, ...]:
    return views(frame.before, frame.events, after or frame.after, frame.number, "en")


def test_a_round_of_a_battle_shows_both_sides_and_their_dice() -> None:
    frame = next(frame for frame in FRAMES if frame.kind == "round")
    (view,) = pictures(frame)
    assert view.duel is not None
    assert view.focus is not None
    assert BattleMark(view.focus) in view.marks
    fired = {mark.player for mark in view.marks if isinstance(mark, VolleyMark)}
    assert fired <= {view.duel.attacker, view.duel.defender}
    assert view.duel.odds is None  # the game does not show them


def test_of_several_rounds_in_one_post_the_last_dice_are_shown_and_all_losses() -> None:
    first = next(n for n, f in enumerate(FRAMES) if f.kind == FRAMES[n + 1].kind == "round")
    one, other = FRAMES[first], FRAMES[first + 1]
    both = marks(one.before, (*one.events, *other.events))
    alone = marks(other.before, other.events)
    assert [m for m in both if isinstance(m, VolleyMark)] == [m for m in alone if isinstance(m, VolleyMark)]
    lost = [sum(n for _, n in m.lost) for m in marks(one.before, one.events) if isinstance(m, LossMark)]
    lost += [sum(n for _, n in m.lost) for m in alone if isinstance(m, LossMark)]
    assert sum(sum(n for _, n in m.lost) for m in both if isinstance(m, LossMark)) == sum(lost)


def is_battle(frame: replay.Frame) -> bool:
    """Whether PDS fired before a battle, and not only because somebody stopped there."""
    fired = next(each for each in scenes(frame.before, frame.events) if isinstance(each.event, ev.VolleyFired))
    assert fired.before.phase is not None
    assert fired.before.phase.battle is not None
    return fired.before.phase.battle.defender is not None


def test_pds_fire_without_a_battle_shows_who_fired() -> None:
    frame = next(frame for frame in FRAMES if frame.kind == "pds" and not is_battle(frame))
    (view,) = pictures(frame)
    assert view.duel is not None
    assert view.duel.defender in {mark.player for mark in view.marks if isinstance(mark, VolleyMark)}


def test_a_bombardment_or_landing_shows_both_sides_of_the_planet_and_every_round() -> None:
    rolled = (ev.PlanetBombarded, ev.LandingFiredAt, ev.GroundRoundFought)
    frames = [frame for frame in FRAMES if any(isinstance(event, rolled) for event in frame.events)]
    assert frames
    for frame in frames:
        planets = list(dict.fromkeys(event.planet for event in frame.events if isinstance(event, rolled)))
        shown = pictures(frame)
        assert [view.duel.planet for view in shown if view.duel] == planets[:3]
        for view, planet in zip(shown, planets, strict=False):
            assert view.focus == frame.after.planets[planet].at
            rounds = [e for e in frame.events if isinstance(e, ev.GroundRoundFought) and e.planet == planet]
            fought = [m for m in view.marks if isinstance(m, VolleyMark) and m.kind is Kind.GROUND_FORCE]
            assert [len(mark.earlier) + 1 for mark in fought] == [len(rounds)] * (2 if rounds else 0)


def test_another_step_shows_the_whole_board() -> None:
    frame = next(frame for frame in FRAMES if frame.kind == "move")
    (view,) = pictures(frame)
    assert (view.focus, view.duel) == (None, None)
    assert f"step {frame.number}" in view.title
    assert view.labels.technologies


def test_of_a_large_board_the_part_of_the_step_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.pictures.LARGE", 19)
    move = next(frame for frame in FRAMES if frame.kind == "move")
    close, board = pictures(move)
    assert (close.focus is None, board.focus) == (False, None)
    fight = next(frame for frame in FRAMES if frame.kind == "round")
    close, board = pictures(fight)
    assert (close.duel is None, board.duel) == (False, None)


def test_odds_are_shown_where_the_game_shows_them_to_all() -> None:
    going_on = [f for f in FRAMES if f.kind == "round" and f.after.phase and f.after.phase.battle]
    frame = next(f for f in going_on if f.after.phase and f.after.phase.battle and f.after.phase.battle.defender)
    shown = replace(frame.after, options=replace(frame.after.options, public_odds="shown"))
    battle = frame.after.phase.battle if frame.after.phase else None
    (view,) = pictures(frame, shown)
    assert battle is not None
    assert view.duel is not None
    if battle.at == view.focus:
        assert view.duel.odds is not None
        assert sum(view.duel.odds) == pytest.approx(1)


def test_words_for_who_cannot_see_are_plain_and_short_enough() -> None:
    assert alt_text("Title", "**Ann** moves\\_it") == "Title\nAnn moves_it"
    long = alt_text("Title", "\n".join(["a line of words"] * 200))
    assert len(long) <= ALT_LIMIT
    assert long.endswith("words…")
    assert len(alt_text("x" * 3000, "")) <= ALT_LIMIT


# ---- replay


def test_the_frames_are_every_step_one_after_another() -> None:
    assert FRAMES[0].before == GAME.start
    assert FRAMES[-1].after == GAME.state
    assert all(one.after == other.before for one, other in pairwise(FRAMES))
    numbers = [frame.number for frame in FRAMES]
    assert numbers == sorted(numbers)


def test_a_round_is_the_last_one_unless_another_is_named() -> None:
    first = replay.of_round(FRAMES, 1)
    assert 0 < len(first) < len(FRAMES)
    assert {frame.before.round for frame in first} == {1}
    assert replay.of_round(FRAMES) == replay.of_round(FRAMES, FRAMES[-1].before.round)
    assert replay.of_round(FRAMES, 99) == ()


def test_a_film_of_a_long_game_has_not_all_of_its_frames() -> None:
    """The first and the last among them, in order."""
    assert replay.of_game(FRAMES) == FRAMES
    assert replay.of_game(()) == ()
    many = FRAMES * (replay.MOST_FRAMES // len(FRAMES) + 2)
    kept = replay.of_game(many)
    assert len(kept) == replay.MOST_FRAMES
    assert (kept[0], kept[-1]) == (many[0], many[-1])
    some = replay.between(FRAMES, FRAMES[2].number, FRAMES[5].number)
    assert some == FRAMES[2:6]


def test_the_animated_picture_shows_every_frame_as_it_is_and_tells_how_far_it_is() -> None:
    some, told = FRAMES[:4], list[tuple[int, int]]()
    film = Image.open(io.BytesIO(replay.animated(some, "en", progress=lambda done, of: told.append((done, of)))))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert film.n_frames == 4  # type: ignore[attr-defined]
    assert film.info["loop"] == 0
    for number, data in enumerate(replay.pictures(some, "en")):
        film.seek(number)
        assert film.info["duration"] >= replay.STANDS
        assert film.convert("RGB").tobytes() == Image.open(io.BytesIO(data)).convert("RGB").tobytes()


def test_a_frame_in_which_nothing_changed_stands_too() -> None:
    again = replace(FRAMES[0], before=FRAMES[0].after, events=())
    data = replay.animated((again, again, again), "en")
    assert Image.open(io.BytesIO(data)).n_frames == 3  # type: ignore[attr-defined]


def test_too_large_a_film_has_fewer_frames_then_a_smaller_picture_and_never_fails() -> None:
    whole = replay.animated(FRAMES[:6], "ko")
    fewer = replay.animated(FRAMES[:6], "ko", most_bytes=len(whole) * 3 // 4)
    assert len(fewer) <= len(whole) * 3 // 4
    assert 1 < Image.open(io.BytesIO(fewer)).n_frames < 6  # type: ignore[attr-defined]
    smaller = Image.open(io.BytesIO(replay.animated(FRAMES[:3], "ko", most_bytes=1)))
    assert smaller.width == replay.NARROWEST

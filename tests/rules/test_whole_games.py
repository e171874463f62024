"""Whole random games under all the checks of `play`; the log, taking back, and that the same gives the same."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_core import commands as cmd
from rules_core import events as ev
from rules_core import history, legal
from rules_core.apply import fold
from rules_core.dice import SealedDice
from rules_core.errors import Refusal
from rules_core.game_file import read_any, write_game
from rules_core.history import REFEREE, Entry
from rules_core.turn_order import order_to_come
from tests.rules.play import Table, board, followed, planet
from tests.rules.random_play import Game, random_position, refusal_of, replayed

SECRET = b"\5" * 32
SEEDS = st.integers(0, 10**6)
FEW = settings(max_examples=15, deadline=None, derandomize=True, database=None)


def whole_game(seed: int, rounds: int = 3) -> Game:
    """A random game to the end of so many rounds."""
    return Game(random_position(seed), SealedDice(SECRET)).play(Random(seed), rounds)


# ---- whole games


@given(SEEDS)
@FEW
def test_a_random_game_ends_and_everybody_acts_once_a_round(seed: int) -> None:
    """Each round every player acts once at most, and each next one had the highest power of the rest just then."""
    game = whole_game(seed)
    assert game.state.phase is None
    state = game.start
    acted: set[str] = set()
    for event in game.events:
        if isinstance(event, ev.RoundBegan):
            acted = set()
        if isinstance(event, ev.PhaseBegan):
            assert event.player not in acted
            acted.add(event.player)
            waiting = [p.key for p in state.players if not p.acted and not p.eliminated]
            assert state.political_power(event.player) == max(state.political_power(key) for key in waiting)
        state = fold(state, [event])
    assert state == game.state
    assert order_to_come(state) == ()


def test_the_random_games_meet_every_part_of_the_rules() -> None:
    """What is played at random is worth playing: nearly every kind of event happens in a few games."""
    kinds = {type(event) for seed in range(8) for event in whole_game(seed).events}
    by_referee = {each for each in ev.Event.__args__ if str(each.__doc__).startswith("The referee")}
    rare = {ev.PlayerEliminated, ev.OrderChanged, ev.RefereeActed}
    between_rounds = {ev.PurchaseProposed, ev.PurchaseMade, ev.PurchaseDropped}
    missing = set(ev.Event.__args__) - kinds - by_referee - rare - between_rounds
    assert missing == set()


@given(SEEDS)
@settings(FEW, max_examples=4)
def test_the_same_secret_and_orders_give_the_same_game(seed: int) -> None:
    """Playing the commands of a game again gives the same events, die for die."""
    game = whole_game(seed, rounds=2)
    assert replayed(game, SealedDice(SECRET)) == game.events


@given(SEEDS)
@settings(FEW, max_examples=4)
def test_every_command_that_is_offered_is_accepted(seed: int) -> None:
    """At any moment of a game everything that `legal` offers is followed by `decide`."""
    game, random = Game(random_position(seed), SealedDice(SECRET)), Random(seed)
    game.follow(cmd.Begin())
    for _ in range(12):
        if game.state.phase is None:
            break
        possible = list(legal.commands(game.state))
        for command in random.sample(possible, min(12, len(possible))):
            followed(game.state, command, game.dice)
        game.follow(random.choice(possible))


@given(SEEDS)
@settings(FEW, max_examples=8)
def test_commands_from_anywhere_are_followed_or_refused(seed: int) -> None:
    """Commands of another moment or another game are followed or refused, never a fault, and change nothing else."""
    random = Random(seed)
    game, other = Game(random_position(seed), SealedDice(SECRET)), whole_game(seed + 1, rounds=1)
    game.follow(cmd.Begin())
    strange: list[cmd.Command] = [*other.commands.values(), cmd.Done("nobody"), cmd.Retreat("red", "nowhere")]
    for _ in range(60):
        if game.state.phase is None:
            break
        before = game.state
        try:
            game.follow(_crooked(random, random.choice(strange)))
        except Refusal:
            assert game.state is before
        if game.state.phase is not None:
            game.follow(game.choice(random))


def _crooked(random: Random, command: cmd.Command) -> cmd.Command:
    """A command with some of its numbers and names changed."""
    changed: dict[str, Callable[[Any], Any]] = {
        "fighters": lambda n: random.choice((n, -1, 0, 1, 99)),
        "ships": lambda ids: random.choice((ids, (), ids + ids, (999,), tuple(i + 1 for i in ids))),
        "at": lambda at: random.choice((at, "000", "999")),
        "planet": lambda name: random.choice((name, "P1", "Nowhere")),
        "waypoints": lambda way: random.choice((way, (), way + way, ("999",), ("000", "101"))),
        "player": lambda key: random.choice((key, "red", "blue", "nobody")),
    }
    fields: dict[str, Any] = {
        name: change(getattr(command, name)) for name, change in changed.items() if hasattr(command, name)
    }
    return replace(command, **fields)


# ---- taking back


def free_by_the_rule(game: Game, actor: str) -> tuple[Entry, ...]:
    """What the page says is free: after the last die, another's choice, and the start of the actor's phase."""
    states, live = [game.start], history.live(game.entries)
    for entry in live:
        states.append(fold(states[-1], entry.events))
    free: list[Entry] = []
    for entry, before in reversed(list(zip(live, states[:-1], strict=True))):
        dice = any(isinstance(event, ev.VolleyFired | ev.PlanetBombarded | ev.LandingFiredAt) for event in entry.events)
        dice = dice or any(isinstance(event, ev.GroundRoundFought) for event in entry.events)
        own = before.phase is not None and before.phase.player == actor
        if dice or not own or entry.actor != actor:
            break
        free.insert(0, entry)
        if any(isinstance(event, ev.PhaseBegan) and event.player == actor for event in entry.events):
            break
    return tuple(free)


@given(SEEDS)
@settings(FEW, max_examples=10)
def test_undo_takes_back_what_is_free_and_the_same_again_gives_the_same(seed: int) -> None:
    """An undo goes as far as the rule says, never over a die; doing the same again gives the same dice and table."""
    random = Random(seed)
    game = Game(random_position(seed), SealedDice(SECRET))
    game.follow(cmd.Begin())
    for _ in range(60):
        if game.state.phase is None:
            break
        game.follow(game.choice(random))
        actor, whole = random.choice([player.key for player in game.state.players]), random.random() < 0.5
        free, before, live = free_by_the_rule(game, actor), game.state, history.live(game.entries)
        code = refusal_of(game, actor, whole)
        assert (code is None) is bool(free)
        if code is not None:
            assert code in ("nothing_to_undo", "another_acted_since", "a_die_was_rolled")
            continue
        gone = live[len(history.live(game.entries)) :]
        assert gone == (free if whole else free[-1:])
        assert history.rolled([event for entry in gone for event in entry.events]) == 0
        for entry in gone:
            game.follow(game.commands[entry.first], entry.actor)
        assert game.state == before


def test_case_001_dice_cannot_be_tried_again() -> None:
    """After a roll undo is refused; repeated with a detour from the same table the dice are the same."""
    start = board(red={"201": "2 cruisers"}, blue={"101": "3 cruisers"})
    game = Game(start, SealedDice(SECRET))
    ships = tuple(ship.id for ship in start.ships_at("201", "red"))
    for command in (cmd.MoveShips("red", "201", ("101",), ships), cmd.Done("red")):
        game.follow(command)
    assert refusal_of(game, "red") == "a_die_was_rolled"
    detour = Game(start, SealedDice(SECRET))
    detour.follow(cmd.MoveShips("red", "201", ("202",), ships))
    detour.undo("red")
    for ship in ships:
        detour.follow(cmd.MoveShips("red", "201", ("202", "101"), (ship,)))
    detour.follow(cmd.Done("red"))
    rolled = [[event for event in each.events if isinstance(event, ev.VolleyFired)] for each in (game, detour)]
    assert rolled[0] == rolled[1] != []


def test_case_002_no_new_way_after_pds_have_fired() -> None:
    """The dice of PDS end what can be taken back: no other way with knowledge of them."""
    game = Game(board(planet("Azure", "101", "blue", pds=2), red={"201": "3 cruisers"}), SealedDice(SECRET))
    game.follow(cmd.MoveShips("red", "201", ("101",), (1,)))
    game.follow(cmd.Done("red"))
    assert refusal_of(game, "red", whole_phase=True) == "a_die_was_rolled"
    assert history.rolled(game.events) == 2


def test_case_006_the_last_player_in_order_takes_back() -> None:
    """Though all the others have acted and the round is over, the last one may undo his move and his end."""
    game = Game(board(blue={"201": "cruiser"}), SealedDice(SECRET))
    game.follow(cmd.Done("red"))
    game.follow(cmd.MoveShips("blue", "201", ("101",), (1,)))
    game.follow(cmd.Done("blue"))
    assert game.state.phase is None
    game.undo("blue")
    assert game.state.phase is not None
    game.undo("blue")
    assert (game.state.ships[1].at, game.state.phase.player) == ("201", "blue")
    assert refusal_of(game, "blue") == "nothing_to_undo"


def test_case_007_a_declared_bombardment_taken_back_can_be_declared_again() -> None:
    """After the undo of a declaration its dreadnoughts are free again."""
    game = Game(board(planet("Azure", "101", "blue", gf=1), red={"101": "dreadnought"}), SealedDice(SECRET))
    game.follow(cmd.Done("red"))
    before = game.state
    game.follow(cmd.DeclareBombardment("red", "Azure", (1,)))
    game.undo("red")
    assert game.state == before
    game.follow(cmd.DeclareBombardment("red", "Azure", (1,)))
    assert game.state.phase is not None
    assert game.state.phase.bombardments[0].dreadnoughts == (1,)


def test_case_008_undo_over_the_end_of_a_phase_gives_the_phase_back() -> None:
    """Taking back a `/done` that rolled no die: the acting player, the order and who has acted agree again."""
    game = Game(board(red={"201": "cruiser"}, green={}), SealedDice(SECRET))
    before = game.state
    game.follow(cmd.Done("red"))
    assert order_to_come(game.state) == ("green",)
    game.undo("red")
    assert (game.state, order_to_come(game.state)) == (before, ("blue", "green"))
    assert not game.state.player("red").acted


def test_undo_ends_at_the_start_of_the_phase_and_at_anothers_choice() -> None:
    """There is nothing to undo at the start, and nothing behind what another player did."""
    game = Game(board(red={"201": "cruiser"}, blue={"104": "cruiser"}, acting=None), SealedDice(SECRET))
    game.follow(cmd.Begin())
    assert refusal_of(game, "red") == "nothing_to_undo"
    game.follow(cmd.Done("red"))
    game.follow(cmd.MoveShips("blue", "104", ("103",), (1,)))
    assert refusal_of(game, "red") == "another_acted_since"
    assert refusal_of(game, "blue", whole_phase=True) is None
    assert refusal_of(game, "blue") == "nothing_to_undo"


def test_undo_of_the_referee_is_his_own() -> None:
    """The referee takes back his edits, and nothing of the players."""
    game = Game(board(red={"201": "cruiser"}), SealedDice(SECRET))
    before = game.state
    game.follow(cmd.SetPowerBonus("blue", 30), REFEREE)
    game.follow(cmd.SetResourcesBonus("blue", 3), REFEREE)
    assert refusal_of(game, "red") == "nothing_to_undo"
    game.undo(REFEREE, whole_phase=True)
    assert game.state == before
    game.follow(cmd.MoveShips("red", "201", ("101",), (1,)))
    assert refusal_of(game, REFEREE) == "nothing_to_undo"


def test_live_leaves_out_what_was_taken_back_and_the_undos() -> None:
    """An entry holds unless a later undo returned to before it."""
    table = Table(board(red={"201": "2 cruisers"})).move("cruiser", "201", "101")
    one, two, undone, three = (
        Entry(1, "red", table.last),
        Entry(2, "red", table.last * 2),
        Entry(4, "red", undone_to=1),
        Entry(5, "red", table.last),
    )
    assert [each.last for each in (one, two, undone, three)] == [1, 3, 4, 5]
    assert history.live([one, two]) == (one, two)
    assert history.live([one, two, undone]) == (one,)
    assert history.live([one, two, undone, three]) == (one, three)
    assert history.live([one, two, undone, three, Entry(6, "red", undone_to=0)]) == ()


# ---- the game file of a whole game


@given(SEEDS)
@settings(FEW, max_examples=4)
def test_a_game_file_of_a_whole_game_reads_back_as_the_same_game(seed: int) -> None:
    """Position, every entry with its undos, and the table at the end survive writing and reading."""
    random = Random(seed)
    game = Game(random_position(seed), SealedDice(SECRET))
    game.follow(cmd.Begin(), "game")
    for _ in range(40):
        if game.state.phase is None:
            break
        game.follow(game.choice(random))
        refusal_of(game, random.choice(("red", "blue")), whole_phase=random.random() < 0.3)
    text = write_game(game.start, game.entries)
    read = read_any(text)
    assert read.start == replace(game.start, standing={})
    assert list(read.entries) == game.entries
    assert read.state == replace(game.state, standing={})
    assert write_game(read.start, read.entries) == text
    assert SECRET.hex() not in text
    assert "standing_orders" not in text


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_positions_have_two_to_four_players(players: int) -> None:
    """The random positions cover every number of players, technologies and options."""
    starts = [random_position(seed) for seed in range(40)]
    assert any(len(start.players) == players for start in starts)
    assert {start.options.lone_fighters for start in starts} == {"battle", "ignore"}
    assert {start.options.pds_targets for start in starts} == {"present", "moved"}
    assert {start.options.marker_bombardment for start in starts} == {"none", "neutralise"}

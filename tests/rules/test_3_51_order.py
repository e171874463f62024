"""3.51: the order of play."""

from rules_core import commands as cmd
from rules_core import events as ev
from rules_core.pending import BattleChoice, MovementChoice
from rules_core.turn_order import order_to_come
from rules_core.units import Kind
from tests.rules.play import Table, board, planet, play


def began(table: Table) -> list[str]:
    """Whose phases began, in order."""
    return [event.player for event in table.told(ev.PhaseBegan)]


def test_3_51_a_the_highest_political_power_acts_first() -> None:
    """Players take their phase one after another, the one with the highest political power first."""
    table = play(board(green={}, acting=None, power={"green": 20}), cmd.Begin())
    assert table.acting == "green"
    assert table.told(ev.PhaseBegan) == [ev.PhaseBegan("green", 1, 24)]
    with table.refused("3.51-a", "not_your_phase"):
        table.done(by="red")
    table.done().done().done()
    assert began(table) == ["green", "red", "blue"]
    assert table.told(ev.RoundEnded) == [ev.RoundEnded(1)]


def test_3_51_a_every_command_of_another_is_refused() -> None:
    """While a phase runs nobody else moves, loads, scraps, picks, declares or carries out."""
    table = Table(board(planet("Azure", "101", "blue", gf=1), blue={"101": "carrier"}))
    ship = table.state.ships_at("101", "blue")[0].id
    for command in (
        cmd.MoveShips("blue", "101", ("000",), (ship,)),
        cmd.ScrapUnits("blue", "101", (ship,)),
        cmd.LoadUnits("blue", "101", (cmd.LoadOrder(ship, "Azure", 1),)),
        cmd.ChooseBattle("blue", "101"),
        cmd.DeclareBombardment("blue", "Azure", (ship,)),
        cmd.DeclareLanding("blue", "Azure", ()),
        cmd.Invade("blue"),
    ):
        with table.refused("3.51-a", "not_your_phase"):
            table.do(command)


def test_3_51_b_power_that_changes_in_a_phase_moves_the_order_of_those_to_come() -> None:
    """There is no fixed list: the next is whoever has the highest power of those who have not acted."""
    azure = planet("Azure", "101", "green", gf=1, power=3)
    start = board(azure, red={"101": "carrier+2gf"}, blue={}, green={}, gold={}, power={"gold": 3, "green": 1})
    assert order_to_come(start) == ("green", "blue", "gold")
    table = Table(start, dice="8 8 1").done().land("Azure", "2 gf").invade()
    assert table.told(ev.OrderChanged) == [ev.OrderChanged(("green", "blue", "gold"), ("blue", "green", "gold"))]
    assert table.acting == "blue"


def test_3_51_b_an_unchanged_order_is_not_told() -> None:
    """A capture that leaves the order of those to come as it was says nothing about it."""
    table = Table(board(planet("Azure", "101", power=1), red={"101": "carrier+1gf"}))
    table.done().land("Azure", "gf").invade()
    assert table.on("Azure") == "red: 1gf"
    assert table.told(ev.OrderChanged) == []


def test_3_51_c_nobody_acts_twice_whatever_his_power_becomes() -> None:
    """Who has acted stays done for the round, though his power rises above all others."""
    table = Table(board(green={})).done()
    table.do(cmd.SetPowerBonus("red", 99))
    assert order_to_come(table.state) == ("green",)
    with table.refused("3.51-c", "you_have_acted"):
        table.done(by="red")
    table.done().done()
    assert table.state.phase is None
    with table.refused("3.51-c", "round_is_over"):
        table.done(by="red")
    assert began(table) == ["blue", "green"]


def test_3_51_c_a_phase_under_way_is_never_interrupted() -> None:
    """Power given to another in the middle of a phase changes the order to come only."""
    table = Table(board(green={})).do(cmd.SetPowerBonus("green", 50))
    assert table.acting == "red"
    assert table.told(ev.OrderChanged) == [ev.OrderChanged(("blue", "green"), ("green", "blue"))]
    assert table.done().acting == "green"


def test_3_51_c_the_next_round_opens_only_when_everybody_has_acted() -> None:
    """A round is over when everybody has acted; then the referee opens the next, in which all act again."""
    table = Table(board())
    with table.refused("3.51-c", "round_not_over"):
        table.do(cmd.NextRound())
    table.done().done().do(cmd.NextRound())
    assert (table.state.round, table.acting) == (2, "red")
    assert [player.acted for player in table.state.players] == [False, False]


def test_3_51_d_ties_go_by_resources_then_by_seat() -> None:
    """On equal political power the higher resources go first, then the order of joining; no dice."""
    start = board(green={}, gold={}, acting=None, power={"blue": 2, "green": 4, "gold": 6})
    assert order_to_come(start) == ("red", "blue", "green", "gold")
    table = play(start, cmd.Begin(), cmd.SetResourcesBonus("gold", 3), cmd.SetResourcesBonus("green", 2))
    assert table.acting == "red"
    assert order_to_come(table.state) == ("gold", "green", "blue")
    assert table.dice.places == []


def test_3_51_e_movement_then_battles_then_invasions_then_the_next_player() -> None:
    """One phase is all movement, all space battles, all invasions; each command belongs to its step."""
    azure = planet("Azure", "101", "blue", gf=1)
    table = Table(
        board(azure, red={"201": "dreadnought, carrier+2gf"}, blue={"101": "2 cruisers"}), dice="4 1 1 1 4 1 1"
    )
    with table.refused("3.51-e", "wrong_step"):
        table.do(cmd.Invade("red"))
    table.move("all", "201", "101").done()
    assert table.step == "space_battle"
    with table.refused("3.51-e", "wrong_step"):
        table.land("Azure", "gf")
    with table.refused("3.53-a", "battle_waits"):
        table.done()
    table.go_on()
    assert table.step == "invasion"
    with table.refused("3.51-e", "wrong_step"):
        table.move("dreadnought", "101", "000")
    assert table.done().acting == "blue"


def test_3_51_e_doing_nothing_counts_as_acting() -> None:
    """With no battle and nothing to land or bombard one `/done` ends the phase, and the player has acted."""
    table = Table(board(red={"201": "cruiser"})).done()
    assert table.acting == "blue"
    assert table.state.player("red").acted
    assert [type(event) for event in table.last] == [
        ev.MovementEnded,
        ev.InvasionBegan,
        ev.PhaseEnded,
        ev.PhaseBegan,
    ]


def test_3_51_e_the_referee_ends_a_phase_as_if_nothing_more_was_wanted() -> None:
    """A skipped phase counts as acted; compulsory battles are fought first, declarations are not dropped."""
    azure = planet("Azure", "101")
    table = Table(board(azure, red={"101": "carrier+1gf"}, green={})).do(cmd.SkipPhase())
    assert (table.acting, table.on("Azure")) == ("blue", "nobody:")
    assert table.told(ev.PhaseEnded) == [ev.PhaseEnded("red", skipped=True)]
    fought = Table(board(red={"101": "2 cruisers"}, blue={"101": "cruiser, carrier"}), dice="8 1 1 1").do(
        cmd.SkipPhase()
    )
    assert fought.step == "space_battle"
    declared = Table(board(azure, red={"101": "carrier+1gf"})).done().land("Azure", "gf")
    with declared.refused("3.54-b", "declarations_open"):
        declared.do(cmd.SkipPhase())
    over = Table(board(acting=None, acted=["red", "blue"]))
    with over.refused("3.51-a", "nobody_acts"):
        over.do(cmd.SkipPhase())


def test_3_51_f_the_acting_player_picks_the_order_of_battles() -> None:
    """With several battles the acting player says which is next; the last one needs no choice."""
    start = board(red={"101": "cruiser", "104": "cruiser"}, blue={"101": "cruiser", "104": "cruiser"})
    table = Table(start, dice="8 1 8 1").done()
    assert table.waits_for == (BattleChoice("1/red/1/battle/2", "red", ("101", "104")),)
    with table.refused("3.51-f", "no_battle_due_there"):
        table.battle("103")
    with table.refused("3.51-a", "not_your_phase"):
        table.do(cmd.ChooseBattle("blue", "101"))
    table.battle("104")
    assert [event.at for event in table.told(ev.BattleBegan)] == ["104", "101"]
    assert table.acting == "blue"


def test_3_51_f_the_acting_player_picks_the_order_of_invaded_systems() -> None:
    """Each system's invasion may be carried out on its own, in any order."""
    lying = planet("Azure", "101"), planet("Ochre", "104")
    table = Table(board(*lying, red={"101": "carrier+1gf", "104": "carrier+1gf"})).done()
    table.land("Azure", "gf").land("Ochre", "gf").invade("104")
    assert (table.on("Ochre"), table.on("Azure")) == ("red: 1gf", "nobody:")
    table.invade()
    assert [event.at for event in table.told(ev.InvasionOpened)] == ["104", "101"]


def test_3_51_g_a_player_with_nothing_is_eliminated_and_announced_once() -> None:
    """A player with no unit and no planet is skipped; it is said once."""
    azure = planet("Azure", "101", "blue")
    lying = azure, planet("Redhome", "901", "red", power=5), planet("Greenhome", "919", "green")
    table = Table(board(*lying, red={"101": "carrier+1gf"}, green={}, homes=False)).done().land("Azure", "gf").invade()
    assert table.told(ev.PlayerEliminated) == [ev.PlayerEliminated("blue")]
    assert table.acting == "green"
    with table.refused("3.51-g", "you_are_eliminated"):
        table.done(by="blue")
    table.done().do(cmd.NextRound()).done().done()
    assert len(table.told(ev.PlayerEliminated)) == 1
    assert began(table) == ["green", "red", "green"]


def test_3_51_g_who_is_out_is_not_put_into_the_order_of_those_to_come() -> None:
    """Who lost his last planet would have been next; of the others nothing changed, so no order is told."""
    lying = planet("Azure", "101", "blue", power=3), planet("Redhome", "901", "red", power=5)
    others = planet("Greenhome", "919", "green", power=2), planet("Goldhome", "910", "gold", power=1)
    table = Table(board(*lying, *others, red={"101": "carrier+1gf"}, green={}, gold={}, homes=False)).done()
    table.land("Azure", "gf").invade()
    assert table.told(ev.PlayerEliminated) == [ev.PlayerEliminated("blue")]
    assert (table.told(ev.OrderChanged), table.acting) == ([], "green")


def test_3_51_g_the_acting_player_is_eliminated_when_his_phase_is_over() -> None:
    """Who loses his last unit in his own phase has acted; then he is out."""
    lying = planet("Bluehome", "910", "blue")
    table = Table(board(lying, red={"101": "cruiser"}, blue={"101": "cruiser"}, homes=False), dice="1 8").done()
    assert [type(event) for event in table.last[-3:]] == [ev.PhaseEnded, ev.PlayerEliminated, ev.PhaseBegan]
    assert table.acting == "blue"


def test_3_51_g_the_referee_brings_an_eliminated_player_back() -> None:
    """Units that the referee gives make a player one of the game again."""
    table = Table(board(planet("Redhome", "901", "red"), homes=False, blue={}))
    assert table.state.player("blue").eliminated
    table.do(cmd.PlaceUnits(((Kind.CRUISER, 1),), "101", "blue"))
    assert not table.state.player("blue").eliminated


def test_case_076_who_has_acted_is_never_put_before_who_has_not() -> None:
    """Power that rises above all others in the middle of a round still gives no second phase."""
    azure = planet("Azure", "101", "green", power=1)
    table = Table(board(azure, blue={"101": "carrier+1gf"}, green={}, gold={})).done().done()
    table.land("Azure", "gf").invade()
    table.do(cmd.SetPowerBonus("red", 500)).done().done()
    assert began(table) == ["blue", "green", "gold"]
    assert table.state.phase is None


def test_case_078_a_planet_changes_hands_only_in_the_invasion() -> None:
    """Winning the space battle over a planet changes neither its owner nor the order of play."""
    azure = planet("Azure", "101", "blue", gf=1, power=9)
    table = Table(
        board(azure, red={"101": "carrier+1gf, cruiser"}, blue={"101": "cruiser"}, green={}), dice="8 1 1"
    ).done()
    assert (table.step, table.on("Azure")) == ("invasion", "blue: 1gf")
    assert order_to_come(table.state) == ("blue", "green")


def test_the_movement_step_waits_for_the_acting_player() -> None:
    """3.51-e: what the game waits for is a value with the player and the clause."""
    choice = Table(board()).waits_for[0]
    assert isinstance(choice, MovementChoice)
    assert (choice.player, choice.clause, choice.id) == ("red", "3.51-e", "1/red/1/movement")

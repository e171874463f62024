"""3.53: the space battle step."""

from dataclasses import replace

import pytest

from rules_core import commands as cmd
from rules_core import events as ev
from rules_core.choices import LossesChoice, RetreatChoice
from rules_core.combat import by_order_of_kinds
from rules_core.dice import DiePlace, Purpose, SealedDice
from rules_core.errors import Ambiguous
from rules_core.state import Losses
from rules_core.units import Kind
from tests.rules.play import Table, board, planet


def volleys(table: Table) -> list[tuple[str, str, int, int]]:
    """Every volley in space: purpose, shooter, dice, hits."""
    fired = ((each.volley, each.shooter) for each in table.told(ev.VolleyFired))
    return [(v.place.purpose.value, who, len(v.shots), v.hits) for v, who in fired]


def reasons(table: Table) -> dict[str, str]:
    """Why the attacker may not retreat to the other neighbours, as it is waited for now."""
    choice = table.waits_for[0]
    assert isinstance(choice, RetreatChoice)
    return {barred.at: barred.code for barred in choice.barred}


def goals(table: Table) -> tuple[str, ...]:
    """Where the attacker may retreat to now."""
    choice = table.waits_for[0]
    assert isinstance(choice, RetreatChoice)
    return choice.goals


# ---- when and in which order


def test_3_53_a_the_step_starts_when_movement_ends_and_is_compulsory() -> None:
    """A battle that is due cannot be passed over, by the player or by the referee."""
    table = Table(board(red={"101": "2 cruisers"}, blue={"101": "cruiser, carrier"}), dice="8 1 1 1").done()
    assert [type(event) for event in table.last[:2]] == [ev.MovementEnded, ev.BattleBegan]
    with table.refused("3.53-a", "battle_waits"):
        table.done()
    with table.refused("3.53-a", "battle_waits"):
        table.do(cmd.SkipPhase())


def test_3_53_b_pds_then_cannon_then_rounds_until_one_side_is_gone() -> None:
    """PDS fire, assault cannon, both roll, both remove, the attacker decides; then again."""
    azure = planet("Azure", "101", "blue", pds=1)
    tech = {"red": ["assault_cannon"]}
    start = board(azure, red={"201": "dreadnought, 2 cruisers"}, blue={"101": "4 cruisers"}, tech=tech)
    table = Table(start, dice="6 4 4 1 1 1 1 4 8 1 1").move("all", "201", "101").done().losses("cruiser").go_on()
    assert volleys(table) == [
        ("pds", "blue", 1, 1),
        ("cannon", "red", 1, 1),
        ("volley", "red", 2, 1),
        ("volley", "blue", 3, 0),
        ("volley", "red", 2, 2),
        ("volley", "blue", 2, 0),
    ]
    steps = [event.step.value for event in table.told(ev.BattleAdvanced)]
    opening = ["pds_losses", "assault_cannon", "cannon_losses", "volley"]
    assert steps == [*opening, "losses", "retreat", "volley", "losses", "retreat", "fighter_room"]


# ---- (1) PDS


def test_3_53_c_every_pds_of_another_fires_once_and_the_attacker_chooses() -> None:
    """Each PDS of another race in the system fires once at the ships there; their owner chooses what goes, at once."""
    lying = (
        planet("Azure", "101", "blue", pds=2),
        planet("Ochre", "101", "green", pds=1),
        planet("Umber", "101", "red", pds=1),
    )
    table = Table(board(*lying, red={"201": "carrier+1gf, 2 fighters, cruiser"}, green={}), dice="6 5 9")
    table.move("all", "201", "101").done()
    assert volleys(table) == [("pds", "blue", 2, 1), ("pds", "green", 1, 1)]
    with table.refused("3.53-f", "wrong_number_of_losses"):
        table.losses("cruiser")
    table.losses("cruiser, fighter")
    assert table.at("101") == "red: carrier+1gf, fighter"


def test_3_53_c_fighters_alone_are_fired_at_and_ships_that_were_there() -> None:
    """Fighters without a ship are targets, and so are ships that did not move in this phase."""
    lying = planet("Azure", "101", "blue", pds=1), planet("Ochre", "101", "red", dock=True)
    alone = Table(board(*lying, red={"101": "2 fighters"}), dice="6").done()
    assert alone.at("101") == "red: fighter"
    there = Table(board(*lying, red={"101": "2 cruisers"}), dice="6").done()
    assert there.at("101") == "red: cruiser"


def test_3_53_c_option_moved_spares_ships_that_were_there_all_along() -> None:
    """`option pds_targets: moved`: PDS fire only if a ship moved in, and only such ships and fighters may be lost."""
    azure = planet("Azure", "101", "blue", pds=1)
    options = {"pds_targets": "moved"}
    stayed = Table(board(azure, red={"101": "cruiser"}, options=options)).done()
    assert (stayed.acting, volleys(stayed)) == ("blue", [])
    start = board(azure, red={"101": "2 cruisers", "201": "cruiser, carrier"}, options=options)
    old, moved = (tuple(ship.id for ship in start.ships_at(at, "red")) for at in ("101", "201"))
    table = Table(start, dice="6").move("all", "201", "101").done()
    choice = table.waits_for[0]
    assert isinstance(choice, LossesChoice)
    assert (choice.ships, choice.fighters) == (moved, 0)
    with table.refused("3.53-f", "cannot_be_lost"):
        table.do(cmd.ChooseLosses("red", old[:1]))
    with table.refused("3.53-f", "cannot_be_lost"):
        table.losses("3 cruisers")
    assert [ship.id in moved for ship in table.losses("cruiser").told(ev.UnitsDestroyed)[0].ships] == [True]


def test_3_53_c_option_moved_needs_a_ship_that_moved_for_any_fire() -> None:
    """Under `moved` fighters that stand there alone are not fired at."""
    lying = planet("Azure", "101", "blue", pds=1), planet("Ochre", "101", "red", dock=True)
    table = Table(board(*lying, red={"101": "cruiser, 2 fighters"}, options={"pds_targets": "moved"})).done()
    assert table.dice.places == []
    battle = board(*lying, red={"101": "cruiser"}, blue={"101": "cruiser"}, options={"pds_targets": "moved"})
    assert volleys(Table(battle, dice="8 1").done()) == [("volley", "red", 1, 1), ("volley", "blue", 1, 0)]


def test_3_53_c_pds_hold_by_standing_order_of_their_owner() -> None:
    """PDS may fire: the owner can order his to hold, at all or at one player; the default is fire."""
    azure = planet("Azure", "101", "blue", pds=1)
    held = board(azure, red={"101": "cruiser"}, standing={"blue": {"pds": {"default": "hold"}}})
    table = Table(held).done()
    assert (table.told(ev.FireHeld), table.at("101")) == ([ev.FireHeld("101", "blue")], "red: cruiser")
    at_one = {"blue": {"pds": {"default": "hold", "red": "fire"}}}
    assert volleys(Table(board(azure, red={"101": "cruiser"}, standing=at_one), dice="5").done()) == [
        ("pds", "blue", 1, 0)
    ]
    for_another = {"blue": {"pds": {"green": "hold"}}}
    start = board(azure, red={"101": "cruiser"}, green={}, standing=for_another)
    assert volleys(Table(start, dice="5").done()) == [("pds", "blue", 1, 0)]
    spared = {"blue": {"pds": {"red": "hold"}}}
    assert Table(board(azure, red={"101": "cruiser"}, standing=spared)).done().dice.places == []


def test_3_53_c_pds_of_a_third_race_fire_at_the_attacker_in_a_battle() -> None:
    """Each owner of PDS in the system takes part, also a third one; nobody fires at the defender."""
    lying = planet("Azure", "101", "green", pds=1), planet("Ochre", "101", "red", pds=3)
    table = Table(board(*lying, red={"101": "2 cruisers"}, blue={"101": "cruiser"}, green={}), dice="6 8 1").done()
    assert volleys(table) == [("pds", "green", 1, 1), ("volley", "red", 1, 1), ("volley", "blue", 1, 0)]


# ---- (2) assault cannon


def test_3_53_d_each_dreadnought_fires_once_before_the_first_round() -> None:
    """With the technology the attacker's dreadnoughts fire first; the defender removes at once and without reply."""
    tech = {"red": ["assault_cannon"], "blue": ["assault_cannon"]}
    start = board(red={"101": "2 dreadnoughts, cruiser"}, blue={"101": "2 cruisers, dreadnought"}, tech=tech)
    table = Table(start, dice="4 4 4 1 1 3").done()
    assert volleys(table) == [("cannon", "red", 2, 2)]
    table.losses("2 cruisers", by="blue")
    assert volleys(table)[1:] == [("volley", "red", 3, 1), ("volley", "blue", 1, 0)]


@pytest.mark.parametrize("tech", [{}, {"blue": ["assault_cannon"]}])
def test_3_53_d_without_the_technology_there_is_no_cannon(tech: dict[str, list[str]]) -> None:
    """The cannon is the attacker's own technology; the defender's is of no use to anybody."""
    table = Table(board(red={"101": "dreadnought"}, blue={"101": "dreadnought"}, tech=tech), dice="4 1").done()
    assert volleys(table) == [("volley", "red", 1, 1), ("volley", "blue", 1, 0)]


def test_3_53_d_dreadnoughts_lost_to_pds_do_not_fire() -> None:
    """Only what is left after PDS fire has a cannon."""
    azure = planet("Azure", "101", "blue", pds=1)
    start = board(azure, red={"101": "2 dreadnoughts"}, blue={"101": "cruiser"}, tech={"red": ["assault_cannon"]})
    assert volleys(Table(start, dice="6 4").done()) == [("pds", "blue", 1, 1), ("cannon", "red", 1, 1)]


# ---- (3) and (4) rounds and losses


@pytest.mark.parametrize(
    ("ship", "tech", "needed"),
    [
        ("fighter", [], 9),
        ("fighter", ["cybernetics"], 8),
        ("cruiser", [], 8),
        ("cruiser", ["hylar_v_assault_laser"], 7),
        ("carrier", [], 9),
        ("dreadnought", [], 4),
        ("dreadnought", ["hylar_v_assault_laser", "cybernetics", "type_iv_drive"], 4),
    ],
)
def test_3_53_e_a_roll_at_or_above_the_combat_value_hits(ship: str, tech: list[str], needed: int) -> None:
    """Each unit rolls one d10; at or above its combat value, as its technologies make it, is a hit."""
    lying = planet("Azure", "101", "red", dock=True)
    start = board(lying, red={"101": ship}, blue={"101": "carrier"}, tech={"red": tech})
    table = Table(start, dice=f"{needed - 1} 1 {needed} 1").done()
    assert [each.volley.hits for each in table.told(ev.VolleyFired)] == [0, 0, 1, 0]
    assert table.told(ev.VolleyFired)[0].volley.shots[0].needed == needed
    assert table.at("101") == f"red: {ship}"


def test_3_53_e_what_is_hit_in_a_round_still_fires_in_it() -> None:
    """The volleys are simultaneous: the defender rolls with everything, though the attacker rolled first."""
    table = Table(board(red={"101": "cruiser"}, blue={"101": "cruiser"}), dice="8 8").done()
    assert volleys(table) == [("volley", "red", 1, 1), ("volley", "blue", 1, 1)]
    assert table.at("101") == ""


def test_3_53_f_each_side_chooses_exactly_as_many_as_it_took_hits() -> None:
    """Not fewer, not more, only of one's own ships and fighters there, none twice, none less than none."""
    start = board(red={"201": "2 cruisers, carrier+2gf, 2 fighters", "102": "cruiser"}, blue={"101": "2 cruisers"})
    table = Table(start, dice="1 1 1 1 1 8 8").move("all", "201", "101").done()
    for units in ("cruiser", "3 fighters", "cruiser, 2 fighters", "all"):
        with table.refused("3.53-f" if units != "3 fighters" else None):
            table.losses(units)
    enemy, elsewhere = table.state.ships_at("101", "blue")[0].id, table.state.ships_at("102", "red")[0].id
    own = [ship.id for ship in table.state.ships_at("101", "red")]
    for ships, fighters in (((enemy, own[0]), 0), ((elsewhere, own[0]), 0), ((own[0], own[0]), 0), (tuple(own), -1)):
        with table.refused("3.53-f"):
            table.do(cmd.ChooseLosses("red", ships, fighters))
    table.losses("carrier, fighter")
    assert table.at("101") == "red: 2 cruiser, fighter | blue: 2 cruiser"


def test_3_53_f_ground_units_aboard_cannot_be_chosen() -> None:
    """Ground forces and PDS aboard are no losses of a space battle."""
    table = Table(board(red={"101": "carrier+2gf+1pds, cruiser"}, blue={"101": "cruiser"}), dice="1 1 8").done()
    for units in ("gf", "pds"):
        with table.refused("3.53-f", "only_ships_and_fighters"):
            table.losses(units)
    with table.refused("3.52.2-e", "cargo_goes_with_its_carrier"):
        table.losses("carrier + gf")


def test_3_53_f_nothing_is_removed_until_both_choices_are_in() -> None:
    """Two sides owe an answer at once; the first answer changes nothing on the table."""
    start = board(red={"201": "cruiser, carrier"}, blue={"101": "cruiser, dreadnought"})
    table = Table(start, dice="8 1 4 1").move("all", "201", "101").done()
    assert {choice.player for choice in table.waits_for} == {"red", "blue"}
    table.losses("cruiser", by="blue")
    assert table.at("101") == "red: cruiser, carrier | blue: dreadnought, cruiser"
    with table.refused("3.53-f", "not_your_choice"):
        table.losses("cruiser", by="blue")
    table.losses("carrier", by="red")
    assert table.at("101") == "red: cruiser | blue: dreadnought"


def test_3_53_f_surplus_hits_are_lost() -> None:
    """Hits beyond what is left do nothing, here or in a later round."""
    table = Table(board(red={"101": "3 cruisers"}, blue={"101": "cruiser"}), dice="8 8 8 8").done()
    assert table.at("101") == "red: 2 cruiser"


def test_3_53_f_choices_with_one_answer_are_made_and_shown() -> None:
    """Hits that reach all, or units that are all alike, need no question; unlike loads do."""
    alike = (
        Table(board(red={"101": "3 cruisers"}, blue={"101": "cruiser"}), dice="1 1 1 8 8 1 1")
        .done()
        .told(ev.LossesChosen)
    )
    assert [(each.player, each.cause.value, each.losses.count) for each in alike[:1]] == [("red", "forced", 1)]
    fighters = board(planet("Azure", "101", "red", dock=True), red={"101": "2 fighters"}, blue={"101": "cruiser"})
    assert Table(fighters, dice="9 1 1").done().at("101") == "red: 2 fighter"
    for one, other, asked in (
        ("carrier+1gf", "carrier+1gf", 0),
        ("carrier+1gf", "carrier+1pds", 1),
        ("carrier", "cruiser", 1),
    ):
        table = Table(board(red={"201": f"{one}, {other}"}, blue={"101": "cruiser"}), dice="1 1 8")
        table.move("all", "201", "101").done()
        assert sum(isinstance(choice, LossesChoice) for choice in table.waits_for) == asked


def test_3_53_f_unlike_carriers_are_named_by_number() -> None:
    """`carrier` among carriers with different loads is ambiguous and lists them; all of them is not."""
    start = board(red={"201": "carrier+1gf, carrier, cruiser"}, blue={"101": "2 cruisers"})
    table = Table(start, dice="1 1 1 8 8").move("all", "201", "101").done()
    with pytest.raises(Ambiguous) as ambiguous:
        table.losses("carrier, cruiser")
    assert [ship.load for ship in ambiguous.value.params["candidates"]] == [1, 0]  # type: ignore[attr-defined]
    assert table.losses("2 carriers").at("101") == "red: cruiser | blue: 2 cruiser"
    other = Table(start, dice="1 1 1 8 8").move("all", "201", "101").done()
    assert other.losses("carrier 2, cruiser").at("101") == "red: carrier+1gf | blue: 2 cruiser"


def test_3_53_f_unlike_cruisers_are_named_by_number_too() -> None:
    """With stasis capsules cruisers may differ: then the number says which; alike ones go oldest first."""
    start = board(red={"201": "cruiser+1gf, 2 cruisers"}, blue={"101": "cruiser"}, tech={"red": ["stasis_capsules"]})
    table = Table(start, dice="1 1 1 8").move("all", "201", "101").done()
    with pytest.raises(Ambiguous):
        table.losses("cruiser")
    assert table.losses("cruiser 2").at("101") == "red: cruiser+1gf, cruiser | blue: cruiser"


# ---- (5) retreat


def test_3_53_g_only_the_attacker_retreats_after_a_full_round_with_the_whole_fleet() -> None:
    """Retreat is offered after a round, to the attacker; every ship and its cargo goes."""
    start = board(red={"201": "cruiser, carrier+2gf, fighter"}, blue={"101": "2 cruisers"})
    table = Table(start, dice="1 1 1 1 8").move("cruiser", "201", "101").move("carrier, fighter", "201", "101").done()
    with table.refused("3.53-g", "no_such_choice_now"):
        table.retreat("201")
    table.losses("fighter")
    for command in (cmd.Retreat("blue", "201"), cmd.ContinueBattle("blue")):
        with table.refused("3.53-g", "not_your_choice"):
            table.do(command)
    table.retreat("201")
    assert (table.at("101"), table.at("201")) == ("blue: 2 cruiser", "red: cruiser, carrier+2gf")
    assert table.told(ev.BattleEnded) == [ev.BattleEnded("101", "blue")]


def test_3_53_h_the_goal_is_a_neighbour_some_ship_came_through() -> None:
    """Every system on the whole route of any attacking ship counts, its start too, if it touches the battle."""
    start = board(red={"201": "cruiser", "103": "cruiser"}, blue={"101": "2 cruisers"})
    table = (
        Table(start, dice="1 1 1 1").move("cruiser", "201", "202", "101").move("cruiser", "103", "102", "101").done()
    )
    assert set(goals(table)) == {"201", "202", "102"}
    assert reasons(table) == {"000": "nobody_came_through", "106": "nobody_came_through", "212": "nobody_came_through"}
    with table.refused("3.53-h", "no_retreat_there"):
        table.retreat("000")
    with table.refused("3.53-h", "no_retreat_there") as why:
        table.retreat("103")
    assert why[0].params["reason"].code == "does_not_touch"  # type: ignore[attr-defined]


def test_3_53_h_routes_of_destroyed_ships_count_those_of_ships_at_rest_do_not() -> None:
    """The routes are fixed when movement ends, before PDS fire; a ship that did not move gives none."""
    start = board(red={"201": "carrier", "102": "cruiser"}, blue={"101": "2 cruisers"})
    table = Table(start, dice="1 1 8 1").move("carrier", "201", "101").move("cruiser", "102", "101").done()
    table.losses("carrier")
    assert set(goals(table)) == {"201", "102"}
    rested = Table(board(red={"101": "2 cruisers"}, blue={"101": "2 cruisers"}), dice="1 1 1 1 8 8 1 1").done()
    assert {b.code for b in rested.told(ev.BattleContinued)[0].barred} == {"no_ship_moved_in"}
    beside = Table(board(red={"101": "cruiser", "201": "cruiser"}, blue={"101": "2 cruisers"}), dice="1 1 1 1")
    assert goals(beside.move("cruiser", "201", "101").done()) == ("201",)


def test_3_53_i_no_retreat_if_every_ship_came_by_wormhole() -> None:
    """Without one ship that entered by an ordinary step there is none, though a route touches the battle."""
    tiles = {"201": "alpha", "104": "alpha", "000": "alpha"}
    start = board(red={"103": "cruiser"}, blue={"201": "2 cruisers"}, tiles=tiles)
    table = Table(start, dice="1 1 1 1 8 1").move("cruiser", "103", "104", "201").done()
    assert {b.code for b in table.told(ev.BattleContinued)[0].barred} == {"all_came_by_wormhole"}


def test_3_53_i_an_occupied_route_closes_that_system_only() -> None:
    """Not to a system with ships or fighters of another race; the other routes stay open."""
    azure = planet("Azure", "202", "blue", dock=True)
    start = board(azure, red={"203": "cruiser", "201": "cruiser"}, blue={"101": "2 cruisers", "202": "fighter"})
    table = Table(start, dice="1 1 1 1").move("cruiser", "203", "202", "101").move("cruiser", "201", "101").done()
    assert (goals(table), reasons(table)["202"]) == (("201",), "held_by_another")
    with table.refused("3.53-i", "no_retreat_there"):
        table.retreat("202")


def test_3_53_i_not_to_a_red_bordered_system() -> None:
    """An asteroid field that was passed is no goal."""
    tech, tiles = {"red": ["antimass_deflectors"]}, {"101": "asteroid_field"}
    start = board(red={"000": "cruiser"}, blue={"201": "2 cruisers"}, tiles=tiles, tech=tech)
    table = Table(start, dice="1 1 1 1 8 1").move("cruiser", "000", "101", "201").done()
    assert {each.at: each.code for each in table.told(ev.BattleContinued)[0].barred}["101"] == "red_border"


def test_3_53_i_with_no_system_left_the_battle_goes_on_unasked() -> None:
    """The choice is not offered; the event says why for every neighbour."""
    table = Table(board(red={"102": "cruiser"}, blue={"101": "cruiser"}), dice="1 1 8 1").move("cruiser", "102", "101")
    table.do(cmd.PlaceUnits(((Kind.CRUISER, 1),), "102", "blue")).done()
    went_on = table.told(ev.BattleContinued)[0]
    assert (went_on.cause, len(table.told(ev.VolleyFired))) == (ev.Cause.FORCED, 4)
    assert [(each.at, each.code) for each in went_on.barred] == [
        ("201", "nobody_came_through"),
        ("202", "nobody_came_through"),
        ("102", "held_by_another"),
        ("000", "nobody_came_through"),
        ("106", "nobody_came_through"),
        ("212", "nobody_came_through"),
    ]


def test_3_53_j_who_came_by_wormhole_retreats_along_a_comrades_route() -> None:
    """One ship that entered by an ordinary step opens its route to the whole fleet."""
    tiles = {"101": "alpha", "207": "alpha"}
    start = board(red={"207": "cruiser", "201": "cruiser"}, blue={"101": "2 cruisers"}, tiles=tiles)
    table = Table(start, dice="1 1 1 1").move("cruiser", "207", "101").move("cruiser", "201", "101").done()
    assert goals(table) == ("201",)
    assert table.retreat("201").at("201") == "red: 2 cruiser"


def test_3_53_k_fighters_retreat_as_far_as_there_is_room_the_rest_die() -> None:
    """Room is on the retreating carriers alone, beside ground units aboard; an own dock here is no room."""
    dock = planet("Azure", "101", "red", dock=True)
    start = board(dock, red={"201": "carrier+3gf, 2 fighters", "101": "2 fighters"}, blue={"101": "2 cruisers"})
    table = Table(start, dice="1 1 1 1 1 1 1").move("all", "201", "101").done().retreat("201")
    assert (table.at("201"), table.at("101")) == ("red: carrier+3gf, 2 fighter", "blue: 2 cruiser")
    assert table.told(ev.FleetRetreated)[0].fighters_lost == 2


def test_3_53_k_fighters_alone_cannot_retreat() -> None:
    """When the carriers are gone the fighters fight on without a choice."""
    start = board(red={"201": "carrier, 3 fighters"}, blue={"101": "2 cruisers"})
    table = Table(start, dice="1 1 1 1 8 1 1 1 1 8 8 1 8 1").move("all", "201", "101").done().losses("carrier")
    assert {b.code for b in table.told(ev.BattleContinued)[0].barred} == {"fighters_alone_cannot_retreat"}
    assert table.told(ev.FleetRetreated) == []


def test_3_53_l_cargo_dies_and_fighters_live_until_the_end() -> None:
    """A destroyed carrier's ground units die with it; its fighters roll in the rounds that follow."""
    table = Table(board(red={"101": "carrier+4gf, fighter"}, blue={"101": "cruiser"}), dice="1 1 8 9 1").done()
    table.losses("carrier")
    assert [len(each.volley.shots) for each in table.told(ev.VolleyFired)] == [2, 1, 1, 1]
    assert (table.told(ev.UnitsDestroyed)[0].ships[0].load, table.at("101")) == (4, "")
    assert table.told(ev.FightersLost) == [ev.FightersLost("red", "101", 1, "3.52.2-f")]


def test_3_53_m_a_side_wiped_out_by_pds_or_cannon_rolls_no_round() -> None:
    """With nobody left on a side there is no round."""
    azure = planet("Azure", "101", "blue", pds=1)
    by_pds = Table(board(azure, red={"101": "cruiser"}, blue={"101": "cruiser"}), dice="6").done()
    assert (volleys(by_pds), by_pds.at("101")) == ([("pds", "blue", 1, 1)], "blue: cruiser")
    cannon = board(red={"101": "dreadnought"}, blue={"101": "cruiser"}, tech={"red": ["assault_cannon"]})
    assert volleys(Table(cannon, dice="4").done()) == [("cannon", "red", 1, 1)]


def test_3_53_m_both_gone_leave_the_system_empty_and_nobody_lands() -> None:
    """Both sides destroyed in one round: nobody holds the system."""
    azure = planet("Azure", "101", "blue", gf=1)
    table = Table(board(azure, red={"101": "carrier+5gf"}, blue={"101": "carrier"}), dice="9 9").done()
    assert (table.at("101"), table.acting) == ("", "blue")
    assert table.told(ev.BattleEnded) == [ev.BattleEnded("101", None)]


def test_3_53_n_pds_at_the_goal_of_a_retreat_do_not_fire() -> None:
    """They fire when movement ends; a fleet that retreated may still land where it is now."""
    lying = planet("Azure", "201", "blue", pds=2, gf=1)
    start = board(lying, red={"201": "carrier+2gf"}, blue={"101": "2 cruisers"})
    table = Table(start, dice="1 1 1 1 1 8 1 1").move("carrier", "201", "101").done().retreat("201")
    assert volleys(table) == [("volley", "red", 1, 0), ("volley", "blue", 2, 0)]
    assert (table.step, [each.declarable for each in table.waits_for]) == ("invasion", [("201",)])  # type: ignore[union-attr]
    assert table.land("Azure", "2 gf").invade().on("Azure") == "red: 2gf"


def test_3_53_o_systems_with_pds_fire_only_come_first_by_label() -> None:
    """PDS fire by system: where no battle follows first, by label; then each battle's before its assault cannon."""
    lying = [planet(f"P{at}", at, "blue", pds=1) for at in ("101", "102", "104")]
    start = board(
        *lying,
        red={"104": "cruiser", "102": "dreadnought", "101": "cruiser"},
        blue={"102": "cruiser"},
        tech={"red": ["assault_cannon"]},
    )
    table = Table(start, dice="1 1 1 4").done()
    assert table.faces() == [
        ("pds", "101", "blue", 1),
        ("pds", "104", "blue", 1),
        ("pds", "102", "blue", 1),
        ("cannon", "102", "red", 1),
    ]


def test_3_53_o_within_a_volley_the_attacker_first_and_kinds_in_order() -> None:
    """Attacker's units, then the defender's; within a side dreadnoughts, cruisers, carriers, fighters."""
    start = board(
        red={"101": "carrier, 2 fighters, cruiser, dreadnought"}, blue={"101": "carrier, fighter, dreadnought"}
    )
    table = Table(start, dice="1 1 1 1 1 1 1 9").done()
    shots = [[shot.kind.value for shot in each.volley.shots] for each in table.told(ev.VolleyFired)[:2]]
    assert shots[0] == ["dreadnought", "cruiser", "carrier", "fighter", "fighter"]
    assert shots[1] == ["dreadnought", "carrier", "fighter"]
    assert table.faces() == [("volley", "101", "red", n) for n in range(1, 6)] + [
        ("volley", "101", "blue", n) for n in range(1, 4)
    ]
    assert {place.volley for place in table.dice.places} == {1}


def test_3_53_o_pds_owners_fire_in_seat_order() -> None:
    """Owners in seat order, whatever the order of the planets; one choice of losses for all their hits."""
    lying = planet("Azure", "101", "green", pds=1), planet("Ochre", "101", "blue", pds=2)
    table = Table(board(*lying, red={"101": "5 cruisers"}, green={}), dice="6 6 6").done()
    assert [face[2] for face in table.faces()] == ["blue", "blue", "green"]
    assert [each.losses.count for each in table.told(ev.LossesChosen)] == [3]


# ---- sealed dice


def test_a_die_is_a_function_of_its_place_and_of_nothing_else() -> None:
    """The way there, a detour or an undo, changes no die; another place or another secret does."""
    dice = SealedDice(bytes(32))
    start = board(red={"201": "2 cruisers"}, blue={"101": "3 cruisers"})
    straight = Table(start, dice=dice).move("all", "201", "101").done()
    detour = Table(start, dice=SealedDice(bytes(32))).move("cruiser", "201", "202").move("cruiser", "202", "101")
    detour.move("cruiser", "201", "101").done()
    assert straight.told(ev.VolleyFired) == detour.told(ev.VolleyFired)
    place = straight.told(ev.VolleyFired)[0].volley.place
    rolls = {n: [dice.roll(replace(place, number=k, volley=n)) for k in range(1, 30)] for n in (1, 2)}
    assert rolls[1] != rolls[2]
    assert [SealedDice(b"\1" * 32).roll(replace(place, number=k)) for k in range(1, 30)] != rolls[1]
    assert place.text().split("\n") == ["1", "red", "1", "101", "volley", "1", "red", "1"]
    with pytest.raises(ValueError, match="32 bytes"):
        SealedDice(b"short")


def test_sealed_dice_show_ten_faces_alike() -> None:
    """Of 20,000 dice every face comes up about equally often (within 5 standard deviations)."""
    dice = SealedDice(b"\7" * 32)
    faces = [dice.roll(DiePlace(1, "red", 1, "101", Purpose.VOLLEY, 1, "red", n)) for n in range(20_000)]
    counts = [faces.count(face) for face in range(1, 11)]
    assert sum(counts) == 20_000
    assert all(abs(count - 2000) < 5 * 42.5 for count in counts)


# ---- standing orders


def test_standing_losses_go_in_the_named_order() -> None:
    """`losses: fighter, cruiser`: removed in this order, shown as a standing order; the cheapest load first."""
    orders = {"red": {"losses": ["fighter", "carrier", "cruiser"]}}
    start = board(
        red={"101": "cruiser, carrier+2pds, carrier+1gf, carrier+1pds, fighter"},
        blue={"101": "3 cruisers"},
        standing=orders,
    )
    table = Table(start, dice="1 1 1 1 1 8 8 8").move("cruiser", "101", "102", "101").done()
    assert table.at("101") == "red: cruiser, carrier+2pds | blue: 3 cruiser"
    assert [each.cause.value for each in table.told(ev.LossesChosen)] == ["standing_order"]


def test_standing_losses_of_unlike_carriers_least_loaded_then_fewest_ground_forces_then_lowest_number() -> None:
    """Of carriers the least loaded goes, then the one with fewest ground forces, then the lowest number."""
    start = board(red={"101": "carrier+2gf, carrier+1gf+1pds, carrier+3gf, carrier+3gf"})
    ships = start.ships_at("101", "red")
    ids = [by_order_of_kinds([Kind.CARRIER], ships, 0, hits) for hits in (1, 2, 3)]
    assert ids == [Losses((2,)), Losses((2, 1)), Losses((2, 1, 3))]
    assert by_order_of_kinds([Kind.FIGHTER], ships, 1, 2) is None


def test_a_standing_order_that_does_not_reach_asks_for_all() -> None:
    """If the named kinds do not reach, the player is asked for all the hits."""
    orders = {"red": {"losses": ["fighter"]}}
    start = board(red={"101": "2 cruisers, carrier, fighter"}, blue={"101": "2 cruisers"}, standing=orders)
    table = Table(start, dice="1 1 1 1 8 8").done()
    assert [choice.hits for choice in table.waits_for if isinstance(choice, LossesChoice)] == [2]


def test_a_standing_order_does_not_answer_a_choice_that_already_waits() -> None:
    """It takes effect for choices that fall due after it: losses and retreats that wait stay open."""
    start = board(red={"201": "2 cruisers, carrier"}, blue={"101": "2 cruisers, carrier"})
    table = (
        Table(start, dice="8 1 1 8 1 1 1 1 1 1 8 9 1 1")
        .move("2 cruisers", "201", "101")
        .move("carrier", "201", "101")
        .done()
    )
    table.order("blue", losses=(Kind.CARRIER,)).losses("cruiser")
    assert [choice.player for choice in table.waits_for] == ["blue"]
    table.losses("cruiser", by="blue")
    table.order("red", retreat=1).do(cmd.SetPowerBonus("blue", 1))
    assert isinstance(table.waits_for[0], RetreatChoice)
    table.go_on()
    assert table.told(ev.BattleContinued)[-1].cause is ev.Cause.STANDING_ORDER


def test_standing_retreat_never_goes_on() -> None:
    """`retreat: never`: the attacker fights to the end unasked."""
    start = board(red={"201": "2 cruisers"}, blue={"101": "cruiser"}, standing={"red": {"retreat": "never"}})
    table = Table(start, dice="1 1 1 8 1 1").move("all", "201", "101").done()
    assert [each.cause.value for each in table.told(ev.BattleContinued)] == ["standing_order"]
    assert table.at("101") == "red: 2 cruiser"


def test_standing_retreat_below_a_number_of_ships_counts_no_fighters() -> None:
    """`retreat: below 2 ships`: at two ships on, at one back; with several goals the player is asked where."""
    orders = {"red": {"retreat": "below 2 ships"}}
    start = board(red={"201": "carrier, 3 fighters, cruiser"}, blue={"101": "2 carriers"}, standing=orders)
    dice = "1 1 1 1 1 1 1" + " 1 1 1 1 1 9 1"
    table = Table(start, dice=dice).move("all", "201", "101").done().losses("cruiser")
    assert [each.cause.value for each in table.told(ev.FleetRetreated)] == ["standing_order"]
    assert table.at("201") == "red: carrier, 3 fighter"
    two = board(red={"201": "cruiser", "202": "cruiser"}, blue={"101": "2 cruisers"}, standing=orders)
    asked = Table(two, dice="1 1 8 1").move("cruiser", "201", "101").move("cruiser", "202", "101").done()
    assert set(goals(asked)) == {"201", "202"}


def test_standing_losses_are_told_before_the_other_side_has_chosen_and_removed_after() -> None:
    """A side with a standing order does not see the other's choice first: nothing is removed yet."""
    orders = {"blue": {"losses": ["cruiser"]}}
    start = board(red={"101": "cruiser, carrier"}, blue={"101": "cruiser, dreadnought"}, standing=orders)
    table = Table(start, dice="8 1 4 1").done()
    assert table.at("101") == "red: cruiser, carrier | blue: dreadnought, cruiser"
    assert [choice.player for choice in table.waits_for] == ["red"]


# ---- cases


def test_case_051_a_battle_on_the_edge_and_beside_a_hole() -> None:
    """The list of retreats holds only systems that exist."""
    edge = Table(board(red={"101": "cruiser"}, blue={"201": "cruiser"}, holes=["212"]), dice="1 1")
    edge.move("cruiser", "101", "201").done()
    assert (goals(edge), set(reasons(edge))) == (("101",), {"202"})
    with edge.refused("3.53-h", "no_retreat_there"):
        edge.retreat("212")


def test_case_052_every_neighbour_on_the_path_is_held_by_others() -> None:
    """No retreat is offered, and the reasons are listed for each neighbour."""
    azure = planet("Azure", "202", "blue", dock=True)
    start = board(azure, red={"203": "cruiser"}, blue={"101": "cruiser", "202": "fighter"})
    table = Table(start, dice="1 1 1 8").move("cruiser", "203", "202", "101").done()
    barred = {each.at: each.code for each in table.told(ev.BattleContinued)[0].barred}
    assert barred["202"] == "held_by_another"
    assert set(barred) == {"201", "202", "102", "000", "106", "212"}


def test_case_054_never_the_battle_itself_and_never_where_nobody_came_from() -> None:
    """Neither the contested system nor one off the route is a goal, though the route crossed the battle before."""
    start = board(red={"101": "2 cruisers"}, blue={"101": "cruiser"})
    table = Table(start, dice="1 1 1").move("cruiser", "101", "201", "101").done()
    assert goals(table) == ("201",)
    with table.refused("3.53-h", "no_retreat_there"):
        table.retreat("101")


def test_case_055_who_retreats_lands_nothing_there() -> None:
    """After a retreat no landing in that system; the cargo goes along."""
    azure = planet("Azure", "101", "blue", gf=1)
    table = Table(board(azure, red={"201": "carrier+3gf"}, blue={"101": "cruiser"}), dice="1 1")
    table.move("carrier", "201", "101").done().retreat("201")
    assert (table.acting, table.at("201"), table.on("Azure")) == ("blue", "red: carrier+3gf", "blue: 1gf")


def test_case_058_fighters_live_to_the_end_of_the_battle() -> None:
    """Fighters outlive their carrier while the battle lasts; only those over capacity go."""
    dock = planet("Azure", "101", "blue", dock=True)
    table = Table(board(dock, red={"101": "cruiser"}, blue={"101": "carrier, 3 fighters"}), dice="8 1 1 1 1 1 1 1 9")
    table.done().losses("carrier", by="blue")
    assert [len(each.volley.shots) for each in table.told(ev.VolleyFired)] == [1, 4, 1, 3]
    assert (table.at("101"), table.told(ev.FightersLost)[0].fighters) == ("blue: 2 fighter", 1)


def test_case_059_only_fighters_left_on_one_side() -> None:
    """A side of fighters only fights and the battle ends cleanly."""
    table = Table(board(red={"101": "carrier, 2 fighters"}, blue={"101": "cruiser"}), dice="1 1 1 8 1 1 8 9 1 1").done()
    table.losses("carrier")
    assert (table.at("101"), table.told(ev.BattleEnded)) == ("", [ev.BattleEnded("101", None)])


@pytest.mark.parametrize(("dice", "left"), [("1 1 1", 2), ("8 1 1", 1), ("8 8 1", 0), ("8 8 8", 0)])
def test_case_063_hits_none_as_many_and_more_than_ships(dice: str, left: int) -> None:
    """No hits, hits as many as ships, and more hits than ships all go through."""
    start = board(red={"201": "2 cruisers"}, blue={"101": "3 cruisers"})
    table = Table(start, dice="1 1 " + dice).move("all", "201", "101").done()
    assert len(table.state.ships_at("101", "red")) == left
    assert len(table.state.ships_at("101", "blue")) == 3


@pytest.mark.parametrize("dice", ["8 8 8", "8 8 8 8"])
def test_case_063_nobody_is_asked_which_of_unlike_units_are_lost_when_all_are(dice: str) -> None:
    """As many hits as units, or more: all go, and no choice of more than there are is waited for."""
    shooters = len(dice.split())
    start = board(red={"201": "cruiser, carrier+2gf, fighter"}, blue={"101": f"{shooters} cruisers"})
    table = Table(start, dice="1 1 1 " + dice).move("all", "201", "101").done()
    assert (table.at("101"), table.acting) == (f"blue: {shooters} cruiser", "blue")


def test_case_064_the_mover_chooses_what_pds_destroyed() -> None:
    """Hits of PDS are chosen by the owner of the ships, not drawn."""
    azure = planet("Azure", "101", "blue", pds=1)
    table = Table(board(azure, red={"101": "dreadnought, fighter, carrier"}), dice="10").done()
    with table.refused("3.53-f", "not_your_choice"):
        table.do(cmd.ChooseLosses("blue", (1,)))
    assert table.losses("dreadnought").at("101") == "red: carrier, fighter"


def test_case_067_the_cannon_takes_only_ships_and_fighters() -> None:
    """A dock, PDS or ground forces are no targets of the assault cannon."""
    azure = planet("Azure", "101", "blue", gf=2, pds=1, dock=True)
    start = board(
        azure, red={"101": "3 dreadnoughts"}, blue={"101": "cruiser, fighter"}, tech={"red": ["assault_cannon"]}
    )
    table = Table(start, dice="1 4 4 4").done()
    assert (table.on("Azure"), table.at("101")) == ("blue: 2gf 1pds dock", "red: 3 dreadnought")


def test_case_069_pds_fire_once_at_ships_and_never_in_rounds() -> None:
    """PDS fire after the movement, not in any round of the battle."""
    azure = planet("Azure", "101", "blue", pds=2)
    table = Table(board(azure, red={"101": "cruiser"}, blue={"101": "cruiser"}), dice="1 1 1 1 1 1 8 1").done()
    assert [each[0] for each in volleys(table)] == ["pds"] + ["volley"] * 6

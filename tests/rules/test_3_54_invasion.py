"""3.54: the invasion step."""

import pytest

from rules_core import commands as cmd
from rules_core import events as ev
from rules_core import invasion, legal
from rules_core.choices import InvasionChoice
from rules_core.errors import Ambiguous
from rules_core.state import Party
from rules_core.turn_order import order_to_come
from rules_core.units import Kind
from tests.rules.play import Table, board, planet


def test_3_54_a_ground_units_land_on_planets_of_the_system_of_their_ship() -> None:
    """From the ship that carries them to friendly, neutral or enemy planets of the same system."""
    lying = (
        planet("Azure", "101", "red"),
        planet("Ochre", "101"),
        planet("Umber", "101", "blue"),
        planet("Sable", "102"),
    )
    table = Table(board(*lying, red={"101": "carrier+4gf"})).done()
    with table.refused("3.54-a", "only_ground_units_land"):
        table.land("Azure", "carrier")
    with table.refused("3.54-a", "only_ground_units_land"):
        table.land("Azure", "fighter")
    ship = table.state.ships_at("101", "red")[0].id
    with table.refused("3.52.1-a", "not_your_ship_there"):
        table.do(cmd.DeclareLanding("red", "Sable", (Party(ship, 1),)))
    table.land("Azure", "gf").land("Ochre", "gf").land("Umber", "2 gf").invade()
    assert [table.on(name) for name in ("Azure", "Ochre", "Umber")] == ["red: 1gf", "red: 1gf", "red: 2gf"]


def test_3_54_a_the_step_starts_when_all_battles_are_over() -> None:
    """With a battle still to fight elsewhere nothing is landed."""
    azure = planet("Azure", "101")
    start = board(azure, red={"101": "carrier+1gf", "102": "cruiser, carrier"}, blue={"102": "2 cruisers"})
    table = Table(start, dice="1 1 8 1").done()
    with table.refused("3.51-e", "wrong_step"):
        table.land("Azure", "gf")


def test_3_54_b_all_is_declared_before_a_die_is_rolled_and_not_changed_after() -> None:
    """Landings and bombardments of a system are declared first; once carried out the system is closed."""
    lying = planet("Azure", "101", "blue", gf=1), planet("Ochre", "101", "blue", gf=1)
    table = Table(board(*lying, red={"101": "dreadnought, carrier+3gf"}), dice="4").done()
    with table.refused("3.54-b", "nothing_declared"):
        table.invade()
    table.land("Azure", "gf").bombard("Azure")
    assert table.dice.places == []
    with table.refused("3.54-b", "declarations_open"):
        table.done()
    with table.refused("3.54-b", "nothing_declared"):
        table.invade("102")
    table.invade()
    assert table.acting == "blue"
    assert (
        table.state.ships_at("101", "red")[1].ground_forces + table.state.ships_at("101", "red")[0].ground_forces == 2
    )


def test_3_54_b_an_invaded_system_is_closed_for_the_rest_of_the_phase() -> None:
    """What is carried out in one system closes it; another one stays open."""
    lying = planet("Azure", "101"), planet("Ochre", "102")
    table = Table(board(*lying, red={"101": "carrier+2gf", "102": "carrier+1gf"})).done().land("Azure", "gf").invade()
    with table.refused("3.54-b", "system_already_invaded"):
        table.land("Azure", "gf")
    choice = table.waits_for[0]
    assert isinstance(choice, InvasionChoice)
    assert (choice.declarable, choice.declared) == (("102",), ())
    assert table.land("Ochre", "gf").invade().acting == "blue"


def test_3_54_b_a_second_landing_adds_to_the_first_and_nothing_lands_twice() -> None:
    """Declared units are told off: they cannot be declared again, not even in one command."""
    lying = planet("Azure", "101"), planet("Ochre", "101")
    table = Table(board(*lying, red={"101": "carrier+3gf+1pds"})).done().land("Azure", "gf").land("Azure", "gf")
    assert [(each.planet, each.ground_forces) for each in table.state.phase.landings] == [("Azure", 2)]  # type: ignore[union-attr]
    with table.refused(None, "not_so_many_aboard_there"):
        table.land("Ochre", "2 gf")
    with table.refused(None, "not_so_many_aboard"):
        table.do(cmd.DeclareLanding("red", "Ochre", (Party(1, 1), Party(1, 1))))
    for party in (Party(1, -1), Party(1, 2), Party(1, 1, 2), Party(1, 1, -1)):
        with table.refused(None, "not_so_many_aboard"):
            table.do(cmd.DeclareLanding("red", "Ochre", (party,)))
    for none in ((), (Party(1),)):
        with table.refused("3.54-b", "nothing_named"):
            table.do(cmd.DeclareLanding("red", "Ochre", none))
    assert table.invade().on("Azure") == "red: 2gf"


def test_3_54_b_which_carrier_lands_first_and_by_number() -> None:
    """Without a carrier the carriers are used in order; a number names one, `all` is every ground unit aboard."""
    lying = planet("Azure", "101"), planet("Ochre", "101", "red")
    start = board(*lying, red={"101": "carrier+2gf, carrier+3gf+1pds"})
    table = Table(start).done().land("Azure", "3 gf").invade()
    assert table.at("101") == "red: carrier, carrier+2gf+1pds"
    named = Table(start).done()
    with pytest.raises(Ambiguous):
        named.land("Azure", "gf", carrier="carrier")
    assert named.land("Azure", "gf", carrier="carrier 2").invade().at("101") == "red: carrier+2gf, carrier+2gf+1pds"
    assert Table(start).done().land("Ochre", "all").invade().on("Ochre") == "red: 5gf 1pds"


def test_3_54_c_each_dreadnought_bombards_one_planet_once() -> None:
    """One die each at the combat value; a hit removes one ground force; also without a landing."""
    lying = planet("Azure", "101", "blue", gf=3), planet("Ochre", "101", "green", gf=1)
    table = Table(board(*lying, red={"101": "3 dreadnoughts"}, green={}), dice="4 3 10").done()
    table.bombard("Azure", 2)
    for none in (0, -3):
        with table.refused(None, "bad_number"):
            table.bombard("Azure", none)
    with table.refused("3.54-c", "not_so_many_dreadnoughts"):
        table.bombard("Ochre", 2)
    with table.refused(None, "not_so_many_dreadnoughts"):
        table.bombard("Ochre", 4)
    used = table.state.phase.bombardments[0].dreadnoughts  # type: ignore[union-attr]
    with table.refused("3.54-c", "dreadnought_already_declared"):
        table.do(cmd.DeclareBombardment("red", "Ochre", used))
    table.bombard("Ochre")
    with table.refused("3.54-c", "dreadnought_already_declared"):
        table.bombard("Azure")
    table.invade()
    assert [(each.planet, each.ground_forces_lost) for each in table.told(ev.PlanetBombarded)] == [
        ("Azure", 1),
        ("Ochre", 1),
    ]
    assert (table.on("Azure"), table.on("Ochre")) == ("blue: 2gf", "green:")


def test_3_54_c_only_dreadnoughts_bombard_only_enemies_of_the_system() -> None:
    """Other ships cannot; own and neutral planets, and those of another system, are no targets."""
    lying = (
        planet("Azure", "101", "red", gf=1),
        planet("Ochre", "101"),
        planet("Umber", "102", "blue", gf=1),
        planet("Sable", "101", "blue", gf=1),
    )
    table = Table(board(*lying, red={"101": "dreadnought, cruiser"})).done()
    ships = {ship.kind: ship.id for ship in table.state.ships_at("101", "red")}
    with table.refused("3.54-c", "only_dreadnoughts_bombard"):
        table.do(cmd.DeclareBombardment("red", "Sable", (ships[Kind.CRUISER],)))
    for own_or_neutral in ("Azure", "Ochre"):
        with table.refused("3.54-c", "not_an_enemy_planet"):
            table.bombard(own_or_neutral)
    with table.refused("3.52.1-a", "not_your_ship_there"):
        table.do(cmd.DeclareBombardment("red", "Umber", (ships[Kind.DREADNOUGHT],)))


def test_3_54_d_a_planet_with_pds_is_bombarded_only_with_graviton_negator() -> None:
    """PDS bar bombardment, unless the bombarding player has the technology."""
    azure = planet("Azure", "101", "blue", gf=2, pds=1)
    for tech in ({}, {"blue": ["graviton_negator"]}):
        table = Table(board(azure, red={"101": "dreadnought"}, tech=tech), dice="1").done()
        assert table.acting == "blue"
    barred = Table(board(azure, planet("Ochre", "101", "blue", gf=1), red={"101": "dreadnought"}), dice="1").done()
    with barred.refused("3.54-d", "pds_bars_bombardment"):
        barred.bombard("Azure")
    allowed = Table(board(azure, red={"101": "dreadnought"}, tech={"red": ["graviton_negator"]}), dice="1 4").done()
    assert allowed.bombard("Azure").invade().on("Azure") == "blue: 1gf 1pds"


def test_3_54_e_pds_fire_once_at_the_ground_forces_that_land() -> None:
    """Each PDS of the planet fires once at the landing, again, and in spite of an order to hold."""
    azure = planet("Azure", "101", "blue", gf=1, pds=2)
    table = Table(board(azure, red={"101": "carrier+3gf"}), dice="1 1 6 6 8 1").done().land("Azure", "3 gf").invade()
    assert [place.purpose.value for place in table.dice.places] == ["pds"] * 2 + ["landing_pds"] * 2 + ["ground"] * 2
    assert table.on("Azure") == "red: 1gf"
    hold = {"blue": {"pds": {"default": "hold"}}}
    held = Table(board(azure, red={"101": "carrier+3gf"}, standing=hold), dice="6 6 8 1").done().land("Azure", "3 gf")
    assert [each.ground_forces_lost for each in held.invade().told(ev.LandingFiredAt)] == [2]


def test_3_54_e_pds_of_other_planets_or_without_a_landing_do_not_fire() -> None:
    """Only the PDS of the planet that is landed on; bombardment alone draws no fire."""
    lying = planet("Azure", "101", "blue", gf=1), planet("Ochre", "101", "blue", pds=1)
    table = Table(board(*lying, red={"101": "carrier+1gf, dreadnought"}), dice="1 1 8 1").done()
    table.bombard("Azure").land("Azure", "gf").invade()
    assert [place.purpose.value for place in table.dice.places] == ["pds", "bombardment", "ground", "ground"]
    assert table.told(ev.LandingFiredAt) == []


def test_3_54_f_ground_forces_fight_in_rounds_to_the_end() -> None:
    """Attackers and defenders roll together, both remove, until one side is gone; no retreat, no PDS, no ships."""
    azure = planet("Azure", "101", "blue", gf=2)
    table = Table(board(azure, red={"101": "carrier+3gf+1pds, dreadnought"}), dice="8 1 1 8 1 1 1 1 8 1 1").done()
    table.land("Azure", "3 gf, pds").invade()
    fought = table.told(ev.GroundRoundFought)
    assert [(each.round, each.attackers_lost, each.defenders_lost) for each in fought] == [
        (1, 1, 1),
        (2, 0, 0),
        (3, 0, 1),
    ]
    assert [place.side for place in table.dice.places[:5]] == ["red", "red", "red", "blue", "blue"]
    shots = [shot for each in fought for volley in (each.attack, each.defence) for shot in volley.shots]
    assert {(shot.kind, shot.needed) for shot in shots} == {(Kind.GROUND_FORCE, 8)}


@pytest.mark.parametrize("dice", ["1 8", "8 8"])
def test_3_54_g_attacker_or_both_gone_leave_the_planet_to_the_defender(dice: str) -> None:
    """The defender keeps his planet, with his marker though nothing of his is left on it."""
    azure = planet("Azure", "101", "blue", gf=1, dock=True, power=1)
    table = Table(board(azure, red={"101": "carrier+1gf"}), dice=dice).done().land("Azure", "gf").invade()
    assert table.on("Azure") == ("blue: 1gf dock" if dice == "1 8" else "blue: dock")
    assert table.told(ev.LandingRepelled) == [ev.LandingRepelled("Azure", "101", "blue", 0)]


def test_3_54_h_a_captured_planet_loses_the_defenders_pds_and_dock() -> None:
    """Defender gone and attackers left: the planet changes hands, PDS and dock of the defender are destroyed."""
    azure = planet("Azure", "101", "blue", gf=1, pds=1, dock=True)
    table = Table(board(azure, red={"101": "carrier+3gf"}), dice="1 1 8 1 1 1").done().land("Azure", "3 gf").invade()
    assert table.told(ev.PlanetCaptured) == [ev.PlanetCaptured("Azure", "101", "red", "blue", 3, 0, 1, True)]
    assert table.on("Azure") == "red: 3gf"


def test_3_54_i_pds_land_with_ground_forces_and_share_their_fate() -> None:
    """They do nothing in the fight, survive a win and are destroyed with the force."""
    azure = planet("Azure", "101", "blue", gf=1)
    won = Table(board(azure, red={"101": "carrier+1gf+2pds"}), dice="8 1").done().land("Azure", "gf, 2 pds").invade()
    assert won.on("Azure") == "red: 1gf 2pds"
    lost = Table(board(azure, red={"101": "carrier+1gf+2pds"}), dice="1 8").done().land("Azure", "gf, 2 pds").invade()
    assert (lost.on("Azure"), lost.told(ev.LandingRepelled)[0].pds_lost) == ("blue: 1gf", 2)
    assert lost.at("101") == "red: carrier"


def test_3_54_i_pds_need_a_ground_force_on_a_planet_that_is_not_own() -> None:
    """On neutral and enemy planets PDS land only with a ground force, declared before or with it."""
    lying = planet("Azure", "101", "blue"), planet("Ochre", "101"), planet("Umber", "101", "red")
    table = Table(board(*lying, red={"101": "carrier+1gf+3pds"})).done()
    for name in ("Azure", "Ochre"):
        with table.refused("3.54-i", "pds_land_only_with_ground_forces"):
            table.land(name, "pds")
    table.land("Umber", "pds").land("Ochre", "gf").land("Ochre", "pds").invade()
    assert (table.on("Umber"), table.on("Ochre")) == ("red: 1pds", "red: 1gf 1pds")


def test_3_54_i_pds_alone_leave_nothing_to_declare() -> None:
    """With only PDS aboard and no own planet there is nothing to do: the step ends by itself."""
    assert Table(board(planet("Ochre", "101"), red={"101": "carrier+2pds"})).done().acting == "blue"


def test_3_54_j_power_and_resources_change_at_once() -> None:
    """Both owners' political power and resources change with the capture, and with them the very next choice."""
    azure = planet("Azure", "101", "blue", power=3, resources=2)
    start = board(azure, red={"101": "carrier+1gf"}, green={}, power={"green": 3})
    assert order_to_come(start) == ("blue", "green")
    table = Table(start).done().land("Azure", "gf").invade()
    assert (table.state.political_power("red"), table.state.political_power("blue")) == (11, 6)
    assert (table.state.resources("red"), table.state.resources("blue")) == (2, 0)
    assert table.told(ev.OrderChanged) == [ev.OrderChanged(("blue", "green"), ("green", "blue"))]
    assert table.acting == "green"


def test_3_54_k_a_neutral_planet_has_no_defenders() -> None:
    """One ground force that lands takes a neutral planet, without a die."""
    table = Table(board(planet("Ochre", "101"), red={"101": "carrier+1gf"})).done().land("Ochre", "gf").invade()
    assert (table.on("Ochre"), table.dice.places) == ("red: 1gf", [])
    assert table.told(ev.PlanetCaptured)[0].old_owner is None


def test_3_54_k_an_enemy_planet_without_ground_forces_falls_to_any_survivor() -> None:
    """PDS fire at the landing; whoever is left takes the planet without a round."""
    azure = planet("Azure", "101", "blue", pds=2)
    table = Table(board(azure, red={"101": "carrier+3gf"}), dice="1 1 6 6").done().land("Azure", "3 gf").invade()
    assert (table.on("Azure"), table.told(ev.GroundRoundFought)) == ("red: 1gf", [])
    shot = Table(board(azure, red={"101": "carrier+2gf"}), dice="1 1 6 6").done().land("Azure", "2 gf").invade()
    assert shot.on("Azure") == "blue: 2pds"


def test_3_54_k_a_marker_only_cannot_be_hurt_by_bombardment() -> None:
    """`option marker_bombardment: none`: a bombardment that could hit nothing is refused, and ends nobody's rest."""
    lying = planet("Azure", "101", "blue"), planet("Ochre", "101", "blue", gf=1)
    table = Table(board(*lying, red={"101": "dreadnought"})).done()
    with table.refused("3.54-k", "nothing_to_hit"):
        table.bombard("Azure")
    assert legal.bombardable(table.state) == ("Ochre",)
    assert Table(board(lying[0], red={"101": "dreadnought"})).done().acting == "blue"


def test_3_54_k_option_neutralise_takes_a_bare_planet_with_one_hit() -> None:
    """`option marker_bombardment: neutralise`: a planet with a marker only becomes nobody's."""
    options = {"marker_bombardment": "neutralise"}
    azure = planet("Azure", "101", "blue", power=3)
    start = board(azure, red={"101": "2 dreadnoughts"}, green={}, options=options, power={"green": 3})
    table = Table(start, dice="3 4").done().bombard("Azure").invade()
    assert table.told(ev.PlanetNeutralised) == [ev.PlanetNeutralised("Azure", "101", "blue")]
    assert (table.on("Azure"), table.acting) == ("nobody:", "green")
    assert table.told(ev.OrderChanged) == [ev.OrderChanged(("blue", "green"), ("green", "blue"))]
    missed = Table(board(azure, red={"101": "dreadnought"}, options=options), dice="3").done().bombard("Azure").invade()
    assert missed.on("Azure") == "blue:"


def test_3_54_k_option_neutralise_never_by_surplus_hits() -> None:
    """Only a planet that was bare when declared: hits beyond its ground forces, PDS or a dock do not count."""
    options, tech = {"marker_bombardment": "neutralise"}, {"red": ["graviton_negator"]}
    azure = planet("Azure", "101", "blue", gf=1)
    table = (
        Table(board(azure, red={"101": "3 dreadnoughts"}, options=options), dice="4 4 4")
        .done()
        .bombard("Azure")
        .invade()
    )
    assert table.on("Azure") == "blue:"
    for here in (planet("Azure", "101", "blue", dock=True), planet("Azure", "101", "blue", pds=1)):
        other = Table(
            board(here, planet("Ochre", "101", "blue", gf=1), red={"101": "dreadnought"}, options=options, tech=tech),
            dice=1,
        )
        with other.done().refused("3.54-k", "nothing_to_hit"):
            other.bombard("Azure")


def test_3_54_k_a_neutralised_planet_is_taken_by_the_landing_after_it() -> None:
    """Bombardments come before landings: what lands finds a neutral planet."""
    start = board(
        planet("Azure", "101", "blue"),
        red={"101": "dreadnought, carrier+1gf"},
        options={"marker_bombardment": "neutralise"},
    )
    table = Table(start, dice="4").done().land("Azure", "gf").bombard("Azure").invade()
    assert [(each.owner, each.old_owner) for each in table.told(ev.PlanetCaptured)] == [("red", None)]


def test_3_54_l_landing_on_an_own_planet_is_a_plain_transfer() -> None:
    """No dice, ground forces and PDS as named; it closes the system like any other."""
    azure = planet("Azure", "101", "red", gf=1)
    table = Table(board(azure, red={"101": "carrier+2gf+1pds"})).done().land("Azure", "gf, pds").invade()
    assert (table.on("Azure"), table.at("101"), table.dice.places) == ("red: 2gf 1pds", "red: carrier+1gf", [])
    assert table.acting == "blue"


def test_3_54_m_fighters_that_lose_the_room_of_a_dock_are_lost() -> None:
    """Under `lone_fighters: ignore` fighters may stand over a planet that falls: without room they die."""
    azure = planet("Azure", "101", "blue", dock=True)
    start = board(azure, red={"101": "carrier+1gf"}, blue={"101": "2 fighters"}, options={"lone_fighters": "ignore"})
    table = Table(start).done().land("Azure", "gf").invade()
    assert table.told(ev.FightersLost) == [ev.FightersLost("blue", "101", 2, "3.54-m")]
    assert table.at("101") == "red: carrier"


def test_3_54_m_another_dock_there_keeps_its_own_fighters() -> None:
    """Only as many are lost as lack room."""
    lying = planet("Azure", "101", "blue", dock=True), planet("Ochre", "101", "blue", gf=5, dock=True)
    start = board(*lying, red={"101": "carrier+1gf"}, blue={"101": "3 fighters"}, options={"lone_fighters": "ignore"})
    table = Table(start).done().land("Azure", "gf").invade()
    assert table.at("101") == "red: carrier | blue: 2 fighter"


def test_order_of_dice_in_an_invasion() -> None:
    """Bombardments in the order declared, then landings as declared, each PDS, then rounds, attacker first."""
    lying = [
        planet("Azure", "101", "blue", gf=1),
        planet("Ochre", "101", "blue", gf=1, pds=1),
        planet("Umber", "101", "blue", gf=1),
        planet("Sable", "102", "blue", gf=1),
    ]
    start = board(*lying, red={"101": "carrier+2gf, 2 dreadnoughts", "102": "dreadnought"})
    table = Table(start, dice="1 1 1 1 1 8 1 8 1").done()
    table.bombard("Sable").land("Ochre", "gf").land("Azure", "gf").bombard("Umber", 1).bombard("Azure", 1).invade()
    assert table.faces()[1:] == [
        ("bombardment", "Umber", "red", 1),
        ("bombardment", "Azure", "red", 1),
        ("landing_pds", "Ochre", "blue", 1),
        ("ground", "Ochre", "red", 1),
        ("ground", "Ochre", "blue", 1),
        ("ground", "Azure", "red", 1),
        ("ground", "Azure", "blue", 1),
        ("bombardment", "Sable", "red", 1),
    ]


def test_stasis_capsules_land_from_cruisers_after_carriers() -> None:
    """With stasis capsules ground forces land from carriers first, then cruisers, then dreadnoughts."""
    start = board(
        planet("Ochre", "101"),
        red={"101": "dreadnought+1gf, cruiser+1gf, carrier+1gf"},
        tech={"red": ["stasis_capsules"]},
    )
    assert Table(start).done().land("Ochre", "2 gf").invade().at("101") == "red: dreadnought+1gf, cruiser, carrier"


def test_what_is_legal_now_in_the_invasion_step() -> None:
    """What completion offers: planets to land on, planets to bombard, ground units not yet told off."""
    lying = planet("Azure", "101", "blue", gf=1), planet("Ochre", "101"), planet("Umber", "102", "blue", gf=1)
    table = Table(board(*lying, red={"101": "carrier+2gf+1pds, dreadnought"})).done().land("Ochre", "gf")
    assert legal.landing_planets(table.state) == ("Azure", "Ochre")
    assert legal.bombardable(table.state) == ("Azure",)
    assert legal.ground_units_aboard(table.state, "red", "101") == {Kind.GROUND_FORCE: 1, Kind.PDS: 1}


def test_case_056_no_landing_while_both_sides_have_ships() -> None:
    """The invasion waits for the battle: while both have ships nothing lands."""
    azure = planet("Azure", "101", "blue")
    table = Table(board(azure, red={"101": "carrier+1gf, cruiser"}, blue={"101": "2 cruisers"}), dice="1 1 8 1").done()
    with table.refused("3.51-e", "wrong_step"):
        table.do(cmd.DeclareLanding("red", "Azure", (Party(1, 1),)))
    with table.refused("3.51-e", "wrong_step"):
        table.do(cmd.Invade("red"))


def test_case_065_one_bombardment_for_each_dreadnought_then_the_step_ends() -> None:
    """After the bombardment nothing is asked again: the step, and here the phase, ends by itself."""
    azure = planet("Azure", "101", "blue", gf=5)
    table = Table(board(azure, red={"101": "2 dreadnoughts"}), dice="4 4").done().bombard("Azure")
    with table.refused("3.54-c", "dreadnought_already_declared"):
        table.do(cmd.DeclareBombardment("red", "Azure", (1,)))
    assert not invasion.declarable(table.state)
    table.invade()
    assert (table.on("Azure"), table.acting) == ("blue: 3gf", "blue")


def test_case_069_pds_fire_at_landers_once_and_in_no_round() -> None:
    """Once at ships after the movement, once at what lands, never in a ground round."""
    azure = planet("Azure", "101", "blue", gf=1, pds=1)
    table = (
        Table(board(azure, red={"101": "carrier+2gf"}), dice="1 1 1 1 1 8 1 1").done().land("Azure", "2 gf").invade()
    )
    assert [place.purpose.value for place in table.dice.places] == ["pds", "landing_pds"] + ["ground"] * 6

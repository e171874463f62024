"""Between rounds: the ledger, purchases at docks and of technologies, proposed and settled."""

import pytest

from rules_core import commands as cmd
from rules_core import economy
from rules_core import events as ev
from rules_core.errors import FileError
from rules_core.position import position_from_json, position_to_json
from rules_core.state import State
from rules_core.units import Kind
from tests.rules.play import Table, board, planet

CRUISERS = ((Kind.CRUISER, 2),)


def between(**options: str) -> Table:
    """Both have acted. Red has 30 of planets: a dock on Forge (resources 4) and Azure (resources 26) without one."""
    lying = planet("Forge", "101", "red", dock=True, resources=4), planet("Azure", "102", "red", resources=26)
    start = board(*lying, planet("Tide", "103", "blue", dock=True, resources=6), options=options)
    return Table(start).done().done()


def told(table: Table) -> tuple[int, int]:
    """What red has spent and proposed, and what is left to him."""
    return economy.proposed(table.state, "red"), economy.left(table.state, "red")


def test_a_purchase_is_proposed_and_accepted() -> None:
    """Nothing is there before the referee lets it through; then ships stand in the system of the dock."""
    table = between().do(cmd.Build("red", CRUISERS, "Forge"))
    assert (table.at("101"), told(table)) == ("", (12, 18))
    table.do(cmd.AcceptPurchases(1))
    assert (table.at("101"), told(table)) == ("red: 2 cruiser", (0, 18))
    assert table.told(ev.PurchaseMade) == [ev.PurchaseMade(1, "red", 12, "Forge", 2)]


def test_ground_units_come_to_the_planet_of_the_dock() -> None:
    """Of several planets of the player in the system to this one."""
    table = between().do(cmd.Build("red", ((Kind.GROUND_FORCE, 1), (Kind.PDS, 1)), "Forge"), cmd.AcceptPurchases())
    assert table.on("Forge") == "red: 1gf 1pds dock"


def test_a_dock_builds_as_many_units_as_its_planet_has_resources() -> None:
    """What is proposed counts, what was built counts; a dock is not built at a dock."""
    table = between().do(cmd.Build("red", CRUISERS, "Forge"), cmd.AcceptPurchases(1))
    table.do(cmd.Build("red", ((Kind.FIGHTER, 1),), "Forge"))
    with table.refused(None, "dock_builds_so_many"):
        table.do(cmd.Build("red", ((Kind.FIGHTER, 1), (Kind.FIGHTER, 1)), "Forge"))
    for at, code in (("Azure", "no_dock_there"), ("Tide", "not_your_planet")):
        with table.refused(None, code):
            table.do(cmd.Build("red", ((Kind.FIGHTER, 1),), at))
    dock = between()
    with dock.refused("3.52.1-d", "one_dock_a_planet"):
        dock.do(cmd.Build("red", ((Kind.SPACE_DOCK, 1),), "Forge"))
    dock.do(cmd.Build("red", ((Kind.SPACE_DOCK, 1),), "Azure"), cmd.AcceptPurchases())
    assert dock.on("Azure") == "red: dock"


def test_nobody_spends_more_than_he_has() -> None:
    """Planets and the referee's adjustment, less what is spent and proposed; anew in each round."""
    table = between().do(cmd.SetResourcesBonus("red", 13), cmd.Build("red", CRUISERS, "Forge"))
    with table.refused(None, "not_enough_resources"):
        table.do(cmd.Build("red", ((Kind.FIGHTER, 1),), "Forge"))
    table.do(cmd.AcceptPurchases(), cmd.NextRound())
    assert (table.state.spent, table.state.built, told(table)) == ({}, {}, (0, 13))


def test_a_technology_is_bought_for_what_the_table_asks() -> None:
    """Not one that is owned."""
    table = between().do(cmd.Research("red", "cybernetics", 7))
    assert told(table) == (7, 23)
    assert table.do(cmd.AcceptPurchases()).state.player("red").technologies == ("cybernetics",)
    for command, code in (
        (cmd.Research("red", "cybernetics"), "already_so"),
        (cmd.Research("red", "warp"), "unknown_technology"),
        (cmd.Research("red", "type_iv_drive", -1), "number_out_of_range"),
    ):
        with table.refused(None, code):
            table.do(command)


def test_proposals_are_withdrawn_and_refused() -> None:
    """Each by whom it concerns, by its number, which no other gets in this round."""
    table = between().do(cmd.Build("red", CRUISERS, "Forge"), cmd.Research("blue", "cybernetics"))
    for command, code in (
        (cmd.Withdraw("blue", 1), "not_your_proposal"),
        (cmd.Withdraw("red", 9), "no_such_proposal"),
        (cmd.AcceptPurchases(9), "no_such_proposal"),
    ):
        with table.refused(None, code):
            table.do(command)
    table.do(cmd.Withdraw("red", 1), cmd.RefusePurchase(2))
    assert table.told(ev.PurchaseDropped) == [ev.PurchaseDropped(1, "red"), ev.PurchaseDropped(2, "blue", True)]
    for command in (cmd.AcceptPurchases(), cmd.AcceptPurchases(1), cmd.RefusePurchase(1), cmd.Withdraw("red", 1)):
        with table.refused(None, "nothing_proposed"):
            table.do(command)
    table.do(cmd.Build("red", CRUISERS, "Forge"))
    assert [purchase.number for purchase in table.state.purchases] == [3]


def test_what_still_waits_when_the_next_round_opens_is_refused() -> None:
    table = between().do(cmd.Build("red", CRUISERS, "Forge"), cmd.Research("red", "cybernetics", 3), cmd.NextRound())
    assert table.told(ev.PurchaseDropped) == [
        ev.PurchaseDropped(1, "red", True),
        ev.PurchaseDropped(2, "red", True),
    ]
    assert (table.state.purchases, table.at("101")) == ((), "")


def test_all_are_accepted_or_none() -> None:
    """What has become impossible meanwhile stops the others too, and is named by its reason."""
    table = between().do(cmd.Research("blue", "cybernetics"), cmd.Research("red", "cybernetics"))
    table.do(cmd.SetTechnology("red", "cybernetics"))
    with table.refused(None, "already_so"):
        table.do(cmd.AcceptPurchases())
    assert len(table.state.purchases) == 2


def test_by_an_option_purchases_are_carried_out_at_once() -> None:
    """Without the referee."""
    table = between(purchases="free").do(cmd.Build("red", CRUISERS, "Forge"))
    assert (table.at("101"), table.state.purchases) == ("red: 2 cruiser", ())
    assert table.state.spent == {"red": 12}


def test_in_a_phase_nothing_is_bought() -> None:
    """Only between rounds."""
    table = Table(board(planet("Forge", "101", "red", dock=True, resources=4)))
    for command in (cmd.Build("red", CRUISERS, "Forge"), cmd.Research("red", "cybernetics")):
        with table.refused(None, "only_between_rounds"):
            table.do(command)


def test_a_planet_that_is_renamed_keeps_what_its_dock_has_built() -> None:
    """And what is proposed for it."""
    table = between().do(cmd.Build("red", CRUISERS, "Forge"), cmd.ChangePlanet("Forge", name="Anvil"))
    table.do(cmd.AcceptPurchases())
    assert (table.at("101"), dict(table.state.built)) == ("red: 2 cruiser", {"Anvil": 2})


@pytest.mark.parametrize("spoilt", [{"spent": {"green": 1}}, {"built": {"Nowhere": 1}}, {"purchases": [{}]}])
def test_a_file_with_an_interval_that_cannot_be_is_refused(spoilt: dict[str, object]) -> None:
    """What is named must exist."""
    state: State = between().do(cmd.Build("red", CRUISERS, "Forge")).state
    data = position_to_json(state)
    assert position_from_json(data) == state
    data["progress"]["interval"].update(spoilt)
    with pytest.raises(FileError):
        position_from_json(data)

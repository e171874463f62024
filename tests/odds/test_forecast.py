"""The battle of a game as a question: whatever step it has reached, and only what may be known."""

from rules_core.forecast import battle_at
from rules_core.odds import SpaceBattle
from rules_core.units import Kind
from tests.rules.play import Table, board, planet, play

D, C, K, F = Kind.DREADNOUGHT, Kind.CRUISER, Kind.CARRIER, Kind.FIGHTER


def war(dice: str) -> Table:
    """Red with cannon attacks blue, who has a PDS and a dock."""
    state = board(
        planet("Hearth", "101", "blue", pds=1, dock=True),
        red={"201": "dreadnought, cruiser, carrier+2gf, fighter"},
        blue={"101": "2 cruisers, 2 fighters"},
        tech={"red": ["assault_cannon"]},
    )
    return play(state, dice=dice).move("all", "201", "101")


def kinds(question: SpaceBattle) -> tuple[list[Kind], list[Kind]]:
    return [each.kind for each in question.attacker.units], [each.kind for each in question.defender.units]


def test_before_it_begins() -> None:
    question = battle_at(war("").state, "101")
    assert kinds(question) == ([F, C, K, D], [F, F, C, C])
    assert (question.pds, question.cannon, question.hits) == ((6,), True, (0, 0))
    assert (question.attacker.dock_room, question.defender.dock_room) == (0, 2)
    assert question.attacker.units[2].places == 3


def test_pds_that_hold() -> None:
    assert battle_at(war("").state, "101", holding=["blue"]).pds == ()


def test_orders_that_are_given() -> None:
    question = battle_at(war("").state, "101", {"red": [K], "blue": [C]})
    assert kinds(question) == ([K, F, C, D], [C, C, F, F])


def test_hits_of_pds_not_yet_removed() -> None:
    question = battle_at(war("6").done().state, "101")
    assert (question.pds, question.cannon, question.hits, question.after_round) == ((), True, (1, 0), False)


def test_hits_of_the_cannon_not_yet_removed() -> None:
    question = battle_at(war("1 4").done().state, "101")
    assert (question.pds, question.cannon, question.hits, question.after_round) == ((), False, (0, 1), False)


def test_hits_of_a_round_not_yet_removed() -> None:
    question = battle_at(war("1 1  4 1 1 1  8 1 9 1").done().state, "101")
    assert (question.cannon, question.hits, question.after_round) == (False, (2, 1), True)


def test_a_choice_that_is_in_is_seen_only_by_who_may() -> None:
    table = war("1 1  4 1 1 1  8 1 9 1").done().losses("dreadnought, carrier")
    assert battle_at(table.state, "101").hits == (2, 1)
    known = battle_at(table.state, "101", known=["red"])
    assert known.hits == (0, 1)
    assert kinds(known)[0] == [F, C]


def test_at_the_choice_of_a_retreat() -> None:
    table = war("1 1  4 1 1 1  8 1 9 1").done().losses("dreadnought, carrier").losses("fighter", by="blue")
    question = battle_at(table.state, "101")
    assert kinds(question) == ([F, C], [F, C, C])
    assert (question.hits, question.after_round) == ((0, 0), False)

"""`/odds` in a game: what it is about, what it may look at, and what is private."""

from dataclasses import replace

import pytest

from bot import desk, looks, presenter
from bot.odds import asked, chart, judged, outlook, told
from bot.phrases import LANGUAGES, phrases
from bot.slash import COMMANDS, find
from bot.steps import PostKind
from renderer.chart import chart_png, compose_chart
from renderer.shapes import Text
from rules_core.errors import RuleViolation
from rules_core.state import State
from rules_core.units import Kind
from tests.machinery.tools import played
from tests.rules.play import Table, board, board_json, planet, play

D, C, K, F = Kind.DREADNOUGHT, Kind.CRUISER, Kind.CARRIER, Kind.FIGHTER
EN = phrases("en")


def war(dice: str = "", **what: object) -> Table:
    state = board(
        planet("Hearth", "101", "blue", pds=1, dock=True),
        red={"201": "dreadnought, cruiser, carrier+2gf, fighter"},
        blue={"101": "2 cruisers, 2 fighters"},
        **what,
    )
    return play(state, dice=dice).move("all", "201", "101")


def at_the_retreat(**what: object) -> State:
    """After a round in which nobody hits."""
    return war("1  1 1 1 1  1 1 1 1", **what).done().state


# ---- what it is about


def test_the_battle_from_here() -> None:
    question = asked(at_the_retreat(), "red", {}, EN)
    assert question.keys == ("red", "blue")
    assert question.battle.pds == ()
    assert question.whose == "attacker"


def test_the_battle_that_is_to_come_with_its_pds() -> None:
    question = asked(war().state, "blue", {"system": "Hearth"}, EN)
    assert question.battle.pds == (6,)
    assert question.whose == "defender"


def test_a_plan_against_units() -> None:
    question = asked(
        board(red={"201": "cruiser"}), "red", {"units": "2 carriers + 7 ground forces", "against": "2 cruisers"}, EN
    )
    assert [each.ground_forces for each in question.battle.attacker.units] == [2, 5]
    assert (question.battle.pds, len(question.battle.defender.units)) == ((), 2)


def test_a_plan_against_a_system() -> None:
    state = war(tech={"red": ["assault_cannon"], "blue": ["hylar_v_assault_laser"]}).state
    question = asked(state, "red", {"units": "3 dreadnoughts", "system": "101"}, EN)
    assert question.battle.pds == (6,)
    assert question.battle.cannon
    assert question.battle.defender.dock_room == 2
    assert {each.hits_on for each in question.battle.defender.units if each.kind is C} == {7}


def test_a_plan_against_named_units_in_a_system_has_its_pds() -> None:
    question = asked(war().state, "red", {"units": "3 cruisers", "against": "carrier", "system": "101"}, EN)
    assert [each.kind for each in question.battle.defender.units] == [K]
    assert question.battle.pds == (6,)


@pytest.mark.parametrize(
    ("texts", "code"),
    [
        ({}, "odds_of_what"),
        ({"system": "000"}, "no_battle_there"),
        ({"units": "2 cruisers"}, "odds_against_what"),
        ({"against": "2 cruisers"}, "odds_of_what"),
        ({"units": "all", "against": "cruiser"}, "odds_of_what"),
        ({"units": "cruiser + 2 fighters, 1 pds", "against": "cruiser"}, "too_much_cargo"),
    ],
)
def test_what_cannot_be_judged(texts: dict[str, str], code: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        asked(board(red={"201": "cruiser"}, blue={"202": "cruiser"}), "red", texts, EN)
    assert refused.value.code == code
    said = [phrases(language).refusal(refused.value) for language in LANGUAGES]
    assert all(said)
    assert not any("Kind" in text or "kind=" in text for text in said), "a value as the program writes it"


# ---- orders of losses


def test_orders_that_are_given() -> None:
    texts = {"losses": "cruiser, fighter", "enemy_losses": "cruiser"}
    mine = asked(at_the_retreat(), "red", texts, EN).battle
    theirs = asked(at_the_retreat(), "blue", texts, EN).battle
    assert (mine.attacker.kinds, mine.defender.kinds) == ((C, F, K, D), (C, F))
    assert (theirs.attacker.kinds, theirs.defender.kinds) == ((C, F, K, D), (C, F))


def test_the_best_order_is_taken() -> None:
    question = asked(at_the_retreat(), "red", {"losses": "best"}, EN)
    assert judged(question).best is None
    assert question.battle.attacker.kinds == (F, K, C, D)


def test_a_better_order_is_named() -> None:
    question = asked(at_the_retreat(), "red", {"losses": "dreadnought"}, EN)
    answer = judged(question)
    assert answer.best == (F, K, C, D)
    assert "fighter, carrier, cruiser, dreadnought" in told(answer, EN)


def test_case_102_another_players_standing_orders_are_not_looked_at() -> None:
    standing = {"red": {"losses": ["dreadnought"]}, "blue": {"losses": ["cruiser"], "pds": {"default": "hold"}}}
    state = war(standing=standing).state
    red, blue = (asked(state, who, {"system": "101"}, EN).battle for who in ("red", "blue"))
    assert (red.attacker.kinds, red.defender.kinds, red.pds) == ((D, F, C, K), (F, C), (6,))
    assert (blue.attacker.kinds, blue.defender.kinds, blue.pds) == ((F, C, K, D), (C, F), ())


def test_a_choice_of_losses_that_is_in_is_not_shown_to_the_other_side() -> None:
    table = war("1  1 1 1 9  8 8 1 1").done().losses("cruiser, carrier")
    assert len(asked(table.state, "red", {}, EN).battle.attacker.units) == 2
    blue = asked(table.state, "blue", {}, EN).battle
    assert (len(blue.attacker.units), blue.hits) == (4, (2, 1))


# ---- beside the retreat, and in public


def test_beside_the_retreat_for_him_alone() -> None:
    state = at_the_retreat()
    assert "%" in looks.waiting_line(state, "red", "en")
    assert "%" not in looks.waiting_line(state, "blue", "en")


@pytest.mark.parametrize(("option", "shown"), [("hidden", False), ("shown", True)])
def test_case_102_in_a_post_only_by_the_option_and_from_default_orders(option: str, shown: bool) -> None:
    before = war("1  1 1 1 1  1 1 1 1", options={"public_odds": option}, standing={"blue": {"losses": ["cruiser"]}})
    start = before.state
    before.done()
    post = presenter.post(PostKind.WAITING, start, before.last, "en")
    assert ("%" in post.text) is shown
    if shown:
        plain = replace(before.state, standing={})
        (line,) = [line for line in post.text.splitlines() if "%" in line]
        assert line in looks.waiting_line(plain, "red", "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_outlook_of_a_plan_names_each_battle(language: str) -> None:
    words = phrases(language)
    (line,) = outlook(war().state, "red", words)
    assert line.startswith(("Odds in 101: ", "101"))
    assert line.count("%") == 3
    assert outlook(board(red={"201": "cruiser"}), "red", words) == ()
    assert outlook(war().state, "blue", words) == ()


# ---- the answer


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_picture_says_what_the_words_say(language: str) -> None:
    words = phrases(language)
    answer = judged(asked(at_the_retreat(), "red", {"retreat": "below 2 ships"}, words))
    drawn = chart(answer, words)
    texts = {shape.text for shape in compose_chart(drawn).shapes if isinstance(shape, Text)}
    for piece in drawn.bar:
        assert piece.label in texts
        assert piece.label in told(answer, words)
    assert sum(piece.share for piece in drawn.bar) == pytest.approx(1)
    assert len(drawn.bar) == 4
    assert chart_png(drawn).startswith(b"\x89PNG")


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_nothing_in_a_chart_lies_on_something_else_or_outside(theme: str) -> None:
    answer = judged(
        asked(war().state, "red", {"units": "40 cruisers, 30 fighters", "against": "9 dreadnoughts, 35 fighters"}, EN)
    )
    scene = compose_chart(replace(chart(answer, EN), theme=theme))
    right, bottom = scene.shapes[0].box[2:]
    boxes = [shape.box for shape in scene.shapes if isinstance(shape, Text)]
    assert all(min(x0, y0, right - x1, bottom - y1) >= 0 for x0, y0, x1, y1 in boxes)
    for n, a in enumerate(boxes):
        for b in boxes[n + 1 :]:
            assert not (a[0] < b[2] - 0.5 and b[0] < a[2] - 0.5 and a[1] < b[3] - 2 and b[1] < a[3] - 2), (a, b)


async def test_through_the_desk() -> None:
    """As Discord and the table ask; nothing changes by it."""
    async with played() as table:
        await table.do("red", "move", units="all", start="201", to="101")
        head = (await table.service.load(table.game)).row.head
        for name, texts in (("odds", {}), ("luck", {}), ("roll", {"dice": "2d6", "comment": "*for* @everyone"})):
            answer = await desk.perform(table.service, table.game, "red", find(name), texts, "en")
            assert answer.text
            if name == "odds":
                assert answer.picture is not None
                assert answer.picture.png().startswith(b"\x89PNG")
                assert answer.said == ""
            if name == "roll":
                assert "chat dice" in answer.said
                assert "*for*" not in answer.said
        assert (await table.service.load(table.game)).row.head == head
        assert COMMANDS["odds"].build is None


async def test_several_battles_to_come_are_a_line_each() -> None:
    position = board_json(red={"201": "2 cruisers"}, blue={"101": "cruiser", "202": "2 fighters"})
    async with played(position=position) as table:
        for to in ("101", "202"):
            await table.do("red", "move", units="1 cruiser", start="201", to=to)
        answer = await desk.perform(table.service, table.game, "red", find("odds"), {}, "en")
        assert [line[:11] for line in answer.text.splitlines()] == ["Odds in 101", "Odds in 202"]

"""Lists and buttons: every command of a phase can be reached by them, and everything they offer fits Discord."""

import random
from dataclasses import replace
from typing import Any

import pytest

from bot import menus
from bot.looks import prompt, waiting_line
from bot.menus import Draft, Menu, follow, read_draft
from bot.phrases import LANGUAGES, Language, phrases
from bot.presenter import MESSAGE_LIMIT
from bot.prompts import MenuButton, MenuSelect, view_of
from bot.report import way
from rules_core import commands as cmd
from rules_core import events as ev
from rules_core.apply import fold
from rules_core.decide import decide
from rules_core.dice import ALWAYS_HIGH, ALWAYS_LOW, Dice
from rules_core.errors import Refusal, RuleViolation
from rules_core.pending import LossesChoice, decisions
from rules_core.position import position_from_json
from rules_core.state import BattleStep, Party, State
from rules_core.units import Kind
from tests.machinery.tools import war
from tests.rules.play import board, board_json, planet

LABEL = 100
BUTTON = 80
PLACEHOLDER = 150


def opened(state: State) -> State:
    return fold(state, decide(state, cmd.Begin(), ALWAYS_LOW))


def the_war() -> State:
    return opened(position_from_json(war()))


def after(state: State, *commands: cmd.Command, dice: Dice = ALWAYS_LOW) -> State:
    for command in commands:
        state = fold(state, decide(state, command, dice))
    return state


def menu(state: State, draft: Draft, player: str = "red", language: Language = "en") -> Menu:
    found = follow(state, player, draft, language)
    assert isinstance(found, Menu)
    return found


def drafts(shown: Menu) -> list[Draft]:
    return [pick.draft for listed in shown.lists for pick in listed.picks] + [pick.draft for pick in shown.buttons]


def check_limits(shown: Menu) -> None:
    """Discord's: rows, options, lengths; and a code in an id leaves room for the numbers before it."""
    assert len(shown.lists) + bool(shown.buttons) <= 5
    assert len(shown.buttons) <= 5
    for listed in shown.lists:
        assert 1 <= len(listed.picks) <= menus.OPTIONS
        assert len({pick.draft.code for pick in listed.picks}) == len(listed.picks)
        assert all(len(pick.draft.code) <= LABEL - len("starpost:m:999999999:999999:") for pick in listed.picks)
    assert len({pick.draft.code for pick in shown.buttons}) == len(shown.buttons)
    assert 1 <= len(shown.text) <= MESSAGE_LIMIT
    for number, listed in enumerate(shown.lists):
        select = MenuSelect.of(999_999_999, 999_999, number, listed).item
        assert len(select.custom_id) <= LABEL
        assert 1 <= len(select.placeholder or "") <= PLACEHOLDER
        for option in select.options:
            assert 1 <= len(option.label) <= LABEL
            assert len(option.value) <= LABEL
            # What a move costs and whom it meets is never cut.
            assert option.description is None or (option.description and "…" not in option.description)
            assert len(option.description or "") <= LABEL
    for pick in shown.buttons:
        button = MenuButton.of(999_999_999, 999_999, pick).item
        assert 1 <= len(button.label or "") <= BUTTON
        assert len(button.custom_id or "") <= LABEL


@pytest.mark.parametrize(
    "draft",
    [
        Draft("move"),
        Draft("move", "201", (0, 12, 24), ("101", "202"), 3, "105"),
        Draft("land", "17", (1,), goal="!"),
        Draft("losses", "", (0, 0)),
        Draft("done", goal="!"),
    ],
)
def test_a_draft_is_what_its_code_says(draft: Draft) -> None:
    assert read_draft(draft.code) == draft


@pytest.mark.parametrize("code", ["", "Move", "move.201", "move.201.z.1.0.", "../x", "move.201.1.101.0.!;"])
def test_what_is_no_code_is_refused(code: str) -> None:
    with pytest.raises(Refusal):
        read_draft(code)


def test_a_move_is_chosen_step_by_step() -> None:
    state = the_war()
    units = menu(state, Draft("move"))  # the only system with ships is not asked for
    everything = units.buttons[0].draft
    goals = menu(state, next(pick.draft for pick in menu(state, everything).buttons if pick.draft.goal))
    to = next(pick.draft for pick in goals.lists[0].picks if pick.draft.goal == "101")
    command = follow(state, "red", to, "en")
    assert isinstance(command, cmd.MoveShips)
    assert (command.waypoints, command.fighters) == (("101",), 1)
    assert set(command.ships) == {ship.id for ship in state.ships_at("201", "red")}


def test_a_way_can_be_chosen() -> None:
    state = opened(board(planet("Home", "000", "red"), red={"000": "cruiser"}))
    draft = Draft("move", "000", (1,), goal="!")
    through = menu(state, draft).lists[-1]
    via = next(pick.draft for pick in through.picks if pick.draft.via == ("102",))
    to = next(pick.draft for pick in menu(state, via).lists[0].picks if pick.draft.goal == "101")
    command = follow(state, "red", to, "en")
    assert isinstance(command, cmd.MoveShips)
    assert command.waypoints == ("102", "101")


def offered(shown: Menu) -> tuple[dict[str, Draft], dict[str, Draft]]:
    """The goals and the waypoints of a menu that asks where to, by label."""
    picks = [pick.draft for listed in shown.lists for pick in listed.picks]
    goals = {draft.goal: draft for draft in picks if draft.goal != "!"}
    return goals, {draft.via[-1]: draft for draft in picks if draft.goal == "!"}


def test_a_waypoint_that_is_chosen_is_told_and_leads_on() -> None:
    """What is asked then is where to go through it, with the movement that is left, counted from the start."""
    state = opened(board(planet("Home", "000", "red"), red={"000": "2 cruisers"}))
    first = menu(state, Draft("move", "000", (2,), goal="!"))
    assert first.text.startswith("2 cruisers from 000: where to?")
    via = offered(first)[1]["102"]
    shown = menu(state, via)
    assert shown.text == "2 cruisers from 000 via 102: where to?"
    goals, through = offered(shown)
    assert not through  # the last point of movement leads to the goal
    assert "102" not in goals
    assert set(goals) == {"000", "101", "103", "202", "203", "204"}
    notes = {pick.draft.goal: pick.note for listed in shown.lists for pick in listed.picks}
    assert notes["101"] == "2 steps: 000 → 102 → 101"
    back = next(pick for pick in shown.buttons if pick.label == "No waypoint")
    assert menu(state, back.draft) == first


def test_only_what_can_be_passed_and_leads_on_is_a_waypoint() -> None:
    """3.52.3-a: a fleet lets nobody pass; what it blocks may still be a goal, and says so."""
    tiles = {"103": "asteroid_field", "104": "supernova"}
    state = opened(board(red={"000": "cruiser"}, blue={"102": "carrier"}, tiles=tiles, holes=("205", "206", "207")))
    shown = menu(state, Draft("move", "000", (1,), goal="!"))
    goals, through = offered(shown)
    assert set(through) == {"101", "105", "106"}
    assert "102" in goals
    notes = {pick.draft.goal: pick.note for listed in shown.lists for pick in listed.picks}
    assert notes["102"] == "1 step: 000 → 102; fleet of Blue League"


@pytest.mark.parametrize("seed", range(6))
def test_every_way_that_is_offered_is_the_way_that_is_taken(seed: int) -> None:
    """Whatever waypoints are chosen: `/move via:` takes the way that is told, and goes no further than it may."""
    chance = random.Random(seed)
    tiles = {"101": "alpha", "206": "alpha", "104": "asteroid_field", "203": "supernova", "211": "beta", "105": "beta"}
    tech = {"red": ("antimass_deflectors", "type_iv_drive")}
    enemies = {chance.choice(("102", "204", "210")): "cruiser", "205": "2 fighters"}
    state = opened(board(red={"000": "cruiser", "201": "cruiser"}, blue=enemies, tiles=tiles, tech=tech))
    for start in ("000", "201"):
        waiting = [Draft("move", start, (1,), goal="!")]
        while waiting:
            shown = menu(state, waiting.pop())
            check_limits(shown)
            goals, through = offered(shown)
            waiting += through.values()
            assert goals
            notes = {pick.draft.code: pick.note for listed in shown.lists for pick in listed.picks}
            for goal in goals.values():
                command = follow(state, "red", goal, "en")
                assert isinstance(command, cmd.MoveShips)
                went = next(each for each in decide(state, command, ALWAYS_LOW) if isinstance(each, ev.ShipsMoved))
                told = f"{len(went.hops)} step{'s' * (len(went.hops) > 1)}: {way(phrases('en'), start, went.hops)}"
                assert notes[goal.code].split(";")[0] == told


def test_like_ships_with_unlike_movement_are_told_apart() -> None:
    state = opened(board(red={"000": "2 cruisers", "101": "cruiser"}))
    state = after(state, cmd.MoveShips("red", "101", ("000",), (state.ships_at("101", "red")[0].id,)))
    titles = [listed.title for listed in menu(state, Draft("move", "000")).lists]
    assert titles == ["0 of 1 cruisers (movement 1)", "0 of 2 cruisers (movement 2)"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_fighters_left_without_room_are_told_before_done_is_refused(language: Language) -> None:
    state = opened(board(red={"000": "carrier, 3 fighters", "101": "cruiser"}))
    left = phrases(language).say("fighters_at", at="000", n=3)
    assert left not in waiting_line(state, "red", language)
    carrier = state.ships_at("000", "red")[0].id
    assert left in waiting_line(after(state, cmd.MoveShips("red", "000", ("101",), (carrier,))), "red", language)


def test_a_list_of_places_says_what_stands_there() -> None:
    """Who taps on a phone need not look for it on the map."""
    state = opened(board(red={"000": "2 cruisers, carrier+3gf, 1 fighter", "101": "dreadnought"}))
    notes = {pick.label: pick.note for listed in menu(state, Draft("move")).lists for pick in listed.picks}
    assert notes == {"000": "2 cruisers, 1 carrier (3 ground forces), 1 fighter", "101": "1 dreadnought"}


def test_a_list_of_planets_says_whose_each_is_and_what_stands_on_it() -> None:
    planets = (
        planet("Home", "901", "red"),
        planet("Keep", "101", "blue", gf=3, pds=2, dock=True),
        planet("Bare", "101", "blue"),
        planet("Free", "101"),
    )
    state = opened(board(*planets, red={"101": "carrier+2gf"}))
    state = after(state, cmd.Done("red"))
    notes = {pick.label: pick.note for listed in menu(state, Draft("land")).lists for pick in listed.picks}
    owner = state.player("blue").race
    assert notes == {
        "101 Keep": f"{owner}: 3 ground forces, 2 PDS, 1 space dock",
        "101 Bare": f"{owner}: none",
        "101 Free": "neutral",
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_any_number_of_units_can_be_chosen_for_losses(language: Language) -> None:
    """40 ships of every kind and 40 fighters: no list of answers would hold them."""
    units = "40 cruisers, 12 carriers, 20 dreadnoughts, 40 fighters"
    state = opened(board(planet("Home", "901", "red"), red={"101": units}, blue={"000": "30 dreadnoughts, 5 carriers"}))
    ships = tuple(ship.id for ship in state.ships_at("101", "red"))
    state = after(state, cmd.MoveShips("red", "101", ("000",), ships, 40), cmd.Done("red"), dice=ALWAYS_HIGH)
    owed = [each for each in decisions(state) if isinstance(each, LossesChoice)]
    assert owed
    for choice in owed:
        assert menus.needs_menu(state, choice)
        shown = menu(state, Draft("losses"), choice.player, language)
        picked = 0
        while picked < choice.hits:
            check_limits(shown)
            most = max((pick.draft for each in shown.lists for pick in each.picks), key=lambda d: sum(d.numbers))
            if sum(most.numbers) > choice.hits or sum(most.numbers) == picked:
                fitting = [d for d in drafts(shown) if picked < sum(d.numbers) <= choice.hits]
                most = max(fitting, key=lambda d: sum(d.numbers)) if fitting else next_page(shown)
            picked = sum(most.numbers)
            shown = menu(state, most, choice.player, language)
        sure = next(pick for pick in shown.buttons if pick.draft.goal == "!")
        command = follow(state, choice.player, sure.draft, language)
        assert isinstance(command, cmd.ChooseLosses)
        assert len(command.ships) + command.fighters == choice.hits
        decide(state, command, ALWAYS_LOW)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("fleet", ["dreadnought, cruiser, carrier+5gf, carrier+2gf+1pds", "2 cruisers, dreadnought"])
async def test_a_button_or_line_says_all_that_it_destroys(fleet: str, language: Language) -> None:
    """Also with the longest names: what would not fit into a button is a line, what would not fit there a menu."""
    position = board_json(planet("Home", "901", "red"), red={"101": fleet}, blue={"000": "9 cruisers, 4 dreadnoughts"})
    state = with_longest_names(position)
    ships = tuple(ship.id for ship in state.ships_at("101", "red"))
    state = after(state, cmd.MoveShips("red", "101", ("000",), ships), cmd.Done("red"))
    assert state.phase is not None
    for hits in (2, 3):
        battle = replace(state.phase.battle, step=BattleStep.LOSSES, hits={"red": hits, "blue": hits})
        view = view_of(9, 9, replace(state, phase=replace(state.phase, battle=battle)), language)
        assert view is not None
        items = [child.item for child in view.children]
        labels = [option.label for item in items for option in getattr(item, "options", ())]
        labels += [item.label for item in items if not hasattr(item, "options")]
        assert len(labels) >= 4
        assert not any("…" in label for label in labels)


def next_page(shown: Menu) -> Draft:
    return next(pick.draft for pick in shown.buttons if pick.draft.page and not pick.draft.goal)


def test_case_073_a_button_says_what_it_destroys() -> None:
    ships = tuple(ship.id for ship in the_war().ships_at("201", "red"))
    state = after(the_war(), cmd.MoveShips("red", "201", ("101",), ships, 1), cmd.Done("red"))
    labels = [choice.label for each in decisions(state) for choice in prompt(state, each, "en").choices]
    assert labels == ["Fight on: roll again", "Retreat to 201 with the whole fleet"]
    scrapped = menu(the_war(), Draft("scrap", "201", (1, 0, 0, 0)))
    assert any("Destroy my" in pick.label for pick in scrapped.buttons)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("fleet", "hits", "roomless"),
    [
        ("carrier, 3 fighters, cruiser", 1, {(1, 0, 0): 3}),
        ("2 carriers, 7 fighters, cruiser", 2, {(2, 0, 0): 7, (1, 0, 1): 1, (1, 1, 0): 2}),
        # What has no room already loses none.
        ("4 fighters, cruiser", 1, {}),
    ],
)
def test_3_52_2_f_losses_that_leave_fighters_without_room_say_so(
    fleet: str, hits: int, roomless: dict[tuple[int, int, int], int], language: Language
) -> None:
    """On the button of that answer, by carriers, cruisers, fighters; and where it is counted. On no other."""
    state = opened(board(red={"101": fleet}, blue={"000": "dreadnought"}, acting="blue"))
    ships = tuple(ship.id for ship in state.ships_at("000", "blue"))
    state = after(state, cmd.MoveShips("blue", "000", ("101",), ships), cmd.Done("blue"))
    assert state.phase is not None
    assert state.phase.battle is not None
    battle = replace(state.phase.battle, step=BattleStep.LOSSES, hits={"red": hits})
    state = replace(state, phase=replace(state.phase, battle=battle))
    (choice,) = decisions(state)
    found = {}
    for answer in prompt(state, choice, language).choices:
        assert isinstance(answer.command, cmd.ChooseLosses)
        kinds = [state.ships[id].kind for id in answer.command.ships]
        lost = (kinds.count(Kind.CARRIER), kinds.count(Kind.CRUISER), answer.command.fighters)
        told = phrases(language).say("button.losses_roomless", units="@", n=roomless.get(lost, 1)).partition("@")[2]
        found |= {lost: roomless.get(lost)} if told in answer.label else {}
    assert found == roomless
    counted = {Draft("losses")}
    for number in range(1, hits + 1):
        shown = [menu(state, draft, language=language) for draft in counted]
        counted = {draft for each in shown for draft in drafts(each) if sum(draft.numbers) == number and not draft.goal}
    said = [menu(state, draft, language=language).text for draft in counted]
    assert sum("3.52.2-f" in text for text in said) == len(roomless)


def test_scrapping_has_no_button_for_everything() -> None:
    shown = menu(the_war(), Draft("scrap", "201"))
    assert [pick.label for pick in shown.buttons] == ["Start over"]


def test_what_there_is_nothing_for_is_refused_and_no_empty_list() -> None:
    state = opened(board(planet("Home", "000", "red")))
    for action in ("move", "load", "scrap"):
        with pytest.raises(RuleViolation, match="nothing_to"):
            follow(state, "red", Draft(action), "en")


def test_out_of_turn_menus_are_refused_in_the_words_of_the_rules() -> None:
    for action in ("move", "load", "scrap", "land", "bombard"):
        with pytest.raises(RuleViolation):
            follow(the_war(), "blue", Draft(action), "en")


def invading() -> State:
    here = planet("Rich", "101", "blue", gf=1)
    state = opened(board(here, planet("Own", "000", "red", gf=2), red={"000": "carrier+2gf, dreadnought"}))
    ships = tuple(ship.id for ship in state.ships_at("000", "red"))
    return after(state, cmd.MoveShips("red", "000", ("101",), ships), cmd.Done("red"))


def test_case_075_done_asks_once_if_something_could_still_be_landed() -> None:
    state = invading()
    asked = menu(state, Draft("done"))
    assert asked.buttons[0].weighty
    assert follow(state, "red", asked.buttons[0].draft, "en") == cmd.Done("red")
    assert menus.question_before(the_war(), "red", "en") is None


def test_done_asks_once_before_a_phase_in_which_nothing_was_moved() -> None:
    """Only where it would end the phase, and where something could move."""
    lonely = board(planet("Home", "000", "red"), red={"000": "cruiser"})
    asked = menus.question_before(opened(lonely), "red", "en")
    assert asked is not None
    assert asked.text == "You have moved nothing. End your phase without acting?"
    assert [pick.label for pick in asked.buttons] == ["End my phase without acting", "Move", "Load"]
    assert follow(opened(lonely), "red", asked.buttons[0].draft, "en") == cmd.Done("red")
    ships = tuple(opened(lonely).ships)
    away = after(opened(lonely), cmd.MoveShips("red", "000", ("101",), ships))
    back = after(away, cmd.MoveShips("red", "101", ("000",), ships))
    battle = opened(board(red={"000": "cruiser"}, blue={"000": "cruiser"}))
    landing = opened(board(planet("Home", "000", "red"), red={"000": "carrier+1gf"}))
    nothing = opened(board(planet("Home", "000", "red")))
    for state in (away, back, battle, landing, nothing):
        assert menus.question_before(state, "red", "en") is None


def test_only_what_can_be_declared_has_a_button() -> None:
    own, enemy = planet("Own", "000", "red"), planet("Foe", "101", "blue", gf=1)
    state = opened(board(own, enemy, red={"000": "carrier+1gf, dreadnought"}, tiles={"102": "supernova"}))
    landing = after(state, cmd.Done("red"))
    moved = cmd.MoveShips(
        "red", "000", ("101",), (next(s.id for s in state.ships.values() if s.kind == "dreadnought"),)
    )
    both = after(state, moved, cmd.Done("red"))

    def actions(now: State) -> list[str]:
        return [pick.draft.action for pick in menus.possible(now, "red", "en")]

    assert actions(landing)[:3] == ["done", "land", "undo"]
    assert actions(both)[:3] == ["done", "land", "bombard"]


def carrying_out(state: State, *landings: cmd.Command) -> str:
    """The label of the button that carries out what is declared."""
    state = after(state, cmd.Done("red"), *landings)
    return next(pick.label for pick in menus.possible(state, "red", "en") if pick.draft.action == "invade")


def test_the_button_of_an_invasion_says_whether_dice_roll_and_the_phase_ends() -> None:
    """3.54-k: nobody defends a neutral planet; an enemy planet without ground forces and PDS falls without a die."""
    bare, held = planet("Bare", "000", "blue"), planet("Held", "000", "blue", gf=1)
    free, own = planet("Free", "000"), planet("Own", "101", "red")
    state = opened(board(bare, held, free, own, red={"000": "carrier+4gf", "101": "carrier+1gf"}))
    carrier, other = state.ships_at("000", "red")[0].id, state.ships_at("101", "red")[0].id

    def landing(name: str, forces: int = 1, ship: int = carrier) -> cmd.Command:
        return cmd.DeclareLanding("red", name, (Party(ship, forces),))

    assert carrying_out(state, landing("Free")) == "Carry out the invasion: 000"
    assert carrying_out(state, landing("Bare"), landing("Free")) == "Carry out the invasion: 000"
    assert carrying_out(state, landing("Held", 4)) == "Carry out the invasion (dice roll): 000"
    both = (landing("Free"), landing("Own", 1, other))
    assert carrying_out(state, *both) == "Carry out the invasion (ends my phase): 000, 101"
    both = (landing("Held"), landing("Own", 1, other))
    assert carrying_out(state, *both) == "Carry out the invasion (dice roll, ends my phase): 000, 101"
    done = after(state, cmd.Done("red"), *both, cmd.Invade("red"), dice=ALWAYS_HIGH)
    assert done.phase is None or done.phase.player != "red"


def test_a_landing_and_a_bombardment_by_taps() -> None:
    state = invading()
    place = menu(state, Draft("land")).lists[0].picks[0].draft
    everything = menu(state, place).buttons[0].draft
    sure = next(pick.draft for pick in menu(state, everything).buttons if pick.draft.goal)
    landing = follow(state, "red", sure, "en")
    assert isinstance(landing, cmd.DeclareLanding)
    state = after(state, landing)
    carry_out = menus.possible(state, "red", "en")[0]
    assert carry_out.weighty
    assert follow(state, "red", carry_out.draft, "en") == cmd.Invade("red")


def commands_by_chance(state: State, chance: random.Random, language: Language) -> cmd.Command:
    """Taps whatever is offered until it becomes a command."""
    for _ in range(200):
        waiting = chance.choice(decisions(state))
        answers: list[cmd.Command | Draft] = [each.command for each in prompt(state, waiting, language).choices]
        if menus.needs_menu(state, waiting):
            answers.append(Draft("losses"))
        starts = menus.possible(state, waiting.player, language)
        answers += [pick.draft for pick in starts if pick.draft.action not in ("undo", "map")]
        answer = chance.choice(answers)
        try:
            if not isinstance(answer, Draft):
                return answer
            found = tapped(state, waiting.player, answer, chance, language)
            decide(state, found, ALWAYS_LOW)
        except Refusal:
            continue
        return found
    raise AssertionError("nothing can be done by taps")


def tapped(state: State, player: str, draft: Draft, chance: random.Random, language: Language) -> cmd.Command:
    for _ in range(30):
        found = follow(state, player, draft, language)
        if not isinstance(found, Menu):
            return found
        check_limits(found)
        draft = chance.choice(drafts(found))
    raise RuleViolation("decision_is_over")


def with_longest_names(record: dict[str, Any]) -> State:
    """A position in which players and planets have names of 32 characters."""
    for number, player in enumerate(record["players"]):
        player["race"] = f"{number}".rjust(32, "M")
    for system in record["systems"]:
        for number, each in enumerate(system.get("planets", ())):
            each["name"] = f"{system['at']}{number}".rjust(32, "W")
    return opened(position_from_json(record))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("longest", [False, True])
def test_whole_rounds_by_taps_alone(seed: int, longest: bool) -> None:
    chance = random.Random(seed)
    language = LANGUAGES[seed % 2]
    state = with_longest_names(war()) if longest else the_war()
    given: set[type] = set()
    for _ in range(60):
        if state.phase is None:
            break
        command = commands_by_chance(state, chance, language)
        given |= {type(command)}
        state = after(state, command, dice=chance.choice((ALWAYS_HIGH, ALWAYS_LOW)))
    assert cmd.Done in given


def test_maps_of_any_size_have_their_lists() -> None:
    systems = ["000", *(f"{ring}{n:02}" for ring in range(1, 6) for n in range(1, 6 * ring + 1))]
    state = opened(board(planet("Home", "000", "red"), red=dict.fromkeys(systems, "cruiser"), rings=5))
    shown = menu(state, Draft("move"))
    check_limits(shown)
    assert len(drafts(shown)) == len(systems)

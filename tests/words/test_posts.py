"""Posts and private lines: whole games are played, and what is told must be all that happened."""

import re
from dataclasses import replace
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import looks
from bot.marks import map_labels, map_title, marks
from bot.phrases import LANGUAGES, phrases
from bot.presenter import MESSAGE_LIMIT, pieces, post, returned
from bot.report import fleet
from bot.steps import PostKind
from renderer.view import BattleMark, CaptureMark, LossMark, PathMark
from rules_core import events as ev
from rules_core.errors import Barred
from rules_core.galaxy import SystemKind
from rules_core.pending import LossesChoice, MovementChoice, RetreatChoice, decisions
from rules_core.state import RetreatOrder, StandingOrders
from rules_core.units import Kind

from .table import NAMES, RACES, Table, random_game, volleys

SEEDS = range(8)


def battle(language: str) -> Table:
    """Red attacks blue at 101 with everything: PDS, cannon, a round with losses on both sides."""
    table = Table(language, [9, 10, 3, 9, 2, 1, 9, 1, 1, 1])
    table.type("red", "move", units="1 carrier + 2 ground forces, 2 dreadnoughts, 1 fighter", from_="000", to="101")
    table.type("red", "done")
    table.type("red", "losses", units="fighter")
    table.type("blue", "losses", units="carrier 2")
    return table


def test_a_move_says_who_what_and_which_way() -> None:
    text = battle("en").of_kind(PostKind.MOVE)[0]
    assert "Emberfolk takes aboard in 000, from Hearth: 2 ground forces." in text
    assert "**Emberfolk** moves 2 dreadnoughts, 1 carrier (4 ground forces), 1 fighter: 000 → 101." in text
    assert text.endswith("101: Emberfolk meets the fleet of 조수단.")


def test_only_who_could_have_gone_on_is_said_to_be_intercepted() -> None:
    """3.52.3-a: it stops ships whatever movement they have left; who has none left was going there."""
    table = Table("en")
    table.type("red", "move", units="cruiser", from_="000", to="101")
    assert "101: Emberfolk is intercepted by the fleet of 조수단 and moves no further." in table.privately[-1]
    table.type("red", "move", units="dreadnought", from_="000", to="101")
    assert "101: Emberfolk meets the fleet of 조수단." in table.privately[-1]


def test_the_way_through_a_wormhole_is_shown() -> None:
    table = Table("en")
    table.type("red", "move", units="cruiser", from_="000", to="106", via="102")
    assert "000 → 102 → 106 (wormhole)" in table.of_kind(PostKind.MOVE)[0]
    assert table.privately[-1].startswith("Moved: 1 cruiser 000 → 102 → 106 (wormhole). Movement left: 0\n")


def test_the_movement_left_of_a_mixed_fleet_is_told_by_kind() -> None:
    table = Table("en")
    table.type("red", "move", units="cruiser, dreadnought", from_="000", to="102")
    assert "Movement left: dreadnoughts 0, cruisers 1\n" in table.privately[-1]


def test_loading_scrapping_and_declaring_make_no_post() -> None:
    table = Table("en")
    number = len(table.posts)
    table.type("red", "load", units="2 ground forces", at="000", carrier="carrier 2")
    table.type("red", "scrap", units="fighter", at="000")
    assert len(table.posts) == number
    assert table.privately[-2].startswith("Loaded in 000: 2 ground forces from Hearth onto carrier 2.")
    assert table.privately[-1].startswith("Destroyed in 000: 1 fighter.")


def test_dice_are_shown_as_the_commands_page_says() -> None:
    texts = battle("en").of_kind(PostKind.PDS)
    assert "- PDS 6+: 9 → 1 hit" in texts[0]
    assert "- dreadnought 4+: 10 3 → 1 hit" in battle("en").of_kind(PostKind.CANNON)[0]


def test_a_loss_names_system_player_unit_and_cause() -> None:
    table = battle("en")
    assert "101: Emberfolk loses 1 fighter (PDS fire of 조수단)." in table.of_kind(PostKind.PDS)[0]
    assert "101: 조수단 loses 1 carrier (assault cannon of Emberfolk)." in table.of_kind(PostKind.CANNON)[0]
    korean = battle("ko")
    assert "101: Emberfolk 손실 전투기 1기 (조수단의 P.D.S. 사격)" in korean.of_kind(PostKind.PDS)[0]


def test_a_round_is_told_under_its_number() -> None:
    for told in random_game("en", 3).posts:
        numbers = {volley.place.volley for volley in volleys(told.events)}
        if told.kind is PostKind.ROUND:
            assert told.post.text.splitlines()[0].split("**")[1].endswith(f"round {numbers.pop()}")


def test_nowhere_to_retreat_is_told_with_every_reason() -> None:
    table = battle("en")
    barred = (
        Barred("102", "nobody_came_through", "3.53-h"),
        Barred("103", "nobody_came_through", "3.53-h"),
        Barred("105", "red_border", "3.53-i", {"kind": SystemKind.SUPERNOVA}),
    )
    went_on = ev.BattleContinued("red", "101", ev.Cause.FORCED, barred)
    lines = post(PostKind.ROUND, table.state, (went_on,), "en").text.splitlines()
    assert lines[-3:] == [
        "101: Emberfolk has nowhere to retreat and fights on.",
        "- 102, 103: no ship came through there (3.53-h)",
        "- 105: red border (supernova) (3.53-i)",
    ]


def test_the_referees_edits_are_told() -> None:
    table = Table("en")
    table.type("referee", "referee place", units="2 cruisers", at="103", player="green")
    table.type("referee", "referee place", units="1 pds", at="103", player="green", planet="Moss")
    table.type("referee", "referee place", units="1 pds", at="000", player="red", carrier="carrier 2")
    table.type("referee", "referee remove", units="1 pds", at="000", player="red", carrier="carrier 2")
    table.type("referee", "referee planet", name="Bare", owner="red")
    table.type("referee", "referee technology", player="blue", name="cybernetics")
    table.type("referee", "referee power", player="blue", amount="9")
    texts = table.of_kind(PostKind.REFEREE)
    assert [text.splitlines()[1] for text in texts] == [
        "Mossborn gets in 103: 2 cruisers.",
        "Mossborn gets on Moss in 103: 1 PDS.",
        "Emberfolk gets in 000, aboard carrier 2: 1 PDS.",
        "000: Emberfolk loses 1 PDS, aboard carrier 2 (taken away by the referee).",
        "Bare belongs to: Emberfolk.",
        "조수단 has the technology cybernetics now.",
        "조수단: political power is 9 now.",
    ]
    assert all(text.startswith("**The referee:**") for text in texts)


def test_who_must_answer_is_asked_with_the_dice_and_mentioned() -> None:
    told = next(each for each in battle("en").posts if each.kind is PostKind.WAITING)
    assert told.post.mentions == ("red",)
    assert "- PDS 6+: 9 → 1 hit" in told.post.text
    assert "<@1>: 1 hit in 101" in told.post.text
    assert "carrier 1 (4 ground forces)" in told.post.text


def test_an_announcement_says_who_with_what_power_and_who_follows() -> None:
    table = Table("en")
    text = table.posts[0].post.text
    assert table.posts[0].post.mentions == ("red",)
    assert "<@1>" in text
    assert "Political power 6" in text
    assert "number 1 of 3" in text
    assert "조수단 (4), Mossborn (3)" in text
    assert "/move" in text


def test_a_capture_tells_power_and_resources_and_the_new_order() -> None:
    """3.54-j and 3.51-b: told in the post of the capture, with the reason."""
    table = Table("en", [1] * 9)
    table.type("red", "move", units="carrier 1", from_="000", to="103")
    table.type("red", "done")
    capture = ev.PlanetCaptured("Tide", "101", "red", "blue", 2, 0, 1, True)
    changed = ev.OrderChanged(("blue", "green"), ("green", "blue"))
    told = post(PostKind.LANDING, table.state, (capture, changed), "en")
    assert "**Emberfolk takes Tide** in 101 from 조수단. There now: 2 ground forces." in told.text
    assert "101: 조수단 loses 1 PDS, 1 space dock (Tide was taken)." in told.text
    assert "Emberfolk: political power 6 → 10, resources 1 → 3." in told.text
    assert "조수단: political power 4 → 0, resources 2 → 0." in told.text
    assert "조수단, Mossborn → Mossborn (3), 조수단 (0) (3.51-b)" in told.text
    assert not told.mentions


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_stays_is_told_once(language: str) -> None:
    """`political power 4`, not `4 → 4`: whatever changes by a capture, an edit, or in whole games."""
    table = Table(language)
    table.type("referee", "referee values", name="Tide", resources="5")
    table.type("referee", "referee values", name="Tide", power="9")
    resources, power = table.of_kind(PostKind.REFEREE)
    assert ("4 → " in resources, "2 → 5" in resources) == (False, True)
    assert ("4 → 9" in power, "5 → " in power) == (True, False)
    posts = [told.post.text for seed in SEEDS for told in random_game(language, seed).posts]
    # A line of dice ends with its hits.
    lines = [line for text in posts for line in text.splitlines() if not line.startswith("- ")]
    assert not [line for line in lines if re.search(r"(?<!\w)(\w+) → \1(?!\w)", line)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_die_and_every_loss_of_whole_games_is_told(language: str, seed: int) -> None:
    words = phrases(language)
    for told in random_game(language, seed).posts:
        text = told.post.text
        assert text, told.kind
        assert "{" not in text
        assert "}" not in text
        for volley in volleys(told.events):
            for (kind, needed), shots in groupby(volley.shots, key=lambda shot: (shot.kind, shot.needed)):
                faces = " ".join(str(shot.die) for shot in shots)
                assert f"{words.unit(kind)} {needed}+: {faces} → " in text
        if told.kind is PostKind.WAITING:
            continue
        for event in told.events:
            if isinstance(event, ev.UnitsDestroyed):
                line = next(line for line in text.splitlines() if fleet(words, event.ships, event.fighters) in line)
                assert line.startswith(f"{event.at}: ")
                assert RACES[event.player] in line
                assert "(" in line
                assert words.say("nobody") not in line.split("(", 1)[1].split()
            if isinstance(event, ev.PlanetCaptured):
                assert event.planet in text
                assert RACES[event.owner] in text


@pytest.mark.parametrize("seed", SEEDS)
def test_only_who_must_act_is_mentioned(seed: int) -> None:
    for told in random_game("en", seed).posts:
        began = [event.player for event in told.events if isinstance(event, ev.PhaseBegan)]
        if told.kind is PostKind.TURN:
            assert told.post.mentions == tuple(began)
        elif told.kind is not PostKind.WAITING:
            assert not told.post.mentions
        mentioned = {key for key, shown in NAMES.items() if shown in told.post.text}
        assert mentioned == set(told.post.mentions)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_private_answer_always_says_what_comes_now(language: str, seed: int) -> None:
    table = random_game(language, seed)
    assert all(line.strip() for text in table.privately for line in text.splitlines())
    assert all(table.privately)


@pytest.mark.parametrize("seed", SEEDS)
def test_marks_show_what_the_post_tells(seed: int) -> None:
    for told in random_game("en", seed).posts:
        if told.kind is PostKind.WAITING:
            continue
        shown = {type(mark) for mark in marks(told.before, told.events)}
        kinds = {type(event) for event in told.events}
        assert (PathMark in shown) == (ev.ShipsMoved in kinds)
        assert (CaptureMark in shown) == bool({ev.PlanetCaptured, ev.PlanetNeutralised} & kinds)
        assert (BattleMark in shown) == (told.kind is PostKind.ROUND)
        assert ev.UnitsDestroyed not in kinds or LossMark in shown


def test_losses_by_standing_order_do_not_show_it() -> None:
    """Standing orders are private: what they chose reads like any choice."""
    table = battle("en")
    losses = next(told for told in table.posts if told.kind is PostKind.PDS)
    events = tuple(
        ev.LossesChosen(event.player, event.at, event.losses, ev.Cause.STANDING_ORDER)
        if isinstance(event, ev.LossesChosen)
        else event
        for event in losses.events
    )
    assert post(PostKind.PDS, losses.before, events, "en").text == losses.post.text


def test_a_choice_with_one_answer_is_shown_as_such() -> None:
    table = battle("en")
    losses = next(told for told in table.posts if told.kind is PostKind.PDS)
    events = tuple(
        ev.LossesChosen(event.player, event.at, event.losses, ev.Cause.FORCED)
        if isinstance(event, ev.LossesChosen)
        else event
        for event in losses.events
    )
    assert "no other choice" in post(PostKind.PDS, losses.before, events, "en").text


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_undo_is_told(language: str) -> None:
    table = Table(language)
    assert RACES["red"] in returned(PostKind.UNDO, table.state, (), table.state, "red", language).text
    assert returned(PostKind.UNDO, table.state, (), table.state, "referee", language).text


# ---- decisions and looks


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", SEEDS)
def test_buttons_fit_discord_and_give_legal_commands(language: str, seed: int) -> None:
    table = random_game(language, seed, commands=60)
    for told in table.posts:
        state = told.before
        for decision in decisions(state):
            prompt = looks.prompt(state, decision, language)
            ids = [choice.id for choice in prompt.choices]
            assert prompt.text
            assert len(set(ids)) == len(ids) <= 25
            assert all(1 <= len(choice.label) <= 80 and len(choice.id) <= 40 for choice in prompt.choices)


def test_losses_as_buttons_are_every_answer_once() -> None:
    table = Table("en", [9])
    table.type("red", "move", units="1 carrier, 2 dreadnoughts, 1 fighter", from_="000", to="101")
    table.type("red", "done")
    (decision,) = decisions(table.state)
    assert isinstance(decision, LossesChoice)
    prompt = looks.prompt(table.state, decision, "en")
    labels = [choice.label for choice in prompt.choices]
    # What is least missed stands first.
    assert labels == [
        "Remove 1 fighter",
        "Remove 1 carrier (2 ground forces); then no room for 1 fighter",
        "Remove 1 dreadnought",
    ]
    for choice in prompt.choices:
        assert len(choice.command.ships) + choice.command.fighters == decision.hits


def test_a_retreat_is_asked_with_its_goals() -> None:
    table = battle("en")
    for _ in range(4):
        owed = decisions(table.state)
        if isinstance(owed[0], RetreatChoice):
            break
        table.follow(owed[0].player, looks.prompt(table.state, owed[0], "en").choices[0].command)
    (decision,) = decisions(table.state)
    assert isinstance(decision, RetreatChoice)
    assert [choice.id for choice in looks.prompt(table.state, decision, "en").choices] == ["continue", "retreat-000"]
    assert table.posts[-1].kind is PostKind.WAITING
    assert "/retreat with the whole fleet to: 000" in table.posts[-1].post.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_looks(language: str) -> None:
    table = battle(language)
    words = phrases(language)
    assert RACES["red"] in looks.status(table.state, "blue", language)
    order = looks.order(table.state, language).splitlines()
    assert len(order) == 4
    assert all(race in "\n".join(order) for race in RACES.values())
    units = looks.units(table.state, "red", language)
    assert words.numbered(Kind.CARRIER, 1) in units
    assert "Hearth" in units
    assert map_title(table.state, language).startswith("Two fronts")
    assert set(map_labels(language).units) == set(Kind)


@pytest.mark.parametrize("language", LANGUAGES)
def test_standing_orders_are_shown_to_their_owner(language: str) -> None:
    table = Table(language)
    orders = StandingOrders((Kind.FIGHTER,), {"default": "fire", "red": "hold"}, RetreatOrder(3))
    state = replace(table.state, standing={"blue": orders})
    text = looks.standing_orders(state, "blue", language)
    assert phrases(language).unit(Kind.FIGHTER) in text
    assert RACES["red"] in text
    assert "3" in text
    assert looks.standing_orders(state, "red", language) != text


def test_a_waiting_line_puts_the_readers_own_choice_first() -> None:
    table = Table("en")
    assert isinstance(decisions(table.state)[0], MovementChoice)
    assert looks.waiting_line(table.state, "red", "en").startswith("Movement step")
    assert looks.waiting_line(table.state, "blue", "en") == "Now: Emberfolk moves."


# ---- length


@given(st.text(alphabet="ab \n", max_size=9000), st.integers(10, MESSAGE_LIMIT))
def test_pieces_fit_and_lose_nothing(text: str, limit: int) -> None:
    found = pieces(text, limit)
    assert "".join(found) == text
    assert all(len(piece) <= limit for piece in found)


def test_pieces_are_cut_at_ends_of_lines() -> None:
    text = "\n".join(["x" * 99] * 100)
    assert all(piece.endswith("\n") for piece in pieces(text)[:-1])


def test_hostile_names_do_not_ping_in_posts() -> None:
    position = {**Table("en").position, "name": "@everyone"}
    position["players"] = [
        {"key": "red", "race": "@everyone **x**"},
        {"key": "blue", "race": "<@&12>"},
        {"key": "green", "race": "||`boo`||"},
    ]
    table = Table("en", position=position)
    table.type("red", "move", units="all", from_="000", to="101")
    table.type("red", "done")
    text = "\n".join(told.post.text for told in table.posts) + looks.order(table.state, "en")
    assert "@everyone" not in text
    assert not re.search(r"(?<!\\)<@&", text)
    assert not re.search(r"(?<!\\)\|\|", text)

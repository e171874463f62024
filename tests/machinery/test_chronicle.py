"""The log page by page, what is new since one's last turn, all games at a glance."""

import json

from bot import chronicle, desk, slash
from bot.files import read_game
from bot.phrases import phrases
from bot.report import scenes
from renderer.drawable import Picture
from rules_core import commands as cmd
from rules_core.apply import fold
from rules_core.decide import decide
from rules_core.dice import ALWAYS_HIGH, ALWAYS_LOW
from rules_core.state import Party
from tests.machinery.tools import CHANNEL, Played, played, war
from tests.rules.play import board, planet

# What some looks cannot do without, or what makes them look back.
WITH = {"map": {"step": "1"}, "roll": {"dice": "3d10"}, "rules": {"clause": "3.52"}}


async def look(now: Played, who: str, name: str, **texts: str) -> desk.Answer:
    return await desk.perform(now.service, now.game, who, slash.find(name), texts, "en")


async def test_case_110_history_has_the_number_of_every_event_and_strikes_what_was_taken_back() -> None:
    async with played() as now:
        await now.do("red", "move", units="cruiser", start="201", to="202")
        await now.do("red", "move", units="cruiser", start="201", to="212")
        await now.service.undoing.undo(now.game, "red")
        text = (await look(now, "blue", "history")).text
        lines = text.splitlines()[1:]
        assert [line.split("`")[1] for line in lines] == ["#1", "#2", "#3"]
        assert [line.startswith("~~") for line in lines] == [False, True, False]
        assert "Emberfolk" in lines[0]
        assert "back to the table after event 1" in lines[2]


async def test_history_goes_back_page_by_page_and_loses_nothing() -> None:
    async with played() as now:
        for _ in range(15):
            await now.do("red", "move", units="cruiser", start="201", to="202")
            await now.service.undoing.undo(now.game, "red")
        latest = (await look(now, "red", "history")).text
        assert "Older: /history before: 18" in latest
        older = (await look(now, "red", "history", before="18")).text
        oldest = (await look(now, "red", "history", before="6")).text
        assert "Older" in older
        assert "Older" not in oldest
        pages = latest + older + oldest
        assert all(f"#{number}`" in pages for number in range(1, 31))


async def test_case_020_looking_changes_nothing() -> None:
    async with played(dice=lambda game: ALWAYS_LOW) as now:
        await now.do("red", "move", units="all", start="201", to="101")
        await now.do("red", "done")
        before = await now.service.load(now.game)
        looks = [each.name for each in slash.COMMANDS.values() if each.does is slash.Does.LOOK]
        assert {"map", "history", "luck", "replay", "odds", "since"} <= set(looks)
        for name in looks:
            await look(now, "red", name, **WITH.get(name, {}))
        assert await now.service.load(now.game) == before
        assert await now.store.game(now.game) == before.row


async def test_what_is_new_is_told_first_where_it_concerns_the_reader() -> None:
    async with played(dice=lambda game: ALWAYS_LOW) as now:
        await now.do("red", "move", units="cruiser", start="201", to="202")
        await now.do("red", "move", units="carrier 1, cruiser", start="201", to="101")
        await now.do("red", "done")
        answer = await look(now, "blue", "since")
        assert isinstance(answer.before, Picture)
        assert isinstance(answer.picture, Picture)
        assert answer.before.state != answer.picture.state
        mine, _, others = answer.text.partition("Elsewhere:")
        assert "from event 1 on" in mine
        assert "fires at" in mine or "round" in mine
        assert "202" in others


async def test_case_049_a_person_in_five_games_has_one_overview() -> None:
    async with played() as now:
        await now.service.seating.join(now.game, 11, "red")
        for number in range(4):
            data = {**war(), "name": f"War {number}"}
            row = await now.service.create(1, CHANNEL + 1 + number, "en", 7, read_game(json.dumps(data)))
            await now.service.seating.join(row.id, 11, ("red", "blue")[number % 2])
            await now.service.start(row.id)
        text = await chronicle.games(now.service, 11, "en")
        assert len(text.splitlines()) == 6
        assert text.count("you are waited for") == 3
        assert text.count("waits for Emberfolk") == 2
        assert f"<#{CHANNEL}>" in text
        assert "no running game" in await chronicle.games(now.service, 99, "en")


async def test_history_tells_of_phases_and_steps_too() -> None:
    async with played(position={**war(), "acting": None}) as now:
        first = (await look(now, "red", "history")).text
        assert "the individual phase of Tidewright" in first
        await now.do("blue", "done")
        assert "movement step over" in (await look(now, "red", "history")).text


async def test_history_tells_of_units_that_their_owner_destroyed() -> None:
    async with played() as now:
        await now.do("red", "scrap", units="cruiser", at="201")
        assert "201: Emberfolk destroys own 1 cruiser" in (await look(now, "blue", "history")).text


def test_what_came_of_dice_goes_before_the_dice_where_not_all_have_room() -> None:
    """Of an invasion in one step the page of the log must say that the planet fell."""
    keep = planet("Keep", "101", "blue", gf=2, pds=1)
    state = board(keep, planet("Home", "901", "red"), red={"101": "carrier+5gf"}, tech={"red": ("graviton_negator",)})
    for command in (cmd.Begin(), cmd.Done("red")):
        state = fold(state, decide(state, command, ALWAYS_LOW))
    parties = (Party(state.ships_at("101", "red")[0].id, 5),)
    state = fold(state, decide(state, cmd.DeclareLanding("red", "Keep", parties), ALWAYS_LOW))
    told = scenes(state, decide(state, cmd.Invade("red"), ALWAYS_HIGH))
    whole, page = chronicle.headlines(phrases("en"), told, 30), chronicle.headlines(phrases("en"), told, 3)
    assert len(page) == 4 < len(whole)
    assert any(" takes Keep**" in line for line in page)
    assert [line for line in whole if line in page] == page[:3]

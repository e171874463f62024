"""Messages that ask: edited by the bot when they are over; menus from the announcement to the order."""

import json
from typing import Any

import pytest

from bot.files import read_game
from rules_core.history import REFEREE
from tests.discord.tools import Table, buttons, text_of
from tests.machinery.tools import war

pytestmark = pytest.mark.simcord(settle_timeout=60)


def current(table: Table, message: Any) -> Any:
    """The message as it is now."""
    return next(each for each in table.posts() if each.id == message.id)


async def press(table: Table, who: str, message: Any, label: str) -> str:
    """A button by its label; gives the private answer."""
    id = next(item.custom_id for item in buttons(message) if item.label == label)
    return text_of(await table.people[who].click(message, custom_id=id))


class Taps:
    """One who plays by taps alone: how often he taps. A line of a list is two taps: open it, pick."""

    def __init__(self, table: Table, who: str) -> None:
        self.table = table
        self.person = table.people[who]
        self.count = 0
        self.shown: Any = None
        # Messages that the last tap has added to the one he taps on.
        self.added: list[Any] = []

    async def on(self, message: Any, *labels: str) -> int:
        """Taps on something in public, and on what he is shown then; gives how many taps that took."""
        self.shown, before = message, self.count
        for label in labels:
            await self.next(label)
        return self.count - before

    async def next(self, label: str) -> None:
        """Taps on what he is shown now, on what begins with the label."""
        offered = []
        for item in buttons(self.shown):
            options = {option.label: option.value for option in getattr(item, "options", ())}
            offered += [*options] or [item.label]
            chosen = next((name for name in options or [item.label] if name.startswith(label)), None)
            if chosen is None:
                continue
            self.count += 2 if options else 1
            if options:
                result = await self.person.select(self.shown, [options[chosen]], custom_id=item.custom_id)
            else:
                result = await self.person.click(self.shown, custom_id=item.custom_id)
            self.shown = result.response.message
            self.added = [answer.message for answer in result.followups]
            return
        raise LookupError(f"{label} is not offered, only {offered}")


async def test_an_answered_question_shows_what_was_decided(game: Table) -> None:
    await game.to_losses()
    asked = game.posts()[-1]
    assert buttons(asked)
    await game.press("red", asked, "losses-0.0.0.0.2")
    assert buttons(current(game, asked))  # the other side has not answered yet
    await game.press("blue", asked, "losses-0.2.0")
    over = current(game, asked)
    assert not buttons(over)
    assert "Emberfolk: **Remove 2 fighters**" in over.content
    assert "Tidewright: **Remove 2 cruisers**" in over.content


async def test_the_announcement_loses_its_buttons_with_its_phase(game: Table) -> None:
    announced = game.posts()[-1]
    labels = ["Move", "Load", "Land", "Bombard", "Done", "Undo", "Plan", "Map", "What is new", "Help"]
    assert [item.label for item in buttons(announced)] == labels
    await game.finish("red")
    assert buttons(current(game, announced))
    await game.finish("red")
    assert not buttons(current(game, announced))


async def test_case_022_a_question_that_was_taken_back_says_so_even_after_a_restart(game: Table) -> None:
    await game.finish("red")
    await game.finish("red")
    announced = game.posts()[-1]
    assert game.pinged(announced) == ["blue"]
    await game.restart()
    await game.use("red", "undo")
    over = current(game, announced)
    assert not buttons(over)
    assert "Taken back" in over.content


async def test_the_taps_of_a_typical_move_landing_and_battle(game: Table) -> None:
    """The figures of bot/README.md."""
    taps = Taps(game, "red")
    assert await taps.on(game.posts()[-1], "Move", "201", "All", "Go on", "101") == 7
    # What he is shown then goes on from there.
    assert await taps.on(taps.shown, "Move", "2 cruisers", "Go on", "105") == 6
    assert await taps.on(taps.shown, "Done") == 1
    assert await taps.on(taps.shown, "Fight the battle in 105") == 1


async def test_the_taps_of_a_battle_and_a_landing(game: Table) -> None:
    """The figures of bot/README.md."""
    await game.to_losses()
    red, blue = Taps(game, "red"), Taps(game, "blue")
    asked = game.posts()[-1]
    assert await red.on(asked, "Remove 2 fighters") == 2
    assert await blue.on(asked, "Tidewright: Remove 2 cruisers") in (1, 2)
    assert await red.on(game.posts()[-1], "Fight on") == 1
    assert await red.on(red.shown, "Bombard", "101 Marrow", "All", "Declare") == 5
    assert await red.on(red.shown, "Land", "101 Marrow", "All", "Declare") == 5
    assert await red.on(red.shown, "Carry out the invasion") == 1
    assert (await game.state()).planets["Marrow"].owner == "red"


async def test_only_who_acts_can_use_the_buttons_and_all_else_is_private(game: Table) -> None:
    announced = game.posts()[-1]
    before = len(game.posts())
    for who in ("blue", "yellow"):
        assert "no such choice" in await press(game, who, announced, "Move")
    assert "no seat" in await press(game, REFEREE, announced, "Move")
    assert len(game.posts()) == before


async def test_case_010_two_presses_at_once_do_one_thing(game: Table) -> None:
    announced = game.posts()[-1]
    await press(game, "red", announced, "Done")
    assert "The table has changed" in await press(game, "red", announced, "Done")
    phase = (await game.state()).phase
    assert phase is not None
    assert phase.step == "invasion"


async def test_case_018_a_menu_left_alone_has_changed_nothing(game: Table) -> None:
    before, posts = await game.state(), len(game.posts())
    taps = Taps(game, "red")
    await taps.on(game.posts()[-1], "Move", "201", "All", "Start over")
    assert await game.state() == before
    assert len(game.posts()) == posts


async def test_case_013_a_menu_for_another_table_shows_the_table_as_it_is(game: Table) -> None:
    taps = Taps(game, "red")
    await taps.on(game.posts()[-1], "Move", "201", "All")
    await game.use("red", "move", units="cruiser", from_="202", to="105")
    before = await game.state()
    await taps.next("Go on")
    assert "The table has changed" in taps.shown.content
    assert [item.label for item in buttons(taps.shown)][:2] == ["Move", "Load"]
    assert await game.state() == before


async def test_a_list_in_which_the_same_is_picked_again_stays_where_it_is(game: Table) -> None:
    taps = Taps(game, "red")
    await taps.on(game.posts()[-1], "Move", "202", "1 cruiser", "1 cruiser")
    assert taps.added == []


async def test_a_pause_leaves_the_buttons_good_and_anything_else_does_not(game: Table) -> None:
    """Nothing is otherwise after it. A ship that was placed anywhere may matter to who ends his step."""
    announced, start = game.posts()[-1], await game.state()
    game.keep_old_buttons()
    for edit in ("pause", "resume"):
        await game.use(REFEREE, f"referee {edit}")
    assert "The table has changed" not in await press(game, "red", announced, "Done")
    await game.use("red", "undo")
    assert await game.state() == start


async def test_case_004_an_old_button_does_nothing_after_an_undo(game: Table) -> None:
    """Though the table stands as it stood."""
    announced, start = game.posts()[-1], await game.state()
    game.keep_old_buttons()
    await game.use(REFEREE, "referee place", units="cruiser", at="201", player="red")
    assert "The table has changed" in await press(game, "red", announced, "Done")
    await game.use(REFEREE, "undo")
    assert "The table has changed" in await press(game, "red", announced, "Done")
    assert await game.state() == start


async def test_a_second_answer_in_the_same_words_is_a_new_message(game: Table) -> None:
    """In place it would look as if the tap had done nothing."""
    taps = Taps(game, "red")
    await taps.on(game.posts()[-1], "Move", "201", "All")
    for stale in ("Go on", "Done", "Done"):
        await game.use(REFEREE, "referee place", units="cruiser", at="201", player="red")
        await taps.next(stale)
        assert "The table has changed" in taps.shown.content
        # The first stands where the list was.
        assert [message.content for message in taps.added] == [taps.shown.content] * (stale != "Go on")
        taps.shown = [taps.shown, *taps.added][-1]


async def test_what_was_taken_back_is_brought_back_by_a_tap(game: Table) -> None:
    """On the post of the undo, for whoever took it back, as long as nothing else has happened."""
    await game.use("red", "move", units="cruiser", from_="202", to="105")
    moved = await game.state()
    await game.use("red", "undo")
    (undone, before) = game.posts()[-1], await game.state()
    assert "nothing to bring back" in await press(game, "blue", undone, "Redo")
    assert await game.state() == before
    game.keep_old_buttons()
    assert "brought back" in await press(game, "red", undone, "Redo")
    assert await game.state() == moved
    assert "Redo" not in [item.label for item in buttons(game.posts()[-1])]
    # An old one does nothing, whatever could be brought back by now.
    await game.use("red", "undo")
    assert "this button does nothing any more" in await press(game, "red", undone, "Redo")
    assert await game.state() == before


async def test_the_referee_brings_back_by_a_tap_what_he_took_back(game: Table) -> None:
    await game.use(REFEREE, "referee place", units="cruiser", at="201", player="red")
    placed = await game.state()
    await game.use(REFEREE, "undo")
    undone = game.posts()[-1]
    assert "brought back" not in await press(game, "red", undone, "Redo")
    assert "brought back" in await press(game, REFEREE, undone, "Redo")
    assert await game.state() == placed


async def test_case_016_undo_shows_what_it_takes_back_before_it_does(game: Table) -> None:
    taps = Taps(game, "red")
    await taps.on(game.posts()[-1], "Move", "202", "All", "Go on", "105")
    moved = await game.state()
    await taps.next("Undo")
    assert "This would be taken back" in taps.shown.content
    assert await game.state() == moved
    await taps.next("Take it back")
    assert await game.state() != moved


async def test_case_010_two_presses_of_the_same_undo_take_back_once(game: Table) -> None:
    announced = game.posts()[-1]
    await game.use("red", "move", units="cruiser", from_="202", to="105")
    once = await game.state()
    await game.use("red", "move", units="cruiser", from_="202", to="105")
    first, second = Taps(game, "red"), Taps(game, "red")
    for taps in (first, second):
        await taps.on(announced, "Undo")
    for taps in (first, second):
        await taps.next("Take it back")
        assert await game.state() == once
    assert "Take it back" in [item.label for item in buttons(second.shown)]  # asked about the table as it is now


async def test_an_undo_beyond_the_dice_is_proposed_and_agreed_to_by_buttons(game: Table) -> None:
    await game.to_losses()
    before = await game.state()
    red = Taps(game, "red")
    announced = next(each for each in game.posts() if any(item.label == "Undo" for item in buttons(each)))
    await red.on(announced, "Undo")
    assert "asks the others" in red.shown.content
    await red.next("Ask the others")
    proposed = game.posts()[-1]
    asked = game.pinged(proposed)
    assert asked
    assert "not for you" in await press(game, "red", proposed, "Agree")
    for who in asked:
        assert await game.state() == before
        await press(game, who, proposed, "Agree")
    assert await game.state() != before
    assert not buttons(current(game, proposed))


async def test_case_075_done_asks_once_in_the_invasion_step(game: Table) -> None:
    taps = Taps(game, "red")
    await taps.on(game.posts()[-1], "Done")
    await taps.next("Done")
    assert "You could still land" in taps.shown.content
    await taps.next("End my phase without it")
    assert game.all_pings()[-1] == ["blue"]


async def test_done_asks_once_if_nothing_was_moved_typed_or_tapped(table: Table) -> None:
    """Where it would end the phase. The figure of bot/README.md."""
    position = war()
    position["systems"][1]["units"] = {"red": {"cruisers": 2}}
    await table.begin(read_game(json.dumps(position)))
    assert await table.use("red", "done") == "You have moved nothing. End your phase without acting?"
    assert not (await table.state()).player("red").acted
    taps = Taps(table, "red")
    announced = next(each for each in table.posts() if any(item.label == "Done" for item in buttons(each)))
    assert await taps.on(announced, "Done", "End my phase without acting") == 2
    assert (await table.state()).player("red").acted


async def test_done_typed_or_tapped_does_not_say_that_a_plan_moves_nothing(table: Table) -> None:
    """Who has a plan open is asked about the table as it would be, or told that his plan is open."""
    position = war()
    position["systems"][1]["units"] = {"red": {"cruisers": 2}}
    await table.begin(read_game(json.dumps(position)))
    announced = next(each for each in table.posts() if any(item.label == "Done" for item in buttons(each)))
    await table.use("red", "plan open")
    await table.use("red", "move", units="cruiser", from_="201", to="202")
    typed, tapped = await table.use("red", "done"), await press(table, "red", announced, "Done")
    for said in (typed, tapped):
        assert "moved nothing" not in said
        assert "plan is open" in said
    assert not (await table.state()).player("red").acted


async def test_case_008_after_an_undo_over_the_turn_player_buttons_and_map_agree(game: Table) -> None:
    await game.finish("red")
    await game.finish("red")
    turn_of_blue = game.posts()[-1]
    assert game.pinged(turn_of_blue) == ["blue"]
    await game.use("red", "undo")
    back = game.posts()[-1]
    assert "Done" in [item.label for item in buttons(back)]
    assert not buttons(current(game, turn_of_blue))
    assert game.pinged(back) == []  # who took it back knows
    assert back.attachments
    taps = Taps(game, "red")
    await taps.on(back, "Done", "End my phase without it")
    assert game.all_pings()[-1] == ["blue"]


async def test_who_is_waited_for_again_after_an_agreed_undo_is_asked_again(game: Table) -> None:
    await game.to_losses()
    asked = game.posts()[-1]
    await game.press("red", asked, "losses-0.0.0.0.2")
    await game.press("blue", asked, "losses-0.2.0")
    row = await game.bot.service.game_in(game.channel.id)
    entry = await game.bot.store.log.entry_with(row.id, row.head)
    earlier = await game.bot.store.log.entry_with(row.id, entry.first - 1)
    await game.bot.service.undoing.propose(row.id, "blue", earlier.first - 1)
    await game.use(REFEREE, "agree")
    again = game.posts()[-1]
    assert "agreed to" in again.content
    assert any("Remove" in str(getattr(item, "label", "")) or getattr(item, "options", ()) for item in buttons(again))


async def test_a_reminder_has_a_button_that_stops_it(game: Table) -> None:
    for _ in range(5):
        await game.env.advance_time(5 * 3600)
    reminder = game.posts()[-1]
    assert game.pinged(reminder) == ["red"]
    helped = await game.people["red"].click(reminder, label="Help")
    assert [item.label for item in buttons(helped.response.message)][:2] == ["Move", "Load"]
    assert "not be reminded of this again" in await press(game, "red", reminder, "No more reminders for this")
    for _ in range(12):
        await game.env.advance_time(6 * 3600)
    assert game.posts()[-1].id == reminder.id


async def test_a_deadline_stands_under_what_asks(game: Table) -> None:
    await game.use(REFEREE, "referee settings", deadline=48)
    await game.finish("red")
    await game.finish("red")
    assert "Until <t:" in game.posts()[-1].content


async def test_undo_typed_where_dice_have_fallen_offers_to_ask_the_others(game: Table) -> None:
    await game.to_losses()
    result = await game.people["red"].slash(game.channel, "undo")
    assert "asks the others" in text_of(result)
    await press(game, "red", result.response.message, "Ask the others to take it back")
    assert "asks to take back" in game.posts()[-1].content
    assert "nothing of yours" in await game.use("yellow", "undo")


@pytest.mark.parametrize("command", ["help", "status", "since"])
async def test_who_asks_what_to_do_gets_its_buttons(game: Table, command: str) -> None:
    """Those of the announcement are far up when many posts have followed it."""
    shown = (await game.people["red"].slash(game.channel, command)).response.message
    assert [item.label for item in buttons(shown)][:4] == ["Move", "Load", "Scrap", "Done"]
    assert not buttons((await game.people["blue"].slash(game.channel, command)).response.message)


@pytest.mark.parametrize("refuser", ["blue", REFEREE])
async def test_a_refused_undo_still_says_who_had_asked_and_tells_him_who_refused(game: Table, refuser: str) -> None:
    await game.to_losses()
    result = await game.people["red"].slash(game.channel, "undo")
    await press(game, "red", result.response.message, "Ask the others to take it back")
    proposed = game.posts()[-1]
    await press(game, refuser, proposed, "Do not agree")
    edited, told = current(game, proposed), game.posts()[-1]
    assert edited.content == proposed.content
    assert not buttons(edited)
    assert game.pinged(told) == ["red"]
    assert ("The referee" if refuser == REFEREE else "Tidewright") in told.content


async def test_a_question_is_edited_though_a_reminder_asks_the_same(game: Table) -> None:
    await game.to_losses()
    asked = game.posts()[-1]
    for _ in range(5):
        await game.env.advance_time(5 * 3600)
    assert game.posts()[-1].id != asked.id
    await game.press("red", asked, "losses-0.0.0.0.2")
    await game.press("blue", asked, "losses-0.2.0")
    assert "**Remove 2 fighters**" in current(game, asked).content

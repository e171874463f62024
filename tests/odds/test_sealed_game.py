"""A game binds its dice before the first is rolled, and shows at its end that it kept to them."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

import rules_core
from bot.cli import main
from bot.clock import SettableClock
from bot.database import IN_MEMORY
from bot.files import read_game
from bot.parse import parse_kinds
from bot.phrases import LANGUAGES, phrases
from bot.sealed import seal_of
from bot.service import Service
from bot.store import Store
from bot.verify import told, verify
from rules_core.dice import SealedDice, seal, with_words
from rules_core.errors import FileError, RuleViolation, Unreadable
from rules_core.events import VolleyFired
from rules_core.game_file import read_any, write_game
from rules_core.state import RetreatOrder, StandingOrders
from tests.machinery.tools import CHANNEL, SECRET, START, Played, played, war
from tests.odds.test_sealed_dice import face

README = Path(rules_core.__file__).with_name("README.md").read_text(encoding="utf-8")


async def fight(table: Played) -> None:
    """A battle with a round or two, whatever the dice say."""
    await table.do("red", "move", units="all", start="201", to="101")
    await table.service.set_standing(table.game, "red", lambda state: orders("fighter, cruiser, carrier"))
    await table.service.set_standing(table.game, "blue", lambda state: orders("cruiser, dreadnought"))
    await table.do("red", "done")


def orders(losses: str) -> StandingOrders:
    return StandingOrders(parse_kinds(losses), {}, RetreatOrder())


async def exported(table: Played, folder: Path) -> Path:
    path = folder / "game.json"
    path.write_text(await table.service.past.game_file(table.game), encoding="utf-8")
    return path


async def test_while_it_runs_the_file_has_the_seal_and_not_the_secret(tmp_path: Path, capsys) -> None:
    async with played() as table:
        await fight(table)
        path = await exported(table, tmp_path)
        text = path.read_text(encoding="utf-8")
        assert SECRET.hex() not in text
        assert json.loads(text)["seal"] == {"sha256": seal(SECRET), "words": {}, "after": 0}
        assert read_any(text).seal == seal_of(await table.store.game(table.game))
        with pytest.raises(RuleViolation, match="secret_not_revealed"):
            await table.service.past.verified(table.game)
        assert main(["verify", str(path)]) == 2
        assert "not public" in capsys.readouterr().err


@pytest.mark.parametrize("how", ["end", "reveal"])
async def test_when_it_is_public_every_die_can_be_checked(tmp_path: Path, capsys, how: str) -> None:
    async with played() as table:
        await fight(table)
        await getattr(table.service, how)(table.game)
        path = await exported(table, tmp_path)
        assert json.loads(path.read_text(encoding="utf-8"))["seal"]["secret"] == SECRET.hex()
        verdict = await table.service.past.verified(table.game)
        assert verdict.dice > 5
        assert verdict.differing == ()
        assert main(["verify", str(path)]) == 0
        assert str(verdict.dice) in capsys.readouterr().out


async def test_the_ten_lines_of_the_readme_do_it_too(tmp_path: Path, monkeypatch) -> None:
    (lines,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    async with played() as table:
        await fight(table)
        await table.service.end(table.game)
        path = await exported(table, tmp_path)
    monkeypatch.chdir(tmp_path)
    exec(compile(lines, "README", "exec"), {})
    data = json.loads(path.read_text(encoding="utf-8"))
    die = next(die for record in data["log"] for die in record.get("dice", ()))
    die["value"] = die["value"] % 10 + 1
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(AssertionError):
        exec(compile(lines, "README", "exec"), {})


async def test_a_log_with_another_die_is_found_out(tmp_path: Path, capsys) -> None:
    """Even one that was signed anew: its hash fits, its die does not."""
    async with played() as table:
        await fight(table)
        await table.service.end(table.game)
        game = read_any(await table.service.past.game_file(table.game))
    entries = list(game.entries)
    place = next(n for n, entry in enumerate(entries) if any(isinstance(e, VolleyFired) for e in entry.events))
    events = list(entries[place].events)
    number = next(n for n, event in enumerate(events) if isinstance(event, VolleyFired))
    volley = events[number].volley
    shots = list(volley.shots)
    # A face on the same side of the number that is needed, so that everything after it still fits.
    other = next(face for face in range(1, 11) if (face >= shots[0].needed) == shots[0].hit and face != shots[0].die)
    shots[0] = replace(shots[0], die=other)
    events[number] = replace(events[number], volley=replace(volley, shots=tuple(shots)))
    entries[place] = replace(entries[place], events=tuple(events))
    path = tmp_path / "forged.json"
    path.write_text(write_game(game.start, entries, game.seal), encoding="utf-8")
    assert main(["verify", str(path)]) == 1
    said = capsys.readouterr().out
    assert f"event {entries[place].first + number}" in said
    assert f": {other}, should be {volley.shots[0].die}" in said


async def test_another_secret_is_not_taken_for_the_one_that_was_announced() -> None:
    async with played() as table:
        await table.service.end(table.game)
        data = json.loads(await table.service.past.game_file(table.game))
    data["seal"]["secret"] = "11" * 32
    with pytest.raises(FileError) as refused:
        read_any(json.dumps(data))
    assert (refused.value.place, refused.value.code) == ("seal.secret", "another_secret")


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"sha256": "zz"}, "seal.sha256"),
        ({"words": {"red": 3}}, "seal.words"),
        ({"after": -1}, "seal.after"),
        ({"secret": "AB"}, "seal.secret"),
        ({"more": 1}, "seal.more"),
    ],
)
async def test_a_seal_that_cannot_be_read_is_named(change: dict, place: str) -> None:
    async with played() as table:
        data = json.loads(await table.service.past.game_file(table.game))
    data["seal"] |= change
    with pytest.raises(FileError) as refused:
        read_any(json.dumps(data))
    assert refused.value.place == place


# ---- words of the players


async def lobby(store: Store) -> tuple[Service, int]:
    service = Service(store, SettableClock(START), lambda channel: None)
    row = await service.create(1, CHANNEL, "en", 7, read_game(json.dumps(war())), SECRET)
    await service.seating.join(row.id, 71, "red")
    await service.seating.join(row.id, 72, "blue")
    return service, row.id


async def test_words_make_the_dice_and_the_file_says_which() -> None:
    async with await Store.open(IN_MEMORY) as store:
        service, game = await lobby(store)
        await service.seating.add_words(game, "blue", "세 번째  밤")
        await service.seating.add_words(game, "red", "first thought")
        await service.seating.add_words(game, "red", "the sun rose")
        await service.start(game)
        table = Played(store, service, game, [])
        await fight(table)
        await service.end(game)
        file = read_any(await service.past.game_file(game))
        words = {"red": "the sun rose", "blue": "세 번째 밤"}
        assert file.seal is not None
        assert list(file.seal.words.items()) == list(words.items())
        first = next(
            die for record in json.loads(await service.past.game_file(game))["log"] for die in record.get("dice", ())
        )
        assert first["value"] == face(with_words(SECRET, words), first["place"])
        assert (await service.past.verified(game)).differing == ()


async def test_words_come_before_the_start_and_from_seats() -> None:
    async with await Store.open(IN_MEMORY) as store:
        service, game = await lobby(store)
        await service.seating.add_words(game, "blue", "I go home")
        await service.seating.leave(game, 72)
        await service.seating.join(game, 73, "blue")
        await service.seating.add_words(game, "red", "here")
        assert json.loads((await store.game(game)).words) == {"red": "here"}
        for words in ("", "   ", "x" * 101):
            with pytest.raises(Unreadable):
                await service.seating.add_words(game, "red", words)
        await service.start(game)
        with pytest.raises(RuleViolation, match="already_started"):
            await service.seating.add_words(game, "red", "too late")


async def test_dice_of_an_imported_log_are_not_this_games(tmp_path: Path) -> None:
    async with played() as table:
        await fight(table)
        text = await table.service.past.game_file(table.game)
    async with await Store.open(IN_MEMORY) as store:
        service = Service(store, SettableClock(START), lambda channel: None)
        row = await service.create(1, CHANNEL, "en", 7, read_game(text), bytes([1]) * 32)
        await service.end(row.id)
        assert seal_of(await store.game(row.id)).after == row.head > 0
        assert (await service.past.verified(row.id)).dice == 0


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_verdict_in_words(language: str) -> None:
    async with played() as table:
        await fight(table)
        await table.service.end(table.game)
        start = read_any(await table.service.past.game_file(table.game))
    verdict = verify(start.start, start.entries, SealedDice(bytes([9]) * 32))
    said = told(verdict, phrases(language))
    assert said.count("\n- ") == min(20, len(verdict.differing))


async def test_words_go_with_the_user_when_his_seat_is_called_otherwise() -> None:
    async with await Store.open(IN_MEMORY) as store:
        service, game = await lobby(store)
        await service.seating.add_words(game, "red", "mine")
        other = json.loads(json.dumps(war()).replace('"red"', '"green"'))
        await service.set_up(game, read_game(json.dumps(other)), {"green": 71, "blue": 72})
        assert json.loads((await store.game(game)).words) == {"green": "mine"}
        await service.set_up(game, read_game(json.dumps(other)), {"blue": 72})
        assert json.loads((await store.game(game)).words) == {}

"""Whoever holds the log and the secret finds every die that was not honest."""

from collections.abc import Sequence
from dataclasses import replace

from bot.verify import verify
from rules_core import events as ev
from rules_core.dice import DiePlace, SealedDice
from rules_core.events import Shot, Volley
from rules_core.game_file import read_any, write_game
from rules_core.history import Entry, rolled
from tests.rules.play import Table, board, planet, play

SECRET = bytes(range(32))
WAR = board(
    planet("Hearth", "101", "blue", gf=2, pds=2),
    red={"201": "4 dreadnoughts, 3 cruisers, carrier+5gf"},
    blue={"101": "2 cruisers, 2 fighters"},
    tech={"red": ["assault_cannon", "graviton_negator"]},
    standing={
        "red": {"losses": ["cruiser", "carrier", "dreadnought"], "retreat": "never"},
        "blue": {"losses": ["fighter", "cruiser"]},
    },
)


def fought() -> Table:
    """All purposes of dice: PDS, cannon, rounds, bombardment, PDS at the landing, ground rounds."""
    table = play(WAR, dice=SealedDice(SECRET)).move("all", "201", "101").done()
    return table.bombard("Hearth").land("Hearth", "all").invade()


def log(events: Sequence[ev.Event]) -> list[Entry]:
    return [Entry(1, "red", tuple(events))]


def test_an_honest_log() -> None:
    table = fought()
    verdict = verify(WAR, log(table.events), SealedDice(SECRET))
    assert verdict.differing == ()
    assert verdict.dice == rolled(table.events) == len(table.dice.places)
    assert {place.purpose.value for place in table.dice.places} == {
        "pds", "cannon", "volley", "bombardment", "landing_pds", "ground",
    }  # fmt: skip


def test_another_secret_is_found_out() -> None:
    verdict = verify(WAR, log(fought().events), SealedDice(bytes(32)))
    assert 0 < len(verdict.differing) < verdict.dice


def changed(volley: Volley, die: int, face: int) -> Volley:
    shots = [replace(shot, die=face) if n == die else shot for n, shot in enumerate(volley.shots, 1)]
    return replace(volley, shots=tuple(shots))


def test_one_changed_face_is_named() -> None:
    events = list(fought().events)
    number, event = next((n, e) for n, e in enumerate(events, 1) if isinstance(e, ev.VolleyFired))
    honest = event.volley.shots[1].die
    events[number - 1] = replace(event, volley=changed(event.volley, 2, honest % 10 + 1))
    (differs,) = verify(WAR, log(events), SealedDice(SECRET)).differing
    assert (differs.number, differs.logged.number, differs.face, differs.right) == (number, 2, honest % 10 + 1, honest)


def test_a_die_from_a_better_place_is_named() -> None:
    """Its face is that of the secret, but at a place where the rules do not roll."""

    class Picky:
        def roll(self, place: DiePlace) -> int:
            return SealedDice(SECRET).roll(replace(place, volley=place.volley + 7))

    def moved(volley: Volley) -> Volley:
        place = replace(volley.place, volley=volley.place.volley + 7)
        shots = (
            Shot(s.kind, s.needed, SealedDice(SECRET).roll(replace(place, number=n)))
            for n, s in enumerate(volley.shots, 1)
        )
        return Volley(place, tuple(shots))

    table = play(WAR, dice=Picky()).move("all", "201", "101").done()
    events = [replace(e, volley=moved(e.volley)) if isinstance(e, ev.VolleyFired) else e for e in table.events]
    verdict = verify(WAR, log(events), SealedDice(SECRET))
    assert len(verdict.differing) == verdict.dice > 0


def test_what_was_taken_back_is_checked_on_the_table_on_which_it_fell() -> None:
    table = play(WAR, dice=SealedDice(SECRET)).move("all", "201", "101")
    first = Entry(1, "red", tuple(table.events))
    undone = Entry(first.last + 1, "red", undone_to=0)
    fight = Entry(undone.last + 1, "red", tuple(fought().events))
    game = read_any(write_game(WAR, [first, undone, fight]))
    assert verify(game.start, game.entries, SealedDice(SECRET)).differing == ()


def test_nothing_rolled() -> None:
    assert verify(WAR, [], SealedDice(SECRET)).dice == 0

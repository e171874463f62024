"""A loss is told with its place: whatever is lost, in whatever way, a line names system, seat, units and cause."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from bot.phrases import LANGUAGES, Phrases, phrases
from bot.presenter import post
from bot.replay import Frame, frames
from bot.report import all_races, fleet
from bot.steps import PostKind
from rules_core import events as ev
from rules_core.apply import apply
from rules_core.dice import SealedDice
from rules_core.game_file import read_any, write_game
from rules_core.state import State
from rules_core.units import Kind
from tests.rules.random_play import Game, random_position

# Games in which something is lost in every way there is.
SEEDS = (5, 31, 34)
# Nobody is told of what a player scraps, and the referee's edits are told as edits.
NO_LOSS = (ev.UnitsScrapped, ev.UnitsRemoved)
LOSING = {
    ev.UnitsDestroyed, ev.FightersLost, ev.FleetRetreated, ev.PlanetBombarded, ev.LandingFiredAt, ev.GroundRoundFought,
    ev.LandingRepelled, ev.PlanetCaptured,
}  # fmt: skip


def owned(state: State) -> Counter[tuple[str, Kind]]:
    """How many units of each kind everybody has, those included that have left their ships for another's planet."""
    count: Counter[tuple[str, Kind]] = Counter()
    for ship in state.ships.values():
        count[ship.owner, ship.kind] += 1
        count[ship.owner, Kind.GROUND_FORCE] += ship.ground_forces
        count[ship.owner, Kind.PDS] += ship.pds
    for (_, owner), number in state.fighters.items():
        count[owner, Kind.FIGHTER] += number
    for planet in state.planets.values():
        if planet.owner is not None:
            count[planet.owner, Kind.GROUND_FORCE] += planet.ground_forces
            count[planet.owner, Kind.PDS] += planet.pds
            count[planet.owner, Kind.SPACE_DOCK] += planet.space_dock
    if state.phase is not None and state.phase.ashore is not None:
        count[state.phase.player, Kind.GROUND_FORCE] += state.phase.ashore.ground_forces
        count[state.phase.player, Kind.PDS] += state.phase.ashore.pds
    return count


def steps_of(seed: int) -> tuple[Frame, ...]:
    """The steps of a random game, each as it is posted."""
    game = Game(random_position(seed), SealedDice(bytes(32))).play(Random(seed), 2)
    return frames(read_any(write_game(game.start, game.entries)))


def losses(told: Frame) -> Iterator[tuple[ev.Event, str, dict[Kind, int]]]:
    """Every event of a step that leaves somebody with less than before, with who that is and what is gone."""
    state = told.before
    for event in told.events:
        after = apply(state, event)
        gone = owned(state) - owned(after)
        for player in {owner for owner, _ in gone}:
            yield event, player, {kind: number for (owner, kind), number in gone.items() if owner == player}
        state = after


def named(words: Phrases, event: ev.Event, lost: dict[Kind, int]) -> list[str]:
    """How the lost units must read; what goes down with a ship stands behind it."""
    if isinstance(event, ev.UnitsDestroyed):
        return [fleet(words, event.ships, event.fighters)]
    return [words.count(kind, number) for kind, number in lost.items()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_case_074_every_loss_names_system_seat_units_and_cause(language: str) -> None:
    words, seen = phrases(language), set()
    for step in (step for seed in SEEDS for step in steps_of(seed)):
        told = post(PostKind(step.kind), step.before, step.events, language).text.splitlines()
        for event, player, lost in losses(step):
            if isinstance(event, NO_LOSS):
                continue
            seen.add(type(event))
            start = f"{event.at}: {all_races(step.before)[player]} "
            for units in named(words, event, lost):
                line = next((line for line in told if line.startswith(start) and units in line), "")
                cause = line.rpartition(units)[2].strip(" .")
                assert (cause[:1], cause[-1:]) == ("(", ")"), (event, told)
                assert len(cause) > 2, line
    assert seen == LOSING

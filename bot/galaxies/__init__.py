"""Galaxies to play in: ready-made ones for two to eight players, and new ones from a seed, fair by measurement."""

from collections.abc import Sequence
from typing import Final

from bot.galaxies.chance import Chance
from bot.galaxies.names import Race, races
from bot.galaxies.report import score_legend, score_table
from bot.galaxies.scores import BOUND, MEASURES, Measures, homes_of, scores, spread, unfairness
from bot.galaxies.shape import MAX_RINGS, SEATS, USUAL_RINGS, least_rings, shape
from bot.galaxies.start import named, start
from bot.galaxies.terrain import terrain
from bot.galaxies.worlds import worlds
from bot.phrases import Language
from rules_core.game_file import GameFile, chain_start
from rules_core.state import State

__all__ = [
    "BOUND",
    "LEAST_PLAYERS",
    "MAX_RINGS",
    "MEASURES",
    "RACES",
    "SEATS",
    "USUAL_RINGS",
    "Measures",
    "Race",
    "generate",
    "homes_of",
    "least_rings",
    "races",
    "ready_made",
    "score_legend",
    "score_table",
    "scores",
    "spread",
    "unfairness",
]

LEAST_PLAYERS: Final = SEATS[0]
RACES: Final = races("en")
# So few are needed that the last has never been seen; a galaxy that is not fair all the same shows it by its scores.
ATTEMPTS: Final = 20
# Chosen by looking at many.
_READY_MADE: Final = {2: "57", 3: "11", 4: "37", 5: "3", 6: "157", 7: "0", 8: "45"}


def ready_made(name: str, seats: Sequence[tuple[str, str]], language: Language = "en") -> GameFile:
    """The beginning of a game called `name` between these players, each a key and a race."""
    position = generate(_READY_MADE[len(seats)], seats, language=language, name=name)
    return GameFile(position, (), chain_start(position))


def generate(
    seed: str,
    seats: Sequence[tuple[str, str]],
    rings: int | None = None,
    language: Language = "en",
    name: str = "Starpost",
) -> State:
    """The first position of a game in a galaxy that `seed`, the number of seats and of rings decide.

    Who sits there and in which script names are written changes nothing else. Raises ValueError for numbers of seats
    or rings that do not go together.
    """
    form = shape(len(seats), USUAL_RINGS.get(len(seats), MAX_RINGS) if rings is None else rings)
    chance = Chance(seed)
    homes = dict(zip(form.homes, (Race(*seat) for seat in seats), strict=True))
    for _ in range(ATTEMPTS):
        galaxy = terrain(chance, form)
        planets = named(chance, worlds(chance, galaxy, form), language)
        state = start(name, galaxy, planets, homes)
        if not unfairness(scores(state)):
            break
    return state

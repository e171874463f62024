"""`starpost galaxy`: a galaxy from a seed, as a position file, a picture and its scores."""

import argparse
import secrets

from bot.errors import Unusable
from bot.files import write_bytes, write_text
from bot.galaxies import BOUND, MAX_RINGS, generate, least_rings, races, score_legend, score_table, scores, unfairness
from bot.marks import map_labels, map_title
from bot.phrases import phrases
from renderer import View, render
from rules_core.position import write_position
from rules_core.state import State


def make_galaxy(parsed: argparse.Namespace) -> str:
    """Writes the files that were asked for; what the terminal shows. Raises Unusable for options that cannot be."""
    seed = secrets.token_hex(4) if parsed.seed is None else parsed.seed
    state = _generated(seed, parsed)
    if parsed.out is not None:
        write_text(parsed.out, write_position(state))
    if parsed.picture is not None:
        view = View(map_title(state, parsed.language), map_labels(parsed.language))
        write_bytes(parsed.picture, render(state, view))
    return _shown(seed, state, parsed)


def _generated(seed: str, parsed: argparse.Namespace) -> State:
    least = least_rings(parsed.seats)
    if parsed.rings is not None and not least <= parsed.rings <= MAX_RINGS:
        raise Unusable(f"--rings: {parsed.rings}: expected {least} to {MAX_RINGS} for {parsed.seats} seats")
    name = phrases(parsed.language).say("galaxy.name")
    return generate(seed, races(parsed.language)[: parsed.seats], parsed.rings, parsed.language, name)


def _shown(seed: str, state: State, parsed: argparse.Namespace) -> str:
    words = phrases(parsed.language)
    title = words.say("galaxy.title", seed=seed, seats=len(state.players), systems=len(state.galaxy.systems))
    verdict = words.say("galaxy.unfair" if unfairness(scores(state)) else "galaxy.fair", bound=BOUND)
    return "\n".join((title, score_table(state, parsed.language), verdict, score_legend(state, parsed.language)))

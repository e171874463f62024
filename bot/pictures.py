"""Which pictures a step has, and what they say to those who cannot see them. Pure; drawing them is the renderer's."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from bot.marks import map_labels, map_title, marks
from bot.phrases import Language
from bot.report import scenes
from renderer.contents import where
from renderer.view import Duel, View
from rules_core import events as ev
from rules_core.errors import RuleViolation
from rules_core.forecast import battle_at
from rules_core.odds import space_battle
from rules_core.state import Battle, State

# In one picture of so many systems what stands in them cannot be read on a phone: the step's part comes before it.
LARGE: Final = 61
# Discord takes so much text for those who cannot see a picture.
ALT_LIMIT: Final = 1024
# A step may fight for many planets; so many of them get a picture.
_MOST_PLANETS: Final = 3
# Chances of more units take too long for a picture.
_MOST_UNITS: Final = 60


def views(before: State, events: Sequence[ev.Event], after: State, number: int, language: Language) -> tuple[View, ...]:
    """The pictures of a step, the first to be looked at first: of a fight its two sides, else the whole board."""
    happened = marks(before, events)
    labels = map_labels(language, after.ruleset.technologies)
    board = View(map_title(after, language, number), labels, marks=happened)
    large, fights = len(after.galaxy.systems) >= LARGE, _fights(board, before, events, after)
    if fights:
        return (*fights, board) if large else fights
    if large and happened:
        return replace(board, focus=where(after, happened[-1])), board
    return (board,)


def _fights(board: View, before: State, events: Sequence[ev.Event], after: State) -> tuple[View, ...]:
    """The close views of a step: of its space battle, else of each planet on which it rolled dice."""
    fought = _battle(before, events)
    if fought is not None:
        return (replace(board, focus=fought.at, duel=_duel(after, fought)),)
    return tuple(
        replace(board, focus=after.planets[name].at, duel=duel, marks=marks(before, events, name))
        for name, duel in list(_invasions(before, events).items())[:_MOST_PLANETS]
    )


def _invasions(before: State, events: Sequence[ev.Event]) -> dict[str, Duel]:
    """Who attacked and who owned each planet on which dice were rolled."""
    found: dict[str, Duel] = {}
    for scene in scenes(before, events):
        match scene.event:
            case ev.PlanetBombarded(planet=name) | ev.LandingFiredAt(planet=name) | ev.GroundRoundFought(planet=name):
                if scene.before.phase is not None:
                    owner = scene.before.planets[name].owner
                    found.setdefault(name, Duel(scene.before.phase.player, owner, planet=name))
    return found


def _battle(before: State, events: Sequence[ev.Event]) -> Battle | None:
    """The battle in which these events fired; of PDS fire without one, the side that fired is the defender."""
    for scene in scenes(before, events):
        if isinstance(scene.event, ev.VolleyFired) and scene.before.phase is not None and scene.before.phase.battle:
            battle = scene.before.phase.battle
            return battle if battle.defender is not None else replace(battle, defender=scene.event.shooter)
    return None


def _duel(after: State, fought: Battle) -> Duel:
    return Duel(fought.attacker, fought.defender, _odds(after, fought.at))


def _odds(after: State, at: str) -> tuple[float, float, float] | None:
    """What may come of a battle that goes on, where the game shows that to everybody; by everybody's default orders."""
    battle = None if after.phase is None else after.phase.battle
    if after.options.public_odds != "shown" or battle is None or battle.at != at or battle.defender is None:
        return None
    with suppress(RuleViolation):
        question = battle_at(after, at)
        if len(question.attacker.units) + len(question.defender.units) <= _MOST_UNITS:
            found = space_battle(question)
            return found.attacker_wins, found.both_destroyed, found.defender_wins
    return None


def plain(told: str) -> str:
    """A post without its markup."""
    return re.sub(r"\\([\\*_~`|<>\[\]#])", r"\1", told.replace("**", ""))


def alt_text(title: str, told: str) -> str:
    """A picture for those who cannot see it: its title, then what happened, as far as there is room."""
    whole = f"{title}\n{plain(told)}".strip()
    if len(whole) <= ALT_LIMIT:
        return whole
    cut = whole[: ALT_LIMIT - 1]
    return (cut.rpartition("\n")[0] or cut) + "…"

"""A battle of this very game as a question to `odds.py`: from here, whatever step it has reached (3.53-b).

Only what everybody sees goes in, and what the caller adds: orders of losses, PDS that will hold, choices he knows.
"""

from collections.abc import Collection, Mapping, Sequence

from rules_core import odds
from rules_core.combat import phase_of
from rules_core.odds import Force, Landing, SpaceBattle
from rules_core.space_battle import enemy_in_space, fire_targets
from rules_core.state import Battle, BattleStep, Losses, State
from rules_core.units import Ability, Kind

_CANNON_TO_COME = (BattleStep.PDS_FIRE, BattleStep.PDS_LOSSES, BattleStep.ASSAULT_CANNON)


def battle_at(
    state: State,
    at: str,
    orders: Mapping[str, Sequence[Kind]] | None = None,
    holding: Collection[str] = (),
    known: Collection[str] = (),
) -> SpaceBattle:
    """The battle of the acting player in a system, under way or still to come.

    `orders`: the order of losses of each player (default: `odds.DEFAULT_LOSSES`). `holding`: whose PDS will not fire.
    `known`: the players whose choice of losses, if it is in already, may be looked at.
    """
    battle = _battle(state, at)
    attacker, attacker_hits = _force(state, battle, battle.attacker, orders or {}, known)
    defender, defender_hits = _force(state, battle, battle.defender, orders or {}, known)
    return SpaceBattle(
        attacker,
        defender,
        pds_at(state, at, battle.attacker, holding) if battle.step is BattleStep.PDS_FIRE else (),
        battle.step in _CANNON_TO_COME and state.allows(Ability.FIRE_ASSAULT_CANNON, battle.attacker),
        hits=(attacker_hits, defender_hits),
        after_round=battle.step is BattleStep.LOSSES,
    )


def landing_on(state: State, name: str) -> Landing | None:
    """What is declared against a planet, if all of it comes to pass; None where no landing is to be fought for."""
    phase, planet = phase_of(state), state.planets[name]
    landing = next((each for each in phase.landings if each.planet == name), None)
    if landing is None or not landing.ground_forces or planet.owner in (None, phase.player):
        return None
    mine = odds.unit(state.profile(Kind.GROUND_FORCE, phase.player))
    theirs = odds.unit(state.profile(Kind.GROUND_FORCE, planet.owner))
    bombarding = sum(len(each.dreadnoughts) for each in phase.bombardments if each.planet == name)
    return Landing(
        (mine,) * landing.ground_forces,
        (theirs,) * planet.ground_forces,
        (state.profile(Kind.PDS, planet.owner).hits_on or 0,) * planet.pds,
        (state.profile(Kind.DREADNOUGHT, phase.player).hits_on or 0,) * bombarding,
        state.allows(Ability.BOMBARD_PAST_PDS, phase.player),
        landing.pds,
    )


def _battle(state: State, at: str) -> Battle:
    phase = phase_of(state)
    if phase.battle is not None and phase.battle.at == at:
        return phase.battle
    return Battle(at, phase.player, enemy_in_space(state, at, phase.player))


def _force(
    state: State, battle: Battle, side: str | None, orders: Mapping[str, Sequence[Kind]], known: Collection[str]
) -> tuple[Force, int]:
    """A side of the battle, and the hits that it has not removed."""
    if side is None:
        return Force(()), 0
    targets = fire_targets(state, battle.at, side) if side == battle.attacker else None
    chosen = battle.chosen.get(side) if side in known else None
    force = odds.force_at(state, battle.at, side, orders.get(side, ()), targets, chosen or Losses())
    return force, 0 if chosen else battle.hits.get(side, 0)


def pds_at(state: State, at: str, target: str | None, holding: Collection[str] = ()) -> tuple[int, ...]:
    """3.53-c: the combat value of each PDS in a system that may fire at `target`."""
    values = []
    for planet in state.planets_at(at):
        if planet.owner is None or planet.owner == target or planet.owner in holding:
            continue
        hits_on = state.profile(Kind.PDS, planet.owner).hits_on
        assert hits_on is not None, "PDS fire"
        values += [hits_on] * planet.pds
    return tuple(values)

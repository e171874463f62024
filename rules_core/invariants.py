"""What must always hold, in any state ("What must always hold" of the rules page)."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from rules_core.space_battle import battle_is_due
from rules_core.state import MAX_UNITS_IN_ALL, State
from rules_core.units import Kind


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that must not be: a code and parameters, with the clause that it breaks."""

    code: str
    clause: str
    params: Mapping[str, object] = field(default_factory=dict)


def problems(state: State) -> tuple[Problem, ...]:
    """Everything that is wrong with a state; empty for any state that the rules can lead to."""
    return (*_total(state), *_space(state), *_loads(state), *_planets(state), *_docks(state), *_references(state))


def _total(state: State) -> Iterator[Problem]:
    if state.units_in_all() > MAX_UNITS_IN_ALL:
        yield Problem("number_out_of_range", "3.52.2-a", {"least": 0, "most": MAX_UNITS_IN_ALL})


def _space(state: State) -> Iterator[Problem]:
    owners = Counter(at for at, _ in state.fleets())
    for at, system in state.galaxy.systems.items():
        if owners[at] and system.red_bordered:
            yield Problem("red_bordered", "3.52.1-b", {"at": at, "kind": system.kind})
        if owners[at] > 2:
            yield Problem("third_race", "3.52.3-g", {"at": at})


def _loads(state: State) -> Iterator[Problem]:
    for ship in state.ships.values():
        profile = state.profile(ship.kind, ship.owner)
        negative = ship.ground_forces < 0 or ship.pds < 0
        wrong_kind = ship.pds > profile.room_for(Kind.PDS) or ship.ground_forces > profile.room_for(Kind.GROUND_FORCE)
        if negative or wrong_kind or ship.load > profile.capacity:
            yield Problem("overloaded", "3.52.2-a", {"at": ship.at, "ship": ship, "capacity": profile.capacity})


def _planets(state: State) -> Iterator[Problem]:
    for planet in state.planets.values():
        if planet.ground_forces < 0 or planet.pds < 0:
            yield Problem("negative_units", "3.54-f", {"planet": planet.name})
        if planet.owner is None and (planet.ground_forces or planet.pds or planet.space_dock):
            yield Problem("units_without_owner", "3.54-h", {"planet": planet.name})


def _docks(state: State) -> Iterator[Problem]:
    for player in state.players:
        limit = state.profile(Kind.SPACE_DOCK, player.key).limit
        owned = sum(planet.space_dock for planet in state.planets.values() if planet.owner == player.key)
        if limit is not None and owned > limit:
            yield Problem("too_many_docks", "3.52.1-d", {"player": player.key, "limit": limit})


def _references(state: State) -> Iterator[Problem]:
    """The program's own book-keeping: what is named exists."""
    players = {player.key for player in state.players}
    places = {ship.at for ship in state.ships.values()} | {at for at, _ in state.fighters}
    owners = {ship.owner for ship in state.ships.values()} | {owner for _, owner in state.fighters}
    owners |= {planet.owner for planet in state.planets.values() if planet.owner is not None}
    owners |= {*state.order, *state.spent, *(purchase.player for purchase in state.purchases)}
    planets = {*state.built, *(purchase.planet for purchase in state.purchases if purchase.planet is not None)}
    keyed = all(id == ship.id and id < state.next_ship for id, ship in state.ships.items())
    counted = all(number > 0 for number in state.fighters.values())
    if not (
        places <= set(state.galaxy.systems)
        and owners <= players
        and planets <= set(state.planets)
        and keyed
        and counted
        and _phase_fits(state)
    ):
        yield Problem("inconsistent", "3.51-e")


def _phase_fits(state: State) -> bool:
    phase = state.phase
    if phase is None:
        return True
    systems = {*phase.fire_at, *phase.battles_at, *phase.invaded}
    systems |= {at for journey in phase.journeys.values() for at in journey.systems}
    players = {phase.player}
    if phase.battle is not None:
        systems.add(phase.battle.at)
        players |= {phase.battle.attacker, *phase.battle.hits, *phase.battle.chosen}
        players |= set() if phase.battle.defender is None else {phase.battle.defender}
    known = systems <= set(state.galaxy.systems) and players <= {player.key for player in state.players}
    moved = all(journey.hops for journey in phase.journeys.values())
    ships = {id for each in phase.bombardments for id in each.dreadnoughts}
    ships |= {party.ship for landing in phase.landings for party in landing.parties}
    return known and moved and ships <= set(state.ships) and phase.declared <= set(state.planets)


def phase_end_problems(state: State, player: str) -> tuple[Problem, ...]:
    """What must hold when the phase of `player` ends: no battle left unfought, room for each fighter."""
    found = []
    for at in state.places_of(player):
        if battle_is_due(state, at, player):
            found.append(Problem("battle_left", "3.52.3-c", {"at": at}))
        if state.fighters_at(at, player) > state.fighter_room(at, player):
            found.append(Problem("fighters_without_room", "3.52.2-h", {"at": at}))
    return tuple(found)

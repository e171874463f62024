"""The second door: `apply(state, event) -> state` sets values. It never refuses, rolls or asks a rule."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

from rules_core import events as ev
from rules_core.frozen import replace
from rules_core.galaxy import Galaxy
from rules_core.state import (
    Battle,
    Bombardment,
    Journey,
    Landing,
    LandingForce,
    Party,
    Phase,
    Planet,
    Ship,
    State,
    Step,
)

_Fighters: TypeAlias = Mapping[tuple[str, str], int]

# ---- setting values in nested frozen things


def _phase(state: State) -> Phase:
    assert state.phase is not None, "an event of a phase outside any phase"
    return state.phase


def _battle(state: State) -> Battle:
    battle = _phase(state).battle
    assert battle is not None, "an event of a battle outside any battle"
    return battle


def _with_phase(state: State, **values: Any) -> State:
    return replace(state, phase=replace(_phase(state), **values))


def _with_battle(state: State, **values: Any) -> State:
    return _with_phase(state, battle=replace(_battle(state), **values))


def _with_player(state: State, key: str, **values: Any) -> State:
    players = tuple(replace(player, **values) if player.key == key else player for player in state.players)
    return replace(state, players=players)


def _with_planet(state: State, name: str, **values: Any) -> State:
    return replace(state, planets={**state.planets, name: replace(state.planets[name], **values)})


def _remove(state: State, at: str, owner: str, ships: Iterable[Ship], fighters: int) -> State:
    gone = {ship.id for ship in ships}
    left = {id: ship for id, ship in state.ships.items() if id not in gone}
    return replace(state, ships=left, fighters=_more_fighters(state.fighters, at, owner, -fighters))


# ---- ships, fighters and planets, changed


def _ships_in(ships: Mapping[int, Ship], ids: Iterable[int], to: str) -> dict[int, Ship]:
    return {**ships, **{id: replace(ships[id], at=to) for id in ids}}


def _more_aboard(ships: Mapping[int, Ship], id: int, ground_forces: int, pds: int) -> dict[int, Ship]:
    ship = ships[id]
    return {**ships, id: replace(ship, ground_forces=ship.ground_forces + ground_forces, pds=ship.pds + pds)}


def _landed(ships: Mapping[int, Ship], parties: Iterable[Party]) -> Mapping[int, Ship]:
    for party in parties:
        ships = _more_aboard(ships, party.ship, -party.ground_forces, -party.pds)
    return ships


def _more_fighters(fighters: _Fighters, at: str, owner: str, number: int) -> _Fighters:
    if not number:
        return fighters
    counts = {**fighters, (at, owner): fighters.get((at, owner), 0) + number}
    if not counts[at, owner]:
        del counts[at, owner]
    return counts


def _moved_fighters(fighters: _Fighters, owner: str, start: str, to: str, number: int) -> _Fighters:
    return _more_fighters(_more_fighters(fighters, start, owner, -number), to, owner, number)


def _more_on_planet(planets: Mapping[str, Planet], name: str, ground_forces: int, pds: int) -> dict[str, Planet]:
    planet = planets[name]
    return {**planets, name: replace(planet, ground_forces=planet.ground_forces + ground_forces, pds=planet.pds + pds)}


# ---- 3.51 order of play


def _round_began(state: State, event: ev.RoundBegan) -> State:
    players = tuple(replace(player, acted=False, openings=0) for player in state.players)
    settled: dict[str, Any] = {"purchases": (), "next_purchase": 1, "spent": {}, "built": {}}
    return replace(state, round=event.round, players=players, **settled)


def _phase_began(state: State, event: ev.PhaseBegan) -> State:
    return replace(_with_player(state, event.player, openings=event.opening), phase=Phase(event.player))


def _phase_ended(state: State, event: ev.PhaseEnded) -> State:
    return replace(_with_player(state, event.player, acted=True), phase=None)


def _round_ended(state: State, event: ev.RoundEnded) -> State:
    return replace(state, order=())


def _player_eliminated(state: State, event: ev.PlayerEliminated) -> State:
    return _with_player(state, event.player, eliminated=True)


# ---- 3.52 movement step


def _units_loaded(state: State, event: ev.UnitsLoaded) -> State:
    return replace(
        state,
        planets=_more_on_planet(state.planets, event.planet, -event.ground_forces, -event.pds),
        ships=_more_aboard(state.ships, event.ship, event.ground_forces, event.pds),
    )


def _ships_moved(state: State, event: ev.ShipsMoved) -> State:
    goal = event.hops[-1].to
    journeys = dict(_phase(state).journeys)
    for id in event.ships:
        before = journeys.get(id, Journey(event.start, ()))
        journeys[id] = replace(before, hops=before.hops + event.hops)
    return replace(
        state,
        ships=_ships_in(state.ships, event.ships, goal),
        fighters=_moved_fighters(state.fighters, event.player, event.start, goal, event.fighters),
        phase=replace(_phase(state), journeys=journeys),
    )


def _fleet_intercepted(state: State, event: ev.FleetIntercepted) -> State:
    journeys = _phase(state).journeys
    stopped = {id: replace(journeys[id], intercepted=True) for id in event.ships}
    return _with_phase(state, journeys={**journeys, **stopped})


def _units_scrapped(state: State, event: ev.UnitsScrapped) -> State:
    gone = {ship.id for ship in event.ships}
    journeys = {id: journey for id, journey in _phase(state).journeys.items() if id not in gone}
    return _with_phase(_remove(state, event.at, event.player, event.ships, event.fighters), journeys=journeys)


# ---- 3.53 space battle step


def _movement_ended(state: State, event: ev.MovementEnded) -> State:
    return _with_phase(state, step=Step.SPACE_BATTLE, fire_at=event.fire_at, battles_at=event.battles_at)


def _battle_began(state: State, event: ev.BattleBegan) -> State:
    phase = _phase(state)
    return _with_phase(
        state,
        battle=Battle(event.at, event.attacker, event.defender),
        fire_at=tuple(at for at in phase.fire_at if at != event.at),
        battles_at=tuple(at for at in phase.battles_at if at != event.at),
    )


def _volley_fired(state: State, event: ev.VolleyFired) -> State:
    hits = dict(_battle(state).hits)
    if event.volley.hits:
        hits[event.target] = hits.get(event.target, 0) + event.volley.hits
    return _with_battle(state, hits=hits)


def _battle_advanced(state: State, event: ev.BattleAdvanced) -> State:
    return _with_battle(state, step=event.step, volley=event.volley)


def _losses_chosen(state: State, event: ev.LossesChosen) -> State:
    return _with_battle(state, chosen={**_battle(state).chosen, event.player: event.losses})


def _units_destroyed(state: State, event: ev.UnitsDestroyed) -> State:
    # With these the hits are settled; surplus hits are lost (3.53-f).
    hits = {player: number for player, number in _battle(state).hits.items() if player != event.player}
    chosen = {player: losses for player, losses in _battle(state).chosen.items() if player != event.player}
    state = _remove(state, event.at, event.player, event.ships, event.fighters)
    return _with_battle(state, hits=hits, chosen=chosen)


def _fleet_retreated(state: State, event: ev.FleetRetreated) -> State:
    left = _more_fighters(state.fighters, event.at, event.player, -event.fighters_lost)
    fighters = _moved_fighters(left, event.player, event.at, event.to, event.fighters)
    return replace(state, ships=_ships_in(state.ships, event.ships, event.to), fighters=fighters)


def _fighters_lost(state: State, event: ev.FightersLost) -> State:
    return replace(state, fighters=_more_fighters(state.fighters, event.at, event.player, -event.fighters))


def _battle_ended(state: State, event: ev.BattleEnded) -> State:
    return _with_phase(state, battle=None)


# ---- 3.54 invasion step


def _invasion_began(state: State, event: ev.InvasionBegan) -> State:
    return _with_phase(state, step=Step.INVASION)


def _bombardment_declared(state: State, event: ev.BombardmentDeclared) -> State:
    merged = dict.fromkeys(b.planet for b in (*_phase(state).bombardments, event.bombardment))
    ships: dict[str, tuple[int, ...]] = dict.fromkeys(merged, ())
    for each in (*_phase(state).bombardments, event.bombardment):
        ships[each.planet] += each.dreadnoughts
    return _with_phase(state, bombardments=tuple(Bombardment(planet, ids) for planet, ids in ships.items()))


def _landing_declared(state: State, event: ev.LandingDeclared) -> State:
    parties: dict[str, dict[int, Party]] = {landing.planet: _by_ship(landing) for landing in _phase(state).landings}
    mine = parties.setdefault(event.planet, {})
    for party in event.parties:
        before = mine.get(party.ship, Party(party.ship))
        forces = before.ground_forces + party.ground_forces
        mine[party.ship] = Party(party.ship, forces, before.pds + party.pds)
    return _with_phase(state, landings=tuple(Landing(name, tuple(all.values())) for name, all in parties.items()))


def _by_ship(landing: Landing) -> dict[int, Party]:
    return {party.ship: party for party in landing.parties}


def _invasion_opened(state: State, event: ev.InvasionOpened) -> State:
    return _with_phase(state, invaded=_phase(state).invaded | {event.at})


def _planet_bombarded(state: State, event: ev.PlanetBombarded) -> State:
    rest = tuple(each for each in _phase(state).bombardments if each.planet != event.planet)
    planets = _more_on_planet(state.planets, event.planet, -event.ground_forces_lost, 0)
    return replace(state, planets=planets, phase=replace(_phase(state), bombardments=rest))


def _planet_neutralised(state: State, event: ev.PlanetNeutralised) -> State:
    return _with_planet(state, event.planet, owner=None)


def _other_landings(state: State, planet: str) -> tuple[Landing, ...]:
    return tuple(each for each in _phase(state).landings if each.planet != planet)


def _units_transferred(state: State, event: ev.UnitsTransferred) -> State:
    force = Landing(event.planet, event.parties)
    return replace(
        state,
        ships=_landed(state.ships, event.parties),
        planets=_more_on_planet(state.planets, event.planet, force.ground_forces, force.pds),
        phase=replace(_phase(state), landings=_other_landings(state, event.planet)),
    )


def _landing_began(state: State, event: ev.LandingBegan) -> State:
    force = Landing(event.planet, event.parties)
    ashore = LandingForce(event.planet, force.ground_forces, force.pds)
    phase = replace(_phase(state), landings=_other_landings(state, event.planet), ashore=ashore)
    return replace(state, ships=_landed(state.ships, event.parties), phase=phase)


def _lose_ashore(state: State, number: int) -> State:
    ashore = _phase(state).ashore
    assert ashore is not None, "losses of a landing that never began"
    return _with_phase(state, ashore=replace(ashore, ground_forces=ashore.ground_forces - number))


def _landing_fired_at(state: State, event: ev.LandingFiredAt) -> State:
    return _lose_ashore(state, event.ground_forces_lost)


def _ground_round_fought(state: State, event: ev.GroundRoundFought) -> State:
    planets = _more_on_planet(state.planets, event.planet, -event.defenders_lost, 0)
    return replace(_lose_ashore(state, event.attackers_lost), planets=planets)


def _landing_repelled(state: State, event: ev.LandingRepelled) -> State:
    return _with_phase(state, ashore=None)


def _planet_captured(state: State, event: ev.PlanetCaptured) -> State:
    state = _with_planet(
        state,
        event.planet,
        owner=event.owner,
        ground_forces=event.ground_forces,
        pds=event.pds,
        space_dock=False,
    )
    return _with_phase(state, ashore=None)


# ---- between rounds


def _purchase_proposed(state: State, event: ev.PurchaseProposed) -> State:
    return replace(state, purchases=(*state.purchases, event.purchase), next_purchase=event.purchase.number + 1)


def _purchase_made(state: State, event: ev.PurchaseMade) -> State:
    state = _without_purchase(state, event.number)
    state = replace(state, spent=_added(state.spent, event.player, event.cost))
    return state if event.planet is None else replace(state, built=_added(state.built, event.planet, event.built))


def _added(numbers: Mapping[str, int], key: str, more: int) -> dict[str, int]:
    return {**numbers, key: numbers.get(key, 0) + more}


def _purchase_dropped(state: State, event: ev.PurchaseDropped) -> State:
    return _without_purchase(state, event.number)


def _without_purchase(state: State, number: int) -> State:
    rest = tuple(purchase for purchase in state.purchases if purchase.number != number)
    return replace(state, purchases=rest, next_purchase=max(state.next_purchase, number + 1))


# ---- the referee


def _units_placed(state: State, event: ev.UnitsPlaced) -> State:
    state = replace(
        state,
        ships={**state.ships, **{ship.id: ship for ship in event.ships}},
        fighters=_more_fighters(state.fighters, event.at, event.player, event.fighters),
        next_ship=max([state.next_ship, *(ship.id + 1 for ship in event.ships)]),
    )
    state = _ground_units(state, event.planet, event.ship, event.ground_forces, event.pds)
    if event.planet is not None:
        dock = state.planets[event.planet].space_dock or event.space_dock
        state = _with_planet(state, event.planet, space_dock=dock)
    return _with_player(state, event.player, eliminated=False)


def _units_removed(state: State, event: ev.UnitsRemoved) -> State:
    state = _remove(state, event.at, event.player, event.ships, event.fighters)
    state = _ground_units(state, event.planet, event.ship, -event.ground_forces, -event.pds)
    if event.planet is None:
        return state
    dock = state.planets[event.planet].space_dock and not event.space_dock
    return _with_planet(state, event.planet, space_dock=dock)


def _ground_units(state: State, planet: str | None, ship: int | None, ground_forces: int, pds: int) -> State:
    """Ground units come to a planet or aboard a ship, or (negative numbers) leave it."""
    if planet is not None:
        return replace(state, planets=_more_on_planet(state.planets, planet, ground_forces, pds))
    return state if ship is None else replace(state, ships=_more_aboard(state.ships, ship, ground_forces, pds))


def _units_moved(state: State, event: ev.UnitsMoved) -> State:
    state = _ground_units(state, event.from_planet, event.from_ship, -event.ground_forces, -event.pds)
    state = replace(
        state,
        ships=_ships_in(state.ships, event.ships, event.to),
        fighters=_moved_fighters(state.fighters, event.player, event.at, event.to, event.fighters),
    )
    state = _ground_units(state, event.planet, event.ship, event.ground_forces, event.pds)
    if state.phase is None:
        return state
    # They stand there as if they had never moved: with all movement, and without a way to retreat along.
    stood = {id: journey for id, journey in state.phase.journeys.items() if id not in event.ships}
    return _with_phase(state, journeys=stood)


def _planet_given(state: State, event: ev.PlanetGiven) -> State:
    state = _with_planet(state, event.planet, owner=event.owner)
    return state if event.owner is None else _with_player(state, event.owner, eliminated=False)


def _planet_changed(state: State, event: ev.PlanetChanged) -> State:
    old = state.planets[event.planet]
    built = {event.name if name == event.planet else name: number for name, number in state.built.items()}
    purchases = tuple(
        replace(each, planet=event.name) if each.planet == event.planet else each for each in state.purchases
    )
    new = replace(old, name=event.name, resources=event.resources, political_power=event.political_power)
    planets = {each.name: each for each in (new if each is old else each for each in state.planets.values())}
    system = state.galaxy.systems[old.at]
    names = tuple(event.name if name == event.planet else name for name in system.planets)
    galaxy = Galaxy({**state.galaxy.systems, old.at: replace(system, planets=names)})
    return replace(state, planets=planets, galaxy=galaxy, built=built, purchases=purchases)


def _technology_set(state: State, event: ev.TechnologySet) -> State:
    others = tuple(key for key in state.player(event.player).technologies if key != event.technology)
    technologies = (*others, event.technology) if event.owned else others
    return _with_player(state, event.player, technologies=technologies)


def _power_set(state: State, event: ev.PowerSet) -> State:
    return _with_player(state, event.player, political_power_bonus=event.bonus)


def _resources_set(state: State, event: ev.ResourcesSet) -> State:
    return _with_player(state, event.player, resources_bonus=event.bonus)


def _combat_set(state: State, event: ev.CombatSet) -> State:
    return _with_player(state, event.player, combat_bonus=event.bonus)


def _order_set(state: State, event: ev.OrderSet) -> State:
    return replace(state, order=event.players)


def _phase_returned(state: State, event: ev.PhaseReturned) -> State:
    return _with_player(state, event.player, acted=False)


def _option_set(state: State, event: ev.OptionSet) -> State:
    values: dict[str, Any] = {event.option: event.value}
    return replace(state, options=replace(state.options, **values))


def _game_paused(state: State, event: ev.GamePaused) -> State:
    return replace(state, paused=True)


def _game_resumed(state: State, event: ev.GameResumed) -> State:
    return replace(state, paused=False)


def _unchanged(state: State, event: ev.Event) -> State:
    return state


_SETTERS: Final[Mapping[type[Any], Callable[[State, Any], State]]] = {
    ev.RoundBegan: _round_began,
    ev.PhaseBegan: _phase_began,
    ev.PlayerEliminated: _player_eliminated,
    ev.PhaseEnded: _phase_ended,
    ev.RoundEnded: _round_ended,
    ev.OrderChanged: _unchanged,
    ev.UnitsLoaded: _units_loaded,
    ev.ShipsMoved: _ships_moved,
    ev.FleetIntercepted: _fleet_intercepted,
    ev.UnitsScrapped: _units_scrapped,
    ev.MovementEnded: _movement_ended,
    ev.BattleBegan: _battle_began,
    ev.FireHeld: _unchanged,
    ev.VolleyFired: _volley_fired,
    ev.BattleAdvanced: _battle_advanced,
    ev.LossesChosen: _losses_chosen,
    ev.UnitsDestroyed: _units_destroyed,
    ev.BattleContinued: _unchanged,
    ev.FleetRetreated: _fleet_retreated,
    ev.FightersLost: _fighters_lost,
    ev.BattleEnded: _battle_ended,
    ev.InvasionBegan: _invasion_began,
    ev.BombardmentDeclared: _bombardment_declared,
    ev.LandingDeclared: _landing_declared,
    ev.InvasionOpened: _invasion_opened,
    ev.PlanetBombarded: _planet_bombarded,
    ev.PlanetNeutralised: _planet_neutralised,
    ev.UnitsTransferred: _units_transferred,
    ev.LandingBegan: _landing_began,
    ev.LandingFiredAt: _landing_fired_at,
    ev.GroundRoundFought: _ground_round_fought,
    ev.LandingRepelled: _landing_repelled,
    ev.PlanetCaptured: _planet_captured,
    ev.PurchaseProposed: _purchase_proposed,
    ev.PurchaseMade: _purchase_made,
    ev.PurchaseDropped: _purchase_dropped,
    ev.UnitsPlaced: _units_placed,
    ev.UnitsRemoved: _units_removed,
    ev.UnitsMoved: _units_moved,
    ev.PlanetGiven: _planet_given,
    ev.PlanetChanged: _planet_changed,
    ev.TechnologySet: _technology_set,
    ev.CombatSet: _combat_set,
    ev.PowerSet: _power_set,
    ev.ResourcesSet: _resources_set,
    ev.OrderSet: _order_set,
    ev.PhaseReturned: _phase_returned,
    ev.RefereeActed: _unchanged,
    ev.OptionSet: _option_set,
    ev.GamePaused: _game_paused,
    ev.GameResumed: _game_resumed,
}


def apply(state: State, event: ev.Event) -> State:
    """The state after `event`; `state` itself is not altered."""
    return _SETTERS[type(event)](state, event)


def fold(state: State, events: Iterable[ev.Event]) -> State:
    """The state after all of `events`, in order."""
    for event in events:
        state = apply(state, event)
    return state

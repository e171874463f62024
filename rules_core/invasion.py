"""3.54: the invasion step: declarations, bombardment, landings, who owns the planet afterwards."""

from collections.abc import Iterable

from rules_core import combat, turn_order
from rules_core import events as ev
from rules_core.apply import apply, fold
from rules_core.choices import InvasionChoice
from rules_core.combat import phase_of
from rules_core.commands import DeclareBombardment, DeclareLanding
from rules_core.dice import Dice, Purpose
from rules_core.errors import RuleViolation
from rules_core.movement import own_ships_at
from rules_core.space_battle import homeless
from rules_core.state import Bombardment, Landing, Party, Planet, Ship, State
from rules_core.units import Ability, Kind

Events = tuple[ev.Event, ...]

# ---- what can still be declared


def decision(state: State) -> InvasionChoice:
    """3.54-b: what the invasion step waits for."""
    phase = phase_of(state)
    id = f"{state.round}/{phase.player}/{state.player(phase.player).openings}/invasion/{len(phase.invaded)}"
    return InvasionChoice(id, phase.player, declarable(state), declared(state))


def declared(state: State) -> tuple[str, ...]:
    """Systems where something is declared and not yet carried out, by label."""
    return tuple(sorted({state.planets[planet].at for planet in phase_of(state).declared}))


def declarable(state: State) -> tuple[str, ...]:
    """Systems where the acting player can still declare a landing or a bombardment, by label."""
    phase = phase_of(state)
    open_systems = (at for at in state.places_of(phase.player) if at not in phase.invaded)
    return tuple(at for at in open_systems if _anything_declarable(state, at))


def _anything_declarable(state: State, at: str) -> bool:
    planets = state.planets_at(at)
    return any(landable(state, planet) for planet in planets) or any(bombarders(state, planet) for planet in planets)


def landable(state: State, planet: Planet) -> tuple[Party, ...]:
    """3.54-a, i: what could be declared to land on a planet: ground units aboard in its system, not yet declared.

    PDS alone only where a ground force lands too, or on an own planet.
    """
    player = phase_of(state).player
    free = tuple(unassigned(state, ship) for ship in state.ships_at(planet.at, player) if ship.load)
    parties = tuple(party for party in free if party.ground_forces or party.pds)
    if planet.owner == player or planet.at in phase_of(state).invaded:
        return () if planet.at in phase_of(state).invaded else parties
    forces = any(party.ground_forces for party in parties) or _landing_on(state, planet.name).ground_forces
    return parties if forces else ()


def unassigned(state: State, ship: Ship) -> Party:
    """The ground units aboard a ship that no declared landing names."""
    mine = [party for landing in phase_of(state).landings for party in landing.parties if party.ship == ship.id]
    forces = ship.ground_forces - sum(party.ground_forces for party in mine)
    return Party(ship.id, forces, ship.pds - sum(party.pds for party in mine))


def bombarders(state: State, planet: Planet) -> tuple[int, ...]:
    """3.54-c: the dreadnoughts that could still be declared against a planet."""
    player = phase_of(state).player
    if planet.at in phase_of(state).invaded or _bombardment_barred(state, player, planet) is not None:
        return ()
    used = {id for each in phase_of(state).bombardments for id in each.dreadnoughts}
    here = state.ships_at(planet.at, player)
    return tuple(ship.id for ship in here if ship.kind is Kind.DREADNOUGHT and ship.id not in used)


def _landing_on(state: State, planet: str) -> Landing:
    return next((each for each in phase_of(state).landings if each.planet == planet), Landing(planet, ()))


def _bombardment_barred(state: State, player: str, planet: Planet) -> RuleViolation | None:
    """3.54-c, d, k: why a planet cannot be bombarded; None if it can be hit."""
    if planet.owner is None or planet.owner == player:
        return RuleViolation("not_an_enemy_planet", "3.54-c", planet=planet.name, owner=planet.owner)
    if planet.pds and not state.allows(Ability.BOMBARD_PAST_PDS, player):
        return RuleViolation("pds_bars_bombardment", "3.54-d", planet=planet.name, pds=planet.pds)
    if planet.ground_forces or _may_neutralise(state, planet):
        return None
    return RuleViolation("nothing_to_hit", "3.54-k", planet=planet.name)


def _may_neutralise(state: State, planet: Planet) -> bool:
    """3.54-k, option: only a planet with nothing but a marker."""
    bare = not (planet.ground_forces or planet.pds or planet.space_dock)
    return bare and state.options.marker_bombardment == "neutralise"


# ---- the declarations


def bombardment_declared(state: State, command: DeclareBombardment) -> Events:
    """3.54-c: each dreadnought bombards one planet once."""
    planet = _planet_open(state, command.planet)
    ships = own_ships_at(state, command.player, planet.at, command.dreadnoughts)
    if not ships or any(ship.kind is not Kind.DREADNOUGHT for ship in ships):
        raise RuleViolation("only_dreadnoughts_bombard", "3.54-c", planet=planet.name, at=planet.at)
    barred = _bombardment_barred(state, command.player, planet)
    if barred is not None:
        raise barred
    free = bombarders(state, planet)
    if any(ship.id not in free for ship in ships):
        raise RuleViolation("dreadnought_already_declared", "3.54-c", planet=planet.name, free=len(free))
    ids = tuple(ship.id for ship in ships)
    return (ev.BombardmentDeclared(command.player, Bombardment(planet.name, ids)),)


def landing_declared(state: State, command: DeclareLanding) -> Events:
    """3.54-a, b, i: ground units are told off for a planet."""
    planet = _planet_open(state, command.planet)
    parties = _by_ship(command.parties)
    if not parties:
        raise RuleViolation("nothing_named", "3.54-b", at=planet.at)
    own_ships_at(state, command.player, planet.at, tuple(party.ship for party in parties))
    for party in parties:
        _check_aboard(state, party)
    forces = _landing_on(state, planet.name).ground_forces + sum(party.ground_forces for party in parties)
    if planet.owner != command.player and not forces:
        raise RuleViolation("pds_land_only_with_ground_forces", "3.54-i", planet=planet.name)
    return (ev.LandingDeclared(command.player, planet.name, parties),)


def _by_ship(parties: Iterable[Party]) -> tuple[Party, ...]:
    """The parties with those from the same ship put together, empty ones left out."""
    found: dict[int, Party] = {}
    for party in parties:
        before = found.get(party.ship, Party(party.ship))
        forces, pds = before.ground_forces + party.ground_forces, before.pds + party.pds
        found[party.ship] = Party(party.ship, forces, pds)
    return tuple(party for party in found.values() if party.ground_forces or party.pds)


def _check_aboard(state: State, party: Party) -> None:
    ship = state.ships[party.ship]
    free = unassigned(state, ship)
    if not 0 <= party.ground_forces <= free.ground_forces or not 0 <= party.pds <= free.pds:
        raise RuleViolation(
            "not_so_many_aboard", None, ship=ship, at=ship.at, ground_forces=free.ground_forces, pds=free.pds
        )


def _planet_open(state: State, name: str) -> Planet:
    planet = state.planets[name]
    if planet.at in phase_of(state).invaded:
        raise RuleViolation("system_already_invaded", "3.54-b", at=planet.at)
    return planet


def rolls(state: State) -> bool:
    """3.54-c, e, f, k: whether a die falls when what is declared is carried out."""
    phase = phase_of(state)
    return bool(phase.bombardments) or any(_defended(state, landing.planet) for landing in phase.landings)


def _defended(state: State, name: str) -> bool:
    planet = state.planets[name]
    return planet.owner not in (None, phase_of(state).player) and bool(planet.pds or planet.ground_forces)


def systems_to_invade(state: State, at: str | None) -> tuple[str, ...]:
    """The declared systems that `/invade` means; raises RuleViolation if nothing is declared there."""
    systems = declared(state)
    if not systems or (at is not None and at not in systems):
        raise RuleViolation("nothing_declared", "3.54-b", at=at, systems=systems)
    return systems if at is None else (at,)


def check_nothing_declared(state: State) -> None:
    """3.54-b: the step does not end over declarations that are not carried out."""
    if systems := declared(state):
        raise RuleViolation("declarations_open", "3.54-b", systems=systems)


# ---- carrying them out


def invaded(state: State, systems: Iterable[str], dice: Dice) -> Events:
    """3.54-c to l: in each system all bombardments, then all landings, in the order declared."""
    events: Events = ()
    for at in systems:
        events += _system_invaded(fold(state, events), at, dice)
    return events


def _system_invaded(state: State, at: str, dice: Dice) -> Events:
    phase = phase_of(state)
    opened = (ev.InvasionOpened(phase.player, at),)
    events: Events = opened
    now = apply(state, opened[0])
    for bombardment in (each for each in phase.bombardments if state.planets[each.planet].at == at):
        step = _bombarded(now, bombardment, dice)
        events, now = events + step, fold(now, step)
    for landing in (each for each in phase.landings if state.planets[each.planet].at == at):
        step = _landed(now, landing, dice)
        events, now = events + step, fold(now, step)
    return events


def _bombarded(state: State, bombardment: Bombardment, dice: Dice) -> Events:
    """3.54-c: one die for each dreadnought; a hit removes one ground force."""
    player, planet = phase_of(state).player, state.planets[bombardment.planet]
    place = combat.die_place(state, planet.name, Purpose.BOMBARDMENT, 1, player)
    volley = combat.fire(state, place, (Kind.DREADNOUGHT,) * len(bombardment.dreadnoughts), dice)
    lost = min(volley.hits, planet.ground_forces)
    events: Events = (ev.PlanetBombarded(player, planet.at, planet.name, volley, lost),)
    if volley.hits and planet.owner is not None and _may_neutralise(state, planet):
        events += _with_order(state, events, (ev.PlanetNeutralised(planet.name, planet.at, planet.owner),))
    return events


def _with_order(state: State, earlier: Events, change: Events) -> Events:
    """3.54-j: a change of owner, and what it does to the order of play (3.51-b)."""
    before = fold(state, earlier)
    return change + turn_order.order_change(before, fold(before, change))


def _landed(state: State, landing: Landing, dice: Dice) -> Events:
    player, planet = phase_of(state).player, state.planets[landing.planet]
    if planet.owner == player:
        return (ev.UnitsTransferred(player, planet.at, planet.name, landing.parties),)
    began = ev.LandingBegan(player, planet.at, planet.name, planet.owner, landing.parties)
    now = apply(state, began)
    fought = _fought(now, planet, dice)
    events: Events = (began, *fought)
    return events + _with_order(state, events, _outcome(fold(now, fought), planet))


def _fought(state: State, planet: Planet, dice: Dice) -> Events:
    """3.54-e, f: PDS fire once at those who land, then ground forces fight until one side is gone."""
    if planet.owner is None:
        return ()
    events: Events = ()
    if planet.pds:
        place = combat.die_place(state, planet.name, Purpose.LANDING_PDS, 1, planet.owner)
        volley = combat.fire(state, place, (Kind.PDS,) * planet.pds, dice)
        lost = min(volley.hits, _ashore(state))
        events = (ev.LandingFiredAt(planet.name, planet.at, planet.owner, volley, lost),)
    now, number = fold(state, events), 1
    while _ashore(now) and now.planets[planet.name].ground_forces:
        fought = _ground_round(now, planet.name, number, dice)
        events, now, number = (*events, fought), apply(now, fought), number + 1
    return events


def _ashore(state: State) -> int:
    force = phase_of(state).ashore
    assert force is not None, "no landing is under way"
    return force.ground_forces


def _ground_round(state: State, name: str, number: int, dice: Dice) -> ev.GroundRoundFought:
    """3.54-f: attackers roll, then defenders, both remove."""
    planet, attacker = state.planets[name], phase_of(state).player
    assert planet.owner is not None
    attackers, defenders = _ashore(state), planet.ground_forces
    sides = ((attacker, attackers), (planet.owner, defenders))
    attack, defence = (
        combat.fire(
            state, combat.die_place(state, name, Purpose.GROUND, number, side), (Kind.GROUND_FORCE,) * forces, dice
        )
        for side, forces in sides
    )
    lost = min(defence.hits, attackers), min(attack.hits, defenders)
    return ev.GroundRoundFought(name, planet.at, number, attack, defence, *lost)


def _outcome(state: State, before: Planet) -> Events:
    """3.54-g, h, i, k, m: who owns the planet now."""
    force, planet = phase_of(state).ashore, state.planets[before.name]
    assert force is not None
    if not force.ground_forces:
        assert planet.owner is not None, "nobody defends a neutral planet"
        return (ev.LandingRepelled(planet.name, planet.at, planet.owner, force.pds),)
    captured = ev.PlanetCaptured(
        planet.name,
        planet.at,
        phase_of(state).player,
        planet.owner,
        force.ground_forces,
        force.pds,
        planet.pds,
        planet.space_dock,
    )
    if planet.owner is None:
        return (captured,)
    return (captured, *homeless(apply(state, captured), planet.at, planet.owner, "3.54-m"))

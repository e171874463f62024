"""What the bot does not decide: the referee's edits. They are bound by what must always hold."""

from rules_core import events as ev
from rules_core import turn_order
from rules_core.apply import apply
from rules_core.commands import (
    GivePlanet,
    PlaceUnits,
    RemoveUnits,
    SetPowerBonus,
    SetResourcesBonus,
    SetTechnology,
)
from rules_core.errors import RuleViolation
from rules_core.movement import check_fighters_at, own_ship_at, own_ships_at, room_aboard
from rules_core.state import MAX_UNITS_IN_ALL, Planet, Ship, State
from rules_core.units import SHIP_KINDS, Kind

Events = tuple[ev.Event, ...]
MAX_UNITS = 99


def check_quiet(state: State, at: str) -> None:
    """No edit of units where a space battle or a declared invasion is under way: its choices would dangle."""
    phase = state.phase
    if phase is None:
        return
    if phase.battle is not None and phase.battle.at == at:
        raise RuleViolation("battle_under_way", "3.53-f", at=at)
    if any(state.planets[name].at == at for name in phase.declared):
        raise RuleViolation("invasion_declared_there", "3.54-b", at=at)


def placed(state: State, command: PlaceUnits) -> Events:
    """Units appear in a system, on a planet or aboard a ship."""
    check_quiet(state, command.at)
    counts = {kind: sum(n for k, n in command.units if k is kind) for kind, _ in command.units}
    if not counts or any(not 0 < number <= MAX_UNITS for number in counts.values()):
        raise RuleViolation("number_out_of_range", None, most=MAX_UNITS)
    if state.units_in_all() + sum(counts.values()) > MAX_UNITS_IN_ALL:
        raise RuleViolation("number_out_of_range", None, most=max(0, MAX_UNITS_IN_ALL - state.units_in_all()))
    ground = {kind: counts.get(kind, 0) for kind in (Kind.GROUND_FORCE, Kind.PDS)}
    planet, ship = _target(state, command, any(ground.values()) or Kind.SPACE_DOCK in counts)
    new = _new_ships(state, command, counts)
    _check_space(state, command, bool(new) or Kind.FIGHTER in counts)
    if Kind.SPACE_DOCK in counts:
        _check_dock(state, command.player, planet, counts[Kind.SPACE_DOCK])
    if ship is not None:
        _check_aboard(state, ship, ground)
    return (
        ev.UnitsPlaced(
            command.at,
            command.player,
            new,
            counts.get(Kind.FIGHTER, 0),
            None if planet is None else planet.name,
            None if ship is None else ship.id,
            ground[Kind.GROUND_FORCE],
            ground[Kind.PDS],
            Kind.SPACE_DOCK in counts,
        ),
    )


def _new_ships(state: State, command: PlaceUnits, counts: dict[Kind, int]) -> tuple[Ship, ...]:
    kinds = [kind for kind in SHIP_KINDS for _ in range(counts.get(kind, 0))]
    return tuple(Ship(state.next_ship + n, kind, command.player, command.at) for n, kind in enumerate(kinds))


def _target(state: State, command: PlaceUnits, needed: bool) -> tuple[Planet | None, Ship | None]:
    """Where ground units and docks go: the ship or planet named, or the only own planet of the system."""
    if not needed:
        return None, None
    if command.ship is not None:
        return None, own_ship_at(state, command.player, command.at, command.ship)
    own = [planet for planet in state.planets_at(command.at) if planet.owner == command.player]
    if command.planet is not None:
        own = [planet for planet in own if planet.name == command.planet]
    if len(own) != 1:
        raise RuleViolation("needs_one_own_planet", "3.54-a", at=command.at, player=command.player)
    return own[0], None


def _check_space(state: State, command: PlaceUnits, in_space: bool) -> None:
    system = state.galaxy.systems[command.at]
    if in_space and system.red_bordered:
        raise RuleViolation("red_bordered", "3.52.1-b", at=command.at, kind=system.kind)
    owners = {*state.space_owners(command.at), command.player}
    if in_space and len(owners) > 2:
        raise RuleViolation("third_race", "3.52.3-g", at=command.at)


def _check_dock(state: State, player: str, planet: Planet | None, number: int) -> None:
    limit = state.profile(Kind.SPACE_DOCK, player).limit
    owned = sum(each.space_dock for each in state.planets.values() if each.owner == player)
    if planet is None or planet.space_dock or number > 1:
        raise RuleViolation("one_dock_a_planet", "3.52.1-d")
    if limit is not None and owned >= limit:
        raise RuleViolation("too_many_docks", "3.52.1-d", limit=limit)


def _check_aboard(state: State, ship: Ship, ground: dict[Kind, int]) -> None:
    for kind, number in ground.items():
        if number and sum(ground.values()) > room_aboard(state, ship, kind):
            room = room_aboard(state, ship, kind)
            raise RuleViolation(
                "no_room_aboard", "3.52.2-a", at=ship.at, ship=ship, kind=kind, wanted=sum(ground.values()), room=room
            )


def removed(state: State, command: RemoveUnits) -> Events:
    """Units disappear: ships with their load, fighters, and what stands on a planet."""
    check_quiet(state, command.at)
    ships = own_ships_at(state, command.player, command.at, command.ships)
    check_fighters_at(state, command.player, command.at, command.fighters)
    _check_on_planet(state, command)
    if not (ships or command.fighters or command.ground_forces or command.pds or command.space_dock):
        raise RuleViolation("nothing_named", None, at=command.at)
    return (
        ev.UnitsRemoved(
            command.at,
            command.player,
            ships,
            command.fighters,
            command.planet,
            command.ground_forces,
            command.pds,
            command.space_dock,
        ),
    )


def _check_on_planet(state: State, command: RemoveUnits) -> None:
    if command.planet is None:
        if command.ground_forces or command.pds or command.space_dock:
            raise RuleViolation("needs_one_own_planet", "3.54-a", at=command.at, player=command.player)
        return
    planet = state.planets[command.planet]
    if planet.owner != command.player or planet.at != command.at:
        raise RuleViolation("not_your_planet_there", "3.52.2-b", planet=planet.name, at=command.at)
    for kind, wanted, there in (
        (Kind.GROUND_FORCE, command.ground_forces, planet.ground_forces),
        (Kind.PDS, command.pds, planet.pds),
        (Kind.SPACE_DOCK, int(command.space_dock), int(planet.space_dock)),
    ):
        if not 0 <= wanted <= there:
            raise RuleViolation(
                "not_so_many_on_planet", None, planet=planet.name, kind=kind, wanted=wanted, there=there
            )


def planet_given(state: State, command: GivePlanet) -> Events:
    """A planet gets another owner; the units of the old one must be gone: they cannot be another's."""
    planet = state.planets[command.planet]
    check_quiet(state, planet.at)
    if planet.owner == command.owner:
        raise RuleViolation("already_so", None)
    if planet.ground_forces or planet.pds or planet.space_dock:
        raise RuleViolation("planet_has_units", "3.54-h", planet=planet.name, owner=planet.owner)
    return _with_order(state, (ev.PlanetGiven(planet.name, command.owner, planet.owner),))


def technology_set(state: State, command: SetTechnology) -> Events:
    """A player gets or loses a technology; refused if his ships would then hold too much."""
    if command.technology not in state.ruleset.technologies:
        known = tuple(state.ruleset.technologies)
        raise RuleViolation("unknown_technology", None, technology=command.technology, known=known)
    if (command.technology in state.player(command.player).technologies) is command.owned:
        raise RuleViolation("already_so", None)
    event = ev.TechnologySet(command.player, command.technology, command.owned)
    after = apply(state, event)
    own = (ship for ship in after.ships.values() if ship.owner == command.player)
    overloaded = [ship for ship in own if ship.load > after.profile(ship.kind, ship.owner).capacity]
    if overloaded:
        raise RuleViolation("would_be_overloaded", "3.52.2-a", at=overloaded[0].at, ship=overloaded[0])
    return (event,)


def power_set(state: State, command: SetPowerBonus) -> Events:
    """3.51-b: a player's political power becomes `amount`."""
    _check_amount(command.amount)
    planets = state.political_power(command.player) - state.player(command.player).political_power_bonus
    return _with_order(state, (ev.PowerSet(command.player, command.amount - planets, command.amount),))


def resources_set(state: State, command: SetResourcesBonus) -> Events:
    """3.51-d: a player's resources become `amount`."""
    _check_amount(command.amount)
    planets = state.resources(command.player) - state.player(command.player).resources_bonus
    return _with_order(state, (ev.ResourcesSet(command.player, command.amount - planets, command.amount),))


def _check_amount(amount: int) -> None:
    if not 0 <= amount <= 999:
        raise RuleViolation("number_out_of_range", None, most=999)


def _with_order(state: State, events: Events) -> Events:
    after = state
    for event in events:
        after = apply(after, event)
    return events + turn_order.order_change(state, after)

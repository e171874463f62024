"""What the bot does not decide: the referee's edits. They are bound by what must always hold."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial
from typing import Any, Final, get_args, get_type_hints

from rules_core import events as ev
from rules_core import turn_order
from rules_core.apply import apply, fold
from rules_core.commands import (
    ChangePlanet,
    GivePlanet,
    MoveUnits,
    PauseGame,
    PlaceUnits,
    RemoveUnits,
    ResumeGame,
    ReturnPhase,
    SetCombatBonus,
    SetOption,
    SetOrder,
    SetPowerBonus,
    SetResourcesBonus,
    SetTechnology,
)
from rules_core.errors import RuleViolation, Unreadable
from rules_core.movement import check_fighters_at, own_ship_at, own_ships_at, room_aboard
from rules_core.position import is_planet_name
from rules_core.state import MAX_UNITS_IN_ALL, Options, Planet, Ship, State, Step
from rules_core.units import SHIP_KINDS, Kind

Events = tuple[ev.Event, ...]
MAX_UNITS = 99
MAX_COMBAT_BONUS = 5
MAX_AMOUNT = 999


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
    if new or Kind.FIGHTER in counts:
        _check_space(state, command.at, command.player, command.anyway)
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
    named = command.planet or only_planet(state, command.player, command.at)
    return _own_planet(state, command.player, command.at, named), None


def only_planet(state: State, player: str, at: str) -> str:
    """The only planet of a player in a system; refused if he has none there, or several."""
    own = _planets_of(state, player, at)
    if len(own) > 1:
        raise RuleViolation("needs_one_own_planet", "3.54-a", at=at, player=player, planets=own)
    return own[0]


def _planets_of(state: State, player: str, at: str) -> tuple[str, ...]:
    own = tuple(planet.name for planet in state.planets_at(at) if planet.owner == player)
    if not own:
        raise RuleViolation("no_planet_of_his", "3.54-a", at=at, player=player)
    return own


def _check_space(state: State, at: str, player: str, anyway: bool) -> None:
    """Ships and fighters of `player` may stand there; beside an enemy only by the referee's word (3.52.3-f)."""
    system = state.galaxy.systems[at]
    if system.red_bordered:
        raise RuleViolation("red_bordered", "3.52.1-b", at=at, kind=system.kind)
    others = [owner for owner in state.space_owners(at) if owner != player]
    if len(others) > 1:
        raise RuleViolation("third_race", "3.52.3-g", at=at)
    if others and not anyway and player not in state.space_owners(at):
        raise RuleViolation("beside_an_enemy", "3.52.3-f", at=at, owner=others[0])


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
    """Units disappear: ships with their load, fighters, and what stands on a planet or is aboard a ship."""
    check_quiet(state, command.at)
    ships = own_ships_at(state, command.player, command.at, command.ships)
    check_fighters_at(state, command.player, command.at, command.fighters)
    on_planet = {
        Kind.GROUND_FORCE: command.ground_forces,
        Kind.PDS: command.pds,
        Kind.SPACE_DOCK: int(command.space_dock),
    }
    _check_ground(state, command.player, command.at, command.planet, command.ship, on_planet)
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
            command.ship,
        ),
    )


def _check_ground(
    state: State, player: str, at: str, planet: str | None, ship: int | None, wanted: Mapping[Kind, int]
) -> None:
    """So many ground units (and a dock) are on that own planet, or aboard that own ship."""
    if not any(wanted.values()) and planet is None:
        return
    if ship is not None:
        carrier = own_ship_at(state, player, at, ship)
        there = {Kind.GROUND_FORCE: carrier.ground_forces, Kind.PDS: carrier.pds, Kind.SPACE_DOCK: 0}
        refusal = partial(RuleViolation, "not_so_many_there", None, at=at)
    else:
        on = _own_planet(state, player, at, planet)
        there = {Kind.GROUND_FORCE: on.ground_forces, Kind.PDS: on.pds, Kind.SPACE_DOCK: int(on.space_dock)}
        refusal = partial(RuleViolation, "not_so_many_on_planet", None, planet=on.name)
    for kind, number in wanted.items():
        if not 0 <= number <= there[kind]:
            raise refusal(kind=kind, wanted=number, there=there[kind])


def _own_planet(state: State, player: str, at: str, name: str | None) -> Planet:
    """What stands on a planet belongs to its owner."""
    if name is None:
        raise RuleViolation(
            "needs_one_own_planet", "3.54-a", at=at, player=player, planets=_planets_of(state, player, at)
        )
    planet = state.planets[name]
    if planet.owner != player or planet.at != at:
        raise RuleViolation("not_his_planet", "3.54-a", planet=planet.name, at=at, player=player)
    return planet


def moved(state: State, command: MoveUnits) -> Events:
    """Ships go to another system, ground units to another planet or ship; it is no movement of the rules."""
    for at in (command.at, command.to):
        check_quiet(state, at)
    player, ground = command.player, {Kind.GROUND_FORCE: command.ground_forces, Kind.PDS: command.pds}
    ships = own_ships_at(state, player, command.at, command.ships)
    check_fighters_at(state, player, command.at, command.fighters)
    _check_ground(state, player, command.at, command.from_planet, command.from_ship, ground)
    in_space = bool(ships) or command.fighters > 0
    if not (in_space or any(ground.values())):
        raise RuleViolation("nothing_named", None, at=command.at)
    if in_space and command.at == command.to:
        raise RuleViolation("already_there", None, at=command.at)
    if in_space:
        _check_space(state, command.to, player, command.anyway)
    event = ev.UnitsMoved(
        player,
        command.at,
        command.to,
        tuple(ship.id for ship in ships),
        command.fighters,
        command.ground_forces,
        command.pds,
        command.from_planet,
        command.from_ship,
        command.planet,
        command.ship,
    )
    if any(ground.values()):
        _check_arrival(state, event, ground)
    return (event,)


def _check_arrival(state: State, event: ev.UnitsMoved, ground: dict[Kind, int]) -> None:
    """The ground units find their planet, or room on their ship, when the ships have arrived."""
    if event.ship is None:
        _own_planet(state, event.player, event.to, event.planet)
        return
    arrived = apply(state, ev.UnitsMoved(event.player, event.at, event.to, event.ships, event.fighters))
    _check_aboard(arrived, own_ship_at(arrived, event.player, event.to, event.ship), ground)


def planet_given(state: State, command: GivePlanet) -> Events:
    """A planet gets another owner; the units of the old one must be gone: they cannot be another's."""
    planet = state.planets[command.planet]
    check_quiet(state, planet.at)
    if planet.owner == command.owner:
        raise RuleViolation("already_so", None)
    if planet.ground_forces or planet.pds or planet.space_dock:
        raise RuleViolation("planet_has_units", "3.54-h", planet=planet.name, owner=planet.owner)
    return _with_order(state, (ev.PlanetGiven(planet.name, command.owner, planet.owner),))


def planet_changed(state: State, command: ChangePlanet) -> Events:
    """A planet gets another name or other values."""
    planet = state.planets[command.planet]
    check_quiet(state, planet.at)
    for amount in (command.resources, command.political_power):
        _check_amount(amount or 0)
    name = planet.name if command.name is None else command.name
    if not is_planet_name(name, set(state.planets) - {planet.name}):
        raise RuleViolation("bad_planet_name", None, name=name)
    resources = planet.resources if command.resources is None else command.resources
    power = planet.political_power if command.political_power is None else command.political_power
    if (name, resources, power) == (planet.name, planet.resources, planet.political_power):
        raise RuleViolation("already_so", None)
    return _with_order(state, (ev.PlanetChanged(planet.name, name, resources, power),))


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


def combat_set(state: State, command: SetCombatBonus) -> Events:
    """All dice of a race become better or worse; not in the midst of a battle."""
    if abs(command.bonus) > MAX_COMBAT_BONUS:
        raise RuleViolation("number_out_of_range", None, most=MAX_COMBAT_BONUS)
    if state.player(command.player).combat_bonus == command.bonus:
        raise RuleViolation("already_so", None)
    if state.phase is not None and state.phase.battle is not None:
        raise RuleViolation("battle_under_way", "3.53-f", at=state.phase.battle.at)
    return (ev.CombatSet(command.player, command.bonus),)


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
    if not 0 <= amount <= MAX_AMOUNT:
        raise RuleViolation("number_out_of_range", None, most=MAX_AMOUNT)


def _with_order(state: State, events: Events) -> Events:
    return events + turn_order.order_change(state, fold(state, events))


# ---- the course of the game


def order_set(state: State, command: SetOrder) -> Events:
    """Who acts first in this round; between rounds, in the next one."""
    between = turn_order.everybody_acted(state)
    able = [p.key for p in state.players if not p.eliminated] if between else turn_order.order_to_come(state)
    wrong = next((key for key in command.players if key not in able), None)
    if wrong is not None:
        raise RuleViolation("is_not_to_act", "3.51-c", player=wrong, players=tuple(able))
    if not command.players or len(set(command.players)) < len(command.players):
        raise RuleViolation("each_once", None, players=tuple(able))
    return (ev.OrderSet(command.players),)


def phase_returned(state: State, command: ReturnPhase) -> Events:
    """A player who has acted acts again: his phase begins anew when it is his turn."""
    player = state.player(command.player)
    if player.eliminated:
        raise RuleViolation("is_eliminated", "3.51-g", player=player.key)
    if not player.acted:
        raise RuleViolation("has_not_acted", "3.51-c", player=player.key)
    return (ev.PhaseReturned(player.key),)


def option_set(state: State, command: SetOption) -> Events:
    """A setting of the game changes; not while battles and landings follow from how it was."""
    settings = {each.name: get_args(get_type_hints(Options)[each.name]) for each in fields(Options)}
    if command.option not in settings:
        raise Unreadable("unknown_setting", None, text=command.option, known=tuple(settings))
    if command.value not in settings[command.option]:
        raise Unreadable("unknown_value", None, text=command.value, known=settings[command.option])
    if getattr(state.options, command.option) == command.value:
        raise RuleViolation("already_so", None)
    if state.phase is not None and state.phase.step is not Step.MOVEMENT:
        raise RuleViolation("wrong_step", "3.51-e", step=state.phase.step, needed=Step.MOVEMENT)
    return (ev.OptionSet(command.option, command.value),)


def paused(state: State, command: PauseGame) -> Events:
    """No player can do anything until the referee lets the game go on."""
    if state.paused:
        raise RuleViolation("already_so", None)
    return (ev.GamePaused(),)


def resumed(state: State, command: ResumeGame) -> Events:
    """The game goes on where it was."""
    if not state.paused:
        raise RuleViolation("already_so", None)
    return (ev.GameResumed(),)


EDITS: Final[Mapping[type[Any], Callable[[State, Any], Events]]] = {
    PlaceUnits: placed,
    RemoveUnits: removed,
    MoveUnits: moved,
    GivePlanet: planet_given,
    ChangePlanet: planet_changed,
    SetTechnology: technology_set,
    SetCombatBonus: combat_set,
    SetPowerBonus: power_set,
    SetResourcesBonus: resources_set,
    SetOrder: order_set,
    ReturnPhase: phase_returned,
    SetOption: option_set,
    PauseGame: paused,
    ResumeGame: resumed,
}

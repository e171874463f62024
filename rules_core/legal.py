"""What is possible now: for completion, random play, and counting. Everything offered is accepted by `decide`."""

from collections.abc import Iterable, Iterator
from itertools import islice

from rules_core import commands as cmd
from rules_core import events as ev
from rules_core import invasion, movement, space_battle
from rules_core.apply import fold
from rules_core.commands import LoadOrder
from rules_core.pending import (
    BattleChoice,
    Decision,
    InvasionChoice,
    LossesChoice,
    MovementChoice,
    RetreatChoice,
    decisions,
)
from rules_core.state import Hop, Losses, Party, Ship, State
from rules_core.units import FIRING_ORDER, GROUND_KINDS, Kind


def ways(state: State, player: str, start: str, steps: int, via: tuple[str, ...] = ()) -> dict[str, tuple[Hop, ...]]:
    """3.52: where ships of `player` can stop within `steps` movement points, each with the whole way that is taken.

    It leads through the systems of `via` in order; nowhere, if one of them cannot be passed.
    """
    return {
        goal: way
        for goal, way in _led(state, player, start, steps, via).items()
        if movement.stop_barred(state, player, goal) is None
    }


def waypoints(state: State, player: str, start: str, steps: int, via: tuple[str, ...] = ()) -> tuple[str, ...]:
    """3.52: through what a way can be led after `via`: systems that can be passed and lead on, by label."""
    passed = (at for at in _led(state, player, start, steps, via) if movement.pass_barred(state, player, at) is None)
    return tuple(at for at in sorted(passed) if set(ways(state, player, start, steps, (*via, at))) - {start})


def _led(state: State, player: str, start: str, steps: int, via: tuple[str, ...]) -> dict[str, tuple[Hop, ...]]:
    """What can be entered within `steps`, through `via`, each with its way: the shortest between the waypoints."""
    led: tuple[Hop, ...] = ()
    at = start
    for waypoint in via:
        leg = movement.shortest_way(state, player, at, waypoint)
        if leg is None or movement.pass_barred(state, player, waypoint) is not None:
            return {}
        led, at = led + leg, waypoint
    layers = islice(movement.layers(state, player, at), max(0, steps - len(led)))
    return {goal: led + way for layer in layers for goal, way in layer.items()}


def destinations(state: State, ships: Iterable[Ship], via: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Where all of these ships of one system can go together through the systems of `via`, by label."""
    ships = tuple(ships)
    if not ships:
        return ()
    steps = min(movement.movement_left(state, ship) for ship in ships)
    return tuple(sorted(ways(state, ships[0].owner, ships[0].at, steps, via)))


def would_pass(state: State, player: str) -> bool:
    """3.51-e: whether a phase would be over with the movement step, though nothing was moved in it that could be."""
    if state.phase is None or state.phase.journeys or not movable(state, player) or movement.homeless(state, player):
        return False
    ended = space_battle.movement_ended(state, player)
    return not (ended.fire_at or ended.battles_at or invasion.declarable(fold(state, (ended,))))


def movable(state: State, player: str) -> tuple[Ship, ...]:
    """The ships of the acting player that have movement left; none while nobody acts."""
    if state.phase is None:
        return ()
    own = (ship for ship in state.ships.values() if ship.owner == player)
    return tuple(ship for ship in own if movement.movement_left(state, ship))


def loadable(state: State, player: str, at: str) -> tuple[LoadOrder, ...]:
    """3.52.2-b: every single ground unit that can go aboard a ship in a system."""
    orders = []
    for ship in state.ships_at(at, player):
        for planet in state.planets_at(at):
            if planet.owner != player:
                continue
            if planet.ground_forces and movement.room_aboard(state, ship, Kind.GROUND_FORCE):
                orders.append(LoadOrder(ship.id, planet.name, ground_forces=1))
            if planet.pds and movement.room_aboard(state, ship, Kind.PDS):
                orders.append(LoadOrder(ship.id, planet.name, pds=1))
    return tuple(orders)


def losses(state: State, choice: LossesChoice) -> Iterator[Losses]:
    """3.53-f: the ways to lose exactly the hits, one for each order of kinds in which units may go first."""
    ships = [state.ships[id] for id in choice.ships]
    for first in FIRING_ORDER:
        order = (first, *(kind for kind in FIRING_ORDER if kind is not first))
        ranked = sorted(ships, key=lambda ship: (order.index(ship.kind), ship.load, ship.id))
        before = sum(order.index(ship.kind) < order.index(Kind.FIGHTER) for ship in ranked)
        fighters = min(choice.fighters, max(0, choice.hits - before))
        taken = ranked[: choice.hits - fighters]
        yield Losses(tuple(ship.id for ship in taken), choice.hits - len(taken))


def left_without_room(state: State, choice: LossesChoice, chosen: Losses) -> int:
    """3.52.2-f: how many fighters have room now and would have none after these losses."""
    ships = tuple(state.ships[id] for id in chosen.ships)
    after = fold(state, (ev.UnitsDestroyed(choice.player, choice.at, ships, chosen.fighters),))
    now, then = (movement.homeless(each, choice.player).get(choice.at, 0) for each in (state, after))
    return max(0, then - now)


def passing(state: State, player: str) -> cmd.PlayerCommand | None:
    """What `player` answers who wants nothing: he carries out what he declared, fights on, loses his least.

    None if he must choose: fighters without room (3.52.2-h).
    """
    decision = next(each for each in decisions(state) if each.player == player)
    match decision:
        case BattleChoice(systems=systems):
            return cmd.ChooseBattle(player, systems[0])
        case LossesChoice():
            ships = sorted((state.ships[id] for id in decision.ships), key=_worth)
            fighters = min(decision.hits, decision.fighters)
            ids = tuple(ship.id for ship in ships[: decision.hits - fighters])
            return cmd.ChooseLosses(player, ids, fighters)
        case RetreatChoice():
            return cmd.ContinueBattle(player)
        case InvasionChoice(declared=declared) if declared:
            return cmd.Invade(player)
        case MovementChoice() if movement.homeless(state, player):
            return None
    return cmd.Done(player)


def _worth(ship: Ship) -> tuple[int, int, int]:
    return (Kind.CRUISER, Kind.CARRIER, Kind.DREADNOUGHT).index(ship.kind), ship.load, ship.id


def commands(state: State) -> Iterator[cmd.Command]:
    """Commands that are possible now: single ships and units, one of each kind of choice. None if the round is over."""
    for decision in decisions(state):
        yield from _answers(state, decision)


def _answers(state: State, decision: Decision) -> Iterator[cmd.Command]:
    match decision:
        case MovementChoice(player=player):
            yield from _movement(state, player)
        case BattleChoice(player=player, systems=systems):
            yield from (cmd.ChooseBattle(player, at) for at in systems)
        case LossesChoice(player=player):
            for chosen in dict.fromkeys(losses(state, decision)):
                yield cmd.ChooseLosses(player, chosen.ships, chosen.fighters)
        case RetreatChoice(player=player, goals=goals):
            yield cmd.ContinueBattle(player)
            yield from (cmd.Retreat(player, to) for to in goals)
        case InvasionChoice(player=player):
            yield from _invasion(state, player)


def _movement(state: State, player: str) -> Iterator[cmd.Command]:
    lacking = movement.homeless(state, player)
    if not lacking:
        yield cmd.Done(player)
    for at, excess in lacking.items():
        yield cmd.ScrapUnits(player, at, (), excess)
    for ship in movable(state, player):
        yield from (cmd.MoveShips(player, ship.at, (to,), (ship.id,)) for to in destinations(state, [ship]))
        fighters = min(state.fighters_at(ship.at, player), state.free_places([ship]))
        if fighters:
            for to in destinations(state, [ship]):
                yield cmd.MoveShips(player, ship.at, (to,), (ship.id,), fighters)
    for at in state.places_of(player):
        yield from (cmd.LoadUnits(player, at, (order,)) for order in loadable(state, player, at))


def _invasion(state: State, player: str) -> Iterator[cmd.Command]:
    if invasion.declared(state):
        yield cmd.Invade(player)
    else:
        yield cmd.Done(player)
    for at in invasion.declarable(state):
        for planet in state.planets_at(at):
            if ships := invasion.bombarders(state, planet):
                yield cmd.DeclareBombardment(player, planet.name, ships[:1])
            yield from (
                cmd.DeclareLanding(player, planet.name, (party,)) for party in _parties(state, planet.name, player)
            )


def _parties(state: State, planet: str, player: str) -> Iterator[Party]:
    """A ground force of each ship, and everything aboard it."""
    for party in invasion.landable(state, state.planets[planet]):
        if party.ground_forces:
            yield Party(party.ship, 1)
        if party.ground_forces or state.planets[planet].owner == player:
            yield party


def bombardable(state: State) -> tuple[str, ...]:
    """The planets against which a bombardment can be declared."""
    here = (planet for at in invasion.declarable(state) for planet in state.planets_at(at))
    return tuple(planet.name for planet in here if invasion.bombarders(state, planet))


def landing_planets(state: State) -> tuple[str, ...]:
    """The planets on which a landing can be declared."""
    here = (planet for at in invasion.declarable(state) for planet in state.planets_at(at))
    return tuple(planet.name for planet in here if invasion.landable(state, planet))


def ground_units_aboard(state: State, player: str, at: str) -> dict[Kind, int]:
    """Ground units of `player` on his ships in a system that no landing names yet."""
    free = [invasion.unassigned(state, ship) for ship in state.ships_at(at, player)]
    numbers = (sum(party.ground_forces for party in free), sum(party.pds for party in free))
    return dict(zip(GROUND_KINDS, numbers, strict=True))

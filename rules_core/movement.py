"""3.52: the movement step: ways, carriers, interception."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rules_core import events as ev
from rules_core.apply import apply, fold
from rules_core.choices import MovementChoice
from rules_core.combat import phase_of
from rules_core.commands import LoadOrder, LoadUnits, MoveShips, ScrapUnits
from rules_core.errors import Barred, RuleViolation
from rules_core.galaxy import SystemKind
from rules_core.state import Hop, Ship, State
from rules_core.units import Ability, Kind

Events = tuple[ev.Event, ...]


# ---- 3.52 1) and 3) and 4): where a ship may go


def movement_left(state: State, ship: Ship) -> int:
    """3.52.1-a: the movement points a ship has left in this phase; none once intercepted (3.52.3-a)."""
    journey = phase_of(state).journeys.get(ship.id)
    spent = 0 if journey is None else len(journey.hops)
    if journey is not None and journey.intercepted:
        return 0
    return max(0, state.profile(ship.kind, ship.owner).movement - spent)


def hops_from(state: State, at: str) -> tuple[Hop, ...]:
    """3.52.4-a, f: the steps out of a system: to those that touch it, then by wormhole."""
    ordinary = tuple(Hop(other) for other in state.galaxy.touching(at))
    return ordinary + tuple(Hop(other, wormhole=True) for other in state.galaxy.through_wormhole(at))


def entry_barred(state: State, player: str, at: str) -> Barred | None:
    """3.52.1-b, c, 3.52.4-d, e: why `player` cannot enter a system at all; None if he can."""
    kind = state.galaxy.systems[at].kind
    if kind is SystemKind.SUPERNOVA:
        return Barred(at, "supernova", "3.52.4-d")
    if kind is SystemKind.ASTEROID_FIELD and not state.allows(Ability.PASS_ASTEROID_FIELDS, player):
        return Barred(at, "asteroid_field", "3.52.1-c")
    return None


def intercepted_by(state: State, player: str, at: str) -> str | None:
    """3.52.3-a, b, e: whose fleet stops the ships of `player` that enter a system, the first and every later one."""
    return next((owner for owner in state.fleet_owners(at) if owner != player), None)


def stop_barred(state: State, player: str, at: str) -> Barred | None:
    """3.52.1-c, 3.52.3-g: why `player` cannot end a move in a system that he can enter; None if he can."""
    if state.galaxy.systems[at].kind is SystemKind.ASTEROID_FIELD:
        return Barred(at, "no_stop_in_asteroid_field", "3.52.1-c")
    others = tuple(owner for owner in state.space_owners(at) if owner != player)
    if len(others) > 1:
        return Barred(at, "two_others_there", "3.52.3-g", {"players": others})
    return None


def pass_barred(state: State, player: str, at: str) -> Barred | None:
    """Why `player` cannot go on from a system that he enters: interception (3.52.3-a); None if he can."""
    other = intercepted_by(state, player, at)
    return None if other is None else Barred(at, "intercepted_there", "3.52.3-a", {"player": other})


# ---- ways


@dataclass(frozen=True, slots=True)
class _Found:
    """A way being searched; ordered by length, wormholes, labels."""

    hops: tuple[Hop, ...]

    @property
    def rank(self) -> tuple[int, int, tuple[str, ...]]:
        return (len(self.hops), sum(hop.wormhole for hop in self.hops), tuple(hop.to for hop in self.hops))


def shortest_way(state: State, player: str, start: str, goal: str) -> tuple[Hop, ...] | None:
    """The shortest allowed way; of equal ones without a wormhole before with one, then the lowest labels.

    None if there is no way at all, however long. A fleet at the start stops nobody (3.52.3-f).
    """
    return next((layer[goal] for layer in layers(state, player, start) if goal in layer), None)


def layers(state: State, player: str, start: str) -> Iterator[dict[str, tuple[Hop, ...]]]:
    """The systems that can be entered from `start` in one step, in two, and so on, each with the way that is taken."""
    best: dict[str, _Found] = {}
    layer = {start: _Found(())}
    while layer:
        best |= layer
        layer = _next_layer(state, player, start, layer, best)
        yield {at: found.hops for at, found in layer.items()}


def _next_layer(
    state: State, player: str, start: str, layer: dict[str, _Found], best: dict[str, _Found]
) -> dict[str, _Found]:
    found: dict[str, _Found] = {}
    for at, way in layer.items():
        if at != start and pass_barred(state, player, at) is not None:
            continue
        for hop in hops_from(state, at):
            if hop.to in best or entry_barred(state, player, hop.to) is not None:
                continue
            candidate = _Found((*way.hops, hop))
            if hop.to not in found or candidate.rank < found[hop.to].rank:
                found[hop.to] = candidate
    return found


def find_way(state: State, player: str, start: str, waypoints: Sequence[str]) -> tuple[Hop, ...]:
    """The way from `start` through `waypoints` in order, the shortest between them.

    Raises RuleViolation with every reason: for each neighbour of what can be reached, why it is barred.
    """
    way: tuple[Hop, ...] = ()
    at = start
    for waypoint in waypoints:
        if way and (reason := pass_barred(state, player, at)) is not None:
            raise _no_way(state, player, start, waypoints, reason)
        if (reason := entry_barred(state, player, waypoint)) is not None:
            raise _no_way(state, player, start, waypoints, reason)
        leg = shortest_way(state, player, at, waypoint)
        if leg is None:
            reason = Barred(waypoint, "out_of_reach", "3.52.1-a")
            raise _no_way(state, player, start, waypoints, reason)
        way, at = way + leg, waypoint
    if (reason := stop_barred(state, player, at)) is not None:
        raise _no_way(state, player, start, waypoints, reason)
    return way


def _no_way(state: State, player: str, start: str, waypoints: Sequence[str], reason: Barred) -> RuleViolation:
    barred = barriers(state, player, start, reach=len(waypoints) + 3)
    to = waypoints[-1]
    return RuleViolation("no_way", reason.clause, start=start, to=to, reason=reason, barred=barred)


def barriers(state: State, player: str, start: str, reach: int) -> tuple[Barred, ...]:
    """What bars `player` within `reach` steps of `start`: every system that he cannot enter or go on from."""
    seen = {start}
    found: dict[str, Barred] = {}
    queue = deque([(start, 0)])
    while queue:
        at, steps = queue.popleft()
        for hop in hops_from(state, at) if steps < reach else ():
            if hop.to in seen:
                continue
            seen.add(hop.to)
            reason = entry_barred(state, player, hop.to) or pass_barred(state, player, hop.to)
            if reason is None:
                queue.append((hop.to, steps + 1))
            else:
                found[hop.to] = reason
    return tuple(found[at] for at in sorted(found))


# ---- 3.52 2) what carriers hold


def loaded(state: State, player: str, at: str, orders: Iterable[LoadOrder]) -> Events:
    """3.52.2-a, b: ground units go aboard own ships of a system from own planets there, which stay own (3.52.2-i)."""
    events: list[ev.Event] = []
    for order in orders:
        _check_load(state, player, at, order)
        events.append(ev.UnitsLoaded(player, at, order.ship, order.planet, order.ground_forces, order.pds))
        state = apply(state, events[-1])
    return tuple(events)


def _check_load(state: State, player: str, at: str, order: LoadOrder) -> None:
    ship, planet = own_ship_at(state, player, at, order.ship), state.planets[order.planet]
    if planet.owner != player or planet.at != at:
        raise RuleViolation("not_your_planet_there", "3.52.2-b", planet=planet.name, at=at)
    for kind, wanted, there in (
        (Kind.GROUND_FORCE, order.ground_forces, planet.ground_forces),
        (Kind.PDS, order.pds, planet.pds),
    ):
        if not 0 <= wanted <= there:
            # Less than nothing would be unloading.
            clause = "3.52.2-b" if wanted < 0 else None
            raise RuleViolation(
                "not_so_many_on_planet", clause, planet=planet.name, kind=kind, wanted=wanted, there=there
            )
        if wanted > room_aboard(state, ship, kind):
            room = room_aboard(state, ship, kind)
            raise RuleViolation("no_room_aboard", "3.52.2-a", at=at, ship=ship, kind=kind, wanted=wanted, room=room)
    if not (order.ground_forces or order.pds):
        raise RuleViolation("nothing_named", "3.52.2-b", at=at)
    if order.ground_forces + order.pds > room_aboard(state, ship, Kind.GROUND_FORCE):
        room, wanted = room_aboard(state, ship, Kind.GROUND_FORCE), order.ground_forces + order.pds
        raise RuleViolation("no_room_aboard", "3.52.2-a", at=at, ship=ship, kind=None, wanted=wanted, room=room)


def room_aboard(state: State, ship: Ship, kind: Kind) -> int:
    """3.52.2-a: how many ground units of `kind` still fit on a ship."""
    return max(0, state.profile(ship.kind, ship.owner).room_for(kind) - ship.load)


def own_ship_at(state: State, player: str, at: str, id: int) -> Ship:
    """The ship of that id; raises RuleViolation unless it is `player`'s and in `at`."""
    ship = state.ships.get(id)
    if ship is None or ship.owner != player or ship.at != at:
        raise RuleViolation("not_your_ship_there", "3.52.1-a", at=at)
    return ship


def own_ships_at(state: State, player: str, at: str, ids: Sequence[int]) -> tuple[Ship, ...]:
    """These ships, each named once; raises RuleViolation for one that is not `player`'s or not in `at`."""
    return tuple(own_ship_at(state, player, at, id) for id in dict.fromkeys(ids))


def check_fighters_at(state: State, player: str, at: str, wanted: int) -> None:
    """Raises RuleViolation if `player` has not so many fighters in a system."""
    there = state.fighters_at(at, player)
    if not 0 <= wanted <= there:
        kind = Kind.FIGHTER
        raise RuleViolation("not_so_many_there", None, at=at, kind=kind, wanted=wanted, there=there)


# ---- the commands of the movement step


def moved(state: State, command: MoveShips) -> Events:
    """3.52.1-a: loading, the move, and the interception at its end."""
    player, start = command.player, command.start
    ships = own_ships_at(state, player, start, command.ships)
    if not ships:
        raise RuleViolation("no_movement_of_their_own", "3.52.1-d", at=start)
    _check_not_intercepted(state, ships)
    load = loaded(state, player, start, command.load)
    after_load = fold(state, load)
    _check_fighters_go_along(after_load, command)
    way = find_way(state, player, start, _waypoints(command))
    for ship in ships:
        _check_movement(state, ship, way)
    ids = tuple(ship.id for ship in ships)
    went = ev.ShipsMoved(player, ids, command.fighters, start, way)
    goal = way[-1].to
    stopper = intercepted_by(state, player, goal)
    stopped = () if stopper is None else (ev.FleetIntercepted(player, ids, goal, stopper),)
    return (*load, went, *stopped)


def _waypoints(command: MoveShips) -> tuple[str, ...]:
    at = command.start
    for number, waypoint in enumerate(command.waypoints or (at,)):
        if waypoint == at:
            raise RuleViolation("twice_on_the_way" if number else "already_there", "3.52.1-a", at=at)
        at = waypoint
    return command.waypoints


def _check_not_intercepted(state: State, ships: Iterable[Ship]) -> None:
    for ship in ships:
        journey = phase_of(state).journeys.get(ship.id)
        if journey is not None and journey.intercepted:
            raise RuleViolation("was_intercepted", "3.52.3-a", ship=ship, at=ship.at)


def _check_movement(state: State, ship: Ship, way: Sequence[Hop]) -> None:
    left = movement_left(state, ship)
    if len(way) > left:
        barred = barriers(state, ship.owner, ship.at, reach=len(way))
        raise RuleViolation(
            "not_enough_movement",
            "3.52.1-a",
            ship=ship,
            at=ship.at,
            to=way[-1].to,
            needed=len(way),
            left=left,
            barred=barred,
        )


def _check_fighters_go_along(state: State, command: MoveShips) -> None:
    """3.52.2-d, g: as many fighters go along as are named, if the moving carriers have room; the others stay."""
    check_fighters_at(state, command.player, command.start, command.fighters)
    room = state.free_places(own_ships_at(state, command.player, command.start, command.ships))
    if command.fighters > room:
        raise RuleViolation("no_room_for_fighters", "3.52.2-g", at=command.start, wanted=command.fighters, room=room)


def load_units(state: State, command: LoadUnits) -> Events:
    """3.52.2-b, j: loading without a move, enemies there or not. Unloading waits for the invasion (3.52.2-c)."""
    if not command.load:
        raise RuleViolation("nothing_named", "3.52.2-b", at=command.at)
    return loaded(state, command.player, command.at, command.load)


def scrapped(state: State, command: ScrapUnits) -> Events:
    """3.52.2-h: own ships and fighters destroyed of free will."""
    ships = own_ships_at(state, command.player, command.at, command.ships)
    check_fighters_at(state, command.player, command.at, command.fighters)
    if not ships and not command.fighters:
        raise RuleViolation("nothing_named", "3.52.2-h", at=command.at)
    return (ev.UnitsScrapped(command.player, command.at, ships, command.fighters),)


def check_movement_may_end(state: State, player: str) -> None:
    """3.52.2-h: refuses while fighters stand somewhere without room, naming each system and the number."""
    lacking = homeless(state, player)
    if lacking:
        raise RuleViolation("fighters_without_room", "3.52.2-h", lacking=lacking)


def homeless(state: State, player: str) -> dict[str, int]:
    """3.52.2-h: the systems where fighters of `player` lack room, and how many."""
    excess = {at: state.fighters_at(at, player) - state.fighter_room(at, player) for at in state.places_of(player)}
    return {at: number for at, number in excess.items() if number > 0}


def decision(state: State) -> MovementChoice:
    """3.51-e: the acting player may move, and ends the step when he is done."""
    phase = phase_of(state)
    return MovementChoice(f"{state.round}/{phase.player}/{state.player(phase.player).openings}/movement", phase.player)

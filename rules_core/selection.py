"""Which units are meant: from a request such as `2 cruisers, carrier + 3 ground forces` to ids.

The text itself is read by the bot; here the rules of the commands page choose among like units.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rules_core import invasion, movement, pending
from rules_core.commands import LoadOrder
from rules_core.errors import Ambiguous, RuleViolation, Unreadable
from rules_core.state import Losses, Party, Planet, Ship, State
from rules_core.units import GROUND_KINDS, LOADING_ORDER, SHIP_KINDS, Kind


@dataclass(frozen=True, slots=True)
class Counted:
    """So many units of a kind: `2 cruisers`, `carrier` (one)."""

    kind: Kind
    count: int = 1


@dataclass(frozen=True, slots=True)
class Numbered:
    """One ship by its number among the ships of its kind of that player in that system: `carrier 2`."""

    kind: Kind
    number: int


@dataclass(frozen=True, slots=True)
class Group:
    """Units named together, and (after `+`) the cargo that goes onto the carriers named just before it."""

    units: tuple[Counted | Numbered, ...]
    cargo: tuple[Counted, ...] = ()


@dataclass(frozen=True, slots=True)
class Request:
    """What a player wrote as `units`; `everything` is `all`."""

    groups: tuple[Group, ...] = ()
    everything: bool = False


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a move takes: ships (ids), fighters, and what is loaded before it."""

    ships: tuple[int, ...]
    fighters: int = 0
    load: tuple[LoadOrder, ...] = ()


# ---- which ships


def numbered(state: State, player: str, at: str, kind: Kind, number: int) -> Ship:
    """The ship of that number, oldest first; raises RuleViolation if there are not so many."""
    ships = _of_kind(state.ships_at(at, player), kind)
    if not 1 <= number <= len(ships):
        raise RuleViolation("no_ship_of_that_number", None, at=at, kind=kind, number=number, there=len(ships))
    return ships[number - 1]


def number_of(state: State, ship: Ship) -> int:
    """The number of a ship among those of its kind and owner in its system."""
    return [other.id for other in _of_kind(state.ships_at(ship.at, ship.owner), ship.kind)].index(ship.id) + 1


def _of_kind(ships: Iterable[Ship], kind: Kind) -> list[Ship]:
    return [ship for ship in ships if ship.kind is kind]


def _take(
    state: State,
    player: str,
    at: str,
    units: Sequence[Counted | Numbered],
    pick: Callable[[list[Ship], int], list[Ship]],
) -> list[Ship]:
    """The ships that `units` name, none twice; `pick` chooses so many among like ones."""
    named = [numbered(state, player, at, unit.kind, unit.number) for unit in units if isinstance(unit, Numbered)]
    taken = {ship.id: ship for ship in named}
    if len(taken) < len(named):
        raise RuleViolation("named_twice", None, at=at)
    for unit in units:
        if isinstance(unit, Counted) and unit.kind in SHIP_KINDS:
            free = [s for s in _of_kind(state.ships_at(at, player), unit.kind) if s.id not in taken]
            if unit.count > len(free):
                there = len(_of_kind(state.ships_at(at, player), unit.kind))
                raise RuleViolation("not_so_many_there", None, at=at, kind=unit.kind, wanted=unit.count, there=there)
            taken |= {ship.id: ship for ship in pick(free, unit.count)}
    return list(taken.values())


def _units(request: Request) -> tuple[Counted | Numbered, ...]:
    return tuple(unit for group in request.groups for unit in group.units)


def _count(units: Iterable[Counted | Numbered], kind: Kind) -> int:
    return sum(unit.count for unit in units if isinstance(unit, Counted) and unit.kind is kind)


def _refuse_kinds(units: Iterable[Counted | Numbered], kinds: Sequence[Kind], code: str, clause: str) -> None:
    for unit in units:
        if unit.kind in kinds:
            raise RuleViolation(code, clause, kind=unit.kind)


# ---- /move


def choose_move(state: State, player: str, at: str, request: Request) -> Chosen:
    """What `/move units:` means in `at`: of like ships those with most movement left, then the oldest."""
    if request.everything:
        ships = state.ships_at(at, player)
        fighters = min(state.fighters_at(at, player), state.free_places(ships))
        return Chosen(tuple(ship.id for ship in ships), fighters)
    _refuse_kinds(_units(request), (Kind.SPACE_DOCK,), "docks_never_move", "3.52.1-d")
    ships = tuple(_take(state, player, at, _units(request), _most_movement(state)))
    fighters = _count(_units(request), Kind.FIGHTER)
    if not ships:
        return Chosen((), fighters)  # refused for that, and not for want of room
    load: list[LoadOrder] = []
    left = {ship.id: ship for ship in ships}
    named = [unit for unit in _units(request) if isinstance(unit, Numbered)]
    by_number = frozenset(numbered(state, player, at, unit.kind, unit.number).id for unit in named)
    for group in request.groups:
        of_group = _ships_of_group(state, player, at, group, left, by_number)
        fighters += _count(group.cargo, Kind.FIGHTER)
        load += _cargo(state, player, at, of_group, group.cargo, load, None)
    loose = tuple(unit for unit in _units(request) if isinstance(unit, Counted) and unit.kind in GROUND_KINDS)
    load += _cargo(state, player, at, _loading_order(ships), loose, load, None)
    return Chosen(tuple(ship.id for ship in ships), fighters, tuple(load))


def _most_movement(state: State) -> Callable[[list[Ship], int], list[Ship]]:
    def pick(ships: list[Ship], count: int) -> list[Ship]:
        return sorted(ships, key=lambda ship: (-movement.movement_left(state, ship), ship.id))[:count]

    return pick


def _ships_of_group(
    state: State, player: str, at: str, group: Group, left: dict[int, Ship], by_number: frozenset[int]
) -> list[Ship]:
    """The moved ships that a group named, taken off `left`: `+` means these. `by_number`: named so in any group."""
    found = []
    for unit in group.units:
        if isinstance(unit, Numbered):
            found.append(left.pop(numbered(state, player, at, unit.kind, unit.number).id))
        elif unit.kind in SHIP_KINDS:
            free = [ship for ship in _of_kind(left.values(), unit.kind) if ship.id not in by_number]
            found += [left.pop(ship.id) for ship in free[: unit.count]]
    return found


def _loading_order(ships: Iterable[Ship]) -> list[Ship]:
    return sorted(ships, key=lambda ship: (LOADING_ORDER.index(ship.kind), ship.id))


def _cargo(
    state: State,
    player: str,
    at: str,
    ships: Sequence[Ship],
    cargo: Iterable[Counted],
    earlier: Sequence[LoadOrder],
    planet: str | None,
) -> list[LoadOrder]:
    """Load orders that fill `ships` in order with `cargo`, beside what `earlier` orders put aboard."""
    orders: list[LoadOrder] = []
    for unit in cargo:
        if unit.kind not in GROUND_KINDS:
            continue
        source = _source(state, player, at, unit.kind, planet)
        _check_stock(source, unit, [*earlier, *orders])
        orders += _spread(state, ships, unit, source, [*earlier, *orders])
    return orders


def _spread(
    state: State, ships: Sequence[Ship], unit: Counted, source: Planet, earlier: Sequence[LoadOrder]
) -> list[LoadOrder]:
    left, orders = unit.count, []
    for ship in ships:
        aboard = sum(each.ground_forces + each.pds for each in earlier if each.ship == ship.id)
        fits = min(left, max(0, movement.room_aboard(state, ship, unit.kind) - aboard))
        if fits:
            forces, pds = (fits, 0) if unit.kind is Kind.GROUND_FORCE else (0, fits)
            orders.append(LoadOrder(ship.id, source.name, forces, pds))
            left -= fits
    if left:
        room = unit.count - left
        raise RuleViolation("no_room_on_ships", "3.52.2-a", at=source.at, kind=unit.kind, wanted=unit.count, room=room)
    return orders


def _check_stock(source: Planet, unit: Counted, earlier: Sequence[LoadOrder]) -> None:
    mine = [order for order in earlier if order.planet == source.name]
    if unit.kind is Kind.GROUND_FORCE:
        there = source.ground_forces - sum(order.ground_forces for order in mine)
    else:
        there = source.pds - sum(order.pds for order in mine)
    if unit.count > there:
        raise RuleViolation(
            "not_so_many_on_planet", None, planet=source.name, kind=unit.kind, wanted=unit.count, there=there
        )


def _source(state: State, player: str, at: str, kind: Kind, planet: str | None) -> Planet:
    """The planet that gives ground units: the one named, or the only own one there that has any."""
    own = [p for p in state.planets_at(at) if p.owner == player]
    if planet is not None:
        found = [p for p in own if p.name == planet]
        if not found:
            raise RuleViolation("not_your_planet_there", "3.52.2-b", planet=planet, at=at)
        return found[0]
    having = [p for p in own if (p.ground_forces if kind is Kind.GROUND_FORCE else p.pds)]
    if len(having) > 1:
        raise Ambiguous("which_planet", "3.52.2-b", at=at, kind=kind, candidates=tuple(p.name for p in having))
    if not having:
        raise RuleViolation("none_on_own_planets", "3.52.2-b", at=at, kind=kind)
    return having[0]


# ---- /load


def choose_load(
    state: State, player: str, at: str, request: Request, carrier: Counted | Numbered | None, planet: str | None
) -> tuple[LoadOrder, ...]:
    """What `/load units:` means: onto the ship named, else onto the carriers (and what holds any) in order."""
    _refuse_kinds(_units(request), (Kind.FIGHTER,), "fighters_are_named_in_move", "3.52.2-g")
    _refuse_kinds(_units(request), (*SHIP_KINDS, Kind.SPACE_DOCK), "cannot_be_loaded", "3.52.2-a")
    if request.everything or any(group.cargo for group in request.groups):
        raise RuleViolation("name_what_to_load", "3.52.2-b")
    ships = _loading_order(state.ships_at(at, player)) if carrier is None else [one_ship(state, player, at, carrier)]
    if not ships:
        raise RuleViolation("no_ship_to_load", "3.52.2-b", at=at)
    cargo = tuple(unit for unit in _units(request) if isinstance(unit, Counted))
    return tuple(_cargo(state, player, at, ships, cargo, (), planet))


def one_ship(state: State, player: str, at: str, unit: Counted | Numbered) -> Ship:
    """The one ship that `carrier:` names; raises Ambiguous where several could be meant."""
    if unit.kind not in SHIP_KINDS:
        raise RuleViolation("carries_nothing", "3.52.2-a", kind=unit.kind)
    if isinstance(unit, Numbered):
        return numbered(state, player, at, unit.kind, unit.number)
    ships = _of_kind(state.ships_at(at, player), unit.kind)
    if not ships:
        raise RuleViolation("not_so_many_there", None, at=at, kind=unit.kind, wanted=1, there=0)
    if len(ships) > 1 or unit.count > 1:
        raise Ambiguous("which_ship", None, at=at, kind=unit.kind, candidates=tuple(ships))
    return ships[0]


# ---- /losses and /scrap


def choose_losses(state: State, player: str, at: str, request: Request) -> Losses:
    """What `/losses units:` means, among what may be lost; unlike carriers must be named by number."""
    choices = (each for each in pending.decisions(state) if isinstance(each, pending.LossesChoice))
    choice = next((each for each in choices if each.player == player and each.at == at), None)
    may_go = tuple(ship.id for ship in state.ships_at(at, player)) if choice is None else choice.ships
    if request.everything:
        return Losses(may_go, state.fighters_at(at, player))
    return _unlike_by_number(state, player, at, request, "3.53-f", frozenset(may_go))


def choose_scrap(state: State, player: str, at: str, request: Request) -> Losses:
    """What `/scrap units:` means; `all` is not allowed."""
    if request.everything:
        raise RuleViolation("all_not_allowed", "3.52.2-h")
    every_ship = frozenset(ship.id for ship in state.ships_at(at, player))
    return _unlike_by_number(state, player, at, request, "3.52.2-h", every_ship)


def _unlike_by_number(
    state: State, player: str, at: str, request: Request, clause: str, may_go: frozenset[int]
) -> Losses:
    _refuse_kinds(_units(request), (*GROUND_KINDS, Kind.SPACE_DOCK), "only_ships_and_fighters", clause)
    if any(group.cargo for group in request.groups):
        raise RuleViolation("cargo_goes_with_its_carrier", "3.52.2-e")
    ships = _take(state, player, at, _units(request), _alike_only(may_go))
    fighters = _count(_units(request), Kind.FIGHTER)
    movement.check_fighters_at(state, player, at, fighters)
    return Losses(tuple(ship.id for ship in ships), fighters)


def _alike_only(may_go: frozenset[int]) -> Callable[[list[Ship], int], list[Ship]]:
    def pick(ships: list[Ship], count: int) -> list[Ship]:
        # What PDS may not destroy (an option of 3.53-c) is named only where nothing else is left to name.
        ships = sorted(ships, key=lambda ship: ship.id not in may_go)
        ships = ships[: max(count, sum(ship.id in may_go for ship in ships))]
        looks = {(ship.ground_forces, ship.pds) for ship in ships}
        if len(looks) > 1 and count < len(ships):
            raise Ambiguous("which_ship", None, at=ships[0].at, kind=ships[0].kind, candidates=tuple(ships))
        return ships[:count]

    return pick


# ---- /land and /bombard


def choose_landing(
    state: State, player: str, planet: str, request: Request, carrier: Counted | Numbered | None
) -> tuple[Party, ...]:
    """What `/land units:` means: from the ship named, else from the carriers (and what holds any) in order."""
    at = state.planets[planet].at
    units = _units(request)
    _refuse_kinds(units, (*SHIP_KINDS, Kind.FIGHTER, Kind.SPACE_DOCK), "only_ground_units_land", "3.54-a")
    if any(group.cargo for group in request.groups):
        raise RuleViolation("only_ground_units_land", "3.54-a", kind=Kind.CARRIER)
    ships = _loading_order(state.ships_at(at, player)) if carrier is None else [one_ship(state, player, at, carrier)]
    free = [invasion.unassigned(state, ship) for ship in ships]
    if request.everything:
        parties = tuple(party for party in free if party.ground_forces or party.pds)
        if not parties:
            raise RuleViolation("nothing_aboard_there", "3.54-a", at=at)
        return parties
    return _parties(at, free, _count(units, Kind.GROUND_FORCE), _count(units, Kind.PDS))


def _parties(at: str, free: Sequence[Party], ground_forces: int, pds: int) -> tuple[Party, ...]:
    parties = []
    left_forces, left_pds = ground_forces, pds
    for party in free:
        forces, guns = min(left_forces, party.ground_forces), min(left_pds, party.pds)
        left_forces, left_pds = left_forces - forces, left_pds - guns
        if forces or guns:
            parties.append(Party(party.ship, forces, guns))
    for kind, wanted, left in ((Kind.GROUND_FORCE, ground_forces, left_forces), (Kind.PDS, pds, left_pds)):
        if left:
            raise RuleViolation("not_so_many_aboard_there", None, at=at, kind=kind, wanted=wanted, there=wanted - left)
    return tuple(parties)


def choose_dreadnoughts(state: State, player: str, planet: str, count: int | None) -> tuple[int, ...]:
    """What `/bombard dreadnoughts:` means: so many, else all that are not declared yet."""
    at = state.planets[planet].at
    used = {id for each in state.phase.bombardments for id in each.dreadnoughts} if state.phase else set()
    here = _of_kind(state.ships_at(at, player), Kind.DREADNOUGHT)
    free = [ship.id for ship in here if ship.id not in used]
    if count is not None and count < 1:
        raise Unreadable("bad_number", text=str(count), most=max(1, len(here)))
    if count is not None and count > len(free):
        clause = "3.54-c" if count <= len(here) else None
        raise RuleViolation("not_so_many_dreadnoughts", clause, at=at, wanted=count, there=len(free))
    if here and not free:
        raise RuleViolation("dreadnought_already_declared", "3.54-c", planet=planet, free=0)
    return tuple(free[:count])

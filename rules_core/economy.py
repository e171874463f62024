"""Between rounds: what players buy. The source leaves it to the referee; the bot keeps the ledger."""

from collections import Counter
from collections.abc import Iterable

from rules_core import events as ev
from rules_core import referee, turn_order
from rules_core.apply import fold
from rules_core.commands import AcceptPurchases, Build, PlaceUnits, RefusePurchase, Research, SetTechnology, Withdraw
from rules_core.errors import RuleViolation
from rules_core.state import Planet, Purchase, State
from rules_core.units import Kind

Events = tuple[ev.Event, ...]


# ---- the ledger


def proposed(state: State, player: str) -> int:
    """What the purchases cost that a player has proposed and that are not settled."""
    return sum(purchase.cost for purchase in state.purchases if purchase.player == player)


def left(state: State, player: str) -> int:
    """What a player can still spend in this round: planets and adjustments, less what is spent and proposed."""
    return state.resources(player) - state.spent.get(player, 0) - proposed(state, player)


def cost(state: State, player: str, units: tuple[tuple[Kind, int], ...]) -> int:
    """What these units cost by the ruleset."""
    return sum(state.profile(kind, player).cost * number for kind, number in units)


# ---- proposals


def built(state: State, command: Build) -> Events:
    """Units at an own dock: ships in its system, ground units on its planet; or a dock on an own planet."""
    _check_interval(state)
    planet = state.planets[command.planet]
    _check_place(state, command.player, planet, _summed(command.units))
    price = cost(state, command.player, command.units)
    return _asked(state, Purchase(state.next_purchase, command.player, price, command.units, planet.name))


def researched(state: State, command: Research) -> Events:
    """A technology, for the price that the table has for it."""
    _check_interval(state)
    if not 0 <= command.cost <= referee.MAX_AMOUNT:
        raise RuleViolation("number_out_of_range", None, most=referee.MAX_AMOUNT)
    purchase = Purchase(state.next_purchase, command.player, command.cost, technology=command.technology)
    return _asked(state, purchase)


def _asked(state: State, purchase: Purchase) -> Events:
    """The proposal; carried out at once where the table lets purchases through."""
    if purchase.cost > left(state, purchase.player):
        raise RuleViolation("not_enough_resources", None, cost=purchase.cost, left=left(state, purchase.player))
    carried_out = _made(state, purchase)  # refused now rather than when it is accepted
    return carried_out if state.options.purchases == "free" else (ev.PurchaseProposed(purchase),)


def _check_interval(state: State) -> None:
    if not turn_order.everybody_acted(state):
        raise RuleViolation("only_between_rounds", None, acting=turn_order.acting(state))


def _summed(units: Iterable[tuple[Kind, int]]) -> Counter[Kind]:
    """How many of each kind; one may be named twice."""
    total: Counter[Kind] = Counter()
    for kind, number in units:
        total[kind] += number
    return total


def _check_place(state: State, player: str, planet: Planet, units: Counter[Kind]) -> None:
    if planet.owner != player:
        raise RuleViolation("not_your_planet", None, planet=planet.name)
    at_dock = units.total() - units[Kind.SPACE_DOCK]
    if at_dock and not planet.space_dock:
        raise RuleViolation("no_dock_there", None, planet=planet.name)
    earlier = state.built.get(planet.name, 0) + _waiting_at(state, planet.name)
    if earlier + at_dock > planet.resources:
        raise RuleViolation(
            "dock_builds_so_many", None, planet=planet.name, most=planet.resources, free=planet.resources - earlier
        )


def _waiting_at(state: State, planet: str) -> int:
    return sum(_at_dock(purchase) for purchase in state.purchases if purchase.planet == planet)


def _at_dock(purchase: Purchase) -> int:
    return sum(number for kind, number in purchase.units if kind is not Kind.SPACE_DOCK)


# ---- settling


def accepted(state: State, command: AcceptPurchases) -> Events:
    """The referee lets one proposal through, or all; one that has become impossible stops them all."""
    _check_any(state)
    chosen = [_find(state, command.number)] if command.number is not None else list(state.purchases)
    events: Events = ()
    for purchase in chosen:
        events += _made(fold(state, events), purchase)
    return events


def _made(state: State, purchase: Purchase) -> Events:
    made = ev.PurchaseMade(purchase.number, purchase.player, purchase.cost, purchase.planet, _at_dock(purchase))
    if purchase.technology is not None:
        command = SetTechnology(purchase.player, purchase.technology)
        return (made, *referee.technology_set(state, command))
    assert purchase.planet is not None, "units without a place"
    at = state.planets[purchase.planet].at
    return (made, *referee.placed(state, PlaceUnits(purchase.units, at, purchase.player, purchase.planet)))


def refused(state: State, command: RefusePurchase) -> Events:
    """The referee does not let a proposal through."""
    purchase = _find(state, command.number)
    return (ev.PurchaseDropped(purchase.number, purchase.player, True),)


def lapsed(state: State) -> Events:
    """What still waits for the referee when he opens the next round: refused, and everybody reads it."""
    return tuple(ev.PurchaseDropped(purchase.number, purchase.player, True) for purchase in state.purchases)


def withdrawn(state: State, command: Withdraw) -> Events:
    """A player takes his own proposal back."""
    purchase = _find(state, command.number)
    if purchase.player != command.player:
        raise RuleViolation("not_your_proposal", None, player=purchase.player)
    return (ev.PurchaseDropped(purchase.number, purchase.player),)


def _check_any(state: State) -> None:
    if not state.purchases:
        raise RuleViolation("nothing_proposed")


def _find(state: State, number: int) -> Purchase:
    _check_any(state)
    for purchase in state.purchases:
        if purchase.number == number:
            return purchase
    raise RuleViolation("no_such_proposal", None, number=number, known=tuple(str(p.number) for p in state.purchases))

"""3.51: whose individual phase is next."""

from rules_core import events as ev
from rules_core.state import State


def order_to_come(state: State) -> tuple[str, ...]:
    """3.51-a, b, d: those who have not acted and are not acting, in the order as it stands now.

    Whom the referee named in an order for this round come first, in that order.
    """
    waiting = [p.key for p in state.players if not p.acted and not p.eliminated and p.key != acting(state)]
    named = {key: place for place, key in enumerate(state.order, -len(state.order))}
    # Seat order settles what is left equal: sorting is stable.
    return tuple(
        sorted(waiting, key=lambda key: (named.get(key, 0), -state.political_power(key), -state.resources(key)))
    )


def acting(state: State) -> str | None:
    """The player whose phase is running."""
    return None if state.phase is None else state.phase.player


def everybody_acted(state: State) -> bool:
    """3.51-c: nobody acts and nobody is left to act; the round is over."""
    return state.phase is None and not order_to_come(state)


def next_phase(state: State) -> tuple[ev.Event, ...]:
    """3.51-b: the phase of whoever has the highest political power of those who have not acted."""
    order = order_to_come(state)
    if state.phase is not None or not order:
        return ()
    player = state.player(order[0])
    return (ev.PhaseBegan(player.key, player.openings + 1, state.political_power(player.key)),)


def eliminations(state: State) -> tuple[ev.Event, ...]:
    """3.51-g: who has nothing left and was not yet announced; the acting player when his phase is over."""
    gone = (p.key for p in state.players if not p.eliminated and p.key != acting(state))
    return tuple(ev.PlayerEliminated(key) for key in gone if not state.has_anything(key))


def order_change(before: State, after: State) -> tuple[ev.Event, ...]:
    """3.51-b, 3.54-j: what a change of power did to the order of those to come, without whom lost all (3.51-g)."""
    old, new = (tuple(key for key in order_to_come(state) if after.has_anything(key)) for state in (before, after))
    if old == new or set(old) != set(new):
        return ()
    return (ev.OrderChanged(old, new),)

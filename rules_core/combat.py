"""What 3.53 and 3.54 share: a volley, the units that fire, what may be lost."""

from collections.abc import Iterable, Sequence

from rules_core.dice import Dice, DiePlace, Purpose
from rules_core.events import Shot, Volley
from rules_core.state import Losses, Phase, Ship, State
from rules_core.units import FIRING_ORDER, Kind


def die_place(state: State, site: str, purpose: Purpose, volley: int, side: str) -> DiePlace:
    """The place of the first die of a volley in the phase under way (3.53-o)."""
    phase = phase_of(state)
    opening = state.player(phase.player).openings
    return DiePlace(state.round, phase.player, opening, site, purpose, volley, side)


def phase_of(state: State) -> Phase:
    """The phase under way; asking outside any phase is an error of the program."""
    assert state.phase is not None, "asked of a phase while nobody acts"
    return state.phase


def fire(state: State, place: DiePlace, kinds: Sequence[Kind], dice: Dice) -> Volley:
    """One die for each of `kinds`, in this order, at the combat value of `place.side`'s unit (3.53-e)."""
    shots = []
    for number, kind in enumerate(kinds, 1):
        needed = state.profile(kind, place.side).hits_on
        assert needed is not None, f"{kind} never fires"
        shots.append(Shot(kind, needed, dice.roll(_numbered(place, number))))
    return Volley(place, tuple(shots))


def _numbered(place: DiePlace, number: int) -> DiePlace:
    return DiePlace(
        place.round, place.phase, place.opening, place.site, place.purpose, place.volley, place.side, number
    )


def firing(ships: Iterable[Ship], fighters: int) -> tuple[Kind, ...]:
    """The kinds that roll, in the order in which they do: dreadnoughts, cruisers, carriers, fighters (3.53-o)."""
    kinds = [ship.kind for ship in ships] + [Kind.FIGHTER] * fighters
    return tuple(sorted(kinds, key=FIRING_ORDER.index))


def alike(ships: Iterable[Ship], fighters: int) -> bool:
    """Whether all are of one kind and load, so that it does not matter which is lost."""
    looks = {(ship.kind, ship.ground_forces, ship.pds) for ship in ships}
    return len(looks) + bool(fighters) <= 1


def by_order_of_kinds(order: Sequence[Kind], ships: Sequence[Ship], fighters: int, hits: int) -> Losses | None:
    """A standing order of losses followed for `hits`: the losses, or None if the named kinds do not reach.

    Of unlike carriers the least loaded, then the one with fewest ground forces, then the lowest number goes.
    """
    taken: list[int] = []
    fighters_lost = 0
    for kind in order:
        left = hits - len(taken) - fighters_lost
        if kind is Kind.FIGHTER:
            fighters_lost = min(left, fighters)
        else:
            of_kind = sorted((s for s in ships if s.kind is kind), key=lambda s: (s.load, s.ground_forces, s.id))
            taken += [ship.id for ship in of_kind[:left]]
    return Losses(tuple(taken), fighters_lost) if len(taken) + fighters_lost == hits else None

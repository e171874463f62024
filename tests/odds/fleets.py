"""Fleets from short texts, and small battles to ask about."""

from hypothesis import strategies as st

from rules_core.odds import Force, Retreat, SpaceBattle, Unit, unit
from rules_core.units import Kind, load_ruleset

KINDS = {"d": Kind.DREADNOUGHT, "c": Kind.CRUISER, "k": Kind.CARRIER, "f": Kind.FIGHTER}
CLASSIC = load_ruleset("classic")


def one(kind: Kind, ground_forces: int = 0, pds: int = 0) -> Unit:
    """A unit of the classic ruleset."""
    return unit(CLASSIC.profile(kind, ()), ground_forces, pds)


def fleet(text: str, dock_room: int = 0) -> Force:
    """`ffccd`: two fighters, two cruisers (c), a dreadnought (d), lost in this very order; k is a carrier."""
    return Force(tuple(one(KINDS[letter]) for letter in text), dock_room)


units = st.builds(
    Unit,
    st.sampled_from(list(KINDS.values())),
    st.integers(1, 10),
    places=st.integers(0, 2),
    ground_forces=st.integers(0, 2),
    pds=st.integers(0, 1),
)
forces = st.builds(Force, st.lists(units, max_size=4).map(tuple), st.integers(0, 2))
half_exposed = st.builds(Unit, st.sampled_from(list(KINDS.values())), st.integers(1, 10), exposed=st.booleans())
ground_forces = st.builds(Unit, st.just(Kind.GROUND_FORCE), st.integers(1, 10))
retreats = st.builds(
    Retreat,
    st.none() | st.integers(1, 3),
    st.none() | st.integers(1, 4),
    # Odd numbers, so that no chance is just there and falls to one side by its last digit.
    st.none() | st.sampled_from([0.2345678, 0.5432101, 0.8765432]),
)
battles = st.builds(
    SpaceBattle,
    forces,
    forces,
    pds=st.lists(st.integers(1, 10), max_size=2).map(tuple),
    cannon=st.booleans(),
    hits=st.tuples(st.integers(0, 2), st.integers(0, 2)),
)

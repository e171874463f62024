"""The numbers of the classic ruleset, and the labels of systems."""

from pathlib import Path

import pytest

from rules_core import hexes
from rules_core.units import Ability, Kind, Modifier, Profile, load_ruleset, ruleset_names

CLASSIC = load_ruleset("classic")
CARRIED = frozenset({Kind.GROUND_FORCE, Kind.PDS, Kind.FIGHTER})
GROUND_FORCE = frozenset({Kind.GROUND_FORCE})


@pytest.mark.parametrize(
    "profile",
    [
        Profile(Kind.GROUND_FORCE, 4, 8),
        Profile(Kind.PDS, 8, 6),
        Profile(Kind.FIGHTER, 4, 9),
        Profile(Kind.CRUISER, 6, 8, 2, 0, GROUND_FORCE),
        Profile(Kind.CARRIER, 10, 9, 1, 5, CARRIED),
        Profile(Kind.DREADNOUGHT, 10, 4, 1, 0, GROUND_FORCE),
        Profile(Kind.SPACE_DOCK, 15, None, 0, 2, frozenset({Kind.FIGHTER}), 6),
    ],
    ids=lambda profile: profile.kind.value,
)
def test_the_numbers_of_the_classic_ruleset(profile: Profile) -> None:
    """Cost, combat value, movement and capacity of every kind."""
    assert CLASSIC.profile(profile.kind, ()) == profile


@pytest.mark.parametrize(
    ("technology", "kind", "name", "before", "after"),
    [
        ("hylar_v_assault_laser", Kind.CRUISER, "hits_on", 8, 7),
        ("type_iv_drive", Kind.CRUISER, "movement", 2, 3),
        ("type_iv_drive", Kind.DREADNOUGHT, "movement", 1, 2),
        ("xrd_transporters", Kind.CARRIER, "movement", 1, 2),
        ("cybernetics", Kind.FIGHTER, "hits_on", 9, 8),
        ("stasis_capsules", Kind.CRUISER, "capacity", 0, 1),
        ("stasis_capsules", Kind.DREADNOUGHT, "capacity", 0, 1),
    ],
)
def test_technologies_change_one_number_of_the_kinds_they_name(
    technology: str, kind: Kind, name: str, before: int, after: int
) -> None:
    """A modifier changes its number of its kinds and nothing else."""
    assert (getattr(CLASSIC.profile(kind, ()), name), getattr(CLASSIC.profile(kind, [technology]), name)) == (
        before,
        after,
    )
    others = set(Kind) - {each for modifier in CLASSIC.technologies[technology].modifiers for each in modifier.units}
    assert all(CLASSIC.profile(each, [technology]) == CLASSIC.profile(each, ()) for each in others)


def test_abilities_are_the_three_that_clauses_name() -> None:
    """Deflectors, cannon and negator allow what 3.52.1-c, 3.53-d and 3.54-d say; the others allow nothing."""
    allows = {key: technology.allows for key, technology in CLASSIC.technologies.items() if technology.allows}
    assert allows == {
        "antimass_deflectors": Ability.PASS_ASTEROID_FIELDS,
        "assault_cannon": Ability.FIRE_ASSAULT_CANNON,
        "graviton_negator": Ability.BOMBARD_PAST_PDS,
    }
    assert len(CLASSIC.technologies) == 8


def test_a_modifier_costs_one_line_of_data_and_no_code() -> None:
    """No key of such a technology stands in the code of the rules."""
    code = "".join(path.read_text(encoding="utf-8") for path in Path(hexes.__file__).parent.glob("*.py"))
    data = (Path(hexes.__file__).parent / "rulesets" / "classic.toml").read_text(encoding="utf-8")
    modifiers = [key for key, technology in CLASSIC.technologies.items() if technology.modifiers]
    assert [key for key in modifiers if key in code] == []
    assert all(sum(key in line for line in data.splitlines()) == 1 for key in modifiers)


def test_no_modifier_leads_beyond_what_a_die_shows() -> None:
    """A combat value is 1 to 10, and what never fires still never fires."""
    worse = Modifier(frozenset({Kind.FIGHTER}), hits_on=20)
    assert worse.on(CLASSIC.profile(Kind.FIGHTER, ())).hits_on == 10
    better = Modifier(frozenset({Kind.FIGHTER, Kind.SPACE_DOCK}), hits_on=-20)
    assert better.on(CLASSIC.profile(Kind.FIGHTER, ())).hits_on == 1
    assert better.on(CLASSIC.profile(Kind.SPACE_DOCK, ())).hits_on is None


def test_an_unknown_ruleset_is_none() -> None:
    """Rulesets are known by name."""
    assert ruleset_names() == ("classic",)
    with pytest.raises(KeyError):
        load_ruleset("modern")


def test_labels_are_the_ring_and_the_place_in_it_clockwise_from_north() -> None:
    """`000` the centre, `101` north of it, then clockwise; ring 9 is the last."""
    assert hexes.neighbours("000") == ("101", "102", "103", "104", "105", "106")
    assert hexes.neighbours("101") == ("201", "202", "102", "000", "106", "212")
    assert hexes.neighbours("201") == ("301", "302", "202", "101", "212", "318")
    assert [len(hexes.ring(radius)) for radius in range(10)] == [1, 6, 12, 18, 24, 30, 36, 42, 48, 54]
    assert all(hexes.is_label(label) for label in ("954", "901", "306"))
    assert not any(hexes.is_label(label) for label in ("107", "001", "955", "", "1", "0000", "১০১"))


def test_every_label_is_one_hex_and_touching_is_mutual() -> None:
    """Of all 271 labels: each its own hex, six neighbours inside, and distance 1 is adjacency."""
    labels = [f"{ring}{place:02d}" for ring in range(10) for place in range(61) if hexes.is_label(f"{ring}{place:02d}")]
    assert len({hexes.hex_of(label) for label in labels}) == len(labels) == 271
    for label in labels:
        near = hexes.neighbours(label)
        assert all(label in hexes.neighbours(other) and hexes.distance(label, other) == 1 for other in near)
        assert len(near) == 6 or label.startswith("9")
        assert hexes.distance("000", label) == int(label[0])
    assert hexes.adjacent("101", "102")
    assert not hexes.adjacent("101", "103")

"""What stands in one system, as data: rows of cells in the order in which they are shown. No places, no sizes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from renderer.theme import Seat, Theme, contrast, mix
from renderer.view import (
    BattleMark,
    BombardMark,
    CaptureMark,
    FireMark,
    LandingMark,
    LossMark,
    Mark,
    PathMark,
    RetreatMark,
)
from rules_core.galaxy import Wormhole
from rules_core.state import Planet, Ship, State
from rules_core.units import SHIP_KINDS, Kind

LETTERS: Final = {Wormhole.ALPHA: "α", Wormhole.BETA: "β"}
# So many loaded ships of one kind show their load one by one; of more the sum is shown.
FEW: Final = 3


@dataclass(frozen=True, slots=True)
class Cell:
    """An icon (or none), then a text (or none)."""

    icon: str
    text: str
    fill: str
    ink: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Cells that are never parted; on a ground of their own if `inset` is a colour."""

    cells: tuple[Cell, ...]
    inset: str = ""


@dataclass(frozen=True, slots=True)
class World:
    """A planet: its numbers, what stands on it, and the signs of what happened to it."""

    planet: Planet
    ring: str
    emblem: str
    garrison: tuple[Group, ...]
    signs: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Fleet:
    """What one player has in space, or has just lost there (`ghost`)."""

    owner: str
    seat: Seat
    groups: tuple[Group, ...]
    ghost: bool = False


@dataclass(frozen=True, slots=True)
class Contents:
    """All that is written into one hex. `signs`: what happened in this step."""

    at: str
    letter: str
    letter_fill: str
    signs: tuple[Group, ...]
    worlds: tuple[World, ...]
    fleets: tuple[Fleet, ...]


@dataclass(frozen=True, slots=True)
class Look:
    """What contents are coloured by: the theme, the seats by player key, the marks of the step."""

    theme: Theme
    seats: Mapping[str, Seat]
    marks: tuple[Mark, ...]


def contents(state: State, at: str, look: Look, each_load: bool = True) -> Contents:
    """The contents of a system; `each_load`: loads of few ships one by one instead of their sum."""
    wormhole = state.galaxy.systems[at].wormhole
    letter = LETTERS[wormhole] if wormhole else ""
    colour = look.theme.wormholes[list(Wormhole).index(wormhole)] if wormhole else ""
    worlds = tuple(_world(planet, look) for planet in state.planets_at(at))
    fleets = tuple(_fleet(state, at, owner, look, each_load) for owner in state.space_owners(at))
    ghosts = tuple(_ghost(mark, look) for mark in look.marks if isinstance(mark, LossMark) and mark.at == at)
    return Contents(at, letter, colour, tuple(_signs(at, look)), worlds, fleets + ghosts)


def _world(planet: Planet, look: Look) -> World:
    seat = look.seats[planet.owner] if planet.owner else None
    ground = look.theme.text
    fill = _on_tile(seat, look.theme) if seat else look.theme.muted
    counts = ((Kind.GROUND_FORCE, planet.ground_forces), (Kind.PDS, planet.pds))
    where = f"{planet.at}/{planet.name}"
    groups = [Group((Cell(kind, str(n), fill, ground, f"{where}/{kind}"),)) for kind, n in counts if n]
    if planet.space_dock:
        groups.append(Group((Cell(Kind.SPACE_DOCK, "", fill, ground, f"{where}/{Kind.SPACE_DOCK}"),)))
    signs = tuple(_planet_signs(planet, look))
    return World(planet, seat.bright if seat else "", seat.emblem if seat else "", tuple(groups), signs)


def _on_tile(seat: Seat, theme: Theme) -> str:
    """The colour of a player's signs on the ground of a hex, light or dark."""
    strong = max((seat.bright, seat.plate), key=lambda colour: contrast(colour, theme.tile))
    return mix(strong, seat.bright, 0.3) if strong == seat.plate else mix(strong, theme.text, 0.25)


def _planet_signs(planet: Planet, look: Look) -> Iterable[Cell]:
    where = f"{planet.at}/{planet.name}"
    for mark in look.marks:
        match mark:
            case BombardMark(planet=planet.name):
                yield Cell("bomb", "", look.theme.alert, look.theme.text, f"{where}/bombardment")
            case LandingMark(planet=planet.name, player=player):
                fill = _on_tile(look.seats[player], look.theme)
                yield Cell("landing", "", fill, look.theme.text, f"{where}/landing")
            case CaptureMark(planet=planet.name):
                yield Cell("flag", "", look.theme.alert, look.theme.text, f"{where}/capture")


def _fleet(state: State, at: str, owner: str, look: Look, each_load: bool) -> Fleet:
    seat, theme = look.seats[owner], look.theme
    fill = mix(seat.bright, theme.plate_text, 0.45)
    groups: list[Group] = []
    ships = state.ships_at(at, owner)
    for kind in SHIP_KINDS:
        alike = tuple(ship for ship in ships if ship.kind is kind)
        if alike:
            groups.append(Group((Cell(kind, str(len(alike)), fill, theme.plate_text, f"{at}/{owner}/{kind}"),)))
            groups.extend(_loads(state, alike, f"{at}/{owner}/{kind}", fill, theme, each_load))
    fighters = state.fighters_at(at, owner)
    if fighters:
        about = f"{at}/{owner}/{Kind.FIGHTER}"
        groups.append(Group((Cell(Kind.FIGHTER, str(fighters), fill, theme.plate_text, about),)))
    return Fleet(owner, seat, tuple(groups))


def _loads(
    state: State, ships: tuple[Ship, ...], about: str, fill: str, theme: Theme, each_load: bool
) -> Iterable[Group]:
    loaded = [ship for ship in ships if ship.load]
    parts = [(ship,) for ship in loaded] if each_load and len(loaded) <= FEW else [ships] if loaded else []
    for part in parts:
        room = sum(state.profile(ship.kind, ship.owner).capacity for ship in part)
        yield _load(part, room, f"{about}/load", fill, theme)


def _load(ships: tuple[Ship, ...], room: int, about: str, fill: str, theme: Theme) -> Group:
    """`3/5` and what it is; with numbers of each kind only where there are two kinds."""
    aboard = ((Kind.GROUND_FORCE, sum(s.ground_forces for s in ships)), (Kind.PDS, sum(s.pds for s in ships)))
    loaded = [(kind, count) for kind, count in aboard if count]
    total = Cell("", f"{sum(ship.load for ship in ships)}/{room}", fill, theme.plate_text, about)
    ink = theme.plate_text
    kinds = [Cell(kind, str(n) if len(loaded) > 1 else "", fill, ink, f"{about}/{kind}") for kind, n in loaded]
    return Group((total, *kinds), theme.inset)


def _ghost(mark: LossMark, look: Look) -> Fleet:
    seat, theme = look.seats[mark.player], look.theme
    fill = _on_tile(seat, theme)
    groups = tuple(
        Group((Cell(kind, f"−{count}", fill, theme.text, f"{mark.at}/{mark.player}/lost/{kind}"),))
        for kind, count in mark.lost
    )
    return Fleet(mark.player, seat, groups, ghost=True)


def _signs(at: str, look: Look) -> Iterable[Group]:
    theme = look.theme
    for mark in look.marks:
        match mark:
            case BattleMark(at=place, hits=hits) if place == at:
                yield Group((Cell("swords", "", theme.alert, theme.text, f"{at}/battle"),))
                yield from (_hits(look.seats[who].emblem, at, who, count, look) for who, count in hits.items())
            case FireMark(at=place, player=player, kind=kind, hits=count) if place == at:
                yield _hits(kind, at, player, count, look)
            case PathMark(systems=systems, intercepted=True) if systems[-1] == at:
                yield Group((Cell("stop", "", theme.alert, theme.text, f"{at}/interception"),))
            case RetreatMark(at=place, player=player) if place == at:
                fill = _on_tile(look.seats[player], theme)
                yield Group((Cell("retreat", "", fill, theme.text, f"{at}/retreat"),))


def _hits(icon: str, at: str, player: str, count: int, look: Look) -> Group:
    fill = _on_tile(look.seats[player], look.theme)
    shooter = Cell(icon, "", fill, look.theme.text, f"{at}/{player}/fire")
    return Group((shooter, Cell("burst", str(count), look.theme.alert, look.theme.text, f"{at}/{player}/hits")))

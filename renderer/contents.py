"""What stands in one system, as data: rows of cells in the order in which they are shown. No places, no sizes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from renderer.theme import THEMES, Seat, Theme, ThemeName, contrast, ink_on, mix, seats
from renderer.view import (
    BattleMark,
    BombardMark,
    CaptureMark,
    Die,
    LandingMark,
    LossMark,
    Mark,
    PathMark,
    RetreatMark,
    VolleyMark,
)
from rules_core.galaxy import System, Wormhole
from rules_core.state import Planet, Ship, State
from rules_core.units import SHIP_KINDS, Kind

LETTERS: Final = {Wormhole.ALPHA: "α", Wormhole.BETA: "β"}
# So many loaded ships of one kind show their load one by one; of more the sum is shown.
FEW: Final = 3
# So many dice of one volley are shown one by one beside a label; of more the hits are shown.
FEW_DICE: Final = 6


@dataclass(frozen=True, slots=True)
class Cell:
    """An icon (or none), then a text (or none); with `inside` the text stands on the icon."""

    icon: str
    text: str
    fill: str
    ink: str
    about: str = ""
    inside: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Cells that are never parted; on a ground of their own if `inset` is a colour. A thing of its own, so that its
    width is quickly found again."""

    cells: tuple[Cell, ...]
    inset: str = ""


@dataclass(frozen=True, slots=True)
class World:
    """A planet: its numbers, what stands on it, the signs of what happened to it, whether it is fought for."""

    planet: Planet
    ring: str
    emblem: str
    garrison: tuple[Group, ...]
    signs: tuple[Cell, ...]
    contested: bool


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


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What contents are coloured by: the theme, and the seats by player key."""

    theme: Theme
    seats: Mapping[str, Seat]


@dataclass(frozen=True, slots=True)
class Squadron:
    """What one player has in space in a system. `rooms`: how much each of the ships carries."""

    owner: str
    ships: tuple[Ship, ...]
    rooms: tuple[int, ...]
    fighters: int


@dataclass(frozen=True, slots=True)
class Place:
    """All that decides what is drawn in one system. `contested`: the planet that is fought for."""

    system: System
    planets: tuple[Planet, ...]
    squadrons: tuple[Squadron, ...]
    marks: tuple[Mark, ...]
    contested: str | None = None


@lru_cache(maxsize=64)
def look_of(theme: ThemeName, players: tuple[str, ...]) -> Look:
    """How these players look; the same value for the same question, so that it is quickly compared."""
    return Look(THEMES[theme], seats(players, theme))


def places(
    state: State, systems: Iterable[str], marks: Iterable[Mark], contested: str | None = None
) -> tuple[Place, ...]:
    """What stands and happened in each of these systems; `contested`: the planet that is fought for."""
    ships: dict[tuple[str, str], list[Ship]] = {}
    for ship in state.ships.values():
        ships.setdefault((ship.at, ship.owner), []).append(ship)
    rooms = {
        (player.key, kind): state.profile(kind, player.key).capacity for player in state.players for kind in SHIP_KINDS
    }
    happened: dict[str, list[Mark]] = {}
    for mark in marks:
        happened.setdefault(where(state, mark), []).append(mark)
    found = []
    for at in systems:
        squadrons = tuple(
            Squadron(
                player.key,
                tuple(there := ships.get((at, player.key), ())),
                tuple(rooms[player.key, ship.kind] for ship in there),
                state.fighters_at(at, player.key),
            )
            for player in state.players
            if (at, player.key) in ships or (at, player.key) in state.fighters
        )
        system = state.galaxy.systems[at]
        planets = state.planets_at(at)
        prize = contested if any(planet.name == contested for planet in planets) else None
        found.append(Place(system, planets, squadrons, tuple(happened.get(at, ())), prize))
    return tuple(found)


def where(state: State, mark: Mark) -> str:
    """The system in which a mark is shown."""
    match mark:
        case PathMark(systems=systems):
            return systems[-1]
        case BombardMark(planet=planet) | LandingMark(planet=planet) | CaptureMark(planet=planet):
            return state.planets[planet].at
    return mark.at


def can_be_shorter(place: Place) -> bool:
    """Whether loads or dice are shown one by one where there is room."""
    loaded = (sum(ship.load > 0 for ship in squadron.ships) for squadron in place.squadrons)
    return any(loaded) or any(isinstance(mark, VolleyMark) for mark in place.marks)


def contents(place: Place, look: Look, full: bool = True) -> Contents:
    """The contents of a system; `full`: dice and loads of few ships one by one instead of their sum."""
    at, wormhole = place.system.at, place.system.wormhole
    letter = LETTERS[wormhole] if wormhole else ""
    colour = look.theme.wormholes[list(Wormhole).index(wormhole)] if wormhole else ""
    worlds = tuple(_world(planet, place, look) for planet in place.planets)
    fleets = tuple(_fleet(at, squadron, look, full) for squadron in place.squadrons)
    ghosts = tuple(_ghost(mark, look) for mark in place.marks if isinstance(mark, LossMark))
    return Contents(at, letter, colour, tuple(_signs(at, place.marks, look, full)), worlds, fleets + ghosts)


def _world(planet: Planet, place: Place, look: Look) -> World:
    seat = look.seats[planet.owner] if planet.owner else None
    ground = look.theme.text
    fill = on_tile(seat, look.theme) if seat else look.theme.muted
    counts = ((Kind.GROUND_FORCE, planet.ground_forces), (Kind.PDS, planet.pds))
    where = f"{planet.at}/{planet.name}"
    groups = [Group((Cell(kind, str(n), fill, ground, f"{where}/{kind}"),)) for kind, n in counts if n]
    if planet.space_dock:
        groups.append(Group((Cell(Kind.SPACE_DOCK, "", fill, ground, f"{where}/{Kind.SPACE_DOCK}"),)))
    signs, contested = tuple(_planet_signs(planet, place.marks, look)), planet.name == place.contested
    return World(planet, seat.bright if seat else "", seat.emblem if seat else "", tuple(groups), signs, contested)


def on_tile(seat: Seat, theme: Theme) -> str:
    """The colour of a player's signs on the ground of a hex, light or dark."""
    strong = max((seat.bright, seat.plate), key=lambda colour: contrast(colour, theme.tile))
    return mix(strong, seat.bright, 0.3) if strong == seat.plate else mix(strong, theme.text, 0.25)


def _planet_signs(planet: Planet, marks: tuple[Mark, ...], look: Look) -> Iterable[Cell]:
    where = f"{planet.at}/{planet.name}"
    for mark in marks:
        match mark:
            case BombardMark(planet=planet.name):
                yield Cell("bomb", "", look.theme.alert, look.theme.text, f"{where}/bombardment")
            case LandingMark(planet=planet.name, player=player):
                fill = on_tile(look.seats[player], look.theme)
                yield Cell("landing", "", fill, look.theme.text, f"{where}/landing")
            case CaptureMark(planet=planet.name):
                yield Cell("flag", "", look.theme.alert, look.theme.text, f"{where}/capture")


def _fleet(at: str, squadron: Squadron, look: Look, each_load: bool) -> Fleet:
    owner, theme = squadron.owner, look.theme
    seat = look.seats[owner]
    fill = mix(seat.bright, theme.plate_text, 0.45)
    groups: list[Group] = []
    ships = tuple(zip(squadron.ships, squadron.rooms, strict=True))
    for kind in SHIP_KINDS:
        alike = tuple(pair for pair in ships if pair[0].kind is kind)
        if alike:
            groups.append(Group((Cell(kind, str(len(alike)), fill, theme.plate_text, f"{at}/{owner}/{kind}"),)))
            groups.extend(_loads(alike, f"{at}/{owner}/{kind}", fill, theme, each_load))
    if squadron.fighters:
        about = f"{at}/{owner}/{Kind.FIGHTER}"
        groups.append(Group((Cell(Kind.FIGHTER, str(squadron.fighters), fill, theme.plate_text, about),)))
    return Fleet(owner, seat, tuple(groups))


def _loads(
    ships: tuple[tuple[Ship, int], ...], about: str, fill: str, theme: Theme, each_load: bool
) -> Iterable[Group]:
    loaded = [pair for pair in ships if pair[0].load]
    parts = [(pair,) for pair in loaded] if each_load and len(loaded) <= FEW else [ships] if loaded else []
    for part in parts:
        yield _load(tuple(ship for ship, _ in part), sum(room for _, room in part), f"{about}/load", fill, theme)


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
    fill = on_tile(seat, theme)
    groups = tuple(
        Group((Cell(kind, f"−{count}", fill, theme.text, f"{mark.at}/{mark.player}/lost/{kind}"),))
        for kind, count in mark.lost
    )
    return Fleet(mark.player, seat, groups, ghost=True)


def _signs(at: str, marks: tuple[Mark, ...], look: Look, full: bool) -> Iterable[Group]:
    theme = look.theme
    for mark in marks:
        match mark:
            case BattleMark():
                yield Group((Cell("swords", "", theme.alert, theme.text, f"{at}/battle"),))
            case VolleyMark():
                yield Group(tuple(_volley(mark, look, full and len(mark.dice) <= FEW_DICE)))
            case PathMark(intercepted=True):
                yield Group((Cell("stop", "", theme.alert, theme.text, f"{at}/interception"),))
            case RetreatMark(player=player):
                fill = on_tile(look.seats[player], theme)
                yield Group((Cell("retreat", "", fill, theme.text, f"{at}/retreat"),))


def _volley(mark: VolleyMark, look: Look, each_die: bool) -> Iterable[Cell]:
    """Who fired, his dice, and how many hit."""
    seat, theme, about = look.seats[mark.player], look.theme, f"{mark.at}/{mark.player}"
    yield Cell(mark.kind or seat.emblem, "", on_tile(seat, theme), theme.text, f"{about}/fire")
    yield from (die_cell(die, theme, theme.tile, f"{about}/die") for die in (mark.dice if each_die else ()))
    yield Cell("burst", str(mark.hits), theme.alert, theme.text, f"{about}/hits")


def die_cell(die: Die, theme: Theme, on: str, about: str) -> Cell:
    """A die: full if it hit, a frame if not."""
    if die.hit:
        return Cell("die", str(die.face), theme.alert, ink_on(theme.alert), about, inside=True)
    return Cell("frame", str(die.face), mix(theme.muted, on, 0.25), theme.muted, about, inside=True)

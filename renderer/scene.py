"""A position and a view as shapes: ground first, then what happened, then what stands there, all texts last."""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from renderer import fonts
from renderer.contents import Look, Place, can_be_shorter, contents, look_of, places
from renderer.duel import duel
from renderer.hexfit import fit
from renderer.layout import Board, Room, between, place, rim, towards
from renderer.panel import Panel, legend, rail, title
from renderer.rows import NAME_TO_COUNT, Sizes
from renderer.shapes import Part, Point, Polygon, Scene, Shape, Sky, Stroke, Text, Tile, bounds
from renderer.theme import Seat, Theme, mix
from renderer.view import (
    BattleMark,
    BombardMark,
    CaptureMark,
    ChangedMark,
    LandingMark,
    LossMark,
    Mark,
    PathMark,
    RetreatMark,
    View,
    VolleyMark,
)
from rules_core import hexes
from rules_core.galaxy import System, SystemKind, Wormhole
from rules_core.hexes import Hex
from rules_core.state import State

# In pixels of a picture 1600 wide: scaled to 1080 these are 12 and 9 pixels high and a little more, in a crop 20.
SMALLEST_COUNT: Final = 18
SMALLEST_NAME: Final = 14
CROP_COUNT: Final = 30
CROP_NAME: Final = 24
# What is free inside the edges of a hex, in its sizes: a red border and the head of an arrow need more.
MARGIN: Final = 0.075
RED_MARGIN: Final = 0.13
CROSSED_MARGIN: Final = 0.15


def compose(state: State, view: View) -> Scene:
    """The shapes of the picture. Raises KeyError if `view.focus` is no system of the galaxy."""
    look = look_of(view.theme, tuple(player.key for player in state.players))
    unit, theme, shown = view.width / 1600, look.theme, _shown(state, view)
    panel = Panel(look, unit, state, view)
    heading, below = title(panel)
    above, below = _above(panel, look, below)
    board = place(shown, view.width, panel.px(below), panel.px(24))
    signs, end = legend(panel, below + board.height / unit + 22)
    sky = Sky((0, 0, view.width, round(panel.px(end + 10))), theme.sky, theme.stars)
    ground: Part = (sky, *(_tile(state.galaxy.systems[at], board, look) for at in shown))
    rims, stress = _rims(state, shown, board, look), _stress(state, view, shown, board, look.seats, theme)
    inside = _inside(state, view, shown, board, look)
    parts: tuple[Part, ...] = (*rims, tuple(stress), *inside, heading, *above, signs)
    return Scene(ground, parts)


def forget() -> None:
    """Drops all that is kept of where things stand."""
    _system.cache_clear()
    _rim.cache_clear()


def _above(panel: Panel, look: Look, top: float) -> tuple[list[Part], float]:
    """What stands between title and board: the cards, or the two sides of a battle; of another crop nothing."""
    if panel.view.focus is None:
        return rail(panel, top)
    return duel(panel, panel.view.duel, look, top) if panel.view.duel else ([], top)


def _shown(state: State, view: View) -> tuple[str, ...]:
    systems = tuple(state.galaxy.systems)
    if view.focus is None:
        return systems
    if view.focus not in state.galaxy.systems:
        raise KeyError(view.focus)
    return tuple(at for at in systems if hexes.distance(at, view.focus) <= view.rings)


@lru_cache(maxsize=1024)
def _tile(system: System, board: Board, look: Look) -> Tile:
    theme = look.theme
    x0, y0, x1, y1 = bounds(board.corners(system.at, board.size * 0.012))
    box = (round(x0), round(y0), round(x1), round(y1))
    if system.red_bordered:
        return Tile(
            box, system.kind.value, theme.danger_tile, theme.danger, _red_width(board), "", f"{system.at}/{system.kind}"
        )
    wormhole = theme.wormholes[list(Wormhole).index(system.wormhole)] if system.wormhole else ""
    line = mix(theme.tile_line, wormhole, 0.5) if wormhole else theme.tile_line
    return Tile(box, "normal", theme.tile, line, max(1.5, board.size * 0.014), wormhole, f"{system.at}/tile")


def _rims(state: State, shown: tuple[str, ...], board: Board, look: Look) -> Iterable[Part]:
    holders = _holders(state)
    owners = {at: holders.get(at) for at in shown}
    for at in shown:
        owner = owners.get(at)
        edges = frozenset(i for i, other in enumerate(_around(at)) if owners.get(other) != owner)
        red = state.galaxy.systems[at].red_bordered
        yield _rim(at, owner, edges, _red_width(board) if red else 0.0, board, look) if owner else ()


def _red_width(board: Board) -> float:
    """How wide a red border is; a rim lies inside it, so that it stays red."""
    return board.size * 0.055


@lru_cache(maxsize=2048)
def _rim(at: str, owner: str, edges: frozenset[int], inset: float, board: Board, look: Look) -> Part:
    seat = look.seats[owner]
    fill = mix(seat.bright, seat.plate, look.theme.rim_shade)
    return tuple(Polygon(band, fill, f"{at}/rim/{owner}") for band in rim(board, at, edges, board.size * 0.045, inset))


def _holders(state: State) -> dict[str, str | None]:
    """Who alone owns planets in a system, or where nobody does, who alone is there in space."""
    on_planets: dict[str, set[str]] = {}
    for planet in state.planets.values():
        if planet.owner:
            on_planets.setdefault(planet.at, set()).add(planet.owner)
    in_space: dict[str, set[str]] = {}
    for at, owner in (*((ship.at, ship.owner) for ship in state.ships.values()), *state.fighters):
        in_space.setdefault(at, set()).add(owner)
    return {at: next(iter(who)) if len(who) == 1 else None for at, who in {**in_space, **on_planets}.items()}


@cache
def _around(at: str) -> tuple[str, ...]:
    """What lies beyond each edge of a hex, clockwise from the north; empty beyond the last ring."""
    around = {hexes.hex_of(other): other for other in hexes.neighbours(at)}
    here = hexes.hex_of(at)
    return tuple(around.get(Hex(here.q + step.q, here.r + step.r), "") for step in hexes.DIRECTIONS)


def _stress(
    state: State, view: View, shown: tuple[str, ...], board: Board, look: Mapping[str, Seat], theme: Theme
) -> Iterable[Shape]:
    for at, colour in _outlined(state, view.marks, theme).items():
        if at in shown:
            corners = board.corners(at)
            width = board.size * 0.05
            yield Stroke((*corners, corners[0]), colour, theme.sky, width, width * 1.5, 0, f"{at}/outline")
    for mark in view.marks:
        match mark:
            case PathMark(systems=systems, player=player):
                yield from _way(systems, player, False, shown, board, look, theme)
            case RetreatMark(at=at, to=to, player=player):
                yield from _way((at, to), player, True, shown, board, look, theme)


def _outlined(state: State, marks: tuple[Mark, ...], theme: Theme) -> dict[str, str]:
    colours: dict[str, str] = {}
    for mark in marks:
        match mark:
            case BattleMark(at=at) | VolleyMark(at=at):
                colours[at] = theme.alert
            case LossMark(at=at) | ChangedMark(at=at) | RetreatMark(to=at):
                colours.setdefault(at, theme.changed)
            case PathMark(systems=systems):
                colours.setdefault(systems[-1], theme.changed)
            case BombardMark(planet=planet) | LandingMark(planet=planet) | CaptureMark(planet=planet):
                colours.setdefault(state.planets[planet].at, theme.changed)
    return colours


def _way(
    systems: tuple[str, ...], player: str, retreat: bool, shown: tuple[str, ...], board: Board,
    look: Mapping[str, Seat], theme: Theme,
) -> Iterable[Shape]:  # fmt: skip
    for start, end in pairwise(systems):
        if start in shown and end in shown:
            jump = not hexes.adjacent(start, end)
            yield from _hop(board, start, end, player, retreat, jump, look, theme)


def _hop(
    board: Board, start: str, end: str, player: str, retreat: bool, jump: bool, look: Mapping[str, Seat], theme: Theme
) -> Iterable[Shape]:
    one, other = _ends(board, start, end)
    colour, width, about = look[player].bright, board.size * (0.045 if jump else 0.07), f"{start}-{end}/path/{player}"
    dash = board.size * 0.08 if retreat or jump else 0
    line = _curve(one, other) if jump else (between(one, other, 0.32), between(one, other, 0.48))
    yield Stroke(line, colour, theme.ink, width, width * 1.7, dash, about)
    head = between(one, other, 0.487) if not jump else line[-4]
    yield from _arrow(head, line[-5] if jump else one, other, board.size * 0.2, colour, theme.ink, about)


def _ends(board: Board, start: str, end: str) -> tuple[Point, Point]:
    """From centre to centre; straight up and down beside them, where the line does not cross a label."""
    (x0, y0), (x1, y1) = board.centre(start), board.centre(end)
    aside = board.size * 0.4 if abs(x0 - x1) < 1 else 0.0
    return (x0 + aside, y0), (x1 + aside, y1)


def _curve(one: Point, other: Point) -> tuple[Point, ...]:
    dx, dy = other[0] - one[0], other[1] - one[1]
    side = 0.18 if dy > 0 else -0.18
    bend = (one[0] + dx / 2 + dy * side, one[1] + dy / 2 - dx * side)
    shares = [step / 24 for step in range(25)]
    return tuple(between(between(one, bend, share), between(bend, other, share), share) for share in shares)


def _arrow(at: Point, start: Point, end: Point, size: float, colour: str, halo: str, about: str) -> Iterable[Polygon]:
    for reach, fill in ((size * 1.4, halo), (size, colour)):
        tip = towards(at, (at[0] + end[0] - start[0], at[1] + end[1] - start[1]), reach * 0.8)
        tail = towards(at, (at[0] + start[0] - end[0], at[1] + start[1] - end[1]), reach * 0.6)
        across = ((tip[1] - tail[1]) * 0.55, (tail[0] - tip[0]) * 0.55)
        left, right = (tail[0] + across[0], tail[1] + across[1]), (tail[0] - across[0], tail[1] - across[1])
        yield Polygon((tip, left, between(tail, tip, 0.25), right), fill, about)


def _inside(state: State, view: View, shown: tuple[str, ...], board: Board, look: Look) -> Iterable[Part]:
    unit, names = view.width / 1600, {SystemKind.SUPERNOVA: view.labels.supernova}
    # What the sides of a battle rolled and lost stands above the board.
    above = (VolleyMark, LossMark) if view.duel else ()
    marks = [mark for mark in view.marks if not (isinstance(mark, above) and mark.at == view.focus)]
    crossed = {at for mark in marks for at in _way_of(mark)}
    for here in places(state, shown, marks, view.duel.planet if view.duel else None):
        kind = here.system.kind
        name = names.get(kind, view.labels.asteroid_field) if here.system.red_bordered else ""
        margin = RED_MARGIN if here.system.red_bordered else CROSSED_MARGIN if here.system.at in crossed else MARGIN
        yield _system(here, name, board, unit, view.focus is not None, margin, look)


def _way_of(mark: Mark) -> tuple[str, ...]:
    """The systems between which a mark draws arrows."""
    match mark:
        case PathMark(systems=systems):
            return systems
        case RetreatMark(at=at, to=to):
            return (at, to)
    return ()


@lru_cache(maxsize=2048)
def _system(here: Place, kind_name: str, board: Board, unit: float, crop: bool, margin: float, look: Look) -> Part:
    """What is written into one hex; `kind_name` is the word for what it is."""
    at, red = here.system.at, here.system.red_bordered
    count, name = (CROP_COUNT, CROP_NAME) if crop else (SMALLEST_COUNT, SMALLEST_NAME)
    floor = Sizes(_ceil(count * unit), _ceil(name * unit), _ceil(count * unit))
    largest = _sizes(board.size, floor, unit)
    room = Room(board.centre(at), board.size, board.size * margin)
    if red:
        return tuple(_barred(here.system, room, largest, floor, kind_name, look.theme))
    options = tuple(contents(here, look, full) for full in ((True, False) if can_be_shorter(here) else (True,)))
    return fit(options, room, largest, floor, look.theme)


def _sizes(size: float, floor: Sizes, unit: float) -> Sizes:
    count = max(floor.count, round(30 * unit * (size / unit / 125) ** 0.8))
    label = max(floor.label, round(25 * unit * (size / unit / 125) ** 0.7))
    return Sizes(count, max(floor.name, round(count * NAME_TO_COUNT)), label)


def _ceil(number: float) -> int:
    return -int(-number // 1)


def _barred(system: System, room: Room, largest: Sizes, floor: Sizes, name: str, theme: Theme) -> Iterable[Text]:
    top = room.top + largest.label * 0.1
    yield _middle_line(system.at, largest.label, top, room, theme, f"{system.at}/label")
    sizes = range(largest.name, floor.name - 1, -1)
    places = [(size, -room.top - size * (1.15 + lift)) for lift in (0.0, 0.7, 1.4) for size in sizes]
    for size, y in places:
        if fonts.text_width(name, size, True) <= 2 * room.half_width(y, y + size):
            break
    words = fonts.shorten(name, size, 2 * room.half_width(y, y + size), True)
    yield _middle_line(words, size, y, room, theme, f"{system.at}/kind")


def _middle_line(words: str, size: int, y: float, room: Room, theme: Theme, about: str) -> Text:
    width = fonts.text_width(words, size, True)
    x0, y0 = room.centre[0] - width / 2, room.centre[1] + y
    return Text((x0, y0, x0 + width, y0 + size), words, theme.text, theme.danger_tile, True, about)

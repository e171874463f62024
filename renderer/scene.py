"""A position and a view as shapes: ground first, then what happened, then what stands there, all texts last."""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Final

from renderer import fonts
from renderer.contents import Look, contents
from renderer.hexfit import fit
from renderer.layout import Board, Room, between, place, rim, towards
from renderer.panel import Panel, legend, rail, title
from renderer.rows import NAME_TO_COUNT, Sizes
from renderer.shapes import Point, Polygon, Shape, Sky, Stroke, Text, Tile, bounds
from renderer.theme import THEMES, Seat, Theme, mix, seats
from renderer.view import (
    BattleMark,
    BombardMark,
    CaptureMark,
    ChangedMark,
    FireMark,
    LandingMark,
    LossMark,
    Mark,
    PathMark,
    RetreatMark,
    View,
)
from rules_core import hexes
from rules_core.galaxy import System, SystemKind, Wormhole
from rules_core.hexes import Hex
from rules_core.state import State

# In pixels of a picture 1600 wide: scaled to 1080 these are 12 and 9 pixels high and a little more.
SMALLEST_COUNT: Final = 18
SMALLEST_NAME: Final = 14


def scene(state: State, view: View) -> tuple[Shape, ...]:
    """The shapes of the picture, in the order of painting; the first is the `Sky`, whose box is the picture.

    Raises KeyError if `view.focus` is no system of the galaxy.
    """
    unit, theme, look = view.width / 1600, THEMES[view.theme], seats([player.key for player in state.players])
    panel = Panel(state, view, theme, look, unit)
    shown = _shown(state, view)
    cards, below = rail(panel, 84)
    board = place(shown, view.width, panel.px(below + 14), panel.px(24))
    signs, end = legend(panel, (below + 14 + board.height / unit) + 22)
    sky = Sky((0, 0, view.width, round(panel.px(end + 10))), theme.sky, theme.glow, theme.stars)
    ground: list[Shape] = [sky, *(_tile(state.galaxy.systems[at], board, theme, unit) for at in shown)]
    stress: list[Shape] = [*_rims(state, shown, board, look, theme), *_stress(state, view, shown, board, look, theme)]
    above: list[Shape] = [*_inside(state, view, shown, board, look, theme), *title(panel), *cards, *signs]
    return (*ground, *stress, *sorted(above, key=lambda shape: isinstance(shape, Text)))


def _shown(state: State, view: View) -> tuple[str, ...]:
    systems = tuple(state.galaxy.systems)
    if view.focus is None:
        return systems
    if view.focus not in state.galaxy.systems:
        raise KeyError(view.focus)
    return tuple(at for at in systems if hexes.distance(at, view.focus) <= view.rings)


def _tile(system: System, board: Board, theme: Theme, unit: float) -> Tile:
    x0, y0, x1, y1 = bounds(board.corners(system.at, board.size * 0.012))
    box = (round(x0), round(y0), round(x1), round(y1))
    if system.red_bordered:
        width = max(4 * unit, board.size * 0.055)
        return Tile(box, system.kind.value, theme.danger_tile, theme.danger, width, "", f"{system.at}/{system.kind}")
    wormhole = theme.wormholes[list(Wormhole).index(system.wormhole)] if system.wormhole else ""
    line = mix(theme.tile_line, wormhole, 0.5) if wormhole else theme.tile_line
    return Tile(box, "normal", theme.tile, line, max(1.5, board.size * 0.014), wormhole, f"{system.at}/tile")


def _rims(
    state: State, shown: tuple[str, ...], board: Board, look: Mapping[str, Seat], theme: Theme
) -> Iterable[Polygon]:
    owners = {at: _holder(state, at) for at in shown}
    for at, owner in owners.items():
        if owner is None:
            continue
        edges = frozenset(i for i, other in enumerate(_around(at)) if owners.get(other) != owner)
        for band in rim(board, at, edges, board.size * 0.045):
            yield Polygon(band, mix(look[owner].bright, look[owner].plate, theme.rim_shade), f"{at}/rim/{owner}")


def _holder(state: State, at: str) -> str | None:
    """Who alone owns planets here, or where nobody does, who alone is here in space."""
    owners = {planet.owner for planet in state.planets_at(at) if planet.owner} or set(state.space_owners(at))
    return owners.pop() if len(owners) == 1 else None


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
            case BattleMark(at=at) | FireMark(at=at):
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
    line = _curve(one, other) if jump else (between(one, other, 0.29), between(one, other, 0.57))
    yield Stroke(line, colour, theme.ink, width, width * 1.7, dash, about)
    head = between(one, other, 0.55) if not jump else line[-4]
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


def _inside(
    state: State, view: View, shown: tuple[str, ...], board: Board, look: Mapping[str, Seat], theme: Theme
) -> Iterable[Shape]:
    unit = view.width / 1600
    floor = Sizes(_ceil(SMALLEST_COUNT * unit), _ceil(SMALLEST_NAME * unit), _ceil(SMALLEST_COUNT * unit))
    largest = _sizes(board.size, floor, unit)
    palette = Look(theme, look, view.marks)
    for at in shown:
        red = state.galaxy.systems[at].red_bordered
        room = Room(board.centre(at), board.size, board.size * (0.13 if red else 0.075))
        if red:
            yield from _barred(state.galaxy.systems[at], room, largest, floor, view, theme)
            continue
        options = tuple(contents(state, at, palette, each_load) for each_load in (True, False))
        yield from fit(options, room, largest, floor, theme)


def _sizes(size: float, floor: Sizes, unit: float) -> Sizes:
    count = max(floor.count, round(30 * unit * (size / unit / 125) ** 0.8))
    label = max(floor.label, round(25 * unit * (size / unit / 125) ** 0.7))
    return Sizes(count, max(floor.name, round(count * NAME_TO_COUNT)), label)


def _ceil(number: float) -> int:
    return -int(-number // 1)


def _barred(system: System, room: Room, largest: Sizes, floor: Sizes, view: View, theme: Theme) -> Iterable[Text]:
    name = view.labels.supernova if system.kind is SystemKind.SUPERNOVA else view.labels.asteroid_field
    top = room.top + largest.label * 0.1
    yield _middle_line(system.at, largest.label, top, room, theme, f"{system.at}/label")
    for size in range(largest.name, floor.name - 1, -1):
        y = -room.top - size * 1.15
        free = 2 * room.half_width(y, y + size)
        if size == floor.name or fonts.text_width(name, size, True) <= free:
            words = fonts.shorten(name, size, free, True)
            yield _middle_line(words, size, y, room, theme, f"{system.at}/kind")
            return


def _middle_line(words: str, size: int, y: float, room: Room, theme: Theme, about: str) -> Text:
    width = fonts.text_width(words, size, True)
    x0, y0 = room.centre[0] - width / 2, room.centre[1] + y
    return Text((x0, y0, x0 + width, y0 + size), words, theme.text, theme.danger_tile, True, about)

"""The two sides of a fight above its crop: what each has left and lost, its last dice, and its chances."""

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Final

from renderer import fonts
from renderer.contents import Cell, Group, Look, die_cell, on_tile
from renderer.layout import Room
from renderer.panel import Panel
from renderer.rows import Pen, Sizes, cells, wrap
from renderer.shapes import Icon, Part, Plate, Shape
from renderer.theme import ink_on, mix
from renderer.view import CaptureMark, Die, Duel, LossMark, VolleyMark
from rules_core.state import State
from rules_core.units import FIRING_ORDER, Kind

# In pixels of a picture 1600 wide; scaled to 1080 the numbers are 20 pixels high and more.
COLUMN: Final = 752
COUNT: Final = 36
WORDS: Final = 30
PAD: Final = 18
HEAD: Final = 64
# So many rounds of ground combat, or one more, are shown die by die; those before them as their sum.
ROUNDS: Final = 3


def duel(panel: Panel, sides: Duel, look: Look, top: float) -> tuple[list[Part], float]:
    """Both sides from `top` down, beside one another, and where the board begins."""
    keys = (sides.attacker, sides.defender)
    lines = [[] if key is None else _lines(panel, key, look) for key in keys]
    height = HEAD + max(map(len, lines)) * COUNT * 1.4 + PAD
    titles = (panel.view.labels.attacker, panel.view.labels.defender)
    parts: list[Part] = []
    for column, (key, title, content) in enumerate(zip(keys, titles, lines, strict=True)):
        x = 32 + column * (COLUMN + 32)
        parts.append(() if key is None else tuple(_side(panel, key, title, content, x, top, height)))
    parts.append(tuple(_odds(panel, sides, top + height + 16)) if sides.odds else ())
    return parts, top + height + (96 if sides.odds else 20)


def _side(
    panel: Panel, player: str, title: str, lines: list[list[Group]], x: float, top: float, height: float
) -> Iterable[Shape]:
    seat, theme, about = panel.seats[player], panel.theme, f"duel/{player}"
    ink = ink_on(seat.bright)
    yield Plate(panel.box(x, top, COLUMN, height), theme.card, seat.bright, panel.px(3), panel.px(14), f"{about}/side")
    yield Plate(panel.box(x, top, COLUMN, HEAD - 8), seat.bright, "", 0, panel.px(14), f"{about}/head")
    yield Icon(panel.box(x + 16, top + 10, 36, 36), seat.emblem, ink, seat.bright, f"{about}/emblem")
    what = panel.text(0, top + 28, title, WORDS, ink, seat.bright, f"{about}/role", room=COLUMN / 2)
    left = x + COLUMN - 18 - what.box[2] / panel.unit
    yield panel.text(left, top + 28, title, WORDS, ink, seat.bright, f"{about}/role", room=COLUMN / 2)
    name = panel.view.player_names.get(player, panel.state.player(player).race)
    yield panel.text(x + 66, top + 28, name, WORDS + 2, ink, seat.bright, f"{about}/name", room=left - x - 84)
    size = round(panel.px(COUNT))
    pen = Pen(Room((0, 0), 0, 0), Sizes(size, size, size), theme)
    for number, line in enumerate(lines):
        middle = panel.px(top + HEAD + (number + 0.5) * COUNT * 1.4)
        yield from cells(line, panel.px(x + PAD), middle, size, theme.card, pen)


def _lines(panel: Panel, player: str, look: Look) -> list[list[Group]]:
    """What fights, its losses, the dice, and the planet that is fought for, as lines that fit."""
    size, room = round(panel.px(COUNT)), panel.px(COLUMN - 2 * PAD)
    rows = [_forces(panel, player, look), *_dice(panel, player, look), _prize(panel, player)]
    return [line for row in rows if row for line in wrap(row, size, room)]


def _forces(panel: Panel, player: str, look: Look) -> list[Group]:
    """What is left, and as ghosts with a minus what was lost."""
    theme, at, about = panel.theme, panel.view.focus or "", f"duel/{player}"
    fill = on_tile(look.seats[player], theme)
    planet = panel.view.duel.planet if panel.view.duel else None
    counts = _in_space(panel.state, at, player) if planet is None else _on_ground(panel.state, planet, player)
    there = [Group((Cell(k, str(n), fill, theme.text, f"{about}/{k}"),)) for k, n in counts.items() if n]
    faint = mix(theme.alert, theme.text, 0.2)
    lost = [each for each in panel.view.marks if isinstance(each, LossMark) and (each.at, each.player) == (at, player)]
    ghosts = [
        Group((Cell(kind, f"−{count}", faint, faint, f"{about}/lost/{kind}"),))
        for mark in lost
        for kind, count in mark.lost
    ]
    return there + ghosts


def _in_space(state: State, at: str, player: str) -> Mapping[Kind, int]:
    """His ships, fighters and PDS in a system."""
    counts = {kind: sum(ship.kind is kind for ship in state.ships_at(at, player)) for kind in FIRING_ORDER}
    pds = sum(planet.pds for planet in state.planets_at(at) if planet.owner == player)
    return counts | {Kind.FIGHTER: state.fighters_at(at, player), Kind.PDS: pds}


def _on_ground(state: State, name: str, player: str) -> Mapping[Kind, int]:
    """His ground units on the planet that is fought for; of who does not own it, those aboard in its system."""
    planet = state.planets[name]
    if planet.owner == player:
        dock = int(planet.space_dock)
        return {Kind.GROUND_FORCE: planet.ground_forces, Kind.PDS: planet.pds, Kind.SPACE_DOCK: dock}
    ships = state.ships_at(planet.at, player)
    aboard = sum(ship.ground_forces for ship in ships), sum(ship.pds for ship in ships)
    return {Kind.GROUND_FORCE: aboard[0], Kind.PDS: aboard[1]}


def _dice(panel: Panel, player: str, look: Look) -> Iterable[list[Group]]:
    """The lines of each volley: of one of ground combat a line for each round."""
    for mark in panel.view.marks:
        if isinstance(mark, VolleyMark) and (mark.at, mark.player) == (panel.view.focus, player):
            of_ground = mark.kind is Kind.GROUND_FORCE
            yield from _rounds(panel, mark, look) if of_ground else _fired(panel, player, mark.dice, look)


def _rounds(panel: Panel, mark: VolleyMark, look: Look) -> Iterable[list[Group]]:
    """The last rounds of ground combat die by die, above them the sum of those before."""
    rounds = (*mark.earlier, mark.dice)
    before = len(rounds) - ROUNDS if len(rounds) > ROUNDS + 1 else 0
    for hits, *_ in _fired(panel, mark.player, tuple(chain(*rounds[:before])), look):
        yield [_round(panel, mark.player, f"1–{before}"), hits]
    for number, dice in enumerate(rounds[before:], before + 1):
        for line in _fired(panel, mark.player, dice, look):
            yield [_round(panel, mark.player, str(number)), *line]


def _round(panel: Panel, player: str, number: str) -> Group:
    words = panel.view.labels.ground_round.format(number=number)
    return Group((Cell("", words, "", panel.theme.muted, f"duel/{player}/round"),))


def _fired(panel: Panel, player: str, fired: tuple[Die, ...], look: Look) -> Iterable[list[Group]]:
    """A line for each kind that fired: what hits, the hits, the dice."""
    theme, about = panel.theme, f"duel/{player}"
    fill = on_tile(look.seats[player], theme)
    for kind, needed in dict.fromkeys((die.kind, die.needed) for die in fired):
        dice = [die for die in fired if (die.kind, die.needed) == (kind, needed)]
        hits = Cell("burst", str(sum(die.hit for die in dice)), theme.alert, theme.text, f"{about}/hits")
        yield [
            Group((Cell(kind, f"{needed}+", fill, theme.muted, f"{about}/fire/{kind}"), hits)),
            *(Group((die_cell(die, theme, theme.card, f"{about}/die"),)) for die in dice),
        ]


def _prize(panel: Panel, player: str) -> list[Group]:
    """The planet that is fought for, if he owns it: its name, with a flag if he has just taken it, and its numbers."""
    planet = panel.state.planets.get(panel.view.duel.planet or "") if panel.view.duel else None
    if planet is None or planet.owner != player:
        return []
    theme, about = panel.theme, f"duel/{player}/planet"
    flag = "flag" if CaptureMark(planet.name) in panel.view.marks else ""
    name = fonts.shorten(planet.name, round(panel.px(COUNT)), panel.px(COLUMN - 2 * PAD - 5 * COUNT), True)
    numbers = (("disc", planet.resources, theme.resources), ("hexagon", planet.political_power, theme.power))
    coins = (Cell(icon, str(number), fill, theme.ink, f"{about}/{icon}", True) for icon, number, fill in numbers)
    return [Group((Cell(flag, name, theme.alert, theme.text, about),)), Group(tuple(coins))]


def _odds(panel: Panel, sides: Duel, top: float) -> Iterable[Shape]:
    """A bar: how likely the attacker, nobody, the defender holds the system in the end."""
    theme, chances = panel.theme, sides.odds or (0, 0, 0)
    colours = [panel.seats[sides.attacker].bright, theme.neutral, theme.neutral]
    if sides.defender is not None:
        colours[2] = panel.seats[sides.defender].bright
    label = panel.text(32, top + 24, panel.view.labels.odds, WORDS, theme.muted, theme.sky, "duel/odds", room=420)
    yield label
    x = label.box[2] / panel.unit + 20
    width = 1568 - x
    for number, (chance, colour) in enumerate(zip(chances, colours, strict=True)):
        share = width * chance
        if share >= 1:
            yield Plate(panel.box(x, top, share, 48), colour, "", 0, 0, f"duel/odds/{number}")
            words = panel.text(0, top + 24, f"{chance:.0%}", WORDS, ink_on(colour), colour, f"duel/odds/{number}")
            if (wide := words.box[2] / panel.unit) + 12 <= share:
                yield panel.text(x + (share - wide) / 2, top + 24, words.text, WORDS, ink_on(colour), colour,
                                 f"duel/odds/{number}")  # fmt: skip
        x += share

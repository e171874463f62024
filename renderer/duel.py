"""The two sides of a battle above its crop: what each has left and lost, its last dice, and its chances."""

from collections.abc import Iterable
from typing import Final

from renderer.contents import Cell, Group, Look, die_cell, on_tile
from renderer.layout import Room
from renderer.panel import Panel
from renderer.rows import Pen, Sizes, cells, wrap
from renderer.shapes import Icon, Part, Plate, Shape
from renderer.theme import ink_on, mix
from renderer.view import Duel, LossMark, VolleyMark
from rules_core.units import FIRING_ORDER, Kind

# In pixels of a picture 1600 wide; scaled to 1080 the numbers are 20 pixels high and more.
COLUMN: Final = 752
COUNT: Final = 36
WORDS: Final = 30
PAD: Final = 18
HEAD: Final = 64


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
    """The fleet, its losses, and the dice, as lines that fit."""
    size, room = round(panel.px(COUNT)), panel.px(COLUMN - 2 * PAD)
    rows = [_fleet(panel, player, look), *_dice(panel, player, look)]
    return [line for row in rows if row for line in wrap(row, size, room)]


def _fleet(panel: Panel, player: str, look: Look) -> list[Group]:
    """What is left, and as ghosts with a minus what was lost."""
    theme, at, about = panel.theme, panel.view.focus or "", f"duel/{player}"
    fill = on_tile(look.seats[player], theme)
    counts = {kind: sum(ship.kind is kind for ship in panel.state.ships_at(at, player)) for kind in FIRING_ORDER}
    counts[Kind.FIGHTER] = panel.state.fighters_at(at, player)
    for planet in panel.state.planets_at(at):
        counts[Kind.PDS] = counts.get(Kind.PDS, 0) + (planet.pds if planet.owner == player else 0)
    there = [Group((Cell(k, str(n), fill, theme.text, f"{about}/{k}"),)) for k, n in counts.items() if n]
    faint = mix(theme.alert, theme.text, 0.2)
    lost = [each for each in panel.view.marks if isinstance(each, LossMark) and (each.at, each.player) == (at, player)]
    ghosts = [
        Group((Cell(kind, f"−{count}", faint, faint, f"{about}/lost/{kind}"),))
        for mark in lost
        for kind, count in mark.lost
    ]
    return there + ghosts


def _dice(panel: Panel, player: str, look: Look) -> Iterable[list[Group]]:
    """A line for each kind that fired: what hits, the hits, the dice."""
    theme, about = panel.theme, f"duel/{player}"
    fill = on_tile(look.seats[player], theme)
    for mark in panel.view.marks:
        if not isinstance(mark, VolleyMark) or (mark.at, mark.player) != (panel.view.focus, player):
            continue
        for kind, needed in dict.fromkeys((die.kind, die.needed) for die in mark.dice):
            dice = [die for die in mark.dice if (die.kind, die.needed) == (kind, needed)]
            hits = Cell("burst", str(sum(die.hit for die in dice)), theme.alert, theme.text, f"{about}/hits")
            yield [
                Group((Cell(kind, f"{needed}+", fill, theme.muted, f"{about}/fire/{kind}"), hits)),
                *(Group((die_cell(die, theme, theme.card, f"{about}/die"),)) for die in dice),
            ]


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

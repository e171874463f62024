"""All that pictures are made of side by side, to be looked at: icons by size and player, dice, planets, tiles."""

from collections.abc import Iterable
from typing import Final

from renderer import fonts
from renderer.canvas import png
from renderer.contents import Group, die_cell
from renderer.icons import ICONS
from renderer.layout import ROOT3, Room
from renderer.rows import Pen, Sizes, cells
from renderer.shapes import Globe, Icon, Plate, Scene, Shape, Sky, Text, Tile
from renderer.theme import COLOURS, EMBLEMS, GLOBES, LIGHT, THEMES, Theme, ThemeName, ink_on, seats
from renderer.view import Die
from rules_core.units import Kind

WIDTH: Final = 1600
# An icon is looked at in these sizes; 20 pixels are what it must be known by.
SIZES: Final = (72, 40, 28, 20)
_CELL: Final = 196


def specimens(theme: ThemeName) -> bytes:
    """The picture of all of it as a PNG file."""
    look, shapes, y = THEMES[theme], list[Shape](), 24.0
    for rows in (_icons, _seats, _dice, _globes):
        made = list(rows(look, y))
        shapes += made
        y = max(shape.box[3] for shape in made) + 36
    tiles = list(_tiles(look, y))
    height = round(max(tile.box[3] for tile in tiles) + 24)
    sky = Sky((0, 0, WIDTH, height), look.sky, look.stars)
    return png(Scene((sky, *tiles), (tuple(shapes),)), theme)


def _icons(theme: Theme, top: float) -> Iterable[Shape]:
    """Every icon in every size, with the key it has in `icons.py`."""
    for number, name in enumerate(ICONS):
        x, y = 24 + number % 8 * _CELL, top + number // 8 * 124
        for size in SIZES:
            yield Icon((x, y, x + size, y + size), name, theme.text, theme.sky)
            x += size + 6
        yield _text(24 + number % 8 * _CELL, y + 80, name, 18, theme.muted, theme.sky)


def _seats(theme: Theme, top: float) -> Iterable[Shape]:
    """Every kind of unit on the plate of every player, beside his emblem."""
    for number, (bright, plate) in enumerate(_colours(theme)):
        x, y = 24 + number % 2 * 790, top + number // 2 * 64
        yield Plate((x, y, x + 760, y + 52), plate, bright, 2, 12)
        yield Plate((x, y, x + 56, y + 52), bright, "", 0, 12)
        yield Icon((x + 12, y + 10, x + 44, y + 42), EMBLEMS[number], ink_on(bright), bright)
        for place, kind in enumerate(Kind):
            left = x + 76 + place * 96
            yield Icon((left, y + 12, left + 28, y + 40), kind, theme.plate_text, plate)
            yield _text(left + 34, y + 12, str(place + 1), 28, theme.plate_text, plate)


def _colours(theme: Theme) -> list[tuple[str, str]]:
    look = seats(tuple(COLOURS), "light" if theme is LIGHT else "dark")
    return [(seat.bright, seat.plate) for seat in look.values()]


def _dice(theme: Theme, top: float) -> Iterable[Shape]:
    """Every face, as a miss and as a hit."""
    pen = Pen(Room((0, 0), 0, 0), Sizes(40, 40, 40), theme)
    for row, needed in enumerate((11, 1)):
        groups = [Group((die_cell(Die(Kind.CRUISER, needed, face), theme, theme.sky, ""),)) for face in range(1, 11)]
        yield from cells(groups, 24, top + 24 + row * 56, 40, theme.sky, pen)


def _globes(theme: Theme, top: float) -> Iterable[Shape]:
    """Planets by name, neutral and owned."""
    owners = ("", *(bright for bright, _ in _colours(theme)))
    for number in range(len(GLOBES) * 2):
        x = 24 + number * 97
        yield Globe((x, top, x + 84, top + 84), f"planet {number}", owners[number % len(owners)], theme.sky)


def _tiles(theme: Theme, top: float) -> Iterable[Tile]:
    """A system of each kind."""
    kinds = (("normal", ""), ("normal", theme.wormholes[0]), ("normal", theme.wormholes[1]), ("supernova", ""),
             ("asteroid_field", ""))  # fmt: skip
    for number, (art, wormhole) in enumerate(kinds):
        x, wide = 24 + number * 312, 300
        red = art != "normal"
        fill, line = (theme.danger_tile, theme.danger) if red else (theme.tile, wormhole or theme.tile_line)
        box = (x, round(top), x + wide, round(top + wide * ROOT3 / 2))
        yield Tile(box, art, fill, line, 9 if red else 2, wormhole, f"{number}/tile")  # type: ignore[arg-type]


def _text(x: float, y: float, words: str, size: int, fill: str, on: str) -> Text:
    return Text((x, y, x + fonts.text_width(words, size), y + size), words, fill, on)

"""Chances as a picture: a bar of what may come, histograms of what is left, lanes of luck. In the style of the maps."""

import io
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from renderer import fonts
from renderer.canvas import painted
from renderer.colours import quantised
from renderer.shapes import Plate, Polygon, Scene, Shape, Sky, Text
from renderer.theme import THEMES, Theme, ThemeName, ink_on, mix, seats

WIDTH: Final = 1000
MARGIN: Final = 36
_BAR: Final = 46
_CELL: Final = 172
_COLUMNS: Final = 84  # of a histogram, the highest
_LANE: Final = 44
# A chance below this is drawn, but its number would only stand in the way.
_WORTH_A_NUMBER: Final = 0.005


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a whole; `player`: whose colour it has (empty: of somebody unnamed, None: nobody's)."""

    label: str
    share: float
    player: str | None = None


@dataclass(frozen=True, slots=True)
class Histogram:
    """How likely each number 0, 1, 2, ... is."""

    title: str
    chances: tuple[float, ...]
    player: str = ""


@dataclass(frozen=True, slots=True)
class Lane:
    """A place between 0 and 1, the middle marked; words before and behind it."""

    label: str
    place: float
    caption: str
    player: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """What to draw, from above: a title, one bar, columns of histograms, lanes. `players`: all, in seat order."""

    title: str
    players: tuple[str, ...]
    bar: tuple[Piece, ...] = ()
    columns: tuple[tuple[Histogram, ...], ...] = ()
    lanes: tuple[Lane, ...] = ()
    theme: ThemeName = "dark"


def chart_png(chart: Chart) -> bytes:
    """The picture of a chart as a PNG file, `WIDTH` pixels wide."""
    file = io.BytesIO()
    quantised(painted(compose_chart(chart), chart.theme), chart.theme).save(file, "PNG")
    return file.getvalue()


def compose_chart(chart: Chart) -> Scene:
    """The shapes of a chart."""
    pencil = _Pencil(THEMES[chart.theme], chart.players)
    shapes: list[Shape] = [pencil.text(MARGIN, 40, chart.title, 30, room=WIDTH - 2 * MARGIN, bold=True)]
    top = 76.0
    if chart.bar:
        shapes += pencil.bar(chart.bar, top)
        top += _BAR + 34 * len(chart.bar) + 20
    width = (WIDTH - MARGIN) / max(1, len(chart.columns)) - MARGIN
    for number, column in enumerate(chart.columns):
        for row, histogram in enumerate(column):
            shapes += pencil.histogram(histogram, MARGIN + number * (width + MARGIN), top + row * _CELL, width)
    top += _CELL * max(map(len, chart.columns), default=0)
    for row, lane in enumerate(chart.lanes):
        shapes += pencil.lane(lane, top + row * _LANE)
    height = top + _LANE * len(chart.lanes) + 24
    theme = pencil.theme
    return Scene((Sky((0, 0, WIDTH, height), theme.sky, theme.stars),), (tuple(shapes),))


class _Pencil:
    """Draws the parts of a chart in the colours of a theme and of the players."""

    def __init__(self, theme: Theme, players: tuple[str, ...]) -> None:
        self.theme = theme
        self._seats = seats(players)

    def _colour(self, player: str | None) -> str:
        if player is None:
            return mix(self.theme.muted, self.theme.sky, 0.55)
        return self._seats[player].bright if player else self.theme.muted

    def text(self, x: float, middle: float, words: str, size: int, *, fill: str = "", on: str = "",
             room: float = float("inf"), bold: bool = False, share: float = 0) -> Text:  # fmt: skip
        """A line at `x`, of whose width `share` lies left of it, cut to `room`."""
        shown = fonts.shorten(words, size, room, bold)
        width = fonts.text_width(shown, size, bold)
        left, top = x - width * share, middle - size / 2
        box = (left, top, left + width, top + size)
        return Text(box, shown, fill or self.theme.text, on or self.theme.sky, bold)

    def bar(self, pieces: tuple[Piece, ...], top: float) -> list[Shape]:
        """The pieces of a whole side by side, and a line for each below."""
        whole = WIDTH - 2 * MARGIN
        ends = [MARGIN + whole * share for share in accumulate((piece.share for piece in pieces), initial=0.0)]
        shapes: list[Shape] = []
        for row, (piece, left, right) in enumerate(zip(pieces, ends, ends[1:], strict=False)):
            colour = self._colour(piece.player)
            if right - left >= 3:
                box = (left + 1, top, right - 1, top + _BAR)
                shapes.append(Plate(box, colour, radius=min(6, (right - left) / 2 - 1), about=piece.label))
            if right - left >= 72:
                middle = (left + right) / 2
                shapes.append(
                    self.text(
                        middle,
                        top + _BAR / 2,
                        percent(piece.share),
                        22,
                        fill=ink_on(colour),
                        on=colour,
                        bold=True,
                        share=0.5,
                    )
                )
            below = top + _BAR + 22 + 34 * row
            shapes.append(Plate((MARGIN, below - 10, MARGIN + 20, below + 10), colour, radius=5))
            shapes.append(self.text(MARGIN + 34, below, piece.label, 22, room=whole - 170))
            shapes.append(self.text(WIDTH - MARGIN, below, percent(piece.share), 22, bold=True, share=1))
        return shapes

    def histogram(self, histogram: Histogram, left: float, top: float, width: float) -> list[Shape]:
        """A column for each number, the highest of full height."""
        theme, colour = self.theme, self._colour(histogram.player)
        shapes: list[Shape] = [self.text(left, top + 14, histogram.title, 20, fill=colour, room=width, bold=True)]
        step = min(width / len(histogram.chances), 72)
        most, base = max(histogram.chances), top + 54 + _COLUMNS
        shapes.append(
            Polygon(((left, base), (left + width, base), (left + width, base + 2), (left, base + 2)), theme.tile_line)
        )
        crowded = step < 40
        for number, chance in enumerate(histogram.chances):
            x, height = left + number * step, _COLUMNS * chance / most
            if height >= 1:
                shapes.append(Plate((x + step * 0.12, base - height, x + step * 0.88, base), colour, radius=4))
            if chance >= _WORTH_A_NUMBER and not crowded:
                words = f"{chance:.0%}"
                shapes.append(self.text(x + step / 2, base - height - 11, words, 15, fill=theme.muted, share=0.5))
            if not crowded or number % 5 == 0:
                shapes.append(self.text(x + step / 2, base + 14, str(number), 17, share=0.5))
        return shapes

    def lane(self, lane: Lane, top: float) -> list[Shape]:
        """A line with a mark in the middle and a bead at the place."""
        theme, colour, middle = self.theme, self._colour(lane.player), top + _LANE / 2
        left, right = 400.0, 700.0
        x = left + (right - left) * lane.place
        track = mix(theme.sky, theme.tile_line, 0.8)
        return [
            self.text(MARGIN, middle, lane.label, 20, fill=colour, room=left - MARGIN - 24, bold=True),
            Plate((left, middle - 5, right, middle + 5), track, radius=5),
            Plate(((left + right) / 2 - 1, middle - 14, (left + right) / 2 + 1, middle + 14), theme.muted),
            Plate((x - 9, middle - 9, x + 9, middle + 9), colour, theme.sky, 2, 9, about=lane.label),
            self.text(right + 24, middle, lane.caption, 19, room=WIDTH - MARGIN - right - 24),
        ]


def percent(share: float) -> str:
    """`63.8 %`, and never 0 or 100 for what may or may not be."""
    if 0 < share < 0.0005:
        return "< 0.1 %"
    if 0.9995 <= share < 1:
        return "> 99.9 %"
    return f"{share * 100:.1f} %"

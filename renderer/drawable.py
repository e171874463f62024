"""What can be drawn, as values that another process can take: a map, and chances."""

from dataclasses import dataclass, replace

from renderer import render
from renderer.chart import Chart, chart_png
from renderer.view import View
from rules_core.state import State


@dataclass(frozen=True, slots=True)
class Picture:
    """A map to draw; `alt` says in words what it shows to those who cannot see it."""

    state: State
    view: View
    alt: str

    def png(self) -> bytes:
        """Draws it. Raises KeyError for an unknown focus."""
        return render(self.state, self.view)

    def smaller(self) -> "Picture":
        """The same at half the size."""
        return replace(self, view=replace(self.view, width=self.view.width // 2))


@dataclass(frozen=True, slots=True)
class Plot:
    """Chances to draw."""

    chart: Chart

    @property
    def alt(self) -> str:
        """What it shows, in a few words; the answer beside it has all the numbers."""
        return self.chart.title

    def png(self) -> bytes:
        """Draws it."""
        return chart_png(self.chart)


Drawable = Picture | Plot

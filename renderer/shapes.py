"""What a picture is made of: frozen shapes, in pixels. No Pillow.

Every shape has a `kind`, a `box` (left, top, right, bottom), the `colours` it uses and a `text` (often empty).
`about` says what a shape shows, as a path: `203/red/cruiser`, `203/Hearth/pds`, `panel/red/power`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar, Literal

Box = tuple[float, float, float, float]
Point = tuple[float, float]
Art = Literal["normal", "supernova", "asteroid_field"]


@dataclass(frozen=True, slots=True)
class Sky:
    """The ground of the whole picture; stars are strewn between the systems."""

    kind: ClassVar[str] = "sky"
    static: ClassVar[bool] = True
    box: Box
    fill: str
    stars: str
    about: str = ""
    text: str = ""

    @property
    def colours(self) -> tuple[str, ...]:
        """Ground and stars."""
        return (self.fill, self.stars)


@dataclass(frozen=True, slots=True)
class Tile:
    """The hex of one system with its art; `wormhole` is the colour of its vortex, empty for none."""

    kind: ClassVar[str] = "tile"
    static: ClassVar[bool] = True
    box: Box
    art: Art
    fill: str
    line: str
    line_width: float
    wormhole: str = ""
    about: str = ""
    text: str = ""

    @property
    def colours(self) -> tuple[str, ...]:
        """Ground, border, and the vortex if there is one."""
        return (self.fill, self.line, self.wormhole) if self.wormhole else (self.fill, self.line)


@dataclass(frozen=True, slots=True)
class Polygon:
    """A filled polygon with smooth edges."""

    kind: ClassVar[str] = "polygon"
    static: ClassVar[bool] = False
    points: tuple[Point, ...]
    fill: str
    about: str = ""
    text: str = ""

    @property
    def box(self) -> Box:
        """What the points span."""
        return bounds(self.points)

    @property
    def colours(self) -> tuple[str, ...]:
        """The fill."""
        return (self.fill,)


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line through points, `halo` wide in `ground` beneath it; `dash` is the length of a dash, 0 for none."""

    kind: ClassVar[str] = "stroke"
    static: ClassVar[bool] = False
    points: tuple[Point, ...]
    fill: str
    ground: str
    width: float
    halo: float = 0
    dash: float = 0
    about: str = ""
    text: str = ""

    @property
    def box(self) -> Box:
        """What the line covers, its halo included."""
        x0, y0, x1, y1 = bounds(self.points)
        reach = max(self.width, self.halo) / 2
        return (x0 - reach, y0 - reach, x1 + reach, y1 + reach)

    @property
    def colours(self) -> tuple[str, ...]:
        """Line and halo."""
        return (self.fill, self.ground)


@dataclass(frozen=True, slots=True)
class Plate:
    """A rectangle with round corners; `line` empty: no border."""

    kind: ClassVar[str] = "plate"
    static: ClassVar[bool] = False
    box: Box
    fill: str
    line: str = ""
    line_width: float = 0
    radius: float = 0
    about: str = ""
    text: str = ""

    @property
    def colours(self) -> tuple[str, ...]:
        """Fill, and border if there is one."""
        return (self.fill, self.line) if self.line else (self.fill,)


@dataclass(frozen=True, slots=True)
class Globe:
    """A planet; its looks come from `seed`, `ring` is the colour of its owner (empty: neutral)."""

    kind: ClassVar[str] = "globe"
    static: ClassVar[bool] = False
    box: Box
    seed: str
    ring: str
    ground: str
    about: str = ""
    text: str = ""

    @property
    def colours(self) -> tuple[str, ...]:
        """The rim, or the ground of a neutral planet."""
        return (self.ring or self.ground,)


@dataclass(frozen=True, slots=True)
class Icon:
    """A silhouette of `renderer.icons`, in one colour on the ground `on`."""

    kind: ClassVar[str] = "icon"
    static: ClassVar[bool] = False
    box: Box
    name: str
    fill: str
    on: str
    about: str = ""
    text: str = ""

    @property
    def colours(self) -> tuple[str, ...]:
        """Silhouette and ground."""
        return (self.fill, self.on)


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text. The box is as high as the size of the font; `on` is the colour of the ground."""

    kind: ClassVar[str] = "text"
    static: ClassVar[bool] = False
    box: Box
    text: str
    fill: str
    on: str
    bold: bool = False
    about: str = ""

    @property
    def size(self) -> float:
        """Size of the font in pixels."""
        return self.box[3] - self.box[1]

    @property
    def colours(self) -> tuple[str, ...]:
        """Letters and ground."""
        return (self.fill, self.on)


Shape = Sky | Tile | Polygon | Stroke | Plate | Globe | Icon | Text
# Shapes that belong together: what is drawn in one system, one player's card.
Part = tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture: the `ground`, which stays the same in all pictures of a game (first the `Sky`, whose box is the
    picture), and `parts`, of which each stands at the same place of the tuple in all of them."""

    ground: tuple[Shape, ...]
    parts: tuple[Part, ...]

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """All shapes in the order of painting."""
        return (*self.ground, *in_order(chain.from_iterable(self.parts)))


def in_order(shapes: Iterable[Shape]) -> list[Shape]:
    """Shapes in the order of painting: texts last, so that nothing covers them."""
    return sorted(shapes, key=lambda shape: isinstance(shape, Text))


def bounds(points: Iterable[Point]) -> Box:
    """The smallest box around points; raises ValueError if there are none."""
    xs, ys = zip(*points, strict=True)
    return (min(xs), min(ys), max(xs), max(ys))


def shapes_as_json(shapes: Iterable[Shape]) -> list[dict[str, Any]]:
    """Shapes as plain data: kind, box, colours, text and about of each; icons and tiles also what they show."""
    return [_as_json(shape) for shape in shapes]


def _as_json(shape: Shape) -> dict[str, Any]:
    data: dict[str, Any] = {
        "kind": shape.kind,
        "box": [round(edge, 2) for edge in shape.box],
        "colours": list(shape.colours),
        "text": shape.text,
        "about": shape.about,
    }
    match shape:
        case Icon(name=name):
            data["icon"] = name
        case Tile(art=art):
            data["art"] = art
        case Text(bold=bold):
            data["bold"] = bold
    return data

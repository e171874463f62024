"""The map as a picture: `render` a state, or `scene` for its shapes as data. Reads `rules_core`, knows no words."""

from renderer.paint import png
from renderer.scene import scene
from renderer.shapes import Shape, shapes_as_json
from renderer.view import (
    BattleMark,
    BombardMark,
    CaptureMark,
    ChangedMark,
    FireMark,
    Labels,
    LandingMark,
    LossMark,
    Mark,
    PathMark,
    RetreatMark,
    View,
)
from rules_core.state import State

__all__ = [
    "BattleMark",
    "BombardMark",
    "CaptureMark",
    "ChangedMark",
    "FireMark",
    "Labels",
    "LandingMark",
    "LossMark",
    "Mark",
    "PathMark",
    "RetreatMark",
    "Shape",
    "View",
    "render",
    "scene",
    "shapes_as_json",
]


def render(state: State, view: View) -> bytes:
    """The picture of a state as a PNG file, `view.width` pixels wide; raises KeyError for an unknown focus."""
    return png(scene(state, view), view.theme)

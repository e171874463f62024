"""The map as a picture: `render` a state, or `scene` for its shapes as data. Reads `rules_core`, knows no words."""

from dataclasses import replace
from typing import Final

from renderer.canvas import png
from renderer.contents import where
from renderer.scene import compose
from renderer.shapes import Shape, shapes_as_json
from renderer.view import (
    USUAL_WIDTH,
    BattleMark,
    BombardMark,
    CaptureMark,
    ChangedMark,
    Die,
    Duel,
    Labels,
    LandingMark,
    LossMark,
    Mark,
    PathMark,
    RetreatMark,
    View,
    VolleyMark,
)
from rules_core.state import State

__all__ = [
    "USUAL_WIDTH",
    "BattleMark",
    "BombardMark",
    "CaptureMark",
    "ChangedMark",
    "Die",
    "Duel",
    "Labels",
    "LandingMark",
    "LossMark",
    "Mark",
    "PathMark",
    "RetreatMark",
    "Shape",
    "View",
    "VolleyMark",
    "render",
    "scene",
    "shapes_as_json",
    "where",
]


# Discord takes files of 10 MiB; more than this is never made.
MOST_BYTES: Final = 8 * 1024 * 1024
_SMALLER: Final = 0.8
NARROWEST: Final = 320


def render(state: State, view: View, most_bytes: int = MOST_BYTES) -> bytes:
    """The picture of a state as a PNG file, `view.width` pixels wide, or less if it would be larger than `most_bytes`.

    Raises KeyError for an unknown focus.
    """
    data = png(compose(state, view), view.theme)
    while len(data) > most_bytes and view.width > NARROWEST:
        view = replace(view, width=max(NARROWEST, round(view.width * _SMALLER)))
        data = png(compose(state, view), view.theme)
    return data


def scene(state: State, view: View) -> tuple[Shape, ...]:
    """The shapes of the picture in the order of painting; the first is the `Sky`, whose box is the picture."""
    return compose(state, view).shapes

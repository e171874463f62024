"""Colours and the fixed palette. A colour is `#rrggbb`. Seats differ by emblem as well as by colour."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

ThemeName = Literal["dark", "light"]
PALETTE_SIZE: Final = 256


@dataclass(frozen=True, slots=True)
class Seat:
    """How a player looks: `bright` for rims and emblems, `plate` under white text, the name of his emblem."""

    bright: str
    plate: str
    emblem: str


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a picture that belong to nobody. `rim_shade`: how much of his plate is in an owner's rim."""

    sky: str
    stars: str
    tile: str
    tile_line: str
    text: str
    muted: str
    card: str
    plate_text: str
    inset: str
    ink: str
    resources: str
    power: str
    danger: str
    danger_tile: str
    alert: str
    changed: str
    wormholes: tuple[str, str]
    neutral: str
    rim_shade: float


DARK: Final = Theme(
    sky="#060913", stars="#c9d4f2", tile="#10172b", tile_line="#2c385c", text="#f2f5fc",
    muted="#a3b0cf", card="#182038", plate_text="#ffffff", inset="#0b1020", ink="#10131c", resources="#f3c552",
    power="#63d3ea", danger="#ff2d3c", danger_tile="#1c0d18", alert="#ff8a3d", changed="#fff3b8",
    wormholes=("#8f7bff", "#2fd0b5"), neutral="#8d99b5", rim_shade=0.0,
)  # fmt: skip
LIGHT: Final = Theme(
    sky="#dfe5f0", stars="#b9c4da", tile="#fbfcfe", tile_line="#b4bfd4", text="#131a2b",
    muted="#4d5a77", card="#ffffff", plate_text="#ffffff", inset="#1a2237", ink="#10131c", resources="#f0bd3f",
    power="#5cc9e2", danger="#e0142c", danger_tile="#fdecec", alert="#e8590c", changed="#1d2b53",
    wormholes=("#7a63f0", "#0ea58c"), neutral="#76829c", rim_shade=0.25,
)  # fmt: skip
THEMES: Final = {"dark": DARK, "light": LIGHT}

EMBLEMS: Final = ("dot", "triangle", "square", "star", "cross", "ring", "diamond", "chevrons")
COLOURS: Final = {
    "red": ("#ff6157", "#82201f"),
    "blue": ("#4f9dff", "#17418a"),
    "green": ("#41cf72", "#14572f"),
    "yellow": ("#ffd94d", "#665000"),
    "purple": ("#bb8dff", "#4b2a8c"),
    "orange": ("#ff9c40", "#7a3d08"),
    "pink": ("#ff86cb", "#7d245f"),
    "white": ("#dfe6f1", "#475267"),
}  # fmt: skip
# What would not be seen on light ground.
ON_LIGHT: Final = {"white": ("#9fabc0", "#475267"), "yellow": ("#f0c419", "#665000")}
# The shades of a vortex, as shares of its colour.
VORTEX: Final = (0.10, 0.16, 0.24, 0.5)
GLOBES: Final = (
    ("#e9b872", "#8a4a2b"), ("#7fb6d9", "#234a78"), ("#a7c77f", "#3d6134"), ("#d98c7a", "#6e2f34"),
    ("#b9a2d8", "#52407e"), ("#d8d2c4", "#6d675e"), ("#6fc7b8", "#1f5f62"), ("#e0c36a", "#7b5a1d"),
)  # fmt: skip
ROCKS: Final = ("#b7aa9a", "#857a6f", "#574f4b")
NOVA: Final = ("#fff6cf", "#ffc14a", "#ff7a2a", "#b32a2a")


def seats(keys: Sequence[str], theme: ThemeName = "dark") -> dict[str, Seat]:
    """The looks of at most eight players by key, emblems in seat order; who is called after a colour gets it."""
    colours = {**COLOURS, **(ON_LIGHT if theme == "light" else {})}
    own = {key: colours[key] for key in keys if key in colours}
    free = iter([pair for name, pair in colours.items() if name not in own])
    pairs = {key: own.get(key) or next(free) for key in keys}
    return {key: Seat(*pairs[key], EMBLEMS[seat]) for seat, key in enumerate(keys)}


@cache
def rgb(colour: str) -> tuple[int, int, int]:
    """The channels of a colour, 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


@cache
def mix(one: str, other: str, share: float) -> str:
    """`one` with `share` (0 to 1) of `other` in it."""
    pairs = zip(rgb(one), rgb(other), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def luminance(colour: str) -> float:
    """Relative luminance, 0 black to 1 white (WCAG 2)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (v / 255 for v in rgb(colour))]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, 1 to 21 (WCAG 2)."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@cache
def ink_on(colour: str) -> str:
    """What is written on a colour of a player: nearly black or nearly white, whichever stands out more."""
    inks = mix(colour, "#000000", 0.82), mix(colour, "#ffffff", 0.9)
    return max(inks, key=lambda ink: contrast(ink, colour))


@cache
def palette(name: ThemeName) -> tuple[str, ...]:
    """The 256 colours of a picture: all flat colours, and steps between those that meet with smooth edges."""
    theme = THEMES[name]
    ramps = [
        (theme.sky, theme.stars, 6), (theme.tile, theme.text, 7),
        (theme.inset, theme.plate_text, 6), (theme.card, theme.text, 5), (theme.tile, theme.danger, 4),
        (theme.danger_tile, theme.danger, 4), (theme.tile, theme.changed, 4), (theme.tile, theme.alert, 4),
        (theme.tile, theme.wormholes[0], 4), (theme.tile, theme.wormholes[1], 4), (theme.ink, theme.resources, 4),
        (theme.ink, theme.power, 4), (theme.tile, theme.neutral, 3), (theme.tile, theme.tile_line, 2),
        (theme.danger_tile, NOVA[3], 4), (NOVA[3], NOVA[2], 3), (NOVA[2], NOVA[1], 3), (NOVA[1], NOVA[0], 3),
        (ROCKS[2], ROCKS[0], 4), (theme.danger_tile, ROCKS[2], 3),
    ]  # fmt: skip
    ramps += [(bright, plate, 2) for bright, plate in COLOURS.values()]
    ramps += [(plate, theme.plate_text, 3) for _, plate in COLOURS.values()]
    ramps += [(theme.tile, bright, 3) for bright, _ in COLOURS.values()]
    ramps += [(light, dark, 4) for light, dark in GLOBES]
    exact = [theme.tile, theme.card, theme.muted, theme.tile_line, theme.danger_tile]
    exact += [mix(theme.tile, colour, share) for colour in theme.wormholes for share in VORTEX]
    exact += [mix(each.bright, each.plate, theme.rim_shade) for each in seats(tuple(COLOURS), name).values()]
    exact += [each.bright for each in seats(tuple(COLOURS), name).values()]
    steps = [mix(a, b, i / (count - 1)) for a, b, count in ramps for i in range(count)]
    return tuple(dict.fromkeys([*exact, *steps]))[:PALETTE_SIZE]

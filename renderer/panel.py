"""Round the board: the title, the order of play with a card for each player, and the legend."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from renderer import fonts
from renderer.contents import Look
from renderer.shapes import Box, Icon, Part, Plate, Shape, Text
from renderer.theme import Seat, Theme, ink_on, mix
from renderer.view import View
from rules_core.state import Planet, Player, Ship, State
from rules_core.turn_order import order_to_come
from rules_core.units import Kind

Standing = Literal["acted", "acting", "next", "waiting", "eliminated"]
CARDS_IN_A_ROW: Final = 3
CAPTION_LINES: Final = 3
LEGEND_KINDS: Final = (
    Kind.DREADNOUGHT,
    Kind.CRUISER,
    Kind.CARRIER,
    Kind.FIGHTER,
    Kind.GROUND_FORCE,
    Kind.PDS,
    Kind.SPACE_DOCK,
)
SIGNS: Final = {"acted": "check", "acting": "play", "next": "next", "eliminated": "out"}


@dataclass(frozen=True, slots=True)
class Paper:
    """What is drawn on; `unit` is a sixteen-hundredth of the picture's width."""

    look: Look
    unit: float

    @property
    def theme(self) -> Theme:
        """The colours of the picture."""
        return self.look.theme

    @property
    def seats(self) -> Mapping[str, Seat]:
        """The looks of the players by key."""
        return self.look.seats

    def px(self, pixels: float) -> float:
        """Pixels of a picture 1600 wide, in pixels of this one."""
        return pixels * self.unit

    def text(self, x: float, middle: float, words: str, size: float, fill: str, on: str, about: str,
             bold: bool = True, room: float = float("inf")) -> Text:  # fmt: skip
        """A line from `x` whose middle is at a height, shortened to `room`; all in pixels of a picture 1600 wide."""
        whole = max(1, round(self.px(size)))
        shown = fonts.shorten(words, whole, self.px(room), bold)
        width, top = fonts.text_width(shown, whole, bold), self.px(middle) - whole / 2
        return Text((self.px(x), top, self.px(x) + width, top + whole), shown, fill, on, bold, about)

    def box(self, x: float, y: float, width: float, height: float) -> Box:
        """A box of a picture 1600 wide, in pixels of this one."""
        return (self.px(x), self.px(y), self.px(x + width), self.px(y + height))


@dataclass(frozen=True, slots=True)
class Panel(Paper):
    """A position and a view to be told in words and numbers."""

    state: State
    view: View


@dataclass(frozen=True, slots=True)
class Card:
    """All that a card says of a player. `place`: his place in the order of play; `word`: his standing in words."""

    place: int
    player: str
    name: str
    standing: Standing
    word: str
    power: int
    resources: int
    units: tuple[tuple[Kind, int], ...]
    technologies: str


def order_shown(state: State) -> tuple[tuple[Player, Standing], ...]:
    """The players as the cards show them: who acted, who acts, who is to come in this order, who is out."""
    acting = state.phase.player if state.phase else None
    to_come = order_to_come(state)
    cards: list[tuple[Player, Standing]] = [(p, "acted") for p in state.players if _done(p, acting)]
    cards.sort(key=lambda card: -state.political_power(card[0].key))
    cards += [(state.player(acting), "acting")] if acting else []
    cards += [(state.player(key), "next" if place == 0 else "waiting") for place, key in enumerate(to_come)]
    return (*cards, *((player, "eliminated") for player in state.players if player.eliminated))


def _done(player: Player, acting: str | None) -> bool:
    return player.acted and not player.eliminated and player.key != acting


def title(panel: Panel) -> tuple[Part, float]:
    """The line at the top and the caption below it, and where they end."""
    view, theme = panel.view, panel.theme
    shapes = [panel.text(32, 44, view.title, 36, theme.text, theme.sky, "title", room=1536)]
    for number, line in enumerate(view.caption.splitlines()[:CAPTION_LINES]):
        shapes.append(panel.text(32, 92 + 42 * number, line, 30, theme.muted, theme.sky, "caption", room=1536))
    return tuple(shapes), 84 + (42 * CAPTION_LINES + 14 if view.caption else 0)


def rail(panel: Panel, top: float) -> tuple[list[Part], float]:
    """The cards from `top` down, and where the board begins; both in pixels of a picture 1600 wide."""
    cards = _cards(panel)
    rows = -(-len(cards) // CARDS_IN_A_ROW)
    columns = -(-len(cards) // rows)
    width, height = (1536 + 14) / columns - 14, 158 if any(card.technologies for card in cards) else 132
    paper = Paper(panel.look, panel.unit)
    parts: list[Part] = []
    for number, card in enumerate(cards):
        row, column = divmod(number, columns)
        parts.append(_card(paper, card, 32 + column * (width + 14), top + row * (height + 12), width, height))
    return parts, top + rows * (height + 12) + 14


def _cards(panel: Panel) -> list[Card]:
    state, labels, names = panel.state, panel.view.labels, panel.view.player_names
    words = {"acted": labels.acted, "acting": labels.acting, "next": labels.next, "eliminated": labels.eliminated}
    return [
        Card(
            place,
            player.key,
            names.get(player.key, player.race),
            standing,
            words.get(standing, ""),
            state.political_power(player.key),
            state.resources(player.key),
            tuple(units_left(state, player.key).items()),
            " · ".join(labels.technologies[key] for key in player.technologies if key in labels.technologies),
        )
        for place, (player, standing) in enumerate(order_shown(state), 1)
    ]


@lru_cache(maxsize=256)
def _card(paper: Paper, card: Card, x: float, y: float, width: float, height: float) -> Part:
    seat, theme, about = paper.seats[card.player], paper.theme, f"panel/{card.player}"
    faded = card.standing in ("acted", "eliminated")
    ground = mix(theme.card, theme.sky, 0.6) if faded else theme.card
    lead = mix(seat.bright, theme.sky, 0.45) if faded else seat.bright
    ink = theme.muted if faded else theme.text
    line, line_width = (seat.bright, 4.0) if card.standing == "acting" else (mix(lead, ground, 0.55), 1.5)
    seat_ink = ink_on(lead)
    middle = fonts.text_width(str(card.place), round(paper.px(24)), True) / paper.unit / 2
    return (
        Plate(paper.box(x, y, width, height), ground, line, paper.px(line_width), paper.px(14), f"{about}/card"),
        Plate(paper.box(x, y, 60, height), lead, "", 0, paper.px(14), f"{about}/seat"),
        paper.text(x + 30 - middle, y + 26, str(card.place), 24, seat_ink, lead, f"{about}/place"),
        Icon(paper.box(x + 14, y + height - 48, 32, 32), seat.emblem, seat_ink, lead, f"{about}/emblem"),
        paper.text(x + 76, y + 27, card.name, 27, ink, ground, f"{about}/name", room=width - 92),
        *_number(paper, x + 76, y + 66, card.power, "power", ground, about),
        *_number(paper, x + 136, y + 66, card.resources, "resources", ground, about),
        *_standing(paper, card, x + width - 16, y + 66, width - 216, ink, ground, about),
        *_units(paper, card, x + 76, y + 107, width - 88, ink, ground, about),
        *_technologies(paper, card.technologies, x + 76, y + 138, width - 92, ground, about),
    )


def _units(paper: Paper, card: Card, x: float, y: float, room: float, ink: str, on: str, about: str) -> Iterable[Shape]:
    """How many of each kind a player has left, evenly spread over the card."""
    step = min(room / len(card.units), 82.0)
    for number, (kind, count) in enumerate(card.units):
        left, where = x + number * step, f"{about}/units/{kind}"
        if count:
            fill = mix(ink, paper.seats[card.player].bright, 0.35) if ink == paper.theme.text else ink
            yield Icon(paper.box(left, y - 12, 24, 24), kind, fill, on, where)
            yield paper.text(left + 27, y, str(count), 21, ink, on, where, room=step - 28)


def units_left(state: State, player: str) -> dict[Kind, int]:
    """How many units of each kind a player has, those aboard included."""
    ships: list[Ship] = [ship for ship in state.ships.values() if ship.owner == player]
    planets: list[Planet] = [planet for planet in state.planets.values() if planet.owner == player]
    counts = Counter(ship.kind for ship in ships)
    counts[Kind.FIGHTER] = sum(count for (_, owner), count in state.fighters.items() if owner == player)
    holders: tuple[Ship | Planet, ...] = (*ships, *planets)
    for each in holders:
        counts[Kind.GROUND_FORCE] += each.ground_forces
        counts[Kind.PDS] += each.pds
    counts[Kind.SPACE_DOCK] = sum(planet.space_dock for planet in planets)
    return {kind: counts[kind] for kind in LEGEND_KINDS}


def _number(paper: Paper, x: float, y: float, number: int, what: str, on: str, about: str) -> list[Shape]:
    power = what == "power"
    fill, words = paper.theme.power if power else paper.theme.resources, str(number)
    size = round(paper.px(26))
    width = max(paper.px(34), fonts.text_width(words, size, True) + paper.px(16))
    coin = (paper.px(x), paper.px(y - 17), paper.px(x) + width, paper.px(y + 17))
    start = x + (width - fonts.text_width(words, size, True)) / 2 / paper.unit
    return [
        Icon(coin, "hexagon" if power else "disc", fill, on, f"{about}/{what}"),
        paper.text(start, y, words, 26, paper.theme.ink, fill, f"{about}/{what}"),
    ]


def _standing(
    paper: Paper, card: Card, right: float, y: float, room: float, ink: str, on: str, about: str
) -> list[Shape]:
    if not card.word:
        return []
    where = f"{about}/{card.standing}"
    label = paper.text(0, y, card.word, 22, ink, on, where, room=room - 28)
    x = right - label.box[2] / paper.unit
    fill = paper.theme.alert if card.standing == "acting" else ink
    return [
        Icon(paper.box(x - 27, y - 10, 20, 20), SIGNS[card.standing], fill, on, where),
        paper.text(x, y, card.word, 22, ink, on, where, room=room - 28),
    ]


def _technologies(paper: Paper, words: str, x: float, y: float, room: float, on: str, about: str) -> list[Shape]:
    if not words:
        return []
    return [paper.text(x, y, words, 18, paper.theme.muted, on, f"{about}/technologies", bold=False, room=room)]


def legend(panel: Panel, top: float) -> tuple[Part, float]:
    """What the icons mean, in lines from `top` down, and where it ends; both in pixels of a picture 1600 wide."""
    if panel.view.focus is not None:
        return (), top
    labels, theme = panel.view.labels, panel.theme
    entries = [
        ("disc", theme.resources, labels.resources),
        ("hexagon", theme.power, labels.power),
        *((kind.value, theme.text, labels.units[kind]) for kind in LEGEND_KINDS),
        ("cargo", theme.text, labels.cargo),
        ("border", theme.danger, labels.red_border),
        ("wormhole", theme.wormholes[0], labels.wormhole),
    ]
    shapes: list[Shape] = []
    x, y = 32.0, top + 16
    for icon, fill, words in entries:
        sign = "3/5" if icon == "cargo" else "α β" if icon == "wormhole" else ""
        lead = 26.0 if not sign else fonts.text_width(sign, round(panel.px(20)), True) / panel.unit + 4
        width = lead + 8 + fonts.text_width(words, round(panel.px(20))) / panel.unit
        if x + width > 1568 and x > 32:
            x, y = 32.0, y + 34
        shapes += _entry(panel, icon, sign, fill, words, x, y, lead)
        x += width + 24
    return tuple(shapes), y + 28


def _entry(panel: Panel, icon: str, sign: str, fill: str, words: str, x: float, y: float, lead: float) -> list[Shape]:
    sky, about = panel.theme.sky, f"legend/{icon}"
    label = panel.text(x + lead + 8, y, words, 20, panel.theme.muted, sky, about, bold=False, room=1568 - x - lead - 8)
    if sign:
        return [panel.text(x, y, sign, 20, panel.theme.text, sky, about), label]
    if icon == "border":
        frame = Plate(panel.box(x + 1, y - 11, 24, 22), panel.theme.danger_tile, fill, panel.px(4), 0, about)
        return [frame, label]
    return [Icon(panel.box(x + 1, y - 12, 24, 24), icon, fill, sky, about), label]

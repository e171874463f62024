"""`starpost map --sheet DIR`: every icon, tile and state, and twenty positions of all kinds, to be looked at.

In both languages, at full size and as a phone shows it, and all of a language on one contact sheet.
"""

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final

from PIL import Image

from bot.files import first_steps, write_bytes
from bot.galaxies import generate, races
from bot.marks import map_labels, map_title
from bot.phrases import LANGUAGES, Language
from renderer import (
    BattleMark,
    BombardMark,
    CaptureMark,
    Die,
    Duel,
    LandingMark,
    LossMark,
    Mark,
    PathMark,
    RetreatMark,
    View,
    VolleyMark,
    render,
)
from renderer.specimens import specimens
from rules_core.galaxy import Galaxy
from rules_core.state import Phase, Planet, Ship, State
from rules_core.units import FIRING_ORDER, SHIP_KINDS, Kind

PHONE: Final = 390
_THUMBNAIL: Final = 480
_COLUMNS: Final = 5
_NEEDED: Final = {Kind.DREADNOUGHT: 5, Kind.CRUISER: 7, Kind.CARRIER: 9, Kind.FIGHTER: 9}


@dataclass(frozen=True, slots=True)
class Sample:
    """A position worth looking at: its name, the table, and how it is shown."""

    name: str
    state: State
    view: View


def write_sheet(folder: Path) -> None:
    """Writes it all into a folder."""
    for theme in ("dark", "light"):
        _save(folder / f"specimens-{theme}.png", specimens(theme))
    for language in LANGUAGES:
        thumbnails = []
        for number, sample in enumerate(samples(language), 1):
            data, name = render(sample.state, sample.view), f"{number:02}-{sample.name}.png"
            _save(folder / language / name, data)
            image = Image.open(io.BytesIO(data)).convert("RGB")
            _save(folder / language / "phone" / name, _png(_scaled(image, PHONE)))
            thumbnails.append(_scaled(image, _THUMBNAIL))
        _save(folder / f"sheet-{language}.png", _png(_together(thumbnails)))


def _save(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, data)


def _png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _scaled(image: Image.Image, width: int) -> Image.Image:
    return image.resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)


def _together(images: list[Image.Image]) -> Image.Image:
    height = max(image.height for image in images)
    sheet = Image.new("RGB", (_COLUMNS * _THUMBNAIL, -(-len(images) // _COLUMNS) * height))
    for number, image in enumerate(images):
        sheet.paste(image, (number % _COLUMNS * _THUMBNAIL, number // _COLUMNS * height))
    return sheet


# ---- positions


def samples(language: Language) -> Iterator[Sample]:
    """Twenty positions of all kinds."""
    yield from _boards(language)
    yield from _forms(language)
    yield from _steps(language)


def _boards(language: Language) -> Iterator[Sample]:
    yield _sample("first-steps", first_steps().state, language)
    yield _sample("two-begin", _galaxy("57", 2, language), language)
    yield _sample("eight-begin", _galaxy("45", 8, language), language)
    yield _sample("three-in-the-middle", _filled(_galaxy("11", 3, language), 1, 0.4), language)
    yield _sample("six-in-the-middle-light", _filled(_galaxy("157", 6, language), 2, 0.4), language, theme="light")
    yield _sample("61-systems", _filled(_galaxy("5", 8, language, 4), 3, 0.5), language)
    yield _sample("91-systems", _filled(_galaxy("6", 8, language, 5), 4, 0.5), language)


def _forms(language: Language) -> Iterator[Sample]:
    whole = _filled(_galaxy("11", 3, language), 5, 0.6)
    labels = sorted(whole.galaxy.systems)
    yield _sample("seven-systems", _only(whole, labels[:7]), language)
    yield _sample("one-system", _only(whole, labels[:1]), language)
    holes = Random(6).sample(labels, len(labels) * 2 // 3)
    yield _sample("holes", _only(whole, holes), language)
    ended = tuple(replace(player, acted=True) for player in whole.players)
    out = (replace(ended[0], eliminated=True), *ended[1:])
    yield _sample("round-over-one-eliminated", replace(whole, phase=None, players=out), language)


def _steps(language: Language) -> Iterator[Sample]:
    state = _filled(_galaxy("37", 4, language), 7, 0.5)
    at, near, far = _open_systems(state)
    mine, theirs = state.space_owners(at)[:2]
    crowd = _crowded(state, at, (mine, theirs))
    planet = next(name for name in state.planets if state.planets[name].at not in (at, near))
    fight: tuple[Mark, ...] = (
        BattleMark(at),
        *(_volley(state, at, owner, seed) for seed, owner in enumerate((mine, theirs))),
        LossMark(at, mine, ((Kind.CRUISER, 1), (Kind.FIGHTER, 2))),
        LossMark(at, theirs, ((Kind.CARRIER, 1),)),
    )
    pds = VolleyMark(at, theirs, tuple(Die(Kind.PDS, 6, face) for face in (10, 2, 6)), Kind.PDS)
    yield _sample("move-intercepted", state, language, (PathMark((far, near, at), mine, True),))
    yield _sample("retreat", state, language, (RetreatMark(at, near, mine),))
    yield _sample("pds-fire", state, language, (pds, LossMark(at, mine, ((Kind.CRUISER, 1),))))
    yield _sample("battle-on-the-board-light", state, language, fight, theme="light")
    invaded: tuple[Mark, ...] = (BombardMark(planet), LandingMark(planet, mine), CaptureMark(planet))
    yield _sample("invasion", state, language, invaded)
    yield _sample("close-up", state, language, (PathMark((near, at), mine),), focus=at)
    yield _sample("battle", state, language, fight, focus=at, duel=Duel(mine, theirs))
    great = (BattleMark(at), *(_volley(crowd, at, owner, 9) for owner in (mine, theirs)), *fight[3:])
    yield _sample(
        "great-battle-with-odds", crowd, language, great, focus=at, duel=Duel(mine, theirs, (0.62, 0.05, 0.33))
    )
    yield _sample("crowded", crowd, language)


def _sample(name: str, state: State, language: Language, marks: tuple[Mark, ...] = (), **how: Any) -> Sample:
    labels = map_labels(language, state.ruleset.technologies)
    return Sample(name, state, replace(View(map_title(state, language, 57), labels, marks=marks), **how))


def _galaxy(seed: str, seats: int, language: Language, rings: int | None = None) -> State:
    state = generate(seed, races(language)[:seats], rings, language, "Two fronts" if language == "en" else "두 전선")
    technologies = sorted(state.ruleset.technologies)
    players = tuple(
        replace(player, acted=n == 0, technologies=tuple(technologies[: n % 4]))
        for n, player in enumerate(state.players)
    )
    return replace(state, players=players, phase=Phase(players[1].key), round=3)


def _open_systems(state: State) -> tuple[str, str, str]:
    """A system, one beside it and one beside that, all to be entered."""
    for at in sorted(state.galaxy.systems):
        near = [each for each in state.galaxy.touching(at) if not state.galaxy.systems[each].red_bordered]
        for one in near:
            for other in state.galaxy.touching(one):
                if other != at and not state.galaxy.systems[other].red_bordered and len(state.space_owners(at)) > 1:
                    return at, one, other
    raise AssertionError("a galaxy without a way")


def _filled(state: State, seed: int, full: float) -> State:
    """The position with fleets strewn over it, and planets taken and garrisoned."""
    random, keys = Random(seed), [player.key for player in state.players]
    ships, fighters, planets = dict(state.ships), dict(state.fighters), dict(state.planets)
    for at, system in state.galaxy.systems.items():
        if system.red_bordered or random.random() > full:
            continue
        for owner in random.sample(keys, random.choice((1, 1, 1, 2))):
            for ship in _fleet(random, at, owner):
                ships[len(ships) + 1] = replace(ship, id=len(ships) + 1)
            if count := random.choice((0, 0, 2, 3)):
                fighters[at, owner] = count
        for name in system.planets:
            units = (random.randrange(5), random.choice((0, 0, 1)), random.random() < 0.2)
            planets[name] = _garrisoned(planets[name], random.choice(keys), *units)
    return replace(state, ships=ships, fighters=fighters, planets=planets, next_ship=len(ships) + 1)


def _garrisoned(planet: Planet, owner: str, ground_forces: int, pds: int, space_dock: bool) -> Planet:
    return replace(planet, owner=owner, ground_forces=ground_forces, pds=pds, space_dock=space_dock)


def _fleet(random: Random, at: str, owner: str) -> Iterable[Ship]:
    for kind in SHIP_KINDS:
        for _ in range(random.choice((0, 1, 1, 2))):
            load = (random.randrange(4), random.randrange(2)) if kind is Kind.CARRIER else (0, 0)
            yield Ship(0, kind, owner, at, *load)


def _crowded(state: State, at: str, sides: tuple[str, str]) -> State:
    """The position with forty ships and twenty fighters of two sides in one system."""
    ships = {key: ship for key, ship in state.ships.items() if ship.at != at}
    for owner, counts in zip(sides, ((6, 10, 4), (5, 12, 3)), strict=True):
        for kind, count in zip(SHIP_KINDS, counts, strict=True):
            for _ in range(count):
                number = max(ships, default=0) + 1
                ships[number] = Ship(number, kind, owner, at, *((2, 1) if kind is Kind.CARRIER else (0, 0)))
    return replace(state, ships=ships, fighters={**state.fighters, (at, sides[0]): 11, (at, sides[1]): 10})


def _volley(state: State, at: str, owner: str, seed: int) -> VolleyMark:
    random = Random(seed)
    counts = {kind: sum(ship.kind is kind for ship in state.ships_at(at, owner)) for kind in FIRING_ORDER}
    counts[Kind.FIGHTER] = state.fighters_at(at, owner)
    dice = (Die(kind, _NEEDED[kind], random.randint(1, 10)) for kind, count in counts.items() for _ in range(count))
    return VolleyMark(at, owner, tuple(dice))


def _only(state: State, labels: list[str]) -> State:
    """The position without all other systems."""
    systems = {at: state.galaxy.systems[at] for at in labels}
    return replace(
        state,
        galaxy=Galaxy(systems),
        planets={name: planet for name, planet in state.planets.items() if planet.at in systems},
        ships={key: ship for key, ship in state.ships.items() if ship.at in systems},
        fighters={place: count for place, count in state.fighters.items() if place[0] in systems},
    )

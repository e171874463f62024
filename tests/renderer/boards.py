"""Boards to draw: words in two languages, random full positions from a seed, and a crowded one."""

from random import Random

from renderer import Labels
from rules_core import hexes
from rules_core.galaxy import Galaxy, System, SystemKind, Wormhole
from rules_core.state import Options, Phase, Planet, Player, Ship, State
from rules_core.units import SHIP_KINDS, Kind

ENGLISH = Labels(
    acted="acted", acting="acting now", next="next", eliminated="eliminated", power="political power",
    resources="resources", supernova="supernova", asteroid_field="asteroid field", red_border="no entry",
    wormhole="wormhole", cargo="cargo / room", attacker="attacks", defender="defends", odds="holds in the end",
    ground_round="round {number}",
    units={
        Kind.DREADNOUGHT: "dreadnought", Kind.CRUISER: "cruiser", Kind.CARRIER: "carrier", Kind.FIGHTER: "fighter",
        Kind.GROUND_FORCE: "ground force", Kind.PDS: "PDS", Kind.SPACE_DOCK: "space dock",
    },
    technologies={"antimass_deflectors": "antimass deflectors", "assault_cannon": "assault cannon",
                  "graviton_negator": "graviton negator", "stasis_capsules": "stasis capsules"},
)  # fmt: skip
KOREAN = Labels(
    acted="행동 마침", acting="진행 중", next="다음 차례", eliminated="탈락", power="정치력", resources="자원",
    supernova="초신성", asteroid_field="소행성대", red_border="진입 불가", wormhole="웜홀", cargo="적재 / 한도",
    attacker="공격", defender="방어", odds="최종 승산", ground_round="{number}차",
    units={
        Kind.DREADNOUGHT: "노급함", Kind.CRUISER: "순양함", Kind.CARRIER: "모함", Kind.FIGHTER: "전투기",
        Kind.GROUND_FORCE: "지상군", Kind.PDS: "P.D.S.", Kind.SPACE_DOCK: "우주선창",
    },
    technologies={"antimass_deflectors": "반물질 편향기", "assault_cannon": "돌격포",
                  "graviton_negator": "중력 상쇄기", "stasis_capsules": "정지 캡슐"},
)  # fmt: skip
KEYS = ("red", "blue", "green", "yellow", "purple", "orange", "pink", "white")
RACES = ("Emberfolk", "Tidewright", "Loamkin", "Gleam Choir", "Umbral Court", "Ash Pilgrims", "Coral Minds", "Frost")
LONG_NAMES = (
    "The Outermost Lantern of Ysmere", "아주아주 기나긴 이름을 가진 머나먼 변방의 개척 행성 하나둘셋", "Kestrel's Rest",
    "고요의 바다 저편", "Ω-Station 🚀 Prime \u200fאור", "Wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww",
)  # fmt: skip
SYLLABLES = ("Ka", "lo", "Ve", "ri", "mun", "Sha", "del", "or", "Tin", "ax", "하", "늘", "별", "빛", "새", "벽")


def labels_of(rings: int) -> list[str]:
    """All labels of the rings 0 to `rings`."""
    return [label for label in (f"{r}{n:02d}" for r in range(rings + 1) for n in range(61)) if hexes.is_label(label)]


def board(seed: int, rings: int, players: int = 6, holes: float = 0.0, full: float = 0.5, long: bool = False) -> State:
    """A random position: `holes` of the systems are missing, `full` of the rest hold fleets."""
    random = Random(seed)
    at = [label for label in labels_of(rings) if label == "000" or random.random() >= holes]
    keys = KEYS[:players]
    kinds = {label: _kind(random, label) for label in at}
    planets: dict[str, Planet] = {}
    systems: dict[str, System] = {}
    for label, (kind, wormhole) in kinds.items():
        names = _planets(random, label, keys, planets, long) if kind is SystemKind.NORMAL else ()
        systems[label] = System(label, kind, wormhole, names)
    ships: dict[int, Ship] = {}
    fighters: dict[tuple[str, str], int] = {}
    for label in at:
        if kinds[label][0] is SystemKind.NORMAL and random.random() < full:
            for owner in random.sample(keys, 2 if random.random() < 0.2 and players > 1 else 1):
                _fleet(random, label, owner, ships, fighters)
    seats = tuple(
        Player(key, RACES[n], technologies=("assault_cannon", "graviton_negator")[: n % 3], acted=n < players // 3)
        for n, key in enumerate(keys)
    )
    return State("Test", "classic", 3, Options(), Galaxy(systems), seats, planets, ships, fighters,
                 Phase(keys[players // 3]), next_ship=len(ships) + 1)  # fmt: skip


def _kind(random: Random, label: str) -> tuple[SystemKind, Wormhole | None]:
    roll = random.random()
    if label == "000" or roll > 0.2:
        return SystemKind.NORMAL, None
    if roll < 0.06:
        return SystemKind.SUPERNOVA, None
    if roll < 0.12:
        return SystemKind.ASTEROID_FIELD, None
    return SystemKind.NORMAL, random.choice(list(Wormhole))


def _planets(random: Random, at: str, keys: tuple[str, ...], planets: dict[str, Planet], long: bool) -> tuple[str, ...]:
    count = random.choice((0, 0, 1, 1, 1, 2, 2, 3))
    names = []
    for _ in range(count):
        name = random.choice(LONG_NAMES) if long else "".join(random.choices(SYLLABLES, k=random.choice((2, 3, 4))))
        name = name if name not in planets else f"{name[:27]} {len(planets)}"
        owner = random.choice((None, *keys))
        units = (random.randrange(5), random.choice((0, 0, 1, 2)), random.random() < 0.3) if owner else (0, 0, False)
        planets[name] = Planet(name, at, random.randrange(5), random.randrange(5), owner, *units)
        names.append(name)
    return tuple(names)


def _fleet(random: Random, at: str, owner: str, ships: dict[int, Ship], fighters: dict[tuple[str, str], int]) -> None:
    for kind in SHIP_KINDS:
        for _ in range(random.choice((0, 0, 1, 1, 2, 3))):
            load = (random.randrange(4), random.randrange(2)) if kind is Kind.CARRIER else (0, 0)
            ships[len(ships) + 1] = Ship(len(ships) + 1, kind, owner, at, *load)
    count = random.choice((0, 0, 2, 5))
    if count:
        fighters[at, owner] = count


def crowded(rings: int) -> State:
    """One system, 000, with three planets with long names, PDS, docks, two fleets and 40 ships; others as usual."""
    state = board(7, rings, full=0.4)
    kept = {name: planet for name, planet in state.planets.items() if planet.at != "000"}
    names = LONG_NAMES[:3]
    for name, owner in zip(names, ("red", "blue", "red"), strict=True):
        kept[name] = Planet(name, "000", 6, 5, owner, 12, 3, True)
    ships = {key: ship for key, ship in state.ships.items() if ship.at != "000"}
    for owner, counts in (("red", (6, 10, 4)), ("blue", (5, 12, 3))):
        for kind, count in zip(SHIP_KINDS, counts, strict=True):
            for _ in range(count):
                number = max(ships, default=0) + 1
                ships[number] = Ship(number, kind, owner, "000", *((2, 1) if kind is Kind.CARRIER else (0, 0)))
    fighters = {place: count for place, count in state.fighters.items() if place[0] != "000"}
    fighters |= {("000", "red"): 11, ("000", "blue"): 10}
    galaxy = Galaxy({**state.galaxy.systems, "000": System("000", planets=names)})
    return State(state.name, "classic", 3, Options(), galaxy, state.players, kept, ships, fighters, state.phase)

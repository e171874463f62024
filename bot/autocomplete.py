"""What an option can be filled with now: suggestions from what is legal, for Discord and the table alike. Pure."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Final, TypeVar, get_args, get_type_hints

from bot import parse
from bot.agreed import THEN
from bot.parse import THEMES
from bot.phrases import Language, phrases
from bot.slash import Fills, Option, Slash, Texts
from rules_core import legal
from rules_core.clauses import CLAUSES
from rules_core.errors import Refusal
from rules_core.movement import movement_left
from rules_core.pending import BattleChoice, Decision, InvasionChoice, LossesChoice, RetreatChoice, decisions
from rules_core.selection import number_of
from rules_core.state import Options, Ship, State
from rules_core.turn_order import acting
from rules_core.units import FIRING_ORDER, GROUND_KINDS, SHIP_KINDS, Kind
from rules_core.victory import VICTORIES

MOST: Final = 25
# What /undo goes back to, beside the number of an event.
UNDO_TO: Final = ("phase", "last")
Values = Iterable[str]
D = TypeVar("D", bound=Decision)
# Options that take several values with commas between them: the last one is completed.
_LISTS: Final = (Fills.UNITS, Fills.KINDS, Fills.PLAYERS)


def suggest(
    state: State, actor: str, command: Slash, option: Option, typed: str, texts: Texts, language: Language
) -> tuple[str, ...]:
    """At most 25 values for `option`, given what is `typed` of it and the `texts` of the other options."""
    kept, comma, last = typed.rpartition(",") if option.fills in _LISTS or option.name == "via" else ("", "", typed)
    wanted = last.strip().casefold()
    named = [each.strip() for each in kept.split(",")]
    # What is named before the last comma counts already.
    given = {**texts, option.name: kept} if option.name == "via" else texts
    values = _VALUES[option.fills](_Asked(state, actor, command, option, given, language))
    found = dict.fromkeys(value for value in values if value not in named)
    begins = [value for value in found if value.casefold().startswith(wanted)]
    holds = [value for value in found if wanted in shown(state, option, value).casefold() and value not in begins]
    return tuple(f"{kept}{comma} {value}".strip() for value in (*begins, *holds))[:MOST]


def shown(state: State, option: Option, value: str) -> str:
    """A value as a list shows it: a system with its planets, a player by his race."""
    if option.fills is Fills.SYSTEM and (system := state.galaxy.systems.get(value)) is not None and system.planets:
        return f"{value} ({', '.join(system.planets)})"
    if option.fills is Fills.PLAYER:
        return next((player.race for player in state.players if player.key == value), value)
    return value


@dataclass(frozen=True, slots=True)
class _Asked:
    """For what suggestions are wanted."""

    state: State
    actor: str
    command: Slash
    option: Option
    texts: Texts
    language: Language

    def choice(self, kind: type[D]) -> D | None:
        """The decision of that kind that waits for the actor."""
        waiting = (each for each in decisions(self.state) if isinstance(each, kind))
        return next((each for each in waiting if each.player == self.actor), None)

    def place(self, *names: str) -> str | None:
        """The system that the first given of these options names, if it can be read."""
        text = next((self.texts[name] for name in names if self.texts.get(name)), None)
        try:
            return None if text is None else parse.parse_system(self.state, text)
        except Refusal:
            return None  # half typed: there is nothing to suggest from it

    @property
    def owner(self) -> str:
        """Whose units are meant: the actor's, or those of the player whom the referee names."""
        known = [player.key for player in self.state.players]
        return next((key for key in (self.texts.get("player"), self.actor) if key in known), known[0])


# ---- units


def _units(asked: _Asked) -> Values:
    words = phrases(asked.language)
    numbers, whole = _countable(asked)
    if whole and len(numbers) + sum(numbers.values()) > 1:
        yield words.say("all")
    for kind, number in numbers.items():
        yield from (words.count(kind, n) for n in range(number, 0, -1))
    if Kind.CARRIER in numbers:
        yield from _ships(asked)


def _countable(asked: _Asked) -> tuple[Mapping[Kind, int], bool]:
    """How many of each kind can be named, and whether `all` can."""
    state, owner = asked.state, asked.owner
    if asked.command.name == "losses":
        choice = asked.choice(LossesChoice)
        return ({}, False) if choice is None else (_in_space(state, choice.at, owner), True)
    if asked.command.name in ("odds", "referee place"):
        return dict.fromkeys(FIRING_ORDER if asked.command.name == "odds" else Kind, 3), False
    at = asked.place("from", "at", "planet")
    # Who names the units first, as the options stand, is offered what he has anywhere.
    places = state.places_of(owner) if at is None else (at,)
    numbers: dict[Kind, int] = {}
    for place in places:
        for kind, number in _countable_at(asked, place).items():
            numbers[kind] = max(number, numbers.get(kind, 0))
    return numbers, asked.command.name in ("move", "land")


def _countable_at(asked: _Asked, at: str) -> Mapping[Kind, int]:
    state, owner = asked.state, asked.owner
    match asked.command.name:
        case "load":
            return _on_planets(state, at, owner)
        case "land":
            aboard = legal.ground_units_aboard(state, owner, at) if acting(state) == owner else {}
            return {kind: number for kind, number in aboard.items() if number}
        case "move" | "referee remove" | "referee move":
            return {**_in_space(state, at, owner), **_on_planets(state, at, owner)}
    return _in_space(state, at, owner)


def _in_space(state: State, at: str, owner: str) -> Mapping[Kind, int]:
    ships = [ship.kind for ship in state.ships_at(at, owner)]
    numbers = {**{kind: ships.count(kind) for kind in SHIP_KINDS}, Kind.FIGHTER: state.fighters_at(at, owner)}
    return {kind: number for kind, number in numbers.items() if number}


def _on_planets(state: State, at: str, owner: str) -> Mapping[Kind, int]:
    own = [planet for planet in state.planets_at(at) if planet.owner == owner]
    counts = (sum(planet.ground_forces for planet in own), sum(planet.pds for planet in own))
    return {kind: number for kind, number in zip(GROUND_KINDS, counts, strict=True) if number}


def _ships(asked: _Asked) -> Values:
    at = asked.place("from", "at", "planet")
    words = phrases(asked.language)
    for ship in asked.state.ships_at(at, asked.owner) if at is not None else ():
        if asked.state.profile(ship.kind, ship.owner).room_for(Kind.GROUND_FORCE):
            yield words.numbered(ship.kind, number_of(asked.state, ship))


# ---- places


def _systems(asked: _Asked) -> Values:
    state = asked.state
    match asked.command.name, asked.option.name:
        case "move", "to":
            reached = {to for ship in _starting(asked) for to in legal.destinations(state, [ship], _led_through(asked))}
            return sorted(reached)
        case "move", "via" if (start := asked.place("from")) is not None:
            steps = max((movement_left(state, ship) for ship in _starting(asked)), default=0)
            return legal.waypoints(state, asked.owner, start, steps, _led_through(asked))
        case "move", "from":
            return sorted({ship.at for ship in legal.movable(state, asked.owner)})
        case (("load" | "scrap" | "referee remove" | "referee move"), "at"):
            return state.places_of(asked.owner)
        case "retreat", _:
            retreat = asked.choice(RetreatChoice)
            return () if retreat is None else retreat.goals
        case "battle", _:
            battle = asked.choice(BattleChoice)
            return () if battle is None else battle.systems
        case "invade", _:
            invasion = asked.choice(InvasionChoice)
            return () if invasion is None else invasion.declared
    return state.galaxy.systems


def _starting(asked: _Asked) -> list[Ship]:
    """The ships that can move from the system that is named."""
    start = asked.place("from")
    return [] if start is None else [ship for ship in legal.movable(asked.state, asked.owner) if ship.at == start]


def _led_through(asked: _Asked) -> tuple[str, ...]:
    """The systems of `via`, once all of it can be read."""
    try:
        return parse.parse_systems(asked.state, asked.texts["via"]) if asked.texts.get("via") else ()
    except Refusal:
        return ()  # half typed: the move is led nowhere yet


def _planets(asked: _Asked) -> Values:
    invading = asked.choice(InvasionChoice) is not None
    match asked.command.name:
        case "bombard":
            return legal.bombardable(asked.state) if invading else ()
        case "land":
            return legal.landing_planets(asked.state) if invading else ()
    at = asked.place("at")
    return asked.state.planets if at is None else [planet.name for planet in asked.state.planets_at(at)]


# ---- the rest


def _races(asked: _Asked) -> Values:
    """The players by their races, by their keys where a race would not be understood in a list."""
    races = Counter(player.race for player in asked.state.players)
    return (p.key if races[p.race] > 1 or "," in p.race else p.race for p in asked.state.players)


def _players(asked: _Asked) -> Values:
    keys = [player.key for player in asked.state.players]
    return [*keys, phrases(asked.language).say("nobody")] if asked.option.name == "owner" else keys


def _technologies(asked: _Asked) -> Values:
    return map(phrases(asked.language).technology, asked.state.ruleset.technologies)


def _kinds(asked: _Asked) -> Values:
    words = phrases(asked.language)
    best = [words.say("odds.best_word")] if asked.command.name == "odds" else []
    return (*best, *map(words.unit, reversed(FIRING_ORDER)))


def _retreats(asked: _Asked) -> Values:
    orders = ("never", "below 3 ships", "odds below 40%", "off")
    return ("after 2 rounds", *orders[1:3]) if asked.command.name == "odds" else orders


def _own_planets(asked: _Asked) -> Values:
    at = asked.place("at")
    here = () if at is None else asked.state.planets_at(at)
    return [planet.name for planet in here if planet.owner == asked.owner]


def _settings() -> tuple[str, ...]:
    return tuple(each.name for each in fields(Options))


def _setting_values(asked: _Asked) -> Values:
    """The values of the setting that is named; of all while none is."""
    words, typed = phrases(asked.language), asked.texts.get("name")
    named = [each for each in _settings() if typed in (each, words.option(each))] or _settings()
    hints = get_type_hints(Options)
    return [words.option_value(name, value) for name in named for value in get_args(hints[name])]


_VALUES: Final[Mapping[Fills, Callable[[_Asked], Values]]] = {
    Fills.UNITS: _units,
    Fills.SYSTEM: _systems,
    Fills.PLANET: _planets,
    Fills.PLAYER: _players,
    Fills.CARRIER: _ships,
    Fills.TECHNOLOGY: _technologies,
    Fills.NUMBER: lambda asked: map(str, range(1, 10)),
    Fills.STEP: lambda asked: (),
    Fills.CLAUSE: lambda asked: CLAUSES,
    Fills.KINDS: _kinds,
    Fills.FIRE: lambda asked: ("fire", "hold", "off"),
    Fills.RETREAT: _retreats,
    Fills.BACK: lambda asked: UNDO_TO,
    Fills.THEN: lambda asked: THEN,
    Fills.RINGS: lambda asked: ("1", "2"),
    Fills.VICTORY: lambda asked: VICTORIES,
    Fills.THEME: lambda asked: THEMES,
    Fills.SCALE: lambda asked: ("0.5", "1", "1.5", "2"),
    Fills.SOURCE: lambda asked: (*_own_planets(asked), *_ships(asked)),
    Fills.PLAYERS: _races,
    Fills.SETTING: lambda asked: map(phrases(asked.language).option, _settings()),
    Fills.VALUE: _setting_values,
    Fills.TEXT: lambda asked: (),
    Fills.FLAG: lambda asked: ("true", "false"),
    Fills.DICE: lambda asked: ("1d10", "3d10", "4d10>=8", "2d6+1"),
    Fills.TEXT: lambda asked: (),
}

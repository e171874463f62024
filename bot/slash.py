"""The slash commands: their options, and how the texts of options become a command of the rules.

The one place for it: the local table and Discord read the same registry.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, StrEnum, auto
from typing import Final, Literal, TypeVar

from bot import parse
from bot.agreed import THEN, Agreed
from bot.phrases import LANGUAGES, catalogue
from rules_core import commands as cmd
from rules_core import selection
from rules_core.errors import Unreadable
from rules_core.pending import Decision, InvasionChoice, LossesChoice, MovementChoice, decisions
from rules_core.selection import Counted, Request
from rules_core.state import StandingOrders, State
from rules_core.units import GROUND_KINDS, Kind

MOST_HOURS: Final = 24 * 366
Texts = Mapping[str, str]
Builder = Callable[[State, str, Texts], cmd.Command]
Fire = Literal["fire", "hold"]
D = TypeVar("D", bound=Decision)


class Does(Enum):
    """What answers a command: a command of the rules, standing orders, taking back, a look, or nothing yet."""

    ORDER = auto()
    REFEREE = auto()
    STANDING = auto()
    UNDO = auto()
    REDO = auto()
    ANSWER = auto()
    HABIT = auto()
    SETTINGS = auto()
    LOOK = auto()
    TO_COME = auto()


class Fills(StrEnum):
    """What an option is filled with: what completion offers for it."""

    UNITS = "units"
    SYSTEM = "system"
    PLANET = "planet"
    PLAYER = "player"
    CARRIER = "carrier"
    TECHNOLOGY = "technology"
    NUMBER = "number"
    STEP = "step"
    CLAUSE = "clause"
    KINDS = "kinds"
    FIRE = "fire"
    RETREAT = "retreat"
    PHASE = "phase"
    FLAG = "flag"
    THEN = "then"
    DICE = "dice"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a slash command, under its English name."""

    name: str
    fills: Fills
    required: bool = True


@dataclass(frozen=True, slots=True)
class Slash:
    """A slash command; a name of two words is a subcommand."""

    name: str
    does: Does
    options: tuple[Option, ...] = ()
    build: Builder | None = None

    def option(self, name: str) -> Option | None:
        """The option of that name."""
        return next((option for option in self.options if option.name == name), None)

    def check(self, texts: Texts) -> None:
        """Refuses options that this command does not have, and needs those it cannot do without."""
        for name in texts:
            if self.option(name) is None:
                known = tuple(option.name for option in self.options)
                raise Unreadable("unknown_option", text=name, command=self.name, known=known)
        for option in self.options:
            if option.required and not texts.get(option.name, "").strip():
                raise Unreadable("missing_option", text=option.name, command=self.name)


def find(name: str) -> Slash:
    """The slash command of that name; refused if there is none."""
    if (found := COMMANDS.get(name)) is None:
        raise Unreadable("unknown_command", text=name, known=tuple(COMMANDS))
    return found


def build(state: State, actor: str, name: str, texts: Texts) -> cmd.Command:
    """The command of the rules that `actor` means by `/name` with these option texts."""
    slash = find(name)
    slash.check(texts)
    assert slash.build is not None, f"/{name} is not a command of the rules"
    return slash.build(state, actor, texts)


# ---- the texts of one command each; out of turn no units are chosen, for the rules refuse it whatever they are


def _waits_for(state: State, player: str, choice: type[D]) -> D | None:
    return next((each for each in decisions(state) if isinstance(each, choice) and each.player == player), None)


def _move(state: State, player: str, texts: Texts) -> cmd.Command:
    request = parse.parse_units(texts["units"])
    start = parse.parse_system(state, texts["from"])
    via = parse.parse_systems(state, texts["via"]) if "via" in texts else ()
    waypoints = (*via, parse.parse_system(state, texts["to"]))
    if _waits_for(state, player, MovementChoice) is None:
        return cmd.MoveShips(player, start, waypoints, ())
    chosen = selection.choose_move(state, player, start, request)
    return cmd.MoveShips(player, start, waypoints, chosen.ships, chosen.fighters, chosen.load)


def _load(state: State, player: str, texts: Texts) -> cmd.Command:
    request = parse.parse_units(texts["units"])
    at = parse.parse_system(state, texts["at"])
    planet = parse.parse_planet(state, texts["planet"]) if "planet" in texts else None
    carrier = parse.parse_carrier(texts["carrier"]) if "carrier" in texts else None
    if _waits_for(state, player, MovementChoice) is None:
        return cmd.LoadUnits(player, at, ())
    return cmd.LoadUnits(player, at, selection.choose_load(state, player, at, request, carrier, planet))


def _scrap(state: State, player: str, texts: Texts) -> cmd.Command:
    request = parse.parse_units(texts["units"])
    at = parse.parse_system(state, texts["at"])
    if _waits_for(state, player, MovementChoice) is None:
        return cmd.ScrapUnits(player, at, ())
    chosen = selection.choose_scrap(state, player, at, request)
    return cmd.ScrapUnits(player, at, chosen.ships, chosen.fighters)


def _done(state: State, player: str, texts: Texts) -> cmd.Command:
    return cmd.Done(player)


def _battle(state: State, player: str, texts: Texts) -> cmd.Command:
    return cmd.ChooseBattle(player, parse.parse_system(state, texts["system"]))


def _losses(state: State, player: str, texts: Texts) -> cmd.Command:
    request = parse.parse_units(texts["units"])
    choice = _waits_for(state, player, LossesChoice)
    if choice is None:
        return cmd.ChooseLosses(player, ())
    chosen = selection.choose_losses(state, player, choice.at, request)
    return cmd.ChooseLosses(player, chosen.ships, chosen.fighters)


def _continue(state: State, player: str, texts: Texts) -> cmd.Command:
    return cmd.ContinueBattle(player)


def _retreat(state: State, player: str, texts: Texts) -> cmd.Command:
    return cmd.Retreat(player, parse.parse_system(state, texts["to"]))


def _bombard(state: State, player: str, texts: Texts) -> cmd.Command:
    planet = parse.parse_planet(state, texts["planet"])
    count = number(texts["dreadnoughts"]) if "dreadnoughts" in texts else None
    if _waits_for(state, player, InvasionChoice) is None:
        return cmd.DeclareBombardment(player, planet, ())
    return cmd.DeclareBombardment(player, planet, selection.choose_dreadnoughts(state, player, planet, count))


def _land(state: State, player: str, texts: Texts) -> cmd.Command:
    planet = parse.parse_planet(state, texts["planet"])
    request = parse.parse_units(texts["units"])
    carrier = parse.parse_carrier(texts["carrier"]) if "carrier" in texts else None
    if _waits_for(state, player, InvasionChoice) is None:
        return cmd.DeclareLanding(player, planet, ())
    parties = selection.choose_landing(state, player, planet, request, carrier)
    return cmd.DeclareLanding(player, planet, parties)


def _invade(state: State, player: str, texts: Texts) -> cmd.Command:
    return cmd.Invade(player, parse.parse_system(state, texts["system"]) if "system" in texts else None)


# ---- the referee's


def _place(state: State, referee: str, texts: Texts) -> cmd.Command:
    player = parse.parse_player(state, texts["player"])
    at = parse.parse_system(state, texts["at"])
    planet = parse.parse_planet(state, texts["planet"]) if "planet" in texts else None
    units = _counts(parse.parse_units(texts["units"]), texts["units"])
    if "carrier" not in texts:
        return cmd.PlaceUnits(units, at, player, planet)
    ship = selection.one_ship(state, player, at, parse.parse_carrier(texts["carrier"]))
    return cmd.PlaceUnits(units, at, player, planet, ship.id)


def _counts(request: Request, text: str) -> tuple[tuple[Kind, int], ...]:
    """Plain numbers of units, for what is not there yet."""
    units = [unit for group in request.groups for unit in (*group.units, *group.cargo)]
    counted = [(unit.kind, unit.count) for unit in units if isinstance(unit, Counted)]
    if len(counted) < len(units) or not units or any(group.cargo for group in request.groups):
        raise Unreadable("only_numbers_of_units", text=text)
    return tuple(counted)


_ON_PLANETS: Final = (*GROUND_KINDS, Kind.SPACE_DOCK)


def _remove(state: State, referee: str, texts: Texts) -> cmd.Command:
    player = parse.parse_player(state, texts["player"])
    at = parse.parse_system(state, texts["at"])
    planet = parse.parse_planet(state, texts["planet"]) if "planet" in texts else None
    request = parse.parse_units(texts["units"])
    on_planet = [group for group in request.groups if group.units[0].kind in _ON_PLANETS]
    in_space = tuple(group for group in request.groups if group not in on_planet)
    numbers = Counter(dict(_counts(Request(tuple(on_planet)), texts["units"]) if on_planet else ()))
    gone = selection.choose_losses(state, player, at, replace(request, groups=in_space))
    forces, pds = numbers[Kind.GROUND_FORCE], numbers[Kind.PDS]
    dock = numbers[Kind.SPACE_DOCK] > 0
    return cmd.RemoveUnits(at, player, gone.ships, gone.fighters, planet, forces, pds, dock)


def _planet(state: State, referee: str, texts: Texts) -> cmd.Command:
    owner = None if _is_nobody(texts["owner"]) else parse.parse_player(state, texts["owner"])
    return cmd.GivePlanet(parse.parse_planet(state, texts["name"]), owner)


def _is_nobody(text: str) -> bool:
    words = {catalogue(language)[key] for language in LANGUAGES for key in ("none", "nobody")}
    return text.strip().casefold() in words


def _technology(state: State, referee: str, texts: Texts) -> cmd.Command:
    player = parse.parse_player(state, texts["player"])
    owned = texts.get("off", "false").casefold() in ("false", "no")
    return cmd.SetTechnology(player, parse.parse_technology(state, texts["name"]), owned)


def _power(state: State, referee: str, texts: Texts) -> cmd.Command:
    return cmd.SetPowerBonus(parse.parse_player(state, texts["player"]), number(texts["amount"]))


def _resources(state: State, referee: str, texts: Texts) -> cmd.Command:
    return cmd.SetResourcesBonus(parse.parse_player(state, texts["player"]), number(texts["amount"]))


def _skip(state: State, referee: str, texts: Texts) -> cmd.Command:
    return cmd.SkipPhase()


def _next_round(state: State, referee: str, texts: Texts) -> cmd.Command:
    return cmd.NextRound()


def number(text: str) -> int:
    """A plain number."""
    if not re.fullmatch(r"-?[0-9]{1,6}", text.strip()):
        raise Unreadable("not_a_number", text=text)
    return int(text)


# ---- standing orders


def standing_orders(state: State, player: str, texts: Texts) -> StandingOrders:
    """The standing orders of `player` when what he wrote is added to them."""
    orders = state.standing.get(player, StandingOrders())
    if not texts.keys() & {"losses", "pds", "retreat"}:
        raise Unreadable("missing_option", text="losses", command="standing")
    if "for" in texts and "pds" not in texts:
        raise Unreadable("missing_option", text="pds", command="standing")
    if "losses" in texts:
        orders = replace(orders, losses=parse.parse_kinds(texts["losses"]))
    if "retreat" in texts:
        orders = replace(orders, retreat=parse.parse_retreat(texts["retreat"]))
    if "pds" in texts:
        at_whom = parse.parse_player(state, texts["for"]) if "for" in texts else "default"
        orders = replace(orders, pds=_with_fire(orders.pds, at_whom, parse.parse_fire(texts["pds"])))
    return orders


def _with_fire(pds: Mapping[str, Fire], at_whom: str, order: Fire | None) -> Mapping[str, Fire]:
    others = {key: value for key, value in pds.items() if key != at_whom}
    return others if order is None else {**others, at_whom: order}


# ---- what the table agrees on


def agreed(now: Agreed, texts: Texts) -> Agreed:
    """What is agreed on when `texts` are added to it."""
    then = texts.get("then", now.then).casefold()
    if then not in THEN:
        raise Unreadable("unknown_then", text=then, known=THEN)
    return Agreed(
        remind=hours(texts["reminders"]) if "reminders" in texts else now.remind,
        deadline=hours(texts["deadline"]) if "deadline" in texts else now.deadline,
        then=then,
        fold=texts["fold"].casefold() in ("true", "yes") if "fold" in texts else now.fold,
    )


def hours(text: str) -> int:
    """A number of hours, at most a year."""
    given = number(text)
    if not 0 <= given <= MOST_HOURS:
        raise Unreadable("bad_hours", text=text, most=MOST_HOURS)
    return given


# ---- the registry

_UNITS: Final = Option("units", Fills.UNITS)
_AT: Final = Option("at", Fills.SYSTEM)
_TO: Final = Option("to", Fills.SYSTEM)
_PLANET: Final = Option("planet", Fills.PLANET)
_PLAYER: Final = Option("player", Fills.PLAYER)
_AMOUNT: Final = Option("amount", Fills.NUMBER)
_ANY_PLANET: Final = Option("planet", Fills.PLANET, required=False)
_ANY_CARRIER: Final = Option("carrier", Fills.CARRIER, required=False)
_ANY_SYSTEM: Final = Option("system", Fills.SYSTEM, required=False)

_ALL: Final = (
    Slash("move", Does.ORDER, (_UNITS, Option("from", Fills.SYSTEM), _TO, Option("via", Fills.SYSTEM, False)), _move),
    Slash("load", Does.ORDER, (_UNITS, _AT, _ANY_CARRIER, _ANY_PLANET), _load),
    Slash("scrap", Does.ORDER, (_UNITS, _AT), _scrap),
    Slash("done", Does.ORDER, (), _done),
    Slash("battle", Does.ORDER, (Option("system", Fills.SYSTEM),), _battle),
    Slash("losses", Does.ORDER, (_UNITS,), _losses),
    Slash("continue", Does.ORDER, (), _continue),
    Slash("retreat", Does.ORDER, (_TO,), _retreat),
    Slash("bombard", Does.ORDER, (_PLANET, Option("dreadnoughts", Fills.NUMBER, False)), _bombard),
    Slash("land", Does.ORDER, (_PLANET, _UNITS, _ANY_CARRIER), _land),
    Slash("invade", Does.ORDER, (_ANY_SYSTEM,), _invade),
    Slash("undo", Does.UNDO, (Option("to", Fills.PHASE, False),)),
    Slash("redo", Does.REDO),
    Slash("agree", Does.ANSWER),
    Slash("refuse", Does.ANSWER),
    Slash(
        "standing",
        Does.STANDING,
        (
            Option("losses", Fills.KINDS, False),
            Option("pds", Fills.FIRE, False),
            Option("for", Fills.PLAYER, False),
            Option("retreat", Fills.RETREAT, False),
        ),
    ),
    Slash("remind", Does.HABIT, (Option("hours", Fills.NUMBER),)),
    Slash("away", Does.HABIT, (Option("hours", Fills.NUMBER),)),
    Slash("mute", Does.HABIT),
    Slash("map", Does.LOOK, (Option("step", Fills.STEP, False), _ANY_SYSTEM)),
    Slash("order", Does.LOOK),
    Slash("units", Does.LOOK),
    Slash(
        "odds",
        Does.LOOK,
        (
            Option("units", Fills.UNITS, False),
            Option("against", Fills.UNITS, False),
            _ANY_SYSTEM,
            Option("losses", Fills.KINDS, False),
            Option("enemy_losses", Fills.KINDS, False),
            Option("retreat", Fills.RETREAT, False),
        ),
    ),
    Slash("luck", Does.LOOK),
    Slash("roll", Does.LOOK, (Option("dice", Fills.DICE), Option("comment", Fills.TEXT, False))),
    Slash("rules", Does.LOOK, (Option("clause", Fills.CLAUSE),)),
    Slash("status", Does.LOOK),
    Slash("help", Does.LOOK),
    Slash("referee place", Does.REFEREE, (_UNITS, _AT, _PLAYER, _ANY_PLANET, _ANY_CARRIER), _place),
    Slash("referee remove", Does.REFEREE, (_UNITS, _AT, _PLAYER, _ANY_PLANET), _remove),
    Slash("referee planet", Does.REFEREE, (Option("name", Fills.PLANET), Option("owner", Fills.PLAYER)), _planet),
    Slash(
        "referee technology",
        Does.REFEREE,
        (_PLAYER, Option("name", Fills.TECHNOLOGY), Option("off", Fills.FLAG, False)),
        _technology,
    ),
    Slash("referee power", Does.REFEREE, (_PLAYER, _AMOUNT), _power),
    Slash("referee resources", Does.REFEREE, (_PLAYER, _AMOUNT), _resources),
    Slash(
        "referee settings",
        Does.SETTINGS,
        (
            Option("reminders", Fills.NUMBER, False),
            Option("deadline", Fills.NUMBER, False),
            Option("then", Fills.THEN, False),
            Option("fold", Fills.FLAG, False),
        ),
    ),
    Slash("referee skip", Does.REFEREE, (), _skip),
    Slash("referee next-round", Does.REFEREE, (), _next_round),
    *(Slash(name, Does.TO_COME) for name in ("plan", "history")),
)
COMMANDS: Final[Mapping[str, Slash]] = {slash.name: slash for slash in _ALL}

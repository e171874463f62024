"""The slash commands: their options, and how the texts of options become a command of the rules.

The one place for it: the local table and Discord read the same registry.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, StrEnum, auto
from typing import Any, Final, Literal, TypeVar

from bot import buying, edits, parse
from bot.agreed import THEN, Agreed
from rules_core import commands as cmd
from rules_core import selection
from rules_core.errors import Unreadable
from rules_core.pending import Decision, InvasionChoice, LossesChoice, MovementChoice, decisions
from rules_core.state import StandingOrders, State
from rules_core.victory import VICTORIES

MOST_HOURS: Final = 24 * 366
Texts = edits.Texts
Builder = Callable[[State, str, Texts], cmd.Command]
Fire = Literal["fire", "hold"]
D = TypeVar("D", bound=Decision)
MAX_REASON: Final = 200
# The value of a line of suggestions that only says something: nobody would type it.
NOTHING_CHOSEN: Final = "\N{EM DASH}"
MOST_GOAL: Final = 99


class Does(Enum):
    """What answers a command: the rules, also for another (ACT), standing orders, taking back, a look, or nothing."""

    ORDER = auto()
    REFEREE = auto()
    ACT = auto()
    STANDING = auto()
    UNDO = auto()
    REDO = auto()
    ANSWER = auto()
    HABIT = auto()
    SETTINGS = auto()
    PLAN = auto()
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
    BACK = "back"
    FLAG = "flag"
    RINGS = "rings"
    THEME = "theme"
    SCALE = "scale"
    THEN = "then"
    VICTORY = "victory"
    DICE = "dice"
    SOURCE = "source"
    PLAYERS = "players"
    SETTING = "setting"
    VALUE = "value"
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

    def has_no(self, text: str) -> Unreadable:
        """The refusal of what was typed behind this command and is no option of it."""
        if not self.options:
            return Unreadable("takes_nothing", text=text, command=self.name)
        known = tuple(option.name for option in self.options)
        return Unreadable("unknown_option", text=text, command=self.name, known=known)

    def check(self, texts: Texts) -> None:
        """Refuses options that this command does not have, and needs those it cannot do without.

        Of an option that has `NOTHING_CHOSEN` it says so.
        """
        for name in texts:
            if self.option(name) is None:
                raise self.has_no(name)
        if NOTHING_CHOSEN in texts.values():
            raise Unreadable("nothing_chosen", text=next(name for name in texts if texts[name] == NOTHING_CHOSEN))
        for option in self.options:
            if option.required and not texts.get(option.name, "").strip():
                raise Unreadable("missing_option", text=option.name, command=self.name)
        if len(texts.get("reason", "")) > MAX_REASON:
            raise Unreadable("too_long", length=len(texts["reason"]), limit=MAX_REASON)


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
    command = slash.build(state, actor, texts)
    given: dict[str, Any] = {"reason": texts["reason"]} if "reason" in texts else {}
    return replace(command, **given)


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
    count = parse.parse_number(texts["dreadnoughts"]) if "dreadnoughts" in texts else None
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


# ---- standing orders


def standing_orders(state: State, player: str, texts: Texts) -> StandingOrders:
    """The standing orders of `player` when what he wrote is added to them; nothing written: as they are."""
    orders = state.standing.get(player, StandingOrders())
    if "for" in texts and "pds" not in texts:
        raise Unreadable("missing_option", text="pds", command="standing")
    if "losses" in texts:
        orders = replace(orders, losses=parse.parse_kinds(texts["losses"]))
    if "retreat" in texts:
        orders = replace(orders, retreat=parse.parse_retreat(texts["retreat"]))
    if "pass" in texts:
        orders = replace(orders, passes=parse.parse_flag(texts["pass"]))
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
    victory = texts.get("victory", now.victory).casefold()
    if victory not in VICTORIES:
        raise Unreadable("unknown_victory", text=victory, known=VICTORIES)
    goal = parse.parse_number(texts["goal"]) if "goal" in texts else now.goal
    if victory != "referee" and not 1 <= goal <= MOST_GOAL:
        raise Unreadable("bad_goal", text=str(goal), most=MOST_GOAL)
    return replace(
        now,
        victory=victory,
        goal=goal,
        remind=hours(texts["reminders"]) if "reminders" in texts else now.remind,
        deadline=hours(texts["deadline"]) if "deadline" in texts else now.deadline,
        then=then,
        fold=parse.parse_flag(texts["fold"]) if "fold" in texts else now.fold,
        threads=parse.parse_flag(texts["threads"]) if "threads" in texts else now.threads,
    )


def hours(text: str) -> int:
    """A number of hours, at most a year."""
    given = parse.parse_number(text)
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
_TECHNOLOGY: Final = Option("name", Fills.TECHNOLOGY)
_ANYWAY: Final = Option("anyway", Fills.FLAG, required=False)
_REASON: Final = Option("reason", Fills.TEXT, required=False)


def _referee(name: str, builder: Builder, *options: Option) -> Slash:
    """An edit of the referee: it may have a reason."""
    return Slash(f"referee {name}", Does.REFEREE, (*options, _REASON), builder)


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
    Slash("undo", Does.UNDO, (Option("to", Fills.BACK, False),)),
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
            Option("pass", Fills.FLAG, False),
            Option("retreat", Fills.RETREAT, False),
        ),
    ),
    *(Slash(f"plan {each}", Does.PLAN) for each in ("open", "show", "commit", "discard")),
    Slash("remind", Does.HABIT, (Option("hours", Fills.NUMBER),)),
    Slash("away", Does.HABIT, (Option("hours", Fills.NUMBER),)),
    Slash("mute", Does.HABIT),
    Slash(
        "map",
        Does.LOOK,
        (
            Option("step", Fills.STEP, False),
            _ANY_SYSTEM,
            Option("rings", Fills.RINGS, False),
            Option("theme", Fills.THEME, False),
            Option("scale", Fills.SCALE, False),
        ),
    ),
    Slash("replay", Does.LOOK, (Option("round", Fills.NUMBER, False),)),
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
    _referee("place", edits.place, _UNITS, _AT, _PLAYER, _ANY_PLANET, _ANY_CARRIER, _ANYWAY),
    _referee("remove", edits.remove, _UNITS, _AT, _PLAYER, _ANY_PLANET, _ANY_CARRIER),
    _referee(
        "move",
        edits.move,
        *(_UNITS, _AT, _TO, _PLAYER, Option("source", Fills.SOURCE, False), _ANY_PLANET, _ANY_CARRIER, _ANYWAY),
    ),
    _referee("planet", edits.owner, Option("name", Fills.PLANET), Option("owner", Fills.PLAYER)),
    _referee(
        "values",
        edits.values,
        Option("name", Fills.PLANET),
        Option("rename", Fills.TEXT, False),
        Option("resources", Fills.NUMBER, False),
        Option("power", Fills.NUMBER, False),
    ),
    _referee("technology", edits.technology, _PLAYER, _TECHNOLOGY, Option("off", Fills.FLAG, False)),
    _referee("combat", edits.combat, _PLAYER, Option("bonus", Fills.NUMBER)),
    _referee("power", edits.power, _PLAYER, _AMOUNT),
    _referee("resources", edits.resources, _PLAYER, _AMOUNT),
    Slash(
        "referee settings",
        Does.SETTINGS,
        (
            Option("reminders", Fills.NUMBER, False),
            Option("deadline", Fills.NUMBER, False),
            Option("then", Fills.THEN, False),
            Option("fold", Fills.FLAG, False),
            Option("threads", Fills.FLAG, False),
            Option("victory", Fills.VICTORY, False),
            Option("goal", Fills.NUMBER, False),
        ),
    ),
    _referee("order", edits.order, Option("players", Fills.PLAYERS)),
    _referee("skip", edits.skip),
    _referee("return", edits.return_phase, _PLAYER),
    _referee("option", edits.option, Option("name", Fills.SETTING), Option("value", Fills.VALUE)),
    _referee("pause", edits.pause),
    _referee("resume", edits.resume),
    Slash("referee act", Does.ACT, (_PLAYER, Option("command", Fills.TEXT), _REASON)),
    Slash("referee next-round", Does.REFEREE, (), edits.next_round),
    Slash("build", Does.ORDER, (_UNITS, _PLANET), buying.build),
    Slash("research", Does.ORDER, (_TECHNOLOGY, Option("cost", Fills.NUMBER)), buying.research),
    Slash("withdraw", Does.ORDER, (Option("number", Fills.NUMBER),), buying.withdraw),
    Slash("ledger", Does.LOOK),
    Slash("referee accept", Does.REFEREE, (Option("number", Fills.NUMBER, False),), buying.accept),
    Slash("referee refuse", Does.REFEREE, (Option("number", Fills.NUMBER),), buying.refuse),
    Slash("history", Does.LOOK, (Option("before", Fills.NUMBER, False),)),
    Slash("since", Does.LOOK),
)
COMMANDS: Final[Mapping[str, Slash]] = {slash.name: slash for slash in _ALL}

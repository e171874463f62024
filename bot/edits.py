"""The texts of `/referee ...` as commands of the rules."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Final, get_args, get_type_hints

from bot import parse
from bot.phrases import LANGUAGES, catalogue, phrases
from rules_core import commands as cmd
from rules_core import selection
from rules_core.errors import RuleViolation, Unreadable
from rules_core.referee import only_planet
from rules_core.selection import Counted, Request
from rules_core.state import Options, State
from rules_core.units import GROUND_KINDS, Kind

Texts = Mapping[str, str]
_ON_PLANETS: Final = (*GROUND_KINDS, Kind.SPACE_DOCK)


def place(state: State, referee: str, texts: Texts) -> cmd.Command:
    """`place`: new units."""
    player = parse.parse_player(state, texts["player"])
    at = parse.parse_system(state, texts["at"])
    units = counts(parse.parse_units(texts["units"]), texts["units"])
    ship = _ship(state, player, at, texts)
    return cmd.PlaceUnits(units, at, player, _planet(state, texts, "at"), ship, anyway=_flag(texts, "anyway"))


def remove(state: State, referee: str, texts: Texts) -> cmd.Command:
    """`remove`: units that are there."""
    player = parse.parse_player(state, texts["player"])
    at = parse.parse_system(state, texts["at"])
    named = _named(state, player, at, texts["units"])
    forces, pds, dock = (named.ground[kind] for kind in _ON_PLANETS)
    ship, planet = _ship(state, player, at, texts), _planet(state, texts)
    if ship is None and (forces or pds or dock):
        planet = _planet(state, texts, "at") or only_planet(state, player, at)
    return cmd.RemoveUnits(at, player, named.ships, named.fighters, planet, forces, pds, dock > 0, ship)


def move(state: State, referee: str, texts: Texts) -> cmd.Command:
    """`move`: units to another system, planet or ship."""
    player = parse.parse_player(state, texts["player"])
    at, to = parse.parse_system(state, texts["at"]), parse.parse_system(state, texts["to"])
    named = _named(state, player, at, texts["units"])
    forces, pds, dock = (named.ground[kind] for kind in _ON_PLANETS)
    if dock:
        raise RuleViolation("docks_never_move", "3.52.1-d", kind=Kind.SPACE_DOCK)
    carried = cmd.MoveUnits(player, at, to, named.ships, named.fighters, forces, pds, anyway=_flag(texts, "anyway"))
    if not (forces or pds):
        return carried
    from_planet, from_ship = _source(state, player, at, texts)
    goal = None if "carrier" in texts else _planet(state, texts, "to") or only_planet(state, player, to)
    ship = _ship_there(state, player, to, named.ships, texts)
    return replace(carried, from_planet=from_planet, from_ship=from_ship, planet=goal, ship=ship)


def owner(state: State, referee: str, texts: Texts) -> cmd.Command:
    """`planet`: whose it is."""
    nobody = {catalogue(language)[key] for language in LANGUAGES for key in ("none", "nobody")}
    new = None if texts["owner"].strip().casefold() in nobody else parse.parse_player(state, texts["owner"])
    return cmd.GivePlanet(parse.parse_planet(state, texts["name"]), new)


def values(state: State, referee: str, texts: Texts) -> cmd.Command:
    """`values`: a planet's name, resources, political power."""
    resources, power = (parse.parse_number(texts[key]) if key in texts else None for key in ("resources", "power"))
    name = texts.get("rename")
    if name is not None and parse.reads_like_a_unit(name):
        raise RuleViolation("bad_planet_name", None, name=name)
    return cmd.ChangePlanet(parse.parse_planet(state, texts["name"]), name, resources, power)


def technology(state: State, referee: str, texts: Texts) -> cmd.Command:
    """`technology`: given or taken."""
    player = parse.parse_player(state, texts["player"])
    return cmd.SetTechnology(player, parse.parse_technology(state, texts["name"]), not _flag(texts, "off"))


def combat(state: State, referee: str, texts: Texts) -> cmd.Command:
    """`combat`: all dice of a race better or worse."""
    return cmd.SetCombatBonus(parse.parse_player(state, texts["player"]), parse.parse_number(texts["bonus"]))


def power(state: State, referee: str, texts: Texts) -> cmd.Command:
    """`power`: a player's political power."""
    return cmd.SetPowerBonus(parse.parse_player(state, texts["player"]), parse.parse_number(texts["amount"]))


def resources(state: State, referee: str, texts: Texts) -> cmd.Command:
    """`resources`: a player's resources."""
    return cmd.SetResourcesBonus(parse.parse_player(state, texts["player"]), parse.parse_number(texts["amount"]))


def order(state: State, referee: str, texts: Texts) -> cmd.Command:
    """`order`: who acts first in this round."""
    return cmd.SetOrder(tuple(parse.parse_player(state, each) for each in texts["players"].split(",")))


def return_phase(state: State, referee: str, texts: Texts) -> cmd.Command:
    """`return`: a player acts again."""
    return cmd.ReturnPhase(parse.parse_player(state, texts["player"]))


def option(state: State, referee: str, texts: Texts) -> cmd.Command:
    """`option`: a setting, by its key or its name, and its value likewise."""
    name = _setting(
        texts["name"], "unknown_setting", {each.name: f"option.{each.name}.name" for each in fields(Options)}
    )
    keys = {value: f"option.{name}.{value}" for value in get_args(get_type_hints(Options)[name])}
    return cmd.SetOption(name, _setting(texts["value"], "unknown_value", keys))


def _setting(text: str, code: str, names: Mapping[str, str]) -> str:
    wanted = text.strip().casefold()
    for key, name in names.items():
        if wanted in (key, *(phrases(language).say(name).casefold() for language in LANGUAGES)):
            return key
    raise Unreadable(code, text=text, known=tuple(names.values()))


def pause(state: State, referee: str, texts: Texts) -> cmd.Command:
    """`pause`."""
    return cmd.PauseGame()


def resume(state: State, referee: str, texts: Texts) -> cmd.Command:
    """`resume`."""
    return cmd.ResumeGame()


def skip(state: State, referee: str, texts: Texts) -> cmd.Command:
    """`skip`: ends the phase under way."""
    return cmd.SkipPhase()


def next_round(state: State, referee: str, texts: Texts) -> cmd.Command:
    """`next-round`."""
    return cmd.NextRound()


# ---- units


@dataclass(frozen=True, slots=True)
class _Named:
    """Units that are there: in space, and on planets or aboard."""

    ships: tuple[int, ...]
    fighters: int
    ground: Counter[Kind]


def _named(state: State, player: str, at: str, text: str) -> _Named:
    request = parse.parse_units(text)
    on_ground = tuple(group for group in request.groups if group.units[0].kind in _ON_PLANETS)
    in_space = tuple(group for group in request.groups if group not in on_ground)
    chosen = selection.choose_losses(state, player, at, replace(request, groups=in_space))
    ground: Counter[Kind] = Counter()
    for kind, number in counts(Request(on_ground), text) if on_ground else ():
        ground[kind] += number
    return _Named(chosen.ships, chosen.fighters, ground)


def counts(request: Request, text: str) -> tuple[tuple[Kind, int], ...]:
    """Plain numbers of units."""
    units = [unit for group in request.groups for unit in (*group.units, *group.cargo)]
    counted = [(unit.kind, unit.count) for unit in units if isinstance(unit, Counted)]
    if len(counted) < len(units) or not units or any(group.cargo for group in request.groups):
        raise Unreadable("only_numbers_of_units", text=text)
    return tuple(counted)


# ---- where they stand


def _planet(state: State, texts: Texts, system: str | None = None) -> str | None:
    """The planet that `planet` names, or else the one by which the option `system` names its system."""
    if "planet" in texts:
        return parse.parse_planet(state, texts["planet"])
    return parse.named_planet(state, texts[system]) if system is not None else None


def _ship(state: State, player: str, at: str, texts: Texts) -> int | None:
    """The ship that `carrier` names."""
    if "carrier" not in texts:
        return None
    return selection.one_ship(state, player, at, parse.parse_carrier(texts["carrier"])).id


def _ship_there(state: State, player: str, to: str, moved: tuple[int, ...], texts: Texts) -> int | None:
    """The ship that `carrier` names where the units go: the only one that is moved, or one that is there."""
    if "carrier" not in texts:
        return None
    if len(moved) == 1:
        return moved[0]
    return _ship(state, player, to, texts)


def _source(state: State, player: str, at: str, texts: Texts) -> tuple[str | None, int | None]:
    """Where ground units are taken from: the planet or the ship that `source` names, or the only own planet."""
    text = texts.get("source")
    if text is None:
        return parse.named_planet(state, texts["at"]) or only_planet(state, player, at), None
    if parse.reads_like_a_unit(text):
        return None, selection.one_ship(state, player, at, parse.parse_carrier(text)).id
    return parse.parse_planet(state, text), None


def _flag(texts: Texts, name: str) -> bool:
    return name in texts and parse.parse_flag(texts[name])

"""What the picture of a step stresses, and the words in it. Pure; the drawing is the renderer's."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.phrases import Language, phrases, safe
from bot.report import Scene, scenes
from renderer.view import (
    BattleMark,
    BombardMark,
    CaptureMark,
    ChangedMark,
    Die,
    Labels,
    LandingMark,
    LossMark,
    Mark,
    PathMark,
    RetreatMark,
    VolleyMark,
)
from rules_core import events as ev
from rules_core.dice import Purpose
from rules_core.galaxy import SystemKind
from rules_core.state import Ship, State
from rules_core.units import Kind

# What follows the name of a game in a title is to be read too.
_LONGEST_NAME: Final = 30


def map_labels(language: Language, technologies: Iterable[str] = ()) -> Labels:
    """The words of a map in a language."""
    words = phrases(language)
    return Labels(
        acted=words.say("map.acted"),
        acting=words.say("map.acting"),
        next=words.say("map.next"),
        eliminated=words.say("map.eliminated"),
        power=words.say("map.power"),
        resources=words.say("map.resources"),
        supernova=words.word(SystemKind.SUPERNOVA),
        asteroid_field=words.word(SystemKind.ASTEROID_FIELD),
        red_border=words.say("map.red_border"),
        wormhole=words.say("map.wormhole"),
        cargo=words.say("map.cargo"),
        attacker=words.say("picture.attacker"),
        defender=words.say("picture.defender"),
        odds=words.say("picture.odds"),
        ground_round=words.say("picture.ground_round", number="{number}"),
        units={kind: words.unit(kind) for kind in Kind},
        technologies={key: words.technology(key) for key in technologies},
    )


def map_title(state: State, language: Language, number: int | None = None) -> str:
    """The line at the top of a map: game, round, step `number` if it is known, who acts. No markup: it is drawn."""
    words, phase = phrases(language), state.phase
    name = state.name if len(state.name) <= _LONGEST_NAME else f"{state.name[: _LONGEST_NAME - 1]}…"
    params: dict[str, object] = {"name": name, "round": state.round}
    if number is not None:
        params["number"] = number
    if phase is not None:
        params |= {"player": state.player(phase.player).race, "step": phase.step}
    key = "map.title" if number is None else "picture.title"
    return words.say(key if phase is not None else f"{key}_between", **params)


def map_text(state: State, language: Language) -> str:
    """What a reader who cannot see the map is told of it: its title, made safe."""
    return safe(map_title(state, language))


def marks(before: State, events: Sequence[ev.Event], planet: str | None = None) -> tuple[Mark, ...]:
    """What these events did, as marks on the map after them: of several rounds of a battle the last dice.

    With a `planet` only what was done to it.
    """
    told = [each for each in scenes(before, events) if planet in (None, getattr(each.event, "planet", None))]
    return (*_battles(told), *_losses(told), *_last_dice([mark for scene in told for mark in _marks(scene)]))


def _last_dice(found: Sequence[Mark]) -> Iterable[Mark]:
    """Of each player's dice the last, of ground combat with those of the rounds before."""
    alike: dict[tuple[str, str, Kind | None], list[VolleyMark]] = {}
    for mark in found:
        if isinstance(mark, VolleyMark):
            alike.setdefault((mark.at, mark.player, mark.kind), []).append(mark)
    for mark in found:
        if not isinstance(mark, VolleyMark):
            yield mark
        elif (all_of := alike[mark.at, mark.player, mark.kind])[-1] is mark:
            of_ground = mark.kind is Kind.GROUND_FORCE
            yield replace(mark, earlier=tuple(each.dice for each in all_of[:-1])) if of_ground else mark


def _marks(scene: Scene) -> tuple[Mark, ...]:
    """The marks that one event makes by itself."""
    match scene.event:
        case ev.ShipsMoved() as moved:
            systems = (moved.start, *(hop.to for hop in moved.hops))
            ships = [scene.after.ships[id] for id in moved.ships]
            return (PathMark(systems, moved.player, _stopped(scene.after, ships)),)
        case ev.FleetRetreated() as went:
            return (RetreatMark(went.at, went.to, went.player),)
        case ev.UnitsTransferred() | ev.LandingBegan() as landed:
            return (LandingMark(landed.planet, landed.player),)
        case ev.PlanetCaptured() | ev.PlanetNeutralised() as taken:
            return (CaptureMark(taken.planet),)
        case ev.UnitsPlaced() | ev.UnitsRemoved() as edited:
            return (ChangedMark(edited.at),)
        case ev.UnitsMoved() as moved_by_hand:
            return tuple(map(ChangedMark, dict.fromkeys((moved_by_hand.at, moved_by_hand.to))))
        case ev.PlanetGiven() | ev.PlanetChanged() as changed:
            return (ChangedMark(scene.before.planets[changed.planet].at),)
    return _dice(scene.event)


def _dice(event: ev.Event) -> tuple[Mark, ...]:
    match event:
        case ev.VolleyFired() as fired:
            alone = fired.volley.place.purpose is not Purpose.VOLLEY
            return (_volley(fired.at, fired.shooter, fired.volley, alone),)
        case ev.PlanetBombarded() as bombed:
            return (BombardMark(bombed.planet), _volley(bombed.at, bombed.player, bombed.volley, True))
        case ev.LandingFiredAt() as shot:
            return (_volley(shot.at, shot.owner, shot.volley, True),)
        case ev.GroundRoundFought() as fought:
            volleys = (fought.attack, fought.defence)
            return tuple(_volley(fought.at, volley.place.side, volley, True) for volley in volleys)
    return ()


def _volley(at: str, player: str, volley: ev.Volley, of_one_kind: bool) -> VolleyMark:
    dice = tuple(Die(shot.kind, shot.needed, shot.die) for shot in volley.shots)
    return VolleyMark(at, player, dice, dice[0].kind if of_one_kind and dice else None)


def _stopped(after: State, ships: Iterable[Ship]) -> bool:
    """3.52.3-a: whether a fleet of another stands where these ships went."""
    return any(owner != ship.owner for ship in ships for owner in after.fleet_owners(ship.at))


def _battles(told: Sequence[Scene]) -> tuple[Mark, ...]:
    fired = [scene.event for scene in told if isinstance(scene.event, ev.VolleyFired)]
    fought = [each.at for each in fired if each.volley.place.purpose is Purpose.VOLLEY]
    return tuple(map(BattleMark, dict.fromkeys(fought)))


def _losses(told: Sequence[Scene]) -> tuple[Mark, ...]:
    lost: dict[tuple[str, str], Counter[Kind]] = {}
    for scene in told:
        for at, player, units in _lost(scene):
            lost.setdefault((at, player), Counter()).update({kind: n for kind, n in units.items() if n})
    return tuple(LossMark(at, player, tuple(units.items())) for (at, player), units in lost.items() if units)


def _lost(scene: Scene) -> tuple[tuple[str, str, Mapping[Kind, int]], ...]:
    """Who lost what where by one event."""
    event, phase = scene.event, scene.before.phase
    actor = "" if phase is None else phase.player
    match event:
        case ev.UnitsDestroyed():
            ships = Counter(ship.kind for ship in event.ships)
            return ((event.at, event.player, {**ships, Kind.FIGHTER: event.fighters}),)
        case ev.FleetRetreated():
            return ((event.at, event.player, {Kind.FIGHTER: event.fighters_lost}),)
        case ev.FightersLost():
            return ((event.at, event.player, {Kind.FIGHTER: event.fighters}),)
        case ev.PlanetBombarded():
            owner = scene.before.planets[event.planet].owner
            return ((event.at, owner, {Kind.GROUND_FORCE: event.ground_forces_lost}),) if owner else ()
        case ev.LandingFiredAt():
            return ((event.at, actor, {Kind.GROUND_FORCE: event.ground_forces_lost}),)
        case ev.GroundRoundFought():
            return (
                (event.at, event.attack.place.side, {Kind.GROUND_FORCE: event.attackers_lost}),
                (event.at, event.defence.place.side, {Kind.GROUND_FORCE: event.defenders_lost}),
            )
        case ev.LandingRepelled():
            return ((event.at, actor, {Kind.PDS: event.pds_lost}),)
        case ev.PlanetCaptured() if event.old_owner is not None:
            units = {Kind.PDS: event.pds_destroyed, Kind.SPACE_DOCK: int(event.space_dock_destroyed)}
            return ((event.at, event.old_owner, units),)
    return ()

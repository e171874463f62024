"""Events in words: what happened, every die with the number needed, every loss with place, player, unit and cause."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from bot.phrases import Phrases, safe
from rules_core import events as ev
from rules_core.apply import apply
from rules_core.dice import Purpose
from rules_core.errors import Barred
from rules_core.movement import movement_left
from rules_core.selection import number_of
from rules_core.state import BattleStep, Hop, Landing, Party, Purchase, Ship, State, Step
from rules_core.turn_order import order_to_come
from rules_core.units import FIRING_ORDER, Kind

Lines = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """One event with the table before and after it."""

    before: State
    event: ev.Event
    after: State


def scenes(state: State, events: Iterable[ev.Event]) -> tuple[Scene, ...]:
    """Each event with its own before and after."""
    found = []
    for event in events:
        after = apply(state, event)
        found.append(Scene(state, event, after))
        state = after
    return tuple(found)


def race(state: State, key: str | None, phrases: Phrases) -> str:
    """What a player is called in a text; nobody too."""
    return phrases.say("nobody") if key is None else safe(state.player(key).race)


def races(state: State, keys: Iterable[str]) -> Mapping[str, str]:
    """What these players are called, by key."""
    return {key: safe(state.player(key).race) for key in keys}


def all_races(state: State) -> Mapping[str, str]:
    """What every player is called, by key."""
    return races(state, (player.key for player in state.players))


def fleet(phrases: Phrases, ships: Iterable[Ship], fighters: int = 0) -> str:
    """`2 cruisers, 1 carrier (3 ground forces), 2 fighters`: like ships together, in the order in which they roll."""
    alike = Counter((FIRING_ORDER.index(ship.kind), ship.ground_forces, ship.pds) for ship in ships)
    words = []
    for (rank, forces, pds), number in sorted(alike.items()):
        kind, cargo = FIRING_ORDER[rank], ground(phrases, forces, pds)
        unit = phrases.signed(kind, phrases.count(kind, number))
        words.append(phrases.say("laden", unit=unit, cargo=cargo) if cargo else unit)
    if fighters:
        words.append(phrases.signed(Kind.FIGHTER, phrases.count(Kind.FIGHTER, fighters)))
    return phrases.list(words) or phrases.say("none")


def ground(phrases: Phrases, ground_forces: int, pds: int, space_dock: bool = False) -> str:
    """`3 ground forces, 1 PDS`; empty if there are none."""
    numbers = {Kind.GROUND_FORCE: ground_forces, Kind.PDS: pds, Kind.SPACE_DOCK: int(space_dock)}
    return phrases.counts(numbers)


def way(phrases: Phrases, start: str, hops: Sequence[Hop]) -> str:
    """`101 → 103 → 301 (wormhole)`."""
    steps = (phrases.say("by_wormhole", at=hop.to) if hop.wormhole else hop.to for hop in hops)
    return " → ".join((start, *steps))


def place(state: State, at: str) -> str:
    """`204 (Hearth, Ruby)`: a system with its planets."""
    planets = ", ".join(safe(name) for name in state.galaxy.systems[at].planets)
    return f"{at} ({planets})" if planets else at


def dice(phrases: Phrases, volley: ev.Volley) -> Lines:
    """`cruiser 8+: 9 3 8 → 2 hits`, a line for each kind that fired."""
    lines = []
    for (kind, needed), shots in groupby(volley.shots, key=lambda shot: (shot.kind, shot.needed)):
        fired = tuple(shots)
        faces, unit = phrases.faces([(shot.die, shot.hit) for shot in fired]), phrases.signed(kind, phrases.unit(kind))
        hits = sum(shot.hit for shot in fired)
        lines.append(phrases.say("post.dice", unit=unit, needed=needed, faces=faces, hits=hits))
    return tuple(lines)


def grouped(phrases: Phrases, reasons: Iterable[Barred], names: Mapping[str, str]) -> Lines:
    """Why systems are barred, those with one reason in one line."""
    by_reason: dict[str, list[str]] = {}
    for barred in reasons:
        by_reason.setdefault(phrases.reason(barred, names), []).append(barred.at)
    return tuple(phrases.say("barred_line", at=", ".join(at), reason=why) for why, at in by_reason.items())


# ---- the report


@dataclass(frozen=True, slots=True)
class Reporter:
    """Tells events in one language. Of these, `forced`: whose losses left no choice; `gunners`: whose PDS hit."""

    phrases: Phrases
    forced: frozenset[str] = frozenset()
    gunners: tuple[str, ...] = ()

    def lines(self, scene: Scene) -> Lines:
        """What everybody may read about an event; the referee's reason too."""
        reason = getattr(scene.event, "reason", "")
        return (*self._told(scene), *((self.phrases.say("edit.reason", reason=safe(reason)),) if reason else ()))

    def _told(self, scene: Scene) -> Lines:
        event, state = scene.event, scene.before
        match event:
            case ev.UnitsLoaded() | ev.ShipsMoved() | ev.FleetIntercepted():
                return self._movement(state, event)
            case ev.FireHeld() | ev.VolleyFired() | ev.UnitsDestroyed() | ev.BattleContinued():
                return self._battle(state, event)
            case ev.FleetRetreated() | ev.FightersLost() | ev.BattleEnded():
                return self._after_battle(state, event)
            case ev.PlanetBombarded() | ev.PlanetNeutralised():
                return self._bombardment(scene, event)
            case ev.UnitsTransferred() | ev.LandingBegan() | ev.LandingFiredAt() | ev.GroundRoundFought():
                return self._landing(state, event)
            case ev.LandingRepelled() | ev.PlanetCaptured():
                return self._outcome(scene, event)
            case ev.RoundBegan() | ev.RoundEnded() | ev.PhaseEnded() | ev.PlayerEliminated() | ev.OrderChanged():
                return self._order_of_play(scene, event)
        return self._edited(scene)

    def _edited(self, scene: Scene) -> Lines:
        """What only the referee does."""
        event, state = scene.event, scene.before
        match event:
            case ev.PurchaseProposed() | ev.PurchaseMade() | ev.PurchaseDropped():
                return self._purchase(state, event)
            case ev.UnitsPlaced() | ev.UnitsRemoved():
                return self._units_edit(state, event)
            case ev.UnitsMoved():
                return self._units_moved(scene, event)
            case ev.PlanetGiven() | ev.PlanetChanged():
                return self._planet_edit(scene, event)
            case ev.TechnologySet() | ev.CombatSet() | ev.PowerSet() | ev.ResourcesSet():
                return self._player_edit(state, event)
            case ev.OrderSet() | ev.PhaseReturned() | ev.RefereeActed():
                return self._turn_edit(state, event)
            case ev.OptionSet() | ev.GamePaused() | ev.GameResumed():
                return self._game_edit(event)
        return ()

    def _race(self, state: State, key: str | None) -> str:
        return race(state, key, self.phrases)

    def _loss(self, state: State, at: str, player: str, units: str, cause: str) -> str:
        return self.phrases.say("post.loss", at=at, player=self._race(state, player), units=units, cause=cause)

    # ---- 3.52

    def _movement(self, state: State, event: ev.UnitsLoaded | ev.ShipsMoved | ev.FleetIntercepted) -> Lines:
        say, player = self.phrases.say, self._race(state, event.player)
        match event:
            case ev.UnitsLoaded():
                units = ground(self.phrases, event.ground_forces, event.pds)
                return (say("post.loaded", player=player, units=units, planet=safe(event.planet), at=event.at),)
            case ev.ShipsMoved():
                units = fleet(self.phrases, (state.ships[id] for id in event.ships), event.fighters)
                route = way(self.phrases, event.start, event.hops)
                return (say("post.moved", player=player, units=units, way=route),)
        # Who had no movement left is not held up: that was his goal.
        stopped = any(movement_left(state, state.ships[id]) for id in event.ships)
        key = "post.intercepted" if stopped else "post.met"
        return (say(key, player=player, at=event.at, by=self._race(state, event.by)),)

    # ---- 3.53

    def heading(self, state: State) -> Lines:
        """Which part of which battle this is; nothing while no battle is under way."""
        battle = None if state.phase is None else state.phase.battle
        if battle is None:
            return ()
        at = place(state, battle.at)
        if battle.step in (BattleStep.PDS_FIRE, BattleStep.PDS_LOSSES):
            return (self.phrases.say("post.pds_fire", at=at),)
        attacker, defender = self._race(state, battle.attacker), self._race(state, battle.defender)
        if battle.step in (BattleStep.ASSAULT_CANNON, BattleStep.CANNON_LOSSES):
            return (self.phrases.say("post.cannon", at=at, attacker=attacker, defender=defender),)
        round_ = battle.volley + (battle.step is BattleStep.VOLLEY)
        return (self.phrases.say("post.round", at=at, round=round_, attacker=attacker, defender=defender),)

    def _battle(
        self, state: State, event: ev.FireHeld | ev.VolleyFired | ev.UnitsDestroyed | ev.BattleContinued
    ) -> Lines:
        say = self.phrases.say
        match event:
            case ev.FireHeld():
                return (say("post.fire_held", player=self._race(state, event.owner), at=event.at),)
            case ev.VolleyFired():
                return self._volley(state, event)
            case ev.UnitsDestroyed():
                units = fleet(self.phrases, event.ships, event.fighters)
                return (self._loss(state, event.at, event.player, units, self._cause(state, event.player)),)
        player = self._race(state, event.player)
        if not event.barred:
            return (say("post.fights_on", player=player, at=event.at),)
        barred = grouped(self.phrases, event.barred, all_races(state))
        return (say("post.no_retreat", player=player, at=event.at), *barred)

    def _volley(self, state: State, event: ev.VolleyFired) -> Lines:
        shooter, target = self._race(state, event.shooter), self._race(state, event.target)
        key = f"post.volley.{event.volley.place.purpose}"
        first = self.phrases.say(key, player=shooter, target=target, hits=event.volley.hits)
        return (first, *dice(self.phrases, event.volley))

    def _cause(self, state: State, player: str) -> str:
        """Why `player` loses something in the step under way, and that he had no choice, if so."""
        battle = None if state.phase is None else state.phase.battle
        assert battle is not None, "losses outside a battle"
        other = battle.defender if player == battle.attacker else battle.attacker
        key, by = "cause.round", self._race(state, other)
        if battle.step is BattleStep.CANNON_LOSSES:
            key = "cause.cannon"
        elif battle.step is BattleStep.PDS_LOSSES:
            # Where a game begins after the volley, whoever can have fired it.
            armed = {planet.owner for planet in state.planets_at(battle.at) if planet.pds} - {player}
            gunners = self.gunners or [each.key for each in state.players if each.key in armed]
            key, by = "cause.pds", self.phrases.list(self._race(state, gunner) for gunner in gunners)
        cause = self.phrases.say(key, by=by, round=battle.volley)
        return self.phrases.say("cause.forced", cause=cause) if player in self.forced else cause

    def _after_battle(self, state: State, event: ev.FleetRetreated | ev.FightersLost | ev.BattleEnded) -> Lines:
        say = self.phrases.say
        match event:
            case ev.FleetRetreated():
                units = fleet(self.phrases, (state.ships[id] for id in event.ships), event.fighters)
                player = self._race(state, event.player)
                went = say("post.retreated", player=player, units=units, at=event.at, to=event.to)
                lost = self._fighters_lost(state, event.at, event.player, event.fighters_lost, "3.53-k")
                return (went, *lost)
            case ev.FightersLost():
                return self._fighters_lost(state, event.at, event.player, event.fighters, event.clause)
        battle = None if state.phase is None else state.phase.battle
        if battle is None or battle.defender is None:
            return ()
        if event.holder is None:
            return (say("post.empty", at=event.at),)
        return (say("post.holds", player=self._race(state, event.holder), at=event.at),)

    def _fighters_lost(self, state: State, at: str, player: str, number: int, clause: str) -> Lines:
        if not number:
            return ()
        cause = self.phrases.say("cause.no_room", clause=clause)
        return (self._loss(state, at, player, self.phrases.count(Kind.FIGHTER, number), cause),)

    # ---- 3.54

    def _bombardment(self, scene: Scene, event: ev.PlanetBombarded | ev.PlanetNeutralised) -> Lines:
        state, planet = scene.before, safe(event.planet)
        if isinstance(event, ev.PlanetNeutralised):
            owner = self._race(state, event.owner)
            neutral = self.phrases.say("post.neutralised", planet=planet, at=event.at, owner=owner)
            return (neutral, *self._balance(scene, (event.owner,)))
        owner_key = state.planets[event.planet].owner
        owner, player = self._race(state, owner_key), self._race(state, event.player)
        first = self.phrases.say("post.bombards", player=player, planet=planet, at=event.at, owner=owner)
        lost = self._forces_lost(state, event.at, owner_key, event.ground_forces_lost, "bombardment", planet)
        return (first, *dice(self.phrases, event.volley), *lost)

    def _forces_lost(self, state: State, at: str, player: str | None, number: int, cause: str, planet: str) -> Lines:
        if not number or player is None:
            return ()
        units = self.phrases.count(Kind.GROUND_FORCE, number)
        return (self._loss(state, at, player, units, self.phrases.say(f"cause.{cause}", planet=planet)),)

    def _landing(
        self,
        state: State,
        event: ev.UnitsTransferred | ev.LandingBegan | ev.LandingFiredAt | ev.GroundRoundFought,
    ) -> Lines:
        match event:
            case ev.UnitsTransferred():
                planet, units = safe(event.planet), self._landed(event.planet, event.parties)
                player = self._race(state, event.player)
                return (self.phrases.say("post.transferred", player=player, planet=planet, at=event.at, units=units),)
            case ev.LandingBegan():
                return (self._landing_began(state, event),)
            case ev.LandingFiredAt():
                return self._landing_fire(state, event)
        return self._ground_round(state, event)

    def _landed(self, planet: str, parties: tuple[Party, ...]) -> str:
        landing = Landing(planet, parties)
        return ground(self.phrases, landing.ground_forces, landing.pds)

    def _landing_began(self, state: State, event: ev.LandingBegan) -> str:
        planet = state.planets[event.planet]
        params = {
            "player": self._race(state, event.player),
            "planet": safe(event.planet),
            "at": event.at,
            "units": self._landed(event.planet, event.parties),
        }
        if event.owner is None:
            return self.phrases.say("post.lands_neutral", **params)
        defence = ground(self.phrases, planet.ground_forces, planet.pds, planet.space_dock) or self.phrases.say("none")
        return self.phrases.say("post.lands", owner=self._race(state, event.owner), defence=defence, **params)

    def _landing_fire(self, state: State, event: ev.LandingFiredAt) -> Lines:
        player = None if state.phase is None else state.phase.player
        owner = self._race(state, event.owner)
        key = f"post.volley.{Purpose.LANDING_PDS}"
        first = self.phrases.say(key, player=owner, target=self._race(state, player), hits=event.volley.hits)
        lost = self._forces_lost(state, event.at, player, event.ground_forces_lost, "landing_pds", safe(event.planet))
        return (first, *dice(self.phrases, event.volley), *lost)

    def _ground_round(self, state: State, event: ev.GroundRoundFought) -> Lines:
        attacker, defender = event.attack.place.side, event.defence.place.side
        lines = [self.phrases.say("post.ground_round", round=event.round, planet=safe(event.planet))]
        for volley, target in ((event.attack, defender), (event.defence, attacker)):
            player, aim = self._race(state, volley.place.side), self._race(state, target)
            lines.append(self.phrases.say("post.volley.ground", player=player, target=aim, hits=volley.hits))
            lines += dice(self.phrases, volley)
        for player_key, number in ((attacker, event.attackers_lost), (defender, event.defenders_lost)):
            lines += self._forces_lost(state, event.at, player_key, number, "ground", safe(event.planet))
        return tuple(lines)

    def _outcome(self, scene: Scene, event: ev.LandingRepelled | ev.PlanetCaptured) -> Lines:
        state, planet = scene.before, safe(event.planet)
        if isinstance(event, ev.LandingRepelled):
            kept = self.phrases.say("post.repelled", planet=planet, at=event.at, owner=self._race(state, event.owner))
            attacker = None if state.phase is None else state.phase.player
            return (kept, *self._ground_lost(state, event.at, attacker, event.pds_lost, False, "repelled", planet))
        units = ground(self.phrases, event.ground_forces, event.pds)
        params = {"player": self._race(state, event.owner), "planet": planet, "at": event.at, "units": units}
        if event.old_owner is None:
            taken = self.phrases.say("post.taken_neutral", **params)
        else:
            taken = self.phrases.say("post.taken", owner=self._race(state, event.old_owner), **params)
        old, dock = event.old_owner, event.space_dock_destroyed
        lost = self._ground_lost(state, event.at, old, event.pds_destroyed, dock, "captured", planet)
        sides = (event.owner,) if event.old_owner is None else (event.owner, event.old_owner)
        return (taken, *lost, *self._balance(scene, sides))

    def _ground_lost(
        self, state: State, at: str, player: str | None, pds: int, dock: bool, cause: str, planet: str
    ) -> Lines:
        units = ground(self.phrases, 0, pds, dock)
        if not units or player is None:
            return ()
        return (self._loss(state, at, player, units, self.phrases.say(f"cause.{cause}", planet=planet)),)

    def _change(self, old: int, new: int) -> str:
        """A number before and after; one that stays, once."""
        return str(new) if old == new else self.phrases.say("post.change", old=old, new=new)

    def _balance(self, scene: Scene, players: Iterable[str]) -> Lines:
        """3.54-j: political power and resources before and after, of those for whom one of them changed."""
        before, after = scene.before, scene.after
        return tuple(
            self.phrases.say(
                "post.balance",
                player=self._race(before, key),
                power=self._change(before.political_power(key), after.political_power(key)),
                resources=self._change(before.resources(key), after.resources(key)),
            )
            for key in players
            if _worth(before, key) != _worth(after, key)
        )

    # ---- 3.51 and the referee

    def _order_of_play(
        self,
        scene: Scene,
        event: ev.RoundBegan | ev.RoundEnded | ev.PhaseEnded | ev.PlayerEliminated | ev.OrderChanged,
    ) -> Lines:
        say, state = self.phrases.say, scene.before
        match event:
            case ev.RoundBegan():
                return (say("post.round_began", round=event.round),)
            case ev.RoundEnded():
                return (say("post.round_ended", round=event.round),)
            case ev.PhaseEnded():
                key = "post.phase_skipped" if event.skipped else "post.phase_ended"
                return (say(key, player=self._race(state, event.player)),)
            case ev.PlayerEliminated():
                return (say("post.eliminated", player=self._race(state, event.player)),)
        before = self.phrases.list(self._race(state, key) for key in event.before)
        after = self.phrases.list(self.with_power(state, key) for key in event.after)
        return (say("post.order_changed", before=before, after=after),)

    def with_power(self, state: State, key: str) -> str:
        """`Tidewright (5)`: a player with his political power."""
        return self.phrases.say("with_power", player=self._race(state, key), power=state.political_power(key))

    def _units_edit(self, state: State, event: ev.UnitsPlaced | ev.UnitsRemoved) -> Lines:
        in_space = fleet(self.phrases, event.ships, event.fighters) if event.ships or event.fighters else ""
        on_planet = ground(self.phrases, event.ground_forces, event.pds, event.space_dock)
        params = {"player": self._race(state, event.player), "at": event.at}
        key = "placed" if isinstance(event, ev.UnitsPlaced) else "removed"
        lines = [self.phrases.say(f"post.{key}", units=in_space, **params)] if in_space else []
        if on_planet and event.planet is not None:
            lines.append(self.phrases.say(f"post.{key}_on", units=on_planet, planet=safe(event.planet), **params))
        elif on_planet and event.ship is not None:
            ship = state.ships[event.ship]
            named = self.phrases.numbered(ship.kind, number_of(state, ship))
            lines.append(self.phrases.say(f"post.{key}_aboard", units=on_planet, ship=named, **params))
        return tuple(lines)

    def _purchase(self, state: State, event: ev.PurchaseProposed | ev.PurchaseMade | ev.PurchaseDropped) -> Lines:
        if isinstance(event, ev.PurchaseProposed):
            asked = event.purchase
            what, player = described(self.phrases, asked), self._race(state, asked.player)
            return (
                self.phrases.say("buying.proposed", player=player, what=what, cost=asked.cost, number=asked.number),
            )
        player = self._race(state, event.player)
        if isinstance(event, ev.PurchaseMade):
            return (self.phrases.say("buying.made", player=player, cost=event.cost),)
        key = "buying.refused" if event.refused else "buying.withdrawn"
        return (self.phrases.say(key, player=player, number=event.number),)

    def _units_moved(self, scene: Scene, event: ev.UnitsMoved) -> Lines:
        say, player = self.phrases.say, self._race(scene.before, event.player)
        lines = []
        if event.ships or event.fighters:
            units = fleet(self.phrases, (scene.before.ships[id] for id in event.ships), event.fighters)
            lines.append(say("edit.moved", player=player, units=units, at=event.at, to=event.to))
        if event.ground_forces or event.pds:
            units = ground(self.phrases, event.ground_forces, event.pds)
            source = self._holder(scene.before, event.at, event.from_planet, event.from_ship)
            goal = self._holder(scene.after, event.to, event.planet, event.ship)
            lines.append(say("edit.moved", player=player, units=units, at=source, to=goal))
        return tuple(lines)

    def _holder(self, state: State, at: str, planet: str | None, ship: int | None) -> str:
        """Where ground units are: `204, Hearth`, `204, carrier 2`."""
        if ship is None:
            return self.phrases.list((at, safe(planet or "")))
        return self.phrases.list(
            (at, self.phrases.numbered(state.ships[ship].kind, number_of(state, state.ships[ship])))
        )

    def _planet_edit(self, scene: Scene, event: ev.PlanetGiven | ev.PlanetChanged) -> Lines:
        say, state = self.phrases.say, scene.before
        if isinstance(event, ev.PlanetGiven):
            owners = tuple(key for key in (event.owner, event.old_owner) if key is not None)
            given = say("post.given", planet=safe(event.planet), owner=self._race(state, event.owner))
            return (given, *self._balance(scene, owners))
        owner = state.planets[event.planet].owner
        values = {"name": safe(event.name), "resources": event.resources, "power": event.political_power}
        changed = say("edit.planet", planet=safe(event.planet), at=state.planets[event.planet].at, **values)
        return (changed, *self._balance(scene, () if owner is None else (owner,)))

    def _player_edit(
        self, state: State, event: ev.TechnologySet | ev.CombatSet | ev.PowerSet | ev.ResourcesSet
    ) -> Lines:
        say, player = self.phrases.say, self._race(state, event.player)
        match event:
            case ev.TechnologySet():
                key = "post.technology_given" if event.owned else "post.technology_taken"
                return (say(key, player=player, technology=self.phrases.technology(event.technology)),)
            case ev.CombatSet():
                return (say("edit.combat", player=player, bonus=f"{event.bonus:+}"),)
        key = "post.power_set" if isinstance(event, ev.PowerSet) else "post.resources_set"
        return (say(key, player=player, amount=event.amount),)

    def _turn_edit(self, state: State, event: ev.OrderSet | ev.PhaseReturned | ev.RefereeActed) -> Lines:
        if isinstance(event, ev.OrderSet):
            players = self.phrases.list(self._race(state, key) for key in event.players)
            return (self.phrases.say("edit.order", players=players),)
        key = "edit.returned" if isinstance(event, ev.PhaseReturned) else "edit.acts_for"
        return (self.phrases.say(key, player=self._race(state, event.player)),)

    def _game_edit(self, event: ev.OptionSet | ev.GamePaused | ev.GameResumed) -> Lines:
        if isinstance(event, ev.OptionSet):
            name, value = self.phrases.option(event.option), self.phrases.option_value(event.option, event.value)
            return (self.phrases.say("edit.option", option=name, value=value),)
        return (self.phrases.say("edit.paused" if isinstance(event, ev.GamePaused) else "edit.resumed"),)


def described(words: Phrases, purchase: Purchase) -> str:
    """`2 cruisers at Hearth`, `assault cannon`."""
    if purchase.technology is not None:
        return words.technology(purchase.technology)
    units = words.list(words.count(kind, number) for kind, number in purchase.units)
    return words.say("buying.units", units=units, planet=safe(purchase.planet or ""))


def _worth(state: State, player: str) -> tuple[int, int]:
    return state.political_power(player), state.resources(player)


def announcement(phrases: Phrases, state: State, player: str, shown: str) -> Lines:
    """3.51-b: whose individual phase begins, his power, his place, who follows, and what he can do now."""
    reporter = Reporter(phrases)
    playing = [each for each in state.players if not each.eliminated]
    number = 1 + sum(each.acted for each in playing)
    others = phrases.list(reporter.with_power(state, key) for key in order_to_come(state)) or phrases.say("nobody")
    return (
        phrases.say("post.phase_began", player=safe(state.player(player).race), round=state.round),
        phrases.say(
            "post.your_turn",
            player=shown,
            power=state.political_power(player),
            number=number,
            players=len(playing),
            others=others,
        ),
        *([phrases.say("can.movement")] if state.phase is not None and state.phase.step is Step.MOVEMENT else []),
    )

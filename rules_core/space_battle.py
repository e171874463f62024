"""3.53: the space battle step, system by system, in the order of 3.53-b."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from rules_core import combat, odds
from rules_core import events as ev
from rules_core.apply import fold
from rules_core.choices import BattleChoice, Decision, LossesChoice, RetreatChoice
from rules_core.combat import phase_of
from rules_core.dice import Dice, Purpose
from rules_core.errors import Barred, RuleViolation
from rules_core.state import Battle, BattleStep, Journey, Losses, Ship, State
from rules_core.units import Ability, Kind

Events = tuple[ev.Event, ...]

# ---- where there is anything to settle


def enemy_in_space(state: State, at: str, player: str) -> str | None:
    """Who else has ships or fighters in a system; 3.52.3-g allows but one."""
    return next((owner for owner in state.space_owners(at) if owner != player), None)


def battle_is_due(state: State, at: str, player: str) -> bool:
    """3.52.3-c, d: ships of two races; by default fighters fight too."""
    if state.options.lone_fighters == "ignore":
        return len(state.fleet_owners(at)) > 1 and player in state.fleet_owners(at)
    return player in state.space_owners(at) and enemy_in_space(state, at, player) is not None


def fire_is_due(state: State, at: str, player: str) -> bool:
    """3.53-c: PDS of another race stand here, and there is something they may fire at."""
    others = any(planet.pds and planet.owner != player for planet in state.planets_at(at))
    return others and fire_targets(state, at, player).count > 0


def fire_targets(state: State, at: str, player: str) -> Losses:
    """3.53-c: what PDS may destroy: what is present, or (option) only if a ship moved in, such ships and fighters."""
    ships = [ship.id for ship in state.ships_at(at, player)]
    if state.options.pds_targets == "moved":
        ships = [id for id in ships if id in phase_of(state).journeys]
        if not ships:
            return Losses()
    return Losses(tuple(ships), state.fighters_at(at, player))


def movement_ended(state: State, player: str) -> ev.MovementEnded:
    """3.53-a, 3.53-o: systems with PDS fire only, by label, then the battles."""
    places = state.places_of(player)
    battles = tuple(at for at in places if battle_is_due(state, at, player))
    fire_only = tuple(at for at in places if at not in battles and fire_is_due(state, at, player))
    return ev.MovementEnded(player, fire_only, battles)


# ---- the steps of 3.53-b, one function each: events, or nothing while somebody must choose


def next_events(state: State, dice: Dice) -> Events:
    """What happens next in the space battle step without anybody choosing."""
    phase = phase_of(state)
    if phase.battle is not None:
        return _STEPS[phase.battle.step](state, phase.battle, dice)
    if phase.fire_at:
        return (ev.BattleBegan(phase.fire_at[0], phase.player, None),)
    if len(phase.battles_at) == 1:
        return (began(state, phase.battles_at[0]),)
    return () if phase.battles_at else (ev.InvasionBegan(phase.player),)


def began(state: State, at: str) -> ev.BattleBegan:
    """3.53-a: the battle of the acting player in `at`."""
    player = phase_of(state).player
    return ev.BattleBegan(at, player, enemy_in_space(state, at, player))


def _to(battle: Battle, step: BattleStep) -> ev.BattleAdvanced:
    return ev.BattleAdvanced(battle.at, step, battle.volley)


def _pds_fire(state: State, battle: Battle, dice: Dice) -> Events:
    """3.53-b (1), 3.53-c: every owner of PDS here fires once, in seat order."""
    events: list[ev.Event] = []
    owners = [p.key for p in state.players if p.key != battle.attacker]
    for owner in owners if fire_targets(state, battle.at, battle.attacker).count else ():
        number = sum(planet.pds for planet in state.planets_at(battle.at) if planet.owner == owner)
        if not number:
            continue
        if holds_fire(state, owner, battle.attacker):
            events.append(ev.FireHeld(battle.at, owner))
            continue
        place = combat.die_place(state, battle.at, Purpose.PDS, 1, owner)
        volley = combat.fire(state, place, (Kind.PDS,) * number, dice)
        events.append(ev.VolleyFired(battle.at, owner, battle.attacker, volley))
    return (*events, _to(battle, BattleStep.PDS_LOSSES))


def holds_fire(state: State, owner: str, target: str) -> bool:
    """Whether a standing order of `owner` keeps his PDS from firing at `target` (3.53-c)."""
    orders = state.standing.get(owner)
    if orders is None:
        return False
    return orders.pds.get(target, orders.pds.get("default", "fire")) == "hold"


def _assault_cannon(state: State, battle: Battle, dice: Dice) -> Events:
    """3.53-b (2), 3.53-d: each dreadnought of the attacker fires once, if he has the technology."""
    if _one_side_gone(state, battle):
        return (_to(battle, BattleStep.FIGHTER_ROOM),)
    gunners = [s.kind for s in state.ships_at(battle.at, battle.attacker) if s.kind is Kind.DREADNOUGHT]
    if not gunners or not state.allows(Ability.FIRE_ASSAULT_CANNON, battle.attacker):
        return (_to(battle, BattleStep.VOLLEY),)
    assert battle.defender is not None
    place = combat.die_place(state, battle.at, Purpose.CANNON, 1, battle.attacker)
    volley = combat.fire(state, place, gunners, dice)
    fired = ev.VolleyFired(battle.at, battle.attacker, battle.defender, volley)
    return (fired, _to(battle, BattleStep.CANNON_LOSSES))


def _volley(state: State, battle: Battle, dice: Dice) -> Events:
    """3.53-b (3), 3.53-e: every unit of the attacker rolls, then every one of the defender."""
    if _one_side_gone(state, battle):
        return (_to(battle, BattleStep.FIGHTER_ROOM),)
    assert battle.defender is not None
    number = battle.volley + 1
    sides = ((battle.attacker, battle.defender), (battle.defender, battle.attacker))
    fired = tuple(_side_fires(state, battle.at, number, shooter, target, dice) for shooter, target in sides)
    return (*fired, ev.BattleAdvanced(battle.at, BattleStep.LOSSES, number))


def _side_fires(state: State, at: str, number: int, shooter: str, target: str, dice: Dice) -> ev.VolleyFired:
    kinds = combat.firing(state.ships_at(at, shooter), state.fighters_at(at, shooter))
    place = combat.die_place(state, at, Purpose.VOLLEY, number, shooter)
    return ev.VolleyFired(at, shooter, target, combat.fire(state, place, kinds, dice))


# Each step of losses, and the step that follows it.
_AFTER_LOSSES: Final = {
    BattleStep.PDS_LOSSES: BattleStep.ASSAULT_CANNON,
    BattleStep.CANNON_LOSSES: BattleStep.VOLLEY,
    BattleStep.LOSSES: BattleStep.RETREAT,
}


def _losses(state: State, battle: Battle, dice: Dice) -> Events:
    """3.53-b (4), 3.53-f: both sides remove; nothing is removed until the choices of both are in."""
    open_sides = [side for side in _sides(battle) if side in battle.hits and side not in battle.chosen]
    settled = [_settled_losses(state, battle, side) for side in open_sides]
    if found := tuple(event for event in settled if event is not None):
        return found
    if open_sides:
        return ()
    removed = tuple(_destroyed(state, battle, side) for side in _sides(battle) if side in battle.chosen)
    return (*removed, _to(battle, _AFTER_LOSSES[battle.step]))


def _sides(battle: Battle) -> tuple[str, ...]:
    return (battle.attacker,) if battle.defender is None else (battle.attacker, battle.defender)


def may_lose(state: State, battle: Battle, side: str) -> Losses:
    """3.53-f: ships and fighters among which `side` chooses."""
    if battle.step is BattleStep.PDS_LOSSES:
        return fire_targets(state, battle.at, side)
    ships = tuple(ship.id for ship in state.ships_at(battle.at, side))
    return Losses(ships, state.fighters_at(battle.at, side))


def _settled_losses(state: State, battle: Battle, side: str) -> ev.LossesChosen | None:
    """The only answer, or what a standing order says; None if the side must be asked."""
    candidates = may_lose(state, battle, side)
    hits = battle.hits[side]
    if hits >= candidates.count:
        return ev.LossesChosen(side, battle.at, candidates, ev.Cause.FORCED)
    ships = _ships(state, candidates)
    if combat.alike(ships, candidates.fighters):
        losses = Losses(candidates.ships[:hits]) if ships else Losses(fighters=hits)
        return ev.LossesChosen(side, battle.at, losses, ev.Cause.FORCED)
    orders = state.standing.get(side)
    ordered = combat.by_order_of_kinds(orders.losses, ships, candidates.fighters, hits) if orders else None
    return None if ordered is None else ev.LossesChosen(side, battle.at, ordered, ev.Cause.STANDING_ORDER)


def _ships(state: State, losses: Losses) -> tuple[Ship, ...]:
    return tuple(state.ships[id] for id in losses.ships)


def _destroyed(state: State, battle: Battle, side: str) -> ev.UnitsDestroyed:
    """3.52.2-e, 3.53-l: the ships go with what they carry."""
    losses = battle.chosen[side]
    return ev.UnitsDestroyed(side, battle.at, _ships(state, losses), losses.fighters)


def _retreat(state: State, battle: Battle, dice: Dice) -> Events:
    """3.53-b (5), 3.53-g: the attacker continues or retreats; with nowhere to go he continues."""
    if _one_side_gone(state, battle):
        return (_to(battle, BattleStep.FIGHTER_ROOM),)
    goals, barred = retreat_goals(state, battle)
    if not goals:
        return _continued(battle, ev.Cause.FORCED, barred)
    due = retreat_is_ordered(state, battle)
    if due is None:
        return ()
    if not due:
        return _continued(battle, ev.Cause.STANDING_ORDER)
    return _retreated(state, battle, goals[0], ev.Cause.STANDING_ORDER) if len(goals) == 1 else ()


def retreat_is_ordered(state: State, battle: Battle) -> bool | None:
    """Whether the attacker's standing order says to retreat now; None if it says nothing and he must be asked."""
    orders = state.standing.get(battle.attacker)
    if orders is None or orders.retreat is None:
        return None
    if orders.retreat.odds_below is not None:
        chance = _chance_to_win(state, battle, orders.losses)
        return None if chance is None else chance * 100 < orders.retreat.odds_below
    below = orders.retreat.below_ships
    return below is not None and len(state.ships_at(battle.at, battle.attacker)) < below


def _chance_to_win(state: State, battle: Battle, losses: Sequence[Kind]) -> float | None:
    """The attacker's, as `/odds` shows it to him: his own order of losses, the default for the other side.

    None if the battle is too large to judge while others wait.
    """
    assert battle.defender is not None
    mine = odds.force_at(state, battle.at, battle.attacker, losses)
    theirs = odds.force_at(state, battle.at, battle.defender)
    question = odds.SpaceBattle(mine, theirs)
    return odds.space_battle(question).attacker_wins if odds.steps(question) <= odds.QUICK_STEPS else None


def _continued(battle: Battle, cause: ev.Cause, barred: tuple[Barred, ...] = ()) -> Events:
    went_on = ev.BattleContinued(battle.attacker, battle.at, cause, barred)
    return (went_on, _to(battle, BattleStep.VOLLEY))


def _retreated(state: State, battle: Battle, to: str, cause: ev.Cause) -> Events:
    """3.53-h, k, n: the whole fleet goes, to no new fire; fighters only as far as the carriers have room."""
    ships = state.ships_at(battle.at, battle.attacker)
    fighters = state.fighters_at(battle.at, battle.attacker)
    aboard = min(fighters, state.free_places(ships))
    ids = tuple(ship.id for ship in ships)
    went = ev.FleetRetreated(battle.attacker, battle.at, to, ids, aboard, fighters - aboard, cause)
    return (went, _to(battle, BattleStep.FIGHTER_ROOM))


def _fighter_room(state: State, battle: Battle, dice: Dice) -> Events:
    """3.52.2-f: when the step is over here, fighters without room are destroyed; then the system is settled."""
    holders = state.space_owners(battle.at)
    lost = tuple(event for side in holders for event in homeless(state, battle.at, side, "3.52.2-f"))
    holders = fold(state, lost).space_owners(battle.at)
    return (*lost, ev.BattleEnded(battle.at, holders[0] if len(holders) == 1 else None))


def homeless(state: State, at: str, owner: str, clause: str) -> Events:
    """3.52.2-f, 3.54-m: the fighters for which there is no room in a system are lost."""
    excess = state.fighters_at(at, owner) - state.fighter_room(at, owner)
    return (ev.FightersLost(owner, at, excess, clause),) if excess > 0 else ()


def _one_side_gone(state: State, battle: Battle) -> bool:
    """3.53-m: a side is wiped out, so no round is rolled."""
    return battle.defender is None or not set(_sides(battle)) <= set(state.space_owners(battle.at))


_STEPS: Final[Mapping[BattleStep, Callable[[State, Battle, Dice], Events]]] = {
    BattleStep.PDS_FIRE: _pds_fire,
    BattleStep.PDS_LOSSES: _losses,
    BattleStep.ASSAULT_CANNON: _assault_cannon,
    BattleStep.CANNON_LOSSES: _losses,
    BattleStep.VOLLEY: _volley,
    BattleStep.LOSSES: _losses,
    BattleStep.RETREAT: _retreat,
    BattleStep.FIGHTER_ROOM: _fighter_room,
}

# ---- 3.53 3) retreat


def retreat_goals(state: State, battle: Battle) -> tuple[tuple[str, ...], tuple[Barred, ...]]:
    """3.53-h, i, 3.52.4-c: the systems to which the attacker may retreat, and for every other neighbour why not."""
    goals, barred = [], []
    for at in state.galaxy.touching(battle.at):
        reason = _retreat_barred(state, battle, at)
        if reason is None:
            goals.append(at)
        else:
            barred.append(reason)
    return tuple(goals), tuple(barred)


def _retreat_barred(state: State, battle: Battle, to: str) -> Barred | None:
    journeys = _arrivals(state, battle.at)
    if not state.ships_at(battle.at, battle.attacker):
        return Barred(to, "fighters_alone_cannot_retreat", "3.53-k")
    if not journeys:
        return Barred(to, "no_ship_moved_in", "3.53-h")
    if all(journey.hops[-1].wormhole for journey in journeys):
        return Barred(to, "all_came_by_wormhole", "3.53-i")
    if not any(to in journey.systems for journey in journeys):
        return Barred(to, "nobody_came_through", "3.53-h")
    if state.galaxy.systems[to].red_bordered:
        return Barred(to, "red_border", "3.53-i", {"kind": state.galaxy.systems[to].kind})
    holder = enemy_in_space(state, to, battle.attacker)
    return None if holder is None else Barred(to, "held_by_another", "3.53-i", {"player": holder})


def _arrivals(state: State, at: str) -> tuple[Journey, ...]:
    """3.53-h, j: the journeys that ended here when the movement step did, by any ship, also one since destroyed."""
    return tuple(j for j in phase_of(state).journeys.values() if j.hops[-1].to == at)


# ---- what the players choose


def decisions(state: State) -> tuple[Decision, ...]:
    """What the space battle step waits for."""
    phase = phase_of(state)
    if phase.battle is None:
        id = f"{_place(state)}/battle/{len(phase.battles_at)}"
        return (BattleChoice(id, phase.player, tuple(sorted(phase.battles_at))),)
    if phase.battle.step is BattleStep.RETREAT:
        goals, barred = retreat_goals(state, phase.battle)
        id = f"{_place(state)}/{phase.battle.at}/retreat/{phase.battle.volley}"
        return (RetreatChoice(id, phase.battle.attacker, phase.battle.at, goals, barred),)
    open_sides = (side for side in _sides(phase.battle) if side in phase.battle.hits)
    return tuple(_losses_choice(state, phase.battle, side) for side in open_sides if side not in phase.battle.chosen)


def _losses_choice(state: State, battle: Battle, side: str) -> LossesChoice:
    candidates = may_lose(state, battle, side)
    id = f"{_place(state)}/{battle.at}/{battle.step}/{battle.volley}/{side}"
    return LossesChoice(id, side, battle.at, battle.hits[side], candidates.ships, candidates.fighters)


def _place(state: State) -> str:
    phase = phase_of(state)
    return f"{state.round}/{phase.player}/{state.player(phase.player).openings}"


def chosen_battle(state: State, at: str) -> Events:
    """3.51-f: the acting player picks the next battle."""
    if at not in phase_of(state).battles_at:
        raise RuleViolation("no_battle_due_there", "3.51-f", at=at, systems=tuple(sorted(phase_of(state).battles_at)))
    return (began(state, at),)


def chosen_losses(decision: LossesChoice, losses: Losses) -> Events:
    """3.53-f: exactly as many as hits, of one's own ships and fighters there."""
    foreign = set(losses.ships) - set(decision.ships)
    if foreign or not 0 <= losses.fighters <= decision.fighters:
        raise RuleViolation("cannot_be_lost", "3.53-f", at=decision.at)
    if losses.count != decision.hits:
        raise RuleViolation("wrong_number_of_losses", "3.53-f", at=decision.at, hits=decision.hits, named=losses.count)
    return (ev.LossesChosen(decision.player, decision.at, losses, ev.Cause.CHOSEN),)


def chosen_continue(state: State) -> Events:
    """3.53-g: the attacker fights on."""
    return _continued(_waiting_battle(state), ev.Cause.CHOSEN)


def chosen_retreat(decision: RetreatChoice, state: State, to: str) -> Events:
    """3.53-h, i: the attacker's fleet leaves for `to`; a refusal says for each neighbour why it is barred."""
    battle = _waiting_battle(state)
    if to in decision.goals:
        return _retreated(state, battle, to, ev.Cause.CHOSEN)
    reason = next((barred for barred in decision.barred if barred.at == to), None)
    if reason is None:
        reason = Barred(to, "does_not_touch", "3.53-h", {"battle": decision.at})
    raise RuleViolation(
        "no_retreat_there",
        reason.clause,
        at=decision.at,
        to=to,
        reason=reason,
        barred=decision.barred,
        goals=decision.goals,
    )


def _waiting_battle(state: State) -> Battle:
    battle = phase_of(state).battle
    assert battle is not None, "a choice in no battle"
    return battle

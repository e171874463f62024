"""The first door: `decide(state, command, dice) -> events`. It may refuse; it changes nothing."""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from rules_core import commands as cmd
from rules_core import economy, invasion, movement, pending, referee, space_battle, turn_order
from rules_core import events as ev
from rules_core.apply import fold
from rules_core.combat import phase_of
from rules_core.dice import Dice
from rules_core.errors import RuleViolation, Unreadable
from rules_core.frozen import replace
from rules_core.pending import Decision, decisions
from rules_core.state import Losses, State, Step

Events = tuple[ev.Event, ...]
D = TypeVar("D", bound=Decision)


def decide(state: State, command: cmd.Command, dice: Dice) -> Events:
    """What happens on `command`, up to the next choice.

    Raises a Refusal, and then nothing has happened.
    """
    _check_names(state, command)
    if state.paused and isinstance(command, cmd.PlayerCommand):
        raise RuleViolation("game_is_paused")
    first = _with_reason(_DECIDERS[type(command)](state, command, dice), getattr(command, "reason", ""))
    return first + advance(fold(state, first), dice, decisions(state) if state.standing else ())


def _check_names(state: State, command: cmd.Command) -> None:
    """What a command names exists; texts are read against the table, but a command may come from elsewhere."""
    at = getattr(command, "at", None)
    systems = [*getattr(command, "waypoints", ()), *([] if at is None else [at])]
    players = [getattr(command, "player", None), getattr(command, "owner", None), *getattr(command, "players", ())]
    planets = [getattr(command, "planet", None), *(order.planet for order in getattr(command, "load", ()))]
    if isinstance(command, cmd.MoveUnits):
        systems, planets = [*systems, command.to], [*planets, command.from_planet]
    keys = tuple(player.key for player in state.players)
    for code, named, known in (
        ("unknown_system", systems, tuple(state.galaxy.systems)),
        ("unknown_player", players, keys),
        ("unknown_planet", planets, tuple(state.planets)),
    ):
        for name in named:
            if name is not None and name not in known:
                raise Unreadable(code, None, text=name, near=known[:5])


def _with_reason(events: Events, reason: str) -> Events:
    """The referee's reason stands in the event that his command is about."""
    given: dict[str, Any] = {"reason": reason} if reason else {}
    return tuple(replace(event, **given) if hasattr(event, "reason") else event for event in events)


def advance(state: State, dice: Dice, asked: tuple[Decision, ...] = ()) -> Events:
    """The pump: everything that happens without anybody choosing. `asked`: what was waited for before."""
    events: Events = ()
    while batch := _next_events(_without_late_orders(state, asked), dice):
        events, state = events + batch, fold(state, batch)
    return events


def _without_late_orders(state: State, asked: tuple[Decision, ...]) -> State:
    """A standing order takes effect for choices that fall due after it, not for one that already waits."""
    if not asked or not state.standing:
        return state
    before = {decision.id for decision in asked}
    waiting = {decision.player for decision in decisions(state) if decision.id in before}
    return replace(state, standing={key: orders for key, orders in state.standing.items() if key not in waiting})


def _next_events(state: State, dice: Dice) -> Events:
    if gone := turn_order.eliminations(state):
        return gone
    phase = state.phase
    if phase is None:
        return turn_order.next_phase(state)
    if phase.step is Step.SPACE_BATTLE:
        return space_battle.next_events(state, dice)
    passes = phase.player in state.standing and state.standing[phase.player].passes
    if phase.step is Step.MOVEMENT:
        passes = passes and not movement.homeless(state, phase.player)
        return (space_battle.movement_ended(state, phase.player),) if passes else ()
    if passes or not (invasion.declarable(state) or invasion.declared(state)):
        return _phase_ended(state)
    return ()


def _phase_ended(state: State, skipped: bool = False) -> Events:
    """3.51-c: the acting player has acted; with nobody left the round is over."""
    ended = (ev.PhaseEnded(phase_of(state).player, skipped),)
    after = fold(state, ended)
    gone = turn_order.eliminations(after)
    over = turn_order.everybody_acted(fold(after, gone))
    return (*ended, *gone, *((ev.RoundEnded(state.round),) if over else ()))


# ---- who may ask


def _check_acting(state: State, player: str) -> None:
    """3.51-a, c: only the acting player acts."""
    acting = turn_order.acting(state)
    if player == acting:
        return
    if state.player(player).eliminated:
        raise RuleViolation("you_are_eliminated", "3.51-g", player=player, acting=acting)
    if acting is None and turn_order.everybody_acted(state):
        raise RuleViolation("round_is_over", "3.51-c", player=player)
    if state.player(player).acted:
        raise RuleViolation("you_have_acted", "3.51-c", player=player, acting=acting)
    raise RuleViolation("not_your_phase", "3.51-a", player=player, acting=acting)


def _check_step(state: State, player: str, step: Step) -> None:
    """3.51-e: the steps of a phase follow each other."""
    _check_acting(state, player)
    now = phase_of(state).step
    if now is not step:
        raise RuleViolation("wrong_step", "3.51-e", step=now, needed=step)


def _owed(state: State, player: str, kind: type[D]) -> D:
    """The decision of that kind that waits for `player`; raises RuleViolation if there is none."""
    waiting = [each for each in decisions(state) if isinstance(each, kind)]
    for each in waiting:
        if each.player == player:
            return each
    if waiting:
        raise RuleViolation("not_your_choice", kind.clause, players=tuple(each.player for each in waiting))
    raise RuleViolation("no_such_choice_now", kind.clause, waits_for=decisions(state))


# ---- players


def _move(state: State, command: cmd.MoveShips, dice: Dice) -> Events:
    _check_step(state, command.player, Step.MOVEMENT)
    return movement.moved(state, command)


def _load(state: State, command: cmd.LoadUnits, dice: Dice) -> Events:
    _check_step(state, command.player, Step.MOVEMENT)
    return movement.load_units(state, command)


def _scrap(state: State, command: cmd.ScrapUnits, dice: Dice) -> Events:
    _check_step(state, command.player, Step.MOVEMENT)
    return movement.scrapped(state, command)


def _done(state: State, command: cmd.Done, dice: Dice) -> Events:
    """3.51-e: ends the movement step, or the invasion step and with it the phase."""
    _check_acting(state, command.player)
    step = phase_of(state).step
    if step is Step.MOVEMENT:
        movement.check_movement_may_end(state, command.player)
        return (space_battle.movement_ended(state, command.player),)
    if step is Step.SPACE_BATTLE:
        raise RuleViolation("battle_waits", "3.53-a", waits_for=decisions(state))
    invasion.check_nothing_declared(state)
    return _phase_ended(state)


def _choose_battle(state: State, command: cmd.ChooseBattle, dice: Dice) -> Events:
    _check_acting(state, command.player)
    _owed(state, command.player, pending.BattleChoice)
    return space_battle.chosen_battle(state, command.at)


def _choose_losses(state: State, command: cmd.ChooseLosses, dice: Dice) -> Events:
    decision = _owed(state, command.player, pending.LossesChoice)
    return space_battle.chosen_losses(decision, Losses(tuple(dict.fromkeys(command.ships)), command.fighters))


def _continue(state: State, command: cmd.ContinueBattle, dice: Dice) -> Events:
    _owed(state, command.player, pending.RetreatChoice)
    return space_battle.chosen_continue(state)


def _retreat(state: State, command: cmd.Retreat, dice: Dice) -> Events:
    return space_battle.chosen_retreat(_owed(state, command.player, pending.RetreatChoice), state, command.to)


def _bombard(state: State, command: cmd.DeclareBombardment, dice: Dice) -> Events:
    _check_step(state, command.player, Step.INVASION)
    return invasion.bombardment_declared(state, command)


def _land(state: State, command: cmd.DeclareLanding, dice: Dice) -> Events:
    _check_step(state, command.player, Step.INVASION)
    return invasion.landing_declared(state, command)


def _invade(state: State, command: cmd.Invade, dice: Dice) -> Events:
    _check_step(state, command.player, Step.INVASION)
    return invasion.invaded(state, invasion.systems_to_invade(state, command.at), dice)


# ---- the table and the referee


def _begin(state: State, command: cmd.Begin, dice: Dice) -> Events:
    return ()


def _next_round(state: State, command: cmd.NextRound, dice: Dice) -> Events:
    if not turn_order.everybody_acted(state):
        waiting = turn_order.order_to_come(state)
        raise RuleViolation("round_not_over", "3.51-c", acting=turn_order.acting(state), players=waiting)
    return (*economy.lapsed(state), ev.RoundBegan(state.round + 1))


def _skip(state: State, command: cmd.SkipPhase, dice: Dice) -> Events:
    """The phase goes on to its end as if its player wanted nothing more; battles are compulsory (3.53-a)."""
    if state.phase is None:
        raise RuleViolation("nobody_acts", "3.51-a")
    if state.phase.step is Step.SPACE_BATTLE:
        raise RuleViolation("battle_waits", "3.53-a", waits_for=decisions(state))
    if state.phase.step is Step.INVASION:
        invasion.check_nothing_declared(state)
        return _phase_ended(state, skipped=True)
    movement.check_movement_may_end(state, state.phase.player)
    ended: Events = (space_battle.movement_ended(state, state.phase.player),)
    events = ended + advance(fold(state, ended), dice)
    after = fold(state, events)
    events = tuple(replace(event, skipped=True) if isinstance(event, ev.PhaseEnded) else event for event in events)
    to_invasion = after.phase is not None and after.phase.step is Step.INVASION
    return events + _phase_ended(after, skipped=True) if to_invasion else events


def _buy(state: State, command: cmd.Command, dice: Dice) -> Events:
    return _BUYING[type(command)](state, command)


_BUYING: Final[Mapping[type[Any], Callable[[State, Any], Events]]] = {
    cmd.Build: economy.built,
    cmd.Research: economy.researched,
    cmd.Withdraw: economy.withdrawn,
    cmd.AcceptPurchases: economy.accepted,
    cmd.RefusePurchase: economy.refused,
}


def _edit(state: State, command: cmd.RefereeCommand, dice: Dice) -> Events:
    return referee.EDITS[type(command)](state, command)


_DECIDERS: Final[Mapping[type[Any], Callable[[State, Any, Dice], Events]]] = {
    cmd.MoveShips: _move,
    cmd.LoadUnits: _load,
    cmd.ScrapUnits: _scrap,
    cmd.Done: _done,
    cmd.ChooseBattle: _choose_battle,
    cmd.ChooseLosses: _choose_losses,
    cmd.ContinueBattle: _continue,
    cmd.Retreat: _retreat,
    cmd.DeclareBombardment: _bombard,
    cmd.DeclareLanding: _land,
    cmd.Invade: _invade,
    cmd.Begin: _begin,
    cmd.NextRound: _next_round,
    cmd.SkipPhase: _skip,
    **dict.fromkeys(_BUYING, _buy),
    **dict.fromkeys(referee.EDITS, _edit),
}

"""Plans: commands of one phase that a player tries out in private before he gives them all at once. Pure.

Moves, loading and scrapping are for the movement step. Bombardments and landings are for the invasion step; they can be
planned before, on the table as it would be when all battles are over and no unit was lost.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Self

from rules_core import codec, space_battle
from rules_core import commands as cmd
from rules_core import events as ev
from rules_core.apply import fold
from rules_core.decide import decide
from rules_core.dice import Dice
from rules_core.errors import Refusal, RuleViolation
from rules_core.state import State, Step

Events = tuple[ev.Event, ...]
Refused = tuple[tuple[cmd.Command, Refusal], ...]

# What a plan can hold: nothing of it rolls a die.
MOVES: Final = (cmd.MoveShips, cmd.LoadUnits, cmd.ScrapUnits)
DECLARATIONS: Final = (cmd.DeclareBombardment, cmd.DeclareLanding)
# What players call the latter.
DECLARING: Final = ("bombard", "land")
_MARK: Final = 8


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a plan comes to.

    `moved`: the table after its moves. `before_invasion`: how the invasion step would find that table if no battle cost
    a unit; `invading`: with what is declared. `impossible`: the commands that are refused now, with the refusal.
    """

    start: State
    moves: Events
    moved: State
    before_invasion: State
    declarations: Events
    invading: State
    impossible: Refused


@dataclass(frozen=True, slots=True)
class Plan:
    """Commands for one phase and no other. `open_in`: the step in which orders go into it; in any other it is kept."""

    phase: str
    open_in: str
    commands: tuple[cmd.Command, ...] = ()

    @property
    def moves(self) -> tuple[cmd.Command, ...]:
        """What is for the movement step."""
        return tuple(each for each in self.commands if isinstance(each, MOVES))

    @property
    def declarations(self) -> tuple[cmd.Command, ...]:
        """What is for the invasion step."""
        return tuple(each for each in self.commands if isinstance(each, DECLARATIONS))

    @property
    def mark(self) -> str:
        """A few letters that tell this plan from any other: a button that carries them is good for no other."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:_MARK]

    def is_open(self, state: State) -> bool:
        """Whether what the player orders now goes into it."""
        return state.phase is not None and self.open_in == state.phase.step

    def for_step(self, state: State) -> tuple[cmd.Command, ...]:
        """What of it is carried out in the step that is now."""
        return self.declarations if state.phase is not None and state.phase.step is Step.INVASION else self.moves

    def rest(self, state: State) -> Self | None:
        """What is kept when it is carried out: what is for the invasion step, until then; orders take effect again."""
        if not self.declarations or state.phase is None or state.phase.step is Step.INVASION:
            return None
        return replace(self, open_in="", commands=self.declarations)

    def due(self, outcome: Outcome) -> Events:
        """What happens when it is carried out in the step that is now.

        Refuses moves one of which is not possible, and a plan of which nothing is for this step.
        """
        state = outcome.start
        if state.paused:
            raise RuleViolation("game_is_paused")
        if state.phase is not None and state.phase.step is Step.INVASION:
            return outcome.declarations
        for command, refused in outcome.impossible:
            if isinstance(command, MOVES) and self.is_open(state):
                raise refused
        if self.commands and not self.is_open(state):
            raise RuleViolation("plan_waits", "3.51-e")
        return outcome.moves

    def with_command(self, state: State, command: cmd.Command, dice: Dice) -> Self:
        """The plan with one more command.

        Refuses what cannot be planned, what is not possible as things would be, and what would make impossible a
        landing or a bombardment that is planned already.
        """
        if not isinstance(command, (*MOVES, *DECLARATIONS)):
            raise RuleViolation("plan_is_open")
        longer = replace(self, commands=(*self.commands, command))
        known = [id(each) for each, _ in self.follow(state, dice).impossible]
        for each, refused in longer.follow(state, dice).impossible:
            if each is command:
                raise refused
            if isinstance(each, DECLARATIONS) and id(each) not in known:
                raise RuleViolation("plan_needs_that", refused.clause, planet=each.planet)
        return longer

    def follow(self, state: State, dice: Dice) -> Outcome:
        """What would happen, command by command; what is refused is left out."""
        moves, moved, too_late = _tried(state, self.moves, dice)
        before = _before_invasion(moved)
        declarations, invading, barred = _tried(before, self.declarations, dice)
        return Outcome(state, moves, moved, before, declarations, invading, (*too_late, *barred))

    @property
    def text(self) -> str:
        """As it is kept."""
        commands = [codec.command_to_json(each) for each in self.commands]
        return json.dumps({"step": f"{self.phase}/{self.open_in}", "commands": commands})


def read_plan(text: str) -> Plan:
    """What was kept."""
    data = json.loads(text)
    phase, _, open_in = data["step"].rpartition("/")
    return Plan(phase, open_in, tuple(codec.command_from_json(each, "plan") for each in data["commands"]))


def phase_of(state: State, player: str) -> str | None:
    """What tells the phase of a player that is under way from every other; None if it is not his."""
    if state.phase is None or state.phase.player != player:
        return None
    return f"{state.round}/{player}/{state.player(player).openings}"


def new_plan(state: State, player: str) -> Plan:
    """An empty plan, open in the step that is now; refused where nothing can be planned."""
    phase = phase_of(state, player)
    if phase is None or state.phase is None or state.phase.step is Step.SPACE_BATTLE:
        raise RuleViolation("nothing_to_plan")
    return Plan(phase, state.phase.step)


def committed_back(state: State, player: str, kept: Plan | None, commands: tuple[cmd.Command, ...]) -> Plan:
    """The plan after it was taken back on the table `state` that `commands` of it were carried out: open again.

    `kept`: what was left of it, or has been planned since.
    """
    again = new_plan(state, player)
    later = kept.commands if kept is not None and kept.phase == again.phase else ()
    return replace(again, commands=(*commands, *later))


def committed_again(kept: Plan, commands: tuple[cmd.Command, ...]) -> Plan | None:
    """What is left of a plan when `commands`, with which it began, are brought back; one that was changed is kept."""
    if kept.commands[: len(commands)] != commands:
        return kept
    left = replace(kept, commands=kept.commands[len(commands) :])
    if left.moves:
        return left
    return replace(left, open_in="") if left.commands else None


def battles(state: State, player: str) -> tuple[str, ...]:
    """Where battles would be fought if the movement step ended now."""
    if state.phase is None or state.phase.step is not Step.MOVEMENT:
        return ()
    return space_battle.movement_ended(state, player).battles_at


def movement_over(state: State, player: str) -> State:
    """The table when the movement step has ended, before a die is rolled."""
    return fold(state, (space_battle.movement_ended(state, player),))


def _before_invasion(state: State) -> State:
    """The table with its battles over as if nobody had lost a unit in them."""
    if state.phase is None:
        return state
    phase = replace(state.phase, step=Step.INVASION, fire_at=(), battles_at=(), battle=None)
    return replace(state, phase=phase)


def _tried(state: State, commands: Iterable[cmd.Command], dice: Dice) -> tuple[Events, State, Refused]:
    """Follows one command after the other; what is refused changes nothing."""
    events: Events = ()
    impossible: list[tuple[cmd.Command, Refusal]] = []
    for command in commands:
        try:
            _check_ships(state, command)
            step = decide(state, command, dice)
        except Refusal as refused:
            impossible.append((command, refused))
            continue
        events, state = events + step, fold(state, step)
    return events, state, tuple(impossible)


def _check_ships(state: State, command: cmd.Command) -> None:
    """3.54-a, c: between the plan and the invasion a battle may have cost the ships that were meant."""
    match command:
        case cmd.DeclareLanding(planet=planet, parties=parties):
            clause, ids = "3.54-a", [party.ship for party in parties]
        case cmd.DeclareBombardment(planet=planet, dreadnoughts=dreadnoughts):
            clause, ids = "3.54-c", list(dreadnoughts)
        case _:
            return
    at = state.planets[planet].at
    if any(id not in state.ships or state.ships[id].at != at for id in ids):
        raise RuleViolation("planned_ship_is_gone", clause, at=at)

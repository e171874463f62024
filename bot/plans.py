"""Plans: commands of one phase that a player tries out in private before he gives them all at once. Pure."""

import json
from dataclasses import dataclass, replace
from typing import Final, Self

from rules_core import codec, space_battle
from rules_core import commands as cmd
from rules_core import events as ev
from rules_core.apply import fold
from rules_core.decide import decide
from rules_core.dice import Dice
from rules_core.errors import RuleViolation
from rules_core.state import State, Step

# What a plan can hold: nothing of it rolls a die.
PLANNED: Final = (cmd.MoveShips, cmd.LoadUnits, cmd.ScrapUnits, cmd.DeclareBombardment, cmd.DeclareLanding)


@dataclass(frozen=True, slots=True)
class Plan:
    """Commands for the step `step` of a phase: good for no other."""

    step: str
    commands: tuple[cmd.Command, ...] = ()

    def with_command(self, command: cmd.Command) -> Self:
        """The plan with one more command; refused if that is none that can be planned."""
        if not isinstance(command, PLANNED):
            raise RuleViolation("plan_is_open")
        return replace(self, commands=(*self.commands, command))

    def follow(self, state: State, dice: Dice) -> tuple[ev.Event, ...]:
        """What would happen; raises the refusal of what is no longer possible."""
        events: tuple[ev.Event, ...] = ()
        for command in self.commands:
            events += decide(fold(state, events), command, dice)
        return events

    @property
    def text(self) -> str:
        """As it is kept."""
        return json.dumps({"step": self.step, "commands": [codec.command_to_json(each) for each in self.commands]})


def read_plan(text: str) -> Plan:
    """What was kept."""
    data = json.loads(text)
    return Plan(data["step"], tuple(codec.command_from_json(each, "plan") for each in data["commands"]))


def step_of(state: State, player: str) -> str:
    """What tells the step in which a player can plan now from every other; refused if it is none."""
    phase = state.phase
    if phase is None or phase.player != player or phase.step is Step.SPACE_BATTLE:
        raise RuleViolation("nothing_to_plan")
    return f"{state.round}/{player}/{state.player(player).openings}/{phase.step}"


def battles(state: State, player: str) -> tuple[str, ...]:
    """Where battles would be fought if the movement step ended now."""
    if state.phase is None or state.phase.step is not Step.MOVEMENT:
        return ()
    return space_battle.movement_ended(state, player).battles_at


def movement_over(state: State, player: str) -> State:
    """The table when the movement step has ended, before a die is rolled."""
    return fold(state, (space_battle.movement_ended(state, player),))

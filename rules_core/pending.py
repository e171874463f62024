"""What the game waits for now. Which step has been reached is a value of the state; what may be answered there is
derived from it, so that a saved game goes on under corrected rules.
"""

from rules_core import invasion, movement, space_battle
from rules_core.choices import (
    BattleChoice,
    Decision,
    InvasionChoice,
    LossesChoice,
    MovementChoice,
    RetreatChoice,
)
from rules_core.state import State, Step

__all__ = [
    "BattleChoice",
    "Decision",
    "InvasionChoice",
    "LossesChoice",
    "MovementChoice",
    "RetreatChoice",
    "decisions",
]


def decisions(state: State) -> tuple[Decision, ...]:
    """Every decision that is waited for; two owners may owe an answer at once. None when the round is over."""
    phase = state.phase
    if phase is None:
        return ()
    if phase.step is Step.MOVEMENT:
        return (movement.decision(state),)
    if phase.step is Step.SPACE_BATTLE:
        return space_battle.decisions(state)
    return (invasion.decision(state),)

"""When a game is won, by what its table agreed on: the source has no rule for it."""

from collections.abc import Mapping
from typing import Final, Literal

from rules_core.state import State

Victory = Literal["referee", "homes", "power"]
VICTORIES: Final[tuple[Victory, ...]] = ("referee", "homes", "power")


def homes(start: State) -> dict[str, str]:
    """The home system of each player who has one when the game begins: that of his dock, else of his first planet."""
    found: dict[str, str] = {}
    for player in start.players:
        own = [planet for planet in start.planets.values() if planet.owner == player.key]
        if own:
            found[player.key] = next((planet.at for planet in own if planet.space_dock), own[0].at)
    return found


def homes_held(state: State, home_systems: Mapping[str, str], player: str) -> int:
    """How many home systems of others are wholly the player's: every planet in them."""
    others = [at for owner, at in home_systems.items() if owner != player]
    return sum(all(planet.owner == player for planet in state.planets_at(at)) for at in others)


def winners(start: State, state: State, victory: Victory, goal: int) -> tuple[str, ...]:
    """Who has won when a round is over, in seat order; nobody while the referee alone declares it.

    `homes`: who holds `goal` home systems of others. `power`: after round `goal`, who has most political power.
    """
    if victory == "homes":
        at = homes(start)
        return tuple(p.key for p in state.players if goal and homes_held(state, at, p.key) >= goal)
    if victory == "power" and state.round >= goal:
        most = max(state.political_power(player.key) for player in state.players)
        return tuple(player.key for player in state.players if state.political_power(player.key) == most)
    return ()

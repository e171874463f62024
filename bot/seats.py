"""For whom a user speaks in a game: a player's seat, or the referee."""

from bot.service import Service
from bot.slash import Does, Slash
from bot.store import GameRow
from rules_core.errors import RuleViolation
from rules_core.history import REFEREE


async def actor_of(service: Service, game: GameRow, user: int, command: Slash) -> str:
    """Whose command it is when `user` gives it; raises the refusal of who may not."""
    match command.does:
        case Does.REFEREE | Does.ACT | Does.SETTINGS:
            check_referee(game, user)
            return REFEREE
        case Does.UNDO | Does.REDO if user == game.referee and await service.last_actor(game) == REFEREE:
            return REFEREE
        case Does.ANSWER if await may_decide(service, game, user):
            return REFEREE
        case Does.LOOK:
            return await seat_or_referee(service, game, user)
    return await service.seat_of(game.id, user)


def check_referee(game: GameRow, user: int) -> None:
    """Refuses everybody but the game's referee."""
    if user != game.referee:
        raise RuleViolation("only_the_referee")


async def may_decide(service: Service, game: GameRow, user: int) -> bool:
    """Whether a user decides as referee on what is proposed: not on his own proposal."""
    proposal = await service.store.proposal(game.id, game.head)
    if user != game.referee or proposal is None:
        return False
    seats = await service.store.seats(game.id)
    return all(seat.user != user for seat in seats if seat.key == proposal.actor)


async def seat_or_referee(service: Service, game: GameRow, user: int) -> str:
    """The seat of a user; who has none sees what the referee sees, for that is public."""
    seats = await service.store.seats(game.id)
    return next((seat.key for seat in seats if seat.user == user), REFEREE)

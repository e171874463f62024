"""For whom a user speaks in a game: a player's seat, or the referee."""

from dataclasses import dataclass

from bot.happening import waits_of
from bot.rows import GameRow
from bot.service import Service
from bot.slash import Does, Slash
from rules_core.errors import RuleViolation
from rules_core.history import REFEREE


@dataclass(frozen=True, slots=True)
class Speaker:
    """`player`: the key of the seat that acts, or the referee; `by`: who has it act. The referee plays vacant seats."""

    player: str
    by: str


async def speaker_of(service: Service, game: GameRow, user: int, command: Slash) -> Speaker:
    """Whose command it is when `user` gives it; raises the refusal of who may not."""
    match command.does:
        case Does.REFEREE | Does.ACT | Does.SETTINGS:
            check_referee(game, user)
            return Speaker(REFEREE, REFEREE)
        case Does.UNDO | Does.REDO if is_referee(game, user) and await service.past.last_actor(game) == REFEREE:
            return Speaker(REFEREE, REFEREE)
        case Does.ANSWER if await may_decide(service, game, user):
            return Speaker(REFEREE, REFEREE)
        case Does.LOOK:
            key = await reader_of(service, game, user)
            return Speaker(key, key)
    return await seat_for(service, game, user)


async def speaker_for(service: Service, game: GameRow, user: int, player: str) -> Speaker | None:
    """As whom a user acts for a player, if he may; refused if he plays no seat at all."""
    speakers = await _speakers(service, game, user)
    if not speakers:
        raise RuleViolation("no_seat")
    return next((each for each in speakers if each.player == player), None)


async def _speakers(service: Service, game: GameRow, user: int) -> list[Speaker]:
    """All the seats that a user plays: his own, and as referee those that nobody holds."""
    seats = await service.store.seats(game.id)
    speakers = [Speaker(seat.key, seat.key) for seat in seats if seat.user == user]
    if is_referee(game, user):
        speakers += [Speaker(seat.key, REFEREE) for seat in seats if seat.user is None]
    return speakers


async def seat_for(service: Service, game: GameRow, user: int) -> Speaker:
    """The seat that a user plays; of several the one that is waited for."""
    speakers = await _speakers(service, game, user)
    if not speakers:
        raise RuleViolation("no_seat")
    waiting = waits_of((await service.load(game.id)).state)
    return next((each for each in speakers if each.player in waiting), speakers[0])


def is_referee(game: GameRow, user: int) -> bool:
    """Whether a user is the game's referee, or the second one."""
    return user in (game.referee, game.second)


def check_referee(game: GameRow, user: int) -> None:
    """Refuses everybody but the game's referees."""
    if not is_referee(game, user):
        raise RuleViolation("only_the_referee")


async def may_decide(service: Service, game: GameRow, user: int) -> bool:
    """Whether a user decides as referee on what is proposed: not on his own proposal."""
    proposal = await service.store.proposal(game.id, game.head)
    if not is_referee(game, user) or proposal is None:
        return False
    seats = await service.store.seats(game.id)
    return all(seat.user != user for seat in seats if seat.key == proposal.actor)


async def reader_of(service: Service, game: GameRow, user: int) -> str:
    """As whom a user looks on; who has no seat sees what the referee sees, for that is public."""
    held = any(seat.user == user for seat in await service.store.seats(game.id))
    return (await seat_for(service, game, user)).player if held else REFEREE

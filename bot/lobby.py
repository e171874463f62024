"""A game before it starts and as a whole: its seats, its galaxy, its files."""

from collections.abc import Mapping
from typing import Final

from bot.files import read_game
from bot.phrases import Language, Phrases, safe
from bot.ready_made import LEAST_PLAYERS, RACES, ready_made
from bot.service import Service, seal_of
from bot.store import GameRow, Seat
from rules_core.errors import FileError, RuleViolation
from rules_core.game_file import GameFile
from rules_core.position import MAX_CHARACTERS

# A character takes up to four bytes.
MAX_BYTES: Final = 4 * MAX_CHARACTERS


async def open_game(service: Service, guild: int, channel: int, user: int, name: str, language: Language) -> GameRow:
    """A new game with a seat for every race; `user` is its referee."""
    return await service.create(guild, channel, language, user, ready_made(name, RACES))


async def begin(service: Service, game: GameRow) -> None:
    """Starts a game. A ready-made galaxy becomes one for those who joined; any other needs a user in every seat."""
    seats = await service.store.seats(game.id)
    holders = {seat.key: seat.user for seat in seats if seat.user is not None}
    vacant = tuple(seat.key for seat in seats if seat.user is None)
    if vacant and game.status == "lobby":
        if game.chain != ready_made(game.name, RACES).head:
            raise RuleViolation("vacant_seats", players=vacant)
        if len(holders) < LEAST_PLAYERS:
            raise RuleViolation("too_few_players", least=LEAST_PLAYERS, joined=len(holders))
        joined = tuple(race for race in RACES if race.key in holders)
        await service.set_up(game.id, ready_made(game.name, joined), holders)
    await service.start(game.id)


async def replace_beginning(service: Service, game: GameRow, file: GameFile) -> None:
    """Another beginning for a game in the lobby; who has joined is seated in the order of its players."""
    users = [seat.user for seat in await service.store.seats(game.id) if seat.user is not None]
    players = [player.key for player in file.start.players]
    await service.set_up(game.id, file, dict(zip(players, users, strict=False)))


def read_upload(content: bytes) -> GameFile:
    """The game in an uploaded file; raises FileError."""
    if len(content) > MAX_BYTES:
        raise FileError("", "too_large", most=MAX_CHARACTERS)
    try:
        return read_game(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise FileError("", "not_utf8") from error


async def describe(service: Service, game: GameRow, words: Phrases) -> str:
    """The game and who sits where, in seat order. Users are shown as mentions that ping nobody."""
    seats = {seat.key: seat for seat in await service.store.seats(game.id)}
    players = (await service.load(game.id)).state.players
    taken = sum(seat.user is not None for seat in seats.values())
    heading = words.say(f"lobby.{game.status}", name=safe(game.name), taken=taken, seats=len(seats))
    lines = (words.say("lobby.seat", player=safe(p.race), user=_user(seats[p.key], words)) for p in players)
    races = {player.key: player.race for player in players}
    return "\n".join(
        (heading, words.say("lobby.referee", user=f"<@{game.referee}>"), *lines, *_seal(game, races, words))
    )


def _seal(game: GameRow, races: Mapping[str, str], words: Phrases) -> list[str]:
    """What binds the dice: published before the first is rolled, so that nobody can choose them."""
    sealed = seal_of(game)
    given = (
        words.say("lobby.words", player=safe(races.get(key, key)), words=safe(own)) for key, own in sealed.words.items()
    )
    secret = [] if sealed.secret is None else [words.say("lobby.secret", secret=sealed.secret.hex())]
    return [words.say("lobby.seal", seal=sealed.sha256), *given, *secret]


def _user(seat: Seat, words: Phrases) -> str:
    return words.say("lobby.vacant") if seat.user is None else f"<@{seat.user}>"

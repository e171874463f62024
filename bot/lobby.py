"""A game before it starts and as a whole: its seats, its galaxy, its files."""

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.agreed import Agreed, read_agreed
from bot.edits import option
from bot.files import read_game
from bot.galaxies import (
    BOUND,
    MAX_RINGS,
    RACES,
    SEATS,
    generate,
    least_rings,
    races,
    ready_made,
    score_legend,
    score_table,
    scores,
)
from bot.galaxies import unfairness as unfairness_of
from bot.galaxies.edits import seat as reseated
from bot.phrases import LANGUAGES, Language, Phrases, phrases, safe
from bot.rows import GameRow, Seat
from bot.sealed import seal_of
from bot.service import Service
from bot.slash import Texts
from rules_core.apply import fold
from rules_core.commands import SetOption
from rules_core.errors import FileError, RuleViolation, Unreadable
from rules_core.game_file import GameFile, chain_start, chained
from rules_core.history import REFEREE
from rules_core.position import MAX_CHARACTERS, MAX_NAME
from rules_core.referee import option_set
from rules_core.state import State

# A character takes up to four bytes.
MAX_BYTES: Final = 4 * MAX_CHARACTERS
MAX_SEED: Final = 40
# The keys of races that are our own are their colours.
COLOURS: Final = frozenset(race.key for race in RACES)
SAME: Final[Mapping[str, str]] = {}

Seats = Sequence[tuple[str, str]]


# ---- who sits where


async def open_game(
    service: Service, guild: int, channel: int, user: int, name: str, language: Language, seats: int
) -> GameRow:
    """A new game with so many seats in a ready-made galaxy; `user` is its referee."""
    return await service.create(guild, channel, language, user, ready_made(name, races(language)[:seats], language))


async def join(service: Service, game: GameRow, user: int, wanted: str | None, name: str | None) -> str:
    """Gives a user the seat or colour he wants, or else deals him a free one; `name`: of his race. Gives its key."""
    if game.status != "lobby":
        if name is not None:
            raise RuleViolation("already_started")
        return await service.seating.join(game.id, user, wanted)
    seats = await service.store.seats(game.id)
    free = [player.key for player in await service.seating.free(game.id)]
    if not free or any(seat.user == user for seat in seats):
        return await service.seating.join(game.id, user, wanted)
    key = secrets.choice(free) if wanted is None else wanted
    seated = {seat.key: seat.race for seat in seats}
    race = seated[key] if key in seated else _race_names(game)[key]
    old = key if key in seated else free[-1]
    if old in free and (old, seated[old]) != (key, name or race):
        await _change_seat(service, game, old, (key, name or race))
    return await service.seating.join(game.id, user, key)


async def choices(service: Service, game: GameRow) -> dict[str, str]:
    """What can be joined as, by key: the free seats, and colours nobody has while the galaxy is not fixed."""
    free = {player.key: player.race for player in await service.seating.free(game.id)}
    if game.status != "lobby" or not free or _agreed(game).fixed:
        return free
    seated = _keys((await service.load(game.id)).state)
    return free | {key: race for key, race in _race_names(game).items() if key not in seated}


async def choose(service: Service, game: GameRow, text: str, words: Phrases) -> str:
    """The key of what can be joined as under that name: a race, or a colour; refused with what is free."""
    offered, wanted = await choices(service, game), text.strip().casefold()
    for key, race in offered.items():
        if wanted in (key, race.casefold(), *(in_colour(key, race, phrases(each)).casefold() for each in LANGUAGES)):
            return key
        if key in COLOURS and wanted in (phrases(each).say(f"colour.{key}") for each in LANGUAGES):
            return key
    if not offered:
        raise RuleViolation("no_seat_is_free")
    free = tuple(in_colour(key, race, words) for key, race in offered.items())
    taken = {player.race.casefold(): player.key for player in (await service.load(game.id)).state.players}
    if (key := taken.get(wanted, wanted)) in taken.values():
        raise RuleViolation("seat_is_taken", player=key, free=free)
    raise Unreadable("no_such_seat", text=text, free=free)


def in_colour(key: str, race: str, words: Phrases) -> str:
    """A race with its colour, where its key is one."""
    return words.say("lobby.in_colour", race=race, colour=words.say(f"colour.{key}")) if key in COLOURS else race


async def _change_seat(service: Service, game: GameRow, old: str, new: tuple[str, str]) -> None:
    state = await _beginning(service, game)
    seats = [new if key == old else (key, race) for key, race in _seats(state)]
    await _set_up(service, game, reseated(state, seats), {old: new[0]})


def _seats(state: State) -> list[tuple[str, str]]:
    return [(player.key, player.race) for player in state.players]


def _keys(state: State) -> tuple[str, ...]:
    return tuple(player.key for player in state.players)


def _race_names(game: GameRow) -> dict[str, str]:
    return dict(races(_language(game)))


# ---- the galaxy


async def set_galaxy(service: Service, game: GameRow, seed: str | None, rings: int | None) -> str:
    """Another galaxy for a game in the lobby, from a seed (drawn if None); gives the seed."""
    await _beginning(service, game)
    given = secrets.token_hex(4) if seed is None else seed
    seats = len(await service.store.seats(game.id))
    if rings is not None and not least_rings(seats) <= rings <= MAX_RINGS:
        raise Unreadable("bad_rings", text=str(rings), least=least_rings(seats), most=MAX_RINGS, seats=seats)
    agreed = await service.agree_on(game.id, lambda now: replace(now, seed=given, rings=rings or 0, fixed=False))
    await _make(service, game, agreed)
    return given


async def set_ready_made(service: Service, game: GameRow) -> None:
    """The ready-made galaxy for a game in the lobby."""
    await _beginning(service, game)
    await _make(service, game, await service.agree_on(game.id, lambda now: replace(now, seed="", rings=0, fixed=False)))


async def edit(service: Service, game: GameRow, change: Callable[[State], State]) -> None:
    """A change of the galaxy before the game begins; from then on it stays as it is. Raises FileError."""
    await _set_up(service, game, change(await _beginning(service, game)))
    await service.agree_on(game.id, lambda now: replace(now, fixed=True))


async def change_setting(service: Service, game: GameRow, texts: Texts) -> None:
    """Another setting of the rules: before the game as it begins, later as an edit of the referee."""
    if game.status != "lobby":
        await service.execute(game.id, REFEREE, lambda state: option(state, REFEREE, texts))
        return
    state = await _beginning(service, game)
    command = option(state, REFEREE, texts)
    assert isinstance(command, SetOption), "what that option builds"
    await _set_up(service, game, fold(state, option_set(state, command)))


async def _make(service: Service, game: GameRow, agreed: Agreed, seats: Seats | None = None) -> None:
    """The galaxy that was agreed on, for those who have seats; settings stay."""
    state = (await service.load(game.id)).state
    made = galaxy(agreed, game, _seats(state) if seats is None else seats)
    await _set_up(service, game, replace(made, options=state.options))


def galaxy(agreed: Agreed, game: GameRow, seats: Seats) -> State:
    """The galaxy that was agreed on, between these seats."""
    if not agreed.seed:
        return ready_made(game.name, seats, _language(game)).start
    rings = max(agreed.rings, least_rings(len(seats))) if agreed.rings else None
    return generate(agreed.seed, seats, rings, _language(game), game.name)


async def _beginning(service: Service, game: GameRow) -> State:
    """The position a game in the lobby begins with; refused if it has started, or comes with a log."""
    now = await service.load(game.id)
    if now.row.status != "lobby":
        raise RuleViolation("already_started")
    if now.row.head:
        raise RuleViolation("has_a_log")
    return now.state


async def _set_up(service: Service, game: GameRow, state: State, renamed: Mapping[str, str] = SAME) -> None:
    """Another position to begin with; who has a seat keeps it, under another key where that was `renamed`."""
    seats = await service.store.seats(game.id)
    holders = {renamed.get(seat.key, seat.key): seat.user for seat in seats if seat.user is not None}
    await service.set_up(game.id, GameFile(state, (), chain_start(state)), holders)


def _agreed(game: GameRow) -> Agreed:
    return read_agreed(game.settings)


def _language(game: GameRow) -> Language:
    return "ko" if game.language == "ko" else "en"


# ---- beginning


async def begin(service: Service, game: GameRow) -> None:
    """Starts a game. A galaxy that is not fixed becomes one for those who joined; another needs all seats taken."""
    seats = await service.store.seats(game.id)
    joined = {seat.key for seat in seats if seat.user is not None}
    vacant = tuple(seat.key for seat in seats if seat.user is None)
    if vacant and game.status == "lobby":
        if _agreed(game).fixed:
            raise RuleViolation("vacant_seats", players=vacant)
        if len(joined) < SEATS[0]:
            raise RuleViolation("too_few_players", least=SEATS[0], joined=len(joined))
        state = await _beginning(service, game)
        await _make(service, game, _agreed(game), [seat for seat in _seats(state) if seat[0] in joined])
    await service.start(game.id)


async def open_file(
    service: Service, guild: int, channel: int, user: int, file: GameFile, language: Language
) -> GameRow:
    """A new game that begins as a file says, with its galaxy; `user` is its referee."""
    game = await service.create(guild, channel, language, user, file)
    await service.agree_on(game.id, lambda now: replace(now, fixed=True))
    return game


async def replace_beginning(service: Service, game: GameRow, file: GameFile) -> None:
    """Another beginning for a game in the lobby; who has joined is seated in the order of its players."""
    users = [seat.user for seat in await service.store.seats(game.id) if seat.user is not None]
    players = [player.key for player in file.start.players]
    await service.set_up(game.id, file, dict(zip(players, users, strict=False)))
    await service.agree_on(game.id, lambda now: replace(now, fixed=True))


async def copy(service: Service, game: GameRow, channel: int, user: int, words: Phrases) -> GameRow:
    """A game to try things in, as `game` stands now: with dice of its own, every seat played by `user` as referee."""
    read = read_game(await service.past.game_file(game.id))
    start = replace(read.start, name=words.say("lobby.what_if", name=game.name)[:MAX_NAME].strip())
    head = chain_start(start)
    for entry in read.entries:
        head = chained(head, entry)
    copied = await service.create(game.guild, channel, _language(game), user, GameFile(start, read.entries, head))
    await service.start(copied.id)
    return copied


def read_upload(content: bytes) -> GameFile:
    """The game in an uploaded file; raises FileError."""
    if len(content) > MAX_BYTES:
        raise FileError("", "too_large", most=MAX_CHARACTERS)
    try:
        return read_game(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise FileError("", "not_utf8") from error


# ---- what is shown


async def describe(service: Service, game: GameRow, words: Phrases) -> str:
    """The game and who sits where, in seat order. Users are shown as mentions that ping nobody.

    A game without a referee is one of the local table: there seats are nobody's in particular.
    """
    seats = {seat.key: seat for seat in await service.store.seats(game.id)}
    players = (await service.load(game.id)).state.players
    taken = sum(seat.user is not None for seat in seats.values())
    heading = "full" if game.status == "lobby" and taken == len(seats) else game.status
    vacant = words.say("lobby.for_the_referee" if game.status == "running" else "lobby.vacant")
    lines = (words.say("lobby.seat", player=safe(p.race), user=_user(seats[p.key]) or vacant) for p in players)
    races = {player.key: player.race for player in players}
    referee = words.say("lobby.referee", user=words.list(_referees(game)))
    first = words.say(f"lobby.{heading}", name=safe(game.name), taken=taken, seats=len(seats))
    agreed = _agreed(game)
    ends = () if game.status == "ended" else (words.say(f"victory.{agreed.victory}", goal=agreed.goal),)
    before, people = ((referee,), lines) if game.referee else ((), ())
    return "\n".join((first, *before, *ends, *people, *_seal(game, races, words)))


def changed(game: GameRow, seats: Iterable[Seat], keys: Sequence[str], words: Phrases) -> Iterator[str]:
    """Who has these seats since just now, or who are the referees."""
    if REFEREE in keys:
        yield words.say("lobby.referees_now", users=_referees(game))
    for seat in seats:
        if seat.key in keys:
            player = in_colour(seat.key, safe(seat.race), words)
            yield words.say("lobby.seat_now" if seat.user else "lobby.vacant_now", player=player, user=_user(seat))


def _referees(game: GameRow) -> tuple[str, ...]:
    return tuple(f"<@{user}>" for user in (game.referee, game.second) if user is not None)


def _seal(game: GameRow, races: Mapping[str, str], words: Phrases) -> Iterator[str]:
    """What binds the dice: published before the first is rolled, so that nobody can choose them."""
    sealed = seal_of(game)
    yield words.say("lobby.seal", seal=sealed.sha256)
    for key, own in sealed.words.items():
        yield words.say("lobby.words", player=safe(races.get(key, key)), words=safe(own))
    if sealed.secret is not None:
        yield words.say("lobby.secret", secret=sealed.secret.hex())


def _user(seat: Seat) -> str:
    return "" if seat.user is None else f"<@{seat.user}>"


def _source(agreed: Agreed, words: Phrases) -> str:
    if agreed.fixed:
        return words.say("galaxy.by_hand")
    return words.say("galaxy.from_seed", seed=safe(agreed.seed)) if agreed.seed else words.say("galaxy.ready")


async def describe_galaxy(service: Service, game: GameRow, words: Phrases) -> str:
    """Where the galaxy of a game in the lobby comes from, and how fair it is for each seat."""
    state = (await service.load(game.id)).state
    verdict = words.say("galaxy.unfair" if unfairness_of(scores(state)) else "galaxy.fair", bound=BOUND)
    table = score_table(state, words.language)
    # Once the game has begun it is what it is.
    source = (_source(_agreed(game), words),) if game.status == "lobby" else ()
    return "\n".join((*source, f"```\n{table}\n```", verdict, score_legend(state, words.language)))

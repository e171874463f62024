"""`starpost table`: the same game and the same commands without Discord, typed or from a script."""

import asyncio
import json
import re
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from bot import desk, lobby, local, looks, parse
from bot.clock import SettableClock
from bot.database import IN_MEMORY
from bot.errors import Unusable
from bot.files import first_steps, read_game_at, read_text, write_bytes, write_text
from bot.outbox import Outbox
from bot.phrases import Language, phrases
from bot.reminders import Reminders
from bot.rows import GameRow, Post
from bot.script import CLOCK, OF_THE_TABLE, Line, read_clock, read_command, read_line, read_script
from bot.sealed import sealed_dice
from bot.service import Service
from bot.slash import Slash, Texts
from bot.steps import PostKind
from bot.store import Store
from bot.terminal import Suggested, show_picture, suggested, typed_lines
from renderer.drawable import Drawable
from rules_core.dice import FACES, SECRET_BYTES, Dice, ScriptedDice
from rules_core.errors import Refusal, Unreadable
from rules_core.history import REFEREE
from rules_core.pending import decisions
from rules_core.position import write_position
from rules_core.state import State
from rules_core.turn_order import acting

# The table is the one channel of no server, and nobody in particular is its referee.
NOWHERE: Final = 0
NO_USER: Final = 0
# Time stands still at the table but for its `clock:` lines, so that the same script gives the same transcript.
START: Final = datetime(2026, 1, 1, tzinfo=UTC)
# Beyond it dates themselves end, and what is due later could not be told.
LAST_YEAR: Final = 2999


@dataclass(frozen=True, slots=True)
class Arguments:
    """What `starpost table` was started with."""

    position: Path | None = None
    script: Path | None = None
    strict: bool = False
    dice: str = ""
    seed: str | None = None
    maps: Path | None = None
    transcript: Path | None = None
    export: Path | None = None
    language: Language = "en"
    database: Path | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A post as the channel would show it; `map` names a file."""

    text: str
    mentions: tuple[str, ...]
    map: str | None


@dataclass(frozen=True, slots=True)
class Record:
    """What came of one line, as the transcript has it."""

    line: int
    actor: str | None
    command: str
    ok: bool
    clause: str | None
    text: str
    posts: tuple[Shown, ...] = ()


class TableDice:
    """Given faces before the game's own dice; the faces of what was taken back are given again."""

    def __init__(self, faces: tuple[int, ...], rolled_before: int) -> None:
        self._faces = faces
        self._rolled_before = rolled_before

    def __call__(self, game: GameRow) -> Dice:
        used = max(0, game.rolled - self._rolled_before)
        return ScriptedDice(self._faces[used:], sealed_dice(game))


@dataclass
class Maps:
    """A folder where maps are numbered: `0001.png` was posted, `look-0001.png` is what one player looked at."""

    folder: Path
    counts: Counter[str] = field(default_factory=Counter)

    async def draw(self, picture: Drawable, prefix: str = "") -> str:
        """Draws a map and gives the name of its file."""
        return self.write(await asyncio.to_thread(picture.png), prefix)

    def write(self, image: bytes, prefix: str, suffix: str = "png") -> str:
        """Writes the next picture and gives the name of its file."""
        self.counts[prefix] += 1
        name = f"{prefix}{self.counts[prefix]:04}.{suffix}"
        write_bytes(self.folder / name, image)
        return name


@dataclass
class Screen:
    """The channel of the table: collects what is posted there."""

    language: Language
    maps: Maps | None
    service: Service | None = None
    shown: list[Shown] = field(default_factory=list)

    async def send(self, post: Post, again: bool) -> int | None:
        assert self.service is not None, "a post before there is a game"
        if not await self.service.waiting.is_true(post):
            return None
        if post.kind == PostKind.LOBBY:
            game = await self.service.store.game(post.game)
            self.shown.append(Shown(await lobby.describe(self.service, game, phrases(self.language)), (), None))
            return post.id
        told = await self.service.past.happening(post)
        words = desk.post(post.kind, told, self.language)
        pictures = desk.post_pictures(post.kind, told, self.language) if self.maps else ()
        drawn = [await self.maps.draw(picture) for picture in pictures if self.maps]
        pinged = await self.service.waiting.to_ping(post, words.mentions)
        self.shown.append(Shown(words.text, pinged, drawn[0] if drawn else None))
        return post.id

    def take(self) -> tuple[Shown, ...]:
        """What was posted since the last time."""
        taken, self.shown = tuple(self.shown), []
        return taken


@dataclass(frozen=True, slots=True)
class Table:
    """A game on the table: lines go in, records come out."""

    service: Service
    outbox: Outbox
    screen: Screen
    clock: SettableClock
    game: int
    opening: tuple[Shown, ...] = ()

    async def state(self) -> State:
        """The game as it stands."""
        return (await self.service.load(self.game)).state

    async def follow(self, line: Line) -> Record:
        """Follows a line, or refuses it; what it posts belongs to it."""
        try:
            answer = await self._answer(line)
        except Refusal as error:
            text = desk.refusal(error, await self.state(), self.screen.language)
            return Record(line.number, line.actor, line.typed, False, error.clause, text)
        await self.outbox.empty(NOWHERE)
        return Record(line.number, line.actor, line.typed, True, None, answer, self.screen.take())

    async def suggestions(self, typed: str) -> tuple[Suggested, ...]:
        """How what is typed so far can go on."""
        actor = read_line(typed, 0).actor or waited_for(await self.state())
        command = (typed if read_line(typed, 0).actor is None else typed.partition(":")[2]).lstrip()
        state = await self.service.plans.table_for(self.game, actor, command.partition(" ")[0].removeprefix("/"))
        return suggested(state, actor, command, self.screen.language)

    async def _answer(self, line: Line) -> str:
        if line.actor is None:
            raise Unreadable("malformed_line", text=line.typed)
        if line.actor == CLOCK:
            await self._advance(read_clock(line.typed))
            return self.clock.now().isoformat()
        players = [player.key for player in (await self.state()).players]
        if line.actor not in (*players, REFEREE):
            raise Unreadable("unknown_actor", text=line.actor, known=(*players, REFEREE))
        command, texts = read_command(line.typed)
        if command.name == "language":
            return self._speak(command, texts)
        perform = local.perform if command.name in OF_THE_TABLE else desk.perform
        answer = await perform(self.service, self.game, line.actor, command, texts, self.screen.language)
        if answer.said:
            self.screen.shown.append(Shown(answer.said, (), None))
        if answer.film is not None and self.screen.maps is not None:
            film = await asyncio.to_thread(answer.film.gif)
            return f"{answer.text}\n{self.screen.maps.folder / self.screen.maps.write(film, 'replay-', 'gif')}"
        if answer.picture is None or self.screen.maps is None:
            return answer.text
        return f"{answer.text}\n{self.screen.maps.folder / await self.screen.maps.draw(answer.picture, 'look-')}"

    def _speak(self, command: Slash, texts: Texts) -> str:
        """Whatever the table says from now on is in that language."""
        command.check(texts)
        self.screen.language = parse.parse_language(texts["language"])
        return phrases(self.screen.language).say("discord.language_set")

    async def _advance(self, by: timedelta) -> None:
        """Lets time pass, stopping where something is due."""
        if by > datetime(LAST_YEAR, 12, 31, tzinfo=UTC) - self.clock.now():
            raise Unreadable("clock_ends", year=LAST_YEAR)
        reminders, until = Reminders(self.service, self.clock), self.clock.now() + by
        while (moment := await reminders.next_moment()) is not None and moment <= until:
            self.clock.advance(max(timedelta(), moment - self.clock.now()))
            await reminders.tick()
        self.clock.advance(until - self.clock.now())


# ---- what it is started with


def faces(text: str) -> tuple[int, ...]:
    """The numbers of `--dice`."""
    words = re.split(r"[\s,]+", text.strip()) if text.strip() else []
    for place, word in enumerate(words, 1):
        if not re.fullmatch("[0-9]{1,2}", word) or not 1 <= int(word) <= FACES:
            raise Unusable(f"--dice: number {place} is {word}: expected a number from 1 to {FACES}")
    return tuple(map(int, words))


def secret(text: str | None) -> bytes | None:
    """The bytes of `--seed`."""
    if text is None:
        return None
    if not re.fullmatch(f"[0-9a-fA-F]{{{2 * SECRET_BYTES}}}", text):
        raise Unusable(f"--seed: expected {SECRET_BYTES} bytes as {2 * SECRET_BYTES} digits 0-9 a-f")
    return bytes.fromhex(text)


def maps_folder(arguments: Arguments) -> Path | None:
    """Where maps go: the folder named; a new one if somebody is typing; else none is drawn."""
    if arguments.maps is None:
        return None if arguments.script else Path(tempfile.mkdtemp(prefix="starpost-maps-"))
    try:
        arguments.maps.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unusable(f"{arguments.maps}: not a folder for maps: {error.strerror}") from error
    return arguments.maps


async def _game_of(store: Store, service: Service, arguments: Arguments) -> GameRow:
    """The game of the database, or a new one."""
    found = await store.game_in(NOWHERE)
    if found is None:
        file = read_game_at(arguments.position, arguments.language) if arguments.position else first_steps()
        return await service.create(NOWHERE, NOWHERE, arguments.language, NO_USER, file, secret(arguments.seed))
    for option, given in (("--position", arguments.position), ("--seed", arguments.seed)):
        if given is not None:
            raise Unusable(f"{option}: expected none, for {arguments.database} holds a game already")
    return found


@asynccontextmanager
async def opened(arguments: Arguments) -> AsyncIterator[Table]:
    """The table with its game, begun if it had not been."""
    given, folder = faces(arguments.dice), maps_folder(arguments)
    async with await Store.open(arguments.database or IN_MEMORY) as store:
        clock = SettableClock(START)
        screen = Screen(arguments.language, None if folder is None else Maps(folder))
        game = await _game_of(store, Service(store, clock, _nobody), arguments)
        service = screen.service = Service(store, clock, _nobody, TableDice(given, game.rolled))
        if game.status == "lobby":
            await service.start(game.id)
        # What was owed before the first line belongs to no line.
        opening = Screen(arguments.language, None, service)
        await Outbox(store, opening, clock).empty(NOWHERE)
        yield Table(service, Outbox(store, screen, clock), screen, clock, game.id, opening.take())


def _nobody(channel: int) -> None:
    """The table sends its posts itself, after each line."""


# ---- playing


async def play(arguments: Arguments) -> int:
    """Runs `starpost table`; gives the exit code."""
    lines = None if arguments.script is None else read_script(read_text(arguments.script))
    for path in (arguments.transcript, arguments.export):
        if path is not None:
            write_text(path, "")
    async with opened(arguments) as table:
        code = await (converse(table, arguments) if lines is None else run(table, lines, arguments))
        if arguments.export is not None:
            write_text(arguments.export, write_position(await table.state()))
    return code


async def run(table: Table, lines: Iterable[Line], arguments: Arguments) -> int:
    """Follows the lines of a script; a refusal ends it if the table is strict."""
    for line in lines:
        record = await table.follow(line)
        note(record, arguments.transcript)
        if arguments.transcript is None:
            print(in_words(record, None))
        if arguments.strict and not record.ok:
            return 1
    return 0


async def converse(table: Table, arguments: Arguments) -> int:
    """Follows what is typed until the input ends; who names no actor acts for whoever is waited for."""
    state, language = await table.state(), table.screen.language
    # A game from the database has nothing new to tell: then what it waits for.
    opening = [post.text for post in table.opening] or [looks.status(state, waited_for(state), language)]
    keys = (*(player.key for player in state.players), REFEREE)
    print(*opening, phrases(language).say("table.help", other=keys[-2], keys=", ".join(keys)), sep="\n\n")
    number = 0
    async for typed in typed_lines(table.suggestions):
        number += 1
        line = read_line(typed, number)
        if line.actor is None:
            line = replace(line, actor=waited_for(await table.state()))
        record = await table.follow(line)
        note(record, arguments.transcript)
        print(in_words(record, table.screen.maps))
        for post in record.posts:
            if post.map is not None and table.screen.maps is not None:
                show_picture(table.screen.maps.folder / post.map)
    return 0


def waited_for(state: State) -> str:
    """Who types when no actor is named: the acting player if he can go on, else who must answer first."""
    waiting = [decision.player for decision in decisions(state)]
    now = acting(state)
    return now if now in waiting and now is not None else (waiting or [REFEREE])[0]


def note(record: Record, transcript: Path | None) -> None:
    """Adds a line to the transcript, at once: it is a bug report too."""
    if transcript is not None:
        with transcript.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(record), ensure_ascii=False) + "\n")


def in_words(record: Record, maps: Maps | None) -> str:
    """A record as text: the line, the answer, and what the channel shows."""
    typed = record.command if record.actor is None else f"{record.actor}: {record.command}"
    parts = [typed, record.text]
    for post in record.posts:
        drawn = "" if post.map is None or maps is None else f"\n{maps.folder / post.map}"
        parts.append(f"{post.text}{drawn}")
    return "\n\n".join(parts) + "\n"

"""`starpost demo --once`: a prepared round through the real client, printed as the channel shows it.

Its secret was chosen so that every part of the rules happens. The same output each time.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import discord

from bot.errors import Unusable
from bot.files import read_game, write_bytes
from bot.phrases import Language, phrases
from bot.stand_in import CHANNEL, World, world
from rules_core.history import REFEREE
from rules_core.units import Kind

SECRET: Final = hashlib.sha256(b"prepared round 48").digest()


@dataclass(frozen=True, slots=True)
class Uses:
    """Somebody uses a slash command; `units` are written in the language of the round."""

    who: str
    command: str
    options: Mapping[str, str] = field(default_factory=dict)
    units: Mapping[Kind, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Presses:
    """Somebody presses the button of a choice in the latest message that has it."""

    who: str
    choice: str


@dataclass(frozen=True, slots=True)
class Restarts:
    """The bot is killed and started again."""


Act = Uses | Presses | Restarts
# The answer to what /done asks whoever has done nothing yet.
SURELY_DONE: Final = "done....0.!"
_LOAD: Final = {Kind.GROUND_FORCE: 3, Kind.PDS: 1}
_FLEET: Final = {Kind.DREADNOUGHT: 2, Kind.CARRIER: 2, Kind.CRUISER: 1, Kind.FIGHTER: 3}
ROUND: Final[Sequence[Act]] = (
    Uses("red", "load", {"at": "201", "carrier": "2", "planet": "Emberhall"}, _LOAD),
    Uses("red", "move", {"from": "201", "to": "101"}, _FLEET),
    Uses("red", "move", {"from": "202", "to": "105"}, {Kind.CRUISER: 2}),
    Uses("blue", "done"),
    Uses("blue", "map", {"system": "Marrow"}),
    Uses("red", "done"),
    Presses("red", "battle-105"),
    Presses("red", "retreat-104"),
    Presses("red", "losses-0.0.0.0.1"),
    Presses("yellow", "losses-0.0.2"),
    Presses("blue", "losses-0.0.2"),
    Restarts(),
    Presses("red", "losses-0.0.0.0.2"),
    Presses("blue", "losses-0.2.0"),
    Presses("red", "continue"),
    Uses("red", "bombard", {"planet": "Marrow"}),
    Uses("red", "land", {"planet": "Marrow"}, {Kind.GROUND_FORCE: 5, Kind.PDS: 1}),
    Uses("red", "invade"),
    Uses("blue", "order"),
    Uses("yellow", "done"),
    Uses("yellow", "land", {"planet": "Sunreach"}, {Kind.GROUND_FORCE: 1}),
    Presses("yellow", "invade"),
    Uses("blue", "standing", {"losses": "fighter, cruiser, carrier"}),
    Uses("blue", "done"),
    Presses("blue", SURELY_DONE),
    Uses(REFEREE, "referee next-round"),
)


async def play(language: Language, out: Path | None) -> None:
    """Plays the round, prints the channel, and writes every posted map into the folder `out`."""
    if out is not None:
        _make_folder(out)
    text = files(__package__).joinpath("positions", "prepared.json").read_text(encoding="utf-8")
    async with world(read_game(text), language, SECRET) as here:
        stage = _Stage(here, language, out)
        stage.show_posts()
        for act in ROUND:
            await stage.perform(act)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unusable(f"{folder}: not a folder for maps: {error.strerror}") from error


class _Stage:
    """Performs acts and prints what they bring into the channel."""

    def __init__(self, here: World, language: Language, out: Path | None) -> None:
        self._here = here
        self._channel = here.guild.channels[CHANNEL]
        self._words = phrases(language)
        self._out = out
        self._shown: set[int] = set()
        self._answers: list[discord.Message] = []
        self._maps = 0

    async def perform(self, act: Act) -> None:
        match act:
            case Uses():
                await self._use(act)
            case Presses():
                await self._press(act)
            case Restarts():
                self._say("demo.killed")
                await self._here.restart()

    async def _use(self, act: Uses) -> None:
        options = dict(act.options)
        if act.units:
            options["units"] = self._words.counts(act.units)
        typed = " ".join((act.command, *(f"{name}:{value}" for name, value in options.items())))
        self._say("demo.uses", name=self._name(act.who), command=typed)
        self.show(act.who, await self._here.people[act.who].slash(self._channel, act.command, **options))

    async def _press(self, act: Presses) -> None:
        """Uses a button, or an entry of a select, in the latest message that has it."""
        person = self._here.people[act.who]
        for message in sorted((*self._posts(), *self._answers), key=lambda each: -each.id):
            for item in _items(message):
                if str(item.custom_id).endswith(f":{act.choice}"):
                    self._say("demo.presses", name=self._name(act.who), label=item.label)
                    return self.show(act.who, await person.click(message, custom_id=item.custom_id))
                for option in getattr(item, "options", ()):
                    if option.value == act.choice:
                        self._say("demo.chooses", name=self._name(act.who), label=option.label)
                        chosen = await person.select(message, [option.value], custom_id=item.custom_id)
                        return self.show(act.who, chosen)
        raise LookupError(f"nothing offers {act.choice}")

    def show(self, who: str, result: Any) -> None:
        """Prints what is new: the private answer to `who`, then what everybody sees."""
        for answer in (result.response, *result.followups):
            self._answers.append(answer.message)
            self._print(self._words.say("demo.only", name=self._name(who)), answer.message)
        self.show_posts()

    def show_posts(self) -> None:
        """Prints the posts that are new."""
        new = [message for message in self._posts() if message.id not in self._shown]
        self._shown.update(message.id for message in new)
        for message in new:
            self._print(self._words.say("demo.everybody"), message)

    def _say(self, key: str, **params: object) -> None:
        print(self._words.say(key, **params), end="\n\n")

    def _posts(self) -> list[discord.Message]:
        return [message for message in self._channel.history() if not message.flags.ephemeral]

    def _print(self, heading: str, message: discord.Message) -> None:
        print(heading, *self._lines(message), sep="\n    ", end="\n\n")

    def _lines(self, message: discord.Message) -> Iterable[str]:
        yield from self._with_names(message.content).splitlines()
        for attachment in message.attachments:
            private = message.flags.ephemeral
            yield f"<{_title(attachment)}>" if private else self._map(attachment)
        for item in _items(message):
            yield f"[{item.label}]" if hasattr(item, "label") else f"[{item.placeholder} v]"
            yield from (f"    - {option.label}" for option in getattr(item, "options", ()))

    def _map(self, attachment: discord.Attachment) -> str:
        self._maps += 1
        name = f"{self._maps:04}.png"
        if self._out is not None:
            write_bytes(self._out / name, self._here.picture(attachment))
        return f"<{name}: {_title(attachment)}>"

    def _with_names(self, text: str) -> str:
        names = {str(person.user.id): person.user.global_name for person in self._here.people.values()}
        return re.sub(r"<@(\d+)>", lambda found: f"@{names[found[1]]}", text)

    def _name(self, who: str) -> str:
        return str(self._here.people[who].user.global_name)


def _title(attachment: discord.Attachment) -> str:
    """The first line of what is said of a picture: the rest is the post again."""
    return (attachment.description or attachment.filename).splitlines()[0]


def _items(message: discord.Message) -> Iterable[Any]:
    return (button for row in message.components for button in getattr(row, "children", ()))

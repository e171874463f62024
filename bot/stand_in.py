"""A small world on simcord, the local stand-in of Discord: a server, a channel, four people, a game of three players.

The bot in it is the real one, on the real Discord library and a real database.
"""

import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import discord

from bot.client import StarpostBot, create_bot
from bot.config import Settings
from bot.errors import Unusable
from bot.phrases import Language
from bot.steps import PostKind
from rules_core.game_file import GameFile
from rules_core.history import REFEREE

try:
    import simcord
    from simcord import SetupError
    from simcord.backend.access import can_access_channel
except ModuleNotFoundError as error:
    raise Unusable('starpost demo needs the extra "demo": pip install "starpost[demo]"') from error

__all__ = ["CHANNEL", "SetupError", "World", "world"]

# Who plays: the seats of the game in their order, then the referee.
NAMES: Final = ("Mira", "준호", "Tove")
REFEREE_NAME: Final = "Sol"
CHANNEL: Final = "front"
# Where no game is: to begin one, or to copy the other to.
EMPTY: Final = "new-game"
_LOCALES: Final[Mapping[Language, str]] = {"en": "en-US", "ko": "ko"}


@dataclass
class World:
    """The stand-in with the people in it; `people`: by the key of their seat, and the referee."""

    env: simcord.Env
    settings: Settings
    guild: Any
    people: Mapping[str, Any]

    @property
    def bot(self) -> StarpostBot:
        """The bot that is running now."""
        bot = self.env.bot
        assert isinstance(bot, StarpostBot), "another bot"
        return bot

    def who_sees(self, channel: Any) -> tuple[Any, ...]:
        """Who may look at a channel: not everybody, if it is a private thread."""
        people = self.people.values()
        return tuple(person for person in people if can_access_channel(self.env, channel.id, person, history=True))

    def picture(self, attachment: discord.Attachment) -> bytes:
        """A file that was posted."""
        content = self.env.backend.cdn.get(attachment.url)
        assert content is not None, "posted, but not there"
        return content

    async def restart(self) -> None:
        """Kills the bot, in the middle of anything, and starts another on the same database."""
        killed = self.bot
        # The system does that for a process that is gone.
        killed.lease.release()
        await self.env.restart_bot(create_bot(self.settings))
        # It does nothing any more, but its database thread would keep the program from ending.
        await killed.close()


@asynccontextmanager
async def world(file: GameFile, language: Language, secret: bytes | None = None) -> AsyncIterator[World]:
    """The world with a game that has started, in a database of its own."""
    with tempfile.TemporaryDirectory(prefix="starpost-demo-") as folder:
        settings = Settings(database=Path(folder) / "starpost.db", shards=(0,), of=1, emojis=False)
        async with simcord.run(create_bot(settings), settle_timeout=60, check_errors=False) as env:
            try:
                _speak(env, _LOCALES[language])
                yield await _populated(env, settings, file, language, secret)
            finally:
                await env.bot.close()


async def _populated(
    env: simcord.Env, settings: Settings, file: GameFile, language: Language, secret: bytes | None
) -> World:
    # Before the server is made: the role of the bot there takes its name.
    env.backend.edit_bot_profile("Starpost")
    guild = env.create_guild("Starpost")
    channel = guild.create_text_channel(CHANNEL)
    keys = [player.key for player in file.start.players] + [REFEREE]
    names = (*NAMES, REFEREE_NAME)
    people = {
        key: guild.add_member(env.create_user(key, global_name=name)) for key, name in zip(keys, names, strict=True)
    }
    here = World(env, settings, guild, people)
    referee = people[REFEREE]
    service = here.bot.service
    game = await service.create(guild.id, channel.id, language, referee.user.id, file, secret)
    for key in keys[:-1]:
        await service.seating.join(game.id, people[key].user.id, key)
    await service.tell(game.id, PostKind.LOBBY)
    await referee.slash(channel, "game start")
    guild.create_text_channel(EMPTY)
    return here


def _speak(env: simcord.Env, locale: str) -> None:
    """Gives everybody's Discord a language: the stand-in itself knows English only."""
    emit = env.backend.emit

    def spoken(event: str, payload: Any) -> None:
        emit(event, {**payload, "locale": locale} if event == "INTERACTION_CREATE" else payload)

    env.backend.emit = spoken  # type: ignore[method-assign]

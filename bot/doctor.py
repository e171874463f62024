"""`starpost doctor`: looks at everything the bot needs before it is started, and says of each how it is."""

import argparse
import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import aiohttp
import discord
from discord.http import Route

from bot.backup import copy
from bot.config import Settings, load_settings
from bot.errors import Unusable
from bot.files import first_steps
from bot.lease import Taken, leased
from bot.marks import map_labels
from bot.phrases import Phrases, phrases, safe
from bot.rows import GameRow
from bot.store import Store
from renderer import View
from renderer.drawable import Picture
from renderer.painter import Painter, UndrawableError

# Less than this is soon full.
ENOUGH_DISK: Final = 500 * 2**20
# More than this makes reminders and what Discord shows of times wrong.
ENOUGH_TIME: Final = timedelta(seconds=30)
NEEDED: Final = ("view_channel", "send_messages", "attach_files")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    well: bool
    text: str


def main(parsed: argparse.Namespace) -> tuple[list[str], bool]:
    """What the terminal shows, and whether all is well."""
    words = phrases(parsed.language)
    found = asyncio.run(examine(load_settings(), words))
    return [f"{'+' if each.well else '!'} {each.text}" for each in found], all(each.well for each in found)


async def examine(settings: Settings, words: Phrases) -> list[Finding]:
    """Everything, in the order in which one would mend it."""
    found = [_disk(settings, words), _fonts(words)]
    found += [each async for each in _database(settings, words)]
    found += [each async for each in _discord(settings, words)]
    return found


def _disk(settings: Settings, words: Phrases) -> Finding:
    free = shutil.disk_usage(settings.database.resolve().parent).free
    key = "doctor.disk" if free >= ENOUGH_DISK else "doctor.disk_full"
    return Finding(free >= ENOUGH_DISK, words.say(key, free=free // 2**20))


def _fonts(words: Phrases) -> Finding:
    """Two letters without a picture of their own would be drawn alike; they are drawn as the bot does it."""
    start = first_steps().start
    try:
        with closing(Painter()) as painter:
            maps = (Picture(start, View(title, map_labels("ko")), title) for title in ("가", "나"))
            first, second = (painter.draw(each.png) for each in maps)
    except UndrawableError as error:
        return Finding(False, words.say("doctor.undrawable", reason=str(error).splitlines()[-1]))
    return Finding(first != second, words.say("doctor.fonts" if first != second else "doctor.no_fonts"))


# ---- the database


async def _database(settings: Settings, words: Phrases) -> AsyncIterator[Finding]:
    path = settings.database
    if not path.exists():
        yield Finding(True, words.say("doctor.new_database", path=path))
        return
    try:
        games = await _games(path)
    except (Unusable, sqlite3.Error) as error:
        yield Finding(False, words.say("doctor.database_fault", reason=error))
        return
    yield Finding(True, words.say("doctor.database", path=path, games=len(games)))
    try:
        with leased(path):
            pass
    except Taken:
        yield Finding(True, words.say("doctor.in_use"))


async def _games(path: Path) -> tuple[GameRow, ...]:
    """The games that have not ended, read from a copy: nothing is changed, a bot may be running."""
    with TemporaryDirectory(prefix="starpost-doctor-") as folder:
        made = copy(path, Path(folder) / "copy.db")
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            # Only a write tells that a file is read-only; it is taken back.
            connection.execute(f"PRAGMA user_version = {version}")
            connection.rollback()
        async with await Store.open(made) as store:
            return await store.live_games()


# ---- Discord


async def _discord(settings: Settings, words: Phrases) -> AsyncIterator[Finding]:
    if not settings.token:
        yield Finding(False, words.say("doctor.no_token"))
        return
    async with discord.Client(intents=discord.Intents.none()) as client:
        try:
            yield await _clock(words)
            await client.login(settings.token)
        except discord.LoginFailure:
            yield Finding(False, words.say("doctor.bad_token"))
            return
        except (aiohttp.ClientError, discord.HTTPException) as error:
            yield Finding(False, words.say("doctor.no_discord", reason=error))
            return
        assert client.user is not None, "logged in"
        yield Finding(True, words.say("doctor.token", name=safe(client.user.name)))
        games = await _games(settings.database) if settings.database.exists() else ()
        for game in games:
            yield await _channel(client, client.user.id, game, words)


async def _clock(words: Phrases) -> Finding:
    """Discord says with every answer what time it is."""
    async with aiohttp.ClientSession() as session, session.get(f"{Route.BASE}/gateway") as answer:
        theirs = parsedate_to_datetime(answer.headers["Date"])
    off = abs(datetime.now(UTC) - theirs.astimezone(UTC))
    return Finding(off <= ENOUGH_TIME, words.say("doctor.clock", seconds=round(off.total_seconds())))


async def _channel(client: discord.Client, me: int, game: GameRow, words: Phrases) -> Finding:
    """Whether the bot may do in the channel of a game what it must."""
    params = {"name": safe(game.name), "game": game.id}
    try:
        guild = await client.fetch_guild(game.guild)
        channel = await guild.fetch_channel(game.channel)
        if isinstance(channel, discord.Thread):
            channel = await guild.fetch_channel(channel.parent_id)
        allowed = channel.permissions_for(await guild.fetch_member(me))
    except discord.HTTPException as error:
        return Finding(False, words.say("doctor.channel_fault", reason=safe(str(error)), **params))
    missing = tuple(words.say(f"permission.{name}") for name in NEEDED if not getattr(allowed, name))
    if missing:
        return Finding(False, words.say("doctor.missing", permissions=missing, **params))
    return Finding(True, words.say("doctor.channel", **params))

"""`starpost games`: the games of a database at the terminal: list, show, export, remove."""

import argparse
import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Final

from bot import looks
from bot.clock import SystemClock
from bot.config import load_settings
from bot.errors import Unusable
from bot.files import write_text
from bot.lease import Lease
from bot.moving import move
from bot.phrases import phrases
from bot.pictures import plain
from bot.rows import GameRow
from bot.service import Service
from bot.store import Store
from rules_core.history import REFEREE
from rules_core.position import write_position


def manage(parsed: argparse.Namespace) -> str:
    """Does what was asked for; what the terminal shows. Raises Unusable for a database or game that cannot be."""
    database = parsed.database or load_settings().database
    if not database.exists():
        raise Unusable(f"{database}: there is no such database")
    if parsed.does == "move":
        number = asyncio.run(_number_of(database, parsed))
        moved = move(database, parsed.to, number)
        return phrases(parsed.language).say("archive.moved", game=number, path=parsed.to, number=moved)
    if parsed.does != "remove":
        return asyncio.run(_open(database, parsed))
    lease = Lease.take(database)
    try:
        return asyncio.run(_open(database, parsed))
    finally:
        lease.release()


async def _number_of(database: Path, parsed: argparse.Namespace) -> int:
    """The number of the game that is meant; refused if there is none."""
    async with await Store.open(database) as store:
        return (await _game(Service(store, SystemClock(), _nobody), parsed)).id


async def _open(database: Path, parsed: argparse.Namespace) -> str:
    async with await Store.open(database) as store:
        return await _DOES[parsed.does](Service(store, SystemClock(), _nobody), parsed)


def _nobody(channel: int) -> None:
    """Nothing is posted from here."""


async def _list(service: Service, parsed: argparse.Namespace) -> str:
    words = phrases(parsed.language)
    lines = [
        words.say(
            "archive.line",
            id=game.id,
            name=game.name,
            status=words.say(f"archive.{game.status}"),
            created=game.created[:10],
            events=game.head,
            channel=game.channel,
        )
        for game in await service.store.all_games()
    ]
    return "\n".join(lines) or words.say("archive.none")


async def _show(service: Service, parsed: argparse.Namespace) -> str:
    game = await _game(service, parsed)
    state = (await service.load(game.id)).state
    units = (looks.units(state, player.key, parsed.language) for player in state.players)
    return plain(
        "\n".join((looks.status(state, REFEREE, parsed.language), looks.order(state, parsed.language), *units))
    )


async def _export(service: Service, parsed: argparse.Namespace) -> str:
    game = await _game(service, parsed)
    if parsed.position:
        text = write_position((await service.load(game.id)).state, standing_orders=False)
    else:
        text = await service.past.game_file(game.id)
    write_text(parsed.out, text)
    return phrases(parsed.language).say("archive.exported", name=game.name, path=parsed.out)


async def _remove(service: Service, parsed: argparse.Namespace) -> str:
    game = await _game(service, parsed)
    if game.status == "running" and not parsed.running:
        raise Unusable(f"{game.id}: this game is running; end it first, or remove it all the same with --running")
    await service.store.remove_game(game.id)
    return phrases(parsed.language).say("archive.removed", name=game.name)


async def _game(service: Service, parsed: argparse.Namespace) -> GameRow:
    games = {game.id: game for game in await service.store.all_games()}
    if parsed.id not in games:
        raise Unusable(f"{parsed.id}: there is no such game; there are: {', '.join(map(str, games)) or 'none'}")
    return games[parsed.id]


_DOES: Final[Mapping[str, Callable[[Service, argparse.Namespace], Awaitable[str]]]] = {
    "list": _list,
    "show": _show,
    "export": _export,
    "remove": _remove,
}

"""Maps as files of Discord, drawn in worker threads, a few at a time."""

import asyncio
import io
from typing import Final

import discord

from bot.desk import Drawable

WORKERS: Final = 2


class Drawing:
    """Draws maps without holding up the bot; who asks while all workers draw waits for one."""

    def __init__(self) -> None:
        self._workers = asyncio.Semaphore(WORKERS)

    async def file(self, picture: Drawable) -> discord.File:
        """The map as a new file: a file can be sent only once."""
        async with self._workers:
            png = await asyncio.to_thread(picture.png)
        return discord.File(io.BytesIO(png), "map.png", description=picture.title)

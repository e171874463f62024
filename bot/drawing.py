"""Pictures as files of Discord: drawn in processes of their own, for which threads wait."""

import asyncio
import io
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Final

import discord

from bot.replay import Film
from renderer.drawable import Drawable
from renderer.painter import Painter, Tell

# So many pictures are kept, as files of some 100 KiB.
LATELY: Final = 32
# How often somebody who waits for a film is told how far it is, in seconds.
TELL_EVERY: Final = 2
# All bots of this process share it: it keeps the pictures of games, of which the next step repaints a part.
PAINTER: Final = Painter()


class Drawing:
    """Draws maps without holding up the bot; who asks while one is drawn waits for it."""

    def __init__(self) -> None:
        # One for each, for a thread keeps memory of its own for the largest it had in hand.
        self._maps, self._films = ThreadPoolExecutor(1, "maps"), ThreadPoolExecutor(1, "films")
        # A table that all look at is drawn once.
        self._lately: deque[tuple[Drawable, asyncio.Future[bytes]]] = deque(maxlen=LATELY)

    async def file(self, picture: Drawable) -> discord.File:
        """The map as a new file: a file can be sent only once. Raises UndrawableError."""
        making = next((made for drawn, made in self._lately if drawn == picture and not _failed(made)), None)
        if making is None:
            making = self._in(self._maps, lambda: PAINTER.draw(picture.png))
            self._lately.append((picture, making))
        # Who gives up waiting takes it from nobody else.
        return discord.File(io.BytesIO(await asyncio.shield(making)), "map.png", description=picture.alt)

    async def film(self, film: Film, tell: Callable[[int, int], Awaitable[None]]) -> discord.File:
        """The film as a new file; `tell` is called from time to time with how many frames of how many are done."""
        done = (0, len(film.frames))

        def note(frame: int, of: int) -> None:
            nonlocal done
            done = (frame, of)

        making = self._in(self._films, lambda: _filmed(film, note))
        while not (await asyncio.wait({making}, timeout=TELL_EVERY))[0]:
            await tell(*done)
        return discord.File(io.BytesIO(await making), "replay.gif", description=film.alt)

    def _in(self, worker: ThreadPoolExecutor, make: Callable[[], bytes]) -> asyncio.Future[bytes]:
        return asyncio.get_running_loop().run_in_executor(worker, make)


def release(files: Iterable[discord.File]) -> None:
    """Gives the bytes of files back that were sent; what sent them refers to itself, and would keep them for long."""
    for file in files:
        file.fp.truncate(0)


def _failed(making: asyncio.Future[bytes]) -> bool:
    return making.done() and (making.cancelled() or making.exception() is not None)


def _filmed(film: Film, note: Tell) -> bytes:
    """A film takes much memory and seldom: its process ends with it."""
    with closing(Painter()) as painter:
        return painter.draw(film.gif, note)

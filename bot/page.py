"""The page of `starpost demo`, and its prompt: time, restarts, other channels."""

import asyncio
import contextlib
import re
import signal
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any, Final, TypeVar

from bot.errors import Unusable
from bot.files import first_steps
from bot.phrases import Language, Phrases, phrases
from bot.stand_in import CHANNEL, SetupError, World, world

T = TypeVar("T")
_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}
# simcord bounds the work of one step of time.
_MOST_AT_ONCE: Final = 6 * 3600
_MOST_DAYS: Final = 366
_TRIES: Final = 600
_PAUSE: Final = 0.05


class CannotObey(Exception):
    """A line of the prompt that cannot be followed; `key` and `params` say why."""

    def __init__(self, key: str, **params: object) -> None:
        super().__init__(key)
        self.key = key
        self.params = params


async def serve(language: Language) -> None:
    """Shows the game in the browser until the prompt, the end of its input or a signal ends it."""
    task = asyncio.current_task()
    assert task is not None, "outside a task"
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    async with world(first_steps(), language) as here:
        page = Page(here, phrases(language))
        try:
            await page.open(CHANNEL)
            page.say("demo.help")
            async for line in typed_lines():
                if not await obey(page, line.strip()):
                    break
        finally:
            await page.close()


async def obey(page: "Page", line: str) -> bool:
    """Follows a line of the prompt; false if it was the last."""
    word, _, rest = line.partition(" ")
    try:
        match word:
            case "quit" | "exit":
                return False
            case "advance":
                await page.advance(seconds(rest))
            case "restart":
                await page.restart()
            case "open":
                await page.open(rest.strip())
            case _ if word:
                page.say("demo.help")
    except CannotObey as reason:
        page.say(reason.key, **reason.params)
    return True


def seconds(text: str) -> int:
    """`6h`, `90 m` -> seconds."""
    found = re.fullmatch(r"\s*([0-9]{1,9})\s*([smhd])\s*", text)
    wanted = 0 if found is None else int(found[1]) * _SECONDS[found[2]]
    if not 0 < wanted <= _MOST_DAYS * _SECONDS["d"]:
        raise CannotObey("demo.how_to_advance", days=_MOST_DAYS)
    return wanted


async def when_free(call: Callable[[], Awaitable[T]]) -> T:
    """simcord does one thing at a time: while the page is at it, we wait."""
    for _ in range(_TRIES):
        try:
            return await call()
        except SetupError as error:
            if "overlaps active" not in str(error):
                raise
        await asyncio.sleep(_PAUSE)
    raise CannotObey("demo.busy")


class Page:
    """The one page there is: it shows one channel at a time, always under the same address."""

    def __init__(self, here: World, words: Phrases) -> None:
        self._here = here
        self._words = words
        self._preview: Any = None
        self._ended: asyncio.Task[Any] | None = None
        self._port: int | None = None
        self._secret: str | None = None

    async def open(self, name: str) -> None:
        """Shows a channel, a thread, or the direct messages of a person."""
        channel, viewers = self._find(name)
        await self.close()
        preview = self._here.env.preview(channel, viewers=viewers, layout="channel", port=self._port)
        if self._secret is not None:
            preview.capability = self._secret
        try:
            await preview.__aenter__()
        except SetupError as error:
            raise Unusable(f"the page cannot be shown: {error}") from error
        self._preview = preview
        self._ended = asyncio.create_task(preview.wait_closed())
        self._secret, self._port = preview.capability, int(preview.url.split(":")[2].split("/")[0])
        self.say("demo.page", name=name, url=preview.url)

    async def advance(self, wanted: int) -> None:
        """Moves the clock."""
        for start in range(0, wanted, _MOST_AT_ONCE):
            await when_free(partial(self._here.env.advance_time, min(_MOST_AT_ONCE, wanted - start)))
        self.say("demo.now", time=self._here.env.now().strftime("%Y-%m-%d %H:%M"))
        await self._refresh()

    async def restart(self) -> None:
        """Kills the bot and starts it again."""
        await when_free(self._here.restart)
        self.say("demo.restarted")
        await self._refresh()

    def say(self, key: str, **params: object) -> None:
        """A line at the prompt."""
        print(self._words.say(key, **params), flush=True)

    async def _refresh(self) -> None:
        """Lets the page show what happened without it."""
        if self._ended is None or self._ended.done():
            raise CannotObey("demo.page_ended", name=CHANNEL)
        await when_free(self._preview.refresh)

    async def close(self) -> None:
        """Takes the page down."""
        if self._preview is not None:
            await self._preview.close()

    def _find(self, name: str) -> tuple[Any, tuple[Any, ...]]:
        people = tuple(self._here.people.values())
        for person in people:
            if name.removeprefix("@").casefold() == str(person.user.global_name).casefold():
                return person.user.dm_channel, (person.user,)
        channels = dict(self._here.guild.channels)
        for channel in tuple(channels.values()):
            channels.update({thread.name: thread for thread in channel.threads if self._here.who_sees(thread)})
        if name not in channels:
            known = [*channels, *(f"@{person.user.global_name}" for person in people)]
            raise CannotObey("demo.no_channel", name=name, known=", ".join(known))
        return channels[name], self._here.who_sees(channels[name])


# ---- the prompt


async def typed_lines() -> AsyncIterator[str]:
    """What is typed or piped in. Without any input (`< /dev/null`) the page stays until a signal."""
    async for line in _at_terminal() if sys.stdin.isatty() else _from_pipe():
        yield line


async def _at_terminal() -> AsyncIterator[str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.patch_stdout import patch_stdout

    session: PromptSession[str] = PromptSession("demo> ")
    with patch_stdout():
        while True:
            try:
                yield await session.prompt_async()
            except (EOFError, KeyboardInterrupt):
                return


async def _from_pipe() -> AsyncIterator[str]:
    loop, lines = asyncio.get_running_loop(), asyncio.Queue[str | None]()

    def read() -> None:
        with contextlib.suppress(RuntimeError):  # the program has ended meanwhile
            for line in sys.stdin:
                loop.call_soon_threadsafe(lines.put_nowait, line)
            loop.call_soon_threadsafe(lines.put_nowait, None)

    # A read that nothing ends must not hold up the end of the program.
    threading.Thread(target=read, daemon=True, name="input").start()
    seen = False
    while (line := await lines.get()) is not None:
        seen = True
        yield line
    if not seen:
        await asyncio.Event().wait()

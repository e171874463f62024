"""What the table needs of a terminal: lines with completion and history, and pictures where it can show them."""

import asyncio
import base64
import os
import re
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory

from bot.autocomplete import suggest
from bot.phrases import Language
from bot.script import OF_THE_TABLE
from bot.slash import COMMANDS, Slash
from rules_core.state import State

HISTORY: Final = Path.home() / ".starpost_history"
_CHUNK: Final = 4096


@dataclass(frozen=True, slots=True)
class Suggested:
    """How a line can go on: `text` in place of the last so many characters."""

    text: str
    replaces: int


Suggestions = Callable[[str], Awaitable[tuple[Suggested, ...]]]


class _Completer(Completer):
    """Offers how the line can go on."""

    def __init__(self, suggestions: Suggestions) -> None:
        self._suggestions = suggestions

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> list[Completion]:
        return []  # prompt_toolkit asks the other one below

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        for each in await self._suggestions(document.text_before_cursor):
            yield Completion(each.text, start_position=-each.replaces)


async def typed_lines(suggestions: Suggestions) -> AsyncIterator[str]:
    """The lines that are typed, or piped in, until the input ends."""
    if not sys.stdin.isatty():
        while line := await asyncio.to_thread(sys.stdin.readline):
            if line.strip():
                yield line.strip()
        return
    session: PromptSession[str] = PromptSession(
        "> ", history=FileHistory(str(HISTORY)), completer=_Completer(suggestions), complete_while_typing=True
    )
    while True:
        try:
            line = await session.prompt_async()
        except KeyboardInterrupt:
            # It drops the line that is being typed, never the game; Ctrl-D ends.
            continue
        except EOFError:
            return
        if line.strip():
            yield line.strip()


def suggested(state: State, actor: str, typed: str, language: Language) -> tuple[Suggested, ...]:
    """How a command that is half typed can go on: its name, a value of the option at its end, the next option."""
    commands = {**COMMANDS, **OF_THE_TABLE}
    command = max((c for c in commands.values() if f"{typed} ".startswith(f"/{c.name} ")), key=_length, default=None)
    if command is None or typed == f"/{command.name}":
        names = (f"/{name}" for name in commands)
        return tuple(Suggested(name, len(typed)) for name in names if name.startswith(typed))
    found = list(re.finditer(rf"\s({'|'.join(o.name for o in command.options) or '$'}):\s*", typed))
    texts = {each[1]: typed[each.end() : end].strip() for each, end in _spans(found, len(typed))}
    word = typed.rsplit(maxsplit=1)[-1] if not typed[-1:].isspace() else ""
    others = (f"{option.name}:" for option in command.options if option.name not in texts)
    following = tuple(Suggested(name, len(word)) for name in others if name.startswith(word))
    if not found:
        return following
    value = typed[found[-1].end() :]
    option = command.option(found[-1][1])
    assert option is not None, "the pattern names options only"
    values = suggest(state, actor, command, option, value, texts, language)
    completed = tuple(Suggested(each, len(value)) for each in values if each != value.strip())
    return (*completed, *following) if value.strip() else completed


def _length(command: Slash) -> int:
    return len(command.name)


def _spans(found: list[re.Match[str]], end: int) -> list[tuple[re.Match[str], int]]:
    """Each match with the place where its value ends."""
    return list(zip(found, [*(each.start() for each in found[1:]), end], strict=False))


def show_picture(path: Path) -> None:
    """Shows a picture in a terminal that is known to be able to (iTerm2, WezTerm, kitty)."""
    data = base64.b64encode(path.read_bytes()).decode()
    if os.environ.get("TERM_PROGRAM") in ("iTerm.app", "WezTerm"):
        print(f"\x1b]1337;File=inline=1;width=100%:{data}\a")
    elif os.environ.get("KITTY_WINDOW_ID"):
        chunks = [data[at : at + _CHUNK] for at in range(0, len(data), _CHUNK)]
        for number, chunk in enumerate(chunks):
            head = "a=T,f=100," if number == 0 else ""
            print(f"\x1b_G{head}m={int(number + 1 < len(chunks))};{chunk}\x1b\\", end="")
        print()

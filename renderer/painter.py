"""A process of its own that draws, so that nobody who asks for a picture is held up, and both cores have work.

Run as a program (`python -m renderer.painter`) it is that process: what is to be done comes in, pictures go out, both
as pickles, for the pipe is private to the two. It leaves when the process that started it is gone, however that ended.
"""

import atexit
import pickle
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable
from threading import Lock
from typing import IO, Final

# Who is told how much of how much is done.
Tell = Callable[[int, int], None]

PROGRAM: Final = (sys.executable, "-m", "renderer.painter")
# How a pipe tells that nobody is at its other end any more.
_GONE: Final = (BrokenPipeError, EOFError, pickle.UnpicklingError)
_PATIENCE: Final = 5  # seconds


class UndrawableError(Exception):
    """The painter failed; the text is what it told of the reason."""


class Painter:
    """Draws in its process, which starts with the first picture, and anew if it was killed. Any thread may ask."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def id(self) -> int | None:
        """The number of the process in the system; None before the first picture."""
        return self._process.pid if self._process else None

    def draw(self, make: Callable[..., bytes], tell: Tell | None = None) -> bytes:
        """What `make` gives in the other process, when its turn has come; it gets a `Tell` if there is one here.

        It must be a function of a module, or a method of a value that can be pickled. Raises UndrawableError.
        """
        asked = pickle.dumps((make, tell is not None), pickle.HIGHEST_PROTOCOL)
        with self._lock:
            answer = self._answer(asked, tell) or self._answer(asked, tell) or "the process that draws ended twice"
        if isinstance(answer, str):
            raise UndrawableError(answer)
        return answer

    def close(self) -> None:
        """Ends the process."""
        with self._lock:
            self._leave()

    def _answer(self, asked: bytes, tell: Tell | None) -> bytes | str | None:
        """The picture, or why it cannot be drawn; None if the process is gone."""
        if self._process is None:
            self._process = subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            atexit.register(self.close)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(asked)
            self._process.stdin.flush()
            while isinstance(answer := _heard(self._process.stdout), tuple):
                if tell is not None:
                    tell(*answer)
        except _GONE:
            self._leave()
            return None
        return answer

    def _leave(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate(timeout=_PATIENCE)
            atexit.unregister(self.close)


def _heard(pipe: IO[bytes]) -> bytes | str | tuple[int, int]:
    """The picture, why there is none, or how much of how much is done."""
    told: bytes | str | tuple[int, int] = pickle.load(pipe)
    return told


def main() -> None:
    """Draws what it is asked for until nobody can ask any more."""
    # Ctrl-C and a supervisor's signal reach it too, but the bot wants what it still owes.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    try:
        while True:
            _told(_made(*pickle.load(sys.stdin.buffer)))
    except (EOFError, BrokenPipeError):
        sys.stderr.close()


def _made(make: Callable[..., bytes], telling: bool) -> bytes | str:
    try:
        return make(lambda done, of: _told((done, of))) if telling else make()
    except Exception:
        return traceback.format_exc()


def _told(value: object) -> None:
    pickle.dump(value, sys.stdout.buffer, pickle.HIGHEST_PROTOCOL)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()

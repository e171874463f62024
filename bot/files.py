"""Position and game files from disk or from an upload, the ready-made game among them."""

from importlib.resources import files
from pathlib import Path

from bot.errors import Unusable
from bot.parse import reads_like_a_unit
from bot.phrases import Language, phrases
from rules_core.errors import FileError
from rules_core.game_file import GameFile, read_any


def first_steps() -> GameFile:
    """The small ready-made game: three players, nineteen systems."""
    return read_game(files(__package__).joinpath("positions", "first_steps.json").read_text(encoding="utf-8"))


def read_game(text: str) -> GameFile:
    """A position or game file; raises FileError naming the place."""
    return read_any(text, reads_like_a_unit)


def read_game_at(path: Path, language: Language) -> GameFile:
    """A position or game file on disk; raises Unusable naming file and place."""
    try:
        return read_game(read_text(path))
    except FileError as error:
        problem = phrases(language).file_error(FileError("", error.code, **error.params))
        raise Unusable(": ".join(filter(None, (str(path), error.place, problem)))) from error


def read_text(path: Path) -> str:
    """The text of a file; raises Unusable if it cannot be opened or is not UTF-8."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise Unusable(f"{path}: cannot be opened: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Unusable(f"{path}: byte {error.start + 1}: expected text in UTF-8") from error


def write_text(path: Path, text: str) -> None:
    """Writes a text file; raises Unusable if that is not possible."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Writes a file; raises Unusable if that is not possible."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise Unusable(f"{path}: cannot be written: {error.strerror}") from error

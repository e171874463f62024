"""`starpost backup`, and the same on a schedule: a consistent copy of a database, also of one that is being used."""

import argparse
import contextlib
import os
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from bot.clock import SystemClock
from bot.config import Settings, load_settings
from bot.errors import Unusable
from bot.schema import APPLICATION_ID

_NAME: Final = "starpost-%Y%m%dT%H%M%SZ.db"
_DIGITS: Final = "[0-9]"
_PATTERN: Final = f"starpost-{_DIGITS * 8}T{_DIGITS * 6}Z.db"


def main(parsed: argparse.Namespace) -> Path:
    """What was asked for at the terminal; gives the file that was written."""
    database = parsed.database or load_settings().database
    if parsed.to.is_dir():
        return into(parsed.to, database, SystemClock().now(), parsed.keep)
    if parsed.to.exists():
        raise Unusable(f"{parsed.to}: exists already; expected a folder or a new file")
    return copy(database, parsed.to)


def copy(database: Path, target: Path) -> Path:
    """Copies what is committed now. The target has its name only once it is whole and sound."""
    if not database.exists():
        raise Unusable(f"{database}: there is no such database")
    part = target.with_name(f"{target.name}.part")
    part.unlink(missing_ok=True)
    try:
        with contextlib.closing(_source(database)) as source:
            _copy(source, part)
        os.replace(part, target)
    except (sqlite3.Error, OSError) as error:
        part.unlink(missing_ok=True)
        raise Unusable(f"{target}: the copy cannot be made ({error})") from error
    return target


def _source(database: Path) -> sqlite3.Connection:
    """The database to be read, also where nothing can be written beside it."""
    unwritable = not os.access(database.parent, os.W_OK) and not database.with_name(f"{database.name}-wal").exists()
    address = f"{database.resolve().as_uri()}{'?immutable=1' if unwritable else ''}"
    source = sqlite3.connect(address, uri=True)
    try:
        if source.execute("PRAGMA application_id").fetchone() != (APPLICATION_ID,):
            raise Unusable(f"{database}: a database of another program")
    except sqlite3.Error as error:
        source.close()
        raise Unusable(f"{database}: it cannot be read ({error})") from error
    return source


def _copy(source: sqlite3.Connection, part: Path) -> None:
    with contextlib.closing(sqlite3.connect(part)) as made:
        source.backup(made)
        # One file that can be carried anywhere.
        made.execute("PRAGMA journal_mode = DELETE")
        found = made.execute("PRAGMA integrity_check").fetchall()
    if found != [("ok",)]:
        raise sqlite3.DatabaseError(f"it is damaged: {found[0][0]}")


def into(folder: Path, database: Path, now: datetime, keep: int) -> Path:
    """Copies into a folder under the time; of the copies there, the newest `keep` stay."""
    made = copy(database, folder / now.astimezone(UTC).strftime(_NAME))
    for old in _copies(folder)[:-keep]:
        old.unlink()
    return made


def is_due(settings: Settings, now: datetime) -> bool:
    """Whether it is time for another copy; the copies themselves tell, so that a restart changes nothing."""
    if settings.backups is None:
        return False
    newest = max(map(_made, _copies(settings.backups)), default=None)
    return newest is None or now - newest >= timedelta(hours=settings.backup_hours)


def _copies(folder: Path) -> list[Path]:
    """The copies in a folder, the oldest first; nothing else that lies there."""
    return sorted(
        path for path in folder.glob("starpost-*Z.db") if len(path.name) == len("starpost-20260101T000000Z.db")
    )


def _made(path: Path) -> datetime:
    return datetime.strptime(path.name, _NAME).replace(tzinfo=UTC)

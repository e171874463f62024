"""Settings from the environment and the file `.env`. Each is named and explained in `.env.example`."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Self

from dotenv import dotenv_values

from bot.errors import Unusable

# Of any number that is set.
_MOST: Final = 9999
LOG_FORMATS: Final = ("text", "json")
LOG_LEVELS: Final = ("DEBUG", "INFO", "WARNING", "ERROR")


class SettingsError(Unusable):
    """A setting that cannot be used."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How this installation runs. The token is never shown."""

    token: str = field(default="", repr=False)
    database: Path = Path("starpost.db")
    log_level: str = "INFO"
    log_format: str = "text"
    # A file that is written each minute while all is well.
    health: Path | None = None
    # Wait for the lease on the database instead of leaving, if another process has it.
    standby: bool = False
    # The shards of Discord that this process serves, and of how many (None: all, of as many as Discord advises).
    shards: tuple[int, ...] | None = None
    of: int | None = None
    # Where copies of the database go (None: nowhere), how often, and how many are kept.
    backups: Path | None = None
    backup_hours: int = 24
    backups_kept: int = 7
    # Pictures in the text; off where they could not be shown, as on the page of the demo.
    emojis: bool = True

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> Self:
        """The settings of an environment; what is missing or empty has its default."""
        given = {name: value.strip() for name, value in environment.items() if value.strip()}
        level = given.get("STARPOST_LOG_LEVEL", "INFO").upper()
        if level not in LOG_LEVELS:
            raise SettingsError(f"STARPOST_LOG_LEVEL: {level} is no level; use one of {', '.join(LOG_LEVELS)}")
        form = given.get("STARPOST_LOG_FORMAT", "text").lower()
        if form not in LOG_FORMATS:
            raise SettingsError(f"STARPOST_LOG_FORMAT: {form} is no format; use one of {', '.join(LOG_FORMATS)}")
        return cls(
            token=given.get("DISCORD_TOKEN", ""),
            database=Path(given.get("STARPOST_DATABASE", "starpost.db")),
            log_level=level,
            log_format=form,
            health=Path(file) if (file := given.get("STARPOST_HEALTH", "")) else None,
            backups=Path(folder) if (folder := given.get("STARPOST_BACKUPS", "")) else None,
            backup_hours=_number("STARPOST_BACKUP_HOURS", given.get("STARPOST_BACKUP_HOURS", "24")),
            backups_kept=_number("STARPOST_BACKUPS_KEPT", given.get("STARPOST_BACKUPS_KEPT", "7")),
        )


def _number(name: str, text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text[:5]) <= _MOST:
        raise SettingsError(f"{name}: {text}: expected a number from 1 to {_MOST}")
    return int(text)


def load_settings(env_file: Path = Path(".env")) -> Settings:
    """The settings of this process: its environment before the file `.env`."""
    from_file = {name: value or "" for name, value in dotenv_values(env_file).items()}
    return Settings.read({**from_file, **os.environ})

"""The log: a line for each record, with the numbers of game and event where it has them, and without secrets."""

import json
import logging
import re
from datetime import UTC, datetime
from typing import Final

from bot.config import Settings

# The tokens of interactions stand in the addresses of their answers.
_ADDRESS: Final = re.compile(r"(/(?:webhooks|interactions)/\d+/)[\w.-]+")
_HIDDEN: Final = "[hidden]"
# Libraries that write down, if debugged, what must not be read: every value of the database, every private answer.
_TALKATIVE: Final = ("aiosqlite", "discord")
# What a record may have beside its text: `extra={"game": 7, "event": 12}`.
_NUMBERS: Final = ("game", "event")


class Formatter(logging.Formatter):
    """Makes the lines: for people, or each a JSON object."""

    def __init__(self, token: str, as_json: bool) -> None:
        super().__init__()
        self._token = token
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        fields: dict[str, object] = {"at": at, "level": record.levelname, "logger": record.name}
        fields |= {name: getattr(record, name) for name in _NUMBERS if hasattr(record, name)}
        text = record.getMessage()
        trace = self.formatException(record.exc_info) if record.exc_info else ""
        return self._without_secrets(_json(fields, text, trace) if self._as_json else _line(fields, text, trace))

    def _without_secrets(self, line: str) -> str:
        line = line.replace(self._token, _HIDDEN) if self._token else line
        return _ADDRESS.sub(rf"\1{_HIDDEN}", line)


def _json(fields: dict[str, object], text: str, trace: str) -> str:
    return json.dumps({**fields, "text": text} | ({"trace": trace} if trace else {}), ensure_ascii=False)


def _line(fields: dict[str, object], text: str, trace: str) -> str:
    numbers = [f"{name}={fields[name]}" for name in _NUMBERS if name in fields]
    line = " ".join((str(fields["at"]), f"{fields['level']:<7}", str(fields["logger"]), *numbers, text))
    return f"{line}\n{trace}" if trace else line


def set_up(settings: Settings) -> None:
    """Logs to standard error from now on."""
    handler = logging.StreamHandler()
    handler.setFormatter(Formatter(settings.token, settings.log_format == "json"))
    logging.root.addHandler(handler)
    logging.root.setLevel(settings.log_level)
    for library in _TALKATIVE:
        logging.getLogger(library).setLevel(max(logging.root.level, logging.INFO))

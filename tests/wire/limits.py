"""Discord's limits that simcord does not know. Each check gives the faults it finds as lines; none is the good case."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final

import discord

MIB: Final = 1024 * 1024
REQUEST_BYTES: Final = 25 * MIB
FILE_BYTES: Final = 10 * MIB

_MESSAGE: Final = re.compile(r"(POST|PATCH) /(channels/\d+/messages(/\d+)?|webhooks/\d+/[^/]+(/messages/[^/]+)?)")
_THREAD: Final = re.compile(r"POST /channels/\d+/(messages/\d+/)?threads")
_COMMANDS: Final = re.compile(r"PUT /applications/\d+(/guilds/\d+)?/commands")
_CALLBACK: Final = re.compile(r"POST /interactions/\d+/[^/]+/callback")
_ID: Final = re.compile(r"\d{15,20}")
# Python's \w and Discord's letters and numbers differ in the underscore only, and that is allowed too.
_NAME: Final = re.compile(r"[-'\w]{1,32}")
_LOCALES: Final = frozenset(locale.value for locale in discord.Locale)
_MESSAGE_CALLBACKS: Final = (4, 7)
_CHOICES_CALLBACK: Final = 8


@dataclass(frozen=True, slots=True)
class Upload:
    """A file of a request."""

    field: str
    filename: str
    fp: BytesIO
    description: str | None

    @property
    def size(self) -> int:
        """Its length in bytes."""
        return self.fp.getbuffer().nbytes


def faults(call: str, payload: Any, files: Sequence[Upload]) -> Iterator[str]:
    """What is wrong with a request; `call`: its method and path."""
    for id in re.findall(r"/(?:channels|guilds|users|interactions)/([^/]+)", call):
        if id != "@me" and not _ID.fullmatch(id):
            yield f"{id!r} is no id"
    if _MESSAGE.fullmatch(call):
        yield from _message(payload, files)
    elif _CALLBACK.fullmatch(call):
        yield from _callback(payload, files)
    elif _COMMANDS.fullmatch(call):
        yield from _commands(payload)
    elif _THREAD.fullmatch(call):
        yield from _length("the name of a thread", payload.get("name"), 1, 100)
    elif files:
        yield "files where none belong"


def _length(what: str, text: Any, least: int, most: int) -> Iterator[str]:
    if not isinstance(text, str) or not least <= len(text) <= most:
        yield f"{what} has not {least} to {most} characters: {text!r}"


# ---- messages


def _message(payload: Any, files: Sequence[Upload]) -> Iterator[str]:
    nonce = payload.get("nonce")
    if nonce is not None and len(str(nonce)) > 25:
        yield f"a nonce of more than 25 characters: {nonce}"
    if nonce is not None and not payload.get("enforce_nonce"):
        yield "a nonce that is not enforced"
    yield from _mentions(payload.get("allowed_mentions"))
    yield from _attachments(payload, files)


def _mentions(allowed: Any) -> Iterator[str]:
    """A house rule: nothing is sent that says not whom it may mention."""
    if allowed is None:
        yield "a message without allowed_mentions"
    elif "everyone" in allowed.get("parse", ()) or len(allowed.get("users", ())) > 100:
        yield f"a message that mentions too many: {allowed}"


def _attachments(payload: Any, files: Sequence[Upload]) -> Iterator[str]:
    listed = payload.get("attachments") or ()
    new = {f"files[{each['id']}]" for each in listed if not _ID.fullmatch(str(each["id"]))}
    if new != {file.field for file in files}:
        yield f"attachments {sorted(new)}, but files {[file.field for file in files]}"
    if len(listed) > 10:
        yield f"{len(listed)} files in a message"
    for file in files:
        if not file.size:
            yield f"{file.filename} is empty"
    for each in listed:
        yield from _length("an alt text", each.get("description") or "", 0, 1024)
    for name in re.findall(r'"attachment://([^"]*)"', json.dumps(payload)):
        if name not in {file.filename for file in files}:
            yield f"attachment://{name}, but no such file"


# ---- interactions


def _callback(payload: Any, files: Sequence[Upload]) -> Iterator[str]:
    data = payload.get("data") or {}
    if payload.get("type") in _MESSAGE_CALLBACKS:
        yield from _message(data, files)
    elif payload.get("type") == _CHOICES_CALLBACK:
        yield from _choices("a suggestion", data.get("choices", ()))


def _choices(what: str, choices: Sequence[Any]) -> Iterator[str]:
    if len(choices) > 25:
        yield f"{len(choices)} choices for {what}"
    for choice in choices:
        yield from _length(f"the name of {what}", choice["name"], 1, 100)
        if isinstance(choice["value"], str):
            yield from _length(f"the value of {what}", choice["value"], 1, 100)
        for name in (choice.get("name_localizations") or {}).values():
            yield from _length(f"the name of {what}", name, 1, 100)


# ---- commands


def _commands(payload: Any) -> Iterator[str]:
    if len(payload) > 100:
        yield f"{len(payload)} commands"
    yield from _unique("commands", payload)
    for command in payload:
        yield from _command(command["name"], command)
        if (length := _longest(command)) > 8000:
            yield f"/{command['name']} has {length} characters"


def _command(path: str, each: Any) -> Iterator[str]:
    options = each.get("options") or ()
    yield from _texts(path, each)
    yield from _unique(path, options)
    yield from _choices(path, each.get("choices") or ())
    if len(options) > 25:
        yield f"{path} has {len(options)} options"
    needed = [option.get("required", False) for option in options]
    if needed != sorted(needed, reverse=True):
        yield f"{path}: an option that is needed comes after one that is not"
    for option in options:
        yield from _command(f"{path} {option['name']}", option)


def _texts(path: str, each: Any) -> Iterator[str]:
    names = {"": each["name"], **(each.get("name_localizations") or {})}
    texts = {"": each["description"], **(each.get("description_localizations") or {})}
    for locale in (names.keys() | texts.keys()) - {""} - _LOCALES:
        yield f"{path}: {locale} is no locale"
    for name in names.values():
        if not _NAME.fullmatch(name) or name != name.lower():
            yield f"{path}: {name!r} is no name"
    for text in texts.values():
        yield from _length(f"the description of {path}", text, 1, 100)


def _unique(path: str, siblings: Sequence[Any]) -> Iterator[str]:
    """No two siblings have one name, in no language."""
    for locale in _LOCALES:
        names = [(each.get("name_localizations") or {}).get(locale, each["name"]) for each in siblings]
        if len(set(names)) < len(names):
            yield f"{path}: a name twice in {locale}: {names}"


def _longest(each: Any) -> int:
    """The characters of a command, each text in its longest language."""
    own = max(map(len, [each["name"], *(each.get("name_localizations") or {}).values()]))
    if "description" in each:
        own += max(map(len, [each["description"], *(each.get("description_localizations") or {}).values()]))
    own += len(each["value"]) if isinstance(each.get("value"), str) else 0
    return own + sum(map(_longest, [*(each.get("options") or ()), *(each.get("choices") or ())]))

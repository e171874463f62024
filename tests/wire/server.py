"""The loopback server, and what people do on it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Self

from aiohttp import web
from simcord.backend import serializers
from simcord.backend.models import Interaction, Message
from simcord.enums import InteractionType, OptionType
from simcord.interactions import (
    base_payload,
    nest_options,
    store_interaction_attachment,
    validate_option_value,
    walk_to_subcommand,
)

from tests.wire.gateway import Gateway
from tests.wire.http import Http
from tests.wire.limits import FILE_BYTES, REQUEST_BYTES
from tests.wire.world import World, answered

LOOPBACK: Final = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in the server. `locale`: the language of his Discord."""

    id: int
    name: str
    locale: str = "en-US"


class Told:
    """How an interaction was answered, as it stands now."""

    def __init__(self, server: "WireServer", record: Interaction) -> None:
        self._server = server
        self.record = record

    @property
    def messages(self) -> list[Message]:
        """The answer and what followed it."""
        kept = self._server.world.backend.messages[self.record.channel_id]
        ids = [self.record.message_id, *self.record.followup_ids]
        return [kept[id] for id in ids if id in kept]

    @property
    def text(self) -> str:
        """All that was said."""
        return "\n".join(message.content for message in self.messages)

    @property
    def choices(self) -> list[str]:
        """The values that were suggested."""
        return [choice["value"] for choice in self.record.autocomplete_choices or ()]


class WireServer:
    """Discord, with one server in it. Use it as `async with WireServer() as server`."""

    def __init__(self) -> None:
        self.world = World()
        self.gateway = Gateway(self.world)
        self.http = Http(self.world)
        self.guild = self.world.backend.create_guild("Loopback").id
        application = web.Application(client_max_size=REQUEST_BYTES)
        application.router.add_get("/gateway/", self.gateway.serve)
        application.router.add_get("/files/{path:.*}", self.http.file)
        application.router.add_route("*", "/api/v10/{path:.*}", self.http.serve)
        self._runner = web.AppRunner(application, access_log=None)
        self.port = 0

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        site = web.TCPSite(self._runner, LOOPBACK, 0)
        await site.start()
        self.port = self._runner.addresses[0][1]
        self.gateway.address = self.http.address = f"ws://{LOOPBACK}:{self.port}/gateway/"
        self.world.files.base = f"http://{LOOPBACK}:{self.port}/files"
        return self

    async def __aexit__(self, *error: object) -> None:
        self.gateway.drop()
        await self._runner.cleanup()

    # ---- who and where

    def person(self, name: str, locale: str = "en-US") -> Person:
        """A new member of the server."""
        user = self.world.backend.make_user(name)
        self.world.backend.add_member(self.guild, user.id)
        return Person(user.id, name, locale)

    def channel(self, name: str, guild: int | None = None) -> int:
        """A new text channel."""
        return self.world.backend.create_channel(guild or self.guild, name).id

    def posts(self, channel: int) -> list[Message]:
        """What the bot has said there in public, in order."""
        kept = self.world.backend.messages[channel].values()
        return [message for message in kept if message.author_id == self._bot and not message.is_ephemeral]

    def file_of(self, message: Message) -> bytes:
        """The first file of a message."""
        address = message.attachments[0]["url"]
        data = self.world.files.fetch(address.removeprefix(f"{self.world.files.base}/"))
        assert data is not None, address
        return data

    @property
    def _bot(self) -> int:
        return self.world.backend.bot_user.id

    # ---- what people do

    async def slash(self, who: Person, channel: int, name: str, /, **options: Any) -> Told:
        """Gives a command and waits for the whole answer. A file is a pair of its name and its bytes."""
        return await self.answered(self.send_slash(who, channel, name, **options))

    def send_slash(self, who: Person, channel: int, name: str, /, **options: Any) -> Told:
        """Gives a command."""
        data = self._command(channel, name, options)
        return self._interact(InteractionType.APPLICATION_COMMAND, who, channel, data)

    async def complete(self, who: Person, channel: int, name: str, option: str, text: str, /, **options: Any) -> Told:
        """Types into an option and waits for the suggestions."""
        data = self._command(channel, name, {**options, option: text}, focused=option)
        return await self.answered(self._interact(InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE, who, channel, data))

    async def press(self, who: Person, message: Message) -> Told:
        """Takes the first answer that a message offers and waits for what comes of it."""
        return await self.answered(self.send_press(who, message))

    def send_press(self, who: Person, message: Message) -> Told:
        """Presses the first button of a message, or chooses the first option of its first select."""
        first = offers(message)[0]
        data = {"component_type": first["type"], "custom_id": first["custom_id"]}
        if "options" in first:
            data["values"] = [first["options"][0]["value"]]
        return self._interact(InteractionType.MESSAGE_COMPONENT, who, message.channel_id, data, message)

    async def answered(self, told: Told) -> Told:
        """Waits until an interaction is answered for good."""
        await self.world.until_answered(told.record, answered)
        return told

    async def until(self, true: Callable[[], Any], what: str, seconds: float = 20) -> None:
        """Waits until something is true."""
        await self.world.until(true, what, seconds)

    def pass_time(self, time: timedelta) -> None:
        """Lets time pass for Discord."""
        self.world.backend.advance_clock(time.total_seconds())

    def forgive(self, told: Told) -> None:
        """Discord gives an interaction up: its token is dead, and nobody waits for an answer any more."""
        told.record.expires_at = told.record.initial_response_deadline = self.world.backend.now_iso()
        self.world.given_up.add(told.record.id)

    # ---- interactions

    def _interact(
        self, kind: InteractionType, who: Person, channel: int, data: dict[str, Any], message: Message | None = None
    ) -> Told:
        backend = self.world.backend
        guild = backend.get_channel(channel).guild_id
        record, payload = base_payload(
            backend, type=kind, channel_id=channel, guild_id=guild, user_id=who.id, data=data
        )
        payload |= {"locale": who.locale, "attachment_size_limit": FILE_BYTES}
        if message is not None:
            record.source_message_id = message.id
            payload["message"] = serializers.message_payload(backend, message)
        self.gateway.tell("INTERACTION_CREATE", payload, guild)
        return Told(self, record)

    def _command(
        self, channel: int, name: str, options: Mapping[str, Any], focused: str | None = None
    ) -> dict[str, Any]:
        root, *path = name.split()
        command = self.world.backend.find_command(root, None)
        assert command is not None, f"/{root} is not registered"
        leaf, nesting = walk_to_subcommand(command, path)
        known = {option["name"]: option for option in leaf.get("options") or ()}
        missing = [each for each in known if known[each].get("required") and each not in options]
        assert focused or not missing, f"/{name} needs {missing}"
        resolved: dict[str, Any] = {}
        values = [self._option(name, known[key], options[key], channel, resolved) for key in options]
        for value in values:
            value |= {"focused": True} if value["name"] == focused else {}
        nested = nest_options(command, nesting, values)
        return {"id": command["id"], "name": root, "type": 1, "options": nested, "resolved": resolved}

    def _option(
        self, command: str, option: dict[str, Any], value: Any, channel: int, resolved: dict[str, Any]
    ) -> dict[str, Any]:
        backend = self.world.backend
        wire = value
        if isinstance(value, Person):
            wire = str(value.id)
            guild = backend.get_guild(self.guild)
            member = serializers.member_payload(backend, guild, guild.members[value.id], with_user=False)
            resolved.setdefault("users", {})[wire] = serializers.user_payload(backend.get_user(value.id))
            resolved.setdefault("members", {})[wire] = {**member, "permissions": "0"}
        else:
            validate_option_value(command, option, value)
        if option["type"] == OptionType.ATTACHMENT:
            filename, data = value
            wire = store_interaction_attachment(backend, channel, filename, data, resolved)
        return {"name": option["name"], "type": option["type"], "value": wire}


def offers(message: Message) -> list[dict[str, Any]]:
    """The buttons and selects of a message."""
    return [item for row in message.components for item in row.get("components", ())]

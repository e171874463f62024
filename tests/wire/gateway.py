"""Discord's gateway: sessions that outlive their connection, and the connections that speak for them."""

import asyncio
import copy
import json
import secrets
import time
from collections import deque
from collections.abc import Mapping
from enum import IntEnum
from typing import Any, Final

import discord
from aiohttp import WSMsgType, web
from simcord import intents as intents_of
from simcord.backend import serializers

from tests.wire.world import TOKEN, World

HEARTBEAT_MS: Final = 41_250
PAYLOAD_BYTES: Final = 4096
SENDS: Final = 120
WINDOW: Final = 60.0
BAD_TOKEN: Final = 4004
DISALLOWED_INTENTS: Final = 4014


class Op(IntEnum):
    """The opcodes that are spoken here."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    PRESENCE = 3
    RESUME = 6
    RECONNECT = 7
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class Line:
    """One connection. Frames leave in the order in which they were put."""

    def __init__(self, request: web.Request) -> None:
        self._request = request
        self.socket = web.WebSocketResponse()
        self._frames: asyncio.Queue[str] = asyncio.Queue()
        self._sends: deque[float] = deque(maxlen=SENDS)

    def put(self, frame: str) -> None:
        """Sends a frame before long."""
        self._frames.put_nowait(frame)

    def say(self, op: Op, data: Any = None) -> None:
        """Sends a frame that no session counts."""
        self.put(json.dumps({"op": op, "d": data, "s": None, "t": None}))

    def drop(self) -> None:
        """Cuts the connection without a word."""
        if self._request.transport is not None:
            self._request.transport.abort()

    def too_fast(self) -> bool:
        """Whether the client sends more than Discord takes."""
        now = time.monotonic()
        full = len(self._sends) == SENDS and now - self._sends[0] < WINDOW
        self._sends.append(now)
        return full

    async def write(self) -> None:
        """Sends what is put until the connection ends."""
        while not self.socket.closed:
            await self.socket.send_str(await self._frames.get())


class Session:
    """What the client is told under one session id; kept for a resume."""

    def __init__(self, intents: int, shard: int, shards: int) -> None:
        self.id = secrets.token_hex(8)
        self.intents = discord.Intents._from_value(intents)
        self.shard = shard
        self.shards = shards
        self.line: Line | None = None
        self.ready = False
        self._frames: list[str] = []

    def tell(self, event: str, payload: Mapping[str, Any]) -> None:
        """Sends an event now, or when the client has resumed."""
        number = len(self._frames) + 1
        self._frames.append(json.dumps({"op": Op.DISPATCH, "t": event, "s": number, "d": payload}))
        if self.line is not None:
            self.line.put(self._frames[-1])

    def resume(self, line: Line, heard: int) -> None:
        """Goes on over a new connection after frame number `heard`."""
        self.line = line
        for frame in self._frames[heard:]:
            line.put(frame)
        self.tell("RESUMED", {})

    def covers(self, guild: int | None) -> bool:
        """Whether a server belongs to its shard; direct messages belong to the first."""
        return self.shard == (0 if guild is None else (guild >> 22) % self.shards)


class Gateway:
    """All sessions. What the model announces goes to those whom it concerns."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._backend = world.backend
        self.sessions: dict[str, Session] = {}
        self.address = ""
        self.resumed = 0
        self.identified = 0
        world.backend.subscribers.append(self._announce)

    # ---- what a test does

    def drop(self) -> None:
        """Cuts all connections; their sessions stay."""
        for session in self.sessions.values():
            if session.line is not None:
                session.line.drop()
                session.line = None

    def forget(self) -> None:
        """Cuts all connections and forgets their sessions: a resume will be refused."""
        self.drop()
        self.sessions.clear()

    def ask_reconnect(self) -> None:
        """Asks the clients to come again, as Discord does when it moves them to another machine."""
        for session in self.sessions.values():
            if session.line is not None:
                session.line.say(Op.RECONNECT)
                session.line = None

    def ready(self) -> bool:
        """Whether a client is connected and knows its servers."""
        return any(session.ready and session.line is not None for session in self.sessions.values())

    def tell(self, event: str, payload: Mapping[str, Any], guild: int | None) -> None:
        """Sends an event to the shard that a server belongs to."""
        for session in self.sessions.values():
            if session.covers(guild):
                session.tell(event, payload)

    # ---- what the model announces

    def _announce(self, event: str, payload: Mapping[str, Any]) -> None:
        guild = int(payload["guild_id"]) if payload.get("guild_id") else None
        if event.startswith("GUILD_") and guild is None:
            guild = int(payload["id"])
        for session in self.sessions.values():
            needed = intents_of.required_intent(event, payload)
            if session.ready and session.covers(guild) and (needed is None or getattr(session.intents, needed)):
                session.tell(event, self._seen_by(session, event, payload))

    def _seen_by(self, session: Session, event: str, payload: Mapping[str, Any]) -> Mapping[str, Any]:
        seen = copy.deepcopy(dict(payload))
        if event == "GUILD_CREATE":
            intents_of.prune_guild_create(seen, session.intents, self._backend.bot_user.id)
        return seen

    # ---- a connection

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Speaks with one client until it goes."""
        line = Line(request)
        await line.socket.prepare(request)
        line.say(Op.HELLO, {"heartbeat_interval": HEARTBEAT_MS})
        writing = asyncio.create_task(line.write())
        try:
            async for message in line.socket:
                if message.type is WSMsgType.TEXT:
                    await self._hear(line, message.data)
        finally:
            writing.cancel()
            await asyncio.gather(writing, return_exceptions=True)
            self._hang_up(line)
        return line.socket

    def _hang_up(self, line: Line) -> None:
        for session in self.sessions.values():
            if session.line is line:
                session.line = None

    async def _hear(self, line: Line, text: str) -> None:
        if len(text.encode()) > PAYLOAD_BYTES:
            self._world.complain(f"a gateway message of {len(text.encode())} bytes")
        if line.too_fast():
            self._world.complain("more than 120 gateway messages in a minute")
        said = json.loads(text)
        match said["op"]:
            case Op.HEARTBEAT:
                line.say(Op.HEARTBEAT_ACK)
            case Op.IDENTIFY:
                await self._identify(line, said["d"])
            case Op.RESUME:
                self._resume(line, said["d"])
            case Op.PRESENCE:
                pass
            case op:
                self._world.complain(f"gateway op {op}, which is not spoken here")
        await self._world.changed()

    async def _identify(self, line: Line, data: Mapping[str, Any]) -> None:
        shard, shards = data.get("shard") or (0, 1)
        session = Session(data["intents"], shard, shards)
        if data["token"] != TOKEN:
            await line.socket.close(code=BAD_TOKEN)
        elif intents_of.missing_privileged_intents(session.intents, discord.Intents.none()):
            await line.socket.close(code=DISALLOWED_INTENTS)
        else:
            self.identified += 1
            self.sessions[session.id] = session
            session.line = line
            self._welcome(session)

    def _welcome(self, session: Session) -> None:
        guilds = [guild for guild in self._backend.guilds.values() if session.covers(guild.id)]
        ready = {
            "v": 10,
            "user": serializers.user_payload(self._backend.bot_user),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": self.address,
            "application": {"id": str(self._backend.application_id), "flags": 0},
            "shard": [session.shard, session.shards],
        }
        session.tell("READY", ready)
        for guild in guilds:
            whole = serializers.guild_create_payload(self._backend, guild)
            session.tell("GUILD_CREATE", self._seen_by(session, "GUILD_CREATE", whole))
        session.ready = True

    def _resume(self, line: Line, data: Mapping[str, Any]) -> None:
        session = self.sessions.get(data["session_id"])
        if session is None:
            line.say(Op.INVALID_SESSION, False)
        else:
            self.resumed += 1
            session.resume(line, data["seq"])

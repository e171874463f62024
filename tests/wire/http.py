"""Discord's HTTP interface: what a request goes through before simcord's model answers it, and what can go wrong."""

import asyncio
import json
import math
import re
import time
from collections import deque
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Final

from aiohttp import web
from aiohttp.web_request import FileField
from simcord.backend import serializers
from simcord.backend.errors import BackendError, invalid_form_body
from simcord.http import client as _  # noqa: F401  (importing it registers the routes)
from simcord.http.router import RouteNotImplemented, UnsupportedField, dispatch

from tests.wire.limits import FILE_BYTES, REQUEST_BYTES, Upload, faults
from tests.wire.world import TOKEN, World

INVALID_FORM: Final = 50035
_OWN_MESSAGE: Final = re.compile(r"POST /channels/(\d+)/messages")
_BY_TOKEN: Final = re.compile(r"\w+ /(?:interactions/\d+/([^/]+)/callback|webhooks/\d+/([^/]+)(?:/.*)?)")


@dataclass(frozen=True, slots=True)
class Call:
    """A request that came in. `name`: its method and path."""

    name: str
    payload: Any
    files: tuple[Upload, ...] = ()
    params: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Trouble:
    """What befalls `times` requests whose method and path `matches` describes, after the first `spared` ones.

    They wait for `until`; `carried_out` says whether they are followed; they wait for
    `answer_at`; then they are answered with `status`, or as if nothing were the matter if that is None, or never if it
    is 0: the connection breaks.
    """

    matches: str
    times: int = 1
    spared: int = 0
    status: int | None = None
    carried_out: bool = False
    via: bool = True
    retry_after: float = 0.05
    until: asyncio.Event | None = None
    answer_at: asyncio.Event | None = None
    met: int = 0

    def meets(self, name: str) -> bool:
        """Whether a request falls into it."""
        if self.met >= self.times or re.match(self.matches, name) is None:
            return False
        self.spared -= 1
        return self.spared < 0


@dataclass(slots=True)
class Bucket:
    """A rate limit: so many requests in so many seconds."""

    limit: int
    seconds: float
    taken: deque[float] = field(default_factory=deque)

    def take(self, now: float) -> float:
        """Takes a place and gives 0, or says how long to wait for one."""
        while self.taken and now - self.taken[0] >= self.seconds:
            self.taken.popleft()
        if len(self.taken) >= self.limit:
            return self.seconds - (now - self.taken[0])
        self.taken.append(now)
        return 0

    def headers(self, name: str, now: float) -> dict[str, str]:
        """What Discord says of it with each answer."""
        after = self.seconds - (now - self.taken[0]) if self.taken else 0.0
        return {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(self.limit - len(self.taken)),
            "X-RateLimit-Reset": f"{time.time() + after:.3f}",
            "X-RateLimit-Reset-After": f"{after:.3f}",
            "X-RateLimit-Bucket": f"{hash(name) & 0xFFFFFFFF:08x}",
        }


class Http:
    """All requests of the bot. `rate`: requests and seconds of each rate limit; `each_second`: the one over all."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._backend = world.backend
        self._buckets: dict[str, Bucket] = {}
        self.rate: tuple[int, float] = (100, 1.0)
        self.each_second: int | None = None
        self.trouble: list[Trouble] = []
        self.calls: deque[str] = deque(maxlen=10_000)
        self.limited = 0
        self.address = ""

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Answers one request."""
        name = f"{request.method} /{request.match_info['path']}"
        self.calls.append(name)
        met = next((each for each in self.trouble if each.meets(name)), None)
        try:
            if met is None:
                return await self._answer(request, name)
            return await self._in_trouble(request, name, met)
        finally:
            await self._world.changed(_token(name))

    async def file(self, request: web.Request) -> web.Response:
        """An uploaded file."""
        data = self._world.files.fetch(request.match_info["path"])
        return web.Response(status=404) if data is None else web.Response(body=data)

    async def _in_trouble(self, request: web.Request, name: str, trouble: Trouble) -> web.StreamResponse:
        call = await self._read(request, name)
        trouble.met += 1
        await self._world.changed()
        if trouble.until is not None:
            await trouble.until.wait()
        follows = trouble.carried_out or trouble.status is None
        answer = self._followed(call) if follows else _refusal(trouble)
        await self._world.changed()
        if trouble.answer_at is not None:
            await trouble.answer_at.wait()
        if trouble.status == 0 and request.transport is not None:
            request.transport.abort()
        return answer

    async def _answer(self, request: web.Request, name: str) -> web.Response:
        now = time.monotonic()
        bucket, wait = self._bucket(name), 0.0
        if _token(name) is None:
            wait = bucket.take(now) or self._over_all(now)
        headers = bucket.headers(name, now)
        if wait:
            self.limited += 1
            return _json(429, {"message": "You are being rate limited.", "retry_after": wait, "global": False}, headers)
        if _token(name) is None and request.headers.get("Authorization") != f"Bot {TOKEN}":
            return _json(401, {"message": "401: Unauthorized", "code": 0}, headers)
        try:
            call = await self._read(request, name)
        except web.HTTPRequestEntityTooLarge:
            self._world.complain(f"{name}: a request of more than {REQUEST_BYTES} bytes")
            return _json(413, {"message": "Request entity too large", "code": 40005}, headers)
        answer = self._followed(call)
        answer.headers.update(headers)
        return answer

    def _bucket(self, name: str) -> Bucket:
        # Discord counts by route and by channel, server or webhook; what comes after it does not matter.
        key = "/".join(part for at, part in enumerate(name.split("/")) if at < 3 or not part.isdigit())
        return self._buckets.setdefault(key, Bucket(*self.rate))

    def _over_all(self, now: float) -> float:
        if self.each_second is None:
            return 0
        return self._buckets.setdefault("all", Bucket(self.each_second, 1.0)).take(now)

    async def _read(self, request: web.Request, name: str) -> Call:
        params = dict(request.query)
        if request.content_type != "multipart/form-data":
            return Call(name, await request.json() if request.can_read_body else None, (), params)
        form = await request.post()
        payload = json.loads(str(form["payload_json"]))
        listed = (payload.get("data") or payload).get("attachments") or ()
        texts = {f"files[{each['id']}]": each.get("description") for each in listed}
        files = [
            Upload(key, part.filename, BytesIO(part.file.read()), texts.get(key))
            for key, part in form.items()
            if isinstance(part, FileField)
        ]
        return Call(name, payload, tuple(files), params)

    def _followed(self, call: Call) -> web.Response:
        try:
            found = self._follow(call)
        except (RouteNotImplemented, UnsupportedField) as gap:
            self._world.complain(f"{call.name}: {gap}")
            return _json(501, gap.to_json())
        except BackendError as error:
            if error.code == INVALID_FORM:
                self._world.complain(f"{call.name}: {error}")
            return _json(error.status, error.to_json())
        return web.Response(status=204) if found is None else _json(200, found)

    def _follow(self, call: Call) -> Any:
        if found := list(faults(call.name, call.payload, call.files)):
            raise invalid_form_body("; ".join(found))
        if any(file.size > FILE_BYTES for file in call.files):
            self._world.complain(f"{call.name}: a file of more than {FILE_BYTES} bytes")
            raise BackendError(413, 40005, "Request entity too large")
        method, path = call.name.split(" ", 1)
        if path == "/gateway/bot":
            return self._gateway()
        self._check_token(call.name)
        if (known := self._known(call)) is not None:
            return known
        done = dispatch(self._backend, method, path, json=call.payload, params=call.params, files=list(call.files))
        self._remember(call, done)
        return done

    def _gateway(self) -> dict[str, Any]:
        limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 16}
        return {"url": self.address, "shards": self._world.shards, "session_start_limit": limit}

    def _check_token(self, name: str) -> None:
        """An interaction's token dies after 15 minutes; the model says "unknown", the service says "invalid"."""
        id = self._backend.interaction_tokens.get(_token(name) or "")
        record = None if id is None else self._backend.interactions[id]
        if record and record.responded and record.expires_at and self._backend.now_iso() >= record.expires_at:
            raise BackendError(401, 50027, "Invalid Webhook Token")

    def _known(self, call: Call) -> Any:
        """The message that was sent with the same nonce before: it is not sent again."""
        posted = _OWN_MESSAGE.fullmatch(call.name)
        if posted is None or not call.payload.get("enforce_nonce"):
            return None
        message = self._world.remembered(int(posted[1]), str(call.payload["nonce"]))
        if message is None:
            return None
        return serializers.message_payload(self._backend, self._backend.get_message(int(posted[1]), message))

    def _remember(self, call: Call, done: Any) -> None:
        posted = _OWN_MESSAGE.fullmatch(call.name)
        if posted is not None and (nonce := call.payload.get("nonce")) is not None:
            self._world.nonces[int(posted[1]), str(nonce)] = int(done["id"]), self._backend.clock.now()


def _token(name: str) -> str | None:
    """The token of the interaction that a request speaks of."""
    found = _BY_TOKEN.fullmatch(name)
    return found and (found[1] or found[2])


def _json(status: int, body: Any, headers: dict[str, str] | None = None) -> web.Response:
    # discord.py compares the type for equality, so it must come without a charset.
    answer = web.Response(status=status, body=json.dumps(body).encode(), headers=headers)
    answer.headers["Content-Type"] = "application/json"
    if status == 429:
        answer.headers["Via"] = "1.1 google"
        answer.headers["Retry-After"] = str(math.ceil(body["retry_after"]))
    return answer


def _refusal(trouble: Trouble) -> web.Response:
    if trouble.status == 429 and trouble.via:
        return _json(429, {"message": "Slow down.", "retry_after": trouble.retry_after, "global": False})
    # What stands before Discord (Cloudflare) answers in its own words.
    return web.Response(status=trouble.status or 500, text=f"error code: {trouble.status}")

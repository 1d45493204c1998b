"""Writes that are sent twice are done once: an `Idempotency-Key` brings the first answer back.

Answers are kept in this process, the newest ones only, and never on disk: they hold text of the memory, which complete
forgetting could not reach there.
"""

import asyncio
import hashlib
from collections import OrderedDict
from dataclasses import dataclass, field

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from commonplace.web.problems import answer, problem

_WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_MOST = 512
MOST_BYTES = 256 * 1024
LONGEST_KEY = 200
_OUR_FAULT = 500
_FORGETTING = "/erasures"  # its answers quote what is forgotten; to ask for it twice does no harm


@dataclass(slots=True)
class _Answer:
    """What was asked under a key, and what was answered, once it is."""

    asked: bytes
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    messages: list[Message] | None = None


class Once:
    """Passes requests on, and answers a repeated one as it was answered before."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._known: OrderedDict[str, _Answer] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        key = Headers(scope=scope).get("idempotency-key") if scope["type"] == "http" else None
        if key is None or scope["method"] not in _WRITES or scope["path"].endswith(_FORGETTING):
            await self._app(scope, receive, send)
            if scope.get("path", "").endswith(_FORGETTING):
                self._known.clear()  # nor may an earlier answer keep it
            return
        if not key.strip() or len(key) > LONGEST_KEY:
            told = problem("validation_error", f"An Idempotency-Key has 1 to {LONGEST_KEY} characters.")
            await answer(told)(scope, receive, send)
            return
        request = await receive()
        asked = fingerprint(scope, request.get("body", b""))
        known = self._known.get(key)
        while known is not None and known.asked == asked:
            await known.ready.wait()
            if known.messages is not None:
                for message in known.messages:
                    await send(marked(message))
                return
            known = self._known.get(key)  # it failed; somebody else may be trying again
        if known is not None:
            hint = "Make a new key for each thing that is done."
            told = problem("key_reused", "This Idempotency-Key stands for another request.", hint)
            await answer(told)(scope, receive, send)
            return
        await self._first(key, asked, scope, first_then(request, receive), send)

    async def _first(self, key: str, asked: bytes, scope: Scope, receive: Receive, send: Send) -> None:
        mine = self._known[key] = _Answer(asked)
        sent: list[Message] = []

        async def keeping(message: Message) -> None:
            sent.append(message)
            await send(message)

        try:
            await self._app(scope, receive, keeping)
        finally:
            done = bool(sent) and sent[0]["status"] < _OUR_FAULT and not sent[-1].get("more_body")
            if done and sum(len(message.get("body", b"")) for message in sent) <= MOST_BYTES:
                mine.messages = sent
            elif self._known.get(key) is mine:
                del self._known[key]
            mine.ready.set()
            while len(self._known) > _MOST:
                self._known.popitem(last=False)


def fingerprint(scope: Scope, body: bytes) -> bytes:
    """What tells one request from another."""
    headers = Headers(scope=scope)
    parts = (scope["method"], scope["path"], scope["query_string"].decode("latin-1"), headers.get("if-match", ""))
    return hashlib.sha256("\0".join(parts).encode() + b"\0" + body).digest()


def marked(message: Message) -> Message:
    """A message of an answer that was given before."""
    if message["type"] != "http.response.start":
        return message
    copy = {**message, "headers": list(message["headers"])}
    MutableHeaders(raw=copy["headers"])["idempotency-replayed"] = "true"
    return copy


def first_then(request: Message, receive: Receive) -> Receive:
    """A message that was taken already, then whatever comes."""
    told = [request]

    async def next_message() -> Message:
        return told.pop() if told else await receive()

    return next_message

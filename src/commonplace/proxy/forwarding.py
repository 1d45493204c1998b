"""The proxy itself: requests of a conversation are added to and their answers followed; all else passes byte for byte.

Keys and all other headers are handed on and kept nowhere. An answer that streams is passed on event by event as it
comes. Where the provider refuses a request because of what was added, the request is sent again as it came.
"""

import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

import httpx2
from anyio.to_thread import run_sync
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from commonplace.errors import ValidationError
from commonplace.loopback import called_by, comes_from, names_of
from commonplace.memory import Memory
from commonplace.proxy.anthropic_messages import Messages
from commonplace.proxy.completions import ChatCompletions
from commonplace.proxy.noting import SESSION_HEADER, Told, answered, heard, named, recalled, session_of
from commonplace.proxy.openai_responses import Responses
from commonplace.proxy.wire import Body, Results, Splitter, Spoken, Taken, Wire
from commonplace.tools.table import specs
from commonplace.types.chatting import ToolSpec

Head = list[tuple[bytes, bytes]]
WIRES: tuple[Wire, ...] = (ChatCompletions(), Responses(), Messages())
MOST_ROUNDS = 8
_MOST_UNFINISHED = 200  # conversations with a call of ours that the program knows nothing of
_T = TypeVar("_T")
_log = logging.getLogger(__name__)
_OK = 200
_HOP = frozenset(
    b"connection keep-alive proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade host".split()
)
_OF_BODY = frozenset({b"content-length", b"content-encoding"})
_OURS_TO_MIND = frozenset({400, 404, 413, 422})
"""What a provider answers to a request that it cannot take: perhaps because of what was added to it."""


@dataclass(slots=True)
class Exchange:
    """One request of a program on its way: to where, in which wire format, and what was added."""

    wire: Wire
    url: str
    headers: Head
    raw: bytes
    body: Body
    session: str
    said: list[Spoken]
    told: Told
    ours: frozenset[str]


class Proxy:
    """An ASGI application in front of one provider. `opened` is told which conversation is being had."""

    def __init__(
        self,
        memory: Memory,
        upstream: str,
        *,
        tools: bool = True,
        hosts: Iterable[str] = (),
        opened: Callable[[str], object] = str,
    ) -> None:
        self._memory = memory
        self._upstream = checked(upstream)
        self._unfinished: dict[str, dict[str, Results]] = {}
        self._tools = tools
        self._names = names_of(hosts)
        self._opened = opened
        self._client: httpx2.AsyncClient | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
            return
        headers = Headers(scope=scope)
        if not called_by(headers, self._names):
            answer: Response = PlainTextResponse("This server is not called by that name.", 421)
        elif not comes_from(headers, self._names):
            answer = PlainTextResponse("Pages of other origins may not ask this server.", 403)
        else:
            answer = await self._answer(Request(scope, receive))
        await answer(scope, receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while (await receive())["type"] == "lifespan.startup":
            await send({"type": "lifespan.startup.complete"})
        if self._client is not None:
            await self._client.aclose()
        await send({"type": "lifespan.shutdown.complete"})

    @property
    def _http(self) -> httpx2.AsyncClient:
        """Nothing of the environment, no redirects, no cookies of its own: what comes back is for the program."""
        if self._client is None:
            limits = httpx2.Limits(max_connections=None, max_keepalive_connections=20)
            patience = httpx2.Timeout(None, connect=30.0)
            self._client = httpx2.AsyncClient(timeout=patience, trust_env=False, limits=limits)
            self._client.headers.clear()
        return self._client

    async def _answer(self, request: Request) -> Response:
        url, headers = self._target(request), _passed_on(request.headers)
        wire = next((one for one in WIRES if request.method == "POST" and request.url.path.endswith(one.path)), None)
        try:
            if wire is not None:
                raw = await request.body()
                exchange = await self._prepared(wire, url, headers, raw, request.headers)
                if exchange is not None:
                    return await self._converse(exchange)
                return await self._pass(request.method, url, headers, raw)
            sends = {"content-length", "transfer-encoding"} & set(request.headers.keys())
            return await self._pass(request.method, url, headers, request.stream() if sends else b"")
        except httpx2.HTTPError as error:
            _log.warning("The provider cannot be reached: %s", type(error).__name__)
            problem = f"The provider cannot be reached through the proxy ({type(error).__name__})."
            return JSONResponse((wire or WIRES[0]).error(problem), 502)

    def _target(self, request: Request) -> str:
        path = request.scope.get("raw_path", request.url.path.encode()).decode("latin-1")
        base = urlsplit(self._upstream).path
        if base and (path == base or path.startswith(f"{base}/")):  # both say /v1
            path = path[len(base) :]
        return f"{self._upstream}{path}" + (f"?{request.url.query}" if request.url.query else "")

    async def _pass(self, method: str, url: str, headers: Head, content: Any) -> Response:
        """A request and its answer as they are."""
        answer = await self._http.send(
            self._http.build_request(method, url, headers=headers, content=content), stream=True
        )
        return _Streamed(_raw(answer), answer.status_code, _back(answer.headers))

    # -- a conversation ------------------------------------------------------------------------------------------------

    async def _prepared(self, wire: Wire, url: str, headers: Head, raw: bytes, given: Headers) -> Exchange | None:
        """What is to be sent; None for what is no conversation that we understand."""
        try:
            parsed: object = json.loads(raw)
        except (ValueError, RecursionError):
            return None
        body = cast(Body, parsed) if isinstance(parsed, dict) else Body()
        said = wire.said(body)
        if not any(one.role == "user" for one in said):
            return None
        session = session_of(named(given, wire.session(body)), said)
        if kept := self._unfinished.get(session):
            body = wire.rejoined(body, kept)
        done = await run_sync(heard, self._memory, session, said)
        await run_sync(self._opened, session)
        told = await run_sync(recalled, self._memory, session, said, done)
        taken = wire.names(body)
        offered = [spec for spec in specs() if spec.name not in taken] if self._tools else list[ToolSpec]()
        added = wire.offered(wire.told(body, told.first, told.newest), offered)
        ours = frozenset(spec.name for spec in offered) if wire.names(added) != taken else frozenset[str]()
        plain = _without(headers, _OF_BODY | {b"accept-encoding"})
        head = [*plain, (b"accept-encoding", b"identity")]
        return Exchange(wire, url, head, raw, added, session, said, told, ours)

    async def _converse(self, exchange: Exchange) -> Response:
        answer = await self._ask(exchange, json.dumps(exchange.body).encode())
        if answer.status_code in _OURS_TO_MIND:
            await answer.aclose()
            answer = await self._ask(exchange, exchange.raw)
        if answer.status_code != _OK:
            return _Streamed(_raw(answer), answer.status_code, _back(answer.headers))
        if answer.headers.get("content-type", "").startswith("text/event-stream"):
            head = _without(_back(answer.headers), _OF_BODY)
            return _Streamed(self._streamed(exchange, answer), _OK, head)
        return await self._whole(exchange, answer)

    async def _ask(self, exchange: Exchange, content: bytes) -> httpx2.Response:
        return await self._http.send(
            self._http.build_request("POST", exchange.url, headers=exchange.headers, content=content), stream=True
        )

    async def _whole(self, exchange: Exchange, answer: httpx2.Response) -> Response:
        """An answer in one piece; if our tools are called, the one that follows them."""
        data, body = await answer.aread(), exchange.body
        seen, said, hid = list[Body](), list[str](), False
        for number in range(MOST_ROUNDS):
            try:
                taken, visible = exchange.wire.take(cast(Body, json.loads(data)), exchange.ours)
            except (ValueError, RecursionError, AttributeError, TypeError):
                break
            said.append(taken.text)
            seen.append(visible)
            if not taken.calls:
                break
            hid, results = True, await self._run(exchange, taken)
            if not taken.goes_on or number == MOST_ROUNDS - 1:
                break
            body = exchange.wire.go_on(body, taken, results)
            answer = await self._ask(exchange, json.dumps(self._last(exchange, body, number)).encode())
            data = await answer.aread()
            if answer.status_code != _OK:
                return _plain(data, answer)
        await self._keep(exchange, said)
        return _plain(json.dumps(exchange.wire.joined(seen)).encode() if hid and seen else data, answer)

    async def _streamed(self, exchange: Exchange, answer: httpx2.Response) -> AsyncGenerator[bytes]:
        """An answer event by event, with the ones that follow calls of our tools behind it. What it leaves is kept
        before its end is passed on: then the program hangs up."""
        reader, said, body = exchange.wire.reader(exchange.ours), list[str](), exchange.body
        for number in range(MOST_ROUNDS):
            results: Results | None = None
            splitter = Splitter()
            async with aclosing(_raw(answer, decoded=True)) as chunks:
                async for chunk in chunks:
                    for event in splitter.feed(chunk):
                        passed = list(reader.feed(event))
                        if results is None and reader.taken.whole:
                            said.append(reader.taken.text)
                            results = await self._run(exchange, reader.taken)
                            if not reader.taken.goes_on:
                                await self._keep(exchange, said)
                        for one in passed:
                            yield one
            if rest := splitter.rest():
                yield rest
            if results is None or not reader.taken.goes_on or number == MOST_ROUNDS - 1:
                break
            body = exchange.wire.go_on(body, reader.taken, results)
            answer = await self._ask(exchange, json.dumps(self._last(exchange, body, number)).encode())
            if answer.status_code != _OK:  # too late for a status: it is told as within a stream
                yield b"event: error\ndata: " + b" ".join((await answer.aread()).splitlines()) + b"\n\n"
                return
            reader.begin_round()
        for one in reader.end():
            yield one

    def _last(self, exchange: Exchange, body: Body, number: int) -> Body:
        """The request of the last round has none of our tools: the model has to come to an end."""
        if number < MOST_ROUNDS - 2:
            return body
        kept = [tool for tool in cast(list[Body], body.get("tools", [])) if not _is_named(tool, exchange.ours)]
        return {**body, "tools": kept} if kept else {key: value for key, value in body.items() if key != "tools"}

    async def _run(self, exchange: Exchange, taken: Taken) -> Results:
        results = [
            (call, await run_sync(answered, self._memory, exchange.session, exchange.told, call))
            for call in taken.calls
        ]
        if results and taken.foreign:  # the program answers its own next; the model is to see ours beside them then
            kept = self._unfinished.pop(exchange.session, {})
            self._unfinished[exchange.session] = kept | dict.fromkeys(taken.foreign, results)
            while len(self._unfinished) > _MOST_UNFINISHED:
                del self._unfinished[next(iter(self._unfinished))]
        return results

    async def _keep(self, exchange: Exchange, said: Sequence[str]) -> None:
        """Write down what the model said, as the program will repeat it."""
        text = ("" if isinstance(exchange.wire, ChatCompletions) else "\n").join(filter(None, said))
        if text.strip():
            await run_sync(heard, self._memory, exchange.session, [*exchange.said, Spoken("assistant", text)])


class _Streamed(StreamingResponse):
    """A stream under the provider's own headers; where it breaks off, the connection does."""

    def __init__(self, content: AsyncIterator[bytes], status: int, headers: Head) -> None:
        super().__init__(content, status)
        self.raw_headers = headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        except* (httpx2.HTTPError, httpx2.StreamError) as errors:
            _log.info("The provider's answer broke off: %s", type(errors.exceptions[0]).__name__)


def _plain(data: bytes, answer: httpx2.Response) -> Response:
    response = Response(data, answer.status_code)
    length = (b"content-length", str(len(data)).encode())
    response.raw_headers = [*_without(_back(answer.headers), _OF_BODY), length]
    return response


def checked(upstream: str) -> str:
    """The provider's address, without a slash at its end."""
    parts = urlsplit(upstream)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.username:
        raise ValidationError(
            "The address of the provider is not one that can be asked.",
            hint="Give it as https://api.openai.com/v1, without a key in it.",
        )
    return upstream.rstrip("/")


async def _raw(answer: httpx2.Response, *, decoded: bool = False) -> AsyncGenerator[bytes]:
    """The bytes as they come; `decoded` where they are read here: some providers compress though nobody asked."""
    try:
        async for chunk in answer.aiter_bytes() if decoded else answer.aiter_raw():
            yield chunk
    finally:
        await answer.aclose()


def _passed_on(headers: Headers) -> Head:
    return _without(headers.raw, _HOP | {SESSION_HEADER.encode()})


def _back(headers: httpx2.Headers) -> Head:
    return _without([(name.lower(), value) for name, value in headers.raw], _HOP)


def _without(headers: Head, names: frozenset[bytes]) -> Head:
    return [(name, value) for name, value in headers if name.lower() not in names]


def _is_named(tool: Body, names: frozenset[str]) -> bool:
    function = cast(Body, tool.get("function") or {})
    return tool.get("name", function.get("name")) in names

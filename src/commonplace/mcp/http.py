"""The server over HTTP: who may ask, from where, and how much. What is asked is the server's business.

A browser on this machine can be made to send requests here by any page it shows. So the name that was called must be
one of ours, a page of another origin is refused, and without the token nothing is answered.
"""

import hmac
import socket
from collections.abc import Iterable
from ipaddress import ip_address
from typing import Any, cast
from urllib.parse import urlsplit

import uvicorn
from mcp.server import Server
from mcp.server.streamable_http import EventStore
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from commonplace.errors import ConfigError

PATH = "/mcp"
LARGEST_BODY = 1024 * 1024
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_GRACE = 2  # seconds for answers under way when the server is told to end
_OURS = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # the door below does it for every path


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this machine alone."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def http_app(
    server: Server[Any],
    *,
    token: str | None,
    hosts: Iterable[str] = (),
    event_store: EventStore | None = None,
    retry_interval: int | None = None,
) -> ASGIApp:
    """The application behind its door. `hosts` are names it may be called by, besides those of this machine. With an
    `event_store`, a client whose stream broke may go on with it."""
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=LARGEST_BODY,
        transport_security=_OURS,
        event_store=event_store,
        retry_interval=retry_interval,
    )
    return Door(app, token, frozenset(host.lower() for host in (*_LOOPBACK, *hosts)))


class Door:
    """Lets a request in, or says why not: called by another name 421, from a foreign page 403, without a token 401."""

    def __init__(self, app: ASGIApp, token: str | None, hosts: frozenset[str]) -> None:
        self._app = app
        self._token = None if token is None else token.encode()
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(Headers(scope=scope)) if scope["type"] == "http" else None
        await (refusal or self._app)(scope, receive, send)

    def _refusal(self, headers: Headers) -> Response | None:
        names = headers.getlist("host")
        if len(names) != 1 or _name(f"//{names[0]}") not in self._hosts:
            return PlainTextResponse("This server is not called by that name.", 421)
        if any(_name(origin) not in self._hosts for origin in headers.getlist("origin")):
            return PlainTextResponse("Pages of other origins may not ask this server.", 403)
        if self._token is not None and not _bears(headers.getlist("authorization"), self._token):
            return PlainTextResponse("The token is missing or wrong.", 401, {"www-authenticate": "Bearer"})
        return None


def _name(address: str) -> str | None:
    """The host of an address, without its port; None if there is none."""
    try:
        parts = urlsplit(address)
        _ = parts.port  # raises where it is none
        return parts.hostname if not parts.username and parts.path in {"", "/"} else None
    except ValueError:
        return None


def _bears(given: list[str], token: bytes) -> bool:
    scheme, _, value = given[0].partition(" ") if len(given) == 1 else ("", "", "")
    return scheme.lower() == "bearer" and hmac.compare_digest(value.strip().encode("latin-1", "replace"), token)


def bound(host: str, port: int) -> socket.socket:
    """A listening socket, before anything is promised."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        hint = "Choose another one: --port 0 takes any that is free."
        raise ConfigError(f"Cannot listen on {host} port {port}: {error}.", hint=hint) from error


def serve(app: ASGIApp, listening: socket.socket) -> None:
    """Answer until the process is told to end."""
    config = uvicorn.Config(
        cast(Any, app),
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=_GRACE,
    )
    uvicorn.Server(config).run(sockets=[listening])

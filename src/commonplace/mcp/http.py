"""The server over HTTP: the application behind its door. What is asked is the server's business."""

from collections.abc import Iterable
from typing import Any

from mcp.server import Server
from mcp.server.streamable_http import EventStore
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from commonplace.loopback import bears, called_by, comes_from, names_of

PATH = "/mcp"
LARGEST_BODY = 1024 * 1024
_OURS = TransportSecuritySettings(enable_dns_rebinding_protection=False)  # the door below does it for every path


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
    return Door(app, token, names_of(hosts))


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
        if not called_by(headers, self._hosts):
            return PlainTextResponse("This server is not called by that name.", 421)
        if not comes_from(headers, self._hosts):
            return PlainTextResponse("Pages of other origins may not ask this server.", 403)
        if self._token is not None and not bears(headers, self._token):
            return PlainTextResponse("The token is missing or wrong.", 401, {"www-authenticate": "Bearer"})
        return None

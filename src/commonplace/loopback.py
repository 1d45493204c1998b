"""Listening on an address of this machine, and who may ask there. What is asked is the application's business.

A browser on this machine can be made to send requests here by any page it shows. So the name that was called must be
one of ours, a page of another origin is refused, and without the token nothing is answered.
"""

import hmac
import socket
import threading
from collections.abc import Callable, Iterable
from ipaddress import ip_address
from typing import Any, cast
from urllib.parse import urlsplit

import uvicorn
from starlette.datastructures import Headers
from starlette.types import ASGIApp

from commonplace.errors import ConfigError

LOOPBACK = ("127.0.0.1", "localhost", "::1")
_GRACE = 2  # seconds for answers under way when the server is told to end


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this machine alone."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def names_of(hosts: Iterable[str]) -> frozenset[str]:
    """The names that a server may be called by: those of this machine, and `hosts`."""
    return frozenset(host.lower() for host in (*LOOPBACK, *hosts))


def called_by(headers: Headers, names: frozenset[str]) -> bool:
    """Whether a request calls the server by one of its names."""
    hosts = headers.getlist("host")
    return len(hosts) == 1 and _name(f"//{hosts[0]}") in names


def comes_from(headers: Headers, names: frozenset[str]) -> bool:
    """Whether a request comes from no page at all, or from one of a server with such a name."""
    return all(_name(origin) in names for origin in headers.getlist("origin"))


def bears(headers: Headers, token: bytes) -> bool:
    """Whether a request brings the token."""
    given = headers.getlist("authorization")
    scheme, _, value = given[0].partition(" ") if len(given) == 1 else ("", "", "")
    return scheme.lower() == "bearer" and hmac.compare_digest(value.strip().encode("latin-1", "replace"), token)


def _name(address: str) -> str | None:
    """The host of an address, without its port; None if there is none."""
    try:
        parts = urlsplit(address)
        _ = parts.port  # raises where it is none
        return parts.hostname if not parts.username and parts.path in {"", "/"} else None
    except ValueError:
        return None


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
    _server(app).run(sockets=[listening])


def serve_beside(app: ASGIApp, listening: socket.socket) -> Callable[[], None]:
    """Answer in a thread of its own; what is returned ends that."""
    server = _server(app)
    thread = threading.Thread(target=server.run, args=([listening],), name="serving", daemon=True)
    thread.start()

    def end() -> None:
        server.should_exit = True
        thread.join(2 * _GRACE)

    return end


def address(host: str, listening: socket.socket) -> str:
    """How a server that listens there is called."""
    return f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}"


def _server(app: ASGIApp) -> uvicorn.Server:
    config = uvicorn.Config(
        cast(Any, app),
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=_GRACE,
    )
    return uvicorn.Server(config)

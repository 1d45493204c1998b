"""The server of a team: the API and the MCP endpoint for many people, over books in one database.

It keeps nothing that another server would miss: books, roles, tokens, receipts, long work and the trail are in the
database. So any number may run behind a balancer, and any may be killed at any time.
"""

from __future__ import annotations

import asyncio
import hmac
import signal
import socket
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any, cast

import uvicorn
from fastapi import Depends, FastAPI, Path, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Receive, Scope, Send

from commonplace import __version__
from commonplace.errors import CommonplaceError, StorageError
from commonplace.stores.postgres import OWN, open_database
from commonplace.stores.postgres.schema import NEWEST, version
from commonplace.team import rooms
from commonplace.team.allowance import Allowance
from commonplace.team.credentials import Credentials
from commonplace.team.desks import Desks
from commonplace.team.entrance import MCP, Entrance, Visit, Wardens, trouble
from commonplace.team.issuer import Issuer
from commonplace.team.mcpbooks import TeamServer, manager_of
from commonplace.team.membership import Members
from commonplace.team.receipts import Receipts
from commonplace.team.telemetry import METRICS_TYPE, Metrics, log
from commonplace.team.trail import Trail
from commonplace.watching import INTERVAL
from commonplace.web import reference
from commonplace.web.application import BASE, ROOMS, UNTOLD, tell_problems
from commonplace.web.desk import desk_of

if TYPE_CHECKING:
    from commonplace.app import App
    from commonplace.stores.postgres.connections import Database
    from commonplace.team.desks import TeamDesk

HEALTH, READY, METRICS = "/healthz", "/readyz", "/metrics"
_OPENED = frozenset({HEALTH, READY, METRICS})
_GRACE = 20
"""Seconds for answers under way when the server ends."""


@dataclass(slots=True)
class State:
    """Whether the server takes requests; when it ends, it says so before it does."""

    draining: bool = False
    let_go: Callable[[], None] = lambda: None
    """Ends what would never end by itself: streams of events."""


def team_app(
    app: App,
    address: str,
    *,
    hosts: Iterable[str] = (),
    metrics_token: str = "",
    interval: float = INTERVAL,
    lease: float = 15.0,
    state: State | None = None,
) -> ASGIApp:
    """The application behind its entrance. `hosts` are names it may be called by, besides those of this machine;
    without a `metrics_token` there are no metrics to be had."""
    database, settings = open_database(address), app.settings.team
    members, trail, desks = (
        Members(database),
        Trail(database, settings.trail_days),
        Desks(app, address, interval=interval),
    )
    metrics, manager = Metrics(), manager_of(TeamServer(app))
    current = state or State()
    current.let_go = desks.close

    @asynccontextmanager
    async def running(_: FastAPI) -> AsyncGenerator[None]:
        desks.start()
        async with manager.run():
            yield
        desks.close()

    made = FastAPI(
        title="Commonplace for teams",
        version=__version__,
        summary="A long-term memory for AI agents and the people who work with them.",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=running,
        redirect_slashes=False,
        telemetry=UNTOLD,
    )
    made.state.members, made.state.trail, made.state.desks = members, trail, desks
    made.include_router(rooms.router, prefix=BASE)
    for room in ROOMS:
        made.include_router(room.router, prefix=f"{BASE}/books/{{book}}", dependencies=[Depends(_book)])
    made.include_router(reference.router, prefix="/api", include_in_schema=False)
    made.dependency_overrides[desk_of] = _desk
    tell_problems(made)
    made.add_exception_handler(StorageError, _out_of_reach)

    @made.get(HEALTH, include_in_schema=False)
    def healthy() -> Response:
        return PlainTextResponse("ok\n")

    @made.get(READY, include_in_schema=False)
    def ready() -> Response:
        """Whether requests should be sent here: the database answers, its tables are the right ones, and this server
        goes on."""
        told = "draining" if current.draining else _database_state(database)
        return JSONResponse({"ready": told == "ok", "state": told}, 200 if told == "ok" else 503)

    @made.get(METRICS, include_in_schema=False)
    def measured(request: Request) -> Response:
        given = request.headers.get("authorization", "").removeprefix("Bearer ").encode()
        if not metrics_token:
            raise HTTPException(404)
        if not hmac.compare_digest(given, metrics_token.encode()):
            raise HTTPException(401, "The token for metrics is missing or wrong.")
        text = metrics.text(books_open=len(desks), draining=float(current.draining))
        return Response(text, media_type=METRICS_TYPE)

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith(MCP):
            await manager.handle_request(scope, receive, send)
        else:
            await made(scope, receive, send)

    wardens = Wardens(
        Credentials(database),
        Issuer.configured(settings),
        members,
        desks,
        trail,
        Allowance(settings.requests),
        metrics,
    )
    receipts = Receipts(served, database, lease=lease)
    return Entrance(receipts, wardens, hosts=hosts, opened=_OPENED, paths=lambda: made.openapi()["paths"])


def check_database(address: str) -> None:
    """A database without the right tables is told before anything is promised."""
    open_database(address).run(OWN, lambda connection, _: connection.execute("SELECT 1"))


def _book(book: Annotated[str, Path(max_length=100, description="The book, by its name.")]) -> str:
    """Every request about a book names it; the entrance looked it up."""
    return book


def _desk(request: Request) -> TeamDesk:
    visit: Visit = request.scope["visit"]
    if visit.desk is None:  # the entrance lets nobody through without one
        raise HTTPException(404)
    return visit.desk


def _out_of_reach(_: Request, error: Exception) -> Response:
    return trouble(cast(CommonplaceError, error))


def _database_state(database: Database) -> str:
    try:
        found = database.run(OWN, lambda connection, _: version(connection))
    except StorageError:
        return "the database cannot be reached"
    except CommonplaceError as error:
        return error.message
    return "ok" if found == NEWEST else f"the tables have version {found}, not {NEWEST}"


class _Drained(uvicorn.Server):
    """Ends in two steps: it first says that it is not ready any more, so that a balancer sends nothing new, and after
    `drain` seconds takes no more requests and finishes those under way."""

    def __init__(self, config: uvicorn.Config, state: State, drain: float) -> None:
        super().__init__(config)
        self._state = state
        self._drain = drain

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self._state.draining or not self._drain or sig == signal.SIGINT:
            self._state.draining = True
            self._end(sig, frame)
            return
        self._state.draining = True
        log.info("draining")
        asyncio.get_running_loop().call_later(self._drain, self._end, sig, frame)

    def _end(self, sig: int, frame: FrameType | None) -> None:
        self._state.let_go()
        super().handle_exit(sig, frame)


def serve(app: ASGIApp, listening: socket.socket, state: State, drain: float) -> None:
    """Answer until the process is told to end, and then until everybody who asked has an answer."""
    config = uvicorn.Config(
        cast(Any, app),
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=_GRACE,
    )
    _Drained(config, state, drain).run(sockets=[listening])

"""The application: its routes, what every failure is told as, the files of the page, and the door around it all."""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from fastapi.telemetry import TelemetryConfig
from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope

from commonplace import __version__
from commonplace.app import App
from commonplace.errors import CommonplaceError
from commonplace.loopback import names_of
from commonplace.watching import INTERVAL, watches
from commonplace.web import (
    around,
    changes,
    days,
    entries,
    health,
    messages,
    reference,
    searches,
    streaming,
    upkeep,
    waiting,
)
from commonplace.web.desk import Desk, etag
from commonplace.web.door import Door, Keys
from commonplace.web.jobs import Jobs
from commonplace.web.machine import Machine
from commonplace.web.once import Once
from commonplace.web.problems import Problem, answer, problem, problem_of
from commonplace.web.streaming import Bus, watch_book

BASE = "/api/v1"
ROOMS = (health, entries, searches, days, messages, waiting, changes, upkeep, streaming)
"""What there is to ask of a book, wherever it is served."""
UNTOLD: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
"""What the framework itself would tell of a request has its whole address in it, with what was searched for."""
_FILES = ("/js/", "/css/", "/vendor/", "/img/")
_CODES = {401: "unauthorized", 404: "not_found", 405: "method_not_allowed", 412: "precondition_failed"}


def web_app(
    app: App, keys: Keys, *, hosts: Iterable[str] = (), machine: Machine | None = None, interval: float = INTERVAL
) -> ASGIApp:
    """The application behind its door. `hosts` are names it may be called by, besides those of this machine; `machine`
    is there if nobody else can ask."""
    return Door(Once(api(app, keys, machine=machine, interval=interval)), keys, names_of(hosts))


def api(app: App, keys: Keys, *, machine: Machine | None = None, interval: float = INTERVAL) -> FastAPI:
    """The application without its door."""
    bus = Bus()
    desk = Desk(app, app.open(), bus, Jobs(bus.publish), upkeep.Plans(), machine)

    @asynccontextmanager
    async def watched(_: FastAPI) -> AsyncGenerator[None]:
        bus.start()
        now = await asyncio.to_thread(watches, desk.memory)
        tasks = [asyncio.create_task(watch_book(desk, now, interval)), asyncio.create_task(_warm_up(desk))]
        yield
        for task in tasks:
            task.cancel()
        bus.close()
        await asyncio.to_thread(desk.jobs.close)

    made = FastAPI(
        title="Commonplace",
        version=__version__,
        summary="A long-term memory for AI agents, in plain Markdown files that belong to you.",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=watched,
        redirect_slashes=False,
        telemetry=UNTOLD,
    )
    made.state.desk = desk
    made.state.keys = keys
    for room in (*ROOMS, around):
        made.include_router(room.router, prefix=BASE)
    made.include_router(reference.router, prefix="/api", include_in_schema=False)
    tell_problems(made)
    made.router.default = Screen(directory=str(files("commonplace.web") / "static"), check_dir=False)
    return made


def tell_problems(made: FastAPI) -> None:
    """Every failure as problem+json, in the OpenAPI document as well."""
    made.openapi = lambda: _document(made)
    made.add_exception_handler(CommonplaceError, _told)
    made.add_exception_handler(RequestValidationError, _not_valid)
    made.add_exception_handler(HTTPException, _no_route)
    made.add_exception_handler(entries.Unchanged, _unchanged)
    made.add_exception_handler(Exception, _unexpected)


async def _warm_up(desk: Desk) -> None:
    """Read ahead what takes long in a book with thousands of conversations."""
    try:
        await asyncio.to_thread(desk.memory.session_glances)
    except CommonplaceError:  # whoever asks is told
        return


class Screen(StaticFiles):
    """The files of the page. A path that names no file is a place within the page."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        if scope["path"].startswith("/api"):
            raise HTTPException(404)
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or scope["path"].startswith(_FILES):
                raise
            response = await super().get_response("index.html", scope)
        response.headers["cache-control"] = "no-cache"
        return response


def _document(made: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, with the shape of problems and the two ways to prove who asks."""
    if made.openapi_schema is None:
        found = get_openapi(title=made.title, version=made.version, summary=made.summary, routes=made.routes)
        schemas = found.setdefault("components", {}).setdefault("schemas", {})
        schemas["Problem"] = Problem.model_json_schema()
        for name in ("HTTPValidationError", "ValidationError"):
            schemas.pop(name, None)
        found["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        found["security"] = [{"token": []}]
        made.openapi_schema = found
    return made.openapi_schema


def _told(_: Request, error: Exception) -> Response:
    assert isinstance(error, CommonplaceError)  # noqa: S101 the handler is for these
    return answer(problem_of(error))


def _not_valid(_: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 the handler is for these
    faults = [{"where": list(map(str, fault["loc"])), "why": fault["msg"]} for fault in error.errors()]
    told = "; ".join(f"{'.'.join(fault['where'])}: {fault['why']}" for fault in faults)
    return answer(problem("validation_error", f"The request cannot be used. {told}", "See /api/docs.", faults=faults))


def _no_route(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 the handler is for these
    code = _CODES.get(error.status_code, "validation_error")
    response = answer(problem(code, "There is nothing here." if code == "not_found" else str(error.detail)))
    response.headers.update(error.headers or {})
    if code == "method_not_allowed":
        response.headers["allow"] = ", ".join(sorted(_methods(request)))
    return response


def _methods(request: Request) -> set[str]:
    """What may be asked of a path; each route knows only its own."""
    fitting = (route for route in request.app.routes if route.matches(request.scope)[0] is not Match.NONE)
    return {method for route in fitting for method in getattr(route, "methods", None) or ()}


def _unchanged(_: Request, error: Exception) -> Response:
    return Response(status_code=304, headers={"etag": etag(str(error))})


def _unexpected(_: Request, error: Exception) -> Response:
    return answer(problem("unexpected", f"Something unexpected happened: {type(error).__name__}.", "Please report it."))

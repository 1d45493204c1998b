"""Every request to a server of a team passes here first: who asks, for which book, whether they may, and how often.

A request is about one book, and names it in its path; without that it gets nothing of any book. What somebody may not
see is not there: a book without a role for them answers as one that does not exist. What they may see and not do is
403. Whatever is answered to a known visitor is on the trail before it is sent.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from anyio import to_thread
from starlette.datastructures import Headers, MutableHeaders

from commonplace.errors import CommonplaceError, StorageError
from commonplace.loopback import called_by, names_of
from commonplace.stores.postgres import is_name
from commonplace.stores.postgres.errands import ERRAND, Errand
from commonplace.team.credentials import PREFIX
from commonplace.team.membership import Role, TeamBook, Visitor, no_book
from commonplace.team.telemetry import log, traced
from commonplace.web.door import WRITES, body_again, is_foreign, not_json, too_large, whole_body, with_headers
from commonplace.web.problems import answer, problem, problem_of

if TYPE_CHECKING:
    from opentelemetry.trace import Span
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from commonplace.ports import Storage
    from commonplace.team.allowance import Allowance
    from commonplace.team.credentials import Credentials
    from commonplace.team.desks import Desks, TeamDesk
    from commonplace.team.issuer import Issuer
    from commonplace.team.membership import Members
    from commonplace.team.telemetry import Metrics
    from commonplace.team.trail import Trail

BOOKS = "/api/v1/books/"
MCP = "/mcp/"
_OWNERS = ("erasures", "roles", "trail")
_JUDGING = "memory/judge"  # a question, asked with a body
_UNKNOWN = "unknown"
_DIGEST = re.compile(r"[0-9a-f]{8,64}")


@dataclass(slots=True)
class Visit:
    """One request of somebody who is known: the book that it asks for, and if they may, what they may do with it."""

    visitor: Visitor
    asked: str = ""
    book: TeamBook | None = None
    desk: TeamDesk | None = None
    errand: Errand = field(default_factory=Errand)
    operation: str = ""

    @property
    def storage(self) -> Storage:
        assert self.desk is not None  # noqa: S101 asked only where there is a book
        return self.desk.memory.book.storage


@dataclass(frozen=True, slots=True)
class Wardens:
    """Whom the entrance asks."""

    credentials: Credentials
    issuer: Issuer | None
    members: Members
    desks: Desks
    trail: Trail
    allowance: Allowance
    metrics: Metrics


class Entrance:
    """Lets a request in, or says why not: called by another name 421, from a foreign page 403, by nobody known 401, too
    often 429, for a book that they may not see 404, for more than they may do there 403, with a body that is no JSON
    415, with one that is too large 413. `opened` are paths that everybody may ask for: they tell nothing; `paths` are
    the patterns of all others."""

    def __init__(
        self,
        app: ASGIApp,
        wardens: Wardens,
        *,
        hosts: Iterable[str],
        opened: frozenset[str],
        paths: Callable[[], Iterable[str]],
    ) -> None:
        self._app = app
        self._wardens = wardens
        self._names = names_of(hosts)
        self._opened = opened
        self._routes = cache(lambda: [_compiled(path) for path in paths()])

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in self._opened:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        with self._wardens.metrics.under_way(), traced(headers) as span:
            await _Passage(self, scope, headers, with_headers(send, scope["path"]), span).go(receive)

    async def admit(self, scope: Scope, headers: Headers) -> Visit | Response:
        """Whether they may: what the request is worked on with, or the refusal."""
        if not called_by(headers, self._names):
            return answer(problem("misdirected", "This server is not called by that name.", "See --allow-host."))
        if is_foreign(headers, scope["method"], scope["path"]):
            return answer(problem("foreign_origin", "Pages of other origins may not ask this server."))
        given = _bearer(headers)
        try:
            visitor = await to_thread.run_sync(self._visitor, given) if given else None
        except CommonplaceError as error:
            return trouble(error)
        if visitor is None:
            told = "This server does not know you."
            return answer(problem("unauthorized", told, "Send the header `Authorization: Bearer TOKEN`."))
        visit = scope["visit"] = Visit(visitor)
        wait = self._wardens.allowance.wait(visitor.tenant, visitor.person)
        if wait:
            refusal = answer(problem("too_many_requests", "You ask too often.", "Wait as long as Retry-After says."))
            refusal.headers["retry-after"] = str(math.ceil(wait))
            return refusal
        try:
            return await to_thread.run_sync(self._scoped, visit, scope["method"], scope["path"]) or visit
        except CommonplaceError as error:
            return trouble(error)

    def _visitor(self, given: str) -> Visitor | None:
        if given.startswith(f"{PREFIX}_"):
            return self._wardens.credentials.visitor(given)
        return self._wardens.issuer.visitor(given) if self._wardens.issuer else None

    def _scoped(self, visit: Visit, method: str, path: str) -> Response | None:
        """Find the book that a request is about; why not, if they may not."""
        prefix = next((prefix for prefix in (BOOKS, MCP) if path.startswith(prefix)), None)
        if prefix is None:
            return None
        name, _, rest = path.removeprefix(prefix).partition("/")
        visit.asked = name if is_name(name) else ""
        found = self._wardens.members.of(visit.visitor, name) if visit.asked else None
        if found is None or found.role is None:
            return answer(problem_of(no_book(name)))
        needed = Role.READER if prefix == MCP else needed_for(method, rest)
        if found.role < needed:
            told = f"You are a {found.role.word} of this book; this takes {_article(needed)}."
            return answer(problem("forbidden", told, "Ask an owner of the book.", role=found.role.word))
        visit.book = found
        visit.desk = self._wardens.desks.of(visit.visitor.tenant, name)
        return None

    def note(self, visit: Visit, scope: Scope, status: int) -> None:
        operation = visit.operation or f"{scope['method']} {self.route_of(scope['path'])}"
        self._wardens.trail.note(visit.visitor, visit.asked, operation, _subject(scope), status, visit.errand.changes)

    def route_of(self, path: str) -> str:
        """The pattern that a path fits, without the book; what was asked for may hold anything."""
        if path.startswith(MCP):
            return f"{MCP}{{book}}"
        return next((route for pattern, route in self._routes() if pattern.fullmatch(path)), _UNKNOWN)

    @property
    def app(self) -> ASGIApp:
        return self._app

    @property
    def metrics(self) -> Metrics:
        return self._wardens.metrics


class _Passage:
    """One request on its way in, and its answer on its way out."""

    def __init__(self, entrance: Entrance, scope: Scope, headers: Headers, send: Send, span: Span) -> None:
        self._entrance = entrance
        self._scope = scope
        self._headers = headers
        self._send = send
        self._span = span
        self._began = time.monotonic()
        self._stopped = False

    async def go(self, receive: Receive) -> None:
        scope = self._scope
        found = await self._entrance.admit(scope, self._headers)
        app: ASGIApp = self._entrance.app if isinstance(found, Visit) else found
        if isinstance(found, Visit) and scope["method"] in WRITES:
            refusal = not_json(self._headers)
            body = await whole_body(receive) if refusal is None else b""
            refusal = too_large() if body is None else refusal
            app = refusal or app
            receive = body_again(body or b"", receive)
        visit: Visit | None = scope.get("visit")
        held = ERRAND.set(visit.errand if visit else None)
        try:
            await app(scope, receive, self._sent)
        finally:
            ERRAND.reset(held)

    async def _sent(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            refusal = await self._noted(message)
            if refusal is not None:
                self._stopped = True
                await refusal(self._scope, _nothing, self._send)
        if not self._stopped:
            await self._send(message)

    async def _noted(self, start: Message) -> Response | None:
        """Tell of an answer before it is sent. One that cannot be put on the trail is not given."""
        visit: Visit | None = self._scope.get("visit")
        status, method = start["status"], self._scope["method"]
        route = self._entrance.route_of(self._scope["path"])
        refusal = None
        if visit is not None and status != 429:
            try:
                await to_thread.run_sync(self._entrance.note, visit, self._scope, status)
            except CommonplaceError as error:
                refusal = trouble(error)
                status = refusal.status_code
        seconds = time.monotonic() - self._began
        self._entrance.metrics.answered(method, route, status, seconds)
        if status in {401, 403, 421, 429}:
            self._entrance.metrics.refused(str(status))
        facts: dict[str, str | int | float] = {"method": method, "route": route, "status": status}
        if visit is not None:
            facts |= {"tenant": visit.visitor.tenant, "person": visit.visitor.person, "book": visit.asked}
        for name, value in facts.items():
            self._span.set_attribute(f"commonplace.{name}", value)
        self._span.update_name(f"{method} {route}")
        log.info("request", extra={"facts": {**facts, "seconds": round(seconds, 4)}})
        return refusal


def needed_for(method: str, rest: str) -> Role:
    """The role that a request below a book takes: reading a reader's, deciding over the book an owner's."""
    first = rest.partition("/")[0]
    if first in _OWNERS or (method == "DELETE" and not rest):
        return Role.OWNER
    return Role.READER if method in {"GET", "HEAD"} or rest == _JUDGING else Role.WRITER


def _compiled(path: str) -> tuple[re.Pattern[str], str]:
    """What fits a pattern of the API, and what that is called."""
    expression = "".join("[^/]+" if part.startswith("{") else re.escape(part) for part in re.split(r"(\{\w+\})", path))
    return re.compile(expression), path.removeprefix(f"{BOOKS}{{book}}") or path


def _subject(scope: Scope) -> str:
    """The id of the entry that a path names: a digest, not a text."""
    id = scope["path"].partition("/memory/entries/")[2].partition("/")[0]
    return id if _DIGEST.fullmatch(id) else ""


def _bearer(headers: Headers) -> str:
    given = headers.getlist("authorization")
    scheme, _, value = given[0].partition(" ") if len(given) == 1 else ("", "", "")
    return value.strip() if scheme.lower() == "bearer" else ""


def trouble(error: CommonplaceError) -> Response:
    """A failure, without what only those may know who run the server: where the database is, and what it said."""
    if not isinstance(error, StorageError):
        return answer(problem_of(error))
    log.error("storage", extra={"facts": {"code": error.code, "message": error.message}})
    response = answer(problem("busy", "The memory cannot be reached now.", "Try again in a moment."))
    MutableHeaders(raw=response.raw_headers)["retry-after"] = "2"
    return response


def _article(role: Role) -> str:
    return f"{'an' if role is Role.OWNER else 'a'} {role.word}"


async def _nothing() -> Message:
    return {"type": "http.disconnect"}

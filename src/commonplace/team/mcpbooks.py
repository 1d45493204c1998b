"""Books of a team for agents, over MCP: one server for all of them, without any state between two requests. Which book
is meant, and what may be done with it, was decided at the entrance."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from mcp.server import ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from commonplace.errors import ValidationError
from commonplace.mcp.http import LARGEST_BODY
from commonplace.mcp.serving import BookServer
from commonplace.stores.postgres.errands import ERRAND
from commonplace.team.membership import Role
from commonplace.tools.calling import failure
from commonplace.tools.table import TOOLS

if TYPE_CHECKING:
    from commonplace.app import App
    from commonplace.memory import Memory
    from commonplace.team.desks import TeamDesk
    from commonplace.team.entrance import Visit
    from commonplace.tools.calling import ToolResult
    from commonplace.types.chatting import ToolCall

Asked = ServerRequestContext[Any, Any]


class TeamServer(BookServer):
    """The books that visitors ask for, each request by itself."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.middleware.clear()  # what it traces quotes errors, and they what was asked for

    def _opened(self, folder: Path | None) -> Memory | None:  # noqa: ARG002 there is none of its own
        return None

    def _looked_at(self, ctx: Asked) -> Memory:
        return _desk(ctx).memory

    def _answer(self, ctx: Asked, call: ToolCall) -> ToolResult:
        visit, desk = _visit(ctx), _desk(ctx)
        visit.operation = f"tool {call.name}"
        if TOOLS[call.name].changes and (visit.book is None or (visit.book.role or Role.READER) < Role.WRITER):
            return failure("forbidden", "You may read this book, and not change it. Ask an owner of the book.")
        held = ERRAND.set(visit.errand)
        try:
            answer = self._run(desk.app, desk.memory, self._session_of(ctx), call)
            if visit.errand.changes:
                desk.ask_for_vectors()
            return answer
        finally:
            ERRAND.reset(held)

    def _session_of(self, ctx: Asked) -> str:
        """Without state between requests, all that one token asks for is one conversation."""
        return f"mcp-{_visit(ctx).visitor.token or 'person'}"

    @asynccontextmanager
    async def watched(self) -> AsyncGenerator[None]:
        """Nobody stays connected to be told of anything."""
        yield


def manager_of(server: TeamServer) -> StreamableHTTPSessionManager:
    """What answers requests over HTTP, each by itself and with one JSON document."""
    return StreamableHTTPSessionManager(server, json_response=True, stateless=True, max_request_body_size=LARGEST_BODY)


def _visit(ctx: Asked) -> Visit:
    if ctx.request is None or "visit" not in ctx.request.scope:
        raise ValidationError("The request names no book.")
    return cast("Visit", ctx.request.scope["visit"])


def _desk(ctx: Asked) -> TeamDesk:
    desk = _visit(ctx).desk
    if desk is None:
        raise ValidationError("The request names no book.")
    return desk

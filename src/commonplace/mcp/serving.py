"""The server itself, the same for every transport: it lists what there is, passes calls on, and translates the answers.

Everything that touches the book runs in a thread and within a time limit. Nothing that search needs is loaded before it
is asked for.
"""

from __future__ import annotations

import logging
import re
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import anyio
from anyio import to_thread
from mcp import MCPError, ServerSession, types
from mcp.server import InitializationOptions, NotificationOptions, Server, ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated, ServerEvent

from commonplace import __version__
from commonplace.app import App
from commonplace.errors import BookMissing, CommonplaceError, NotFound, ValidationError
from commonplace.files.transcripts import check_id
from commonplace.flows.conversing import new_id
from commonplace.mcp import promptlist, resources
from commonplace.mcp.notifying import events_of
from commonplace.memory import Memory
from commonplace.prompts import prompt
from commonplace.tools.calling import LIMIT, ToolResult, failure, run_tool, sentence
from commonplace.tools.table import TOOLS, Context, Tool
from commonplace.types.chatting import ToolCall
from commonplace.watching import INTERVAL, keep_watching, watches

_log = logging.getLogger(__name__)
_T = TypeVar("_T")
_Context = ServerRequestContext[Any, Any]
_PAGE = 200
_MOST_CONNECTIONS = 256
_PATIENCE = 2.0
"""Seconds that a client may take to take a notification."""
_ABOUT = "A long-term memory in plain Markdown files that belong to the user."


class BookServer(Server[None]):
    """One book, for any number of clients; with `folder`, that of the project there. `session` is the conversation that
    the host tells of, and `hosted` finds the one that its hooks tell of (empty if none); otherwise each connection
    counts as one of its own."""

    def __init__(
        self,
        app: App,
        *,
        folder: Path | None = None,
        session: str = "",
        hosted: Callable[[Memory], str] | None = None,
        interval: float = INTERVAL,
    ) -> None:
        self._app = app
        self._memory = self._opened(folder)
        self._told_session = check_id(session, "session") if session else ""
        self._hosted = hosted
        self._own_id = new_id(datetime.now(UTC))
        self._interval = interval
        self._bus = InMemorySubscriptionBus()
        self._connections: dict[str, ServerSession] = {}
        self._subscribed: dict[str, set[str]] = {}
        self._tools = [_told(tool) for tool in TOOLS.values()]
        super().__init__(
            "commonplace",
            title="Commonplace",
            version=__version__,
            description=_ABOUT,
            instructions=prompt("mcp_instructions"),
            lifespan=lambda _: self.watched(),
            get_tool_input_schema=self._input_schema,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_subscribe_resource=self._subscribe,
            on_unsubscribe_resource=self._unsubscribe,
            on_subscriptions_listen=ListenHandler(self._bus),
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            on_completion=self._complete,
        )
        self.add_notification_handler("notifications/initialized", types.NotificationParams, self._connected)

    @property
    def memory(self) -> Memory:
        """The book that is served."""
        if self._memory is None:
            raise BookMissing("This server has no book of its own.")
        return self._memory

    def _opened(self, folder: Path | None) -> Memory | None:
        return self._app.open() if folder is None else self._app.memory_in(folder)

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        """Clients of the handshake era are told as well when resources come and go."""
        options = notification_options or NotificationOptions(resources_changed=True)
        return super().create_initialization_options(options, experimental_capabilities, extensions)

    # -- tools -----------------------------------------------------------------------------------------------------

    def _input_schema(self, name: str) -> Mapping[str, Any] | None:
        return TOOLS[name].spec.parameters if name in TOOLS else None

    async def _list_tools(self, _ctx: _Context, _params: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=self._tools)

    async def _call_tool(self, ctx: _Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        if params.name not in TOOLS:
            known = ", ".join(TOOLS)
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name!r}. There are: {known}.")
        call = ToolCall(str(ctx.request_id), params.name, params.arguments or {})
        result = await to_thread.run_sync(self._answer, ctx, call, abandon_on_cancel=True)
        facts = None if result.failed else {"text": result.text, **result.facts}
        return types.CallToolResult(content=[_text(result.text)], structured_content=facts, is_error=result.failed)

    def _answer(self, ctx: _Context, call: ToolCall) -> ToolResult:
        """The answer to one call. A book that went away since the last one is an error, not a new one."""
        problem = self._app.missing()
        if problem is not None:
            return failure(problem.code, sentence(problem))
        result = self._run(
            self._app, self.memory, self._told_session or self._of_hooks() or self._session_of(ctx), call
        )
        if TOOLS[call.name].changes:
            self._app.note_book(self.memory)
            while self._app.warnings:
                _log.warning("%s", self._app.warnings.pop())
        return result

    def _run(self, app: App, memory: Memory, session: str, call: ToolCall) -> ToolResult:
        """Run a tool on a book, for a conversation. The user's own words can be looked up only where the host writes a
        transcript into the book."""
        compact = None if app.settings.model.provider == "none" else lambda: app.lifecycle(memory).compact()
        heard = any(message.role == "user" for message in memory.transcript(session).messages)
        return run_tool(Context(memory, session, compact=compact, heard=heard), call)

    def _of_hooks(self) -> str:
        return self._hosted(self.memory) if self._hosted else ""

    def _session_of(self, ctx: _Context) -> str:
        """Which conversation a call belongs to, where the host does not tell: its connection."""
        client = ctx.session.client_params
        name = re.sub(r"[^a-z0-9]+", "-", client.client_info.name.lower()).strip("-")[:40] if client else ""
        visit = re.sub(r"\W+", "", _visit(ctx))[:12]
        return f"{name or 'mcp'}-{visit or self._own_id}"

    # -- resources -------------------------------------------------------------------------------------------------

    async def _list_resources(
        self, ctx: _Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        cursor = (params.cursor if params else None) or "0"
        if not cursor.isascii() or not cursor.isdigit():
            raise MCPError(types.INVALID_PARAMS, "The cursor is not one of ours. List from the beginning.")
        everything = await self._looked_up(ctx, resources.listed)
        start, end = int(cursor), int(cursor) + _PAGE
        more = str(end) if end < len(everything) else None
        return types.ListResourcesResult(resources=everything[start:end], next_cursor=more)

    async def _list_templates(self, _ctx: _Context, _params: object) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=resources.TEMPLATES)

    async def _read_resource(self, ctx: _Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        address = str(params.uri)
        text = await self._looked_up(ctx, lambda memory: resources.read(memory, address), uri=address)
        found = types.TextResourceContents(uri=address, mime_type="text/markdown", text=text)
        return types.ReadResourceResult(contents=[found])

    async def _complete(self, ctx: _Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        ref, beginning = params.ref, params.argument.value
        if not isinstance(ref, types.ResourceTemplateReference):
            return types.CompleteResult(completion=types.Completion(values=[]))
        found = await self._looked_up(ctx, lambda memory: resources.completions(memory, ref.uri, beginning))
        return types.CompleteResult(completion=found)

    # -- prompts ---------------------------------------------------------------------------------------------------

    async def _list_prompts(self, _ctx: _Context, _params: object) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=promptlist.offered())

    async def _get_prompt(self, ctx: _Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        name, given = params.name, params.arguments or {}
        return await self._looked_up(ctx, lambda memory: promptlist.filled_in(memory, name, given))

    # -- telling what changed --------------------------------------------------------------------------------------

    async def _connected(self, ctx: _Context, _params: object) -> None:
        """A client of the handshake era; later ones listen by themselves."""
        self._connections[_visit(ctx)] = ctx.session
        if len(self._connections) > _MOST_CONNECTIONS:  # nobody tells us who is gone
            oldest = next(iter(self._connections))
            del self._connections[oldest]
            self._subscribed.pop(oldest, None)

    async def _subscribe(self, ctx: _Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
        self._subscribed.setdefault(_visit(ctx), set()).add(str(params.uri))
        return types.EmptyResult()

    async def _unsubscribe(self, ctx: _Context, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
        self._subscribed.get(_visit(ctx), set()).discard(str(params.uri))
        return types.EmptyResult()

    async def tell(self, event: ServerEvent) -> None:
        """Let every client know that wants to."""
        await self._bus.publish(event)
        for visit, session in list(self._connections.items()):
            with anyio.move_on_after(_PATIENCE):
                if not isinstance(event, ResourceUpdated):
                    await session.send_notification(types.ResourceListChangedNotification())
                elif event.uri in self._subscribed.get(visit, ()):
                    await session.send_resource_updated(event.uri)

    @asynccontextmanager
    async def watched(self) -> AsyncGenerator[None]:
        """While this lasts, clients hear of what happens to the book after it began."""
        now = await to_thread.run_sync(watches, self.memory)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(keep_watching, now, self._tell_all, self._interval)
            yield
            tasks.cancel_scope.cancel()

    async def _tell_all(self, changed: Mapping[str, bool]) -> None:
        for event in events_of(changed):
            await self.tell(event)

    # -- how everything is looked up -------------------------------------------------------------------------------

    def _looked_at(self, ctx: _Context) -> Memory:  # noqa: ARG002 another server may have many books
        """The book that a request is about, if it is still there."""
        problem = self._app.missing()
        if problem is not None:
            raise problem
        return self.memory

    async def _looked_up(self, ctx: _Context, look: Callable[[Memory], _T], **about: str) -> _T:
        def guarded() -> _T:
            return look(self._looked_at(ctx))

        try:
            with anyio.fail_after(LIMIT):
                return await to_thread.run_sync(guarded, abandon_on_cancel=True)
        except TimeoutError:
            message = f"It did not answer within {LIMIT:g} seconds. Try again once."
            raise MCPError(types.INTERNAL_ERROR, message, {"code": "timeout", **about}) from None
        except CommonplaceError as error:
            theirs = isinstance(error, NotFound | ValidationError) and not isinstance(error, BookMissing)
            code = types.INVALID_PARAMS if theirs else types.INTERNAL_ERROR
            raise MCPError(code, sentence(error), {"code": error.code, **about}) from error


def _visit(ctx: _Context) -> str:
    """What tells one connection of a server from another; empty where there is only one."""
    return "" if ctx.request is None else str(ctx.request.headers.get("mcp-session-id", ""))


def _told(tool: Tool) -> types.Tool:
    """A tool as clients are told about it."""
    text = {"type": "string", "description": "The answer in words; stored text in it is framed as data."}
    title = tool.spec.name.replace("_", " ").capitalize()
    return types.Tool(
        name=tool.spec.name,
        title=title,
        description=tool.spec.description,
        input_schema=dict(tool.spec.parameters),
        output_schema={
            "type": "object",
            "properties": {"text": text, **tool.facts},
            "required": ["text", *tool.facts],
        },
        annotations=types.ToolAnnotations(
            title=title,
            read_only_hint=not tool.changes,
            destructive_hint=tool.destroys,
            idempotent_hint=tool.repeatable,
            open_world_hint=False,
        ),
    )


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)

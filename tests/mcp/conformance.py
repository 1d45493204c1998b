"""Our server with what the conformance suite wants to find on one, for the suite alone: python -m tests.mcp.conformance

The suite calls tools, resources and prompts by names of its own. They are added here to a book's server, which keeps
its own; everything around them (dispatch, both eras, HTTP and its door) is what `commonplace mcp --http` runs.
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

from mcp import MCPError, types
from mcp.server import ServerRequestContext
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.server.streamable_http import EventCallback, EventMessage, EventStore
from mcp.server.subscriptions import PromptsListChanged, ToolsListChanged

from commonplace.app import App
from commonplace.loopback import bound, serve
from commonplace.mcp.http import http_app
from commonplace.mcp.serving import BookServer

Context = ServerRequestContext[Any, Any]
Answer = types.CallToolResult | types.InputRequiredResult
Call = Callable[["SuiteServer", Context, types.CallToolRequestParams], Awaitable[Answer]]

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
SCHEMA_2020: dict[str, object] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
TOOLS: dict[str, tuple[dict[str, object], Call]] = {}


def tool(name: str, schema: dict[str, object] | None = None) -> Callable[[Call], Call]:
    def added(call: Call) -> Call:
        TOOLS[name] = (schema or texts(), call)
        return call

    return added


def texts(**properties: str) -> dict[str, object]:
    shapes = {name: {"type": "string", "description": about} for name, about in properties.items()}
    return {"type": "object", "properties": shapes, "required": list(shapes)}


def said(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)])


def image() -> types.ImageContent:
    return types.ImageContent(type="image", data=PNG, mime_type="image/png")


def embedded(uri: str, text: str, mime_type: str = "text/plain") -> types.EmbeddedResource:
    held = types.TextResourceContents(uri=uri, mime_type=mime_type, text=text)
    return types.EmbeddedResource(type="resource", resource=held)


# -- tools that answer -------------------------------------------------------------------------------------------------


@tool("test_simple_text")
async def simple_text(_server: "SuiteServer", _ctx: Context, _params: object) -> Answer:
    return said("This is a simple text response for testing.")


@tool(
    "test_header",
    {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}, "required": ["region"]},
)
async def told_by_header(_server: "SuiteServer", _ctx: Context, _params: object) -> Answer:
    return said("ok")


@tool("json_schema_2020_12_tool", SCHEMA_2020)
async def whole_schema(_server: "SuiteServer", _ctx: Context, _params: object) -> Answer:
    return said("ok")


@tool("test_image_content")
async def one_image(_server: "SuiteServer", _ctx: Context, _params: object) -> Answer:
    return types.CallToolResult(content=[image()])


@tool("test_audio_content")
async def one_sound(_server: "SuiteServer", _ctx: Context, _params: object) -> Answer:
    return types.CallToolResult(content=[types.AudioContent(type="audio", data=WAV, mime_type="audio/wav")])


@tool("test_embedded_resource")
async def one_resource(_server: "SuiteServer", _ctx: Context, _params: object) -> Answer:
    return types.CallToolResult(content=[embedded("test://embedded-resource", "This is an embedded resource content.")])


@tool("test_multiple_content_types")
async def several_kinds(_server: "SuiteServer", _ctx: Context, _params: object) -> Answer:
    data = json.dumps({"test": "data", "value": 123})
    return types.CallToolResult(
        content=[
            types.TextContent(type="text", text="Multiple content types test:"),
            image(),
            embedded("test://mixed-content-resource", data, "application/json"),
        ]
    )


@tool("test_error_handling")
async def failing(_server: "SuiteServer", _ctx: Context, _params: object) -> Answer:
    text = types.TextContent(type="text", text="This tool intentionally returns an error for testing")
    return types.CallToolResult(content=[text], is_error=True)


@tool("test_tool_with_progress")
async def progressing(_server: "SuiteServer", ctx: Context, _params: object) -> Answer:
    token = ctx.meta.get("progress_token") if ctx.meta else None
    for progress in (0, 50, 100):
        if token is not None:
            told = types.ProgressNotificationParams(progress_token=token, progress=progress, total=100)
            await ctx.session.send_notification(types.ProgressNotification(params=told), ctx.request_id)
        await asyncio.sleep(0.05)
    return said("Done.")


@tool("test_tool_with_logging")
async def logging_thrice(_server: "SuiteServer", ctx: Context, _params: object) -> Answer:
    for text in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await ctx.session.send_log_message("info", text, related_request_id=ctx.request_id)  # pyright: ignore[reportDeprecated] the suite wants it
        await asyncio.sleep(0.05)
    return said("Done.")


@tool("test_logging_tool")
async def logging_once(_server: "SuiteServer", ctx: Context, _params: object) -> Answer:
    await ctx.session.send_log_message("info", "A line", related_request_id=ctx.request_id)  # pyright: ignore[reportDeprecated] the suite wants it
    return said("Done.")


@tool("test_reconnection")
async def reconnecting(_server: "SuiteServer", ctx: Context, _params: object) -> Answer:
    if ctx.close_sse_stream is not None:
        await ctx.close_sse_stream()
    await asyncio.sleep(0.2)
    return said("Reconnection test completed")


@tool("test_trigger_tool_change")
async def tools_changed(server: "SuiteServer", _ctx: Context, _params: object) -> Answer:
    await server.tell_listeners(ToolsListChanged())
    return said("Done.")


@tool("test_trigger_prompt_change")
async def prompts_changed(server: "SuiteServer", _ctx: Context, _params: object) -> Answer:
    await server.tell_listeners(PromptsListChanged())
    return said("Done.")


# -- tools that ask the client: in the handshake era -------------------------------------------------------------------


@tool("test_sampling", texts(prompt="What to ask the model"))
async def sampling(_server: "SuiteServer", ctx: Context, params: types.CallToolRequestParams) -> Answer:
    prompt = str((params.arguments or {})["prompt"])
    answer = await ctx.session.create_message(  # pyright: ignore[reportDeprecated] the suite wants it
        [types.SamplingMessage(role="user", content=types.TextContent(type="text", text=prompt))],
        max_tokens=100,
        related_request_id=ctx.request_id,
    )
    return said(f"LLM response: {getattr(answer.content, 'text', '')}")


@tool("test_elicitation", texts(message="What to ask the user"))
async def eliciting(_server: "SuiteServer", ctx: Context, params: types.CallToolRequestParams) -> Answer:
    wanted = texts(username="User's response", email="User's email address")
    return await elicited(ctx, str((params.arguments or {})["message"]), wanted, "User response")


@tool("test_elicitation_sep1034_defaults")
async def eliciting_defaults(_server: "SuiteServer", ctx: Context, _params: object) -> Answer:
    states = ["active", "inactive", "pending"]
    wanted: dict[str, object] = {
        "type": "object",
        "properties": {
            "name": {"type": "string", "default": "John Doe"},
            "age": {"type": "integer", "default": 30},
            "score": {"type": "number", "default": 95.5},
            "status": {"type": "string", "enum": states, "default": "active"},
            "verified": {"type": "boolean", "default": True},
        },
        "required": [],
    }
    return await elicited(ctx, "Please give the values", wanted, "Elicitation completed")


@tool("test_elicitation_sep1330_enums")
async def eliciting_choices(_server: "SuiteServer", ctx: Context, _params: object) -> Answer:
    plain = ["option1", "option2", "option3"]
    named = [{"const": f"value{number}", "title": f"Choice {number}"} for number in (1, 2, 3)]
    names = ["Option One", "Option Two", "Option Three"]
    wanted: dict[str, object] = {
        "type": "object",
        "properties": {
            "untitledSingle": {"type": "string", "enum": plain},
            "titledSingle": {"type": "string", "oneOf": named},
            "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": names},
            "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
            "titledMulti": {"type": "array", "items": {"anyOf": named}},
        },
        "required": [],
    }
    return await elicited(ctx, "Please choose", wanted, "Elicitation completed")


async def elicited(ctx: Context, message: str, wanted: dict[str, object], lead: str) -> types.CallToolResult:
    answer = await ctx.session.elicit_form(message, wanted, ctx.request_id)
    return said(f"{lead}: action={answer.action}, content={json.dumps(answer.content)}")


# -- tools that ask the client: in the stateless era -------------------------------------------------------------------


def question(message: str, **fields: str) -> dict[str, object]:
    shape = {name: {"type": kind} for name, kind in fields.items()}
    schema = {"type": "object", "properties": shape, "required": list(shape)}
    return {"method": "elicitation/create", "params": {"message": message, "requestedSchema": schema}}


def completion(text: str, tokens: int) -> dict[str, object]:
    message = {"role": "user", "content": {"type": "text", "text": text}}
    return {"method": "sampling/createMessage", "params": {"messages": [message], "maxTokens": tokens}}


ROOTS: dict[str, object] = {"method": "roots/list", "params": {}}
NAME = question("What is your name?", name="string")
CONFIRM = question("Please confirm", ok="boolean")


def needed(state: str | None = None, **requests: dict[str, object]) -> types.InputRequiredResult:
    return types.InputRequiredResult.model_validate({"inputRequests": requests, "requestState": state})


def answers(params: types.InputResponseRequestParams, *keys: str) -> dict[str, Any] | None:
    """What the client answered, if it answered all of it."""
    given = {
        key: value.model_dump(by_alias=True) if hasattr(value, "model_dump") else value
        for key, value in cast(dict[str, Any], params.input_responses or {}).items()
    }
    return given if all(key in given for key in keys) else None


@tool("test_input_required_result_elicitation")
async def asks_name(_server: "SuiteServer", _ctx: Context, params: types.CallToolRequestParams) -> Answer:
    given = answers(params, "user_name")
    name: object = cast(dict[str, Any], given["user_name"].get("content") or {}).get("name") if given else None
    return said(f"Hello, {name}!") if isinstance(name, str) else needed(user_name=NAME)


@tool("test_input_required_result_sampling")
async def asks_model(_server: "SuiteServer", _ctx: Context, params: types.CallToolRequestParams) -> Answer:
    given = answers(params, "capital_question")
    if given is None:
        return needed(capital_question=completion("What is the capital of France?", 100))
    return said(json.dumps(given["capital_question"].get("content"), default=str))


@tool("test_input_required_result_list_roots")
async def asks_roots(_server: "SuiteServer", _ctx: Context, params: types.CallToolRequestParams) -> Answer:
    given = answers(params, "client_roots")
    return needed(client_roots=ROOTS) if given is None else said(json.dumps(given["client_roots"], default=str))


@tool("test_input_required_result_request_state")
async def keeps_state(_server: "SuiteServer", _ctx: Context, params: types.CallToolRequestParams) -> Answer:
    if answers(params, "confirm") is None or params.request_state is None:
        return needed("asked", confirm=CONFIRM)
    return said("state-ok" if params.request_state == "asked" else "state-lost")


@tool("test_input_required_result_tampered_state")
async def guards_state(_server: "SuiteServer", _ctx: Context, params: types.CallToolRequestParams) -> Answer:
    return needed("asked", confirm=CONFIRM) if answers(params, "confirm") is None else said("Done.")


@tool("test_input_required_result_multiple_inputs")
async def asks_all(_server: "SuiteServer", _ctx: Context, params: types.CallToolRequestParams) -> Answer:
    if answers(params, "user_name", "greeting", "client_roots") is None:
        greeting = completion("Generate a greeting", 50)
        return needed("asked", user_name=NAME, greeting=greeting, client_roots=ROOTS)
    return said("Done.")


@tool("test_input_required_result_multi_round")
async def asks_twice(_server: "SuiteServer", _ctx: Context, params: types.CallToolRequestParams) -> Answer:
    if params.request_state == "round 2" and answers(params, "step2"):
        return said("Done.")
    if params.request_state == "round 1" and answers(params, "step1"):
        return needed("round 2", step2=question("Step 2: What is your favorite color?", color="string"))
    return needed("round 1", step1=question("Step 1: What is your name?", name="string"))


@tool("test_input_required_result_capabilities")
async def asks_what_it_may(_server: "SuiteServer", ctx: Context, _params: object) -> Answer:
    able = ctx.session.client_capabilities
    may: dict[str, Any] = {
        **({"user_name": NAME} if able and able.elicitation is not None else {}),
        **({"greeting": completion("Generate a greeting", 50)} if able and able.sampling is not None else {}),
    }
    return needed(**may) if may else said("Done.")


@tool("test_streaming_elicitation")
async def asks_on_a_stream(_server: "SuiteServer", _ctx: Context, params: types.CallToolRequestParams) -> Answer:
    return needed(user_name=NAME) if answers(params, "user_name") is None else said("Done.")


@tool("test_missing_capability")
async def needs_sampling(_server: "SuiteServer", ctx: Context, _params: object) -> Answer:
    able = ctx.session.client_capabilities
    if able is None or able.sampling is None:
        missing: dict[str, object] = {"requiredCapabilities": {"sampling": {}}}
        raise MCPError(types.MISSING_REQUIRED_CLIENT_CAPABILITY, "This needs sampling.", missing)
    return said("Done.")


# -- resources and prompts ---------------------------------------------------------------------------------------------

RESOURCES = {
    "test://static-text": ("text/plain", "This is the content of the static text resource."),
    "test://watched-resource": ("text/plain", "Watched resource content"),
    "test://static-binary": ("image/png", ""),
}
PROMPTS = {
    "test_simple_prompt": (),
    "test_prompt_with_arguments": ("arg1", "arg2"),
    "test_prompt_with_embedded_resource": ("resourceUri",),
    "test_prompt_with_image": (),
    "test_input_required_result_prompt": (),
}


def found_at(uri: str) -> types.TextResourceContents | types.BlobResourceContents | None:
    before, _, rest = uri.partition("test://template/")
    if not before and rest.endswith("/data"):
        id = rest.removesuffix("/data")
        data = json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})
        return types.TextResourceContents(uri=uri, mime_type="application/json", text=data)
    if uri not in RESOURCES:
        return None
    mime_type, text = RESOURCES[uri]
    if mime_type == "image/png":
        return types.BlobResourceContents(uri=uri, mime_type=mime_type, blob=PNG)
    return types.TextResourceContents(uri=uri, mime_type=mime_type, text=text)


def prompt_of(params: types.GetPromptRequestParams) -> types.GetPromptResult | types.InputRequiredResult:
    given, content = params.arguments or {}, list[types.ContentBlock]()
    match params.name:
        case "test_prompt_with_arguments":
            told = f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'"
        case "test_prompt_with_embedded_resource":
            content.append(embedded(given["resourceUri"], "Embedded resource content for testing."))
            told = "Please process the embedded resource above."
        case "test_prompt_with_image":
            content.append(image())
            told = "Please analyze the image above."
        case "test_input_required_result_prompt":
            if answers(params, "user_context") is None:
                return needed(user_context=question("What context should the prompt use?", context="string"))
            told = "Done."
        case _:
            told = "This is a simple prompt for testing."
    content.append(types.TextContent(type="text", text=told))
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=block) for block in content])


# -- the server --------------------------------------------------------------------------------------------------------


class SuiteServer(BookServer):
    """A book's server that also has what the suite asks for."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        boundary = RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience="suite")
        self.middleware.append(boundary)
        self.add_request_handler("logging/setLevel", types.SetLevelRequestParams, self._set_level)

    async def tell_listeners(self, event: ToolsListChanged | PromptsListChanged) -> None:
        await self._bus.publish(event)

    async def _set_level(self, _ctx: Context, _params: object) -> types.EmptyResult:
        return types.EmptyResult()

    def _input_schema(self, name: str) -> Mapping[str, Any] | None:
        return TOOLS[name][0] if name in TOOLS else super()._input_schema(name)

    async def _list_tools(self, _ctx: Context, _params: object) -> types.ListToolsResult:
        ours = await super()._list_tools(_ctx, _params)
        theirs = [
            types.Tool(name=name, description="For the suite.", input_schema=schema)
            for name, (schema, _) in TOOLS.items()
        ]
        return types.ListToolsResult(tools=[*ours.tools, *theirs])

    async def _call_tool(self, ctx: Context, params: types.CallToolRequestParams) -> Any:
        if params.name not in TOOLS:
            return await super()._call_tool(ctx, params)
        return await TOOLS[params.name][1](self, ctx, params)

    async def _list_resources(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        ours = await super()._list_resources(ctx, params)
        theirs = [
            types.Resource(uri=uri, name=uri, description="For the suite.", mime_type=mime_type)
            for uri, (mime_type, _) in RESOURCES.items()
        ]
        return types.ListResourcesResult(resources=[*ours.resources, *theirs])

    async def _list_templates(self, _ctx: Context, _params: object) -> types.ListResourceTemplatesResult:
        ours = await super()._list_templates(_ctx, _params)
        theirs = types.ResourceTemplate(uri_template="test://template/{id}/data", name="template")
        return types.ListResourceTemplatesResult(resource_templates=[*ours.resource_templates, theirs])

    async def _read_resource(self, ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        found = found_at(str(params.uri))
        if found is None:
            return await super()._read_resource(ctx, params)
        return types.ReadResourceResult(contents=[found])

    async def _list_prompts(self, _ctx: Context, _params: object) -> types.ListPromptsResult:
        ours = await super()._list_prompts(_ctx, _params)
        theirs = [
            types.Prompt(
                name=name,
                description="For the suite.",
                arguments=[types.PromptArgument(name=one, description="A value.", required=True) for one in arguments],
            )
            for name, arguments in PROMPTS.items()
        ]
        return types.ListPromptsResult(prompts=[*ours.prompts, *theirs])

    async def _get_prompt(self, ctx: Context, params: types.GetPromptRequestParams) -> Any:
        return prompt_of(params) if params.name in PROMPTS else await super()._get_prompt(ctx, params)


class Replay(EventStore):
    """Events of streams, to go on with after a stream was closed."""

    def __init__(self) -> None:
        self._events: list[tuple[str, types.JSONRPCMessage | None]] = []

    async def store_event(self, stream_id: str, message: types.JSONRPCMessage | None) -> str:
        self._events.append((stream_id, message))
        return str(len(self._events))

    async def replay_events_after(self, last_event_id: str, send_callback: EventCallback) -> str | None:
        at = int(last_event_id)
        stream = self._events[at - 1][0]
        for number, (one, message) in enumerate(self._events[at:], start=at + 1):
            if one == stream and message is not None:
                await send_callback(EventMessage(message, str(number)))
        return stream


def main(book: str) -> None:
    listening = bound("127.0.0.1", 0)
    print(listening.getsockname()[1], flush=True)  # noqa: T201 whoever started this reads the port here
    serve(http_app(SuiteServer(App(book=book)), token=None, event_store=Replay(), retry_interval=100), listening)


if __name__ == "__main__":
    main(sys.argv[1])

"""Pydantic AI's toolset on a book: the tools of every other surface, and what fits the prompt, framed as data."""

# pyright: basic, reportMissingImports=false
# Pydantic AI is no development dependency: this module is checked and tried where it is installed.

from typing import Any

from anyio.to_thread import run_sync
from pydantic_ai import RunContext
from pydantic_ai.messages import InstructionPart
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
from pydantic_core import SchemaValidator, core_schema

from commonplace.memory import Memory
from commonplace.tools.calling import run_tool
from commonplace.tools.table import TOOLS, Context
from commonplace.types.chatting import ToolCall

_ANY = SchemaValidator(core_schema.any_schema())  # our own check answers with what to do next


class BookToolset(AbstractToolset[Any]):
    """For `Agent(model, toolsets=[BookToolset(memory)])`. With `recall` off the model has the tools alone. With
    `session`, the user's own words in that conversation of the book count where a change needs them."""

    def __init__(self, memory: Memory, *, session: str | None = None, recall: bool = True) -> None:
        self._memory = memory
        self._session = session
        self._recall = recall

    @property
    def id(self) -> str:
        return "commonplace"

    async def get_tools(self, ctx: RunContext[Any]) -> dict[str, ToolsetTool[Any]]:  # noqa: ARG002 as it is called
        return {name: self._tool(name) for name in TOOLS}

    async def call_tool(self, name: str, tool_args: dict[str, Any], ctx: RunContext[Any], tool: Any) -> str:  # noqa: ARG002 as it is called
        call = ToolCall(ctx.tool_call_id or "", name, tool_args)
        context = Context(self._memory, self._session, heard=self._session is not None)
        return (await run_sync(lambda: run_tool(context, call))).text

    async def get_instructions(self, ctx: RunContext[Any]) -> list[Any] | None:
        """The long-term memory first, which stays the same while nothing is written; then what fits the prompt."""
        if not self._recall:
            return None
        asked = ctx.prompt if isinstance(ctx.prompt, str) else ""
        found = await run_sync(lambda: self._memory.recall(asked, session=self._session or ""))
        return [InstructionPart(content=text, dynamic=True) for text in (found.long_term, found.relevant) if text]

    def _tool(self, name: str) -> ToolsetTool[Any]:
        spec = TOOLS[name].spec
        told = ToolDefinition(name=name, description=spec.description, parameters_json_schema=dict(spec.parameters))
        return ToolsetTool(toolset=self, tool_def=told, max_retries=1, args_validator=_ANY)

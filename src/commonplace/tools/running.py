"""Running a tool for a model: within a time limit, and with every failure as an answer the model can act on.

An error is a code and a sentence that says what to do next. Only what nobody expects (a bug) is raised.
"""

import json
import queue
import threading
from dataclasses import dataclass

from commonplace.errors import CommonplaceError
from commonplace.framing import harmless_lines
from commonplace.tools.arguments import Arguments
from commonplace.tools.table import TOOLS, AlreadyStored, Context, Tool
from commonplace.types import Duplicate, ToolCall

LIMIT = 10.0
"""Seconds in which a tool answers or fails clearly."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answered. `code` is empty when it worked; otherwise `text` is a JSON object of code and message."""

    text: str
    code: str = ""

    @property
    def failed(self) -> bool:
        return bool(self.code)


def run_tool(context: Context, call: ToolCall, *, limit: float = LIMIT) -> ToolResult:
    """The answer to one call, after `limit` seconds at the latest."""
    tool = TOOLS.get(call.name)
    if tool is None:
        return failure("unknown_tool", f"There is no tool {call.name!r}. There are: {', '.join(TOOLS)}.")
    if call.trouble:
        return failure("validation_error", f"{call.trouble} Send the arguments again as one JSON object.")
    outcomes: queue.SimpleQueue[ToolResult | BaseException] = queue.SimpleQueue()
    worker = threading.Thread(
        target=lambda: outcomes.put(_outcome(context, tool, call)), name=f"tool {call.name}", daemon=True
    )
    worker.start()
    try:
        outcome = outcomes.get(timeout=limit)
    except queue.Empty:
        return failure("timeout", _late(tool, limit))
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


def failure(code: str, message: str) -> ToolResult:
    return ToolResult(json.dumps({"code": code, "message": message}, ensure_ascii=False), code)


def _outcome(context: Context, tool: Tool, call: ToolCall) -> ToolResult | BaseException:
    try:
        return ToolResult(tool.run(context, Arguments(call.name, call.arguments, tool.parameters)))
    except AlreadyStored as stored:
        return failure(Duplicate.code, _known(stored.outcome))
    except CommonplaceError as error:
        return failure(error.code, _sentence(error))
    except BaseException as error:  # handed to the thread that waits, which raises it
        return error


def _known(outcome: Duplicate) -> str:
    return f"{outcome.message} It reads: {' '.join(harmless_lines(outcome.existing.text))}"


def _sentence(error: CommonplaceError) -> str:
    return f"{error.message} {error.hint}".strip()


def _late(tool: Tool, limit: float) -> str:
    tail = "It may still be done: call read_memory before you try again." if tool.changes else "Try again once."
    return f"{tool.spec.name} did not answer within {limit:g} seconds. {tail}"

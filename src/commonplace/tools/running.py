"""Running a tool for a model: within a time limit, and with every failure as an answer the model can act on.

An error is a code and a sentence that says what to do next. Only what nobody expects (a bug) is raised.
"""

import json
import queue
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field

from commonplace.errors import CommonplaceError
from commonplace.framing import harmless_lines
from commonplace.tools.arguments import Arguments
from commonplace.tools.table import TOOLS, Context, NotStored, Tool
from commonplace.types.book import Entry
from commonplace.types.chatting import ToolCall
from commonplace.types.judging import VerdictKind
from commonplace.types.saving import Alike, Duplicate, Held, Proposed, Refused

LIMIT = 10.0
"""Seconds in which a tool answers or fails clearly."""

_INSIST = "call save_memory again with insist"


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answered, with its `facts`. `code` is empty when it worked; otherwise `text` is a JSON object of code
    and message."""

    text: str
    code: str = ""
    facts: Mapping[str, object] = field(default_factory=dict[str, object])

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
        answer = tool.run(context, Arguments(call.name, call.arguments, tool.parameters))
        return ToolResult(answer.text, facts=answer.facts)
    except NotStored as stopped:
        return failure(stopped.outcome.code, advice(stopped.outcome))
    except CommonplaceError as error:
        return failure(error.code, sentence(error))
    except BaseException as error:  # handed to the thread that waits, which raises it
        return error


def advice(outcome: Duplicate | Alike | Held | Refused) -> str:
    """What a model should know and do when something was not stored."""
    match outcome:
        case Duplicate(existing, message):
            return f"{message} {_reads(existing)}"
        case Alike(verdict, existing):
            change = "call update_memory with that as old_text" + (
                " if your wording is better" if verdict.kind is VerdictKind.MERGE else " and the new value as new_text"
            )
            return f"{verdict.reason} {_reads(existing)} To change it, {change}. If both are true, {_INSIST}."
        case Held(verdict, waiting) if waiting.kind is not Proposed.ADDITION:
            return (
                f"{verdict.reason} Your proposal waits in the inbox for their yes or no: tell them so, in a sentence,"
                " and do not try again."
            )
        case Held(verdict, _):
            return f"{verdict.reason} It waits in the inbox for the user's yes or no; do not save it again."
        case Refused(verdict) if verdict.pieces:
            pieces = "".join(f"\n- {_line(piece)}" for piece in verdict.pieces)
            return f"{verdict.reason} Save what is worth keeping one by one:{pieces}"
        case Refused(verdict):
            return verdict.reason if verdict.rule == "secret" else f"{verdict.reason} If it is to be kept, {_INSIST}."


def _reads(existing: Entry) -> str:
    return f'It reads: "{_line(existing.text)}".'


def _line(text: str) -> str:
    return " ".join(harmless_lines(text))


def sentence(error: CommonplaceError) -> str:
    return f"{error.message} {error.hint}".strip()


def _late(tool: Tool, limit: float) -> str:
    tail = "It may still be done: call read_memory before you try again." if tool.changes else "Try again once."
    return f"{tool.spec.name} did not answer within {limit:g} seconds. {tail}"

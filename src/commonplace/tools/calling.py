"""Running a tool for a model: within a time limit, and with every failure as an answer the model can act on.

An error is a code and a sentence that says what to do next. Only what nobody expects (a bug) is raised.
"""

import contextvars
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
from commonplace.types.saving import Alike, Duplicate, Held, Proposed, Refused
from commonplace.types.verdicts import Verdict, VerdictKind

LIMIT = 10.0
"""Seconds in which a tool answers or fails clearly."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answered, with its `facts`. `code` is empty when it worked; otherwise `text` is a JSON object of code
    and message, and of what a program may want to know of an entry that stands in the way."""

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
    asked = contextvars.copy_context()  # whoever is asked for knows it in the worker, too
    worker = threading.Thread(
        target=lambda: outcomes.put(asked.run(_outcome, context, tool, call)), name=f"tool {call.name}", daemon=True
    )
    worker.start()
    try:
        outcome = outcomes.get(timeout=limit)
    except queue.Empty:
        return failure("timeout", _late(tool, limit))
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


def failure(code: str, message: str, details: Mapping[str, object] | None = None) -> ToolResult:
    told = {"code": code, "message": message, **(details or {})}
    return ToolResult(json.dumps(told, ensure_ascii=False), code, details or {})


def _outcome(context: Context, tool: Tool, call: ToolCall) -> ToolResult | BaseException:
    try:
        answer = tool.run(context, Arguments(call.name, call.arguments, tool.parameters))
        return ToolResult(answer.text, facts=answer.facts)
    except NotStored as stopped:
        return failure(stopped.outcome.code, advice(stopped.outcome, call.name), _details(stopped.outcome))
    except CommonplaceError as error:
        return failure(error.code, sentence(error))
    except BaseException as error:  # handed to the thread that waits, which raises it
        return error


def advice(outcome: Duplicate | Alike | Held | Refused, tool: str) -> str:
    """What a model should know and do when `tool` did not store something."""
    insist = f"call {tool} again with insist"
    match outcome:
        case Duplicate(existing, message):
            return f"{message} {_reads(existing)}"
        case Alike(verdict, existing):
            return f"{_line(verdict.reason)} {_reads(existing)} {_changing(verdict)} If both are true, {insist}."
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
        case Refused(verdict) if verdict.rule == "secret":
            if verdict.certainty == 1.0:
                return verdict.reason
            requested = " and requested" if tool == "save_memory" else ""
            return f"{verdict.reason} If it is none and the user asked for it, {insist}{requested}."
        case Refused(verdict):
            return f"{verdict.reason} If it is to be kept, {insist}." if tool == "save_memory" else verdict.reason


def _changing(verdict: Verdict) -> str:
    """How to change an entry without losing what else it says."""
    if verdict.added:
        return f'To say both in it, call update_memory with that as old_text and "{_line(verdict.text)}" as new_text.'
    if verdict.kind is VerdictKind.MERGE:
        return "Nothing needs to be done; if your wording is better, call update_memory with that as old_text."
    old = f'"{_line(verdict.part)}"' if verdict.part else "that"
    goes = f" What of this is still true must be in new_text too: {', '.join(map(_line, verdict.gone))}."
    change = f"To change it, call update_memory with {old} as old_text and the new value as new_text."
    return change + (goes if len(verdict.gone) > 1 else "")


def _details(outcome: Duplicate | Alike | Held | Refused) -> dict[str, object]:
    """What a program may want to know of an entry that is there."""
    match outcome:
        case Alike(verdict, existing):
            old = verdict.part or existing.text
            new = {"new_text": _line(verdict.text)} if verdict.text and not verdict.part else {}
            added = {"added": [_line(word) for word in verdict.added]} if verdict.added else {}
            gone = {"gone": [_line(word) for word in verdict.gone]} if verdict.gone else {}
            return {"existing": _line(existing.text), "old_text": _line(old), **new, **added, **gone}
        case _:
            return {}


def _reads(existing: Entry) -> str:
    return f'It reads: "{_line(existing.text)}".'


def _line(text: str) -> str:
    return " ".join(harmless_lines(text))


def sentence(error: CommonplaceError) -> str:
    return f"{error.message} {error.hint}".strip()


def _late(tool: Tool, limit: float) -> str:
    tail = "It may still be done: call read_memory before you try again." if tool.changes else "Try again once."
    return f"{tool.spec.name} did not answer within {limit:g} seconds. {tail}"

"""What agents keep of their conversations, as messages of ours. Pure: lines in, messages out.

Only what was said counts: no side chains, no summaries, no commands, nothing synthetic, and never what we put into the
prompt ourselves. Ids are the host's own, so that reading a transcript again adds nothing.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any, cast

from commonplace.framing import strip_injected
from commonplace.types.sessions import Message

Record = Mapping[str, Any]
_COMMAND = re.compile(r"\s*<(?:command-name|command-message|command-args|local-command-[\w-]+|bash-[\w-]+)>")
_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
_HIDDEN = ("isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")
_UNSAFE = re.compile(r"[^A-Za-z0-9._:@+-]+")


def claude_code(lines: Iterable[str]) -> list[Message]:
    """The messages of a Claude Code transcript. An answer stands in several lines, one a block."""
    messages: dict[str, Message] = {}
    for record in _records(lines):
        said = record.get("message")
        if record.get("type") not in ("user", "assistant") or not isinstance(said, Mapping):
            continue
        told = cast(Record, said)
        if any(record.get(mark) for mark in _HIDDEN) or told.get("model") == "<synthetic>":
            continue
        at, uuid = _moment(record.get("timestamp")), str(record.get("uuid") or "")
        if at is None or not uuid:
            continue
        for message in _of_blocks(told, uuid, at):
            before = messages.get(message.id)
            text = f"{before.text}\n{message.text}" if before and message.text not in before.text else message.text
            messages[message.id] = Message(message.id, message.role, text, before.at if before else at, message.extra)
    return list(messages.values())


def _of_blocks(said: Record, uuid: str, at: datetime) -> Iterator[Message]:
    role, content = str(said.get("role") or ""), said.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else _mappings(content)
    text = "\n".join(str(block.get("text") or "") for block in blocks if block.get("type") == "text")
    text = _REMINDER.sub("", text).strip()
    if role == "assistant" and text:
        yield Message(_safe(str(said.get("id") or uuid)), "assistant", text, at)
    elif role == "user" and text and not _COMMAND.match(text):
        yield Message(_safe(uuid), "user", text, at)
    for number, block in enumerate(blocks):
        if block.get("type") == "tool_result":
            result = _text_of(block.get("content"))
            if result.strip():
                yield Message(_safe(f"{uuid}.{number}"), "tool", result, at, {"call": str(block.get("tool_use_id"))})


def codex(lines: Iterable[str]) -> list[Message]:
    """The messages of a Codex rollout: what developers and the environment say is injected, and passed over."""
    messages: list[Message] = []
    for number, record in enumerate(_records(lines)):
        item = record.get("payload")
        at = _moment(record.get("timestamp"))
        if record.get("type") != "response_item" or not isinstance(item, Mapping) or at is None:
            continue
        told = cast(Record, item)
        role, kind = str(told.get("role") or ""), told.get("type")
        text = _text_of(told.get("content")).strip()
        id = _safe(str(told.get("id") or f"{at:%Y%m%dT%H%M%S%f}.{number}"))
        if (
            kind == "message"
            and role in {"user", "assistant"}
            and text
            and not text.startswith("<environment_context>")
        ):
            if not text.startswith("<user_instructions>"):
                messages.append(Message(id, role, text, at))
        elif kind == "function_call_output" and (output := _text_of(told.get("output"))).strip():
            messages.append(Message(id, "tool", output, at, {"call": str(told.get("call_id"))}))
    return messages


READERS: Mapping[str, Callable[[Iterable[str]], list[Message]]] = {"claude-code": claude_code, "codex": codex}


def said_here(messages: Iterable[Message]) -> list[Message]:
    """The messages without what we put into them: a message that is nothing else goes."""
    kept = ((message, strip_injected(message.text)) for message in messages)
    return [
        message if text == message.text else Message(message.id, message.role, text, message.at, message.extra)
        for message, text in kept
        if text.strip()
    ]


def _records(lines: Iterable[str]) -> Iterator[Record]:
    for line in lines:
        try:
            record: object = json.loads(line)
        except (ValueError, RecursionError):
            continue  # torn, or being written
        if isinstance(record, dict):
            yield cast(Record, record)


def _mappings(content: object) -> list[Record]:
    return (
        [cast(Record, one) for one in cast(list[object], content) if isinstance(one, Mapping)]
        if isinstance(content, list)
        else []
    )


def _text_of(content: object) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(block["text"]) for block in _mappings(content) if isinstance(block.get("text"), str))


def _moment(value: object) -> datetime | None:
    try:
        return datetime.fromisoformat(str(value)).astimezone()
    except (ValueError, OverflowError):
        return None


def _safe(id: str) -> str:
    return _UNSAFE.sub("-", id)[:128].lstrip("._:@+-") or "message"

"""What agents keep of their conversations, as messages of ours. Pure: lines in, messages out.

Only what was said counts: no side chains, no summaries, no commands, nothing synthetic, and never what we put into the
prompt ourselves. Ids are the host's own, so that reading a transcript again adds nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, cast

from commonplace.errors import CommonplaceError
from commonplace.foreign.fields import Record, moment, records, text_of
from commonplace.foreign.ids import message_id, session_id
from commonplace.framing import strip_injected
from commonplace.types.sessions import Message
from commonplace.types.transfer import Brought, Conversation, PassedOver

if TYPE_CHECKING:  # hooks read transcripts too, and must not wait for what opens archives
    from commonplace.foreign.opening import Source, SourceFile

_COMMAND = re.compile(r"\s*<(?:command-name|command-message|command-args|local-command-[\w-]+|bash-[\w-]+)>")
_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
_HIDDEN = ("isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")
# What Codex put into a user's message before its rollouts said of each part whose it is.
_CODEX_PUT = ("<environment_context>", "<user_instructions>", "# AGENTS.md instructions for ")
_ROLLOUT = re.compile(r"rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-(.+)")


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
        at, uuid = moment(record.get("timestamp")), str(record.get("uuid") or "")
        if at is None or not uuid:
            continue
        for message in _of_blocks(told, uuid, at):
            before = messages.get(message.id)
            text = f"{before.text}\n{message.text}" if before and message.text not in before.text else message.text
            messages[message.id] = Message(message.id, message.role, text, before.at if before else at, message.extra)
    return list(messages.values())


def _of_blocks(said: Record, uuid: str, at: datetime) -> Iterator[Message]:
    role, content = str(said.get("role") or ""), said.get("content")
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else records(content)
    text = "\n".join(str(block.get("text") or "") for block in blocks if block.get("type") == "text")
    text = _REMINDER.sub("", text).strip()
    if role == "assistant" and text:
        yield Message(message_id(str(said.get("id") or uuid)), "assistant", text, at)
    elif role == "user" and text and not _COMMAND.match(text):
        yield Message(message_id(uuid), "user", text, at)
    for number, block in enumerate(blocks):
        if block.get("type") == "tool_result":
            result = text_of(block.get("content"))
            if result.strip():
                yield Message(
                    message_id(f"{uuid}.{number}"), "tool", result, at, {"call": str(block.get("tool_use_id"))}
                )


def codex(lines: Iterable[str]) -> list[Message]:
    """The messages of a Codex rollout: what developers and the environment say is injected, and passed over."""
    messages: list[Message] = []
    for number, record in enumerate(_records(lines)):
        item = record.get("payload")
        at = moment(record.get("timestamp"))
        if record.get("type") == "compacted" and isinstance(item, Mapping) and messages:
            summary = str(cast(Record, item).get("message") or "")
            if messages[-1].role == "assistant" and summary.endswith(messages[-1].text):
                messages.pop()  # nobody was told that: it takes the place of what was said
        if record.get("type") != "response_item" or not isinstance(item, Mapping) or at is None:
            continue
        told = cast(Record, item)
        role, kind = str(told.get("role") or ""), told.get("type")
        text = (_typed(told) if role == "user" else text_of(told.get("content"))).strip()
        id = message_id(str(told.get("id") or f"{at:%Y%m%dT%H%M%S%f}.{number}"))
        if kind == "message" and role in {"user", "assistant"} and text:
            messages.append(Message(id, role, text, at))
        elif kind == "function_call_output" and (output := text_of(told.get("output"))).strip():
            messages.append(Message(id, "tool", output, at, {"call": str(told.get("call_id"))}))
    return messages


def _typed(item: Record) -> str:
    """What the user typed of a message in their name: Codex puts instructions and surroundings into it as well."""
    content = item.get("content")
    parts = [{"text": content}] if isinstance(content, str) else records(content)
    about = records(_inner(item, "internal_chat_message_metadata_passthrough").get("content_item_metadata"))
    if parts and len(about) == len(parts):
        whose = (_inner(one, "provenance").get("type") for one in about)
        return text_of([part for part, by in zip(parts, whose, strict=True) if by == "user"])
    return text_of([part for part in parts if not str(part.get("text") or "").lstrip().startswith(_CODEX_PUT)])


def _inner(record: Record, name: str) -> Record:
    found = record.get(name)
    return cast(Record, found) if isinstance(found, Mapping) else {}


# -- files and folders of them ---------------------------------------------------------------------------------------


def brought(program: str, source: Source) -> Iterator[Brought]:
    """The conversations of a transcript, or of a folder of them. Side chains are in files of their own."""
    for file in source.ending(".md"):
        if "/memory/" in f"/{file.name}":
            yield PassedOver(file.name, "a memory of Claude's own: import that folder by itself")
    for file in source.ending(".jsonl"):
        if "/subagents/" in f"/{file.name}":
            yield PassedOver(file.name, "what agents said among themselves")
            continue
        try:
            with source.open(file) as stream:
                messages = said_here(READERS[program](_lines(stream)))
        except CommonplaceError as error:
            yield PassedOver(file.name, error.message)
            continue
        if messages:
            yield Conversation(session_id(program, _given_id(program, file)), "", tuple(messages))
        else:
            yield PassedOver(file.name, "nothing was said in it")


def is_transcript(program: str, lines: Iterable[str]) -> bool:
    """Whether these are lines of such a transcript, as far as its beginning tells."""
    for record in _records(lines):
        if program == "claude-code" and record.get("type") in {"user", "assistant"} and "sessionId" in record:
            return True
        if program == "codex" and "payload" in record and record.get("type") in {"session_meta", "response_item"}:
            return True
    return False


def _given_id(program: str, file: SourceFile) -> str:
    """What the host calls a conversation: the name of its file."""
    stem = file.leaf.removesuffix(".jsonl")
    rollout = _ROLLOUT.fullmatch(stem) if program == "codex" else None
    return rollout[1] if rollout else stem


def _lines(stream: Iterable[bytes]) -> Iterator[str]:
    return (line.decode("utf-8", "replace") for line in stream)


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

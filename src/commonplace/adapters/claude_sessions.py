"""The `SessionStore` of the Claude Agent SDK on a book: its transcripts are sessions, which are searched and logged.

An entry of the SDK is one message of ours and comes back as it was, but for secrets, which are masked. What a user or
Claude said is text; all else is carried along. What the SDK deletes it does not see again; the book keeps it.
"""

import hashlib
import re
import time
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from anyio.to_thread import run_sync

from commonplace.framing import strip_injected
from commonplace.memory import Memory
from commonplace.types.sessions import Message

Key = Mapping[str, str]
Entry = dict[str, Any]
_PREFIX = "claude-agent"
_CARRIED = "entry"
_DELETED = "deleted"
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@+-]{0,127}")
_HIDDEN = ("isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")
_NOT_SAID = re.compile(r"\s*<(?:command-|local-command-|bash-|system-reminder)")


class BookSessionStore:
    """For `ClaudeAgentOptions(session_store=BookSessionStore(memory))`."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    async def append(self, key: Key, entries: Sequence[Entry]) -> None:
        if entries:
            await run_sync(self._append, key, entries)

    async def load(self, key: Key) -> list[Entry] | None:
        return await run_sync(lambda: _entries(self._kept(_session(key))) or None)

    async def list_sessions(self, project_key: str) -> list[dict[str, Any]]:
        found = await run_sync(self._of, project_key)
        return [{"session_id": key["session_id"], "mtime": _changed(kept)} for key, kept in found if not _sub(key)]

    async def list_session_summaries(self, project_key: str) -> list[dict[str, Any]]:
        from importlib import import_module

        sdk: Any = import_module("claude_agent_sdk")
        found = await run_sync(self._of, project_key)
        return [
            {**sdk.fold_session_summary(None, key, _entries(kept)), "mtime": _changed(kept)}
            for key, kept in found
            if not _sub(key)
        ]

    async def list_subkeys(self, key: Key) -> list[str]:
        found = await run_sync(self._of, key["project_key"])
        return [_sub(other) for other, _ in found if _sub(other) and other["session_id"] == key["session_id"]]

    async def delete(self, key: Key) -> None:
        await run_sync(self._delete, key)

    # -- on the book ---------------------------------------------------------------------------------------------------

    def _append(self, key: Key, entries: Sequence[Entry]) -> None:
        """Add what is new: an entry that has a uuid comes in once, whoever brings it."""
        session = _session(key)
        self._memory.create()
        with self._memory.book.storage.lock():
            kept = _entries(self._kept(session))
            known = {entry["uuid"] for entry in kept if entry.get("uuid")}
            new = {entry.get("uuid") or number: entry for number, entry in enumerate(entries)}
            added = [_message(entry) for given, entry in new.items() if given not in known]
            begun = [] if kept else [_event({"event": _PREFIX, "key": dict(key)})]
            if added:
                self._memory.add_new_messages(session, *begun, *added)

    def _delete(self, key: Key) -> None:
        for other, kept in self._of(key["project_key"]):
            within = other["session_id"] == key["session_id"] and _sub(key) in ("", _sub(other))
            if within and kept:
                self._memory.add_message(_session(other), _event({"event": _DELETED}))

    def _of(self, project: str) -> list[tuple[Key, list[Message]]]:
        """The transcripts of a project, each with its key and what is left of it."""
        begun = f"{_PREFIX}-{_hash(project)}-"
        names = [name for name in self._memory.sessions() if name.startswith(begun)]
        found = [(name, self._kept(name)) for name in names]
        return [(key, kept) for name, kept in found if kept and (key := self._key(name))["project_key"] == project]

    def _key(self, session: str) -> Key:
        messages = self._memory.transcript(session).messages
        keys = [message.extra["key"] for message in messages if message.extra.get("event") == _PREFIX]
        return cast(Key, keys[0]) if keys else {"project_key": "", "session_id": ""}

    def _kept(self, session: str) -> list[Message]:
        """The entries since the last deletion."""
        kept: list[Message] = []
        for message in self._memory.transcript(session).messages:
            if message.extra.get("event") == _DELETED:
                kept.clear()
            elif _CARRIED in message.extra:
                kept.append(message)
        return kept


def _session(key: Key) -> str:
    """The id of a transcript in the book: readable, and no other's."""
    place = _hash(f"{key['session_id']}\n{_sub(key)}")
    readable = _UNSAFE.sub("-", key["session_id"])[:60].strip("-") or "session"
    return f"{_PREFIX}-{_hash(key['project_key'])}-{readable}-{place}"


def _sub(key: Key) -> str:
    return key.get("subpath") or ""


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:10]


def _message(entry: Entry) -> Message:
    role, text = _said(entry)
    given = str(entry.get("uuid") or "")
    id = given if _ID.fullmatch(given) else uuid.uuid4().hex
    # An id that was deleted with its session may come again: it is another message then.
    extra: dict[str, object] = {_CARRIED: entry, "kept": time.time_ns() // 1_000_000}
    return Message(f"{id[:100]}.{uuid.uuid4().hex[:8]}", role, text, _moment(entry.get("timestamp")), extra)


def _event(extra: dict[str, object]) -> Message:
    return Message(uuid.uuid4().hex, "event", "", datetime.now().astimezone(), extra)


def _said(entry: Entry) -> tuple[str, str]:
    """Who said what in an entry; for all that is not said by a person or the model, nobody says nothing."""
    told: object = entry.get("message")
    role = entry.get("type")
    if role not in ("user", "assistant") or not isinstance(told, Mapping) or any(entry.get(mark) for mark in _HIDDEN):
        return _CARRIED, ""
    content: object = cast(Mapping[str, object], told).get("content")
    text = strip_injected(content if isinstance(content, str) else _texts(content)).strip()
    return (role, text) if text and not _NOT_SAID.match(text) else (_CARRIED, "")


def _texts(content: object) -> str:
    blocks = cast(list[object], content) if isinstance(content, list) else []
    found = [cast(Mapping[str, object], block) for block in blocks if isinstance(block, Mapping)]
    return "\n".join(str(block.get("text") or "") for block in found if block.get("type") == "text")


def _moment(given: object) -> datetime:
    """When it was said, as the entry tells; otherwise now."""
    try:
        return datetime.fromisoformat(str(given)).astimezone()
    except (ValueError, OverflowError):
        return datetime.now().astimezone()


def _entries(kept: Sequence[Message]) -> list[Entry]:
    return [cast(Entry, message.extra[_CARRIED]) for message in kept]


def _changed(kept: Sequence[Message]) -> int:
    return max(int(str(message.extra.get("kept", 0))) for message in kept)

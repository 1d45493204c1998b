"""Transcripts: one JSON object per line, append-only, one file a session. Pure.

A crash can tear the last line. It is skipped and reported; the next message starts on a line of its own, so
nothing after a torn line is ever swallowed by it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import cast

from commonplace.errors import StorageError, ValidationError
from commonplace.files import folders
from commonplace.files.text import printable
from commonplace.types.book import Snapshot
from commonplace.types.sessions import Message, Transcript

FOLDER = folders.SESSIONS
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@+-]{0,127}")
_SESSION_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*")
_RESERVED = (".summary", ".jsonl", ".md")
_CONFLICT_COPY = re.compile(r"\.sync-conflict-\d{8}-\d{6}")  # a sync tool's own name for what it could not merge
_ROLE = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}")


def check_id(value: str, what: str) -> str:
    """An id that is safe inside a marker; sessions' ids are file names too, so they are stricter."""
    good = _ID.fullmatch(value) and (what != "session" or _is_session(value))
    if not good:
        raise ValidationError(
            f"{printable(value[:150])!r} cannot be the id of a {what}.",
            hint="Use letters, digits, '-', '_' and single dots; at most 128 characters, a letter or digit first.",
        )
    return value


def file_of(session: str) -> str:
    return f"{FOLDER}/{check_id(session, 'session')}.jsonl"


def session_of(name: str) -> str | None:
    """The session of a transcript's file name; None for any other file."""
    stem = name.removeprefix(f"{FOLDER}/").removesuffix(".jsonl")
    return stem if name == f"{FOLDER}/{stem}.jsonl" and _is_session(stem) else None


def copies(sessions: Iterable[str], read: Callable[[str], Snapshot]) -> set[str]:
    """The sessions that are copies which a sync tool or a person made: named like another one with something appended,
    and begun with the same message. Their messages are the other's, and must not count twice. `read` gives the content
    of a file."""

    def beginning(session: str) -> bytes:
        try:
            return (read(file_of(session)).data or b"").partition(b"\n")[0]
        except StorageError:
            return b""

    found: set[str] = set()
    above: list[str] = []
    for session in sorted(sessions):
        above = [one for one in above if session.startswith(one)]
        longer = [one for one in above if not session[len(one)].isalnum()]
        if longer and (first := beginning(session)) and any(beginning(one) == first for one in longer):
            found.add(session)
        above.append(session)
    return found


def line_of(message: Message) -> bytes:
    """The message as one line of a transcript."""
    if not _ROLE.fullmatch(message.role):
        raise ValidationError(
            f"{printable(message.role[:80])!r} cannot be the role of a message.",
            hint="Use a word such as user, assistant or tool: letters, digits, '-' and '_', at most 32.",
        )
    record = {"id": check_id(message.id, "message"), "role": message.role, "at": message.at.isoformat()}
    record |= {"text": message.text} | ({"extra": message.extra} if message.extra else {})
    try:
        return json.dumps(record, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"
    except (TypeError, ValueError, RecursionError):
        raise ValidationError(
            "The message's extra values cannot be written as JSON.", hint="Use texts, numbers, lists and mappings."
        ) from None


def read(session: str, data: bytes | None) -> Transcript:
    """All messages that can be read, and the numbers of the lines that cannot."""
    messages: list[Message] = []
    lines: list[int] = []
    torn: list[int] = []
    for number, line in enumerate((data or b"").split(b"\n"), start=1):
        if not line.strip():
            continue
        message = _message(line)
        if message is None:
            torn.append(number)
        else:
            messages.append(message)
            lines.append(number)
    return Transcript(session, tuple(messages), tuple(lines), tuple(torn))


def _message(line: bytes) -> Message | None:
    try:
        raw: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(raw, dict):
        return None
    record = cast(dict[str, object], raw)
    try:
        at = datetime.fromisoformat(str(record["at"]))
        extra = record.get("extra")
        return Message(
            id=str(record["id"]),
            role=str(record["role"]),
            text=str(record["text"]),
            at=at,
            extra=cast(dict[str, object], extra) if isinstance(extra, dict) else {},
        )
    except (KeyError, ValueError):
        return None


def _is_session(value: str) -> bool:
    shape = len(value) <= 128 and _SESSION_ID.fullmatch(value) is not None
    return shape and not value.endswith(_RESERVED) and not _CONFLICT_COPY.search(value)

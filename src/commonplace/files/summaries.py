"""A session's summary as it is kept: its file, its heading, and how far it reaches."""

import re
from collections.abc import Sequence
from datetime import datetime

from commonplace.files import transcripts
from commonplace.files.cursors import Cursor, position
from commonplace.files.text import decode, encode
from commonplace.ports import Storage
from commonplace.types.sessions import Message

TITLE = "# Session Summary"
_CURSOR = re.compile(r"^<!-- commonplace consolidated through=(\S+) at=(\S+) -->[ \t]*\r?$", re.MULTILINE)


def file_of(session: str) -> str:
    return f"{transcripts.FOLDER}/{transcripts.check_id(session, 'session')}.summary.md"


def summary_text(data: bytes | None, name: str) -> str:
    """What a summary file says, without its heading and its cursor."""
    return _CURSOR.sub("", decode(data or b"", name)).strip().removeprefix(TITLE).strip()


def cursor_in(data: bytes | None, name: str) -> Cursor | None:
    for through, at in reversed(_CURSOR.findall(decode(data or b"", name))):
        try:
            return Cursor(through, datetime.fromisoformat(at))
        except ValueError:
            continue
    return None


def read_summary(storage: Storage, session: str) -> str:
    """The summary of a conversation's older part; empty when there is none."""
    name = file_of(session)
    return summary_text(storage.read(name).data, name)


def summarised(storage: Storage, session: str, messages: Sequence[Message]) -> int:
    """How many of a conversation's first messages its summary stands for."""
    name = file_of(session)
    cursor = cursor_in(storage.read(name).data, name)
    return position(messages, [cursor] if cursor else [])


def with_summary(text: str, cursor: Cursor) -> bytes:
    body = text.strip().replace("<!--", "<\\!--")
    through = transcripts.check_id(cursor.through, "message")
    marker = f"<!-- commonplace consolidated through={through} at={cursor.at.isoformat()} -->"
    return encode(f"{TITLE}\n\n{body}\n\n{marker}\n")

"""The flow of a session's summary: old messages -> summary file, text and cursor in one write.

The summary stands in for the older part of a long conversation. It grows by what becomes old; when it gets long, the
model rewrites the whole of it, and no part is ever dropped to make room.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from commonplace.chatting import complete
from commonplace.distill.quoting import answer_length, parts_of, quoted, room_in
from commonplace.errors import CommonplaceError, ModelFailed
from commonplace.files import transcripts
from commonplace.files.cursors import Cursor, moment, position
from commonplace.files.text import decode, encode
from commonplace.framing import strip_injected
from commonplace.ports import ChatModel, Storage
from commonplace.prompts import prompt
from commonplace.tokens import estimate_tokens
from commonplace.types.chatting import ChatMessage
from commonplace.types.sessions import Consolidated, Message

TASK = "summary"
THRESHOLD = 100
KEPT = 0.2
MOST_WORDS = 600
TITLE = "# Session Summary"
_SPOKEN = ("user", "assistant")
_CURSOR = re.compile(r"^<!-- commonplace consolidated through=(\S+) at=(\S+) -->[ \t]*\r?$", re.MULTILINE)
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


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


def with_summary(text: str, cursor: Cursor) -> bytes:
    body = text.strip().replace("<!--", "<\\!--")
    through = transcripts.check_id(cursor.through, "message")
    marker = f"<!-- commonplace consolidated through={through} at={cursor.at.isoformat()} -->"
    return encode(f"{TITLE}\n\n{body}\n\n{marker}\n")


@dataclass(frozen=True, slots=True)
class Consolidation:
    """Where a consolidation reads, and how it writes: `write` replaces the summary file that had these bytes."""

    storage: Storage
    write: Callable[[str, bytes | None, bytes], None]
    patience: float

    def run(self, session: str, model: ChatModel | None) -> Consolidated:
        if model is None or not self._due(session)[0]:
            return Consolidated(session)
        with self.storage.alone(TASK, timeout=self.patience):
            old, before = self._due(session)
            if not old:
                return Consolidated(session)
            name = file_of(session)
            added = [_asked(text, "consolidate", model) for text in _texts(old, model)]
            text = "\n\n".join(filter(None, [summary_text(before, name), *added]))
            shorter = _shortened(text, model) if words(text) > MOST_WORDS else ""
            last = old[-1]
            self.write(session, before, with_summary(shorter or text, Cursor(last.id, moment(last.at))))
            return Consolidated(session, len(old), words(shorter or text), bool(shorter))

    def _due(self, session: str) -> tuple[list[Message], bytes | None]:
        """The messages that should go into the summary now, and the summary file as it is."""
        name = file_of(session)
        before = self.storage.read(name).data
        transcript = transcripts.read(session, self.storage.read(transcripts.file_of(session)).data)
        messages = [m for m in transcript.messages if m.role in _SPOKEN and strip_injected(m.text).strip()]
        cursor = cursor_in(before, name)
        waiting = messages[position(messages, [cursor] if cursor else []) :]
        if len(waiting) <= THRESHOLD:
            return [], before
        return waiting[: len(waiting) - max(1, round(len(waiting) * KEPT))], before


def words(text: str) -> int:
    """How many words a text has; where words are not set apart, two characters count as one."""
    wide = len(_WIDE.findall(text))
    return len(_WIDE.sub(" ", text).split()) + wide // 2


def _texts(messages: list[Message], model: ChatModel) -> list[str]:
    parts = parts_of(messages, room_in(model.window, prompt("consolidate")))
    return [text for part in parts for text in part.texts]


def _asked(text: str, name: str, model: ChatModel) -> str:
    message = ChatMessage("user", text)
    reply = complete(model, [message], system=prompt(name), max_tokens=answer_length(model.window))
    if reply.reason != "end" or not reply.text.strip():
        raise ModelFailed(
            f"{model.identity} gave no whole summary.",
            retryable=True,
            partial=reply.text,
            hint="Nothing is lost: it is tried again later.",
        )
    return reply.text.replace("&lt;", "<").strip()


def _shortened(text: str, model: ChatModel) -> str:
    """The summary said more briefly; nothing if the model cannot, or if it would have to see it in parts."""
    question = quoted("summary", text)
    if estimate_tokens(question) > room_in(model.window, prompt("shorten")):
        return ""
    try:
        shorter = _asked(question, "shorten", model)
    except CommonplaceError:  # the long text is kept: it is better than none
        return ""
    return shorter if words(shorter) < words(text) else ""

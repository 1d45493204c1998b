"""The flow of a session's summary: old messages -> summary file, text and cursor in one write.

The summary stands in for the older part of a long conversation. It grows by what becomes old; when it gets long, the
model rewrites the whole of it, and no part is ever dropped to make room.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from commonplace.chatting import complete
from commonplace.distill.answers import cleaned, trouble
from commonplace.distill.quoting import answer_length, parts_of, quoted, room_in
from commonplace.distill.reading import heavy, read
from commonplace.errors import CommonplaceError, Conflict, ModelFailed, UpdateFailed, failing_as
from commonplace.files import transcripts
from commonplace.files.book import Book, Plan
from commonplace.files.cursors import Cursor, moment, position
from commonplace.files.text import decode, encode
from commonplace.framing import meant, unechoed
from commonplace.ports import ChatModel, Storage
from commonplace.prompts import prompt
from commonplace.tokens import estimate_tokens
from commonplace.types.asking import Note, Origin
from commonplace.types.chatting import ChatMessage
from commonplace.types.sessions import Consolidated, Message

TASK = "summary"
THRESHOLD = 100
KEPT = 0.2
MOST_WORDS = 600
TITLE = "# Session Summary"
_SPOKEN = ("user", "assistant")
_CURSOR = re.compile(r"^<!-- commonplace consolidated through=(\S+) at=(\S+) -->[ \t]*\r?$", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+|(?<=[。！？])")
_HALF = 0.5
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


@dataclass(frozen=True, slots=True)
class Consolidation:
    """The book whose sessions are summarised; `clean` is applied to what is written there."""

    book: Book
    clean: Callable[[str], str]
    patience: float

    def run(self, session: str, model: ChatModel | None) -> Consolidated:
        if model is None or not self._due(session)[0]:
            return Consolidated(session)
        with self.book.storage.alone(TASK, timeout=self.patience):
            old, before = self._due(session)
            if not old:
                return Consolidated(session)
            name = file_of(session)
            added = [_asked(text, "consolidate", model) for text in _texts(old, model)]
            text = "\n\n".join(filter(None, [summary_text(before, name), *added]))
            shorter = _shortened(text, model) if words(text) > MOST_WORDS else ""
            last = old[-1]
            self._write(session, before, with_summary(shorter or text, Cursor(last.id, moment(last.at))))
            return Consolidated(session, len(old), words(shorter or text), bool(shorter))

    def _write(self, session: str, before: bytes | None, after: bytes) -> None:
        """Replace the summary file that had the bytes `before`."""
        name = file_of(session)
        after = encode(self.clean(decode(after, name)))

        def work(files: Mapping[str, bytes | None]) -> Plan[None]:
            if files[name] != before:
                raise Conflict(f"{name} was changed meanwhile.", hint="It is summarised again at the next opportunity.")
            return Plan({name: after}, Note(f"Summarise {session}", Origin.FLUSH, session), None)

        with failing_as(UpdateFailed):
            self.book.change([name], work)

    def _due(self, session: str) -> tuple[list[Message], bytes | None]:
        """The messages that should go into the summary now, and the summary file as it is."""
        name = file_of(session)
        storage = self.book.storage
        before = storage.read(name).data
        transcript = transcripts.read(session, storage.read(transcripts.file_of(session)).data)
        spoken = (replace(m, text=unechoed(m)) for m in transcript.messages if m.role in _SPOKEN)
        messages = [message for message in spoken if message.text.strip()]
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
    answer = meant(cleaned(reply.text)).strip()
    found = trouble(answer, [text], prompt(name), answer_length(model.window))
    if reply.reason != "end" or found:
        raise ModelFailed(
            f"{model.identity} gave no whole summary.",
            retryable=True,
            partial=reply.text,
            hint="Nothing is lost: it is tried again later.",
        )
    return answer


def _shortened(text: str, model: ChatModel) -> str:
    """The summary said more briefly; nothing if the model cannot, or if it would have to see it in parts."""
    question = quoted("summary", text)
    if estimate_tokens(question) > room_in(model.window, prompt("shorten")):
        return ""
    try:
        shorter = _asked(question, "shorten", model)
    except CommonplaceError:  # the long text is kept: it is better than none
        return ""
    return shorter if words(shorter) < words(text) and _keeps(shorter, text) else ""


def _keeps(shorter: str, text: str) -> bool:
    """Whether a shorter text still has every name, number, date and denial, and says something of every sentence: a
    decision and an open point are sentences too."""
    new, old = read(shorter), read(text)
    names = {word.stem for word in old.words if word.is_name}
    if names - new.stems or old.dates - new.dates or {n for n, _ in old.numbers} - {n for n, _ in new.numbers}:
        return False
    denied = {word.stem for word in new.words if word.denied}
    for sentence in map(read, filter(str.strip, _SENTENCE.split(text))):
        telling = heavy(sentence.words)
        if telling and len(telling & new.stems) < _HALF * len(telling):
            return False
        if any(reached and not reached & denied for reached in sentence.denials):
            return False
    return True

"""The flow of a session's summary: old messages -> summary file, text and cursor in one write.

The summary stands in for the older part of a long conversation. It grows by what becomes old; when it gets long, the
model rewrites the whole of it, and no part is ever dropped to make room.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from commonplace.distill.answers import cleaned, trouble
from commonplace.distill.digest import NO_ANSWER, digest
from commonplace.distill.quoting import Part, answer_length, parts_of, quoted, room_in
from commonplace.errors import CommonplaceError, Conflict, ModelFailed, UpdateFailed, failing_as
from commonplace.files import transcripts
from commonplace.files.cursors import MOST_TRIES, Cursor, Tries, moment, position
from commonplace.files.summaries import cursor_in, file_of, summary_text, with_summary
from commonplace.files.text import decode, encode
from commonplace.files.transactions import Book, Plan
from commonplace.flows.modelcalls import complete
from commonplace.framing import meant, unechoed
from commonplace.language.reading import heavy, read
from commonplace.ports import ChatModel
from commonplace.prompts import prompt
from commonplace.tokens import estimate_tokens
from commonplace.types.asking import Note, Origin
from commonplace.types.chatting import ChatMessage
from commonplace.types.sessions import SPOKEN, Consolidated, Message

TASK = "summary"
THRESHOLD = 100
KEPT = 0.2
MOST_WORDS = 600
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+|(?<=[。！？])")
_HALF = 0.5
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


class _NoAnswer(Exception):
    """What the model wrote is no answer, and what it is instead."""


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
            added = [self._added(part, session, model) for part in _parts(old, model)]
            text = "\n\n".join(filter(None, [summary_text(before, name), *added]))
            shorter = _shortened(text, model) if words(text) > MOST_WORDS else ""
            last = old[-1]
            self._write(session, before, with_summary(shorter or text, Cursor(last.id, moment(last.at))))
            return Consolidated(session, len(old), words(shorter or text), bool(shorter))

    def _added(self, part: Part, session: str, model: ChatModel) -> str:
        """What a part of the conversation adds. A model that gives no answer is asked again at the next opportunity, a
        few times; then the user's own words take its place."""
        try:
            return "\n".join(_asked(text, "consolidate", model) for text in part.texts)
        except _NoAnswer as error:
            tries = Tries(self.book.storage, TASK).add(session, part.messages[0].id)
            if tries <= MOST_TRIES:
                raise ModelFailed(
                    f"{model.identity} gave {error}.", retryable=True, hint="Nothing is lost: it is tried again later."
                ) from None
            return digest(part.messages, session, NO_ANSWER)

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
        spoken = (replace(m, text=unechoed(m)) for m in transcript.messages if m.role in SPOKEN)
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


def _parts(messages: list[Message], model: ChatModel) -> list[Part]:
    return parts_of(messages, room_in(model.window, prompt("consolidate")))


def _asked(text: str, name: str, model: ChatModel) -> str:
    message = ChatMessage("user", text)
    reply = complete(model, [message], system=prompt(name), max_tokens=answer_length(model.window))
    if reply.reason != "end":
        raise _NoAnswer("no whole summary")
    answer = meant(cleaned(reply.text)).strip()
    if found := trouble(answer, [text], prompt(name), answer_length(model.window)):
        raise _NoAnswer(found)
    return answer


def _shortened(text: str, model: ChatModel) -> str:
    """The summary said more briefly; nothing if the model cannot, or if it would have to see it in parts."""
    question = quoted("summary", text)
    if estimate_tokens(question) > room_in(model.window, prompt("shorten")):
        return ""
    try:
        shorter = _asked(question, "shorten", model)
    except (_NoAnswer, CommonplaceError):  # the long text is kept: it is better than none
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

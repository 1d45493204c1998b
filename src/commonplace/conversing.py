"""Conversations as a person sees them: begun, listed, searched, renamed, ended, gone on with.

What happens to a session besides messages (its title, its end) is a line of its transcript with the role "event", so
that a transcript tells everything and is only ever appended to.
"""

import secrets
import uuid
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import cast

from commonplace.errors import NotFound, SaveFailed, StorageError, ValidationError, failing_as
from commonplace.files import daily, transcripts
from commonplace.files.book import Book
from commonplace.files.cursors import EVENT, Ledger, moment
from commonplace.files.text import folded, on_one_line
from commonplace.framing import ECHO
from commonplace.gate.secrets import redact, redact_nested
from commonplace.ports import Clock
from commonplace.requesting import HEEDED
from commonplace.types.book import MEMORY_FILE
from commonplace.types.sessions import Message, SessionInfo, Transcript

LONGEST_TITLE = 100
_SHOWN_TITLE = 60
_SHORTEST = 12
_NEWEST_LOGS = 7
_SPOKEN = ("user", "assistant")


def new_id(now: datetime) -> str:
    """An id that sorts by time and is nobody else's: date and time in UTC, then chance."""
    return f"{now.astimezone(UTC):%Y%m%d-%H%M%S-%f}"[:19] + f"-{secrets.token_hex(4)}"


class Conversations:
    """The sessions of one book. When `clean`, no secret gets into a transcript."""

    def __init__(self, book: Book, clock: Clock, *, clean: bool) -> None:
        self._book = book
        self._storage = book.storage
        self._clock = clock
        self._clean = clean

    def add(self, session: str, *messages: Message) -> None:
        """Append messages to a session's transcript, all of them or none."""
        name = transcripts.file_of(session)
        for word in (session, *(word for message in messages for word in (message.id, message.role))):
            self._check(word)
        known = self._known() if any(message.role == "assistant" for message in messages) else []
        lines = b"".join(transcripts.line_of(_marked(self._cleaned(message), known)) for message in messages)
        with failing_as(SaveFailed):
            self._book.create()
            if missing := self._book.missing():
                raise missing
            self._storage.append(name, lines, on_new_line=True)

    def say(self, session: str, role: str, text: str, extra: dict[str, object]) -> Message:
        """Append one message, said now, to a session's transcript."""
        message = self._cleaned(Message(uuid.uuid4().hex[:16], role, text, self._clock.now(), extra))
        self.add(session, message)
        return message

    def read(self, session: str) -> Transcript:
        return transcripts.read(session, self._storage.read(transcripts.file_of(session)).data)

    def ids(self) -> list[str]:
        files = self._storage.list_folder(transcripts.FOLDER)
        named = [session for f in files if f.kind == "file" and (session := transcripts.session_of(f.name))]
        copied = transcripts.copies(named, self._storage.read)
        return [session for session in named if session not in copied]

    def heeded(self, message: Message, session: str, told: Sequence[str]) -> None:
        """Note that what a message asks for is done, so that no flush does it again."""
        now = self._clock.now()
        extra: dict[str, object] = {"event": HEEDED, "of": message.id, "done": list(told)}
        self.add(session, Message(new_id(now), EVENT, "", now, extra))

    def start(self, title: str = "") -> SessionInfo:
        session = new_id(self._clock.now())
        self._note(session, "started", _checked_title(title) if title.strip() else "")
        return self.info(session)

    def rename(self, session: str, title: str) -> SessionInfo:
        self.info(session)
        self._note(session, "renamed", _checked_title(title))
        return self.info(session)

    def end(self, session: str) -> SessionInfo:
        if not self.info(session).ended:
            self._note(session, "ended")
        return self.info(session)

    def resume(self, session: str) -> SessionInfo:
        if self.info(session).ended:
            self._note(session, "resumed")
        return self.info(session)

    def info(self, session: str) -> SessionInfo:
        transcript = self.read(session)
        if not transcript.messages:
            raise NotFound(f"There is no session {session}.", hint="`commonplace sessions` lists them.")
        return _info(transcript, Ledger(self._storage))

    def infos(self) -> list[SessionInfo]:
        """All sessions, the one that was used last first."""
        ledger = Ledger(self._storage)
        found = [_info(transcript, ledger) for transcript in self._all() if transcript.messages]
        return sorted(found, key=lambda info: (info.last, info.id), reverse=True)

    def search(self, words: str) -> list[SessionInfo]:
        """The sessions that have all of the words, in the title or in what was said; those with them in the title
        first."""
        wanted = folded(words).split()
        if not wanted:
            raise ValidationError("There is nothing to look for.", hint="Give at least one word.")
        ledger = Ledger(self._storage)
        found: list[tuple[bool, SessionInfo]] = []
        for transcript in self._all():
            if not transcript.messages:
                continue
            title = folded(_title(transcript))
            said = "\n".join(folded(message.text) for message in transcript.messages if message.role in _SPOKEN)
            if all(word in title or word in said for word in wanted):
                found.append((all(word in title for word in wanted), _info(transcript, ledger)))
        found.sort(key=lambda pair: (pair[0], pair[1].last, pair[1].id), reverse=True)
        return [info for _, info in found]

    def _all(self) -> Iterator[Transcript]:
        return map(self.read, self.ids())

    def _check(self, word: str) -> None:
        """A caller chooses ids and roles, and they stand in files and their names: they cannot be masked there."""
        if self._clean and redact(word) != word:
            raise ValidationError("An id or a role of a conversation looks like a secret.", hint="Choose another one.")

    def _known(self) -> list[str]:
        """What the memory and the newest logs say, line by line: what a reply repeats is mostly from there, and a
        message must not cost more the older a book is. What cannot be read is compared with nothing."""
        names = [MEMORY_FILE]
        found: list[str] = []
        with suppress(StorageError):
            logs = sorted(file.name for file in self._storage.list_folder(daily.FOLDER) if file.kind == "file")
            names += logs[-_NEWEST_LOGS:]
        for name in names:
            with suppress(StorageError):
                text = (self._storage.read(name).data or b"").decode("utf-8", "replace")
                found += [line.strip(" -*") for line in text.splitlines() if len(line) > _SHORTEST]
        return found

    def _cleaned(self, message: Message) -> Message:
        """A message as the transcript may keep it: its text, and whatever a tool was called with."""
        if not self._clean:
            return message
        return replace(message, text=redact(message.text), extra=redact_nested(message.extra))

    def _note(self, session: str, event: str, title: str = "") -> None:
        now = self._clock.now()
        extra: dict[str, object] = {"event": event, "title": title} if title else {"event": event}
        self.add(session, Message(new_id(now), EVENT, "", now, extra))


def _marked(message: Message, known: list[str]) -> Message:
    """What an assistant said, with the places where it only repeats what was in the memory before."""
    if message.role != "assistant" or not known:
        return message
    from commonplace.gate.echoing import echoes

    noted = message.extra.get(ECHO)
    places = [*(cast(list[tuple[int, int]], noted) if isinstance(noted, list) else []), *echoes(message.text, known)]
    return replace(message, extra={**message.extra, ECHO: sorted(set(map(tuple, places)))}) if places else message


def _info(transcript: Transcript, ledger: Ledger) -> SessionInfo:
    times = [moment(message.at) for message in transcript.messages]
    messages = [message for message in transcript.messages if message.role != EVENT]
    after = messages[ledger.logged(transcript.session, messages) :]
    return SessionInfo(
        id=transcript.session,
        title=_title(transcript),
        started=times[0],
        last=times[-1],
        messages=sum(1 for message in messages if message.role in _SPOKEN),
        ended=_is_ended(transcript),
        unlogged=sum(1 for message in after if message.role in _SPOKEN and message.text.strip()),
    )


def _title(transcript: Transcript) -> str:
    """The title that was given last, or how the user began."""
    given = [str(message.extra["title"]) for message in transcript.messages if _is_titled(message)]
    if given:
        return given[-1]
    first = next((on_one_line(m.text) for m in transcript.messages if m.role == "user" and m.text.strip()), "")
    return first if len(first) <= _SHOWN_TITLE else first[: _SHOWN_TITLE - 1].rstrip() + "…"


def _is_titled(message: Message) -> bool:
    return message.role == EVENT and bool(message.extra.get("title"))


def _is_ended(transcript: Transcript) -> bool:
    """Ended is what nobody has said anything in since."""
    for message in reversed(transcript.messages):
        if message.role != EVENT or message.extra.get("event") == "resumed":
            return False
        if message.extra.get("event") == "ended":
            return True
    return False


def _checked_title(title: str) -> str:
    text = on_one_line(title)
    if not text or len(text) > LONGEST_TITLE:
        raise ValidationError(
            f"A title has 1 to {LONGEST_TITLE} characters; this has {len(text)}.", hint="Choose another one."
        )
    return text

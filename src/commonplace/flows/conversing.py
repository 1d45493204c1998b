"""Conversations as a person sees them: begun, listed, searched, renamed, ended, gone on with.

What happens to a session besides messages (its title, its end) is a line of its transcript with the role "event", so
that a transcript tells everything and is only ever appended to.
"""

import re
import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from threading import Lock
from typing import cast

from commonplace.errors import CommonplaceError, NotFound, SaveFailed, StorageError, ValidationError, failing_as
from commonplace.files import daily, transcripts
from commonplace.files.cursors import EVENT, Ledger, moment
from commonplace.files.overview import Overview
from commonplace.files.text import folded, on_one_line
from commonplace.files.transactions import Book
from commonplace.flows.requesting import HEEDED
from commonplace.framing import ECHO
from commonplace.gate.secrets import redact, redact_nested
from commonplace.ports import Clock
from commonplace.types.book import MEMORY_FILE, FileStat
from commonplace.types.keeping import Change, Quote
from commonplace.types.searching import Around
from commonplace.types.sessions import SPOKEN, Message, SessionGlance, SessionInfo, Transcript

LONGEST_TITLE = 100
_SHOWN_TITLE = 60
_SHORTEST = 12
_NEWEST_LOGS = 7
_UUID = re.compile(r"(?:[a-z]{1,16}-){0,2}[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


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
        self._glances: dict[str, tuple[str, SessionGlance | None]] = {}
        self._copied: set[str] = set()
        self._listed: list[SessionGlance] = []
        self._folder: object = None
        self._guard = Lock()

    def add(self, session: str, *messages: Message) -> None:
        """Append messages to a session's transcript, all of them or none."""
        name = transcripts.file_of(session)
        self._check([session, *(word for message in messages for word in (message.id, message.role))])
        known = self._known() if any(message.role == "assistant" for message in messages) else []
        lines = b"".join(transcripts.line_of(_marked(self._cleaned(message), known)) for message in messages)
        with failing_as(SaveFailed):
            self._book.create()
            if missing := self._book.missing():
                raise missing
            self._storage.append(name, lines, on_new_line=True)

    def add_new(self, session: str, *messages: Message) -> list[Message]:
        """Append those of the messages whose ids the transcript has not, in any process; which they were."""
        with failing_as(SaveFailed):
            self._book.create()
            with self._storage.lock():
                known = {message.id for message in self.read(session).messages}
                new = [message for message in messages if message.id not in known]
                if new:
                    self.add(session, *new)
                return new

    def say(self, session: str, role: str, text: str, extra: dict[str, object]) -> Message:
        """Append one message, said now, to a session's transcript."""
        message = self._cleaned(Message(secrets.token_hex(8), role, text, self._clock.now(), extra))
        self.add(session, message)
        return message

    def read(self, session: str) -> Transcript:
        return transcripts.read(session, self._storage.read(transcripts.file_of(session)).data)

    def quotes(self, changes: Sequence[Change]) -> tuple[Quote, ...]:
        """The messages that changes rest on, as far as their transcripts are here."""
        found: list[Quote] = []
        for note in (change.note for change in changes if change.note.session and change.note.messages):
            with suppress(CommonplaceError):  # the session of another program, or one that cannot be read
                said = self.read(note.session or "").messages
                found += [Quote(note.session or "", m.id, m.role, m.text) for m in said if m.id in note.messages]
        return tuple(found)

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

    def around(self, session: str, message: str) -> Around:
        """What a message stands in: the title, and what was said just before and after it."""
        transcript = self.read(session)
        said = [one for one in transcript.messages if one.role in SPOKEN]
        place = next((at for at, one in enumerate(said) if one.id == message), None)
        if place is None:
            return Around(_title(transcript) if transcript.messages else "")
        before, after = said[max(place - 1, 0) : place], said[place + 1 : place + 2]
        return Around(_title(transcript), *("".join(one.text for one in part) for part in (before, after)))

    def infos(self) -> list[SessionInfo]:
        """All sessions, the one that was used last first."""
        ledger = Ledger(self._storage)
        overview = Overview(self._storage, self.read, lambda transcript: _info(transcript, ledger), _titled)
        found = overview.infos(self.ids(), may_save=self._book.identity() is not None)
        return sorted(found, key=lambda info: (info.last, info.id), reverse=True)

    def glances(self) -> list[SessionGlance]:
        """All sessions at a glance, the one that was used last first. What was read is kept as long as the file is what
        it was."""
        with self._guard:
            return self._looked_at()

    def _looked_at(self) -> list[SessionGlance]:
        folder = self._storage.glance(transcripts.FOLDER)
        if folder == self._folder:
            return list(self._listed)
        files = {s: f.stamp for f in self._storage.list_folder(transcripts.FOLDER) if (s := _session_of(f))}
        known = self._glances
        fresh = {s: known[s] if s in known and known[s][0] == stamp else (stamp, None) for s, stamp in files.items()}
        copied = transcripts.copies(files, self._storage.read) if any(g is None for _, g in fresh.values()) else None
        for session, (stamp, glance) in fresh.items():
            if glance is None:
                fresh[session] = stamp, _glance(self.read(session))
        self._glances = fresh
        self._copied = self._copied if copied is None else copied
        found = [g for s, (_, g) in fresh.items() if g is not None and g.messages and s not in self._copied]
        self._listed = sorted(found, key=lambda glance: (glance.last, glance.id), reverse=True)
        self._folder = folder
        return list(self._listed)

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
            said = "\n".join(folded(message.text) for message in transcript.messages if message.role in SPOKEN)
            if all(word in title or word in said for word in wanted):
                found.append((all(word in title for word in wanted), _info(transcript, ledger)))
        found.sort(key=lambda pair: (pair[0], pair[1].last, pair[1].id), reverse=True)
        return [info for _, info in found]

    def _all(self) -> Iterator[Transcript]:
        return map(self.read, self.ids())

    def _check(self, words: Sequence[str]) -> None:
        """A caller chooses ids and roles, and they stand in files and their names: they cannot be masked there. An id
        that is nothing but a UUID need not be looked at: thousands come in with an import."""
        chosen = (word for word in dict.fromkeys(words) if not _UUID.fullmatch(word))
        if self._clean and any(redact(word) != word for word in chosen):
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
        messages=sum(1 for message in messages if message.role in SPOKEN),
        ended=_is_ended(transcript),
        unlogged=sum(1 for message in after if message.role in SPOKEN and message.text.strip()),
    )


def _session_of(file: FileStat) -> str | None:
    return transcripts.session_of(file.name) if file.kind == "file" else None


def _glance(transcript: Transcript) -> SessionGlance | None:
    if not transcript.messages:
        return None
    times = [moment(message.at) for message in transcript.messages]
    said = [message for message in transcript.messages if message.role in SPOKEN]
    days = Counter(message.at.date() for message in said)
    title, ended = _title(transcript), _is_ended(transcript)
    return SessionGlance(transcript.session, title, times[0], times[-1], len(said), ended, dict(days))


def _title(transcript: Transcript) -> str:
    return _titled(transcript.messages)[0]


def _titled(messages: Sequence[Message]) -> tuple[str, Message | None]:
    """The title that was given last, or how the user began; and the message that has it."""
    given = [message for message in messages if _is_titled(message)]
    if given:
        return str(given[-1].extra["title"]), given[-1]
    first = next((message for message in messages if message.role == "user" and message.text.strip()), None)
    text = on_one_line(first.text) if first else ""
    return text if len(text) <= _SHOWN_TITLE else text[: _SHOWN_TITLE - 1].rstrip() + "…", first


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

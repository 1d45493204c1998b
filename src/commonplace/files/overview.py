"""What is known of each session without reading its transcript again: a derived table of times, counts and places.

A row holds as long as the transcript, the stored cursor and the logs that it was made from have the same stamps. No
word that was said stands in it: of the title only where it is.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from typing import NamedTuple, cast

from commonplace.errors import CommonplaceError, StorageError
from commonplace.files import cursors, daily, transcripts
from commonplace.ports import Storage
from commonplace.types.book import FileStat
from commonplace.types.sessions import Message, SessionInfo, Transcript

FILE = ".commonplace/state/sessions.json"
_LARGEST = 2**31


class _Row(NamedTuple):
    """One session. `title` is where the line stands that gives it: its first byte, and how many."""

    stamps: list[str]
    days: list[str]
    title: list[int]
    started: str
    last: str
    messages: int
    ended: bool
    unlogged: int


class Overview:
    """The table of one book. `read` gives a transcript, `told` what is to be known of one, and `title` its title."""

    def __init__(
        self,
        storage: Storage,
        read: Callable[[str], Transcript],
        told: Callable[[Transcript], SessionInfo],
        title: Callable[[Sequence[Message]], tuple[str, Message | None]],
    ) -> None:
        self._storage = storage
        self._read = read
        self._told = told
        self._title = title

    def infos(self, sessions: Iterable[str], *, may_save: bool) -> list[SessionInfo]:
        """What is known of these sessions; those without a message are left out."""
        files = {
            file.name: file
            for folder in (transcripts.FOLDER, daily.FOLDER, cursors.FOLDER)
            for file in self._storage.list_folder(folder)
        }
        sessions = list(sessions)
        known, rows, found = self._rows(), dict[str, _Row](), list[SessionInfo]()
        standing = {session: known[session] for session in sessions if session in known}
        standing = {session: row for session, row in standing.items() if _holds(row, session, files)}
        titles = self._titles(standing)
        for session in sessions:
            row = standing.get(session)
            info = _info(row, session, titles) if row else None
            if row and info:
                rows[session] = row
            else:
                transcript = self._read(session)
                if not transcript.messages:
                    continue
                info = self._told(transcript)
                if made := self._row(transcript, info, files):
                    rows[session] = made
            found.append(info)
        if may_save and rows != known:
            with suppress(StorageError):  # it is made again
                self._storage.put_derived(FILE, [json.dumps(rows).encode()])
        return found

    def _rows(self) -> dict[str, _Row]:
        try:
            raw = cast("dict[str, list[object]]", json.loads(self._storage.read(FILE).data or b"{}"))
            return {session: _Row(*cast("tuple[list[str]]", row)) for session, row in raw.items()}  # pyright: ignore[reportCallIssue] JSON is untyped
        except (ValueError, TypeError, AttributeError, CommonplaceError):
            return {}

    def _titles(self, rows: Mapping[str, _Row]) -> dict[str, str]:
        """The titles of sessions; of one whose row says where none can be, none."""
        places = {transcripts.file_of(session): row.title for session, row in rows.items()}
        lines = self._storage.excerpts({name: (start, length) for name, (start, length) in places.items() if length})
        titles = {session: "" for session, row in rows.items() if row.title == [0, 0]}
        for session in rows:
            with suppress(ValueError, TypeError, KeyError, CommonplaceError):
                messages = transcripts.read(session, lines[transcripts.file_of(session)]).messages
                titles[session], _ = self._title(messages)
        return titles

    def _row(self, transcript: Transcript, info: SessionInfo, files: dict[str, FileStat]) -> _Row | None:
        """The row of a session, unless what it is made from may still change without another stamp."""
        days = sorted({message.at.date().isoformat() for message in transcript.messages})
        sources = _sources(info.id, days, files)
        if sources[0] is None or any(file and not file.settled for file in sources):
            return None
        _, named = self._title(transcript.messages)
        stamps = [file.stamp if file else "" for file in sources]
        started, last = info.started.isoformat(), info.last.isoformat()
        place = self._place_of(transcript, named)
        return _Row(stamps, days, place, started, last, info.messages, info.ended, info.unlogged)

    def _place_of(self, transcript: Transcript, named: Message | None) -> list[int]:
        if named is None:
            return [0, 0]
        number = transcript.lines[transcript.messages.index(named)]
        lines = (self._storage.read(transcripts.file_of(transcript.session)).data or b"").split(b"\n")
        return [sum(len(line) + 1 for line in lines[: number - 1]), len(lines[number - 1])]


def _holds(row: _Row, session: str, files: dict[str, FileStat]) -> bool:
    """Whether nothing has changed since; a damaged row does not hold."""
    try:
        start, length = row.title
        stamps = [file.stamp if file else "" for file in _sources(session, row.days, files)]
        return row.stamps == stamps and 0 <= start < _LARGEST and 0 <= length < _LARGEST
    except (ValueError, TypeError, CommonplaceError):
        return False


def _info(row: _Row, session: str, titles: Mapping[str, str]) -> SessionInfo | None:
    """What a row says; None if it is damaged."""
    try:
        started, last = datetime.fromisoformat(row.started), datetime.fromisoformat(row.last)
        return SessionInfo(session, titles[session], started, last, row.messages, row.ended, row.unlogged)
    except (ValueError, TypeError, KeyError):
        return None


def _sources(session: str, days: Sequence[str], files: dict[str, FileStat]) -> list[FileStat | None]:
    logs = [daily.file_of(date.fromisoformat(day)) for day in days]
    return [files.get(name) for name in (transcripts.file_of(session), cursors.file_of(session), *logs)]

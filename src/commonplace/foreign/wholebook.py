"""A whole book as one JSON file: its format (docs/export-format.md), and a book of that kind as just another source.

A version of a file is told as what differs from the one before: how much of its beginning and of its end stayed, and
what stands between. Pure but for reading.
"""

import base64
import binascii
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from commonplace.errors import UnreadableFile, ValidationError
from commonplace.files import cursors, daily, folders, transcripts
from commonplace.files.document import Document
from commonplace.files.text import decode
from commonplace.foreign.fields import Record, items, record, text
from commonplace.foreign.ids import digest
from commonplace.foreign.jsonstream import pieces
from commonplace.foreign.markdown import placed, section_title
from commonplace.foreign.opening import Source
from commonplace.types.asking import Note, Origin, Voice
from commonplace.types.book import MEMORY_FILE, REQUESTED
from commonplace.types.transfer import Brought, Conversation, DayNote, Memo, PassedOver

FORMAT, VERSION = "commonplace-book", 1
STATE = f"{cursors.FOLDER}/"
"""What the book knows beside its files and is not derived from them: how far conversations are logged."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """One change of the history. A file's new content is worked out from the one that it had (`file_after`)."""

    id: str
    at: datetime
    note: Note
    files: tuple[Record, ...]


def is_one(first: Sequence[tuple[str, object]]) -> bool:
    """Whether a file that begins with these pieces is such a book. One of a later version is not guessed at."""
    told = dict(first)
    if told.get("format") != FORMAT:
        return False
    if told.get("version") != VERSION:
        raise UnreadableFile(
            f"The export has version {told.get('version')!r}; this program knows {VERSION}.",
            hint="Update Commonplace.",
        )
    return True


# -- writing -----------------------------------------------------------------------------------------------------------


def beginning(made: datetime) -> str:
    fields = {"format": FORMAT, "version": VERSION, "made": made.isoformat(timespec="seconds")}
    return "{\n" + "".join(f"{dumped(key)}: {dumped(value)},\n" for key, value in fields.items())


def dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def of_file(name: str, data: bytes) -> dict[str, object]:
    return {"name": name, **_content(data)}


def of_change(id: str, at: datetime, note: Note, files: Sequence[Mapping[str, object]]) -> dict[str, object]:
    told = {"session": note.session, "reason": note.reason, "undoes": note.undoes, "voice": note.voice}
    given = {key: value for key, value in told.items() if value}
    who = {"id": id, "at": at.isoformat(), "summary": note.summary, "origin": note.origin.value, **given}
    return {**who, **({"messages": list(note.messages)} if note.messages else {}), "files": list(files)}


def of_version(name: str, before: bytes | None, after: bytes | None) -> dict[str, object]:
    """What a change made of a file."""
    if after is None:
        return {"name": name, "gone": True}
    old = before or b""
    start = _boundary(after, _common(old, after))
    end = _common(old[start:][::-1], after[start:][::-1])
    while end and _continues(after[len(after) - end]):  # no character is cut in two
        end -= 1
    return {"name": name, "start": start, "end": end, **_content(after[start : len(after) - end])}


def _content(data: bytes) -> dict[str, object]:
    try:
        return {"text": data.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}


def _common(one: bytes, other: bytes) -> int:
    """How many bytes both begin with."""
    low, high = 0, min(len(one), len(other))
    if one[:high] == other[:high]:
        return high
    while high - low > 1:  # equal up to low, not equal up to high
        middle = (low + high) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle)
    return low


def _boundary(data: bytes, at: int) -> int:
    while at and at < len(data) and _continues(data[at]):
        at -= 1
    return at


def _continues(byte: int) -> bool:
    """Whether a byte goes on with a character that began before."""
    return byte & 0xC0 == 0x80


# -- reading -----------------------------------------------------------------------------------------------------------


def contents(source: Source, *keys: str) -> Iterator[tuple[str, Record]]:
    """The members of the lists called `keys`, in the order of the file."""
    for file in source.ending(".json"):
        with source.open(file) as stream:
            yield from ((key, record(value)) for key, value in pieces(stream, file.name) if key in keys)


def data_of(piece: Record) -> bytes:
    """The bytes that a piece has in it."""
    try:
        if isinstance(piece.get("base64"), str):
            return base64.b64decode(text(piece["base64"]), validate=True)
        return cast(str, piece["text"]).encode("utf-8")
    except (KeyError, AttributeError, UnicodeEncodeError, binascii.Error) as error:
        raise _malformed(f"{text(piece.get('name'))!r} has no content") from error


def file_after(before: bytes | None, piece: Record) -> bytes | None:
    """What a change makes of a file."""
    if piece.get("gone") is True:
        return None
    old, start, end = before or b"", piece.get("start"), piece.get("end")
    if not (isinstance(start, int) and isinstance(end, int) and 0 <= start <= len(old) and 0 <= end <= len(old)):
        raise _malformed("a change of the history rests on what is not there")
    return old[:start] + data_of(piece) + (old[-end:] if end else b"")


def change(piece: Record) -> Recorded:
    try:
        at = datetime.fromisoformat(text(piece.get("at")))
        voice = Voice(text(piece["voice"])) if piece.get("voice") else None
        note = Note(
            text(piece.get("summary")),
            Origin(text(piece.get("origin"))),
            text(piece.get("session")) or None,
            text(piece.get("reason")) or None,
            text(piece.get("undoes")) or None,
            voice,
            tuple(text(one) for one in items(piece.get("messages"))),
        )
    except ValueError as error:
        raise _malformed(f"a change of the history says {error}") from error
    if at.tzinfo is None:
        raise _malformed("a change of the history has a time without a zone")
    return Recorded(text(piece.get("id")), at, note, tuple(record(one) for one in items(piece.get("files"))))


def _malformed(why: str) -> ValidationError:
    return ValidationError(f"The export is not whole: {why}.", hint="Export the book again.")


# -- as a source among others ------------------------------------------------------------------------------------------


def brought(source: Source) -> Iterator[Brought]:
    """What a book that has things of its own takes from another one: entries, logs and conversations."""
    for _, piece in contents(source, "files"):
        name = text(piece.get("name"))
        day, session = daily.day_of(name), transcripts.session_of(name)
        if name == MEMORY_FILE:
            yield from _entries(data_of(piece))
        elif day is not None and name.startswith(f"{folders.DAILY}/"):
            yield DayNote(day, _told(decode(data_of(piece), name)), name)
        elif session is not None:
            found = transcripts.read(session, data_of(piece))
            if found.messages:
                yield Conversation(session, "", found.messages)
        else:
            yield PassedOver(name, "it comes back only into an empty book")


def _entries(data: bytes) -> Iterator[Brought]:
    document = Document.parse(data)
    for entry, above in zip(document.entries, document.places, strict=True):
        said = entry.text.removeprefix(REQUESTED).strip()
        if said:
            asked, place = entry.text.startswith(REQUESTED), f"{MEMORY_FILE} line {entry.line}"
            said = placed(entry.section, above, said)
            yield Memo(digest(said), said, section_title(entry.section), place, requested=asked)


def _told(log: str) -> str:
    """A log without its heading and what parts its blocks."""
    lines = (line for line in log.splitlines() if not line.startswith(("# Daily Log", "<!-- commonplace")))
    return "\n".join(line for line in lines if line.strip() != "---").strip()

"""Parts of files to chunks: what one search result is. Pure.

A chunk is an entry of MEMORY.md, a bullet or paragraph of a daily log, or a turn of a conversation. It knows its
heading and date, and both are part of what is searched.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from commonplace.types import Chunk, Entry, Message, Source

_SPOKEN = {"user", "assistant"}
_PIECE = 700
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])|\n+")


def chunks_of_text(
    file: str, source: Source, entries: Iterable[Entry], *, day: date | None, session: str
) -> list[Chunk]:
    """The entries of a Markdown file, in order; our own markers in comments are no text."""
    seen = (entry for entry in entries if entry.text and not entry.text.startswith("<!--"))
    return [
        Chunk(file, entry.line, source, entry.section, day, session, position, "", entry.text)
        for position, entry in enumerate(seen)
    ]


def chunks_of_transcript(file: str, session: str, messages: Iterable[tuple[int, Message]]) -> list[Chunk]:
    """What was said, turn by turn; tool calls and their results are not."""
    spoken = [(line, message) for line, message in messages if message.role in _SPOKEN and message.text.strip()]
    return [
        Chunk(
            file,
            line,
            Source.SESSION,
            "",
            message.at.date(),
            session,
            position,
            str(message.extra.get("name") or message.role),
            message.text,
            message.id,
        )
        for position, (line, message) in enumerate(spoken)
    ]


def searched_text(chunk: Chunk) -> str:
    """What keywords are matched against: heading, date in words and speaker stand in front of the text."""
    day = f"{chunk.day.isoformat()} {chunk.day.strftime('%d %B %Y %A')}" if chunk.day else ""
    return f"{chunk.heading} {day} {chunk.speaker} {chunk.text}"


def embedded_pieces(chunk: Chunk) -> list[str]:
    """What is embedded: the text with its heading or speaker, in pieces that fit the model's window."""
    label = chunk.heading or chunk.speaker
    prefix = f"{label}: " if label else ""
    return [prefix + piece for piece in pieces(chunk.text)]


def pieces(text: str) -> list[str]:
    """A long text in pieces of whole sentences (or, failing those, of words)."""
    if len(text) <= _PIECE:
        return [text]
    found: list[str] = []
    current = ""
    for part in _short_parts(text):
        if current and len(current) + len(part) > _PIECE:
            found.append(current)
            current = ""
        current = f"{current} {part}".strip()
    return [*found, current] if current else found


def _short_parts(text: str) -> Iterator[str]:
    for sentence in _SENTENCE_END.split(text):
        if sentence and sentence.strip():
            yield from (sentence[i : i + _PIECE] for i in range(0, len(sentence), _PIECE))


def digest(*parts: str | int) -> bytes:
    """Sixteen bytes that stand for these values."""
    return hashlib.blake2b("\x1f".join(map(str, parts)).encode("utf-8", "surrogatepass"), digest_size=16).digest()


def digest_of(chunk: Chunk) -> bytes:
    day = chunk.day.toordinal() if chunk.day else 0
    place = (chunk.file, chunk.line, chunk.source.value, chunk.heading, day, chunk.session, chunk.position)
    return digest(*place, chunk.speaker, chunk.message, chunk.text)


def vector_keys(chunk: Chunk) -> Sequence[bytes]:
    return [digest(piece) for piece in embedded_pieces(chunk)]

"""Parts of files to chunks: what one search result is. Pure.

A chunk is an entry of MEMORY.md, a bullet or paragraph of a daily log, or a turn of a conversation. It knows its
heading and date, and both are part of what is searched.
"""

import hashlib
import re
from collections.abc import Iterable
from datetime import date

from commonplace.language import terms
from commonplace.language.monthnames import MONTHS
from commonplace.types.book import Entry
from commonplace.types.searching import Chunk, Source
from commonplace.types.sessions import SPOKEN, Message

_BEFORE = 160
_LOOKED_AT = 3000
_TIME_WORD = re.compile(
    r"\b(?:yesterday|today|tomorrow|tonight|last|next|ago|weeks?|weekend|months?|years?|days?|monday|tuesday|wednesday"
    rf"|thursday|friday|saturday|sunday|{'|'.join(month for month in MONTHS if month != 'May')}"
    r"|recently|since|morning|\d{4}|\d{1,2}(?:st|nd|rd|th))\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|once|twice|couple)\b", re.IGNORECASE)

ASKS, TELLS_TIME, HAS_NUMBER, BY_ASSISTANT = 1, 2, 4, 8
"""What a chunk is like, as bits: ranking looks at it."""


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
    """What was said, turn by turn; tool calls and their results are not. "Yes, since March" means nothing without
    the question, so each turn knows the end of the one before."""
    chunks: list[Chunk] = []
    before = ""
    for line, message in messages:
        if message.role not in SPOKEN or not message.text.strip():
            continue
        name = str(message.extra.get("name") or "")
        speaker, day = name or message.role, message.at.date()
        place = (file, line, Source.SESSION, "", day, session, len(chunks), speaker)
        chunks.append(Chunk(*place, message.text, message.id, before))
        before = _named(speaker, _end_of(message.text))
    return chunks


def searched_terms(chunk: Chunk) -> list[str]:
    """What keywords are matched with: the date as people write it, heading and name, then the text."""
    day = f"{chunk.day.day} {MONTHS[chunk.day.month - 1]} {chunk.day.year}" if chunk.day else ""
    name = "" if chunk.speaker in SPOKEN else chunk.speaker
    return terms(f"{day} {chunk.heading} {name}") + terms(chunk.text)


def embedded_text(chunk: Chunk) -> str:
    """What the vector is made from: the end of the turn before, then the text under its heading or name."""
    text = _named(chunk.speaker, chunk.text)
    if chunk.heading:
        text = f"{chunk.heading}: {text}"
    return f"{chunk.before}\n{text}" if chunk.before else text


def traits(chunk: Chunk) -> int:
    text = chunk.text[:_LOOKED_AT]
    return (
        (ASKS if "?" in text or "？" in text else 0)
        | (TELLS_TIME if _TIME_WORD.search(text) else 0)
        | (HAS_NUMBER if _NUMBER.search(text) else 0)
        | (BY_ASSISTANT if chunk.speaker == "assistant" else 0)
    )


def digest_of(chunk: Chunk) -> bytes:
    """Sixteen bytes that stand for the chunk and its place."""
    day = chunk.day.toordinal() if chunk.day else 0
    place = (chunk.file, chunk.line, chunk.source.value, chunk.heading, day, chunk.session, chunk.position)
    return _digest("\x1f".join(map(str, (*place, chunk.speaker, chunk.message, chunk.before, chunk.text))))


def vector_key(chunk: Chunk) -> bytes:
    """Sixteen bytes that stand for what is embedded: what has a vector already is not embedded again."""
    return _digest(embedded_text(chunk))


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _named(speaker: str, text: str) -> str:
    """A name is worth embedding; "user" and "assistant" say nothing and cost recall."""
    return f"{speaker}: {text}" if speaker and speaker not in SPOKEN else text


def _end_of(text: str) -> str:
    """The last words of a text."""
    text = text.strip()
    return text if len(text) <= _BEFORE else text[-_BEFORE:].split(" ", 1)[-1]

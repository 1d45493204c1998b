"""INBOX.md: what waits for the person's yes or no, as bullets that a person can read, edit and delete. Pure."""

from __future__ import annotations

import hashlib
import re
from datetime import date

from commonplace.errors import AmbiguousMatch, NotFound
from commonplace.files.document import Document, Match, entry_text, title_text
from commonplace.files.text import folded, on_one_line, split_lines
from commonplace.types.asking import Voice
from commonplace.types.saving import Waiting

INBOX_FILE = "INBOX.md"
_TITLE = "# Inbox"
_HEAD = (
    f"{_TITLE}\n\nThese texts wait for your yes or no: `commonplace inbox accept ID` puts one into the memory, "
    "`commonplace inbox reject ID`\ndrops it. You may also edit and delete them here.\n"
)
_NOTE = re.compile(r"held (\d{4}-\d{2}-\d{2})((?:; (?:rule|from|session|for) [^;\n]*)*)$", re.ASCII)
_SECTION = "Waiting"


def waiting(data: bytes | None) -> list[Waiting]:
    """What waits, the oldest first. A bullet without our second line is a person's own; it can be accepted too."""
    document = Document.parse(data, INBOX_FILE)
    known = zip(document.blocks, document.entries, strict=True)
    return [_item(entry.text, entry.line) for block, entry in known if block.marker and entry.text]


def with_waiting(data: bytes | None, item: Waiting) -> bytes | None:
    """The inbox with one more; as it was if the text waits already."""
    if any(folded(other.text) == folded(item.text) for other in waiting(data)):
        return data
    document = Document.parse(data, INBOX_FILE)
    if document.is_blank:
        document = Document(split_lines(f"{_HEAD}\n## {_SECTION}\n"))
    document, entry = document.with_entry(item.text, _SECTION)
    lines = split_lines(document.text)
    end = lines[entry.line - 1][len(lines[entry.line - 1].rstrip("\r\n")) :] or "\n"
    return Document([*lines[: entry.line], f"  {_note(item)}{end}", *lines[entry.line :]]).data


def without_waiting(data: bytes | None, item: Waiting) -> bytes:
    document = Document.parse(data, INBOX_FILE)
    block = next(block for block in document.blocks if block.start + 1 == item.line)
    return document.without(Match(block, whole=True)).data


def found(items: list[Waiting], word: str) -> Waiting:
    """The one that an id, the beginning of one, or a text stands for; of equal ones the first."""
    wanted = word.strip()
    by_text = [item for item in items if folded(item.text) == folded(wanted)]
    hits = by_text or [item for item in items if wanted and item.id.startswith(wanted.lower())]
    hint = "`commonplace inbox list` shows what waits, with ids."
    if not hits:
        raise NotFound(f"Nothing in the inbox has the id or text {on_one_line(word)[:80]!r}.", hint=hint)
    if len({folded(item.text) for item in hits}) > 1:
        raise AmbiguousMatch(f"{len(hits)} texts in the inbox fit {wanted!r}.", count=len(hits), hint=hint)
    return hits[0]


def new_item(text: str, held: date, rule: str, voice: Voice, session: str | None, section: str) -> Waiting:
    return Waiting(_id(text), entry_text(text), 0, held, rule, voice, session, section)


def _note(item: Waiting) -> str:
    pairs = [("rule", item.rule), ("from", item.voice), ("session", item.session), ("for", item.section)]
    told = "".join(f"; {name} {on_one_line(str(value)).replace(';', ',')}" for name, value in pairs if value)
    return f"held {item.held}{told}"


def _item(text: str, line: int) -> Waiting:
    first, _, rest = text.rpartition("\n")
    note = _NOTE.fullmatch(rest.strip()) if first else None
    if note is None:
        return Waiting(_id(text), text, line)
    said = dict(pair.split(" ", 1) for pair in note[2].split("; ") if " " in pair)
    try:
        held = date.fromisoformat(note[1])
    except ValueError:
        held = None
    voice = next((voice for voice in Voice if voice.value == said.get("from")), None)
    session, section = said.get("session"), title_text(said.get("for", ""))
    return Waiting(_id(first), first, line, held, said.get("rule", ""), voice, session, section)


def _id(text: str) -> str:
    return hashlib.blake2b(folded(entry_text(text)).encode("utf-8", "replace"), digest_size=3).hexdigest()

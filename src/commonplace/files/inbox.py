"""INBOX.md: what waits for the person's yes or no, as bullets that a person can read, edit and delete. Pure."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from datetime import date

from commonplace.errors import AmbiguousMatch, NotFound
from commonplace.files.document import Document, Match, entry_text, title_text
from commonplace.files.text import folded, on_one_line, split_lines
from commonplace.types.asking import Voice
from commonplace.types.book import Entry
from commonplace.types.saving import Proposed, Waiting

INBOX_FILE = "INBOX.md"
_TITLE = "# Inbox"
_HEAD = (
    f"{_TITLE}\n\nThese texts wait for your yes or no: `commonplace inbox accept ID` puts one into the memory, "
    "`commonplace inbox reject ID`\ndrops it. You may also edit and delete them here.\n"
)
_NOTE = re.compile(r"held (\d{4}-\d{2}-\d{2})((?:; (?:rule|from|session|for|messages|said) [^;\n]*)*)$", re.ASCII)
_SECTION = "Waiting"
_INSTEAD_OF = "instead of: "
_TO_BE_REMOVED = "to be removed"
_REJECTED = "Rejected"
_LONGEST_QUOTE = 200
WHY = {
    "third_party": "the words of a tool, a page or a file",
    "instruction": "reads like a command to the agent",
    "protected": "would change what you asked for",
    "unsupported": "you said only a part of this",
    "inferred": "not stated by you; waits for a second conversation, or for you",
}
"""Why something waits, by the rule that fired, in words for the person."""


def waiting(data: bytes | None) -> list[Waiting]:
    """What waits, the oldest first. A bullet without our second line is a person's own; it can be accepted too."""
    document = Document.parse(data, INBOX_FILE)
    known = zip(document.blocks, document.entries, strict=True)
    return [
        _item(entry.text, entry.line)
        for block, entry in known
        if block.marker and entry.text and entry.section != _REJECTED
    ]


def rejected(data: bytes | None) -> list[str]:
    """What the person said no to; it is not proposed again unless they delete it there."""
    return [e.text for e in Document.parse(data, INBOX_FILE).entries if e.section == _REJECTED and e.text]


def with_rejected(data: bytes | None, text: str) -> bytes:
    """The inbox with a text among those that the person said no to."""
    if any(folded(other) == folded(text) for other in rejected(data)):
        return data or b""
    return Document.parse(data, INBOX_FILE).with_entry(on_one_line(text), _REJECTED)[0].data


def with_waiting(data: bytes | None, item: Waiting) -> bytes | None:
    """The inbox with one more; as it was if the text waits already."""
    if any(other.id == item.id for other in waiting(data)):
        return data
    document = Document.parse(data, INBOX_FILE)
    if document.is_blank:
        document = Document(split_lines(f"{_HEAD}\n## {_SECTION}\n"))
    document, entry = document.with_entry(item.text, _SECTION)
    lines = split_lines(document.text)
    end = lines[entry.line - 1][len(lines[entry.line - 1].rstrip("\r\n")) :] or "\n"
    told = [f"  {line}{end}" for line in (*_proposal(item), _note(item))]
    return Document([*lines[: entry.line], *told, *lines[entry.line :]]).data


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
    if len({item.id for item in hits}) > 1:
        raise AmbiguousMatch(f"{len(hits)} texts in the inbox fit {wanted!r}.", count=len(hits), hint=hint)
    return hits[0]


def new_item(
    text: str,
    held: date,
    rule: str,
    voice: Voice,
    session: str | None,
    section: str,
    messages: tuple[str, ...] = (),
    said: str = "",
) -> Waiting:
    quote = on_one_line(said).replace(";", ",")
    quote = quote if len(quote) <= _LONGEST_QUOTE else quote[: _LONGEST_QUOTE - 1] + "…"
    return Waiting(_id(text), entry_text(text), 0, held, rule, voice, session, section, messages=messages, said=quote)


def new_change(before: Entry, new: str, held: date, voice: Voice, session: str | None) -> Waiting:
    """What waits when somebody would change an entry that only the user may change; an empty new text removes it."""
    kind = Proposed.CHANGE if new else Proposed.REMOVAL
    old = on_one_line(before.text)
    text = entry_text(new or old)
    replaced = old if new else ""
    marked = _id(text, kind, replaced)
    return Waiting(marked, text, 0, held, "protected", voice, session, before.section, kind, replaced)


def _proposal(item: Waiting) -> list[str]:
    """The line that tells a change or a removal from an addition."""
    if item.kind is Proposed.CHANGE:
        return [_INSTEAD_OF + item.instead_of]
    return [_TO_BE_REMOVED] if item.kind is Proposed.REMOVAL else []


def _note(item: Waiting) -> str:
    pairs = [("rule", item.rule), ("from", item.voice), ("session", item.session), ("for", item.section)]
    told = "".join(f"; {name} {on_one_line(str(value)).replace(';', ',')[:128]}" for name, value in pairs if value)
    told += "".join(
        f"; {name} {value}" for name, value in [("messages", " ".join(item.messages)), ("said", item.said)] if value
    )
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
    text, kind, replaced = _kind(first)
    marked = _id(text, kind, replaced)
    item = Waiting(marked, text, line, held, said.get("rule", ""), voice, session, section, kind, replaced)
    return replace(item, messages=tuple(said.get("messages", "").split()), said=said.get("said", ""))


def _kind(text: str) -> tuple[str, Proposed, str]:
    """A text in the inbox without the line that says what it would do, what that is, and to which entry."""
    first, _, last = text.rpartition("\n")
    last = last.strip()
    if first and last == _TO_BE_REMOVED:
        return first, Proposed.REMOVAL, ""
    if first and last.startswith(_INSTEAD_OF):
        return first, Proposed.CHANGE, last.removeprefix(_INSTEAD_OF).strip()
    return text, Proposed.ADDITION, ""


def _id(text: str, kind: Proposed = Proposed.ADDITION, replaced: str = "") -> str:
    said = folded(entry_text(text)) if kind is Proposed.ADDITION else f"{kind}\n{folded(replaced)}\n{folded(text)}"
    return hashlib.blake2b(said.encode("utf-8", "replace"), digest_size=3).hexdigest()

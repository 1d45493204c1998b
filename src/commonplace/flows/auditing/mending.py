"""Mending what is certain: duplicates, secrets and structure, in a book or in any page. The rest is for a person."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from commonplace.config import GateSettings
from commonplace.errors import ValidationError
from commonplace.files.document import Document, Match
from commonplace.files.pages import Depth, Page
from commonplace.files.transactions import Book, Plan
from commonplace.flows.auditing.pairs import is_certain, twins
from commonplace.flows.auditing.report import hidden
from commonplace.flows.auditing.sources import can_be_mended, pages_of
from commonplace.foreign.audited import page
from commonplace.gate.secrets import redact
from commonplace.types.asking import Note, Origin
from commonplace.types.book import MEMORY_FILE


@dataclass(frozen=True, slots=True)
class Remedy:
    """What mending makes of one page. `before` and `after` are for the eye: secrets are hidden in both."""

    name: str
    old: bytes
    new: bytes
    before: tuple[str, ...]
    after: tuple[str, ...]


def remedies(pages: Iterable[Page], gate: GateSettings) -> list[Remedy]:
    """What mending would change."""
    found: list[Remedy] = []
    for one in pages:
        mended = _mended(one, gate)
        if mended.data != one.data:
            before, after = (tuple(state.lines()) for state in (one.cleaned(hidden), mended))
            found.append(Remedy(one.name, one.data, mended.data, before, after))
    return found


def mend_book(book: Book, gate: GateSettings) -> str | None:
    """Mend the files of a book as they are under the lock; the change's id, or None if there was nothing to do."""
    depths = {one.name: one.depth for one in pages_of(book) if can_be_mended(one)}

    def work(files: Mapping[str, bytes | None]) -> Plan[None]:
        there = {name: data for name, data in files.items() if data is not None}
        mended = {name: _mended(page(name, data, depths[name]), gate).data for name, data in there.items()}
        return Plan(mended, Note("Mend what an audit found", Origin.PERSON, reason="audit --fix"), None)

    return book.change(list(depths), work)[1] if depths else None


def mend_entry(book: Book, gate: GateSettings, wanted: str) -> str:
    """Mend one entry of MEMORY.md, where what to do is certain; the change's id."""

    def work(files: Mapping[str, bytes | None]) -> Plan[None]:
        document = Document.parse(files[MEMORY_FILE])
        match = document.locate(wanted)
        entry = document.entry_at(match)
        note = Note(f"Mend what an audit found: {redact(entry.text)}", Origin.PERSON, reason="audit --fix")
        clean = redact(entry.text) if gate.secret is not None else entry.text
        if clean != entry.text and "\n" not in entry.text:
            return Plan({MEMORY_FILE: document.replace(match, clean)[0].data}, note, None)
        number = document.blocks.index(match.block)
        pairs = _certain_twins(page(MEMORY_FILE, document.data, Depth.ALL), gate)
        gone = [g for _, g in pairs if g == number] or [g for k, g in pairs if k == number]
        for block in sorted(gone, reverse=True):
            document = document.without(Match(document.blocks[block], whole=True))
        if gone:
            return Plan({MEMORY_FILE: document.data}, note, None)
        raise ValidationError(
            "What to do about this entry is not certain.", hint="Change it or forget it, as you think right."
        )

    return book.change([MEMORY_FILE], work)[1] or ""


def _mended(one: Page, gate: GateSettings) -> Page:
    """The page without duplicates and secrets. Logs may repeat themselves; transcripts stay as they were said."""
    if not can_be_mended(one):
        return one
    if one.is_memory:
        one = one.without({gone for _, gone in _certain_twins(one, gate)})
    return one.cleaned(redact) if gate.secret is not None else one


def _certain_twins(one: Page, gate: GateSettings) -> list[tuple[int, int]]:
    """The blocks that are there more than once: which stays, with each that may go."""
    if gate.duplicate is None:
        return []
    pairs = twins(item for item in one.items if item.is_prose)
    certain = ((kept.block, item.block) for kept, item in pairs if is_certain(kept, item))
    return [(kept, gone) for kept, gone in certain if kept is not None and gone is not None]

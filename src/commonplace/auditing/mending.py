"""Mending what is certain: duplicates, secrets and structure, in a book or in any page. The rest is for a person."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from commonplace.auditing.pairs import is_certain, twins
from commonplace.auditing.report import hidden
from commonplace.auditing.sources import can_be_mended, pages_of
from commonplace.config import GateSettings
from commonplace.files.book import Book, Plan
from commonplace.files.foreign import page
from commonplace.files.pages import Page
from commonplace.gate.secrets import redact
from commonplace.types.asking import Note, Origin


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


def _mended(one: Page, gate: GateSettings) -> Page:
    """The page without duplicates and secrets. Logs may repeat themselves; transcripts stay as they were said."""
    if not can_be_mended(one):
        return one
    if one.is_memory:
        gone: set[int] = set()
        if gate.duplicate is not None:
            pairs = twins(item for item in one.items if item.is_prose)
            gone = {item.block for kept, item in pairs if item.block is not None and is_certain(kept, item)}
        one = one.without(gone)
    return one.cleaned(redact) if gate.secret is not None else one

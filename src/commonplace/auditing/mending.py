"""Mending what is certain: duplicates, secrets and structure, in a book or in any page. The rest is for a person."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from commonplace.auditing.pairs import is_certain, twins
from commonplace.auditing.report import hidden
from commonplace.config import GateSettings
from commonplace.files.book import Book, Plan
from commonplace.files.foreign import page
from commonplace.files.pages import Depth, Page
from commonplace.gate.secrets import redact
from commonplace.types import MEMORY_FILE, Note, Origin


@dataclass(frozen=True, slots=True)
class Remedy:
    """What mending makes of one page. `before` and `after` are for the eye: secrets are hidden in both."""

    name: str
    old: bytes
    new: bytes
    before: tuple[str, ...]
    after: tuple[str, ...]


def remedies(pages: Iterable[Page], gate: GateSettings) -> list[Remedy]:
    """What mending would change. Only pages that are looked at as a whole are mended."""
    found: list[Remedy] = []
    for one in pages:
        if one.depth is not Depth.ALL:
            continue
        mended = _mended(one, gate)
        if mended.data != one.data:
            before, after = (tuple(state.lines()) for state in (one.cleaned(hidden), mended))
            found.append(Remedy(one.name, one.data, mended.data, before, after))
    return found


def mend_book(book: Book, gate: GateSettings) -> str | None:
    """Mend MEMORY.md as it is under the lock; the change's id, or None if there was nothing to do."""

    def work(files: Mapping[str, bytes | None]) -> Plan[None]:
        data = files[MEMORY_FILE]
        note = Note("Mend what an audit found", Origin.PERSON, reason="audit --fix")
        return Plan({MEMORY_FILE: None if data is None else _mended(page(MEMORY_FILE, data), gate).data}, note, None)

    return book.change([MEMORY_FILE], work)[1]


def _mended(one: Page, gate: GateSettings) -> Page:
    gone: set[int] = set()
    if gate.duplicate is not None:
        pairs = twins(item for item in one.items if item.is_prose)
        gone = {item.block for kept, item in pairs if item.block is not None and is_certain(kept, item)}
    tidied = one.without(gone)
    return tidied.cleaned(redact) if gate.secret is not None else tidied

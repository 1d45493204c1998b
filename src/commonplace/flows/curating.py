"""The person's own hand on the memory: entries moved and protected, and MEMORY.md rewritten as a whole.

A person may write what they like, as in any editor. What was read must still be what is there, and a secret that comes
in is pointed out before it is kept.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice

from commonplace.config import GateSettings
from commonplace.errors import UpdateFailed, failing_as
from commonplace.files.document import Document, Match
from commonplace.files.merge import merge
from commonplace.files.text import decode, encode, folded, printable, split_lines
from commonplace.files.transactions import Book, Plan
from commonplace.gate.secrets import find_secrets
from commonplace.types.asking import Asker
from commonplace.types.book import ABSENT, MEMORY_FILE, Entry, version_of
from commonplace.types.changing import PageCollided, PageWritten, Revised
from commonplace.types.saving import Refused
from commonplace.types.verdicts import Verdict, VerdictKind

_REMEMBERED = 100
"""How many versions back a text that somebody began to edit is looked for."""


def move(book: Book, wanted: str, section: str, asker: Asker) -> Revised:
    """Put an entry at the end of another section; one that is not there is made."""

    def work(files: Mapping[str, bytes | None]) -> Plan[tuple[Entry, Entry, str]]:
        document = Document.parse(files[MEMORY_FILE])
        match = replace(document.locate(wanted), whole=True)
        before = document.entry_at(match)
        same = folded(before.section) == folded(section)
        changed, after = (document, before) if same else document.moved(match, section)
        note = asker.note(f"Move from {before.section or MEMORY_FILE} to {after.section}: {after.text}")
        return Plan({MEMORY_FILE: changed.data}, note, (before, after, changed.preview))

    with failing_as(UpdateFailed):
        (before, after, text), change = book.change([MEMORY_FILE], work)
    return Revised(before, after, change or "", text)


def protect(book: Book, wanted: str, asker: Asker, *, protected: bool) -> Revised:
    """Mark an entry as asked for, so that nobody else may change it; or take the mark off."""

    def work(files: Mapping[str, bytes | None]) -> Plan[tuple[Entry, Entry, str]]:
        document = Document.parse(files[MEMORY_FILE])
        match: Match = replace(document.locate(wanted), whole=True)
        before = document.entry_at(match)
        changed, after = document.asked_for(match, protected)
        verb = "Protect" if protected else "Unprotect"
        note = asker.note(f"{verb} in {before.section or MEMORY_FILE}: {after.text}")
        return Plan({MEMORY_FILE: changed.data}, note, (before, after, changed.preview))

    with failing_as(UpdateFailed):
        (before, after, text), change = book.change([MEMORY_FILE], work)
    return Revised(before, after, change or "", text)


def write_page(
    book: Book, text: str, expected: str, gate: GateSettings, asker: Asker, *, insist: bool
) -> PageWritten | PageCollided | Refused:
    """Make MEMORY.md what a person wrote, if it is still the version that they had read."""

    def work(files: Mapping[str, bytes | None]) -> Plan[PageWritten | PageCollided | Refused]:
        data = files[MEMORY_FILE]
        old = decode(data or b"", MEMORY_FILE)
        version = ABSENT if data is None else version_of(data)
        note = asker.note("Edit MEMORY.md")
        written = _as_bytes(text, old)
        if version != expected:
            if written == (data or b""):
                return Plan({}, note, PageWritten(None, version))
            return Plan({}, note, PageCollided(old, version, _merged(book, expected, old, text)))
        if not insist and gate.secret is not None and (verdict := _new_secret(old, text)):
            return Plan({}, note, Refused(verdict))
        new = data if data is None and not written else written
        return Plan({MEMORY_FILE: new}, note, PageWritten(None, version if new is None else version_of(new)))

    with failing_as(UpdateFailed):
        result, change = book.change([MEMORY_FILE], work)
    return replace(result, change=change) if isinstance(result, PageWritten) else result


def _as_bytes(text: str, old: str) -> bytes:
    """A text as it is written: what a program could not show (bytes that are no UTF-8) stays where its line stays."""
    unshown = {printable(line): line for line in split_lines(old) if printable(line) != line}
    lines = split_lines(text) if unshown else [text]
    return encode(printable("".join(lines)) if not unshown else "".join(unshown.get(line, line) for line in lines))


def _merged(book: Book, base: str, ours: str, theirs: str) -> str | None:
    """Both texts in one, where the history still knows what they began from, and they changed different lines."""
    history = book.history
    known = (
        data
        for _, before, after in islice(history.versions(MEMORY_FILE), _REMEMBERED)
        for blob in (after, before)
        if blob is not None and version_of(data := history.content(blob)) == base
    )
    found = next(known, None)
    if found is None:
        return None
    lines, clashes = merge(*(split_lines(part) for part in (decode(found, MEMORY_FILE), ours, theirs)))
    return None if clashes else "".join(lines)


def _new_secret(old: str, new: str) -> Verdict | None:
    """What a person should know before they keep a secret that was not there before."""
    known = set(split_lines(old))
    for line in (line for line in split_lines(new) if line not in known):
        for secret in find_secrets(line):
            if line[secret.start : secret.end] not in old:
                reason = f"Line {split_lines(new).index(line) + 1} holds a secret ({secret.kind})."
                return Verdict(VerdictKind.REFUSE, "secret", reason)
    return None

"""Going back in time: taking a change back while keeping the later ones, and asking where a text came from."""

import re
from collections.abc import Generator, Mapping
from datetime import date, datetime
from itertools import islice

from commonplace.errors import Conflict, NotFound
from commonplace.files import daily
from commonplace.files.descriptors import is_name
from commonplace.files.document import TITLE, Document, blank_document, entry_line
from commonplace.files.erasure import FORGOTTEN_EVERYWHERE
from commonplace.files.merge import merge
from commonplace.files.text import decode, encode, folded, printable, split_lines
from commonplace.files.transactions import Book, Plan
from commonplace.types.asking import Note, Origin
from commonplace.types.book import MEMORY_FILE, Commit, Entry, EntryId
from commonplace.types.keeping import Change, FileDiff, Provenance, Undone

_ALIKE = 0.5
_NEXT = "\r\n\r\n-"  # what stands between a bullet and the next, and what that begins with


def undo(book: Book, change: str | None, reason: str | None) -> Undone:
    """Take back one change (default: the newest that is not taken back yet), keeping all later ones."""
    book.create()
    with book.storage.lock():
        book.catch_up()
        history = book.history
        commit = history.commit(history.resolve(change) if change else _newest_undoable(book))
        undone = history.change(commit)
        touched = history.changed_files(commit)

        def work(files: Mapping[str, bytes | None]) -> Plan[None]:
            contents = {
                name: tuple(blob if blob is None else history.content(blob) for blob in blobs)
                for name, blobs in touched.items()
            }
            restored = {name: _taken_back(name, files[name], *contents[name]) for name in touched}
            note = Note(f"Undo: {undone.note.summary}", Origin.UNDO, reason=reason, undoes=commit.id)
            return Plan(restored, note, None)

        _, id = book.change(list(touched), work)
    if id is None:
        raise Conflict(
            f"Change {undone.short} has no effect any more; there is nothing to take back.",
            hint="`commonplace history` shows what came after it.",
        )
    return Undone(undone, id, tuple(touched))


def changes(book: Book, file: str | None, before: str | None) -> Generator[Change]:
    """Recorded changes, newest first: those of one `file`, those that are older than the change `before`."""
    history = book.history
    for commit in history.commits(history.resolve(before) if before else None):
        found = history.change(commit)
        if found.id != before and (file is None or file in found.files):
            yield found


def change(book: Book, id: str) -> tuple[Change, str | None]:
    """One change, by the beginning of its id, and the change that took it back, if one did."""
    history = book.history
    wanted = history.resolve(id)
    undone_by: str | None = None
    for commit in history.commits():
        found = history.change(commit)
        if found.id == wanted:
            return found, undone_by
        if found.note.undoes == wanted:
            undone_by = found.id
    return history.change(history.commit(wanted)), undone_by


def difference(book: Book, old: str | None, new: str | None) -> list[FileDiff]:
    """What a change did (`old` alone; None: the newest), or the difference between two changes."""
    history = book.history
    newest = history.head()
    if newest is None:
        return []
    if new is not None:
        return history.diff(history.resolve(old or newest), history.resolve(new))
    commit = history.commit(history.resolve(old or newest))
    return history.diff(commit.parents[0] if commit.parents else None, commit.id)


def why(book: Book, text: str) -> Provenance:
    """Where a text came from: the change that brought it, and the ones that gave it its present wording."""
    wanted = folded(text)
    for name in _readable_files(book):
        document = Document.parse(book.storage.read(name).data, name)
        found = [entry for entry in document.entries if wanted in folded(entry.text)]
        exact = [entry for entry in found if folded(entry.text) == wanted]
        if found:
            entry = (exact or found)[-1]
            return Provenance(entry.text, name, entry.line, tuple(_steps(book, name, entry.text)))
    raise NotFound(
        f"Nothing in the book has the text {printable(text)!r}.",
        hint="`commonplace show` prints the memory; `commonplace history` what was there before.",
    )


def written(book: Book, name: str, *, versions: int = 300) -> dict[str, datetime]:
    """When each line of a file got its present wording, by its text without the mark of a bullet, as far as the newest
    `versions` tell. What was only brought back or compacted has the time of nobody's words and is left out."""
    history = book.history
    times: dict[str, datetime] = {}
    settled: set[str] = set()
    newer: set[str] | None = None
    for commit, before, after in islice(history.versions(name), versions):
        new = newer if newer is not None else _lines(history.content(after) if after else b"", name)
        old = newer = _lines(history.content(before) if before else b"", name)
        change = history.change(commit)
        for text in new - old - settled:
            if change.note.origin is Origin.COMPACTION:
                settled.add(text)
            elif change.note.origin not in {Origin.UNDO, Origin.RESTORE}:
                times[text] = change.at
                settled.add(text)
    return times


def as_of(book: Book, day: date) -> tuple[Change | None, bytes]:
    """What MEMORY.md held at the end of a day, and the change that was the newest then; nothing before the first."""
    history = book.history
    for commit in history.commits():
        if commit.at.astimezone().date() <= day:
            blob = history.files(commit.id).get(MEMORY_FILE)
            return history.change(commit), history.content(blob) if blob else b""
    return None, b""


def became(book: Book, id: EntryId, *, versions: int = 100) -> tuple[Change, Entry | None] | None:
    """What an entry was changed to, and by which change; no entry if it was removed, nothing at all if the newest
    `versions` do not know it."""
    history = book.history
    steps: dict[EntryId, tuple[Commit, Entry | None]] = {}
    newer: Document | None = None
    for commit, before, after in islice(history.versions(MEMORY_FILE), versions):
        new = newer or Document.parse(history.content(after) if after else b"")
        old = newer = Document.parse(history.content(before) if before else b"")
        gone = [pair for pair in zip(old.ids, old.entries, strict=True) if pair[0] not in set(new.ids)]
        come = [entry for called, entry in zip(new.ids, new.entries, strict=True) if called not in set(old.ids)]
        for called, entry in gone:
            steps.setdefault(called, (commit, _likest(entry, come, len(gone))))
        if id in steps:
            break
    if id not in steps:
        return None
    commit, entry = steps[id]
    while entry is not None and entry.id in steps and steps[entry.id][0].at >= commit.at and entry.id != id:
        commit, entry = steps.pop(entry.id)
    return history.change(commit), entry


def _likest(entry: Entry, come: list[Entry], gone: int) -> Entry | None:
    """What of the new entries has taken the place of one that is gone: the only one, or one that is alike."""
    if len(come) == 1 and gone == 1:
        return come[0]
    from difflib import SequenceMatcher

    likeness = {at: SequenceMatcher(None, entry.text, other.text).ratio() for at, other in enumerate(come)}
    best = max(likeness, key=lambda at: likeness[at], default=-1)
    return come[best] if best >= 0 and likeness[best] > _ALIKE else None


def _lines(data: bytes, name: str) -> set[str]:
    return {entry_line(line) for line in split_lines(decode(data, name))}


def _steps(book: Book, name: str, text: str) -> Generator[Change]:
    """The changes that gave an entry its wording, newest first, back to the one that brought it. Most versions differ
    somewhere else, which the history tells without their being read; few are looked at, and fewer parsed."""
    history = book.history
    written, at = b"", None
    for commit, before, after in history.versions(name):
        if at is not None and before and after:
            at = history.moved(after, before, at, at + len(written) + len(_NEXT))
            if at is not None:
                continue
        older = history.content(before) if before else b""
        at = _bullet_at(older, written)
        if at is not None:
            continue
        parsed = Document.parse(older, name)
        old = [entry.text for entry in parsed.entries]
        if text not in old:
            new = [entry.text for entry in Document.parse(history.content(after) if after else b"", name).entries]
            if text not in new:
                continue
            change = history.change(commit)
            yield change
            kept, known = set(new), set(old)
            replaced = [entry for entry in old if entry not in kept]
            if change.note.origin in {Origin.UNDO, Origin.RESTORE} and not replaced:
                continue  # it only came back: who brought it stands further down
            if len(replaced) != 1 or len([entry for entry in new if entry not in known]) != 1:
                return
            text = replaced[0]
        written = encode(parsed.written(parsed.blocks[old.index(text)]).rstrip("\r\n"))
        at = _bullet_at(older, written)


def _bullet_at(data: bytes, written: bytes) -> int | None:
    """Where a bullet stands by itself, as far as this can be told by the lines around it."""
    if not written[:2].strip().startswith((b"-", b"*", b"+")):
        return None
    found = re.search(rb"(?:\A|(?<=\n))" + re.escape(written) + rb"(?=\r?\n(?:\r?\n)?(?:[-*+] |#)|\s{0,4}\Z)", data)
    return found.start() if found else None


def _newest_undoable(book: Book) -> str:
    taken_back: set[str] = set()
    for change in book.history.changes():
        if change.note.summary == FORGOTTEN_EVERYWHERE:
            raise Conflict(
                "Next would be that a text was forgotten everywhere, which cannot be undone.",
                hint="To take back an earlier change, name it: commonplace undo ID (`commonplace history` lists them).",
            )
        if change.id in taken_back or not change.files or _is_beginning(change):
            continue
        if change.note.undoes is None:
            return change.id
        taken_back.add(change.note.undoes)
    raise NotFound("There is nothing to undo.", hint="`commonplace history` lists the changes.")


def _is_beginning(change: Change) -> bool:
    """What was in the folder before the book is not a change to take back, unless it is asked for by its id."""
    return change.note.origin is Origin.IMPORT and change.note.summary.startswith("Begin ")


def _readable_files(book: Book) -> list[str]:
    """MEMORY.md first, then the newest logs, then whatever else a person keeps in the book."""
    days = (daily.day_of(file.name) for file in book.storage.list_folder(daily.FOLDER) if file.kind == "file")
    logs = [daily.file_of(day) for day in sorted(filter(None, days), reverse=True)]
    others = [f.name for f in book.storage.list_folder("") if f.name.endswith(".md") and f.kind == "file"]
    return list(dict.fromkeys([MEMORY_FILE, *logs, *filter(is_name, others)]))


def _taken_back(name: str, current: bytes | None, before: bytes | None, after: bytes | None) -> bytes | None:
    """`current` without the step from `before` to `after`; a conflict is shown, not guessed."""
    if current == after:
        return before
    created = before is None and name == MEMORY_FILE and (after or b"").startswith(TITLE.encode())
    if created and current is not None:
        before = blank_document().data  # later entries keep the headings they stand under
    base, ours, theirs = (split_lines(decode(data or b"", name)) for data in (after, current, before))
    merged, clashes = merge(base, ours, theirs)
    if clashes:
        clash = clashes[0]
        shown = "\n".join(
            [f"{name}:"]
            + [f"  that change made it: {line.rstrip()}" for line in clash.base]
            + [f"  it was before:       {line.rstrip()}" for line in clash.theirs]
            + [f"  it now is:           {line.rstrip()}" for line in clash.ours]
        )
        raise Conflict(
            f"Later changes touched the same lines; nothing was changed.\n{printable(shown)}",
            hint="Undo the later change first, or edit the file by hand.",
        )
    if (before is None or current is None) and not "".join(merged).strip():
        return None
    return encode("".join(merged))

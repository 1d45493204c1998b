"""What `doctor` looks at in a book: each check says what it found and what to do. Reads only."""

import os
import re
import shutil
import stat
from collections.abc import Iterator

from commonplace.errors import CommonplaceError
from commonplace.files import backups, daily, transcripts
from commonplace.files.book import SETTINGS_FILE, Book
from commonplace.files.descriptors import is_name
from commonplace.files.folder import PRIVATE, TMP
from commonplace.files.inbox import INBOX_FILE, waiting
from commonplace.files.objects import Damaged
from commonplace.files.text import decode, printable
from commonplace.types.book import MEMORY_FILE
from commonplace.types.keeping import Finding

_NEWEST = 100
_LOW_SPACE = 200 * 1024 * 1024
_CONFLICT_COPY = re.compile(
    r"\.sync-conflict-|conflicted copy|\([^()]*conflict[^()]*\)|-conflict-|\.orig$|_conf\(\d+\)", re.IGNORECASE
)
_NUMBERED = re.compile(r" (?:\(\d+\)|\d+)(?=\.\w+$)")
_FOLDERS = ("", daily.FOLDER, transcripts.FOLDER, backups.FOLDER)


def check(book: Book, *, full: bool = False) -> list[Finding]:
    """`full` reads the whole history; otherwise as much of it as costs the same at any age of the book."""
    if not book.root.is_dir():
        return [Finding("book", "error", f"There is no folder at {book.root}.", "commonplace init creates the book.")]
    try:
        if book.identity() is None:
            return [Finding("book", "note", f"{book.root} is not a book yet.", "The first write makes it one.")]
    except CommonplaceError as error:
        return [Finding("book", "error", error.message, error.hint)]
    checks = (_missing, _readable, _permissions, _lock, _staging, _torn, _sync_conflicts)
    named = [(one.__name__.strip("_").replace("_", " "), one(book)) for one in checks]
    named += [("history", _history(book, full=full)), ("space", _space(book)), ("inbox", _inbox(book))]
    return [finding for name, findings in named for finding in _safely(name, findings)]


def _safely(name: str, findings: Iterator[Finding]) -> Iterator[Finding]:
    """A check that cannot run is a finding too, not the end of all the others."""
    found = False
    try:
        for finding in findings:
            found = True
            yield finding
    except CommonplaceError as error:
        found = True
        yield Finding(name, "error", error.message, error.hint)
    except OSError as error:
        found = True
        yield Finding(name, "error", f"Cannot look: {error}.", "Check who owns the folder and its permissions.")
    if not found:
        yield Finding(name, "ok", "")


def _inbox(book: Book) -> Iterator[Finding]:
    """What waits for the person's yes or no."""
    count = len(waiting(book.storage.read(INBOX_FILE).data))
    if count:
        texts = f"{count} text{'s' if count > 1 else ''}"
        yield Finding("inbox", "note", f"{texts} in {INBOX_FILE} for you to decide.", "See: commonplace inbox")


def _missing(book: Book) -> Iterator[Finding]:
    """What the history has and the folder has not."""
    lost = book.missing()
    if lost:
        yield Finding("missing", "error", lost.message, lost.hint)
    elif gone := book.gone():
        shown = ", ".join(map(printable, gone[:5])) + (" …" if len(gone) > 5 else "")
        fix = "If you deleted them, all is well: the next write records it. If not: commonplace doctor --bring-back"
        yield Finding("missing", "note", f"{len(gone)} files that the history has are gone: {shown}.", fix)


def _readable(book: Book) -> Iterator[Finding]:
    """Every memory file is a regular text file with a usable name."""
    for folder in ("", daily.FOLDER, transcripts.FOLDER):
        for file in book.storage.list_folder(folder):
            shown = printable(file.name)
            if not file.name.endswith((".md", ".jsonl")) and file.name != SETTINGS_FILE:
                continue
            if not is_name(file.name):
                yield Finding("readable", "warning", f"{shown!r} is left alone because of its name.", "Rename it.")
            elif file.kind != "file":
                fix = f"Move {shown} away and put a regular file in its place."
                yield Finding("readable", "error", f"{shown} is not a regular file.", fix)
            else:
                yield from _text_findings(book, file.name)


def _text_findings(book: Book, name: str) -> Iterator[Finding]:
    try:
        data = book.storage.read(name).data or b""
        text = decode(data, name)
    except CommonplaceError as error:
        yield Finding("readable", "error", error.message, error.hint)
        return
    if any("\udc80" <= char <= "\udcff" for char in text) if not text.isascii() else False:
        fix = f"They are kept as they are. To repair: iconv -f LATIN1 -t UTF-8 {name} > new && mv new {name}"
        yield Finding("readable", "warning", f"{name} has bytes that are not UTF-8.", fix)
    if "\0" in text:
        yield Finding("readable", "warning", f"{name} has NUL characters.", "Open it in an editor and remove them.")
    if name == MEMORY_FILE and not text.strip() and len(data) > 0:
        yield Finding("readable", "note", f"{name} is blank.", "commonplace undo or restore brings an older one back.")


def _permissions(book: Book) -> Iterator[Finding]:
    open_to_others: list[str] = []
    for name in _paths(book):
        info = os.lstat(book.root / name)
        if stat.S_IMODE(info.st_mode) & 0o077 and not stat.S_ISLNK(info.st_mode):
            open_to_others.append(name or ".")
    if open_to_others:
        shown = ", ".join(map(printable, open_to_others[:5])) + (" …" if len(open_to_others) > 5 else "")
        yield Finding(
            "permissions",
            "warning",
            f"Other users may read or write {len(open_to_others)} of the book's files: {shown}.",
            f"chmod -R go-rwx '{book.root}'",
        )
    if not os.access(book.root, os.W_OK):
        yield Finding("permissions", "error", "This user may not write to the book.", f"chown it: ls -ld '{book.root}'")


def _paths(book: Book) -> Iterator[str]:
    yield ""
    for folder in (*_FOLDERS, PRIVATE):
        if folder and (book.root / folder).is_dir():
            yield folder
        yield from (file.name for file in book.storage.list_folder(folder))


def _lock(book: Book) -> Iterator[Finding]:
    holder = book.storage.holder()
    if holder:
        yield Finding("lock", "note", f"The book is in use by {holder}.", "If that process hangs, end it.")


def _staging(book: Book) -> Iterator[Finding]:
    if book.storage.holder() is None and any(book.storage.list_folder(TMP)):
        yield Finding("staging", "note", "A write was cut off by a crash.", "The next write clears what it left.")
    for file in book.storage.list_folder(""):
        if re.fullmatch(r"rescued-[0-9a-f]+\.md", file.name):
            fix = f"Compare it with MEMORY.md, copy over what is missing, then delete {file.name}."
            yield Finding("staging", "warning", f"{file.name} is an edit saved during a crash.", fix)


def _torn(book: Book) -> Iterator[Finding]:
    for file in book.storage.list_folder(transcripts.FOLDER):
        session = transcripts.session_of(file.name)
        if session is None or file.kind != "file":
            continue
        torn = transcripts.read(session, book.storage.read(file.name).data).torn
        if torn:
            lines = ", ".join(map(str, torn[:5]))
            fix = "A crash cut the message off; the others are unharmed. Delete the line to silence this."
            yield Finding("torn", "warning", f"{file.name} has unreadable lines: {lines}.", fix)


def _sync_conflicts(book: Book) -> Iterator[Finding]:
    fix = "Copy what is missing into the original by hand, then delete the copy. Until then it is left out."
    for folder in _FOLDERS:
        names = [file.name for file in book.storage.list_folder(folder)]
        for name in names:
            if _CONFLICT_COPY.search(name) or (_NUMBERED.search(name) and _NUMBERED.sub("", name) in names):
                yield Finding("sync conflicts", "warning", f"A sync tool left {printable(name)}.", fix)
    for name in _copied_transcripts(book):
        yield Finding("sync conflicts", "warning", f"{name} is a copy of another transcript.", fix)


def _copied_transcripts(book: Book) -> list[str]:
    files = book.storage.list_folder(transcripts.FOLDER)
    named = [session for f in files if f.kind == "file" and (session := transcripts.session_of(f.name))]
    return [transcripts.file_of(session) for session in sorted(transcripts.copies(named, book.storage.read))]


def _history(book: Book, *, full: bool) -> Iterator[Finding]:
    problems = book.history.check(None if full else _NEWEST)
    for problem in problems:
        yield Finding("history", "error", problem, f"The files are unharmed. {_outlook(book)}")
    if any(book.storage.list_folder(f"{PRIVATE}/history.git/refs/damaged")):
        fix = f"Look with: git --git-dir '{book.root}/{PRIVATE}/history.git' for-each-ref refs/damaged"
        yield Finding("history", "warning", "An earlier history was damaged and set aside.", fix)
    if not full and not problems and (changes := book.history.count()) > _NEWEST:
        read = f"the newest {_NEWEST} of {changes} recorded changes can be read; `doctor --full` reads all"
        yield Finding("history", "ok", read)


def _outlook(book: Book) -> str:
    """What becomes of a damaged history: only where the newest state cannot be read, a new one must begin."""
    try:
        book.history.files(book.history.head())
    except Damaged:
        return "The next write begins a new history; the old one stays under refs/damaged."
    return (
        "Changes are recorded as before; older ones may not be shown or undone where they need what is damaged. "
        "`commonplace forget TEXT --everywhere` drops what is damaged, with the text."
    )


def _space(book: Book) -> Iterator[Finding]:
    free = shutil.disk_usage(book.root).free
    if free < _LOW_SPACE:
        fix = "Free some space: a full disk refuses every write (and loses none)."
        yield Finding("space", "warning", f"Only {free // (1024 * 1024)} MB are free on this disk.", fix)

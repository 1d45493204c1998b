"""What `doctor` looks at in a book: each check says what it found and what to do. Reads only."""

from collections.abc import Iterator
from contextlib import suppress

from commonplace.errors import CommonplaceError, StorageError
from commonplace.files import backups, daily, transcripts
from commonplace.files.descriptors import is_name
from commonplace.files.folder import FolderStorage
from commonplace.files.folders import SETTINGS_FILE
from commonplace.files.history import Damaged
from commonplace.files.inbox import INBOX_FILE, waiting
from commonplace.files.text import decode, printable
from commonplace.files.transactions import Book
from commonplace.types.book import MEMORY_FILE, Snapshot
from commonplace.types.keeping import Finding

_NEWEST = 100
_NEWEST_TEXTS, _LONGEST_TEXT = 10, 50_000
_FOLDERS = ("", daily.FOLDER, transcripts.FOLDER, backups.FOLDER)


_GOOD = {
    "missing": "every file that the history knows is there",
    "readable": "every file is text that can be read",
    "permissions": "nobody else may read or write the book",
    "lock": "no other process is writing",
    "staging": "no crash left anything behind",
    "torn": "transcripts are whole",
    "sync conflicts": "sync tools left no second copies",
    "history": "every recorded change can be read",
    "space": "there is room on the disk",
    "secrets": "the newest files have no secret",
    "inbox": "nothing waits for you to decide",
    "settings": "all settings are understood",
    "books": "every book on the list is where it was",
    "flushes": "everything that was said is in the log, or will be when its session ends",
}


def told(finding: Finding) -> str:
    """What a person reads: also what it means that nothing was found."""
    return finding.message or (_GOOD.get(finding.check, "") if finding.level == "ok" else "")


def check(book: Book, *, full: bool = False) -> list[Finding]:
    """`full` reads the whole history; otherwise as much of it as costs the same at any age of the book."""
    folder = book.storage if isinstance(book.storage, FolderStorage) else None
    if folder and not folder.root.is_dir():
        return [Finding("book", "error", f"There is no folder at {folder.root}.", "commonplace init creates the book.")]
    try:
        if book.identity() is None:
            where = book.storage.address
            return [Finding("book", "note", f"{where} is not a book yet.", "The first write makes it one.")]
    except CommonplaceError as error:
        return [Finding("book", "error", error.message, error.hint)]
    named = [("missing", _missing(book)), ("readable", _readable(book)), ("torn", _torn(book))]
    named += [("history", _history(book, full=full)), ("inbox", _inbox(book))]
    if folder:
        from commonplace.files.foldercheckup import checks_of

        named += checks_of(folder)
    return [finding for name, findings in named for finding in _safely(name, findings)]


def newest_texts(book: Book) -> Iterator[str]:
    """MEMORY.md and the newest logs and transcripts, as much as costs the same at any age of the book; what cannot be
    read is told elsewhere."""
    if isinstance(book.storage, FolderStorage) and not book.storage.root.is_dir():
        return
    names = [MEMORY_FILE]
    for folder in (daily.FOLDER, transcripts.FOLDER):
        with suppress(CommonplaceError, OSError):
            files = [file.name for file in book.storage.list_folder(folder) if file.kind == "file"]
            names += sorted(files)[-_NEWEST_TEXTS:]
    with suppress(CommonplaceError, OSError):
        for _, content in book.storage.read_all(names):
            if not isinstance(content, StorageError):
                yield (content.data or b"")[:_LONGEST_TEXT].decode("utf-8", "replace")


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
        texts: list[str] = []
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
                texts.append(file.name)
        for name, content in book.storage.read_all(texts):
            yield from _text_findings(name, content)


def _text_findings(name: str, content: Snapshot | StorageError) -> Iterator[Finding]:
    try:
        data = _data(content)
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


def _data(content: Snapshot | StorageError) -> bytes:
    if isinstance(content, StorageError):
        raise content
    return content.data or b""


def _torn(book: Book) -> Iterator[Finding]:
    files = (file.name for file in book.storage.list_folder(transcripts.FOLDER) if file.kind == "file")
    sessions = {name: session for name in files if (session := transcripts.session_of(name)) is not None}
    for name, content in book.storage.read_all(sessions):
        torn = transcripts.read(sessions[name], _data(content)).torn
        if torn:
            lines = ", ".join(map(str, torn[:5]))
            fix = "A crash cut the message off; the others are unharmed. Delete the line to silence this."
            yield Finding("torn", "warning", f"{name} has unreadable lines: {lines}.", fix)


def _history(book: Book, *, full: bool) -> Iterator[Finding]:
    problems = book.history.check(None if full else _NEWEST)
    for problem in problems:
        yield Finding("history", "error", problem, f"The files are unharmed. {_outlook(book)}")
    if isinstance(book.storage, FolderStorage):
        from commonplace.files.foldercheckup import set_aside

        yield from set_aside(book.storage)
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

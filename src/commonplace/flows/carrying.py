"""The flow of a whole book: out into one JSON file, and from there into an empty book, where it is the same again.

Nothing is locked meanwhile. What the history keeps is told as of its newest change, so that files and history agree
whatever is written in the meantime; how far conversations are logged is read before them, so that none is missed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from commonplace.errors import Conflict, ValidationError
from commonplace.files.descriptors import is_name
from commonplace.files.folders import PRIVATE
from commonplace.files.history import Damaged
from commonplace.foreign import wholebook
from commonplace.foreign.fields import Record, text
from commonplace.types.book import ABSENT

if TYPE_CHECKING:
    from commonplace.files.transactions import Book
    from commonplace.foreign.opening import Source

_UNDERWAY = f"{PRIVATE}/restoring.json"


def carry_out(book: Book, write: Callable[[str], object], made: datetime) -> tuple[int, int]:
    """Write a book as JSON, piece by piece; how many files and changes that are."""
    state = {name: book.storage.read(name).data for name in _names(book) if name.startswith(wholebook.STATE)}
    head = book.history.head()
    recorded = book.history.files(head)
    others = [name for name in _names(book) if name not in recorded and not name.startswith(f"{PRIVATE}/")]
    write(wholebook.beginning(made))
    _write_list(write, "state", (wholebook.of_file(name, data) for name, data in state.items() if data is not None))
    changes = _write_list(write, "history", _history(book))
    files = _write_list(write, "files", _files(book, recorded, others))
    write(f'"count": {wholebook.dumped({"files": files, "changes": changes})}\n}}\n')
    return files, changes


def _names(book: Book) -> list[str]:
    return sorted(book.storage.walk())


def _write_list(write: Callable[[str], object], key: str, elements: Iterator[dict[str, object]]) -> int:
    write(f'"{key}": [')
    count = 0
    for count, element in enumerate(elements, start=1):
        write(f"{',' if count > 1 else ''}\n{wholebook.dumped(element)}")
    write("\n],\n")
    return count


def _files(book: Book, recorded: dict[str, str], others: list[str]) -> Iterator[dict[str, object]]:
    for name in sorted([*recorded, *others]):
        data = _recorded(book, recorded.get(name))
        data = data if data is not None else book.storage.read(name).data
        if data is not None:
            yield wholebook.of_file(name, data)


def _recorded(book: Book, blob: str | None) -> bytes | None:
    """A version that the history keeps; None if there is none, or it cannot be read any more."""
    try:
        return book.history.content(blob) if blob else None
    except Damaged:
        return None


def _history(book: Book) -> Iterator[dict[str, object]]:
    """The changes, oldest first, as far back as they can be read."""
    history = book.history
    for commit in reversed(list(history.readable_commits())):
        try:
            changed = history.changed_files(commit)
        except Damaged:
            changed = {name: (None, blob) for name, blob in history.files(commit.id).items()}
        files = [
            wholebook.of_version(name, _recorded(book, before), content)
            for name, (before, after) in changed.items()
            if (content := _recorded(book, after)) is not None or after is None
        ]
        yield wholebook.of_change(commit.id, commit.at, history.change(commit).note, files)


# -- and in again ------------------------------------------------------------------------------------------------------


def can_carry_in(book: Book) -> bool:
    """Whether a book is empty, or was being filled when the program was killed."""
    if book.storage.read(_UNDERWAY).data is not None:
        return True
    if book.history.head() is not None:
        return False
    return all(name.startswith(f"{PRIVATE}/") for name in _names(book))


def carry_in(book: Book, source: Source, progress: Callable[[], None]) -> int:
    """Make an empty book what an export says; how many files it has then. Killed in the middle, it goes on where it
    was when it is called again with the same export. The history comes first: a book that lacks files which its history
    knows is not taken for another one by anybody."""
    book.create()
    with book.storage.lock():
        _begin(book, source)
        names: set[str] = set()
        known = [commit.id for commit in book.history.readable_commits()][::-1]
        contents: dict[str, bytes | None] = {}
        number = 0
        for key, piece in wholebook.contents(source, "state", "files", "history"):
            progress()
            if key != "history":
                names.add(_put(book, key, piece))
                continue
            number += 1
            _record(book, piece, contents, known[number - 1] if number <= len(known) else None)
        book.storage.delete_derived(_UNDERWAY)
    return sum(1 for name in names if not name.startswith(wholebook.STATE))


def _begin(book: Book, source: Source) -> None:
    """Note which export it is. Another one may not go on with what this one began."""
    told = {"label": source.label, "size": sum(file.size for file in source.files)}
    noted = book.storage.read(_UNDERWAY).data
    if noted is not None and json.loads(noted) != told:
        raise Conflict(
            "Another export was being brought into this book.", hint="Go on with that one, or choose an empty book."
        )
    book.storage.put_derived(_UNDERWAY, [json.dumps(told).encode()])


def _put(book: Book, key: str, piece: Record) -> str:
    name = text(piece.get("name"))
    if name.startswith(f"{PRIVATE}/") != (key == "state") or (key == "state" and not name.startswith(wholebook.STATE)):
        raise _untrusted(name)
    data, now = wholebook.data_of(piece), book.storage.read(name)
    if now.data is None:
        book.storage.write(name, data, expected=ABSENT)
    elif now.data != data:
        raise Conflict(f"{name} is in the book already, and differs.", hint="Choose an empty book.")
    return name


def _untrusted(name: str) -> ValidationError:
    return ValidationError(f"The export holds {name!r}, which no export has.", hint="Do not trust the file.")


def _record(book: Book, piece: Record, contents: dict[str, bytes | None], known: str | None) -> None:
    """Repeat one change of the history, unless it was repeated before."""
    change = wholebook.change(piece)
    named = {text(one.get("name")): one for one in change.files}
    if not all(is_name(name) and not name.startswith(f"{PRIVATE}/") for name in named):
        raise _untrusted(next(iter(named)))
    after = {name: wholebook.file_after(contents.get(name), one) for name, one in named.items()}
    contents.update(after)
    if known is None:
        book.history.repeat(after, change.note, change.at)
    elif change.id != known:
        raise Conflict("The book has a history of its own by now.", hint="Choose an empty book.")

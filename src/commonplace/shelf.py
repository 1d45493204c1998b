"""The list of the books that this user has, and which of them is the default.

It is also the guard against a disk that is not mounted: a book that was there and is gone is an error, never an empty
book. Nothing in the list is needed to read a book.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import NamedTuple, TypeAlias, cast

from commonplace.errors import BookMissing, CommonplaceError, StorageError, ValidationError
from commonplace.files.folder import FolderStorage
from commonplace.files.text import printable
from commonplace.memory import Memory
from commonplace.settingsfiles import make_folder
from commonplace.stores import is_address

SHELF_FILE = "books.json"
LOCK_SECONDS = 2.0
_NAME = re.compile(r"[^\W_][\w-]{0,63}")

Place: TypeAlias = Path | str
"""Where a book is: a folder, or an address (which has `://` in it and never a password)."""


class KnownBook(NamedTuple):
    """A book of this user: where it is, what it is called, and the identity it must have."""

    path: Place
    name: str
    id: str


class Shelf:
    """The list of this user's books, and which of them is the default. Nothing in it is needed to read a book."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._storage = FolderStorage(folder, lock_timeout=LOCK_SECONDS)
        self.books: tuple[KnownBook, ...] = ()
        self.default: Place | None = None
        self.trouble: CommonplaceError | None = None
        try:
            self._load()
        except CommonplaceError as error:
            self.trouble = error

    @property
    def file(self) -> Path:
        return self.folder / SHELF_FILE

    def at(self, path: Place) -> KnownBook | None:
        wanted = _really(path)
        return next((book for book in self.books if _really(book.path) == wanted), None)

    def named(self, name: str) -> KnownBook | None:
        return next((book for book in self.books if book.name.casefold() == name.casefold()), None)

    def add(self, path: Place, id: str, name: str | None = None) -> KnownBook:
        """Put a book on the list (or correct its entry); a name that is taken is refused, a made-up one numbered."""
        if name is not None:
            check_name(name)
        make_folder(self.folder)
        with self._storage.lock():
            self._load()
            known = self.at(path)
            others = [book for book in self.books if book is not known]
            taken = {book.name.casefold() for book in others}
            if name is not None and name.casefold() in taken:
                raise ValidationError(
                    f"Another book is called {name!r} already.", hint="Choose another name, or see: commonplace books"
                )
            book = KnownBook(path, name or (known.name if known else _free_name(path, taken)), id)
            self._store((*others, book), self.default)
        return book

    def remove(self, book: KnownBook) -> None:
        with self._storage.lock():
            self._load()
            default = None if self.default == book.path else self.default
            self._store(tuple(other for other in self.books if other.path != book.path), default)

    def make_default(self, path: Place | None) -> None:
        make_folder(self.folder)
        with self._storage.lock():
            self._load()
            self._store(self.books, path)

    def _load(self) -> None:
        data = self._storage.read(SHELF_FILE).data
        self.books, self.default = _parse_shelf(data, self.file) if data is not None else ((), None)

    def _store(self, books: tuple[KnownBook, ...], default: Place | None) -> None:
        listed = [{"name": book.name, "path": str(book.path), "id": book.id} for book in books]
        record = {"format": 1, "default": None if default is None else str(default), "books": listed}
        self._storage.collect_leftovers()
        text = json.dumps(record, indent=1).encode() + b"\n"
        self._storage.write(SHELF_FILE, text, expected=self._storage.read(SHELF_FILE).version)
        self.books, self.default, self.trouble = books, default, None


def place_of(memory: Memory) -> Place:
    """Where an open book is."""
    return _place(memory.address)


def missing_book(known: KnownBook) -> BookMissing | None:
    """Why the folder of a known book does not hold that book; None when it does."""
    try:
        found = Memory.open(known.path).book.identity()
    except BookMissing as error:
        return error
    except CommonplaceError as error:
        return BookMissing(f"The book {known.name!r} cannot be opened: {error.message}", hint=error.hint)
    if found is not None and found.id == known.id:
        return None
    if found is not None:
        return BookMissing(
            f"{known.path} holds another book than {known.name!r}, which was there before.",
            hint=f"If that is right: commonplace books add {_quoted(known.path)}. If not, put the old folder back.",
        )
    state = "holds no book" if isinstance(known.path, str) or known.path.is_dir() else "does not exist"
    return BookMissing(
        f"The book {known.name!r} is not there: {known.path} {state}.",
        hint="Is its disk mounted? Was it moved? "
        f"To begin a new one there: commonplace init --book {_quoted(known.path)}. "
        f"To take it off the list: commonplace books remove {known.name}",
    )


def check_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValidationError(
            f"{printable(name)!r} cannot be the name of a book.",
            hint="Use letters, digits, '-' and '_', a letter or digit first, at most 64 characters.",
        )
    return name


def _really(place: Place) -> str:
    """What tells whether two words name one place."""
    return place if isinstance(place, str) else os.path.realpath(place)


def _free_name(path: Place, taken: set[str]) -> str:
    called = os.path.basename(path.partition("?")[0] if isinstance(path, str) else path)
    base = re.sub(r"[^\w-]+", "-", called).strip("-_")[:50] or "book"
    numbered = (f"{base}-{number}" for number in range(2, len(taken) + 3))
    return next(name for name in (base, *numbered) if name.casefold() not in taken)


def _parse_shelf(data: bytes, file: Path) -> tuple[tuple[KnownBook, ...], Place | None]:
    try:
        raw = cast(dict[str, object], json.loads(data))
        listed = cast(list[dict[str, object]], raw["books"])
        books = tuple(KnownBook(_place(str(b["path"])), str(b["name"]), str(b["id"])) for b in listed)
        default = raw.get("default")
        return books, None if default is None else _place(str(default))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise StorageError(
            f"{file} cannot be read.",
            hint="Move it away (no book is harmed), then: commonplace books add PATH for each of your books.",
        ) from None


def _place(word: str) -> Place:
    return word if is_address(word) else Path(word)


def _quoted(path: Place) -> str:
    import shlex

    return shlex.quote(str(path))

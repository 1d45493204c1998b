"""A book from one store to another: every file byte for byte, the whole history with its ids, and a proof of both.

The identity is written last: until then there is no book in the new place, and a move that was cut off begins again.
What is derived (the index) or of the old place alone (locks, staging, packs) stays behind.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from commonplace.errors import Conflict, NotFound, StorageError, ValidationError
from commonplace.files.descriptors import is_name
from commonplace.files.folders import IDENTITY, PRIVATE, REPOSITORY
from commonplace.types.keeping import Moved

if TYPE_CHECKING:
    from commonplace.files.transactions import Book
    from commonplace.ports import Storage

_LEFT_BEHIND = tuple(f"{PRIVATE}/{name}" for name in ("tmp/", "lock", "index/", "open/", "seen.json"))


def copy_book(book: Book, target: Storage) -> Moved:
    """Copy a book to a place that has none, and look that it arrived."""
    source = book.storage
    identity = book.identity()
    if identity is None:
        raise NotFound(f"There is no book at {source.address}.", hint="Nothing was moved.")
    target.prepare()
    with source.lock(), target.lock():
        if target.read(IDENTITY).data is not None:
            raise ValidationError(
                f"There is a book at {target.address} already; nothing was moved.", hint="Choose another place."
            )
        book.catch_up()
        target.history.take_over(source.history.exported(), source.history.head())
        names = [name for name in source.walk() if _goes_along(name)]
        for name in [*(name for name in names if name != IDENTITY), IDENTITY]:
            _copy(source, target, name)
        _prove(source, target, names)
        size, proof = 0, hashlib.sha256()
        for name in sorted(names):
            content = target.read(name)
            size += len(content.data or b"")
            proof.update(f"{content.version}  {name}\n".encode("utf-8", "surrogateescape"))
    history, digest = target.history, proof.hexdigest()
    return Moved(source.address, target.address, identity.id, len(names), size, history.count(), history.head(), digest)


def _goes_along(name: str) -> bool:
    return is_name(name) and not name.startswith((f"{REPOSITORY}/", *_LEFT_BEHIND))


def _copy(source: Storage, target: Storage, name: str) -> None:
    data, there = source.read(name).data, target.read(name)
    if data is None:
        raise Conflict(f"{name} was deleted while the book was being moved.", hint="Move it again.")
    if data != there.data:
        target.write(name, data, expected=there.version)


def _prove(source: Storage, target: Storage, names: list[str]) -> None:
    wrong = list(_differences(source, target, names))
    if wrong:
        _take_back(target)
        raise StorageError(f"The book did not arrive whole: {', '.join(wrong[:3])}.", hint="The old one is as it was.")


def _differences(source: Storage, target: Storage, names: list[str]) -> Iterator[str]:
    yield from (name for name in names if source.read(name).version != target.read(name).version)
    old, new = source.history, target.history
    if (old.head(), old.count()) != (new.head(), new.count()):
        yield "the history"
    yield from new.check()


def _take_back(target: Storage) -> None:
    """Without its identity it is no book."""
    target.delete(IDENTITY, expected=target.read(IDENTITY).version)

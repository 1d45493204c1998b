"""Where a book may be: a folder, this program's memory, a database. One address for each.

    notes                       a folder, as before
    :memory:                    a new book in memory, gone with the program
    memory://NAME               a book in memory that all of this program share by its name
    postgres://HOST/DB/BOOK     a book in a database; see `stores.postgres`

A new kind is a module here with `open_address`, a line in `_SCHEMES`, and a line in `tests/stores.py`.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from commonplace.errors import ValidationError
from commonplace.files.folder import FolderStorage

if TYPE_CHECKING:
    from commonplace.ports import Storage

IN_MEMORY = ":memory:"
_SCHEMES = {"memory": "inmemory", "postgres": "postgres", "postgresql": "postgres"}


def is_address(place: str) -> bool:
    """Whether a word names a place that is no folder."""
    return "://" in place or place == IN_MEMORY


def open_storage(place: str | Path, lock_timeout: float) -> Storage:
    """The storage of the book at a folder or an address."""
    word = str(place)
    if not word.strip():
        raise ValidationError("The path of the book is empty.", hint="Name a folder; Commonplace never guesses one.")
    if isinstance(place, Path) or not is_address(word):
        return FolderStorage(Path(place).expanduser().absolute(), lock_timeout=lock_timeout)
    scheme, _, rest = ("memory", "", "") if word == IN_MEMORY else word.partition("://")
    if scheme not in _SCHEMES:
        known = ", ".join(f"{name}://" for name in _SCHEMES)
        raise ValidationError(f"No book can be at an address that begins with {scheme}://.", hint=f"Known: {known}.")
    return import_module(f"{__name__}.{_SCHEMES[scheme]}").open_address(rest, lock_timeout)

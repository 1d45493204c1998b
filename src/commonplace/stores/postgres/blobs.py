"""Large derived files that a process has read, kept at hand within a bound on memory.

Only those whose name tells their content are kept (the base of a search index has its checksum in its name), so that
what is here is what is in the database. A book has one of them: a newer one takes its place.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import NamedTuple

MOST_BYTES = 256 * 1024 * 1024
_TELLING = ".commonplace/index/base-"


class Owner(NamedTuple):
    """Whose file it is: nobody is ever given one of another's."""

    database: tuple[tuple[str, str], ...]
    tenant: str
    book: str


class Blobs:
    """The least recently used ones go first. Thread-safe."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._kept: OrderedDict[Owner, tuple[str, bytes]] = OrderedDict()
        self._guard = threading.Lock()
        self.bytes = 0

    def get(self, owner: Owner, name: str) -> bytes | None:
        with self._guard:
            found = self._kept.get(owner)
            if found is None or found[0] != name:
                return None
            self._kept.move_to_end(owner)
            return found[1]

    def put(self, owner: Owner, name: str, data: bytes) -> None:
        if not name.startswith(_TELLING):
            return
        with self._guard:
            self._drop(owner)
            if len(data) > self._most:
                return
            self._kept[owner] = (name, data)
            self.bytes += len(data)
            while self.bytes > self._most:
                self._drop(next(iter(self._kept)))

    def drop(self, owner: Owner) -> None:
        """What was deleted is not to be had here either."""
        with self._guard:
            self._drop(owner)

    def _drop(self, owner: Owner) -> None:
        found = self._kept.pop(owner, None)
        self.bytes -= len(found[1]) if found else 0


OF_THIS_PROCESS = Blobs()

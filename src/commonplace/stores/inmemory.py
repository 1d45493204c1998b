"""A book in the memory of this program: complete, with history and search, and gone when the program ends.

For tests, for trying things out, and for agents that shall forget. Shared by all threads, never by another process.
"""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from commonplace.errors import BookBusy, Conflict
from commonplace.files.descriptors import parts_of
from commonplace.files.history import GitHistory, Objects, framed, lost
from commonplace.files.transcripts import check_id
from commonplace.types.book import FileStat, Snapshot, snapshot_of, version_of

if TYPE_CHECKING:
    from commonplace.types.asking import Note


class _File(NamedTuple):
    data: bytes
    stamp: int


class MemoryStorage:
    """Implements `Storage` on a dictionary."""

    edits = None
    residue = ""

    def __init__(self, name: str = "", *, lock_timeout: float = 10.0) -> None:
        self._name = name
        self._lock_timeout = lock_timeout
        self._files: dict[str, _File] = {}
        self._stamps = count()
        self._guard = threading.RLock()  # for one call; `_locks` are for many
        self._locks: dict[str, threading.RLock] = {}
        self.history = MemoryHistory()
        self.presence = MemoryPresence()

    @property
    def address(self) -> str:
        return f"memory://{self._name}" if self._name else ":memory:"

    def prepare(self) -> None:
        """There is nothing to prepare."""

    # -- reading -----------------------------------------------------------------------------------------------

    def read(self, name: str) -> Snapshot:
        parts_of(name)
        file = self._files.get(name)
        return snapshot_of(file.data if file else None)

    def read_all(self, names: Iterable[str]) -> Iterator[tuple[str, Snapshot]]:
        return ((name, self.read(name)) for name in names)

    def excerpts(self, places: Mapping[str, tuple[int, int]]) -> dict[str, bytes]:
        wholes = ((name, self.read(name).data) for name in places)
        cut = {name: (whole, *places[name]) for name, whole in wholes if whole is not None}
        return {name: whole[start : start + length] for name, (whole, start, length) in cut.items()}

    def map(self, name: str) -> memoryview | None:
        parts_of(name)
        file = self._files.get(name)
        return memoryview(file.data) if file else None

    def list_folder(self, folder: str) -> list[FileStat]:
        prefix = f"{'/'.join(parts_of(folder))}/" if folder else ""
        found: dict[str, FileStat] = {}
        with self._guard:
            for name, file in self._files.items():
                if name.startswith(prefix):
                    first, _, below = name[len(prefix) :].partition("/")
                    found[first] = (
                        FileStat(prefix + first, "folder", 0, "")
                        if below
                        else FileStat(name, "file", len(file.data), str(file.stamp))
                    )
        return sorted(found.values())

    def glance(self, folder: str) -> object:
        return [file for file in self.list_folder(folder) if file.kind == "file"]

    def walk(self) -> Iterator[str]:
        with self._guard:
            return iter(sorted(self._files))

    # -- writing -----------------------------------------------------------------------------------------------

    def write(self, name: str, data: bytes, *, expected: str, durable: bool = True) -> str:  # noqa: ARG002 of the port
        with self.lock(), self._guard:
            self._compare(name, expected)
            self._put(name, data)
            return version_of(data)

    def append(self, name: str, data: bytes, *, on_new_line: bool = False) -> None:
        with self.lock(), self._guard:
            before = self.read(name).data or b""
            torn = on_new_line and before and not before.endswith(b"\n")
            self._put(name, before + (b"\n" if torn else b"") + data)

    def delete(self, name: str, *, expected: str, durable: bool = True) -> None:  # noqa: ARG002 of the port
        with self.lock(), self._guard:
            self._compare(name, expected)
            self._files.pop(name, None)

    def make_folder(self, folder: str) -> None:
        parts_of(folder)

    def remove_empty_folder(self, folder: str) -> None:
        """Without a file in it there is none."""

    def put_derived(self, name: str, parts: Iterable[bytes | memoryview], *, durable: bool = False) -> None:  # noqa: ARG002 nothing here outlives the process
        parts_of(name)
        self._put(name, b"".join(parts))

    def delete_derived(self, name: str) -> None:
        parts_of(name)
        self._files.pop(name, None)

    def large_index(self, identity: str, dimensions: int) -> None:
        """Arrays serve all of it."""

    def record(
        self, changes: Mapping[str, bytes | None], before: Mapping[str, Snapshot], note: Note, at: datetime
    ) -> str:
        with self.lock(), self._guard:
            for name in changes:
                self._compare(name, before[name].version)
            for name, data in changes.items():
                if data is None:
                    self._files.pop(name, None)
                else:
                    self._put(name, data)
            return self.history.repeat(changes, note, at)

    def _put(self, name: str, data: bytes) -> None:
        self._files[name] = _File(bytes(data), next(self._stamps))

    def _compare(self, name: str, expected: str) -> None:
        if self.read(name).version != expected:
            raise Conflict(
                f"{name} was changed by someone else in the meantime; nothing was written.",
                hint="Read it again and repeat the change.",
            )

    # -- locks -------------------------------------------------------------------------------------------------

    def lock(self, *, timeout: float | None = None) -> AbstractContextManager[None]:
        return self._held("", self._lock_timeout if timeout is None else timeout)

    def alone(self, task: str, *, timeout: float) -> AbstractContextManager[None]:
        return self._held(task, timeout)

    @contextmanager
    def _held(self, task: str, timeout: float) -> Generator[None]:
        with self._guard:
            lock = self._locks.setdefault(task, threading.RLock())
        if not lock.acquire(timeout=max(timeout, 0)):
            raise BookBusy(
                f"The book is locked by another thread; waited {timeout:g} s.", hint="Try again in a moment."
            )
        try:
            yield
        finally:
            lock.release()


class _ObjectTable(Objects):
    """Objects by their ids."""

    def __init__(self) -> None:
        self.kept: dict[str, tuple[str, bytes]] = {}

    def write(self, kind: str, body: bytes) -> str:
        id, _ = framed(kind, body)
        self.kept[id] = (kind, body)
        return id

    def read(self, id: str) -> tuple[str, bytes]:
        if id not in self.kept:
            raise lost(id)
        return self.kept[id]

    def ids_starting(self, prefix: str) -> set[str]:
        return {id for id in tuple(self.kept) if id.startswith(prefix)}


class MemoryHistory(GitHistory):
    """The recorded changes of a book in memory."""

    def __init__(self) -> None:
        self._table = _ObjectTable()
        super().__init__(self._table)
        self._ids: list[str] = []

    def head(self) -> str | None:
        return self._ids[-1] if self._ids else None

    def count(self) -> int:
        return len(self._ids)

    def repeat(self, changes: Mapping[str, bytes | None], note: Note, at: datetime) -> str:
        self._ids.append(self.compose(self.head(), changes, note, at))
        return self._ids[-1]

    def bodies(self) -> Iterator[tuple[str, bytes]]:
        return ((id, body) for id, (_, body) in sorted(self._table.kept.items()))

    def prune(self) -> None:
        needed = self.needed()
        self._table.kept = {id: kept for id, kept in self._table.kept.items() if id in needed}

    def adopt(self, id: str) -> None:
        self._ids = [commit.id for commit in self.commits(id)][::-1]


class MemoryAttendance:
    """A conversation that is open until it is closed."""

    def __init__(self, session: str, presence: MemoryPresence) -> None:
        self.session = session
        self._presence: MemoryPresence | None = presence

    def close(self) -> None:
        if self._presence is not None:
            self._presence.leave(self)
            self._presence = None


class MemoryPresence:
    """The conversations of one book that are open in this program."""

    def __init__(self) -> None:
        self._open: set[MemoryAttendance] = set()

    def enter(self, session: str) -> MemoryAttendance:
        attendance = MemoryAttendance(check_id(session, "session"), self)
        self._open.add(attendance)
        return attendance

    def leave(self, attendance: MemoryAttendance) -> None:
        self._open.discard(attendance)

    def opened(self, sessions: Iterable[str]) -> set[str]:
        return set(sessions) & {attendance.session for attendance in tuple(self._open)}


def open_address(name: str, lock_timeout: float) -> MemoryStorage:
    """A new book, or the one of this name."""
    return _named(name) if name else MemoryStorage(lock_timeout=lock_timeout)


@cache
def _named(name: str) -> MemoryStorage:
    return MemoryStorage(name)

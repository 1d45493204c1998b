"""The index on disk: a large base that rarely changes, and a small tail with everything since.

The tail names its base, the files it was made from, and which chunks of the base are gone, so one atomic write of
the tail moves the index from one state to the next. Readers keep the state they have opened. Whoever cannot write
(someone else does, the disk is full) goes on in memory: the index is a convenience, never a reason to fail.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np

from commonplace.errors import BookBusy, CommonplaceError, Conflict, StorageError
from commonplace.index import container, segment
from commonplace.index.chunking import digest_of, embedded_text, vector_key
from commonplace.index.corpus import Corpus, gather
from commonplace.types import ABSENT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from commonplace.index.segment import Segment
    from commonplace.ports import Storage
    from commonplace.types import Chunk

FOLDER = ".commonplace/index"
_TAIL = f"{FOLDER}/tail"
_FORMAT = 3  # to be raised with every change of what is stored, of chunks, or of terms
_SMALLEST_MERGE = 500
_BATCH = 32


@dataclass(frozen=True, slots=True)
class FileState:
    """What a file was when it was indexed. `settled`: it was old enough then for its stamp to be trusted."""

    stamp: str
    digest: str
    settled: bool


def _quietly(_done: int, _wanted: int) -> None:
    """Nobody watches."""


class ChunkIndex:
    """Chunks, terms and vectors of one book, for one embedding model."""

    def __init__(self, storage: "Storage", identity: str, dimensions: int) -> None:
        self._storage = storage
        self._identity = identity
        self._dimensions = dimensions
        self._opened: str | None = None  # stamp of the tail file that this state came from
        self._version = ABSENT
        self._salvaged: dict[bytes, NDArray[np.float32]] = {}
        self._reset()

    def _reset(self) -> None:
        self.files: dict[str, FileState] = {}
        self._base = self._tail = segment.build([], {}, self._dimensions)
        self._base_name = ""
        self._gone = np.zeros(0, dtype=np.bool_)
        self._corpus: Corpus | None = None
        self._unsaved = False

    # -- loading and saving ------------------------------------------------------------------------------------

    def open(self) -> None:
        """Take over the state on disk if it is another than the one in hand. Damage means starting from nothing."""
        stamp = self._stamp()
        if stamp == self._opened:
            return
        self._opened = stamp
        self._reset()
        snapshot = self._storage.read(_TAIL)
        self._version = snapshot.version
        if snapshot.data is None:
            return
        try:
            self._take(memoryview(snapshot.data))
        except (container.BadContainer, KeyError, ValueError, TypeError, IndexError):
            self._reset()
            self._salvage(memoryview(snapshot.data))

    def _take(self, data: memoryview) -> None:
        arrays, notes = container.unpack(data)
        if notes["format"] != _FORMAT or notes["identity"] != self._identity:
            return  # made by another version or model: vectors are never mixed
        base = str(notes["base"])
        if base:
            mapped = self._storage.map(f"{FOLDER}/{base}")
            if mapped is None:
                raise container.BadContainer("the base is missing")
            self._base = segment.from_arrays(container.unpack(mapped)[0])
        self._base_name = base
        self._gone = arrays["gone"]
        self._tail = segment.from_arrays(arrays)
        if len(self._gone) != self._base.count:
            raise container.BadContainer("the base is another one")
        files = cast(dict[str, list[object]], notes["files"])
        self.files = {name: FileState(str(s[0]), str(s[1]), bool(s[2])) for name, s in files.items()}

    def _salvage(self, tail: memoryview) -> None:
        """Keep the vectors that damaged files still hold."""
        self._salvaged = segment.salvage(tail)
        for file in self._storage.list_folder(FOLDER):
            if "/base-" in file.name and (data := self._storage.map(file.name)) is not None:
                self._salvaged |= segment.salvage(data)

    def save(self) -> bool:
        """Write what has changed; False if it has to wait for another time."""
        if not self._unsaved:
            return True
        try:
            base = self._base_name or self._write_base()
            notes = {"format": _FORMAT, "identity": self._identity, "base": base, "files": self._file_notes()}
            parts = container.pack({**segment.to_arrays(self._tail), "gone": self._gone}, notes)
            with self._storage.lock(timeout=0):
                self._version = self._storage.write(_TAIL, b"".join(parts), expected=self._version, durable=False)
                self._base_name = base
                self._opened = self._stamp()
            self._delete_other_bases(base)
        except (BookBusy, StorageError):
            return False
        except Conflict:  # another process has saved its own state: theirs is as good, and taken over next time
            self._opened = None
            return False
        self._unsaved = False
        return True

    def _write_base(self) -> str:
        if not self._base.count:
            return ""
        parts = container.pack(segment.to_arrays(self._base), {})
        name = f"base-{bytes(parts[-1]).hex()}"
        self._storage.put_derived(f"{FOLDER}/{name}", parts)
        return name

    def _delete_other_bases(self, base: str) -> None:
        for file in self._storage.list_folder(FOLDER):
            if file.name not in {_TAIL, f"{FOLDER}/{base}"} and file.kind == "file":
                self._storage.delete_derived(file.name)

    def _stamp(self) -> str | None:
        files = self._storage.list_folder(FOLDER)
        return next((file.stamp for file in files if file.name == _TAIL), None)

    def _file_notes(self) -> dict[str, list[object]]:
        return {name: [state.stamp, state.digest, state.settled] for name, state in self.files.items()}

    def clear(self) -> None:
        """Forget everything, on disk too."""
        try:
            for file in list(self._storage.list_folder(FOLDER)):
                self._storage.delete_derived(file.name)
        except CommonplaceError:
            pass
        self._reset()
        self._opened, self._version, self._salvaged = None, ABSENT, {}

    # -- changing ----------------------------------------------------------------------------------------------

    def update(self, changed: "Mapping[str, tuple[FileState, Sequence[Chunk]]]", removed: Iterable[str]) -> None:
        """Bring in files that changed and drop those that are gone: a set difference by content."""
        removed = [name for name in removed if name in self.files]
        if not changed and not removed:
            return
        gone = self._gone.copy()
        in_tail = [c for c in self._tail_chunks() if c.file not in changed and c.file not in set(removed)]
        for name in [*changed, *removed]:
            rows = self._base.of_file(name)
            kept = {self._base.digests[row].tobytes(): int(row) for row in rows}
            gone[rows] = True
            for chunk in changed[name][1] if name in changed else ():
                row = kept.get(digest_of(chunk))
                if row is None:
                    in_tail.append(chunk)
                else:
                    gone[row] = False
        self.files |= {name: state for name, (state, _) in changed.items()}
        for name in removed:
            del self.files[name]
        self._tail = segment.build(in_tail, self._vectors_for(in_tail), self._dimensions)
        self._gone = gone
        self._changed()
        if self._tail.count > max(_SMALLEST_MERGE, self._base.count // 10) or gone.sum() > max(500, len(gone) // 3):
            self._merge()

    def touch(self, states: Mapping[str, FileState]) -> None:
        """Note new stamps of files whose content is the same."""
        if states:
            self.files |= states
            self._unsaved = True

    def embed_missing(
        self,
        embed: "Callable[[Sequence[str]], NDArray[np.float32]]",
        *,
        until: float | None = None,
        progress: Callable[[int, int], None] = _quietly,
    ) -> None:
        """Compute the vectors that are not known yet, newest chunks first, until the clock says `until`."""
        for part, keep in (("_tail", np.ones(self._tail.count, dtype=np.bool_)), ("_base", ~self._gone)):
            current: Segment = getattr(self, part)
            rows = np.flatnonzero(~current.known & keep)[::-1]
            if not len(rows):
                continue
            current = segment.writable(current)
            setattr(self, part, current)
            self._changed()
            if part == "_base":
                self._base_name = ""
            for start in range(0, len(rows), _BATCH):
                if until is not None and time.monotonic() > until:
                    return
                batch = rows[start : start + _BATCH]
                current.vectors[batch] = embed([embedded_text(current.chunk(int(row))) for row in batch])
                current.known[batch] = True
                progress(*self.vectors())

    def vectors(self) -> tuple[int, int]:
        """How many vectors are known, and how many there will be."""
        known = int((self._base.known & ~self._gone).sum()) + int(self._tail.known.sum())
        return known, int((~self._gone).sum()) + self._tail.count

    def corpus(self) -> Corpus:
        if self._corpus is None:
            whole_tail = np.ones(self._tail.count, dtype=np.bool_)
            self._corpus = gather([(self._base, ~self._gone), (self._tail, whole_tail)])
        return self._corpus

    def _changed(self) -> None:
        self._corpus = None
        self._unsaved = True

    def _merge(self) -> None:
        self._base = segment.join([(self._base, ~self._gone), (self._tail, np.ones(self._tail.count, dtype=np.bool_))])
        self._tail = segment.build([], {}, self._dimensions)
        self._gone = np.zeros(self._base.count, dtype=np.bool_)
        self._base_name = ""
        self._changed()

    def _tail_chunks(self) -> "list[Chunk]":
        return [self._tail.chunk(at) for at in range(self._tail.count)]

    def _vectors_for(self, chunks: "Sequence[Chunk]") -> "dict[bytes, NDArray[np.float32]]":
        """Vectors that are known already for what these chunks say, wherever it stood before."""
        wanted = {vector_key(chunk) for chunk in chunks}
        found = {key: vector for key, vector in self._salvaged.items() if key in wanted}
        for part in (self._base, self._tail):
            for row in np.flatnonzero(np.isin(part.keys, np.array(list(wanted), dtype=part.keys.dtype)) & part.known):
                found[part.keys[row].tobytes()] = part.vectors[row]
        return found

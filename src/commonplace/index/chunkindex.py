"""The index on disk: a large base that rarely changes, and a small tail with everything since.

The tail names its base, the files it was made from, and which chunks of the base are gone, so one atomic write of
the tail moves the index from one state to the next. Readers keep the state they have opened. Whoever cannot write
(someone else does, the disk is full) goes on in memory: the index is a convenience, never a reason to fail.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np

from commonplace.errors import CommonplaceError, Conflict, StorageError
from commonplace.index import segment
from commonplace.index.chunking import digest_of, embedded_text, vector_key
from commonplace.index.corpus import Corpus, gather
from commonplace.types.book import ABSENT, LARGE_INDEX, FileState

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from commonplace.index.segment import Segment
    from commonplace.ports import Storage
    from commonplace.types.searching import Asked, Chunk

FOLDER = ".commonplace/index"
TAIL = f"{FOLDER}/tail"
_FORMAT = 5  # to be raised with every change of what is stored, of chunks, or of terms
_UNKNOWN, _NONE = "unknown", "none"  # in place of a stamp
_ROUNDS = 3
_WORTH_NOTING = 4 << 20  # bytes of a base that take longer to read through than a note of it to write
_SMALLEST_MERGE = 500
_LARGEST_TAIL = 3000  # its terms are made again with every change
_BATCH = 32  # at the end of each, cores wait for the last text; but only then is the clock looked at


def _quietly(_done: int, _wanted: int) -> None:
    """Nobody watches."""


class ChunkIndex:
    """Chunks, terms and vectors of one book, for one embedding model."""

    def __init__(self, storage: "Storage", identity: str, dimensions: int) -> None:
        self._storage = storage
        self._identity = identity
        self._dimensions = dimensions
        self.opened = _UNKNOWN  # stamp of the tail file that this state came from
        self._version = ABSENT
        self._salvaged: dict[bytes, NDArray[np.float32]] = {}
        self.loads = 0
        self.moved = False  # to an index of the store: nothing is to be taken from here
        self._reset()

    def _reset(self) -> None:
        self.loads += 1  # tells one state from the next: what was known of the files may be so no more
        self.files: dict[str, FileState] = {}
        self._base = self._tail = segment.build([], {}, self._dimensions)
        self._base_name = self._checked = ""
        self._gone = np.zeros(0, dtype=np.bool_)
        self._corpus: Corpus | None = None
        self._counts: tuple[int, int] | None = None
        self._of_file: tuple[str, dict[bytes, int], NDArray[np.float32]] | None = None
        self.unsaved = False

    # -- loading and saving ------------------------------------------------------------------------------------

    def open(self) -> None:
        """Take over the state on disk if it is another than the one in hand."""
        for _ in range(_ROUNDS):
            stamp = self._stamp()
            if stamp == self.opened:
                return
            self._load(stamp)  # and look again: someone may have replaced the base meanwhile

    def _load(self, stamp: str) -> None:
        """Damage means starting from nothing but the vectors that are whole."""
        self.opened, self._version = stamp, ABSENT
        self._reset()
        data = b""
        try:
            snapshot = self._storage.read(TAIL)
            self._version, data = snapshot.version, snapshot.data or b""
            self._take(memoryview(data))
        except (StorageError, segment.BadContainer, KeyError, ValueError, TypeError, IndexError):
            self._reset()
            self._salvage(memoryview(data))

    def _take(self, data: memoryview) -> None:
        arrays, notes = segment.unpack(data)
        if notes["identity"] != self._identity:
            return  # vectors of two models are never mixed
        if notes["format"] != _FORMAT:
            raise segment.BadContainer("made by another version")
        base = str(notes["base"])
        if base:
            stamp = self._stamp(f"{FOLDER}/{base}")
            mapped = self._storage.map(f"{FOLDER}/{base}")
            if mapped is None:
                raise segment.BadContainer("the base is missing")
            # What was read through once need not be again while the system tells that nobody has touched the file.
            known = stamp != _NONE and notes.get("checked") == stamp
            self._base = segment.from_arrays(segment.unpack(mapped, check=not known)[0])
            self._checked = stamp if stamp != _NONE else ""
            self.unsaved = bool(self._checked) and not known and len(mapped) >= _WORTH_NOTING
        self._base_name = base
        self._gone = arrays["gone"]
        self._tail = segment.from_arrays(arrays)
        if len(self._gone) != self._base.count:
            raise segment.BadContainer("the base is another one")
        files = cast(dict[str, list[object]], notes["files"])
        self.files = {name: FileState(str(s[0]), str(s[1]), bool(s[2])) for name, s in files.items()}

    def _salvage(self, tail: memoryview) -> None:
        """Keep the vectors that damaged files still hold."""
        self._salvaged = segment.salvage(tail, self._identity)
        try:
            for file in self._storage.list_folder(FOLDER):
                if "/base-" in file.name and file.kind == "file" and (data := self._storage.map(file.name)) is not None:
                    self._salvaged |= segment.salvage(data, self._identity)
        except StorageError:
            return

    def save(self) -> bool:
        """Write what has changed; False if it has to wait for another time."""
        if not self.unsaved:
            return True
        base = None if self._base_name else segment.pack(segment.to_arrays(self._base), {"identity": self._identity})
        try:
            # All under the lock: whoever erases a text holds it too, and must not find an old base written after.
            with self._storage.lock(timeout=0):
                self._write(base)
        except Conflict:  # another process has saved its own state: theirs is as good, and taken over next time
            self.opened = _UNKNOWN
            return False
        except CommonplaceError:
            self._make_room()
            return False
        self.unsaved = False
        self._salvaged = {}
        return True

    def _write(self, base: "list[bytes | memoryview] | None") -> None:
        if self._stamp() != self.opened:
            raise Conflict("The index was changed meanwhile.")
        name = self._base_name
        if base is not None and self._base.count:
            name = f"base-{bytes(base[-1]).hex()}"
            self._storage.put_derived(f"{FOLDER}/{name}", base, durable=True)  # it is trusted once it was read
            self._checked = ""
        notes = {"format": _FORMAT, "identity": self._identity, "base": name, "files": self._file_notes()}
        notes["checked"] = self._checked
        tail = segment.pack({**segment.to_arrays(self._tail), "gone": self._gone}, notes)
        self._version = self._storage.write(TAIL, b"".join(tail), expected=self._version, durable=False)
        self._base_name = name
        self.opened = self._stamp()
        for file in self._storage.list_folder(FOLDER):
            if file.name not in {TAIL, f"{FOLDER}/{name}"} and file.kind == "file":
                self._storage.delete_derived(file.name)

    def _make_room(self) -> None:
        """Remove a file that stands where the folder should be."""
        try:
            for file in self._storage.list_folder(FOLDER.rpartition("/")[0]):
                if file.name == FOLDER and file.kind == "file":
                    self._storage.delete_derived(FOLDER)
        except CommonplaceError:
            return

    def _stamp(self, name: str = TAIL) -> str:
        """What tells one state of a file from another; of a base, none as long as that could miss a change."""
        try:
            files = {file.name: file for file in self._storage.list_folder(FOLDER)}
            self.moved = LARGE_INDEX in files
            file = files.get(name)
            return file.stamp if file and (file.settled or name == TAIL) else _NONE
        except StorageError:
            return _NONE

    def _file_notes(self) -> dict[str, list[object]]:
        return {name: [state.stamp, state.digest, state.settled] for name, state in self.files.items()}

    def clear(self) -> None:
        """Forget everything, on disk too."""
        try:
            for file in list(self._storage.list_folder(FOLDER)):
                self._storage.delete_derived(file.name)
        except CommonplaceError:
            pass
        self._load(self._stamp())
        self._reset()
        self._salvaged = {}

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
        most = min(max(_SMALLEST_MERGE, self._base.count // 10), _LARGEST_TAIL)
        if self._tail.count > most or gone.sum() > max(_SMALLEST_MERGE, len(gone) // 3):
            self._merge()

    def touch(self, states: Mapping[str, FileState]) -> None:
        """Note new stamps of files whose content is the same."""
        if states:
            self.files |= states
            self.unsaved = True

    def embed_missing(
        self,
        embed: "Callable[[Sequence[str]], NDArray[np.float32]]",
        *,
        until: float | None = None,
        progress: Callable[[int, int], None] = _quietly,
        file: str | None = None,
        most: int | None = None,
    ) -> None:
        """Compute the vectors (of one `file` only, if named) that are not known yet, newest chunks first, at least a
        few, until the clock says `until`. Where more than `most` are missing, none is computed: a base that lacks many
        would be written again for a few of them."""
        known, wanted = self.vectors()
        if known == wanted:
            return
        for part, keep in (("_tail", np.ones(self._tail.count, dtype=np.bool_)), ("_base", ~self._gone)):
            current: Segment = getattr(self, part)
            rows = np.flatnonzero(~current.known & keep)[::-1]
            if file is not None:
                rows = rows[np.isin(rows, current.of_file(file))]
            if not len(rows) or (most is not None and len(rows) > most):
                continue
            for start in range(0, len(rows), _BATCH):
                batch = rows[start : start + _BATCH]
                vectors = embed([embedded_text(current.chunk(int(row))) for row in batch])
                current = segment.writable(current)
                current.vectors[batch], current.known[batch] = vectors, True
                self._embedded(part, current)
                known += len(batch)
                progress(known, wanted)
                if until is not None and time.monotonic() > until:
                    return

    def _embedded(self, part: str, current: "Segment") -> None:
        setattr(self, part, current)
        self._changed()
        if part == "_base":
            self._base_name = ""

    def vectors(self) -> tuple[int, int]:
        """How many vectors are known, and how many there will be."""
        if self._counts is None:
            known = int((self._base.known & ~self._gone).sum()) + int(self._tail.known.sum())
            self._counts = known, int((~self._gone).sum()) + self._tail.count
        return self._counts

    def keys_of(self, file: str) -> set[bytes]:
        """What stands for the texts of a file's chunks (see `chunking.vector_key`), also of those gone just now."""
        return {key.tobytes() for part in (self._base, self._tail) for key in part.keys[part.of_file(file)]}

    def likeness_in(self, file: str, asked: "NDArray[np.float32]", most: int) -> dict[bytes, float | None]:  # noqa: ARG002 all are known
        """How alike the chunks of a file are, by what stands for their texts (see `chunking.vector_key`)."""
        rows_of, vectors = self._vectors_of(file)
        cosines = cast(list[float], (vectors @ asked).tolist())
        return {key: cosines[row] for key, row in rows_of.items()}

    def _vectors_of(self, file: str) -> "tuple[dict[bytes, int], NDArray[np.float32]]":
        if self._of_file is None or self._of_file[0] != file:
            keys: list[NDArray[np.void]] = []
            vectors: list[NDArray[np.float32]] = []
            for part, gone in ((self._base, self._gone), (self._tail, np.zeros(self._tail.count, dtype=np.bool_))):
                rows = part.of_file(file)
                rows = rows[part.known[rows] & ~gone[rows]]
                keys.append(part.keys[rows])
                vectors.append(part.vectors[rows])
            joined: NDArray[np.void] = np.concatenate(keys)
            rows_of = {key.tobytes(): row for row, key in enumerate(joined)}
            self._of_file = (file, rows_of, np.concatenate(vectors))
        return self._of_file[1:]

    def count(self) -> int:
        return int((~self._gone).sum()) + self._tail.count

    def rows(self) -> "Iterator[tuple[Chunk, NDArray[np.float32] | None]]":
        """Every chunk with its vector, if that is known."""
        for part, gone in ((self._base, self._gone), (self._tail, np.zeros(self._tail.count, dtype=np.bool_))):
            for at in np.flatnonzero(~gone).tolist():
                yield part.chunk(at), part.vectors[at] if part.known[at] else None

    def corpus(self, asked: "Asked | None" = None) -> Corpus:  # noqa: ARG002 everything is given
        if self._corpus is None:
            whole_tail = np.ones(self._tail.count, dtype=np.bool_)
            self._corpus = gather([(self._base, ~self._gone), (self._tail, whole_tail)])
        return self._corpus

    def _changed(self) -> None:
        self._corpus = self._of_file = self._counts = None
        self.unsaved = True

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

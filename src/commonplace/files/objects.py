"""Git objects and refs inside a book, written through `Storage`.

Loose objects are a few lines of zlib and SHA-1, written here so that saving imports no git library, every object
is synced like any other file of the book, and a full disk is one kind of error. The format of packs is `packs`'.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from commonplace.errors import Conflict, StorageError
from commonplace.files.folders import PRIVATE
from commonplace.types.book import ABSENT

if TYPE_CHECKING:
    from commonplace.files.packs import Pack
    from commonplace.ports import Storage

REPOSITORY = f"{PRIVATE}/history.git"
MAIN = "refs/heads/main"
PENDING = "refs/commonplace/pending"
_OBJECTS = f"{REPOSITORY}/objects"
_PACKS = f"{_OBJECTS}/pack"
_MIDX = f"{_PACKS}/multi-pack-index"
_CONFIG = "[core]\n\trepositoryformatversion = 0\n\tfilemode = false\n\tbare = true\n"


class Damaged(StorageError):
    """An object of the history is missing or cannot be read."""

    code = "history_damaged"


class TreeEntry(NamedTuple):
    """One name of a tree."""

    name: str
    is_folder: bool
    id: str


class Objects(ABC):
    """The commits, trees and blobs of one history, wherever they are."""

    @abstractmethod
    def write(self, kind: str, body: bytes) -> str: ...

    @abstractmethod
    def read(self, id: str) -> tuple[str, bytes]:
        """Kind and body; `Damaged` where there is none."""

    @abstractmethod
    def ids_starting(self, prefix: str) -> set[str]:
        """All ids that begin with `prefix` (at least two hex digits)."""

    def blob(self, id: str) -> bytes:
        return self.read(id)[1]

    def tree(self, id: str) -> list[TreeEntry]:
        return list(_parse_tree(self.read(id)[1]))

    def write_tree(self, entries: Iterable[TreeEntry]) -> str:
        ordered = sorted(entries, key=lambda e: (e.name + "/" if e.is_folder else e.name).encode())
        body = b"".join(
            (b"40000 " if e.is_folder else b"100644 ") + e.name.encode() + b"\0" + bytes.fromhex(e.id) for e in ordered
        )
        return self.write("tree", body)

    def difference(self, id: str, base: str) -> bytes | None:  # noqa: ARG002 few stores know
        """The git delta that makes one object from another, where it is stored as that."""
        return None


class GitObjects(Objects):
    """The object database and refs of one book's history: a bare repository that stock git can read."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._open_packs: dict[str, Pack] = {}

    # -- objects ---------------------------------------------------------------------------------------------

    def write(self, kind: str, body: bytes) -> str:
        id, whole = framed(kind, body)
        name = _loose_name(id)
        try:
            self._storage.write(name, zlib.compress(whole, 1), expected=ABSENT)
        except Conflict:
            if self._read_loose(id) is None:  # there, but torn by a power failure of a lesser file system
                self._storage.write(name, zlib.compress(whole, 1), expected=self._storage.read(name).version)
        return id

    def read(self, id: str) -> tuple[str, bytes]:
        # First where nothing has to be looked for. Then twice: between two looks another process may have moved the
        # object from one pack to the next.
        found = (
            _read_packed(self._open_packs, id)
            or self._read_loose(id)
            or _read_packed(self.packs(), id)
            or self._read_loose(id)
            or _read_packed(self.packs(), id)
        )
        if found is None:
            raise lost(id)
        return found

    def loose_ids(self) -> Iterator[str]:
        for folder in self._storage.list_folder(_OBJECTS):
            prefix = folder.name.rpartition("/")[2]
            if folder.kind == "folder" and len(prefix) == 2:
                yield from (prefix + file.name.rpartition("/")[2] for file in self._storage.list_folder(folder.name))

    def ids_starting(self, prefix: str) -> set[str]:
        files = self._storage.list_folder(f"{_OBJECTS}/{prefix[:2]}")
        loose = {prefix[:2] + file.name.rpartition("/")[2] for file in files}
        packed = {id for pack in self.packs().values() for id in pack.ids(prefix)}
        return {id for id in loose if id.startswith(prefix)} | packed

    def loose_size(self, digit: str) -> tuple[int, int]:
        """About how many loose objects there are, and their bytes. Ids are spread evenly: those that begin with one
        digit tell for all."""
        folders = [f"{_OBJECTS}/{digit}{second}" for second in "0123456789abcdef"]
        sizes = [file.size for folder in folders for file in self._storage.list_folder(folder)]
        return 16 * len(sizes), 16 * sum(sizes)

    def difference(self, id: str, base: str) -> bytes | None:
        return next(filter(None, (pack.difference(id, base) for pack in self._open_packs.values())), None)

    def delete_loose(self, id: str, *, durable: bool) -> None:
        name = _loose_name(id)
        version = self._storage.read(name).version
        if version != ABSENT:
            self._storage.delete(name, expected=version, durable=durable)

    def _read_loose(self, id: str) -> tuple[str, bytes] | None:
        data = self._storage.read(_loose_name(id)).data
        if data is None:
            return None
        try:
            header, _, body = zlib.decompress(data).partition(b"\0")
        except zlib.error:
            return None
        kind = header.partition(b" ")[0].decode("ascii", "replace")
        return (kind, body) if framed(kind, body)[0] == id else None

    # -- refs ------------------------------------------------------------------------------------------------

    def ref(self, ref: str) -> str | None:
        """The id that a ref names; None when there is no such ref, `Damaged` when it names nothing."""
        data = self._storage.read(f"{REPOSITORY}/{ref}").data
        if data is not None:
            id = data.decode("ascii", "replace").strip()
            if not re.fullmatch(r"[0-9a-f]{40}", id):
                raise Damaged(
                    f"The history's {ref} is damaged.", hint="The book itself is unharmed. The next write mends it."
                )
            return id
        packed = self._storage.read(f"{REPOSITORY}/packed-refs").data or b""  # a person may have run `git gc`
        lines = (line.split() for line in packed.decode("utf-8", "replace").splitlines() if line[:1] not in "#^")
        return next((parts[0] for parts in lines if len(parts) == 2 and parts[1] == ref), None)

    def set_ref(self, ref: str, id: str, *, durable: bool = True) -> None:
        name = f"{REPOSITORY}/{ref}"
        self._storage.write(name, f"{id}\n".encode(), expected=self._storage.read(name).version, durable=durable)

    def drop_ref(self, ref: str) -> None:
        """Not synced: a ref that comes back after a power failure names what it named."""
        name = f"{REPOSITORY}/{ref}"
        version = self._storage.read(name).version
        if version != ABSENT:
            self._storage.delete(name, expected=version, durable=False)

    def drop_packed_refs(self) -> None:
        """After a rewrite they name what is gone."""
        name = f"{REPOSITORY}/packed-refs"
        version = self._storage.read(name).version
        if version != ABSENT:
            self._storage.delete(name, expected=version)

    def make_repository(self) -> None:
        for name, text in (("config", _CONFIG), ("HEAD", f"ref: {MAIN}\n")):
            if self._storage.read(f"{REPOSITORY}/{name}").data is None:
                self._storage.write(f"{REPOSITORY}/{name}", text.encode(), expected=ABSENT)

    # -- packs -----------------------------------------------------------------------------------------------

    def add_pack(self, name: str, pack: bytes, index: bytes) -> None:
        """The index is written last: a pack without one does not exist for anybody."""
        for suffix, data in (("pack", pack), ("idx", index)):
            file = f"{_PACKS}/pack-{name}.{suffix}"
            self._storage.write(file, data, expected=self._storage.read(file).version)

    def delete_pack(self, name: str) -> None:
        """The index goes first, for the same reason; what `git gc` derived from the pack goes with it."""
        self._open_packs.pop(name, None)
        derived = [f.name for f in self._storage.list_folder(_PACKS) if f.name.startswith((f"{name}.", _MIDX))]
        for file in dict.fromkeys([f"{name}.idx", f"{name}.pack", *derived, f"{_OBJECTS}/info/commit-graph"]):
            version = self._storage.read(file).version
            if version != ABSENT:
                self._storage.delete(file, expected=version)

    def pack_names(self) -> list[str]:
        """All packs, readable or not."""
        files = [f.name for f in self._storage.list_folder(_PACKS) if f.kind == "file"]
        return sorted({file.rpartition(".")[0] for file in files if file.endswith((".pack", ".idx"))})

    def delete_cut_off_packs(self) -> None:
        """Remove what a crash left of a pack that was being written or deleted."""
        files = {file.name for file in self._storage.list_folder(_PACKS)}
        for name in sorted(file.removesuffix(".pack") for file in files if file.endswith(".pack")):
            if f"{name}.idx" not in files:
                self.delete_pack(name)

    def packs(self) -> dict[str, Pack]:
        """All packs by name; those already open are not read again, and one that cannot be read has no objects."""
        names = {f.name.removesuffix(".idx") for f in self._storage.list_folder(_PACKS) if f.name.endswith(".idx")}
        for gone in self._open_packs.keys() - names:
            self._open_packs.pop(gone, None)
        for name in names - self._open_packs.keys():
            from commonplace.files.packs import Pack, PackUnreadable

            pack, index = (self._storage.map(f"{name}.{suffix}") for suffix in ("pack", "idx"))
            if pack is not None and index is not None:
                with suppress(PackUnreadable):
                    self._open_packs[name] = Pack(pack, index)
        return dict(self._open_packs)


def lost(id: str) -> Damaged:
    return Damaged(
        f"Object {id[:10]} of the history is missing or damaged.",
        hint="The book itself is unharmed. `commonplace doctor` says what can be done.",
    )


def _read_packed(packs: dict[str, Pack], id: str) -> tuple[str, bytes] | None:
    for pack in list(packs.values()):
        found = pack.read(id)
        if found is not None and framed(*found)[0] == id:
            return found
    return None


def framed(kind: str, body: bytes) -> tuple[str, bytes]:
    """The id of an object, and what it is the hash of."""
    whole = b"%s %d\0%s" % (kind.encode(), len(body), body)
    return hashlib.sha1(whole, usedforsecurity=False).hexdigest(), whole


def blob_id(data: bytes) -> str:
    return framed("blob", data)[0]


def _loose_name(id: str) -> str:
    return f"{_OBJECTS}/{id[:2]}/{id[2:]}"


def _parse_tree(body: bytes) -> Iterator[TreeEntry]:
    at = 0
    while at < len(body):
        end = body.index(b"\0", at)
        mode, _, name = body[at:end].partition(b" ")
        yield TreeEntry(name.decode("utf-8", "surrogateescape"), mode == b"40000", body[end + 1 : end + 21].hex())
        at = end + 21

"""The history of a book in its own folder: a bare repository that stock git can read, written through `Storage`.

Loose objects are a few lines of zlib and SHA-1, written here so that saving imports no git library, every object is
synced like any other file of the book, and a full disk is one kind of error. The format of packs is `packs`'.

A change is recorded in two steps around the write itself. `prepare` stores the commit and names it as pending;
`publish` makes it the newest; then nothing is pending, although the ref stays. A crash in between is settled by
looking at the files: are they what the pending commit says, or still what they were?
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from commonplace.errors import Conflict, NotFound, StorageError
from commonplace.files.folders import REPOSITORY
from commonplace.files.history import Damaged, GitHistory, Objects, framed, lost
from commonplace.types.book import ABSENT

if TYPE_CHECKING:
    from commonplace.files.packs import Pack
    from commonplace.ports import Storage
    from commonplace.types.asking import Note
    from commonplace.types.book import Commit

MAIN = "refs/heads/main"
PENDING = "refs/commonplace/pending"
_OBJECTS = f"{REPOSITORY}/objects"
_PACKS = f"{_OBJECTS}/pack"
_MIDX = f"{_PACKS}/multi-pack-index"
_CONFIG = "[core]\n\trepositoryformatversion = 0\n\tfilemode = false\n\tbare = true\n"
_DAMAGED = f"{REPOSITORY}/refs/damaged"
_COUNT = f"{REPOSITORY}/changes.count"
_WORTH_COUNTING = 32
_MOST_LOOSE = 1000
_MOST_LOOSE_BYTES = 16 * 1024 * 1024
_LARGEST_JOINED = 256 * 1024 * 1024
_LONGEST_CHAIN = 200


class FolderHistory(GitHistory):
    """The recorded changes of a book whose objects are files."""

    def __init__(self, storage: Storage) -> None:
        self._repository = GitObjects(storage)
        super().__init__(self._repository)
        self._storage = storage

    def head(self) -> str | None:
        return self._repository.ref(MAIN)

    # -- recording -------------------------------------------------------------------------------------------

    def prepare(self, changes: Mapping[str, bytes | None], note: Note, at: datetime) -> str:
        """Store a commit with these files changed (None: deleted) on top of the newest, and remember it as pending."""
        head = self.head()
        if head is None:
            self._repository.make_repository()
        id = self.compose(head, changes, note, at)
        # Not synced: it serves the case of a killed process. If the power fails before `publish`, then at worst the
        # change is in the files (those are synced) and gets recorded as an edit by hand.
        self._repository.set_ref(PENDING, id, durable=False)
        return id

    def publish(self, id: str) -> None:
        self._repository.set_ref(MAIN, id)

    def repeat(self, changes: Mapping[str, bytes | None], note: Note, at: datetime) -> str:
        id = self.prepare(changes, note, at)
        self.publish(id)
        self.tidy()
        return id

    def pending(self) -> str | None:
        """The commit that was prepared and neither published nor dropped."""
        try:
            pending = self._repository.ref(PENDING)
        except Damaged:
            self._repository.drop_ref(PENDING)
            return None
        return pending if pending != self.head() else None

    def drop_pending(self) -> None:
        self._repository.drop_ref(PENDING)

    def begin_anew(self, files: Mapping[str, bytes], note: Note, at: datetime) -> str:
        """Start a history with no past, for a past that cannot be read. What can be read of it stays reachable."""
        self._repository.make_repository()
        stamp = at.strftime("%Y-%m-%d_%H-%M-%S")
        for number, tip in enumerate(self._tips()):
            self._repository.set_ref(f"refs/damaged/{stamp}-{number}", tip)
        id = self.compose(None, files, note, at)
        self.publish(id)
        return id

    def mend_head(self) -> None:
        """Find the newest change again when the ref that names it is damaged or lost."""
        try:
            if self._repository.ref(MAIN) is not None:
                return
        except Damaged:
            self._repository.drop_ref(MAIN)
        commits = self._readable_commits()
        # A first change that a crash kept from being published leaves the same: there, what is pending gets settled.
        if any(commit.parents for commit in commits.values()):
            with suppress(Damaged):
                last = self._repository.ref(PENDING)  # what was prepared last, mostly the very one that was published
                if last in commits:
                    self._repository.set_ref(MAIN, last)
                    return
            self._repository.set_ref(MAIN, max(commits.values(), key=lambda commit: commit.at).id)

    def _tips(self) -> list[str]:
        """The commits on which no other stands, of all that can be read."""
        commits = self._readable_commits()
        return sorted(commits.keys() - {parent for commit in commits.values() for parent in commit.parents})

    def _readable_commits(self) -> dict[str, Commit]:
        commits: dict[str, Commit] = {}
        for id in {*self._repository.loose_ids(), *self._packed_ids()}:
            with suppress(Damaged, NotFound):
                commits[id] = self.commit(id)
        return commits

    # -- housekeeping ----------------------------------------------------------------------------------------

    def count(self) -> int:
        """How many changes there are: those since the last that was counted, and what was counted then. The note of it
        may be lost, or be about a history that was rewritten since; then all are counted again."""
        known, counted = self._noted_count()
        number = 0
        for commit in self.commits():
            if commit.id == known:
                break
            number += 1
        else:
            counted = 0
        if number > _WORTH_COUNTING:
            self._note_count(self.head(), number + counted)
        return number + counted

    def _noted_count(self) -> tuple[str, int]:
        data = self._storage.read(_COUNT).data or b""
        noted = re.fullmatch(rb"([0-9a-f]{40}) (\d{1,12})\n", data)
        return (noted[1].decode(), int(noted[2])) if noted else ("", 0)

    def _note_count(self, id: str | None, number: int) -> None:
        if id is not None and self._noted_count() != (id, number):
            with suppress(StorageError):  # where nobody may write, all are counted each time
                self._storage.put_derived(_COUNT, [f"{id} {number}\n".encode()])

    def tidy(self) -> None:
        """Count, and pack when there are many loose objects. Only one change in sixteen looks, by the chance of its
        id."""
        head = self.head()
        if head is None or not head.startswith("0"):
            return
        self.count()
        number, size = self._repository.loose_size(head[1])
        if number > _MOST_LOOSE or size > _MOST_LOOSE_BYTES:
            self.pack_loose()

    def pack_loose(self) -> None:
        """Put all loose objects into one new pack, versions as differences, and join packs when there are many: the
        time this takes depends on what is new, and only seldom on the age of the book.

        The newest commit and its trees stay loose as well: the next save need not open the pack.
        """
        whole = [pack for pack in self._repository.packs().values() if pack.has_whole_index()]

        def is_packed(id: str) -> bool:
            return any(id in pack for pack in whole)

        loose = set(self._repository.loose_ids())
        chains = self._chains(is_packed)
        for id in sorted(loose - chains.keys()):  # of no use to this history, perhaps to a damaged one
            if not is_packed(id):
                with suppress(Damaged):
                    self._repository.read(id)
                    chains[id] = None
        self._write_pack(chains)
        stay = self._newest_objects()
        for id in sorted(loose - stay):
            if id in chains or is_packed(id):
                # Not synced: an object that comes back after a power failure is there twice, which does no harm.
                self._repository.delete_loose(id, durable=False)
        self._join_packs()
        self._repository.delete_cut_off_packs()

    def _join_packs(self) -> None:
        """Keep the packs few. The joined one is there before the others go; what is damaged is left alone."""
        from commonplace.files.packs import joined, too_many

        packs = self._repository.packs()
        names = too_many({name: pack.size for name, pack in packs.items() if pack.size < _LARGEST_JOINED})
        parts = {name: packs[name] for name in names if packs[name].is_whole()}
        if len(parts) > 1:
            name = _pack_name({id for pack in parts.values() for id in pack.ids()})
            if not any(part.endswith(name) for part in packs):
                self._repository.add_pack(name, *joined(list(parts.values())))
            for part in parts:
                if not part.endswith(name):
                    self._repository.delete_pack(part)

    def prune(self) -> None:
        """Put everything that a change needs into one pack, and remove all else for good."""
        if self.head() is None:
            return
        for file in list(self._storage.list_folder(_DAMAGED)):
            self._repository.drop_ref(file.name.removeprefix(f"{REPOSITORY}/"))
        self._repository.packs()
        name = self._write_pack(self._chains(lambda _: False))
        for pack in self._repository.pack_names():  # also those that cannot be read
            if not pack.endswith(name):
                self._repository.delete_pack(pack)
        self._repository.delete_cut_off_packs()
        stay = self._newest_objects()
        for id in list(self._repository.loose_ids()):
            if id not in stay:
                self._repository.delete_loose(id, durable=True)

    def _write_pack(self, chains: Mapping[str, str | None]) -> str:
        name = _pack_name(chains)
        if chains and not any(pack.endswith(name) for pack in self._repository.packs()):
            from commonplace.files.packs import make_pack

            self._repository.add_pack(name, *make_pack(chains, self._repository.read))
        return name

    def _newest_objects(self) -> set[str]:
        head = self.head()
        return {head, *self._trees_of(self.commit(head).tree)} if head else set()

    def adopt(self, id: str) -> None:
        self._repository.make_repository()
        self._repository.set_ref(MAIN, id)
        self._repository.drop_ref(PENDING)
        self._repository.drop_packed_refs()

    def check(self, newest: int | None = None) -> list[str]:
        problems: list[str] = []
        try:
            if self.head() is None and self._readable_commits():
                problems.append("The history does not say which change is the newest.")
            problems += super().check(newest)
            if newest is None and not problems:
                self._note_count(self.head(), sum(1 for _ in self.commits()))
        except Damaged as error:
            problems.append(error.message)
        return problems

    def set_aside(self) -> int:
        """How many earlier histories were damaged and can only be read in part."""
        return sum(1 for _ in self._storage.list_folder(_DAMAGED))

    def lost_pasts(self) -> int:
        return self.set_aside() + super().lost_pasts()

    def bodies(self) -> Iterator[tuple[str, bytes]]:
        """Every object there is, reachable or not, with its id: for proving that a text is gone."""
        for id in sorted(set(self._repository.loose_ids()) | self._packed_ids()):
            yield id, self._repository.read(id)[1]

    def _packed_ids(self) -> set[str]:
        return {id for pack in self._repository.packs().values() for id in pack.ids()}

    def _trees_of(self, tree: str) -> Iterator[str]:
        yield tree
        for entry in self._repository.tree(tree):
            if entry.is_folder:
                yield from self._trees_of(entry.id)

    def _chains(self, is_packed: Callable[[str], bool]) -> dict[str, str | None]:
        """Every reachable object (back to those that are packed) and what it is stored as a difference to: the next
        newer version of the same path."""
        bases: dict[str, str | None] = {}
        newest: dict[str, tuple[str, int]] = {}

        def visit(id: str, path: str, is_folder: bool) -> None:
            if id in bases or is_packed(id):
                return
            base, depth = newest.get(path, (None, 0))
            if depth >= _LONGEST_CHAIN:
                base, depth = None, 0
            bases[id] = base
            newest[path] = (id, depth + 1 if base else 0)
            if is_folder:
                for entry in self._repository.tree(id):
                    visit(entry.id, f"{path}/{entry.name}", entry.is_folder)

        for commit in self.commits():
            if is_packed(commit.id):
                break
            bases[commit.id] = None
            visit(commit.tree, "", True)
        return bases


def _pack_name(ids: Iterable[str]) -> str:
    return hashlib.sha1("".join(sorted(ids)).encode(), usedforsecurity=False).hexdigest()


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


def _read_packed(packs: dict[str, Pack], id: str) -> tuple[str, bytes] | None:
    for pack in list(packs.values()):
        found = pack.read(id)
        if found is not None and framed(*found)[0] == id:
            return found
    return None


def _loose_name(id: str) -> str:
    return f"{_OBJECTS}/{id[:2]}/{id[2:]}"

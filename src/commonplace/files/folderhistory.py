"""The history of a book in its own folder: a bare repository that stock git can read.

A change is recorded in two steps around the write itself. `prepare` stores the commit and names it as pending;
`publish` makes it the newest; then nothing is pending, although the ref stays. A crash in between is settled by
looking at the files: are they what the pending commit says, or still what they were?
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from commonplace.errors import NotFound, StorageError
from commonplace.files.history import GitHistory
from commonplace.files.objects import MAIN, PENDING, REPOSITORY, Damaged, GitObjects

if TYPE_CHECKING:
    from commonplace.ports import Storage
    from commonplace.types.asking import Note
    from commonplace.types.book import Commit

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

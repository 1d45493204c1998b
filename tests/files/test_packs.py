"""Packs: read in place, joined, and never in danger meanwhile."""

import os
import random
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.errors import StorageError
from commonplace.files.folder import FolderStorage
from commonplace.files.folderhistory import FolderHistory
from commonplace.files.history import blob_id
from commonplace.files.packs import Pack, PackUnreadable, joined, make_pack, too_many, unchanged
from commonplace.files.transactions import Book
from commonplace.memory import Memory
from commonplace.testing import StoppedClock
from commonplace.types.asking import Note, Origin
from tests.files.test_history import git, no_sync
from tests.folderbooks import history_of

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", no_sync)


class FailingStorage(FolderStorage):
    """Every write after the first few fails, as on a disk that is full or gone."""

    left = 10**9

    def write(self, name: str, data: bytes, *, expected: str, durable: bool = True) -> str:
        self._spend()
        return super().write(name, data, expected=expected, durable=durable)

    def delete(self, name: str, *, expected: str, durable: bool = True) -> None:
        self._spend()
        super().delete(name, expected=expected, durable=durable)

    def _spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise StorageError("The disk is gone.", hint="")


def book_with(root: Path, batches: list[int]) -> tuple[Book, list[str]]:
    """A book whose history was packed after each batch of changes."""
    book = Book(FolderStorage(root), StoppedClock(NOW))
    book.create()
    changes: list[str] = []
    text = "# Long-term Memory\n\n## Notes\n\n"
    for batch in batches:
        for _ in range(batch):
            text += f"- Fact {len(changes)} is worth {len(changes) * 31}\n"
            changes.append(history_of(book).prepare({"MEMORY.md": text.encode()}, Note("Save", Origin.TOOL), NOW))
            history_of(book).publish(changes[-1])
        history_of(book).pack_loose()
    (root / "MEMORY.md").write_text(text)
    return book, changes


def packs(root: Path) -> list[Path]:
    return sorted((root / ".commonplace/history.git/objects/pack").glob("*.pack"))


@pytest.mark.req("BOOK-6")
def test_packs_stay_few_and_stock_git_verifies_them(tmp_path: Path) -> None:
    _, changes = book_with(tmp_path, [4] * 16)
    assert len(packs(tmp_path)) <= 4
    memory = Memory.open(tmp_path)
    assert [change.id for change in memory.changes()] == changes[::-1]
    assert git(memory, "fsck", "--strict", "--full") == ""
    for pack in packs(tmp_path):
        git(memory, "verify-pack", str(pack))


@pytest.mark.req("BOOK-6", "R1")
def test_a_joining_cut_off_at_any_step_loses_no_change_and_leaves_no_half_pack(tmp_path: Path) -> None:
    sound = tmp_path / "sound"
    _, changes = book_with(sound, [6, 6])
    for steps in count():
        root = tmp_path / f"cut-{steps}"
        shutil.copytree(sound, root)
        storage = FailingStorage(root)
        history = FolderHistory(storage)
        extend(history, 8)
        storage.left = steps
        try:
            history.pack_loose()
            finished = True
        except StorageError:
            finished = False
        fresh = FolderHistory(FolderStorage(root))
        assert [commit.id for commit in fresh.commits()][8:] == changes[::-1]
        assert fresh.check() == []
        fresh.pack_loose()
        assert len(packs(root)) <= 3  # what the cut left over is no longer needed, and goes with the next joining
        assert all(pack.with_suffix(".idx").exists() for pack in packs(root))
        assert fresh.check() == []
        if finished:
            return
        shutil.rmtree(root)


def extend(history: FolderHistory, number: int) -> None:
    for extra in range(number):
        id = history.prepare({"LATER.md": f"{extra}\n".encode() * 40}, Note("Save", Origin.TOOL), NOW)
        history.publish(id)


@pytest.mark.req("BOOK-6")
def test_a_damaged_pack_is_left_as_it_is_and_the_others_are_joined(tmp_path: Path) -> None:
    book_with(tmp_path, [40])
    victim = packs(tmp_path)[0]
    data = bytearray(victim.read_bytes())
    data[len(data) // 2] ^= 1
    victim.write_bytes(data)
    history = history_of(Book(FolderStorage(tmp_path), StoppedClock(NOW)))
    for _ in range(4):
        extend(history, 5)
        history.pack_loose()
    assert victim.read_bytes() == data
    assert len(packs(tmp_path)) <= 4


@pytest.mark.req("BOOK-6")
def test_packs_that_git_made_are_joined_with_ours(tmp_path: Path) -> None:
    book, changes = book_with(tmp_path, [20])
    memory = Memory.open(tmp_path)
    git(memory, "gc", "--quiet", "--prune=now")
    extend(history_of(book), 30)
    history_of(book).pack_loose()
    extend(history_of(book), 30)
    history_of(book).pack_loose()
    assert len(packs(tmp_path)) == 1
    assert git(memory, "fsck", "--strict", "--full") == ""
    assert [commit.id for commit in FolderHistory(FolderStorage(tmp_path)).commits()][60:] == changes[::-1]


@pytest.mark.req("BOOK-6")
def test_the_number_of_changes_is_right_whatever_happened_to_the_note_of_it(tmp_path: Path) -> None:
    book, changes = book_with(tmp_path, [50])
    note = tmp_path / ".commonplace/history.git/changes.count"
    assert book.history.count() == 50
    assert note.read_text() == f"{changes[-1]} 50\n"
    extend(history_of(book), 3)
    assert book.history.count() == 53
    for wrong in ("", "nonsense\n", f"{'0' * 40} 7\n"):
        note.write_text(wrong)
        assert book.history.count() == 53
    note.write_text(f"{changes[10]} 4000\n")  # about a change that is there, and wrong: only a full look can tell
    assert book.history.check() == []
    assert book.history.count() == 53


@pytest.mark.req("BOOK-6")
def test_doctor_says_how_much_of_a_long_history_it_read(tmp_path: Path) -> None:
    book_with(tmp_path, [120])
    memory = Memory.open(tmp_path)
    (found,) = [finding for finding in memory.check() if finding.check == "history"]
    assert found.level == "ok"
    assert "newest 100 of 120" in found.message
    (whole,) = [finding for finding in memory.check(full=True) if finding.check == "history"]
    assert whole.level == "ok"
    assert not whole.message
    data = bytearray((victim := packs(tmp_path)[0]).read_bytes())
    first = next(iter(damaged_objects(memory)))
    data[first : first + 4] = b"\0\0\0\0"
    victim.write_bytes(data)
    fresh = Memory.open(tmp_path)
    assert {finding.level for finding in fresh.check() if finding.check == "history"} == {"ok"}
    assert "error" in {finding.level for finding in fresh.check(full=True) if finding.check == "history"}


def damaged_objects(memory: Memory) -> Iterator[int]:
    """Where in the pack the first change of all stands."""
    listed = git(memory, "verify-pack", "-v", str(packs(memory.path)[0])).splitlines()
    first = list(memory.book.history.commits())[-1].id
    yield from (int(line.split()[4]) + 4 for line in listed if line.startswith(first))


@given(st.dictionaries(st.text("abcdef", min_size=1), st.integers(1, 10**6), max_size=30))
def test_after_joining_each_pack_is_larger_than_all_smaller_ones_together(sizes: dict[str, int]) -> None:
    going = too_many(sizes)
    left = [size for name, size in sizes.items() if name not in going]
    left += [sum(sizes[name] for name in going)] if going else []
    left.sort()
    assert len(going) != 1
    for at, size in enumerate(left):
        assert not at or size > sum(left[:at]) or size == sum(sizes[name] for name in going)


@given(st.lists(st.binary(max_size=400), min_size=2, max_size=8, unique=True), st.randoms(use_true_random=False))
def test_every_object_comes_back_from_packs_and_from_their_join(bodies: list[bytes], chance: random.Random) -> None:
    known = {blob_id(body): body for body in bodies}
    ids = list(known)

    def read(id: str) -> tuple[str, bytes]:
        return "blob", known[id]

    halves = [ids[: len(ids) // 2], ids[len(ids) // 2 :], chance.sample(ids, len(ids))]
    opened: list[Pack] = []
    for half in halves:
        bases = {id: half[at - 1] if at and chance.random() < 0.7 else None for at, id in enumerate(half)}
        pack, index = make_pack(bases, read)
        opened.append(Pack(memoryview(pack), memoryview(index)))
        assert opened[-1].is_whole()
        assert list(opened[-1].ids()) == sorted(half)
    one = Pack(*map(memoryview, joined(opened)))
    assert one.is_whole()
    assert {id: one.read(id) for id in ids} == {id: ("blob", body) for id, body in known.items()}
    assert all(set(one.ids(id[:5])) == {other for other in ids if other[:5] == id[:5]} for id in ids)


@given(st.binary(max_size=60), st.binary(max_size=30), st.binary(max_size=30), st.binary(max_size=60))
def test_what_a_difference_leaves_alone_stands_where_it_says(start: bytes, old: bytes, new: bytes, end: bytes) -> None:
    base, target = start + old + end, start + new + end
    if base == target or not target:
        return  # what is empty is stored as it is: git takes no difference that makes nothing
    known = {blob_id(body): body for body in (base, target)}
    one, other = known
    pack = Pack(*map(memoryview, make_pack({one: None, other: one}, lambda id: ("blob", known[id]))))
    delta = pack.difference(other, one)
    assert delta is not None
    assert pack.difference(one, other) is None
    first, last, shift = unchanged(delta)
    assert target[:first] == base[:first]
    assert target[last + shift :] == base[last:]
    assert first >= len(start)


@given(st.data())
def test_a_damaged_pack_gives_the_right_object_or_none_and_always_ends(data: st.DataObject) -> None:
    bodies = [b"line %d\n" % at * 20 for at in range(12)]
    known = {blob_id(body): body for body in bodies}
    ids = list(known)
    bases = {id: ids[at - 1] if at else None for at, id in enumerate(ids)}
    files = [bytearray(file) for file in make_pack(bases, lambda id: ("blob", known[id]))]
    for _ in range(data.draw(st.integers(1, 6))):
        file = data.draw(st.sampled_from(files))
        file[data.draw(st.integers(8, len(file) - 1))] = data.draw(st.integers(0, 255))
    if data.draw(st.booleans()):
        del files[0][data.draw(st.integers(0, len(files[0]))) :]
    try:
        pack = Pack(*(memoryview(bytes(file)) for file in files))
    except PackUnreadable:
        return
    for id in ids:
        found = pack.read(id)
        assert found is None or isinstance(found[1], bytes)
        pack.difference(id, ids[0])

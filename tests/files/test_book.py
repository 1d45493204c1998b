"""A book as one thing: files and history change together, and what happened outside is taken in first."""

import os
import shutil
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from commonplace.errors import BookMissing, CommonplaceError, Conflict
from commonplace.files.folder import FolderStorage
from commonplace.files.transactions import Plan
from commonplace.memory import Memory
from commonplace.testing import StoppedClock
from commonplace.types import Note, Origin, Saved
from tests.folderbooks import history_of
from tests.stress.kinds import memory_entries

NOTE = Note("Change two files", Origin.TOOL)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    made = Memory.open(tmp_path / "book")
    made.remember("The first fact")
    return made


def newest(memory: Memory) -> Note:
    return next(iter(memory.changes())).note


@pytest.mark.req("BOOK-3", "BOOK-6")
def test_an_edit_by_hand_is_recorded_as_the_owners_before_anything_is_written_on_top(memory: Memory) -> None:
    file = memory.path / "MEMORY.md"
    file.write_text(file.read_text() + "- Written by hand\n")
    memory.remember("Asked for later", insist=True)
    notes = [change.note for change in memory.changes()]
    assert [(note.origin, note.summary) for note in notes[:2]] == [
        (Origin.TOOL, "Remember in Notes: Asked for later"),
        (Origin.PERSON, "Edit MEMORY.md by hand"),
    ]
    memory.undo()
    assert memory_entries(memory.path) == ("The first fact", "Written by hand")


@pytest.mark.req("BOOK-3", "R3")
def test_an_edit_between_noticing_and_reading_is_recorded_as_the_owners_too(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = memory.path / "MEMORY.md"
    caught_up = memory.book.catch_up
    edits = iter(["- Written in between\n"])

    def catch_up_then_edit() -> str | None:
        done = caught_up()
        file.write_text(file.read_text() + next(edits, ""))
        return done

    monkeypatch.setattr(memory.book, "catch_up", catch_up_then_edit)
    memory.remember("Asked for", insist=True)
    monkeypatch.undo()
    memory.undo()
    assert memory_entries(memory.path) == ("The first fact", "Written in between")


@pytest.mark.req("BOOK-3")
@pytest.mark.parametrize("age", [0, 3600])
def test_an_edit_of_the_same_size_is_noticed_also_with_its_time_set_back(memory: Memory, age: int) -> None:
    file = memory.path / "MEMORY.md"
    then = time.time() - age
    os.utime(file, (then, then))
    assert newest(memory).origin == Origin.TOOL  # looked at, and perhaps remembered by its stamp
    info = file.stat()
    file.write_bytes(file.read_bytes().replace(b"first", b"other"))
    os.utime(file, ns=(info.st_atime_ns, info.st_mtime_ns))
    assert file.stat().st_size == info.st_size
    assert newest(memory).summary == "Edit MEMORY.md by hand"


@pytest.mark.req("BOOK-3")
def test_edits_of_the_same_size_within_one_tick_of_our_own_write_are_noticed(memory: Memory) -> None:
    file = memory.path / "MEMORY.md"
    for number in range(10):
        memory.remember(f"Fact {number}", insist=True)
        file.write_bytes(file.read_bytes().replace(b"Fact %d" % number, b"Edit %d" % number))
        assert newest(memory).origin == Origin.PERSON, number


@pytest.mark.req("R11")
def test_a_book_that_lost_all_its_files_refuses_and_can_bring_them_back(memory: Memory) -> None:
    memory.log("A day")
    (memory.path / "MEMORY.md").unlink()
    shutil.rmtree(memory.path / "daily")
    fresh = Memory.open(memory.path)
    with pytest.raises(BookMissing):
        fresh.remember("On top of nothing")
    assert not (memory.path / "MEMORY.md").exists()
    assert len(fresh.book.bring_back()) == 2
    assert memory_entries(memory.path) == ("The first fact",)


@pytest.mark.req("R11")
def test_all_files_may_be_deleted_on_purpose_when_the_person_says_so(memory: Memory) -> None:
    (memory.path / "MEMORY.md").unlink()
    assert memory.book.accept_deletion() is not None
    memory.remember("A new beginning")
    assert memory_entries(memory.path) == ("A new beginning",)


@pytest.mark.req("R11")
def test_one_of_several_files_may_be_deleted_by_hand(memory: Memory) -> None:
    memory.log("A day")
    shutil.rmtree(memory.path / "daily")
    memory.remember("Goes on as before", insist=True)
    assert [change.note.origin for change in memory.changes()][1] == Origin.PERSON


def two_files(memory: Memory) -> None:
    memory.book.change(["a.md", "b.md"], lambda _: Plan({"a.md": b"new a\n", "b.md": b"new b\n"}, NOTE, None))


@pytest.mark.req("R1")
@pytest.mark.parametrize("written", [[], ["a.md"], ["a.md", "b.md"]])
def test_a_change_of_several_files_cut_off_by_a_crash_is_completed_or_was_never_there(
    memory: Memory, written: list[str]
) -> None:
    for name in ("a.md", "b.md"):
        (memory.path / name).write_bytes(b"old\n")
    memory.book.catch_up()
    new = {"a.md": b"new a\n", "b.md": b"new b\n"}
    history_of(memory.book).prepare(new, NOTE, datetime.now().astimezone())
    for name in written:
        (memory.path / name).write_bytes(new[name])
    fresh = Memory.open(memory.path)
    summary = newest(fresh).summary
    found = [(memory.path / name).read_bytes() for name in new]
    if written:
        assert found == list(new.values())
        assert summary == NOTE.summary
    else:
        assert found == [b"old\n", b"old\n"]
        assert summary != NOTE.summary
    assert history_of(fresh.book).pending() is None


@pytest.mark.req("R1", "BOOK-3")
def test_a_crash_followed_by_an_edit_keeps_the_edit(memory: Memory) -> None:
    (memory.path / "a.md").write_bytes(b"old\n")
    memory.book.catch_up()
    history_of(memory.book).prepare({"a.md": b"new\n"}, NOTE, datetime.now().astimezone())
    (memory.path / "a.md").write_bytes(b"edited by hand\n")
    fresh = Memory.open(memory.path)
    assert newest(fresh).summary == "Edit a.md by hand"
    assert (memory.path / "a.md").read_bytes() == b"edited by hand\n"


@pytest.mark.req("R6")
def test_when_the_second_of_two_files_cannot_be_written_the_first_is_put_back(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    (memory.path / "a.md").write_bytes(b"old\n")
    (memory.path / "b.md").write_bytes(b"old\n")
    memory.book.catch_up()
    real = FolderStorage.write

    def write(self: FolderStorage, name: str, data: bytes, *, expected: str, durable: bool = True) -> str:
        if name == "b.md":
            raise Conflict("b.md was changed")
        return real(self, name, data, expected=expected, durable=durable)

    monkeypatch.setattr(FolderStorage, "write", write)
    monkeypatch.setattr("commonplace.files.transactions._PATIENCE", 0)
    with pytest.raises(Conflict):
        two_files(memory)
    assert (memory.path / "a.md").read_bytes() == b"old\n"
    monkeypatch.undo()
    two_files(memory)
    assert (memory.path / "b.md").read_bytes() == b"new b\n"


@pytest.mark.req("BOOK-1")
def test_a_read_only_book_can_be_read_in_every_way(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.log("A day")
    memory.backup()
    real = os.open

    def read_only(path: str, flags: int, *rest: int, **options: int) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            raise OSError(30, "Read-only file system")
        return real(path, flags, *rest, **options)

    monkeypatch.setattr(os, "open", read_only)
    fresh = Memory.open(memory.path)
    assert "The first fact" in fresh.document().text
    assert len(list(fresh.changes())) == 2
    assert fresh.diff()
    assert fresh.backups()
    assert fresh.log_days()
    assert fresh.why("The first fact").changes
    assert fresh.stats().entries == 1
    assert fresh.check()
    with pytest.raises(CommonplaceError) as caught:
        fresh.remember("No")
    assert "read-only" in caught.value.hint


def test_a_book_whose_private_folder_is_gone_begins_a_new_history_with_all_its_text(memory: Memory) -> None:
    shutil.rmtree(memory.path / ".commonplace")
    memory.remember("Still here")  # also by an object that was open before
    assert memory_entries(memory.path) == ("The first fact", "Still here")
    assert [change.note.origin for change in memory.changes()] == [Origin.TOOL, Origin.IMPORT]


def test_two_memories_of_one_book_see_each_others_changes(memory: Memory) -> None:
    other = Memory.open(memory.path)
    for number in range(3):
        assert isinstance(memory.remember(f"One {number}", insist=True), Saved)
        assert isinstance(other.remember(f"Other {number}", insist=True), Saved)
    assert len(memory_entries(memory.path)) == 7
    assert {change.note.origin for change in memory.changes()} == {Origin.TOOL}


def test_a_forked_child_can_use_the_memory_of_its_parent(memory: Memory) -> None:
    child = os.fork()
    if child == 0:
        status = 1
        try:
            memory.remember("From the child")
            status = 0
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    memory.remember("From the parent")
    assert memory_entries(memory.path) == ("The first fact", "From the child", "From the parent")


def test_a_clock_that_goes_backwards_harms_nothing(tmp_path: Path) -> None:
    clock = StoppedClock(datetime(2026, 11, 15, 12, 0, tzinfo=timezone(timedelta(hours=1))))
    memory = Memory.open(tmp_path / "book", clock=clock)
    for number in range(4):
        memory.remember(f"Fact {number}")
        clock.move(timedelta(days=-400 if number % 2 else 399))
    assert len(memory_entries(memory.path)) == 4
    assert [change.note.summary[-1] for change in memory.changes()] == ["3", "2", "1", "0"]
    memory.undo()
    assert len(memory_entries(memory.path)) == 3

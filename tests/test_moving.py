"""A book goes from one store to another and back: the same bytes, the same history, and nothing is a book by half."""

import os
import subprocess
from pathlib import Path

import pytest

from commonplace.errors import NotFound, StorageError, ValidationError
from commonplace.memory import Memory
from commonplace.stores import open_storage
from tests.stores import Place, prepared


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """A book in a folder with something of everything."""
    made = Memory.open(tmp_path / "old")
    made.remember("Plays the viola")
    made.remember("Lives in Lisbon")
    made.revise("Lives in Lisbon", "Lives in Porto")
    made.log("Went to the sea")
    made.say("talk-1", "user", "Hello, my train leaves at nine")
    made.say("talk-1", "assistant", "Noted.")
    made.backup()
    (made.path / "NOTES.md").write_bytes(b"\xff\xfe by hand\r\n")
    made.undo()
    return made


def contents(memory: Memory) -> dict[str, bytes | None]:
    """What a person keeps in a book."""
    storage = memory.book.storage
    return {name: storage.read(name).data for name in storage.walk() if not name.startswith(".commonplace/")}


@pytest.mark.every_store
@pytest.mark.req("BOOK-6", "TEAM-1")
def test_a_book_arrives_with_every_byte_and_its_whole_history(memory: Memory, place: Place) -> None:
    moved = memory.move_to(place)
    other = Memory.open(place)
    assert contents(other) == contents(memory)
    assert [change.id for change in other.changes()] == [change.id for change in memory.changes()]
    assert other.book.identity() == memory.book.identity()
    assert (moved.source, moved.target, moved.changes) == (memory.address, other.address, memory.stats().changes)
    assert moved.head == other.book.history.head()
    again = other.move_to(f"memory://{place}-again")
    assert (again.digest, again.bytes, again.files) == (moved.digest, moved.bytes, moved.files)
    assert [finding.message for finding in other.check() if finding.level in {"warning", "error"}] == []
    assert other.search("viola").hits[0].text == "Plays the viola"
    assert other.why("Plays the viola").changes[-1].note.summary == "Remember in Notes: Plays the viola"
    other.undo()
    assert len(list(other.changes())) == moved.changes + 1


@pytest.mark.every_store
@pytest.mark.req("BOOK-6", "TEAM-1")
def test_a_book_that_goes_there_and_back_is_what_it_was(memory: Memory, place: Place, tmp_path: Path) -> None:
    memory.move_to(place)
    Memory.open(place).move_to(tmp_path / "back")
    back = Memory.open(tmp_path / "back")
    assert contents(back) == contents(memory)
    assert [change.id for change in back.changes()] == [change.id for change in memory.changes()]
    assert back.book.history.check() == []


@pytest.mark.every_store
def test_no_book_is_moved_over_another(memory: Memory, place: Place) -> None:
    Memory.open(place).remember("Keeps bees in the garden")
    with pytest.raises(ValidationError):
        memory.move_to(place)
    assert Memory.open(place).entries()[0].text == "Keeps bees in the garden"
    with pytest.raises(NotFound):
        Memory.open(f"memory://{place}-none").move_to(f"memory://{place}-new")


@pytest.mark.every_store
@pytest.mark.req("R1")
def test_a_move_that_was_cut_off_left_no_book_and_begins_again(
    memory: Memory, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = open_storage(place, 10.0)
    write, left = type(target).write, iter(range(3))

    def failing(self: object, name: str, data: bytes, **more: object) -> str:
        if not name.startswith(".commonplace/history.git") and next(left, None) is None:
            raise StorageError("The plug was pulled.")
        return write(self, name, data, **more)  # pyright: ignore[reportArgumentType] as it came

    with monkeypatch.context() as patch:
        patch.setattr(type(target), "write", failing)
        with pytest.raises(StorageError):
            memory.move_to(place)
    assert Memory.open(place).book.identity() is None
    memory.move_to(place)
    assert contents(Memory.open(place)) == contents(memory)


@pytest.mark.req("BOOK-6", "TEAM-1")
def test_a_book_out_of_a_database_is_a_folder_that_stock_git_reads(tmp_path: Path) -> None:
    memory = Memory.open(prepared().address("app", "books", "tests", f"git-{tmp_path.name}-{os.getpid()}"))
    memory.remember("Plays the viola")
    memory.revise("Plays the viola", "Plays the viola and the piano")
    memory.log("Went to the sea")
    moved = memory.move_to(tmp_path / "book")

    def git(*arguments: str) -> str:
        folder = str(tmp_path / "book" / ".commonplace" / "history.git")
        done = subprocess.run(["git", "--git-dir", folder, *arguments], capture_output=True, text=True, check=True)
        return done.stdout

    git("fsck", "--strict", "--full")
    head = git("rev-parse", "HEAD").strip()
    assert head == moved.head == memory.book.history.head()
    assert len(git("log", "--format=%H").split()) == moved.changes == 3
    assert git("show", "HEAD:MEMORY.md") == memory.read() == (tmp_path / "book" / "MEMORY.md").read_text("utf-8")
    assert "-- Plays the viola\n+- Plays the viola and the piano" in git("log", "-p", "--", "MEMORY.md")


@pytest.mark.req("NS-1", "TEAM-1")
def test_books_of_one_database_know_nothing_of_each_other(tmp_path: Path) -> None:
    tenants = (f"a{tmp_path.name}", f"b{tmp_path.name}")
    one, other = (Memory.open(prepared().address("app", "books", tenant, "same")) for tenant in tenants)
    one.remember("Plays the viola")
    assert other.book.identity() is None
    assert other.read() == ""
    other.remember("Keeps bees")
    assert [entry.text for entry in one.entries()] == ["Plays the viola"]

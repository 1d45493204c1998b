"""What things cost must not grow with the age of the book. Counted in calls of the storage, not in seconds."""

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

import pytest

from commonplace.config import EmbedderSettings, Settings
from commonplace.files import folder as folder_module
from commonplace.files import folderhistory as history_module
from commonplace.files.folder import FolderStorage
from commonplace.files.transactions import Book, Plan
from commonplace.memory import Memory
from commonplace.testing import StoppedClock
from commonplace.types import Saved
from commonplace.types.asking import Note, Origin
from commonplace.types.book import FileStat, Snapshot
from tests.files.test_history import no_sync
from tests.folderbooks import history_of

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
ENTRIES = 40
SHORT, LONG = 60, 420


class CountingStorage(FolderStorage):
    """Counts what is asked of it."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.calls: Counter[str] = Counter()

    def read(self, name: str) -> Snapshot:
        self.calls["read"] += 1
        return super().read(name)

    def map(self, name: str) -> memoryview | None:
        self.calls["map"] += 1
        return super().map(name)

    def list_folder(self, folder: str) -> Iterator[FileStat]:
        self.calls["list"] += 1
        return super().list_folder(folder)

    def write(self, name: str, data: bytes, *, expected: str, durable: bool = True) -> str:
        self.calls["write"] += 1
        return super().write(name, data, expected=expected, durable=durable)

    def put_derived(self, name: str, parts: Iterable[bytes | memoryview], *, durable: bool = False) -> None:
        self.calls["derived"] += 1
        super().put_derived(name, parts, durable=durable)


def counted(root: Path, work: Callable[[Memory], object], settings: Settings | None = None) -> int:
    """How often a process that starts with this asks the storage for something."""
    storage, clock = CountingStorage(root), StoppedClock(START + timedelta(days=400))
    work(Memory(Book(storage, clock), settings or Settings(), clock))
    return storage.calls.total()


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[int, Path]]:
    """Books of the same size that were changed a few times and often; each change replaces one entry."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", no_sync)
        patch.setattr(history_module, "_MOST_LOOSE", 60)
        yield {changes: aged(tmp_path_factory.mktemp("aged"), changes) for changes in (SHORT, LONG)}


def aged(root: Path, changes: int) -> Path:
    book = Book(FolderStorage(root), StoppedClock(START))
    book.create()
    entries = [f"- Entry {at} in the beginning" for at in range(ENTRIES)]
    data = b""
    with book.storage.lock():
        for change in range(changes):
            entries[change % ENTRIES] = f"- Entry {change % ENTRIES} as of change {change}"
            data = "\n".join(["# Long-term Memory", "", "## Notes", "", *entries, ""]).encode()
            files = {"ASIDE.md": b"- An aside\n"} if change == 5 else {"MEMORY.md": data}
            note = Note(f"Change {change}", Origin.TOOL)
            history_of(book).publish(history_of(book).prepare(files, note, START + timedelta(hours=change)))
            history_of(book).tidy()
        history_of(book).pack_loose()
        book.history.count()
    (root / "MEMORY.md").write_bytes(data)
    (root / "ASIDE.md").write_bytes(b"- An aside\n")
    return root


FLAT: dict[str, Callable[[Memory], object]] = {
    "the newest ten changes": lambda memory: list(islice(memory.changes(), 10)),
    "statistics": lambda memory: memory.stats(),
    "a look at health": lambda memory: memory.check(),
    "what the newest change did": lambda memory: memory.diff(),
}


@pytest.mark.req("BOOK-6")
@pytest.mark.parametrize("name", FLAT)
def test_it_costs_the_same_at_any_length_of_the_history(books: dict[int, Path], name: str) -> None:
    few, many = (counted(books[changes], FLAT[name]) for changes in (SHORT, LONG))
    assert many <= few + 12, (few, many)  # a pack or two more, each of which is opened once
    assert len(list((books[LONG] / ".commonplace/history.git/objects/pack").glob("*.pack"))) <= 5


@pytest.mark.req("BOOK-6")
def test_why_asks_for_few_objects_of_each_change(books: dict[int, Path]) -> None:
    """The text is as old as the book, so every change is looked at; but a packed one costs no call at all."""
    calls = counted(books[LONG], lambda memory: memory.why(f"Entry 0 as of change {LONG - LONG % ENTRIES}"))
    assert calls < 60


@pytest.mark.req("BOOK-6")
def test_an_old_change_is_taken_back_as_fast_as_a_new_one(books: dict[int, Path], tmp_path: Path) -> None:
    def undo_of(root: Path, at: int) -> int:
        copy = tmp_path / f"{root.name}-{at}"
        shutil.copytree(root, copy)
        memory = Memory.open(copy)
        changes = list(memory.changes())
        return counted(copy, lambda memory: memory.undo(changes[at].id))

    newest, old = undo_of(books[LONG], 0), undo_of(books[LONG], LONG - 1 - 5)
    assert old <= newest + 12, (newest, old)


@pytest.mark.req("BOOK-6")
def test_a_save_that_looks_for_what_to_pack_makes_few_calls_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", no_sync)
    monkeypatch.setattr(history_module, "_MOST_LOOSE", 1000)
    storage, clock = CountingStorage(tmp_path), StoppedClock(START)
    memory = Memory(Book(storage, clock), Settings(), clock)
    costs: dict[bool, list[int]] = {True: [], False: []}
    for number in range(60):
        clock.move(timedelta(minutes=1))
        storage.calls.clear()
        saved = memory.remember(f"The value of item {number} is {number * 37}", insist=True)
        assert isinstance(saved, Saved)
        costs[saved.change.startswith("0")].append(storage.calls.total())
    most, usual = max(map(max, costs.values())), max(costs[False][10:])
    assert most <= usual + 80, costs


@pytest.fixture(scope="module")
def small_and_large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path]]:
    """Two books, of which one has four times as many entries, logs, conversations and changes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", no_sync)
        patch.setattr(history_module, "_MOST_LOOSE", 1000)
        patch.setattr(folder_module, "_SETTLED_NS", -(10**15))  # as if nothing had been written these last seconds
        yield filled(tmp_path_factory.mktemp("small"), 10), filled(tmp_path_factory.mktemp("large"), 40)


def filled(root: Path, number: int) -> Path:
    memory = Memory.open(root, settings=Settings(embedder=EmbedderSettings(name="none")), clock=StoppedClock(START))
    lines = [f"- Fact {at} about thing {at * 37}" for at in range(number)]
    for at in range(number):
        data = "\n".join(["# Long-term Memory", "", "## Notes", "", *lines[: at + 1], ""]).encode()
        plan = Plan({"MEMORY.md": data}, Note("Save", Origin.TOOL), None)
        memory.book.change(["MEMORY.md"], lambda _, plan=plan: plan)
        memory.log(f"Day {at} went well", day=START.date() - timedelta(days=at))
        memory.say(f"talk-{at}", "assistant", f"So much for talk {at}")
    memory.reindex()
    memory.book.history.count()
    return root


COSTS: dict[str, tuple[int, Callable[[Memory], object]]] = {
    "a save": (75, lambda memory: memory.remember("Owns a boat that is called Persephone", insist=True)),
    "a log": (75, lambda memory: memory.log("Something happened")),
    "a message": (10, lambda memory: memory.say("talk-1", "user", "Good morning")),
    "a search": (25, lambda memory: memory.search("thing")),
    "a recall": (25, lambda memory: memory.recall("thing")),
    "an undo": (105, lambda memory: memory.undo()),
    "statistics": (60, lambda memory: memory.stats()),
}


@pytest.mark.req("R6")
@pytest.mark.parametrize("name", COSTS)
def test_what_is_done_every_day_asks_the_storage_as_often_in_a_large_book(
    small_and_large: tuple[Path, Path], name: str
) -> None:
    most, work = COSTS[name]
    few, many = (counted(root, work, Settings(embedder=EmbedderSettings(name="none"))) for root in small_and_large)
    assert many <= most, (few, many)
    assert many <= few + 55, (few, many)  # one change in sixteen counts, and looks for what to pack


@pytest.mark.req("R6")
def test_a_second_save_asks_less_than_the_first(small_and_large: tuple[Path, Path]) -> None:
    storage, clock = CountingStorage(small_and_large[1]), StoppedClock(START + timedelta(days=1))
    memory = Memory(Book(storage, clock), Settings(embedder=EmbedderSettings(name="none")), clock)
    costs: list[int] = []
    for number in range(8):
        storage.calls.clear()
        memory.remember(f"The value of item {number} is {number * 37}", insist=True)
        costs.append(storage.calls.total())
    assert sorted(costs)[len(costs) // 2] <= 30, costs

"""The list of conversations: right after whatever happens, without reading again what has not changed."""

from pathlib import Path

import pytest

from commonplace.config import Settings
from commonplace.files import folder
from commonplace.files.folder import FolderStorage
from commonplace.files.overview import FILE
from commonplace.files.transactions import Book
from commonplace.gate.secrets import redact
from commonplace.memory import Memory, SystemClock
from commonplace.types import SessionInfo
from commonplace.types.book import Snapshot


class Counting(FolderStorage):
    """A folder that notes which files are read."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.read_names: list[str] = []

    def read(self, name: str) -> Snapshot:
        self.read_names.append(name)
        return super().read(name)


@pytest.fixture
def storage(tmp_path: Path) -> Counting:
    return Counting(tmp_path / "book")


@pytest.fixture
def memory(storage: Counting, monkeypatch: pytest.MonkeyPatch) -> Memory:
    monkeypatch.setattr(folder, "_SETTLED_NS", 0)  # as if nothing had been written for a while
    clock = SystemClock()
    made = Memory(Book(storage, clock, redact), Settings(), clock)
    for number in range(4):
        made.say(f"talk-{number}", "user", f"My boat number {number} lies in the harbour.")
        made.say(f"talk-{number}", "assistant", "Good to know.")
    return made


def anew(memory: Memory) -> list[SessionInfo]:
    """What is true, without the table."""
    (memory.path / FILE).unlink(missing_ok=True)
    return Memory.open(memory.path).session_infos()


@pytest.mark.req("SES-1")
def test_what_has_not_changed_is_not_read_again(memory: Memory, storage: Counting) -> None:
    first = memory.session_infos()
    assert len(first) == 4
    storage.read_names.clear()
    assert memory.session_infos() == first
    assert not [name for name in storage.read_names if name.startswith(("sessions/", "daily/"))]
    memory.say("talk-2", "user", "It is called Gannet.")
    storage.read_names.clear()
    assert memory.session_infos()[0].messages == 3
    assert {name for name in storage.read_names if name.startswith("sessions/")} == {"sessions/talk-2.jsonl"}


def test_the_list_is_right_after_whatever_happens(memory: Memory) -> None:
    def check() -> None:
        told = memory.session_infos()
        assert told == memory.session_infos() == anew(memory)
        memory.session_infos()  # made again

    check()
    for act in (
        lambda: memory.rename_session("talk-1", "The boat"),
        lambda: memory.log_session("talk-1", None),
        lambda: memory.end_session("talk-3"),
        lambda: (memory.path / "sessions/talk-0.jsonl").unlink(),
        lambda: memory.log("- Something else"),
        lambda: memory.start_session("A new one"),
        lambda: (memory.path / FILE).write_text('{"talk-1": [1, 2], "talk-2": "x", "gone": [[], [], 7]}'),
        lambda: (memory.path / FILE).write_text("nonsense"),
    ):
        act()
        check()
    assert [info.title for info in memory.session_infos() if info.id == "talk-1"] == ["The boat"]


@pytest.mark.req("BOOK-7")
def test_the_table_holds_no_word_that_was_said(memory: Memory) -> None:
    assert memory.session_infos()[0].title
    table = (memory.path / FILE).read_text()
    assert "talk-1" in table
    assert "boat" not in table

"""A person saves MEMORY.md at any point of a write: no line of theirs and no acknowledged entry is lost.

The write is interrupted before each of its system calls, where an editor does its own saving: by renaming a new
file over the old one, by cutting and writing the file in place, or by cutting it now and writing it a little later.
"""

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonplace.files import folder
from commonplace.memory import Memory

BASE = "# Long-term Memory\n\n## Notes\n\n- first fact\n- second fact\n\n## Own\n\n- person's own\n"
STYLES = ("rename", "in place", "in place, slowly")
OPERATIONS: dict[str, Callable[[Memory], object]] = {
    "remember": lambda memory: memory.remember("new fact", insist=True),
    "revise": lambda memory: memory.revise("second fact", "new fact"),
    "forget": lambda memory: memory.forget("second fact"),
}


@pytest.fixture(autouse=True)
def no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing here loses power, and syncing would take most of the time."""

    def do_nothing(fd: int) -> None:
        del fd

    monkeypatch.setattr(os, "fsync", do_nothing)


class Editor:
    """A person with MEMORY.md open in an editor. A stale buffer is what they loaded before the write began."""

    def __init__(self, file: Path, style: str, *, stale: bool) -> None:
        self.file = file
        self.style = style
        self.buffer = file.read_text() if stale else None
        self.lines: list[str] = []
        self._unfinished: tuple[int, bytes] | None = None

    def save(self) -> None:
        self.finish()
        self.lines.append(f"- typed by hand, time {len(self.lines)}")
        text = (self.buffer if self.buffer is not None else self.file.read_text()) + self.lines[-1] + "\n"
        if self.buffer is not None:
            self.buffer = text
        if self.style == "rename":
            new = self.file.with_name("MEMORY.md~")
            new.write_text(text)
            new.rename(self.file)
            return
        self._unfinished = os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), text.encode()
        if self.style == "in place":
            self.finish()

    def finish(self) -> None:
        if self._unfinished is not None:
            fd, data = self._unfinished
            self._unfinished = None
            os.write(fd, data)
            os.close(fd)


class Interruption:
    """Counts the system calls of a write and calls `at[n]` before the nth."""

    def __init__(self, at: dict[int, Callable[[], None]]) -> None:
        self.at = at
        self.steps = 0
        self._inside = False

    def __call__(self) -> None:
        if self._inside:
            return
        self._inside = True
        try:
            self.at.get(self.steps, lambda: None)()
            self.steps += 1
        finally:
            self._inside = False


@contextmanager
def interrupted(interruption: Interruption) -> Generator[None]:
    def stepping(function: Callable[..., object]) -> Callable[..., object]:
        def stepped(*arguments: object, **options: object) -> object:
            interruption()
            return function(*arguments, **options)

        return stepped

    with pytest.MonkeyPatch.context() as patch:
        for name in ("open", "rename", "replace", "unlink", "fsync"):
            patch.setattr(os, name, stepping(getattr(os, name)))
        for name in ("exchange", "rename_new"):
            patch.setattr(folder, name, stepping(getattr(folder, name)))
        yield


def fresh_book(path: Path) -> Memory:
    memory = Memory.open(path)
    memory.create()
    (path / "MEMORY.md").write_text(BASE)
    memory.book.catch_up()
    return memory


def put_back(memory: Memory) -> None:
    """The same book again with the text it began with, which is cheaper than a new one."""
    (memory.path / "MEMORY.md").write_text(BASE)
    for rescued in memory.path.glob("rescued-*.md"):
        rescued.unlink()
    memory.book.catch_up()


def check_nothing_lost(memory: Memory, editor: Editor, operation: str) -> None:
    editor.finish()
    text = memory.read()
    memory.book.catch_up()
    kept = text + "".join(path.read_text() for path in memory.path.glob("rescued-*.md"))
    for line in editor.lines:
        assert line in kept, f"the person's line is gone:\n{text}"
    for line in ("# Long-term Memory", "## Notes", "- first fact", "## Own", "- person's own"):
        assert line in text
    stale = editor.buffer is not None and editor.buffer == text  # the person's older text, saved over the new one
    if operation == "forget":
        assert stale or "second fact" not in text
    else:
        assert stale or "- new fact" in text
    if stale and operation != "forget":
        history = memory.book.history
        recent = [history.files(commit.id)["MEMORY.md"] for commit in islice(history.commits(), 4)]
        assert any(b"new fact" in history.content(blob) for blob in recent), "what was acknowledged is in the history"


@pytest.mark.req("R3", "BOOK-3")
@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("style", STYLES)
def test_a_save_before_any_system_call_of_a_write_loses_nothing(tmp_path: Path, operation: str, style: str) -> None:
    memory = fresh_book(tmp_path / "book")
    counting = Interruption({})
    with interrupted(counting):
        OPERATIONS[operation](memory)
    assert counting.steps > 30
    for step in range(0, counting.steps, 1 if operation == "remember" else 10):
        put_back(memory)
        editor = Editor(memory.path / "MEMORY.md", style, stale=step % 2 == 0)
        with interrupted(Interruption({step: editor.save, step + 1 + step % 7: editor.finish})):
            OPERATIONS[operation](memory)
        check_nothing_lost(memory, editor, operation)


@pytest.mark.req("R3", "BOOK-3")
@given(
    st.sampled_from(STYLES),
    st.sampled_from(sorted(OPERATIONS)),
    st.booleans(),
    st.dictionaries(st.integers(0, 150), st.sampled_from(["save", "finish"]), min_size=1, max_size=6),
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_several_saves_at_any_points_of_a_write_lose_nothing(
    tmp_path: Path, style: str, operation: str, stale: bool, saves: dict[int, str]
) -> None:
    path = tmp_path / "book"
    memory = Memory.open(path)
    if path.exists():
        put_back(memory)
    else:
        fresh_book(path)
    editor = Editor(path / "MEMORY.md", style, stale=stale)
    acts = {step: editor.save if what == "save" else editor.finish for step, what in saves.items()}
    with interrupted(Interruption(acts | {151: editor.finish})):
        OPERATIONS[operation](memory)
    check_nothing_lost(memory, editor, operation)

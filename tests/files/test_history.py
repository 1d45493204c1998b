"""The history: readable by stock git, small, and never in the way of a save when it is damaged."""

import os
import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from commonplace.errors import StorageError
from commonplace.files import folderhistory as history_module
from commonplace.memory import Memory
from commonplace.types import Origin, Saved
from tests.folderbooks import history_of
from tests.stress.kinds import memory_entries


def no_sync(_: int) -> None:
    """Waiting for the disk proves nothing where nobody is killed."""


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory.open(tmp_path / "book")


def remember(memory: Memory, text: str) -> str:
    saved = memory.remember(text, insist=True)
    assert isinstance(saved, Saved)
    return saved.change


def repository(memory: Memory) -> Path:
    return memory.path / ".commonplace" / "history.git"


def git(memory: Memory, *arguments: str) -> str:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    command = ["git", "--git-dir", str(repository(memory)), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def loose(memory: Memory) -> list[Path]:
    return [file for file in (repository(memory) / "objects").glob("??/*") if file.is_file()]


def level(memory: Memory) -> set[str]:
    return {finding.level for finding in memory.check() if finding.check == "history"}


@pytest.mark.req("BOOK-6")
def test_stock_git_reads_every_change_with_its_trailers(memory: Memory) -> None:
    memory.remember("The sky is blue", session="s1", reason="They said so")
    memory.revise("The sky is blue", "The sky is grey")
    memory.log("A grey day")
    assert git(memory, "fsck", "--strict") == ""
    log = git(
        memory,
        "log",
        "--format=%an|%s|%(trailers:key=Origin,valueonly,separator=%x2C)|%(trailers:key=Session,valueonly)",
    )
    assert "Commonplace|Remember in Notes: The sky is blue|tool|s1" in log
    assert "The sky is grey" in git(memory, "show", "main:MEMORY.md")


@pytest.mark.req("BOOK-6")
def test_many_changes_are_packed_as_differences_that_stock_git_verifies(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", no_sync)
    monkeypatch.setattr(history_module, "_MOST_LOOSE", 100)
    texts = [f"Fact {i} says that the value of item {i * 7919 % 1009} is {i * 31}" for i in range(150)]
    changes = [remember(memory, text) for text in texts]
    packs = sorted((repository(memory) / "objects" / "pack").glob("*.pack"))
    assert packs
    assert git(memory, "fsck", "--strict", "--full") == ""
    verified = git(memory, "verify-pack", "-v", str(packs[0]))
    assert "chain length" in verified
    fresh = Memory.open(memory.path)
    assert [change.id for change in fresh.changes()] == changes[::-1]
    size = sum(file.stat().st_size for file in repository(memory).rglob("*") if file.is_file())
    assert size < 60 * (memory.path / "MEMORY.md").stat().st_size  # without packs 150 versions and their trees
    for number in (0, 10, 149):
        (diff,) = fresh.diff(changes[number])
        assert f"- {texts[number]}\n" in (diff.after or "")
        assert f"- {texts[number]}\n" not in (diff.before or "")
    fresh.undo(changes[5])
    assert texts[5] not in memory_entries(memory.path)


@pytest.mark.req("BOOK-6")
def test_packing_that_fails_half_way_changes_nothing_for_readers(memory: Memory) -> None:
    changes = [remember(memory, f"Fact {i}") for i in range(12)]
    history_of(memory.book).pack_loose()
    index = next((repository(memory) / "objects" / "pack").glob("*.idx"))
    index.rename(index.with_suffix(".gone"))  # as if killed before the index was written
    remember(memory, "Fact 12")
    index.with_suffix(".gone").rename(index)
    assert [change.id for change in Memory.open(memory.path).changes()][1:] == changes[::-1]


@pytest.mark.req("BOOK-6")
def test_a_change_that_was_prepared_twice_leaves_no_trace_in_the_history(memory: Memory) -> None:
    remember(memory, "First")
    note = next(iter(memory.changes())).note
    history_of(memory.book).prepare({"MEMORY.md": b"never written\n"}, note, next(iter(memory.changes())).at)
    remember(memory, "Second")
    assert [change.note.summary for change in memory.changes()] == [
        "Remember in Notes: Second",
        "Remember in Notes: First",
    ]


Damage = Callable[[Path, random.Random], None]


def cut(file: Path, chance: random.Random) -> None:
    file.write_bytes(file.read_bytes()[: chance.randrange(max(1, file.stat().st_size))])


def flip(file: Path, chance: random.Random) -> None:
    data = bytearray(file.read_bytes())
    for _ in range(4):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    file.write_bytes(data)


def empty(file: Path, _: random.Random) -> None:
    file.write_bytes(b"")


def nul_filled(file: Path, _: random.Random) -> None:
    file.write_bytes(bytes(file.stat().st_size))


def remove(file: Path, _: random.Random) -> None:
    file.unlink()


@pytest.mark.req("BOOK-6")
@pytest.mark.parametrize("damage", [cut, flip, empty, nul_filled, remove])
@pytest.mark.parametrize("packed", [False, True], ids=["loose", "packed"])
def test_a_damaged_history_harms_no_file_and_no_save_and_doctor_tells(
    memory: Memory, tmp_path: Path, damage: Damage, packed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", no_sync)
    for i in range(3):
        remember(memory, f"Fact {i}")
    if packed:
        history_of(memory.book).pack_loose()
        remember(memory, "Fact 3")
    sound = tmp_path / "sound"
    shutil.copytree(memory.path, sound)
    chance = random.Random(f"{damage.__name__} {packed}")
    files = sorted(file for file in repository(memory).rglob("*") if file.is_file())
    for number, victim in enumerate(files):
        root = tmp_path / "victim"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(sound, root)
        damage(root / victim.relative_to(memory.path), chance)
        before = (root / "MEMORY.md").read_bytes()
        hurt = Memory.open(root)
        findings = level(hurt)
        assert (root / "MEMORY.md").read_bytes() == before
        saved = hurt.remember(f"Saved on top of damage {number}", origin=Origin.PERSON, insist=True)
        assert isinstance(saved, Saved), victim
        assert memory_entries(root)[-1] == f"Saved on top of damage {number}"
        newest = next(iter(hurt.changes()))
        assert newest.id == saved.change
        assert newest.note.origin == Origin.PERSON
        after = (root / "MEMORY.md").read_bytes()
        try:
            hurt.undo()
            assert (root / "MEMORY.md").read_bytes() == before
        except StorageError:  # the very version that undo needs is damaged: told, and nothing changed
            assert (root / "MEMORY.md").read_bytes() == after
        if not all_readable(hurt, memory):
            assert findings & {"error", "warning"} or level(hurt) & {"error", "warning"}, victim


def all_readable(hurt: Memory, sound: Memory) -> bool:
    known = {change.id for change in hurt.changes()} if not hurt.book.history.check() else set[str]()
    return {change.id for change in sound.changes()} <= known


@pytest.mark.req("BOOK-6")
@pytest.mark.parametrize("content", [b"", b"\0" * 41, b"../../../../etc/passwd\n", b"zz" * 20 + b"\n", None])
def test_a_damaged_or_lost_ref_is_found_again_and_no_change_is_missing(memory: Memory, content: bytes | None) -> None:
    changes = [remember(memory, f"Fact {i}") for i in range(5)]
    ref = repository(memory) / "refs" / "heads" / "main"
    if content is None:
        ref.unlink()
    else:
        ref.write_bytes(content)
    assert level(Memory.open(memory.path)) & {"error", "warning"}
    changes.append(remember(Memory.open(memory.path), "Fact 5"))
    assert [change.id for change in Memory.open(memory.path).changes()] == changes[::-1]
    assert git(memory, "fsck", "--strict") == ""


@pytest.mark.req("BOOK-6")
def test_a_history_that_begins_anew_keeps_what_can_be_read_of_the_old_one(memory: Memory) -> None:
    changes = [remember(memory, f"Fact {i}") for i in range(3)]
    newest = repository(memory) / "objects" / changes[-1][:2] / changes[-1][2:]
    newest.write_bytes(b"")
    remember(Memory.open(memory.path), "Fact 3")
    kept = git(memory, "for-each-ref", "--format=%(objectname)", "refs/damaged").split()
    assert changes[1] in kept
    history_of(memory.book).pack_loose()
    assert "Fact 1" in git(memory, "show", f"{changes[1]}:MEMORY.md")


def test_a_repository_collected_by_git_itself_is_read_on(memory: Memory) -> None:
    changes = [remember(memory, f"Fact {i}") for i in range(10)]
    git(memory, "gc", "--quiet", "--prune=now")
    fresh = Memory.open(memory.path)
    changes.append(remember(fresh, "Fact 10"))
    assert [change.id for change in fresh.changes()] == changes[::-1]
    assert git(memory, "fsck", "--strict") == ""


@pytest.mark.req("BOOK-6")
def test_a_book_that_was_empty_for_a_while_is_packed_so_that_git_reads_it(memory: Memory) -> None:
    remember(memory, "The first fact")
    memory.log("A day")
    (memory.path / "MEMORY.md").unlink()
    shutil.rmtree(memory.path / "daily")
    memory.book.accept_deletion()
    remember(memory, "A new beginning")
    memory.book.history.prune()
    assert git(memory, "fsck", "--strict", "--full") == ""

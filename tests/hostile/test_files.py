"""Hostile files: no crash, no silently empty memory, and untouched bytes stay untouched."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from commonplace.errors import CommonplaceError
from commonplace.files.text import split_lines
from commonplace.memory import Memory
from commonplace.types import Origin, Saved
from tests.hostile.files import EDITABLE, REFUSED

BIG = 1_000_000


def lines_of(data: bytes) -> list[str]:
    return split_lines(data.decode("utf-8", "surrogateescape"))


def book_with(path: Path, data: bytes) -> Memory:
    path.mkdir()
    (path / "MEMORY.md").write_bytes(data)
    return Memory.open(path)


def is_kept(old: bytes, new: bytes) -> bool:
    """Every line of the old file is there, in order; its last line may have been ended."""
    if len(old) > BIG:
        at = next((n for n in range(0, len(old), 4096) if old[n : n + 4096] != new[n : n + 4096]), len(old))
        return old[at:] in new[at:] or old[at + 4096 :] in new[at:]
    for end in ("", "\n", "\r\n", "\r"):
        before, rest = lines_of(old), iter(lines_of(new))
        before[-1:] = [line + end for line in before[-1:]]
        if all(line in rest for line in before):
            return True
    return False


@pytest.mark.req("R7", "BOOK-5")
@pytest.mark.parametrize("case", EDITABLE)
def test_a_hostile_file_is_read_whole_and_survives_a_save(tmp_path: Path, case: str) -> None:
    data = EDITABLE[case]()
    memory = book_with(tmp_path / "book", data)
    assert memory.document().data == data
    assert bool(memory.read()) == bool(data)

    result = memory.remember("Keeps bees in the garden behind the house", origin=Origin.PERSON, insist=True)
    assert isinstance(result, Saved)
    after = (memory.path / "MEMORY.md").read_bytes()
    assert memory.document().is_blank is False
    if data.decode("utf-8", "replace").strip("\ufeff \t\r\n"):
        assert is_kept(data, after)
    assert after.startswith(b"\xef\xbb\xbf") == data.startswith(b"\xef\xbb\xbf")
    assert result.entry in memory.entries()
    if len(data) > BIG:
        return
    assert memory.find(result.entry.text) == result.entry
    assert any(result.entry in section.entries for section in memory.sections().values())

    memory.revise(result.entry.text, "Quite another fact")
    memory.forget("Quite another fact")
    memory.undo()
    memory.undo()
    assert (memory.path / "MEMORY.md").read_bytes() == after
    memory.undo()
    assert (memory.path / "MEMORY.md").read_bytes() == data
    assert all(finding.check != "book" for finding in memory.check())


@pytest.mark.req("R7")
@pytest.mark.parametrize("case", REFUSED)
def test_text_in_another_encoding_is_refused_with_a_way_out_and_left_alone(tmp_path: Path, case: str) -> None:
    data = REFUSED[case]()
    memory = book_with(tmp_path / "book", data)
    for act in (memory.read, memory.entries, lambda: memory.remember("x"), lambda: memory.forget("kept")):
        with pytest.raises(CommonplaceError) as caught:
            act()
        assert "iconv" in caught.value.hint
    assert (memory.path / "MEMORY.md").read_bytes() == data
    assert any(finding.level == "error" for finding in memory.check())


def _make_folder(path: Path) -> None:
    path.mkdir()
    (path / "inside").write_text("x")


def _make_socket(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the path of a socket must be short
    try:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path.name)
    finally:
        os.chdir(here)


IRREGULAR: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "folder": _make_folder,
    "socket": _make_socket,
    "link to a file outside": lambda path: path.symlink_to(path.parent.parent / "outside.md"),
    "dangling link": lambda path: path.symlink_to("nowhere.md"),
    "link to itself": lambda path: path.symlink_to(path.name),
    "link to a device": lambda path: path.symlink_to(os.devnull),
    "link to endless zeros": lambda path: path.symlink_to("/dev/zero"),
    "link to a folder": lambda path: path.symlink_to(path.parent),
}


@pytest.mark.req("R7", "S5")
@pytest.mark.parametrize("name", ["MEMORY.md", "daily/2026-11-15.md", "sessions/talk.jsonl"])
@pytest.mark.parametrize("kind", IRREGULAR)
def test_what_is_no_regular_file_is_refused_and_left_alone(tmp_path: Path, kind: str, name: str) -> None:
    from datetime import UTC, date, datetime

    from commonplace.types import Message

    memory = Memory.open(tmp_path / "book")
    memory.create()
    outside = tmp_path / "outside.md"
    outside.write_text("not yours\n")
    file = memory.path / name
    file.parent.mkdir(exist_ok=True)
    IRREGULAR[kind](file)
    before = os.lstat(file)
    day = date(2026, 11, 15)
    acts = {
        "MEMORY.md": (memory.read, lambda: memory.remember("x"), lambda: memory.forget("x"), memory.backup),
        "daily/2026-11-15.md": (lambda: memory.read_log(day), lambda: memory.log("x", day=day)),
        "sessions/talk.jsonl": (
            lambda: memory.transcript("talk"),
            lambda: memory.add_message("talk", Message("1", "user", "x", datetime.now(UTC))),
        ),
    }
    for act in acts[name]:
        with pytest.raises(CommonplaceError) as caught:
            act()
        assert caught.value.hint
    after = os.lstat(file)
    assert (after.st_ino, after.st_mode) == (before.st_ino, before.st_mode)
    assert outside.read_text() == "not yours\n"
    assert any(finding.level == "error" for finding in memory.check())


@pytest.mark.req("R7", "S5")
@pytest.mark.parametrize("folder", ["daily", "sessions", "backups", ".commonplace"])
def test_a_folder_of_the_book_that_is_a_link_is_not_followed(tmp_path: Path, folder: str) -> None:
    memory = Memory.open(tmp_path / "book")
    memory.path.mkdir()
    outside = tmp_path / "outside"
    outside.mkdir()
    (memory.path / folder).symlink_to(outside)
    (memory.path / "MEMORY.md").write_text("- kept\n")
    acts = {
        "daily": lambda: memory.log("x"),
        "sessions": memory.sessions,
        "backups": memory.backup,
        ".commonplace": lambda: memory.remember("x"),
    }
    with pytest.raises(CommonplaceError) as caught:
        acts[folder]()
    assert caught.value.hint
    assert list(outside.iterdir()) == []
    assert memory.check()


@pytest.mark.req("R7")
def test_odd_neighbours_in_the_book_do_not_disturb_a_save(tmp_path: Path) -> None:
    memory = Memory.open(tmp_path / "book")
    memory.create()
    for name in ("a:b.md", "new\nline.md", "cafe\u0301.md", "\u202e.md", "x" * 250 + ".md", "-rf.md", ".hidden.md"):
        (memory.path / name).write_text("neighbour\n")
    os.mkfifo(memory.path / "pipe.md")
    (memory.path / os.fsdecode(b"\xff.md")).write_text("neighbour\n")
    (memory.path / "folder.md").mkdir()
    (memory.path / "link.md").symlink_to("/etc/passwd")
    (memory.path / "utf16.md").write_bytes("text".encode("utf-16"))
    assert isinstance(memory.remember("A fact"), Saved)
    memory.undo()
    memory.log("x")
    list(memory.changes())
    assert memory.stats().logs == 1
    levels = {finding.check: finding.level for finding in memory.check()}
    assert levels["history"] == "ok"
    memory.erase("neighbour", dry_run=False)
    assert (memory.path / ".hidden.md").read_text() == "[forgotten]\n" or (memory.path / ".hidden.md").read_text() == ""


@pytest.mark.req("R7")
@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_an_error_and_not_an_empty_memory(tmp_path: Path) -> None:
    memory = book_with(tmp_path / "book", b"- kept\n")
    (memory.path / "MEMORY.md").chmod(0)
    for act in (memory.read, lambda: memory.remember("x")):
        with pytest.raises(CommonplaceError) as caught:
            act()
        assert caught.value.hint

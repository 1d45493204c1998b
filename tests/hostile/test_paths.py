"""Names and links that try to leave the book: nothing outside is read or written."""

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from commonplace.errors import CommonplaceError
from commonplace.files import daily
from commonplace.files.descriptors import exchange
from commonplace.files.folder import FolderStorage
from commonplace.memory import Memory
from commonplace.types import ABSENT, Message

AT = datetime(2026, 11, 15, tzinfo=UTC)
SECRET = "a secret outside the book"

_TARGETS = ("outside.md", "outside", "etc/passwd")
NAMES: list[str] = [
    *(f"{up}{target}" for up in ("../", "../../", "../" * 30, "./../", "daily/../../") for target in _TARGETS),
    *(f"/{target}" for target in _TARGETS), "//etc/passwd", "///etc/passwd", "/", "//", "~", "~/outside.md",
    "~root/x", "..", "../", ".", "./", "./x", "", "a/..", "a/../..", "a//b", "/a", "a/", "daily/", "daily//x.md",
    "..../x", "...", "..\\outside.md", "..\\..\\outside.md", "\\outside.md", "\\\\server\\share\\x", "\\\\?\\C:\\x",
    "\\\\.\\PhysicalDrive0", "C:\\outside.md", "C:/outside.md", "C:outside.md", "c:", "file:///etc/passwd",
    "http://example.org/x", "x:y", "x::$DATA", "MEMORY.md::$DATA", "MEMORY.md:stream", "a\\b", "daily\\x.md",
    "/proc/self/environ", "/dev/stdin", "/dev/fd/0", "%2e%2e%2foutside.md", "..%2foutside.md", "%2e%2e/outside.md",
    "..%5coutside.md", "..%c0%afoutside.md", "%252e%252e%252f", "..%00/outside.md", "outside.md%00",
    "..;/outside.md", "..%u2215outside.md", "&#46;&#46;/outside.md", "x\0", "\0", "../outside.md\0.md",
    "x\0../outside.md", "a\nb", "\n", "x\r", "a\tb", "\x1b[2J", "\x7f", "a\x85b", "a\u2028b", "．．/outside.md",
    "．．／outside.md", "..／outside.md", "․․/outside.md", "‥/outside.md", "…/x", "..∕outside.md", "..⁄outside.md",
    "..＼outside.md", "..﹨outside.md", "︰x", "x：y", "℀", "℅x", "ⅽ：x", "‥", "．．", "．", "․",
    "\u2024\u2024/outside.md", "e\u0301/../../outside.md", "\u200b..", "..\u200b/outside.md", ".\u200d./outside.md",
    "\ufeff../outside.md", "\u202e../outside.md", "..\u00ad/outside.md", "\udcff", "\ud800", "..\udc2foutside.md",
    "a" * 256, "a" * 5000, "é" * 128, "a/" * 40 + "x", "../" * 2000 + "etc/passwd", "CON", "con.md", "NUL",
    "nul.txt", "AUX", "COM1", "LPT9", "PRN", "CLOCK$", "x.", "x ", " x", "x...", ".git/config",
    ".commonplace/../../outside.md", ".commonplace/history.git/../../../outside.md", "link", "link/outside.md",
    "linked.md", "daily/link/outside.md", "sessions/linked.jsonl", "$HOME/x", "${HOME}", "$(touch x)", "`touch x`",
    "; rm -rf x", "-rf", "--help", "*", "?", "[a]", "|x", ">x", "<x", "'\"", "%s%n", "{0}", "null", "undefined",
    "-1", "2026-11-15/../../outside",
]  # fmt: skip


def snapshot(folder: Path, book: Path) -> dict[str, tuple[int, int, int, bytes]]:
    """Everything around the book, with content and the times that a read or write would leave."""
    found: dict[str, tuple[int, int, int, bytes]] = {}
    for root, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if Path(root, name) != book]
        for path in (Path(root, name) for name in (*folders, *files)):
            info = path.lstat()
            data = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
            found[str(path)] = (info.st_ino, info.st_mode, info.st_mtime_ns, data)
    return found


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A book with links that lead out of it, amid files that must stay as they are."""
    around = tmp_path / "around"
    path = around / "deep" / "book"
    memory = Memory.open(path)
    memory.remember("Likes tea")
    memory.backup()
    for place in (around, around / "deep", around / "etc", around / "deep" / "etc", around / "outside"):
        place.mkdir(exist_ok=True)
        for name in ("outside.md", "passwd", "linked.jsonl"):
            (place / name).write_text(SECRET)
    (path / "link").symlink_to(around)
    (path / "linked.md").symlink_to(around / "outside.md")
    for folder in ("daily", "sessions"):
        (path / folder).mkdir(exist_ok=True)
        (path / folder / "link").symlink_to(around)
    (path / "sessions" / "linked.jsonl").symlink_to(around / "linked.jsonl")
    return path


def entry_points(memory: Memory) -> dict[str, Callable[[str], object]]:
    storage = memory.book.storage
    return {
        "read": storage.read,
        "write": lambda name: storage.write(name, b"x", expected=storage.read(name).version),
        "write new": lambda name: storage.write(name, b"x", expected=ABSENT),
        "append": lambda name: storage.append(name, b"x\n"),
        "delete": lambda name: storage.delete(name, expected=storage.read(name).version),
        "list": lambda name: list(storage.list_folder(name)) if name else None,
        "remove folder": storage.remove_empty_folder,
        "session": lambda name: memory.add_message(name, Message("1", "user", "x", AT)),
        "transcript": memory.transcript,
        "message": lambda name: memory.add_message("s", Message(name, "user", "x", AT)),
        "marker": lambda name: memory.log("x", marker=daily.Marker(name, name, AT)),
        "day": lambda name: memory.read_log(daily.parse_day(name)),
        "restore": memory.restore,
        "section": lambda name: memory.remember("A fact of its own", section=name, insist=True),
        "undo": memory.undo,
        "diff": memory.diff,
        "changes of a file": lambda name: list(memory.changes(file=name)),
    }


def outcome(call: Callable[[], object]) -> str:
    """What a call says: its result, or the message of its error. Any other error ends the test."""
    try:
        return repr(call())
    except CommonplaceError as error:
        return f"{error.message} {error.hint}"


@pytest.mark.req("S5")
def test_there_are_enough_names() -> None:
    assert len(set(NAMES)) >= 120


@pytest.mark.req("S5")
@pytest.mark.parametrize("entry_point", list(entry_points(Memory.open("/nowhere"))))
def test_no_name_leads_out_of_the_book(book: Path, entry_point: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def do_nothing(fd: int) -> None:
        del fd

    monkeypatch.setattr(os, "fsync", do_nothing)  # nothing here loses power
    memory = Memory.open(book)
    call = entry_points(memory)[entry_point]
    around = book.parent.parent
    before = snapshot(around, book)
    for name in NAMES:
        answer = outcome(lambda name=name: call(name))
        assert SECRET not in answer, name
    assert snapshot(around, book) == before
    assert memory.read().startswith("# Long-term Memory") or entry_point in {"write", "append", "undo"}


@pytest.mark.req("S5")
@pytest.mark.parametrize("what", ["folder", "file"])
def test_links_swapped_in_while_working_are_never_followed(
    tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def do_nothing(fd: int) -> None:
        del fd

    monkeypatch.setattr(os, "fsync", do_nothing)
    outside, inside = tmp_path / "outside", tmp_path / "book"
    for folder in (outside, inside, inside / "daily"):
        folder.mkdir()
    (outside / "x.md").write_text(SECRET)
    storage = FolderStorage(inside)
    storage.write("daily/x.md", b"inside", expected=ABSENT)
    spot = inside / "daily" if what == "folder" else inside / "daily" / "x.md"
    link = spot.with_name("link")
    link.symlink_to(outside if what == "folder" else outside / "x.md")
    stop = threading.Event()
    swaps = 0

    def swap() -> None:
        nonlocal swaps
        here = os.open(spot.parent, os.O_RDONLY | os.O_DIRECTORY)
        while not stop.is_set():
            with suppress(FileNotFoundError):
                swaps += exchange(here, link.name, here, spot.name)
        os.close(here)

    before = snapshot(outside, inside)
    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        number = 0
        until = time.monotonic() + 20
        while (swaps < 3000 or number < 300) and time.monotonic() < until:
            number += 1
            with suppress(CommonplaceError):
                found = storage.read("daily/x.md")
                assert found.data is None or SECRET.encode() not in found.data
                storage.write("daily/x.md", f"inside {number}".encode(), expected=found.version)
            with suppress(CommonplaceError):
                storage.append("daily/x.md", b"more")
            with suppress(CommonplaceError):
                assert all(SECRET not in file.name for file in storage.list_folder("daily"))
    finally:
        stop.set()
        swapper.join()
    assert swaps >= 3000
    assert snapshot(outside, inside) == before


@pytest.mark.req("S5")
def test_a_session_id_is_a_plain_name_and_its_file_is_where_it_belongs(tmp_path: Path) -> None:
    memory = Memory.open(tmp_path / "book")
    for id in ("a", "A-1_b.c", "2026-11-15", "x" * 128):
        memory.add_message(id, Message("m:1@host+x", "user", "x", AT))
        assert (memory.path / "sessions" / f"{id}.jsonl").is_file()
    assert sorted(memory.sessions()) == sorted(["a", "A-1_b.c", "2026-11-15", "x" * 128])
    for id in ("", ".", "..", ".a", "a.", "a..b", "a/b", "a.summary", "a.jsonl", "a.md", "x" * 129, "a b", "é", "a\n"):
        with pytest.raises(CommonplaceError):
            memory.add_message(id, Message("1", "user", "x", AT))

"""A book as a folder: other people's saves, crashes and odd file systems."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from commonplace.errors import BookMissing, Conflict, StorageError, UnreadableFile, UnsafePath
from commonplace.files import descriptors, folder
from commonplace.files.folder import FolderStorage
from commonplace.types import ABSENT

OLD, OURS, THEIRS = b"old text\n", b"our text\n", b"their text\n"


@pytest.fixture
def storage(tmp_path: Path) -> FolderStorage:
    return FolderStorage(tmp_path, lock_timeout=1)


def before_exchange(monkeypatch: pytest.MonkeyPatch, act: Callable[[], None], *, times: int = 1) -> None:
    """Let a person act in the last moment: after the comparison, before the exchange."""
    real = folder.exchange
    left = times

    def exchange(source_dir: int, source: str, target_dir: int, target: str) -> bool:
        nonlocal left
        if left:
            left -= 1
            act()
        return real(source_dir, source, target_dir, target)

    monkeypatch.setattr(folder, "exchange", exchange)


def cannot_exchange(*_: object) -> bool:
    return False


def save_by_rename(file: Path, data: bytes) -> None:
    draft = file.with_name(".draft")
    draft.write_bytes(data)
    draft.replace(file)


def leftovers(root: Path) -> list[str]:
    return os.listdir(root / ".commonplace" / "tmp")


@pytest.mark.req("S6")
def test_files_and_folders_are_private_whatever_the_umask(storage: FolderStorage, tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        storage.write("deep/down/a.md", OURS, expected=ABSENT)
        storage.append("s/b.jsonl", OURS)
    finally:
        os.umask(old)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.rglob("*")}
    assert {name for name, mode in modes.items() if mode & 0o077} == set()


@pytest.mark.req("R3", "BOOK-3")
def test_a_save_in_the_last_moment_stays_in_place(
    storage: FolderStorage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = storage.write("a.md", OLD, expected=ABSENT)
    before_exchange(monkeypatch, lambda: save_by_rename(tmp_path / "a.md", THEIRS))
    with pytest.raises(Conflict):
        storage.write("a.md", OURS, expected=version)
    assert (tmp_path / "a.md").read_bytes() == THEIRS
    assert leftovers(tmp_path) == []


@pytest.mark.req("R3", "BOOK-3")
def test_of_two_saves_in_the_last_moment_the_newer_stands_and_the_older_is_rescued(
    storage: FolderStorage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = storage.write("a.md", OLD, expected=ABSENT)
    texts = iter([THEIRS, b"their newer text\n"])
    before_exchange(monkeypatch, lambda: save_by_rename(tmp_path / "a.md", next(texts)), times=2)
    with pytest.raises(Conflict):
        storage.write("a.md", OURS, expected=version)
    assert (tmp_path / "a.md").read_bytes() == b"their newer text\n"
    (rescued,) = storage.collect_leftovers()
    assert (tmp_path / rescued).read_bytes() == THEIRS


@pytest.mark.req("R3", "BOOK-3")
@pytest.mark.skipif(not os.path.exists("/proc"), reason="only Linux can tell who is writing")
def test_a_file_that_an_editor_has_open_for_writing_is_not_taken_away(
    storage: FolderStorage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = storage.write("a.md", OLD, expected=ABSENT)
    opened: list[int] = []
    before_exchange(monkeypatch, lambda: opened.append(os.open(tmp_path / "a.md", os.O_WRONLY | os.O_APPEND)))
    with pytest.raises(Conflict):
        storage.write("a.md", OURS, expected=version)
    os.write(opened[0], THEIRS)
    os.close(opened[0])
    assert (tmp_path / "a.md").read_bytes() == OLD + THEIRS


@pytest.mark.req("R3")
def test_a_file_deleted_in_the_last_moment_stays_deleted(
    storage: FolderStorage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = storage.write("a.md", OLD, expected=ABSENT)
    before_exchange(monkeypatch, (tmp_path / "a.md").unlink)
    with pytest.raises(Conflict):
        storage.write("a.md", OURS, expected=version)
    assert not (tmp_path / "a.md").exists()


@pytest.mark.req("S5")
def test_a_link_put_there_in_the_last_moment_is_given_back_and_not_followed(
    storage: FolderStorage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = tmp_path / "book"
    book.mkdir()
    outside = tmp_path / "outside.md"
    outside.write_bytes(THEIRS)
    storage = FolderStorage(book)
    version = storage.write("a.md", OLD, expected=ABSENT)

    def plant() -> None:
        (book / "a.md").unlink()
        (book / "a.md").symlink_to(outside)

    before_exchange(monkeypatch, plant)
    with pytest.raises(UnsafePath):
        storage.write("a.md", OURS, expected=version)
    assert (book / "a.md").is_symlink()
    assert outside.read_bytes() == THEIRS


@pytest.mark.parametrize("unsupported", ["exchange", "conditional rename"])
def test_a_file_system_without_exchange_still_compares_and_writes(
    storage: FolderStorage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unsupported: str
) -> None:
    if unsupported == "exchange":
        monkeypatch.setattr(folder, "exchange", cannot_exchange)
    else:
        monkeypatch.setattr(descriptors, "system_rename", lambda: None)
    version = storage.write("a.md", OLD, expected=ABSENT)
    with pytest.raises(Conflict):
        storage.write("a.md", OURS, expected=ABSENT)
    version = storage.write("a.md", OURS, expected=version)
    save_by_rename(tmp_path / "a.md", THEIRS)
    with pytest.raises(Conflict):
        storage.write("a.md", OLD, expected=version)
    assert (tmp_path / "a.md").read_bytes() == THEIRS
    storage.delete("a.md", expected=storage.read("a.md").version)
    assert leftovers(tmp_path) == []


def test_a_file_system_without_links_either_can_still_make_files(
    storage: FolderStorage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(descriptors, "system_rename", lambda: None)
    monkeypatch.setattr(os, "link", no_links)
    storage.write("a.md", OLD, expected=ABSENT)
    with pytest.raises(Conflict):
        storage.write("a.md", OURS, expected=ABSENT)
    assert (tmp_path / "a.md").read_bytes() == OLD


@pytest.mark.req("R1")
def test_leftovers_of_a_crash_are_cleared_and_a_persons_text_among_them_is_rescued(
    storage: FolderStorage, tmp_path: Path
) -> None:
    with storage.lock():
        pass
    tmp = tmp_path / ".commonplace" / "tmp"
    old, ours = folder.version_of(OLD)[:16], folder.version_of(OURS)[:16]
    (tmp / f"{old}-{ours}-000000000001.part").write_bytes(b"half of our te")
    (tmp / f"book-{old}-{ours}-000000000002.swap").write_bytes(OURS)
    (tmp / f"book-{old}-{ours}-000000000003.swap").write_bytes(OLD)
    (tmp / f"book-{old}-{ours}-000000000004.swap").write_bytes(THEIRS)
    (tmp / f"book-{old}-deleted-000000000005.swap").write_bytes(OLD)
    (tmp / f"book-{old}-{ours}-000000000006.swap").symlink_to("elsewhere")
    rescued = storage.collect_leftovers()
    assert leftovers(tmp_path) == []
    assert rescued == ["rescued-000000000004.md", "rescued-000000000006.md"]
    assert (tmp_path / "rescued-000000000004.md").read_bytes() == THEIRS
    assert (tmp_path / "rescued-000000000006.md").is_symlink()


@pytest.mark.req("R1")
def test_a_folder_in_the_staging_place_stops_nobody(storage: FolderStorage, tmp_path: Path) -> None:
    (tmp_path / ".commonplace" / "tmp" / "what is this").mkdir(parents=True)
    storage.collect_leftovers()
    assert leftovers(tmp_path) == []


def test_reading_a_book_writes_nothing_and_needs_no_private_folder(storage: FolderStorage, tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_bytes(THEIRS)
    assert storage.read("MEMORY.md").data == THEIRS
    assert [file.name for file in storage.list_folder("")] == ["MEMORY.md"]
    assert os.listdir(tmp_path) == ["MEMORY.md"]


@pytest.mark.req("R11")
def test_a_folder_that_is_not_there_is_not_made_by_writing(tmp_path: Path) -> None:
    storage = FolderStorage(tmp_path / "unmounted")
    with pytest.raises(BookMissing):
        storage.write("a.md", OURS, expected=ABSENT)
    assert not (tmp_path / "unmounted").exists()
    assert storage.read("a.md").data is None


@pytest.mark.req("R7")
def test_a_pipe_or_a_folder_with_the_name_of_a_file_is_an_error_and_never_waited_for(
    storage: FolderStorage, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "folder.md").mkdir()
    for name in ("pipe.md", "folder.md"):
        for use in (
            lambda n=name: storage.read(n),
            lambda n=name: storage.write(n, OURS, expected="0" * 64),
            lambda n=name: storage.append(n, OURS),
            lambda n=name: storage.delete(n, expected="0" * 64),
        ):
            with pytest.raises(UnreadableFile):
                use()


def test_a_name_that_vanishes_while_a_folder_is_listed_hides_no_other(
    storage: FolderStorage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.md", "b.md", "c.md"):
        (tmp_path / name).write_bytes(OLD)
    real = folder.FileStat

    def stat_of(name: str, *rest: object) -> object:
        if name == "b.md":
            raise FileNotFoundError
        return real(name, *rest)  # pyright: ignore[reportArgumentType] passed on as they came

    monkeypatch.setattr(folder, "FileStat", stat_of)
    assert [file.name for file in storage.list_folder("")] == ["a.md", "c.md"]


def test_no_descriptor_is_left_open_by_success_or_failure(storage: FolderStorage, tmp_path: Path) -> None:
    def count() -> int:
        return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0

    version = storage.write("a.md", OLD, expected=ABSENT)
    os.mkfifo(tmp_path / "pipe.md")
    before = count()
    for _ in range(5):
        storage.read("a.md")
        storage.append("s.jsonl", b"x\n")
        for name, expected in (("a.md", ABSENT), ("pipe.md", version), ("a.md/b", ABSENT)):
            with pytest.raises((Conflict, StorageError)):
                storage.write(name, OURS, expected=expected)
    assert count() == before

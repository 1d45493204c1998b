"""Files that are gone are told as gone: no reader calls such a book empty, and no writer begins it anew."""

import os
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from commonplace.errors import BookMissing, StorageError
from commonplace.memory import Memory
from commonplace.testing import HashingEmbedder
from commonplace.types import Message

AT = datetime(2026, 11, 15, 12, tzinfo=UTC)

READERS: dict[str, Callable[[Memory], object]] = {
    "read": Memory.read,
    "entries": Memory.entries,
    "sections": Memory.sections,
    "search": lambda memory: memory.search("tea"),
    "recall": lambda memory: memory.recall("tea"),
    "stats": Memory.stats,
    "index_report": Memory.index_report,
    "reindex": Memory.reindex,
    "audit": Memory.audit,
    "remedies": Memory.remedies,
    "judge": lambda memory: memory.judge("Likes coffee"),
    "backup": Memory.backup,
    "erase": lambda memory: memory.erase("tea is green"),
}
OF_A_LOST_BOOK: dict[str, Callable[[Memory], object]] = {
    **READERS,
    "log_days": Memory.log_days,
    "read_log": lambda memory: memory.read_log(AT.date()),
    "inbox": Memory.inbox,
    "sessions": Memory.sessions,
    "session_infos": Memory.session_infos,
    "search_sessions": lambda memory: memory.search_sessions("tea"),
    "backups": Memory.backups,
    "restoration": lambda memory: memory.restoration("MEMORY_backup_2026-11-15_12-00-00.md"),
    "transcript": lambda memory: memory.transcript("talk"),
    "session_info": lambda memory: memory.session_info("talk"),
}
WRITERS: dict[str, Callable[[Memory], object]] = {
    "remember": lambda memory: memory.remember("Plays the cello"),
    "log": lambda memory: memory.log("A day"),
    "say": lambda memory: memory.say("talk", "user", "Hello"),
    "create": Memory.create,
    "compact": lambda memory: memory.compact(None),
}


def filled(folder: Path) -> Memory:
    memory = opened(folder)
    memory.remember("Likes green tea")
    memory.log("Talked about tea", day=AT.date())
    memory.add_message("talk", Message("1", "user", "I like tea", AT))
    return memory


def opened(folder: Path) -> Memory:
    return Memory.open(folder, embedder=HashingEmbedder())


@pytest.fixture
def lost(tmp_path: Path) -> Path:
    """A book of which only the private folder is left: its disk is not mounted, or a sync went wrong."""
    folder = filled(tmp_path / "book").path
    for path in folder.iterdir():
        if path.name != ".commonplace":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    return folder


@pytest.fixture
def headless(tmp_path: Path) -> Path:
    """A book that has lost MEMORY.md alone."""
    folder = filled(tmp_path / "book").path
    (folder / "MEMORY.md").unlink()
    return folder


@pytest.mark.req("R11", "R7")
@pytest.mark.parametrize("act", [*OF_A_LOST_BOOK, *WRITERS])
def test_with_the_private_folder_alone_nobody_says_empty(lost: Path, act: str) -> None:
    with pytest.raises(BookMissing, match="All 2 files") as caught:
        {**OF_A_LOST_BOOK, **WRITERS}[act](opened(lost))
    assert "--bring-back" in caught.value.hint
    assert sorted(path.name for path in lost.iterdir()) == [".commonplace"]


@pytest.mark.req("R11", "R7")
@pytest.mark.parametrize("act", [*READERS, *WRITERS])
def test_without_the_memory_itself_nobody_says_empty_or_begins_anew(headless: Path, act: str) -> None:
    with pytest.raises(BookMissing, match=r"MEMORY\.md is gone") as caught:
        {**READERS, **WRITERS}[act](opened(headless))
    assert "--bring-back" in caught.value.hint
    assert not (headless / "MEMORY.md").exists()


@pytest.mark.req("R11")
def test_what_is_still_there_can_be_read_without_the_memory(headless: Path) -> None:
    memory = opened(headless)
    assert memory.log_days() == [AT.date()]
    assert "Talked about tea" in memory.read_log(AT.date())
    assert memory.sessions() == ["talk"]


@pytest.mark.req("R11")
def test_the_memory_comes_back_from_the_history_or_a_backup_or_stays_away_on_purpose(headless: Path) -> None:
    memory = opened(headless)
    assert memory.book.bring_back() == ["MEMORY.md"]
    assert [entry.text for entry in memory.entries()] == ["Likes green tea"]
    backup = memory.backup()
    assert backup is not None
    (headless / "MEMORY.md").unlink()
    memory.restore(backup.name)
    assert [entry.text for entry in memory.entries()] == ["Likes green tea"]
    (headless / "MEMORY.md").unlink()
    assert memory.book.accept_deletion()
    assert memory.entries() == ()
    memory.remember("Plays the cello")
    assert [entry.text for entry in memory.entries()] == ["Plays the cello"]


@pytest.fixture
def unreadable(tmp_path: Path) -> Iterator[Path]:
    """A book that this user may not read; root becomes somebody else for it."""
    folder = filled(tmp_path / "book").path
    paths = [tmp_path, *tmp_path.parents]
    modes = {path: path.stat().st_mode for path in paths if path.stat().st_uid == os.geteuid() and path != Path("/")}
    for path in modes:
        path.chmod(0o755)
    folder.chmod(0o755)
    (folder / "MEMORY.md").chmod(0)
    was_root = os.geteuid() == 0
    if was_root:
        os.seteuid(65534)
    yield folder
    if was_root:
        os.seteuid(0)
    for path, mode in modes.items():
        path.chmod(mode)


@pytest.mark.req("R7")
@pytest.mark.parametrize("act", ["search", "recall", "read", "stats", "index_report", "reindex"])
def test_a_memory_that_may_not_be_read_is_an_error_and_not_an_empty_answer(unreadable: Path, act: str) -> None:
    with pytest.raises(StorageError) as caught:
        READERS[act](opened(unreadable))
    assert caught.value.hint


@pytest.mark.req("R7")
def test_an_answer_says_which_files_were_not_searched(tmp_path: Path) -> None:
    memory = filled(tmp_path / "book")
    (memory.path / "daily" / "2026-11-14.md").symlink_to(tmp_path / "elsewhere")
    assert memory.search("tea").unread == ""
    os.replace(memory.path / "sessions" / "talk.jsonl", memory.path / "sessions" / "kept")
    (memory.path / "sessions").rename(memory.path / "s")
    (memory.path / "sessions").symlink_to("s")
    found = opened(memory.path).search("tea")
    assert {hit.text for hit in found.hits} >= {"Likes green tea"}
    assert "sessions" in found.unread

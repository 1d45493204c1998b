"""The index follows the files: whatever was written is found by the next search, and nothing is embedded twice."""

import os
import random
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import commonplace.flows.indexing as indexing
import commonplace.index.chunkindex as chunkindex
from commonplace.memory import Memory
from commonplace.testing import HashingEmbedder
from commonplace.types import Snapshot
from tests.search.books import NO_MODEL, TODAY, alike, answers, filled, opened, said, sentence, texts

if TYPE_CHECKING:
    from commonplace.ports import Vectors


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "book"


def found_by_both(folder: Path, memory: Memory, question: str) -> list[str]:
    """What a long-lived and a new reader find must be the same."""
    ours = texts(memory.search(question, limit=10))
    assert ours == texts(opened(folder).search(question, limit=10))
    return ours


@pytest.mark.req("BOOK-3", "SRCH-4")
def test_every_kind_of_change_is_seen_by_the_next_search(folder: Path) -> None:
    memory = opened(folder)
    memory.remember("Plays the violin", insist=True)
    assert found_by_both(folder, memory, '"violin"') == ["Plays the violin"]
    memory.revise("Plays the violin", "Plays the cello")
    assert found_by_both(folder, memory, '"violin"') == []
    assert found_by_both(folder, memory, '"cello"') == ["Plays the cello"]
    memory.forget("Plays the cello")
    assert found_by_both(folder, memory, '"cello"') == []
    memory.undo()
    assert found_by_both(folder, memory, '"cello"') == ["Plays the cello"]
    memory.log("Heard a cello at the harbour", day=date(2026, 10, 1))
    assert "Heard a cello at the harbour" in found_by_both(folder, memory, '"cello"')
    memory.add_message("talk", said("1", "My cello needs strings"))
    memory.search("strings")
    memory.add_message("talk", said("2", "The cello is mended", role="assistant"), said("3", "cello", role="tool"))
    assert sorted(found_by_both(folder, memory, '"cello"')) == [
        "Heard a cello at the harbour",
        "My cello needs strings",
        "Plays the cello",
        "The cello is mended",
    ]
    (folder / "daily" / "2026-10-01.md").unlink()
    assert "Heard a cello at the harbour" not in found_by_both(folder, memory, '"cello"')
    shutil.rmtree(folder / "sessions")
    assert found_by_both(folder, memory, '"cello"') == ["Plays the cello"]
    (folder / "MEMORY.md").unlink()
    memory.book.accept_deletion()  # until then this is an error: a memory that is gone is not an empty one
    assert found_by_both(folder, memory, '"cello"') == []


@pytest.mark.req("BOOK-3", "SRCH-4")
def test_an_edit_by_hand_of_the_same_size_in_the_same_second_is_seen(folder: Path) -> None:
    memory = opened(folder)
    memory.remember("Her cat is called Miso", insist=True)
    file = folder / "MEMORY.md"
    for name in ("Ramy", "Susi", "Taro"):
        assert memory.search("cat").hits
        before = file.stat()
        file.write_text(file.read_text().replace(file.read_text().split()[-1], name))
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert found_by_both(folder, memory, "cat") == [f"Her cat is called {name}"]


@pytest.mark.req("BOOK-3", "SRCH-4")
def test_an_edit_of_a_file_that_has_settled_is_seen_though_its_time_was_set_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = opened(folder)
    memory.remember("Her cat is called Miso", insist=True)
    now = time.time_ns()
    monkeypatch.setattr(indexing.time, "time_ns", lambda: now + 10_000_000_000)
    memory.search("cat")
    memory.search("cat")
    file = folder / "MEMORY.md"
    before = file.stat()
    file.write_text(file.read_text().replace("Miso", "Ramy"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert found_by_both(folder, memory, "cat") == ["Her cat is called Ramy"]


@pytest.mark.req("SRCH-4")
def test_a_file_that_has_settled_is_read_again_only_when_it_changes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = filled(opened(folder))
    memory.search("violin")
    now = time.time_ns()
    monkeypatch.setattr(indexing.time, "time_ns", lambda: now + 10_000_000_000)
    memory.search("violin")
    reads: list[str] = []
    storage = memory.book.storage
    read = storage.read

    def noted(name: str) -> Snapshot:
        reads.append(name)
        return read(name)

    monkeypatch.setattr(storage, "read", noted)
    memory.search("violin")
    assert [name for name in reads if not name.startswith(".commonplace/")] == []
    memory.log("A violin again")
    memory.search("violin")
    assert [name for name in reads if name.startswith("daily/")][-1] == f"daily/{TODAY}.md"
    assert not any(name.startswith("sessions/") for name in reads)


@pytest.mark.req("SRCH-4")
def test_unchanged_texts_are_never_embedded_again(folder: Path) -> None:
    model = HashingEmbedder()
    memory = filled(opened(folder, model))
    memory.search("violin")
    wanted = memory.index_report().vectors_wanted
    assert len(model.texts) == wanted + 1

    model.texts.clear()
    memory.remember("A new line at the end", section="Part 0", insist=True)  # renumbers the lines of the sections below
    (folder / "MEMORY.md").write_text("Something above everything\n\n" + (folder / "MEMORY.md").read_text())
    log = folder / "daily" / f"{TODAY}.md"
    log.write_text("\n".join(reversed(log.read_text().split("\n"))))
    os.rename(folder / "sessions" / "talk0.jsonl", folder / "sessions" / "renamed.jsonl")
    memory.search("violin")
    assert sorted(model.texts) == ["Part 0: A new line at the end", "Something above everything", "violin"]

    later = HashingEmbedder()
    opened(folder, later).search("violin")
    assert later.texts == ["violin"]


@pytest.mark.req("SRCH-4")
def test_another_model_embeds_everything_again_and_going_back_works(folder: Path) -> None:
    first = filled(opened(folder))
    expected = answers(first)
    wanted = first.index_report().vectors_wanted
    for identity, dimensions in (("other", 64), ("wide", 128), ("hashing", 64)):
        model = HashingEmbedder(identity, dimensions)
        memory = opened(folder, model)
        memory.search("violin")
        assert len(model.texts) == wanted + 1, "everything, nothing twice"
        assert memory.index_report().model == identity
        again = HashingEmbedder(identity, dimensions)
        opened(folder, again).search("violin")
        assert again.texts == ["violin"]
    assert alike(answers(opened(folder)), expected)
    assert alike(answers(first), expected), "a reader with the first model goes on"


def test_a_damaged_index_of_another_model_lends_no_vectors(folder: Path) -> None:
    filled(opened(folder, HashingEmbedder("other"))).search("violin")
    tail = folder / ".commonplace" / "index" / "tail"
    tail.write_bytes(tail.read_bytes()[:-1] + b"?")
    model = HashingEmbedder("hashing")
    memory = opened(folder, model)
    memory.search("violin")
    assert len(model.texts) == memory.index_report().vectors_wanted + 1


@pytest.mark.req("SRCH-1", "SRCH-4")
def test_without_a_model_nothing_is_embedded_and_with_one_all_is(folder: Path) -> None:
    memory = Memory.open(folder, settings=NO_MODEL)
    memory.remember("Plays the violin", insist=True)
    found = memory.search("violin")
    assert texts(found) == ["Plays the violin"]
    assert (found.vectors_known, found.vectors_wanted, found.trouble) == (0, 0, "")
    assert memory.index_report().model == ""
    found = opened(folder).search("violin")
    assert (found.vectors_known, found.vectors_wanted) == (1, 1)


@pytest.mark.req("SRCH-1")
def test_a_model_that_fails_and_comes_back(folder: Path) -> None:
    model = HashingEmbedder()
    memory = filled(opened(folder, model))
    model.broken = True
    found = memory.search("violin")
    assert found.hits
    assert found.trouble == "The model is broken. Mend it."
    assert found.vectors_known == 0
    stamp = (folder / ".commonplace" / "index" / "tail").stat()
    memory.search("violin")
    assert (folder / ".commonplace" / "index" / "tail").stat() == stamp, "a failure is no reason to write"
    model.broken = False
    found = memory.search("violin")
    assert found.trouble == ""
    assert found.vectors_known == found.vectors_wanted > 0
    model.broken = True
    found = memory.search("violin")
    assert found.hits
    assert found.trouble


@pytest.mark.req("SRCH-4")
def test_vectors_of_a_large_import_may_follow_and_search_says_how_far_it_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(HashingEmbedder):
        """Each batch takes longer than search waits."""

        def embed(self, texts: Sequence[str]) -> "Vectors":
            made = super().embed(texts)
            clock[0] += 1.5
            return made

    clock = [0.0]
    monkeypatch.setattr(indexing.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(chunkindex.time, "monotonic", lambda: clock[0])
    model = Slow()
    memory = opened(folder, model)
    memory.add_message("import", *(said(str(n), f"Message number {n} about a kettle") for n in range(200)))
    found = memory.search("kettle 7", limit=50)
    assert len(found.hits) == 50
    assert 0 < found.vectors_known < found.vectors_wanted == 200
    more = memory.search("kettle 7")
    assert found.vectors_known < more.vectors_known < 200
    assert opened(folder, HashingEmbedder("hashing")).search("kettle").vectors_known == 200
    seen: list[tuple[int, int]] = []
    report = memory.reindex(lambda done, wanted: seen.append((done, wanted)))
    assert (report.chunks, report.vectors_known, report.vectors_wanted) == (200, 200, 200)
    assert seen == sorted(seen)
    assert seen[-1] == (200, 200)


@pytest.mark.req("SRCH-4")
def test_after_a_hundred_random_edits_the_index_is_what_a_rebuild_makes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunkindex, "_SMALLEST_MERGE", 20)  # merge often
    source = random.Random(7)
    memory = filled(opened(folder))
    for round in range(100):
        other = memory if source.random() < 0.7 else opened(folder)
        entries = memory.entries()
        match source.randrange(8):
            case 0 | 1:
                other.remember(sentence(source), section=f"Part {source.randrange(5)}", insist=True)
            case 2 if entries:
                other.revise(source.choice(entries).text, sentence(source) + f" {round}")
            case 3 if entries:
                other.forget(source.choice(entries).text)
            case 4:
                other.log(f"- {sentence(source)}", day=TODAY - timedelta(source.randrange(8)))
            case 5:
                session = f"talk{source.randrange(5)}"
                other.add_message(session, *(said(f"m{round}-{n}", sentence(source)) for n in range(3)))
            case 6:
                page = folder / "MEMORY.md"
                lines = page.read_text().split("\n")
                source.shuffle(lines)
                page.write_text("\n".join(lines))
            case _:
                logs = sorted((folder / "daily").iterdir())
                if len(logs) > 2:
                    source.choice(logs).unlink()
        if source.random() < 0.5:
            other.search(sentence(source))
    ours = answers(memory)
    fresh = folder.parent / "copy"
    shutil.copytree(folder, fresh, ignore=shutil.ignore_patterns("index"))
    assert alike(ours, answers(opened(fresh)))
    before = memory.index_report()
    after = memory.reindex()
    assert (after.chunks, after.vectors_known) == (before.chunks, before.vectors_known)
    assert alike(ours, answers(memory))


@pytest.mark.req("SRCH-4")
def test_a_rebuild_makes_nothing_newer(folder: Path) -> None:
    memory = filled(opened(folder))
    ages = {(hit.file, hit.line): hit.age_days for hit in memory.search("violin kettle harbour", limit=50).hits}
    assert len(set(ages.values())) > 3
    memory.reindex()
    assert {(h.file, h.line): h.age_days for h in memory.search("violin kettle harbour", limit=50).hits} == ages


@pytest.mark.req("SRCH-4")
def test_what_another_process_saves_is_found_here(folder: Path) -> None:
    memory = opened(folder)
    memory.remember("Plays the violin", insist=True)
    memory.search("violin")
    code = (
        "import sys; from commonplace.memory import Memory; from commonplace.testing import HashingEmbedder;"
        "memory = Memory.open(sys.argv[1], embedder=HashingEmbedder());"
        "memory.remember('Plays the cello', insist=True); print(memory.search('\"cello\"').hits[0].text)"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(folder)], check=True, capture_output=True, text=True)
    assert ran.stdout == "Plays the cello\n"
    assert texts(memory.search('"cello"')) == ["Plays the cello"]


def test_searching_a_folder_that_is_no_book_makes_none(tmp_path: Path) -> None:
    assert opened(tmp_path / "nothing").search("tea").hits == []
    assert not (tmp_path / "nothing").exists()
    (tmp_path / "empty").mkdir()
    assert opened(tmp_path / "empty").search("tea").hits == []
    assert list((tmp_path / "empty").iterdir()) == []


class Telling(HashingEmbedder):
    """Says when it begins."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = threading.Event()

    def embed(self, texts: Sequence[str]) -> "Vectors":
        self.begun.set()
        return super().embed(texts)


@pytest.mark.req("SRCH-4")
@pytest.mark.parametrize("work", [Memory.reindex, Memory.embed], ids=["reindex", "embed"])
def test_nobody_waits_for_the_vectors_of_a_whole_book(
    folder: Path, monkeypatch: pytest.MonkeyPatch, work: Callable[[Memory], object]
) -> None:
    monkeypatch.setattr(chunkindex, "_BATCH", 2)
    drawn = random.Random(3)
    folder.mkdir()
    lines = "".join(f"- {sentence(drawn)} {number}\n" for number in range(1_200))
    (folder / "MEMORY.md").write_text(f"# Long-term Memory\n\n## Notes\n\n{lines}", encoding="utf-8")
    embedder = Telling()
    memory = opened(folder, embedder)
    running = threading.Thread(target=work, args=(memory,))
    running.start()
    assert embedder.begun.wait(60)
    found = memory.search("harbour")
    running.join()
    assert found.vectors_known < found.vectors_wanted == 1_200
    assert found.hits
    assert memory.index_report().vectors_known == 1_200

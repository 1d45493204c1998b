"""The index is disposable: whatever happens to it, the same is found, and nothing else fails because of it."""

import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import commonplace.index.chunkindex as chunkindex
from commonplace.errors import StorageError
from commonplace.memory import Memory
from commonplace.testing import HashingEmbedder
from tests.search.books import alike, answers, filled, opened, said, texts

Damage = Callable[[random.Random, Path], None]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A book whose index has a base and a tail."""
    monkeypatch.setattr(chunkindex, "_SMALLEST_MERGE", 20)
    memory = filled(opened(tmp_path / "book"))
    memory.search("violin")
    memory.remember("Keeps a raven called Poe")
    memory.search("raven")
    assert len(list(index_of(tmp_path / "book").iterdir())) == 2
    return tmp_path / "book"


def index_of(folder: Path) -> Path:
    return folder / ".commonplace" / "index"


def base_of(folder: Path) -> Path:
    return next(index_of(folder).glob("base-*"))


def flip(source: random.Random, file: Path) -> None:
    data = bytearray(file.read_bytes())
    for _ in range(source.choice([1, 1, 10])):
        data[source.randrange(len(data))] ^= 1 << source.randrange(8)
    file.write_bytes(data)


def cut(source: random.Random, file: Path) -> None:
    os.truncate(file, source.randrange(file.stat().st_size))


def zero(source: random.Random, file: Path) -> None:
    data = bytearray(file.read_bytes())
    start = source.randrange(len(data))
    length = source.randint(1, 4096)
    data[start : start + length] = bytes(len(data[start : start + length]))
    file.write_bytes(data)


def scribble(source: random.Random, file: Path) -> None:
    data = bytearray(file.read_bytes())
    start = source.randrange(len(data))
    data[start : start + 200] = source.randbytes(source.randint(1, 400))
    file.write_bytes(data)


def grow(source: random.Random, file: Path) -> None:
    with file.open("ab") as end:
        end.write(source.randbytes(source.randint(1, 100)))


def replace(source: random.Random, file: Path) -> None:
    file.write_bytes(source.choice([b"", b"x", source.randbytes(5000), b"SQLite format 3\0" + bytes(5000)]))


def delete(_: random.Random, file: Path) -> None:
    file.unlink()


DAMAGES: tuple[Damage, ...] = (flip, flip, flip, cut, zero, scribble, grow, replace, delete)


@pytest.mark.req("SRCH-4", "R8")
def test_two_hundred_random_damages_change_nothing_that_is_found(folder: Path) -> None:
    source = random.Random(11)
    expected = answers(opened(folder))
    wanted = opened(folder).index_report().vectors_wanted
    spared = 0
    for round in range(200):
        files = sorted(index_of(folder).iterdir())
        damages = [(source.choice(DAMAGES), file) for file in source.sample(files, source.randint(1, len(files)))]
        for damage, file in damages:
            damage(source, file)
        model = HashingEmbedder()
        memory = opened(folder, model)
        assert alike(answers(memory), expected), (round, damages)
        assert memory.index_report().vectors_known == wanted
        spared += wanted + 4 - len(model.texts)
        again = HashingEmbedder()
        opened(folder, again).search("violin")
        assert again.texts == ["violin"], "the repair is kept"
    assert spared > 200 * wanted * 0.4, "most damages leave most vectors whole"


@pytest.mark.req("R8")
@pytest.mark.parametrize("damaged", ["tail", "base"])
def test_vectors_that_are_whole_are_not_computed_again(folder: Path, damaged: str) -> None:
    expected = answers(opened(folder))
    file = index_of(folder) / "tail" if damaged == "tail" else base_of(folder)
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    model = HashingEmbedder()
    memory = opened(folder, model)
    assert alike(answers(memory), expected)
    assert len(model.texts) == len(expected), "the questions alone"


@pytest.mark.req("R8")
def test_without_the_tail_the_vectors_of_the_base_are_kept(folder: Path) -> None:
    (index_of(folder) / "tail").unlink()
    model = HashingEmbedder()
    opened(folder, model).search("violin")
    assert model.texts == ["Notes: Keeps a raven called Poe", "violin"]


@pytest.mark.req("R8")
def test_an_index_of_an_older_version_is_made_again_from_its_vectors(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = answers(opened(folder))
    monkeypatch.setattr(chunkindex, "_FORMAT", 999)
    model = HashingEmbedder()
    assert alike(answers(opened(folder, model)), expected)
    assert len(model.texts) == len(expected)


@pytest.mark.req("R8")
def test_a_reader_whose_index_vanishes_or_changes_goes_on(folder: Path) -> None:
    memory = opened(folder)
    expected = answers(memory)
    shutil.rmtree(index_of(folder))
    assert alike(answers(memory), expected)
    assert index_of(folder).is_dir(), "and it is written again"
    flip(random.Random(1), index_of(folder) / "tail")
    assert alike(answers(memory), expected)
    base_of(folder).unlink()
    assert alike(answers(memory), expected)
    assert alike(answers(opened(folder)), expected)


@pytest.mark.req("R8")
def test_what_a_killed_writer_left_is_swept_up(folder: Path) -> None:
    (index_of(folder) / "base-0badcafe.0123456789ab.part").write_bytes(b"half")
    (index_of(folder) / "base-0badcafe").write_bytes(b"old")
    memory = opened(folder)
    memory.remember("One more")
    memory.search("more")
    assert len(list(index_of(folder).iterdir())) == 2


@pytest.mark.req("R8")
@pytest.mark.parametrize("obstacle", ["file", "link", "tail is a folder", "base is a folder"])
def test_whatever_stands_in_its_place_search_and_save_go_on(folder: Path, obstacle: str) -> None:
    expected = answers(opened(folder))
    index = index_of(folder)
    if obstacle in {"file", "link"}:
        shutil.rmtree(index)
        (folder.parent / "elsewhere").mkdir()
        index.write_bytes(b"x") if obstacle == "file" else index.symlink_to(folder.parent / "elsewhere")
    else:
        file = index / "tail" if "tail" in obstacle else base_of(folder)
        file.unlink()
        file.mkdir()
    memory = opened(folder)
    assert alike(answers(memory), expected)
    assert alike(answers(memory), expected)
    assert alike(answers(opened(folder)), expected)
    memory.remember("Keeps a falcon")
    assert texts(memory.search('"falcon"')) == ["Keeps a falcon"]
    assert memory.reindex().chunks == memory.index_report().chunks > 0
    assert list((folder.parent / "elsewhere").iterdir() if obstacle == "link" else []) == []
    if obstacle == "file":
        assert (index / "tail").is_file(), "a file in its place is removed"


@pytest.mark.req("R8", "SRCH-4")
def test_a_full_or_read_only_disk_stops_neither_search_nor_save(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = answers(opened(folder))
    shutil.rmtree(index_of(folder))
    memory = opened(folder)
    storage = memory.book.storage

    def refuse(*_: object, **__: object) -> None:
        raise StorageError("The disk is full.")

    write = storage.write

    def write_elsewhere(name: str, data: bytes, *, expected: str, durable: bool = True) -> str:
        if "/index/" in name:
            refuse()
        return write(name, data, expected=expected, durable=durable)

    with monkeypatch.context() as broken:
        broken.setattr(storage, "put_derived", refuse)
        broken.setattr(storage, "delete_derived", refuse)
        broken.setattr(storage, "write", write_elsewhere)
        assert alike(answers(memory), expected)
        memory.remember("Keeps a falcon")
        assert texts(memory.search('"falcon"')) == ["Keeps a falcon"]
        memory.reindex()
        assert texts(memory.search('"falcon"')) == ["Keeps a falcon"]
    with monkeypatch.context() as broken:
        broken.setattr(storage, "lock", refuse)
        assert texts(memory.search('"falcon"')) == ["Keeps a falcon"]
    memory.search("falcon")
    model = HashingEmbedder()
    opened(folder, model).search("falcon")
    assert model.texts == ["falcon"], "it was saved when that became possible"


@pytest.fixture
def read_only(folder: Path) -> Iterator[Path]:
    """A copy of the book that this user may read and not write; root becomes somebody else for it."""
    with tempfile.TemporaryDirectory() as place:
        copy = Path(place) / "book"
        shutil.copytree(folder, copy)
        paths = [Path(place), copy, *copy.rglob("*")]
        for path in paths:
            path.chmod(0o555 if path.is_dir() else 0o444)
        was_root = os.geteuid() == 0
        if was_root:
            os.seteuid(65534)
        yield copy
        if was_root:
            os.seteuid(0)
        for path in paths:
            path.chmod(0o755)


@pytest.mark.req("R8", "SRCH-4")
def test_a_book_that_cannot_be_written_can_be_searched(folder: Path, read_only: Path) -> None:
    expected = [hit[0] for hit in answers(opened(read_only))[0]]
    assert expected
    memory = opened(read_only, HashingEmbedder("other"))  # must embed, and has nowhere to put it
    assert memory.search("harbour violin lantern").hits
    assert memory.search("harbour violin lantern").vectors_known > 0
    assert memory.reindex().vectors_known > 0
    assert [hit[0] for hit in answers(opened(read_only))[0]] == expected
    with pytest.raises(StorageError):
        memory.remember("Keeps a falcon")


@pytest.mark.req("R8")
def test_a_search_waits_for_nobody_who_holds_the_lock(folder: Path) -> None:
    memory = opened(folder)
    code = (
        "import sys; from pathlib import Path; from commonplace.files.folder import FolderStorage\n"
        "with FolderStorage(Path(sys.argv[1])).lock():\n print('held', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    try:
        (folder / "MEMORY.md").write_text((folder / "MEMORY.md").read_text() + "\n- Keeps a falcon\n")
        assert texts(memory.search('"falcon"')) == ["Keeps a falcon"]
        assert texts(opened(folder).search('"falcon"')) == ["Keeps a falcon"]
    finally:
        holder.communicate("", timeout=20)


@pytest.mark.req("S9")
def test_forgetting_everywhere_leaves_no_trace_in_the_index(folder: Path) -> None:
    memory, other = opened(folder), opened(folder)
    memory.remember("The boat is called quetzalcoatl")
    memory.log("Told Ann: the boat is called quetzalcoatl")
    memory.add_message("talk0", said("9", "the boat is called quetzalcoatl"))
    assert len(memory.search("quetzalcoatl").hits) >= 1
    memory.reindex()
    assert other.search("quetzalcoatl").hits
    assert any(b"quetzalcoatl" in path.read_bytes() for path in index_of(folder).iterdir())
    assert memory.erase("the boat is called quetzalcoatl", dry_run=False).left == ()
    for reader in (memory, other, opened(folder)):
        assert not any("quetzalcoatl" in text for text in texts(reader.search("quetzalcoatl boat", limit=50)))
        for path in folder.rglob("*"):
            assert not path.is_file() or b"quetzalcoatl" not in path.read_bytes()


@pytest.mark.req("S9")
def test_what_may_be_a_secret_is_never_in_the_index_and_forgotten_everywhere_all_the_same(folder: Path) -> None:
    memory = opened(folder)
    secret = "The safe opens with quetzalcoatl"
    memory.log(f"Told Ann: {secret}")
    memory.add_message("talk0", said("9", secret))
    assert not any("quetzalcoatl" in text for text in texts(memory.search("quetzalcoatl safe", limit=50)))
    memory.reindex()
    assert not any(b"quetzalcoatl" in path.read_bytes() for path in index_of(folder).iterdir())
    assert any(path.is_file() and b"quetzalcoatl" in path.read_bytes() for path in folder.rglob("*"))
    assert memory.erase(secret, dry_run=False).left == ()
    assert not any(path.is_file() and b"quetzalcoatl" in path.read_bytes() for path in folder.rglob("*"))


CLIENT = """
import json, random, sys
from commonplace.memory import Memory
from commonplace.testing import HashingEmbedder
from commonplace.types import Message
from datetime import datetime, UTC
import commonplace.index.chunkindex as chunkindex
chunkindex._SMALLEST_MERGE = 30
me, folder = sys.argv[1:]
source = random.Random(me)
for round in range(12):
    memory = Memory.open(folder, embedder=HashingEmbedder()) if round % 3 == 0 else memory
    name = f"word{me}x{round}"
    if source.random() < 0.5:
        memory.remember(f"Client {me} keeps a {name}", insist=True)
    else:
        memory.add_message(f"talk{me}", Message(f"{me}-{round}", "user", f"I keep a {name}", datetime.now(UTC)))
    hits = memory.search(f'"{name}"').hits
    assert [name in hit.text for hit in hits] == [True], (name, hits)
    memory.search("keeps client")
print("done")
"""


@pytest.mark.req("R8")
def test_eight_processes_search_and_save_at_once(folder: Path) -> None:
    clients = [
        subprocess.Popen(
            [sys.executable, "-c", CLIENT, str(number), str(folder)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(8)
    ]
    ended = [client.communicate(timeout=200) for client in clients]
    assert ended == [("done\n", "")] * 8
    memory = opened(folder)
    ours = [texts(memory.search(f'"word{number}x{round}"')) for number in range(8) for round in range(12)]
    assert all(len(found) == 1 for found in ours)
    expected = answers(memory)
    shutil.rmtree(index_of(folder))
    assert alike(answers(opened(folder)), expected)


@pytest.mark.req("R8")
def test_threads_share_one_memory(folder: Path) -> None:
    memory = opened(folder)

    def work(number: int) -> list[str]:
        memory.add_message(f"thread{number}", said("1", f"Thread {number} keeps a word{number}"))
        return texts(memory.search(f'"word{number}"'))

    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(work, range(18)))
    assert found == [[f"Thread {number} keeps a word{number}"] for number in range(18)]
    expected = answers(memory)
    assert alike(answers(opened(folder)), expected)
    shutil.rmtree(index_of(folder))
    assert alike(answers(opened(folder)), expected)


@pytest.mark.req("R7")
@pytest.mark.parametrize(
    "data", ["\ufeffLikes tea".encode("utf-16"), b"\xff\xfe\x00\xd8", b"\x00" * 1000, b"\xff" * 1000, b"- tea\r- tea"]
)
def test_files_that_cannot_be_read_do_not_stop_the_search_of_others(folder: Path, data: bytes) -> None:
    (folder / "daily" / "2026-01-01.md").write_bytes(data)
    (folder / "sessions" / "odd.jsonl").write_bytes(data + b"\n" + data)
    (folder / "sessions" / "odd.summary.md").write_bytes(data)
    os.mkfifo(folder / "daily" / "2026-01-02.md")
    (folder / "daily" / "2026-01-03.md").mkdir()
    (folder / "daily" / "2026-01-04.md").symlink_to("/etc/hostname")
    assert all(answers(opened(folder)))
    (folder / "MEMORY.md").write_bytes(data)
    assert any(hit.file.startswith("sessions/talk") for hit in opened(folder).search("harbour violin raven").hits)


@pytest.mark.req("R7")
@pytest.mark.parametrize("name", ["daily", "sessions"])
def test_a_folder_that_is_none_keeps_what_is_known_of_it(folder: Path, name: str) -> None:
    memory = opened(folder)
    expected = answers(memory)
    (folder / name).rename(folder.parent / name)
    (folder / name).write_text("not a folder")
    assert alike(answers(memory), expected)
    assert alike(answers(opened(folder)), expected)
    assert Memory.open(folder, embedder=HashingEmbedder("new")).search("violin raven harbour").hits


@pytest.mark.req("SRCH-4", "R8")
def test_a_base_is_read_through_once_and_again_when_somebody_touched_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunkindex, "_WORTH_NOTING", 0)
    monkeypatch.setattr("commonplace.files.folder._SETTLED_NS", 0)
    expected, checked = answers(opened(folder)), list[bool]()
    unpack = chunkindex.segment.unpack

    def noted(data: memoryview, *, check: bool = True) -> object:
        checked.append(check)
        return unpack(data, check=check)

    monkeypatch.setattr(chunkindex.segment, "unpack", noted)
    assert answers(opened(folder)) == expected
    checked.clear()
    assert answers(opened(folder)) == expected
    assert checked == [True, False]  # the tail, and the base
    flip(random.Random(3), base_of(folder))
    checked.clear()
    assert answers(opened(folder)) == expected
    assert checked[1]

"""What every `Storage` does, whatever it is made of. A new implementation adds one line to STORAGES."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from commonplace.errors import Conflict, UnsafePath
from commonplace.files.folder import FolderStorage
from commonplace.ports import Storage
from commonplace.types import ABSENT

STORAGES: dict[str, Callable[[Path], Storage]] = {"folder": FolderStorage}


@pytest.fixture(params=list(STORAGES.values()), ids=list(STORAGES))
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    make: Callable[[Path], Storage] = request.param
    return make(tmp_path)


def test_a_file_that_was_never_written_reads_as_absent(storage: Storage) -> None:
    assert storage.read("a.md").data is None
    assert storage.read("deep/down/a.md").version == ABSENT


@pytest.mark.req("R3")
def test_a_write_returns_the_version_that_the_next_one_must_name(storage: Storage) -> None:
    first = storage.write("a.md", b"one", expected=ABSENT)
    assert storage.read("a.md").version == first
    second = storage.write("a.md", b"two", expected=first)
    assert storage.read("a.md").data == b"two"
    assert second != first


@pytest.mark.req("R3")
def test_the_version_depends_on_the_content_alone(storage: Storage) -> None:
    assert storage.write("a.md", b"same", expected=ABSENT) == storage.write("b.md", b"same", expected=ABSENT)


@pytest.mark.req("R3")
@pytest.mark.parametrize("expected", [ABSENT, "0" * 64])
def test_a_write_based_on_other_bytes_is_a_conflict_and_changes_nothing(storage: Storage, expected: str) -> None:
    storage.write("a.md", b"theirs", expected=ABSENT)
    with pytest.raises(Conflict):
        storage.write("a.md", b"mine", expected=expected)
    assert storage.read("a.md").data == b"theirs"


@pytest.mark.req("R3")
def test_a_write_to_a_file_that_is_gone_is_a_conflict(storage: Storage) -> None:
    version = storage.write("a.md", b"one", expected=ABSENT)
    storage.delete("a.md", expected=version)
    with pytest.raises(Conflict):
        storage.write("a.md", b"two", expected=version)
    assert storage.read("a.md").data is None


@pytest.mark.req("R3")
def test_deleting_other_bytes_than_those_that_were_read_is_a_conflict(storage: Storage) -> None:
    version = storage.write("a.md", b"one", expected=ABSENT)
    storage.write("a.md", b"two", expected=version)
    with pytest.raises(Conflict):
        storage.delete("a.md", expected=version)
    assert storage.read("a.md").data == b"two"


def test_appending_makes_the_file_and_then_adds_to_it(storage: Storage) -> None:
    storage.append("s/a.jsonl", b"one\n")
    storage.append("s/a.jsonl", b"two\n")
    assert storage.read("s/a.jsonl").data == b"one\ntwo\n"


def test_a_folder_lists_what_is_directly_in_it_by_name(storage: Storage) -> None:
    for name in ("d/b.md", "d/a.md", "d/below/c.md"):
        storage.write(name, name.encode(), expected=ABSENT)
    listed = list(storage.list_folder("d"))
    assert [(file.name, file.kind) for file in listed] == [
        ("d/a.md", "file"),
        ("d/b.md", "file"),
        ("d/below", "folder"),
    ]
    assert [file.size for file in listed[:2]] == [6, 6]
    assert list(storage.list_folder("nowhere")) == []


def test_the_stamp_changes_with_the_content(storage: Storage) -> None:
    version = storage.write("d/a.md", b"one", expected=ABSENT)
    before = next(iter(storage.list_folder("d"))).stamp
    storage.write("d/a.md", b"two", expected=version)
    assert next(iter(storage.list_folder("d"))).stamp != before


def test_a_glance_differs_once_a_file_in_the_folder_does(storage: Storage) -> None:
    assert storage.glance("nowhere") == storage.glance("nowhere")
    seen = [storage.glance("d")]
    version = storage.write("d/a.md", b"one", expected=ABSENT)
    seen.append(storage.glance("d"))
    version = storage.write("d/a.md", b"two", expected=version)
    seen.append(storage.glance("d"))
    storage.write("d/below/c.md", b"deeper", expected=ABSENT)
    assert storage.glance("d") == seen[-1]
    storage.append("d/b.md", b"another\n")
    seen.append(storage.glance("d"))
    storage.append("d/b.md", b"longer\n")
    seen.append(storage.glance("d"))
    storage.delete("d/a.md", expected=version)
    seen.append(storage.glance("d"))
    assert all(later != earlier for at, later in enumerate(seen) for earlier in seen[:at])
    assert storage.glance("d") == seen[-1]


def test_walking_meets_every_file(storage: Storage) -> None:
    names = {"MEMORY.md", "daily/2026-11-15.md", "a/b/c/d.md"}
    for name in names:
        storage.write(name, b"x", expected=ABSENT)
    assert names <= set(storage.walk())


@pytest.mark.parametrize("name", ["", "/etc/passwd", "../out.md", "a/../../out.md", "a//b", "a\\b", "c:x", "a\0b"])
def test_a_name_that_is_not_inside_is_refused_by_every_method(storage: Storage, name: str) -> None:
    for use in (
        lambda: storage.read(name),
        lambda: storage.write(name, b"x", expected=ABSENT),
        lambda: storage.append(name, b"x"),
        lambda: storage.delete(name, expected=ABSENT),
    ):
        with pytest.raises(UnsafePath):
            use()


def test_a_derived_file_is_replaced_without_comparison_and_can_be_mapped(storage: Storage) -> None:
    storage.put_derived("index/a.bin", [b"one", memoryview(b" and more")])
    storage.put_derived("index/a.bin", [b"two"])
    mapped = storage.map("index/a.bin")
    assert mapped is not None
    assert bytes(mapped) == b"two"
    assert storage.map("index/none.bin") is None


def test_the_lock_may_be_taken_again_by_its_holder(storage: Storage) -> None:
    with storage.lock(), storage.lock():
        storage.write("a.md", b"one", expected=ABSENT)
    assert storage.read("a.md").data == b"one"


@pytest.mark.req("R2")
def test_the_lock_keeps_other_threads_out(storage: Storage) -> None:
    counted = 0

    def count() -> None:
        for _ in range(20):
            with storage.lock():
                snapshot = storage.read("n")
                storage.write("n", b"%d" % (int(snapshot.data or b"0") + 1), expected=snapshot.version, durable=False)

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counted = int(storage.read("n").data or b"0")
    assert counted == 80

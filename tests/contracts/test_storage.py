"""What every `Storage` does, whatever it is made of. A new implementation adds one line to `tests/stores.py`."""

import subprocess
import sys
import threading
from datetime import datetime

import pytest

from commonplace.errors import BookBusy, Conflict, UnsafePath
from commonplace.ports import Storage
from commonplace.stores import open_storage
from commonplace.types import ABSENT, Note, Origin
from tests.stores import Place

pytestmark = pytest.mark.every_store

NOTE = Note("Change files", Origin.TOOL)
AT = datetime.fromisoformat("2026-11-18T12:00:00+01:00")


@pytest.fixture
def storage(place: Place) -> Storage:
    made = open_storage(place, 10.0)
    made.prepare()
    return made


def again(storage: Storage) -> Storage:
    """The same book, opened anew."""
    return open_storage(storage.address, 10.0)


def record(storage: Storage, changes: dict[str, bytes | None]) -> str:
    if storage.edits:
        storage.edits.take_in(AT, str)
    return storage.record(changes, {name: storage.read(name) for name in changes}, NOTE, AT)


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


def test_several_files_come_in_their_order_whatever_their_size(storage: Storage) -> None:
    contents = {f"daily/{at}.md": b"line\n" * at for at in range(130)} | {"large.md": b"x" * 400_000, "a.md": b"a"}
    for name, data in contents.items():
        storage.write(name, data, expected=ABSENT)
    storage.append("a.md", b"more\n")
    names = ["large.md", "gone.md", *reversed(contents)]
    assert list(storage.read_all(names)) == [(name, storage.read(name)) for name in names]
    assert list(storage.read_all([])) == []


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


def test_who_opens_the_book_again_finds_what_was_written(storage: Storage) -> None:
    storage.write("a.md", b"one", expected=ABSENT)
    storage.append("s/a.jsonl", b"two\n")
    storage.put_derived("i/b", [b"three"])
    other = again(storage)
    assert (other.read("a.md").data, other.read("s/a.jsonl").data, other.read("i/b").data) == (
        b"one",
        b"two\n",
        b"three",
    )


def test_a_line_is_begun_anew_after_one_that_has_no_end(storage: Storage) -> None:
    storage.write("s/a.jsonl", b"torn", expected=ABSENT)
    storage.append("s/a.jsonl", b"one\n", on_new_line=True)
    storage.append("s/a.jsonl", b"two\n", on_new_line=True)
    assert storage.read("s/a.jsonl").data == b"torn\none\ntwo\n"


@pytest.mark.req("R3")
def test_what_was_appended_meanwhile_makes_a_write_a_conflict(storage: Storage) -> None:
    version = storage.write("s/a.jsonl", b"one\n", expected=ABSENT)
    storage.append("s/a.jsonl", b"two\n")
    with pytest.raises(Conflict):
        storage.write("s/a.jsonl", b"mine", expected=version)
    storage.write("s/a.jsonl", b"all\n", expected=storage.read("s/a.jsonl").version)
    assert storage.read("s/a.jsonl").data == b"all\n"


def test_a_name_may_be_deleted_and_written_again(storage: Storage) -> None:
    storage.delete("d/a.md", expected=storage.write("d/a.md", b"one", expected=ABSENT))
    assert list(storage.list_folder("d")) == []
    storage.write("d/a.md", b"two", expected=ABSENT)
    assert storage.read("d/a.md").data == b"two"


@pytest.mark.req("BOOK-6")
def test_files_and_their_history_change_together(storage: Storage) -> None:
    first = record(storage, {"MEMORY.md": b"one\n", "daily/2026-11-18.md": b"day\n"})
    second = record(storage, {"MEMORY.md": b"two\n", "daily/2026-11-18.md": None})
    assert storage.read("MEMORY.md").data == b"two\n"
    assert storage.read("daily/2026-11-18.md").data is None
    history = again(storage).history
    assert [commit.id for commit in history.commits()] == [second, first]
    assert history.files(second).keys() == {"MEMORY.md"}


@pytest.mark.req("BOOK-6", "R3")
def test_a_change_of_which_one_file_was_changed_meanwhile_does_not_happen(storage: Storage) -> None:
    record(storage, {"a.md": b"a\n", "b.md": b"b\n"})
    before = {name: storage.read(name) for name in ("a.md", "b.md")}
    record(storage, {"b.md": b"theirs\n"})
    with pytest.raises(Conflict):
        storage.record({"a.md": b"mine\n", "b.md": b"mine\n"}, before, NOTE, AT)
    assert (storage.read("a.md").data, storage.read("b.md").data) == (b"a\n", b"theirs\n")
    assert storage.history.count() == 2


def test_a_derived_file_can_be_deleted_and_need_not_be_there(storage: Storage) -> None:
    storage.put_derived("index/a.bin", [b"one"])
    storage.delete_derived("index/a.bin")
    storage.delete_derived("index/a.bin")
    assert storage.map("index/a.bin") is None
    assert list(storage.list_folder("index")) == []


@pytest.mark.parametrize("name", ["", "/etc/passwd", "../out.md", "a/../../out.md", "a//b", "a\\b", "c:x", "a\0b"])
def test_a_name_that_is_not_inside_is_refused_by_every_method(storage: Storage, name: str) -> None:
    for use in (
        lambda: storage.read(name),
        lambda: storage.write(name, b"x", expected=ABSENT),
        lambda: storage.append(name, b"x"),
        lambda: storage.delete(name, expected=ABSENT),
        lambda: storage.map(name),
        lambda: storage.put_derived(name, [b"x"]),
        lambda: storage.delete_derived(name),
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


@pytest.mark.req("R2")
@pytest.mark.parametrize("task", [None, "flush"])
def test_who_cannot_have_the_lock_is_told_so_in_time(storage: Storage, task: str | None) -> None:
    other, told = again(storage), list[str]()

    def wait() -> None:
        try:
            with other.lock(timeout=0.05) if task is None else other.alone(task, timeout=0.05):
                told.append("had it")
        except BookBusy:
            told.append("busy")

    with storage.lock() if task is None else storage.alone(task, timeout=1):
        thread = threading.Thread(target=wait)
        thread.start()
        thread.join()
    wait()
    assert told == ["busy", "had it"]


def test_who_does_a_task_alone_keeps_nobody_from_writing(storage: Storage) -> None:
    other = again(storage)
    thread = threading.Thread(target=lambda: other.write("a.md", b"theirs", expected=ABSENT))
    with storage.alone("flush", timeout=1), storage.alone("flush", timeout=1):
        thread.start()
        thread.join()
    assert storage.read("a.md").data == b"theirs"


@pytest.mark.req("R1", "R2", "R3")
def test_another_process_sees_the_same_book_and_adds_to_it(storage: Storage) -> None:
    if storage.address.startswith("memory:"):
        pytest.skip("no other process can see it")
    record(storage, {"n.md": b"0\n"})
    program = (
        "import sys; from datetime import datetime; from commonplace.stores import open_storage\n"
        "from commonplace.types import Note, Origin\n"
        "storage = open_storage(sys.argv[1], 20.0)\n"
        "for _ in range(10):\n"
        "    with storage.lock():\n"
        "        if storage.edits: storage.edits.take_in(datetime.now().astimezone(), str)\n"
        "        before = storage.read('n.md')\n"
        "        storage.record({'n.md': b'%d\\n' % (int(before.data) + 1)}, {'n.md': before}, "
        "Note('Count', Origin.TOOL), datetime.now().astimezone())\n"
        "        storage.append('s.jsonl', b'one\\n', on_new_line=True)\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", program, storage.address]) for _ in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    assert storage.read("n.md").data == b"30\n"
    assert storage.read("s.jsonl").data == b"one\n" * 30
    assert storage.history.count() == 31

"""What every `History` does, whatever keeps it: the ids are git's, the past can be read, cleaned and pruned."""

from datetime import datetime, timedelta

import pytest

from commonplace.errors import AmbiguousMatch, NotFound
from commonplace.ports import Storage
from commonplace.stores import open_storage
from commonplace.types import Note, Origin, Voice
from tests.stores import Place

pytestmark = pytest.mark.every_store

AT = datetime.fromisoformat("2026-11-18T12:00:00+01:00")


@pytest.fixture
def storage(place: Place) -> Storage:
    made = open_storage(place, 10.0)
    made.prepare()
    return made


def record(storage: Storage, number: int, **changes: bytes | None) -> str:
    named = {name.replace("_", "/") + ".md": data for name, data in changes.items()}
    if storage.edits:
        storage.edits.take_in(AT, str)
    note = Note(f"Change {number}", Origin.TOOL, session="s-1", reason="asked", voice=Voice.USER, messages=("m1",))
    before = {name: storage.read(name) for name in named}
    return storage.record(named, before, note, AT + timedelta(minutes=number))


@pytest.mark.req("BOOK-6")
def test_a_book_begins_without_a_past(storage: Storage) -> None:
    assert storage.history.head() is None
    assert storage.history.count() == 0
    assert list(storage.history.commits()) == []
    assert storage.history.files(None) == {}
    assert storage.history.check() == []


@pytest.mark.req("BOOK-6")
def test_the_same_changes_have_the_same_ids_in_every_store(storage: Storage) -> None:
    record(storage, 1, MEMORY=b"one\n")
    record(storage, 2, daily_a=b"day\n", MEMORY=b"two\n")
    assert storage.history.head() == "348f86fa1be4ac46167e158625449e18e1c592cc"


@pytest.mark.req("BOOK-6")
def test_a_change_tells_who_asked_for_it_and_what_it_did(storage: Storage) -> None:
    record(storage, 1, MEMORY=b"one\n")
    id = record(storage, 2, MEMORY=b"two\n", daily_a=b"day\n")
    change = next(iter(storage.history.changes()))
    assert (change.id, change.files, change.at) == (id, ("MEMORY.md", "daily/a.md"), AT + timedelta(minutes=2))
    assert change.note == Note("Change 2", Origin.TOOL, "s-1", "asked", None, Voice.USER, ("m1",))
    history = storage.history
    assert [(d.name, d.before, d.after) for d in history.diff(history.commit(id).parents[0], id)] == [
        ("MEMORY.md", "one\n", "two\n"),
        ("daily/a.md", None, "day\n"),
    ]
    assert {name: history.content(blob) for name, blob in history.files(id).items()} == {
        "MEMORY.md": b"two\n",
        "daily/a.md": b"day\n",
    }


@pytest.mark.req("BOOK-6")
def test_a_folder_that_has_become_empty_is_gone_from_the_past_too(storage: Storage) -> None:
    record(storage, 1, daily_a=b"day\n", MEMORY=b"one\n")
    id = record(storage, 2, daily_a=None)
    assert storage.history.files(id).keys() == {"MEMORY.md"}
    assert storage.history.changed_files(storage.history.commit(id)).keys() == {"daily/a.md"}


@pytest.mark.req("BOOK-6")
def test_the_versions_of_a_file_leave_out_what_did_not_touch_it(storage: Storage) -> None:
    ids = [record(storage, n, **{name: b"%d\n" % n}) for n, name in enumerate(["MEMORY", "b", "MEMORY", "b", "MEMORY"])]
    history = storage.history
    found = [(commit.id, before and history.content(before)) for commit, before, _ in history.versions("MEMORY.md")]
    assert found == [(ids[4], b"2\n"), (ids[2], b"0\n"), (ids[0], None)]


@pytest.mark.req("BOOK-6")
def test_a_change_is_found_by_how_its_id_begins(storage: Storage) -> None:
    ids = [record(storage, number, MEMORY=b"%d\n" % number) for number in range(3)]
    assert storage.history.resolve(ids[1][:8]) == ids[1]
    assert storage.history.resolve(ids[1].upper()) == ids[1]
    for wrong in ("", "zz", "0000000000", ids[1][:2]):
        with pytest.raises((NotFound, AmbiguousMatch)):
            storage.history.resolve(wrong)


@pytest.mark.req("BOOK-7")
def test_a_cleaned_past_holds_no_byte_of_what_was_cleaned(storage: Storage) -> None:
    record(storage, 1, MEMORY=b"zebra one\n")
    record(storage, 2, MEMORY=b"zebra two\n", daily_a=b"other\n")
    record(storage, 3, b=b"plain\n")
    storage.write("MEMORY.md", b"cow two\n", expected=storage.read("MEMORY.md").version)
    storage.history.rewrite(
        lambda data, _name: data.replace(b"zebra", b"cow"), lambda text: text.replace("Change", "Step")
    )
    history = open_storage(storage.address, 10.0).history
    assert [change.note.summary for change in history.changes()] == ["Step 3", "Step 2", "Step 1"]
    assert history.count() == 3
    assert not any(b"zebra" in body or b"Change" in body for _, body in history.bodies())
    assert history.check() == []
    record(storage, 4, b=b"after")
    assert storage.history.count() == 4

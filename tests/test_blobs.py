"""What a server keeps at hand of the indexes of books: bounded, of the owner alone, and gone with what was deleted."""

import uuid

import pytest

from commonplace.stores import open_storage
from commonplace.stores.postgres.blobs import Blobs, Owner
from tests.stores import prepared
from tests.test_statements import counting

BASE = ".commonplace/index/base-"


def owner(tenant: str, book: str = "same") -> Owner:
    return Owner((("dbname", "books"),), tenant, book)


@pytest.mark.req("TEAM-1")
def test_memory_is_bounded_and_the_least_used_goes_first() -> None:
    blobs = Blobs(most=100)
    for book in ("a", "b", "c"):
        blobs.put(owner("acme", book), f"{BASE}1", b"x" * 40)
        blobs.get(owner("acme", "a"), f"{BASE}1")
    kept = [book for book in ("a", "b", "c") if blobs.get(owner("acme", book), f"{BASE}1")]
    assert kept == ["a", "c"]
    assert blobs.bytes == 80
    blobs.put(owner("acme", "d"), f"{BASE}1", b"x" * 101)
    assert (blobs.get(owner("acme", "d"), f"{BASE}1"), blobs.bytes) == (None, 80)


@pytest.mark.req("S8", "NS-1")
def test_nobody_is_given_what_another_has_read() -> None:
    blobs = Blobs()
    blobs.put(owner("acme"), f"{BASE}1", b"of acme")
    assert blobs.get(owner("other"), f"{BASE}1") is None
    assert blobs.get(owner("acme", "another"), f"{BASE}1") is None
    assert blobs.get(owner("acme"), f"{BASE}2") is None


@pytest.mark.req("SRCH-4", "S9", "TEAM-1")
def test_a_base_is_read_once_by_a_process_and_not_at_all_once_it_is_deleted() -> None:
    address = prepared().address("app", "books", "tests", f"b{uuid.uuid4().hex}")
    storage = open_storage(address, 10.0)
    storage.put_derived(f"{BASE}1", [b"vectors"])
    storage.put_derived(".commonplace/index/tail", [b"changes all the time"])
    assert storage.map(f"{BASE}1") == b"vectors"
    with counting() as sent:
        assert open_storage(address, 10.0).map(f"{BASE}1") == b"vectors"
        assert sent == []
        assert storage.map(".commonplace/index/tail") == b"changes all the time"
        assert len([one for one in sent if "set_config" not in one]) == 1  # the pool may give another connection
    storage.delete_derived(f"{BASE}1")
    assert storage.map(f"{BASE}1") is None

"""A book that is too large for the arrays of a process: its database finds the candidates, and they rank as always."""

import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import psycopg
import pytest

from commonplace.index.chunkindex import ChunkIndex
from commonplace.memory import Memory
from commonplace.stores.postgres import book_address, parsed, tableindex
from commonplace.types.searching import Chunk, Found, Source
from tests.stores import new_database, prepared, put

if TYPE_CHECKING:
    from commonplace.ports import Vectors

WHO, WHERE = ("Anna", "Ben", "Carla", "Deniz"), ("Lisbon", "Oslo", "Kyoto")
WHAT = ("viola", "boat", "garden", "thesis", "bicycle")
QUESTIONS = (
    "Who bought the viola in Oslo?",
    "What did Carla paint?",
    '"the thesis in Kyoto"',
    "What happened on 4 March 2026?",
    "the latest about the bicycle of Ben",
    "I was in the garden all night again, and nobody came to help",
)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few chunks are many."""
    monkeypatch.setattr(tableindex, "MOST_IN_ARRAYS", 50)


@pytest.fixture
def address() -> str:
    found = book_address(new_database(), "acme", "notes")
    memory = Memory.open(found)
    memory.create()
    said = [
        f"{who} {verb} the {what} in {where}"
        for who in WHO
        for verb in ("bought", "painted")
        for what in WHAT
        for where in WHERE
    ]
    put(memory, "MEMORY.md", "# Long-term Memory\n\n## Notes\n\n" + "".join(f"- {one}\n" for one in said[::3]))
    put(memory, "daily/2026-03-04.md", "# 2026-03-04\n\n" + "".join(f"- {one}\n" for one in said[1::3]))
    for number, one in enumerate(said[2::3]):
        memory.say(f"talk{number % 3}", "user" if number % 2 else "assistant", one)
    return found


def rows(address: str, table: str) -> int:
    """As the owner of everything."""
    name = dict(parsed(address).database)["dbname"]
    with psycopg.connect(host=str(prepared().socket), user="postgres", dbname=name) as c:
        [row] = c.execute(f"SELECT count(*) FROM commonplace.{table}".encode()).fetchall()  # noqa: S608
        return int(str(row[0]))


def told(found: Found) -> list[tuple[str, int, float]]:
    return [(hit.file, hit.line, round(hit.score, 4)) for hit in found.hits]


@pytest.mark.req("SRCH-4", "TEAM-1")
def test_it_finds_what_the_arrays_find(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    arrays = Memory.open(address)
    chunks = arrays.reindex().chunks
    expected = {question: told(arrays.search(question, limit=5)) for question in QUESTIONS}
    only = arrays.search("viola", sources=[Source.DAILY_LOG])
    monkeypatch.setattr(tableindex, "MOST_IN_ARRAYS", 50)
    Memory.open(address).reindex()
    assert rows(address, "chunk") == chunks
    large = Memory.open(address)
    for question, hits in expected.items():
        found = told(large.search(question, limit=5))
        assert [hit[:2] for hit in found[:1]] == [hit[:2] for hit in hits[:1]], question
        assert len({hit[:2] for hit in found} & {hit[:2] for hit in hits}) >= len(hits) - 1, question
    assert {hit.source for hit in large.search("viola", sources=[Source.DAILY_LOG]).hits} == {Source.DAILY_LOG}
    assert len(only.hits) == len(large.search("viola", sources=[Source.DAILY_LOG]).hits)


@pytest.mark.req("SRCH-4")
@pytest.mark.usefixtures("small")
def test_what_is_saved_is_found_at_once_and_what_is_deleted_no_more(address: str) -> None:
    chunks = Memory.open(address).reindex().chunks
    memory, other = Memory.open(address), Memory.open(address)
    memory.remember("Keeps a parrot that is called Persephone", insist=True)
    assert other.search("parrot Persephone").hits[0].text.startswith("Keeps a parrot")
    memory.forget("Keeps a parrot that is called Persephone")
    assert not any("parrot" in hit.text for hit in other.search("parrot Persephone").hits)
    assert rows(address, "chunk") == chunks


@pytest.mark.req("BOOK-7", "S9")
@pytest.mark.usefixtures("small")
def test_complete_forgetting_leaves_no_row_of_it(address: str) -> None:
    chunks = Memory.open(address).reindex().chunks
    memory = Memory.open(address)
    memory.remember("Keeps a parrot that is called Persephone", insist=True)
    assert memory.search("parrot").hits
    assert rows(address, "chunk") == chunks + 1
    memory.erase("Keeps a parrot that is called Persephone", dry_run=False)
    assert (rows(address, "chunk"), rows(address, "posting")) == (0, 0)
    Memory.open(address).reindex()
    assert rows(address, "chunk") == chunks


@pytest.mark.req("SRCH-4")
@pytest.mark.usefixtures("small")
def test_without_pgvector_a_book_stays_with_its_arrays(address: str) -> None:
    name = dict(parsed(address).database)["dbname"]
    prepared().run("DROP EXTENSION vector CASCADE", database=name)
    memory = Memory.open(address)
    memory.reindex()
    assert rows(address, "chunk") == 0
    assert memory.search("Who bought the viola in Oslo?").hits


@pytest.mark.req("SRCH-4")
@pytest.mark.usefixtures("small")
def test_when_pgvector_goes_arrays_are_made_again(address: str) -> None:
    Memory.open(address).reindex()
    prepared().run("DROP EXTENSION vector CASCADE", database=dict(parsed(address).database)["dbname"])
    assert Memory.open(address).search("Who bought the viola in Oslo?").hits


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], None]]:
    """What happens while rows are made, when some are there."""
    planned: list[Callable[[], None]] = []
    made = ChunkIndex.rows

    def rows(arrays: ChunkIndex) -> "Iterator[tuple[Chunk, Vectors | None]]":
        for number, row in enumerate(made(arrays)):
            if number == 60:
                while planned:
                    planned.pop()()
            yield row

    monkeypatch.setattr(ChunkIndex, "rows", rows)
    return planned


@pytest.mark.req("SRCH-4", "R3")
@pytest.mark.usefixtures("small")
def test_others_save_and_search_while_the_rows_are_made(address: str, meanwhile: list[Callable[[], None]]) -> None:
    found: list[str] = []

    def use() -> None:
        other = Memory.open(address)
        other.remember("Keeps a parrot that is called Persephone", insist=True)
        found.append(other.search("parrot Persephone").hits[0].text)

    def in_another_thread() -> None:
        thread = threading.Thread(target=use)
        thread.start()
        thread.join()

    meanwhile.append(in_another_thread)
    Memory.open(address).reindex()
    assert found == ["Keeps a parrot that is called Persephone"]
    assert rows(address, "chunk") > 0
    assert Memory.open(address).search("parrot Persephone").hits[0].text == found[0]


@pytest.mark.req("BOOK-7", "S9")
@pytest.mark.usefixtures("small")
def test_what_is_erased_while_the_rows_are_made_is_in_none_of_them(
    address: str, meanwhile: list[Callable[[], None]]
) -> None:
    text = "Keeps a parrot that is called Persephone"
    Memory.open(address).remember(text, insist=True)
    erasing = threading.Thread(target=lambda: Memory.open(address).erase(text, dry_run=False))
    name = dict(parsed(address).database)["dbname"]

    def until_it_waits() -> None:
        erasing.start()
        with psycopg.connect(host=str(prepared().socket), user="postgres", dbname=name, autocommit=True) as c:
            waits = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
            while erasing.is_alive() and not c.execute(waits).fetchall():
                pass

    meanwhile.append(until_it_waits)
    Memory.open(address).reindex()
    erasing.join()
    assert rows(address, "chunk") == 0
    assert not Memory.open(address).search("parrot Persephone").hits[0].text.startswith("Keeps a parrot")

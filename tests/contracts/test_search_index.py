"""What every `SearchIndex` does over a book in any store: it can be lost and shared, and embeds nothing twice."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from commonplace.files.document import Document
from commonplace.index.chunkindex import ChunkIndex
from commonplace.index.chunking import chunks_of_text
from commonplace.ports import SearchIndex, Storage
from commonplace.stores import open_storage
from commonplace.testing import HashingEmbedder
from commonplace.types.book import FileState
from commonplace.types.searching import Chunk, Source
from tests.stores import Place

pytestmark = pytest.mark.every_store

INDEXES: dict[str, Callable[[Storage, str, int], SearchIndex]] = {"chunks": ChunkIndex}
EMBEDDER = HashingEmbedder()


@pytest.fixture(params=list(INDEXES.values()), ids=list(INDEXES))
def opened(request: pytest.FixtureRequest, place: Place) -> Callable[[], SearchIndex]:
    """The index of one book, opened anew."""
    storage = open_storage(place, 10.0)
    storage.prepare()
    with storage.lock():
        pass
    make: Callable[[Storage, str, int], SearchIndex] = request.param

    def open_index() -> SearchIndex:
        index = make(open_storage(storage.address, 10.0), EMBEDDER.identity, EMBEDDER.dimensions)
        index.open()
        return index

    return open_index


def file(text: str, name: str = "MEMORY.md") -> tuple[FileState, Sequence[Chunk]]:
    entries = Document.parse(text.encode()).entries
    return FileState(text, text, True), chunks_of_text(name, Source.LONG_TERM, entries, day=None, session="")


def texts(index: SearchIndex) -> list[str]:
    corpus = index.corpus()
    return sorted(corpus.chunk(at).text for at in range(corpus.count))


@pytest.mark.req("SRCH-4")
def test_what_one_saved_another_finds_with_its_vectors(opened: Callable[[], SearchIndex]) -> None:
    index = opened()
    index.update({"MEMORY.md": file("- Likes tea\n- Plays the viola\n")}, [])
    index.embed_missing(EMBEDDER.embed)
    assert index.vectors() == (2, 2)
    assert index.unsaved
    assert index.save()
    other = opened()
    assert texts(other) == ["Likes tea", "Plays the viola"]
    assert other.vectors() == (2, 2)
    assert other.files["MEMORY.md"].settled
    likeness = other.likeness_in("MEMORY.md", EMBEDDER.embed(["Likes tea"])[0], 10)
    assert likeness.keys() == other.keys_of("MEMORY.md")
    assert np.isclose(max(value or 0 for value in likeness.values()), 1, atol=1e-5)


@pytest.mark.req("SRCH-4")
def test_only_what_is_new_is_embedded_and_what_is_gone_is_found_no_more(opened: Callable[[], SearchIndex]) -> None:
    index = opened()
    index.update({"MEMORY.md": file("- Likes tea\n- Plays the viola\n")}, [])
    index.embed_missing(EMBEDDER.embed)
    index.save()
    other, asked = opened(), list[str]()

    def embed(wanted: Sequence[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
        asked.extend(wanted)
        return EMBEDDER.embed(wanted)

    other.update({"MEMORY.md": file("- Plays the viola\n- Keeps bees\n")}, [])
    other.embed_missing(embed)
    assert texts(other) == ["Keeps bees", "Plays the viola"]
    assert [text for text in asked if "viola" in text] == []
    other.update({}, ["MEMORY.md"])
    assert texts(other) == []
    assert dict(other.files) == {}


@pytest.mark.req("SRCH-4")
def test_a_state_that_another_saved_meanwhile_is_taken_over_and_not_overwritten(
    opened: Callable[[], SearchIndex],
) -> None:
    one, other = opened(), opened()
    one.update({"a.md": file("- Likes tea\n", "a.md")}, [])
    other.update({"b.md": file("- Keeps bees\n", "b.md")}, [])
    assert one.save()
    assert not other.save()
    before = other.loads
    other.open()
    assert other.loads != before
    assert texts(other) == ["Likes tea"]


@pytest.mark.req("SRCH-4")
def test_a_cleared_index_is_empty_for_everybody(opened: Callable[[], SearchIndex]) -> None:
    index = opened()
    index.update({"a.md": file("- Likes tea\n", "a.md")}, [])
    index.save()
    index.touch({"a.md": FileState("new", "new", True)})
    index.clear()
    assert texts(index) == []
    assert texts(opened()) == []

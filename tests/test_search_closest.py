"""Entries that a new text may repeat are found by meaning and by words, and nothing is embedded twice."""

import random

import pytest

from commonplace.config import Settings
from commonplace.flows import indexing
from commonplace.flows.indexing import BookIndex
from commonplace.memory import Memory
from commonplace.ports import Embedder
from commonplace.testing import HashingEmbedder
from tests.search.books import NO_MODEL, filled, opened, sentence
from tests.stores import Place, put

PAGE = """# Long-term Memory

## Preferences

- Prefers the harbour in the morning
- Likes a violin and a kettle

## Notes

- The raven sits on the lantern
"""


@pytest.fixture
def memory(place: Place) -> Memory:
    memory = filled(opened(place))
    put(memory, "MEMORY.md", PAGE)
    return memory


def index_of(memory: Memory, embedder: Embedder | None) -> BookIndex:
    """Like a new process: it knows what is on disk."""
    return BookIndex(memory.book, Settings() if embedder else NO_MODEL, embedder)


@pytest.mark.req("GATE-1")
@pytest.mark.parametrize("model", [HashingEmbedder(), None])
def test_the_closest_entry_comes_first(memory: Memory, model: HashingEmbedder | None) -> None:
    found = index_of(memory, model).closest("violin kettle", memory.entries(), 2)
    assert found[0].entry.text == "Likes a violin and a kettle"


@pytest.mark.req("GATE-1")
def test_only_the_long_term_memory_is_embedded_and_only_once(memory: Memory) -> None:
    first, second = HashingEmbedder(), HashingEmbedder()
    index_of(memory, first).closest("violin kettle", memory.entries(), 5)
    assert sorted(first.texts) == sorted(
        [
            "Preferences: Prefers the harbour in the morning",
            "Preferences: Likes a violin and a kettle",
            "Notes: The raven sits on the lantern",
            "violin kettle",
        ]
    )
    index_of(memory, second).closest("raven lantern", memory.entries(), 5)
    assert second.texts == ["raven lantern"]


@pytest.mark.req("GATE-1")
def test_what_search_has_embedded_is_not_embedded_again(memory: Memory) -> None:
    index_of(memory, HashingEmbedder()).refresh()
    model = HashingEmbedder()
    index_of(memory, model).closest("raven lantern", memory.entries(), 5)
    assert model.texts == ["raven lantern"]


@pytest.mark.req("GATE-1")
def test_without_a_model_words_decide(memory: Memory) -> None:
    found = index_of(memory, None).closest("a raven", memory.entries(), 5)
    assert [one.entry.text for one in found] == ["The raven sits on the lantern"]


@pytest.mark.req("GATE-1")
def test_a_model_that_fails_is_no_error(memory: Memory) -> None:
    model = HashingEmbedder()
    model.broken = True
    found = index_of(memory, model).closest("a raven", memory.entries(), 5)
    assert [one.entry.text for one in found] == ["The raven sits on the lantern"]


@pytest.mark.folder
@pytest.mark.req("GATE-1")
def test_a_script_that_the_model_cannot_read_goes_by_words(memory: Memory) -> None:
    page = memory.path / "MEMORY.md"
    page.write_text(page.read_text() + "- Живёт в Казани\n")
    model = HashingEmbedder()
    model.multilingual = False
    found = index_of(memory, model).closest("Работает в Казани", memory.entries(), 5)
    assert [one.entry.text for one in found] == ["Живёт в Казани"]
    assert model.texts == []


def test_an_empty_memory_needs_no_model(place: Place) -> None:
    memory = opened(place, settings=NO_MODEL)
    model = HashingEmbedder()
    assert index_of(memory, model).closest("a raven", memory.entries(), 5) == []
    assert model.texts == []


def test_no_more_are_returned_than_asked_for(memory: Memory) -> None:
    assert len(index_of(memory, HashingEmbedder()).closest("the raven", memory.entries(), 1)) == 1


LARGE = 2_000


@pytest.fixture
def large(place: Place) -> Memory:
    """Somebody has just put a large memory there; nothing of it is indexed. The third line is one that matters."""
    memory = opened(place)
    memory.create()
    source = random.Random(3)
    lines = [f"- {sentence(source)} number {number}\n" for number in range(LARGE)]
    lines[2] = "- Anna plays the cello in the orchestra of Porto\n"
    put(memory, "MEMORY.md", "# Long-term Memory\n\n## Notes\n\n" + "".join(lines))
    return memory


@pytest.mark.req("GATE-1")
def test_a_save_beside_a_large_memory_embeds_only_what_comes_into_question(large: Memory) -> None:
    model = HashingEmbedder()
    found = index_of(large, model).closest("Anna plays the cello in Porto", large.entries(), 3)
    assert found[0].entry.text == "Anna plays the cello in the orchestra of Porto"
    assert found[0].cosine is not None
    assert len(model.texts) < LARGE / 10


@pytest.mark.req("GATE-1")
def test_of_a_large_memory_that_is_indexed_only_what_is_new_is_embedded(large: Memory) -> None:
    index_of(large, HashingEmbedder()).refresh()
    put(large, "MEMORY.md", large.read() + "- Tom keeps bees behind the mill\n")
    model = HashingEmbedder()
    index_of(large, model).closest("Tom keeps bees", large.entries(), 3)
    assert sorted(model.texts) == ["Notes: Tom keeps bees behind the mill", "Tom keeps bees"]


@pytest.mark.req("R7")
@pytest.mark.parametrize("line", [f"- {'one long line ' * 20_000}\n", "- A short line of many\n" * 20_000])
def test_a_save_cleans_no_more_of_a_large_memory_than_it_looks_at(
    memory: Memory, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cleaned: list[str] = []

    def clean(text: str) -> str:
        cleaned.append(text)
        return text

    put(memory, "MEMORY.md", memory.read() + line)
    entries = [entry for entry in memory.entries() if len(entry.text) < 5_000]
    monkeypatch.setattr(indexing, "mask", clean)
    assert index_of(memory, HashingEmbedder()).closest("a raven", entries, 5)
    assert sum(map(len, cleaned)) < len(line) / 10

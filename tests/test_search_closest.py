"""Entries that a new text may repeat are found by meaning and by words, and nothing is embedded twice."""

import sys
from pathlib import Path

import pytest

from commonplace.finding import Finder
from commonplace.memory import Memory
from commonplace.ports import Embedder
from commonplace.providers.embedders.minilm import MiniLM
from commonplace.testing import HashingEmbedder
from tests.search.books import NO_MODEL, filled, opened

PAGE = """# Long-term Memory

## Preferences

- Prefers the harbour in the morning
- Likes a violin and a kettle

## Notes

- The raven sits on the lantern
"""


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = filled(opened(tmp_path / "book"))
    (memory.path / "MEMORY.md").write_text(PAGE)
    return memory


def finder_of(memory: Memory, embedder: Embedder | None) -> Finder:
    """Like a new process: it knows what is on disk."""
    return Finder(memory.book.storage, embedder, None)


@pytest.mark.req("GATE-1")
def test_the_closest_entry_comes_first_with_its_cosine(memory: Memory) -> None:
    found = finder_of(memory, HashingEmbedder()).closest_entries("violin kettle", memory.entries(), 2)
    entry, cosine, _ = found[0]
    assert entry.text == "Likes a violin and a kettle"
    assert cosine is not None
    assert cosine > 0.5


@pytest.mark.req("GATE-1")
def test_only_the_long_term_memory_is_embedded_and_only_once(memory: Memory) -> None:
    first, second = HashingEmbedder(), HashingEmbedder()
    finder_of(memory, first).closest_entries("violin kettle", memory.entries(), 5)
    assert sorted(first.texts) == sorted(
        [
            "Preferences: Prefers the harbour in the morning",
            "Preferences: Likes a violin and a kettle",
            "Notes: The raven sits on the lantern",
            "violin kettle",
        ]
    )
    finder_of(memory, second).closest_entries("raven lantern", memory.entries(), 5)
    assert second.texts == ["raven lantern"]


@pytest.mark.req("GATE-1")
def test_what_search_has_embedded_is_not_embedded_again(memory: Memory) -> None:
    finder_of(memory, HashingEmbedder()).refresh()
    model = HashingEmbedder()
    finder_of(memory, model).closest_entries("raven lantern", memory.entries(), 5)
    assert model.texts == ["raven lantern"]


@pytest.mark.req("GATE-1")
def test_without_a_model_words_decide(memory: Memory) -> None:
    found = finder_of(memory, None).closest_entries("a raven", memory.entries(), 5)
    assert [(entry.text, cosine) for entry, cosine, _ in found] == [("The raven sits on the lantern", None)]


@pytest.mark.req("GATE-1")
def test_a_model_that_fails_is_no_error(memory: Memory) -> None:
    model = HashingEmbedder()
    model.broken = True
    found = finder_of(memory, model).closest_entries("a raven", memory.entries(), 5)
    assert [(entry.text, cosine) for entry, cosine, _ in found] == [("The raven sits on the lantern", None)]


@pytest.mark.req("GATE-1")
def test_a_script_that_the_model_cannot_read_goes_by_words(memory: Memory) -> None:
    page = memory.path / "MEMORY.md"
    page.write_text(page.read_text() + "- Живёт в Казани\n")
    model = HashingEmbedder()
    model.multilingual = False
    found = finder_of(memory, model).closest_entries("Работает в Казани", memory.entries(), 5)
    assert [(entry.text, cosine) for entry, cosine, _ in found] == [("Живёт в Казани", None)]
    assert model.texts == []


def test_an_empty_memory_needs_no_model(tmp_path: Path) -> None:
    memory = opened(tmp_path / "book", settings=NO_MODEL)
    model = HashingEmbedder()
    assert finder_of(memory, model).closest_entries("a raven", memory.entries(), 5) == []
    assert model.texts == []


def test_no_more_are_returned_than_asked_for(memory: Memory) -> None:
    assert len(finder_of(memory, HashingEmbedder()).closest_entries("the raven", memory.entries(), 1)) == 1


@pytest.mark.req("GATE-1")
def test_the_nearest_entries_are_read_together_with_the_text(memory: Memory) -> None:
    memory.remember("Collects old stamps from Peru")
    found = finder_of(memory, MiniLM()).closest_entries("Enjoys the violin", memory.entries(), 5)
    assert found[0].entry.text == "Likes a violin and a kettle"
    assert [pair is not None for _, _, pair in found] == [True, True, True, False]


@pytest.mark.req("GATE-1")
@pytest.mark.parametrize("model", [HashingEmbedder(), None])
def test_with_another_embedder_or_none_no_pair_is_read_and_no_model_loaded(
    memory: Memory, model: HashingEmbedder | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "commonplace.providers.pairs", None)  # importing it would fail
    found = finder_of(memory, model).closest_entries("the violin and the raven", memory.entries(), 5)
    assert found
    assert all(pair is None for _, _, pair in found)

"""Questions are turned towards their answers, where that was learnt: with the model of the package, and never in the
plain formula."""

from datetime import date
from pathlib import Path

import numpy as np
import pytest

from commonplace.memory import Memory
from commonplace.providers.embedders.minilm import MiniLM
from commonplace.search.queryvector import fitted_tilt, turned
from tests.search.books import PLAIN, TODAY, opened, said
from tests.stores import Place

QUESTION = "Which instrument does Ada play?"
TURNS = ("I have played the viola since I was six", "Ada bought a piano", "Ada sings in a choir on Mondays")


@pytest.fixture
def book(place: Place) -> Place:
    memory = Memory.open(place)
    for number, text in enumerate(TURNS):  # each in a session of its own: nothing stands before it
        memory.add_message(f"s{number}", said(str(number), text, date(2026, 1, 1)))
    memory.reindex()
    return place


def test_a_turned_vector_has_length_one_and_its_own_direction_still_counts_most() -> None:
    vector = MiniLM().embed([QUESTION])[0]
    moved = turned(vector)
    assert float(np.linalg.norm(moved)) == pytest.approx(1, abs=1e-5)
    assert 0.5 < float(moved @ vector) < 0.999


def test_tables_of_zeros_turn_nothing() -> None:
    vector = MiniLM().embed([QUESTION])[0]
    assert turned(vector, np.zeros_like(fitted_tilt())) == pytest.approx(vector, abs=1e-6)


def test_the_fitted_ranking_compares_with_the_turned_question(book: Place) -> None:
    by_likeness = likeness(turned(MiniLM().embed([QUESTION])[0]))
    hits = Memory.open(book).search(QUESTION, today=TODAY, explain=True).hits
    assert len(hits) == len(TURNS)
    weighed = {int(hit.message): hit.components["session_best"] for hit in hits}
    best = max(weighed, key=lambda number: weighed[number])
    for number, component in weighed.items():
        assert component / weighed[best] == pytest.approx(by_likeness[number] / by_likeness[best], abs=1e-3)


@pytest.mark.req("SRCH-2")
def test_the_plain_formula_compares_with_the_question_as_it_is(book: Place) -> None:
    by_likeness = likeness(MiniLM().embed([QUESTION])[0])
    hits = Memory.open(book, settings=PLAIN).search(QUESTION, today=TODAY, explain=True).hits
    for hit in hits:
        assert hit.components["vector"] == pytest.approx(by_likeness[int(hit.message)], abs=1e-3)


def test_the_vectors_of_another_model_are_left_as_they_are(place: Place) -> None:
    memory = opened(place)  # the fake model has other dimensions: turning would fail
    memory.add_message("s", said("1", "kettle harbour"))
    assert [hit.message for hit in memory.search("kettle").hits] == ["1"]


def likeness(question: np.ndarray) -> list[float]:
    """How near each turn is to the question."""
    return [float(vector @ question) for vector in MiniLM().embed(list(TURNS))]


def test_a_vector_of_zeros_stays_one() -> None:
    vector = np.zeros(MiniLM.dimensions, dtype=np.float32)
    assert np.array_equal(turned(vector), vector)


@pytest.mark.parametrize("damage", [b"", b"no table"])
def test_without_its_tables_search_goes_by_words_and_says_so(
    damage: bytes, book: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "queryvector.npy").write_bytes(damage)
    monkeypatch.setattr("commonplace.search.queryvector._FILE", tmp_path / "queryvector.npy")
    fitted_tilt.cache_clear()
    try:
        found = Memory.open(book).search("viola", today=TODAY)
    finally:
        fitted_tilt.cache_clear()
    assert [hit.text for hit in found.hits] == [TURNS[0]]
    assert "queryvector.npy" in found.trouble

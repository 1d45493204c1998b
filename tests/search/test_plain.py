"""The plain formula, worked out by hand."""

from datetime import date, timedelta
from math import exp, log, sqrt

import pytest

from commonplace.config import EmbedderSettings, SearchSettings, Settings
from commonplace.memory import Memory
from commonplace.types import Source
from tests.search.books import PLAIN, TODAY, opened, said
from tests.stores import Place

pytestmark = pytest.mark.req("SRCH-2")
KEYWORDS = Settings(search=SearchSettings(method="plain"), embedder=EmbedderSettings(name="none"))


def bm25(counts: list[int], lengths: list[int], k1: float = 1.2, b: float = 0.75) -> list[float]:
    """The score of each text for one term that stands `counts` times in texts of these lengths."""
    having = sum(1 for count in counts if count)
    rarity = log(1 + (len(counts) - having + 0.5) / (having + 0.5))
    average = sum(lengths) / len(lengths)
    return [
        rarity * count * (k1 + 1) / (count + k1 * (1 - b + b * length / average))
        for count, length in zip(counts, lengths, strict=True)
    ]


@pytest.fixture
def book(place: Place) -> Place:
    """Three turns without dates of their own words: their terms are the date's three, and the text's."""
    memory = opened(place)
    old = TODAY - timedelta(100)
    memory.add_message("a", said("1", "kettle harbour", TODAY))
    memory.add_message("b", said("2", "kettle kettle violin lantern", old))
    memory.add_message("c", said("3", "violin orchard", TODAY + timedelta(30)))
    return place


def test_keywords_alone_have_the_whole_weight(book: Place) -> None:
    memory = Memory.open(book, settings=KEYWORDS)
    found = memory.search("kettle", today=TODAY, explain=True)
    raw = bm25([1, 2, 0], [5, 7, 5])
    best = max(raw)
    by_message = {hit.message: hit for hit in found.hits}
    assert set(by_message) == {"1", "2"}, "a score of zero is left out"
    assert by_message["1"].score == pytest.approx(raw[0] / best, abs=1e-5)
    assert by_message["2"].score == pytest.approx(raw[1] / best * exp(-1), abs=1e-5)
    assert by_message["2"].components["keyword"] == pytest.approx(1.0)
    assert by_message["2"].components["decay"] == pytest.approx(exp(-0.01 * 100), abs=1e-6)
    assert by_message["2"].age_days == 100
    assert by_message["1"].components["vector"] == 0
    assert [hit.message for hit in found.hits] == ["1", "2"]


def test_keyword_and_vector_are_weighted_three_to_seven(book: Place) -> None:
    memory = opened(book, settings=PLAIN)
    found = memory.search("kettle", today=TODAY, explain=True, limit=10)
    raw = bm25([1, 2, 0], [5, 7, 5])
    by_message = {hit.message: hit for hit in found.hits}
    # each word of the fake model is a direction of its own: the cosine is the share of the word in the text
    cosine = {"1": 1 / sqrt(2), "2": 2 / sqrt(6)}
    for number, (id, expected) in enumerate(cosine.items()):
        hit = by_message[id]
        assert hit.components["vector"] == pytest.approx(expected, abs=1e-5)
        assert hit.components["keyword"] == pytest.approx(raw[number] / max(raw), abs=1e-5)
        together = 0.3 * hit.components["keyword"] + 0.7 * hit.components["vector"]
        assert hit.score == pytest.approx(together * hit.components["decay"], abs=1e-5)
        assert hit.score == pytest.approx(hit.components["score"])
    assert "3" not in by_message


def test_the_future_counts_as_today_and_no_date_as_now(book: Place) -> None:
    memory = Memory.open(book, settings=KEYWORDS)
    memory.remember("An orchard", insist=True)
    hits = {hit.message: hit for hit in memory.search("orchard", today=TODAY, explain=True).hits}
    assert hits["3"].components["decay"] == 1
    assert hits["3"].age_days == 0
    assert hits[""].components["decay"] == 1
    assert hits[""].age_days is None


def test_every_figure_is_a_setting(book: Place) -> None:
    search = SearchSettings(method="plain", keyword_weight=1.0, vector_weight=0.0, decay=0.05, k1=2.0, b=0.0, limit=1)
    memory = opened(book, settings=Settings(search=search))
    found = memory.search("kettle", today=TODAY, explain=True)
    raw = bm25([1, 2, 0], [5, 7, 5], k1=2.0, b=0.0)
    assert [hit.message for hit in found.hits] == ["1"]
    assert found.hits[0].score == pytest.approx(raw[0] / raw[1], abs=1e-5)
    hits = memory.search("kettle", today=TODAY, explain=True, limit=2).hits
    assert hits[1].components["decay"] == pytest.approx(exp(-5), abs=1e-6)


def test_a_word_that_is_asked_twice_counts_twice(book: Place) -> None:
    memory = Memory.open(book, settings=KEYWORDS)
    kettle, lantern = bm25([1, 2, 0], [5, 7, 5]), bm25([0, 1, 0], [5, 7, 5])
    scores = [2 * k + v for k, v in zip(kettle, lantern, strict=True)]
    hits = {hit.message: hit for hit in memory.search("kettle lantern kettle", today=TODAY, explain=True).hits}
    assert hits["1"].components["keyword"] == pytest.approx(scores[0] / scores[1], abs=1e-5)


def test_the_best_five_are_returned_and_filters_do_not_change_the_scores(place: Place) -> None:
    memory = opened(place, settings=PLAIN)
    for number in range(9):
        memory.remember(f"Kettle number {number} " + "and more " * number, insist=True)
    memory.log("A kettle in the log", day=date(2026, 11, 1))
    found = memory.search("kettle")
    assert len(found.hits) == 5
    assert [hit.score for hit in found.hits] == sorted((hit.score for hit in found.hits), reverse=True)
    every = {hit.text: hit.score for hit in memory.search("kettle", limit=50).hits}
    only = memory.search("kettle", sources=[Source.DAILY_LOG]).hits
    assert [(hit.text, hit.score) for hit in only] == [("A kettle in the log", every["A kettle in the log"])]

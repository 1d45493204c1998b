"""Measuring search on data of our own."""

import json
from math import log2
from pathlib import Path

import pytest

from commonplace.bench.retrieval import Answer, Ranked, as_json, load, run, table
from commonplace.errors import ValidationError
from commonplace.memory import Memory
from tests.bench.data import Data, small, written
from tests.search.books import opened


def measured(data: Data, folder: Path) -> dict[str, Answer]:
    def open_book(number: int) -> Memory:
        return opened(folder / str(number))

    return {answer.qid: answer for answer in run(data, open_book)}


def test_every_question_is_asked_of_its_own_corpus_as_far_as_it_may_be_searched(tmp_path: Path) -> None:
    answers = measured(load(written(tmp_path / "data.json.gz", small())), tmp_path)
    assert list(answers) == ["q1", "q2", "q3", "q4"]
    assert answers["q1"].ranked[0].turn == "D1:1"
    assert answers["q1"].ranked[0].session == "first session: α"
    assert {place.session for place in answers["q1"].ranked} >= {"first session: α", "third"}
    assert answers["q2"].ranked[0].turn == "D2:1"
    assert "third" not in {place.session for place in answers["q2"].ranked}
    assert {place.session for place in answers["q3"].ranked} == {"first session: α"}
    assert answers["q4"].ranked == (), "no session may be searched"
    scores = [place.score for place in answers["q1"].ranked]
    assert scores == sorted(scores, reverse=True)
    assert not (tmp_path / "1").exists(), "what nobody asks about is not ingested"
    line = json.loads(as_json(answers["q1"]))
    assert line["qid"] == "q1"
    assert set(line["ranked"][0]) == {"session", "turn", "score"}


def test_a_ranking_is_at_least_fifty_deep(tmp_path: Path) -> None:
    turns = [{"tid": f"t{n}", "speaker": "user", "text": f"The kettle number {n} of shelf {n % 7}"} for n in range(120)]
    question = {"qid": "q", "cid": "c", "question": "kettle", "gold_turns": ["t3"], "gold_sessions": ["s"]}
    data: Data = {"corpora": {"c": [{"sid": "s", "date": None, "turns": turns}]}, "questions": [question]}
    (answer,) = measured(data, tmp_path).values()
    assert len(answer.ranked) >= 50
    assert len({place.turn for place in answer.ranked}) == len(answer.ranked)


def test_the_figures_are_those_of_the_textbook() -> None:
    ranked = tuple(Ranked(f"s{n // 2}", f"t{n}", 1 - n / 10) for n in range(8))
    answers = [
        Answer("a", "x", ranked, frozenset({"t1", "t7"}), frozenset({"s0", "s3"})),
        Answer("b", "y", ranked[:1], frozenset({"t9", "t0"}), frozenset()),
        Answer("c", "", (), frozenset({"t1"}), frozenset({"s1"})),
        Answer("d", "y", ranked, frozenset(), frozenset()),
    ]
    rows = table(answers)
    assert {name: row.questions for name, row in rows.items()} == {"all": 4, "x": 1, "y": 2, "-": 1}
    x = rows["x"]
    assert [x.mean(f"turn@{cut}") for cut in (1, 5, 10, 20)] == [0, 0.5, 1, 1]
    assert [x.mean(f"session@{cut}") for cut in (1, 5)] == [0.5, 1]
    assert x.mean("mrr") == 0.5
    assert x.mean("ndcg@10") == pytest.approx((1 / log2(3) + 1 / log2(9)) / (1 + 1 / log2(3)))
    assert rows["y"].mean("ndcg@10") == pytest.approx(1 / (1 + 1 / log2(3))), "what was not found counts"
    assert rows["y"].mean("session@5") is None
    assert rows["-"].mean("mrr") == 0
    assert rows["all"].mean("turn@1") == pytest.approx((0 + 0.5 + 0) / 3)


BROKEN = {
    "nothing": b"",
    "no JSON": b"hello",
    "cut": b"\x1f\x8b\x08\x00",
    "bad zip": b"\x1f\x8b" + bytes(50),
    "a list": b"[1]",
    "other keys": b'{"corpora": {}}',
    "wrong kinds": b'{"corpora": [], "questions": {}}',
    "deep": b"[" * 100_000,
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_file_that_is_no_data_is_a_clean_error(tmp_path: Path, case: str) -> None:
    file = tmp_path / "data.json.gz"
    file.write_bytes(BROKEN[case])
    with pytest.raises(ValidationError):
        load(file)


def test_a_file_that_is_not_there_is_a_clean_error(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing", tmp_path):
        with pytest.raises(ValidationError):
            load(path)


@pytest.mark.parametrize(
    ("part", "key", "value"),
    [
        ("question", "cid", None),
        ("question", "question", None),
        ("question", "gold_turns", 5),
        ("question", "qdate", "yesterday"),
        ("question", "n_sessions", "some"),
        ("session", "sid", None),
        ("session", "date", "yesterday"),
        ("session", "turns", 7),
        ("turn", "text", None),
        ("turn", "speaker", None),
    ],
)
def test_a_field_that_is_missing_or_wrong_is_a_clean_error(tmp_path: Path, part: str, key: str, value: object) -> None:
    data = small()
    session = data["corpora"]["c/1"][0]
    target = {"question": data["questions"][0], "session": session, "turn": session["turns"][0]}[part]
    if value is None:
        del target[key]
    else:
        target[key] = value
    with pytest.raises(ValidationError):
        measured(data, tmp_path)

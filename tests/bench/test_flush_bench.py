"""Measuring what conversations leave behind: a book that lost or invented something fails."""

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from commonplace.bench.flush import (
    ANSWERS,
    ARRIVED,
    BARS,
    JUNK,
    LOGGED,
    NEWER,
    TWICE,
    UNSUPPORTED,
    WAITING,
    Outcome,
    bars,
    grouped,
    interval,
    load,
    run,
)
from commonplace.config import EmbedderSettings, Settings
from commonplace.errors import ValidationError
from commonplace.files import daily
from commonplace.flows.logbook import Logbook
from commonplace.types.keeping import Logged
from tests.bench.data import case_lines

WORDS_ALONE = Settings(embedder=EmbedderSettings(name="none"))
PAGE = Path(__file__).parents[2] / "docs" / "bench-flush.md"
DAY = "2026-03-02T09:1{}:00+01:00"
SAID = "My dog is called Momo and I moved to Basel."
FINE = "## Daily Summary\n- Spoke of Momo\n\n## Long-term Facts\n- [profile] The dog is called Momo"


def case(**changes: Any) -> dict[str, Any]:
    messages = [
        {"role": "user", "text": SAID, "at": DAY.format(0)},
        {"role": "assistant", "text": "A fine name.", "at": DAY.format(1)},
    ]
    session = {"id": "one", "messages": messages, "answers": [FINE]}
    return {"id": "c", "language": "en", "kind": "k", "sessions": [session], "expect": {"kept": ["Momo"]}, **changes}


def outcome_of(folder: Path, record: dict[str, Any]) -> Outcome:
    folder.mkdir(exist_ok=True)
    cases, bad = load(case_lines(folder / "c.jsonl", record))
    assert bad == []
    (outcome,) = run(cases, folder / "books", WORDS_ALONE, None)
    return outcome


def missed(outcome: Outcome) -> list[str]:
    return [check.bar for check in outcome.misses]


def test_a_conversation_that_left_what_it_should_has_no_miss(tmp_path: Path) -> None:
    outcome = outcome_of(tmp_path, case())
    assert missed(outcome) == []
    assert {check.bar for check in outcome.checks} == {ARRIVED, TWICE, LOGGED}


@pytest.mark.parametrize(
    ("expect", "bar"),
    [
        ({"kept": ["Momo", "lives in Basel"]}, ARRIVED),
        ({"kept": []}, UNSUPPORTED),
        ({"absent": ["Momo"]}, UNSUPPORTED),
        ({"absent": [{"text": "Momo", "why": "assistant"}]}, UNSUPPORTED),
        ({"absent": [{"text": "Momo", "why": "junk"}]}, JUNK),
        ({"absent": [{"text": "Momo", "why": "stale"}]}, NEWER),
        ({"kept": ["Momo"], "absent": [{"text": "Spoke of Momo", "why": "echo"}]}, ANSWERS),
        ({"waiting": ["Momo"]}, WAITING),
        ({"kept": ["Momo"], "entries": 0}, TWICE),
        ({"kept": ["Momo"], "entries": 2}, ARRIVED),
    ],
)
def test_what_is_there_and_should_not_be_or_the_other_way_round_is_a_miss(
    tmp_path: Path, expect: dict[str, Any], bar: str
) -> None:
    assert missed(outcome_of(tmp_path, case(expect=expect))) == [bar]


def test_a_fact_that_stands_there_twice_is_a_miss(tmp_path: Path) -> None:
    seeds = ["Momo is a dog of nine years", {"category": "profile", "text": "Walks Momo every evening"}]
    assert TWICE in missed(outcome_of(tmp_path, case(memory=seeds)))


def test_what_must_be_so_between_two_conversations_is_looked_at_then(tmp_path: Path) -> None:
    first = case()["sessions"][0]
    second = {"id": "two", "messages": [{"role": "user", "text": "Bye.", "at": DAY.format(5)}], "answers": [FINE]}
    both = [{**first, "expect": {"absent": ["Momo"]}}, second]
    assert missed(outcome_of(tmp_path, case(sessions=both))) == [UNSUPPORTED]


def test_an_answer_that_is_none_must_not_be_stored_but_what_was_said_may(tmp_path: Path) -> None:
    session = {**case()["sessions"][0], "answers": [{"text": FINE, "bad": "chatter"}]}
    outcome = outcome_of(tmp_path, case(sessions=[session]))
    assert ANSWERS in missed(outcome)
    session = {**session, "answers": [{"text": f"## Daily Summary\n- {SAID}", "bad": "echo"}]}
    assert ANSWERS not in missed(outcome_of(tmp_path / "other", case(sessions=[session], expect={})))


def test_a_model_that_breaks_off_is_asked_again_and_one_that_never_answers_loses_the_messages(tmp_path: Path) -> None:
    session = case()["sessions"][0]
    again = {**session, "answers": [{"text": "## Daily", "fails": True}, {"text": "x", "reason": "refusal"}, FINE]}
    assert missed(outcome_of(tmp_path, case(sessions=[again]))) == []


def test_without_answers_there_is_no_model(tmp_path: Path) -> None:
    session: dict[str, Any] = {**case()["sessions"][0], "answers": []}
    assert missed(outcome_of(tmp_path, case(sessions=[session]))) == [ARRIVED]


@pytest.mark.parametrize(("times", "logged"), [(2, False), (1, True), (0, False)])
def test_a_message_must_be_logged_exactly_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int, logged: bool
) -> None:
    write = daily.with_block

    def faulty(data: bytes | None, *rest: Any) -> bytes:
        for _ in range(times):
            data = write(data, *rest)
        return data or b"# Daily Log\n"

    monkeypatch.setattr(daily, "with_block", faulty)
    outcome = outcome_of(tmp_path, case())
    assert (LOGGED not in missed(outcome)) is logged


def test_a_block_on_another_day_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add = Logbook.add

    def misfiled(self: Logbook, text: str, day: date, *rest: Any) -> Logged:
        return add(self, text, day.replace(day=9), *rest)

    monkeypatch.setattr(Logbook, "add", misfiled)
    assert missed(outcome_of(tmp_path, case())) == [LOGGED, LOGGED]


def test_a_session_that_goes_on_over_midnight_is_one(tmp_path: Path) -> None:
    first = case()["sessions"][0]
    late = [
        {"role": "user", "text": "Still here.", "at": "2026-03-02T23:59:00+01:00"},
        {"role": "assistant", "text": "So am I.", "at": "2026-03-03T00:01:00+01:00"},
        {"role": "tool", "name": "clock", "text": "{}", "at": "2026-03-03T00:02:00+01:00"},
    ]
    again = {"id": "one", "messages": late, "answers": ["## Daily Summary\n- Talked late\n\n## Long-term Facts\nNone"]}
    outcome = outcome_of(tmp_path, case(sessions=[first, again]))
    assert missed(outcome) == []
    assert sum(check.bar == LOGGED for check in outcome.checks) == 4


def test_bars_have_intervals_and_are_met_missed_or_without_a_case(tmp_path: Path) -> None:
    outcomes = [outcome_of(tmp_path / name, case(id=name, expect={"kept": [name]})) for name in ("Momo", "Basel")]
    found = {bar.name: bar for bar in bars(outcomes)}
    assert list(found) == list(BARS)
    assert (found[ARRIVED].wrong, found[ARRIVED].asked, found[ARRIVED].met) == (1, 2, False)
    assert (found[LOGGED].asked, found[LOGGED].met, found[JUNK].met) == (4, True, None)
    assert (found[ARRIVED].low, found[ARRIVED].high) == interval(1, 2)
    assert [len(row) for row in grouped(outcomes, "kind").values()] == [2]
    assert list(grouped(outcomes, "language")) == ["en"]


def test_the_interval_is_wilsons() -> None:
    assert [round(value, 3) for value in interval(0, 100)] == [0.0, 0.037]
    assert [round(value, 3) for value in interval(5, 20)] == [0.112, 0.469]
    assert interval(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ("no JSON", "Expecting value"),
        ([1], "JSON object"),
        (case(sessions=[]), "sessions must not be empty"),
        (case(sessions=[{"id": "x"}]), "no messages"),
        (case(sessions=[{"messages": [{"role": "user", "text": "x"}]}]), "'at' is missing"),
        (case(sessions=[{"messages": [{"role": "user", "text": " ", "at": DAY.format(0)}]}]), "text must be"),
        (case(sessions=[{"messages": [{"role": "user", "text": "x", "at": "yesterday"}]}]), "isoformat"),
        (case(expect={"keep": ["x"]}), "nobody knows"),
        (case(expect={"kept": "x"}), "kept must be a list"),
        (case(expect={"kept": [[]]}), "no wording"),
        (case(expect={"entries": "1"}), "entries must be"),
        (case(memory=[{"category": "kitchen", "text": "x"}]), "kitchen"),
    ],
)
def test_a_line_that_is_no_case_is_told_with_its_number_and_the_rest_is_read(
    tmp_path: Path, broken: object, why: str
) -> None:
    cases, bad = load(case_lines(tmp_path / "c.jsonl", case(), broken, case(id="d")))
    assert [one.id for one in cases] == ["c", "d"]
    assert [line.where for line in bad] == ["c.jsonl:2"]
    assert why in bad[0].why


@pytest.mark.parametrize("answer", [{"text": "x", "bad": "rude"}, {"text": "x", "reason": "boredom"}, {"text": 7}, 7])
def test_an_answer_that_is_none_of_the_known_ones_is_told(tmp_path: Path, answer: object) -> None:
    session = {**case()["sessions"][0], "answers": [answer]}
    assert len(load(case_lines(tmp_path / "c.jsonl", case(), case(sessions=[session])))[1]) == 1


def test_a_file_without_a_case_is_a_clean_error(tmp_path: Path) -> None:
    for file in (tmp_path / "nothing", tmp_path, case_lines(tmp_path / "c", "x")):
        with pytest.raises(ValidationError):
            load(file)


def test_the_line_in_the_document_is_a_case(tmp_path: Path) -> None:
    (line,) = re.findall(r"^```json\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    (read,), bad = load(case_lines(tmp_path / "c.jsonl", json.loads(line)))
    assert (bad, read.expect.entries, read.talks[0].answers[0].bad) == ([], 1, "refusal")

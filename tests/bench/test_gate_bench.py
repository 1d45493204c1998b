"""Measuring the gate on labelled cases."""

import json
from pathlib import Path

import pytest

from commonplace.bench.gating import (
    CLASSES,
    Case,
    Outcome,
    as_json,
    bars,
    by_class,
    by_language,
    interval,
    judge_in,
    load,
    own_files,
    run,
)
from commonplace.config import EmbedderSettings, Settings
from commonplace.errors import ValidationError
from commonplace.types import Entry, Verdict, VerdictKind, Voice
from tests.bench.data import GOOD, case_lines

WORDS_ALONE = Settings(embedder=EmbedderSettings(name="none"))


def verdict(rule: str, existing: str | None = None) -> Verdict:
    entry = None if existing is None else Entry(existing, "Notes", 5)
    return Verdict(VerdictKind.REFUSE if rule else VerdictKind.STORE, rule, existing=entry)


def case(label: str, of: int | None = None) -> Case:
    return Case("x", "en", label, ("Lives in Bern", "Has a cat"), "text", of)


def test_a_case_has_defaults_and_loses_the_mark_inside_secrets(tmp_path: Path) -> None:
    secret = {**GOOD, "class": "secret", "text": "The token is ab⁞cd⁞ef", "source": "user", "requested": True}
    (first, second), bad = load(case_lines(tmp_path / "c.jsonl", GOOD, "", secret))
    assert bad == []
    assert (first.voice, first.requested, first.injected, first.of) == (Voice.ASSISTANT, False, (), None)
    assert (second.text, second.voice, second.requested) == ("The token is abcdef", Voice.USER, True)
    assert (first.where, second.where) == ("c.jsonl:1", "c.jsonl:3")


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ("no JSON", "not JSON"),
        ([1], "not a JSON object"),
        ("[" * 100_000, ""),
        ({**GOOD, "class": "junk"}, "class is 'junk'"),
        ({**GOOD, "class": ["keep"]}, "class is"),
        ({**GOOD, "text": " "}, "text must be"),
        ({**GOOD, "text": 7}, "text must be"),
        ({**GOOD, "memory": "Lives in Bern"}, "memory must be"),
        ({**GOOD, "memory": ["-"]}, "memory must be"),
        ({**GOOD, "injected": [1]}, "injected must be"),
        ({**GOOD, "source": "radio"}, "source is 'radio'"),
        ({**GOOD, "source": ["user"]}, "source is"),
        ({**GOOD, "requested": "yes"}, "requested must be"),
        ({**GOOD, "class": "same_fact"}, "of must be"),
        ({**GOOD, "class": "same_fact", "of": 1}, "of must be"),
        ({**GOOD, "class": "newer_value", "of": True}, "of must be"),
    ],
)
def test_a_line_that_is_no_case_is_told_with_its_number_and_the_rest_is_read(
    tmp_path: Path, broken: object, why: str
) -> None:
    cases, bad = load(case_lines(tmp_path / "c.jsonl", GOOD, broken, {**GOOD, "id": "b"}))
    assert [one.id for one in cases] == ["a", "b"]
    assert [line.where for line in bad] == ["c.jsonl:2"]
    assert why in bad[0].why


def test_a_file_without_a_case_is_a_clean_error(tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b"\xe9")
    for file in (tmp_path / "nothing", tmp_path, tmp_path / "latin", case_lines(tmp_path / "c", "x")):
        with pytest.raises(ValidationError):
            load(file)


@pytest.mark.parametrize(
    ("label", "of", "said", "found", "right"),
    [
        ("keep", None, verdict(""), True, True),
        ("keep", None, verdict("transient"), False, False),
        ("explicit", None, verdict(""), True, True),
        ("same_fact", 0, verdict("same_fact", "Lives in Bern"), True, True),
        ("same_fact", 0, verdict("newer_value", "Lives in Bern"), True, False),
        ("same_fact", 0, verdict("same_fact", "Has a cat"), False, False),
        ("same_fact", 0, verdict("transient"), False, False),
        ("duplicate", 1, verdict("same_fact", "Has a cat"), True, True),
        ("transient", None, verdict("one_off"), True, False),
        ("transient", None, verdict("newer_value", "Has a cat"), False, False),
        ("one_off", None, verdict("echo"), True, False),
        ("secret", None, verdict("secret"), True, True),
        ("secret", None, verdict("instruction"), False, False),
        ("instruction", None, verdict(""), False, False),
    ],
)
def test_an_outcome_is_found_by_a_fitting_rule_on_the_right_entry(
    label: str, of: int | None, said: Verdict, found: bool, right: bool
) -> None:
    outcome = Outcome(case(label, of), said)
    assert (outcome.found, outcome.right) == (found, right)


def test_the_bars_count_what_is_found_and_what_is_a_false_alarm() -> None:
    outcomes = [
        *(Outcome(case("same_fact", 0), verdict("same_fact", "Lives in Bern")) for _ in range(19)),
        Outcome(case("newer_value", 0), verdict("")),
        *(Outcome(case("keep"), verdict("")) for _ in range(98)),
        Outcome(case("keep"), verdict("newer_value", "Has a cat")),
        Outcome(case("keep"), verdict("transient")),
        Outcome(case("explicit"), verdict("")),
        Outcome(case("secret"), verdict("transient")),
    ]
    twins, called, passing, secrets, explicit = bars(outcomes)
    assert (twins.found, twins.asked, twins.alarms, twins.others) == (19, 20, 1, 101)
    assert twins.met
    assert (called.found, called.asked, called.met) == (19, 20, True)
    assert twins.alarms_between == interval(1, 101)
    assert (passing.asked, passing.alarms, passing.others, passing.met) == (0, 1, 120, None)
    assert (secrets.found, secrets.asked, secrets.met) == (0, 1, False)
    assert explicit.met
    assert not bars([*outcomes, Outcome(case("explicit"), verdict("one_off"))])[-1].met
    rows = by_class(outcomes)
    assert list(rows) == [label for label in CLASSES if label in rows]
    assert rows["keep"].rules == {"store": 98, "newer_value": 1, "transient": 1}
    assert by_language(outcomes)["en"].cases == len(outcomes)


def test_cases_are_judged_by_the_gate_with_the_memory_of_each(tmp_path: Path) -> None:
    cases, _ = load(
        case_lines(
            tmp_path / "c.jsonl",
            {
                **GOOD,
                "class": "duplicate",
                "text": "LIVES in Bern, near the river",
                "memory": ["x y", "Lives in Bern, near the river."],
                "of": 1,
            },
            {**GOOD, "class": "keep", "text": "Lives in Bern, near the river"},
            {**GOOD, "class": "third_party", "source": "web"},
            {**GOOD, "class": "explicit", "source": "user", "requested": True, "memory": []},
            {**GOOD, "class": "several_facts", "text": "x" * 6000},
        )
    )
    folder = tmp_path / "book"
    folder.mkdir()
    outcomes = list(run(cases, judge_in(folder, WORDS_ALONE)))
    assert [outcome.rule for outcome in outcomes if outcome.case.label != "keep"] == [
        "duplicate",
        "third_party",
        "",
        "too_long",
    ]
    assert outcomes[0].points_right
    assert outcomes[1].rule != "duplicate", "nothing is left of the case before"
    line = json.loads(as_json(outcomes[0]))
    assert (line["id"], line["class"], line["rule"], line["right"]) == ("a", "duplicate", "duplicate", True)
    assert "Bern" not in as_json(outcomes[0])


def test_our_own_cases_are_whole_and_unique() -> None:
    ids: list[str] = []
    for file in own_files("all"):
        cases, bad = load(file)
        assert bad == []
        ids += [one.id for one in cases]
    assert len(set(ids)) == len(ids)
    assert {file.name for file in own_files("held-out")}.isdisjoint(file.name for file in own_files("tuning"))

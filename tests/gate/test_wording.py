"""Runs of words are worth what labelled texts have taught."""

from collections.abc import Iterable

import pytest

from commonplace.gate.passing import transient
from commonplace.gate.phrases import runs
from commonplace.gate.wording import MARK, read_runs, worth


def test_runs_are_words_pairs_and_triples_with_the_ends() -> None:
    expected = "a|b|^ a|a b|b $|^ a b|a b $".split("|")
    assert runs(["a", "b"]) == {f"{MARK}{run}" for run in expected}


def test_the_table_can_be_searched_and_has_a_number_for_every_run_and_rule() -> None:
    table = read_runs()
    assert table.runs == sorted(set(table.runs))
    assert set(table.numbers) == {"transient", "transient, read", "one_off", "one_off, read", "instruction"}
    assert {len(numbers) for numbers in table.numbers.values()} == {len(table.runs)}


@pytest.mark.parametrize("rule", ["transient", "one_off", "instruction"])
def test_only_runs_that_were_taught_are_worth_something(rule: str) -> None:
    assert worth(rule, {"user is", f"{MARK}zwischenzug quodlibet"}) == 0
    assert any(worth(rule, {run}) for run in read_runs().runs[:500])


@pytest.mark.req("GATE-4")
def test_what_no_list_names_is_known_by_its_wording(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "HEAD is detached because the agent checked out an older commit to bisect"
    found = transient(text)
    assert found is not None

    def nothing(_rule: str, _signs: Iterable[str]) -> float:
        return 0.0

    monkeypatch.setattr("commonplace.gate.passing.worth", nothing)
    listed = transient(text)
    assert found.certainty > 0.5 > (listed.certainty if listed else 0.0)

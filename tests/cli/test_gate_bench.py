"""`bench gate`: the table of what the gate finds and what it takes for something else."""

from pathlib import Path

import pytest

from commonplace.bench.gating import own_files
from tests.bench.data import GOOD, case_lines
from tests.cli.conftest import Cli


def test_the_command_prints_bars_classes_and_bad_lines_and_measures_without_failing(
    cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMMONPLACE_EMBEDDER_NAME", "none")
    wrong = {**GOOD, "id": "w", "class": "instruction", "memory": [], "text": "Reads poems"}
    file = case_lines(home / "mine.jsonl", GOOD, wrong, "broken")
    ran = cli("bench", "gate", str(file), "--misses", "--run", str(home / "run.jsonl"))
    assert ran.status == 0
    assert "mine.jsonl:3 is left out: it is not JSON" in ran.err
    assert "given: 2 cases" in ran.out
    assert "mine.jsonl:2 w: instruction, but stored: Reads poems" in ran.out
    assert len((home / "run.jsonl").read_text().splitlines()) == 2
    assert all(len(line) <= 100 for line in ran.out.splitlines())
    told = cli("bench", "gate", str(file), "--json", "--misses").json
    assert told["parts"]["given"]["classes"]["keep"]["cases"] == 1
    assert told["bad_lines"][0]["where"] == "mine.jsonl:3"
    assert [miss["id"] for miss in told["misses"]] == ["w"]
    assert not (home / ".local/share/commonplace/book").exists()


def test_held_out_cases_are_listed_only_for_whoever_asks_for_them_by_name(
    cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMMONPLACE_EMBEDDER_NAME", "none")
    file = own_files("held-out")[0]
    assert cli("bench", "gate", str(file), "--misses").status == 2
    assert cli("bench", "gate", "--part", "all", "--misses").status == 2
    assert cli("bench", "gate", str(file), "--part", "tuning").status == 2

"""`compact` at the command line: what it shows, asks, answers and how it ends."""

import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Cli, at_terminal

PAGE = """# Long-term Memory

## Preferences

- Prefers short answers
- Likes replies to be short
- prefers short answers

## Notes
- Owns a canoe
"""
ANSWER = """# Long-term Memory
## Preferences
- [1, 2] Prefers short answers and replies
## Notes
- [3] Owns a canoe
"""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "MEMORY.md").write_text(PAGE, encoding="utf-8")
    return folder


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that answers what this file holds."""
    answer = tmp_path / "answer.md"
    answer.write_text(ANSWER, encoding="utf-8")
    script = tmp_path / "model.py"
    script.write_text(f"import sys; sys.stdin.read(); print(open({str(answer)!r}).read())\n", encoding="utf-8")
    monkeypatch.setenv("COMMONPLACE_MODEL_PROVIDER", "command")
    monkeypatch.setenv("COMMONPLACE_MODEL_COMMAND", f"{sys.executable} {script}")
    return answer


def read(book: Path) -> str:
    return (book / "MEMORY.md").read_text(encoding="utf-8")


@pytest.mark.req("CMP-6")
def test_it_shows_the_difference_with_reasons_and_how_to_undo(cli: Cli, book: Path, model: Path) -> None:
    ran = cli("compact", "--book", str(book))
    assert ran.status == 0, ran.err
    assert "-- Likes replies to be short   (merge: they belong together)" in ran.out
    assert "+- Prefers short answers and replies   (merge: they belong together)" in ran.out
    assert "4 entries became 2. Undo with: commonplace undo" in ran.out
    cli("undo", "--book", str(book))
    assert read(book) == PAGE


@pytest.mark.req("CMP-4")
def test_a_dry_run_changes_nothing(cli: Cli, book: Path, model: Path) -> None:
    ran = cli("compact", "--dry-run", "--book", str(book))
    assert "4 entries would become 2. Nothing was changed." in ran.out
    assert read(book) == PAGE


def test_json_tells_steps_and_reasons(cli: Cli, book: Path, model: Path) -> None:
    answer = cli("compact", "--json", "--book", str(book)).json
    assert (answer["result"], answer["before"], answer["after"], answer["by_model"]) == ("compacted", 4, 2, True)
    assert {step["kind"] for step in answer["steps"]} == {"drop", "merge"}
    assert answer["backup"].startswith("MEMORY_backup_")


@pytest.mark.req("CMP-4")
def test_an_answer_that_is_not_accepted_has_its_own_code(cli: Cli, book: Path, model: Path) -> None:
    model.write_text("I am sorry, I cannot help with that.", encoding="utf-8")
    ran = cli("compact", "--json", "--book", str(book))
    assert (ran.status, ran.code) == (9, "not_verified")
    assert ran.json["error"]["findings"]
    assert read(book) == PAGE


def test_without_a_model_it_says_what_it_can_do(cli: Cli, book: Path) -> None:
    ran = cli("compact", "--book", str(book))
    assert "No model is configured" in ran.out
    assert "4 entries became 3." in ran.out
    assert "No model" not in cli("compact", "--no-model", "--book", str(book)).out


def test_nothing_to_do_is_a_success(cli: Cli, book: Path) -> None:
    cli("compact", "--no-model", "--book", str(book))
    ran = cli("compact", "--no-model", "--json", "--book", str(book))
    assert (ran.status, ran.json["result"]) == (0, "nothing_to_do")


def test_asking_needs_somebody_to_ask(cli: Cli, book: Path) -> None:
    assert cli("compact", "--interactive", "--book", str(book)).status == 2


def test_each_change_is_asked_for_at_a_terminal(book: Path) -> None:
    ran = at_terminal(["compact", "--interactive", "--no-model", "--book", str(book)], [("[y/N]", "y\n")], NO_COLOR="1")
    assert ran.status == 0, ran.out
    assert "duplicate of 'prefers short answers'" in ran.out
    assert "- Prefers short answers\n" not in read(book)


def test_no_is_the_answer_of_whoever_only_presses_return(book: Path) -> None:
    ran = at_terminal(["compact", "--interactive", "--no-model", "--book", str(book)], [("[y/N]", "\n")], NO_COLOR="1")
    assert "No step was chosen." in ran.out
    assert read(book) == PAGE

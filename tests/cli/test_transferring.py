"""`import` and `export` at the command line."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.foreign import generators as made
from tests.foreign.test_importing import BEES

pytestmark = pytest.mark.req("CLI-1")


@pytest.fixture
def export(tmp_path: Path) -> str:
    return str(made.chatgpt_zip(tmp_path / "export.zip", [made.chatgpt_conversation(n, BEES) for n in range(2)]))


@pytest.mark.req("IMP-1")
def test_an_import_says_what_came_in_and_what_did_not(cli: Cli, export: str) -> None:
    would = cli("import", export, "--dry-run")
    assert "Nothing was written." in would.out
    assert "8 messages of 2 conversations" in would.out
    ran = cli("import", export)
    assert ran.status == 0, ran
    assert "8 messages of 2 conversations" in ran.out
    assert "Left out, 4: a tool's result" in ran.out
    again = cli("import", export)
    assert "8 came in before." in again.out
    assert "eleven hives" in cli("search", "how many hives").out.lower()


@pytest.mark.req("IMP-1")
def test_an_import_answers_in_json(cli: Cli, export: str) -> None:
    report = cli("import", export, "--json", "--logs").json["report"]
    assert (report["kind"], report["messages"], report["logs"]) == ("chatgpt", 8, 2)
    assert {"why", "count", "places"} == set(report["skipped"][0])
    assert [line.split()[0] for line in cli("log", "list").out.splitlines()] == ["2023-11-15", "2023-11-14"]


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["import", ""], 2),
        (["import", "nowhere.zip"], 3),
        (["import", "--kind", "evernote", "x"], 2),
        (["export", ""], 2),
    ],
)
def test_what_cannot_be_brought_in_ends_with_a_status(cli: Cli, words: list[str], status: int) -> None:
    assert cli(*words).status == status


@pytest.mark.req("EXP-1")
def test_a_book_goes_out_and_comes_back_at_the_command_line(cli: Cli, tmp_path: Path) -> None:
    cli("remember", "Keeps eleven hives near Graz")
    target = str(tmp_path / "book.json")
    assert cli("export", target).out.startswith(f"Wrote {target}: 1 entry, 1 change")
    assert cli("export", target).status == 4
    assert cli("export", target, "--force").status == 0
    other = str(tmp_path / "other")
    cli("init", "--book", other)
    back = cli("import", target, "--book", other)
    assert "The book was empty and is now what the export says" in back.out
    first, second = (cli("history", "--json", *where).json["changes"] for where in ([], ["--book", other]))
    assert [change["id"] for change in first] == [change["id"] for change in second]


@pytest.mark.req("EXP-1")
def test_an_export_goes_to_standard_output_and_names_itself(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("remember", "Keeps eleven hives near Graz")
    assert (
        json.loads(cli("export", "-", "--format", "mem0").out)["results"][0]["memory"] == "Keeps eleven hives near Graz"
    )
    assert cli("export", "-", "--json").status == 2
    monkeypatch.chdir(tmp_path)
    for format in ("json", "mem0", "basic-memory", "openclaw", "claude-memory"):
        assert cli("export", "--format", format).status == 0
    assert len([path for path in tmp_path.iterdir() if path.name.startswith("commonplace-")]) == 5

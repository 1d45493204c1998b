"""`audit` on the command line: findings with lines, a score, and mending that asks."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Cli, at_terminal

TOKEN = "ghp_" + "a1B2c3D4e5F6" * 3
FACT = "Prefers short answers without any small talk"
TEXT = f"# Long-term Memory\n\n## Notes\n\n- {FACT}\n- Has a dog\n- {FACT}.\n- The deploy token is {TOKEN}\n"
ROOT = Path(__file__).parent.parent.parent
BOOK = ".local/share/commonplace/book"


@pytest.fixture(autouse=True)
def words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMMONPLACE_EMBEDDER_NAME", "none")


@pytest.mark.req("GATE-6", "CLI-1")
def test_an_empty_or_clean_book_is_told_so(cli: Cli, home: Path) -> None:
    assert cli("audit").status == 0
    cli("remember", FACT)
    ran = cli("audit")
    assert ran.status == 0
    assert ran.out == f"{home / BOOK}: 1 entry, score 100 of 100\nNothing doubtful was found.\n"


@pytest.mark.req("GATE-6", "CLI-1")
def test_findings_have_lines_reasons_fixes_a_score_and_a_table_and_status_1(cli: Cli, home: Path) -> None:
    file = home / "MEMORY.md"
    file.write_text(TEXT)
    ran = cli("audit", str(file))
    assert ran.status == 1
    assert "MEMORY.md:7  duplicate  Prefers short answers" in ran.out
    assert f"    MEMORY.md:5: {FACT}\n" in ran.out
    assert "MEMORY.md:8  secret  The deploy token is •••" in ran.out
    table = ran.out[ran.out.index(f"{file}: 4 entries, score ") :].splitlines()
    assert [line.split()[0] for line in table[1:]] == ["secrets", "duplicates"]
    assert all(len(line) <= 80 and line.endswith("#") for line in table[1:])
    assert TOKEN not in ran.out
    told = cli("audit", str(file), "--json")
    assert told.status == 1
    assert told.json["counts"] == {"secret": 1, "duplicate": 1}
    assert [(one["kind"], one["where"], one["line"]) for one in told.json["findings"]] == [
        ("duplicate", "MEMORY.md:7", 7),
        ("secret", "MEMORY.md:8", 8),
    ]
    assert told.json["findings"][0]["other"]["line"] == 5
    assert TOKEN not in told.out
    assert file.read_text() == TEXT
    assert list(home.iterdir()) == [file], "reading leaves nothing behind"


@pytest.mark.req("GATE-6")
def test_a_file_is_mended_beside_a_copy_and_what_is_left_is_told(cli: Cli, home: Path) -> None:
    file = home / "MEMORY.md"
    file.write_text(TEXT + "- Has an appointment at the dentist tomorrow\n")
    assert cli("audit", str(file), "--fix", "--json").code == "validation_error", "nobody can be asked"
    ran = cli("audit", str(file), "--fix", "--yes")
    assert ran.status == 1
    assert "-- The deploy token is •••\n+- The deploy token is [secret removed: GitHub token]" in ran.out
    assert "Left for you to decide:\nMEMORY.md:8  stale" in ran.out
    assert TOKEN not in ran.out
    assert TOKEN not in file.read_text()
    assert file.read_text().count(FACT) == 1
    copy = home / "MEMORY.md.before-audit"
    assert copy.read_text().startswith(TEXT)
    assert cli("audit", str(file), "--fix", "--yes").out.startswith("Nothing of this can be mended with certainty.")


def test_a_person_is_shown_the_changes_and_asked(home: Path) -> None:
    file = home / "MEMORY.md"
    file.write_text(TEXT)
    ran = at_terminal(["audit", str(file), "--fix"], [("[y/N]", "n\n")])
    assert ran.status == 1
    assert "Nothing was changed." in ran.out
    assert "\x1b[31m-- " in ran.out
    assert file.read_text() == TEXT
    assert at_terminal(["audit", str(file), "--fix"], [("[y/N]", "y\n")]).status == 0
    assert file.read_text().count(FACT) == 1


@pytest.mark.req("GATE-6")
def test_a_book_is_mended_through_its_history(cli: Cli, home: Path) -> None:
    cli("remember", "Has a brother called Paul")
    memory = home / BOOK / "MEMORY.md"
    before = memory.read_text() + f"- {FACT}\n- {FACT}\n"
    memory.write_text(before)
    (finding,) = cli("audit", "--json").json["findings"]
    assert finding["fix"] == "commonplace audit --fix"
    ran = cli("audit", "--fix", "--yes", "--json")
    assert ran.status == 0
    assert ran.json["fixed"]["backup"].startswith("MEMORY_backup_")
    assert memory.read_text().count(FACT) == 1
    (change, *_) = cli("history", "--json").json["changes"]
    assert (change["id"], change["origin"], change["reason"]) == (ran.json["fixed"]["change"], "person", "audit --fix")
    cli("undo")
    assert memory.read_text() == before


def test_a_book_can_be_named_by_its_folder_or_its_file(cli: Cli, home: Path) -> None:
    other = str(home / "other")
    cli("remember", "The tax return is due by 31 May 2025", "--insist", "--book", other)
    for path in (other, f"{other}/MEMORY.md"):
        (finding,) = [one for one in cli("audit", path, "--json").json["findings"] if one["kind"] == "stale"]
        assert finding["fix"] == f"commonplace forget --book {other} 'The tax return is due by 31 May 2025'"


@pytest.mark.req("GATE-6")
def test_a_folder_and_an_export_of_others_are_audited_too(cli: Cli, home: Path) -> None:
    workspace = home / "workspace"
    (workspace / "memory").mkdir(parents=True)
    (workspace / "MEMORY.md").write_text(TEXT)
    (workspace / "memory/2026-11-14.md").write_text(f"- Used {TOKEN}\n")
    told = cli("audit", str(workspace), "--json").json
    assert told["files"] == ["MEMORY.md", "memory/2026-11-14.md"]
    assert told["counts"] == {"secret": 2, "duplicate": 1}
    assert cli("audit", str(workspace), "--fix", "--yes").status == 0
    assert sorted(file.name for file in (workspace / "memory").iterdir()) == [
        "2026-11-14.md",
        "2026-11-14.md.before-audit",
    ]
    assert not (workspace / ".commonplace").exists()
    export = home / "mem0.json"
    export.write_text(json.dumps({"results": [{"id": "a", "memory": FACT}, {"id": "b", "memory": FACT}]}))
    (finding,) = cli("audit", str(export), "--json").json["findings"]
    assert (finding["index"], finding["id"], finding["where"]) == (1, "b", "mem0.json#1 (b)")


@pytest.mark.parametrize("empty", ["", " "])
def test_an_empty_path_is_a_wrong_call_and_never_the_current_folder(
    cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch, empty: str
) -> None:
    (home / "MEMORY.md").write_text(TEXT)
    monkeypatch.chdir(home)
    ran = cli("audit", empty, "--fix", "--yes")
    assert (ran.status, ran.out) == (2, "")
    assert "PATH is empty." in ran.err
    assert (home / "MEMORY.md").read_text() == TEXT


@pytest.mark.req("GATE-6")
def test_an_export_with_half_a_character_is_mended_and_shown(
    cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COMMONPLACE_EMBEDDER_NAME")
    export = home / "mem0.json"
    half = "\\ud83d"
    export.write_text(
        f'[{{"memory":"Likes tea {half}"}},{{"memory":"likes tea {half}"}},{{"memory":"Wohnt in Köln"}}]',
        encoding="utf-8",
    )
    ran = cli("audit", str(export), "--fix", "--yes")
    assert ran.status == 0
    assert "@@ -1,3 +1,2 @@\n #0 Likes tea \ufffd\n-#1 likes tea \ufffd\n #2 Wohnt in Köln\n" in ran.out
    wanted = f'[{{"memory":"Likes tea {half}"}},{{"memory":"Wohnt in Köln"}}]'
    assert export.read_text(encoding="utf-8") == wanted


@pytest.mark.parametrize(("path", "status"), [("nothing.md", 3), ("empty", 3), ("bad.json", 6)])
def test_a_path_that_cannot_be_audited_has_its_status(cli: Cli, home: Path, path: str, status: int) -> None:
    (home / "empty").mkdir()
    (home / "bad.json").write_text("{")
    assert cli("audit", str(home / path)).status == status


def test_the_example_in_the_documents_runs_as_shown(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMMONPLACE_EMBEDDER_NAME")
    text = (ROOT / "docs/audit.md").read_text(encoding="utf-8")
    (content,) = re.findall(r"^```markdown\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    (session,) = re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    (home / "notes").mkdir()
    (home / "notes/MEMORY.md").write_text(content)
    monkeypatch.chdir(home)
    steps = [step.split("\n", 1) for step in re.split(r"^\$ commonplace ", session, flags=re.MULTILINE)[1:]]
    assert len(steps) == 2
    for line, shown in steps:
        assert cli(*line.split()).out == shown

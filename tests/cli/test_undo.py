"""`history`, `diff`, `undo`, `why`, and the copies: `backup`, `backups`, `restore`."""

from pathlib import Path

import pytest

from tests.cli.conftest import Cli, at_terminal

BOOK = ".local/share/commonplace/book"
FACT = "Prefers answers in short sentences"


@pytest.mark.req("BOOK-6")
def test_history_is_listed_newest_first_and_cut_visibly(cli: Cli, home: Path) -> None:
    assert cli("history").out == "Nothing has been recorded yet.\n"
    for number in range(4):
        cli("remember", f"fact {number}")
    lines = cli("history", "--limit", "2").out.splitlines()
    assert [line.split("  ")[-1] for line in lines] == [
        "Remember in Notes: fact 3",
        "Remember in Notes: fact 2",
        "There are older changes: --all shows them.",
    ]
    assert len(cli("history", "--all").out.splitlines()) == 4
    assert cli("history", "--limit", "2", "--json").json["more"] is True
    assert cli("history", "--limit", "4", "--json").json["more"] is False


def test_history_can_be_narrowed_to_a_file(cli: Cli, home: Path) -> None:
    cli("remember", FACT)
    cli("log", "add", "Met Ada", "--date", "2026-02-28")
    assert len(cli("history", "--file", "daily/2026-02-28.md", "--json").json["changes"]) == 1
    assert cli("history", "--file", "other.md").out == "No recorded change touched other.md.\n"


@pytest.mark.req("BOOK-6")
def test_diff_shows_the_newest_change_a_named_one_and_two(cli: Cli, home: Path) -> None:
    cli("remember", FACT)
    first = cli("history", "--json").json["changes"][0]["id"]
    cli("revise", "short", "plain")
    cli("revise", "plain", "brief")
    newest = cli("diff").out
    assert "\n-- Prefers answers in plain sentences\n+- Prefers answers in brief sentences\n" in newest
    assert newest.startswith("--- a/MEMORY.md\n+++ b/MEMORY.md\n@@ ")
    assert cli("diff", first[:10]).out.startswith("--- /dev/null\n+++ b/MEMORY.md\n")
    last = cli("history", "--json").json["changes"][0]["id"]
    assert "-- Prefers answers in short sentences\n+- Prefers answers in brief" in cli("diff", first, last).out
    assert cli("diff", "ffffffff").status == 3
    assert cli("diff", first, "--json").json["files"][0]["before"] is None


@pytest.mark.req("BOOK-6")
def test_undo_takes_back_the_newest_change_and_then_the_one_before(cli: Cli, home: Path) -> None:
    cli("remember", FACT)
    cli("revise", "short", "plain")
    ran = cli("undo")
    assert ran.out.startswith("Undone: Revise in Notes: Prefers answers in plain sentences\nTo have it back: ")
    assert cli("show", "notes").out == f"- {FACT}\n"
    again = ran.out.split()[-1]
    assert cli("undo", again).status == 0
    assert cli("show", "notes").out == "- Prefers answers in plain sentences\n"


def test_a_conflict_is_shown_and_changes_nothing(cli: Cli, home: Path) -> None:
    cli("remember", FACT)
    cli("revise", "short", "plain")
    change = cli("history", "--json").json["changes"][0]["id"]
    cli("revise", "plain", "brief")
    ran = cli("undo", change)
    assert ran.status == 4
    assert "it now is" in ran.err
    assert cli("show", "notes").out == "- Prefers answers in brief sentences\n"


def test_there_may_be_nothing_to_undo(cli: Cli, home: Path) -> None:
    assert cli("undo").status == 3
    assert cli("undo", "no-change").status == 3


@pytest.mark.req("BOOK-6")
def test_why_tells_when_by_whom_and_from_which_conversation(cli: Cli, home: Path) -> None:
    cli("remember", FACT, "--origin", "tool", "--session", "s-17", "--reason", "asked for")
    cli("revise", "short", "plain")
    out = cli("why", "plain", "sentences").out
    assert out.splitlines()[:2] == ["Prefers answers in plain sentences", "  in MEMORY.md, line 15"]
    assert "person" in out.splitlines()[2]
    assert "tool" in out.splitlines()[3]
    assert "    session: s-17\n    reason: asked for\n" in out
    assert [change["origin"] for change in cli("why", "plain", "--json").json["changes"]] == ["person", "tool"]
    assert cli("why", "nothing").status == 3


@pytest.mark.req("BOOK-6")
def test_an_edit_by_hand_is_recorded_as_the_persons(cli: Cli, home: Path) -> None:
    cli("remember", FACT, "--origin", "tool")
    file = home / BOOK / "MEMORY.md"
    file.write_text(file.read_text() + "- Added by hand\n")
    newest = cli("history", "--json").json["changes"][0]
    assert (newest["origin"], newest["summary"]) == ("person", "Edit MEMORY.md by hand")
    cli("remember", "Has a cat called Miso")
    assert "- Added by hand\n- Has a cat called Miso\n" in file.read_text()


@pytest.mark.req("CMP-2")
def test_backups_are_listed_newest_first_and_restored_with_a_backup_first(cli: Cli, home: Path) -> None:
    assert cli("backup").out == "The memory is empty; there is nothing to back up.\n"
    assert cli("backups").out.startswith("There is no backup yet.")
    assert cli("restore", "latest", "--yes").status == 3
    cli("remember", FACT)
    names = [cli("backup", "--json").json["backup"]["name"] for _ in range(3)]
    assert len(set(names)) == 3
    assert [copy["name"] for copy in cli("backups", "--json").json["backups"]] == names[::-1]
    before = (home / BOOK / "MEMORY.md").read_bytes()
    cli("revise", "short", "plain")
    ran = cli("restore", "latest", "--yes", "--json").json
    assert ran["backup"] == names[-1]
    assert (home / BOOK / "MEMORY.md").read_bytes() == before
    assert "plain" in (home / BOOK / "backups" / ran["saved_as"]).read_text()


@pytest.mark.req("CMP-2")
def test_a_restore_is_asked_for_and_needs_a_backup_with_something_in_it(cli: Cli, home: Path) -> None:
    cli("remember", FACT)
    cli("backup")
    cli("revise", "short", "plain")
    assert cli("restore", "latest").status == 2
    assert at_terminal(["restore", "latest"], [("[y/N]", "\n")]).status == 1
    assert "plain" in cli("show").out
    assert at_terminal(["restore", "latest"], [("[y/N]", "yes\n")]).status == 0
    assert "short" in cli("show").out
    (home / BOOK / "backups" / "MEMORY_backup_2030-01-01_00-00-00.md").write_text("  \n")
    assert cli("restore", "MEMORY_backup_2030-01-01_00-00-00.md", "--yes").status == 2
    assert cli("restore", "MEMORY_backup_2031-01-01_00-00-00.md", "--yes").status == 3
    assert cli("restore", "../MEMORY.md", "--yes").status == 3
    assert "short" in cli("show").out

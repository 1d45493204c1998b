"""`forget`: one entry, or every trace."""

from pathlib import Path

import pytest

from tests.cli.conftest import Cli, at_terminal

BOOK = ".local/share/commonplace/book"
FACT = "The surprise for Ada is a swordfish"


def everything_in(folder: Path) -> bytes:
    return b"\n".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def test_a_whole_entry_is_forgotten_and_can_be_brought_back(cli: Cli, home: Path) -> None:
    cli("remember", FACT)
    ran = cli("forget", FACT)
    assert (ran.status, ran.out) == (0, f"Forgotten: {FACT}\nIt is still in the history: commonplace undo\n")
    assert cli("undo").status == 0
    assert cli("show", "notes").out == f"- {FACT}\n"


def test_part_of_an_entry_is_not_enough_without_a_terminal(cli: Cli, home: Path) -> None:
    cli("remember", FACT)
    ran = cli("forget", "swordfish")
    assert ran.status == 2
    assert FACT in ran.err
    assert "--yes" in ran.err
    assert cli("show", "notes").out == f"- {FACT}\n"


def test_part_of_an_entry_is_enough_with_yes(cli: Cli, home: Path) -> None:
    cli("remember", FACT)
    assert cli("forget", "swordfish", "--yes").status == 0
    assert cli("show", "notes").out == "Notes has no entries.\n"


def test_at_a_terminal_the_entry_is_shown_and_asked_for(cli: Cli, home: Path) -> None:
    cli("remember", FACT)
    declined = at_terminal(["forget", "swordfish"], [("[y/N]", "n\n")])
    assert declined.status == 1
    assert FACT in declined.out
    assert "Nothing was changed." in declined.out
    agreed = at_terminal(["forget", "swordfish"], [("[y/N]", "y\n")])
    assert agreed.status == 0
    assert cli("show", "notes").out == "Notes has no entries.\n"


def test_a_dry_run_changes_nothing(cli: Cli, home: Path) -> None:
    cli("remember", FACT)
    assert cli("forget", FACT, "--dry-run").out == f"Would be forgotten: {FACT}\n"
    assert cli("forget", "swordfish", "--everywhere", "--dry-run").status == 0
    assert cli("show", "notes").out == f"- {FACT}\n"


def test_what_is_not_there_cannot_be_forgotten(cli: Cli, home: Path) -> None:
    assert cli("forget", "nothing like it").status == 3
    assert cli("forget", "nothing like it", "--everywhere").status == 3
    cli("remember", "one red fish")
    cli("remember", "two red fish", "--insist")
    assert cli("forget", "red fish").status == 4
    assert cli("forget", " ").status == 2


@pytest.mark.req("BOOK-7")
def test_forgetting_everywhere_says_what_goes_and_proves_that_it_went(cli: Cli, home: Path) -> None:
    cli("remember", FACT, "--reason", "swordfish again")
    cli("remember", "Has a cat")
    cli("log", "add", "We talked about the swordfish at length")
    cli("backup")
    cli("forget", FACT)
    ran = cli("forget", "swordfish", "--everywhere", "--yes")
    assert ran.status == 0
    assert "daily/" in ran.out
    assert "backups/MEMORY_backup_" in ran.out
    assert "it will be: We talked about the [forgotten] at length" in ran.out
    assert "recorded changes will be rewritten" in ran.out
    assert "0 copies are left" in ran.out
    assert b"swordfish" not in everything_in(home)
    assert cli("show", "notes").out == "- Has a cat\n"
    assert cli("doctor").status == 0


def test_forgetting_everywhere_is_not_done_unasked(cli: Cli, home: Path) -> None:
    cli("remember", FACT)
    ran = cli("forget", "swordfish", "--everywhere")
    assert ran.status == 2
    assert "will be rewritten" in ran.out
    assert cli("show", "notes").out == f"- {FACT}\n"


@pytest.mark.req("BOOK-7")
def test_what_could_not_be_removed_is_listed_and_is_a_failure(cli: Cli, home: Path) -> None:
    cli("remember", FACT)
    (home / BOOK / "swordfish.txt").write_text("in the name only\n")
    ran = cli("forget", "swordfish", "--everywhere", "--yes")
    assert ran.status == 1
    assert "swordfish.txt" in ran.err
    told = cli("forget", "swordfish", "--everywhere", "--yes", "--json")
    assert (told.status, told.code) == (1, "left_over")
    assert told.json["error"]["left"] == ["swordfish.txt"]


@pytest.mark.req("BOOK-7")
def test_a_word_of_an_entry_takes_the_whole_entry_or_only_itself_if_asked(cli: Cli, home: Path) -> None:
    cli("remember", "Lives in Lisbon with Ada")
    cli("log", "add", "Lisbon was sunny")
    planned = cli("forget", "Lisbon", "--everywhere", "--dry-run")
    assert "it will be: (gone)" in planned.out
    assert cli("forget", "Lisbon", "--everywhere", "--yes").status == 0
    assert cli("show", "notes").out == "Notes has no entries.\n"
    assert "[forgotten] was sunny" in cli("log", "show").out
    cli("remember", "Lives in Porto with Ada")
    assert cli("forget", "Porto", "--everywhere", "--only-words", "--yes").status == 0
    assert cli("show", "notes").out == "- Lives in [forgotten] with Ada\n"
    assert cli("forget", "Ada", "--only-words").status == 2


@pytest.mark.req("BOOK-7")
def test_a_damaged_history_is_told_and_dropped_by_forgetting(cli: Cli, home: Path) -> None:
    for text in (FACT, "Has a cat", "Plays the cello"):
        cli("remember", text)
    objects = home / BOOK / ".commonplace/history.git/objects"
    oldest = min((path for path in objects.glob("??/*")), key=lambda path: path.stat().st_mtime_ns)
    oldest.write_bytes(b"torn")
    doctor = cli("doctor")
    assert doctor.status == 1
    assert "forget TEXT --everywhere" in doctor.out
    ran = cli("forget", FACT, "--everywhere", "--yes")
    assert ran.status == 0
    assert "cannot be read" in ran.out
    assert cli("doctor").status == 0

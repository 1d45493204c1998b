"""`move`, `protect`, `unprotect`, and looking back: `show --on`, `restore --dry-run`."""

from pathlib import Path

import pytest

from tests.cli.conftest import Cli

FACT = "Prefers answers in short sentences"


@pytest.mark.req("CLI-1", "UI-2")
def test_an_entry_moves_to_another_section_and_back_by_undo(cli: Cli, home: Path) -> None:
    cli("remember", FACT)
    assert cli("move", "short sentences", "Style").out == f"Moved to Style: {FACT}\n"
    assert cli("show", "Style").out == f"- {FACT}\n"
    assert cli("move", FACT, "style").out == "It is there already.\n"
    cli("undo")
    assert cli("show", "notes").out == f"- {FACT}\n"
    assert cli("move", "nothing like that", "Style").status == 3
    assert cli("move", FACT, " ").status == 2


@pytest.mark.req("CLI-1", "GATE-5")
def test_a_protected_entry_is_not_changed_by_an_agent_and_an_unprotected_one_is(cli: Cli, home: Path) -> None:
    cli("remember", FACT)
    assert cli("protect", FACT).out == f"Protected: User requested: {FACT}\n"
    assert cli("protect", FACT, "--json").json["result"] == "unchanged"
    assert cli("forget", FACT, "--origin", "tool").status == 10
    cli("inbox", "reject", "all")
    assert cli("unprotect", FACT).out == f"No longer protected: {FACT}\n"
    assert cli("forget", FACT, "--origin", "tool").status == 0


@pytest.mark.req("CLI-1", "UI-2")
def test_the_memory_is_shown_as_it_was_and_a_backup_before_it_is_restored(cli: Cli, home: Path) -> None:
    cli("remember", FACT)
    cli("backup")
    cli("remember", "Plays the cello in an orchestra")
    assert cli("show", "--on", "2001-01-01").out == "The history does not reach back to 2001-01-01.\n"
    assert cli("show", "--on", "2999-01-01").out == cli("show").out
    assert cli("show", "--on", "someday").status == 2
    assert "\n-- Plays the cello in an orchestra\n" in cli("restore", "latest", "--dry-run").out
    assert "cello" in cli("show").out
    assert cli("restore", "latest", "--dry-run", "--json").json["diff"]["name"] == "MEMORY.md"


@pytest.mark.req("CLI-1", "UI-2")
def test_what_waits_is_accepted_in_the_persons_own_words(cli: Cli, home: Path) -> None:
    cli("remember", "--source", "web", "The museum is closed on Mondays")
    assert cli("inbox", "accept", "all", "--text", "No").status == 2
    word = cli("inbox", "--json").json["waiting"][0]["id"]
    assert cli("inbox", "accept", word, "--text", "The museum closes on Mondays and Tuesdays").status == 0
    assert cli("show", "notes").out == "- The museum closes on Mondays and Tuesdays\n"

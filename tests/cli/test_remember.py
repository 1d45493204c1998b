"""`remember` and `revise` on the command line."""

import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Cli

BOOK = ".local/share/commonplace/book"
FACT = "Prefers answers in short sentences"


def memory(home: Path) -> str:
    return (home / BOOK / "MEMORY.md").read_text(encoding="utf-8")


@pytest.mark.req("BOOK-4")
def test_the_first_entry_builds_the_document_and_says_where_the_book_is(cli: Cli, home: Path) -> None:
    ran = cli("remember", FACT, "--category", "preferences")
    assert ran.status == 0
    assert ran.out == f"A new book begins in {home / BOOK}\nSaved in Preferences: {FACT}\n"
    assert memory(home).startswith("# Long-term Memory\n")
    assert f"## Preferences\n\n- {FACT}\n\n## Interests" in memory(home)


def test_words_without_quotes_are_one_entry(cli: Cli, home: Path) -> None:
    cli("remember", "likes", "night", "trains")
    assert "\n- likes night trains\n" in memory(home)


def test_a_dash_reads_the_text_from_standard_input(cli: Cli, home: Path) -> None:
    cli("remember", "-", stdin="Zażółć gęślą jaźń\n".encode())
    assert "- Zażółć gęślą jaźń\n" in memory(home)


def test_a_text_that_begins_with_a_dash_can_follow_two_dashes(cli: Cli, home: Path) -> None:
    assert cli("remember", "--", "--json is a good option").status == 0
    assert "- --json is a good option\n" in memory(home)
    ran = cli("remember", "- Plays the cello")
    assert ran.status == 2
    assert "commonplace remember -- TEXT" in ran.err
    assert cli("remember", "--", "- Plays the cello").status == 0
    assert "\n- Plays the cello\n" in memory(home)


@pytest.mark.req("BOOK-4")
def test_a_section_of_ones_own_is_made_when_it_is_missing(cli: Cli, home: Path) -> None:
    cli("remember", "Likes tea", "--section", "Kitchen")
    cli("remember", "Likes scones", "--section", "kitchen")
    assert memory(home).endswith("## Kitchen\n\n- Likes tea\n- Likes scones\n")


def test_a_duplicate_is_shown_with_its_line_and_what_to_do(cli: Cli, home: Path) -> None:
    cli("remember", FACT)
    before = memory(home)
    ran = cli("remember", FACT.upper())
    assert ran.status == 4
    assert "MEMORY.md line 15 (Notes)" in ran.err
    assert FACT in ran.err
    assert "revise" in ran.err
    assert "--insist" in ran.err
    assert memory(home) == before
    told = cli("remember", FACT, "--json")
    assert (told.status, told.code) == (4, "duplicate_detected")
    assert told.json["error"]["existing"] == {"text": FACT, "section": "Notes", "line": 15}


def test_nobody_is_told_to_insist_where_it_is_no_use(cli: Cli, home: Path) -> None:
    secret = "The deploy token is ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    assert "--insist" in cli("remember", secret).err
    assert "--insist" not in cli("remember", secret, "--origin", "tool").err
    cli("remember", FACT)
    told = cli("revise", FACT, secret).err
    assert "--insist" not in told
    assert "by hand" in told


def test_insisting_saves_a_duplicate(cli: Cli, home: Path) -> None:
    cli("remember", FACT)
    assert cli("remember", FACT, "--insist").status == 0
    assert memory(home).count(FACT) == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("remember",),
        ("remember", ""),
        ("remember", "x" * 5001),
        ("remember", "x", "--category", "diary"),
        ("remember", "x", "--category", "notes", "--section", "Kitchen"),
        ("remember", "x", "--section", " "),
        ("remember", "x", "--origin", "nobody"),
        ("revise", "x"),
        ("revise", "", "x"),
    ],
)
def test_what_cannot_be_stored_is_refused_and_makes_no_book(cli: Cli, home: Path, arguments: tuple[str, ...]) -> None:
    ran = cli(*arguments)
    assert ran.status == 2
    assert ran.out == ""
    assert ran.err.startswith("error: ")
    assert "\nhint: " in ran.err


def test_revising_shows_before_and_after(cli: Cli, home: Path) -> None:
    cli("remember", FACT)
    ran = cli("revise", FACT, "Prefers long letters")
    assert (ran.status, ran.out) == (0, f"Was: {FACT}\nNow: Prefers long letters\n")
    assert "- Prefers long letters\n" in memory(home)
    assert FACT not in memory(home)


def test_words_of_an_entry_can_be_revised(cli: Cli, home: Path) -> None:
    cli("remember", FACT)
    cli("revise", "short", "plain")
    assert "- Prefers answers in plain sentences\n" in memory(home)


@pytest.mark.req("TOOL-4")
def test_revising_needs_exactly_one_match_and_a_difference(cli: Cli, home: Path) -> None:
    cli("remember", "one red fish")
    cli("remember", "two red fish", "--insist")
    assert cli("revise", "blue fish", "x").status == 3
    ambiguous = cli("revise", "red fish", "x", "--json")
    assert (ambiguous.status, ambiguous.code) == (4, "ambiguous_match")
    assert cli("revise", "one red fish", "one red fish").status == 2


@pytest.mark.req("TOOL-4")
def test_no_entry_is_revised_into_another_one(cli: Cli, home: Path) -> None:
    cli("remember", "Lives in Bern")
    cli("remember", "Has a cat called Miso")
    before = memory(home)
    ran = cli("revise", "Lives in Bern", "has a cat called  Miso.")
    assert (ran.status, memory(home)) == (4, before)
    assert "Has a cat called Miso" in ran.err
    assert "commonplace forget OLD" in ran.err
    assert cli("revise", "Lives in Bern", "Has a cat called Miso", "--json").code == "duplicate_detected"
    assert cli("revise", "Has a cat called Miso", "Has a CAT called Miso").status == 0  # itself, in another spelling


def test_revising_to_nothing_forgets_the_entry(cli: Cli, home: Path) -> None:
    cli("remember", FACT)
    ran = cli("revise", FACT, "")
    assert ran.out.startswith(f"Forgotten: {FACT}\n")
    assert memory(home).endswith("## Notes\n")


@pytest.mark.req("BOOK-6")
def test_who_asked_why_and_in_which_conversation_is_recorded(cli: Cli, home: Path) -> None:
    cli("remember", FACT, "--origin", "tool", "--session", "s-17", "--reason", "asked for")
    cli("revise", "short", "plain")
    newest, oldest = cli("history", "--json").json["changes"]
    assert newest["origin"] == "person"
    assert (oldest["origin"], oldest["session"], oldest["reason"]) == ("tool", "s-17", "asked for")


@pytest.mark.req("GATE-1")
def test_the_command_that_is_printed_loses_no_fact_when_it_is_copied(cli: Cli) -> None:
    cli("remember", "my partner is Elif, she teaches Dutch")
    cli("remember", "Rent is 900 euros, the landlord is Mr Baumann")
    for text in ("Elif and I are trying to adopt", "Rent is 950 euros"):
        said = cli("remember", text)
        assert said.status == 4
        command = next(line for line in said.err.splitlines() if "commonplace revise" in line)
        assert cli(*shlex.split(command[command.index("commonplace revise") :])[1:]).status == 0
    shown = cli("show").out
    assert "- my partner is Elif, she teaches Dutch; Elif and I are trying to adopt" in shown
    assert "- Rent is 950 euros, the landlord is Mr Baumann" in shown

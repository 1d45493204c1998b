"""`tour`: the first use, again, and without a terminal."""

from pathlib import Path

import pytest

from tests.cli.conftest import Cli, at_terminal

BOOK = ".local/share/commonplace/book"


def test_without_a_terminal_it_explains_itself_and_changes_nothing(cli: Cli, home: Path) -> None:
    ran = cli("tour")
    assert ran.status == 0
    assert str(home / BOOK) in ran.out
    assert "commonplace remember" in ran.out
    assert not (home / ".local").exists()
    assert cli("tour", "--json").json["stats"] is None


def test_the_first_use_remembers_shows_revises_and_undoes(cli: Cli, home: Path) -> None:
    ran = at_terminal(
        ["tour"],
        [
            ("> ", "I prefer short answers\n"),
            ("> ", "I prefer very short answers\n"),
            ("> ", "y\n"),
        ],
    )
    assert ran.status == 0
    assert str(home / BOOK / "MEMORY.md") in ran.out
    assert "That was the tour." in ran.out
    assert cli("show", "notes").out == "- I prefer short answers\n"
    assert len(cli("history", "--json").json["changes"]) == 3


@pytest.mark.parametrize("leave", ["\n", "s\n", "\x04", "\x03"])
def test_it_can_be_left_at_once_and_nothing_is_changed(cli: Cli, home: Path, leave: str) -> None:
    ran = at_terminal(["tour"], [("> ", leave)])
    assert ran.status == 0
    assert "What you can do next" in ran.out
    assert not (home / BOOK).exists()


@pytest.mark.parametrize("leave", ["\n", "\x04", "\x03"])
def test_it_can_be_left_after_the_first_step(cli: Cli, home: Path, leave: str) -> None:
    ran = at_terminal(["tour"], [("> ", "I prefer short answers\n"), ("> ", leave)])
    assert ran.status == 0
    assert cli("show", "notes").out == "- I prefer short answers\n"


def test_a_slip_of_the_pen_does_not_end_it(cli: Cli, home: Path) -> None:
    ran = at_terminal(
        ["tour"],
        [
            ("> ", "I prefer short answers\n"),
            ("> ", "I prefer short answers\n"),
            ("> ", "I like trains\n"),
            ("> ", "\n"),
        ],
    )
    assert ran.status == 0
    assert cli("show", "notes").out == "- I like trains\n"


def test_run_again_it_shows_the_book_and_asks_nothing(cli: Cli, home: Path) -> None:
    cli("remember", "I prefer short answers")
    before = (home / BOOK / "MEMORY.md").read_bytes()
    ran = at_terminal(["tour"], [])
    assert ran.status == 0
    assert "1 entry, 0 daily logs and 1 recorded change." in ran.out
    assert "- I prefer short answers" in ran.out
    assert (home / BOOK / "MEMORY.md").read_bytes() == before

"""`show`, `sections`, `stats` and `log`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Cli

BOOK = ".local/share/commonplace/book"


def test_an_empty_book_says_how_to_begin(cli: Cli, home: Path) -> None:
    assert cli("show").out == f'The memory in {home / BOOK} is empty. Begin it: commonplace remember "…"\n'
    assert not (home / BOOK).exists()


@pytest.mark.req("BOOK-4")
def test_a_section_is_found_by_title_beginning_or_category(cli: Cli, home: Path) -> None:
    cli("remember", "Ada", "--category", "profile")
    for word in ("User Profile", "user profile", "user", "profile"):
        assert cli("show", word).out == "- Ada\n"
    missing = cli("show", "Kitchen")
    assert missing.status == 3
    assert "User Profile, Preferences, Interests" in missing.err


def test_sections_are_counted(cli: Cli, home: Path) -> None:
    cli("remember", "Ada", "--category", "profile")
    assert cli("sections").out.splitlines()[0] == "    1  User Profile"
    assert [section["title"] for section in cli("sections", "--json").json["sections"]][-1] == "Notes"


def test_raw_gives_the_bytes_of_the_file(cli: Cli, home: Path) -> None:
    book = home / "mine"
    book.mkdir()
    data = b"\xef\xbb\xbf# Mine\r\n\r\n- caf\xe9 \x1b[2Jgone\r\n- no newline"
    (book / "MEMORY.md").write_bytes(data)
    command = [sys.executable, "-m", "commonplace", "show", "--raw", "--book", str(book)]
    assert subprocess.run(command, capture_output=True, check=True, env=os.environ).stdout == data
    assert cli("show", "--raw", "--json", "--book", str(book)).status == 2


def test_bytes_that_are_no_text_and_escape_sequences_cannot_reach_the_terminal(cli: Cli, home: Path) -> None:
    book = home / "mine"
    book.mkdir()
    (book / "MEMORY.md").write_bytes(b"## Notes\n\n- caf\xe9 \x1b[2Jgone\n")
    assert cli("show", "--book", str(book)).out == "## Notes\n\n- caf\ufffd ␛[2Jgone\n"
    assert (
        cli("show", "--json", "--book", str(book)).json["sections"][0]["entries"][0]["text"] == "caf\ufffd \x1b[2Jgone"
    )


def test_a_file_in_another_encoding_is_an_error_that_says_how_to_convert_it(cli: Cli, home: Path) -> None:
    book = home / "mine"
    book.mkdir()
    (book / "MEMORY.md").write_text("# Mine\n", encoding="utf-16")
    ran = cli("show", "--book", str(book))
    assert ran.status == 6
    assert "iconv" in ran.err


def test_statistics_count_what_there_is(cli: Cli, home: Path) -> None:
    cli("remember", "Ada")
    cli("log", "add", "Met Ada")
    counts = cli("stats", "--json").json["stats"]
    assert (counts["entries"], counts["logs"], counts["changes"], counts["backups"]) == (1, 1, 2, 0)
    assert "        1  daily logs\n" in cli("stats").out


@pytest.mark.req("UI-1", "S9")
def test_what_the_gate_kept_out_is_counted_by_rule_and_no_word_of_it_is_kept(cli: Cli, home: Path) -> None:
    cli("remember", "Likes green tea")
    assert cli("stats", "--json").json["gate"] == {}
    cli("remember", "Likes green tea")
    cli("remember", "The password of the router is Xk9-Vortex-41", "--origin", "tool")
    cli("remember", "The password of the router is Xk9-Vortex-41", "--origin", "tool")
    assert cli("stats", "--json").json["gate"] == {"known duplicate": 1, "refused secret": 2}
    assert "        2  by the gate: refused secret\n" in cli("stats").out
    kept = (home / BOOK / ".commonplace/state/verdicts.json").read_text(encoding="utf-8")
    assert "router" not in kept
    (home / BOOK / ".commonplace/state/verdicts.json").write_text("[torn", encoding="utf-8")
    assert cli("stats", "--json").json["gate"] == {}


@pytest.mark.req("BOOK-2")
def test_logs_are_added_listed_newest_first_and_shown(cli: Cli, home: Path) -> None:
    assert cli("log").out.startswith("There is no log yet.")
    assert cli("log", "show").status == 3
    cli("log", "add", "Came", "back", "--date", "2026-02-28", "--session", "s1")
    cli("log", "add", "-", "--date", "2026-03-01", stdin=b"Left again\n")
    assert cli("log").out == cli("log", "list").out == "2026-03-01\n2026-02-28\n"
    assert cli("log", "show").out == "# Daily Log 2026-03-01\n\nLeft again\n\n---\n"
    counts = cli("stats", "--json").json["stats"]
    files = [path for path in (home / BOOK).rglob("*.md") if ".commonplace" not in path.parts]
    assert (counts["logs"], counts["bytes"]) == (2, sum(path.stat().st_size for path in files))
    assert cli("log", "show", "2026-02-28", "--json").json == {
        "date": "2026-02-28",
        "file": "daily/2026-02-28.md",
        "text": "# Daily Log 2026-02-28\n\nCame back\n\n---\n",
    }


@pytest.mark.parametrize("word", ["yesterday", "2026-02-30", "../MEMORY", ""])
def test_a_log_is_named_by_a_date_and_nothing_else(cli: Cli, home: Path, word: str) -> None:
    assert cli("log", "show", word).status == 2
    assert cli("log", "add", "x", "--date", word).status == 2
    assert cli("log", "show", "2026-02-28").status == 3

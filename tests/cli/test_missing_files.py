"""A book whose files are gone, as every command that reads tells it."""

import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Cli

BOOK = ".local/share/commonplace/book"


@pytest.mark.req("R11", "CLI-1")
def test_every_command_that_reads_says_what_is_missing(cli: Cli, home: Path) -> None:
    cli("remember", "Likes green tea")
    cli("log", "add", "Talked about tea")
    (home / BOOK / "MEMORY.md").unlink()
    shutil.rmtree(home / BOOK / "daily")
    for command in (
        ("show",),
        ("show", "--raw"),
        ("show", "notes"),
        ("sections",),
        ("search", "tea"),
        ("recall", "tea"),
        ("stats",),
        ("ask", "What do I like?"),
        ("log", "list"),
        ("sessions",),
        ("inbox",),
        ("audit",),
        ("history",),
        ("why", "tea"),
        ("reindex",),
    ):
        ran = cli(*command)
        assert ran.status == 7, (command, ran)
        assert "--bring-back" in ran.err, command
    doctor = cli("doctor")
    assert doctor.status == 1
    assert "All 2 files" in doctor.out
    assert cli("doctor", "--bring-back").status == 0
    assert "Likes green tea" in cli("show").out
    assert cli("doctor").status == 0

"""The skill is valid by the rules of Agent Skills, and what it tells an agent to use is there."""

import re
import shlex
from pathlib import Path

import click
import pytest
from skills_ref import validate  # pyright: ignore[reportMissingTypeStubs] it has none

from commonplace.cli.root import commonplace
from commonplace.skills import FILE, NAME, skill
from commonplace.tools.table import TOOLS
from commonplace.types import Category
from tests.cli.conftest import Ran, started

CODES = {
    "duplicate_detected", "same_fact", "newer_value", "transient", "one_off", "echo", "several_facts", "secret",
    "third_party", "instruction",
}  # fmt: skip


def commands() -> list[list[str]]:
    """Every command line that the skill shows."""
    return [shlex.split(line) for line in re.findall(r"`(commonplace [^`]*)`", skill())]


def named(words: list[str]) -> click.Command:
    """The command that a line calls."""
    command: click.Command = commonplace
    context = click.Context(commonplace)
    for word in words[1:]:
        below = command.get_command(context, word) if isinstance(command, click.Group) else None
        if below is None:
            break
        command = below
    return command


def run(*arguments: str) -> Ran:
    done = started(*arguments)
    return Ran(done.returncode, done.stdout, done.stderr)


@pytest.mark.req("TOOL-7")
def test_the_skill_is_valid_by_the_rules_of_agent_skills(home: Path) -> None:
    assert run("skill", "--into", str(home / "skills")).status == 0
    assert validate(home / "skills" / NAME) == []


@pytest.mark.req("TOOL-7")
def test_the_skill_is_short_enough_to_be_read() -> None:
    assert len(skill().splitlines()) < 150
    assert len(skill()) / 4 < 5000


@pytest.mark.req("TOOL-7")
def test_every_tool_command_and_option_that_the_skill_names_exists() -> None:
    tools = set(re.findall(r"`((?:save|update|read|search|compact)_memory|memory_\w+|list_inbox)`", skill()))
    assert tools == TOOLS.keys() - {"compact_memory"}
    lines = commands()
    assert {words[1] for words in lines} >= {"remember", "revise", "forget", "search", "show", "log", "inbox", "audit"}
    for words in lines:
        command = named(words)
        assert command is not commonplace, words
        options = {option for param in command.params for option in param.opts}
        assert {word for word in words if word.startswith("--")} <= options, words
    for category in Category:
        assert f"`{category.value}`" in skill()
    for flag in ("requested", "source", "insist"):
        assert flag in TOOLS["save_memory"].parameters
    assert "dropped" in TOOLS["memory_write"].parameters


@pytest.mark.req("TOOL-7")
def test_the_skill_says_what_to_do_with_each_answer_of_the_gate() -> None:
    rows = re.findall(r"^\| `(\w+)`.*\|.*\|.*\S.*\|$", skill(), re.MULTILINE)
    assert set(rows) >= CODES


def test_the_skill_is_printed_or_written_and_a_changed_one_is_not_overwritten(home: Path) -> None:
    into, file = str(home / "skills"), home / "skills" / FILE
    assert run("skill").out == skill()
    assert run("skill", "--into", into).out == f"Wrote {file}\n"
    assert run("skill", "--into", into).out == f"{file} is there already.\n"
    file.write_text("mine")
    assert run("skill", "--into", into).status == 2
    assert file.read_text() == "mine"
    assert run("skill", "--into", into, "--yes").status == 0
    assert file.read_text() == skill()

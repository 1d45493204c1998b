"""What every command has in common: help, JSON, exit statuses, endings, colours, and a quick start."""

import json
import os
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import click
import pytest

from commonplace.cli.exits import MEANINGS, STATUS_OF
from commonplace.cli.root import commonplace
from commonplace.errors import CommonplaceError
from commonplace.files.history import Damaged
from tests.cli.conftest import Cli, at_terminal, started

BOOK = ".local/share/commonplace/book"
FACT = "Prefers answers in short sentences"


def commands() -> list[tuple[str, ...]]:
    """Every command and command of a group."""
    context = click.Context(commonplace)
    found: list[tuple[str, ...]] = []
    for name in commonplace.list_commands(context):
        command = commonplace.get_command(context, name)
        assert command is not None
        found.append((name,))
        if isinstance(command, click.Group):
            found += [(name, below) for below in command.list_commands(context)]
    return found


ARGUMENTS: dict[tuple[str, ...], list[str]] = {
    ("remember",): ["Something else to keep"],
    ("revise",): ["short", "plain"],
    ("forget",): [FACT],
    ("restore",): ["latest", "--yes"],
    ("inbox", "accept"): ["The museum is closed on Mondays"],
    ("inbox", "reject"): ["all"],
    ("why",): ["short"],
    ("log", "add"): ["x"],
    ("books", "default"): ["book"],
    ("books", "add"): ["~/.local/share/commonplace/book"],
    ("books", "remove"): ["book"],
    ("books", "move"): ["book", "~/moved"],
    ("completion",): ["bash"],
    ("install",): ["gemini", "--dry-run"],
    ("import",): [str(Path(__file__).parent.parent.parent / "CONTRIBUTING.md")],
    ("export",): ["~/book.json"],
    ("config", "get"): ["search.limit"],
    ("config", "set"): ["search.limit", "3"],
    ("config", "unset"): ["search.limit"],
    ("move",): ["short", "Preferences"],
    ("protect",): ["short"],
    ("unprotect",): ["short"],
    ("search",): ["short"],
    ("ask",): ["Which answers do I prefer?"],
    ("recall",): ["short"],
    ("sessions", "search"): ["hello"],
    ("sessions", "show"): ["hello"],
    ("sessions", "rename"): ["hello", "Greetings"],
    ("sessions", "end"): ["hello"],
}
# Groups that are nothing alone, what needs test data or a database, and servers.
ELSEWHERE = {
    ("hook",),
    ("bench",),
    ("bench", "retrieval"),
    ("bench", "gate"),
    ("bench", "flush"),
    ("mcp",),
    ("db",),
    ("db", "migrate"),
    ("db", "queue"),
    ("db", "work"),
    ("team",),
    *(("team", name) for name in ("open", "books", "grant", "revoke", "roles", "trail", "close")),
    ("tokens",),
    *(("tokens", name) for name in ("create", "list", "revoke")),
    ("serve",),
    ("proxy",),
}


@pytest.mark.req("CLI-1")
@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_every_command_has_help_with_the_common_options(cli: Cli, home: Path, command: tuple[str, ...]) -> None:
    ran = cli(*command, "--help")
    assert ran.status == 0
    assert ran.out.startswith(f"Usage: commonplace {' '.join(command)} ")
    assert "--json" in ran.out
    assert "--book" in ran.out
    assert len(ran.out.splitlines()[2]) > 10


@pytest.mark.req("CLI-1")
@pytest.mark.parametrize("where", ["before", "after"])
@pytest.mark.parametrize("command", [command for command in commands() if command not in ELSEWHERE], ids=" ".join)
def test_every_command_answers_in_json_wherever_the_options_stand(
    cli: Cli, home: Path, command: tuple[str, ...], where: str
) -> None:
    cli("remember", FACT)
    cli("log", "add", "Met Ada")
    cli("backup")
    if command[0] == "sessions":
        cli("ask", "Hello")
    if command[0] == "inbox":
        cli("remember", "--source", "web", "The museum is closed on Mondays")
    line = [*command, *ARGUMENTS.get(command, [])]
    options = ["--json", "--book", "book"]
    ran = cli(*options, *line) if where == "before" else cli(*line, *options)
    assert ran.status == 0, ran
    assert isinstance(json.loads(ran.out), dict)
    assert ran.err == ""


@pytest.mark.req("CLI-1")
@pytest.mark.parametrize(
    ("line", "status", "code"),
    [
        ([], 2, "usage"),
        (["nonsense"], 2, "usage"),
        (["remember"], 2, "usage"),
        (["show", "--nonsense"], 2, "usage"),
        (["remember", " "], 2, "validation_error"),
        (["show", "Kitchen"], 3, "not_found"),
        (["undo", "ffffffff"], 3, "not_found"),
        (["remember", FACT], 4, "duplicate_detected"),
        (["show", "--book", "nobody"], 3, "not_found"),
        (["show", "--book", ""], 2, "validation_error"),
    ],
)
def test_an_error_is_one_json_document_with_code_message_and_hint(
    cli: Cli, home: Path, line: list[str], status: int, code: str
) -> None:
    cli("remember", FACT)
    ran = cli(*line, "--json")
    assert (ran.status, ran.code) == (status, code)
    assert ran.json["error"]["message"]
    assert ran.json["error"]["hint"]
    assert ran.err == ""


def every_error(of: type[CommonplaceError]) -> set[type[CommonplaceError]]:
    return {of}.union(*(every_error(kind) for kind in of.__subclasses__()))


def test_every_error_has_an_exit_status_and_every_status_a_meaning() -> None:
    assert Damaged.code in STATUS_OF
    assert {kind.code for kind in every_error(CommonplaceError)} <= STATUS_OF.keys()
    assert set(STATUS_OF.values()) <= MEANINGS.keys()


def test_the_help_lists_every_exit_status(cli: Cli) -> None:
    out = cli("--help").out
    assert all(f"  {status}  {meaning}" in out for status, meaning in MEANINGS.items())
    assert cli().out == out


def test_a_command_that_does_not_exist_suggests_one_that_does(cli: Cli) -> None:
    ran = cli("rember", "x")
    assert ran.status == 2
    assert "Did you mean remember?" in ran.err


def test_the_version_is_told_without_importing_the_command_line() -> None:
    program = (
        "import sys; sys.argv = ['commonplace', '--version']\n"
        "from commonplace.cli.start import main; main()\n"
        "print(sorted(name for name in sys.modules if name.split('.')[0] in "
        "{'click', 'dataclasses', 'json', 'platformdirs', 'asyncio', 'typing'}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[0].startswith("commonplace 0.")
    assert done.stdout.splitlines()[1] == "[]"


def test_a_save_with_nothing_to_compare_imports_nothing_heavy_and_no_room_that_it_does_not_use(home: Path) -> None:
    program = (
        "import sys\n"
        "from commonplace.cli.root import run; run(['remember', 'Allergic to hazelnuts'])\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "Saved in Notes: Allergic to hazelnuts" in done.stdout.splitlines()
    loaded = set(done.stdout.splitlines()[-1].split())
    heavy = {"asyncio", "tomllib", "numpy", "onnxruntime", "rich", "urllib3", "email", "zipfile", "tempfile"}
    assert sorted(heavy & {name.partition(".")[0] for name in loaded}) == []
    rooms = "index search providers distill agent"
    of_flows = "logbook indexing hybridsearch conversing flushing consolidating compacting auditing modelcalls"
    of_types = "changing chatting compaction keeping searching sessions"
    of_files = "backups copies daily timeline transcripts"
    of_gate = "commanding pasted tracing"
    unused = {
        *(f"commonplace.{room}" for room in rooms.split()),
        *(f"commonplace.flows.{room}" for room in of_flows.split()),
        *(f"commonplace.types.{room}" for room in of_types.split()),
        *(f"commonplace.files.{room}" for room in of_files.split()),
        *(f"commonplace.gate.{room}" for room in of_gate.split()),
    }
    assert [name for name in sorted(unused) if find_spec(name) is None] == []
    assert sorted(unused & loaded) == []


def test_version_can_be_json(cli: Cli) -> None:
    assert cli("--version", "--json").json.keys() == {"version"}
    assert started("-V").stdout == started("--version").stdout


def test_a_reader_who_stops_reading_is_no_error(home: Path, cli: Cli) -> None:
    for number in range(3):
        cli("remember", f"{number} " + "x" * 4900)
    process = subprocess.Popen(
        [sys.executable, "-m", "commonplace", "show"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (141, b"")


def test_ctrl_c_ends_quietly(home: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "commonplace", "remember", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    waiting = Path(f"/proc/{process.pid}/wchan")
    if not waiting.exists():
        process.kill()
        process.communicate()
        pytest.skip("cannot see when the process waits for input")
    assert process.stdin is not None
    while "pipe" not in waiting.read_text() and process.poll() is None:
        os.sched_yield()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err.strip()) == (130, "", "")


def test_an_unexpected_error_is_one_line_and_debug_shows_the_rest(
    cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> object:
        raise RuntimeError("a bug")

    monkeypatch.setattr("commonplace.memory.Memory.read", broken)
    ran = cli("show")
    assert ran.status == 1
    assert ran.err == (
        "error: Something unexpected happened: RuntimeError: a bug\nhint: Please report it with what --debug prints.\n"
    )
    assert cli("show", "--json").code == "unexpected"
    with pytest.raises(RuntimeError):
        cli("show", "--debug")


def test_a_disk_that_says_no_has_its_own_status(cli: Cli, home: Path) -> None:
    (home / "file").write_text("")
    assert cli("remember", "x", "--book", str(home / "file")).status == 6
    assert cli("remember", "x", "--book", str(home / "file/below")).status == 6
    assert cli("show", "--book", "./" + "x" * 5000).status == 6
    assert cli("remember", "x", "--book", "./" + "x" * 5000).status == 6
    assert cli("doctor", "--book", "./" + "x" * 5000).status in {1, 6}
    assert cli("remember", "x", "--book", "./nul\0l").status in {2, 6}


def test_a_book_in_use_names_who_uses_it(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("remember", "x")
    monkeypatch.setenv("COMMONPLACE_LOCK_TIMEOUT", "0.1")
    program = (
        "import sys; from commonplace import Memory\n"
        "with Memory.open(sys.argv[1]).book.storage.lock():\n"
        "    print('held', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", program, str(home / BOOK)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    ran = cli("remember", "y")
    holder.communicate()
    assert ran.status == 5
    assert str(holder.pid) in ran.err


@pytest.mark.req("CLI-1")
def test_colour_is_for_terminals_whose_owner_wants_it(cli: Cli, home: Path) -> None:
    cli("remember", FACT)
    assert "\x1b" not in cli("diff").out
    assert "\x1b[32m" in at_terminal(["diff"], []).out
    assert "\x1b" not in at_terminal(["diff"], [], NO_COLOR="1").out
    assert "\x1b" not in at_terminal(["diff"], [], TERM="dumb").out


def test_a_terminal_that_knows_no_unicode_still_gets_an_answer(home: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    ran = started("remember", "Zażółć", env=environment)
    assert ran.returncode == 0
    assert started("show", "notes", env=environment).stdout == "- Za????\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_say_where_to_put_them(cli: Cli, shell: str) -> None:
    out = cli("completion", shell).out
    assert out.startswith("# ")
    assert f"commonplace completion {shell}" in out.splitlines()[0]
    assert "_COMMONPLACE_COMPLETE" in out


@pytest.mark.parametrize(
    ("line", "completed"),
    [("rem", "plain,remember\n"), ("show --book wo", "plain,work\ndir,wo\n"), ("log s", "plain,show\n")],
)
def test_completion_completes_commands_and_books(cli: Cli, home: Path, line: str, completed: str) -> None:
    cli("init", "--name", "work")
    environment = {
        **os.environ,
        "_COMMONPLACE_COMPLETE": "bash_complete",
        "COMP_WORDS": f"commonplace {line}",
        "COMP_CWORD": str(len(line.split())),
    }
    assert started(env=environment).stdout == completed

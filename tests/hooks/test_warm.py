"""A hook beside a server that is warm, and beside none, a dead one and one that hangs."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from commonplace.app import App
from commonplace.hooks.clients import parse
from commonplace.hooks.listening import listening
from commonplace.hooks.warm import FOLDER, answer_to, asked
from commonplace.memory import Memory
from tests.hooks.test_running import context

QUESTION = "What is the staging server called?"


def event(folder: Path) -> str:
    told = {"hook_event_name": "UserPromptSubmit", "session_id": "s1", "cwd": str(folder), "prompt": QUESTION}
    return json.dumps(told)


def ask(folder: Path, data: str = "") -> dict[str, object] | None:
    data = data or event(folder)
    told = parse("claude-code", data, str(folder))
    assert told is not None
    return asked(told, data, str(folder))


@pytest.fixture
def folder(home: Path) -> Path:
    place = home / "project"
    place.mkdir()
    memory_in(place).log("- The staging server is called heron")
    return place


def memory_in(folder: Path) -> Memory:
    return App().memory_in(folder)


def sockets(memory: Memory) -> list[Path]:
    return sorted((memory.path / ".commonplace" / FOLDER).glob("[!.]*"))


def wait_for_socket(memory: Memory) -> Path:
    deadline = time.monotonic() + 60
    while not sockets(memory):
        assert time.monotonic() < deadline
        threading.Event().wait(0.05)
    return sockets(memory)[0]


@contextmanager
def warm(folder: Path, memory: Memory | None = None) -> Generator[Path]:
    app = App()
    memory = memory or app.memory_in(folder)
    with listening(app, memory):
        yield wait_for_socket(memory)


@contextmanager
def served(folder: Path) -> Generator[subprocess.Popen[bytes]]:
    """The server that a host starts and keeps running."""
    words = [sys.executable, "-m", "commonplace", "mcp", "--project"]
    with subprocess.Popen(words, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.req("HOOK-1")
def test_a_hook_is_answered_by_the_server_that_its_agent_keeps_running(folder: Path) -> None:
    assert ask(folder) is None
    with served(folder) as server:
        place = wait_for_socket(memory_in(folder))
        assert stat.S_IMODE(place.stat().st_mode) == 0o600
        assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
        answer = ask(folder)
        assert answer is not None
        assert "heron" in context(answer)
        assert server.stdin is not None
        server.stdin.close()
        assert server.wait(60) == 0
    assert sockets(memory_in(folder)) == []


@pytest.mark.req("HOOK-1", "TRIG-4")
def test_beside_a_killed_server_a_hook_does_the_work_itself(folder: Path) -> None:
    memory = memory_in(folder)
    with served(folder) as server:
        wait_for_socket(memory)
        server.send_signal(signal.SIGKILL)
        server.wait()
    assert len(sockets(memory)) == 1
    answer = answer_to("claude-code", event(folder), str(folder))
    assert answer is not None
    assert "heron" in context(answer)
    assert sockets(memory) == []


def test_a_server_that_hangs_is_asked_nothing(folder: Path) -> None:
    memory = memory_in(folder)
    place = memory.path / ".commonplace" / FOLDER / "x.sock"
    place.parent.mkdir()
    with socket.socket(socket.AF_UNIX) as silent:
        here = Path.cwd()
        os.chdir(place.parent)  # an address may be shorter than this path
        try:
            silent.bind("x.sock")
        finally:
            os.chdir(here)
        silent.listen()
        assert ask(folder) is None
        line, _ = silent.accept()
        with line:
            assert line.recv(1) == b""


def test_nonsense_and_hooks_that_leave_do_not_end_the_server(folder: Path) -> None:
    with warm(folder) as place:
        for said in (b"", b"nonsense", b"[]", b"{}"):
            with socket.socket(socket.AF_UNIX) as line:
                opened = os.open(place.parent, os.O_RDONLY)
                line.connect(f"/proc/self/fd/{opened}/{place.name}")
                os.close(opened)
                line.sendall(said)
        assert ask(folder)


@pytest.mark.req("NS-2")
def test_another_project_has_no_part_in_it(folder: Path, home: Path) -> None:
    other = home / "other"
    other.mkdir()
    with warm(folder):
        assert ask(folder)
        assert ask(other) is None


def test_settings_count_as_they_are_now(folder: Path, home: Path) -> None:
    with warm(folder):
        assert ask(folder)
        App().set_value("projects", "together")
        assert "heron" not in str(ask(folder))
        App().set_value("hooks", "off")
        assert ask(folder) == {}


def test_one_book_for_everything_has_a_warm_server_too(home: Path) -> None:
    App().set_value("projects", "together")
    folder = home / "project"
    folder.mkdir()
    App().open().log("- The staging server is called heron")
    with warm(folder):
        assert "heron" in str(ask(folder))


def test_a_server_that_is_there_before_the_book_is_found_once_there_is_one(home: Path) -> None:
    folder = home / "project"
    folder.mkdir()
    app = App()
    memory = app.memory_in(folder)
    with listening(app, memory):
        answer_to("claude-code", event(folder), str(folder))
        wait_for_socket(memory)
        assert ask(folder) is not None


@pytest.mark.req("R6", "BOOK-7")
def test_a_socket_in_the_book_is_in_nobodys_way(folder: Path) -> None:
    memory = memory_in(folder)
    with warm(folder, memory):
        assert ask(folder)
        assert [finding for finding in memory.check(full=True) if finding.level in {"warning", "error"}] == []
        assert memory.erase("The staging server is called heron", dry_run=False).left == ()
        assert "heron" not in str(ask(folder))


def test_a_path_longer_than_an_address_may_be_is_no_hindrance(home: Path) -> None:
    folder = home / ("a-very-long-name-of-a-project-" * 6)
    folder.mkdir()
    memory = memory_in(folder)
    memory.log("- The staging server is called heron")
    assert len(str(memory.path)) > 108
    with warm(folder, memory):
        assert "heron" in str(ask(folder))

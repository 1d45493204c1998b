"""Running the command in this process, in a subprocess, and at a terminal."""

import fcntl
import io
import json
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import pytest

from commonplace.cli.root import run

Json = dict[str, Any]


@dataclass(frozen=True)
class Ran:
    """How a command ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Json:
        return cast(Json, json.loads(self.out))

    @property
    def code(self) -> str:
        return str(self.json["error"]["code"])


Cli = Callable[..., Ran]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Run a command line in this process, without a terminal."""

    def call(*arguments: str, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        monkeypatch.setattr(sys, "argv", ["commonplace", *arguments])
        capsys.readouterr()
        status = run(list(arguments))
        out, err = capsys.readouterr()
        return Ran(status, out, err)

    return call


def started(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "commonplace", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=60,
        stdin=subprocess.DEVNULL,
        **options,
    )


INTERRUPT = "\x03"


def _be_interruptible() -> None:
    """Make Ctrl-C a signal that is heeded, also where the tests themselves run in the background and ignore it."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def at_terminal(arguments: Sequence[str], replies: Sequence[tuple[str, str]], **environment: str) -> Ran:
    """Run the command at a terminal; each reply is typed once its prompt has appeared."""
    main, side = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "commonplace", *arguments],
        stdin=side,
        stdout=side,
        stderr=side,
        env={**os.environ, "TERM": "xterm", **environment},
        start_new_session=True,
        preexec_fn=_be_interruptible,
    )
    os.close(side)
    shown = ""
    waiting = list(replies)
    seen = 0
    deadline = time.monotonic() + 120
    typed, typed_at = "", 0.0
    while time.monotonic() < deadline:
        if waiting and waiting[0][0] in shown[seen:]:
            seen = len(shown)
            typed, typed_at = waiting.pop(0)[1], time.monotonic()
            os.write(main, typed.encode())
        ready, _, _ = select.select([main], [], [], 0.05)
        if not ready:
            if typed == INTERRUPT and time.monotonic() - typed_at > 2:  # it came just before the program began to wait
                typed_at = time.monotonic()
                os.write(main, INTERRUPT.encode())
            continue
        try:
            chunk = os.read(main, 65536)
        except OSError:  # Linux says so when the other side is closed
            break
        if not chunk:
            break
        shown += chunk.decode("utf-8", "replace").replace("\r\n", "\n")
    os.close(main)
    assert process.wait(timeout=10) is not None
    assert waiting == [], shown
    return Ran(process.returncode, shown, "")

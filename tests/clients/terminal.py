"""A terminal for a program that draws its own screen: what it asks a terminal is answered, what it shows is kept."""

import fcntl
import os
import pty
import signal
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

_ASKED = {b"\x1b[6n": b"\x1b[1;1R", b"\x1b[c": b"\x1b[?1;2c"}  # where the cursor is, and what terminal this is
_LINES, _COLUMNS = 40, 120
_STILL, _HEED = 0.5, 10.0  # seconds


class Terminal:
    """A program at a terminal of its own, until the block ends."""

    def __init__(self, words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
        self._main, side = pty.openpty()
        fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", _LINES, _COLUMNS, 0, 0))
        self._process = subprocess.Popen(
            words, cwd=folder, env=environment, stdin=side, stdout=side, stderr=side, start_new_session=True
        )
        os.close(side)
        self._shown = b""
        self._thread = threading.Thread(target=self._follow, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._thread.join()
        os.close(self._main)

    def shown(self) -> str:
        return self._shown.decode("utf-8", "replace")

    def type(self, text: str) -> None:
        os.write(self._main, text.encode())

    def enter(self, text: str, heeded: Callable[[], bool], patience: float) -> None:
        """Type a line, and press Enter until it is heeded: right after other keys it may count as pasted text."""
        drawn = len(self._shown)
        self.type(text)
        wait(lambda: len(self._shown) > drawn, patience)
        deadline = time.monotonic() + patience
        while not heeded() and time.monotonic() < deadline:
            wait(self._is_still, patience)
            self.type("\r")
            wait(heeded, _HEED, must=False)
        assert heeded(), self.shown()[-2000:]

    def _is_still(self) -> bool:
        """Whether nothing was drawn for a moment."""
        before = len(self._shown)
        time.sleep(_STILL)
        return len(self._shown) == before

    def _follow(self) -> None:
        while True:
            try:
                piece = os.read(self._main, 65536)
            except OSError:  # the program has ended
                return
            self._shown += piece
            for question, answer in _ASKED.items():
                for _ in range(piece.count(question)):
                    os.write(self._main, answer)


def wait(until: Callable[[], bool], patience: float, *, must: bool = True) -> None:
    """Look now and then until something is so."""
    deadline = time.monotonic() + patience
    while not until() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not must or until()

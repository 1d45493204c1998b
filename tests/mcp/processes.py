"""A server in a process of its own, and its end."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal


@dataclass
class Served:
    """A running server, and what it said on the stream that was waited for."""

    process: subprocess.Popen[str]
    lines: list[str] = field(default_factory=list[str])

    @property
    def first_line(self) -> str:
        return self.lines[0]

    @property
    def address(self) -> str:
        """Where it serves, as it says itself."""
        found = re.search(r"http://\S+/mcp", "".join(self.lines))
        assert found, self.lines
        return found[0]

    def end(self, how: int = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        return self.process.wait(timeout=30)


@contextmanager
def serving(*words: str, stream: Literal["stdout", "stderr"] = "stdout", cwd: Path | None = None) -> Generator[Served]:
    """Python with these words, until it has said a line with a port; ended afterwards."""
    process = subprocess.Popen(
        [sys.executable, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if stream == "stdout" else subprocess.DEVNULL,
        stderr=subprocess.PIPE if stream == "stderr" else None,
        cwd=cwd,
        env=os.environ.copy(),
        text=True,
        encoding="utf-8",
    )
    served = Served(process)
    said = process.stdout if stream == "stdout" else process.stderr
    assert said is not None
    try:
        for line in said:
            served.lines.append(line.rstrip("\n"))
            if stream == "stdout" or "http://" in line:
                break
        yield served
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        said.close()

"""What each hook adds to another agent's turn, by size of the book, alone and beside the agent's own MCP server.

    python benchmarks/hooks.py [--sizes CHUNKS …] [--runs N] [--json]

Figures are times of the processor (the hook's own, and the server's while it answers), as a ratio to `python -c pass`
at the same time, so that a busy machine changes them little. The book is at rest: what earlier hooks handed over to
processes of their own is done. Exits with 1 where a limit is broken. Linux only.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from processor import spent

from commonplace.app import App
from commonplace.hooks.warm import FOLDER
from commonplace.types import Message

SIZES = (100, 10_000, 100_000)
EVENTS = ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd")
LIMITS = {("UserPromptSubmit", False): 30.0, ("UserPromptSubmit", True): 8.0}
TOPICS = ("the harbour", "the night train", "the kitchen", "the release", "my sister", "the garden", "the budget")
TALK, DISTINCT = 100, 2_000  # messages of a conversation; and texts that differ
COMMONPLACE = str(Path(sys.executable).with_name("commonplace"))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9, help="runs of each hook (9)")
    parser.add_argument("--sizes", type=int, nargs="*", default=list(SIZES), help="chunks in the book")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args(arguments)
    rows = [row for size in options.sizes for row in measured(size, options.runs)]
    if options.json:
        print(json.dumps(rows))
    else:
        for row in rows:
            beside = "beside the server" if row["warm"] else "alone"
            print(f"{row['chunks']:>8,} chunks  {row['event']:<18} {beside:<18} {row['ratio']:6.1f}x python -c pass")
    return int(any(float(row["ratio"]) > LIMITS.get((str(row["event"]), bool(row["warm"])), 1e9) for row in rows))


def measured(size: int, runs: int) -> list[dict[str, float | int | str | bool]]:
    home = Path(tempfile.mkdtemp(prefix="commonplace-hooks-"))
    environment = {**os.environ, "HOME": str(home), "XDG_DATA_HOME": str(home / "data")}
    os.environ.update(environment)
    try:
        folder = home / "project"
        folder.mkdir()
        fill(folder, size)
        rows = [row(folder, size, event, runs) for event in EVENTS]
        with served(folder) as server:
            return rows + [row(folder, size, event, runs, server) for event in EVENTS]
    finally:
        shutil.rmtree(home, ignore_errors=True)


def row(
    folder: Path, size: int, event: str, runs: int, server: int | None = None
) -> dict[str, float | int | str | bool]:
    payload = {"hook_event_name": event, "session_id": "bench", "cwd": str(folder), "transcript_path": ""}
    payload |= {"prompt": "When does the night train leave on Thursdays?"}
    command, given = [COMMONPLACE, "hook", "claude-code"], json.dumps(payload)
    with_server(command, given, server)  # the first one loads the model
    told = subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout
    if event == "UserPromptSubmit" and "night train" not in told:
        raise SystemExit(f"The hook did not search: {told}")
    settle(folder)  # what the hooks before handed over
    plain: list[float] = []
    hooks: list[float] = []
    for _ in range(runs):
        plain.append(spent([sys.executable, "-c", "pass"]))
        hooks.append(with_server(command, given, server))
    ratio = statistics.median(hooks) / statistics.median(plain)
    return {"chunks": size, "event": event, "warm": server is not None, "ratio": ratio}


def settle(folder: Path) -> None:
    """Wait until nothing that hooks handed over is at work, and do what is left."""
    work = [COMMONPLACE, "hook", "work", "--folder", str(folder)]
    subprocess.run(work, check=True, stdout=subprocess.DEVNULL)
    with App().memory_in(folder).book.storage.alone("hooks", timeout=3600):
        time.sleep(2.5)  # until what was written is older than a clock can tell


def with_server(command: Sequence[str], given: str, server: int | None) -> float:
    """Seconds of the processor that a command takes, and a server on its behalf."""
    before = of_process(server) if server else 0.0
    return spent(command, given) + ((of_process(server) - before) if server else 0.0)


def of_process(pid: int) -> float:
    """By the clock that Linux has for each process, threads that have ended included."""
    return time.clock_gettime((~pid << 3) | 2)


@contextmanager
def served(folder: Path) -> Generator[int]:
    """The MCP server that an agent keeps running in this folder, once it answers hooks."""
    with subprocess.Popen(
        [COMMONPLACE, "mcp", "--project"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as process:
        sockets = App().memory_in(folder).path / ".commonplace" / FOLDER
        while not (sockets.is_dir() and any(sockets.glob("[!.]*"))):
            time.sleep(0.05)
        try:
            yield process.pid
        finally:
            process.kill()


def fill(folder: Path, size: int) -> None:
    """A project's book with conversations of that many messages, indexed. Large ones say the same things again on other
    days: a vector is computed once for each text, so that 100,000 chunks are made in minutes, not hours."""
    memory = App().memory_in(folder)
    start = datetime(2022, 1, 1, 9, tzinfo=UTC)
    for number in range(0, size, TALK):
        messages = [
            Message(f"m{n}", "user" if n % 2 == 0 else "assistant", said(n % DISTINCT), start + timedelta(minutes=n))
            for n in range(number, min(number + TALK, size))
        ]
        memory.add_message(f"session-{number}", *messages)
        if number + TALK == DISTINCT:
            memory.embed()
    memory.embed()
    settle(folder)  # its conversations are over: they are logged


def said(n: int) -> str:
    return f"Note {n}: {TOPICS[n % 7]} matters, case {n * 7 % 1009}."


if __name__ == "__main__":
    sys.exit(main())

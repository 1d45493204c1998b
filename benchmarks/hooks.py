"""What each hook adds to another agent's turn, as a ratio to `python -c pass` at the same time, by size of the book."""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from commonplace.app import App
from commonplace.types import Message

SIZES = (100, 10_000, 100_000)
EVENTS = ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd")
LIMITS = {"UserPromptSubmit": 30.0}
TOPICS = ("the harbour", "the night train", "the kitchen", "the release", "my sister", "the garden", "the budget")


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
            print(f"{row['chunks']:>8,} chunks  {row['event']:<18} {row['ratio']:6.1f}x python -c pass")
    return 1 if any(float(row["ratio"]) > LIMITS.get(str(row["event"]), 1e9) for row in rows) else 0


def measured(size: int, runs: int) -> list[dict[str, float | int | str]]:
    home = Path(tempfile.mkdtemp(prefix="commonplace-hooks-"))
    environment = {**os.environ, "HOME": str(home), "XDG_DATA_HOME": str(home / "data")}
    os.environ.update(environment)
    try:
        folder = home / "project"
        folder.mkdir()
        fill(folder, size)
        plain = [timed([sys.executable, "-c", "pass"], "", environment) for _ in range(runs)]
        rows: list[dict[str, float | int | str]] = []
        for event in EVENTS:
            payload = {"hook_event_name": event, "session_id": "bench", "cwd": str(folder), "transcript_path": ""}
            payload |= {"prompt": "When does the night train leave on Thursdays?"}
            command = [str(Path(sys.executable).with_name("commonplace")), "hook", "claude-code"]
            timed(command, json.dumps(payload), environment)  # the first one makes the index
            times = [timed(command, json.dumps(payload), environment) for _ in range(runs)]
            rows.append({"chunks": size, "event": event, "ratio": statistics.median(times) / statistics.median(plain)})
        return rows
    finally:
        shutil.rmtree(home, ignore_errors=True)


def fill(folder: Path, size: int) -> None:
    """A project's book with conversations of that many messages, indexed."""
    memory = App().memory_in(folder)
    start = datetime(2026, 1, 1, 9, tzinfo=UTC)
    for number in range(0, size, 100):
        messages = [
            Message(
                f"m{n}",
                "user" if n % 2 == 0 else "assistant",
                f"Note {n}: {TOPICS[n % 7]} matters, case {n * 7 % 1009}.",
                start + timedelta(minutes=n),
            )
            for n in range(number, min(number + 100, size))
        ]
        memory.add_message(f"session-{number}", *messages)
    memory.reindex()


def timed(command: Sequence[str], given: str, environment: dict[str, str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, input=given, text=True, env=environment, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


if __name__ == "__main__":
    sys.exit(main())

"""What saving and starting cost, as ratios to the least they could cost on the same machine in the same minute.

Saving is compared with write, fsync and rename of the same bytes; a whole command, on a book of 1,000 entries, with
`python -c pass`, both in time of the processor. The runs are interleaved, so that a busy moment hits both sides, and
medians are shown.
"""

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypedDict, cast

import synthetic
from processor import beside_python

from commonplace.files.folderhistory import FolderHistory
from commonplace.memory import Memory

SIZES = (10, 1_000, 10_000)
LIMITS = {"--version": 5.0, "remember": 35.0, "search": 28.0, "recall": 30.0}
QUESTION = "When does the night train leave?"
FACT = "Keeps seven beehives behind the chapel"
HISTORY = 1_500


class Start(TypedDict):
    """What starting one command cost."""

    command: str
    plain_ms: float
    ms: float
    ratio: float
    limit: float


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=40, help="saves at each size (40)")
    parser.add_argument("--starts", type=int, default=20, help="starts of each command (20)")
    parser.add_argument("--folder", type=Path, help="where to make the books (the system's temporary folder)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")
    options = parser.parse_args(arguments)
    folder = Path(tempfile.mkdtemp(prefix="commonplace-bench-", dir=options.folder))
    try:
        saves = [save_at(folder, size, options.runs) for size in SIZES]
        starts = start_ups(folder, options.starts)
        history = history_size(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    small, large = saves[0], saves[-1]
    growth = {
        "file": large["bytes"] / small["bytes"],
        "plain": large["plain_ms"] / small["plain_ms"],
        "save": large["save_ms"] / small["save_ms"],
    }
    too_slow = [row["command"] for row in starts if row["ratio"] > row["limit"]]
    good = growth["save"] <= growth["file"] and not too_slow
    if options.json:
        print(json.dumps({"saves": saves, "growth": growth, "starts": starts, "history": history, "good": good}))
        return 0 if good else 1
    print("saving one entry (median ms)\n")
    print("  entries     bytes   write+fsync+rename   remember   ratio")
    for row in saves:
        print(
            f"  {row['entries']:7}  {row['bytes']:8}   {row['plain_ms']:18.2f}   {row['save_ms']:8.2f}"
            f"   {row['ratio']:5.1f}"
        )
    print(
        f"\n  from {SIZES[0]} to {SIZES[-1]} entries the file grows {growth['file']:.0f} times, "
        f"a plain write {growth['plain']:.1f} times, a save {growth['save']:.1f} times"
    )
    print("\na command from start to end (median ms of the processor; 1,000 entries)\n")
    print("  command                 python -c pass   command   ratio   limit")
    for row in starts:
        print(
            f"  {row['command']:22}  {row['plain_ms']:14.1f}   {row['ms']:7.1f}"
            f"   {row['ratio']:5.1f}   {row['limit']:5.0f}"
        )
    print(
        f"\nhistory: {history['changes']} saves leave {history['memory']} bytes of memory "
        f"and {history['history']} bytes of history ({history['per_change']:.0f} bytes a save)"
    )
    if not good:
        print(f"\nToo slow: {', '.join(too_slow) or 'saving grows faster than the file'}.")
    return 0 if good else 1


def save_at(folder: Path, entries: int, runs: int) -> dict[str, float]:
    """A warm memory of so many entries: saving one more, against writing the same bytes the safe way."""
    root = folder / f"book-{entries}"
    memory = Memory.open(root)
    memory.create()
    lines = [f"- Entry {i} says that the value of item {i * 7919 % 10007} is {i * 31}\n" for i in range(entries)]
    (root / "MEMORY.md").write_text("# Long-term Memory\n\n## Notes\n\n" + "".join(lines), encoding="utf-8")
    memory.remember("What warms it up")
    plain: list[float] = []
    save: list[float] = []
    for number in range(runs):
        data = (root / "MEMORY.md").read_bytes()
        plain.append(timed(lambda d=data: plain_write(folder / "plain", d)))
        save.append(timed(lambda n=number: memory.remember(f"Fresh fact {n} is worth {n * 37}")))
    row = {"entries": entries, "bytes": (root / "MEMORY.md").stat().st_size}
    return {
        **row,
        "plain_ms": statistics.median(plain) * 1000,
        "save_ms": statistics.median(save) * 1000,
        "ratio": statistics.median(save) / statistics.median(plain),
    }


def plain_write(path: Path, data: bytes) -> None:
    staged = path.with_suffix(".new")
    with staged.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    staged.replace(path)


def start_ups(folder: Path, runs: int) -> list[Start]:
    """The command line from start to end, against a Python that does nothing."""
    program = [sys.executable, "-m", "commonplace"]
    script = Path(sys.executable).with_name("commonplace")
    if script.exists():
        program = [str(script)]
    book = folder / "started"
    memory = Memory.open(book)
    memory.create()
    entries = "".join(f"- {text}\n" for text in synthetic.texts(1_000))
    (book / "MEMORY.md").write_text(f"# Long-term Memory\n\n## Notes\n\n{entries}", encoding="utf-8")
    memory.reindex()

    def remember() -> list[str]:
        if FACT in memory.read():
            memory.undo()  # so that it is new each time, and the book as long
        return ["--book", str(book), "remember", FACT]

    calls: dict[str, Callable[[], list[str]]] = {
        "--version": lambda: ["--version"],
        "remember": remember,
        "search": lambda: ["--book", str(book), "search", QUESTION],
        "recall": lambda: ["--book", str(book), "recall", QUESTION],
    }
    rows: list[Start] = []
    for name, words in calls.items():
        cost = beside_python(lambda words=words: [*program, *words()], runs)
        plain_ms, ms = cost.plain * 1000, cost.own * 1000
        rows.append(Start(command=name, plain_ms=plain_ms, ms=ms, ratio=cost.ratio, limit=LIMITS[name]))
    return rows


def history_size(folder: Path) -> dict[str, float]:
    """What the history of many saves takes on disk."""
    memory = Memory.open(folder / "history")
    real = os.fsync
    os.fsync = skip_sync  # sizes do not depend on it
    try:
        for i in range(HISTORY):
            memory.remember(f"Fact {i} says that the value of item {i * 7919 % 10007} is {i * 31}")
        cast(FolderHistory, memory.book.history).pack_loose()
    finally:
        os.fsync = real
    files = (memory.path / ".commonplace" / "history.git").rglob("*")
    size = sum(file.stat().st_size for file in files if file.is_file())
    return {
        "changes": HISTORY,
        "memory": (memory.path / "MEMORY.md").stat().st_size,
        "history": size,
        "per_change": size / HISTORY,
    }


def skip_sync(_: object) -> None:
    return


def timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


if __name__ == "__main__":
    sys.exit(main())

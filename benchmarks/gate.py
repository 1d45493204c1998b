"""What a verdict of the gate costs, as a ratio to one search of the same book in the same minute.

Warm: one process that has both loaded. Cold: a shell command from start to end, `remember` beside `search`. The runs
are interleaved, so that a busy moment hits both sides, and medians are shown.
"""

import argparse
import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from commonplace.config import Settings
from commonplace.flows.indexing import BookIndex
from commonplace.gate.likeness import most_alike
from commonplace.memory import Memory
from commonplace.providers.crossencoder import pair_reader
from commonplace.providers.embedders.minilm import MiniLM
from commonplace.types import Entry

ENTRIES = 1_000
SECTIONS = ("Profile", "Preferences", "Interests", "Workflow", "Projects", "Notes")
LIMIT = 6.0

WHO = "the user|Anna|Tom|the team|the shop|project Atlas|the blog|the choir|client Marlow|the daughter".split("|")
DOES = "prefers|uses|lives near|works with|avoids|collects|studies|repairs|sells|plans".split("|")
WHAT = "old maps|green tea|Postgres|long walks|night trains|wooden boats|bread|beehives|lenses|jazz records".split("|")
WHERE = "in Bern|at home|on Mondays|since 2019|in the cellar|for clients|in winter|twice a week|abroad|at work".split(
    "|"
)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=40, help="verdicts and searches (40)")
    parser.add_argument("--starts", type=int, default=7, help="starts of each command (7)")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")
    options = parser.parse_args(arguments)
    folder = Path(tempfile.mkdtemp(prefix="commonplace-bench-"))
    try:
        book = filled(folder / "book")
        rows = {"warm": warm(book, options.runs), "cold": cold(book, options.starts)}
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if options.json:
        print(json.dumps({"entries": ENTRIES, "limit": LIMIT, **rows}))
    else:
        print(f"{ENTRIES} entries, median ms\n\n           search   verdict   ratio")
        for name, (search, verdict) in rows.items():
            print(f"  {name:6}  {search:7.1f}   {verdict:7.1f}   {verdict / search:5.1f}")
    return 0 if all(verdict <= LIMIT * search for search, verdict in rows.values()) else 1


def filled(root: Path) -> Path:
    """A book of so many entries, in all sections, with its index."""
    source = random.Random(7)
    memory = Memory.open(root)
    memory.create()
    page = ["# Long-term Memory\n"]
    for section in SECTIONS:
        page.append(f"\n## {section}\n\n")
        page += [f"- {sentence(source)}\n" for _ in range(ENTRIES // len(SECTIONS) + 1)]
    (root / "MEMORY.md").write_text("".join(page), encoding="utf-8")
    memory.reindex()
    return root


def sentence(source: random.Random) -> str:
    who, does, what, where = (source.choice(words) for words in (WHO, DOES, WHAT, WHERE))
    return f"{who.capitalize()} {does} {what} {where}, number {source.randrange(10_000)}"


def warm(book: Path, runs: int) -> tuple[float, float]:
    memory = Memory.open(book)
    entries = memory.entries()
    index = BookIndex(memory.book, Settings(), MiniLM())
    source = random.Random(11)
    search: list[float] = []
    verdict: list[float] = []
    for number in range(runs + 3):
        text = sentence(source)
        first = timed(lambda t=text: memory.search(t))
        second = timed(lambda t=text: most_alike(t, [one.entry for one in index.closest(t, entries, 3)], pair_reader()))
        if number >= 3:  # the first ones load the model
            search.append(first)
            verdict.append(second)
    return statistics.median(search) * 1000, statistics.median(verdict) * 1000


def compared(text: str, near: list[Entry]) -> object:
    return most_alike(text, near, pair_reader())


def cold(book: Path, starts: int) -> tuple[float, float]:
    source = random.Random(13)
    program = [sys.executable, "-m", "commonplace", "--book", str(book)]
    search: list[float] = []
    remember: list[float] = []
    for _ in range(starts):
        text = sentence(source)
        search.append(timed(lambda t=text: run([*program, "search", t])))
        remember.append(timed(lambda t=text: run([*program, "remember", t])))
    return statistics.median(search) * 1000, statistics.median(remember) * 1000


def run(command: list[str]) -> None:
    subprocess.run(command, check=False, capture_output=True)


def timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


if __name__ == "__main__":
    sys.exit(main())

"""What an import of many messages costs, by how many they are: its processor time and its time on the clock beside what
the embedder alone takes for the same texts, what our own part takes for each message, and the peak memory.

    python benchmarks/importing.py [--sizes MESSAGES …] [--words]

The embedder alone is measured while the import runs: every tenth batch is embedded a second time, and that time is
taken off the import's. So both meet the same machine, however busy it is. Invented English, as people write it:
an embedder that reads words it does not know is slow, and would make the import look cheap. Each size runs in a
process of its own.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import synthetic

from commonplace.config import EmbedderSettings, Settings
from commonplace.memory import Memory
from commonplace.ports import Embedder
from commonplace.providers.embedders import embedder

if TYPE_CHECKING:
    from commonplace.ports import Vectors

SIZES = (1_000, 5_000, 20_000, 100_000)
TURNS = 40
AGAIN = 10  # of so many batches, one is embedded a second time
MOST = 1.25  # an import with its vectors may take so many times what the embedder takes alone for the same texts
GROWTH = (
    1.3  # of what our part takes for a message, and of peak memory while reading, from the smallest size to the largest
)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="*", default=list(SIZES), help="messages")
    parser.add_argument(
        "--words", action="store_true", help="words alone, without vectors (100,000 take an hour with them)"
    )
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.child:
        print(json.dumps(measured(Path(options.child), words=options.words)))
        return 0
    rows: list[dict[str, float]] = []
    for size in options.sizes:
        rows.append(row := in_a_process(size, words=options.words))
        print(told(row), flush=True)
    grown = any(rows[-1][figure] > GROWTH * rows[0][figure] for figure in ("ours", "peak_read"))
    return 1 if grown or any(row.get("ratio", 0) > MOST for row in rows) else 0


def told(row: dict[str, float]) -> str:
    ours = (
        f"{row['messages']:>9,.0f} messages: our part {1000 * row['ours']:.2f} ms a message "
        f"(reading {1000 * row['read']:.2f}), "
        f"peak {row['peak_read']:,.0f} MB while reading, {row['peak']:,.0f} MB in all"
    )
    if "ratio" not in row:
        return ours
    return ours + (
        f"; {row['ratio']:.2f}x the embedder alone by the processor, {row['on_the_clock']:.2f}x by the clock "
        f"(the embedder alone: {row['alone']:,.0f} texts for a second of the processor)"
    )


def in_a_process(size: int, *, words: bool) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="commonplace-import-") as folder:
        written(Path(folder) / "conversations.json", size)
        command = [sys.executable, __file__, "--child", folder, *(["--words"] if words else [])]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        return json.loads(done.stdout)


@dataclass
class Meter:
    """Both clocks while something is done, added up: of the processor and on the wall."""

    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    texts: int = 0

    def __enter__(self) -> None:
        self._begun = (time.process_time(), time.perf_counter())

    def __exit__(self, *_: object) -> None:
        now = (time.process_time(), time.perf_counter())
        self.seconds = [known + new - old for known, new, old in zip(self.seconds, now, self._begun, strict=True)]


class Watched:
    """An embedder that is watched: what it takes within an import, and what it takes alone for some of the same texts.
    Implements `Embedder`."""

    def __init__(self, model: Embedder) -> None:
        self._model = model
        self.identity, self.dimensions, self.loaded, self.reads = model.identity, model.dimensions, False, model.reads
        self.within, self.alone = Meter(), Meter()
        self._batches = 0

    def load(self) -> None:
        self._model.embed(["It is there before it is measured."])
        self.loaded = True

    def embed(self, texts: Sequence[str]) -> "Vectors":
        with self.within:
            found = self._model.embed(texts)
        self.within.texts += len(texts)
        if self._batches % AGAIN == 0:
            with self.alone:
                self._model.embed(texts)
            self.alone.texts += len(texts)
        self._batches += 1
        return found


def measured(folder: Path, *, words: bool) -> dict[str, float]:
    settings = Settings(embedder=EmbedderSettings("none" if words else Settings().embedder.name))
    model = embedder(settings.embedder)
    watched = Watched(model) if model else None
    memory = Memory.open(folder / "book", settings=settings, embedder=watched)
    reading, indexing = Meter(), Meter()
    with reading:
        messages = memory.import_from(folder / "conversations.json").messages
    peak_read = peak_memory()
    if watched:
        watched.load()
    with indexing:
        memory.embed()
    whole = [one + other for one, other in zip(reading.seconds, indexing.seconds, strict=True)]
    row: dict[str, float] = {"messages": messages, "read": reading.seconds[0] / messages, "peak_read": peak_read}
    row |= {"ours": whole[0] / messages, "peak": peak_memory()}
    if watched is None:
        return row
    within, alone = watched.within, watched.alone
    row["ours"] = (whole[0] - within.seconds[0] - alone.seconds[0]) / messages
    by_processor, by_clock = (
        (all_of_it - again) * alone.texts / (again * within.texts)
        for all_of_it, again in zip(whole, alone.seconds, strict=True)
    )
    return {**row, "ratio": by_processor, "on_the_clock": by_clock, "alone": alone.texts / alone.seconds[0]}


def peak_memory() -> float:
    """Of this process, in MB: not by getrusage, where a child begins with the peak of its parent."""
    found = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def said() -> Iterator[str]:
    """A question and a longer answer, in turn."""
    turns = synthetic.texts(10_000_000)
    while True:
        yield next(turns)
        yield " ".join(islice(turns, 3))


def written(path: Path, messages: int) -> None:
    texts = said()
    with path.open("w") as file:
        file.write("[")
        for number in range(messages // TURNS):
            file.write(("," if number else "") + json.dumps(conversation(number, texts)))
        file.write("]")


def conversation(number: int, texts: Iterator[str]) -> dict[str, object]:
    start = 1_600_000_000 + number * 40_000
    nodes: dict[str, object] = {"root": {"message": None, "parent": None, "children": ["0"]}}
    for turn in range(TURNS):
        message = {
            "id": f"{number:08x}-{turn:04x}-4000-8000-{number * TURNS + turn:012x}",
            "author": {"role": "assistant" if turn % 2 else "user"},
            "create_time": start + turn * 60,
            "content": {"content_type": "text", "parts": [next(texts)]},
        }
        children = [str(turn + 1)] if turn + 1 < TURNS else []
        nodes[str(turn)] = {"message": message, "parent": str(turn - 1) if turn else "root", "children": children}
    id = f"{number:08x}-0000-4000-8000-000000000000"
    return {"id": id, "title": f"Chat {number}", "create_time": start, "mapping": nodes, "current_node": str(TURNS - 1)}


if __name__ == "__main__":
    sys.exit(main())

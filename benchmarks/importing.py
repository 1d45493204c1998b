"""What an import of many messages costs, by how many they are: its processor time beside what the embedder alone takes,
and its peak memory, which must not grow with the number of conversations before vectors are computed.

    python benchmarks/importing.py [--sizes MESSAGES …] [--no-vectors]

The embedder alone is given a sample of the very texts that are embedded: each message with the end of the one before.
A second ratio is to the messages as they were said, which are shorter. Each size runs in a process of its own.
"""

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from commonplace.config import Settings
from commonplace.index.chunking import chunks_of_transcript, embedded_text
from commonplace.memory import Memory
from commonplace.ports import Embedder
from commonplace.providers.embedders import embedder

SIZES = (1_000, 5_000, 20_000, 100_000)
TURNS = 40
SAMPLED = 10  # conversations
MOST = 1.25  # an import with its vectors may take so many times what the embedder takes alone for the same texts
GROWTH = 1.3  # of peak memory without vectors, from the smallest size to the largest


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=list(SIZES), help="messages")
    parser.add_argument("--no-vectors", action="store_true", help="do not compute the vectors (minutes)")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.child:
        print(json.dumps(measured(Path(options.child), vectors=not options.no_vectors)))
        return 0
    rows = [in_a_process(size, vectors=not options.no_vectors) for size in options.sizes]
    for row in rows:
        read = f"{row['messages']:>9,.0f} messages: read {row['per_second']:,.0f}/s, peak {row['peak']:,.0f} MB"
        embedded = (
            f"; with vectors {row['ratio']:.2f}x the embedder alone ({row['alone']:,.0f}/s), "
            f"{row['as_said']:.2f}x for the messages as they were said, peak {row['peak_all']:,.0f} MB"
        )
        print(read if options.no_vectors else read + embedded, flush=True)
    slow = not options.no_vectors and any(row["ratio"] > MOST for row in rows)
    return 1 if slow or rows[-1]["peak"] > GROWTH * rows[0]["peak"] else 0


def in_a_process(size: int, *, vectors: bool) -> dict[str, float]:
    with tempfile.TemporaryDirectory(prefix="commonplace-import-") as folder:
        written(Path(folder) / "conversations.json", size)
        words = [sys.executable, __file__, "--child", folder, *([] if vectors else ["--no-vectors"])]
        done = subprocess.run(words, check=True, capture_output=True, text=True)
        return json.loads(done.stdout)


def measured(folder: Path, *, vectors: bool) -> dict[str, float]:
    memory = Memory.open(folder / "book")
    started = time.process_time()
    report = memory.import_from(folder / "conversations.json")
    read = time.process_time() - started
    row = {"messages": report.messages, "per_second": report.messages / read, "peak": peak_memory()}
    if not vectors:
        return row
    model = embedder(Settings().embedder)
    assert model is not None
    sampled = sample(memory)
    before = seconds_a_text(model, [embedded for embedded, _ in sampled])
    started = time.process_time()
    memory.embed()
    whole = read + time.process_time() - started
    after = seconds_a_text(model, [embedded for embedded, _ in sampled])  # a machine is not as busy all the time
    said = report.messages * seconds_a_text(model, [text for _, text in sampled])
    embedded = report.messages * (before + after) / 2
    rates = {"ratio": whole / embedded, "as_said": whole / said, "alone": report.messages / embedded}
    return {**row, **rates, "peak_all": peak_memory()}


def sample(memory: Memory) -> list[tuple[str, str]]:
    """Texts as they are embedded, and as they were said, of some conversations from all over the book."""
    sessions = list(memory.sessions())
    chosen = random.Random(2).sample(sessions, min(SAMPLED, len(sessions)))
    talks = (chunks_of_transcript("", one, enumerate(memory.transcript(one).messages)) for one in chosen)
    return [(embedded_text(chunk), chunk.text) for talk in talks for chunk in talk]


def peak_memory() -> float:
    """Of this process, in MB: not by getrusage, where a child begins with the peak of its parent."""
    found = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def seconds_a_text(model: Embedder, texts: Sequence[str]) -> float:
    model.embed(texts[:10])
    started = time.process_time()
    for at in range(0, len(texts), 64):
        model.embed(texts[at : at + 64])
    return (time.process_time() - started) / len(texts)


def said(chance: random.Random) -> Iterator[str]:
    """A question and a longer answer, in turn, of words that are about as frequent as words are."""
    words = ["".join(chance.choices("aeiourstnlmdkpgbh", k=chance.randint(2, 9))) for _ in range(8000)]
    weights = [1 / (rank + 5) for rank in range(len(words))]
    while True:
        for longest in (25, 90):
            yield " ".join(chance.choices(words, weights, k=chance.randint(5, longest))).capitalize() + "."


def written(path: Path, messages: int) -> None:
    texts = said(random.Random(1))
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

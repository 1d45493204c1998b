"""What the HTTP API costs: search and save over it against the Python call, and fifty clients against one; and how
soon a change that is made elsewhere is told.

    python benchmarks/serve.py [--entries 300] [--rounds 60] [--clients 50] [--edits 21]

Ratios of one run, on one machine: absolute times say little about another machine. Calls in Python and over HTTP take
turns. On a busy machine the ratio of processor time tells more than that of the clock; it leaves out what the client
costs.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2

from commonplace.memory import Memory
from commonplace.types.asking import Origin

TOKEN = "a-token-for-this-benchmark"  # noqa: S105 invented
QUESTIONS = (
    "harbour office",
    "green tea in the morning",
    "who plays the cello",
    "the new bicycle",
    "letters in winter",
)
WORDS = "harbour office tea cello garden bicycle station museum river bridge letter winter train kitchen window".split()


def sentence(number: int) -> str:
    chosen = (WORDS[(number * step + step) % len(WORDS)] for step in (1, 2, 3, 5, 7, 11))
    return f"{' '.join(chosen).capitalize()}, number {number}"


def seconds(work: Callable[[int], object], rounds: int) -> list[float]:
    return [taken(work, number) for number in range(rounds)]


def taken(work: Callable[[int], object], number: int) -> float:
    began = time.perf_counter()
    work(number)
    return time.perf_counter() - began


def worked(process: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def percentile(taken: list[float], share: float) -> float:
    return sorted(taken)[min(len(taken) - 1, int(share * len(taken)))]


def compared(
    name: str, here: Callable[[int], object], over: Callable[[int], object], rounds: int, server: int
) -> dict[str, float]:
    """The same work in Python and over HTTP, in turns."""
    python: list[float] = []
    http: list[float] = []
    own = 0.0
    before = worked(server)
    for number in range(rounds):
        began = time.process_time()
        python.append(taken(here, number))
        own += time.process_time() - began
        http.append(taken(over, number))
    served = worked(server) - before
    figures = {
        "python_ms": statistics.median(python) * 1000,
        "http_ms": statistics.median(http) * 1000,
        "ratio": statistics.median(http) / statistics.median(python),
        "processor_ratio": served / own,
    }
    print(f"{name:<10} " + "   ".join(f"{key} {value:.2f}" for key, value in figures.items()))
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--edits", type=int, default=21)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder) / "book"
        memory = Memory.open(book)
        lines = "".join(f"- {sentence(number)}\n" for number in range(options.entries))
        memory.create()
        memory.write_page(f"# Long-term Memory\n\n## Notes\n\n{lines}", expected="absent")
        memory.reindex()
        line = [sys.executable, "-m", "commonplace", "serve", "--json", "--port", "0", "--token", TOKEN]
        with subprocess.Popen(
            [*line, "--book", str(book)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as server:
            try:
                address = _address(server)
                found = measured(memory, address, server.pid, options)
                print(json.dumps({**found, "seen": seen(book, address, options)}, indent=1))
            finally:
                server.terminate()


def _address(server: "subprocess.Popen[bytes]") -> str:
    assert server.stdout is not None
    said = b""
    while not said.endswith(b"}\n"):
        said += server.stdout.readline()
    return json.loads(said)["address"]


def measured(memory: Memory, address: str, server: int, options: argparse.Namespace) -> dict[str, object]:
    headers = {"authorization": f"Bearer {TOKEN}"}
    limits = httpx2.Limits(max_connections=options.clients)
    with httpx2.Client(base_url=f"{address}/api/v1", headers=headers, timeout=120, limits=limits) as client:

        def search(number: int) -> None:
            question = QUESTIONS[number % len(QUESTIONS)]
            client.get("/search", params={"q": question, "limit": 5}).raise_for_status()

        def save(number: int) -> None:
            body = {"text": f"Over HTTP: {sentence(number)}", "insist": True}
            assert client.post("/memory/entries", json=body).status_code == 201

        def save_here(number: int) -> None:
            memory.remember(f"In Python: {sentence(number)}", origin=Origin.PERSON, insist=True)

        def search_here(number: int) -> None:
            memory.search(QUESTIONS[number % len(QUESTIONS)], limit=5)

        for warm in (search, search_here):  # both have loaded what they need
            warm(0)
        found = {
            "search": compared("search", search_here, search, options.rounds, server),
            "save": compared("save", save_here, save, options.rounds // 3, server),
        }
        return {**found, "clients": concurrent(search, options)}


def seen(book: Path, address: str, options: argparse.Namespace) -> dict[str, float]:
    """How long until somebody who listens is told of a line that an editor added (R9), in seconds."""
    drawn = random.Random(9)
    waited: list[float] = []
    headers = {"authorization": f"Bearer {TOKEN}"}
    with httpx2.stream("GET", f"{address}/api/v1/events", headers=headers, timeout=120) as stream:
        lines = stream.iter_lines()
        next(line for line in lines if line.startswith("event: hello"))
        for number in range(options.edits):
            time.sleep(drawn.random() * 1.5)  # an edit does not wait for the look of the watcher
            with (book / "MEMORY.md").open("a", encoding="utf-8") as file:
                file.write(f"- By hand: {sentence(number)}\n")
            began = time.perf_counter()
            next(line for line in lines if line.startswith("data: ") and "MEMORY.md" in line)
            waited.append(time.perf_counter() - began)
    figures = {"median_s": statistics.median(waited), "longest_s": max(waited)}
    print(f"a change elsewhere is told after {figures['median_s']:.2f} s, at most {figures['longest_s']:.2f} s")
    return figures


def concurrent(search: Callable[[int], None], options: argparse.Namespace) -> dict[str, float]:
    """Many clients that search one book at once, against one client that does so alone."""
    began = time.perf_counter()
    alone = seconds(search, options.rounds)
    one = options.rounds / (time.perf_counter() - began)
    began = time.perf_counter()
    with ThreadPoolExecutor(options.clients) as pool:
        running = [pool.submit(seconds, search, 4) for _ in range(options.clients)]
        taken = [each for client in running for each in client.result()]
    many = len(taken) / (time.perf_counter() - began)
    figures = {
        "throughput_ratio": many / one,
        "p50_ratio": percentile(taken, 0.5) / percentile(alone, 0.5),
        "p99_ratio": percentile(taken, 0.99) / percentile(alone, 0.99),
    }
    print(f"{options.clients} clients: " + ", ".join(f"{name} {value:.2f}" for name, value in figures.items()))
    return figures


if __name__ == "__main__":
    main()

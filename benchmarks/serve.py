"""What the HTTP API costs: search and save over it against the Python call, and fifty clients against one.

    python benchmarks/serve.py [--entries 300] [--rounds 60] [--clients 50]

Ratios of one run, on one machine, in one process more: absolute times say little about another machine.
"""

import argparse
import json
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
    taken: list[float] = []
    for number in range(rounds):
        began = time.perf_counter()
        work(number)
        taken.append(time.perf_counter() - began)
    return taken


def percentile(taken: list[float], share: float) -> float:
    return sorted(taken)[min(len(taken) - 1, int(share * len(taken)))]


def told(name: str, python: list[float], http: list[float]) -> dict[str, float]:
    here, over = statistics.median(python) * 1000, statistics.median(http) * 1000
    print(f"{name:<10} Python {here:8.2f} ms   HTTP {over:8.2f} ms   {over / here:5.2f} x")
    return {"python_ms": here, "http_ms": over, "ratio": over / here}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--clients", type=int, default=50)
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
                print(json.dumps(measured(memory, _address(server), options), indent=1))
            finally:
                server.terminate()


def _address(server: "subprocess.Popen[bytes]") -> str:
    assert server.stdout is not None
    said = b""
    while not said.endswith(b"}\n"):
        said += server.stdout.readline()
    return json.loads(said)["address"]


def measured(memory: Memory, address: str, options: argparse.Namespace) -> dict[str, object]:
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
            "search": told("search", seconds(search_here, options.rounds), seconds(search, options.rounds)),
            "save": told("save", seconds(save_here, options.rounds // 3), seconds(save, options.rounds // 3)),
        }
        return {**found, "clients": concurrent(search, options)}


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

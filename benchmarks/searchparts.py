"""What benchmarks/search.py measures. Each part runs in a process of its own and returns plain figures."""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

import numpy as np
import synthetic
from numpy.typing import NDArray

from commonplace.config import Settings
from commonplace.index.chunking import chunks_of_transcript, embedded_text
from commonplace.memory import Memory
from commonplace.providers.embedders.minilm import MiniLM

HERE = Path(__file__).resolve().parent
QUESTIONS = 120
WARM_UP = 10
LIMIT = 10  # results, the same for all
BLOCK = 20
SETTLED_SECONDS = 2.2  # files younger than two seconds are read again at every search, for safety

Figures = dict[str, Any]
_Floats = NDArray[np.float32]


class ReadyVectors:
    """An embedder that has vectors of texts at hand and really embeds only questions.

    Given `known`, the vector of a text is looked up there (and computed and kept, if it is new). Otherwise texts get
    mixes of two known vectors and some noise: a million different unit vectors, spread like real ones.
    """

    identity = MiniLM.identity
    dimensions = MiniLM.dimensions

    def __init__(self, model: MiniLM, given: _Floats | None = None, count: int = 0) -> None:
        self._model = model
        self._given = given
        self._random = np.random.default_rng(3)
        self.indexing = True
        self.known: dict[str, _Floats] = {}
        self.rows = np.zeros((count, self.dimensions), dtype=np.float32)
        self._at = 0

    def reads(self, text: str) -> bool:
        return self._model.reads(text)

    @property
    def loaded(self) -> bool:
        return True

    def embed(self, texts: Sequence[str]) -> _Floats:
        if not self.indexing:
            return self._model.embed(texts)
        if self._given is None:
            vectors = self._looked_up(texts)
        else:
            vectors = self._mixed(self._given, len(texts))
        self.rows[self._at : self._at + len(texts)] = vectors
        self._at += len(texts)
        return vectors

    def _looked_up(self, texts: Sequence[str]) -> _Floats:
        new = [text for text in texts if text not in self.known]
        self.known |= zip(new, self._model.embed(new), strict=True)
        return np.stack([self.known[text] for text in texts])

    def _mixed(self, given: _Floats, count: int) -> _Floats:
        drawn = self._random.integers(0, len(given), (2, count))
        noise = self._random.standard_normal((count, self.dimensions), dtype=np.float32)
        mixed = given[drawn[0]] + np.float32(0.5) * given[drawn[1]] + np.float32(0.01) * noise
        return mixed / np.linalg.norm(mixed, axis=1, keepdims=True)


# -- small things ----------------------------------------------------------------------------------------------------


def seconds_of(work: Callable[..., object], *given: object) -> float:
    start = time.perf_counter()
    work(*given)
    return time.perf_counter() - start


def both_clocks(work: Callable[..., object], *given: object) -> tuple[float, float]:
    """Seconds that passed, and seconds of computing by all threads, which other work on the machine changes less."""
    start, computing = time.perf_counter(), time.process_time()
    work(*given)
    return time.perf_counter() - start, time.process_time() - computing


def median_ms(seconds: Sequence[float]) -> float:
    return 1000 * statistics.median(seconds)


def p95_ms(seconds: Sequence[float]) -> float:
    return 1000 * statistics.quantiles(seconds, n=20)[-1]


def ask(memory: Memory, question: str) -> None:
    memory.search(question, limit=LIMIT)


def resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextmanager
def temporary_folder() -> Generator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="commonplace-bench-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def write_book(folder: Path, count: int, turns: int) -> None:
    """A book with `count` turns, through the product's own way of writing."""
    memory = Memory.open(folder)
    for session in synthetic.sessions(count, turns):
        memory.add_message(session.name, *session.messages)
    time.sleep(SETTLED_SECONDS)


def embedded_texts(count: int, turns: int) -> list[str]:
    """What the product embeds for each turn, in the order of the turns."""
    return [
        embedded_text(chunk)
        for session in synthetic.sessions(count, turns)
        for chunk in chunks_of_transcript("", session.name, enumerate(session.messages))
    ]


def index_bytes(book: Path) -> int:
    return sum(file.stat().st_size for file in (book / ".commonplace" / "index").iterdir())


# -- queries at one size ---------------------------------------------------------------------------------------------


def scale(count: int, turns: int, vectors: str | None, peers: dict[str, str] | None = None) -> Figures:
    """The whole of `Memory.search` beside the limit, question by question, in a book of `count` chunks.

    `vectors` names a file of real vectors: those of the turns themselves if there are as many, else raw material.
    """
    model = MiniLM()
    given = np.load(vectors) if vectors else None
    with temporary_folder() as folder:
        book = folder / "book"
        write_book(book, count, turns)
        real = given is not None and len(given) >= count
        embedder = ReadyVectors(model, None if real else given, count)
        if given is not None and real:
            texts = embedded_texts(count, turns)
            embedder.known = dict(zip(texts, given, strict=False))
        indexing = seconds_of(Memory.open(book, embedder=embedder).reindex)
        embedder.indexing = False
        matrix, embedder.known = embedder.rows, {}
        memory = Memory.open(book, embedder=embedder)
        figures = beside_limit(memory, model, matrix, synthetic.questions(QUESTIONS))
        figures |= {
            "chunks": count,
            "sessions": -(-count // turns),
            "vectors": "real" if real else "mixed",
            "index_bytes_per_chunk": index_bytes(book) / count,
            "indexing_without_embedding_s": indexing,
            "resident_mb": resident_mb(),
        }
        if peers and given is not None:
            figures["peers"] = {
                name: beside_peer(name, python, memory, folder, count, given) for name, python in peers.items()
            }
        return figures


def beside_limit(memory: Memory, model: MiniLM, matrix: _Floats, questions: Sequence[str]) -> Figures:
    """Ours and the limit in turn, so that whatever else the machine does hits both."""
    ours: list[float] = []
    limit: list[float] = []
    embedding: list[float] = []
    computing: list[tuple[float, float]] = []
    first = seconds_of(ask, memory, questions[0])
    for at, question in enumerate([*questions[:WARM_UP], *questions]):
        whole, whole_computing = both_clocks(ask, memory, question)
        clock = time.process_time()
        start = time.perf_counter()
        vector = model.embed([question])[0]
        embedded = time.perf_counter()
        scores = matrix @ vector
        done = time.perf_counter()
        limit_computing = time.process_time() - clock
        assert len(scores) == len(matrix)
        if at >= WARM_UP:
            ours.append(whole)
            limit.append(done - start)
            embedding.append(embedded - start)
            computing.append((whole_computing, limit_computing))
    ours_computing, limit_computing = (median_ms(column) for column in zip(*computing, strict=True))
    return {
        "ours_ms": median_ms(ours),
        "ours_p95_ms": p95_ms(ours),
        "limit_ms": median_ms(limit),
        "embedding_ms": median_ms(embedding),
        "product_ms": median_ms([whole - part for whole, part in zip(limit, embedding, strict=True)]),
        "ratio": median_ms(ours) / median_ms(limit),
        "ours_computing_ms": ours_computing,
        "limit_computing_ms": limit_computing,
        "computing_ratio": ours_computing / limit_computing,
        "first_search_ms": 1000 * first,
        "load": os.getloadavg()[0],
    }


def beside_peer(name: str, python: str, memory: Memory, folder: Path, count: int, given: _Floats) -> Figures:
    """A peer and ours in alternating blocks of questions."""
    home = folder / name
    home.mkdir()
    texts, vectors = folder / "texts.json", folder / "vectors.npy"
    texts.write_text(json.dumps(list(synthetic.texts(count))), encoding="utf-8")
    np.save(vectors, given[:count])
    environment = os.environ | {
        "PYTHONPATH": str(HERE.parent / "src"),
        "HOME": str(home),
        "ANONYMIZED_TELEMETRY": "False",
        "HF_HUB_OFFLINE": "1",
    }
    process = subprocess.Popen(
        [python, str(HERE / "peers.py"), name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=(home / "log").open("wb"),
        text=True,
        env=environment,
    )
    try:
        return _talk(cast(IO[str], process.stdin), cast(IO[str], process.stdout), memory, home, texts, vectors)
    except (OSError, ValueError) as error:
        last = (home / "log").read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
        return {"failed": last[0] if last else str(error)}
    finally:
        process.kill()
        process.wait()


def _talk(to: IO[str], answers: IO[str], memory: Memory, home: Path, texts: Path, vectors: Path) -> Figures:
    def tell(**what: object) -> Figures:
        to.write(json.dumps(what) + "\n")
        to.flush()
        return json.loads(answers.readline())

    figures = tell(texts=str(texts), vectors=str(vectors), folder=str(home))
    questions = synthetic.questions(QUESTIONS)
    tell(questions=questions[:WARM_UP])
    whole: list[float] = []
    embedding: list[float] = []
    ours: list[float] = []
    for at in range(0, len(questions), BLOCK):
        block = questions[at : at + BLOCK]
        answer = tell(questions=block)
        whole += answer["whole_ms"]
        embedding += answer["embedding_ms"]
        ours += [1000 * seconds_of(ask, memory, question) for question in block]
    without = statistics.median(a - b for a, b in zip(whole, embedding, strict=True))
    return figures | {
        "whole_ms": statistics.median(whole),
        "without_embedding_ms": without,
        "ours_ms": statistics.median(ours),
        "times_ours": statistics.median(whole) / statistics.median(ours),
    }


# -- indexing --------------------------------------------------------------------------------------------------------


def throughput(count: int, turns: int) -> Figures:
    """Indexing with the real embedder, and the embedder alone on the same texts before and after."""
    model = MiniLM()
    texts = embedded_texts(count, turns)
    model.embed(texts[:50])
    with temporary_folder() as folder:
        write_book(folder, count, turns)
        memory = Memory.open(folder, embedder=model)
        before = both_clocks(model.embed, texts)
        indexing = both_clocks(memory.reindex)
        after = both_clocks(model.embed, texts)
    raw, raw_cpu = ((a + b) / 2 for a, b in zip(before, after, strict=True))
    return {
        "chunks": count,
        "raw_per_s": count / raw,
        "indexed_per_s": count / indexing[0],
        "share": raw / indexing[0],
        "share_of_cpu": raw_cpu / indexing[1],
        "raw_spread": abs(before[0] - after[0]) / raw,
        "load": os.getloadavg()[0],
    }


def resync(count: int, turns: int, vectors: str) -> Figures:
    """First indexing of a book, then: nothing changed, and one line more. Keeps the vectors for the other parts."""
    model = MiniLM()
    model.embed(["loaded before the clock runs"])
    texts = embedded_texts(count, turns)
    question = synthetic.questions(1)[0]
    with temporary_folder() as folder:
        write_book(folder, count, turns)
        first = seconds_of(Memory.open(folder, embedder=model).reindex)
        reopened = [seconds_of(lambda: ask(Memory.open(folder, embedder=model), question)) for _ in range(9)]
        memory = Memory.open(folder, embedder=model)
        memory.search(question)
        warm = [seconds_of(memory.index_report) for _ in range(9)]
        changed: list[float] = []
        for session in synthetic.sessions(9, 1, seed=7):
            memory.add_message("s000003", *session.messages)
            changed.append(seconds_of(ask, memory, question))
        size = index_bytes(folder)
        recorded = _recorded(folder, texts)
    np.save(vectors, recorded)
    return {
        "chunks": count,
        "first_s": first,
        "reopened_s": statistics.median(reopened),
        "reopened_share": statistics.median(reopened) / first,
        "unchanged_s": statistics.median(warm),
        "unchanged_share": statistics.median(warm) / first,
        "one_line_s": statistics.median(changed),
        "one_line_share": statistics.median(changed) / first,
        "index_bytes_per_chunk": size / count,
        "load": os.getloadavg()[0],
    }


def _recorded(book: Path, texts: Sequence[str]) -> _Floats:
    """The vectors of the texts, out of the index: reindexing finds them there instead of computing them again."""
    from commonplace.files.folder import FolderStorage
    from commonplace.index.chunkindex import ChunkIndex

    index = ChunkIndex(FolderStorage(book), MiniLM.identity, MiniLM.dimensions)
    index.open()
    known: dict[str, _Floats] = {}
    for segment in index.corpus().segments:
        for at in range(segment.count):
            known[embedded_text(segment.chunk(at))] = segment.vectors[at]
    return np.stack([known[text] for text in texts])


# -- the model, and the shell ----------------------------------------------------------------------------------------


def model() -> Figures:
    """Loading the model in a fresh process: time and memory; then one question at a time."""
    before = resident_mb()
    start = time.perf_counter()
    embedder = MiniLM()
    embedder.embed(["loaded"])
    load = time.perf_counter() - start
    after = resident_mb()
    questions = synthetic.questions(QUESTIONS)
    times = [seconds_of(embedder.embed, [question]) for question in questions]
    return {
        "load_s": load,
        "resident_before_mb": before,
        "resident_after_mb": after,
        "resident_mb": after - before,
        "resident_after_queries_mb": resident_mb() - before,
        "query_ms": median_ms(times),
        "query_p95_ms": p95_ms(times),
    }


def runtime_alone() -> Figures:
    """How much of that is ONNX Runtime itself, before any model."""
    before = resident_mb()
    start = time.perf_counter()
    __import__("onnxruntime")
    return {"import_s": time.perf_counter() - start, "resident_mb": resident_mb() - before}


def cold(count: int, turns: int, vectors: str, runs: int) -> Figures:
    """`commonplace search` from the shell beside `python -c pass`, in turn."""
    program = Path(sys.executable).with_name("commonplace")
    with temporary_folder() as folder:
        book = folder / "book"
        write_book(book, count, turns)
        embedder = ReadyVectors(MiniLM(), None, count)
        embedder.known = dict(zip(embedded_texts(count, turns), np.load(vectors), strict=False))
        memory = Memory.open(book, settings=Settings(), embedder=embedder)
        memory.create()
        memory.reindex()
        homes = {name: str(folder / "home") for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")}
        (folder / "home").mkdir()
        environment = {name: value for name, value in os.environ.items() if not name.startswith("COMMONPLACE_")} | homes
        command = [str(program), "search", "--book", str(book), synthetic.questions(1)[0]]
        ours: list[float] = []
        bare: list[float] = []
        for _ in range(runs + 1):
            ours.append(_run(command, environment))
            bare.append(_run([sys.executable, "-c", "pass"], environment))
    return {
        "chunks": count,
        "search_s": statistics.median(ours[1:]),
        "bare_s": statistics.median(bare[1:]),
        "ratio": statistics.median(ours[1:]) / statistics.median(bare[1:]),
    }


def _run(command: Sequence[str], environment: dict[str, str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


PARTS: dict[str, Callable[..., Figures]] = {
    "scale": scale,
    "throughput": throughput,
    "resync": resync,
    "model": model,
    "runtime_alone": runtime_alone,
    "cold": cold,
}

"""Other systems, each in a process of its own, asked the same questions over the same texts and vectors.

Run by search.py with the Python of a throw-away environment: `python peers.py NAME`. It reads JSON lines: first
{"texts": file, "vectors": file, "folder": where to keep its data}, which it answers with its version and the seconds
it took to build; then {"questions": [...]}, answered with milliseconds for each question, whole and of embedding.
Vectors of texts are looked up, since all systems get the same ones; questions are embedded for each question anew.
"""

import asyncio
import json
import re
import sqlite3
import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonplace.language import STOP_WORDS
from commonplace.providers.embedders.minilm import MiniLM

LIMIT = 10
_BATCH = 500
_WORD = re.compile(r"\w+")

Search = Callable[[str], int]
"""Ask a question; how many results there were."""


class Vectors:
    """Our embedder for everybody: ready vectors for the texts, real work for questions, and a clock."""

    def __init__(self, texts: list[str], vectors: NDArray[np.float32]) -> None:
        self.texts = texts
        self.matrix = vectors
        self._rows = {text: at for at, text in enumerate(texts)}
        self._model = MiniLM()
        self.seconds = 0.0

    def embed(self, texts: list[str]) -> list[NDArray[np.float32]]:
        start = time.perf_counter()
        pairs = [(text, self._rows.get(text)) for text in texts]
        found = [self._model.embed([text])[0] if at is None else self.matrix[at] for text, at in pairs]
        self.seconds += time.perf_counter() - start
        return found


def chromadb(given: Vectors, folder: Path) -> tuple[str, Search]:
    """Vectors alone, its default index (HNSW)."""
    module: Any = import_module("chromadb")
    client = module.PersistentClient(str(folder))
    collection = client.create_collection("turns", embedding_function=None, metadata={"hnsw:space": "cosine"})
    for at in range(0, len(given.texts), _BATCH):
        some = slice(at, at + _BATCH)
        texts = given.texts[some]
        collection.add(
            ids=[str(at + i) for i in range(len(texts))],
            documents=texts,
            embeddings=given.matrix[some],
            metadatas=[{"number": at + i} for i in range(len(texts))],
        )

    def search(question: str) -> int:
        found = collection.query(query_embeddings=given.embed([question]), n_results=LIMIT)
        return len(found["documents"][0])

    return version("chromadb"), search


def memsearch(given: Vectors, folder: Path) -> tuple[str, Search]:
    """Vectors and BM25 in milvus-lite, its only way of searching."""
    embeddings: Any = import_module("memsearch.embeddings")
    core: Any = import_module("memsearch.core")
    chunker: Any = import_module("memsearch.chunker")

    class Provider:
        model_name = "all-MiniLM-L6-v2"
        dimension = 384
        batch_size = _BATCH

        async def embed(self, texts: list[str]) -> list[list[float]]:
            return [vector.tolist() for vector in given.embed(texts)]

    def provide(*_args: object, **_options: object) -> Provider:
        return Provider()

    embeddings.get_provider = core.get_provider = provide
    peer = core.MemSearch(embedding_provider="local", milvus_uri=str(folder / "milvus.db"))
    chunks = [chunker.Chunk(text, f"{at // 25}.md", "", 0, at % 25, at % 25) for at, text in enumerate(given.texts)]
    asyncio.run(peer._embed_and_store(chunks))  # what index() does with the chunks of a file

    def search(question: str) -> int:
        return len(asyncio.run(peer.search(question, top_k=LIMIT)))

    return f"{version('memsearch')} with milvus-lite {version('milvus-lite')}", search


def mempalace(given: Vectors, folder: Path) -> tuple[str, Search]:
    """Its default: candidates by vector (chromadb), ranked again with BM25. Without closets, which makes it faster."""
    embedding: Any = import_module("mempalace.embedding")
    palace: Any = import_module("mempalace.palace")
    miner: Any = import_module("mempalace.miner")
    searcher: Any = import_module("mempalace.searcher")
    functions: Any = import_module("chromadb.utils.embedding_functions")

    def call(_self: object, input: list[str]) -> list[NDArray[np.float32]]:
        return given.embed(list(input))

    def start(_self: object, **_options: object) -> None:
        """Nothing to load."""

    parts = {"__init__": start, "__call__": call, "name": staticmethod(lambda: "default")}
    embedding._build_ef_class = lambda: type("Ours", (functions.ONNXMiniLM_L6_V2,), parts)
    collection = palace.get_collection(str(folder), create=True)
    for at in range(0, len(given.texts), _BATCH):
        texts = given.texts[at : at + _BATCH]
        numbers = range(at, at + len(texts))
        places = [(f"/texts/{n // 25}.txt", n % 25) for n in numbers]
        collection.upsert(
            documents=texts,
            ids=[f"drawer_{n}" for n in numbers],
            metadatas=[
                miner._build_drawer_metadata("talk", "general", file, chunk, "bench", text, None)
                for text, (file, chunk) in zip(texts, places, strict=True)
            ],
        )

    def search(question: str) -> int:
        return len(searcher.search_memories(question, str(folder), n_results=LIMIT)["results"])

    return version("mempalace"), search


def fts5(given: Vectors, folder: Path) -> tuple[str, Search]:
    """What one would write in an afternoon: SQLite FTS5 and a numpy product, half and half. Not a product."""
    base = sqlite3.connect(folder / "texts.db")
    base.execute("create virtual table turns using fts5(text, tokenize = 'porter unicode61')")
    base.executemany("insert into turns(rowid, text) values (?, ?)", enumerate(given.texts))
    base.commit()
    matrix = np.ascontiguousarray(given.matrix)

    def search(question: str) -> int:
        scores = matrix @ given.embed([question])[0]
        words = [word for word in _WORD.findall(question.lower()) if word not in STOP_WORDS]
        match = " OR ".join(f'"{word}"' for word in words)
        found = base.execute(
            "select rowid, bm25(turns) from turns where turns match ? order by bm25(turns) limit 200", (match,)
        ).fetchall()
        if found:
            rows, keyword = (np.array(column) for column in zip(*found, strict=True))
            scores = 0.5 * scores
            scores[rows.astype(np.int64)] += 0.5 * (keyword / keyword.min()).astype(np.float32)
        best = np.argpartition(-scores, LIMIT)[:LIMIT]
        best = best[np.argsort(-scores[best])]
        texts = [base.execute("select text from turns where rowid = ?", (int(at),)).fetchone() for at in best]
        return len(texts)

    return f"SQLite {sqlite3.sqlite_version}", search


PEERS = {"chromadb": chromadb, "memsearch": memsearch, "mempalace": mempalace, "fts5": fts5}


def main(name: str) -> None:
    answers = sys.stdout
    sys.stdout = sys.stderr  # whatever a peer prints is not an answer
    order = json.loads(sys.stdin.readline())
    texts = json.loads(Path(order["texts"]).read_text(encoding="utf-8"))
    given = Vectors(texts, np.load(order["vectors"]))
    given.embed(["the model is loaded before the clock runs"])
    start = time.perf_counter()
    named, search = PEERS[name](given, Path(order["folder"]))
    built = time.perf_counter() - start
    print(json.dumps({"version": named, "build_seconds": built}), file=answers, flush=True)
    for line in sys.stdin:
        whole: list[float] = []
        embedding: list[float] = []
        for question in json.loads(line)["questions"]:
            given.seconds = 0.0
            start = time.perf_counter()
            found = search(question)
            whole.append(1000 * (time.perf_counter() - start))
            embedding.append(1000 * given.seconds)
            if not found:
                raise SystemExit(f"{name} found nothing for {question!r}")
        print(json.dumps({"whole_ms": whole, "embedding_ms": embedding}), file=answers, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])

"""all-MiniLM-L6-v2 with 8-bit weights on ONNX Runtime: the default embedder. Offline, loaded on first use.

`model.onnx` is made by tools/build_minilm.py from the published weights (Apache-2.0); it pools over the attention
mask and normalises by itself.
"""

import hashlib
import os
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from commonplace.errors import EmbedderFailed
from commonplace.providers.embedders.wordpiece import WordPiece

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from commonplace.ports import Vectors

MODEL_SHA256 = "8fab5de629472bb1c98ae016d9cddf548714e2db7783107677c70d14cbf1971f"
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
DIMENSIONS = 384
WINDOW = 256
_MOST_THREADS = 4


class _Session(Protocol):
    """What we use of ONNX Runtime, which has no types of its own."""

    def run(self, outputs: Sequence[str], inputs: "Mapping[str, NDArray[np.int64]]") -> "Sequence[Vectors]": ...


class MiniLM:
    """Texts to unit vectors of 384 numbers."""

    identity = f"all-MiniLM-L6-v2/int8/{MODEL_SHA256[:12]}"
    dimensions = DIMENSIONS

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or Path(str(files("commonplace.providers.embedders.minilm")))
        self._guard = threading.Lock()
        self._session: _Session | None = None
        self._tokens: WordPiece | None = None

    @property
    def loaded(self) -> bool:
        return self._session is not None

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """One vector a text. Each text is run alone: 8-bit activations would otherwise depend on its neighbours."""
        session, tokens = self._load()

        def one(text: str) -> "Vectors":
            ids = np.array([tokens.encode(text)], dtype=np.int64)
            inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
            return np.asarray(session.run(["sentence_embedding"], inputs)[0], dtype=np.float32)

        workers = min(len(texts), os.cpu_count() or 1, _MOST_THREADS)
        if workers <= 1:
            rows = [one(text) for text in texts]
        else:  # the runtime releases the interpreter, so threads share the cores without sharing a batch
            with ThreadPoolExecutor(workers) as pool:
                rows = list(pool.map(one, texts))
        return np.concatenate(rows) if rows else np.zeros((0, DIMENSIONS), dtype=np.float32)

    def _load(self) -> tuple[_Session, WordPiece]:
        with self._guard:
            if self._session is None or self._tokens is None:
                model = self._checked("model.onnx", MODEL_SHA256)
                self._checked("vocab.txt", VOCABULARY_SHA256)
                self._tokens = WordPiece(self._folder / "vocab.txt", longest=WINDOW)
                self._session = _session(model)
            return self._session, self._tokens

    def _checked(self, name: str, sha256: str) -> bytes:
        try:
            data = (self._folder / name).read_bytes()
        except OSError as error:
            raise EmbedderFailed(f"{name} of the embedding model cannot be read: {error}.", hint=_REINSTALL) from error
        if hashlib.sha256(data).hexdigest() != sha256:
            raise EmbedderFailed(f"{name} of the embedding model is damaged.", hint=_REINSTALL)
        return data


_REINSTALL = "Install Commonplace again. Until then search uses keywords alone."


def _session(model: bytes) -> _Session:
    try:
        runtime: Any = import_module("onnxruntime")
    except ImportError as error:
        raise EmbedderFailed(f"ONNX Runtime cannot be loaded: {error}.", hint=_REINSTALL) from error
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

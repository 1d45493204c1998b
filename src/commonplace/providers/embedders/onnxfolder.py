"""Any sentence-embedding model exported to ONNX, from a folder with `model.onnx` and `tokenizer.json`.

Needs the `tokenizers` package (the extra `onnx`). The first output is pooled over the attention mask if it still has
one vector a token, and scaled to length one.
"""

import hashlib
import threading
from collections.abc import Sequence
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from commonplace.config import EmbedderSettings
from commonplace.errors import ConfigError, EmbedderFailed
from commonplace.extras import advice
from commonplace.providers.embedders.onnxrun import Session, one_by_one, open_session

if TYPE_CHECKING:
    from commonplace.ports import Vectors

_WINDOW = 512


class OnnxFolder:
    """A model of the person's own choice; whoever chooses one chooses it for their languages."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._guard = threading.Lock()
        self._session: Session | None = None
        self._tokens: Any = None
        self._inputs: set[str] = set()
        try:
            digest = hashlib.sha256((folder / "model.onnx").read_bytes())
            digest.update((folder / "tokenizer.json").read_bytes())
        except OSError as error:
            raise ConfigError(
                f"There is no readable model.onnx and tokenizer.json in {folder}: {error}.",
                hint="Correct embedder.folder.",
            ) from error
        self.identity = f"onnx/{folder.name}/{digest.hexdigest()[:16]}"

    @cached_property
    def dimensions(self) -> int:
        """Only the model knows, so asking for it loads the model."""
        return len(self._one("x"))

    @property
    def loaded(self) -> bool:
        return self._session is not None

    def reads(self, text: str) -> bool:
        return bool(text)

    def embed(self, texts: Sequence[str]) -> "Vectors":
        return one_by_one(texts, self._one, self.dimensions)

    def _one(self, text: str) -> "Vectors":
        session, tokens = self._load()
        whole = text.encode("utf-8", "replace").decode()  # half a surrogate pair is no text to the library
        ids = np.array([tokens.encode(whole).ids], dtype=np.int64)
        everything = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        inputs = {name: array for name, array in everything.items() if name in self._inputs}
        output = np.asarray(session.run(None, inputs)[0], dtype=np.float32)[0]
        vector = output.mean(axis=0) if output.ndim == 2 else output
        return (vector / max(float(np.linalg.norm(vector)), 1e-12)).astype(np.float32)

    def _load(self) -> tuple[Session, Any]:
        with self._guard:
            if self._session is None:
                try:
                    tokenizers: Any = import_module("tokenizers")
                except ImportError as error:
                    raise EmbedderFailed(
                        "An ONNX model of your own needs the package `tokenizers`.",
                        hint=advice("onnx"),
                    ) from error
                self._tokens = self._tokenizer(tokenizers)
                self._tokens.no_padding()
                self._tokens.enable_truncation(_WINDOW)
                session: Any = open_session(self._folder / "model.onnx")
                self._inputs = {one.name for one in session.get_inputs()}
                self._session = session
                return session, self._tokens
            return self._session, self._tokens

    def _tokenizer(self, tokenizers: Any) -> Any:
        try:
            return tokenizers.Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        except Exception as error:  # the library raises nothing more exact
            raise EmbedderFailed(
                f"There is no usable tokenizer.json in {self._folder}: {error}.",
                hint="Put the model's own there. Until then search uses keywords alone.",
            ) from error


@cache  # one for all books of a process
def from_settings(settings: EmbedderSettings) -> OnnxFolder:
    if not settings.folder:
        raise ConfigError("embedder.name is onnx, but embedder.folder is not set.", hint="Name the model's folder.")
    return OnnxFolder(Path(settings.folder).expanduser())

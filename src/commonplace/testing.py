"""Public fakes for tests of programs that use Commonplace. Nothing shipped imports this module."""

import hashlib
import threading
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from commonplace.errors import EmbedderFailed
from commonplace.terms import terms

if TYPE_CHECKING:
    from commonplace.ports import Vectors


class StoppedClock:
    """A clock that stands still until it is moved. Implements `Clock`."""

    def __init__(self, at: datetime) -> None:
        if at.tzinfo is None:
            raise ValueError("a clock needs a time with its zone")
        self._at = at

    def now(self) -> datetime:
        return self._at

    def move(self, step: timedelta) -> None:
        self._at += step


class HashingEmbedder:
    """Texts with the same words get the same vector, in no time. Implements `Embedder`.

    It notes every text it is given, so that a test can tell what was embedded and what was not; `broken` makes it
    fail like a model that is not there.
    """

    def __init__(self, identity: str = "hashing", dimensions: int = 64) -> None:
        self.identity = identity
        self.dimensions = dimensions
        self.loaded = False
        self.multilingual = True
        self.broken = False
        self.texts: list[str] = []
        self._guard = threading.Lock()

    def embed(self, texts: Sequence[str]) -> "Vectors":
        import numpy as np

        if self.broken:
            raise EmbedderFailed("The model is broken.", hint="Mend it.")
        with self._guard:
            self.loaded = True
            self.texts += texts
        matrix = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            for term in terms(text) or [text]:
                digest = hashlib.blake2b(f"{self.identity} {term}".encode("utf-8", "replace"), digest_size=8).digest()
                matrix[row, int.from_bytes(digest[:4], "little") % self.dimensions] += 1 if digest[4] % 2 else -1
        lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
        return (matrix / np.where(lengths > 0, lengths, 1)).astype(np.float32)

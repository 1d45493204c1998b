"""all-MiniLM-L6-v2 with 8-bit weights on ONNX Runtime: the default embedder. Offline, loaded on first use.

`model.onnx` and `vocab.txt` are made by tools/build_minilm.py from the published weights (Apache-2.0). The graph
itself pools over the attention mask and scales to length one. It was trained on English: other languages are read as
rough English, word by word.
"""

import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from commonplace.config import EmbedderSettings
from commonplace.language import is_latin
from commonplace.language.glossing import rough_english
from commonplace.providers.embedders.onnxrun import Session, one_by_one, open_session
from commonplace.providers.embedders.shipped import checked
from commonplace.providers.embedders.wordpiece import WordPiece

if TYPE_CHECKING:
    from commonplace.ports import Vectors

MODEL_SHA256 = "8fab5de629472bb1c98ae016d9cddf548714e2db7783107677c70d14cbf1971f"
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
WINDOW = 256
FOLDER = Path(__file__).parent
GLOSSES = 3  # to be raised with every change of the lists of words: vectors of two kinds are never mixed


class MiniLM:
    """Texts to unit vectors of 384 numbers."""

    identity = f"all-MiniLM-L6-v2/int8/{MODEL_SHA256[:12]}/glossed-{GLOSSES}"
    dimensions = 384

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or FOLDER
        self._guard = threading.Lock()
        self._session: Session | None = None
        self._tokens: WordPiece | None = None

    @property
    def loaded(self) -> bool:
        return self._session is not None

    def reads(self, text: str) -> bool:
        return is_latin(text) or is_latin(rough_english(text))

    def embed(self, texts: Sequence[str]) -> "Vectors":
        return self.embed_as_it_is([rough_english(text) for text in texts])

    def embed_as_it_is(self, texts: Sequence[str]) -> "Vectors":
        """Whatever the language."""
        session, tokens = self._load()

        def one(text: str) -> "Vectors":
            ids = np.array([tokens.encode(text)], dtype=np.int64)
            return session.run(["sentence_embedding"], {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0][0]

        return one_by_one(texts, one, self.dimensions)

    def _load(self) -> tuple[Session, WordPiece]:
        with self._guard:
            if self._session is None or self._tokens is None:
                self._check("vocab.txt", VOCABULARY_SHA256)
                self._check("model.onnx", MODEL_SHA256)
                self._tokens = WordPiece(self._folder / "vocab.txt", longest=WINDOW)
                self._session = open_session(self._folder / "model.onnx")
            return self._session, self._tokens

    def _check(self, name: str, sha256: str) -> None:
        hint = "Install Commonplace again. Until then search uses keywords alone."
        checked(self._folder / name, sha256, of=" of the embedding model", hint=hint)


@cache  # one for all books of a process
def from_settings(_: EmbedderSettings) -> MiniLM:
    return MiniLM()

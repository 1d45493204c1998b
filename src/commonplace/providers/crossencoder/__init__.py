"""A cross-encoder: reads two texts at once, and says how surely they are the same fact or one a newer value.

`pairs.onnx` is made by tools/fit_pairs.py and tools/build_pairs.py from all-MiniLM-L6-v2 (Apache-2.0). It begins behind
the vectors of words, which are the embedder's and are read from its file. English, other languages as rough English;
offline; loaded on first use, once for all books of a process, whatever their embedder.
"""

import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from commonplace.errors import EmbedderFailed
from commonplace.language import is_latin
from commonplace.language.normalising import comparable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from commonplace.ports import Vectors
    from commonplace.providers.embedders.onnxrun import Session
    from commonplace.providers.embedders.wordpiece import WordPiece

PAIRS_SHA256 = "49f5f0f3e01eddac949fa9982d33b28cfbff705e63510ec00623b5e2e2a7abff"
LONGEST_TEXT = 48  # tokens of one text with its two marks, as in the fit
WINDOW = 64

_WORDS = 30522
_CODES_AT = 24287  # where the embedder's file has the codes of its words, and their scales: see tools/build_pairs.py
_SCALES_AT = 11744766
_OF = ", which compares entries,"
_HINT = "Install Commonplace again. Until then only entries with the same words are known again."


class PairReader:
    """Pairs of texts to the probabilities of "the same fact" and "a newer value"."""

    def __init__(self, folder: Path | None = None, embedder: Path | None = None) -> None:
        self._folder = folder or Path(__file__).parent
        self._embedder = embedder or Path(__file__).parents[1] / "embedders" / "minilm"
        self._guard = threading.Lock()
        self._loaded: tuple[Session, WordPiece, NDArray[np.int8], Vectors] | None = None

    @property
    def loaded(self) -> bool:
        return self._loaded is not None

    def compare(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[float, float] | None]:
        """How surely the new text of each pair is the same fact as the old one, and how surely a newer value of it;
        None where a script stays that it cannot read."""
        texts = [comparable(*pair) for pair in pairs]
        read = [at for at, both in enumerate(texts) if all(map(is_latin, both))]
        known = dict(zip(read, self._read([texts[at] for at in read]), strict=True))
        return [known.get(at) for at in range(len(pairs))]

    def _read(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[float, float]]:
        if not pairs:
            return []
        import numpy as np

        from commonplace.providers.embedders.onnxrun import one_by_one

        session, tokens, codes, scales = self._load()

        def one(pair: tuple[str, str]) -> "Vectors":
            new, old = pair
            first, second = _fitting(tokens.encode(new), tokens.encode(old)[1:])
            ids = np.array([*first, *second], dtype=np.int64)
            words = codes[ids].astype(np.float32) * scales[ids]
            segments = np.array([[0] * len(first) + [1] * len(second)], dtype=np.int64)
            return session.run(["odds"], {"words": words[None], "segments": segments})[0][0]

        odds = one_by_one(pairs, one, 3)
        shares = np.exp(odds - odds.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        return [(float(same), float(newer)) for _, same, newer in shares]

    def _load(self) -> "tuple[Session, WordPiece, NDArray[np.int8], Vectors]":
        import numpy as np

        from commonplace.providers.embedders import minilm
        from commonplace.providers.embedders.shipped import checked
        from commonplace.providers.embedders.wordpiece import WordPiece

        with self._guard:
            if self._loaded is None:
                checked(self._folder / "pairs.onnx", PAIRS_SHA256, of=_OF, hint=_HINT)
                words = checked(self._embedder / "model.onnx", minilm.MODEL_SHA256, of=_OF, hint=_HINT)
                checked(self._embedder / "vocab.txt", minilm.VOCABULARY_SHA256, of=_OF, hint=_HINT)
                size = minilm.MiniLM.dimensions
                codes = np.frombuffer(words, np.int8, _WORDS * size, _CODES_AT).reshape(_WORDS, size)
                scales = np.frombuffer(words, np.float32, _WORDS, _SCALES_AT).reshape(_WORDS, 1)
                tokens = WordPiece(self._embedder / "vocab.txt", longest=LONGEST_TEXT)
                self._loaded = _open(self._folder / "pairs.onnx"), tokens, codes, scales
            return self._loaded


@cache
def pair_reader() -> PairReader:
    """The one of this process."""
    return PairReader()


def _fitting(first: list[int], second: list[int]) -> tuple[list[int], list[int]]:
    """Both texts with their end marks, the longer one cut until they fit the window together."""
    first, second = list(first), list(second)
    while len(first) + len(second) > WINDOW:
        longer = first if len(first) - 1 > len(second) else second
        del longer[-2]
    return first, second


def _open(model: Path) -> "Session":
    from commonplace.providers.embedders.onnxrun import open_session

    try:
        return open_session(model)
    except EmbedderFailed as error:
        raise EmbedderFailed(f"The model that compares entries cannot be loaded: {error}", hint=_HINT) from error

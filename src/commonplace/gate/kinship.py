"""How near two English words are in meaning, from a small table of word vectors. No model is run.

`kinship.bin` is made by tools/build_kinship.py: the words of the embedding model's vocabulary in order of how common
they are, each embedded alone and reduced to 64 small numbers. Words of other languages are simply not in it.
"""

import math
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DIMENSIONS = 64
_ENDINGS = ("s", "es", "ed", "d", "ing", "er", "ers", "ly", "al", "ally", "ist", "ies", "ied")


class Table(NamedTuple):
    rows: dict[str, int]  # in order of how common the words are
    vectors: "NDArray[np.float32]"


@cache
def _table() -> Table:
    import numpy as np

    data = files("commonplace.gate").joinpath("kinship.bin").read_bytes()
    words, _, numbers = data.partition(b"\0")
    listed = words.decode("ascii").split("\n")
    vectors = np.frombuffer(numbers, dtype=np.int8).reshape(len(listed), DIMENSIONS).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return Table({word: at for at, word in enumerate(listed)}, vectors)


@lru_cache(maxsize=16_384)
def row_of(word: str) -> int | None:
    """Where the word, or what it is a form of, stands in the table."""
    rows = _table().rows
    if word in rows:
        return rows[word]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            base = word[: -len(ending)]
            for form in (base, base + "e", base + "y", base[:-1] if base[-1:] == base[-2:-1] else base):
                if form in rows:
                    return rows[form]
    return None


@lru_cache(maxsize=16_384)
def rarity(word: str) -> float:
    """From 0 for the commonest words to 1 for rare and unknown ones."""
    row = row_of(word)
    if row is None:
        return 1.0
    return max(0.0, math.log((row + 50) / 50) / math.log((len(_table().rows) + 50) / 50))


@lru_cache(maxsize=65_536)
def kinship(one: str, other: str) -> float:
    """From 0 (nothing in common, or not known) to 1 (the same)."""
    if one == other:
        return 1.0
    first, second = row_of(one), row_of(other)
    if first is None or second is None:
        return 0.0
    vectors = _table().vectors
    return max(0.0, float(vectors[first] @ vectors[second]))

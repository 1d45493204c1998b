"""How near two English words are in meaning, from a small table of word vectors. No model is run.

`kinship.bin` is made by tools/build_kinship.py: the words of the embedding model's vocabulary in order of how common
they are, each embedded alone and reduced to 64 small numbers. Words of other languages are simply not in it.
"""

import math
from functools import cache, lru_cache
from operator import mul
from pathlib import Path
from typing import NamedTuple

DIMENSIONS = 64
_ENDINGS = ("s", "es", "ed", "d", "ing", "er", "ers", "ly", "al", "ally", "ist", "ies", "ied")


class Table(NamedTuple):
    rows: dict[str, int]  # in order of how common the words are
    numbers: memoryview  # the vectors one after the other


@cache
def _table() -> Table:
    data = Path(__file__).with_name("kinship.bin").read_bytes()
    end = data.index(b"\0")
    listed = data[:end].decode("ascii").split("\n")
    return Table(dict(zip(listed, range(len(listed)), strict=True)), memoryview(data)[end + 1 :].cast("b"))


@lru_cache(maxsize=16_384)
def _vector(row: int) -> tuple[list[int], float]:
    """A word's numbers and their length. Plain Python: a few words are compared sooner than numpy is loaded."""
    vector = _table().numbers[row * DIMENSIONS : (row + 1) * DIMENSIONS].tolist()
    return vector, math.sqrt(sum(map(mul, vector, vector)))


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
    (ones, length), (others, other_length) = _vector(first), _vector(second)
    return max(0.0, sum(map(mul, ones, others)) / (length * other_length))

"""Which chunks have which terms: an inverted index in four arrays. Pure.

Terms are 64-bit hashes, so there is no dictionary to load.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST = int(np.iinfo(np.uint16).max)


class Postings(NamedTuple):
    """Term keys in order; the chunks of key i, and how often it stands there, are at starts[i] to starts[i + 1]."""

    keys: "NDArray[np.uint64]"
    starts: "NDArray[np.int64]"
    chunks: "NDArray[np.int32]"
    counts: "NDArray[np.uint16]"

    def of(self, key: int) -> "tuple[NDArray[np.int32], NDArray[np.uint16]]":
        at = int(np.searchsorted(self.keys, np.uint64(key)))
        if at == len(self.keys) or int(self.keys[at]) != key:
            return self.chunks[:0], self.counts[:0]
        found = slice(int(self.starts[at]), int(self.starts[at + 1]))
        return self.chunks[found], self.counts[found]


@lru_cache(maxsize=65536)
def term_key(term: str) -> int:
    return int.from_bytes(hashlib.blake2b(term.encode("utf-8", "replace"), digest_size=8).digest(), "little")


def postings_of(texts: Iterable[list[str]]) -> "tuple[Postings, NDArray[np.int32]]":
    """The inverted index of texts given as their terms, and how many terms each has."""
    keys: list[int] = []
    chunks: list[int] = []
    counts: list[int] = []
    lengths: list[int] = []
    for number, words in enumerate(texts):
        found = Counter(words)
        lengths.append(len(words))
        keys += map(term_key, found)
        counts += (min(count, _MOST) for count in found.values())
        chunks += [number] * len(found)
    postings = sorted_postings(
        np.array(keys, dtype=np.uint64), np.array(chunks, dtype=np.int32), np.array(counts, dtype=np.uint16)
    )
    return postings, np.array(lengths, dtype=np.int32)


def sorted_postings(keys: "NDArray[np.uint64]", chunks: "NDArray[np.int32]", counts: "NDArray[np.uint16]") -> Postings:
    """Postings from (term, chunk, count) triples in any order."""
    order = np.lexsort((chunks, keys))
    unique, starts = np.unique(keys[order], return_index=True)
    return Postings(unique, np.append(starts, len(keys)).astype(np.int64), chunks[order], counts[order])


def triples(postings: Postings) -> "tuple[NDArray[np.uint64], NDArray[np.int32], NDArray[np.uint16]]":
    """The opposite of `sorted_postings`."""
    return np.repeat(postings.keys, np.diff(postings.starts)), postings.chunks, postings.counts

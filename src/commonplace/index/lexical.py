"""Which chunks have which terms: an inverted index in four arrays, and BM25 over it. Pure.

Terms are 64-bit hashes, so there is no dictionary to load. Scores come back for all chunks at once: neighbours and
sessions can then be looked at by indexing.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from commonplace.terms import terms

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST = np.iinfo(np.uint16).max


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


def postings_of(texts: Sequence[str]) -> "tuple[Postings, NDArray[np.int32]]":
    """The inverted index of some texts, and how many terms each has."""
    keys: list[int] = []
    chunks: list[int] = []
    counts: list[int] = []
    lengths = np.zeros(len(texts), dtype=np.int32)
    for number, text in enumerate(texts):
        found = Counter(terms(text))
        lengths[number] = found.total()
        keys += map(term_key, found)
        counts += found.values()
        chunks += [number] * len(found)
    triples = np.array(keys, dtype=np.uint64), np.array(chunks, dtype=np.int32)
    return sorted_postings(*triples, np.minimum(np.array(counts, dtype=np.int64), _MOST).astype(np.uint16)), lengths


def sorted_postings(keys: "NDArray[np.uint64]", chunks: "NDArray[np.int32]", counts: "NDArray[np.uint16]") -> Postings:
    """Postings from (term, chunk, count) triples in any order."""
    order = np.lexsort((chunks, keys))
    unique, starts = np.unique(keys[order], return_index=True)
    return Postings(unique, np.append(starts, len(keys)).astype(np.int64), chunks[order], counts[order])


def triples(postings: Postings) -> "tuple[NDArray[np.uint64], NDArray[np.int32], NDArray[np.uint16]]":
    """The opposite of `sorted_postings`."""
    return np.repeat(postings.keys, np.diff(postings.starts)), postings.chunks, postings.counts

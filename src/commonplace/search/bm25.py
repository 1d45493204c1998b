"""BM25 over a corpus, for all chunks (or groups) at once. Pure."""

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from commonplace.ports import Corpus

K1, B = 1.2, 0.75


class TermMatch(NamedTuple):
    """One term of the question: how much it counts, how rare it is, and where it stands how often."""

    weight: float
    having: int  # chunks of the book
    idf: float
    chunks: "NDArray[np.int64]"
    counts: "NDArray[np.float32]"


def look_up(corpus: "Corpus", terms: "Mapping[str, int]", *, damped: bool = True) -> list[TermMatch]:
    """Every term of the question; a term that is said twice counts more, but not twice as much if `damped`."""
    matches: list[TermMatch] = []
    for term, repeats in terms.items():
        chunks, counts = corpus.occurrences(term)
        total, having = (w.chunks, w.having.get(term, 0)) if (w := corpus.whole) else (corpus.count, len(chunks))
        weight = math.sqrt(repeats) if damped else repeats
        matches.append(TermMatch(weight, having, idf(total, having), chunks, counts))
    return matches


def idf(total: int, having: int) -> float:
    return math.log1p((total - having + 0.5) / (having + 0.5))


def room(
    lengths: "NDArray[np.int32]", b: float = B, k1: float = K1, average: float | None = None
) -> "NDArray[np.float32]":
    """BM25's allowance for length, for each document; `average` if these are not all. It holds for all questions."""
    if average is None:
        average = float(lengths.mean()) if len(lengths) else 1.0
    average = max(average, 1.0)
    return (k1 * (1 - b + b * lengths / average)).astype(np.float32)


def chunk_scores(matches: "Sequence[TermMatch]", rooms: "NDArray[np.float32]", k1: float = K1) -> "NDArray[np.float32]":
    scores = np.zeros(len(rooms), dtype=np.float32)
    for match in matches:
        weight = np.float32(match.weight * match.idf * (k1 + 1))
        scores[match.chunks] += weight * match.counts / (match.counts + rooms[match.chunks])
    return scores


def group_scores(
    corpus: "Corpus", matches: "Sequence[TermMatch]", rooms: "NDArray[np.float32]", k1: float = K1
) -> "NDArray[np.float32]":
    """The same with each group (a session, a heading) as one long document."""
    groups, whole = len(rooms), corpus.whole
    scores = np.zeros(groups, dtype=np.float32)
    for match in matches:
        counts = np.bincount(corpus.group[match.chunks], weights=match.counts, minlength=groups)
        having = int(np.count_nonzero(counts))
        if whole is None:
            rarity = idf(groups, having)
        else:  # as many groups have the term as chunks, but for those that have it several times
            share = having / max(len(match.chunks), 1)
            rarity = idf(whole.groups, min(whole.groups, max(having, round(match.having * share))))
        scores += (match.weight * rarity * counts * (k1 + 1) / (counts + rooms)).astype(np.float32)
    return scores


def coverage(matches: "Sequence[TermMatch]", chunks: int) -> "NDArray[np.float32]":
    """The share of the question's terms, by rarity, that a chunk has."""
    scores = np.zeros(chunks, dtype=np.float32)
    for match in matches:
        scores[match.chunks] += np.float32(match.idf)
    return scores / np.float32(sum(match.idf for match in matches) or 1.0)

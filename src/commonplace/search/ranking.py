"""Which chunks, in which order, and why. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from commonplace.search import plain
from commonplace.search.query import Filters, Query, folded
from commonplace.terms import terms
from commonplace.types import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from commonplace.ports import Corpus

Method = plain.Formula | None
"""How to score: the plain formula with its weights, or (None) the fitted one."""

_DEEPEST = 200
_SOURCES = list(Source)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The best chunks first, their scores, and what the scores are made of."""

    chunks: "NDArray[np.int64]"
    scores: "NDArray[np.float32]"
    components: "dict[str, NDArray[np.float32]]"


def rank(corpus: "Corpus", query: Query, cosine: "NDArray[np.float32] | None", method: Method) -> Ranking:
    allowed = _allowed(corpus, query)
    components = plain.score(corpus, query, cosine, method or plain.Formula())
    scores = components["score"] if allowed is None else np.where(allowed, components["score"], 0)
    order = best(scores, _DEEPEST)
    order = order[scores[order] > 0]
    return Ranking(order, scores[order], {name: values[order] for name, values in components.items()})


def best(scores: "NDArray[np.float32]", most: int) -> "NDArray[np.int64]":
    """The places of the highest scores, highest first; equal scores in the order of the corpus."""
    if len(scores) > 4 * most:
        floor = np.partition(scores, len(scores) - most)[len(scores) - most]
        candidates = np.flatnonzero(scores >= floor)
    else:
        candidates = np.arange(len(scores))
    return candidates[np.argsort(-scores[candidates], kind="stable")][:most]


def _allowed(corpus: "Corpus", query: Query) -> "NDArray[np.bool_] | None":
    """Which chunks may be found; None for all."""
    masks = [*_filter_masks(corpus, query.filters), *(_has_phrase(corpus, p) for p in query.phrases)]
    return np.logical_and.reduce(masks) if masks else None


def _filter_masks(corpus: "Corpus", filters: Filters) -> "Sequence[NDArray[np.bool_]]":
    masks: list[NDArray[np.bool_]] = []
    if filters.sources:
        masks.append(np.isin(corpus.source, [_SOURCES.index(source) for source in filters.sources]))
    if filters.since:
        masks.append(corpus.day >= filters.since.toordinal())
    if filters.until:
        masks.append((corpus.day <= filters.until.toordinal()) & (corpus.day > 0))
    if filters.sessions:
        wanted = np.array([session in filters.sessions for session in corpus.sessions], dtype=np.bool_)
        masks.append(wanted[corpus.group])
    return masks


def _has_phrase(corpus: "Corpus", phrase: str) -> "NDArray[np.bool_]":
    """A quoted phrase must stand in the text as it is; only chunks that have its terms are read."""
    candidates: NDArray[np.int64] | None = None
    for term in terms(phrase):
        chunks, _ = corpus.occurrences(term)
        candidates = chunks if candidates is None else np.intersect1d(candidates, chunks)
    mask = np.zeros(corpus.count, dtype=np.bool_)
    for at in range(corpus.count) if candidates is None else candidates:
        mask[at] = phrase in folded(corpus.chunk(int(at)).text)
    return mask

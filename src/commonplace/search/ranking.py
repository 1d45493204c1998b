"""Which chunks, in which order, and why. Pure."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from commonplace.language import terms
from commonplace.search import plain
from commonplace.search.evidence import FROM_MEANING, Evidence, Likeness
from commonplace.search.query import Filters, Kind, Query, folded
from commonplace.types.searching import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from commonplace.ports import Corpus, Vectors
    from commonplace.search.facts import Facts

Method = plain.Formula | None
"""How to score: the plain formula with its weights, or (None) the fitted one."""

_HEATS = 16  # for each place
_SOMEWHAT_ALIKE = 0.07  # turned questions are a little less like everything: 0.1 before they were turned
_USUAL_BEST = 8.0
_SOURCES = list(Source)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The best chunks first, their scores, and what the scores are made of."""

    chunks: "NDArray[np.int64]"
    scores: "NDArray[np.float32]"
    components: "dict[str, NDArray[np.float32]]"


def gathered(corpus: "Corpus", facts: "Facts", query: Query, likeness: Likeness | None) -> Evidence:
    """What is known about each chunk that may be found."""
    return Evidence(query, corpus, facts, likeness, _allowed(corpus, query) if corpus.count else None)


def rank(evidence: Evidence, method: Method, *, most: int) -> Ranking:
    """The chunks that may answer the question, best first, `most` of them."""
    if not evidence.corpus.count:
        nothing = np.zeros(0, dtype=np.float32)
        return Ranking(nothing.astype(np.int64), nothing, {})
    if method is not None:
        components = plain.score(evidence.corpus, evidence.query, evidence.similarity, method)
        scores = components["score"] if evidence.allowed is None else components["score"] * evidence.allowed
        order = best(scores, most)
        order = order[scores[order] > 0]
        return Ranking(order, scores[order], {name: values[order] for name, values in components.items()})
    return _fitted(evidence, most)


def by_date(evidence: Evidence, *, most: int) -> "NDArray[np.int64]":
    """The chunks that the filters let through, all of them relevant: what was kept and what fits best first."""
    allowed = np.arange(evidence.corpus.count) if evidence.allowed is None else np.flatnonzero(evidence.allowed)
    return allowed[best(totals(evidence, allowed), most)]


def totals(evidence: Evidence, chunks: "NDArray[np.int64]") -> "Vectors":
    """The weighted sums of some chunks."""
    weights = fitted_weights()[evidence.query.kind]
    total = np.zeros(len(chunks), dtype=np.float32)
    for name, weight in weights.items():
        total += np.float32(weight) * getattr(evidence, name)[chunks]
    return total


def _fitted(evidence: Evidence, most: int) -> Ranking:
    """The weighted sum of the evidence, with the weights of the question's kind."""
    weights = fitted_weights()[evidence.query.kind]
    total = np.zeros(evidence.corpus.count, dtype=np.float32)
    for name, weight in sorted(weights.items(), key=lambda item: item[0] in FROM_MEANING):
        values: Vectors = getattr(evidence, name)
        if values is not evidence.nothing:
            total += np.float32(weight) * values
    relevant = evidence.coverage > 0
    if evidence.query.phrases:  # a text that has the phrase is relevant, if only for its stop words
        relevant = np.ones_like(relevant)
    elif evidence.similarity is not None:
        relevant |= evidence.similarity >= _SOMEWHAT_ALIKE
    if evidence.allowed is not None:
        relevant &= evidence.allowed
    total = np.where(relevant, total, np.float32(-np.inf))
    order = best(total, most)
    order = order[np.isfinite(total[order])]
    parts = {name: np.float32(weight) * getattr(evidence, name)[order] for name, weight in weights.items()}
    return Ranking(order, _between_0_and_1(total[order]), parts)


@cache
def fitted_weights() -> "dict[Kind, dict[str, float]]":
    """What the development data taught; see docs/retrieval.md."""
    text = Path(__file__).with_name("weights.json").read_text(encoding="utf-8")
    return {Kind(kind): weights for kind, weights in json.loads(text)["weights"].items()}


def _between_0_and_1(scores: "Vectors") -> "Vectors":
    """For people: the order is that of the sums."""
    return (1 / (1 + np.exp((_USUAL_BEST - scores) / 2))).astype(np.float32)


def best(scores: "NDArray[np.float32]", most: int) -> "NDArray[np.int64]":
    """The places of the highest scores, highest first; equal scores in the order of the corpus."""
    heats = _HEATS * most
    rounds = len(scores) // heats
    if rounds > 1:  # enough winners of many heats are above the floor, so what is below it cannot be among the best
        winners = scores[: heats * rounds].reshape(rounds, heats).max(axis=0)
        floor = np.partition(winners, heats - most)[heats - most]
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

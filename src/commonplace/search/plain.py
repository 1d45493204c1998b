"""The plain formula: weighted BM25 and cosine, each brought to 0…1, times a decay by age. Pure.

It is available by configuration and is the baseline of every table.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from commonplace.search.bm25 import chunk_scores, look_up, room

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from commonplace.ports import Corpus
    from commonplace.search.query import Query


@dataclass(frozen=True, slots=True)
class Formula:
    """The weights; 0.01 a day is a half-life of about 69 days."""

    keyword: float = 0.3
    vector: float = 0.7
    decay: float = 0.01
    k1: float = 1.2
    b: float = 0.75


def score(
    corpus: "Corpus", query: "Query", cosine: "NDArray[np.float32] | None", formula: Formula
) -> "dict[str, NDArray[np.float32]]":
    """Components by name, one element a chunk; `score` is the final one."""
    rooms = room(corpus.length, formula.b, formula.k1, corpus.whole.length if corpus.whole else None)
    keyword = _to_one(chunk_scores(look_up(corpus, query.terms, damped=False), rooms, formula.k1))
    if cosine is None:
        vector, combined = np.zeros_like(keyword), keyword
    else:
        vector = np.clip(cosine, 0.0, 1.0)
        combined = formula.keyword * keyword + formula.vector * vector
    age = np.where(corpus.day > 0, np.maximum(query.today.toordinal() - corpus.day, 0), 0)
    decay = np.exp(-formula.decay * age).astype(np.float32)
    return {"keyword": keyword, "vector": vector, "decay": decay, "score": combined * decay}


def _to_one(scores: "NDArray[np.float32]") -> "NDArray[np.float32]":
    best = float(scores.max()) if len(scores) else 0.0
    return scores / best if best > 0 else scores

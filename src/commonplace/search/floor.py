"""Which of the best chunks are evidence at all: for each the chance that it tells something about the question. Pure.

Ranking compares chunks with each other, so the best one looks good whatever is asked. Here they are measured by
absolute signs, in two steps: the chance that the message is about something that is remembered at all (a greeting is
not), times the chance that this chunk, among all that were ranked, tells it. `floor.json` holds the weights of both
logistic regressions, fitted by tools/fit_floor.py; what they achieve is in docs/retrieval.md.
"""

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from commonplace.search.query import Kind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from commonplace.search.evidence import Evidence

    Floats = NDArray[np.float64]

_TENTH, _THIRTIETH = 9, 29
_FIRST, _MANY = 3, 40


class Signs(NamedTuple):
    """What is known about a question, and about each chunk that was ranked for it: one row a chunk."""

    question: "Floats"
    chunks: "Floats"


class Floor(NamedTuple):
    """The weights of both steps, each with the constant as its last, and the least chances that count: that a message
    asks for something, and that a chunk tells it."""

    question: "Floats"
    chunks: "Floats"
    asked: float
    least: float


def signs(evidence: "Evidence", chunks: "NDArray[np.int64]", totals: "NDArray[np.float32]") -> Signs:
    """The chunks stand in the order of their `totals`, the best first."""
    size, query = len(chunks), evidence.query
    nothing, one = np.zeros(size), np.ones(size)
    cosine = nothing if evidence.similarity is None else evidence.similarity[chunks].astype(np.float64)
    coverage = evidence.coverage[chunks].astype(np.float64)
    near, covered, rarity = cosine.max(initial=0.0), coverage.max(initial=0.0), float(np.log1p(evidence.rarity))
    behind = totals.max(initial=0.0) - totals.astype(np.float64)
    tenth, thirtieth = _at(behind, _TENTH), _at(behind, _THIRTIETH)
    depth = np.log1p(np.arange(size))
    remark, continuation = float(query.kind is Kind.REMARK), float(query.kind is Kind.CONTINUATION)
    bare = float(len(query.terms) < 2)
    asks, length = evidence.asks[chunks], evidence.log_length[chunks]
    small_talk = evidence.small_talk[chunks]
    question = np.array(
        [
            near,
            covered,
            rarity,
            rarity * covered,
            bare,
            remark,
            continuation,
            tenth,
            near - _at(-np.sort(-cosine), _TENTH),
            coverage[:_MANY].sum() / _MANY,
            rarity**2,
            near * rarity,
            remark * near,
            *(float(values[:_FIRST].mean()) if size else 0.0 for values in (asks, length, small_talk)),
            1.0,
        ]
    )
    columns = [
        cosine,
        near * one,
        coverage,
        covered * one,
        behind,
        depth,
        rarity * one,
        np.log1p(coverage * evidence.rarity),
        nothing if evidence.similarity is None else evidence.session_best[chunks],
        length,
        asks,
        small_talk,
        evidence.in_dates[chunks],
        evidence.assistant[chunks],
        remark * one,
        cosine * remark,
        coverage * remark,
        continuation * one,
        cosine * continuation,
        bare * one,
        near - cosine,
        behind**2,
        depth**2,
        cosine * coverage,
        cosine**2,
        coverage**2,
        np.exp(-behind),
        near * behind,
        covered * behind,
        rarity * behind,
        rarity * depth,
        near**2 * one,
        covered**2 * one,
        tenth * one,
        thirtieth * one,
        behind / (thirtieth + 0.1),
        behind / (tenth + 0.1),
        one,
    ]
    return Signs(question, np.stack(columns, axis=1).astype(np.float64))


def _at(values: "Floats", place: int) -> float:
    return float(values[min(place, len(values) - 1)]) if len(values) else 0.0


def chances(given: Signs, floor: Floor) -> "Floats":
    """The chance of each chunk to be evidence for the question; none where nothing is asked for."""
    asked = _chance(given.question @ floor.question)
    return asked * _chance(given.chunks @ floor.chunks) if asked >= floor.asked else np.zeros(len(given.chunks))


def _chance(logit: "Floats") -> "Floats":
    return 1 / (1 + np.exp(-logit))


@cache
def fitted_floor(*, by_meaning: bool) -> Floor:
    """What the development data taught, with vectors or by keywords alone."""
    text = Path(__file__).with_name("floor.json").read_text(encoding="utf-8")
    found = json.loads(text)["by meaning" if by_meaning else "by keywords"]
    return Floor(np.array(found["question"]), np.array(found["chunks"]), found["asked"], found["least"])

"""What ranking knows about all chunks before any question. Computed once per state of the index. Pure."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from commonplace.terms import terms
from commonplace.types import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from commonplace.ports import Corpus, Vectors

_SESSION = list(Source).index(Source.SESSION)
_ROLES = {"user", "assistant", ""}
_ASKS, _TELLS_TIME, _HAS_NUMBER, _BY_ASSISTANT = 1, 2, 4, 8


@dataclass(frozen=True, slots=True)
class Facts:
    """Arrays with one element a chunk, unless said otherwise."""

    group_size: "Vectors"  # per group
    same_group: "dict[int, Vectors]"  # by distance: 1 where the chunk that far on belongs to the same group
    day_rank: "NDArray[np.int32]"
    days: "NDArray[np.int32]"  # the days that have chunks, in order
    speaker_terms: tuple[frozenset[str], ...]  # per speaker
    asks: "Vectors"
    tells_time: "Vectors"
    has_number: "Vectors"
    by_assistant: "Vectors"
    log_length: "Vectors"
    small_talk: "Vectors"


def facts_of(corpus: "Corpus") -> Facts:
    size = np.diff(np.append(corpus.starts, corpus.count)).astype(np.float32)
    days = np.unique(corpus.day[corpus.day > 0])

    def has(trait: int) -> "Vectors":
        return (corpus.traits & trait > 0).astype(np.float32)

    return Facts(
        group_size=size,
        same_group={step: (corpus.group[step:] == corpus.group[:-step]).astype(np.float32) for step in (1, 2)},
        day_rank=np.searchsorted(days, corpus.day).astype(np.int32),
        days=days,
        speaker_terms=tuple(frozenset(() if name in _ROLES else terms(name)) for name in corpus.speakers),
        asks=has(_ASKS),
        tells_time=has(_TELLS_TIME),
        has_number=has(_HAS_NUMBER),
        by_assistant=has(_BY_ASSISTANT),
        log_length=np.log1p(corpus.length).astype(np.float32),
        small_talk=_small_talk(corpus),
    )


def _small_talk(corpus: "Corpus") -> "Vectors":
    """How much closer than usual a turn is to the average turn: "Wow, that is great!" is a little like everything.
    An entry or a line of a log is never small talk: it was written down on purpose."""
    if not corpus.count:
        return np.zeros(0, dtype=np.float32)
    closeness = corpus.cosine(corpus.mean_vector())
    turns = corpus.source == _SESSION
    usual = float(closeness[turns].mean()) if turns.any() else 0.0
    return np.where(turns, closeness - usual, 0.0).astype(np.float32)

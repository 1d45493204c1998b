"""What ranking knows about all chunks before any question. Computed once per state of the index. Pure."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from commonplace.language import terms
from commonplace.search.bm25 import room
from commonplace.types.searching import Source

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from commonplace.ports import Corpus, Vectors

_SESSION = list(Source).index(Source.SESSION)
_KEPT = [{Source.LONG_TERM: 1.0, Source.DAILY_LOG: 0.4}.get(source, 0.0) for source in Source]
_CHUNK_B, _GROUP_B = 0.4, 0.75
_ROLES = {"user", "assistant", ""}
_ASKS, _TELLS_TIME, _HAS_NUMBER, _BY_ASSISTANT = 1, 2, 4, 8


@dataclass(frozen=True, slots=True)
class Facts:
    """Arrays with one element a chunk, unless said otherwise."""

    room: "Vectors"
    plain_room: "Vectors"
    group_room: "Vectors"  # per group
    group_size: "Vectors"  # per group
    lone: "NDArray[np.bool_]"  # no part of a conversation
    same_group: "dict[int, Vectors]"  # by distance: 1 where the chunk that far on belongs to the same group
    day_rank: "NDArray[np.int32]"
    days: "NDArray[np.int32]"  # the days that have chunks, in order
    speaker_terms: tuple[frozenset[str], ...]  # per speaker
    asks: "Vectors"
    tells_time: "Vectors"
    has_number: "Vectors"
    by_assistant: "Vectors"
    kept: "Vectors"
    log_length: "Vectors"
    small_talk: "Vectors"


def facts_of(corpus: "Corpus") -> Facts:
    whole = corpus.whole
    size = np.diff(np.append(corpus.starts, corpus.count)).astype(np.float32)
    days = np.sort(corpus.day[corpus.day > 0]) if whole is None else whole.days
    days = days[np.append(True, days[1:] != days[:-1])[: len(days)]]  # `np.unique` loads a package that nobody needs
    average, of_groups = (whole.length, whole.group_length) if whole else (None, None)
    lengths = np.add.reduceat(corpus.length, corpus.starts) if corpus.count else corpus.length
    lone = (corpus.source != _SESSION) | (size == 1)[corpus.group]

    def has(trait: int) -> "Vectors":
        return (corpus.traits & trait > 0).astype(np.float32)

    return Facts(
        room=room(corpus.length, _CHUNK_B, average=average),
        plain_room=room(corpus.length, average=average),
        group_room=room(lengths, _GROUP_B, average=of_groups),
        group_size=size,
        lone=lone,
        same_group={step: (corpus.group[step:] == corpus.group[:-step]).astype(np.float32) for step in (1, 2)},
        day_rank=np.searchsorted(days, corpus.day).astype(np.int32),
        days=days,
        speaker_terms=tuple(frozenset(() if name in _ROLES else terms(name)) for name in corpus.speakers),
        asks=has(_ASKS),
        tells_time=has(_TELLS_TIME),
        has_number=has(_HAS_NUMBER),
        by_assistant=has(_BY_ASSISTANT),
        kept=np.array(_KEPT, dtype=np.float32)[corpus.source],
        log_length=np.log1p(corpus.length).astype(np.float32),
        small_talk=_small_talk(corpus, lone),
    )


def _small_talk(corpus: "Corpus", lone: "NDArray[np.bool_]") -> "Vectors":
    """How much closer than usual a turn is to the average turn: "Wow, that is great!" is a little like everything.
    What stands alone is never small talk: it was written down on purpose."""
    if lone.all():
        return np.zeros(corpus.count, dtype=np.float32)
    closeness = corpus.closeness()
    usual = corpus.whole.usual_closeness if corpus.whole else closeness[~lone].mean()
    return np.where(lone, 0.0, closeness - usual).astype(np.float32)

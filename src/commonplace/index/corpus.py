"""The living chunks of an index as one body, ordered so that what belongs together stands together.

Scores are computed where vectors and postings are and then brought into this order: the turns of a session, or the
entries under a heading, are neighbours, and a group is a slice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from commonplace.index.segment import DAY, FILE, HEADING, LINE, POSITION, SOURCE, SPEAKER, TRAITS, term_key

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from commonplace.index.segment import Segment
    from commonplace.types.searching import Chunk


class Occurrences(NamedTuple):
    """Where a term stands: chunks (in the corpus's order) and how often in each."""

    chunks: "NDArray[np.int64]"
    counts: "NDArray[np.float32]"


@dataclass(frozen=True, slots=True)
class Corpus:
    """What can be found. Arrays have one element a chunk, in group order, unless said otherwise."""

    segments: "tuple[Segment, ...]"
    number: "NDArray[np.int64]"  # the chunk's number over all segments
    place: "NDArray[np.int64]"  # the opposite: where a chunk of the segments stands here, -1 if it is gone
    group: "NDArray[np.int32]"
    starts: "NDArray[np.int64]"  # per group: its first chunk
    day: "NDArray[np.int32]"  # days since year 1, 0 if unknown
    source: "NDArray[np.int32]"
    traits: "NDArray[np.int32]"
    length: "NDArray[np.int32]"
    speaker: "NDArray[np.int32]"
    speakers: list[str]
    sessions: list[str]  # per group

    @property
    def count(self) -> int:
        return len(self.number)

    def chunk(self, at: int) -> "Chunk":
        number = int(self.number[at])
        for segment in self.segments:
            if number < segment.count:
                return segment.chunk(number)
            number -= segment.count
        raise IndexError(at)

    def cosine(self, query: "NDArray[np.float32]") -> "NDArray[np.float32]":
        """The likeness of each chunk to the query; 0 where no vector is known yet."""
        return _joined([segment.vectors @ query for segment in self.segments])[self.number]

    def mean_vector(self) -> "NDArray[np.float32]":
        """The average vector of the chunks."""
        alive = (self.place >= 0).astype(np.float32)
        parts = np.split(alive, np.cumsum([segment.count for segment in self.segments])[:-1])
        total = np.sum([part @ segment.vectors for part, segment in zip(parts, self.segments, strict=True)], axis=0)
        return (total / max(self.count, 1)).astype(np.float32)

    def occurrences(self, term: str) -> Occurrences:
        key = term_key(term)
        found = [segment.postings.of(key) for segment in self.segments]
        offsets = accumulate((segment.count for segment in self.segments), initial=0)
        pairs = zip(found, offsets, strict=False)
        chunks = self.place[_joined([chunks + offset for (chunks, _), offset in pairs])]
        counts = _joined([counts for _, counts in found]).astype(np.float32)
        if self.count == len(self.place):  # nothing is gone, as usual
            return Occurrences(chunks, counts)
        alive = chunks >= 0
        return Occurrences(chunks[alive], counts[alive])


def _joined(parts: "list[NDArray[Any]]") -> "NDArray[Any]":
    """One array; nothing is copied when all but one are empty, as usual: the tail of an index is mostly empty."""
    filled = [part for part in parts if len(part)] or parts[:1]
    return filled[0] if len(filled) == 1 else np.concatenate(filled)


def gather(parts: "Sequence[tuple[Segment, NDArray[np.bool_]]]") -> Corpus:
    """The chunks that the masks keep, grouped by file and heading; groups in order of time, then of their names, so
    that the order does not depend on how the index came about."""
    groups: dict[tuple[str, str], int] = {}
    sessions: list[str] = []
    speakers: dict[str, int] = {}
    group_of: list[NDArray[np.int32]] = []
    speaker_of: list[NDArray[np.int32]] = []
    for segment, _ in parts:
        pairs, which = np.unique(segment.places[:, [FILE, HEADING]], axis=0, return_inverse=True)
        numbers = [
            groups.setdefault((segment.names[f], segment.names[h]), len(groups))
            for f, h in cast(list[list[int]], pairs.tolist())
        ]
        group_of.append(np.array(numbers, dtype=np.int32)[which.reshape(-1)])
        known, which = np.unique(segment.places[:, SPEAKER], return_inverse=True)
        numbers = [speakers.setdefault(segment.names[s], len(speakers)) for s in cast(list[int], known.tolist())]
        speaker_of.append(np.array(numbers, dtype=np.int32)[which.reshape(-1)])
    by_name = np.zeros(len(groups), dtype=np.int32)
    by_name[[groups[pair] for pair in sorted(groups)]] = np.arange(len(groups))
    places = np.concatenate([segment.places for segment, _ in parts])
    group, speaker = by_name[np.concatenate(group_of)], np.concatenate(speaker_of)
    alive = np.flatnonzero(np.concatenate([keep for _, keep in parts]))
    group_day = np.zeros(len(groups), dtype=np.int32)
    np.maximum.at(group_day, group[alive], places[alive, DAY])
    order = alive[np.lexsort((places[alive, POSITION], places[alive, LINE], group[alive], group_day[group[alive]]))]
    place = np.full(len(places), -1, dtype=np.int64)
    place[order] = np.arange(len(order))
    first = np.flatnonzero(np.diff(group[order], prepend=-1))
    renumbered = np.cumsum(np.diff(group[order], prepend=-1) != 0, dtype=np.int32) - 1 if len(order) else group[:0]
    lengths = np.concatenate([segment.lengths for segment, _ in parts])
    corpus = Corpus(
        tuple(segment for segment, _ in parts),
        order,
        place,
        renumbered,
        first,
        places[order, DAY],
        places[order, SOURCE],
        places[order, TRAITS],
        lengths[order],
        speaker[order],
        list(speakers),
        sessions,
    )
    sessions += [corpus.chunk(int(at)).session for at in first]
    return corpus

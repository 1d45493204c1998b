"""The living chunks of an index as one body, ordered so that what belongs together stands together.

Scores are computed where vectors and postings are and then brought into this order: the turns of a session, or the
entries under a heading, are neighbours, and a group is a slice.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from commonplace.index.segment import DAY, FILE, HEADING, LINE, POSITION, SESSION, SOURCE, SPEAKER, TRAITS, term_key

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

    @property
    def whole(self) -> None:
        """This is all there is."""

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

    def closeness(self) -> "NDArray[np.float32]":
        """The likeness of each chunk to the average one."""
        alive = np.split(self.place >= 0, np.cumsum([segment.count for segment in self.segments])[:-1])
        totals = [segment.sum_of_vectors(keep) for keep, segment in zip(alive, self.segments, strict=True)]
        return self.cosine((np.sum(totals, axis=0) / max(self.count, 1)).astype(np.float32))

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
    speakers: dict[str, int] = {}
    group_of: list[NDArray[np.int32]] = []
    speaker_of: list[NDArray[np.int32]] = []
    for segment, _ in parts:
        group_of.append(_groups_of(segment, groups))
        column = segment.places[:, SPEAKER]
        present = np.flatnonzero(np.bincount(column, minlength=1))
        numbers = np.zeros(int(present[-1]) + 1 if len(present) else 1, dtype=np.int32)
        numbers[present] = [speakers.setdefault(segment.names[int(s)], len(speakers)) for s in present]
        speaker_of.append(numbers[column])
    by_name = np.zeros(len(groups), dtype=np.int32)
    by_name[[groups[pair] for pair in sorted(groups)]] = np.arange(len(groups))
    places = np.concatenate([segment.places for segment, _ in parts])
    group, speaker = by_name[np.concatenate(group_of)], np.concatenate(speaker_of)
    alive = np.flatnonzero(np.concatenate([keep for _, keep in parts]))
    order = alive[_in_order(group[alive], places[alive], len(groups))]
    place = np.full(len(places), -1, dtype=np.int64)
    place[order] = np.arange(len(order))
    first = np.flatnonzero(np.diff(group[order], prepend=-1))
    renumbered = np.cumsum(np.diff(group[order], prepend=-1) != 0, dtype=np.int32) - 1 if len(order) else group[:0]
    lengths = np.concatenate([segment.lengths for segment, _ in parts])
    names = [name for segment, _ in parts for name in segment.names]
    offsets = np.repeat(
        np.cumsum([0, *(len(segment.names) for segment, _ in parts[:-1])]), [segment.count for segment, _ in parts]
    )
    heads = order[first]
    return Corpus(
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
        [names[at] for at in (offsets[heads] + places[heads, SESSION]).tolist()],
    )


def _groups_of(segment: "Segment", groups: dict[tuple[str, str], int]) -> "NDArray[np.int32]":
    """The number of each chunk's group; new groups are added to those that are known. Neighbours mostly share one, so
    names are looked up once a run."""
    files, headings = segment.places[:, FILE], segment.places[:, HEADING]
    runs = _runs(files, headings)
    numbers = [
        groups.setdefault((segment.names[int(file)], segment.names[int(heading)]), len(groups))
        for file, heading in zip(files[runs], headings[runs], strict=True)
    ]
    return np.repeat(np.array(numbers, dtype=np.int32), np.diff(np.append(runs, segment.count)))


def _in_order(group: "NDArray[np.int32]", places: "NDArray[np.int32]", groups: int) -> "NDArray[np.int64]":
    """Chunks by their groups, the group of the earliest day first, and by their places in these. A file is indexed from
    its beginning to its end, so whole runs mostly have to be moved only."""
    if not len(group):
        return np.zeros(0, dtype=np.int64)
    line, position = places[:, LINE], places[:, POSITION]
    runs = _runs(group)
    days = np.zeros(groups, dtype=np.int32)
    np.maximum.at(days, group[runs], np.maximum.reduceat(places[:, DAY], runs))
    moved = np.lexsort((position[runs], line[runs], group[runs], days[group[runs]]))
    lengths = np.diff(np.append(runs, len(group)))[moved]
    begins = np.cumsum(lengths) - lengths
    order = np.arange(len(group)) + np.repeat(runs[moved] - begins, lengths)
    same = group[order][1:] == group[order][:-1]
    further = np.diff(line[order])
    backwards = (further < 0) | ((further == 0) & (np.diff(position[order]) < 0))
    if not (same & backwards).any():
        return order
    return np.lexsort((position, line, group, days[group]))


def _runs(*columns: "NDArray[np.int32]") -> "NDArray[np.int64]":
    """Where a row differs from the one before it."""
    changes = np.ones(len(columns[0]), dtype=np.bool_)
    changes[1:] = False
    for column in columns:
        changes[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(changes)

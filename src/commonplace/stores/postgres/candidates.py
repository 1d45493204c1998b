"""The chunks that may answer a question, found by the engine in one statement, as a corpus for our own ranking.

BM25 is exact: of each term of the question all its places are counted. Nearness is pgvector's, from its index where
there is one. Around each chunk that is found stand those of the same conversation, as many as say something of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np

from commonplace.index.corpus import Occurrences
from commonplace.index.segment import term_key
from commonplace.types.searching import Chunk, Source, Whole

if TYPE_CHECKING:
    from commonplace.ports import Vectors

Row: TypeAlias = tuple[object, ...]
_SOURCES = list(Source)
BEST, OF_DAYS, NEWEST = 150, 150, 50
AROUND, BESIDE = 12, 2  # turns of a conversation; others

# {vector} is the type, {near} the operator of the inner product (negative), {few} what may be found at all.
STATEMENT = """
WITH hit AS MATERIALIZED (
    SELECT p.term, p.chunk, p.count, p.length FROM commonplace.posting p
    WHERE p.tenant = %(t)s AND p.book = %(b)s AND p.term = ANY(%(terms)s::bigint[])
), rare AS MATERIALIZED (
    SELECT d.term, d.chunks, w.weight * ln(1 + (%(chunks)s - d.chunks + 0.5) / (d.chunks + 0.5)) AS weight
    FROM (SELECT term, count(*) AS chunks FROM hit GROUP BY term) d
    JOIN unnest(%(terms)s::bigint[], %(weights)s::float8[]) AS w (term, weight) ON w.term = d.term
), said AS (
    SELECT h.chunk AS id FROM hit h JOIN rare r ON r.term = h.term {joined}
    GROUP BY h.chunk HAVING {phrased}
    ORDER BY sum(r.weight * h.count / (h.count + 1.2 * (0.6 + 0.4 * h.length / %(length)s))) DESC, h.chunk
    LIMIT %(best)s
), near AS (
    SELECT c.id FROM commonplace.chunk c
    WHERE c.tenant = %(t)s AND c.book = %(b)s AND array_length(c.vector, 1) = {dimensions} AND {by_meaning} {few}
    ORDER BY c.vector::{vector} {near} %(asked)s::{vector} LIMIT %(best)s
), that_day AS (
    SELECT c.id FROM commonplace.chunk c
    WHERE c.tenant = %(t)s AND c.book = %(b)s AND c.day BETWEEN %(first)s AND %(last)s {few}
    ORDER BY c.vector::{vector} {near} %(asked)s::{vector}, c.day DESC
    LIMIT %(of_days)s
), late AS (
    SELECT c.id FROM commonplace.chunk c WHERE c.tenant = %(t)s AND c.book = %(b)s AND %(newest)s > 0 {few}
    ORDER BY c.day DESC LIMIT %(newest)s
), found AS (
    SELECT id FROM said UNION SELECT id FROM near UNION SELECT id FROM that_day UNION SELECT id FROM late
), around AS (
    SELECT DISTINCT n.id FROM found JOIN commonplace.chunk c ON c.tenant = %(t)s AND c.book = %(b)s AND c.id = found.id
    JOIN commonplace.chunk n ON n.tenant = %(t)s AND n.book = %(b)s AND n.grp = c.grp AND n.place BETWEEN
        c.place - CASE WHEN c.source = %(session)s THEN %(around)s ELSE %(beside)s END AND
        c.place + CASE WHEN c.source = %(session)s THEN %(around)s ELSE %(beside)s END
), told AS (
    SELECT h.chunk, array_agg(h.term) AS terms, array_agg(h.count) AS counts
    FROM hit h JOIN around a ON a.id = h.chunk GROUP BY h.chunk
)
SELECT c.file, c.grp, c.place, c.line, c.source, c.day, c.session, c.traits, c.length, c.speaker, c.body,
    -(c.vector::{vector} {near} %(asked)s::{vector}), -(c.vector::{vector} {near} %(mean)s::{vector}),
    told.terms, told.counts, (SELECT array_agg(term) FROM rare), (SELECT array_agg(chunks) FROM rare)
FROM around JOIN commonplace.chunk c ON c.tenant = %(t)s AND c.book = %(b)s AND c.id = around.id
LEFT JOIN told ON told.chunk = c.id
"""


class Candidates:
    """Implements `Corpus` on what was found. Arrays have one element a chunk, in group order, unless said otherwise."""

    def __init__(self, rows: Sequence[Row], whole: Callable[[dict[int, int]], Whole]) -> None:
        latest: dict[object, int] = {}
        for row in rows:
            latest[row[1]] = max(latest.get(row[1], 0), cast(int, row[5]))
        self._rows = sorted(rows, key=lambda row: (latest[row[1]], row[1], row[3], row[2]))
        having = dict(zip(*(cast("list[int]", rows[0][at] or []) for at in (15, 16)), strict=True)) if rows else {}
        self.whole = whole(having)
        groups = np.array([row[1] for row in self._rows], dtype=np.int64)
        first = np.append(True, groups[1:] != groups[:-1])[: len(groups)]
        self.starts = np.flatnonzero(first)
        self.group = np.cumsum(first, dtype=np.int32) - 1
        self.source, self.day, self.traits, self.length = (
            np.array(self._column(at), dtype=np.int32) for at in (4, 5, 7, 8)
        )
        names = [bytes(cast(bytes, row[9])).decode("utf-8", "surrogatepass") for row in self._rows]
        numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
        self.speakers = list(numbers)
        self.speaker = np.array([numbers[name] for name in names], dtype=np.int32)
        self.sessions = [str(self._rows[int(at)][6]) for at in self.starts]
        self._cosines, self._closeness = (np.array(self._column(at), dtype=np.float32) for at in (11, 12))
        self._occurrences: dict[int, tuple[list[int], list[int]]] = {}
        for at, row in enumerate(self._rows):
            pairs = zip(cast("list[int]", row[13] or []), cast("list[int]", row[14] or []), strict=True)
            for term, count in pairs:
                chunks, counts = self._occurrences.setdefault(term, ([], []))
                chunks.append(at)
                counts.append(count)

    def _column(self, at: int) -> list[float]:
        return [cast(float, row[at] or 0) for row in self._rows]

    @property
    def count(self) -> int:
        return len(self._rows)

    def chunk(self, at: int) -> Chunk:
        row = self._rows[at]
        file, _, place, line, source, day, session, _, _, speaker, body = row[:11]
        return chunk_of((file, place, line, source, day, session, speaker, body))

    def cosine(self, query: Vectors) -> Vectors:  # noqa: ARG002 of the port
        """Likeness to what was asked: the engine has compared it."""
        return self._cosines

    def closeness(self) -> Vectors:
        return self._closeness

    def occurrences(self, term: str) -> Occurrences:
        chunks, counts = self._occurrences.get(signed(term_key(term)), ([], []))
        return Occurrences(np.array(chunks, dtype=np.int64), np.array(counts, dtype=np.float32))


def signed(key: int) -> int:
    """A 64-bit hash as a number that a database knows."""
    return key - 2**64 if key >= 2**63 else key


def encoded(chunk: Chunk) -> bytes:
    """The texts of a chunk; bytes, since a text in a database can hold neither NUL nor what is no character."""
    return json.dumps([chunk.heading, chunk.text, chunk.message, chunk.before]).encode()


def chunk_of(row: Row) -> Chunk:
    """A chunk by its file, place, line, source, day, session, speaker and texts."""
    file, place, line, source, day, session, speaker, body = row
    heading, text, message, before = cast("list[str]", json.loads(bytes(cast(bytes, body))))
    return Chunk(
        file=str(file),
        line=cast(int, line),
        source=_SOURCES[cast(int, source)],
        heading=heading,
        day=date.fromordinal(cast(int, day)) if day else None,
        session=str(session),
        position=cast(int, place),
        speaker=bytes(cast(bytes, speaker)).decode("utf-8", "surrogatepass"),
        text=text,
        message=message,
        before=before,
    )

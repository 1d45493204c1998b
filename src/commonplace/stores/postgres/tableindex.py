"""The search index of a book that is too large for the arrays of a process: rows, and candidates for each question.

A derived file stands for the rows: it says what was indexed, and what is usual in the book. Whoever changes rows has it
locked, and finds it as it was when it was read; when it goes, they go. So whoever indexed a text that was forgotten
meanwhile writes nothing.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, LiteralString, TypeVar, cast

import numpy as np
from psycopg import sql

from commonplace.errors import CommonplaceError
from commonplace.index.chunkindex import FOLDER, TAIL
from commonplace.index.chunking import digest_of, embedded_text, searched_terms, traits, vector_key
from commonplace.index.segment import term_key
from commonplace.stores.postgres.candidates import (
    AROUND,
    BESIDE,
    BEST,
    NEWEST,
    OF_DAYS,
    STATEMENT,
    Candidates,
    Row,
    chunk_of,
    encoded,
    signed,
)
from commonplace.stores.postgres.largetables import drop_rows, home_of_vectors
from commonplace.types.book import LARGE_INDEX, FileState
from commonplace.types.searching import Asked, Chunk, Source, Whole

if TYPE_CHECKING:
    from commonplace.ports import Arrays, Vectors
    from commonplace.stores.postgres.connections import Connection
    from commonplace.stores.postgres.storage import PostgresStorage

MOST_IN_ARRAYS = 100_000
"""Chunks. Worked out, not timed: at 1.87 kB of index a chunk (docs/how-to/deploy.md) these are 187 MB, most of the
256 MB that a process keeps for all its books (`blobs.MOST_BYTES`)."""
_T = TypeVar("_T")
_FORMAT = 1
_SOURCES = list(Source)
_PAGE, _BATCH = 1000, 64
_STALE = 1.1  # what is usual is looked at again when the book has grown by so much
_MOST_TIMES = 2**15 - 1
_ROUNDS = 3
_MOMENT = 0.5  # seconds; less than `deadlock_timeout`: where an erasure waits for the rows, the rows give way
_OF = "WHERE tenant = %s AND book = %s"
_PUT = """
INSERT INTO commonplace.chunk (tenant, book, id, file, grp, place, line, source, day, session, traits, length, speaker,
    body, key, vector)
SELECT %s, %s, id, file, grp, place, line, source, day, session, traits, length, speaker, body, key, vector::real[]
FROM unnest(%s::bigint[], %s::text[], %s::bigint[], %s::int[], %s::int[], %s::smallint[], %s::int[], %s::text[],
    %s::smallint[], %s::int[], %s::bytea[], %s::bytea[], %s::bytea[], %s::text[]) AS
    made (id, file, grp, place, line, source, day, session, traits, length, speaker, body, key, vector)
ON CONFLICT DO NOTHING
"""
_PUT_TERMS = """
INSERT INTO commonplace.posting (tenant, book, term, chunk, count, length)
SELECT %s, %s, made.* FROM unnest(%s::bigint[], %s::bigint[], %s::smallint[], %s::int[]) AS made ON CONFLICT DO NOTHING
"""
_DROP_TERMS = """
DELETE FROM commonplace.posting p USING unnest(%s::bigint[], %s::bigint[]) AS gone (term, chunk)
WHERE p.tenant = %s AND p.book = %s AND p.term = gone.term AND p.chunk = gone.chunk
"""
_KNOWN = f"SELECT key, vector::text FROM commonplace.chunk {_OF} AND key = ANY(%s) AND vector IS NOT NULL"  # noqa: S608
_USUAL = """
SELECT count(*), coalesce(sum(length), 0), count(DISTINCT grp), array_agg(DISTINCT day) FILTER (WHERE day > 0),
    avg(vector::{vector})::text, avg(vector::{vector}) FILTER (WHERE source = %(session)s)::text
FROM commonplace.chunk WHERE tenant = %(t)s AND book = %(b)s
"""
_CLOSENESS = """
SELECT -avg(vector::{vector} {near} %(mean)s::{vector}) FROM commonplace.chunk
WHERE tenant = %(t)s AND book = %(b)s AND source = %(session)s AND vector IS NOT NULL
"""
_LIKENESS = """
SELECT c.key, -(c.vector::{vector} {near} %(asked)s::{vector}) FROM commonplace.chunk c
WHERE c.tenant = %(t)s AND c.book = %(b)s AND c.file = %(file)s AND array_length(c.vector, 1) = {dimensions}
ORDER BY c.vector::{vector} {near} %(asked)s::{vector} LIMIT %(most)s
"""


@dataclass(slots=True)
class _Header:
    """What the file says that stands for the rows."""

    files: dict[str, FileState] = field(default_factory=dict[str, FileState])
    chunks: int = 0
    looked_at: int = 0  # as many chunks as there were when the rest was last looked at
    length: float = 1.0
    groups: int = 1
    days: list[int] = field(default_factory=list[int])
    mean: str = ""
    of_sessions: str = ""
    closeness: float = 0.0


class TableIndex:
    """Implements `LargeIndex`."""

    def __init__(self, storage: PostgresStorage, identity: str, dimensions: int) -> None:
        self._storage = storage
        self._of_book = (storage.tenant, storage.book)
        self._identity = identity
        self._dimensions = dimensions
        self._header = _Header()
        self._stamp = ""
        self._home: str | None = None
        self._missing: int | None = None
        self.loads = 0
        self.unsaved = False

    # -- the file that stands for the rows -----------------------------------------------------------------------------

    @property
    def files(self) -> Mapping[str, FileState]:
        return self._header.files

    def open(self) -> None:
        for _ in range(_ROUNDS):
            stamp = next((file.stamp for file in self._storage.list_folder(FOLDER) if file.name == LARGE_INDEX), "")
            if stamp == self._stamp:
                return
            self._load(stamp)

    def _load(self, stamp: str) -> None:
        self.loads += 1
        self._stamp, self._header, self._missing = stamp, _Header(), None
        data = self._storage.read(LARGE_INDEX).data
        try:
            raw = json.loads(data or b"{}")
            if (raw.get("format"), raw.get("identity")) == (_FORMAT, self._identity):
                files = {name: FileState(str(s[0]), str(s[1]), bool(s[2])) for name, s in raw["files"].items()}
                self._header = _Header(files, **raw["usual"])
        except (ValueError, TypeError, KeyError, IndexError, AttributeError):  # made again from the files
            self._header = _Header()

    def _changing(self, work: Callable[[Connection], _Header | None]) -> bool:
        """Do `work` on rows and write the header that it gives, in one transaction; False if another was quicker."""

        def change(connection: Connection, _again: bool) -> tuple[bool, str]:
            with connection.transaction():
                if self._revision(connection, LARGE_INDEX, "FOR UPDATE") != self._stamp:
                    return False, ""
                header = work(connection)
                return (False, "") if header is None else (True, self._put_header(connection, header))

        with self._storage.lock(timeout=0):
            done, stamp = self._storage.database.run(self._storage.tenant, change)
        return self._changed(stamp, done=done)

    def _changed(self, stamp: str, *, done: bool) -> bool:
        self._stamp = stamp if done else "changed by another"
        self._missing = None
        return done

    def _put_header(self, connection: Connection, header: _Header) -> str:
        self._storage.put_within(connection, LARGE_INDEX, self._packed(header))
        self._header = header
        return self._revision(connection, LARGE_INDEX) or ""

    def _revision(self, connection: Connection, name: str, locked: LiteralString = "") -> str | None:
        query = f"SELECT revision::text FROM commonplace.document {_OF} AND name = %s {locked}"  # noqa: S608 of constants
        row = connection.execute(query.encode(), (*self._of_book, name)).fetchone()
        return None if row is None else str(row[0])

    def _packed(self, header: _Header) -> bytes:
        files = {name: [state.stamp, state.digest, state.settled] for name, state in header.files.items()}
        names = ("chunks", "looked_at", "length", "groups", "days", "mean", "of_sessions", "closeness")
        usual = {name: getattr(header, name) for name in names}
        return json.dumps({"format": _FORMAT, "identity": self._identity, "files": files, "usual": usual}).encode()

    def save(self) -> bool:
        """Everything is written at once."""
        return True

    def clear(self) -> None:
        self._storage.delete_derived(LARGE_INDEX)
        self._stamp, self._header, self._missing = "", _Header(), None
        self.loads += 1

    # -- taking in -----------------------------------------------------------------------------------------------------

    def wants(self, chunks: int) -> bool:
        return chunks > MOST_IN_ARRAYS and self.usable()

    def begin(self, arrays: Arrays) -> bool:
        """Rows take minutes, and the book is locked only when all are there: meanwhile others save, and what they do is
        taken in afterwards. That the arrays stay, whoever erases a text must wait for, and has the book locked: so
        either they find the rows of it, or there are none."""
        files = dict(arrays.files)
        with ExitStack() as locks:

            def change(connection: Connection, again: bool) -> tuple[bool, str]:
                with connection.transaction():
                    same = self._revision(connection, TAIL, "FOR KEY SHARE") == arrays.opened
                    if again or not same or self._revision(connection, LARGE_INDEX) is not None:
                        return False, ""
                    self._take_over(connection, arrays.rows())
                    header = self._looked(connection, files)
                    locks.enter_context(self._storage.lock(timeout=_MOMENT))
                    for file in self._storage.list_folder(FOLDER):
                        self._storage.drop_within(connection, file.name)
                    return True, self._put_header(connection, header)

            try:
                locks.enter_context(self._storage.alone("large index", timeout=0))
                done, stamp = self._storage.database.run(self._storage.tenant, change)
            except CommonplaceError:  # somebody writes just now, or the database does not; the arrays are still there
                done, stamp = False, ""
        return self._changed(stamp, done=done)

    def _take_over(self, connection: Connection, rows: Iterable[tuple[Chunk, Vectors | None]]) -> None:
        drop_rows(connection, self._of_book)
        left = iter(rows)
        while page := list(islice(left, _PAGE)):
            self._put(connection, [chunk for chunk, _ in page], [vector for _, vector in page])

    def update(self, changed: Mapping[str, tuple[FileState, Sequence[Chunk]]], removed: Iterable[str]) -> None:
        removed = [name for name in removed if name in self._header.files]
        if not changed and not removed:
            return

        def work(connection: Connection) -> _Header:
            came, gone, days = 0, 0, set(self._header.days)
            for name in [*changed, *removed]:
                chunks = {_id_of(chunk): chunk for chunk in (changed[name][1] if name in changed else ())}
                query = f"SELECT id FROM commonplace.chunk {_OF} AND file = %s"  # noqa: S608 of constants
                known = {cast(int, id) for (id,) in connection.execute(query.encode(), (*self._of_book, name))}
                fresh = [chunk for id, chunk in chunks.items() if id not in known]
                vectors = self._known_vectors(connection, fresh)
                old = sorted(known - chunks.keys())
                for start in range(0, len(old), _PAGE):
                    self._drop(connection, old[start : start + _PAGE])
                for start in range(0, len(fresh), _PAGE):
                    page = fresh[start : start + _PAGE]
                    self._put(connection, page, [vectors.get(vector_key(chunk)) for chunk in page])
                came, gone = came + len(fresh), gone + len(old)
                days |= {chunk.day.toordinal() for chunk in fresh if chunk.day}
            files = {**self._header.files, **{name: state for name, (state, _) in changed.items()}}
            files = {name: state for name, state in files.items() if name not in set(removed)}
            header = _Header(files, self._header.chunks + came - gone, *_rest(self._header))
            header.days = sorted(days)
            return self._looked(connection, files) if header.chunks > _STALE * header.looked_at else header

        self._quietly(work)

    def _quietly(self, work: Callable[[Connection], _Header | None]) -> None:
        """Whoever cannot write now leaves it to the next one who looks: the index is a convenience."""
        try:
            self._changing(work)
        except CommonplaceError:
            self._stamp = "not written"

    def touch(self, states: Mapping[str, FileState]) -> None:
        if states:
            files = {**self._header.files, **states}
            self._quietly(lambda _: _Header(files, self._header.chunks, *_rest(self._header)))

    def _put(self, connection: Connection, chunks: Sequence[Chunk], vectors: Sequence[Vectors | str | None]) -> None:
        terms = [_counted(chunk) for chunk in chunks]
        ids = [_id_of(chunk) for chunk in chunks]
        lengths = [sum(counts.values()) for counts in terms]
        columns: list[list[object]] = [
            [*ids],
            [chunk.file for chunk in chunks],
            [signed(term_key(f"{chunk.file}\0{chunk.heading}")) for chunk in chunks],
            [chunk.position for chunk in chunks],
            [chunk.line for chunk in chunks],
            [_SOURCES.index(chunk.source) for chunk in chunks],
            [chunk.day.toordinal() if chunk.day else 0 for chunk in chunks],
            [chunk.session for chunk in chunks],
            [traits(chunk) for chunk in chunks],
            [*lengths],
            [chunk.speaker.encode("utf-8", "surrogatepass") for chunk in chunks],
            [encoded(chunk) for chunk in chunks],
            [vector_key(chunk) for chunk in chunks],
            [_array(vector) for vector in vectors],
        ]
        connection.execute(_PUT, (*self._of_book, *columns))
        rows = [
            (signed(term), id, min(count, _MOST_TIMES), length)
            for id, length, counts in zip(ids, lengths, terms, strict=True)
            for term, count in counts.items()
        ]
        if rows:
            connection.execute(_PUT_TERMS, (*self._of_book, *map(list, zip(*rows, strict=True))))

    def _drop(self, connection: Connection, ids: list[int]) -> None:
        query = (
            f"DELETE FROM commonplace.chunk {_OF} AND id = ANY(%s) "  # noqa: S608 of constants
            "RETURNING id, file, place, line, source, day, session, speaker, body"
        )
        gone = connection.execute(query.encode(), (*self._of_book, ids)).fetchall()
        pairs = [(signed(term), row[0]) for row in gone for term in _counted(chunk_of(row[1:]))]
        if pairs:
            terms, chunks = map(list, zip(*pairs, strict=True))
            connection.execute(_DROP_TERMS, (terms, chunks, *self._of_book))

    def _known_vectors(self, connection: Connection, chunks: Sequence[Chunk]) -> dict[bytes, str]:
        keys = [vector_key(chunk) for chunk in chunks]
        rows = connection.execute(_KNOWN, (*self._of_book, keys)).fetchall() if keys else []
        return {bytes(cast(bytes, key)): str(vector) for key, vector in rows}

    def _looked(self, connection: Connection, files: dict[str, FileState]) -> _Header:
        """What is usual in the book, looked at anew."""
        scope = {"t": self._of_book[0], "b": self._of_book[1], "session": _SOURCES.index(Source.SESSION)}
        row = cast(
            "tuple[int, int, int, list[int] | None, str | None, str | None]",
            connection.execute(self._composed(connection, _USUAL), scope).fetchone(),
        )
        count, length, groups, days, mean, of_sessions = row
        closeness = connection.execute(self._composed(connection, _CLOSENESS), {**scope, "mean": mean}).fetchone()
        return _Header(
            files,
            count,
            count,
            max(length / max(count, 1), 1.0),
            max(groups, 1),
            sorted(days or []),
            mean or "",
            of_sessions or "",
            cast(float, closeness[0]) if closeness and closeness[0] is not None else 0.0,
        )

    # -- vectors -------------------------------------------------------------------------------------------------------

    def embed_missing(
        self,
        embed: Callable[[Sequence[str]], Vectors],
        *,
        until: float | None = None,
        progress: Callable[[int, int], None] = lambda _done, _wanted: None,
        file: str | None = None,
        most: int | None = None,
    ) -> None:
        known, wanted = self.vectors()
        in_file = self._count("AND file = %s", file) if file is not None else wanted - known
        if not in_file or (most is not None and in_file > most):
            return
        query = (
            f"SELECT id, file, place, line, source, day, session, speaker, body FROM commonplace.chunk {_OF} "  # noqa: S608 of constants
            "AND vector IS NULL AND file = coalesce(%s, file) ORDER BY day DESC LIMIT %s"
        )
        while True:
            rows = self._rows(query, (*self._of_book, file, _BATCH))
            if not rows:
                return
            vectors = embed([embedded_text(chunk_of(row[1:])) for row in rows])
            self._rows(
                "UPDATE commonplace.chunk c SET vector = made.vector::real[] "
                "FROM unnest(%s::bigint[], %s::text[]) AS made (id, vector) "
                "WHERE c.tenant = %s AND c.book = %s AND c.id = made.id RETURNING 1",
                ([row[0] for row in rows], [_array(vector) for vector in vectors], *self._of_book),
            )
            known += len(rows)
            self._missing = None
            progress(known, wanted)
            if until is not None and time.monotonic() >= until:
                return

    def vectors(self) -> tuple[int, int]:
        if self._missing is None:
            self._missing = self._count("")
        return self._header.chunks - self._missing, self._header.chunks

    def _count(self, more: str, *values: object) -> int:
        query = f"SELECT count(*) FROM commonplace.chunk {_OF} AND vector IS NULL {more}"  # noqa: S608 of constants
        return cast(int, self._rows(query, (*self._of_book, *values))[0][0])

    def count(self) -> int:
        return self._header.chunks

    def keys_of(self, file: str) -> set[bytes]:
        rows = self._rows(f"SELECT key FROM commonplace.chunk {_OF} AND file = %s", (*self._of_book, file))  # noqa: S608
        return {bytes(cast(bytes, key)) for (key,) in rows}

    def likeness_in(self, file: str, asked: Vectors, most: int) -> dict[bytes, float | None]:
        query = f"SELECT key FROM commonplace.chunk {_OF} AND file = %s AND vector IS NOT NULL"  # noqa: S608
        known: dict[bytes, float | None] = {
            bytes(cast(bytes, key)): None for (key,) in self._rows(query, (*self._of_book, file))
        }
        scope = {"t": self._of_book[0], "b": self._of_book[1], "file": file, "asked": _text(asked), "most": most}
        near = self._asked_for(_LIKENESS, scope)
        return known | {bytes(cast(bytes, key)): cast(float, cosine) for key, cosine in near}

    # -- finding -------------------------------------------------------------------------------------------------------

    def corpus(self, asked: Asked | None = None) -> Candidates:
        if asked is None:
            raise NotImplementedError("A table gives what may answer a question.")
        vector, header = asked.vector(), self._header
        terms = [signed(term_key(term)) for term in asked.terms]
        phrases = [[signed(term_key(term)) for term in set(phrase)] for phrase in asked.phrases]
        conditions, few = _filters(asked)
        phrased = " AND ".join(
            f"count(*) FILTER (WHERE h.term = ANY(%(phrase{at})s::bigint[])) = %(size{at})s"
            for at in range(len(phrases))
        )
        joined = (
            f"JOIN commonplace.chunk c ON c.tenant = %(t)s AND c.book = %(b)s AND c.id = h.chunk {few}" if few else ""
        )
        first, last = asked.days or (None, None)
        scope: dict[str, object] = {
            "t": self._of_book[0],
            "b": self._of_book[1],
            "terms": terms,
            "weights": list(asked.terms.values()),
            "chunks": header.chunks,
            "length": header.length,
            "asked": _text(np.zeros(self._dimensions, dtype=np.float32) if vector is None else vector),
            "mean": header.mean or _text(np.zeros(self._dimensions, dtype=np.float32)),
            "first": first.toordinal() if first else 1,
            "last": last.toordinal() if last else 0,
            "newest": NEWEST if asked.newest else 0,
            "best": BEST,
            "of_days": OF_DAYS,
            "around": AROUND,
            "beside": BESIDE,
            "session": _SOURCES.index(Source.SESSION),
            **conditions,
            **{f"phrase{at}": phrase for at, phrase in enumerate(phrases)},
            **{f"size{at}": len(phrase) for at, phrase in enumerate(phrases)},
        }
        parts = {
            "few": few,
            "joined": joined,
            "phrased": phrased or "TRUE",
            "by_meaning": "FALSE" if vector is None or phrases else "TRUE",
        }
        rows = self._asked_for(STATEMENT, scope, **parts)
        return Candidates(rows, lambda having: self._whole(having, asked, vector))

    def _whole(self, having: dict[int, int], asked: Asked, vector: Vectors | None) -> Whole:
        header = self._header
        usual = 0.0
        if vector is not None and header.of_sessions:
            usual = float(np.array(json.loads(header.of_sessions), dtype=np.float32) @ vector)
        return Whole(
            header.chunks,
            header.length,
            header.groups,
            header.length * header.chunks / header.groups,
            np.array(header.days, dtype=np.int32),
            {term: having.get(signed(term_key(term)), 0) for term in asked.terms},
            header.closeness,
            usual,
        )

    def _asked_for(self, statement: str, scope: Mapping[str, object], **parts: str) -> list[Row]:
        """One statement; before it, how far the index of vectors is to look."""

        def work(connection: Connection, _again: bool) -> list[Row]:
            with connection.transaction():
                connection.execute(
                    "SELECT set_config('hnsw.ef_search', %s, true), set_config('hnsw.iterative_scan', "
                    "'relaxed_order', true), set_config('jit', 'off', true)",
                    [str(2 * BEST)],
                )
                return connection.execute(self._composed(connection, statement, **parts), scope).fetchall()

        return self._storage.database.run(self._storage.tenant, work)

    def _composed(self, connection: Connection, statement: str, **parts: str) -> sql.Composed:
        home = sql.Identifier(self._home or home_of_vectors(connection) or "public")
        dimensions = sql.Literal(self._dimensions)
        return sql.SQL(statement).format(  # pyright: ignore[reportArgumentType] all statements are constants
            vector=sql.SQL("{}.vector({})").format(home, dimensions),
            near=sql.SQL("OPERATOR({}.<#>)").format(home),
            dimensions=dimensions,
            **{name: sql.SQL(part) for name, part in parts.items()},  # pyright: ignore[reportArgumentType]
        )

    def usable(self) -> bool:
        if self._home is None:
            self._home = self._storage.database.run(
                self._storage.tenant, lambda connection, _: home_of_vectors(connection)
            )
        return self._home is not None

    def _rows(self, query: str, values: Sequence[object]) -> list[Row]:
        return self._storage.database.run(
            self._storage.tenant, lambda connection, _: connection.execute(query.encode(), values).fetchall()
        )


def _filters(asked: Asked) -> tuple[dict[str, object], str]:
    """What may be found at all: values, and conditions on `c`."""
    values: dict[str, object] = {}
    conditions: list[str] = []
    if asked.sources:
        values["sources"] = [_SOURCES.index(source) for source in asked.sources]
        conditions.append("c.source = ANY(%(sources)s::smallint[])")
    if asked.since:
        values["since"] = asked.since.toordinal()
        conditions.append("c.day >= %(since)s")
    if asked.until:
        values["until"] = asked.until.toordinal()
        conditions.append("c.day <= %(until)s AND c.day > 0")
    if asked.sessions:
        values["sessions"] = sorted(asked.sessions)
        conditions.append("c.session = ANY(%(sessions)s::text[])")
    return values, "".join(f" AND {condition}" for condition in conditions)


def _rest(header: _Header) -> tuple[int, float, int, list[int], str, str, float]:
    return (
        header.looked_at,
        header.length,
        header.groups,
        header.days,
        header.mean,
        header.of_sessions,
        header.closeness,
    )


def _id_of(chunk: Chunk) -> int:
    return int.from_bytes(digest_of(chunk)[:8], "big", signed=True)


def _counted(chunk: Chunk) -> Counter[int]:
    return Counter(map(term_key, searched_terms(chunk)))


def _text(vector: Vectors) -> str:
    """A vector as pgvector reads it."""
    return f"[{','.join(f'{value:.9g}' for value in vector.tolist())}]"


def _array(vector: Vectors | str | None) -> str | None:
    """A vector as an array of a database."""
    if vector is None or isinstance(vector, str):
        return vector
    return f"{{{_text(vector)[1:-1]}}}"

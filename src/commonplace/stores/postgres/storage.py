"""A book in Postgres: one row a file, the messages of a transcript as pieces of it, one transaction a change."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias, cast

from commonplace.errors import Conflict
from commonplace.files.descriptors import parts_of
from commonplace.stores.postgres.blobs import OF_THIS_PROCESS, Owner
from commonplace.stores.postgres.connections import Connection, Lock, database
from commonplace.stores.postgres.errands import ERRAND
from commonplace.stores.postgres.largetables import drop_rows
from commonplace.stores.postgres.tablehistory import PostgresHistory
from commonplace.stores.postgres.tablepresence import PostgresPresence
from commonplace.types.book import ABSENT, LARGE_INDEX, FileStat, Snapshot, snapshot_of, version_of

if TYPE_CHECKING:
    from commonplace.stores.postgres import BookAddress
    from commonplace.stores.postgres.tableindex import TableIndex
    from commonplace.types.asking import Note

Row: TypeAlias = tuple[object, ...]
_DATA = """d.data || CASE WHEN d.pieces = 0 THEN ''::bytea ELSE
    (SELECT string_agg(p.data, ''::bytea ORDER BY p.number) FROM commonplace.piece p
     WHERE p.tenant = d.tenant AND p.book = d.book AND p.name = d.name) END"""
_WHOLE = f"SELECT {_DATA} FROM commonplace.document d WHERE d.tenant = %s AND d.book = %s AND d.name = %s"  # noqa: S608
_SEVERAL = f"""
SELECT d.name, {_DATA} FROM commonplace.document d
WHERE d.tenant = %s AND d.book = %s AND d.name = ANY(%s) AND d.size <= %s
"""  # noqa: S608 of constants
_CUT = f"""
SELECT d.name, substring({_DATA} FROM place.start FOR place.length)
FROM unnest(%s::text[], %s::int[], %s::int[]) AS place (name, start, length)
JOIN commonplace.document d ON d.name = place.name WHERE d.tenant = %s AND d.book = %s
"""  # noqa: S608 of constants
_PAGE, _LARGEST = 100, 256 * 1024
_PUT = """
INSERT INTO commonplace.document (tenant, book, name, folder, data, size, ends_line)
VALUES (%s, %s, %s, %s, %s, %s, %s)
"""
_OVER = """
ON CONFLICT (tenant, book, name) DO UPDATE SET data = excluded.data, size = excluded.size, pieces = 0,
    ends_line = excluded.ends_line, revision = nextval('commonplace.revision')
"""
_STATE = """
SELECT pieces, size, ends_line FROM commonplace.document
WHERE tenant = %s AND book = %s AND name = %s FOR NO KEY UPDATE
"""
_HAS_PIECE = "SELECT 1 FROM commonplace.piece WHERE tenant = %s AND book = %s AND name = %s AND id = %s"
_ADD_PIECE = """
INSERT INTO commonplace.piece (tenant, book, name, number, id, data) VALUES (%s, %s, %s, %s, %s, %s)
"""
_GROW = """
UPDATE commonplace.document SET pieces = %s, size = %s, ends_line = %s, revision = nextval('commonplace.revision')
WHERE tenant = %s AND book = %s AND name = %s
"""
_DROP_PIECES = "DELETE FROM commonplace.piece WHERE tenant = %s AND book = %s AND name = %s"
_DROP = "DELETE FROM commonplace.document WHERE tenant = %s AND book = %s AND name = %s"
_LISTED = """
SELECT name, 'file', size, revision::text FROM commonplace.document
WHERE tenant = %(t)s AND book = %(b)s AND folder = %(f)s
UNION
SELECT DISTINCT %(p)s || split_part(substr(folder, length(%(p)s) + 1), '/', 1), 'folder', 0, ''
FROM commonplace.document
WHERE tenant = %(t)s AND book = %(b)s AND starts_with(folder, %(p)s) AND length(folder) > length(%(p)s)
"""


class PostgresStorage:
    """Implements `Storage` on rows of one tenant and one book."""

    edits = None
    residue = (
        "Postgres itself keeps what was deleted: old versions of rows until VACUUM FULL has gone over the tables, its "
        "log (WAL) until its segments are written over, replicas and backups of the database until you clear them."
    )

    def __init__(self, address: BookAddress, *, lock_timeout: float = 10.0) -> None:
        self.address = address.shown
        self.tenant, self.book = address.tenant, address.book
        self.database = database(address.database)
        self._lock_timeout = lock_timeout
        self._of_book = (address.tenant, address.book)
        self._owner = Owner(address.database, address.tenant, address.book)
        self.history = PostgresHistory(self.database, *self._of_book)
        self.presence = PostgresPresence(self.database, *self._of_book)

    def prepare(self) -> None:
        self._rows("SELECT 1 FROM commonplace.book WHERE tenant = %s AND book = %s", self._of_book)

    # -- reading -------------------------------------------------------------------------------------------------------

    def read(self, name: str) -> Snapshot:
        return snapshot_of(self._whole(name))

    def read_all(self, names: Iterable[str]) -> Iterator[tuple[str, Snapshot]]:
        left = iter(names)
        while page := list(islice(left, _PAGE)):
            rows = self._rows(_SEVERAL, (*self._of_book, page, _LARGEST))
            found = {str(name): snapshot_of(bytes(cast(bytes, data))) for name, data in rows}
            for name in page:  # what is large comes alone, so that few of them are in memory at once
                yield name, found.get(name) or self.read(name)

    def excerpts(self, places: Mapping[str, tuple[int, int]]) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        left = iter(places.items())
        while page := list(islice(left, _PAGE)):
            columns = ([name for name, _ in page], [start + 1 for _, (start, _) in page], [n for _, (_, n) in page])
            found |= {
                str(name): bytes(cast(bytes, data)) for name, data in self._rows(_CUT, (*columns, *self._of_book))
            }
        return found

    def map(self, name: str) -> memoryview | None:
        data = OF_THIS_PROCESS.get(self._owner, name) or self._whole(name)
        if data is None:
            return None
        OF_THIS_PROCESS.put(self._owner, name, data)
        return memoryview(data)

    def _whole(self, name: str) -> bytes | None:
        parts_of(name)
        rows = self._rows(_WHOLE, (*self._of_book, name))
        return bytes(cast(bytes, rows[0][0])) if rows else None

    def list_folder(self, folder: str) -> list[FileStat]:
        prefix = f"{'/'.join(parts_of(folder))}/" if folder else ""
        scope = {"t": self.tenant, "b": self.book, "f": folder, "p": prefix}
        rows = self._rows(_LISTED, scope)
        return sorted(FileStat(str(name), str(kind), cast(int, size), str(rev)) for name, kind, size, rev in rows)

    def glance(self, folder: str) -> object:
        return self._rows(
            "SELECT count(*), max(revision) FROM commonplace.document WHERE tenant = %s AND book = %s AND folder = %s",
            (*self._of_book, folder),
        )

    def walk(self) -> Iterator[str]:
        rows = self._rows(
            "SELECT name FROM commonplace.document WHERE tenant = %s AND book = %s ORDER BY name", self._of_book
        )
        return (str(row[0]) for row in rows)

    def _rows(self, query: str, values: Sequence[object] | Mapping[str, object]) -> list[Row]:
        return self.database.run(self.tenant, lambda connection, _: connection.execute(query, values).fetchall())  # pyright: ignore[reportArgumentType, reportCallIssue] all queries are constants

    # -- writing -------------------------------------------------------------------------------------------------------

    def write(self, name: str, data: bytes, *, expected: str, durable: bool = True) -> str:  # noqa: ARG002 of the port
        parts_of(name)
        version = version_of(data)

        def work(connection: Connection, again: bool) -> str:
            with connection.transaction():
                if not (again and self._locked_version(connection, name) == version):
                    self._swap(connection, name, data, expected)
            return version

        return self.database.run(self.tenant, work)

    def delete(self, name: str, *, expected: str, durable: bool = True) -> None:  # noqa: ARG002 of the port
        parts_of(name)
        OF_THIS_PROCESS.drop(self._owner)

        def work(connection: Connection, again: bool) -> None:
            with connection.transaction():
                if not (again and self._locked_version(connection, name) == ABSENT):
                    self._swap(connection, name, None, expected)

        self.database.run(self.tenant, work)

    def append(self, name: str, data: bytes, *, on_new_line: bool = False) -> None:
        """The row of the file is locked, so that pieces are numbered in the order of who came first. A piece has an id:
        whoever does not know whether theirs arrived looks for it."""
        parts_of(name)
        id, of_file = uuid.uuid4(), (*self._of_book, name)

        def work(connection: Connection, again: bool) -> None:
            with connection.transaction():
                connection.execute(_PUT + "ON CONFLICT DO NOTHING", self._row(name, b""))
                [row] = connection.execute(_STATE, of_file).fetchall()
                if again and connection.execute(_HAS_PIECE, (*of_file, id)).fetchone():
                    return
                number, size, ends_line = cast("tuple[int, int, bool]", row)
                piece = b"\n" + data if on_new_line and size and not ends_line else data
                connection.execute(_ADD_PIECE, (*of_file, number + 1, id, piece))
                ends_line = _ends_line(piece) if piece else ends_line
                connection.execute(_GROW, (number + 1, size + len(piece), ends_line, *of_file))

        self.database.run(self.tenant, work)

    def put_derived(self, name: str, parts: Iterable[bytes | memoryview], *, durable: bool = False) -> None:  # noqa: ARG002 the database syncs
        parts_of(name)
        data = b"".join(parts)

        def work(connection: Connection, _again: bool) -> None:
            with connection.transaction():
                self._put(connection, name, data)

        self.database.run(self.tenant, work)

    def delete_derived(self, name: str) -> None:
        parts_of(name)
        OF_THIS_PROCESS.drop(self._owner)

        def work(connection: Connection, _again: bool) -> None:
            with connection.transaction():
                self._drop(connection, name)

        self.database.run(self.tenant, work)

    def make_folder(self, folder: str) -> None:
        parts_of(folder)

    def remove_empty_folder(self, folder: str) -> None:
        """Without a file in it there is none."""

    def record(
        self, changes: Mapping[str, bytes | None], before: Mapping[str, Snapshot], note: Note, at: datetime
    ) -> str:
        """The change is made on top of the newest one; its id tells whether it arrived, should the answer be lost."""

        errand = ERRAND.get()

        def write_files(connection: Connection, id: str) -> None:
            for name in sorted(changes):
                self._swap(connection, name, changes[name], before[name].version)
            if errand is not None:
                errand.sign(connection, id)

        with self.lock():
            made = self.history.make(changes, note, at, write_files)
        if errand is not None:
            errand.changes.append(made)
        return made

    def _swap(self, connection: Connection, name: str, data: bytes | None, expected: str) -> None:
        """Replace a file that has the expected version, within a transaction."""
        if expected == ABSENT and data is not None:
            made = connection.execute(_PUT + "ON CONFLICT DO NOTHING", self._row(name, data))
            if made.rowcount != 1:
                raise _changed_meanwhile(name)
        elif self._locked_version(connection, name) != expected:
            raise _changed_meanwhile(name)
        elif data is None:
            self._drop(connection, name)
        else:
            self._put(connection, name, data)

    def _locked_version(self, connection: Connection, name: str) -> str:
        """The version of a file that nobody else can change before the end of the transaction."""
        of_file = (*self._of_book, name)
        connection.execute(_STATE, of_file)
        row = connection.execute(_WHOLE, of_file).fetchone()
        return ABSENT if row is None else version_of(bytes(cast(bytes, row[0])))

    def _put(self, connection: Connection, name: str, data: bytes) -> None:
        connection.execute(_PUT + _OVER, self._row(name, data))
        connection.execute(_DROP_PIECES, (*self._of_book, name))

    def put_within(self, connection: Connection, name: str, data: bytes) -> None:
        """Write a derived file within a transaction."""
        self._put(connection, name, data)

    def drop_within(self, connection: Connection, name: str) -> None:
        self._drop(connection, name)

    def large_index(self, identity: str, dimensions: int) -> TableIndex:
        from commonplace.stores.postgres.tableindex import TableIndex

        return TableIndex(self, identity, dimensions)

    def _drop(self, connection: Connection, name: str) -> None:
        if name == LARGE_INDEX:
            drop_rows(connection, self._of_book)
        connection.execute(_DROP_PIECES, (*self._of_book, name))
        connection.execute(_DROP, (*self._of_book, name))

    def _row(self, name: str, data: bytes) -> tuple[object, ...]:
        return (*self._of_book, name, name.rpartition("/")[0], data, len(data), _ends_line(data))

    # -- locks ---------------------------------------------------------------------------------------------------------

    def lock(self, *, timeout: float | None = None) -> AbstractContextManager[None]:
        return self.database.locked(Lock(*self._of_book, ""), self._lock_timeout if timeout is None else timeout)

    def alone(self, task: str, *, timeout: float) -> AbstractContextManager[None]:
        return self.database.locked(Lock(*self._of_book, task), timeout)


def _ends_line(data: bytes) -> bool:
    return data.endswith(b"\n")


def _changed_meanwhile(name: str) -> Conflict:
    return Conflict(
        f"{name} was changed by someone else in the meantime; nothing was written.",
        hint="Read it again and repeat the change.",
    )

"""The history of a book in Postgres: git's objects as rows, and the changes by their number.

Objects never change, so those that were read once are kept at hand. New ones are held back until the transaction that
makes them a change of the book.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, cast

from commonplace.files.history import GitHistory, Objects, framed, lost

if TYPE_CHECKING:
    from commonplace.stores.postgres.connections import Connection, Database
    from commonplace.types.asking import Note
    from commonplace.types.book import Commit

_MOST_KEPT = 2 * 1024 * 1024  # bytes a book
_LARGEST = 64 * 1024  # a larger one comes alone and is not kept
_PAGE = 200


class _ObjectRows(Objects):
    """Objects by their ids: those of the database, and new ones that are not there yet."""

    def __init__(self, database: Database, tenant: str, book: str) -> None:
        self._database = database
        self._of_book = (tenant, book)
        self._kept: OrderedDict[str, tuple[str, bytes]] = OrderedDict()
        self._kept_bytes = 0
        self._guard = threading.Lock()
        self.new: dict[str, tuple[str, bytes]] = {}

    def write(self, kind: str, body: bytes) -> str:
        id, _ = framed(kind, body)
        self.new[id] = (kind, body)
        return id

    def read(self, id: str) -> tuple[str, bytes]:
        found = self.new.get(id) or self._kept.get(id) or self._fetched([id], None).get(id)
        if found is None or framed(*found)[0] != id:
            raise lost(id)
        return found

    def read_all(self, ids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        left = iter(ids)
        while page := list(islice(left, _PAGE)):
            found = self.fetch(page)
            for id in page:
                one = found.get(id)
                yield one if one is not None and framed(*one)[0] == id else self.read(id)

    def fetch(self, ids: list[str]) -> dict[str, tuple[str, bytes]]:
        """Several at once; what is not there, or large, is missing."""
        found = {id: one for id in ids if (one := self.new.get(id) or self._kept.get(id)) is not None}
        return found | self._fetched([id for id in ids if id not in found], _LARGEST)

    def _fetched(self, ids: list[str], largest: int | None) -> dict[str, tuple[str, bytes]]:
        query = (
            "SELECT id, kind, body FROM commonplace.object WHERE tenant = %s AND book = %s AND id = ANY(%s) "
            "AND length(body) <= coalesce(%s, length(body))"
        )
        rows = self._database.run(
            self._of_book[0],
            lambda connection, _: connection.execute(query, (*self._of_book, ids, largest)).fetchall() if ids else [],
        )
        found = {str(id): (str(kind), bytes(cast(bytes, body))) for id, kind, body in rows}
        for id, one in found.items():
            self._keep(id, one)
        return found

    def _keep(self, id: str, found: tuple[str, bytes]) -> None:
        if len(found[1]) > _LARGEST:
            return
        with self._guard:
            if id not in self._kept:
                self._kept_bytes += len(found[1])
            self._kept[id] = found
            while self._kept_bytes > _MOST_KEPT:
                _, (_, body) = self._kept.popitem(last=False)
                self._kept_bytes -= len(body)

    def store(self, connection: Connection) -> None:
        """Put the new ones into the database, within a transaction."""
        with connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO commonplace.object (tenant, book, id, kind, body) VALUES (%s, %s, %s, %s, %s) "
                "ON CONFLICT DO NOTHING",
                [(*self._of_book, id, kind, body) for id, (kind, body) in self.new.items()],
            )

    def forget(self) -> None:
        with self._guard:
            self._kept.clear()
            self._kept_bytes = 0
        self.new.clear()

    def ids_starting(self, prefix: str) -> set[str]:
        rows = self._database.run(
            self._of_book[0],
            lambda connection, _: connection.execute(
                "SELECT id FROM commonplace.change WHERE tenant = %s AND book = %s AND starts_with(id, %s)",
                (*self._of_book, prefix),
            ).fetchall(),
        )
        return {str(row[0]) for row in rows}


class _Composed:
    """A change that is ready to be made."""

    def __init__(self, id: str, head: str | None, of_book: tuple[str, str], rows: _ObjectRows) -> None:
        self.id = id
        self._head = head
        self._of_book = of_book
        self._rows = rows
        self._number = 0

    def begin(self, connection: Connection) -> bool:
        """Lock the book's row; False if there is a newer change than the one that this stands on."""
        connection.execute(
            "INSERT INTO commonplace.book (tenant, book) VALUES (%s, %s) ON CONFLICT DO NOTHING", self._of_book
        )
        [row] = connection.execute(
            "SELECT head, changes FROM commonplace.book WHERE tenant = %s AND book = %s FOR UPDATE", self._of_book
        ).fetchall()
        self._number = cast(int, row[1])
        return row[0] == self._head

    def finish(self, connection: Connection) -> None:
        self._rows.store(connection)
        connection.execute(
            "INSERT INTO commonplace.change (tenant, book, number, id) VALUES (%s, %s, %s, %s)",
            (*self._of_book, self._number + 1, self.id),
        )
        connection.execute(
            "UPDATE commonplace.book SET head = %s, changes = %s WHERE tenant = %s AND book = %s",
            (self.id, self._number + 1, *self._of_book),
        )


class PostgresHistory(GitHistory):
    """The recorded changes of one book."""

    def __init__(self, database: Database, tenant: str, book: str) -> None:
        self._database = database
        self._of_book = (tenant, book)
        self._rows = _ObjectRows(database, tenant, book)
        super().__init__(self._rows)

    def head(self) -> str | None:
        rows = self._ask("SELECT head FROM commonplace.book WHERE tenant = %s AND book = %s", self._of_book)
        return None if not rows or rows[0][0] is None else str(rows[0][0])

    def count(self) -> int:
        rows = self._ask("SELECT changes FROM commonplace.book WHERE tenant = %s AND book = %s", self._of_book)
        return cast(int, rows[0][0]) if rows else 0

    def holds(self, id: str) -> bool:
        """Whether a change is one of the book's."""
        query = "SELECT 1 FROM commonplace.change WHERE tenant = %s AND book = %s AND id = %s"
        return bool(self._ask(query, (*self._of_book, id)))

    def commits(self, start: str | None = None) -> Iterator[Commit]:
        """From `start` back to the first; a page of them, and their trees, in two questions."""
        query = (
            "SELECT number, id FROM commonplace.change WHERE tenant = %s AND book = %s AND number <= "
            "coalesce((SELECT number FROM commonplace.change WHERE tenant = %s AND book = %s AND id = %s), %s) "
            "ORDER BY number DESC LIMIT %s"
        )
        id, below = start or self.head(), 0
        while id:
            if below == 0:
                rows = self._ask(query, (*self._of_book, *self._of_book, id, 0, _PAGE))
                below = len(rows)
                self._rows.fetch([str(row[1]) for row in rows])
                self._rows.fetch([self.commit(str(row[1])).tree for row in rows])
            commit = self.commit(id)
            yield commit
            below -= 1 if below > 0 else 0
            id = commit.parents[0] if commit.parents else None

    @contextmanager
    def _composing(
        self, head: str | None, changes: Mapping[str, bytes | None], note: Note, at: datetime
    ) -> Generator[_Composed]:
        """A change on top of `head`, whose objects are held back until it is made."""
        self._rows.new.clear()
        try:
            yield _Composed(self.compose(head, changes, note, at), head, self._of_book, self._rows)
        finally:
            self._rows.new.clear()

    def repeat(self, changes: Mapping[str, bytes | None], note: Note, at: datetime) -> str:
        return self.make(changes, note, at, lambda _connection, _id: None)

    def make(
        self,
        changes: Mapping[str, bytes | None],
        note: Note,
        at: datetime,
        write_files: Callable[[Connection, str], None],
    ) -> str:
        """Record a change on top of the newest, and do what `write_files` does in the same transaction."""
        tried: list[str] = []

        def work(connection: Connection, _again: bool) -> str:
            while True:
                if tried and self.holds(tried[-1]):
                    return tried[-1]
                with self._composing(self.head(), changes, note, at) as composed, connection.transaction():
                    if not composed.begin(connection):  # somebody else was quicker: on top of theirs
                        continue
                    tried.append(composed.id)
                    write_files(connection, composed.id)
                    composed.finish(connection)
                return composed.id

        return self._database.run(self._of_book[0], work)

    def bodies(self) -> Iterator[tuple[str, bytes]]:
        query = (
            "SELECT id, body FROM commonplace.object WHERE tenant = %s AND book = %s AND id > %s ORDER BY id LIMIT %s"
        )
        last = ""
        while rows := self._ask(query, (*self._of_book, last, _PAGE)):
            for id, body in rows:
                yield str(id), bytes(cast(bytes, body))
            last = str(rows[-1][0])

    def prune(self) -> None:
        needed = sorted(self.needed())

        def work(connection: Connection, _again: bool) -> None:
            connection.execute(
                "DELETE FROM commonplace.object WHERE tenant = %s AND book = %s AND NOT id = ANY(%s)",
                (*self._of_book, needed),
            )

        self._database.run(self._of_book[0], work)
        self._rows.forget()

    def adopt(self, id: str) -> None:
        """Every change is numbered anew, up to the one that is the newest now; in one transaction."""
        commits = [id]
        while parents := self.commit(commits[-1]).parents:
            commits.append(parents[0])
        numbered = [(*self._of_book, number, commit) for number, commit in enumerate(reversed(commits), start=1)]

        def work(connection: Connection, _again: bool) -> None:
            with connection.transaction(), connection.cursor() as cursor:
                self._rows.store(connection)
                cursor.execute(
                    "INSERT INTO commonplace.book (tenant, book, head, changes) VALUES (%s, %s, %s, %s) "
                    "ON CONFLICT (tenant, book) DO UPDATE SET head = excluded.head, changes = excluded.changes",
                    (*self._of_book, id, len(commits)),
                )
                cursor.execute("DELETE FROM commonplace.change WHERE tenant = %s AND book = %s", self._of_book)
                cursor.executemany(
                    "INSERT INTO commonplace.change (tenant, book, number, id) VALUES (%s, %s, %s, %s)", numbered
                )

        self._database.run(self._of_book[0], work)
        self._rows.new.clear()

    def _ask(self, query: str, values: tuple[object, ...]) -> list[tuple[object, ...]]:
        return self._database.run(
            self._of_book[0],
            lambda connection, _: connection.execute(query.encode(), values).fetchall(),
        )

"""Which conversations of a book in Postgres are open, on any server: a shared lock that goes with its connection."""

from __future__ import annotations

import psycopg

from commonplace.files.transcripts import check_id
from commonplace.stores.postgres.connections import Connection, Database, Lock, unreachable


class PostgresAttendance:
    """A conversation that is open until `close`, or until the process ends."""

    def __init__(self, session: str, key: int, database: Database) -> None:
        self.session = session
        self._key = key
        self._database = database
        self._connection: Connection | None = database.attend()
        try:
            self._connection.execute("SELECT pg_advisory_lock_shared(%s)", [key])
        except psycopg.Error as error:
            database.leave(self._connection)
            raise unreachable(error) from error

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is None:
            return
        try:
            connection.execute("SELECT pg_advisory_unlock_shared(%s)", [self._key])
        except psycopg.Error:  # lost, and the lock with it
            pass
        finally:
            self._database.leave(connection)


class PostgresPresence:
    """The open conversations of one book."""

    def __init__(self, database: Database, tenant: str, book: str) -> None:
        self._database = database
        self._of_book = (tenant, book)

    def enter(self, session: str) -> PostgresAttendance:
        return PostgresAttendance(session, self._key(session), self._database)

    def is_open(self, session: str) -> bool:
        """Whoever could have it alone for a moment finds it empty."""
        key = self._key(session)

        def work(connection: Connection, _again: bool) -> bool:
            with connection.transaction():
                row = connection.execute("SELECT pg_try_advisory_xact_lock(%s)", [key]).fetchone()
                return row is None or not row[0]

        return self._database.run(self._of_book[0], work)

    def _key(self, session: str) -> int:
        return Lock(*self._of_book, f"open {check_id(session, 'session')}").key

"""Which conversations of a book in Postgres are open, on any server: a shared lock that goes with its connection."""

from __future__ import annotations

from collections.abc import Iterable

from commonplace.files.transcripts import check_id
from commonplace.stores.postgres.connections import Connection, Database, Lock

_HELD = """
SELECT (classid::bigint << 32) | objid::bigint FROM pg_locks
WHERE locktype = 'advisory' AND objsubid = 1 AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


class PostgresAttendance:
    """A conversation that is open until `close`, or until the process ends."""

    def __init__(self, session: str, key: int, database: Database) -> None:
        self.session = session
        self._key: int | None = key
        self._database = database
        database.attend(key)

    def close(self) -> None:
        key, self._key = self._key, None
        if key is not None:
            self._database.leave(key)


class PostgresPresence:
    """The open conversations of one book."""

    def __init__(self, database: Database, tenant: str, book: str) -> None:
        self._database = database
        self._of_book = (tenant, book)

    def enter(self, session: str) -> PostgresAttendance:
        return PostgresAttendance(session, self._key(session), self._database)

    def opened(self, sessions: Iterable[str]) -> set[str]:
        keys = {session: self._key(session) for session in sessions}
        if not keys:
            return set()

        def work(connection: Connection, _again: bool) -> set[object]:
            return {key for (key,) in connection.execute(_HELD).fetchall()}

        held = self._database.run(self._of_book[0], work)
        return {session for session, key in keys.items() if key in held}

    def _key(self, session: str) -> int:
        return Lock(*self._of_book, f"open {check_id(session, 'session')}").key

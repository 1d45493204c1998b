"""The trail: who read and wrote what, when, by which token, and what came of it. It holds no text of a memory."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, cast

from commonplace.errors import ConfigError
from commonplace.stores.postgres.teamtables import SHORTEST_TRAIL

if TYPE_CHECKING:
    from commonplace.stores.postgres.connections import Connection, Database
    from commonplace.team.membership import Visitor

_FIELDS = "id, at, person, token, book, operation, subject, status, changes"


@dataclass(frozen=True, slots=True)
class Deed:
    """One request: `operation` is its method and route, or a tool; `subject` the id of an entry that it names."""

    id: int
    at: datetime
    person: str
    token: str
    book: str
    operation: str
    subject: str
    status: int
    changes: tuple[str, ...]


class Trail:
    """The trails of all tenants in one database; `days` says how long each row is kept (0: for ever)."""

    def __init__(self, database: Database, days: int) -> None:
        if 0 < days < SHORTEST_TRAIL:
            raise ConfigError(
                f"team.trail_days is {days}; the trail is kept for {SHORTEST_TRAIL} days at least.",
                hint=f"Set it to 0 (for ever), or to {SHORTEST_TRAIL} or more.",
            )
        self._database = database
        self._days = days
        self._swept: dict[str, date] = {}
        self._lock = threading.Lock()

    def note(self, visitor: Visitor, book: str, operation: str, subject: str, status: int, changes: list[str]) -> None:
        """Write one row. Rows that are too old go once a day, with the first request of their tenant."""
        row = (visitor.tenant, visitor.person, visitor.token, book, operation, subject, status, changes)

        def work(connection: Connection, _again: bool) -> None:
            connection.execute(
                "INSERT INTO commonplace.team_trail (tenant, person, token, book, operation, subject, status, changes) "
                "VALUES (%s, %s, %s, %s, %s, %s, %s, %s)",
                row,
            )

        self._database.run(visitor.tenant, work)
        self._sweep(visitor.tenant)

    def _sweep(self, tenant: str) -> None:
        today = datetime.now(UTC).date()
        with self._lock:
            if not self._days or self._swept.get(tenant) == today:
                return
            self._swept[tenant] = today
        query = "DELETE FROM commonplace.team_trail WHERE tenant = %s AND at < now() - %s * interval '1 day'"
        self._database.run(tenant, lambda connection, _: connection.execute(query, (tenant, self._days)))

    def read(
        self,
        tenant: str,
        *,
        book: str | None = None,
        person: str | None = None,
        before: int | None = None,
        limit: int = 50,
    ) -> list[Deed]:
        """The newest first; `before` is the id of the last one that is known."""
        query = (
            f"SELECT {_FIELDS} FROM commonplace.team_trail WHERE tenant = %(tenant)s "  # noqa: S608 a constant of ours
            "AND (%(book)s::text IS NULL OR book = %(book)s) AND (%(person)s::text IS NULL OR person = %(person)s) "
            "AND (%(before)s::bigint IS NULL OR id < %(before)s) ORDER BY id DESC LIMIT %(limit)s"
        )
        wanted = {"tenant": tenant, "book": book, "person": person, "before": before, "limit": limit}
        rows = self._database.run(tenant, lambda connection, _: connection.execute(query, wanted).fetchall())
        return [_deed(row) for row in rows]


def _deed(row: tuple[object, ...]) -> Deed:
    id, at, person, token, book, operation, subject, status, changes = row
    said = (str(person), str(token), str(book), str(operation), str(subject))
    return Deed(cast(int, id), cast(datetime, at), *said, cast(int, status), tuple(cast("list[str]", changes)))

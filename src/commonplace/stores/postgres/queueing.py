"""Work that waits in the database: a burst of one server is done by whichever process is free, and none of it is lost.

A piece of work is a row: who asks again for what waits already adds nothing. Whoever takes one holds it for a time
(a lease) and renews that while they live; if they die, it is due again by itself. Work is deleted when it is done, and
only if nobody asked for it meanwhile. So it may begin twice: it must be such that doing it again changes nothing, as a
flush is by its markers. A row names a book and a conversation, and holds no word of either.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, cast

from commonplace.stores.postgres.schema import EVERY_TENANT

if TYPE_CHECKING:
    from commonplace.stores.postgres.connections import Connection, Database

FLUSH, EMBED = "flush", "embed"
_LONGEST_WAIT = 3600.0

_PUT = """
INSERT INTO commonplace.work (tenant, book, task, subject) VALUES (%s, %s, %s, %s)
ON CONFLICT (tenant, book, task, subject) DO UPDATE SET asked = work.asked + 1,
    due = CASE WHEN work.holder IS NULL THEN least(work.due, now()) ELSE work.due END
"""
_TAKE = """
WITH free AS (SELECT tenant, book, task, subject FROM commonplace.work WHERE due <= now() AND task = ANY(%s)
              ORDER BY due LIMIT 1 FOR UPDATE SKIP LOCKED)
UPDATE commonplace.work w SET holder = %s, begun = asked, attempts = attempts + 1,
    due = now() + make_interval(secs => %s)
FROM free
WHERE w.tenant = free.tenant AND w.book = free.book AND w.task = free.task AND w.subject = free.subject
RETURNING w.tenant, w.book, w.task, w.subject, w.attempts
"""
_MINE = "SELECT tenant, book, task, subject, attempts FROM commonplace.work WHERE holder = %s"
_HELD = "WHERE tenant = %s AND book = %s AND task = %s AND subject = %s AND holder = %s"
_RENEW = f"UPDATE commonplace.work SET due = now() + make_interval(secs => %s) {_HELD}"  # noqa: S608 of constants
_DONE = f"DELETE FROM commonplace.work {_HELD} AND asked = begun"  # noqa: S608 of constants
_AGAIN = f"UPDATE commonplace.work SET holder = NULL, due = now(), attempts = 0, trouble = '' {_HELD}"  # noqa: S608
_LATER = f"""
UPDATE commonplace.work SET holder = NULL, trouble = %s,
    due = CASE WHEN asked = begun THEN now() + make_interval(secs => %s) ELSE now() END {_HELD}
"""  # noqa: S608 of constants
_LISTED = """
SELECT tenant, book, task, subject, since, due, holder IS NOT NULL AND due > now(), attempts, trouble
FROM commonplace.work ORDER BY since LIMIT %s
"""


class Work(NamedTuple):
    """What is to be done: a task (`FLUSH`, `EMBED`) on a book, and for a flush of which conversation."""

    tenant: str
    book: str
    task: str
    subject: str = ""


class Lease(NamedTuple):
    """Work that somebody has taken; `attempts` counts this one."""

    work: Work
    holder: uuid.UUID
    attempts: int


class Queued(NamedTuple):
    """Work as it stands in the queue. `trouble` is the code of the last failure."""

    work: Work
    since: datetime
    due: datetime
    held: bool
    attempts: int
    trouble: str


class WorkQueue:
    """The queue of one database. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, work: Work) -> None:
        """Ask for work. Durable when it returns; what waits already is not there twice, and no longer put off."""
        self._write(work.tenant, _PUT, work)

    def take(self, seconds: float, tasks: Sequence[str] = (FLUSH, EMBED)) -> Lease | None:
        """The work that has been due for longest, for oneself alone for so many seconds; None if there is none."""
        holder = uuid.uuid4()

        def work(connection: Connection, again: bool) -> list[tuple[object, ...]]:
            found = connection.execute(_MINE, [holder]).fetchall() if again else []
            return found or connection.execute(_TAKE, [list(tasks), holder, seconds]).fetchall()

        rows = self._database.run(EVERY_TENANT, work)
        if not rows:
            return None
        *names, attempts = rows[0]
        return Lease(Work(*map(str, names)), holder, cast(int, attempts))

    def renew(self, lease: Lease, seconds: float) -> bool:
        """Hold it for longer; False if it was taken by another meanwhile."""
        return self._write(EVERY_TENANT, _RENEW, (seconds, *lease.work, lease.holder)) == 1

    def done(self, lease: Lease) -> None:
        """It is done. If it was asked for again since it was taken, it is due again."""
        held = (*lease.work, lease.holder)
        if self._write(EVERY_TENANT, _DONE, held) == 0:
            self._write(EVERY_TENANT, _AGAIN, held)

    def put_off(self, lease: Lease, trouble: str, seconds: float = 1.0) -> None:
        """It failed: it is due again after a time that doubles with each attempt, or at once if it is asked for."""
        wait = min(seconds * 2 ** min(lease.attempts - 1, 30), _LONGEST_WAIT)
        self._write(EVERY_TENANT, _LATER, (trouble, wait, *lease.work, lease.holder))

    def listed(self, tenant: str = EVERY_TENANT, most: int = 1000) -> list[Queued]:
        """What waits or is being done, the oldest first; of one tenant, or of all."""
        rows = self._database.run(tenant, lambda connection, _: connection.execute(_LISTED, [most]).fetchall())
        return [
            Queued(
                Work(*map(str, row[:4])),
                cast(datetime, row[4]),
                cast(datetime, row[5]),
                bool(row[6]),
                cast(int, row[7]),
                str(row[8]),
            )
            for row in rows
        ]

    def _write(self, tenant: str, query: str, values: Sequence[object]) -> int:
        return self._database.run(tenant, lambda connection, _: connection.execute(query.encode(), values).rowcount)

"""The tables of books in Postgres, and the steps that lead to them. A step is never changed once it was published.

Every row is keyed by tenant and book, and every table is split by their hash: a book is in one part of each, so that
the same tables can be spread over many machines. Row-level security is the second wall behind the scope that each
query has anyway: a connection sees the rows of the tenant that it was told, and none before it was told one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.stores.postgres import largetables, teamtables

if TYPE_CHECKING:
    from psycopg import Connection

TENANT = "commonplace.tenant"
EVERY_TENANT = "*"  # no tenant is called so: who works off the queue sees it whole, and not one row of a book
_OF_BOOKS = ("book", "document", "piece", "object", "change")
TABLES = (*_OF_BOOKS, *largetables.TABLES, "work")
_PARTS = 16

_FIRST = """
CREATE SEQUENCE commonplace.revision;

CREATE TABLE commonplace.book (
    tenant text NOT NULL, book text NOT NULL,
    head text, changes bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, book)
) PARTITION BY HASH (tenant, book);

CREATE TABLE commonplace.document (
    tenant text NOT NULL, book text NOT NULL, name text COLLATE "C" NOT NULL,
    folder text COLLATE "C" NOT NULL,
    data bytea NOT NULL,
    pieces integer NOT NULL DEFAULT 0,
    size bigint NOT NULL,
    ends_line boolean NOT NULL,
    revision bigint NOT NULL DEFAULT nextval('commonplace.revision'),
    PRIMARY KEY (tenant, book, name)
) PARTITION BY HASH (tenant, book);
CREATE INDEX ON commonplace.document (tenant, book, folder, name) INCLUDE (size, revision);

CREATE TABLE commonplace.piece (
    tenant text NOT NULL, book text NOT NULL, name text COLLATE "C" NOT NULL, number integer NOT NULL,
    id uuid NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (tenant, book, name, number)
) PARTITION BY HASH (tenant, book);

CREATE TABLE commonplace.object (
    tenant text NOT NULL, book text NOT NULL, id text COLLATE "C" NOT NULL,
    kind text NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (tenant, book, id)
) PARTITION BY HASH (tenant, book);

CREATE TABLE commonplace.change (
    tenant text NOT NULL, book text NOT NULL, number bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, book, number)
) PARTITION BY HASH (tenant, book);
CREATE INDEX ON commonplace.change (tenant, book, id);
"""

_QUEUE = """
CREATE TABLE commonplace.work (
    tenant text NOT NULL, book text NOT NULL, task text NOT NULL, subject text COLLATE "C" NOT NULL,
    asked bigint NOT NULL DEFAULT 1,
    begun bigint NOT NULL DEFAULT 0,
    due timestamptz NOT NULL DEFAULT now(),
    holder uuid,
    attempts integer NOT NULL DEFAULT 0,
    trouble text NOT NULL DEFAULT '',
    since timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (tenant, book, task, subject)
) PARTITION BY HASH (tenant, book);
CREATE INDEX ON commonplace.work (due);
"""


def _walls(tables: tuple[str, ...], seen: str) -> str:
    made: list[str] = []
    for table in tables:
        made += [
            f"CREATE TABLE commonplace.{table}_{part} PARTITION OF commonplace.{table} "
            f"FOR VALUES WITH (MODULUS {_PARTS}, REMAINDER {part});"
            for part in range(_PARTS)
        ]
        for name in (table, *(f"{table}_{part}" for part in range(_PARTS))):
            made += [
                f"ALTER TABLE commonplace.{name} ENABLE ROW LEVEL SECURITY;",
                f"ALTER TABLE commonplace.{name} FORCE ROW LEVEL SECURITY;",
                f"CREATE POLICY tenant ON commonplace.{name} USING ({seen}) WITH CHECK ({seen});",
            ]
    return "\n".join(made)


_OWN = f"tenant = current_setting('{TENANT}', true)"
_STEPS = (
    _FIRST + _walls(_OF_BOOKS, _OWN),
    teamtables.step(TENANT),
    _QUEUE + _walls(("work",), f"{_OWN} OR current_setting('{TENANT}', true) = '{EVERY_TENANT}'"),
    largetables.STEP + _walls(largetables.TABLES, _OWN),
)
NEWEST = len(_STEPS)


def version(connection: Connection) -> int:
    """How many steps a database has taken; 0 where it knows nothing of books."""
    row = connection.execute("SELECT to_regclass('commonplace.migration') IS NOT NULL").fetchone()
    if row is None or not row[0]:
        return 0
    row = connection.execute("SELECT coalesce(max(version), 0) FROM commonplace.migration").fetchone()
    return int(row[0]) if row else 0


def migrate(connection: Connection) -> tuple[int, int]:
    """Take the steps that are missing, all or none; from which version to which."""
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(hashtext('commonplace.migration'))")
        before = version(connection)
        if before == 0:
            connection.execute("CREATE SCHEMA IF NOT EXISTS commonplace")
            connection.execute(
                "CREATE TABLE commonplace.migration (version integer PRIMARY KEY, at timestamptz DEFAULT now())"
            )
        for number, step in enumerate(_STEPS[before:], start=before + 1):
            connection.execute(step.encode())
            connection.execute("INSERT INTO commonplace.migration (version) VALUES (%s)", [number])
        largetables.make_near(connection, _PARTS)
    return before, max(before, NEWEST)


def grant(connection: Connection, role: str) -> None:
    """Let a database user keep books, behind the wall between tenants: it owns no table, and makes none."""
    from psycopg import sql

    for given in (
        "USAGE ON SCHEMA commonplace",
        "SELECT ON commonplace.migration",
        "SELECT, INSERT, UPDATE, DELETE ON " + ", ".join(f"commonplace.{table}" for table in TABLES),
        "USAGE ON SEQUENCE commonplace.revision",
        *teamtables.RIGHTS,
    ):
        connection.execute(sql.SQL(f"GRANT {given} TO {{}}").format(sql.Identifier(role)))  # pyright: ignore[reportArgumentType] constants

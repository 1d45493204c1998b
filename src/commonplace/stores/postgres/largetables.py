"""The tables of search indexes that are too large for the arrays of a process: chunks, and where which terms stand.

They are derived, and gone with the file that stands for them. A term is a 64-bit hash, as in the arrays: a number is
compared without telling anything, so that its index serves behind row-level security, where that of a text search would
not. Vectors are plain arrays of numbers: without pgvector the tables are there as well, and nothing is put into them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from psycopg import Connection

TABLES = ("chunk", "posting")
USUAL_DIMENSIONS = 384
"""Of the embedder in the package: its vectors get an index. Those of others are compared one by one."""
STEP = """
CREATE TABLE commonplace.chunk (
    tenant text NOT NULL, book text NOT NULL, id bigint NOT NULL,
    file text COLLATE "C" NOT NULL,
    grp bigint NOT NULL, place integer NOT NULL, line integer NOT NULL,
    source smallint NOT NULL, day integer NOT NULL,
    session text COLLATE "C" NOT NULL,
    traits smallint NOT NULL, length integer NOT NULL,
    speaker bytea NOT NULL, body bytea NOT NULL,
    key bytea NOT NULL,
    vector real[],
    PRIMARY KEY (tenant, book, id)
) PARTITION BY HASH (tenant, book);
CREATE INDEX ON commonplace.chunk (tenant, book, grp, place);
CREATE INDEX ON commonplace.chunk (tenant, book, file, key);
CREATE INDEX ON commonplace.chunk (tenant, book, day);
CREATE INDEX ON commonplace.chunk (tenant, book) WHERE vector IS NULL;

CREATE TABLE commonplace.posting (
    tenant text NOT NULL, book text NOT NULL, term bigint NOT NULL, chunk bigint NOT NULL,
    count smallint NOT NULL, length integer NOT NULL,
    PRIMARY KEY (tenant, book, term, chunk) INCLUDE (count, length)
) PARTITION BY HASH (tenant, book);
"""
_NEAR = """
CREATE INDEX IF NOT EXISTS {name} ON commonplace.{table}
USING hnsw ((vector::{schema}.vector({dimensions})) {schema}.vector_ip_ops) WHERE array_length(vector, 1) = {dimensions}
"""


def home_of_vectors(connection: Connection) -> str | None:
    """The schema that pgvector is in; None where it is not."""
    query = (
        "SELECT n.nspname FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace "
        "WHERE e.extname = 'vector'"
    )
    row = connection.execute(query).fetchone()
    return None if row is None else str(row[0])


def make_near(connection: Connection, parts: int) -> bool:
    """Have pgvector, and its index for the usual vectors, where the server offers it and this user may; else books stay
    with their arrays. Whether it is there now."""
    import psycopg
    from psycopg import sql

    if connection.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'").fetchone() is None:
        return False
    try:
        with connection.transaction():
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
            schema = home_of_vectors(connection) or "public"
            for part in range(parts):
                connection.execute(
                    sql.SQL(_NEAR).format(
                        name=sql.Identifier(f"chunk_near_{part}"),
                        table=sql.Identifier(f"chunk_{part}"),
                        schema=sql.Identifier(schema),
                        dimensions=sql.Literal(USUAL_DIMENSIONS),
                    )
                )
    except psycopg.Error:
        return False
    return True


def drop_rows(connection: Connection, of_book: tuple[str, str]) -> None:
    """Everything that an index has of a book."""
    for table in TABLES:
        connection.execute(f"DELETE FROM commonplace.{table} WHERE tenant = %s AND book = %s".encode(), of_book)  # noqa: S608 names of ours

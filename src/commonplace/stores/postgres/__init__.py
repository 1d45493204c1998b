"""Books in Postgres: documents, transcripts, history and derived files as rows, each keyed by tenant and book.

    postgres://USER@HOST:PORT/DATABASE/BOOK               a book of the tenant `own`
    postgres://USER@HOST:PORT/DATABASE/TENANT/BOOK        a book of a tenant

The tables are made by `commonplace db migrate ADDRESS`, never by surprise. No address has a password in it: that is
taken from where the client library looks for it (PGPASSWORD, ~/.pgpass, a service file).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from commonplace.errors import ConfigError, ValidationError
from commonplace.extras import advice

if TYPE_CHECKING:
    from commonplace.stores.postgres.connections import Database
    from commonplace.stores.postgres.queueing import WorkQueue
    from commonplace.stores.postgres.storage import PostgresStorage

OWN = "own"
_NAME = re.compile(r"[^\W_][\w.-]{0,99}")


class BookAddress(NamedTuple):
    """What an address means: how to connect, and which book."""

    shown: str
    database: tuple[tuple[str, str], ...]
    tenant: str
    book: str


def open_address(rest: str, lock_timeout: float) -> PostgresStorage:
    """The storage at `postgres://` and this."""
    address = parsed(f"postgres://{rest}")
    try:
        from commonplace.stores.postgres.storage import PostgresStorage
    except ImportError as error:
        raise _not_installed() from error

    return PostgresStorage(address, lock_timeout=lock_timeout)


def migrate_database(word: str, role: str | None = None) -> tuple[int, int]:
    """Make or renew the tables of the database at an address (with or without a book), and let a database user keep
    books in them; from which version to which."""
    address = parsed(book_address(word, OWN, "any"))
    try:
        from commonplace.stores.postgres.connections import migrated
    except ImportError as error:
        raise _not_installed() from error
    return migrated(address.database, role)


def knows_vectors(word: str) -> bool:
    """Whether the database at an address has pgvector, for books that are too large for the arrays of a process."""
    from commonplace.stores.postgres.largetables import home_of_vectors

    return open_database(word).run(OWN, lambda connection, _: home_of_vectors(connection)) is not None


def open_queue(word: str) -> WorkQueue:
    """The work that waits in the database at an address (with or without a book)."""
    found = open_database(word)
    from commonplace.stores.postgres.queueing import WorkQueue

    return WorkQueue(found)


def book_address(word: str, tenant: str, book: str) -> str:
    """The address of a book in the database at an address (with or without a book)."""
    parts = urlsplit(word)
    if parts.scheme not in {"postgres", "postgresql"} or not parts.path.strip("/"):
        raise ValidationError(f"{word!r} names no database.", hint="Write postgres://HOST/DATABASE.")
    database = parts.path.strip("/").split("/")[0]
    return parts._replace(path=f"/{database}/{tenant}/{book}").geturl()


def _not_installed() -> ConfigError:
    return ConfigError("Books in Postgres need a package that is not installed.", hint=advice("postgres"))


def open_database(word: str) -> Database:
    """The database at an address (with or without a book)."""
    address = parsed(book_address(word, OWN, "any"))
    try:
        from commonplace.stores.postgres.connections import database
    except ImportError as error:
        raise _not_installed() from error
    return database(address.database)


def is_name(word: str) -> bool:
    """Whether a tenant or a book may be called so."""
    return _NAME.fullmatch(word) is not None


def parsed(word: str) -> BookAddress:
    """An address in its parts. A missing book is an error, never all of them."""
    parts = urlsplit(word)
    if parts.password is not None:
        raise ConfigError(
            "The address of a book holds a password, which others would see in lists and histories.",
            hint="Take it out, and put it into ~/.pgpass or PGPASSWORD.",
        )
    names = [unquote(part) for part in parts.path.strip("/").split("/")]
    if len(names) not in {2, 3} or not all(map(is_name, names)):
        raise ValidationError(
            f"{word!r} does not name a book in a database.",
            hint="Write postgres://HOST/DATABASE/BOOK, or postgres://HOST/DATABASE/TENANT/BOOK.",
        )
    database, *tenant, book = names
    wanted = {"host": parts.hostname, "port": str(parts.port or ""), "user": parts.username}
    options = {**dict(parse_qsl(parts.query)), **{name: value for name, value in wanted.items() if value}}
    return BookAddress(word, (("dbname", database), *sorted(options.items())), tenant[0] if tenant else OWN, book)

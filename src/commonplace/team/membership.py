"""Which books a team has, and who may do what in them. Deny by default: who has no role in a book does not see it.

A role is given to a person, or to a group as `@GROUP`. Personal books are for persons alone; shared ones can be read by
everybody of the tenant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, cast

from commonplace.errors import Conflict, NotFound, ValidationError
from commonplace.files.text import printable
from commonplace.stores.postgres import is_name
from commonplace.stores.postgres.schema import TABLES

if TYPE_CHECKING:
    from commonplace.stores.postgres.connections import Connection, Database

_LONGEST = 200
GROUP = "@"


class Role(IntEnum):
    """What somebody may do in a book; each may do what those before it may."""

    READER = 1
    WRITER = 2
    OWNER = 3

    @property
    def word(self) -> str:
        return self.name.lower()


class Kind(StrEnum):
    """Whom a book is for."""

    PERSONAL = "personal"
    PROJECT = "project"
    SHARED = "shared"


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks: a person of a tenant, by a token (`token` is its id) or by the company's word (then it is empty). The
    role and the books are what the token is limited to; None means no limit."""

    tenant: str
    person: str
    role: Role = Role.OWNER
    books: frozenset[str] | None = None
    groups: tuple[str, ...] = ()
    token: str = ""

    @property
    def names(self) -> list[str]:
        """All that roles may be given to, and this is."""
        return [self.person, *(GROUP + group for group in self.groups)]


@dataclass(frozen=True, slots=True)
class TeamBook:
    """A book of a team, and the role of whoever asked (None: of whoever administers)."""

    book: str
    kind: Kind
    created: datetime
    role: Role | None = None


@dataclass(frozen=True, slots=True)
class Given:
    """A role that somebody has in a book."""

    who: str
    role: Role
    given: datetime
    given_by: str


def role_named(word: str) -> Role:
    try:
        return Role[word.upper()]
    except KeyError:
        raise ValidationError(
            f"{printable(word)!r} is no role.", hint="There are reader, writer and owner; each may do more."
        ) from None


def check_who(who: str, *, group: bool = True) -> str:
    """A person, or where that may be, a group."""
    name = who.removeprefix(GROUP) if group else who
    if not name or len(name) > _LONGEST or not name.isprintable() or name != name.strip() or name.startswith(GROUP):
        raise ValidationError(
            f"{printable(who)!r} cannot be the name of {'a person or group' if group else 'a person'}.",
            hint=f"At most {_LONGEST} printable characters; only a group has a {GROUP}, before its name.",
        )
    return who


def check_name(word: str, what: str) -> str:
    """The name of a tenant or a book, as an address may hold it."""
    if not is_name(word):
        raise ValidationError(
            f"{printable(word)!r} cannot be the name of a {what}.",
            hint="Use letters, digits, '.', '-' and '_', a letter or digit first, at most 100 characters.",
        )
    return word


def no_book(book: str) -> NotFound:
    """What is said of a book that is not there, and, word for word, of one that the visitor may not see."""
    return NotFound(f"There is no book {printable(book)}.", hint="List the books that you may use: GET /api/v1/books")


class Members:
    """The books and roles of all tenants in one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # -- what a visitor may do -----------------------------------------------------------------------------------------

    def of(self, visitor: Visitor, book: str) -> TeamBook | None:
        """The book, with what this visitor may do in it; None where it is nothing."""
        found = self._seen(visitor, book)
        return found[0] if found else None

    def all_of(self, visitor: Visitor) -> list[TeamBook]:
        """The books that a visitor may use."""
        return self._seen(visitor, None)

    def _seen(self, visitor: Visitor, book: str | None) -> list[TeamBook]:
        query = (
            "SELECT b.book, b.kind, b.created, max(r.role) FROM commonplace.team_book b "
            "LEFT JOIN commonplace.team_role r ON r.tenant = b.tenant AND r.book = b.book AND r.who = ANY(%(names)s) "
            "WHERE b.tenant = %(tenant)s AND (%(book)s::text IS NULL OR b.book = %(book)s) "
            "GROUP BY b.book, b.kind, b.created ORDER BY b.book"
        )
        wanted = {"tenant": visitor.tenant, "book": book, "names": visitor.names}
        rows = self._database.run(visitor.tenant, lambda connection, _: connection.execute(query, wanted).fetchall())
        found: list[TeamBook] = []
        for name, kind, created, given in cast("list[tuple[str, str, datetime, int | None]]", rows):
            role = given or (Role.READER if kind == Kind.SHARED else None)
            if role is not None and (visitor.books is None or name in visitor.books):
                found.append(TeamBook(name, Kind(kind), created, Role(min(role, visitor.role))))
        return found

    # -- books ---------------------------------------------------------------------------------------------------------

    def open(self, tenant: str, book: str, kind: Kind, owner: str, by: str) -> None:
        """Let a team use a book, new or already in the database; `owner` may do everything in it."""
        check_name(tenant, "tenant")
        check_name(book, "book")
        check_who(owner, group=kind is not Kind.PERSONAL)

        def work(connection: Connection, again: bool) -> bool:
            with connection.transaction():
                made = connection.execute(
                    "INSERT INTO commonplace.team_book (tenant, book, kind) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
                    (tenant, book, kind.value),
                )
                if made.rowcount != 1:
                    return again
                _give(connection, (tenant, book), owner, Role.OWNER, by)
            return True

        if not self._database.run(tenant, work):
            raise Conflict(f"There is a book {printable(book)} already.", hint="Choose another name.")

    def close(self, tenant: str, book: str) -> None:
        """Delete a book: its files, its history, and who might do what in it. The trail stays."""

        def work(connection: Connection, again: bool) -> bool:
            with connection.transaction():
                for table in ("team_receipt", *TABLES):
                    connection.execute(
                        f"DELETE FROM commonplace.{table} WHERE tenant = %s AND book = %s",  # noqa: S608 names of ours
                        (tenant, book),
                    )
                gone = connection.execute(
                    "DELETE FROM commonplace.team_book WHERE tenant = %s AND book = %s", (tenant, book)
                )
                return again or gone.rowcount == 1

        if not self._database.run(tenant, work):
            raise no_book(book)

    def all_in(self, tenant: str) -> list[TeamBook]:
        """Every book of a tenant, for whoever administers the database."""
        query = "SELECT book, kind, created FROM commonplace.team_book WHERE tenant = %s ORDER BY book"
        rows = self._database.run(tenant, lambda connection, _: connection.execute(query, (tenant,)).fetchall())
        return [TeamBook(str(book), Kind(cast(str, kind)), cast(datetime, made)) for book, kind, made in rows]

    # -- roles ---------------------------------------------------------------------------------------------------------

    def grant(self, tenant: str, book: str, who: str, role: Role, by: str) -> None:
        """Give somebody a role, or another one. A book keeps an owner."""
        check_who(who)

        def work(connection: Connection, _again: bool) -> None:
            with connection.transaction():
                kind = _locked(connection, tenant, book)
                if kind is Kind.PERSONAL and who.startswith(GROUP):
                    raise ValidationError("A personal book is not for groups.", hint="Open a project or shared book.")
                _give(connection, (tenant, book), who, role, by)
                _keep_owner(connection, tenant, book)

        self._database.run(tenant, work)

    def revoke(self, tenant: str, book: str, who: str) -> None:
        """Take somebody's role away; from now on they do not see the book, unless by a group or because it is
        shared."""

        def work(connection: Connection, again: bool) -> bool:
            with connection.transaction():
                _locked(connection, tenant, book)
                gone = connection.execute(
                    "DELETE FROM commonplace.team_role WHERE tenant = %s AND book = %s AND who = %s",
                    (tenant, book, who),
                )
                _keep_owner(connection, tenant, book)
                return again or gone.rowcount == 1

        if not self._database.run(tenant, work):
            raise NotFound(f"{printable(who)} has no role in {printable(book)}.", hint="List the roles.")

    def roles(self, tenant: str, book: str) -> list[Given]:
        """Who may do what in a book."""
        query = (
            "SELECT who, role, given, given_by FROM commonplace.team_role WHERE tenant = %s AND book = %s ORDER BY who"
        )
        rows = self._database.run(tenant, lambda connection, _: connection.execute(query, (tenant, book)).fetchall())
        if not rows:
            raise no_book(book)
        return [Given(str(who), Role(cast(int, role)), cast(datetime, given), str(by)) for who, role, given, by in rows]


def _give(connection: Connection, of_book: Sequence[str], who: str, role: Role, by: str) -> None:
    connection.execute(
        "INSERT INTO commonplace.team_role (tenant, book, who, role, given_by) VALUES (%s, %s, %s, %s, %s) "
        "ON CONFLICT (tenant, book, who) "
        "DO UPDATE SET role = excluded.role, given = now(), given_by = excluded.given_by",
        (*of_book, who, int(role), by),
    )


def _locked(connection: Connection, tenant: str, book: str) -> Kind:
    """The kind of a book whose roles nobody else changes before the end of the transaction."""
    row = connection.execute(
        "SELECT kind FROM commonplace.team_book WHERE tenant = %s AND book = %s FOR UPDATE", (tenant, book)
    ).fetchone()
    if row is None:
        raise no_book(book)
    return Kind(cast(str, row[0]))


def _keep_owner(connection: Connection, tenant: str, book: str) -> None:
    row = connection.execute(
        "SELECT 1 FROM commonplace.team_role WHERE tenant = %s AND book = %s AND role = %s",
        (tenant, book, int(Role.OWNER)),
    ).fetchone()
    if row is None:
        raise Conflict("Somebody must own the book.", hint="Make somebody else its owner first, or delete it.")

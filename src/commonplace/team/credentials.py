"""Tokens: what a person's programs send. Only a hash of each is stored, so a token is shown once and never again.

A token is `cpt_TENANT_ID_SECRET`. The tenant is in it so that looking it up needs no right beyond that tenant's own
rows; the id finds the row; the secret has 256 random bits, which no dictionary holds, so a plain hash is enough.
"""

from __future__ import annotations

import binascii
import hashlib
import hmac
import secrets
from base64 import b32decode, b32encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple, cast

from commonplace.errors import NotFound, ValidationError
from commonplace.files.text import printable
from commonplace.stores.postgres import is_name
from commonplace.team.membership import Role, Visitor, check_name, check_who

if TYPE_CHECKING:
    from commonplace.stores.postgres.connections import Connection, Database

PREFIX = "cpt"
MOST_DAYS = 3650
_LONGEST_TOKEN = 400
_SEEN_AGAIN = timedelta(minutes=1)
_FIELDS = "id, name, person, role, books, created, expires, revoked, last_used"


@dataclass(frozen=True, slots=True)
class Credential:
    """A token as its owner may see it later: everything but the token."""

    id: str
    name: str
    person: str
    role: Role
    books: tuple[str, ...] | None
    created: datetime
    expires: datetime
    revoked: datetime | None
    last_used: datetime | None

    @property
    def state(self) -> str:
        if self.revoked is not None:
            return "revoked"
        return "expired" if self.expires <= datetime.now(UTC) else "valid"


class Wish(NamedTuple):
    """What a new token is for. No books named means every book in which the person has a role."""

    person: str
    role: Role
    books: Sequence[str] | None
    days: int
    name: str = ""


class Credentials:
    """The tokens of all tenants in one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, tenant: str, wish: Wish) -> tuple[str, Credential]:
        """A new token, and what is kept of it."""
        check_name(tenant, "tenant")
        check_who(wish.person, group=False)
        books = None if wish.books is None else sorted({check_name(book, "book") for book in wish.books})
        if books == []:
            raise ValidationError("The token would be for no book.", hint="Name one, or leave the limit out.")
        if not 1 <= wish.days <= MOST_DAYS:
            raise ValidationError(f"A token is good for 1 to {MOST_DAYS} days.", hint="Choose a number of days.")
        if len(wish.name) > 100 or not wish.name.isprintable():
            raise ValidationError("The name of a token is one line of 100 characters at most.")
        id, secret = secrets.token_hex(8), secrets.token_hex(32)
        expires = datetime.now(UTC) + timedelta(days=wish.days)
        token = f"{PREFIX}_{_packed(tenant)}_{id}_{secret}"
        row = (tenant, id, _hash(token), wish.name, wish.person, int(wish.role), books, expires)

        def work(connection: Connection, _again: bool) -> None:
            connection.execute(
                "INSERT INTO commonplace.team_token (tenant, id, hash, name, person, role, books, expires) "
                "VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
                row,
            )

        self._database.run(tenant, work)
        return token, next(one for one in self.all_in(tenant) if one.id == id)

    def visitor(self, token: str) -> Visitor | None:
        """Whose token it is; None if it is nobody's, or not any more."""
        parts = token.split("_") if len(token) <= _LONGEST_TOKEN and token.isascii() else []
        tenant = _unpacked(parts[1]) if len(parts) == 4 and parts[0] == PREFIX else None
        if tenant is None:
            return None
        id = parts[2]
        query = (
            "SELECT hash, person, role, books, last_used FROM commonplace.team_token "
            "WHERE tenant = %s AND id = %s AND revoked IS NULL AND expires > now()"
        )
        row = self._database.run(tenant, lambda connection, _: connection.execute(query, (tenant, id)).fetchone())
        if row is None:
            return None
        kept, person, role, books, last_used = cast("tuple[bytes, str, int, list[str] | None, datetime | None]", row)
        if not hmac.compare_digest(bytes(kept), _hash(token)):
            return None
        if last_used is None or datetime.now(UTC) - last_used > _SEEN_AGAIN:
            self._saw(tenant, id)
        return Visitor(tenant, person, Role(role), None if books is None else frozenset(books), token=id)

    def _saw(self, tenant: str, id: str) -> None:
        query = "UPDATE commonplace.team_token SET last_used = now() WHERE tenant = %s AND id = %s"
        self._database.run(tenant, lambda connection, _: connection.execute(query, (tenant, id)))

    def all_in(self, tenant: str) -> list[Credential]:
        """The tokens of a tenant: those used last first, then those never used."""
        query = (
            f"SELECT {_FIELDS} FROM commonplace.team_token WHERE tenant = %s "  # noqa: S608 a constant of ours
            "ORDER BY last_used DESC NULLS LAST, created DESC"
        )
        rows = self._database.run(tenant, lambda connection, _: connection.execute(query, (tenant,)).fetchall())
        return [_credential(row) for row in rows]

    def revoke(self, tenant: str, id: str) -> Credential:
        """End a token now. To end one again changes nothing."""
        query = (
            "UPDATE commonplace.team_token SET revoked = coalesce(revoked, now()) "  # noqa: S608 a constant of ours
            f"WHERE tenant = %s AND id = %s RETURNING {_FIELDS}"
        )
        row = self._database.run(tenant, lambda connection, _: connection.execute(query, (tenant, id)).fetchone())
        if row is None:
            raise NotFound(f"There is no token {printable(id)}.", hint="See: commonplace tokens list")
        return _credential(row)


def _credential(row: tuple[object, ...]) -> Credential:
    id, name, person, role, books, created, expires, revoked, used = row
    limited = None if books is None else tuple(cast("list[str]", books))
    times = cast("tuple[datetime, datetime, datetime | None, datetime | None]", (created, expires, revoked, used))
    return Credential(str(id), str(name), str(person), Role(cast(int, role)), limited, *times)


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def _packed(tenant: str) -> str:
    return b32encode(tenant.encode()).decode().rstrip("=").lower()


def _unpacked(word: str) -> str | None:
    try:
        tenant = b32decode(word.upper() + "=" * (-len(word) % 8)).decode()
    except (binascii.Error, ValueError):
        return None
    return tenant if is_name(tenant) else None

"""What a request to a server of a team has to do with the changes it makes: they are told to it, and if it came with an
idempotency key, the first of them is made only together with its receipt, in one transaction. So a request that is sent
again after its server died is known to have been done, or not."""

from __future__ import annotations

import uuid
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from commonplace.errors import Conflict

if TYPE_CHECKING:
    from commonplace.stores.postgres.connections import Connection


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to do what a key stands for; another server may have taken it over."""

    tenant: str
    book: str
    key: bytes
    id: uuid.UUID


@dataclass(slots=True)
class Errand:
    """One request: the changes it has made, and its claim, if it has one."""

    claim: Claim | None = None
    changes: list[str] = field(default_factory=list[str])

    def sign(self, connection: Connection, change: str) -> None:
        """Within the transaction of a change: put it on the receipt."""
        claim = self.claim
        if claim is None or self.changes:
            return
        done = connection.execute(
            "UPDATE commonplace.team_receipt SET change = %s "
            "WHERE tenant = %s AND book = %s AND key = %s AND claim = %s AND change IS NULL",
            (change, claim.tenant, claim.book, claim.key, claim.id),
        )
        if done.rowcount != 1:
            raise Conflict(
                "Another server does this request now; nothing was written.", hint="Ask again for its answer."
            )


ERRAND: ContextVar[Errand | None] = ContextVar("errand", default=None)
"""The request that this thread works for."""

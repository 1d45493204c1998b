"""Writes that are sent twice are done once, whichever server they are sent to: an `Idempotency-Key` brings the first
answer back.

What stands for a key is a row without any text of the memory: a digest of what was asked, and the change that was made,
written in the transaction of that change. The answer itself is a derived file of the book, so that complete forgetting
throws it away; then, or where the server died before it could answer, the request is still known to have been done.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from base64 import b64decode, b64encode
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, cast

import anyio
from anyio import to_thread
from starlette.datastructures import Headers

from commonplace.errors import CommonplaceError, Conflict
from commonplace.files.folders import SERVED
from commonplace.stores.postgres.errands import Claim
from commonplace.types.book import ABSENT
from commonplace.web.once import LONGEST_KEY, MOST_BYTES, fingerprint, first_then, marked
from commonplace.web.problems import Problem, answer, problem

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from commonplace.ports import Storage
    from commonplace.stores.postgres.connections import Connection, Database
    from commonplace.team.entrance import Visit

_WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_FORGETTING = "/erasures"  # its answers quote what is forgotten; to ask for it twice does no harm
_OUR_FAULT = 500
_DAY = timedelta(days=1)
_SWEEP = timedelta(hours=1)
_LOOKS = 8
_PAUSE = 0.25


@dataclass(frozen=True, slots=True)
class _Receipt:
    """What is known of a key."""

    asked: bytes
    claim: uuid.UUID
    at: datetime
    change: str | None
    status: int | None


class Receipts:
    """Passes requests on, and answers a repeated one as it was answered before, by this server or another. A claim
    whose server is silent for `lease` seconds is taken over."""

    def __init__(self, app: ASGIApp, database: Database, *, lease: float = 30.0) -> None:
        self._app = app
        self._database = database
        self._lease = timedelta(seconds=lease)
        self._swept: dict[tuple[str, str], datetime] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        visit: Visit | None = scope.get("visit")
        key = Headers(scope=scope).get("idempotency-key") if visit else None
        if visit is None or visit.desk is None or key is None or scope["method"] not in _WRITES:
            await self._app(scope, receive, send)
            return
        if scope["path"].endswith(_FORGETTING) or scope["path"].startswith("/mcp"):
            await self._app(scope, receive, send)
            return
        if not key.strip() or len(key) > LONGEST_KEY:
            told = problem("validation_error", f"An Idempotency-Key has 1 to {LONGEST_KEY} characters.")
            await answer(told)(scope, receive, send)
            return
        request = await receive()
        asked = fingerprint(scope, request.get("body", b""))
        told = await self._claimed(visit, key, asked)
        if isinstance(told, Problem):
            await answer(told)(scope, receive, send)
        elif isinstance(told, list):
            for message in told:
                await send(marked(message))
        else:
            visit.errand.claim = told
            await self._first(told, visit, scope, first_then(request, receive), send)

    async def _claimed(self, visit: Visit, key: str, asked: bytes) -> Claim | Problem | list[Message]:
        """The right to do it, or what came of it before, or why neither."""
        tenant, book = visit.visitor.tenant, visit.asked
        digest = hashlib.sha256(f"{visit.visitor.person}\0{key}".encode("utf-8", "replace")).digest()
        await to_thread.run_sync(self._sweep, tenant, book, visit.storage)
        changed: _Receipt | None = None
        for _ in range(_LOOKS):
            mine = Claim(tenant, book, digest, uuid.uuid4())
            found = await to_thread.run_sync(self._claim, mine, asked)
            if found is None:
                await to_thread.run_sync(_reserve, visit.storage, _place(digest))
                return mine
            if found.asked != asked:
                hint = "Make a new key for each thing that is done."
                return problem("key_reused", "This Idempotency-Key stands for another request.", hint)
            if found.status is not None:
                kept = await to_thread.run_sync(_kept, visit.storage, digest)
                return kept or _done_before(found)
            changed = found if found.change is not None else None
            await anyio.sleep(_PAUSE)
        if changed is not None:  # whoever did it has had time to answer
            return _done_before(changed)
        return problem("busy", "The same request is being done.", "Ask again in a moment.")

    def _claim(self, mine: Claim, asked: bytes) -> _Receipt | None:
        """None if the claim is ours now; else what is known."""

        def work(connection: Connection, _again: bool) -> _Receipt | None:
            with connection.transaction():
                made = connection.execute(
                    "INSERT INTO commonplace.team_receipt (tenant, book, key, asked, claim) "
                    "VALUES (%s, %s, %s, %s, %s) ON CONFLICT DO NOTHING",
                    (mine.tenant, mine.book, mine.key, asked, mine.id),
                )
                if made.rowcount == 1:
                    return None
                row = connection.execute(
                    "SELECT asked, claim, at, change, status FROM commonplace.team_receipt "
                    "WHERE tenant = %s AND book = %s AND key = %s FOR UPDATE",
                    (mine.tenant, mine.book, mine.key),
                ).fetchone()
                if row is None:  # it failed at this moment, and may be tried again
                    return _Receipt(asked, mine.id, datetime.now(UTC), None, None)
                found = _Receipt(bytes(cast(bytes, row[0])), *cast("tuple[uuid.UUID, datetime, str, int]", row[1:]))
                if found.claim == mine.id:  # the answer to our first try was lost, not the try
                    return None
                abandoned = found.change is None and found.status is None
                if found.asked == asked and abandoned and datetime.now(UTC) - found.at > self._lease:
                    connection.execute(
                        "UPDATE commonplace.team_receipt SET claim = %s, at = now() "
                        "WHERE tenant = %s AND book = %s AND key = %s",
                        (mine.id, mine.tenant, mine.book, mine.key),
                    )
                    return None
                return found

        return self._database.run(mine.tenant, work)

    async def _first(self, claim: Claim, visit: Visit, scope: Scope, receive: Receive, send: Send) -> None:
        sent: list[Message] = []

        async def keeping(message: Message) -> None:
            """The answer is kept before it is given: who has it can ask for it again."""
            sent.append(message)
            if message["type"] == "http.response.body" and not message.get("more_body"):
                with anyio.CancelScope(shield=True):
                    await to_thread.run_sync(self._keep, claim, visit, sent)
                for one in sent:
                    await send(one)

        try:
            await self._app(scope, receive, keeping)
        except BaseException:
            with anyio.CancelScope(shield=True):
                await to_thread.run_sync(self._release, claim, visit)
            raise

    def _keep(self, claim: Claim, visit: Visit, sent: list[Message]) -> None:
        status = cast(int, sent[0]["status"])
        if status >= _OUR_FAULT:
            self._release(claim, visit)
            return
        body = b"".join(message.get("body", b"") for message in sent)
        if len(body) <= MOST_BYTES:
            record = {
                "status": status,
                "headers": [[name.decode("latin-1"), value.decode("latin-1")] for name, value in sent[0]["headers"]],
                "body": b64encode(body).decode(),
            }
            try:  # the empty file of the claim is there, unless everything was thrown away meanwhile
                empty = visit.storage.read(_place(claim.key))
                if empty.data == b"":
                    visit.storage.write(_place(claim.key), json.dumps(record).encode(), expected=empty.version)
            except Conflict:
                pass
        query = (
            "UPDATE commonplace.team_receipt SET status = %s "
            "WHERE tenant = %s AND book = %s AND key = %s AND claim = %s"
        )
        wanted = (status, claim.tenant, claim.book, claim.key, claim.id)
        self._database.run(claim.tenant, lambda connection, _: connection.execute(query, wanted))

    def _release(self, claim: Claim, visit: Visit) -> None:
        """Nothing came of it. Where nothing was changed, either, it may be tried again at once."""
        if visit.errand.changes:
            return

        def work(connection: Connection, _again: bool) -> None:
            connection.execute(
                "DELETE FROM commonplace.team_receipt "
                "WHERE tenant = %s AND book = %s AND key = %s AND claim = %s AND change IS NULL",
                (claim.tenant, claim.book, claim.key, claim.id),
            )

        try:
            self._database.run(claim.tenant, work)
            visit.storage.delete_derived(_place(claim.key))
        except CommonplaceError:  # the lease ends by itself
            return

    def _sweep(self, tenant: str, book: str, storage: Storage) -> None:
        """Keys are known for a day. Once an hour, with the first key that a book is asked with, older ones go."""
        now = datetime.now(UTC)
        if now - self._swept.get((tenant, book), datetime.min.replace(tzinfo=UTC)) < _SWEEP:
            return
        self._swept[tenant, book] = now
        query = "DELETE FROM commonplace.team_receipt WHERE tenant = %s AND book = %s AND at < %s RETURNING key"
        wanted = (tenant, book, now - _DAY)
        rows = self._database.run(tenant, lambda connection, _: connection.execute(query, wanted).fetchall())
        for (key,) in rows:
            storage.delete_derived(_place(bytes(cast(bytes, key))))


def _reserve(storage: Storage, place: str) -> None:
    """An empty file, where the answer goes if nothing is thrown away meanwhile; it may be left from an earlier try."""
    if storage.read(place).data is None:
        storage.write(place, b"", expected=ABSENT)


def _place(key: bytes) -> str:
    return f"{SERVED}/answers/{key.hex()}.json"


def _kept(storage: Storage, key: bytes) -> list[Message] | None:
    data = storage.read(_place(key)).data
    if not data:
        return None
    record = json.loads(data)
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in record["headers"]]
    return [
        {"type": "http.response.start", "status": record["status"], "headers": headers},
        {"type": "http.response.body", "body": b64decode(record["body"]), "more_body": False},
    ]


def _done_before(found: _Receipt) -> Problem:
    told = "This request was done before; its answer is not there any more."
    return problem("done_before", told, "Read what is there now; do not send it again.", change=found.change)

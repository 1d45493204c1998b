"""Three tenants with books of the same name, and random operations by each: nobody ever sees a row of another.

`unscoped` takes the tenant out of every query that the store sends, so that row-level security stands alone.
"""

import re
import uuid
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, cast
from unittest import mock

import psycopg
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from commonplace.stores import open_storage
from commonplace.stores.postgres import open_queue, parsed
from commonplace.stores.postgres.queueing import EMBED, FLUSH, Work
from commonplace.stores.postgres.storage import PostgresStorage
from commonplace.types import Note, Origin
from tests.postgres import Postgres

_STEPS = 40
_AT = datetime(2026, 11, 15, 12, tzinfo=UTC)
_SCOPE = re.compile(r"(\w\.)?tenant = (%s|%\(\w+\)s)")
_TENANTS = st.sampled_from("abc")
_NAMES = st.sampled_from(["MEMORY.md", "daily/x.md", "sessions/y.jsonl"])


@contextmanager
def without_scope() -> Generator[None]:
    """Every query is sent without its tenant."""
    execute = psycopg.Cursor.execute

    def unscoped(self: Any, query: Any, *more: Any, **options: Any) -> Any:
        text = query.decode() if isinstance(query, bytes) else query
        bare = _SCOPE.sub(r"(\1tenant = \2 OR true)", text) if isinstance(text, str) else text
        return execute(self, cast(Any, bare.encode() if isinstance(bare, str) else bare), *more, **options)

    with mock.patch.object(psycopg.Cursor, "execute", unscoped):
        yield


def _opened(server: Postgres, user: str, tenant: str) -> PostgresStorage:
    storage = open_storage(server.address(user, "books", tenant, "same"), 10.0)
    assert isinstance(storage, PostgresStorage)
    return storage


def _machine(server: Postgres, user: str) -> type[RuleBasedStateMachine]:
    class Tenants(RuleBasedStateMachine):
        """What each tenant should have, beside what it has."""

        def __init__(self) -> None:
            super().__init__()
            run = uuid.uuid4().hex
            self.stores = {tenant: _opened(server, user, f"{tenant}{run}") for tenant in "abc"}
            self.files: dict[str, dict[str, bytes]] = {tenant: {} for tenant in "abc"}
            self.changes: dict[str, list[str]] = {tenant: [] for tenant in "abc"}
            self.queued: dict[str, set[Work]] = {tenant: set() for tenant in "abc"}
            self.queue = open_queue(server.address(user, "books"))
            self.number = 0

        def said(self, tenant: str) -> bytes:
            self.number += 1
            return f"{self.number} of {tenant}\n".encode()

        @rule(tenant=_TENANTS, name=_NAMES)
        def write(self, tenant: str, name: str) -> None:
            store, data = self.stores[tenant], self.said(tenant)
            store.write(name, data, expected=store.read(name).version)
            self.files[tenant][name] = data

        @rule(tenant=_TENANTS, name=_NAMES)
        def append(self, tenant: str, name: str) -> None:
            data = self.said(tenant)
            self.stores[tenant].append(name, data)
            self.files[tenant][name] = self.files[tenant].get(name, b"") + data

        @rule(tenant=_TENANTS, name=_NAMES)
        def put_derived(self, tenant: str, name: str) -> None:
            data = self.said(tenant)
            self.stores[tenant].put_derived(name, [data])
            self.files[tenant][name] = data

        @rule(tenant=_TENANTS, name=_NAMES)
        def delete(self, tenant: str, name: str) -> None:
            self.stores[tenant].delete_derived(name)
            self.files[tenant].pop(name, None)

        @rule(tenant=_TENANTS, name=_NAMES)
        def record(self, tenant: str, name: str) -> None:
            store, data = self.stores[tenant], self.said(tenant)
            change = store.record({name: data}, {name: store.read(name)}, Note(f"of {tenant}", Origin.TOOL), _AT)
            self.files[tenant][name] = data
            self.changes[tenant].append(change)

        @rule(tenant=_TENANTS, task=st.sampled_from([EMBED, FLUSH]))
        def ask(self, tenant: str, task: str) -> None:
            work = Work(self.stores[tenant].tenant, "same", task, "talk")
            self.queue.put(work)
            self.queued[tenant].add(work)

        @rule(tenant=_TENANTS)
        def enter(self, tenant: str) -> None:
            attendance = self.stores[tenant].presence.enter("talk")
            assert {one: bool(store.presence.opened(["talk"])) for one, store in self.stores.items()} == {
                one: one == tenant for one in "abc"
            }
            attendance.close()

        @rule(tenant=_TENANTS)
        def prune(self, tenant: str) -> None:
            self.stores[tenant].history.prune()

        @invariant()
        def each_has_its_own_and_no_more(self) -> None:
            for tenant, store in self.stores.items():
                wanted = self.files[tenant]
                assert list(store.walk()) == sorted(wanted)
                assert {name: store.read(name).data for name in wanted} == wanted
                assert {file.name for file in store.list_folder("daily")} == {n for n in wanted if n[:6] == "daily/"}
                history = store.history
                assert (history.head(), history.count()) == (
                    self.changes[tenant][-1] if self.changes[tenant] else None, len(self.changes[tenant]),
                )  # fmt: skip
                assert [commit.id for commit in history.commits()] == self.changes[tenant][::-1]
                assert all(b"of " + other.encode() not in body for _, body in history.bodies()
                           for other in "abc" if other != tenant)  # fmt: skip
                assert {one.work for one in self.queue.listed(store.tenant)} == self.queued[tenant]

    return Tenants


def keep_apart(server: Postgres, user: str, *, unscoped: bool, operations: int) -> None:
    """Raises where somebody sees what is not theirs, or does not see what is."""
    bounds = settings(
        max_examples=max(1, operations // _STEPS),
        stateful_step_count=_STEPS,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    if not unscoped:
        run_state_machine_as_test(_machine(server, user), settings=bounds)  # pyright: ignore[reportUnknownMemberType]
        return
    with without_scope():
        run_state_machine_as_test(_machine(server, user), settings=bounds)  # pyright: ignore[reportUnknownMemberType]


def sees_across(server: Postgres, user: str) -> bool:
    """Whether a tenant without a row of its own finds another's, once the queries have no scope."""
    run = uuid.uuid4().hex
    rich, poor = (_opened(server, user, f"{tenant}{run}") for tenant in ("rich", "poor"))
    rich.put_derived("MEMORY.md", [b"something"])
    assert parsed(poor.address).tenant != parsed(rich.address).tenant
    with without_scope():
        return list(poor.walk()) != []

"""Three tenants with books of the same names, and everybody of them at one server of a team: random requests by tokens
of every kind. Each is answered as its role says, and no answer ever holds a word of another tenant.
"""

import json
import uuid
from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from starlette.testclient import TestClient

from commonplace.app import App
from commonplace.stores.postgres import open_database
from commonplace.team.credentials import Credentials, Wish
from commonplace.team.membership import Kind, Members, Role
from commonplace.team.server import team_app
from tests.stress.tenancy import without_scope

_STEPS = 40
_TENANTS = ("alpha", "bravo", "carol")
_BOOKS = ("notes", "plans", "ours")
_ROLES: dict[str, dict[str, Role]] = {
    "olga": {"notes": Role.OWNER, "plans": Role.OWNER, "ours": Role.OWNER},
    "will": {"notes": Role.WRITER, "plans": Role.READER},
    "rita": {"notes": Role.READER},
    "sam": {},
}
# whose token, the most it may do, and for which books
_TOKENS: dict[str, tuple[str, Role, list[str] | None]] = {
    "owner": ("olga", Role.OWNER, None),
    "capped": ("olga", Role.READER, None),
    "limited": ("olga", Role.OWNER, ["plans"]),
    "writer": ("will", Role.OWNER, None),
    "reader": ("rita", Role.WRITER, None),
    "stranger": ("sam", Role.OWNER, None),
}
_DEAD = ("revoked", "crossed")


class Counted:
    """How many requests were sent."""

    operations = 0


def _machine(server: TestClient, database: str, counted: Counted) -> type[RuleBasedStateMachine]:
    members, credentials = Members(open_database(database)), Credentials(open_database(database))

    class Visitors(RuleBasedStateMachine):
        """What each tenant should have, beside what it is told."""

        @initialize()
        def people(self) -> None:
            run = uuid.uuid4().hex
            self.tenant = {name: f"{name}{run}" for name in _TENANTS}
            self.tokens: dict[tuple[str, str], str] = {}
            self.entries: dict[tuple[str, str], dict[str, str]] = {}
            self.changes: dict[str, list[str]] = {name: [] for name in _TENANTS}
            self.shared: dict[str, bool] = dict.fromkeys(_TENANTS, False)
            self.number = 0
            for name, tenant in self.tenant.items():
                for book in _BOOKS:
                    members.open(tenant, book, Kind.SHARED if book == "ours" else Kind.PROJECT, "olga", "the stress")
                    self.entries[name, book] = {}
                for person, roles in _ROLES.items():
                    for book, role in roles.items():
                        members.grant(tenant, book, person, role, "the stress")
                for kind, (person, role, books) in _TOKENS.items():
                    self.tokens[name, kind], _ = credentials.create(tenant, Wish(person, role, books, 1))
                dead, kept = credentials.create(tenant, Wish("olga", Role.OWNER, None, 1))
                credentials.revoke(tenant, kept.id)
                self.tokens[name, "revoked"] = dead
            for at, name in enumerate(_TENANTS):  # a token whose tenant was exchanged
                parts = self.tokens[name, "owner"].split("_")
                other = self.tokens[_TENANTS[at - 1], "owner"].split("_")
                self.tokens[name, "crossed"] = "_".join((parts[0], other[1], *parts[2:]))

        def role(self, name: str, kind: str, book: str) -> Role | None:
            if kind in _DEAD:
                return None
            person, most, books = _TOKENS[kind]
            given = _ROLES[person].get(book)
            if person == "sam" and book == "notes" and self.shared[name]:
                given = Role.WRITER
            given = given or (Role.READER if book == "ours" else None)
            return None if given is None or (books is not None and book not in books) else min(given, most)

        def ask(self, name: str, kind: str, method: str, path: str, body: object = None, **headers: str) -> Any:
            counted.operations += 1
            sent = {"authorization": f"Bearer {self.tokens[name, kind]}", **headers}
            answer = server.request(method, path, headers=sent, json=body)
            for other in _TENANTS:
                assert other == name or f"of {other}" not in answer.text, (name, kind, method, path, answer.text)
            assert answer.status_code < 500, answer.text
            return answer

        def expected(self, name: str, kind: str, book: str, needed: Role, done: int) -> int:
            if kind in _DEAD:
                return 401
            role = self.role(name, kind, book)
            return 404 if role is None else done if role >= needed else 403

        @rule(name=st.sampled_from(_TENANTS), kind=st.sampled_from([*_TOKENS, *_DEAD]), book=st.sampled_from(_BOOKS))
        def save(self, name: str, kind: str, book: str) -> None:
            self.number += 1
            text = f"Item {self.number} of {name}"
            path = f"/api/v1/books/{book}/memory/entries"
            answer = self.ask(name, kind, "POST", path, {"text": text, "insist": True})
            assert answer.status_code == self.expected(name, kind, book, Role.WRITER, 201), answer.text
            if answer.status_code == 201:
                self.entries[name, book][answer.json()["entry"]["id"]] = text
                self.changes[name].append(answer.json()["change"])

        @rule(name=st.sampled_from(_TENANTS), kind=st.sampled_from([*_TOKENS, *_DEAD]), book=st.sampled_from(_BOOKS))
        def read_by_a_tool(self, name: str, kind: str, book: str) -> None:
            call: dict[str, object] = {"name": "read_memory", "arguments": {}}
            body: dict[str, object] = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
            accept = "application/json, text/event-stream"
            answer = self.ask(name, kind, "POST", f"/mcp/{book}", body, accept=accept)
            assert answer.status_code == self.expected(name, kind, book, Role.READER, 200), answer.text
            if answer.status_code == 200:
                assert all(text in answer.text for text in self.entries[name, book].values())

        @rule(name=st.sampled_from(_TENANTS), kind=st.sampled_from([*_TOKENS, *_DEAD]), book=st.sampled_from(_BOOKS))
        def read(self, name: str, kind: str, book: str) -> None:
            answer = self.ask(name, kind, "GET", f"/api/v1/books/{book}/memory/entries?limit=500")
            assert answer.status_code == self.expected(name, kind, book, Role.READER, 200), answer.text
            if answer.status_code == 200:
                found = {one["id"]: one["text"] for one in answer.json()["items"]}
                assert found == self.entries[name, book]

        @rule(name=st.sampled_from(_TENANTS), kind=st.sampled_from([*_TOKENS, *_DEAD]), book=st.sampled_from(_BOOKS))
        def search(self, name: str, kind: str, book: str) -> None:
            answer = self.ask(name, kind, "GET", f"/api/v1/books/{book}/search?q=item%20of&limit=100")
            assert answer.status_code == self.expected(name, kind, book, Role.READER, 200), answer.text

        @rule(name=st.sampled_from(_TENANTS), kind=st.sampled_from([*_TOKENS, *_DEAD]), book=st.sampled_from(_BOOKS))
        def read_the_trail_and_the_roles(self, name: str, kind: str, book: str) -> None:
            for path in ("trail", "roles"):
                answer = self.ask(name, kind, "GET", f"/api/v1/books/{book}/{path}")
                assert answer.status_code == self.expected(name, kind, book, Role.OWNER, 200), answer.text

        @rule(name=st.sampled_from(_TENANTS), kind=st.sampled_from([*_TOKENS, *_DEAD]))
        def list_books(self, name: str, kind: str) -> None:
            answer = self.ask(name, kind, "GET", "/api/v1/books")
            if kind in _DEAD:
                assert answer.status_code == 401
                return
            found = {one["book"]: one["role"] for one in answer.json()["items"]}
            roles = {book: self.role(name, kind, book) for book in _BOOKS}
            assert found == {book: role.word for book, role in roles.items() if role}

        @rule(name=st.sampled_from(_TENANTS), other=st.sampled_from(_TENANTS), book=st.sampled_from(_BOOKS))
        def ask_for_what_another_has(self, name: str, other: str, book: str) -> None:
            known = [id for one in _BOOKS for id in self.entries[other, one]]
            for id in known[-2:]:
                answer = self.ask(name, "owner", "GET", f"/api/v1/books/{book}/memory/entries/{id}")
                assert (answer.status_code == 200) == (id in self.entries[name, book])
            for change in self.changes[other][-2:] if other != name else []:
                assert self.ask(name, "owner", "GET", f"/api/v1/books/{book}/changes/{change}").status_code == 404
                path = f"/api/v1/books/{book}/changes/{change}/undo"
                assert self.ask(name, "owner", "POST", path, {}).status_code == 404

        @rule(name=st.sampled_from(_TENANTS), kind=st.sampled_from([*_TOKENS, *_DEAD]), give=st.booleans())
        def share(self, name: str, kind: str, give: bool) -> None:
            path = "/api/v1/books/notes/roles/sam"
            answer = self.ask(name, kind, "PUT" if give else "DELETE", path, {"role": "writer"} if give else None)
            expected = self.expected(name, kind, "notes", Role.OWNER, 200)
            if not give and expected == 200 and not self.shared[name]:
                expected = 404
            assert answer.status_code == expected, answer.text
            if answer.status_code == 200:
                self.shared[name] = give

        @rule(name=st.sampled_from(_TENANTS))
        def forget_everywhere(self, name: str) -> None:
            if not self.entries[name, "plans"]:
                return
            id, text = next(iter(self.entries[name, "plans"].items()))
            body = {"texts": [text]}
            plan = self.ask(name, "owner", "POST", "/api/v1/books/plans/erasures/preview", body).json()["plan"]
            done = self.ask(name, "limited", "POST", "/api/v1/books/plans/erasures", body, **{"if-match": plan})
            assert (done.status_code, done.json()["left"]) == (200, [])
            del self.entries[name, "plans"][id]

        @invariant()
        def no_answer_names_another_tenant(self) -> None:
            told = json.dumps(self.ask("alpha", "owner", "GET", "/api/v1/me").json())
            assert self.tenant["alpha"] in told

    return Visitors


@contextmanager
def team_server(database: str) -> Generator[TestClient]:
    """A server that counts no requests, and needs no embedder."""
    environment = {"COMMONPLACE_EMBEDDER_NAME": "none", "COMMONPLACE_TEAM_REQUESTS": "0"}
    app = team_app(App(environment=environment), database)
    with TestClient(app, base_url="http://127.0.0.1:7316", raise_server_exceptions=False) as client:
        yield client


def visit(server: TestClient, database: str, *, unscoped: bool, operations: int) -> int:
    """Raises where somebody is told what is not theirs, or not told what is; how many requests were sent."""
    counted = Counted()
    bounds = settings(
        max_examples=max(1, operations // (2 * _STEPS)),
        stateful_step_count=_STEPS,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    with without_scope() if unscoped else nullcontext():
        while counted.operations < operations:  # an example may be short
            run_state_machine_as_test(_machine(server, database, counted), settings=bounds)  # pyright: ignore[reportUnknownMemberType]
    return counted.operations

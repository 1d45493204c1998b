"""A team with three people, its books in a real Postgres, and a server that they ask."""

import uuid
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from commonplace.app import App
from commonplace.stores.postgres import open_database
from commonplace.team.credentials import Credentials, Wish
from commonplace.team.membership import Kind, Members, Role
from commonplace.team.server import State, team_app
from tests.stores import prepared
from tests.web.conftest import Api

BASE = "http://127.0.0.1:7316"
QUICK = {"COMMONPLACE_EMBEDDER_NAME": "none"}


@dataclass(frozen=True)
class Team:
    """A tenant of its own in the database of the tests."""

    tenant: str

    @property
    def address(self) -> str:
        return prepared().address("app", "books")

    @property
    def members(self) -> Members:
        return Members(open_database(self.address))

    @property
    def credentials(self) -> Credentials:
        return Credentials(open_database(self.address))

    def book(self, name: str = "notes", owner: str = "olga", kind: Kind = Kind.PROJECT) -> str:
        self.members.open(self.tenant, name, kind, owner, "a test")
        return name

    def grant(self, book: str, who: str, role: Role) -> None:
        self.members.grant(self.tenant, book, who, role, "a test")

    def token(
        self, person: str, role: Role = Role.OWNER, books: list[str] | None = None, days: int = 1, name: str = ""
    ) -> str:
        return self.credentials.create(self.tenant, Wish(person, role, books, days, name))[0]


def new_team() -> Team:
    return Team(f"t{uuid.uuid4().hex}")


@contextmanager
def served(environment: Mapping[str, str] = QUICK, **options: Any) -> Generator[TestClient]:
    """A server, asked by somebody without a token."""
    app = team_app(App(environment={**QUICK, **environment}), prepared().address("app", "books"), **options)
    with TestClient(app, base_url=BASE, raise_server_exceptions=False) as client:
        yield client


def with_token(client: TestClient, token: str) -> Api:
    """Somebody who asks with a token."""
    other = TestClient(client.app, base_url=BASE, raise_server_exceptions=False)
    other.headers["authorization"] = f"Bearer {token}"
    other.portal = client.portal  # one running server for all of them
    return Api(other)


@pytest.fixture
def team() -> Team:
    return new_team()


@pytest.fixture
def state() -> State:
    return State()


@pytest.fixture
def server(home: Path, state: State) -> Generator[TestClient]:
    with served(state=state, metrics_token="counts", interval=0.05, lease=0.5) as client:
        yield client


@pytest.fixture
def person(server: TestClient, team: Team) -> Callable[..., Api]:
    """Somebody of the team, by a token of their own: whose, and what it is limited to."""

    def asking(name: str, role: Role = Role.OWNER, books: list[str] | None = None) -> Api:
        return with_token(server, team.token(name, role, books))

    return asking

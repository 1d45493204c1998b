"""A book that is served, and clients that may or may not ask."""

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from commonplace.app import App
from commonplace.memory import Memory
from commonplace.web.application import web_app
from commonplace.web.door import Keys

TOKEN = "a-token-for-these-tests"
BASE = "http://127.0.0.1:7316"
Json = dict[str, Any]


class Api:
    """A program that talks to the API: JSON in, JSON out."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    def ask(self, method: str, path: str, body: object = None, *, status: int = 200, **headers: str) -> Json:
        """One request below /api/v1, whose answer must have this status; what it says."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = self.client.request(method, f"/api/v1{path}", headers=sent, json=body)
        assert answer.status_code == status, answer.text
        wanted = "application/json" if status < 400 else "application/problem+json"
        assert answer.headers["content-type"] == wanted
        return answer.json()

    def get(self, path: str, *, status: int = 200, **headers: str) -> Json:
        return self.ask("GET", path, status=status, **headers)

    def post(self, path: str, body: object = None, *, status: int = 200, **headers: str) -> Json:
        return self.ask("POST", path, {} if body is None else body, status=status, **headers)

    def save(self, text: str, section: str | None = None) -> Json:
        """An entry that the gate lets through, or is told to."""
        body = {"text": text, "section": section, "insist": True}
        return self.post("/memory/entries", body, status=201)["entry"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "book"


@pytest.fixture
def memory(folder: Path) -> Memory:
    """The same book, for somebody else: an agent, or the command line."""
    return Memory.open(folder)


@pytest.fixture
def keys() -> Keys:
    return Keys(TOKEN)


@pytest.fixture
def stranger(home: Path, folder: Path, keys: Keys) -> Generator[TestClient]:
    """Somebody who has no key."""
    app = web_app(App(book=str(folder)), keys)
    with TestClient(app, base_url=BASE, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def client(stranger: TestClient) -> TestClient:
    """A program that has the token."""
    stranger.headers["authorization"] = f"Bearer {TOKEN}"
    return stranger


@pytest.fixture
def api(client: TestClient) -> Api:
    return Api(client)

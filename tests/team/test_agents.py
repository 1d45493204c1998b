"""Agents of a team, over MCP: the official client, each request to whichever server."""

from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

from commonplace.team.membership import Role
from tests.team.conftest import Team, served, with_token
from tests.team.test_promises import memory_of
from tests.web.conftest import Api

Asking = Callable[..., Api]
HANDSHAKE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "an agent", "version": "1"},
}


def call(api: Api, method: str, params: dict[str, Any] | None = None, book: str = "notes") -> Any:
    """One JSON-RPC request; its result, or its error."""
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
    headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18"}
    answer = api.client.post(f"/mcp/{book}", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    told = answer.json()
    return told.get("result", told.get("error"))


def tool(api: Api, name: str, **arguments: Any) -> Any:
    return call(api, "tools/call", {"name": name, "arguments": arguments})


@pytest.mark.req("TEAM-1", "MCP-1")
def test_an_agent_saves_at_one_server_and_finds_it_at_another(team: Team) -> None:
    team.book("notes")
    token = team.token("olga")
    with served() as first, served() as second:
        one, two = with_token(first, token), with_token(second, token)
        assert call(one, "initialize", HANDSHAKE)["serverInfo"]["name"] == "commonplace"
        assert "save_memory" in {one["name"] for one in call(two, "tools/list")["tools"]}
        saved = tool(one, "save_memory", content="Ada prefers short answers", category="preferences")
        assert not saved["isError"], saved
        assert "short answers" in str(tool(two, "read_memory"))
        listed = call(two, "resources/list")["resources"]
        assert "short answers" in str(call(two, "resources/read", {"uri": listed[0]["uri"]}))
    assert len(memory_of(team).entries()) == 1


@pytest.mark.req("TEAM-1", "S8")
def test_readers_read_by_tools_and_change_nothing(person: Asking, team: Team) -> None:
    team.book("notes")
    team.grant("notes", "rita", Role.READER)
    olga, rita = person("olga"), person("rita")
    tool(olga, "save_memory", content="Ada prefers short answers", category="preferences")
    refused = tool(rita, "save_memory", content="Ada prefers long answers", category="preferences")
    assert refused["isError"]
    assert "forbidden" in str(refused)
    assert "short answers" in str(tool(rita, "read_memory"))
    limited = person("olga", Role.READER)
    assert tool(limited, "update_memory", old_text="short", new_text="long")["isError"]
    assert [entry.text for entry in memory_of(team).entries()] == ["Ada prefers short answers"]
    told = [(one["person"], one["operation"]) for one in olga.get("/books/notes/trail")["items"]]
    assert ("rita", "tool read_memory") in told
    saved = next(one for one in olga.get("/books/notes/trail")["items"] if one["operation"] == "tool save_memory"
                 and one["person"] == "olga")  # fmt: skip
    assert len(saved["changes"]) == 1


@pytest.mark.req("TEAM-1", "S7", "NS-1")
def test_an_agent_without_a_token_or_for_a_foreign_book_gets_nothing(
    server: TestClient, person: Asking, team: Team
) -> None:
    team.book("notes")
    body: dict[str, object] = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    assert server.post("/mcp/notes", json=body).status_code == 401
    assert person("sam").client.post("/mcp/notes", json=body).status_code == 404
    assert person("olga").client.post("/mcp/notes", json=body, headers={"host": "evil.example"}).status_code == 421
    assert (
        person("olga").client.post("/mcp/notes", json=body, headers={"origin": "https://a.example"}).status_code == 403
    )
    for broken in (b"{", b"[]", b"7", b'{"jsonrpc": "2.0"}'):
        headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
        assert 400 <= person("olga").client.post("/mcp/notes", content=broken, headers=headers).status_code < 500

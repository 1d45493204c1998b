"""Agents that list their MCP servers list ours after `install`, and none after `uninstall`."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.clients.agents import CODEX, COMMONPLACE, GEMINI, OPENCODE
from tests.clients.npm import installed

pytestmark = [pytest.mark.clients, pytest.mark.timeout(900)]


def said(words: list[str], environment: dict[str, str], folder: Path) -> str:
    done = subprocess.run(words, env=environment, cwd=folder, capture_output=True, text=True, check=True, timeout=600)
    return done.stdout + done.stderr


@pytest.mark.req("HOOK-1", "MCP-1")
@pytest.mark.parametrize(
    ("name", "package", "words", "settings", "there"),
    [
        ("gemini", GEMINI, ["gemini", "mcp", "list"], ".gemini", "mcp --project (stdio)"),
        ("opencode", OPENCODE, ["opencode", "mcp", "list"], ".config/opencode", "mcp --project"),
        ("codex", CODEX, ["codex", "mcp", "list"], ".codex", "mcp --project"),
    ],
)
def test_the_server_is_listed_once_it_is_installed(
    home: Path, name: str, package: str, words: list[str], settings: str, there: str
) -> None:
    environment = {"HOME": str(home), "TERM": "dumb", "GEMINI_CLI_TRUST_WORKSPACE": "true", **installed(package)}
    (home / settings).mkdir(parents=True, exist_ok=True)
    project = home / "project"
    project.mkdir()
    assert "commonplace" not in said(words, environment, project)
    said([COMMONPLACE, "install", name, "--yes"], environment, project)
    listed = said(words, environment, project)
    assert "commonplace" in listed
    assert there in listed
    said([COMMONPLACE, "uninstall", name, "--yes"], environment, project)
    assert "commonplace" not in said(words, environment, project)


@pytest.mark.req("HOOK-1")
def test_codex_tells_how_it_starts_the_server(home: Path) -> None:
    environment = {"HOME": str(home), "TERM": "dumb", **installed(CODEX)}
    (home / ".codex").mkdir()
    said([COMMONPLACE, "install", "codex", "--yes"], environment, home)
    words = said(["codex", "mcp", "get", "commonplace", "--json"], environment, home)
    told, _ = json.JSONDecoder().raw_decode(words)
    assert told["enabled"]
    assert told["transport"]["args"] == ["mcp", "--project"]

"""The server as others judge it: the conformance suite of the protocol in both eras, the inspector, and Claude Code."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.npm import installed, modules
from tests.mcp.processes import Served, serving

pytestmark = [pytest.mark.clients, pytest.mark.timeout(900)]

SUITE = "@modelcontextprotocol/conformance"
FIRST, NEXT = f"conformance-first@npm:{SUITE}@0.1.16", f"conformance-next@npm:{SUITE}@0.2.0-alpha.12"
INSPECTOR, CLAUDE = "@modelcontextprotocol/inspector@2.12.0", "@anthropic-ai/claude-code@2.1.325"
ROOT = Path(__file__).parent.parent.parent


def ran(home: Path, packages: tuple[str, ...], *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    environment = {"HOME": str(home), **installed(*packages), **more}
    return subprocess.run(
        words, env=environment, cwd=home, capture_output=True, text=True, encoding="utf-8", check=False, timeout=600
    )


@pytest.fixture
def suite_server(tmp_path: Path) -> Iterator[Served]:
    with serving("-m", "tests.mcp.conformance", str(tmp_path / "book"), cwd=ROOT) as served:
        yield served


@pytest.mark.req("MCP-1")
@pytest.mark.parametrize(
    ("package", "choice", "least"),
    [
        (FIRST, ("--suite", "all"), 31),
        (NEXT, ("--requirements", "2025-11-25"), 32),
        (NEXT, ("--requirements", "2026-07-28"), 40),
    ],
    ids=["first", "handshake", "stateless"],
)
def test_everything_that_is_no_extension_conforms(
    home: Path, suite_server: Served, package: str, choice: tuple[str, str], least: int
) -> None:
    program = f"{package.partition('@')[0]}/dist/index.js"
    address = f"http://127.0.0.1:{suite_server.first_line}/mcp"
    done = ran(home, (package,), "node", str(modules(package) / program), "server", "--url", address, *choice)
    summary = done.stdout[done.stdout.index("=== SUMMARY ===") :]
    extensions = set(re.findall(r"^ +✗ ([\w-]+) \(extension\)$", summary, re.MULTILINE))
    passed = re.findall(r"^✓ ([\w-]+): [1-9]\d* passed, 0 failed", summary, re.MULTILINE)
    failed = re.findall(r"^✗ ([\w-]+):", summary, re.MULTILINE)
    assert [name for name in failed if name not in extensions] == []
    assert len(passed) >= least
    assert done.returncode == 0


COMMAND = (sys.executable, "-m", "commonplace", "mcp", "--book")


@pytest.mark.req("MCP-1")
def test_the_inspector_finds_nothing_wrong_with_the_tools(home: Path) -> None:
    book = str(home / "book")
    Path(book).mkdir()
    inspector = ("mcp-inspector", "--cli")
    done = ran(home, (INSPECTOR,), *inspector, *COMMAND, book, "--method", "tools/list", "--strict")
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(json.loads(done.stdout)["tools"]) == 7
    call = ("--method", "tools/call", "--tool-name", "save_memory", "--tool-arg", "content=Prefers green tea")
    saved = ran(home, (INSPECTOR,), *inspector, *COMMAND, book, *call)
    assert saved.returncode == 0, saved.stdout + saved.stderr
    for method in ("resources/list", "resources/templates/list", "prompts/list"):
        assert ran(home, (INSPECTOR,), *inspector, *COMMAND, book, "--method", method).returncode == 0
    assert "- Prefers green tea" in (home / "book/MEMORY.md").read_text()


@pytest.mark.req("MCP-1")
def test_the_inspector_finds_nothing_wrong_over_http(home: Path, tmp_path: Path) -> None:
    token = "a-token-for-this-test-only"
    (tmp_path / "book").mkdir()
    words = ("-m", "commonplace", "mcp", "--book", str(tmp_path / "book"), "--http", "--port", "0", "--token", token)
    with serving(*words, stream="stderr") as served:
        inspector = ("mcp-inspector", "--cli", served.address, "--transport", "http")
        header = ("--header", f"Authorization: Bearer {token}")
        done = ran(home, (INSPECTOR,), *inspector, *header, "--method", "tools/list", "--strict")
        assert done.returncode == 0, done.stdout + done.stderr
        assert len(json.loads(done.stdout)["tools"]) == 7
        assert ran(home, (INSPECTOR,), *inspector, "--method", "tools/list").returncode != 0


@pytest.mark.req("MCP-1")
def test_claude_code_connects(home: Path) -> None:
    (home / "book").mkdir()
    offline = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "ANTHROPIC_API_KEY": "invented"}
    command = ("claude", "mcp", "add", "commonplace", "--scope", "user", "--", *COMMAND, str(home / "book"))
    added = ran(home, (CLAUDE,), *command, **offline)
    assert added.returncode == 0, added.stdout + added.stderr
    listed = ran(home, (CLAUDE,), "claude", "mcp", "list", MCP_TIMEOUT="60000", **offline)
    assert re.search(r"commonplace: .*Connected", listed.stdout), listed.stdout + listed.stderr

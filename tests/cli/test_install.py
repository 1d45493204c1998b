"""Agents are connected by small edits of their own files, and disconnected without a trace."""

import json
import tomllib
from pathlib import Path

import pytest

from commonplace.hooks.installing import hosts
from tests.cli.conftest import Cli, at_terminal

FILES = {
    ".claude/settings.json": '{\n  // my settings\n  "hooks": {\n    "Stop": [\n      {"hooks": []}\n    ]\n  }\n}\n',
    ".claude.json": '{"numStartups":3,"mcpServers":{"other":{"command":"x"}}}',
    ".codex/config.toml": '# mine\nmodel = "gpt-5"\n\n[mcp_servers.other]\ncommand = "x"\n',
    ".gemini/settings.json": "{}",
    ".cursor/mcp.json": '{\n\t"mcpServers": {}\n}\n',
    ".cursor/hooks.json": '{"version": 1, "hooks": {"stop": [{"command": "x"}]}}',
    ".config/opencode/opencode.json": '{\n  "$schema": "https://opencode.ai/config.json",\n}\n',
    ".config/Code/User/mcp.json": '{\n  "servers": {\n    "other": {"command": "x"}, // one\n  }\n}\n',
    ".config/Claude/claude_desktop_config.json": '{\r\n  "mcpServers": {\r\n    "a": {}\r\n  }\r\n}\r\n',
}
NAMES = sorted(hosts({}))


def snapshot(home: Path) -> dict[str, bytes]:
    ours = home / ".local"
    return {
        str(file.relative_to(home)): file.read_bytes()
        for file in home.rglob("*")
        if file.is_file() and not file.is_relative_to(ours)
    }


def lay_out(home: Path) -> None:
    for name, text in FILES.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(text.encode())


@pytest.mark.req("HOOK-1", "S10")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("filled", [True, False], ids=["with files of its own", "fresh"])
def test_a_client_is_connected_and_disconnected_byte_for_byte(cli: Cli, home: Path, name: str, filled: bool) -> None:
    if filled:
        lay_out(home)
    before = snapshot(home)
    shown = cli("install", name, "--dry-run")
    assert shown.status == 0
    assert "commonplace" in shown.out
    assert snapshot(home) == before
    assert cli("install", name, "--yes").status == 0
    connected = snapshot(home)
    assert connected != before
    assert all(connected[file] == data or b"commonplace" in connected[file] for file, data in before.items())
    assert "connected already" in cli("install", name, "--yes").out
    assert snapshot(home) == connected
    assert cli("uninstall", name, "--yes").status == 0
    assert snapshot(home) == before
    assert cli("uninstall", "--yes").out == "No agent is connected.\n"


@pytest.mark.req("HOOK-1")
def test_what_the_host_wrote_meanwhile_stays(cli: Cli, home: Path) -> None:
    lay_out(home)
    cli("install", "claude-code", "codex", "--yes")
    file = home / ".claude.json"
    state = json.loads(file.read_text())
    assert state["mcpServers"]["commonplace"]["args"][-2:] == ["mcp", "--project"]
    file.write_text(json.dumps({**state, "numStartups": 4}, indent=4))
    toml = home / ".codex/config.toml"
    toml.write_text(toml.read_text() + "\n[tui]\nnotifications = true\n")
    cli("uninstall", "--yes")
    assert json.loads(file.read_text()) == {"numStartups": 4, "mcpServers": {"other": {"command": "x"}}}
    assert tomllib.loads(toml.read_text()) == {
        "model": "gpt-5",
        "mcp_servers": {"other": {"command": "x"}},
        "tui": {"notifications": True},
    }


def test_a_file_that_cannot_be_read_is_left_alone_and_told(cli: Cli, home: Path) -> None:
    lay_out(home)
    (home / ".claude/settings.json").write_text("{ broken")
    before = snapshot(home)
    ran = cli("install", "claude-code", "--yes")
    assert (ran.status, "not JSON" in ran.err) == (7, True)
    assert snapshot(home) == before
    assert cli("install", "emacs").status == 3


def test_without_a_name_what_is_found_is_listed(cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert cli("install").status == 3
    (home / ".gemini").mkdir()
    assert "Gemini CLI" in cli("install", "--dry-run").out
    assert cli("install").status == 2
    assert [one["client"] for one in cli("install", "--yes", "--json").json["clients"]] == ["gemini"]


@pytest.mark.req("HOOK-1")
def test_without_a_model_the_subscription_is_offered_and_never_assumed(cli: Cli, home: Path, tmp_path: Path) -> None:
    (home / ".gemini").mkdir()
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho ready\n")
    program.chmod(0o700)
    path = f"{program.parent}:/usr/bin:/bin"
    ran = at_terminal(["install", "gemini"], [("Connect Gemini CLI?", "y\n"), ("Let it? [y/N]", "\n")], PATH=path)
    assert ran.status == 0, ran
    assert "claude -p" in ran.out
    assert cli("config", "get", "model.provider").out == "none\n"
    cli("uninstall", "--yes")
    ran = at_terminal(["install", "gemini"], [("Connect Gemini CLI?", "y\n"), ("Let it? [y/N]", "y\n")], PATH=path)
    assert "It answered: ready" in ran.out
    assert cli("config", "get", "model.command").out.split() == ["claude", "-p"]
    cli("uninstall", "--yes")
    assert "Let it?" not in at_terminal(["install", "gemini"], [("Connect Gemini CLI?", "y\n")], PATH=path).out


@pytest.mark.req("HOOK-1")
def test_doctor_tells_when_an_agent_keeps_a_memory_of_its_own_as_well(cli: Cli, home: Path) -> None:
    (home / ".codex").mkdir()
    (home / ".codex/config.toml").write_text("[features]\nmemories = true\n")
    cli("install", "codex", "claude-code", "--yes")
    told = cli("doctor").out
    assert "Codex's own memory is on" in told
    assert "Claude Code's own memory is on" in told
    (home / ".codex/config.toml").write_text((home / ".codex/config.toml").read_text().replace("= true", "= false"))
    (home / ".claude/settings.json").write_text('{"autoMemoryEnabled": false}')
    assert "own memory is on" not in cli("doctor").out

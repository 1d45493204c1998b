"""Agents are connected by small edits of their own files, and disconnected without a trace."""

import json
import tomllib
from pathlib import Path

import pytest

from commonplace.hooks.hosts import command, hosts
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


@pytest.mark.req("HOOK-1")
@pytest.mark.parametrize("name", NAMES)
def test_what_an_installation_that_is_gone_added_is_brought_up_to_date(cli: Cli, home: Path, name: str) -> None:
    lay_out(home)
    (home / ".cursor/mcp.json").write_text('{"mcpServers": {"other": {}}}')  # an empty table goes with what it held
    before = snapshot(home)
    cli("install", name, "--yes")
    connected = snapshot(home)
    program = command()[0]
    changed = {home / file: data for file, data in connected.items() if program.encode() in data}
    for file, data in changed.items():
        file.write_bytes(data.replace(program.encode(), b"/gone/bin/commonplace"))
    assert "Connected in part" in cli("doctor").out
    assert "/gone" in cli("install", name, "--yes").out
    assert not any(b"/gone" in data for data in snapshot(home).values())
    assert "connected already" in cli("install", name, "--yes").out
    cli("uninstall", "--yes")
    assert {file: data for file, data in snapshot(home).items() if file in before} == before
    assert not any(b"commonplace" in data for data in snapshot(home).values())


@pytest.mark.req("HOOK-1")
def test_a_file_of_ours_with_an_older_text_is_replaced_and_goes_again(cli: Cli, home: Path) -> None:
    cli("install", "claude-code", "--yes")
    file = home / ".claude/skills/commonplace/SKILL.md"
    current = file.read_text()
    file.write_text("an older skill\n")
    cli("install", "claude-code", "--yes")
    assert file.read_text() == current
    cli("uninstall", "--yes")
    assert snapshot(home) == {}


@pytest.mark.req("HOOK-1", "S10")
def test_a_file_that_somebody_else_put_where_ours_goes_is_back_afterwards(cli: Cli, home: Path) -> None:
    cli("skill", "--into", str(home / ".claude/skills"))
    file = home / ".claude/skills/commonplace/SKILL.md"
    file.write_text("my own words\n")
    before = snapshot(home)
    cli("install", "claude-code", "--yes")
    assert file.read_text() != "my own words\n"
    cli("uninstall", "--yes")
    assert snapshot(home) == before


@pytest.mark.req("HOOK-1", "S10")
@pytest.mark.parametrize("name", NAMES)
def test_folders_that_were_made_go_again_and_others_stay(cli: Cli, home: Path, name: str) -> None:
    (home / ".copilot").mkdir()
    before = {folder for folder in home.rglob("*") if folder.is_dir()}
    cli("install", name, "--yes")
    cli("uninstall", "--yes")
    after = {folder for folder in home.rglob("*") if folder.is_dir() and ".local" not in folder.parts}
    assert after == before


@pytest.mark.req("HOOK-1")
def test_what_the_host_added_to_our_table_goes_with_it(cli: Cli, home: Path) -> None:
    lay_out(home)
    toml = home / ".codex/config.toml"
    before = toml.read_text()
    for added in (
        '\n[mcp_servers.commonplace.tools.save_memory]\napproval_mode = "approve" # said once\n',
        "enabled = true\n\n# of mine\n[tui]\nnotifications = true\n",
    ):
        cli("install", "codex", "--yes")
        text = toml.read_text()
        toml.write_text(text.replace("startup_timeout_sec = 60", "startup_timeout_sec = 90") + added)
        cli("uninstall", "--yes")
        kept = added[added.index("\n# of mine") :] if "# of mine" in added else ""
        assert toml.read_text() == before + kept


@pytest.mark.req("HOOK-1")
def test_a_server_of_that_name_that_is_not_ours_is_never_replaced(cli: Cli, home: Path) -> None:
    toml = home / ".codex/config.toml"
    toml.parent.mkdir()
    toml.write_text('[mcp_servers."commonplace"]\ncommand = "/opt/another"\n')
    before = snapshot(home)
    ran = cli("install", "codex", "--yes")
    assert (ran.status, str(toml) in ran.err) == (7, True)
    assert snapshot(home) == before
    toml.write_text("# [mcp_servers.commonplace]\n")
    assert cli("install", "codex", "--yes").status == 0
    assert "commonplace" in tomllib.loads(toml.read_text())["mcp_servers"]


@pytest.mark.req("HOOK-1")
def test_a_server_of_ours_that_a_person_added_stays_and_is_told(cli: Cli, home: Path) -> None:
    file = home / ".cursor/mcp.json"
    file.parent.mkdir()
    server = {"command": command()[0], "args": ["mcp", "--book", "work"]}
    file.write_text(json.dumps({"mcpServers": {"commonplace": server}}))
    before = snapshot(home)
    assert "stays as it is" in cli("install", "cursor", "--yes").out
    assert json.loads(file.read_text())["mcpServers"]["commonplace"] == server
    cli("uninstall", "--yes")
    assert snapshot(home) == before


@pytest.mark.req("HOOK-1")
@pytest.mark.parametrize("name", NAMES)
def test_one_named_is_disconnected_also_where_nothing_is_written_down(cli: Cli, home: Path, name: str) -> None:
    lay_out(home)
    cli("install", name, "--yes")
    (home / ".local/share/commonplace/clients.json").unlink()
    assert "nothing was there" not in cli("uninstall", name, "--yes").out
    assert not any(b"commonplace" in data for data in snapshot(home).values())
    assert "nothing was there" in cli("uninstall", name, "--yes").out


@pytest.mark.req("HOOK-1")
@pytest.mark.parametrize(
    ("name", "file"), [("claude-code", ".claude/settings.json"), ("codex", ".codex/config.toml")], ids=["json", "toml"]
)
def test_an_agent_whose_file_is_broken_keeps_none_of_the_others_from_being_connected(
    cli: Cli, home: Path, name: str, file: str
) -> None:
    lay_out(home)
    (home / file).write_text("{ broken")
    ran = cli("install", "--yes")
    assert (ran.status, str(home / file) in ran.err) == (7, True)
    assert b"commonplace" not in (home / file).read_bytes()
    assert "Gemini CLI is connected" in ran.out
    assert "VS Code is connected" in ran.out
    cli("install", "gemini", "--yes")
    (home / ".gemini/settings.json").write_text("{ broken")
    ran = cli("uninstall", "--yes")
    assert (ran.status, ".gemini/settings.json" in ran.err) == (7, True)
    assert "Gemini CLI" not in ran.out
    assert "commonplace" not in (home / ".config/Code/User/mcp.json").read_text()


@pytest.mark.req("HOOK-1")
def test_doctor_promises_no_hooks_of_a_client_that_has_none(cli: Cli, home: Path) -> None:
    cli("install", "claude-desktop", "--yes")
    told = cli("doctor").out
    assert "Claude Desktop" in told
    assert "its hooks have not run" not in told


@pytest.mark.req("HOOK-1")
def test_the_plugin_and_the_hooks_together_are_told(cli: Cli, home: Path) -> None:
    file = home / ".claude/settings.json"
    file.parent.mkdir()
    file.write_text('{"enabledPlugins": {"commonplace@commonplace": true}}')
    assert "plugin" in cli("install", "claude-code", "--dry-run").out
    cli("install", "claude-code", "--yes")
    assert "/plugin" in cli("doctor").out
    file.write_text(file.read_text().replace('@commonplace": true', '@commonplace": false'))
    assert "/plugin" not in cli("doctor").out

"""Which agents can be connected, where each keeps its files, and what is added to these."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from commonplace.errors import ConfigError
from commonplace.hooks.edits import NAME, Edit
from commonplace.jsontext import loads

_SECONDS = {"PreCompact": 120, "PreCompress": 120, "preCompact": 120}
_LAST = {"SessionEnd", "sessionEnd"}
_READY = 60  # seconds until the server answers: hosts give up after 5 or 10, and go on without the tools unnoticed


@dataclass(frozen=True, slots=True)
class Host:
    """An agent on this machine: what shows that it is there, what is edited, and what a person must still do."""

    name: str
    label: str
    folders: tuple[Path, ...]
    programs: tuple[str, ...]
    edits: Callable[[], list[Edit]]
    remark: str = ""
    warning: Callable[[], str] = str
    """What should not be so beside these edits; nothing if all is well."""
    hooks: bool = True

    def found(self, environment: Mapping[str, str]) -> bool:
        return any(folder.exists() for folder in self.folders) or any(
            shutil.which(program, path=environment.get("PATH")) for program in self.programs
        )


def command(*words: str) -> list[str]:
    """How this very installation is called, from anywhere."""
    script = Path(sys.executable).with_name(NAME)
    return [str(script), *words] if script.exists() else [sys.executable, "-m", NAME, *words]


def hosts(environment: Mapping[str, str]) -> dict[str, Host]:
    """Every agent that can be connected, by its name."""
    home = Path(environment.get("HOME") or os.path.expanduser("~"))
    config = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
    mac = home / "Library/Application Support"
    desktop = mac / "Claude" if sys.platform == "darwin" else config / "Claude"
    code = mac / "Code/User" if sys.platform == "darwin" else config / "Code/User"
    claude = Path(environment.get("CLAUDE_CONFIG_DIR") or home / ".claude")
    claude_file = claude / ".claude.json" if environment.get("CLAUDE_CONFIG_DIR") else home / ".claude.json"
    codex, gemini, cursor = Path(environment.get("CODEX_HOME") or home / ".codex"), home / ".gemini", home / ".cursor"
    opencode = config / "opencode"
    listed = (
        Host(
            "claude-code",
            "Claude Code",
            (claude, claude_file),
            ("claude",),
            lambda: [
                *_hooks("claude-code", claude / "settings.json", _CLAUDE_EVENTS),
                Edit(claude_file, ("mcpServers", NAME), {"type": "stdio", **_server("--project"), "env": {}}),
                Edit(claude / "skills" / NAME / "SKILL.md", text=_skill()),
            ],
            warning=lambda: _plugin_beside(claude / "settings.json"),
        ),
        Host(
            "claude-desktop",
            "Claude Desktop",
            (desktop,),
            (),
            lambda: [Edit(desktop / "claude_desktop_config.json", ("mcpServers", NAME), _server())],
            "Restart Claude Desktop.",
            hooks=False,
        ),
        Host(
            "codex",
            "Codex",
            (codex,),
            ("codex",),
            lambda: [
                *_hooks("codex", codex / "hooks.json", _CLAUDE_EVENTS),
                Edit(
                    codex / "config.toml",
                    ("mcp_servers", NAME),
                    {**_server("--project"), "startup_timeout_sec": _READY},
                ),
            ],
            "Codex asks once whether it may run these hooks: say yes.",
        ),
        Host(
            "cursor",
            "Cursor",
            (cursor,),
            ("cursor", "cursor-agent"),
            lambda: [
                Edit(cursor / "mcp.json", ("mcpServers", NAME), _server("--project")),
                *_cursor_hooks(cursor / "hooks.json"),
            ],
        ),
        Host(
            "gemini",
            "Gemini CLI",
            (gemini,),
            ("gemini",),
            lambda: [
                *_hooks("gemini", gemini / "settings.json", _GEMINI_EVENTS, scale=1000),
                Edit(gemini / "settings.json", ("mcpServers", NAME), _server("--project")),
            ],
        ),
        Host(
            "opencode",
            "OpenCode",
            (opencode,),
            ("opencode",),
            lambda: [
                Edit(
                    opencode / "opencode.json",
                    ("mcp", NAME),
                    {
                        "type": "local",
                        "command": command("mcp", "--project"),
                        "enabled": True,
                        "timeout": _READY * 1000,
                    },
                ),
                Edit(opencode / "plugins" / f"{NAME}.js", text=_opencode_plugin()),
            ],
        ),
        Host(
            "vscode",
            "VS Code",
            (code,),
            ("code",),
            lambda: [
                Edit(code / "mcp.json", ("servers", NAME), {"type": "stdio", **_server("--project")}),
                Edit(home / ".copilot/hooks" / f"{NAME}.json", text=_vscode_hooks()),
            ],
        ),
    )
    return {host.name: host for host in listed}


# -- what is added -----------------------------------------------------------------------------------------------------

_CLAUDE_EVENTS = ("SessionStart", "UserPromptSubmit", "PreCompact", "Stop", "SessionEnd")
_GEMINI_EVENTS = ("SessionStart", "BeforeAgent", "AfterAgent", "PreCompress", "SessionEnd")
_CURSOR_EVENTS = ("sessionStart", "beforeSubmitPrompt", "afterAgentResponse", "preCompact", "sessionEnd")


def _server(*words: str) -> dict[str, object]:
    program, *arguments = command("mcp", *words)
    return {"command": program, "args": arguments}


def _hook(client: str, event: str, scale: int = 1) -> dict[str, object]:
    seconds = 3 if event in _LAST else _SECONDS.get(event, 30)
    return {"type": "command", "command": shlex.join(command("hook", client)), "timeout": seconds * scale}


def _hooks(client: str, file: Path, events: Sequence[str], scale: int = 1) -> Iterator[Edit]:
    for event in events:
        yield Edit(file, ("hooks", event, "-"), {"hooks": [_hook(client, event, scale)]})


def _cursor_hooks(file: Path) -> Iterator[Edit]:
    yield Edit(file, ("version",), 1, yields=True)
    for event in _CURSOR_EVENTS:
        yield Edit(file, ("hooks", event, "-"), {"command": shlex.join(command("hook", "cursor"))})


def _vscode_hooks() -> str:
    hooks = {event: [_hook("vscode", event)] for event in _CLAUDE_EVENTS}
    return json.dumps({"hooks": hooks}, indent=2) + "\n"


def _plugin_beside(settings: Path) -> str:
    """Claude Code's own plugin does all that its hooks do."""
    try:
        plugins = loads(settings.read_text(encoding="utf-8", errors="replace")).get("enabledPlugins", {})
        on = any(enabled is True and name.partition("@")[0] == NAME for name, enabled in plugins.items())
    except (OSError, AttributeError, ConfigError):
        return ""
    return "The plugin is on as well, and does everything a second time: keep one, see /plugin there." if on else ""


def _skill() -> str:
    from commonplace.skills import skill

    return skill()


def _opencode_plugin() -> str:
    from importlib.resources import files

    program = json.dumps(command("hook", "opencode"))
    return (files("commonplace.hooks") / "opencode.js").read_text(encoding="utf-8").replace('["commonplace"]', program)

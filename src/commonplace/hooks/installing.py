"""Connecting agents: the small edits of their own files that make them call us, and taking these edits back.

An edit adds one piece of text and changes nothing else. The piece is written down, so that taking it out again leaves
the file as it was, byte for byte; if the host has rewritten its file meanwhile, what is ours is found by its place.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from commonplace.errors import ConfigError
from commonplace.jsontext import loads, with_member, without_member

NAME = "commonplace"
RECORD = "clients.json"
_SECONDS = {"PreCompact": 120, "PreCompress": 120, "preCompact": 120}
_LAST = {"SessionEnd", "sessionEnd"}
_READY = 60  # seconds until the server answers: hosts give up after 5 or 10, and go on without the tools unnoticed


@dataclass(frozen=True, slots=True)
class Edit:
    """One file of a host, and what is added to it. `path` leads to the place; `text` is a whole file of ours."""

    file: Path
    path: tuple[str, ...] = ()
    value: object = None
    text: str = ""

    def applied(self, before: str) -> str:
        if self.text:
            return self.text
        if self.file.suffix == ".toml":
            return _with_table(before, self.path, cast(Mapping[str, object], self.value))
        return with_member(before, self.path, self.value)

    def is_there(self, before: str) -> bool:
        if self.text:
            return before == self.text
        if self.file.suffix == ".toml":
            return f"[{'.'.join(self.path)}]" in before
        found = _at(loads(before), self.path[:-1] if self.path[-1] == "-" else self.path)
        if self.path[-1] != "-":
            return found is not None
        return any(_is_ours(one) for one in cast(list[object], found or []))


@dataclass(frozen=True, slots=True)
class Host:
    """An agent on this machine: what shows that it is there, what is edited, and what a person must still do."""

    name: str
    label: str
    folders: tuple[Path, ...]
    programs: tuple[str, ...]
    edits: Callable[[], list[Edit]]
    remark: str = ""

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
        ),
        Host(
            "claude-desktop",
            "Claude Desktop",
            (desktop,),
            (),
            lambda: [Edit(desktop / "claude_desktop_config.json", ("mcpServers", NAME), _server())],
            "Restart Claude Desktop.",
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
    if not file.exists():
        hooks = {event: [{"command": shlex.join(command("hook", "cursor"))}] for event in _CURSOR_EVENTS}
        yield Edit(file, text=json.dumps({"version": 1, "hooks": hooks}, indent=2) + "\n")
        return
    for event in _CURSOR_EVENTS:
        yield Edit(file, ("hooks", event, "-"), {"command": shlex.join(command("hook", "cursor"))})


def _vscode_hooks() -> str:
    hooks = {event: [_hook("vscode", event)] for event in _CLAUDE_EVENTS}
    return json.dumps({"hooks": hooks}, indent=2) + "\n"


def _skill() -> str:
    from commonplace.skills import skill

    return skill()


def _opencode_plugin() -> str:
    from importlib.resources import files

    program = json.dumps(command("hook", "opencode"))
    return (files("commonplace.hooks") / "opencode.js").read_text(encoding="utf-8").replace('["commonplace"]', program)


def _with_table(text: str, path: Sequence[str], value: Mapping[str, object]) -> str:
    from commonplace.tomltext import with_value

    for key, one in value.items():
        text = with_value(text, ".".join([*path, key]), one)
    return text


def _at(value: Any, path: Sequence[str]) -> object:
    for word in path:
        value = cast(dict[str, Any], value).get(word) if isinstance(value, dict) else None
    return value


def _is_ours(value: object) -> bool:
    """Whether a list's element calls us."""
    return f"{NAME} hook " in json.dumps(value) or f"{NAME}' hook " in json.dumps(value)


# -- doing and undoing -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Made:
    """An edit that was made: the piece that was added, and whether the file is ours altogether."""

    file: str
    path: tuple[str, ...]
    piece: str
    created: bool


@dataclass(frozen=True, slots=True)
class Planned:
    """What becomes of one file."""

    file: Path
    before: str | None
    after: str | None


class Connections:
    """Which agents are connected. `record` says what was added where."""

    def __init__(self, record: Path, write: Callable[[Path, bytes], None]) -> None:
        self._record = record
        self._write = write

    def made(self) -> dict[str, list[Made]]:
        try:
            raw = cast(dict[str, list[dict[str, Any]]], json.loads(self._record.read_bytes()))
        except (OSError, ValueError):
            return {}
        return {
            name: [Made(one["file"], tuple(one["path"]), one["piece"], one["created"]) for one in edits]
            for name, edits in raw.items()
        }

    def plan(self, host: Host) -> list[Planned]:
        """What connecting would change. Changes nothing."""
        files: dict[Path, tuple[str | None, str]] = {}
        for edit in host.edits():
            original, text = files.get(edit.file, (before := _read(edit.file), before or ""))
            files[edit.file] = (original, text if edit.is_there(text) else edit.applied(text))
        return [Planned(file, before, after) for file, (before, after) in files.items() if after != (before or "")]

    def connect(self, host: Host) -> list[Planned]:
        made = self.made().get(host.name, [])
        planned = self.plan(host)
        for edit in host.edits():
            before = _read(edit.file)
            if not edit.is_there(before or ""):
                after = edit.applied(before or "")
                made.append(Made(str(edit.file), edit.path, _piece(before or "", after), before is None))
                self._store({**self.made(), host.name: made})  # before the file: what was added is known after a crash
                self._write(edit.file, after.encode("utf-8", "surrogateescape"))
        return planned

    def disconnect(self, host: Host) -> list[Planned]:
        done: list[Planned] = []
        for made in reversed(self.made().get(host.name, [])):
            file = Path(made.file)
            before = _read(file)
            if before is None:
                continue
            after = _without(before, made)
            if made.created and not after.strip():
                file.unlink()
                done.append(Planned(file, before, None))
            elif after != before:
                self._write(file, after.encode("utf-8", "surrogateescape"))
                done.append(Planned(file, before, after))
        self._store({name: edits for name, edits in self.made().items() if name != host.name})
        return done

    def _store(self, made: Mapping[str, Sequence[Made]]) -> None:
        record = {name: [asdict(one) for one in edits] for name, edits in made.items()}
        self._write(self._record, json.dumps(record, indent=1).encode())


def _read(file: Path) -> str | None:
    try:
        return file.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(f"Cannot read {file}: {error.strerror or error}.", hint="Correct its permissions.") from error


def _piece(before: str, after: str) -> str:
    """What was added: one run of text."""
    start = next(
        (at for at, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after))
    )
    return after[start : start + len(after) - len(before)]


def _without(text: str, made: Made) -> str:
    """The text without what was added to it."""
    if made.piece and text.count(made.piece) == 1:
        return text.replace(made.piece, "")
    if made.file.endswith(".json"):
        path = [*made.path]
        if path and path[-1] == "-":
            listed = _at(loads(text), path[:-1])
            ours = [n for n, one in enumerate(cast(list[object], listed or [])) if _is_ours(one)]
            return without_member(text, [*path[:-1], str(ours[-1])]) if ours else text
        return without_member(text, path) if path else text
    return text

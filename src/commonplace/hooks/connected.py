"""Which agents are connected, whether their hooks ran and how long they took, and whether a second memory is on."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from commonplace.errors import CommonplaceError
from commonplace.hooks.hosts import Host, hosts
from commonplace.hooks.installing import Connections
from commonplace.hooks.running import LOG
from commonplace.jsontext import loads
from commonplace.memory import Memory
from commonplace.types.keeping import Finding

_SLOW = 5.0


def check(connections: Connections, memories: Iterable[Memory], environment: Mapping[str, str]) -> list[Finding]:
    """What a person should know of the agents on this machine. Changes nothing."""
    ran = sorted((record for memory in memories for record in _records(memory)), key=lambda one: str(one.get("at")))
    known = hosts(environment)
    findings: list[Finding] = []
    for name in connections.made():
        if name not in known:
            continue
        host = known[name]
        try:
            missing = [str(one.file) for one in connections.plan(host) if not one.kept]
        except CommonplaceError as error:
            findings.append(Finding(host.label, "warning", error.message, error.hint))
            continue
        if missing:
            fix = f"To connect it again: commonplace install {name}"
            findings.append(Finding(host.label, "warning", f"Connected in part: see {', '.join(missing)}.", fix))
        else:
            findings.append(_told(host, [record for record in ran if record.get("client") == name]))
        if warning := host.warning():
            findings.append(Finding(host.label, "warning", warning, f"Or: commonplace uninstall {name}"))
        if (own := _OWN_MEMORY.get(name)) and own[0](environment):
            told = f"{host.label}'s own memory is on beside this one."
            findings.append(
                Finding(host.label, "note", told, f"To have one only: {own[1]}. Both may run side by side.")
            )
    return findings


def _told(host: Host, ran: list[Mapping[str, Any]]) -> Finding:
    label = host.label
    if not host.hooks:
        return Finding(label, "ok", "Connected; its model calls the tools itself, there are no hooks.")
    if not ran:
        return Finding(label, "note", "Connected; its hooks have not run yet.", "Start a new session there.")
    newest = ran[-1]
    times = sorted(float(record.get("seconds") or 0) for record in ran)
    took = (
        f"{len(ran)} hooks ran, the last at {newest.get('at')}; half of them took up to {times[len(times) // 2]:.2f} s"
    )
    if trouble := newest.get("trouble"):
        return Finding(label, "warning", f"{took}. The last one failed: {trouble}", "See: commonplace doctor --json")
    return Finding(label, "note" if times[-1] > _SLOW else "ok", took)


def _records(memory: Memory) -> Iterator[Mapping[str, Any]]:
    for line in (memory.book.storage.read(LOG).data or b"").splitlines():
        try:
            record: object = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            yield cast(Mapping[str, Any], record)


def _of_claude(environment: Mapping[str, str]) -> bool:
    """Whether Claude Code keeps a memory of its own: it does unless it is told not to."""
    if environment.get("CLAUDE_CODE_DISABLE_AUTO_MEMORY") in {"1", "true"}:
        return False
    folder = environment.get("CLAUDE_CONFIG_DIR") or Path(environment.get("HOME", "~")) / ".claude"
    try:
        settings = loads((Path(folder) / "settings.json").read_text(encoding="utf-8", errors="replace"))
        return settings.get("autoMemoryEnabled", True) is not False
    except (OSError, CommonplaceError, AttributeError):
        return True


def _of_codex(environment: Mapping[str, str]) -> bool:
    """Whether Codex keeps one: it does not unless it is told to."""
    import tomllib

    folder = environment.get("CODEX_HOME") or Path(environment.get("HOME", "~")) / ".codex"
    try:
        settings = tomllib.loads((Path(folder) / "config.toml").read_text(encoding="utf-8", errors="replace"))
        return cast(dict[str, Any], settings.get("features") or {}).get("memories") is True
    except (OSError, ValueError, AttributeError):
        return False


_OWN_MEMORY: Mapping[str, tuple[Callable[[Mapping[str, str]], bool], str]] = {
    "claude-code": (_of_claude, '"autoMemoryEnabled": false in its settings.json'),
    "codex": (_of_codex, "memories = false under [features] in its config.toml"),
}

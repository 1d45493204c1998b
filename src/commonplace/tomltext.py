"""One value of a TOML file set or taken out, as text: comments, order and everything else stay as they are. Pure.

An edit is proposed by looking at lines, and accepted only if the file then parses to just what was wanted; so the
looking may be simple.
"""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import cast

from commonplace.errors import ConfigError

_HEADER = re.compile(r"\s*\[(?P<name>[^\[\]]+)\]\s*(?:#.*)?$")
_ANY_HEADER = re.compile(r"\s*\[")
_KEY = re.compile(r"\s*(?P<name>[^=#\s\[][^=#]*)=")
_LONGEST = 200  # lines of one value


def with_value(text: str, key: str, value: object) -> str:
    """`text` with `key` (dotted) set to `value`; None takes it out."""
    before = flattened(tomllib.loads(text))
    wanted = {name: old for name, old in before.items() if name != key} | ({} if value is None else {key: value})
    changed = _changed(text, key, value)
    try:
        done = flattened(tomllib.loads(changed)) == wanted
    except tomllib.TOMLDecodeError:
        done = False
    if not done:
        raise ConfigError(f"{key} cannot be set there safely.", hint="Edit the file by hand.")
    return changed


def without_table(text: str, path: Sequence[str]) -> str:
    """`text` without a table and those inside of it. Remarks behind it stay: they belong to what follows."""
    kept: list[str] = []
    waiting: list[str] = []  # blank lines and remarks, of which nobody knows yet whose they are
    inside = False
    for line in text.splitlines(keepends=True):
        header = _HEADER.match(line)
        if header or _ANY_HEADER.match(line):
            now = header is not None and _bare(header["name"].strip()).split(".")[: len(path)] == [*path]
            if now and not inside and waiting and not waiting[-1].strip():
                waiting.pop()  # the blank line before a table is the table's
            kept += waiting if not (now and inside) else []
            waiting, inside = [], now
        elif inside and (not line.strip() or line.lstrip().startswith("#")):
            waiting.append(line)
            continue
        elif inside:
            waiting.clear()
        elif not line.strip():
            waiting.append(line)
            continue
        if not inside:
            kept += [*waiting, line]
            waiting.clear()
    changed = "".join([*kept, *waiting])
    wanted = tomllib.loads(text)
    place = wanted
    for word in path[:-1]:
        place = cast(dict[str, object], place).get(word, {})
    cast(dict[str, object], place).pop(path[-1], None)
    try:
        done = flattened(tomllib.loads(changed)) == flattened(wanted)
    except tomllib.TOMLDecodeError:
        done = False
    if not done:
        raise ConfigError(f"{'.'.join(path)} cannot be taken out safely.", hint="Edit the file by hand.")
    return changed


def flattened(table: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    """TOML tables as dotted keys."""
    flat: dict[str, object] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            flat |= flattened(cast(Mapping[str, object], value), f"{prefix}{key}.")
        else:
            flat[prefix + key] = value
    return flat


def literal(value: object) -> str:
    """A value as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return f"[{', '.join(literal(item) for item in cast(Sequence[object], value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f") if isinstance(value, str) else repr(value)


def _changed(text: str, key: str, value: object) -> str:
    lines = text.splitlines(keepends=True)
    table, name = key.rpartition(".")[::2]
    inside, last, root_end = "", None, 0
    for at, line in enumerate(lines):
        if header := _HEADER.match(line):
            inside = _bare(header["name"].strip())
        elif _ANY_HEADER.match(line):
            inside = "\0"  # an array of tables: none of ours
        elif (found := _KEY.match(line)) is not None:
            full = f"{inside}.{_bare(found['name'].strip())}" if inside else _bare(found["name"].strip())
            if full == key:
                end = _end_of(lines, at)
                new = "" if value is None else f"{line[: found.end()]} {literal(value)}{_comment(lines[at:end])}\n"
                return "".join([*lines[:at], new, *lines[end:]])
            root_end = at + 1 if not inside else root_end
        if inside == table and line.strip():
            last = at + 1
    if value is None:
        return text
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    if not table:
        return "".join([*lines[:root_end], f"{name} = {literal(value)}\n", *lines[root_end:]])
    if last is not None:
        return "".join([*lines[:last], f"{name} = {literal(value)}\n", *lines[last:]])
    space = ["\n"] if lines else []
    return "".join([*lines, *space, f"[{table}]\n", f"{name} = {literal(value)}\n"])


def _end_of(lines: Sequence[str], start: int) -> int:
    """Where the value that begins on a line ends: a list may run over several."""
    for end in range(start + 1, min(start + _LONGEST, len(lines)) + 1):
        try:
            tomllib.loads("".join(lines[start:end]))
        except tomllib.TOMLDecodeError:
            continue
        return end
    return start + 1


def _comment(lines: Sequence[str]) -> str:
    """What is remarked behind a value that stands on one line."""
    line = lines[0].rstrip("\r\n")
    if len(lines) > 1:
        return ""
    for at in (at for at, char in enumerate(line) if char == "#"):
        try:
            tomllib.loads(line[:at])
        except tomllib.TOMLDecodeError:
            continue
        return line[len(line[:at].rstrip()) :]
    return ""


def _bare(name: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in name.split("."))

"""One value put into a JSON file or taken out of it, as text: comments, order and every other byte stay. Pure.

Reads JSON as editors write it: with comments and with commas behind the last element. What an edit makes is accepted
only if it then reads as just what was wanted.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from commonplace.errors import ConfigError

_SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_SCALAR = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s,\[\]{}:"/]+')
_DEEPEST = 100


@dataclass(slots=True)
class _Node:
    """A value and where it stands. Members of an object have their key, and where that begins."""

    start: int
    end: int
    value: Any = None
    kind: str = ""
    members: "list[tuple[str, int, _Node]]" = field(default_factory=list["tuple[str, int, _Node]"])
    comma: int = 0  # behind the last element, if a comma stands there


def loads(text: str) -> Any:
    """What the text says; an empty one says an empty object."""
    return _parse(text).value if text.strip() else {}


def with_member(text: str, path: Sequence[str], value: object) -> str:
    """`text` with `value` at `path`: the last word is a key to set, or `-` to add to a list. What is missing on the way
    is made."""
    if not text.strip():
        return json.dumps(_wrapped(path, value), indent=2, ensure_ascii=False) + "\n"
    root = _parse(text)
    node, rest = _deepest(root, path)
    if not rest or node.kind not in "{[" or (rest[0] == "-") != (node.kind == "["):
        raise ConfigError("There is something else already.", hint="Edit the file by hand.")
    changed = _inserted(text, node, None if rest[0] == "-" else rest[0], _wrapped(rest[1:], value))
    if _parse(changed).value != _set(json.loads(json.dumps(root.value)), path, value):
        raise ConfigError("The file cannot be changed safely.", hint="Edit it by hand.")
    return changed


def without_member(text: str, path: Sequence[str]) -> str:
    """`text` without what stands at `path` (a last word of digits is a place in a list), and without what is empty
    then because of it."""
    root = _parse(text)
    if _deepest(root, path)[1]:
        return text
    for cut in range(len(path), 0, -1):
        parent, _ = _deepest(root, path[: cut - 1])
        if len(parent.members) > 1 or cut == 1:
            at = next(n for n, (key, _, _) in enumerate(parent.members) if key == path[cut - 1])
            return _cut(text, parent, at)
    return text


def _deepest(root: _Node, path: Sequence[str]) -> tuple[_Node, Sequence[str]]:
    """How far a path leads into a document, and what of it is left."""
    node = root
    for depth, word in enumerate(path):
        found = next((child for key, _, child in node.members if key == word), None)
        if found is None:
            return node, path[depth:]
        node = found
    return node, ()


def _set(value: Any, path: Sequence[str], new: object) -> Any:
    place = value
    for word, following in zip(path, [*path[1:], ""], strict=True):
        if word == "-":
            place.append(_wrapped([following, *path[path.index(word) + 2 :]] if following else (), new))
            return value
        if not following:
            place[word] = new
            return value
        place = place.setdefault(word, [] if following == "-" else {})
    return value


def _wrapped(path: Sequence[str], value: object) -> object:
    for word in reversed(path):
        value = [value] if word == "-" else {word: value}
    return value


def _inserted(text: str, node: _Node, key: str | None, value: object) -> str:
    """The text with one more element at the end of an object or a list."""
    outer = _indent_of(text, node.start)
    if node.members:
        _, at, last = node.members[-1]
        inner = _indent_of(text, at) if "\n" in text[node.start : at] else None
        place = node.comma or last.end
    else:
        inner = f"{outer}{_unit(text)}" if "\n" in text else None
        place = node.start + 1
    name = f"{json.dumps(key, ensure_ascii=False)}: " if key is not None else ""
    if inner is None:
        written = name + json.dumps(value, ensure_ascii=False)
        piece = f" {written}" if node.comma and node.members else f", {written}" if node.members else written
    else:
        lines = json.dumps(value, indent=_unit(text), ensure_ascii=False).split("\n")
        written = name + f"\n{inner}".join(lines)
        piece = f"\n{inner}{written}"
        if not node.members:
            piece += f"\n{outer}"
        elif node.comma:
            piece += ","
        else:
            piece = f",{piece}"
    return text[:place] + piece + text[place:]


def _cut(text: str, parent: _Node, at: int) -> str:
    _, start, node = parent.members[at]
    if at > 0:
        before = parent.members[at - 1][2].end
        if at == len(parent.members) - 1 and parent.comma:
            return text[:before] + "," + text[parent.comma :]
        return text[:before] + text[node.end :]
    end = parent.members[1][1] if len(parent.members) > 1 else parent.end - 1
    return text[: parent.start + 1] + text[end:] if len(parent.members) == 1 else text[:start] + text[end:]


def _indent_of(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]


def _unit(text: str) -> str:
    """What one step of indentation is in this file."""
    found = re.search(r"\n([ \t]+)\S", text)
    return found[1] if found else "  "


# -- reading -----------------------------------------------------------------------------------------------------------


def _parse(text: str) -> _Node:
    start = 1 if text.startswith("\ufeff") else 0
    try:
        node = _value(text, _skip(text, start), 0)
        if _skip(text, node.end) != len(text):
            raise ValueError
    except (ValueError, IndexError) as error:
        raise ConfigError("The file is not JSON.", hint="Correct it, then try again.") from error
    return node


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _value(text: str, at: int, depth: int) -> _Node:
    if depth > _DEEPEST:
        raise ValueError
    if text[at] in "{[":
        return _container(text, at, depth)
    found = _SCALAR.match(text, at)
    if found is None:
        raise ValueError
    return _Node(at, found.end(), json.loads(found[0]))


def _container(text: str, start: int, depth: int) -> _Node:
    is_object = text[start] == "{"
    node = _Node(start, start, {} if is_object else [], text[start])
    at = _skip(text, start + 1)
    while text[at] != ("}" if is_object else "]"):
        begun, key = at, str(len(node.members))
        if is_object:
            name = _SCALAR.match(text, at)
            if name is None or not name[0].startswith('"'):
                raise ValueError
            key = str(json.loads(name[0]))
            at = _skip(text, name.end())
            if text[at] != ":":
                raise ValueError
            at = _skip(text, at + 1)
        child = _value(text, at, depth + 1)
        node.members.append((key, begun, child))
        if is_object:
            cast(dict[str, Any], node.value)[key] = child.value
        else:
            cast(list[Any], node.value).append(child.value)
        at = _skip(text, child.end)
        node.comma = 0
        if text[at] == ",":
            node.comma = at + 1
            at = _skip(text, at + 1)
        elif text[at] not in "}]":
            raise ValueError
    node.end = at + 1
    return node

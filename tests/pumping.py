"""Inputs that make a regular expression work hard: taken from its own parse tree, with some that hurt any."""

import ast
import importlib
import pkgutil
import random
import re
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from itertools import islice
from pathlib import Path
from re import _parser as parser  # pyright: ignore[reportAttributeAccessIssue,reportUnknownVariableType]
from typing import Any, cast

import commonplace
from commonplace.patterns import LazyPattern

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

PACKAGE = Path(commonplace.__file__).parent
ANY_START = frozenset({"search", "finditer", "findall", "sub", "subn", "split"})
AT_START = frozenset({"match", "fullmatch"})
HOSTILE = (
    *" \t\naA0-_.,'\"([/:=#*<\\\u4e2d\u00e9\ud800",
    *("\r\n", "a ", "A ", "0 ", "Aa ", "a-", "a.", "a/", "a,", "a, ", "0.", "0,", "- ", "a\n", "- a\n"),
)
_MOST_PUMPS = 16
_DEPTH = 12


@dataclass(frozen=True)
class Used:
    """A pattern of the package, and whether it may start anywhere in a text."""

    name: str
    pattern: re.Pattern[str]
    anywhere: bool


def patterns() -> list[Used]:
    """Every pattern that a module of the package holds or writes out where it is used."""
    found: dict[tuple[str, int], Used] = {}
    for used in (*_held(), *_written_out()):
        key = used.pattern.pattern, used.pattern.flags
        known = found.get(key)
        if known is None or (used.anywhere and not known.anywhere):
            found[key] = used
    return sorted(found.values(), key=lambda used: used.name)


def modules() -> Iterator[types.ModuleType]:
    for info in pkgutil.walk_packages([str(PACKAGE)], "commonplace."):
        if not info.name.endswith("__main__"):
            try:
                yield importlib.import_module(info.name)
            except ModuleNotFoundError as error:
                if (error.name or "").startswith("commonplace"):
                    raise  # else it belongs to an extra that is not installed


def _held() -> Iterator[Used]:
    sources = {file: file.read_text(encoding="utf-8") for file in PACKAGE.rglob("*.py")}
    used = {file: re.findall(r"\b(\w+)\.(\w+)\(", source) for file, source in sources.items()}
    everywhere = [call for calls in used.values() for call in calls]
    for module in modules():
        own = used[Path(module.__file__ or "")]
        for name, value in list(vars(module).items()):
            for path, pattern in _inside(value, name, set()):
                calls = {method for held, method in (own if path.startswith("_") else everywhere) if held == path}
                yield Used(f"{module.__name__}.{path}", pattern, bool(calls & ANY_START) or not calls & AT_START)


def _inside(value: object, path: str, seen: set[int], depth: int = 0) -> Iterator[tuple[str, re.Pattern[str]]]:
    if isinstance(value, LazyPattern):
        yield path, value.compiled
    elif isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield path, cast("re.Pattern[str]", value)
    elif depth < 6 and id(value) not in seen:
        seen.add(id(value))
        for part, inner in _parts(value):
            yield from _inside(inner, f"{path}{part}", seen, depth + 1)


def _parts(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, Mapping):
        pairs = islice(cast("Mapping[object, object]", value).items(), 500)
        yield from ((f"[{key!r:.20}]{kind}", one) for key, item in pairs for kind, one in (("", key), ("", item)))
    elif isinstance(value, (list, tuple, set, frozenset)):
        yield from ((f"[{at}]", one) for at, one in enumerate(islice(cast("tuple[object]", value), 500)))
    elif isinstance(value, types.FunctionType):
        yield from (("()", cell.cell_contents) for cell in value.__closure__ or () if _filled(cell))
        yield from (("()", default) for default in value.__defaults__ or ())
    elif isinstance(value, type) and value.__module__.startswith("commonplace"):
        yield from ((f".{name}", one) for name, one in vars(value).items() if not name.startswith("__"))
    elif is_dataclass(value) and not isinstance(value, type):
        yield from ((f".{field.name}", getattr(value, field.name)) for field in fields(value))


def _filled(cell: types.CellType) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def _written_out() -> Iterator[Used]:
    """`re.search(r"…", text)` and `re.compile(r"…")` anywhere in the source, as far as the text is written there."""
    for file in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
                continue
            first = node.args[0]
            if (
                isinstance(node.func.value, ast.Name)
                and node.func.value.id == "re"
                and isinstance(first, ast.Constant)
                and isinstance(first.value, str)
            ):
                place = f"{file.relative_to(PACKAGE)}:{node.lineno}"
                yield Used(place, re.compile(first.value), node.func.attr in ANY_START)


# -- inputs -----------------------------------------------------------------------------------------------------------


def pumps(pattern: re.Pattern[str]) -> list[tuple[str, str, str]]:
    """(before, what is repeated, after): each repeat of the pattern after what leads to it, and then something that
    cannot go on."""
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE | (pattern.flags & re.UNICODE))
    chance = random.Random(pattern.pattern)
    found = dict.fromkeys(_repeats(tree, "", chance, pattern.flags, 0))
    listed = [(lead, body) for lead, body in found if body]
    if len(listed) > _MOST_PUMPS:
        listed = chance.sample(listed, _MOST_PUMPS)
    leads = dict.fromkeys([*(lead for lead, _ in listed[:1]), ""])
    listed += [(lead, body) for lead in leads for body in HOSTILE]
    return [(lead, body, "\x00") for lead, body in dict.fromkeys(listed)]


def _repeats(tree: Any, lead: str, chance: random.Random, flags: int, depth: int) -> Iterator[tuple[str, str]]:
    """What may be repeated over and over in a tree, and a text that leads there."""
    if depth > _DEPTH:
        return
    for op, value in tree:
        name = str(op)
        if name in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
            low, high, body = value
            if int(high) >= 32:
                for _ in range(3):
                    yield lead, _sample(body, chance, flags)
            yield from _repeats(body, lead, chance, flags, depth + 1)
            lead += "".join(_sample(body, chance, flags) for _ in range(min(int(low), 3)))
            continue
        for inner in _inner(name, value):
            yield from _repeats(inner, lead, chance, flags, depth + 1)
        lead += _one(name, value, chance, flags)


def _inner(name: str, value: Any) -> list[Any]:
    if name == "BRANCH":
        return list(value[1])
    if name == "SUBPATTERN":
        return [value[3]]
    if name == "ATOMIC_GROUP":
        return [value]
    if name in {"ASSERT", "ASSERT_NOT"}:
        return [value[1]]
    if name == "GROUPREF_EXISTS":
        return [one for one in value[1:] if one is not None]
    return []


def _sample(tree: Any, chance: random.Random, flags: int, depth: int = 0) -> str:
    parts: list[str] = []
    for op, value in tree:
        name = str(op)
        if name in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}:
            low, high, body = value
            times = min(max(int(low), 1 if int(high) else 0), 4)
            parts += [_sample(body, chance, flags, depth + 1) for _ in range(times)] if depth < _DEPTH else []
        else:
            parts.append(_one(name, value, chance, flags, depth))
    return "".join(parts)


def _one(name: str, value: Any, chance: random.Random, flags: int, depth: int = 0) -> str:
    if name == "LITERAL":
        return chr(value)
    if name == "NOT_LITERAL":
        return "b" if chr(value) == "a" else "a"
    if name == "ANY":
        return "a"
    if name == "IN":
        return _of_class(value, chance)
    if name in {"ASSERT", "ASSERT_NOT", "AT", "GROUPREF"} or depth > _DEPTH:
        return ""
    inner = _inner(name, value)
    return _sample(chance.choice(inner), chance, flags, depth + 1) if inner else ""


_CATEGORIES = {"CATEGORY_DIGIT": "0", "CATEGORY_SPACE": " ", "CATEGORY_WORD": "a", "CATEGORY_NOT_DIGIT": "a",
               "CATEGORY_NOT_SPACE": "a", "CATEGORY_NOT_WORD": " "}  # fmt: skip


def _of_class(items: Any, chance: random.Random) -> str:
    if str(items[0][0]) == "NEGATE":
        refused = {chr(value) for op, value in items[1:] if str(op) == "LITERAL"}
        return next((char for char in "a0 -.A/\u4e2d" if char not in refused), "~")
    op, value = chance.choice(list(items))
    if str(op) == "RANGE":
        return chr(chance.randint(*value))
    return chr(value) if str(op) == "LITERAL" else _CATEGORIES.get(str(value), "a")

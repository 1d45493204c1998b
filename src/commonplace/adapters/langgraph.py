"""LangGraph's `BaseStore` on a book, so that LangMem and every other user of a store works on it.

The records are in the book, and values are JSON, nothing else. A search by meaning uses the book's own embedder, unless
another one is given. A filter is compared with values in Python: no key or value of it reaches any query language.
"""

# pyright: basic, reportMissingImports=false
# LangGraph is no development dependency: this module is checked and tried where it is installed.

import operator
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from anyio.to_thread import run_sync
from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    PutOp,
    SearchItem,
    SearchOp,
    ensure_embeddings,
    get_text_at_path,
    tokenize_path,
    validate_op_namespace,
)

from commonplace.flows.records import Place, Record
from commonplace.memory import Memory

_FILTER_KEY = re.compile(r"[A-Za-z0-9_.-]+")
_ORDER: Mapping[str, Callable[[Any, Any], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}


class BookStore(BaseStore):
    """For `graph.compile(store=BookStore(memory))`. `index` is LangGraph's own setting for searches by meaning: another
    embedder or other fields; False switches them off."""

    supports_ttl = False

    def __init__(self, memory: Memory, *, index: Any = None) -> None:
        self._memory = memory
        self._index = index
        self._guard = threading.RLock()
        self._vectors: dict[str, Any] = {}

    def batch(self, ops: Iterable[Any]) -> list[Any]:
        given = list(ops)
        for op in given:
            validate_op_namespace(op)
            _check_filter(op)
        with self._guard:
            known = self._memory.records.all()
            results = [self._result(op, known) for op in given]
            puts = {(tuple(op.namespace), op.key): op for op in given if isinstance(op, PutOp)}
            if puts:
                self._memory.records.put((place, op.value, _indexed(op)) for place, op in puts.items())
            return results

    async def abatch(self, ops: Iterable[Any]) -> list[Any]:
        given = list(ops)
        return await run_sync(lambda: self.batch(given))

    def _result(self, op: Any, known: Mapping[Place, Record]) -> Any:
        match op:
            case PutOp():
                return None
            case GetOp():
                found = known.get((tuple(op.namespace), op.key))
                return _item((tuple(op.namespace), op.key), found) if found else None
            case SearchOp():
                return self._search(op, known)
            case ListNamespacesOp():
                return _namespaces(op, known)
            case _:
                raise ValueError(f"Unknown operation type: {type(op)}")

    def _search(self, op: Any, known: Mapping[Place, Record]) -> list[SearchItem]:
        prefix = tuple(op.namespace_prefix)
        fitting = [
            (place, record)
            for place, record in known.items()
            if place[0][: len(prefix)] == prefix and _fits(record.value, op.filter or {})
        ]
        scores = self._scores(op.query, fitting) if op.query and self._index is not False else {}
        ranked = sorted(fitting, key=lambda one: -scores.get(one[0], -2.0))
        shown = ranked[op.offset : op.offset + op.limit]
        return [_found(place, record, scores.get(place)) for place, record in shown]

    # -- by meaning ----------------------------------------------------------------------------------------------------

    def _scores(self, query: str, records: Sequence[tuple[Place, Record]]) -> dict[Place, float]:
        """How near each record is to the query, by the nearest of its texts; those that are not indexed have none."""
        embed, fields = self._embedding()
        if embed is None:
            return {}
        texts = {place: list(dict.fromkeys(_texts(record, fields))) for place, record in records}
        wanted = dict.fromkeys(text for found in texts.values() for text in found)
        new = [text for text in wanted if text not in self._vectors]
        self._vectors |= dict(zip(new, map(_unit, embed(new) if new else []), strict=True))
        (asked,) = map(_unit, embed([query]))
        return {
            place: max(float(np.dot(self._vectors[text], asked)) for text in found)
            for place, found in texts.items()
            if found
        }

    def _embedding(self) -> tuple[Callable[[list[str]], Any] | None, list[str]]:
        if self._index:
            return ensure_embeddings(self._index["embed"]).embed_documents, self._index.get("fields") or ["$"]
        reader = self._memory.embedder
        return (reader.embed if reader else None), ["$"]


def _unit(vector: Any) -> Any:
    found = np.asarray(vector, dtype=np.float32)
    length = float(np.linalg.norm(found))
    return found / length if length else found


def _indexed(op: Any) -> dict[str, object]:
    """Which fields of a value its writer wants searched, where it says so."""
    return {} if op.index is None else {"index": op.index}


def _texts(record: Record, fields: Sequence[str]) -> Iterator[str]:
    chosen = record.more.get("index", fields)
    for path in chosen if isinstance(chosen, list) else []:
        yield from get_text_at_path(record.value, path if path == "$" else tokenize_path(path))


# -- filters -----------------------------------------------------------------------------------------------------------


def _check_filter(op: Any) -> None:
    for key in (op.filter or {}) if isinstance(op, SearchOp) else ():
        if not _FILTER_KEY.fullmatch(key):
            raise ValueError(f"Invalid filter key: '{key}'. Use letters, digits, '_', '-' and dots.")


def _fits(value: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return all(_compares(_at(value, key), expected) for key, expected in wanted.items())


def _at(value: Any, key: str) -> Any:
    """What stands under a key, or under the keys of a path with dots."""
    if not isinstance(value, Mapping) or key in value:
        return value.get(key) if isinstance(value, Mapping) else None
    first, _, rest = key.partition(".")
    return _at(value.get(first), rest) if rest else None


def _compares(found: Any, expected: Any) -> bool:
    if not isinstance(expected, Mapping):
        return found == expected and isinstance(found, bool) == isinstance(expected, bool)
    if any(str(key).startswith("$") for key in expected):
        return all(_holds(found, sign, other) for sign, other in expected.items())
    return isinstance(found, Mapping) and all(_compares(found.get(key), other) for key, other in expected.items())


def _holds(found: Any, sign: str, other: Any) -> bool:
    if sign == "$eq":
        return _compares(found, other)
    if sign == "$ne":
        return not _compares(found, other)
    if sign not in _ORDER:
        raise ValueError(f"Unsupported operator: {sign}")
    try:
        return _ORDER[sign](float(found), float(other))
    except (TypeError, ValueError):
        return isinstance(found, str) and isinstance(other, str) and _ORDER[sign](found, other)


# -- namespaces --------------------------------------------------------------------------------------------------------


def _namespaces(op: Any, known: Mapping[Place, Record]) -> list[tuple[str, ...]]:
    found = {
        namespace[: op.max_depth]
        for namespace, _ in known
        if all(_matches(namespace, one) for one in op.match_conditions or ())
    }
    return sorted(found)[op.offset : op.offset + op.limit]


def _matches(namespace: tuple[str, ...], condition: Any) -> bool:
    length = len(condition.path)
    if len(namespace) < length:
        return False
    part = namespace[:length] if condition.match_type == "prefix" else namespace[len(namespace) - length :]
    return all(wanted in ("*", label) for label, wanted in zip(part, condition.path, strict=True))


def _item(place: Place, record: Record) -> Item:
    namespace, key = place
    return Item(
        value=dict(record.value), key=key, namespace=namespace, created_at=record.created, updated_at=record.updated
    )


def _found(place: Place, record: Record, score: float | None) -> SearchItem:
    namespace, key = place
    return SearchItem(namespace, key, dict(record.value), record.created, record.updated, score)

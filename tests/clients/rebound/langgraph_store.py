"""Our store in the place of LangGraph's on SQLite, and of the one in memory."""

# pyright: basic, reportMissingImports=false
# LangGraph is no development dependency: this runs where it is installed.

import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from importlib import import_module
from typing import Any

from commonplace.adapters.langgraph import BookStore
from commonplace.memory import Memory

sqlite: Any = import_module("langgraph.store.sqlite")
asynchronous: Any = import_module("langgraph.store.sqlite.aio")
memory: Any = import_module("langgraph.store.memory")


def _index(given: Any) -> Any:
    if not given or "text_fields" not in given:
        return given or False
    return {**{k: v for k, v in given.items() if k != "text_fields"}, "fields": given["text_fields"]}


class _Rebound(BookStore):
    def __init__(self, *, index: Any = None, **_: Any) -> None:
        super().__init__(Memory.open(tempfile.mkdtemp()), index=_index(index))
        self.index_config = index and {**index, "__tokenized_fields": []}

    MIGRATIONS: tuple[str, ...] = ()

    @classmethod
    @contextmanager
    def from_conn_string(cls, _: str, **more: Any) -> Iterator["_Rebound"]:
        yield cls(**more)

    def setup(self) -> None:
        """There is nothing to set up."""


class _AsyncRebound(_Rebound):
    @classmethod
    @asynccontextmanager
    async def from_conn_string(cls, _: str, **more: Any) -> AsyncIterator["_AsyncRebound"]:  # pyright: ignore[reportIncompatibleMethodOverride]
        yield cls(**more)

    async def setup(self) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """There is nothing to set up."""


sqlite.SqliteStore = _Rebound
sqlite.AsyncSqliteStore = asynchronous.AsyncSqliteStore = _AsyncRebound
memory.InMemoryStore = _Rebound

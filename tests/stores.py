"""The stores that behaviour is tested on. `place` in a test is where its book is; the book begins with the first write.

A test without a mark runs on a folder; with `every_store`, on each of these; with `--store=NAME`, all that use `place`
and no others run on that one, except those about disks, which have the mark `folder`, and those with
processes of their own (mark `processes`), which do not see another's memory.
"""

import atexit
import uuid
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from commonplace.files.folder import FolderStorage
from commonplace.files.transactions import Plan
from commonplace.memory import Memory
from commonplace.ports import Storage
from commonplace.stores.postgres import migrate_database
from commonplace.types import Note, Origin
from tests.postgres import Postgres, postgres

Place = Path | str


def _in_folder(tmp_path: Path) -> Place:
    return tmp_path / "book"


def _in_memory(_tmp_path: Path) -> Place:
    return f"memory://{uuid.uuid4().hex}"


def stored(storage: Storage) -> list[bytes]:
    """All that a store has of a book, names too."""
    names = list(storage.walk())
    bodies = [body for _, body in storage.history.bodies()]
    return [*map(str.encode, names), *(storage.read(name).data or b"" for name in names), *bodies]


def put(memory: Memory, name: str, data: str | bytes) -> None:
    """Write a file of a book as the person: in a folder with another program, behind its back; elsewhere as a change of
    theirs, unless it is one of those that no history has."""
    storage, content = memory.book.storage, data.encode() if isinstance(data, str) else data
    if isinstance(storage, FolderStorage):
        file = memory.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    elif name.startswith(".") or name.endswith((".jsonl", ".summary.md")):
        storage.write(name, content, expected=storage.read(name).version)
    else:
        memory.book.change([name], lambda _: Plan({name: content}, Note("Edit by hand", Origin.PERSON), None))


def got(memory: Memory, name: str) -> bytes:
    """The bytes of a file of a book; of one in a folder, as another program reads them."""
    storage = memory.book.storage
    return (memory.path / name).read_bytes() if isinstance(storage, FolderStorage) else storage.read(name).data or b""


def _in_postgres(_tmp_path: Path) -> Place:
    return prepared().address("app", "books", "tests", f"b{uuid.uuid4().hex}")


@cache
def prepared() -> Postgres:
    """A server with the tables of books, and a user who owns nothing in it."""
    running = own_server()
    atexit.register(running.__exit__, None, None, None)
    return running.__enter__()


@contextmanager
def own_server(**settings: str) -> Generator[Postgres]:
    """Another such server, for whoever kills it."""
    with postgres(**settings) as server:
        server.run("CREATE USER owner", "CREATE USER app")
        _make_database(server, "books")
        yield server


def new_database() -> str:
    """The address of a new database with the tables of books, for the user who owns nothing in it."""
    name = f"d{uuid.uuid4().hex}"
    _make_database(prepared(), name)
    return prepared().address("app", name)


def _make_database(server: Postgres, name: str) -> None:
    server.run(f"CREATE DATABASE {name} OWNER owner")
    server.run("CREATE EXTENSION vector", database=name)
    migrate_database(server.address("owner", name), "app")


STORES: dict[str, Callable[[Path], Place]] = {"folder": _in_folder, "memory": _in_memory, "postgres": _in_postgres}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--store", choices=list(STORES), help="run behaviour tests on books in this store")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "place" not in metafunc.fixturenames:
        return
    chosen: str | None = metafunc.config.getoption("--store")
    marks = {mark.name for mark in metafunc.definition.iter_markers()}
    if "folder" in marks:
        stores = ["folder"] if chosen in {None, "folder"} else []
    else:
        stores = [chosen] if chosen else list(STORES) if "every_store" in marks else ["folder"]
    if "processes" in marks:
        stores = [store for store in stores if store != "memory"]
    metafunc.parametrize("place", stores, indirect=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A pass over another store runs what says where its book is, and nothing else twice."""
    if config.getoption("--store") in {None, "folder"}:
        return
    chosen = [
        item for item in items if "place" in getattr(item, "fixturenames", ()) and not item.get_closest_marker("folder")
    ]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(chosen)])
    items[:] = chosen


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Where the book of a test is."""
    return STORES[request.param](tmp_path)

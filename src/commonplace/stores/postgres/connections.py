"""Connections of this process to one database, and what becomes of one that is lost.

A thread that holds a lock works on the connection that holds it, and only there: so whatever it writes is written while
it has the lock. What may be done twice without harm is done again on a new connection. Who was alone with a task and
lost the connection is alone no more: they are told, and write nothing.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from typing import TypeVar
from weakref import WeakKeyDictionary

import psycopg
from psycopg import errors
from psycopg.conninfo import make_conninfo
from psycopg_pool import ConnectionPool, PoolTimeout

from commonplace.errors import BookBusy, ConfigError, StorageError
from commonplace.stores.postgres.schema import NEWEST, TENANT, grant, migrate, version

Connection = psycopg.Connection[tuple[object, ...]]
_T = TypeVar("_T")
_MOST = 10
_TRIES = 6
_NAP = 0.05
_CONNECT_SECONDS = 10
_AGAIN = (psycopg.OperationalError, psycopg.InterfaceError, errors.SerializationFailure, errors.DeadlockDetected)


@dataclass(frozen=True, slots=True)
class Lock:
    """One advisory lock. `of_task`: it is held for as long as a model may take, and cannot be taken again unnoticed."""

    tenant: str
    book: str
    task: str

    @property
    def key(self) -> int:
        digest = hashlib.sha256("\0".join((self.tenant, self.book, self.task)).encode()).digest()
        return int.from_bytes(digest[:8], "big", signed=True)

    @property
    def of_task(self) -> bool:
        return self.task != ""


@dataclass(slots=True)
class _Pinned:
    """The connection of a thread that holds locks; None once it is lost."""

    connection: Connection | None
    held: list[Lock] = field(default_factory=list[Lock])


class Database:
    """One database, for all threads and books of this process."""

    def __init__(self, parameters: tuple[tuple[str, str], ...]) -> None:
        self._threads = threading.local()
        self._tenants: WeakKeyDictionary[Connection, str] = WeakKeyDictionary()
        self._checked = False
        self._attending = threading.Lock()
        self._attended: Connection | None = None
        self._keys: Counter[int] = Counter()
        self._pool: ConnectionPool[Connection] = ConnectionPool(
            kwargs={"connect_timeout": _CONNECT_SECONDS, **dict(parameters), "autocommit": True},
            min_size=0,
            max_size=_MOST,
            timeout=_CONNECT_SECONDS,
            reconnect_timeout=_CONNECT_SECONDS,
            open=True,
        )

    def run(self, tenant: str, work: Callable[[Connection, bool], _T]) -> _T:
        """Do `work` on a connection that sees this tenant. It is told whether it may have been done before: then it
        must find out, and not do it twice."""
        for attempt in range(_TRIES):
            try:
                with self._connection(tenant) as connection:
                    return work(connection, attempt > 0)
            except PoolTimeout as error:
                raise unreachable(error) from error
            except _AGAIN as error:
                if attempt + 1 == _TRIES:
                    raise unreachable(error) from error
                self._pool.check()  # who lost one has lost the others too: else each try would take another dead one
                time.sleep(_NAP * 2**attempt * (0.5 + os.urandom(1)[0] / 255))
            except (errors.UndefinedTable, errors.InvalidSchemaName) as error:
                raise not_migrated() from error
            except psycopg.Error as error:
                raise StorageError(f"The database said no: {_words(error)}") from error
        raise AssertionError("unreachable")

    @contextmanager
    def _connection(self, tenant: str) -> Generator[Connection]:
        pinned: _Pinned | None = getattr(self._threads, "pinned", None)
        if pinned is None:
            with self._pool.connection() as connection:
                self._prepare(connection, tenant)
                yield connection
            return
        connection = pinned.connection
        if connection is None or connection.closed:
            connection = self._recovered(pinned)
        self._prepare(connection, tenant)
        yield connection

    def _prepare(self, connection: Connection, tenant: str) -> None:
        """A connection sees one tenant at a time."""
        if self._tenants.get(connection) != tenant:
            connection.execute("SELECT set_config(%s, %s, false)", [TENANT, tenant])
            self._tenants[connection] = tenant
        if not self._checked:
            found = version(connection)
            if found != NEWEST:
                raise not_migrated() if found < NEWEST else _too_new(found)
            self._checked = True

    # -- locks ---------------------------------------------------------------------------------------------------------

    @contextmanager
    def locked(self, lock: Lock, timeout: float) -> Generator[None]:
        """Hold a lock; the same thread may take it again."""
        pinned: _Pinned | None = getattr(self._threads, "pinned", None)
        first = pinned is None
        if pinned is None:
            pinned = _Pinned(self._taken())
            self._threads.pinned = pinned
        try:
            if lock not in pinned.held:
                self.run(lock.tenant, lambda connection, _: _acquire(connection, lock, timeout))
            pinned.held.append(lock)
            try:
                yield
            finally:
                pinned.held.reverse()
                pinned.held.remove(lock)
                pinned.held.reverse()
                if lock not in pinned.held and pinned.connection is not None:
                    with suppress(psycopg.Error):  # with the connection the lock is gone, too
                        pinned.connection.execute("SELECT pg_advisory_unlock(%s)", [lock.key])
        finally:
            if first:
                self._threads.pinned = None
                if pinned.connection is not None:
                    self._pool.putconn(pinned.connection)

    def _taken(self) -> Connection:
        try:
            return self._pool.getconn()
        except (PoolTimeout, psycopg.OperationalError) as error:
            raise unreachable(error) from error

    def _recovered(self, pinned: _Pinned) -> Connection:
        """A lost connection has lost its locks. They are taken again, unless somebody may have done the task meanwhile;
        what is written under the book's own lock is compared with what was read in any case."""
        if pinned.connection is not None:
            self._pool.putconn(pinned.connection)
            pinned.connection = None
        if any(lock.of_task for lock in pinned.held):
            raise StorageError(
                "The connection to the database was lost, and with it the right to do this alone; nothing more is "
                "written.",
                hint="Do it again: it goes on where it stands.",
            )
        connection = self._taken()
        try:
            for lock in dict.fromkeys(pinned.held):
                _acquire(connection, lock, _CONNECT_SECONDS)
        except BaseException:
            self._pool.putconn(connection)
            raise
        pinned.connection = connection
        return connection

    def attend(self, key: int) -> None:
        """Hold what must go with this process: a shared lock on one connection that all of them have."""
        with self._attending:
            try:
                if self._attended is not None and self._attended.closed:  # lost, with all that it held
                    self._pool.putconn(self._attended)
                    self._attended = None
                if self._attended is None:
                    self._attended = self._taken()
                    for held in self._keys:
                        self._attended.execute("SELECT pg_advisory_lock_shared(%s)", [held])
                if key not in self._keys:
                    self._attended.execute("SELECT pg_advisory_lock_shared(%s)", [key])
                self._keys[key] += 1
            except psycopg.Error as error:
                raise unreachable(error) from error

    def leave(self, key: int) -> None:
        with self._attending:
            self._keys[key] -= 1
            if self._keys[key] <= 0:
                del self._keys[key]
                if self._attended is not None:
                    with suppress(psycopg.Error):  # lost, and the lock with it
                        self._attended.execute("SELECT pg_advisory_unlock_shared(%s)", [key])
            if not self._keys and self._attended is not None:
                self._pool.putconn(self._attended)
                self._attended = None

    def close(self) -> None:
        self._pool.close()


def migrated(parameters: tuple[tuple[str, str], ...], role: str | None) -> tuple[int, int]:
    """Take the missing steps in a database, as its owner; then `role` may keep books there."""
    try:
        wanted = make_conninfo("", connect_timeout=_CONNECT_SECONDS, **dict(parameters))
        with psycopg.connect(wanted, autocommit=True) as connection:
            steps = migrate(connection)
            if role is not None:
                grant(connection, role)
            return steps
    except psycopg.OperationalError as error:
        raise unreachable(error) from error
    except psycopg.Error as error:
        raise StorageError(
            f"The database said no: {_words(error)}", hint="Do this as a user who may make tables there."
        ) from error


def _acquire(connection: Connection, lock: Lock, timeout: float) -> None:
    if timeout <= 0:
        row = connection.execute("SELECT pg_try_advisory_lock(%s)", [lock.key]).fetchone()
        if row is None or not row[0]:
            raise _busy(timeout)
        return
    try:
        with connection.transaction():
            connection.execute("SELECT set_config('lock_timeout', %s, true)", [f"{max(1, int(timeout * 1000))}ms"])
            connection.execute("SELECT pg_advisory_lock(%s)", [lock.key])
    except errors.LockNotAvailable:
        raise _busy(timeout) from None


def _busy(timeout: float) -> BookBusy:
    return BookBusy(
        f"The book is locked by another thread, process or server; waited {max(timeout, 0):g} s.",
        hint="Try again in a moment. If a process hangs, end it: the lock goes with it.",
    )


def unreachable(error: Exception) -> StorageError:
    return StorageError(
        f"The database cannot be reached: {_words(error)}",
        hint="Is it running, is the address right, is the password in ~/.pgpass or PGPASSWORD?",
    )


def not_migrated() -> ConfigError:
    return ConfigError(
        "The database has not the tables that this version of Commonplace needs.",
        hint="Make them: commonplace db migrate ADDRESS",
    )


def _too_new(found: int) -> ConfigError:
    return ConfigError(
        f"The tables of the database have version {found}; this version of Commonplace knows {NEWEST}.",
        hint="Update Commonplace.",
    )


def _words(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


@cache
def _known(parameters: tuple[tuple[str, str], ...], process: int) -> Database:  # noqa: ARG001 a child has none
    return Database(parameters)


def database(parameters: tuple[tuple[str, str], ...]) -> Database:
    """The one object for a database in this process."""
    return _known(parameters, os.getpid())

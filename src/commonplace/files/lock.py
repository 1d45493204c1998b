"""One lock per book, shared by every thread and process of this machine.

An OS lock (flock), so a killed process never leaves it behind. Re-entrant within a thread. The holder writes
its number into the lock file, so that whoever waits in vain can be told for whom; never its command line, which may
hold a fact or a secret.
"""

import fcntl
import json
import os
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import cast

from commonplace.errors import BookBusy

_LOCK_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
_SHORTEST_NAP = 0.0005
_LONGEST_NAP = 0.01
_IMPATIENCE = 8.0
_SIGNATURE_LENGTH = 640


class BookLock:
    """The lock of one book within this process; use `book_lock` so that all instances of a book share it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._threads = threading.RLock()
        self._depth = 0
        self._owner = 0
        self._fd = -1

    @property
    def mine(self) -> bool:
        """Whether this thread holds the lock."""
        return self._depth > 0 and self._owner == threading.get_ident()

    @contextmanager
    def held(self, timeout: float) -> Generator[None]:
        """Hold the lock; `BookBusy` names the holder when `timeout` seconds were not enough."""
        deadline = time.monotonic() + timeout
        threads, process = self._threads, os.getpid()
        if not threads.acquire(timeout=max(timeout, 0)):
            raise self._busy(timeout)
        try:
            if self._depth == 0:
                self._lock_file(deadline, timeout)
            self._depth += 1
            self._owner = threading.get_ident()
            try:
                yield
            finally:
                if os.getpid() == process:  # a child forked meanwhile holds nothing that it could let go
                    self._depth -= 1
                    if self._depth == 0:
                        self._unlock_file()
        finally:
            if os.getpid() == process:
                threads.release()

    def holder(self) -> str | None:
        """Who holds the lock now, in words; None when it is free."""
        try:
            fd = os.open(self.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError:
            return None
        try:
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return _describe(os.pread(fd, 4096, 0))
        finally:
            os.close(fd)
        return None

    def _lock_file(self, deadline: float, timeout: float) -> None:
        # Whoever waits holds the turn meanwhile, so a process that writes without pause cannot keep the others out.
        turn = self._locked(self.path.with_name(f"{self.path.name}.next"), deadline, timeout, _LONGEST_NAP)
        try:
            self._fd = self._locked(self.path, deadline, timeout, _SHORTEST_NAP)
        finally:
            os.close(turn)
        with suppress(OSError):  # a full disk must not keep anybody from forgetting something
            os.pwrite(self._fd, _signature(), 0)

    def _locked(self, path: Path, deadline: float, timeout: float, longest_nap: float) -> int:
        started = time.monotonic()
        while True:
            fd = os.open(path, _LOCK_FLAGS, 0o600)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if _is_at(fd, path):
                    return fd
                os.close(fd)  # somebody deleted the lock file meanwhile: what is locked is no longer the lock
            except BlockingIOError:
                os.close(fd)
                now = time.monotonic()
                if now >= deadline:
                    raise self._busy(timeout) from None
                # Who has waited longer asks more often, so whoever has just had the lock comes last.
                nap = max(_SHORTEST_NAP, longest_nap / (1 + _IMPATIENCE * (now - started)))
                time.sleep(nap * (0.5 + os.urandom(1)[0] / 255))
            except BaseException:
                os.close(fd)
                raise

    def _unlock_file(self) -> None:
        fd, self._fd = self._fd, -1
        try:
            fcntl.flock(fd, fcntl.LOCK_UN)  # at once, also while a process that is just being started has a copy
        finally:
            os.close(fd)

    def _busy(self, timeout: float) -> BookBusy:
        holder = self.holder() or "another thread or process"
        return BookBusy(
            f"The book is locked by {holder}; waited {timeout:g} s.",
            hint="Try again in a moment. If that process hangs, end it: the lock goes with it.",
        )

    def forget_after_fork(self) -> None:
        """A forked child holds nothing: the parent keeps its lock through its own descriptor."""
        if self._fd >= 0:
            os.close(self._fd)
        self._threads = threading.RLock()
        self._depth = 0
        self._fd = -1


_locks: dict[str, BookLock] = {}
_locks_guard = threading.Lock()


def book_lock(path: Path) -> BookLock:
    """The lock at `path`: one object for all instances of a book in this process, so re-entry works across them."""
    key = os.path.realpath(path)
    with _locks_guard:
        return _locks.setdefault(key, BookLock(Path(key)))


def _after_fork_in_child() -> None:
    global _locks_guard
    _locks_guard = threading.Lock()
    for lock in _locks.values():
        lock.forget_after_fork()


os.register_at_fork(after_in_child=_after_fork_in_child)


def _is_at(fd: int, path: Path) -> bool:
    try:
        there = os.lstat(path)
    except FileNotFoundError:
        return False
    return os.path.samestat(os.fstat(fd), there)


def _signature() -> bytes:
    """Who holds the lock, always in as many bytes: cutting the file first would make ext4 flush it each time."""
    since = datetime.now().astimezone().isoformat(timespec="seconds")
    text = json.dumps({"pid": os.getpid(), "since": since}, ensure_ascii=True)
    return text.encode().ljust(_SIGNATURE_LENGTH)


def _describe(signature: bytes) -> str | None:
    try:
        raw: object = json.loads(signature)
    except ValueError:
        return "a process that has just taken it"
    if not isinstance(raw, dict):
        return "a process that did not leave its name"
    holder = cast(dict[str, object], raw)
    return f"process {holder.get('pid')} (since {holder.get('since')})"

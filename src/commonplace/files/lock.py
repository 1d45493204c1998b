"""One lock per book, shared by every thread and process of this machine.

An OS lock (flock), so a killed process never leaves it behind. Re-entrant within a thread. The holder writes
its name into the lock file, so that whoever waits in vain can be told for whom.
"""

import fcntl
import json
import os
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import cast

from commonplace.errors import BookBusy

_LOCK_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
_LONGEST_NAP = 0.02


class BookLock:
    """The lock of one book within this process; use `book_lock` so that all instances of a book share it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._threads = threading.RLock()
        self._depth = 0
        self._fd = -1

    @contextmanager
    def held(self, timeout: float) -> Generator[None]:
        """Hold the lock; `BookBusy` names the holder when `timeout` seconds were not enough."""
        deadline = time.monotonic() + timeout
        if not self._threads.acquire(timeout=max(timeout, 0)):
            raise self._busy(timeout)
        try:
            if self._depth == 0:
                self._lock_file(deadline, timeout)
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
                if self._depth == 0:
                    self._unlock_file()
        finally:
            self._threads.release()

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
        fd = os.open(self.path, _LOCK_FLAGS, 0o600)
        nap = 0.0005
        try:
            while True:
                try:
                    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() >= deadline:
                        raise self._busy(timeout) from None
                    time.sleep(nap)
                    nap = min(nap * 2, _LONGEST_NAP)
            os.ftruncate(fd, 0)
            os.pwrite(fd, _signature(), 0)
        except BaseException:
            os.close(fd)
            raise
        self._fd = fd

    def _unlock_file(self) -> None:
        fd, self._fd = self._fd, -1
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
        return _locks.setdefault(key, BookLock(path))


def _after_fork_in_child() -> None:
    global _locks_guard
    _locks_guard = threading.Lock()
    for lock in _locks.values():
        lock.forget_after_fork()


os.register_at_fork(after_in_child=_after_fork_in_child)


def _signature() -> bytes:
    command = " ".join([os.path.basename(sys.argv[0] or "python"), *sys.argv[1:2]])
    since = datetime.now().astimezone().isoformat(timespec="seconds")
    return json.dumps({"pid": os.getpid(), "command": command[:80], "since": since}).encode()


def _describe(signature: bytes) -> str | None:
    try:
        raw: object = json.loads(signature)
    except ValueError:
        return "a process that has just taken it"
    if not isinstance(raw, dict):
        return None
    holder = cast(dict[str, object], raw)
    return f"process {holder.get('pid')} ({holder.get('command')}, since {holder.get('since')})"

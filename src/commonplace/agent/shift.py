"""Working off what waits in a database: one piece after the other, by any number of processes at once.

Whoever is killed in the middle leaves the piece to the next one; a flush that is begun again goes on behind the last
marker in the log, so every message is logged once.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager

from commonplace.agent.lifecycle import Lifecycle
from commonplace.errors import CommonplaceError
from commonplace.stores.postgres.queueing import EMBED, FLUSH, Lease, Work, WorkQueue

_log = logging.getLogger(__name__)
LEASE_SECONDS = 30.0


class Shift:
    """Someone who works. `lifecycle` opens the book of a piece of work, with the model that summarises for it."""

    def __init__(self, queue: WorkQueue, lifecycle: Callable[[Work], Lifecycle], lease: float = LEASE_SECONDS) -> None:
        self._queue = queue
        self._lifecycle = lifecycle
        self._lease = lease
        self.stop = threading.Event()

    def work(self, every: float, *, until_idle: bool = False) -> int:
        """Until `stop` is set, or nothing is due; how many pieces were done. Looks again after `every` seconds."""
        done = 0
        while not self.stop.is_set():
            try:
                outcome = self.next()
            except CommonplaceError as error:  # the database is away
                if until_idle:
                    raise
                _log.warning("The queue cannot be read (%s): %s", error.code, error.message)
                outcome = None
            done += outcome is True
            if outcome is None and not until_idle:
                self.stop.wait(every)
            elif outcome is None:
                break
        return done

    def next(self) -> bool | None:
        """Do one piece; whether it was done. None where nothing is due."""
        lease = self._queue.take(self._lease)
        if lease is None:
            return None
        with self._holding(lease):
            trouble = self._do(lease.work)
        if trouble:
            self._queue.put_off(lease, trouble)
        else:
            self._queue.done(lease)
        return not trouble

    def _do(self, work: Work) -> str:
        """Do it; the code of what went wrong. Whatever it is, the others wait for their turn."""
        try:
            book = self._lifecycle(work)
            if work.task == FLUSH:
                return "flush_failed" if book.flush([work.subject]) else ""
            if work.task == EMBED:
                return "embedder_failed" if book.memory.embed().trouble else ""
            return "unknown_task"
        except CommonplaceError as error:
            _log.warning("%s of %s failed (%s): %s", work.task, work.book, error.code, error.message)
            return error.code
        except Exception:
            _log.exception("%s of %s failed unexpectedly", work.task, work.book)
            return "unexpected"

    @contextmanager
    def _holding(self, lease: Lease) -> Generator[None]:
        """Renew the lease for as long as the work takes: a model may think for minutes."""
        over = threading.Event()

        def renew() -> None:
            while not over.wait(self._lease / 3):
                try:
                    if not self._queue.renew(lease, self._lease):
                        return  # another has it: what both do is done once, by its markers
                except CommonplaceError as error:
                    _log.warning("The lease could not be renewed (%s)", error.code)

        renewing = threading.Thread(target=renew, name="commonplace lease", daemon=True)
        renewing.start()
        try:
            yield
        finally:
            over.set()
            renewing.join()

"""One thread that does small jobs one after the other, so that nobody who asks for one has to wait.

It starts with the first job and ends when there is none left, and never keeps a process from ending: what it did not
get to is caught up with at the next start.
"""

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

_log = logging.getLogger(__name__)


class Worker:
    """Jobs have a name; one that waits already is not queued twice."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[str, Callable[[], object]] = OrderedDict()
        self._busy = False
        self._changed = threading.Condition()

    def ask(self, name: str, job: Callable[[], object]) -> None:
        with self._changed:
            self._jobs.setdefault(name, job)
            if not self._busy:
                self._busy = True
                threading.Thread(target=self._work, name="commonplace worker", daemon=True).start()

    @property
    def busy(self) -> bool:
        with self._changed:
            return self._busy

    def wait(self, seconds: float | None = None) -> bool:
        """Until everything is done; False if it takes longer than that."""
        until = None if seconds is None else time.monotonic() + seconds
        with self._changed:
            while self._busy:
                left = None if until is None else until - time.monotonic()
                if left is not None and left <= 0:
                    return False
                self._changed.wait(left)
        return True

    def _work(self) -> None:
        while True:
            with self._changed:
                if not self._jobs:
                    self._busy = False
                    self._changed.notify_all()
                    return
                _, job = self._jobs.popitem(last=False)
            try:
                job()
            except Exception:
                _log.exception("A job in the background failed")

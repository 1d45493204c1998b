"""How often somebody may ask: as many requests as a minute allows at once, and then at that pace.

Each server counts for itself, so that no request waits for a count in the database: behind N servers somebody may ask
up to N times as often. Who has not asked for long is forgotten.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

_MOST = 10_000


class Allowance:
    """What is left to each person of `per_minute` requests; 0 means that nothing is counted."""

    def __init__(self, per_minute: int, now: Callable[[], float] = time.monotonic) -> None:
        self._most = float(per_minute)
        self._pace = per_minute / 60
        self._now = now
        self._left: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def wait(self, tenant: str, person: str) -> float:
        """Take one; 0 if there was one left, else the seconds until there is."""
        if not self._most:
            return 0.0
        now = self._now()
        with self._lock:
            left, at = self._left.pop((tenant, person), (self._most, now))
            left = min(self._most, left + (now - at) * self._pace)
            taken = left >= 1
            self._left[tenant, person] = (left - 1 if taken else left, now)
            while len(self._left) > _MOST:
                self._left.popitem(last=False)
        return 0.0 if taken else (1 - left) / self._pace

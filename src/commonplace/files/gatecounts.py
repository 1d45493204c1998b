"""How often the gate kept something out of the memory, by day and rule: counts alone, and no word of any text.

What is saved stands in the history; what is not leaves no other trace. The counts are derived, and may be deleted.
"""

import json
import logging
from collections import Counter
from datetime import date
from typing import Any, cast

from commonplace.errors import CommonplaceError
from commonplace.ports import Storage

FILE = ".commonplace/state/verdicts.json"
_DAYS_KEPT = 400
_log = logging.getLogger(__name__)


class VerdictCounts:
    """The counts of one book. A name is what became of a text and the rule that said so, such as `refused secret`."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def add(self, day: date, outcome: str) -> None:
        """Count one. What was decided stands, whether it can be counted or not."""
        try:
            with self._storage.lock():
                days = self._days()
                days.setdefault(day.isoformat(), Counter())[outcome] += 1
                kept = {name: days[name] for name in sorted(days)[-_DAYS_KEPT:]}
                self._storage.put_derived(FILE, [json.dumps(kept).encode()])
        except CommonplaceError as error:
            _log.warning("What the gate did cannot be counted: %s", error.message)

    def days(self) -> dict[date, dict[str, int]]:
        """What was counted, the oldest day first."""
        return {date.fromisoformat(day): dict(counts) for day, counts in sorted(self._days().items())}

    def _days(self) -> dict[str, Counter[str]]:
        try:
            raw: Any = json.loads(self._storage.read(FILE).data or b"{}")
            found = cast("dict[str, dict[str, int]]", raw)
            return {
                date.fromisoformat(day).isoformat(): Counter({str(name): int(count) for name, count in counts.items()})
                for day, counts in found.items()
            }
        except (ValueError, TypeError, AttributeError):  # damaged: it begins anew
            return {}

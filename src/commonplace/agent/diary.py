"""What the life of conversations leaves in a book: the last active date, which flushes failed, and what to tell.

Derived: deleting it costs nothing but a message of `doctor` and one date change that goes unnoticed.
"""

import json
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import cast

from commonplace.errors import BookBusy, Conflict, StorageError
from commonplace.files.folders import PRIVATE
from commonplace.ports import Storage

FILE = f"{PRIVATE}/lifecycle.json"
_DAYS_KEPT = 40
_MOST_NEWS = 20


@dataclass(frozen=True, slots=True)
class FlushFailure:
    """Why the newest flush of a session failed. It is tried again at the next trigger."""

    session: str
    trigger: str
    code: str
    message: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Page:
    """`days` are the newest active dates: for one of them no date change runs again, though the clock jump back.
    `compacted` are the dates on which compaction ran by itself, `news` what the person has not been told yet."""

    last_active: date | None = None
    days: tuple[date, ...] = ()
    failures: dict[str, FlushFailure] = field(default_factory=dict[str, FlushFailure])
    compacted: tuple[date, ...] = ()
    news: tuple[str, ...] = ()

    def changes_to(self, day: date) -> bool:
        """Whether `day` is another one than the last, and its date change has not run yet."""
        return self.last_active not in {None, day} and day not in self.days


class Diary:
    """The page of one book, shared by all processes."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def read(self) -> Page:
        return _parse(self._storage.read(FILE).data)

    def failures(self) -> list[FlushFailure]:
        return sorted(self.read().failures.values(), key=lambda failure: failure.at)

    def note_day(self, day: date) -> None:
        """Store the last active date."""
        with self._storage.lock():
            page = self.read()
            if page.last_active != day:
                days = (day, *(other for other in page.days if other != day))[:_DAYS_KEPT]
                self._write(replace(page, last_active=day, days=days))

    def note_failure(self, failure: FlushFailure) -> None:
        with self._storage.lock():
            page = self.read()
            self._write(replace(page, failures={**page.failures, failure.session: failure}))

    def note_success(self, session: str) -> None:
        if session not in self.read().failures:
            return
        with self._storage.lock():
            page = self.read()
            left = {name: failure for name, failure in page.failures.items() if name != session}
            self._write(replace(page, failures=left))

    def claim_compaction(self, day: date) -> bool:
        """Whether compaction may run by itself on `day`; True for the first who asks."""
        with self._storage.lock():
            page = self.read()
            if day in page.compacted:
                return False
            self._write(replace(page, compacted=(day, *page.compacted)[:_DAYS_KEPT]))
            return True

    def add_news(self, text: str) -> None:
        with self._storage.lock():
            page = self.read()
            self._write(replace(page, news=(*page.news, text)[-_MOST_NEWS:]))

    def take_news(self) -> tuple[str, ...]:
        """What has not been told yet; whoever takes it tells it."""
        if not self.read().news:
            return ()
        with self._storage.lock():
            page = self.read()
            self._write(replace(page, news=()))
            return page.news

    def _write(self, page: Page) -> None:
        record: dict[str, object] = {
            "format": 1,
            "last_active": page.last_active.isoformat() if page.last_active else None,
            "days": [day.isoformat() for day in page.days],
            "failures": [
                {
                    "session": failure.session,
                    "trigger": failure.trigger,
                    "code": failure.code,
                    "message": failure.message,
                    "at": failure.at.isoformat(),
                }
                for failure in page.failures.values()
            ],
            "compacted": [day.isoformat() for day in page.compacted],
            "news": list(page.news),
        }
        data = json.dumps(record, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace") + b"\n"
        self._storage.write(FILE, data, expected=self._storage.read(FILE).version, durable=False)


TROUBLE = (StorageError, Conflict, BookBusy)
"""What may go wrong with the diary; none of it may disturb a conversation."""


def _parse(data: bytes | None) -> Page:
    if data is None:
        return Page()
    try:
        raw = cast(dict[str, object], json.loads(data))
        last = raw["last_active"]
        failures = [_failure(one) for one in cast(list[dict[str, str]], raw["failures"])]
        return Page(
            date.fromisoformat(str(last)) if last else None,
            tuple(date.fromisoformat(day) for day in cast(list[str], raw["days"])),
            {failure.session: failure for failure in failures},
            tuple(date.fromisoformat(day) for day in cast(list[str], raw.get("compacted", []))),
            tuple(str(text) for text in cast(list[str], raw.get("news", []))),
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return Page()


def _failure(raw: dict[str, str]) -> FlushFailure:
    at = datetime.fromisoformat(raw["at"])
    return FlushFailure(raw["session"], raw["trigger"], raw["code"], raw["message"], at)

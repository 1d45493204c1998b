"""What happened when: counts by day, for a calendar and for plots. Derived from the files and the history alone.

What the history told once it will tell again, so it is read on from where it was read to; nothing is kept on disk.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from threading import Lock

from commonplace.files.document import Document
from commonplace.files.transactions import Book
from commonplace.types.asking import Origin
from commonplace.types.book import MEMORY_FILE
from commonplace.types.keeping import Change, DayCounts
from commonplace.types.sessions import SessionGlance

_MOST_VERSIONS = 120
_DEEDS = {
    "Remember": "saved",
    "Revise": "revised",
    "Forget": "forgotten",
    "Move": "moved",
    "Protect": "protected",
    "Hold": "held",
    "Propose": "held",
    "Accept": "accepted",
    "Reject": "rejected",
    "Edit": "by_hand",
    "Log": "logged",
}
_BY_ORIGIN = {Origin.COMPACTION: "compacted", Origin.UNDO: "undone", Origin.RESTORE: "restored"}
DEEDS = tuple(dict.fromkeys([*_DEEDS.values(), *_BY_ORIGIN.values(), "other"]))


class Chart:
    """The history of one book by days. Safe to be asked from several threads."""

    def __init__(self, book: Book) -> None:
        self._history = book.history
        self._lock = Lock()
        self._head: str | None = None
        self._changes: Counter[date] = Counter()
        self._deeds: dict[date, Counter[str]] = {}
        self._sizes: dict[str, int] = {}

    def calendar(self, logs: Iterable[date], sessions: Sequence[SessionGlance]) -> dict[date, DayCounts]:
        """The days on which something happened."""
        counts = dict.fromkeys(logs, DayCounts(log=True))
        for day, said in ((day, said) for one in sessions for day, said in (one.days or _began(one)).items()):
            before = counts.get(day, DayCounts())
            counts[day] = replace(before, sessions=before.sessions + 1, messages=before.messages + said)
        with self._lock:
            self._read_on()
            for day, number in self._changes.items():
                counts[day] = replace(counts.get(day, DayCounts()), changes=number)
        return counts

    def deeds(self) -> dict[date, dict[str, int]]:
        """What was done on each day, as the notes of the changes tell."""
        with self._lock:
            self._read_on()
            return {day: dict(counts) for day, counts in self._deeds.items()}

    def entries(self, since: date) -> dict[date, int]:
        """How many entries there were at the end of each day on which that may have changed, from `since` on; of many
        such days some."""
        newest: dict[date, str | None] = {}
        for commit, _, after in self._history.versions(MEMORY_FILE):
            day = commit.at.astimezone().date()
            newest.setdefault(day, after)
            if day < since:
                break
        days = sorted(newest)
        step = max(1, -(-len(days) // _MOST_VERSIONS))
        chosen = [*days[: len(days) - 1 : step], *days[-1:]]
        with self._lock:
            return {day: self._size(newest[day]) for day in chosen}

    def _size(self, blob: str | None) -> int:
        if blob is None:
            return 0
        if blob not in self._sizes:
            self._sizes[blob] = len(Document.parse(self._history.content(blob)).entries)
        return self._sizes[blob]

    def _read_on(self) -> None:
        head = self._history.head()
        if head == self._head:
            return
        new: list[Change] = []
        for commit in self._history.commits():
            if commit.id == self._head:
                break
            new.append(self._history.change(commit))
        else:  # it was rewritten, by complete forgetting
            self._changes, self._deeds = Counter(), {}
        for change in new:
            day = change.at.astimezone().date()
            self._changes[day] += 1
            self._deeds.setdefault(day, Counter())[_deed(change)] += 1
        self._head = head


def _began(session: SessionGlance) -> dict[date, int]:
    return {session.started.date(): 0}


def _deed(change: Change) -> str:
    first = change.note.summary.partition(" ")[0].rstrip(":")
    return _BY_ORIGIN.get(change.note.origin) or _DEEDS.get(first, "other")

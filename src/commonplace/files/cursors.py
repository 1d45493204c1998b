"""How far each session is logged: the later of the markers in the daily logs and a stored cursor.

The markers are the truth, since each is written together with what it stands for. The cursor adds what no block tells:
that messages needed none, and that a block was there which a person has deleted since.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import cast

from commonplace.files import daily
from commonplace.files.transcripts import check_id
from commonplace.ports import Storage
from commonplace.types.sessions import Message

FOLDER = ".commonplace/state/logged"
EVENT = "event"
MOST_TRIES = 3
"""How often an answer that is none is waited for a better one, from trigger to trigger."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """Everything up to and including the message `through`, which was said `at`."""

    through: str
    at: datetime


class Ledger:
    """What the logs and the stored cursors say. Reads each log once; make a new one for a new look."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._markers: dict[date, list[daily.Marker]] = {}

    def logged(self, session: str, messages: Sequence[Message]) -> int:
        """How many of a session's first messages are logged."""
        stored = self._stored(session)
        cursors = [stored] if stored else []
        for day in {message.at.date() for message in messages}:
            cursors += [Cursor(m.through, m.at) for m in self._markers_of(day) if m.session == session]
        return position(messages, cursors)

    def keep_up(self, session: str, messages: Sequence[Message]) -> None:
        """Store the cursor of a session that is logged to its end, where a crash came between the block and this."""
        stored = self._stored(session)
        if messages and position(messages, [stored] if stored else []) < len(messages):
            self.store(session, Cursor(messages[-1].id, moment(messages[-1].at)))

    def store(self, session: str, cursor: Cursor, *, aside: bool = False) -> None:
        """Everything up to the cursor is logged; or, `aside`, is not to be logged unless somebody asks for it."""
        record = {"through": cursor.through, "at": cursor.at.isoformat(), **({"aside": True} if aside else {})}
        self._storage.put_derived(file_of(session), [json.dumps(record).encode()])

    def is_aside(self, session: str) -> bool:
        return self._record(session).get("aside") is True

    def take_up(self, session: str) -> None:
        """Let what was set aside be logged like everything else."""
        if self.is_aside(session):
            self._storage.delete_derived(file_of(session))

    def _stored(self, session: str) -> Cursor | None:
        record = self._record(session)
        try:
            return Cursor(str(record["through"]), datetime.fromisoformat(str(record["at"])))
        except (ValueError, KeyError):
            return None

    def _record(self, session: str) -> dict[str, object]:
        try:
            raw: object = json.loads(self._storage.read(file_of(session)).data or b"null")
        except ValueError:
            return {}
        return cast(dict[str, object], raw) if isinstance(raw, dict) else {}

    def _markers_of(self, day: date) -> list[daily.Marker]:
        if day not in self._markers:
            name = daily.file_of(day)
            self._markers[day] = daily.markers(self._storage.read(name).data, name)
        return self._markers[day]


class Tries:
    """How often a model was asked in vain about what begins with a message: kept, so that no trigger starts anew."""

    def __init__(self, storage: Storage, task: str) -> None:
        self._storage = storage
        self._task = task

    def count(self, session: str, first: str) -> int:
        try:
            raw: object = json.loads(self._storage.read(self._file_of(session)).data or b"null")
        except ValueError:
            return 0
        record = cast(dict[str, object], raw) if isinstance(raw, dict) else {}
        count = record.get("tries")
        return count if record.get("first") == first and isinstance(count, int) else 0

    def add(self, session: str, first: str) -> int:
        """One more; how many they are now."""
        tries = self.count(session, first) + 1
        self._storage.put_derived(self._file_of(session), [json.dumps({"first": first, "tries": tries}).encode()])
        return tries

    def _file_of(self, session: str) -> str:
        return f"{FOLDER.removesuffix('logged')}tries/{self._task}-{check_id(session, 'session')}.json"


def position(messages: Sequence[Message], cursors: Iterable[Cursor]) -> int:
    """How many of the first messages the cursors cover. A message that is no longer there is known by its time."""
    places: dict[str, list[int]] = {}
    for at, message in enumerate(messages):
        places.setdefault(message.id, []).append(at)
    return max((_covered(messages, places, cursor) for cursor in cursors), default=0)


def _covered(messages: Sequence[Message], places: dict[str, list[int]], cursor: Cursor) -> int:
    named = places.get(cursor.through, [])
    said_then = [at for at in named if moment(messages[at].at) == moment(cursor.at)]
    if said_then or named:
        return (said_then or named)[-1] + 1
    before = [at for at, message in enumerate(messages) if moment(message.at) <= moment(cursor.at)]
    return before[-1] + 1 if before else 0


def moment(at: datetime) -> datetime:
    """A time that can be compared; one without a zone is the machine's own."""
    return at if at.tzinfo else at.astimezone()


def file_of(session: str) -> str:
    return f"{FOLDER}/{check_id(session, 'session')}.json"

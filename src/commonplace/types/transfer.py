"""What other programs kept, as it is brought in, and what came of it."""

from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from commonplace.types.sessions import Message


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation of another program, whole. `id` is the session's in our book; `undated` messages have the time of
    the one before them, since the source gives none. What was left out is told by `dropped`: a reason for each."""

    id: str
    title: str
    messages: tuple[Message, ...]
    undated: int = 0
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Memo:
    """Something that another program remembers. `id` is its own there; `place` tells a person where it stood."""

    id: str
    text: str
    section: str
    place: str
    since: date | None = None
    requested: bool = False


@dataclass(frozen=True, slots=True)
class DayNote:
    """What another program noted about one day."""

    day: date
    text: str
    place: str


@dataclass(frozen=True, slots=True)
class PassedOver:
    """Something that is not brought in, and why."""

    place: str
    why: str


Brought: TypeAlias = Conversation | Memo | DayNote | PassedOver


@dataclass(frozen=True, slots=True)
class LeftOut:
    """How often something was not brought in for one reason, and the first places."""

    why: str
    count: int
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did, or would do. `known` of each was brought in before. Entries that say what the memory says
    already are `merged`, doubtful ones `held` in the inbox. `undated` entries and messages came without a time.
    `restored` is how many files of our own export were put into an empty book, as they were."""

    kind: str
    path: str
    dry_run: bool = False
    conversations: int = 0
    messages: int = 0
    known_messages: int = 0
    taken: int = 0
    merged: int = 0
    held: int = 0
    known: int = 0
    logs: int = 0
    known_logs: int = 0
    undated: int = 0
    restored: int = 0
    skipped: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What an export holds, and what its format has no place for."""

    path: str
    format: str
    files: int = 0
    entries: int = 0
    logs: int = 0
    sessions: int = 0
    changes: int = 0
    bytes: int = 0
    left_out: tuple[str, ...] = ()

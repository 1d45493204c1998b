"""What is kept of a book besides its entries: history, logs, backups; and how it is found to be."""

from dataclasses import dataclass
from datetime import date, datetime

from commonplace.types.asking import Note


@dataclass(frozen=True, slots=True)
class Change:
    """One recorded change of the book."""

    id: str
    at: datetime
    note: Note
    files: tuple[str, ...]

    @property
    def short(self) -> str:
        return self.id[:10]


@dataclass(frozen=True, slots=True)
class FileDiff:
    """What one change did to one file, as text before and after (None: there was no file)."""

    name: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Logged:
    """A block was appended to the daily log of `day`; `removed` are the kinds of secrets that were taken out of it."""

    day: date
    file: str
    change: str
    removed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Backup:
    """A copy of MEMORY.md made before something destructive."""

    name: str
    at: datetime
    size: int


@dataclass(frozen=True, slots=True)
class Restored:
    """MEMORY.md is what `backup` holds; what it held before is in `saved_as` (None: it was blank)."""

    backup: str
    saved_as: str | None
    change: str | None


@dataclass(frozen=True, slots=True)
class Undone:
    """`undone` was taken back by the new change `change`."""

    undone: Change
    change: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Quote:
    """What somebody said in a conversation."""

    session: str
    message: str
    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a text came from: the changes that made it what it is, newest first, and the messages that it rests on."""

    text: str
    file: str
    line: int
    changes: tuple[Change, ...]
    said: tuple[Quote, ...] = ()


@dataclass(frozen=True, slots=True)
class Removal:
    """One place where complete forgetting changes something."""

    place: str
    line: int
    before: str
    after: str | None


@dataclass(frozen=True, slots=True)
class Erasure:
    """What complete forgetting will remove or has removed, and the proof that nothing is left. `unreadable` is how many
    objects of a damaged history are dropped with it. `residue` says what the engine beneath the book keeps of it."""

    text: str
    removals: tuple[Removal, ...]
    commits: int
    done: bool
    searched_files: int = 0
    searched_objects: int = 0
    left: tuple[str, ...] = ()
    unreadable: int = 0
    residue: str = ""


@dataclass(frozen=True, slots=True)
class Moved:
    """A book is in another place now: so many files and bytes, each compared, and so many changes with their ids, of
    which `head` is the newest. `digest` is the SHA-256 of all names and contents: the same in both places."""

    source: str
    target: str
    id: str
    files: int
    bytes: int
    changes: int
    head: str | None
    digest: str


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts a person wants to see first."""

    entries: int
    sections: int
    logs: int
    sessions: int
    backups: int
    changes: int
    bytes: int
    waiting: int


@dataclass(frozen=True, slots=True)
class DayCounts:
    """What happened on one day: whether it has a log, and how many conversations, messages and changes."""

    log: bool = False
    sessions: int = 0
    messages: int = 0
    changes: int = 0


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing `doctor` looked at. `level` is ok, note, warning or error; `fix` says what to do."""

    check: str
    level: str
    message: str
    fix: str = ""

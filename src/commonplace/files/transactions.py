"""A book as one thing: its files, their history, and changes that touch both or neither.

Every change runs under the book's lock: first what happened outside is taken in, where a store can be changed from
outside; then the files are read, and the new ones are written and recorded in one step of the store. Whoever saves a
file in the middle wins: the change is worked out again on their text.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from commonplace.errors import BookMissing, Conflict
from commonplace.files.folders import DAILY, IDENTITY, PRIVATE, SESSIONS
from commonplace.types.asking import Note
from commonplace.types.book import ABSENT, Snapshot

if TYPE_CHECKING:
    from commonplace.ports import Clock, History, Storage

FORMAT = 1
_IGNORE = f"{PRIVATE}/.gitignore"
_ATTEMPTS = 40
_NAP = 0.002
_LONGEST_NAP = 0.05
_PATIENCE = 5.0


_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Plan(Generic[_T]):
    """What a change wants: the new content of files (None: delete), why, and what to tell the caller."""

    files: Mapping[str, bytes | None]
    note: Note
    result: _T


@dataclass(frozen=True, slots=True)
class Identity:
    """What makes a folder a book. `id` stays the same when the folder moves."""

    id: str
    format: int
    created: str


class Book:
    """The truth: files and history of one memory, wherever they are stored."""

    def __init__(self, storage: Storage, clock: Clock, clean: Callable[[str], str] = str) -> None:
        """`clean` is applied to the notes of the history: they repeat what was written."""
        self.storage = storage
        self._clock = clock
        self._clean = clean

    @property
    def history(self) -> History:
        return self.storage.history

    @property
    def rescued(self) -> Sequence[str]:
        """What a person saved in the very moment of a crash: the names under which it was kept."""
        return self.storage.edits.rescued if self.storage.edits else ()

    # -- identity --------------------------------------------------------------------------------------------

    def identity(self) -> Identity | None:
        """Who this book is; None when there is no book yet."""
        data = self.storage.read(IDENTITY).data
        if data is None:
            return None
        try:
            raw = cast(dict[str, object], json.loads(data))
            found = Identity(str(raw["id"]), int(str(raw["format"])), str(raw["created"]))
        except (ValueError, KeyError, TypeError):
            raise BookMissing(
                f"{IDENTITY} of {self.storage.address} cannot be read.",
                hint="Delete that one file: the next write makes a new one. Nothing else is affected.",
            ) from None
        if found.format > FORMAT:
            raise BookMissing(
                f"This book has format {found.format}; this version of Commonplace knows {FORMAT}.",
                hint="Update Commonplace.",
            )
        return found

    def create(self) -> Identity:
        """Begin the book, if there is none yet. What is already in its place stays and becomes part of it."""
        self.storage.prepare()
        with self.storage.lock():
            known = self.identity()
            if known is not None:
                return known
            made = Identity(os.urandom(16).hex(), FORMAT, self._clock.now().isoformat(timespec="seconds"))
            text = json.dumps({"id": made.id, "format": made.format, "created": made.created}, indent=1) + "\n"
            if self.storage.read(_IGNORE).data is None:
                self.storage.write(_IGNORE, b"*\n", expected=ABSENT)
            self.storage.write(IDENTITY, text.encode(), expected=ABSENT)
            return made

    # -- changing --------------------------------------------------------------------------------------------

    def change(
        self, names: Sequence[str], work: Callable[[Mapping[str, bytes | None]], Plan[_T]]
    ) -> tuple[_T, str | None]:
        """Let `work` turn the content of `names` into a plan, and carry it out; the change's id is None if there
        was nothing to do. `work` may run several times and must have no effects of its own."""
        self.storage.prepare()
        with self.storage.lock():
            self.create()
            started = time.monotonic()
            for attempt in range(_ATTEMPTS):
                time.sleep(min(attempt * _NAP, _LONGEST_NAP))  # whoever is saving the file needs a moment to finish
                self.catch_up()
                before = {name: self.storage.read(name) for name in names}
                plan = work({name: snapshot.data for name, snapshot in before.items()})
                changed = {name: data for name, data in plan.files.items() if data != before[name].data}
                if not changed:
                    return plan.result, None
                try:
                    return plan.result, self._record(changed, before, plan.note)
                except Conflict:
                    if time.monotonic() - started > _PATIENCE:  # others wait for the lock
                        break
        raise Conflict(
            f"{', '.join(names)} kept changing while Commonplace wanted to write; nothing was written.",
            hint="Another program writes to the file all the time. Stop it, then try again.",
        )

    def record_note(self, note: Note) -> str:
        """A change of the history alone: something that is worth knowing but left no file different."""
        return self._record({}, {}, note)

    def _record(self, changes: Mapping[str, bytes | None], before: Mapping[str, Snapshot], note: Note) -> str:
        clean = self._clean
        said = replace(
            note,
            summary=clean(note.summary),
            session=note.session and clean(note.session),
            reason=note.reason and clean(note.reason),
        )
        return self.storage.record(changes, before, said, self._clock.now())

    def size(self) -> int:
        """The total size in bytes of all memory files: MEMORY.md, daily logs, transcripts and summaries."""
        files = [file for folder in ("", DAILY, SESSIONS) for file in self.storage.list_folder(folder)]
        return sum(file.size for file in files if file.kind == "file" and file.name.endswith((".md", ".jsonl")))

    # -- what happened outside ---------------------------------------------------------------------------------

    def catch_up(self) -> str | None:
        """Take in what happened outside; returns the id of the change that recorded edits."""
        edits = self.storage.edits
        return edits.take_in(self._clock.now(), self._clean) if edits else None

    def missing(self) -> BookMissing | None:
        """What a reader must be told who finds nothing where the history knows that something was. Costs next to
        nothing while MEMORY.md is there."""
        return self.storage.edits.missing() if self.storage.edits else None

    def gone(self) -> list[str]:
        """The files that the history has and the book has not."""
        return self.storage.edits.gone() if self.storage.edits else []

    def accept_deletion(self) -> str | None:
        """Record that a person deleted every file, as they say they did."""
        edits = self.storage.edits
        return edits.accept_deletion(self._clock.now(), self._clean) if edits else None

    def bring_back(self) -> list[str]:
        """Write the files that the history has and the book has not."""
        return self.storage.edits.bring_back() if self.storage.edits else []

"""How a book in a folder changes: our own changes, and what people and other programs do to its files meanwhile.

A change is written by hand in three steps, so that files and history change together or not at all: its commit is
prepared, the files are written with compare-and-swap, the commit is published. Before each, what happened outside is
taken in: a crash's remains, and a person's edits, which are recorded as theirs.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, cast

from commonplace.errors import BookMissing, Conflict, StorageError, partly
from commonplace.files import folders
from commonplace.files.descriptors import is_name
from commonplace.files.folders import PRIVATE, SETTINGS_FILE
from commonplace.files.history import Damaged, blob_id
from commonplace.types.asking import Note, Origin
from commonplace.types.book import ABSENT, MEMORY_FILE, FileStat, Snapshot

if TYPE_CHECKING:
    from commonplace.files.folder import FolderStorage

_SEEN = f"{PRIVATE}/seen.json"
_EDITORS_PAUSE = 0.05
_WORTH_KEEPING = 16


class FolderChanges:
    """The changes of one book in a folder."""

    def __init__(self, storage: FolderStorage) -> None:
        self.storage = storage
        self.history = storage.history
        self.rescued: list[str] = []
        self._seen: dict[str, list[str]] | None = None
        self._newly_seen = 0
        self._recorded: dict[str, str] = {}

    # -- ours --------------------------------------------------------------------------------------------------

    def record(
        self, changes: Mapping[str, bytes | None], before: Mapping[str, Snapshot], note: Note, at: datetime
    ) -> str:
        """Write files and record them. `Conflict` if one is not what was read, or was not what is recorded: saved by a
        person this very moment, it must be recorded as theirs first, or undo would take it."""
        if any(self._recorded.get(name) != _blob_or_none(file.data) for name, file in before.items()):
            raise Conflict("A file was changed by somebody else in the meantime; nothing was written.")
        id = self.history.prepare(changes, note, at)
        try:
            self._apply(changes, before)
        except Conflict:
            self.history.drop_pending()
            raise
        self._publish(id)
        return id

    def _apply(self, changed: Mapping[str, bytes | None], before: Mapping[str, Snapshot]) -> None:
        written: list[str] = []
        try:
            for name, data in changed.items():
                self._put(name, data, before[name].version)
                written.append(name)
        except (StorageError, Conflict) as error:
            for name in written:
                try:
                    now = self.storage.read(name)
                    if now.data == changed[name]:
                        self._put(name, before[name].data, now.version)
                except (StorageError, Conflict):
                    raise partly(error, f"{name} is changed already and cannot be put back now.") from error
            raise

    def _put(self, name: str, data: bytes | None, expected: str) -> None:
        if data is not None:
            self.storage.write(name, data, expected=expected)
        elif expected != ABSENT:
            self.storage.delete(name, expected=expected)

    def _publish(self, id: str) -> None:
        """The files are durable by now. If the history cannot take its last step, the next change takes it."""
        try:
            self.history.publish(id)
        except StorageError:
            return
        try:
            self.history.tidy()
        except StorageError:
            return

    # -- what happened outside ---------------------------------------------------------------------------------

    def take_in(self, at: datetime, clean: Callable[[str], str]) -> str | None:
        """Take in what a crash left and what a person edited; returns the id of the change that recorded edits."""
        with self.storage.lock():
            self.rescued += self.storage.collect_leftovers()
            self.history.mend_head()
            try:
                self._settle_pending()
                return self._record_hand_edits(at, clean)
            except Damaged as error:
                files = {file.name: data for file in self._tracked() if (data := self._read_if_possible(file.name))}
                note = Note(
                    "Begin the history anew", Origin.IMPORT, reason=f"The earlier one is damaged: {error.message}"
                )
                self._recorded = {name: blob_id(data) for name, data in files.items()}
                return self.history.begin_anew(files, note, at)

    def _settle_pending(self) -> None:
        """A crash between write and publish: publish if the files are there, complete them if some are, else drop."""
        pending = self.history.pending()
        if pending is None:
            return
        head = self.history.head()
        try:
            commit = self.history.commit(pending)
            changed = self.history.changed_files(commit) if commit.parents == ((head,) if head else ()) else {}
        except Damaged:  # whatever it was about, what stands in the files counts
            self.history.drop_pending()
            return
        states = {name: self._blob_on_disk(name) for name in changed}
        done = [name for name, (_, new) in changed.items() if states[name] == new]
        open_ = [name for name, (old, _) in changed.items() if states[name] == old and name not in done]
        if done and len(done) + len(open_) == len(changed):
            for name in open_:
                new = changed[name][1]
                self._put(name, self.history.content(new) if new else None, self.storage.read(name).version)
            self._publish(pending)
        else:
            self.history.drop_pending()

    def _record_hand_edits(self, at: datetime, clean: Callable[[str], str]) -> str | None:
        known = self.history.files(self.history.head())
        tracked = self._tracked()
        on_disk = {file.name: blob for file in tracked if (blob := self._blob_of(file)) is not None}
        present = {file.name for file in tracked}
        gone = [name for name in known if name not in present and self._is_gone(name)]
        if lost := self._lost(known, gone):
            raise lost
        self._keep_seen()
        return self._record(on_disk, known, gone, at, clean)

    def missing(self) -> BookMissing | None:
        """What a reader must be told who finds nothing where the history knows that something was: a disk that is not
        mounted, or a sync gone wrong, is no empty memory. Costs next to nothing while MEMORY.md is there."""
        try:
            if self.storage.holds(MEMORY_FILE) or not self.storage.holds(folders.IDENTITY):
                return None
            known = self.history.files(self.history.head())
            if MEMORY_FILE in known:
                time.sleep(_EDITORS_PAUSE)  # there are editors that delete a file before they write it anew
        except StorageError:  # what is there and cannot be read is told by whoever reads it
            return None
        return self._lost(known, [name for name in known if self._is_gone(name)])

    def gone(self) -> list[str]:
        """The files that the history has and the folder has not."""
        known = self.history.files(self.history.head())
        return [name for name in known if self._is_gone(name)]

    def _lost(self, known: Mapping[str, str], gone: Sequence[str]) -> BookMissing | None:
        """That one of several files was deleted is a person's edit; that all are gone, or the memory itself, is not
        taken for one."""
        if known and len(gone) == len(known):
            what = f"All {len(gone)} files that {self.storage.root} had are gone"
        elif MEMORY_FILE in gone:
            what = f"{MEMORY_FILE} is gone from {self.storage.root}, while other files of the book are there"
        else:
            return None
        return BookMissing(
            f"{what}; this is not taken for an edit.",
            hint="Is the disk mounted, is a sync tool at work? `commonplace doctor --bring-back` restores what is "
            "missing from the history, `commonplace doctor --accept-deletion` keeps it deleted.",
        )

    def accept_deletion(self, at: datetime, clean: Callable[[str], str]) -> str | None:
        """Record that a person deleted every file, as they say they did."""
        with self.storage.lock():
            known = self.history.files(self.history.head())
            return self._record({}, known, [name for name in known if self._is_gone(name)], at, clean)

    def bring_back(self) -> list[str]:
        """Write the files that the history has and the folder has not."""
        with self.storage.lock():
            known = self.history.files(self.history.head())
            gone = [name for name in known if self._is_gone(name)]
            for number, name in enumerate(gone):
                try:
                    self.storage.write(name, self.history.content(known[name]), expected=ABSENT)
                except StorageError as error:
                    raise partly(error, f"{number} of {len(gone)} files are back.") from error
            return gone

    def _record(
        self,
        on_disk: Mapping[str, str],
        known: Mapping[str, str],
        gone: Sequence[str],
        at: datetime,
        clean: Callable[[str], str],
    ) -> str | None:
        edited = [name for name, blob in on_disk.items() if known.get(name) != blob]
        changes = {name: data for name in edited if (data := self.storage.read(name).data) is not None}
        self._recorded = {name: blob for name, blob in known.items() if name not in gone}
        self._recorded |= {name: blob_id(data) for name, data in changes.items()}
        if not changes and not gone:
            return None
        names = [*edited, *gone]
        what = names[0] if len(names) == 1 else f"{len(names)} files"
        note = Note(clean(f"Edit {what} by hand"), Origin.PERSON)
        if not known:  # nobody changed anything: the files were there before the book
            note = Note(clean(f"Begin with {what} found in the folder"), Origin.IMPORT)
        id = self.history.prepare({**changes, **dict.fromkeys(gone)}, note, at)
        self.history.publish(id)
        return id

    def _tracked(self) -> list[FileStat]:
        """The files whose changes the history keeps: all that a person reads, except transcripts and backups."""
        files = [
            *(f for f in self.storage.list_folder("") if f.name.endswith(".md") or f.name == SETTINGS_FILE),
            *(f for f in self.storage.list_folder(folders.DAILY) if f.name.endswith(".md")),
            *(f for f in self.storage.list_folder(folders.SESSIONS) if f.name.endswith(".md")),
            *self._below(folders.MEMORIES),
        ]
        return [file for file in files if is_name(file.name)]

    def _below(self, folder: str) -> Iterator[FileStat]:
        """The files in a folder and in all folders in it."""
        for file in self.storage.list_folder(folder):
            if file.kind == "folder" and is_name(file.name):
                yield from self._below(file.name)
            elif file.kind == "file":
                yield file

    def blank(self, name: str) -> None:
        """Overwrite a file where it is, for one that must stay what others have opened."""
        self.storage.blank(name)

    def _is_gone(self, name: str) -> bool:
        return self._read_if_possible(name, unreadable=b"") is None

    def _read_if_possible(self, name: str, unreadable: bytes | None = None) -> bytes | None:
        try:
            return self.storage.read(name).data
        except StorageError:
            return unreadable

    def _blob_on_disk(self, name: str) -> str | None:
        return _blob_or_none(self.storage.read(name).data)

    def _blob_of(self, file: FileStat) -> str | None:
        """The blob id of a tracked file, from the cache where it cannot have changed; None if it cannot be read."""
        seen = self._seen_files()
        if file.name in seen and seen[file.name][0] == file.stamp:
            return seen[file.name][1]
        data = self._read_if_possible(file.name)
        if data is None:
            return None
        id = blob_id(data)
        if file.settled:
            seen[file.name] = [file.stamp, id]
            self._newly_seen += 1
        return id

    def _seen_files(self) -> dict[str, list[str]]:
        """Stamp and blob id of files that were read before: a convenience that may be lost or wrong in form."""
        if self._seen is None:
            try:
                raw: object = json.loads(self.storage.read(_SEEN).data or b"{}")
            except ValueError:
                raw = {}
            pairs = cast(dict[str, object], raw).items() if isinstance(raw, dict) else ()
            self._seen = {
                name: cast(list[str], pair)
                for name, pair in pairs
                if isinstance(pair, list) and len(cast(list[str], pair)) == 2
            }
        return self._seen

    def _keep_seen(self) -> None:
        if self._newly_seen >= _WORTH_KEEPING:
            text = json.dumps(self._seen_files()).encode()
            self.storage.write(_SEEN, text, expected=self.storage.read(_SEEN).version, durable=False)
            self._newly_seen = 0


def _blob_or_none(data: bytes | None) -> str | None:
    return None if data is None else blob_id(data)

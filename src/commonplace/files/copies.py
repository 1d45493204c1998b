"""The flow of backups: MEMORY.md is copied before anything destructive, gone back to, and old copies are removed."""

from collections.abc import Sequence

from commonplace.errors import (
    Conflict,
    NotFound,
    SaveFailed,
    StorageError,
    UpdateFailed,
    ValidationError,
    failing_as,
    partly,
)
from commonplace.files import backups
from commonplace.files.transactions import Book, Plan
from commonplace.ports import Clock
from commonplace.types.asking import Note, Origin
from commonplace.types.book import ABSENT, MEMORY_FILE
from commonplace.types.keeping import Backup, Restored


class Copies:
    """The backups of one book; `keep` is how many stay when old ones are removed."""

    def __init__(self, book: Book, clock: Clock, keep: int) -> None:
        self._book = book
        self._clock = clock
        self._keep = keep

    def make(self) -> Backup | None:
        """Copy MEMORY.md to `backups/`; None when there is nothing to copy."""
        storage = self._book.storage
        with failing_as(SaveFailed):
            self._book.create()
            with storage.lock():
                data = storage.read(MEMORY_FILE).data
                if data is None or not data.strip():
                    if missing := self._book.missing():
                        raise missing
                    return None
                name = backups.new_name(self._clock.now(), (backup.name for backup in self.listed()))
                storage.write(f"{backups.FOLDER}/{name}", data, expected=ABSENT)
                return backups.listed([(name, len(data))])[0]

    def listed(self) -> list[Backup]:
        """The backups, newest first."""
        files = self._book.storage.list_folder(backups.FOLDER)
        return backups.listed((f.name.rpartition("/")[2], f.size) for f in files if f.kind == "file")

    def read(self, name: str) -> bytes:
        """What a backup holds, if it can be restored."""
        wanted = backups.check_name(name)
        data = self._book.storage.read(f"{backups.FOLDER}/{wanted}").data
        if data is None:
            raise NotFound(f"There is no backup {wanted}.", hint="`commonplace backups` lists them.")
        if not data.strip():
            raise ValidationError(f"{wanted} is blank; it is not restored.", hint="Choose another backup.")
        return data

    def restore(self, name: str, reason: str | None, expected: str | None = None) -> Restored:
        """Make MEMORY.md what a backup holds, if it still has the version that is `expected`. What it holds now is
        backed up first."""
        wanted, storage = backups.check_name(name), self._book.storage
        with failing_as(UpdateFailed):
            self._book.create()
            with storage.lock():
                data = self.read(wanted)
                if expected is not None and storage.read(MEMORY_FILE).version != expected:
                    raise Conflict("MEMORY.md was changed meanwhile; nothing was restored.", hint="Look at it again.")
                if self._book.missing():
                    self._book.accept_deletion()  # this brings it back: the one thing that was missing
                self._book.catch_up()
                saved = self.make() if storage.read(MEMORY_FILE).data != data else None
                note = Note(f"Restore {wanted}", Origin.RESTORE, reason=reason)
                _, change = self._book.change([MEMORY_FILE], lambda _: Plan({MEMORY_FILE: data}, note, None))
        return Restored(wanted, saved.name if saved else None, change)

    def prune(self, made: str | None = None) -> list[str]:
        """Remove all but the newest backups, and never the one just `made`; returns the names of the removed."""
        with failing_as(UpdateFailed), self._book.storage.lock():
            old = [backup.name for backup in self.listed()[self._keep :] if backup.name != made]
            self._remove(old)
        return old

    def settle(self, made: str, *, changed: bool) -> str:
        """After what a backup was `made` for. With a change only the newest stay. Without one it goes again, if an
        earlier one holds the same bytes: a run that changes nothing, day after day, must not push out what differs.
        Returns the name of the backup that holds them."""
        if changed:
            self.prune(made)
            return made
        storage = self._book.storage
        with failing_as(UpdateFailed), storage.lock():
            data = storage.read(f"{backups.FOLDER}/{made}").data
            for name in (backup.name for backup in self.listed() if backup.name != made):
                if storage.read(f"{backups.FOLDER}/{name}").data == data:
                    self._remove([made])
                    return name
        return made

    def _remove(self, names: Sequence[str]) -> None:
        storage = self._book.storage
        for number, name in enumerate(names):
            file = f"{backups.FOLDER}/{name}"
            try:
                storage.delete(file, expected=storage.read(file).version)
            except StorageError as error:
                raise partly(error, f"{number} of {len(names)} old backups are removed.") from error

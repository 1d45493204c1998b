"""The flow of daily logs: a block is appended to the log of its day, and logs are read."""

from collections.abc import Mapping
from datetime import date

from commonplace.errors import NotFound, SaveFailed, ValidationError, failing_as
from commonplace.files import daily
from commonplace.files.text import decode
from commonplace.files.transactions import Book, Plan
from commonplace.gate.secrets import find_secrets, redact
from commonplace.types.asking import Asker
from commonplace.types.keeping import Logged


class Logbook:
    """The daily logs of one book. When `clean`, secrets are taken out of what is written there."""

    def __init__(self, book: Book, *, clean: bool) -> None:
        self._book = book
        self._clean = clean

    def add(self, text: str, day: date, marker: daily.Marker | None, asker: Asker) -> Logged:
        """Append a block to the log of `day`."""
        if not text.strip():
            raise ValidationError("There is nothing to log: the text is blank.", hint="Give at least one word.")
        name, removed = (
            daily.file_of(day),
            [one.kind for one in find_secrets(text) if one.certain] if self._clean else [],
        )
        text = redact(text) if self._clean else text

        def work(files: Mapping[str, bytes | None]) -> Plan[None]:
            note = asker.note(f"Log on {day}: {text}")
            return Plan({name: daily.with_block(files[name], day, text, marker)}, note, None)

        with failing_as(SaveFailed):
            _, change = self._book.change([name], work)
        return Logged(day, name, change or "", removed=tuple(removed))

    def days(self) -> list[date]:
        """The dates that have a log, newest first."""
        files = self._book.storage.list_folder(daily.FOLDER)
        return sorted((day for f in files if f.kind == "file" and (day := daily.day_of(f.name))), reverse=True)

    def read(self, day: date) -> str:
        name = daily.file_of(day)
        data = self._book.storage.read(name).data
        if data is None:
            raise NotFound(f"There is no log of {day}.", hint="`commonplace log list` shows the dates that have one.")
        return decode(data, name)

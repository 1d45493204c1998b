"""The flow of a framework's own records: JSON values under a namespace and a key, in `store/records.jsonl` of the book.

One line a change, appended and never rewritten, so the file is its own history; what is written together is one line, a
list. The newest record of a key counts, and one without a value takes it away. No secret gets in. Nothing of it is
recalled, searched or compacted by the book.
"""

import json
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import cast

from commonplace.errors import SaveFailed, ValidationError, failing_as
from commonplace.files import folders
from commonplace.files.transactions import Book
from commonplace.gate.secrets import redact_nested
from commonplace.ports import Clock

FILE = f"{folders.STORE}/records.jsonl"
Place = tuple[tuple[str, ...], str]


@dataclass(frozen=True, slots=True)
class Record:
    """A value, when it was first and last written, and what more its writer says of it."""

    value: dict[str, object]
    created: datetime
    updated: datetime
    more: Mapping[str, object] = field(default_factory=dict[str, object])


class Records:
    """The records of one book, as far as they are known here; whatever other processes wrote is read before use."""

    def __init__(self, book: Book, clock: Clock, *, clean: bool) -> None:
        self._book = book
        self._clock = clock
        self._clean = clean
        self._guard = threading.Lock()
        self._known: dict[Place, Record] = {}
        self._read = b""
        self._stamp = ""

    def all(self) -> Mapping[Place, Record]:
        """Every record, in the order in which they were first written."""
        with self._guard:
            self._take_in()
            return dict(self._known)

    def put(self, records: Iterable[tuple[Place, Mapping[str, object] | None, Mapping[str, object]]]) -> None:
        """Write values (None: take it away) with what more there is to say of each, all of them or none."""
        now = self._clock.now().isoformat()
        written = [self._written(place, value, more, now) for place, value, more in records]
        if not written:
            return
        line = written[0] if len(written) == 1 else b"[" + b", ".join(written) + b"]"
        with failing_as(SaveFailed):
            self._book.create()
            if missing := self._book.missing():
                raise missing
            self._book.storage.append(FILE, line + b"\n", on_new_line=True)

    def _written(self, place: Place, value: Mapping[str, object] | None, more: Mapping[str, object], now: str) -> bytes:
        namespace, key = place
        line: dict[str, object] = {"namespace": list(namespace), "key": key, "at": now}
        line |= {} if value is None else {"value": dict(value)}
        line |= {"more": dict(more)} if more and value is not None else {}
        try:
            text = json.dumps(line, ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise ValidationError(
                f"The value of {key!r} cannot be written as JSON: {error}.", hint="Use texts, numbers, lists, mappings."
            ) from error
        if self._clean and redact_nested(line) != line:
            raise ValidationError("The record holds a secret; secrets are never stored.", hint="Leave it out.")
        return text.encode("utf-8", "backslashreplace")

    def _take_in(self) -> None:
        stamp = next((file.stamp for file in self._book.storage.list_folder(folders.STORE) if file.name == FILE), "")
        if stamp == self._stamp and stamp:
            return
        data = self._book.storage.read(FILE).data or b""
        if not data.startswith(self._read):  # not only appended to: a person's edit, or something was forgotten
            self._known, self._read = {}, b""
        whole = data.rfind(b"\n") + 1
        for place, record in _parsed(data[len(self._read) : whole]):
            before = self._known.get(place)
            if record is None:
                self._known.pop(place, None)
            else:
                self._known[place] = replace(record, created=before.created if before else record.updated)
        self._read, self._stamp = data[:whole], stamp


def _parsed(data: bytes) -> Iterator[tuple[Place, Record | None]]:
    """What each line says; one that cannot be read says nothing."""
    for raw in _listed(data):
        try:
            record = cast(dict[str, object], raw if isinstance(raw, dict) else {})
            place = (tuple(map(str, cast(list[object], record["namespace"]))), str(record["key"]))
            at = datetime.fromisoformat(str(record["at"]))
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
        value, more = (cast(dict[str, object] | None, record.get(name)) for name in ("value", "more"))
        yield place, Record(value, at, at, more or {}) if isinstance(value, dict) else None


def _listed(data: bytes) -> Iterator[object]:
    for line in data.split(b"\n"):
        try:
            found: object = json.loads(line)
        except (ValueError, RecursionError):
            continue
        yield from cast(list[object], found if isinstance(found, list) else [found])

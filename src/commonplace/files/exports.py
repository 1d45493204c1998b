"""Exports: memories of another program as records in JSON, for an audit to read and mend. Pure.

Mending cuts records out of the text and puts other strings in; whatever else the file says stays as it was written.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import cast

from commonplace.errors import UnreadableFile
from commonplace.files.pages import Clean, Depth, Item, Oddity, Page, day_in
from commonplace.files.text import decode, encode

_TEXT_KEYS = ("memory", "text", "content")
_LIST_KEYS = ("results", "memories", "data", "items")
_DATE_KEYS = ("updated_at", "created_at", "updatedAt", "createdAt", "date", "at")
_OWNER_KEYS = (("user_id", "userId"), ("agent_id", "agentId"), ("run_id", "runId"), ("app_id", "appId"))
_OWN = {"id", "_id", "uuid", "memory_id", "hash", "timestamp", *_DATE_KEYS}  # what no two records share
_LONGEST_KEY, _LONGEST_NAMED = 64, 200

_MARK = "\ufeff"
_BLANK = " \t\r\n"
_BETWEEN = re.compile(r"[ \t\r\n,:]*")
_PIECE = re.compile(r'("[^"\\]*(?:\\.[^"\\]*)*")([ \t\r\n]*:)?|[\[\]{}]')
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class RecordItem(Item):
    """An item of an export. What belongs to different owners has nothing to do with each other; `section` is all that
    the record says beside its text, but for ids, hashes and times."""

    owner: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Record:
    """One record, and where it stands in the file. A line that is no JSON is a text."""

    number: int  # of its place in the list, or of its line
    value: object
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Text:
    """One string of a record, with the key that names it, and where it stands in the file."""

    text: str
    key: str
    start: int
    end: int

    @property
    def named(self) -> str:
        """The text with its key, which may tell more than the text alone; "" if it cannot."""
        if not self.key or self.key in _OWN or self.key in _TEXT_KEYS or len(self.key) > _LONGEST_KEY:
            return ""
        if len(self.text) > _LONGEST_NAMED or '"' in self.text or "\n" in self.text:
            return ""
        return f'{self.key}: "{self.text}"'

    def cleaned(self, clean: Clean) -> str:
        text = clean(self.text)
        if text != self.text or not self.named:
            return text
        before = f"{self.key}: "
        told = clean(self.named)
        return told.removeprefix(before).strip('"') if told != self.named and told.startswith(before) else text


@dataclass(frozen=True)
class ExportPage(Page):
    """Records in JSON: a list, a list under a known key, or one a line."""

    name: str
    raw: str
    depth: Depth
    records: tuple[_Record, ...]
    changed: tuple[tuple[int, _Text], ...] = ()  # the texts that cleaning changed
    numbers_lines = False

    @classmethod
    def parse(cls, name: str, data: bytes, depth: Depth) -> "ExportPage":
        raw = decode(data, name)
        by_line = not name.lower().endswith(".json")
        return cls(name, raw, depth, tuple(_by_line(name, raw, depth) if by_line else _in_list(name, raw)))

    @property
    def data(self) -> bytes:
        return encode(self.raw)

    @property
    def items(self) -> tuple[Item, ...]:
        return self._found

    @cached_property
    def _found(self) -> tuple[Item, ...]:
        return tuple(self._items())

    def _items(self) -> Iterator[Item]:
        for at, record in enumerate(self.records):
            fields = _fields(record.value)
            told = next((key for key in _TEXT_KEYS if isinstance(fields.get(key), str)), "")
            text = (record.value if isinstance(record.value, str) else str(fields.get(told, ""))).strip()
            days = (day for key in _DATE_KEYS if isinstance(value := fields.get(key), str) and (day := day_in(value)))
            if text:
                rest = {key: value for key, value in fields.items() if key not in {told, *_OWN} and _says(value)}
                beside = json.dumps(rest, sort_keys=True)
                own = str(fields.get("id", ""))
                since = next(days, None)
                yield RecordItem(text, self.name, record.number, own, beside, since, block=at, owner=_owner(fields))

    def texts(self) -> Iterator[tuple[int, str]]:
        for record in self.records:
            for one in self._texts(record):
                yield record.number, one.text
                if one.named:
                    yield record.number, one.named

    def oddities(self) -> Iterator[Oddity]:
        yield from ()

    def without(self, blocks: Set[int]) -> "ExportPage":
        kept = [at for at in range(len(self.records)) if at not in blocks]
        if len(kept) == len(self.records):
            return self
        parts = [self.raw[: self.records[0].start]]
        for at in kept:
            start = self.records[at].start if at == kept[0] else self.records[at - 1].end  # with what parts the two
            parts.append(self.raw[start : self.records[at].end])
        parts.append(self.raw[self.records[-1].end :])
        return self._with("".join(parts), [self.records[at] for at in kept])

    def cleaned(self, clean: Clean) -> "ExportPage":
        clean = cache(clean)  # keys, and much of what they name, are in every record
        parts: list[str] = []
        changed: list[tuple[int, _Text]] = []
        at = 0
        for record in self.records:
            for one in self._texts(record):
                text = one.cleaned(clean)
                if text != one.text:
                    changed.append((record.number, replace(one, text=text)))
                    parts += (self.raw[at : one.start], self._dumped(text, self.raw[one.start : one.end]))
                    at = one.end
        if not changed:
            return self
        return self._with("".join((*parts, self.raw[at:])), self.records, tuple(changed))

    def lines(self) -> list[str]:
        texts = {item.line: item.text for item in self.items}
        others: dict[int, list[str]] = defaultdict(list)
        for number, one in self.changed:
            if number in texts and one.text.strip() != texts[number]:
                others[number].append(f"{one.key}: {one.text}" if one.key else one.text)
        return [
            f"#{record.number} {text}\n"
            for record in self.records
            for text in (
                texts.get(record.number) or json.dumps(record.value, ensure_ascii=False),
                *others.get(record.number, ()),
            )
        ]

    def _texts(self, record: _Record) -> Iterator[_Text]:
        """Every string of a record, keys too. Those in a list have the key of the list."""
        if isinstance(record.value, str):
            yield _Text(record.value, "", record.start, record.end)
            return
        key, keys = "", list[str]()
        for piece in _PIECE.finditer(self.raw, record.start, record.end):
            if piece[0] in {"[", "{"}:
                keys.append(key)
            elif piece[0] in {"]", "}"}:
                key = keys.pop()
            else:
                text = str(json.loads(piece[1]))
                yield _Text(text, "" if piece[2] else key, *piece.span(1))
                key = text if piece[2] else key

    def _with(self, raw: str, records: Sequence[_Record], changed: tuple[tuple[int, _Text], ...] = ()) -> "ExportPage":
        """The page with another text, whose records have the numbers that they had."""
        page = ExportPage.parse(self.name, encode(raw), self.depth)
        numbered = (replace(new, number=old.number) for new, old in zip(page.records, records, strict=True))
        return replace(page, records=tuple(numbered), changed=changed)

    def _dumped(self, text: str, old: str) -> str:
        """A string as the file would have it. What cannot be encoded is escaped; bytes that are no text are not."""
        dumped = json.dumps(text, ensure_ascii=self.raw.isascii())
        return _SURROGATE.sub(lambda half: half[0] if half[0] in old else f"\\u{ord(half[0]):04x}", dumped)


def _by_line(name: str, raw: str, depth: Depth) -> Iterator[_Record]:
    at = 0
    for number, line in enumerate(raw.split("\n")):
        start, end = at + len(line) - len(line.lstrip(_MARK + _BLANK)), at + len(line.rstrip(_BLANK))
        at += len(line) + 1
        if not line.strip():
            continue
        try:
            value = json.loads(line.removeprefix(_MARK))
        except (ValueError, RecursionError) as error:
            if depth is not Depth.SECRETS:
                raise _unreadable(name, error, number) from error
            value = line  # a line of a transcript that was torn
        yield _Record(number, value, start, end)


def _in_list(name: str, raw: str) -> Iterator[_Record]:
    try:
        json.loads(raw.removeprefix(_MARK))
        listed = _listed(raw, len(raw) - len(raw.lstrip(_MARK + _BLANK)))
    except (ValueError, RecursionError) as error:
        raise _unreadable(name, error) from error
    if listed is None:
        raise UnreadableFile(
            f"{name} holds no list of memories.",
            hint='It must be a list of objects with "memory", "text" or "content", or have one under "results".',
        )
    for number, (value, start, end) in enumerate(listed):
        yield _Record(number, value, start, end)


def _unreadable(name: str, error: Exception, above: int = 0) -> UnreadableFile:
    if isinstance(error, json.JSONDecodeError):
        why = f"{error.msg}: line {above + error.lineno} column {error.colno}"
    else:
        why = f"{error}, from line {above + 1} on"
    return UnreadableFile(f"{name} is not JSON: {why}.", hint="Export it again.")


def _listed(raw: str, at: int) -> list[tuple[object, int, int]] | None:
    """The records of a whole file, with where each begins and ends."""
    if raw[at] == "[":
        return list(_values(raw, at))
    if raw[at] == "{":
        parts = list(_values(raw, at))
        fields = {key: (value, start) for (key, *_), (value, start, _) in zip(parts[::2], parts[1::2], strict=True)}
        for key in _LIST_KEYS:
            value, start = fields.get(key, (None, 0))
            if isinstance(value, list):
                return list(_values(raw, start))
    return None


def _values(raw: str, at: int) -> Iterator[tuple[object, int, int]]:
    """What stands within the bracket at `at`, of valid JSON, and where: keys and values in turn if it is an object."""
    at = _after(raw, at + 1)
    while raw[at] not in "]}":
        value, end = _DECODER.raw_decode(raw, at)
        yield value, at, end
        at = _after(raw, end)


def _after(raw: str, at: int) -> int:
    between = _BETWEEN.match(raw, at)
    return between.end() if between else at


def _fields(value: object) -> dict[str, object]:
    return cast(dict[str, object], value) if isinstance(value, dict) else {}


def _owner(fields: dict[str, object]) -> tuple[str, ...]:
    """Whose memory a record is."""
    sources = (fields, _fields(fields.get("metadata")))
    named = ([one.get(key) for one in sources for key in keys] for keys in _OWNER_KEYS)
    return tuple(next((str(value) for value in values if _says(value)), "") for values in named)


def _says(value: object) -> bool:
    return value is not None and value not in ("", [], {})

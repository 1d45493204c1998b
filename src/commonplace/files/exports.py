"""Exports: memories of another program as records in JSON, for an audit to read and mend. Pure."""

import json
import re
from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import cast

from commonplace.errors import UnreadableFile
from commonplace.files.pages import Clean, Depth, Item, Oddity, Page, day_in
from commonplace.files.text import decode, encode

_TEXT_KEYS = ("memory", "text", "content")
_LIST_KEYS = ("results", "memories", "data", "items")
_DATE_KEYS = ("updated_at", "created_at", "updatedAt", "createdAt", "date", "at")


@dataclass(frozen=True)
class ExportPage(Page):
    """Records in JSON: a list, a list under a known key, or one a line."""

    name: str
    raw: str
    depth: Depth
    records: tuple[object, ...]
    numbers: tuple[int, ...]  # the records' own numbers: of their places in the list, or of their lines
    whole: object = field(default=None, repr=False)  # None: one record a line
    key: str = ""
    numbers_lines = False

    @classmethod
    def parse(cls, name: str, data: bytes, depth: Depth) -> "ExportPage":
        raw = decode(data, name)
        by_line = not name.lower().endswith(".json")
        try:
            if by_line:
                lines = [line for line in enumerate(raw.split("\n")) if line[1].strip()]
                records = [_record(line) for _, line in lines] if depth is Depth.SECRETS else _strict(lines)
                return cls(name, raw, depth, tuple(records), tuple(number for number, _ in lines))
            whole: object = json.loads(raw.removeprefix("\ufeff"))
        except (ValueError, RecursionError) as error:
            raise UnreadableFile(f"{name} is not JSON: {error}.", hint="Export it again.") from error
        listed, key = _listed(whole)
        if listed is None:
            raise UnreadableFile(
                f"{name} holds no list of memories.",
                hint='It must be a list of objects with "memory", "text" or "content", or have one under "results".',
            )
        return cls(name, raw, depth, tuple(listed), tuple(range(len(listed))), whole, key)

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
        for at, (number, record) in enumerate(zip(self.numbers, self.records, strict=True)):
            fields = cast(dict[str, object], record) if isinstance(record, dict) else {}
            text = next((value for key in _TEXT_KEYS if isinstance(value := fields.get(key), str)), "")
            if isinstance(record, str):
                text = record
            days = (day for key in _DATE_KEYS if isinstance(value := fields.get(key), str) and (day := day_in(value)))
            if text.strip():
                yield Item(text.strip(), self.name, number, str(fields.get("id", "")), "", next(days, None), True, at)

    def texts(self) -> Iterator[tuple[int, str]]:
        for number, record in zip(self.numbers, self.records, strict=True):
            for text in _strings(record):
                yield number, text

    def oddities(self) -> Iterator[Oddity]:
        yield from ()

    def without(self, blocks: Set[int]) -> "ExportPage":
        kept = [at for at in range(len(self.records)) if at not in blocks]
        return self._with([self.records[at] for at in kept], [self.numbers[at] for at in kept])

    def cleaned(self, clean: Clean) -> "ExportPage":
        return self._with([_mapped(record, clean) for record in self.records], list(self.numbers))

    def lines(self) -> list[str]:
        texts = {item.line: item.text for item in self.items}
        return [
            f"#{number} {texts.get(number) or json.dumps(record, ensure_ascii=False)}\n"
            for number, record in zip(self.numbers, self.records, strict=True)
        ]

    def _with(self, records: list[object], numbers: list[int]) -> "ExportPage":
        """The page with other records, written the way it was."""
        if tuple(records) == self.records:
            return self
        if self.whole is None:
            old = dict(zip(self.numbers, self.records, strict=True))
            new = dict(zip(numbers, records, strict=True))
            lines = self.raw.split("\n")
            kept = [
                line if number not in old or new[number] == old[number] else self._dumped(new[number], line)
                for number, line in enumerate(lines)
                if number not in old or number in new
            ]
            raw = "\n".join(kept)
            return ExportPage.parse(self.name, encode(raw), self.depth)
        whole: object = records
        if self.key:
            whole = {**cast(dict[str, object], self.whole), self.key: records}
        raw = self._dumped(whole, self.raw)
        end = self.raw[len(self.raw.rstrip()) :]
        return ExportPage(self.name, raw + end, self.depth, tuple(records), tuple(range(len(records))), whole, self.key)

    def _dumped(self, value: object, like: str) -> str:
        indent = re.search(r"[\[{][ \t]*\r?\n([ \t]+)\S", like)
        tight = indent is None and re.search(r"\"\s*:\s", like) is None
        separators = (",", ":") if tight else (", ", ": ") if indent is None else (",", ": ")
        spaces = (indent[1] if "\t" in indent[1] else len(indent[1])) if indent else None
        ascii_only = like.isascii()
        return json.dumps(value, ensure_ascii=ascii_only, indent=spaces, separators=separators)


def _record(line: str) -> object:
    """A line of a transcript; one that was torn is a text."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return line


def _strict(lines: list[tuple[int, str]]) -> list[object]:
    return [json.loads(line.removeprefix("\ufeff")) for _, line in lines]


def _listed(whole: object) -> tuple[list[object] | None, str]:
    if isinstance(whole, list):
        return cast(list[object], whole), ""
    if isinstance(whole, dict):
        fields = cast(dict[str, object], whole)
        for key in _LIST_KEYS:
            value = fields.get(key)
            if isinstance(value, list):
                return cast(list[object], value), key
    return None, ""


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in cast(dict[str, object], value).values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in cast(list[object], value):
            yield from _strings(item)


def _mapped(value: object, clean: Clean) -> object:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {key: _mapped(item, clean) for key, item in cast(dict[str, object], value).items()}
    if isinstance(value, list):
        return [_mapped(item, clean) for item in cast(list[object], value)]
    return value

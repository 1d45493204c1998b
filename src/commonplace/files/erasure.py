"""Complete forgetting: take a text out of every file, backup and recorded change, and prove that it is gone.

A text is looked for in every spelling that the book may have given it. An entry of the memory that has it goes as a
whole, unless only the words are to go; elsewhere the text is replaced by `[forgotten]`, so that what stands around it
is kept and a reader sees that something was taken out. What cannot be read of the history is dropped, and counted.
"""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import cast

from commonplace.errors import Conflict, StorageError, ValidationError, partly
from commonplace.files import backups
from commonplace.files.descriptors import is_name
from commonplace.files.document import REQUESTED, Document, Match
from commonplace.files.folders import PRIVATE, REPOSITORY, SERVED
from commonplace.files.history import Damaged
from commonplace.files.inbox import INBOX_FILE
from commonplace.files.spelling import Spellings
from commonplace.files.text import encode, printable, split_lines
from commonplace.files.transactions import Book
from commonplace.types.asking import Note, Origin
from commonplace.types.book import ABSENT, MEMORY_FILE, version_of
from commonplace.types.keeping import Erasure, Removal

PLACEHOLDER = "[forgotten]"
FORGOTTEN_EVERYWHERE = "Forget a text everywhere"  # in the history, where `undo` knows it by these words
_INDEX = f"{PRIVATE}/index"
_DERIVED = (_INDEX, f"{SERVED}/")
_TOMBSTONE = f"{_INDEX}/tail"
_LOCK = f"{PRIVATE}/lock"
_SHORTEST = 3
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
_PUNCTUATION = " \t\r\n.,;:!?\"'"


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be forgotten: texts, and what our own steps may have made of them. `whole_entries`: a bullet of the
    memory or the inbox that has one goes with it."""

    texts: Sequence[str]
    pieces: Sequence[str] = ()
    whole_entries: bool = True


def preview(book: Book, target: Target) -> Erasure:
    """What `erase` would remove, place by place."""
    return _Forgetting(book, target).preview()


def erase(book: Book, target: Target, tasks: Sequence[str], patience: float) -> Erasure:
    """Remove a text everywhere, then look for it everywhere. Running it again finishes what a crash cut off. Whoever
    does one of the `tasks` has read the text perhaps, and is waited for: it must not come back with what they write."""
    forgetting = _Forgetting(book, target)
    with ExitStack() as alone:
        for task in sorted(tasks):
            alone.enter_context(book.storage.alone(task, timeout=patience))
        with book.storage.lock():
            book.catch_up()
            planned = forgetting.preview()
            try:
                return forgetting.carry_out(planned)
            except StorageError as error:
                raise partly(error, "The text is gone from some places and not yet from others.") from error


class _Forgetting:
    """One text on its way out of one book."""

    def __init__(self, book: Book, target: Target) -> None:
        self._book = book
        self._texts = tuple(target.texts)
        self._whole_entries = target.whole_entries
        self._spellings = Spellings([_unmarked(text) for text in target.texts], target.pieces)
        shown = ", ".join(map(repr, target.texts))
        if self._spellings.shortest < _SHORTEST:
            raise ValidationError(
                f"{shown} is too short to be forgotten everywhere: it would tear up unrelated words.",
                hint="Give at least three letters or digits.",
            )
        if self._spellings.within(PLACEHOLDER):
            raise ValidationError(
                f"{shown} is what a forgotten text is replaced by.",
                hint="Give the text around it, or edit by hand.",
            )

    def preview(self) -> Erasure:
        removals = [removal for name in self._files() for removal in self._removals(name)]
        commits, unreadable = self._commits()
        return Erasure("\n".join(self._texts), tuple(removals), commits, done=False, unreadable=unreadable)

    def carry_out(self, planned: Erasure) -> Erasure:
        book = self._book
        for name in list(self._files()):
            self._clean_file(name)
        self._drop_index()
        if planned.commits or planned.unreadable or self._commits() != (0, 0):
            book.history.rewrite(self._cleaned, self._cleaned_message)
        elif book.history.head():
            book.history.prune()  # drops objects that no change refers to, which may hold the text
        book.catch_up()
        if planned.removals or planned.commits or planned.unreadable:
            book.record_note(Note(FORGOTTEN_EVERYWHERE, Origin.PERSON))
        files, objects, left = self._proof()
        proven = replace(planned, done=True, searched_files=files, searched_objects=objects, left=tuple(left))
        return replace(proven, residue=book.storage.residue)

    def _files(self) -> Iterator[str]:
        """Everything but the objects of the history, which are rewritten, what is derived, which is thrown away, and
        what has no safe name."""
        own = (f"{REPOSITORY}/objects", f"{REPOSITORY}/refs", *_DERIVED)
        return (name for name in self._book.storage.walk() if is_name(name) and not name.startswith(own))

    def _drop_index(self) -> None:
        """Throw the index away, and put something in its place that is no index: whoever began to build one from what
        was read before finds another state than they left, and does not save theirs."""
        storage = self._book.storage
        for name in [name for name in storage.walk() if name.startswith(_DERIVED)]:
            storage.delete(name, expected=storage.read(name).version)
        if storage.list_folder(PRIVATE):
            storage.write(_TOMBSTONE, b"", expected=ABSENT, durable=False)

    # -- cleaning ------------------------------------------------------------------------------------------------------

    def _clean_file(self, name: str) -> None:
        storage = self._book.storage
        while True:
            snapshot = storage.read(name)
            if snapshot.data is None or (clean := self._cleaned(snapshot.data, name)) == snapshot.data:
                return
            if name.startswith(_LOCK):
                self._blank(name)
                return
            try:
                storage.write(name, clean, expected=snapshot.version)
                return
            except Conflict:  # a person saved it meanwhile: clean what they saved
                continue

    def _blank(self, name: str) -> None:
        """A lock stays the file that others have locked."""
        if self._book.storage.edits:
            self._book.storage.edits.blank(name)

    def _cleaned(self, data: bytes, name: str) -> bytes:
        text = data.decode("utf-8", "surrogateescape")
        if name.endswith(".jsonl"):
            return encode("".join(map(self._cleaned_record, split_lines(text))))
        if name.endswith(".json"):
            return encode(self._cleaned_record(text))
        if not self._spellings.within(text):
            return data
        if name.endswith(".md"):
            text = self._without_entries(text, name)
        return encode(self._spellings.without(text, PLACEHOLDER))

    def _without_entries(self, text: str, name: str) -> str:
        """Without the entries that say nothing else, and in the memory and the inbox without those that have it."""
        whole = self._whole_entries and (name in {MEMORY_FILE, INBOX_FILE} or name.startswith(f"{backups.FOLDER}/"))
        document = Document(split_lines(text))
        going = [
            block
            for block, entry in zip(document.blocks, document.entries, strict=True)
            if self._is_just(entry.text) or (whole and block.marker and self._spellings.within(entry.text))
        ]
        for block in reversed(going):
            document = document.without(Match(block, whole=True))
        return document.text

    def _is_just(self, text: str) -> bool:
        rest = self._spellings.without(text, "")
        return rest != text and not rest.strip().removeprefix(REQUESTED).strip(_PUNCTUATION)

    def _cleaned_record(self, line: str) -> str:
        """A line of a transcript: the text may be written with escapes, so the values are cleaned, not the line."""
        body = line.rstrip("\r\n")
        try:
            record: object = json.loads(body)
            clean = self._cleaned_value(record)
        except (ValueError, RecursionError):
            return self._spellings.without(line, PLACEHOLDER)
        if clean == record:
            return line
        written = json.dumps(clean, ensure_ascii=False)
        return _LONE_SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", written) + line[len(body) :]

    def _cleaned_value(self, value: object) -> object:
        if isinstance(value, str):
            return self._cleaned_line(self._cleaned_json(value))
        if isinstance(value, int | float) and not isinstance(value, bool):
            return PLACEHOLDER if self._spellings.within(str(value)) else value
        if isinstance(value, list):
            return [self._cleaned_value(item) for item in cast(list[object], value)]
        if isinstance(value, dict):
            items = cast(dict[str, object], value).items()
            return {self._cleaned_line(key): self._cleaned_value(item) for key, item in items}
        return value

    def _cleaned_json(self, text: str) -> str:
        """A text that is JSON itself, as programs carry what a tool was called with: its escapes are escaped again."""
        if not text.startswith(("{", "[")) or "\\" not in text:
            return text
        try:
            value: object = json.loads(text)
        except (ValueError, RecursionError):
            return text
        clean = self._cleaned_value(value)
        return text if clean == value else json.dumps(clean, ensure_ascii=False)

    def _cleaned_message(self, message: str) -> str:
        """A change's message without the text, also where its first line was cut off in the middle of it."""
        subject, newline, rest = message.partition("\n")
        return self._cleaned_line(subject) + newline + self._spellings.without(rest, PLACEHOLDER)

    def _cleaned_line(self, line: str) -> str:
        return self._spellings.without(self._spellings.without_cut(line, PLACEHOLDER), PLACEHOLDER)

    # -- looking -------------------------------------------------------------------------------------------------------

    def _removals(self, name: str) -> Iterator[Removal]:
        data = self._book.storage.read(name).data or b""
        clean = self._cleaned(data, name)
        if version_of(data) == version_of(clean):
            return
        before = data.decode("utf-8", "surrogateescape")
        kept = set(split_lines(clean.decode("utf-8", "surrogateescape")))
        for number, line in enumerate(split_lines(before), start=1):
            if line in kept:
                continue
            jsonl = name.endswith((".jsonl", ".json"))
            after = self._cleaned_record(line) if jsonl else self._spellings.without(line, PLACEHOLDER)
            stays = after in kept
            if stays or line.strip():
                yield Removal(name, number, printable(line.strip()), printable(after.strip()) if stays else None)

    def _commits(self) -> tuple[int, int]:
        """How many recorded changes have the text in a file or in their message, and how much of the history cannot be
        read."""
        history = self._book.history
        known: dict[str, bool] = {}

        def has_text(blob: str, name: str) -> bool:
            if blob not in known:
                data = history.content(blob)
                known[blob] = self._cleaned(data, name) != data
            return known[blob]

        found, damaged = 0, set[str]()

        def looked_at(blob: str, name: str) -> bool:
            try:
                return has_text(blob, name)
            except Damaged:
                damaged.add(blob)
                return False

        for commit in history.readable_commits():
            in_files = sum(looked_at(blob, name) for name, blob in history.readable_files(commit, damaged))
            found += bool(in_files) or self._cleaned_message(commit.message) != commit.message
        return found, len(damaged) + history.lost_pasts()

    def _proof(self) -> tuple[int, int, list[str]]:
        """Search the bytes of every file and every object of the history, in every spelling the text could have."""
        book = self._book
        files = objects = 0
        left: list[str] = []
        for name in book.storage.walk():
            files += 1
            if not is_name(name):
                left.append(f"{printable(name)} (not searched because of its name)")
            elif self._spellings.within(name) or self._has(book.storage.read(name).data or b"", name):
                left.append(name)
        for id, body in book.history.bodies():
            objects += 1
            if self._has(body, ""):
                left.append(f"history object {id[:10]}")
        left += [
            f"message of change {commit.id[:10]}"
            for commit in book.history.commits()
            if self._cleaned_message(commit.message) != commit.message
        ]
        return files, objects, left

    def _has(self, data: bytes, name: str) -> bool:
        if name and self._cleaned(data, name) != data:
            return True
        plain = data.decode("utf-8", "surrogateescape")
        words = [" ".join(text.split()) for text in self._texts]
        wide = (text.encode(form, "replace") for text in words for form in ("utf-16-le", "utf-16-be"))
        return self._spellings.within(plain) or any(form in data for form in wide)


def _unmarked(text: str) -> str:
    return text.strip().removeprefix(REQUESTED).strip()

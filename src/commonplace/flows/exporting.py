"""The flow of an export: the book -> one JSON file with everything, or the files that another program keeps.

What is exported is the person's own and is written as it stands. It goes beside its place first and takes it when it is
whole; nothing is replaced unasked, and nobody but its owner may read it.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING

from commonplace.errors import Conflict, StorageError, ValidationError
from commonplace.files import daily
from commonplace.files.descriptors import rename_new
from commonplace.files.document import Document
from commonplace.files.history import Damaged
from commonplace.files.text import printable, split_lines
from commonplace.foreign.markdown import placed
from commonplace.types.book import MEMORY_FILE
from commonplace.types.transfer import ExportReport, Memo

if TYPE_CHECKING:
    from commonplace.files.transactions import Book

_OWNER = "owner"


class Format(StrEnum):
    """What an export may be."""

    JSON = "json"
    MEM0 = "mem0"
    BASIC_MEMORY = "basic-memory"
    OPENCLAW = "openclaw"
    CLAUDE_MEMORY = "claude-memory"

    @property
    def is_file(self) -> bool:
        return self in {Format.JSON, Format.MEM0}


Sections = Mapping[str, Sequence[Memo]]


def export(book: Book, to: str | Path | IO[bytes], wanted: str, made: datetime, *, force: bool) -> ExportReport:
    """Write the book to a path, or for the formats that are one file to a stream."""
    target = Path(to).expanduser().absolute() if isinstance(to, str | Path) else to
    home = Path(book.storage.address).resolve()
    if isinstance(target, Path) and home.is_dir() and target.resolve().is_relative_to(home):
        raise ValidationError("An export does not go into the book itself.", hint="Name another folder.")
    try:
        format = Format(wanted)
    except ValueError:
        known = ", ".join(Format)
        raise ValidationError(f"There is no format {wanted!r}.", hint=f"Choose one of: {known}.") from None
    sections = _sections(book)
    logs = sorted(name for f in book.storage.list_folder(daily.FOLDER) if daily.day_of(name := f.name))
    sessions = sum(1 for f in book.storage.list_folder("sessions") if f.name.endswith(".jsonl"))
    entries = sum(map(len, sections.values()))
    report = ExportReport(str(target) if isinstance(target, Path) else "-", format, entries=entries)
    if format is Format.JSON:
        from commonplace.flows.carrying import carry_out

        with _sink(target, force=force) as sink:
            files, changes = carry_out(book, lambda text: sink(text.encode("utf-8", "surrogateescape")), made)
        return _told(report, files=files, logs=len(logs), sessions=sessions, changes=changes, target=target)
    left_out = [f"{sessions} conversations" if sessions else "", "the history, the inbox and the backups"]
    if format is Format.MEM0:
        from commonplace.foreign import mem0

        with _sink(target, force=force) as sink:
            sink(mem0.written(sections, _OWNER))
        left_out = [f"{len(logs)} daily logs" if logs else "", *left_out]
        return _told(report, files=1, left_out=left_out, target=target)
    if not isinstance(target, Path):
        raise ValidationError(f"The format {format} is a folder.", hint="Name the folder to write to.")
    held = len(logs) if format is Format.OPENCLAW else 0
    left_out = [f"{len(logs)} daily logs" if logs and not held else "", *left_out]
    written = _write_folder(target, _files(book, format, sections, logs), force=force)
    return _told(report, files=written, logs=held, left_out=left_out, target=target)


def _files(book: Book, format: Format, sections: Sections, logs: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    if format is Format.BASIC_MEMORY:
        from commonplace.foreign import basicmemory

        return basicmemory.written(sections)
    if format is Format.CLAUDE_MEMORY:
        from commonplace.foreign import claudememory

        return claudememory.written(sections)
    return _workspace(book, logs)


def _workspace(book: Book, logs: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """What OpenClaw keeps is what we keep: the same page, and the same logs in another folder."""
    yield MEMORY_FILE, book.storage.read(MEMORY_FILE).data or b""
    for name in logs:
        yield f"memory/{name.rpartition('/')[2]}", book.storage.read(name).data or b""


def _sections(book: Book) -> dict[str, list[Memo]]:
    """The entries by their sections, each with the day on which its first line came into the memory."""
    days = _first_days(book)
    found: dict[str, list[Memo]] = {}
    document = Document.parse(book.storage.read(MEMORY_FILE).data)
    for entry, place in zip(document.entries, document.places, strict=True):
        if entry.text:
            since = days.get(_key(entry.text.split("\n")[0]))
            said = printable(placed(entry.section, place, entry.text))
            memo = Memo("", said, entry.section, f"{MEMORY_FILE} line {entry.line}", since)
            found.setdefault(entry.section or "Notes", []).append(memo)
    return found


def _first_days(book: Book) -> dict[str, date]:
    """When each line of the memory was first there, as far as the history tells."""
    days: dict[str, date] = {}
    with suppress(Damaged):
        for commit, before, after in book.history.versions(MEMORY_FILE):  # newest first: older days take their place
            old, new = (_keys(book.history.content(blob)) if blob else set[str]() for blob in (before, after))
            days |= dict.fromkeys(new - old, commit.at.date())
    return days


def _keys(data: bytes) -> set[str]:
    return {_key(line) for line in split_lines(data.decode("utf-8", "replace"))}


def _key(line: str) -> str:
    return line.strip().lstrip("-*+ ").strip()


# -- where it goes -----------------------------------------------------------------------------------------------------


def _told(
    report: ExportReport,
    *,
    files: int,
    target: Path | IO[bytes],
    logs: int = 0,
    sessions: int = 0,
    changes: int = 0,
    left_out: Sequence[str] = (),
) -> ExportReport:
    from dataclasses import replace

    size = _size(target) if isinstance(target, Path) else 0
    told = tuple(filter(None, left_out))
    return replace(report, files=files, logs=logs, sessions=sessions, changes=changes, bytes=size, left_out=told)


def _size(target: Path) -> int:
    files = [target] if target.is_file() else [file for file in target.rglob("*") if file.is_file()]
    return sum(file.stat().st_size for file in files)


@contextmanager
def _sink(target: Path | IO[bytes], *, force: bool) -> Generator[Callable[[bytes], object]]:
    """What takes the bytes of one file: whole at its place, or not at all."""
    if not isinstance(target, Path):
        yield target.write
        return
    try:
        if target.is_dir():
            raise ValidationError(f"{target} is a folder.", hint="Name a file.")
        _check_free(target, force=force)
        with _staged(target, force=force) as stream:
            yield stream.write
    except OSError as error:
        raise StorageError(f"Cannot write {target}: {error.strerror or error}.", hint="Is the folder yours?") from error


def _check_free(target: Path, *, force: bool) -> None:
    if not force and target.exists():
        raise Conflict(f"{target} is there already.", hint="Add --force to replace it.")


@contextmanager
def _staged(target: Path, *, force: bool) -> Generator[IO[bytes]]:
    staged = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    fd = os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(fd, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        _put_in_place(staged, target, force=force)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(staged)
        raise


def _put_in_place(staged: Path, target: Path, *, force: bool) -> None:
    parent = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        if force:
            os.replace(staged.name, target.name, src_dir_fd=parent, dst_dir_fd=parent)
        else:
            rename_new(parent, staged.name, parent, target.name)
        os.fsync(parent)
    except FileExistsError:
        _check_free(target, force=False)
        raise
    finally:
        os.close(parent)


def _write_folder(folder: Path, files: Iterator[tuple[str, bytes]], *, force: bool) -> int:
    """Write files into a folder of their own; with `force` into one that has any, where all others are left alone."""
    try:
        if folder.exists() and (not folder.is_dir() or (not force and any(folder.iterdir()))):
            raise Conflict(f"{folder} is there already.", hint="Name a new folder, or add --force to write into it.")
        count = 0
        for name, data in files:
            count += 1
            place = folder / name
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _check_free(place, force=force)
            with _staged(place, force=force) as stream:
                stream.write(data)
        return count
    except OSError as error:
        raise StorageError(f"Cannot write {folder}: {error.strerror or error}.", hint="Is the folder yours?") from error

"""Memories that are not in a book of ours: which files at a path hold some, and how one is replaced without harm."""

import os
import re
import stat
import tempfile
from datetime import date
from pathlib import Path

from commonplace.errors import Conflict, NotFound, StorageError, UnreadableFile, ValidationError
from commonplace.files.exports import ExportPage
from commonplace.files.pages import Depth, MarkdownPage, Page, day_in
from commonplace.files.text import decode

_DATED = re.compile(r"(\d{4}-\d\d-\d\d)\b.*\.md", re.IGNORECASE)
_WORKSPACE = {"SOUL.md", "HEARTBEAT.md", "IDENTITY.md"}  # what an OpenClaw workspace has beside its memory
_OF_WORKSPACE = {"MEMORY.md", "memory.md", "USER.md"}
_GUIDES = set("CLAUDE CLAUDE.LOCAL AGENTS GEMINI SOUL TOOLS HEARTBEAT README CONTRIBUTING COPILOT-INSTRUCTIONS".split())
_FOLDER = "memory"
_LARGEST = 20_000_000
_COPY = ".before-audit"


def page(name: str, data: bytes, depth: Depth = Depth.ALL, since: date | None = None) -> Page:
    """The page that a file is, by the end of its name."""
    if b"\0" in data:
        raise UnreadableFile(f"{name} is no text.", hint="Name a Markdown file, or an export in JSON.")
    if name.lower().endswith((".json", ".jsonl", ".ndjson")):
        return ExportPage.parse(name, data, depth)
    return MarkdownPage(name, decode(data, name), depth, since)


def pages_at(path: Path) -> tuple[list[Page], list[str]]:
    """The pages of a file, or of a folder: a workspace with MEMORY.md and memory/, or any folder of Markdown files; and
    why files of the folder are left out."""
    if not path.is_dir():
        return [page(path.name, _read(path), *_kind(path))], []
    found: list[Page] = []
    left_out: list[str] = []
    for file in _files_in(path):
        try:
            found.append(page(_shown(path, file), _read(file), *_kind(file)))
        except (StorageError, ValidationError) as error:
            left_out.append(error.message)
    if not found:
        raise NotFound(
            " ".join([f"{path} has no Markdown files that can be read.", *left_out]),
            hint="Name a file, or the folder that has them.",
        )
    return found, left_out


def file_of(path: Path, name: str) -> Path:
    """Where the page called `name` of `path` is."""
    return path / name if path.is_dir() else path


def put_back(file: Path, before: bytes, after: bytes) -> Path:
    """Replace what a file holds, if it still holds `before`, which is kept in a copy beside it: that is returned."""
    file = file.resolve()
    try:
        if file.read_bytes() != before:
            raise Conflict(f"{file} was changed meanwhile; nothing was written.", hint="Run it again.")
        mode = stat.S_IMODE(file.stat().st_mode)
        copy = _written_copy(file, before, mode)
        handle, staged = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(after)
                stream.flush()
                os.fsync(stream.fileno())
            os.chmod(staged, mode)
            os.replace(staged, file)
        except OSError:
            os.unlink(staged)
            raise
    except OSError as error:
        raise StorageError(f"Cannot write {file}: {error.strerror or error}.", hint="Is the folder yours?") from error
    return copy


def _written_copy(file: Path, data: bytes, mode: int) -> Path:
    number = 1
    while True:
        copy = file.with_name(f"{file.name}{_COPY}" + (f"-{number}" if number > 1 else ""))
        try:
            handle = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        except FileExistsError:
            number += 1
            continue
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        return copy


def _files_in(folder: Path) -> list[Path]:
    try:
        beside = sorted(file for file in folder.iterdir() if file.suffix.lower() == ".md" and file.is_file())
        below = sorted((folder / _FOLDER).rglob("*.md")) if (folder / _FOLDER).is_dir() else []
    except OSError as error:
        raise StorageError(f"Cannot read {folder}: {error.strerror or error}.", hint="Is it yours?") from error
    if any(file.name in _WORKSPACE for file in beside):  # what tells an agent how to be is no memory
        beside = [file for file in beside if file.name in _OF_WORKSPACE]
    return [*beside, *(file for file in below if file.is_file())]


def _kind(file: Path) -> tuple[Depth, date | None]:
    """What a file is by its name; one that is called by a date is a log of that day."""
    dated = _DATED.fullmatch(file.name)
    day = day_in(dated[1]) if dated else None
    if day:
        return Depth.LOG, day
    return (Depth.GUIDE if file.stem.upper() in _GUIDES else Depth.ALL), None


def _read(file: Path) -> bytes:
    try:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode):  # a pipe would be read for ever
            raise ValidationError(f"{file} is no file.", hint="Name a Markdown file, or an export in JSON.")
        if status.st_size > _LARGEST:
            raise ValidationError(f"{file} is too large for a memory.", hint="Name a smaller file.")
        return file.read_bytes()
    except FileNotFoundError as error:
        raise NotFound(f"There is no file {file}.", hint="Name a file or a folder with memories.") from error
    except OSError as error:
        raise StorageError(f"Cannot read {file}: {error.strerror or error}.", hint="Is it yours?") from error


def _shown(folder: Path, file: Path) -> str:
    return file.relative_to(folder).as_posix()

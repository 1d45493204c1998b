"""What a person names to be brought in (a file, a folder, a zip archive), opened so that it can do no harm.

Nothing is unpacked: what an archive holds is read as a stream. Links, devices and pipes are not followed; names that
lead elsewhere, archives that are bombs, and files beyond all measure are refused before a byte of them counts.
"""

import os
import stat
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from commonplace.errors import NotFound, StorageError, UnreadableFile, UnsafePath, ValidationError
from commonplace.files.text import printable
from commonplace.types.transfer import PassedOver

MOST_FILES = 200_000
MOST_BYTES = 16 * 1024**3
MOST_TEXT = 20_000_000
"""How long a file may be that is read whole."""
_RATIO = 200  # text shrinks to a tenth; what shrinks more than this was made to
_SMALL = 1024 * 1024
_DEEPEST = 40
_LONGEST_LINE = 64 * 1024 * 1024
_ENCRYPTED = 0x1
_JSON = frozenset({".json", ".jsonl"})
_TELLING = _JSON | {".md", ".markdown"}
_ARCHIVE = b"PK\x03\x04"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of a source; parts of its name are parted by `/`."""

    name: str
    size: int

    @property
    def leaf(self) -> str:
        return self.name.rpartition("/")[2]

    @property
    def suffix(self) -> str:
        return os.path.splitext(self.leaf)[1].lower()


class Source(ABC):
    """An opened file, folder or archive. `hidden` are the folders in it that programs keep for themselves; they are
    not looked into. `done` counts the bytes that were read so far."""

    def __init__(
        self, label: str, files: list[SourceFile], passed_over: list[PassedOver], hidden: frozenset[str] = frozenset()
    ) -> None:
        self.label = label
        self.hidden = hidden
        self.files = sorted(files, key=lambda file: file.name)
        self.passed_over = passed_over
        self.done = 0
        self._by_name = {file.name: file for file in files}

    @property
    def names(self) -> set[str]:
        return set(self._by_name)

    def ending(self, *suffixes: str) -> list[SourceFile]:
        return [file for file in self.files if file.suffix in suffixes]

    @contextmanager
    def open(self, file: SourceFile) -> Generator[IO[bytes]]:
        """The bytes of a file, as a stream."""
        try:
            with self._open(file.name) as stream:
                yield cast(IO[bytes], _Counted(stream, self))
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
            raise UnreadableFile(
                f"{file.name} in {self.label} is damaged: {error}.", hint="Export it again."
            ) from error
        except OSError as error:
            raise StorageError(f"Cannot read {file.name}: {error.strerror or error}.", hint="Is it yours?") from error

    def read(self, file: SourceFile) -> bytes:
        """All of a file that is short enough to be read whole."""
        if file.size > MOST_TEXT:
            raise ValidationError(f"{file.name} is too large for a memory.", hint="Name a smaller file.")
        with self.open(file) as stream:
            return stream.read(MOST_TEXT + 1)

    @abstractmethod
    def _open(self, name: str) -> IO[bytes]: ...


class _Counted:
    """A stream that tells its source how far it is."""

    def __init__(self, stream: IO[bytes], source: Source) -> None:
        self._stream = stream
        self._source = source

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self._source.done += len(data)
        return data

    def __iter__(self) -> Iterator[bytes]:
        """The lines; one beyond all measure comes in pieces."""
        while line := self._stream.readline(_LONGEST_LINE):
            self._source.done += len(line)
            yield line


@contextmanager
def opened(path: Path) -> Generator[Source]:
    """The source at a path."""
    try:
        status = path.stat()
    except FileNotFoundError as error:
        raise NotFound(f"There is no file {path}.", hint="Name an export, a transcript or a folder.") from error
    except (OSError, ValueError) as error:
        raise StorageError(f"Cannot read {printable(str(path))}: {error}.", hint="Is it yours?") from error
    if stat.S_ISDIR(status.st_mode):
        yield _Folder(path)
        return
    if not stat.S_ISREG(status.st_mode):  # a pipe or a device would be read for ever
        raise ValidationError(f"{path} is no file.", hint="Name an export, a transcript or a folder.")
    with _plain(path) as stream:
        if not zipfile.is_zipfile(stream):
            stream.seek(0)
            if stream.read(len(_ARCHIVE)) == _ARCHIVE:
                raise UnreadableFile(f"{path.name} is an archive without its end.", hint="Download or copy it again.")
            _check_total(path.name, 1, status.st_size)
            yield _File(path, status.st_size)
            return
        try:
            with zipfile.ZipFile(stream) as archive:
                yield _Archive(path.name, archive)
        except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError) as error:
            raise UnreadableFile(f"{path.name} is a damaged archive: {error}.", hint="Export it again.") from error


class _File(Source):
    def __init__(self, path: Path, size: int) -> None:
        super().__init__(path.name, [SourceFile(path.name, size)], [])
        self._path = path

    def ending(self, *suffixes: str) -> list[SourceFile]:
        """A file that is named alone may be called anything: without a name that tells, it may well be JSON."""
        tells = self.files[0].suffix in _TELLING or _JSON.isdisjoint(suffixes)
        return super().ending(*suffixes) if tells else self.files

    def _open(self, name: str) -> IO[bytes]:  # noqa: ARG002 there is one only
        return _plain(self._path)


class _Folder(Source):
    def __init__(self, root: Path) -> None:
        self._root = root
        passed_over: list[PassedOver] = []
        files: list[SourceFile] = []
        total = 0
        for file in _walked(root, "", 0, passed_over):
            total += file.size
            files.append(file)
            _check_total(root.name, len(files), total)
        hidden = frozenset(one.name for one in root.iterdir() if one.name.startswith(".") and one.is_dir())
        super().__init__(root.name or str(root), files, passed_over, hidden)

    def _open(self, name: str) -> IO[bytes]:
        """Component by component, and no link on the way: one may have been put there since the folder was listed."""
        *folders, leaf = name.split("/")
        fd = os.open(self._root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for folder in folders:
                inner = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=fd)
                os.close(fd)
                fd = inner
            return _regular(os.open(leaf, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=fd), name)
        finally:
            os.close(fd)


def _walked(folder: Path, prefix: str, depth: int, passed_over: list[PassedOver]) -> Iterator[SourceFile]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        if not prefix:
            raise StorageError(f"Cannot read {folder}: {error.strerror or error}.", hint="Is it yours?") from error
        passed_over.append(PassedOver(prefix.rstrip("/"), "the folder cannot be read"))
        return
    for entry in entries:
        name = f"{prefix}{entry.name}"
        if entry.is_symlink():
            passed_over.append(PassedOver(printable(name), "links are not followed"))
        elif entry.is_dir(follow_symlinks=False):
            if entry.name.startswith("."):
                continue  # what programs keep for themselves
            if depth == _DEEPEST:
                passed_over.append(PassedOver(printable(name), f"folders are nested more than {_DEEPEST} deep"))
            else:
                yield from _walked(folder / entry.name, f"{name}/", depth + 1, passed_over)
        elif entry.is_file(follow_symlinks=False):
            if not entry.name.startswith("."):
                yield SourceFile(name, entry.stat(follow_symlinks=False).st_size)
        else:
            passed_over.append(PassedOver(printable(name), "it is no file"))


class _Archive(Source):
    def __init__(self, label: str, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        files: list[SourceFile] = []
        total = 0
        seen: set[str] = set()
        for info in archive.infolist():
            _check_member(label, info)
            if info.is_dir() or any(part.startswith(".") for part in info.filename.split("/")):
                continue
            if info.filename in seen:
                raise UnsafePath(f"{label} holds {info.filename!r} twice.", hint="Export it again.")
            seen.add(info.filename)
            total += info.file_size
            files.append(SourceFile(info.filename, info.file_size))
            _check_total(label, len(files), total)
        hidden = {part for info in archive.infolist() for part in info.filename.split("/")[:-1] if part[:1] == "."}
        super().__init__(label, files, [], frozenset(hidden))

    def _open(self, name: str) -> IO[bytes]:
        return self._archive.open(name)


def _check_member(label: str, info: zipfile.ZipInfo) -> None:
    """No name that leads out of the archive, no link, nothing that unpacks to far more than text can."""
    name = info.filename
    parts = name.rstrip("/").replace("\\", "/").split("/")
    if name.startswith(("/", "\\")) or ".." in parts or "\0" in name or (len(parts[0]) > 1 and parts[0][1] == ":"):
        raise UnsafePath(
            f"{label} holds {printable(name[:100])!r}, which leads out of the archive.",
            hint="No export does this: do not trust the file.",
        )
    mode = info.external_attr >> 16
    if mode and not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_IFMT(mode) == 0):
        raise UnsafePath(f"{label} holds a link or a device: {printable(name[:100])!r}.", hint="Do not trust the file.")
    if info.flag_bits & _ENCRYPTED:
        raise UnreadableFile(f"{label} is encrypted.", hint="Unpack it, then name the folder.")
    if info.file_size > _SMALL and info.file_size > _RATIO * max(info.compress_size, 1):
        raise UnsafePath(
            f"{printable(name[:100])!r} in {label} would grow from {info.compress_size:,} to {info.file_size:,} bytes.",
            hint="That is an archive made to do harm. Nothing was read.",
        )


def _check_total(label: str, files: int, size: int) -> None:
    if files > MOST_FILES:
        raise ValidationError(f"{label} holds more than {MOST_FILES:,} files.", hint="Name a folder below it.")
    if size > MOST_BYTES:
        raise ValidationError(f"{label} holds more than {MOST_BYTES:,} bytes.", hint="Name a part of it.")


def _plain(path: Path) -> IO[bytes]:
    try:
        return _regular(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), str(path))
    except OSError as error:
        raise StorageError(f"Cannot read {path}: {error.strerror or error}.", hint="Is it yours?") from error


def _regular(fd: int, name: str) -> IO[bytes]:
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise ValidationError(f"{name} is no file.", hint="Name an export, a transcript or a folder.")
    return os.fdopen(fd, "rb")

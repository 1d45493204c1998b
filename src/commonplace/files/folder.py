"""A book as a folder: durable atomic writes with compare-and-swap, and no way out of the folder.

Every path is walked from the book's root one part at a time without following links, so neither a hostile name
nor a link planted meanwhile leads outside. New bytes are staged in `.commonplace/tmp`, synced, and exchanged
with the old file in one atomic step; the old file is then compared with what had been read, and put back if a
person saved something in between or is still writing to it.
"""

from __future__ import annotations

import mmap
import os
import stat
import time
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from commonplace.errors import BookMissing, CommonplaceError, Conflict, StorageError
from commonplace.files.descriptors import (
    READ,
    exchange,
    exists,
    is_being_written,
    is_name,
    open_folder,
    open_regular,
    parts_of,
    read_file,
    rename_new,
    said_plainly,
    write_all,
)
from commonplace.files.folders import PRIVATE
from commonplace.files.lock import BookLock, book_lock
from commonplace.types.book import ABSENT, FileStat, Snapshot, snapshot_of, version_of

if TYPE_CHECKING:
    from commonplace.files.folderchanges import FolderChanges
    from commonplace.files.folderhistory import FolderHistory
    from commonplace.files.presence import FolderPresence
    from commonplace.types.asking import Note

TMP = f"{PRIVATE}/tmp"
_PRIVATE_OWNER = "private"
_KINDS = {stat.S_IFREG: "file", stat.S_IFDIR: "folder"}
_GIVE_BACK_ROUNDS = 8
_SETTLED_NS = 2_000_000_000  # a younger file may change again within one tick of a clock
_BEING_WRITTEN = "being written"
_IRREGULAR = "irregular"


class FolderStorage:
    """Implements `Storage` on a folder of one machine."""

    residue = ""  # what a disk keeps of deleted files is nobody's to tell

    def __init__(self, root: Path, *, lock_timeout: float = 10.0) -> None:
        self.root = root
        self._lock_timeout = lock_timeout
        self._lock: BookLock | None = None
        self._history: FolderHistory | None = None
        self._presence: FolderPresence | None = None
        self._edits: FolderChanges | None = None

    @property
    def address(self) -> str:
        return str(self.root)

    @property
    def history(self) -> FolderHistory:
        if self._history is None:
            from commonplace.files.folderhistory import FolderHistory

            self._history = FolderHistory(self)
        return self._history

    @property
    def presence(self) -> FolderPresence:
        if self._presence is None:
            from commonplace.files.presence import FolderPresence

            self._presence = FolderPresence(self.root)
        return self._presence

    @property
    def edits(self) -> FolderChanges:
        if self._edits is None:
            from commonplace.files.folderchanges import FolderChanges

            self._edits = FolderChanges(self)
        return self._edits

    def prepare(self) -> None:
        """Make the book's folder and what is missing above it, for the owner's eyes only."""
        missing = [folder for folder in (self.root, *self.root.parents) if not folder.exists()]
        try:
            for folder in reversed(missing):
                folder.mkdir(0o700, exist_ok=True)
        except OSError as error:
            raise StorageError(
                f"Cannot create {self.root}: {error.strerror or error}.", hint="Choose another place with --book PATH."
            ) from error

    def record(
        self, changes: Mapping[str, bytes | None], before: Mapping[str, Snapshot], note: Note, at: datetime
    ) -> str:
        """Write files and record them as one change: both or neither, also if the process is killed meanwhile."""
        return self.edits.record(changes, before, note, at)

    # -- reading ---------------------------------------------------------------------------------------------

    def read(self, name: str) -> Snapshot:
        """The content of `name`. Who holds the lock, and so is about to change it, waits for a save in progress."""
        parts = parts_of(name)
        patient = self._lock is not None and self._lock.mine and parts[0] != PRIVATE
        with said_plainly("read", name):
            try:
                with self._parent(parts) as parent:
                    return snapshot_of(read_file(parent, parts[-1], name, patient=patient))
            except FileNotFoundError:
                return Snapshot(None, ABSENT)

    def read_all(self, names: Iterable[str]) -> Iterator[tuple[str, Snapshot | StorageError]]:
        for name in names:
            try:
                content = self.read(name)
            except StorageError as error:
                yield name, error
            else:
                yield name, content

    def holds(self, name: str) -> bool:
        """Whether there is anything of this name."""
        parts = parts_of(name)
        with said_plainly("read", name):
            try:
                with self._parent(parts) as parent:
                    return exists(parent, parts[-1])
            except FileNotFoundError:
                return False

    def excerpts(self, places: Mapping[str, tuple[int, int]]) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for name, (start, length) in places.items():
            with suppress(StorageError):
                if (whole := self.map(name)) is not None:
                    found[name] = bytes(whole[start : start + length])
        return found

    def map(self, name: str) -> memoryview | None:
        """The bytes of a file that nobody changes in place, mapped into memory; None when there is none."""
        parts = parts_of(name)
        with said_plainly("read", name):
            try:
                with self._parent(parts) as parent:
                    fd = open_regular(parent, parts[-1], name, READ)
            except FileNotFoundError:
                return None
            try:
                size = os.fstat(fd).st_size
                return memoryview(mmap.mmap(fd, size, access=mmap.ACCESS_READ) if size else b"")
            finally:
                os.close(fd)

    def list_folder(self, folder: str) -> Iterator[FileStat]:
        """What is directly in `folder` ('' is the book itself), in the order of names."""
        parts = parts_of(folder) if folder else []
        found: list[FileStat] = []
        with said_plainly("list", folder or "the book"):
            try:
                with self._directory(parts, folder) as fd, os.scandir(fd) as entries:
                    prefix = f"{folder}/" if folder else ""
                    for entry in entries:
                        try:
                            found.append(_file_stat(prefix, entry))
                        except FileNotFoundError:  # gone since: an editor's own temporary file, most often
                            continue
            except FileNotFoundError:
                pass
        yield from sorted(found)

    def glance(self, folder: str) -> dict[str, tuple[int, ...]]:
        """Something that differs once a file directly in `folder` was added, changed or removed; cheaper than a list.
        Each search looks at every file, so this is kept lean."""
        parts = parts_of(folder) if folder else []
        seen: dict[str, tuple[int, ...]] = {}
        with said_plainly("list", folder or "the book"):
            try:
                with self._directory(parts, folder) as fd, os.scandir(fd) as entries:
                    for entry in entries:
                        if entry.is_dir(follow_symlinks=False):
                            continue
                        try:
                            info = entry.stat(follow_symlinks=False)
                        except FileNotFoundError:
                            continue
                        seen[entry.name] = (info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_mode)
            except FileNotFoundError:
                pass
        return seen

    def walk(self) -> Iterator[str]:
        """The names of all regular files, private ones too; and of folders it cannot enter."""
        folders = [""]
        while folders:
            for file in self.list_folder(folders.pop()):
                if file.kind == "folder" and is_name(file.name):
                    folders.append(file.name)
                elif file.kind != "other":
                    yield file.name

    # -- writing ---------------------------------------------------------------------------------------------

    def write(self, name: str, data: bytes, *, expected: str, durable: bool = True) -> str:
        """Make `data` the content of `name` if its version still is `expected`; return the new version."""
        parts = parts_of(name)
        with self.lock(), said_plainly("write", name), self._parent(parts, create=True) as parent:
            leaf = parts[-1]
            if (expected == ABSENT) == exists(parent, leaf):
                raise _changed_meanwhile(name)
            version = version_of(data)
            with self._directory(parts_of(TMP), TMP) as tmp:
                staged = _stage(tmp, data, f"{_owner(parts)}-{expected[:16]}-{version[:16]}", durable=durable)
                try:
                    if expected == ABSENT:
                        self._create(tmp, staged, parent, leaf, name, version, durable=durable)
                    else:
                        self._replace(tmp, staged, parent, leaf, name, expected, version, durable=durable)
                except OSError as error:
                    if not _is_still(parent, leaf, expected):
                        raise _half_done(name, error, f"{name} may hold the new text already") from error
                    raise
                finally:
                    with suppress(OSError, CommonplaceError):
                        _drop_if_known(tmp, staged)
            return version

    def put_derived(self, name: str, parts: Iterable[bytes | memoryview], *, durable: bool = False) -> None:
        """Write a file that can be made again at any time: atomic, but without lock, comparison or (if not `durable`)
        sync."""
        *folders, leaf = parts_of(name)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with said_plainly("write", name), self._directory(folders, name, create=True) as parent:
            staged = f"{leaf}.{os.urandom(6).hex()}.part"
            fd = os.open(staged, flags, 0o600, dir_fd=parent)
            try:
                try:
                    for part in parts:
                        write_all(fd, part)
                    if durable:
                        os.fsync(fd)
                finally:
                    os.close(fd)
                os.replace(staged, leaf, src_dir_fd=parent, dst_dir_fd=parent)
            except OSError:
                with suppress(OSError):
                    os.unlink(staged, dir_fd=parent)
                raise

    def delete_derived(self, name: str) -> None:
        """Remove a file that can be made again at any time."""
        *folders, leaf = parts_of(name)
        with said_plainly("delete", name), suppress(FileNotFoundError), self._directory(folders, name) as parent:
            os.unlink(leaf, dir_fd=parent)

    def large_index(self, identity: str, dimensions: int) -> None:
        """Arrays serve all of it."""

    def append(self, name: str, data: bytes, *, on_new_line: bool = False) -> None:
        """Add `data` at the end, on a new line even if the last one was torn. A failure leaves the file as it was."""
        parts = parts_of(name)
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
        with self.lock(), said_plainly("append to", name), self._parent(parts, create=True) as parent:
            fd = open_regular(parent, parts[-1], name, flags)
            try:
                size = os.fstat(fd).st_size
                torn = on_new_line and size and os.pread(fd, 1, size - 1) != b"\n"
                try:
                    write_all(fd, b"\n" + data if torn else data)
                    os.fsync(fd)
                    if size == 0:  # perhaps a new name
                        os.fsync(parent)
                except OSError as error:
                    try:
                        os.ftruncate(fd, size)
                    except OSError:
                        if _size(fd) != size:
                            raise _half_done(name, error, f"{name} may hold what was to be added already") from error
                    raise
            finally:
                os.close(fd)

    def delete(self, name: str, *, expected: str, durable: bool = True) -> None:
        """Remove `name` if its version still is `expected`."""
        parts = parts_of(name)
        with (
            self.lock(),
            said_plainly("delete", name),
            self._parent(parts) as parent,
            self._directory(parts_of(TMP), TMP) as tmp,
        ):
            leaf = parts[-1]
            if snapshot_of(read_file(parent, leaf, name)).version != expected:
                raise _changed_meanwhile(name)
            aside = f"{_owner(parts)}-{expected[:16]}-deleted-{os.urandom(6).hex()}.swap"
            os.rename(leaf, aside, src_dir_fd=parent, dst_dir_fd=tmp)
            try:
                _check_untouched(tmp, aside, name, expected)
                if durable:
                    os.fsync(parent)
            except (OSError, CommonplaceError) as error:
                try:
                    rename_new(tmp, aside, parent, leaf)
                except FileExistsError:
                    pass  # there is a newer one already; this one is kept as a leftover
                except OSError as second:
                    if not _is_still(parent, leaf, expected):
                        raise _half_done(name, second, f"{name} is set aside in {TMP}") from error
                raise
            with suppress(OSError):  # deleted it is; the next change collects what is left
                os.unlink(aside, dir_fd=tmp)

    def make_folder(self, folder: str) -> None:
        """Make a folder, and those above it that are missing."""
        with said_plainly("make", folder), self._directory(parts_of(folder), folder, create=True):
            pass

    def remove_empty_folder(self, folder: str) -> None:
        """Drop a folder that has become empty; anything in it keeps it."""
        parts = parts_of(folder)
        with suppress(OSError), self._parent(parts) as parent:
            os.rmdir(parts[-1], dir_fd=parent)

    def _create(self, tmp: int, staged: str, parent: int, leaf: str, name: str, version: str, *, durable: bool) -> None:
        try:
            rename_new(tmp, staged, parent, leaf)
        except FileExistsError:
            raise _changed_meanwhile(name) from None
        if durable:
            try:
                os.fsync(parent)
            except OSError:
                with suppress(OSError):
                    os.rename(leaf, staged, src_dir_fd=parent, dst_dir_fd=tmp)
                    if _look(tmp, staged) != version:
                        rename_new(tmp, staged, parent, leaf)
                raise

    def _replace(
        self, tmp: int, staged: str, parent: int, leaf: str, name: str, expected: str, version: str, *, durable: bool
    ) -> None:
        try:
            # A person's newer text must not be hidden even for the moment until it is given back: they may read the
            # file just then. So this looks as late as possible, and the exchange decides.
            _check_untouched(parent, leaf, name, expected)
            exchanged = exchange(tmp, staged, parent, leaf)
        except FileNotFoundError:
            raise _changed_meanwhile(name) from None
        if not exchanged:  # not on this file system: the look just taken has to do
            os.replace(staged, leaf, src_dir_fd=tmp, dst_dir_fd=parent)
            if durable:
                os.fsync(parent)
            return
        try:
            _check_untouched(tmp, staged, name, expected)
            if durable:
                os.fsync(parent)
        except (OSError, CommonplaceError):
            _give_back(tmp, staged, parent, leaf, version)
            raise

    # -- lock and housekeeping -------------------------------------------------------------------------------

    @contextmanager
    def lock(self, *, timeout: float | None = None) -> Generator[None]:
        """Hold the book's lock, waiting `timeout` seconds for it (the book's setting); makes the private folders."""
        if self._lock is None or not self._lock.mine:
            self._lock = self._book_lock()
        if not self._lock.mine:
            with said_plainly("lock", "the book"):
                self._make_private_folders()
        with _locked(self._lock, self._lock_timeout if timeout is None else timeout):
            yield

    @contextmanager
    def alone(self, task: str, *, timeout: float) -> Generator[None]:
        """Be the only one in any thread or process that does `task`, while the book itself stays open to all."""
        with said_plainly("lock", "the book"):
            self._make_private_folders()
        with _locked(book_lock(self.root / PRIVATE / f"lock.{task}"), timeout):
            yield

    def holder(self) -> str | None:
        """Who holds the lock now, in words."""
        return self._book_lock().holder()

    def blank(self, name: str) -> None:
        """Overwrite a file with blanks where it is, for one that must stay what others have opened."""
        parts = parts_of(name)
        with said_plainly("write", name), self._parent(parts) as parent:
            fd = open_regular(parent, parts[-1], name, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                os.pwrite(fd, b" " * os.fstat(fd).st_size, 0)
                os.fsync(fd)
            finally:
                os.close(fd)

    def collect_leftovers(self) -> list[str]:
        """Clear the staging folder after a crash. A person's text found there is kept: its new names are returned.

        A staged file is complete once it is called `.swap`. It then holds our new bytes or, after the exchange,
        the bytes that had been read; both are known by the versions in its name. Anything else is what a person
        saved in the very moment of a crash.
        """
        kept: list[str] = []
        with self.lock(), said_plainly("clear", TMP), self._directory(parts_of(TMP), TMP) as tmp:
            for leaf in sorted(os.listdir(tmp)):
                if _drop_if_known(tmp, leaf) or _look(tmp, leaf) == _BEING_WRITTEN:
                    continue
                rescued = f"rescued-{leaf.removesuffix('.swap')[-12:]}.md"
                with self._directory([], "") as root:
                    rename_new(tmp, leaf, root, rescued)
                    os.fsync(root)
                kept.append(rescued)
        return kept

    def _book_lock(self) -> BookLock:
        return book_lock(self.root / PRIVATE / "lock")

    def _make_private_folders(self) -> None:
        if not self.root.is_dir():
            raise BookMissing(
                f"There is no folder at {self.root}.",
                hint=f"Create the book with: commonplace init --book {self.root}",
            )
        with self._parent(parts_of(f"{TMP}/x"), create=True):
            pass

    # -- walking ---------------------------------------------------------------------------------------------

    @contextmanager
    def _parent(self, parts: list[str], *, create: bool = False) -> Generator[int]:
        with self._directory(parts[:-1], "/".join(parts), create=create) as fd:
            yield fd

    @contextmanager
    def _directory(self, parts: list[str], name: str, *, create: bool = False) -> Generator[int]:
        fd = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            for part in parts:
                below = open_folder(fd, part, name, create=create)
                os.close(fd)
                fd = below
            yield fd
        finally:
            os.close(fd)


def _owner(parts: list[str]) -> str:
    """Whose file is replaced: a person's, or one of our own."""
    return _PRIVATE_OWNER if parts[0] == PRIVATE else "book"


def _stage(tmp: int, data: bytes, versions: str, *, durable: bool) -> str:
    """Write `data` to a new file of the staging folder; its final name says that it is complete."""
    base = f"{versions}-{os.urandom(6).hex()}"
    part, ready = f"{base}.part", f"{base}.swap"
    fd = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=tmp)
    try:
        try:
            write_all(fd, data)
            if durable:
                os.fsync(fd)
        finally:
            os.close(fd)
        os.rename(part, ready, src_dir_fd=tmp, dst_dir_fd=tmp)
    except OSError:
        with suppress(OSError):
            os.unlink(part, dir_fd=tmp)
        raise
    return ready


def _check_untouched(folder: int, leaf: str, name: str, expected: str) -> None:
    """`Conflict` if a file that was taken out of its place is not what had been read, or is being written to.

    First the question for writers: nobody can open the file any more under the name it had, so what is read
    afterwards stays so.
    """
    fd = open_regular(folder, leaf, name, READ)
    with open(fd, "rb", buffering=0) as file:
        if is_being_written(fd) or version_of(file.read()) != expected:
            raise _changed_meanwhile(name)


def _give_back(tmp: int, staged: str, parent: int, leaf: str, ours: str) -> None:
    """Put the person's file back. If they saved yet again meanwhile, the newest of theirs ends up in place."""
    before = ""
    for _ in range(_GIVE_BACK_ROUNDS):
        put = _look(tmp, staged)
        try:
            exchange(tmp, staged, parent, leaf)
        except FileNotFoundError:
            rename_new(tmp, staged, parent, leaf)
            return
        if _look(tmp, staged) in {ours, before}:
            return
        before = put


def _look(folder: int, leaf: str) -> str:
    """The version of a file, or why it has none."""
    try:
        fd = open_regular(folder, leaf, leaf, READ)
    except FileNotFoundError:
        return ABSENT
    except StorageError:
        return _IRREGULAR
    with open(fd, "rb", buffering=0) as file:
        return _BEING_WRITTEN if is_being_written(fd) else version_of(file.read())


def _drop_if_known(tmp: int, leaf: str) -> bool:
    """Remove a staged file unless it holds something that is neither our new bytes nor the ones that were read.

    In place of a private file nobody but us writes, and what was not synced may be anything after a power failure.
    """
    if not leaf.endswith(".part") and not leaf.startswith(_PRIVATE_OWNER):
        version = _look(tmp, leaf)
        if version == ABSENT:
            return True
        if version[:16] not in leaf.split("-"):
            return False
    os.unlink(leaf, dir_fd=tmp)
    return True


def _is_still(parent: int, leaf: str, expected: str) -> bool:
    """Whether a file surely is what it was before a write that failed."""
    try:
        return _look(parent, leaf) == expected
    except OSError:
        return False


def _size(fd: int) -> int:
    try:
        return os.fstat(fd).st_size
    except OSError:
        return -1


def _half_done(name: str, error: OSError, state: str) -> StorageError:
    """What failed after the step that cannot be taken back: nobody must believe that all is as before."""
    return StorageError(
        f"Cannot finish writing {name}: {error.strerror or error}. {state}, and the disk has not confirmed it.",
        hint="Check the disk, then look at the file: `commonplace doctor`. The next change completes this one or "
        "takes it back.",
    )


def _file_stat(prefix: str, entry: os.DirEntry[str]) -> FileStat:
    info = entry.stat(follow_symlinks=False)
    kind = _KINDS.get(stat.S_IFMT(info.st_mode), "other")
    size, modified, changed = info.st_size, info.st_mtime_ns, info.st_ctime_ns
    # Whoever sets back a file's time (a sync tool, an editor) cannot set back the time of that change.
    settled = time.time_ns() - max(modified, changed) > _SETTLED_NS
    return FileStat(prefix + entry.name, kind, size, f"{info.st_ino}.{size}.{modified}.{changed}", settled)


def _changed_meanwhile(name: str) -> Conflict:
    return Conflict(
        f"{name} was changed by someone else in the meantime; nothing was written.",
        hint="Read it again and repeat the change.",
    )


@contextmanager
def _locked(lock: BookLock, timeout: float) -> Generator[None]:
    """Hold the lock, wording only the lock's own system errors (not those of the work done under it)."""
    holding = lock.held(timeout)
    with said_plainly("lock", "the book"):
        holding.__enter__()
    try:
        yield
    finally:
        holding.__exit__(None, None, None)

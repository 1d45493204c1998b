"""Opening and reading below a folder's descriptor: one part of a name at a time, and never through a link.

Also the one place where the system's errors become ours, with what to do about them.
"""

import errno
import os
import stat
import time
import unicodedata
from collections.abc import Generator
from contextlib import contextmanager, suppress

from commonplace.errors import StorageError, UnreadableFile, UnsafePath
from commonplace.files.swap import is_being_written

READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_SAVING_NAPS = 50
_NAP = 0.002


def is_name(name: str) -> bool:
    """Whether every part of a name can only lead downwards."""
    return all(_is_part(part) for part in name.split("/"))


def _is_part(part: str) -> bool:
    if part.isascii() and part.isprintable():
        return part not in {"", ".", ".."} and not any(c in part for c in "\\:") and len(part) <= 255
    plain = unicodedata.normalize("NFKC", part)
    return (
        plain not in {"", ".", ".."}
        and not any(c in "/\\:" or unicodedata.category(c) in {"Cc", "Cf", "Cs"} for c in plain)
        and len(part.encode("utf-8", "surrogatepass")) <= 255
    )


def parts_of(name: str) -> list[str]:
    if not is_name(name):
        raise UnsafePath(
            f"{name!r} is not a name inside a book.",
            hint="Use a plain relative name without '..', backslashes, colons or control characters.",
        )
    return name.split("/")


def open_folder(parent: int, part: str, name: str, *, create: bool) -> int:
    try:
        return _open_below(parent, part, name)
    except FileNotFoundError:
        if not create:
            raise
    with suppress(FileExistsError):
        os.mkdir(part, 0o700, dir_fd=parent)
        os.fsync(parent)
    return _open_below(parent, part, name)


def _open_below(parent: int, part: str, name: str) -> int:
    try:
        return os.open(part, _FOLDER, dir_fd=parent)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.ENOTDIR, errno.EMLINK}:
            raise UnsafePath(
                f"{part!r} on the way to {name} is a link or a file, not a folder of the book.",
                hint=f"Replace {part!r} by a real folder; Commonplace does not follow links out of a book.",
            ) from None
        raise


def open_regular(parent: int, leaf: str, name: str, flags: int) -> int:
    try:
        fd = os.open(leaf, flags, 0o600, dir_fd=parent)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.EMLINK}:
            raise UnsafePath(
                f"{name} is a symbolic link; Commonplace does not follow links.",
                hint=f'Put the real file in its place: cp --remove-destination "$(readlink -f {name})" {name}',
            ) from None
        if error.errno in {errno.EISDIR, errno.ENXIO}:
            raise _irregular(name) from None
        raise
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise _irregular(name)
    return fd


def _irregular(name: str) -> UnreadableFile:
    return UnreadableFile(
        f"{name} is not a regular file (a folder, a pipe or a device has its name).",
        hint=f"Move it away; a new {name} is created by the next write.",
    )


def read_file(parent: int, leaf: str, name: str, *, patient: bool = False) -> bytes | None:
    for _ in range(_SAVING_NAPS if patient else 0):
        try:
            fd = open_regular(parent, leaf, name, READ)
        except FileNotFoundError:
            return None
        with open(fd, "rb", buffering=0) as file:
            if not is_being_written(fd):
                return file.read()
        time.sleep(_NAP)
    try:
        fd = open_regular(parent, leaf, name, READ)
    except FileNotFoundError:
        return None
    with open(fd, "rb", buffering=0) as file:
        return file.read()


def exists(parent: int, leaf: str) -> bool:
    try:
        os.stat(leaf, dir_fd=parent, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def write_all(fd: int, data: bytes | memoryview) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


@contextmanager
def said_plainly(verb: str, what: str) -> Generator[None]:
    """Turn the system's errors into ours, with what to do about them. Only the one file is spoken of: what a larger
    step has done before is not known here."""
    try:
        yield
    except OSError as error:
        state = "" if verb in {"read", "list", "lock"} else f" {what} is as it was."
        raise StorageError(f"Cannot {verb} {what}: {error.strerror or error}.{state}", hint=_hint(error)) from error


def _hint(error: OSError) -> str:
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT | errno.EFBIG:
            return "The disk or quota is full. Free some space and try again."
        case errno.EROFS:
            return "The disk is read-only. Mount it writable and try again."
        case errno.EACCES | errno.EPERM:
            return "This user may not do that. `commonplace doctor` shows whose file it is."
        case errno.EIO:
            return "The disk reports an input/output error. Check the disk, then try again."
        case _:
            return "`commonplace doctor` looks for the cause."

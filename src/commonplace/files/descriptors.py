"""Files by the descriptors of their folders: opened one part of a name at a time, never through a link, and renamed
only on a condition. Also the one place where the system's errors become ours, with what to do about them.

Plain rename() replaces whatever is there, also what a person saved a microsecond ago. Exchanging keeps the replaced
file in hand, so that it can be looked at and, if it is not what we had read, be put back. What no look can tell
is an editor that is still writing to it; that too is asked here.
"""

import ctypes
import errno
import fcntl
import os
import signal
import stat
import sys
import time
import unicodedata
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from functools import cache

from commonplace.errors import StorageError, UnreadableFile, UnsafePath

READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_SAVING_NAPS = 50
_NAP = 0.002
_MACOS = sys.platform == "darwin"
_NOREPLACE = 4 if _MACOS else 1
_EXCHANGE = 2
_UNSUPPORTED = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}

_Rename = Callable[[int, bytes, int, bytes, int], int]


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


def rename_new(source_dir: int, source: str, target_dir: int, target: str) -> None:
    """Rename `source` to `target`; FileExistsError when somebody has made `target` meanwhile."""
    if _rename_with(_NOREPLACE, source_dir, source, target_dir, target):
        return
    try:
        os.link(source, target, src_dir_fd=source_dir, dst_dir_fd=target_dir, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _UNSUPPORTED | {errno.EPERM}:
            raise
        # Neither a conditional rename nor links (an old USB stick): the last look is a moment before the rename.
        if exists(target_dir, target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target) from None
        os.rename(source, target, src_dir_fd=source_dir, dst_dir_fd=target_dir)
    else:
        os.unlink(source, dir_fd=source_dir)


def exchange(source_dir: int, source: str, target_dir: int, target: str) -> bool:
    """Swap the two files atomically. False where the file system cannot (nothing has happened then)."""
    return _rename_with(_EXCHANGE, source_dir, source, target_dir, target)


def is_being_written(fd: int) -> bool:
    """Whether some process has the file behind this read-only descriptor open for writing.

    An editor that saves in place opens the file, cuts it and writes it, and goes on writing to that same file
    wherever it has been moved to. Linux tells by granting or refusing a read lease; elsewhere nobody can know.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        # Someone who opens the file right now makes the kernel send this signal; SIGURG is ignored by default.
        fcntl.fcntl(fd, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except OSError as error:
        return error.errno == errno.EAGAIN
    return False


def _rename_with(flag: int, source_dir: int, source: str, target_dir: int, target: str) -> bool:
    rename = system_rename()
    if rename is None:
        return False
    if rename(source_dir, os.fsencode(source), target_dir, os.fsencode(target), flag) == 0:
        return True
    code = ctypes.get_errno()
    if code in _UNSUPPORTED:
        return False
    raise OSError(code, os.strerror(code), target)


@cache
def system_rename() -> _Rename | None:
    libc = ctypes.CDLL(None, use_errno=True)
    function = getattr(libc, "renameatx_np" if _MACOS else "renameat2", None)
    if function is None:
        return None
    function.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    function.restype = ctypes.c_int
    return function


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

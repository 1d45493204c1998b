"""Atomic rename with a condition: refuse to replace, or exchange two files.

Plain rename() replaces whatever is there, also what a person saved a microsecond ago. Exchanging keeps the
replaced file in hand, so that it can be looked at and, if it is not what we had read, be put back. What cannot
be seen by looking is an editor that is still writing to it; that too is asked here.
"""

import ctypes
import errno
import fcntl
import os
import signal
import sys
from collections.abc import Callable
from functools import cache

_MACOS = sys.platform == "darwin"
_NOREPLACE = 4 if _MACOS else 1
_EXCHANGE = 2
_UNSUPPORTED = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}

_Rename = Callable[[int, bytes, int, bytes, int], int]


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
        if _exists(target_dir, target):
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


def _exists(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


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

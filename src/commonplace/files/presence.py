"""Which conversations are open right now, in any process of this machine.

Each has a file that whoever has it open holds with an OS lock (flock), so a killed process is gone by itself: its
conversation counts as left, and can be caught up with.
"""

import fcntl
import os
from collections.abc import Iterable
from pathlib import Path

from commonplace.errors import StorageError
from commonplace.files.folders import PRIVATE
from commonplace.files.transcripts import check_id

_FOLDER = "open"
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


class OpenSession:
    """A conversation that is open until `close`. Several processes may have the same one open."""

    def __init__(self, root: Path, session: str) -> None:
        self.session = session
        self._path = _path(root, session)
        self._fd = self._hold()

    def close(self) -> None:
        """Nobody else has it open: the file goes too."""
        if self._fd < 0:
            return
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._path.unlink(missing_ok=True)
        except OSError:  # others have it open, or the folder is gone: either way there is nothing to clear
            pass
        finally:
            os.close(self._fd)
            self._fd = -1

    def _hold(self) -> int:
        try:
            self._path.parent.mkdir(0o700, exist_ok=True)
            while True:
                fd = os.open(self._path, _FLAGS, 0o600)
                fcntl.flock(fd, fcntl.LOCK_SH)
                if self._path.exists() and os.path.samestat(os.fstat(fd), os.lstat(self._path)):
                    return fd
                os.close(fd)  # the last one to leave removed it at this very moment
        except OSError as error:
            raise StorageError(
                f"Cannot note that {self.session} is open: {error.strerror or error}.",
                hint="Check the permissions of the book's folder.",
            ) from error


class FolderPresence:
    """The open conversations of one book in a folder."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def enter(self, session: str) -> OpenSession:
        """Have a conversation open until it is closed."""
        return OpenSession(self._root, session)

    def opened(self, sessions: Iterable[str]) -> set[str]:
        return {session for session in sessions if self._is_open(session)}

    def _is_open(self, session: str) -> bool:
        try:
            fd = os.open(_path(self._root, session), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(fd)
        return False


def _path(root: Path, session: str) -> Path:
    return root / PRIVATE / _FOLDER / check_id(session, "session")

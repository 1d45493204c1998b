"""What `doctor` looks at in a folder and nowhere else: permissions, the lock, a crash's remains, sync tools, space."""

import os
import re
import shutil
import stat
from collections.abc import Iterator

from commonplace.files import backups, daily, transcripts
from commonplace.files.folder import TMP, FolderStorage
from commonplace.files.folders import PRIVATE
from commonplace.files.text import printable
from commonplace.types.keeping import Finding

_LOW_SPACE = 200 * 1024 * 1024
_CONFLICT_COPY = re.compile(
    r"\.sync-conflict-|conflicted copy|\([^()]*conflict[^()]*\)|-conflict-|\.orig$|_conf\(\d+\)", re.IGNORECASE
)
_NUMBERED = re.compile(r" (?:\(\d+\)|\d+)(?=\.\w+$)")
_FOLDERS = ("", daily.FOLDER, transcripts.FOLDER, backups.FOLDER)


def checks_of(folder: FolderStorage) -> list[tuple[str, Iterator[Finding]]]:
    """The checks, each with its name."""
    checks = (_permissions, _lock, _staging, _sync_conflicts, _space)
    return [(one.__name__.strip("_").replace("_", " "), one(folder)) for one in checks]


def _permissions(folder: FolderStorage) -> Iterator[Finding]:
    open_to_others: list[str] = []
    for name in _paths(folder):
        info = os.lstat(folder.root / name)
        if stat.S_IMODE(info.st_mode) & 0o077 and not stat.S_ISLNK(info.st_mode):
            open_to_others.append(name or ".")
    if open_to_others:
        shown = ", ".join(map(printable, open_to_others[:5])) + (" …" if len(open_to_others) > 5 else "")
        yield Finding(
            "permissions",
            "warning",
            f"Other users may read or write {len(open_to_others)} of the book's files: {shown}.",
            f"chmod -R go-rwx '{folder.root}'",
        )
    if not os.access(folder.root, os.W_OK):
        yield Finding(
            "permissions", "error", "This user may not write to the book.", f"chown it: ls -ld '{folder.root}'"
        )


def _paths(folder: FolderStorage) -> Iterator[str]:
    yield ""
    for place in (*_FOLDERS, PRIVATE):
        if place and (folder.root / place).is_dir():
            yield place
        yield from (file.name for file in folder.list_folder(place))


def _lock(folder: FolderStorage) -> Iterator[Finding]:
    holder = folder.holder()
    if holder:
        yield Finding("lock", "note", f"The book is in use by {holder}.", "If that process hangs, end it.")


def _staging(folder: FolderStorage) -> Iterator[Finding]:
    if folder.holder() is None and any(folder.list_folder(TMP)):
        yield Finding("staging", "note", "A write was cut off by a crash.", "The next write clears what it left.")
    for file in folder.list_folder(""):
        if re.fullmatch(r"rescued-[0-9a-f]+\.md", file.name):
            fix = f"Compare it with MEMORY.md, copy over what is missing, then delete {file.name}."
            yield Finding("staging", "warning", f"{file.name} is an edit saved during a crash.", fix)


def _sync_conflicts(folder: FolderStorage) -> Iterator[Finding]:
    fix = "Copy what is missing into the original by hand, then delete the copy. Until then it is left out."
    for place in _FOLDERS:
        names = [file.name for file in folder.list_folder(place)]
        for name in names:
            if _CONFLICT_COPY.search(name) or (_NUMBERED.search(name) and _NUMBERED.sub("", name) in names):
                yield Finding("sync conflicts", "warning", f"A sync tool left {printable(name)}.", fix)

    for name in _copied_transcripts(folder):
        yield Finding("sync conflicts", "warning", f"{name} is a copy of another transcript.", fix)


def _copied_transcripts(folder: FolderStorage) -> list[str]:
    files = folder.list_folder(transcripts.FOLDER)
    named = [session for f in files if f.kind == "file" and (session := transcripts.session_of(f.name))]
    return [transcripts.file_of(session) for session in sorted(transcripts.copies(named, folder.read))]


def set_aside(folder: FolderStorage) -> Iterator[Finding]:
    if folder.history.set_aside():
        fix = f"Look with: git --git-dir '{folder.root}/{PRIVATE}/history.git' for-each-ref refs/damaged"
        yield Finding("history", "warning", "An earlier history was damaged and set aside.", fix)


def _space(folder: FolderStorage) -> Iterator[Finding]:
    free = shutil.disk_usage(folder.root).free
    if free < _LOW_SPACE:
        fix = "Free some space: a full disk refuses every write (and loses none)."
        yield Finding("space", "warning", f"Only {free // (1024 * 1024)} MB are free on this disk.", fix)

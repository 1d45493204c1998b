"""Backups of MEMORY.md: their names, their order, and which of them may go. Pure.

Everything is decided by the name, never by the file's time: copying or syncing a book changes times.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta

from commonplace.errors import NotFound
from commonplace.files import folders
from commonplace.files.text import printable
from commonplace.types.keeping import Backup

FOLDER = folders.BACKUPS
_NAME = re.compile(r"MEMORY_backup_(\d{4}-\d{2}-\d{2})_(\d{2}-\d{2}-\d{2})(?:_(\d+))?\.md", re.ASCII)
_STAMP = "%Y-%m-%d_%H-%M-%S"
_ALL_ZONES = timedelta(hours=26)


def new_name(at: datetime, taken: Iterable[str]) -> str:
    """The name for a backup made `at`; within one second the later ones are numbered from 2. Names have the local time,
    and their order is the order of the backups: where the clock was put back or the book has travelled west, the newest
    name there is numbered on."""
    now = at.replace(tzinfo=None)
    times = {name: time.replace(tzinfo=None) for name in taken if (time := _time(name)) is not None}
    stamp = max([now, *(time for time in times.values() if time - now <= _ALL_ZONES)]).strftime(_STAMP)
    base = f"MEMORY_backup_{stamp}"
    highest = max((_order(name)[1] for name in times if name.startswith(base)), default=0)
    return f"{base}_{highest + 1}.md" if highest else f"{base}.md"


def listed(files: Iterable[tuple[str, int]]) -> list[Backup]:
    """The backups among (name, size) pairs, newest first; other files in the folder are a person's own."""
    backups = [Backup(name, time, size) for name, size in files if (time := _time(name)) is not None]
    return sorted(backups, key=lambda backup: _order(backup.name), reverse=True)


def check_name(name: str) -> str:
    """A backup is named, never pathed."""
    if _time(name) is None:
        raise NotFound(
            f"{printable(name)!r} is not the name of a backup.",
            hint="`commonplace backups` lists them: MEMORY_backup_YYYY-MM-DD_HH-MM-SS.md.",
        )
    return name


def _time(name: str) -> datetime | None:
    match = _NAME.fullmatch(name)
    try:
        return datetime.fromisoformat(f"{match[1]}T{match[2].replace('-', ':')}").astimezone() if match else None
    except (ValueError, OverflowError):
        return None


def _order(name: str) -> tuple[str, int]:
    match = _NAME.fullmatch(name)
    return (f"{match[1]}_{match[2]}", int(match[3] or 1)) if match else ("", 0)

"""A disk that says no: every Nth call that could fail fails, for every N until an operation passes untouched.

The calls are those of this process (the library's own calls into the system), so that each is met exactly once. What
a real full disk, a real size limit and strace make of whole processes is in `machine`.
"""

import errno
import os
import shutil
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from commonplace.errors import StorageError
from commonplace.files import descriptors
from commonplace.memory import Memory
from tests.stress.killing import fsck
from tests.stress.kinds import Kind, Model, Torn

CODES = (errno.ENOSPC, errno.EIO, errno.EROFS)
_WRAPPED = ("open", "write", "fsync", "rename", "replace", "link", "unlink", "mkdir", "ftruncate", "pwrite")


@dataclass
class Failed:
    """What came of failing one kind of write at each of its calls."""

    kind: str
    code: str
    calls: int = 0
    refused: int = 0
    passed: int = 0
    half: int = 0
    untyped: int = 0
    not_recovered: int = 0
    where: Counter[str] = field(default_factory=Counter[str])
    problems: list[str] = field(default_factory=list[str])

    @property
    def good(self) -> bool:
        return not (self.half or self.untyped or self.not_recovered or self.problems)


@contextmanager
def failing(nth: int, code: int, hits: list[str], *, forever: bool = False) -> Generator[None]:
    """Let the `nth` call (and, on a disk that stays bad, all after it) fail with `code`. Only EIO hits reading too."""
    count = 0

    def strikes(name: str) -> bool:
        nonlocal count
        count += 1
        if count == nth or (forever and count > nth):
            hits.append(name)
            return True
        return False

    def wrapped(name: str, real: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object, **options: object) -> object:
            only_reads = name == "open" and code != errno.EIO and not _opens_for_writing(arguments)
            if not only_reads and strikes(name):
                raise OSError(code, os.strerror(code))
            return real(*arguments, **options)

        return call

    real_rename = descriptors.system_rename()

    def rename_with(source_dir: int, source: bytes, target_dir: int, target: bytes, flag: int) -> int:
        if strikes(f"renameat2({flag})"):
            raise OSError(code, os.strerror(code))
        assert real_rename is not None
        return real_rename(source_dir, source, target_dir, target, flag)

    originals = {name: getattr(os, name) for name in _WRAPPED}
    try:
        for name, real in originals.items():
            setattr(os, name, wrapped(name, real))
        descriptors.system_rename = cache(lambda: rename_with)
        yield
    finally:
        for name, real in originals.items():
            setattr(os, name, real)
        descriptors.system_rename = _system_rename


_system_rename = descriptors.system_rename


def _opens_for_writing(arguments: tuple[object, ...]) -> bool:
    flags = arguments[1] if len(arguments) > 1 else 0
    return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))


def fail_every_call(kind: Kind, code: int, root: Path, *, forever: bool = False, step: int = 1) -> Failed:
    """Fail call 1 of a write, then call 2, …, until it passes without meeting a failure."""
    report = Failed(kind.name, errno.errorcode[code] + (" from then on" if forever else ""))
    memory = Memory.open(root)
    kind.seed(memory)
    model = kind.observe(root)
    nth = 1
    while True:
        hits: list[str] = []
        intent = kind.intend(model, 1000 + nth)
        assert intent is not None
        wanted = kind.applied(model, intent)
        refused = change = None
        try:
            with failing(nth, code, hits, forever=forever):
                change = kind.perform(memory, intent)
        except StorageError as error:
            refused = error
            report.refused += 1
            if not error.hint or not error.message:
                report.problems.append(f"{error!r} does not say what to do")
        except Exception as error:
            report.untyped += 1
            report.problems.append(f"call {nth} ({hits}): {error!r}")
        else:
            report.passed += 1
        report.where[hits[0] if hits else "none"] += 1
        found = _look(kind, root, report, nth, hits)
        if found not in (model, wanted) or (refused is None and found != wanted):
            report.half += 1
            report.problems.append(f"call {nth} ({hits}): neither the old nor the new content")
            return report
        if refused is not None and found != model and kind.name != "flush" and "is as it was" in refused.message:
            report.problems.append(f"call {nth} ({hits}): changed, and told as unchanged: {refused} {refused.hint}")
        if not hits:
            break
        model = _try_again(kind, memory, root, found, model, wanted, change, report, nth, hits)
        nth += step
    report.calls = nth - 1
    problem = fsck(root)
    if problem:
        report.problems.append(problem)
    return report


def _try_again(
    kind: Kind,
    memory: Memory,
    root: Path,
    found: Model | None,
    model: Model,
    wanted: Model,
    change: str | None,
    report: Failed,
    nth: int,
    hits: list[str],
) -> Model:
    """The disk is well again: the same write works, the history has what is in the files, and nothing is left over."""
    where = f"call {nth} ({hits})"
    try:
        if found != wanted or kind.name == "backup":
            intent = kind.intend(model if found != wanted else wanted, 1000 + nth)
            assert intent is not None
            kind.perform(memory, intent)
            if found == model:
                found = wanted
            elif kind.name == "backup":
                found = kind.applied(wanted, intent)
        memory.book.catch_up()
    except Exception as error:
        report.not_recovered += 1
        report.problems.append(f"{where}, next try: {error!r}")
        return kind.observe(root)
    now = _look(kind, root, report, nth, hits)
    if now != found:
        report.not_recovered += 1
        report.problems.append(f"{where}: the next try did not work")
    newest = next(memory.book.history.changes())
    if kind.origins and newest.note.origin not in kind.origins:
        report.problems.append(f"{where}: recorded as {newest.note.origin}: {newest.note.summary}")
    if change is not None and not any(change == recorded.id for recorded in memory.book.history.changes()):
        report.problems.append(f"{where}: confirmed as {change[:10]}, which the history does not have")
    if any((root / ".commonplace" / "tmp").iterdir()) or any(root.glob("rescued-*")):
        report.problems.append(f"{where}: something was left over")
    return now or wanted


def _look(kind: Kind, root: Path, report: Failed, nth: int, hits: list[str]) -> Model | None:
    try:
        return kind.observe(root)
    except (Torn, UnicodeDecodeError) as error:
        report.problems.append(f"call {nth} ({hits}): {error}")
        return None


def fresh(folder: Path, name: str) -> Path:
    """An empty folder for one run."""
    place = folder / name.replace(" ", "-")
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    return place

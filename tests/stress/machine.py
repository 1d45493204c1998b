"""Faults of the machine itself, on whole processes: a full disk, a size limit, and system calls failed by strace."""

import errno
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from commonplace.errors import StorageError
from commonplace.memory import Memory
from tests.stress.killing import fsck
from tests.stress.kinds import Remember, Torn, memory_entries, seed_memory

_INJECTED = ("fsync", "renameat2", "renameat", "rename", "unlinkat", "mkdirat", "pwrite64")
_SAVE = """
import sys
from commonplace.errors import StorageError
from commonplace.memory import Memory
try:
    Memory.open(sys.argv[1]).remember(sys.argv[2], insist=True)
except StorageError as error:
    sys.exit(3 if error.hint else 4)
"""


class NotHere(Exception):
    """This machine cannot run the check; the message says why."""


@dataclass
class Faults:
    """What came of one kind of fault."""

    fault: str
    runs: int = 0
    refused: int = 0
    passed: int = 0
    half: int = 0
    problems: list[str] = field(default_factory=list[str])

    @property
    def good(self) -> bool:
        return not self.half and not self.problems


def full_disk(folder: Path) -> Faults:
    """A file system of 1 MB that is filled to a different point each time."""
    report = Faults("full 1 MB disk")
    with _small_disk(folder) as disk:
        memory = Memory.open(disk / "book")
        seed_memory(memory)
        for free in range(0, 120 * 1024, 4096):
            text = f"Saved although only {free} bytes are free"
            before = memory_entries(memory.path)
            refused = True
            with _filled(disk, free):
                try:
                    memory.remember(text, insist=True)
                    refused = False
                except StorageError as error:
                    cause = error.__cause__
                    while cause is not None and not isinstance(cause, OSError):
                        cause = cause.__cause__
                    if not error.hint or not isinstance(cause, OSError) or cause.errno != errno.ENOSPC:
                        report.problems.append(f"{error!r} because of {cause!r}")
                _count(report, memory, before, text, refused=refused)
            if refused:
                memory.remember(text, insist=True)
            _check_after(report, memory, text)
    return report


def size_limit(folder: Path) -> Faults:
    """A limit on the size of files, as a quota or `ulimit -f` sets it."""
    report = Faults("limit on file size")
    memory = Memory.open(folder / "limited")
    seed_memory(memory, 200)
    before = memory_entries(memory.path)
    size = (memory.path / "MEMORY.md").stat().st_size
    for limit in (0, 1, 100, 1000, size // 2, size, size + 10):
        text = f"Saved with a limit of {limit} bytes"
        child = os.fork()
        if child == 0:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            os._exit(_status(lambda t=text: memory.remember(t, insist=True)))
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code not in {0, 3}:
            report.problems.append(f"a process under the limit of {limit} bytes ended with {code}")
        _count(report, memory, before, text, refused=code != 0)
    memory.remember("Saved without a limit", insist=True)
    _check_after(report, memory, "Saved without a limit")
    return report


def strace_faults(folder: Path, *, most: int = 40) -> list[Faults]:
    """A save by a new process in which the Nth call of one kind fails, for every N until it passes untouched."""
    if shutil.which("strace") is None:
        raise NotHere("strace is not installed")
    probe = subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True, check=False)
    if probe.returncode != 0:
        raise NotHere("strace may not trace here")
    return [
        _strace(folder / f"{call}-{code}", call, code, most)
        for call in _INJECTED
        for code in (("EIO", "ENOSPC", "EROFS") if call == "fsync" else ("EIO",))
    ]


def _strace(root: Path, call: str, code: str, most: int) -> Faults:
    report = Faults(f"{call} fails with {code}")
    memory = Memory.open(root)
    seed_memory(memory)
    for nth in range(1, most + 1):
        text = f"Saved with call {nth} of {call} failing"
        before = memory_entries(root)
        trace = root.with_suffix(".trace")
        inject = f"inject={call}:error={code}:when={nth}"
        command = ["strace", "-f", "-o", str(trace), "-e", f"trace={call}", "-e", inject]
        done = subprocess.run(
            [*command, sys.executable, "-c", _SAVE, str(root), text], capture_output=True, check=False
        )
        struck = "(INJECTED)" in trace.read_text(encoding="utf-8", errors="replace")
        if done.returncode not in {0, 3}:
            report.problems.append(f"{nth}: exit {done.returncode}: {done.stderr.decode(errors='replace')[-600:]}")
        _count(report, memory, before, text, refused=done.returncode != 0)
        if text not in memory_entries(root):
            memory.remember(text, insist=True)
        _check_after(report, memory, text)
        if not struck:
            break
    return report


def _status(work: Callable[[], object]) -> int:
    try:
        work()
    except StorageError as error:
        return 3 if error.hint else 4
    except BaseException:
        return 5
    return 0


def _count(report: Faults, memory: Memory, before: tuple[str, ...], text: str, *, refused: bool) -> None:
    report.runs += 1
    report.refused += refused
    report.passed += not refused
    try:
        found = Remember().observe(memory.path)
    except Torn as error:
        report.half += 1
        report.problems.append(str(error))
        return
    whole = (before, (*before, text)) if refused else ((*before, text),)
    if found not in whole and not (refused and report.fault.startswith("limit")):
        report.half += 1


def _check_after(report: Faults, memory: Memory, text: str) -> None:
    memory.book.catch_up()
    if text not in memory_entries(memory.path):
        report.problems.append(f"the next try did not save {text!r}")
    if any((memory.path / ".commonplace" / "tmp").iterdir()):
        report.problems.append("something was left over")
    problem = fsck(memory.path)
    if problem:
        report.problems.append(problem)


@contextmanager
def _small_disk(folder: Path) -> Generator[Path]:
    if os.geteuid() != 0:
        raise NotHere("mounting a small disk needs root")
    disk = folder / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m,mode=700", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        raise NotHere("mounting is not allowed here")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=False)


@contextmanager
def _filled(disk: Path, free: int) -> Generator[None]:
    """The disk with only `free` bytes left."""
    filler = disk / "filler"
    with filler.open("wb") as file:
        stat = os.statvfs(disk)
        file.write(b"x" * max(0, stat.f_bavail * stat.f_frsize - free))
    try:
        yield
    finally:
        filler.unlink()

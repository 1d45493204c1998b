"""kill -9 in the middle of writes, again and again, and a look at what is left.

Each round forks a warm child that writes without pause and confirms each write over a pipe after it returned. The
parent kills it at a random moment and compares the disk with the model: everything confirmed is there, at most the
one write under way besides, and nothing else.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
import traceback
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from commonplace.memory import Memory
from commonplace.types import Origin
from tests.stress.kinds import Intent, Kind, Model, Torn, entries_of, memory_entries, seed_memory, seed_text

_ROUNDS_PER_BOOK = 50
_FSCK_EVERY = 25
_UNDO_EVERY = 10


@dataclass
class Killed:
    """What the rounds of one kind came to."""

    kind: str
    rounds: int = 0
    confirmed: int = 0
    torn: int = 0
    lost: int = 0
    orphans: int = 0
    uncollected: int = 0
    misattributed: int = 0
    undos: int = 0
    fscks: int = 0
    problems: list[str] = field(default_factory=list[str])

    @property
    def good(self) -> bool:
        return not (self.torn or self.lost or self.uncollected or self.misattributed or self.problems)


def kill_rounds(kind: Kind, rounds: int, place: Path | None = None, *, seed: int = 0) -> Killed:
    """Run `rounds` rounds of one kind of write, on a new book from time to time."""
    report = Killed(kind.name)
    chance = random.Random(f"{kind.name} {seed}")
    while report.rounds < rounds:
        with _book_folder(place) as root:
            _rounds_on_one_book(kind, root, min(_ROUNDS_PER_BOOK, rounds - report.rounds), chance, report)
    return report


def _rounds_on_one_book(kind: Kind, root: Path, rounds: int, chance: random.Random, report: Killed) -> None:
    memory = Memory.open(root)
    kind.seed(memory)
    model = kind.observe(root)
    number = 0
    started = time.monotonic()
    for number in range(1, 4):
        intent = kind.intend(model, number)
        assert intent is not None
        kind.perform(memory, intent)
        model = kind.applied(model, intent)
    longest = time.monotonic() - started  # so that the blow may fall on the first, second or third write
    number = 10
    for round_ in range(rounds):
        head = memory.book.history.head()
        before = model
        lines = run_and_kill(lambda tell, m=model, n=number: _write_on(kind, memory, m, n, tell), chance, longest)
        report.rounds += 1
        model = _judge(kind, root, memory, model, lines, head, report)
        number += len(lines) + 1
        if model != before and report.rounds % _UNDO_EVERY == 0 and kind.origins:
            _undo_and_redo(kind, root, memory, report)
        if round_ % _FSCK_EVERY == 0 or round_ == rounds - 1:
            _fsck(root, report)


def _write_on(kind: Kind, memory: Memory, model: Model, number: int, tell: Callable[[object], None]) -> None:
    while (intent := kind.intend(model, number)) is not None:
        tell({"intent": dict(intent)})
        tell({"change": kind.perform(memory, intent)})
        model = kind.applied(model, intent)
        number += 1


def run_and_kill(
    work: Callable[[Callable[[object], None]], None], chance: random.Random, longest: float = 0.0
) -> list[dict[str, object]]:
    """Fork, let the child work, kill it after 1 to 40 ms (or up to `longest`, where a disk is slow); what it told
    until then, whole lines only."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            work(lambda line: _tell(writing, line))
        except BaseException:
            _tell(writing, {"error": traceback.format_exc()[-3000:]})
        finally:
            os._exit(0)
    os.close(writing)
    try:
        time.sleep(chance.uniform(0.001, max(0.040, longest)))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        with open(reading, "rb") as pipe:
            told = pipe.read()
    except BaseException:
        os.kill(child, signal.SIGKILL)
        raise
    return [cast(dict[str, object], json.loads(line)) for line in told.split(b"\n")[:-1]]


def _tell(fd: int, line: object) -> None:
    os.write(fd, json.dumps(line).encode() + b"\n")


def _judge(
    kind: Kind,
    root: Path,
    memory: Memory,
    model: Model,
    lines: list[dict[str, object]],
    head: str | None,
    report: Killed,
) -> Model:
    changes: list[str] = []
    under_way: Intent | None = None
    for line in lines:
        if "error" in line:
            report.problems.append(str(line["error"]))
        elif "intent" in line:
            under_way = cast(Intent, line["intent"])
        elif under_way is not None:
            report.confirmed += 1
            if line["change"]:
                changes.append(str(line["change"]))
            model = kind.applied(model, under_way)
            under_way = None
    found = _look(kind, root, report)
    if found is None:
        return model
    allowed = [model, kind.applied(model, under_way)] if under_way is not None else [model]
    if found not in allowed:
        report.lost += 1
        report.problems.append(f"{kind.name}: on disk is neither what was confirmed nor that and one more")
    tmp = root / ".commonplace" / "tmp"
    left = len(list(tmp.iterdir()))
    memory.book.catch_up()
    report.orphans += left
    if any(tmp.iterdir()) or any(root.glob("rescued-*")):
        report.uncollected += 1
    if _look(kind, root, report) not in allowed:
        report.problems.append(f"{kind.name}: taking in what the crash left changed the memory")
    _judge_history(kind, memory, head, changes, report)
    return found


def _look(kind: Kind, root: Path, report: Killed) -> Model | None:
    try:
        memory_entries(root)
        return kind.observe(root)
    except (Torn, UnicodeDecodeError) as error:
        report.torn += 1
        report.problems.append(str(error))
        return None


def _judge_history(kind: Kind, memory: Memory, head: str | None, changes: list[str], report: Killed) -> None:
    new: dict[str, Origin] = {}
    for change in memory.book.history.changes():
        if change.id == head:
            break
        new[change.id] = change.note.origin
    missing = [id for id in changes if id not in new]
    if missing or len(new) > len(changes) + 1:
        report.lost += len(missing)
        report.problems.append(f"{kind.name}: the history has {len(new)} new changes, confirmed were {len(changes)}")
    report.misattributed += sum(1 for origin in new.values() if origin not in kind.origins)


def _undo_and_redo(kind: Kind, root: Path, memory: Memory, report: Killed) -> None:
    before = kind.observe(root)
    undone = memory.undo()
    if kind.observe(root) == before:
        report.problems.append(f"{kind.name}: undo changed nothing")
    memory.undo(undone.change)
    if kind.observe(root) != before:
        report.problems.append(f"{kind.name}: undoing the undo did not bring the memory back")
    report.undos += 1


def _fsck(root: Path, report: Killed) -> None:
    problem = fsck(root)
    report.fscks += 1
    if problem:
        report.problems.append(problem)


def fsck(root: Path) -> str:
    """What stock git says about the history; nothing if all is well (or there is no git)."""
    if shutil.which("git") is None:
        return ""
    command = ["git", "--git-dir", str(root / ".commonplace" / "history.git"), "fsck", "--strict", "--full"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    complaints = [line for line in (done.stdout + done.stderr).splitlines() if not line.startswith("dangling ")]
    return "\n".join(complaints) or ("" if done.returncode == 0 else f"git fsck ended with {done.returncode}")


def kill_erasures(rounds: int, place: Path | None = None, *, seed: int = 0) -> Killed:
    """Kill complete forgetting; running it again must finish it, and nothing else may be missing."""
    report = Killed("erase everywhere")
    chance = random.Random(f"erase {seed}")
    while report.rounds < rounds:
        with _book_folder(place) as root:
            memory = Memory.open(root)
            seed_memory(memory, 20)
            memory.log("A day with a secret: swordfish-0001 is the word")
            memory.backup()
            entries = list(memory_entries(root))
            started = time.monotonic()
            memory.remember("Secret swordfish-9999", insist=True)
            memory.erase("Secret swordfish-9999", dry_run=False)
            longest = (time.monotonic() - started) * 1.5
            for round_ in range(min(10, rounds - report.rounds)):
                text = f"Secret swordfish-{round_:04}"
                memory.remember(text, insist=True)
                lines = run_and_kill(
                    lambda tell, m=memory, t=text: tell({"left": m.erase(t, dry_run=False).left}), chance, longest
                )
                report.rounds += 1
                report.confirmed += sum(1 for line in lines if line.get("left") == [])
                report.problems += [str(line) for line in lines if line.get("left") != []]
                found = [entry for entry in memory_entries(root) if entry != text]
                if found != entries:
                    report.lost += 1
                again = memory.erase(text, dry_run=False)
                if again.left or text in memory_entries(root):
                    report.problems.append(f"still there: {again.left}")
                report.uncollected += any((root / ".commonplace" / "tmp").iterdir())
            _fsck(root, report)
    return report


def kill_plain_writes(rounds: int, place: Path | None = None) -> Killed:
    """The same measure for `open(…, "w")` on the same bytes, for scale."""
    report = Killed("plain open('w')")
    chance = random.Random("plain")
    with _book_folder(place) as folder:
        root = Path(folder)
        file = root / "MEMORY.md"

        def write_on(tell: Callable[[object], None]) -> None:
            number = 0
            while True:
                with file.open("w", encoding="utf-8") as opened:
                    opened.writelines([*seed_text().splitlines(keepends=True), f"- Written thing {number}\n"])
                tell({"number": number})
                number += 1

        for _ in range(rounds):
            file.write_text(seed_text(), encoding="utf-8")
            lines = run_and_kill(write_on, chance)
            report.rounds += 1
            report.confirmed += len(lines)
            try:
                whole = len(entries_of(file.read_bytes())) >= len(entries_of(seed_text().encode()))
            except Torn:
                whole = False
            report.torn += not whole
    return report


@contextmanager
def _book_folder(place: Path | None) -> Generator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="commonplace-stress-", dir=place))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)

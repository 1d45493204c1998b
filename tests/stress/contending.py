"""Many processes on one book at once, with and without a person who edits MEMORY.md by hand all the time."""

import json
import os
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from commonplace.config import Settings
from commonplace.errors import AmbiguousMatch, BookBusy, CommonplaceError, Conflict, NotFound
from commonplace.memory import Memory
from commonplace.testing import ScriptedChatModel
from commonplace.types import ChatMessage, Forgotten, MemoryCompacted, Origin, Revised, Saved
from tests.stress.killing import fsck
from tests.stress.kinds import DAY, keep_all, memory_entries, seed_memory, seed_text

_THINKING = 0.3  # seconds that a model takes for an answer
_FEWEST = 2
# What a caller may be told when others change the same things at the same time. A time-out is none of them.
_REFUSALS = (AmbiguousMatch, Conflict, NotFound)


@dataclass
class Contended:
    """What came of a contest."""

    processes: int
    operations: int = 0
    refused: Counter[str] = field(default_factory=Counter[str])
    lost: int = 0
    unexpected: int = 0
    missing_changes: int = 0
    misattributed: int = 0
    person_saves: int = 0
    person_lines_lost: int = 0
    compactions: int = 0
    steps: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    problems: list[str] = field(default_factory=list[str])

    @property
    def good(self) -> bool:
        return (
            not (self.lost or self.unexpected or self.missing_changes or self.person_lines_lost or self.misattributed)
            and not self.problems
        )


def contend(
    root: Path, processes: int, operations: int, *, person: bool = False, compacting: bool = False, seed: int = 0
) -> Contended:
    """Let `processes` processes do `operations` mixed operations each; compare what they were told with the disk."""
    memory = Memory.open(root)
    seed_memory(memory, 30)
    started = time.monotonic()
    children = [
        forked(lambda tell, n=number: _work(root, n, operations, random.Random(f"{seed} {n}"), tell))
        for number in range(processes)
    ]
    editor = forked(lambda tell: _edit(root, random.Random(f"{seed} person"), tell)) if person else None
    compactor = forked(lambda tell: _compact(root, tell)) if compacting else None
    told = [line for child in children for line in outcome(child)]
    report = Contended(processes, seconds=time.monotonic() - started)
    lines: list[str] = []
    (root / "stop").touch()
    if compactor is not None:
        _count_compactions(root, outcome(compactor), report, person=person)
    if editor is not None:
        saved = outcome(editor)
        report.problems += [str(line["error"]) for line in saved if "error" in line]
        lines = [str(line["line"]) for line in saved if "line" in line]
        report.person_saves = len(lines)
    memory.book.catch_up()
    _judge(root, memory, told, lines, report, person=person)
    return report


def _work(root: Path, number: int, operations: int, chance: random.Random, tell: Callable[[object], None]) -> None:
    memory = Memory.open(root, settings=Settings(lock_timeout=60))
    mine: list[str] = []
    for i in range(operations):
        what = chance.choices(["remember", "revise", "forget", "log", "backup", "undo"], [40, 20, 10, 15, 3, 12])[0]
        if what in {"revise", "forget"} and not mine:
            what = "remember"
        started = time.monotonic()
        done: dict[str, object] = {"what": what}
        try:
            if what == "remember":
                text = f"Process {number} remembers thing {i}"
                saved = memory.remember(text, session=f"p{number}", insist=True)
                assert isinstance(saved, Saved)
                done |= {"added": text, "change": saved.change}
                mine.append(text)
            elif what == "revise":
                old = mine[chance.randrange(len(mine))]
                new = f"Process {number} revised this at step {i}"
                revised = memory.revise(old, new)
                assert isinstance(revised, Revised)
                done |= {"change": revised.change, "removed": old, "added": new}
                mine[mine.index(old)] = new
            elif what == "forget":
                text = mine[chance.randrange(len(mine))]
                gone = memory.forget(text)
                assert isinstance(gone, Forgotten)
                done |= {"change": gone.change, "removed": text}
                mine.remove(text)
            elif what == "log":
                text = f"Process {number} logs thing {i}"
                done |= {"change": memory.log(text, day=DAY).change, "logged": text}
            elif what == "backup":
                backup = memory.backup()
                done |= {"backup": backup.name if backup else None}
            else:  # the newest change of this process's own, so that others' facts stay
                change = memory.remember(f"Process {number} regrets thing {i}", insist=True)
                assert isinstance(change, Saved)
                done |= {"change": memory.undo(change.change).change, "regretted": change.change}
        except _REFUSALS as error:
            done |= {"refused": type(error).__name__, "message": error.message}
            if isinstance(error, NotFound) and what in {"revise", "forget"}:
                mine = [entry for entry in mine if entry in {e.text for e in memory.document().entries}]
        done |= {"seconds": time.monotonic() - started}
        tell(done)


def _edit(root: Path, chance: random.Random, tell: Callable[[object], None]) -> None:
    """A person who adds a line at a time, saving as editors do: by rename, in place, or by appending."""
    file = root / "MEMORY.md"
    number = 0
    while not (root / "stop").exists():
        line = f"The person noted thing {number}"
        how = number % 3
        if how == 0:
            text = file.read_text(encoding="utf-8")
            draft = root / ".MEMORY.md.draft"
            draft.write_text(f"{text}- {line}\n", encoding="utf-8")
            draft.replace(file)
        elif how == 1:
            with file.open("r+", encoding="utf-8") as opened:
                text = opened.read()
                opened.seek(0)
                opened.truncate()
                for part in (*text.splitlines(keepends=True), f"- {line}\n"):
                    opened.write(part)
        else:
            with file.open("a", encoding="utf-8") as opened:
                opened.write(f"- {line}\n")
        tell({"line": line})
        number += 1
        time.sleep(chance.uniform(0, 0.25))


def _compact(root: Path, tell: Callable[[object], None]) -> None:
    """Compact again and again with a model that takes its time: each time a fact is there twice, and one of the
    seeded facts is said in fewer words."""
    memory = Memory.open(root, settings=Settings(lock_timeout=60))
    done = 0

    def answer(messages: Sequence[ChatMessage]) -> str:
        time.sleep(_THINKING)
        kept = keep_all(messages)
        return kept.replace(f"Seeded fact {done} says that the", f"Seeded fact {done} says the")

    while not (root / "stop").exists() or done < _FEWEST:
        text = f"The compactor noted thing {done} twice"
        for _ in range(2):
            memory.remember(text, insist=True)
        outcome = memory.compact(ScriptedChatModel(answer, window=200_000))
        assert isinstance(outcome, MemoryCompacted), outcome
        tell({"text": text, "steps": len(outcome.steps)})
        done += 1


def _count_compactions(root: Path, told: list[dict[str, object]], report: Contended, *, person: bool) -> None:
    """Every fact that was there before a compaction is there after it, in one wording or the other."""
    report.problems += [str(line["error"]) for line in told if "error" in line]
    done = [line for line in told if "text" in line]
    report.compactions, report.steps = len(done), sum(cast(int, line["steps"]) for line in done)
    if person:  # whoever saves over it decides
        return
    entries = [entry.replace(" says that the ", " says the ") for entry in memory_entries(root)]
    seeded = [
        line[2:].replace(" says that the ", " says the ") for line in seed_text(30).splitlines() if line[:2] == "- "
    ]
    wanted = [*seeded, *(str(line["text"]) for line in done)]
    report.lost += sum(1 for text in wanted if text not in entries)


def _judge(
    root: Path, memory: Memory, told: list[dict[str, object]], lines: list[str], report: Contended, *, person: bool
) -> None:
    entries, logged, changes = set[str](), set[str](), set[str]()
    backups: list[str] = []
    for done in told:
        if "error" in done:
            report.unexpected += 1
            report.problems.append(str(done["error"]))
            continue
        report.operations += 1
        report.longest = max(report.longest, cast(float, done["seconds"]))
        if "refused" in done:
            report.refused[str(done["refused"])] += 1
        for key, target in (("added", entries), ("logged", logged), ("change", changes), ("regretted", changes)):
            if key in done:
                target.add(str(done[key]))
        if done.get("backup"):
            backups.append(str(done["backup"]))
    entries -= {str(done["removed"]) for done in told if "removed" in done}
    on_disk = memory_entries(root)
    found = {entry for entry in on_disk if entry.startswith("Process") and "regrets" not in entry}
    history = {change.id: change.note.origin for change in memory.book.history.changes()}
    if not person:  # with a person who saves over it, what they dropped is their decision, and in the history
        report.lost += len(entries ^ found)
        report.misattributed += sum(1 for origin in history.values() if origin == Origin.PERSON)
    log = (root / "daily" / f"{DAY}.md").read_text(encoding="utf-8") if logged else ""
    report.lost += sum(1 for text in logged if f"\n{text}\n" not in log)
    report.lost += len(backups) - len(set(backups))
    if not report.compactions:  # a compaction keeps the newest few
        report.lost += sum(1 for backup in backups if not (root / "backups" / backup).exists())
    report.missing_changes = len(changes - history.keys())
    report.person_lines_lost = _lost_lines(root, memory, lines)
    problem = fsck(root)
    if problem:
        report.problems.append(problem)


def _lost_lines(root: Path, memory: Memory, lines: list[str]) -> int:
    """Lines of the person that are not in the file, nor in one that was rescued for them."""
    texts = [(root / "MEMORY.md").read_text(encoding="utf-8")]
    texts += [file.read_text(encoding="utf-8") for file in root.glob("rescued-*.md")]
    return sum(1 for line in lines if not any(f"- {line}\n" in text for text in texts))


def forked(work: Callable[[Callable[[object], None]], None]) -> tuple[int, int]:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 0
        try:
            os.close(reading)
            lines: list[object] = []
            try:
                work(lines.append)
            except BaseException as error:
                status = 1
                named = error.message if isinstance(error, CommonplaceError) else ""
                busy = "time-out: " if isinstance(error, BookBusy) else ""
                lines.append({"error": f"{busy}{named}\n{traceback.format_exc()[-800:]}"})
            with open(writing, "wb") as pipe:
                pipe.write(json.dumps(lines).encode())
        finally:
            sys.stderr.flush()
            os._exit(status)
    os.close(writing)
    return child, reading


def outcome(child: tuple[int, int]) -> list[dict[str, object]]:
    with open(child[1], "rb") as pipe:
        told = pipe.read()
    os.waitpid(child[0], 0)
    return cast(list[dict[str, object]], json.loads(told)) if told else [{"error": f"process {child[0]} told nothing"}]

"""The kinds of writes, each with a simple model of what it should do.

A kind announces an intent, carries it out on a book, and says what the model is afterwards. What is on disk is
observed without the library's own reading, so that a fault there cannot hide one here.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Protocol

from commonplace.memory import Memory
from commonplace.testing import ScriptedChatModel
from commonplace.types import ChatMessage, Forgotten, MemoryCompacted, Message, Origin, Revised, Saved

Intent = Mapping[str, str]
Model = tuple[str, ...]

DAY = date(2026, 11, 15)
_AT = datetime(2026, 11, 15, 12, 0, tzinfo=timezone(timedelta(hours=1)))
SEEDED = 60


class Torn(AssertionError):
    """A file is neither what it was nor what it should become."""


class Kind(Protocol):
    """One kind of write."""

    name: str
    origins: tuple[Origin, ...]

    def seed(self, memory: Memory) -> None: ...

    def intend(self, model: Model, number: int) -> Intent | None: ...

    def perform(self, memory: Memory, intent: Intent) -> str | None: ...

    def applied(self, model: Model, intent: Intent) -> Model: ...

    def observe(self, root: Path) -> Model: ...


def seed_text(entries: int = SEEDED) -> str:
    lines = [f"- Seeded fact {i} says that the value of item {i * 7919 % 1009} is {i * 31}\n" for i in range(entries)]
    return "# Long-term Memory\n\n## Notes\n\n" + "".join(lines)


def seed_memory(memory: Memory, entries: int = SEEDED) -> None:
    """A memory of some length, written as a person would, and taken in."""
    memory.create()
    (memory.path / "MEMORY.md").write_text(seed_text(entries), encoding="utf-8")
    memory.remember("The first thing that was asked for", insist=True)


def memory_entries(root: Path) -> Model:
    """The entries of MEMORY.md, which must be a whole file of lines that we know."""
    data = (root / "MEMORY.md").read_bytes()
    return entries_of(data)


def entries_of(data: bytes) -> Model:
    text = data.decode("utf-8")
    if not text.startswith("# ") or not text.endswith("\n"):
        raise Torn(f"MEMORY.md is torn: {text[:40]!r} … {text[-40:]!r}")
    entries: list[str] = []
    for line in text.splitlines():
        if line.startswith("- "):
            entries.append(line[2:])
        elif line and not line.startswith(("# ", "## ", "<!--")):
            raise Torn(f"MEMORY.md has a line that nobody wrote: {line!r}")
    return tuple(entries)


@dataclass
class Remember:
    name: str = "remember"
    origins: tuple[Origin, ...] = (Origin.TOOL,)

    def seed(self, memory: Memory) -> None:
        seed_memory(memory)

    def intend(self, model: Model, number: int) -> Intent:
        return {"text": f"Remembered thing {number} is worth {number * 37}"}

    def perform(self, memory: Memory, intent: Intent) -> str:
        saved = memory.remember(intent["text"], insist=True)
        assert isinstance(saved, Saved), saved
        return saved.change

    def applied(self, model: Model, intent: Intent) -> Model:
        return (*model, intent["text"])

    def observe(self, root: Path) -> Model:
        return memory_entries(root)


@dataclass
class Revise:
    name: str = "revise"
    origins: tuple[Origin, ...] = (Origin.TOOL,)

    def seed(self, memory: Memory) -> None:
        seed_memory(memory)

    def intend(self, model: Model, number: int) -> Intent:
        return {"old": model[number % len(model)], "new": f"Has {number} books and {number * 41} stamps"}

    def perform(self, memory: Memory, intent: Intent) -> str:
        revised = memory.revise(intent["old"], intent["new"])
        assert isinstance(revised, Revised), revised
        return revised.change

    def applied(self, model: Model, intent: Intent) -> Model:
        return tuple(intent["new"] if entry == intent["old"] else entry for entry in model)

    def observe(self, root: Path) -> Model:
        return memory_entries(root)


@dataclass
class Forget:
    name: str = "forget"
    origins: tuple[Origin, ...] = (Origin.TOOL,)

    def seed(self, memory: Memory) -> None:
        seed_memory(memory, 400)

    def intend(self, model: Model, number: int) -> Intent | None:
        return {"text": model[number % len(model)]} if len(model) > 1 else None

    def perform(self, memory: Memory, intent: Intent) -> str:
        gone = memory.forget(intent["text"])
        assert isinstance(gone, Forgotten)
        return gone.change

    def applied(self, model: Model, intent: Intent) -> Model:
        return tuple(entry for entry in model if entry != intent["text"])

    def observe(self, root: Path) -> Model:
        return memory_entries(root)


@dataclass
class Log:
    name: str = "daily append"
    origins: tuple[Origin, ...] = (Origin.TOOL,)

    def seed(self, memory: Memory) -> None:
        seed_memory(memory)
        memory.log("The first block of the day", day=DAY)

    def intend(self, model: Model, number: int) -> Intent:
        return {"text": f"Logged thing {number}, which happened {number * 43} times"}

    def perform(self, memory: Memory, intent: Intent) -> str:
        return memory.log(intent["text"], day=DAY).change

    def applied(self, model: Model, intent: Intent) -> Model:
        return (*model, intent["text"])

    def observe(self, root: Path) -> Model:
        text = (root / "daily" / f"{DAY}.md").read_text(encoding="utf-8")
        head, *blocks = text.split("\n\n")
        rules = [*["---"] * (len(blocks) // 2 - 1), "---\n"]
        if head != f"# Daily Log {DAY}" or blocks[1::2] != rules:
            raise Torn(f"the log is torn: {text[-60:]!r}")
        return tuple(blocks[::2])


@dataclass
class Backup:
    name: str = "backup"
    origins: tuple[Origin, ...] = ()

    def seed(self, memory: Memory) -> None:
        seed_memory(memory)

    def intend(self, model: Model, number: int) -> Intent:
        return {}

    def perform(self, memory: Memory, intent: Intent) -> None:
        assert memory.backup() is not None

    def applied(self, model: Model, intent: Intent) -> Model:
        return (*model, "a complete backup")

    def observe(self, root: Path) -> Model:
        memory = (root / "MEMORY.md").read_bytes()
        files = list((root / "backups").iterdir()) if (root / "backups").exists() else []
        if any(file.read_bytes() != memory for file in files):
            raise Torn("a backup is not a copy of MEMORY.md")
        return ("a complete backup",) * len(files)


@dataclass
class Restore:
    name: str = "restore"
    origins: tuple[Origin, ...] = (Origin.RESTORE,)

    def seed(self, memory: Memory) -> None:
        seed_memory(memory)
        memory.backup()
        memory.remember("What only the second backup has", insist=True)
        memory.backup()

    def intend(self, model: Model, number: int) -> Intent:
        return {"which": "first" if "What only the second backup has" in model else "second"}

    def perform(self, memory: Memory, intent: Intent) -> str | None:
        backups = sorted(memory.backups(), key=lambda backup: (backup.at, len(backup.name), backup.name))
        return memory.restore(backups[0 if intent["which"] == "first" else 1].name).change

    def applied(self, model: Model, intent: Intent) -> Model:
        if intent["which"] == "second":
            return (*model, "What only the second backup has")
        return tuple(entry for entry in model if entry != "What only the second backup has")

    def observe(self, root: Path) -> Model:
        for backup in (root / "backups").iterdir():
            entries_of(backup.read_bytes())
        return memory_entries(root)


@dataclass
class Undo:
    name: str = "undo"
    origins: tuple[Origin, ...] = (Origin.TOOL, Origin.UNDO)

    def seed(self, memory: Memory) -> None:
        seed_memory(memory)

    def intend(self, model: Model, number: int) -> Intent:
        return {} if model[-1].startswith("Undone") else {"text": f"Undone thing {number} is not here for long"}

    def perform(self, memory: Memory, intent: Intent) -> str:
        return Remember().perform(memory, intent) if intent else memory.undo().change

    def applied(self, model: Model, intent: Intent) -> Model:
        return (*model, intent["text"]) if intent else model[:-1]

    def observe(self, root: Path) -> Model:
        return memory_entries(root)


@dataclass
class AddMessage:
    name: str = "transcript append"
    origins: tuple[Origin, ...] = ()

    def seed(self, memory: Memory) -> None:
        seed_memory(memory)

    def intend(self, model: Model, number: int) -> Intent:
        return {"text": f"Message {number} " + "with many words " * 40}

    def perform(self, memory: Memory, intent: Intent) -> None:
        memory.add_message("talk", Message(intent["text"].split()[1], "user", intent["text"], _AT))

    def applied(self, model: Model, intent: Intent) -> Model:
        return (*model, intent["text"])

    def observe(self, root: Path) -> Model:
        # A torn last line is allowed here: it is reported and skipped, and what was confirmed is before it.
        return tuple(message.text for message in Memory.open(root).transcript("talk").messages)


def _echo(messages: Sequence[ChatMessage]) -> str:
    """A model that repeats which messages it was shown."""
    return "\n".join(f"- said {number}" for number in re.findall(r"number(\d+)", messages[-1].text))


@dataclass
class Flush:
    name: str = "flush"
    origins: tuple[Origin, ...] = (Origin.FLUSH,)

    def seed(self, memory: Memory) -> None:
        seed_memory(memory)

    def intend(self, model: Model, number: int) -> Intent:
        return {"number": str(number)}

    def perform(self, memory: Memory, intent: Intent) -> str:
        number = intent["number"]
        memory.add_message("talk", Message(number, "user", f"This is number{number}", _AT))
        return memory.log_session("talk", ScriptedChatModel(_echo)).blocks[-1].change

    def applied(self, model: Model, intent: Intent) -> Model:
        return (*model, intent["number"])

    def observe(self, root: Path) -> Model:
        # What was said before the blow is caught up with first: after that, each message stands there once.
        Memory.open(root).log_session("talk", ScriptedChatModel(_echo))
        log = root / "daily" / f"{_AT.date()}.md"
        if not log.exists():
            return ()
        return tuple(re.findall(r"^- said (\d+)$", log.read_text(encoding="utf-8"), re.MULTILINE))


def keep_all(messages: Sequence[ChatMessage]) -> str:
    """A model that is asked to compact and keeps everything as it is."""
    found = re.findall(r"^\| \[(\d+)\] (?:\([-\d]+\) )?(.*)$", messages[0].text, re.MULTILINE)
    return "\n".join(["# Long-term Memory", "## Notes", *(f"- [{number}] {text}" for number, text in found)])


@dataclass
class Compact:
    """A fact is there twice, and a compaction makes it one again."""

    name: str = "compact"
    origins: tuple[Origin, ...] = (Origin.COMPACTION, Origin.TOOL)

    def seed(self, memory: Memory) -> None:
        seed_memory(memory, 12)

    def intend(self, model: Model, number: int) -> Intent:
        doubled = [text for text in model if model.count(text) > 1]
        return {} if doubled else {"text": model[number % len(model)]}

    def perform(self, memory: Memory, intent: Intent) -> str:
        if intent:
            saved = memory.remember(intent["text"], "notes", insist=True)
            assert isinstance(saved, Saved), saved
            return saved.change
        outcome = memory.compact(ScriptedChatModel(keep_all))
        assert isinstance(outcome, MemoryCompacted), outcome
        assert outcome.change is not None
        return outcome.change

    def applied(self, model: Model, intent: Intent) -> Model:
        if intent:
            return (*model, intent["text"])
        doubled = next(text for text in model if model.count(text) > 1)
        at = model.index(doubled)
        return (*model[:at], *model[at + 1 :])

    def observe(self, root: Path) -> Model:
        for backup in (root / "backups").glob("*.md"):
            entries_of(backup.read_bytes())
        return memory_entries(root)


KINDS: tuple[Kind, ...] = (
    Remember(),
    Revise(),
    Forget(),
    Log(),
    Backup(),
    Restore(),
    Undo(),
    AddMessage(),
    Flush(),
    Compact(),
)

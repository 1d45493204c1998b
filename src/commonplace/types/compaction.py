"""What a compaction or a rewrite of MEMORY.md does."""

from dataclasses import dataclass
from enum import StrEnum

from commonplace.types.book import Entry
from commonplace.types.keeping import FileDiff


class StepKind(StrEnum):
    """What a compaction does with entries."""

    MERGE = "merge"  # several become one
    REWORD = "reword"  # one is said in other words
    MOVE = "move"  # one goes to another section
    DROP = "drop"  # one goes
    JOIN = "join"  # a section that has two headings gets one


@dataclass(frozen=True, slots=True)
class Step:
    """One change of a compaction: the old entries, the text that stands for them in `section` (nothing, if they go),
    and why. It holds only as long as the entries in `because_of` are there too."""

    kind: StepKind
    entries: tuple[Entry, ...]
    text: str
    section: str
    reason: str
    because_of: tuple[Entry, ...] = ()


@dataclass(frozen=True, slots=True)
class MemoryCompacted:
    """MEMORY.md was compacted (or would be: then there is no `change`). `findings` tells what was left as it is, and
    why; `diff` is the file before and after."""

    before: int
    after: int
    steps: tuple[Step, ...]
    change: str | None
    backup: str | None
    by_model: bool
    findings: tuple[str, ...]
    diff: FileDiff


@dataclass(frozen=True, slots=True)
class Skipped:
    """MEMORY.md is as it was. The code says whether there was nothing to do or something went wrong."""

    reason: str
    code: str = "nothing_to_do"
    findings: tuple[str, ...] = ()
    backup: str | None = None


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The whole of MEMORY.md was replaced: how many entries there were and are, and what was kept besides."""

    before: int
    after: int
    change: str | None
    backup: str | None
    kept: tuple[str, ...]
    preview: str

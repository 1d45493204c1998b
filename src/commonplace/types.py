"""Frozen values that rooms hand to each other. No behaviour beyond what follows from the fields."""

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import ClassVar, Literal, NamedTuple, TypeAlias

ABSENT = "absent"
"""The version of a file that does not exist."""

MEMORY_FILE = "MEMORY.md"


class Category(StrEnum):
    """What a caller may name; each stands for one standard section of MEMORY.md."""

    PROFILE = "profile"
    PREFERENCES = "preferences"
    INTERESTS = "interests"
    WORKFLOW = "workflow"
    PROJECTS = "projects"
    NOTES = "notes"


class Origin(StrEnum):
    """Who or what asked for a change; kept with every change in the history."""

    PERSON = "person"
    TOOL = "tool"
    FLUSH = "flush"
    COMPACTION = "compaction"
    IMPORT = "import"
    RESTORE = "restore"
    UNDO = "undo"


class Voice(StrEnum):
    """Whose words a text is."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    WEB = "web"
    FILE = "file"
    IMPORT = "import"


class VerdictKind(StrEnum):
    """What becomes of a text that somebody wants remembered."""

    STORE = "store"
    MERGE = "merge"
    UPDATE = "update"
    HOLD = "hold"
    REFUSE = "refuse"


class Source(StrEnum):
    """Where a search result comes from."""

    LONG_TERM = "long_term"
    DAILY_LOG = "daily_log"
    SESSION = "session"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a file held at one moment; `version` is what a later write must name."""

    data: bytes | None
    version: str


class FileStat(NamedTuple):
    """One name in a folder. `stamp` changes whenever the file may have changed; `kind` is file, folder or other."""

    name: str
    kind: str
    size: int
    modified_ns: int
    stamp: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One bullet of MEMORY.md with its continuation lines (or one paragraph a person wrote there)."""

    text: str
    section: str
    line: int


class Candidate(NamedTuple):
    """An entry that may say what a new text says. `cosine` is their likeness of meaning; `pair` how surely a model that
    read both at once calls the new text the same fact, and how surely a newer value. None: not known."""

    entry: Entry
    cosine: float | None = None
    pair: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A `## ` section: all entries under that title, in order, and where the first such heading stands."""

    title: str
    line: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the gate says: the rule that fired (none: it may be stored), why in a sentence, how sure the rule is, the
    entry that it is about, and the single facts that a text with several can be split into."""

    kind: VerdictKind
    rule: str = ""
    reason: str = ""
    certainty: float = 1.0
    existing: Entry | None = None
    pieces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """Why a change is made; becomes the message and trailers of its commit. `voice` tells whose words came in."""

    summary: str
    origin: Origin
    session: str | None = None
    reason: str | None = None
    undoes: str | None = None
    voice: Voice | None = None


@dataclass(frozen=True, slots=True)
class Asker:
    """Who wants something written: kept with the change in the history."""

    origin: Origin
    session: str | None = None
    reason: str | None = None

    def note(self, summary: str, voice: Voice | None = None) -> Note:
        return Note(summary, self.origin, self.session, self.reason, voice=voice)


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants remembered, as they put it. `voice` is None where it should be told from the session."""

    content: str
    voice: Voice | None = None
    requested: bool = False
    injected: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """One recorded change of the book."""

    id: str
    at: datetime
    note: Note
    files: tuple[str, ...]

    @property
    def short(self) -> str:
        return self.id[:10]


@dataclass(frozen=True, slots=True)
class FileDiff:
    """What one change did to one file, as text before and after (None: there was no file)."""

    name: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Saved:
    """An entry was added and is durable."""

    entry: Entry
    change: str
    preview: str


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Nothing was added: this is already there."""

    code: ClassVar[str] = "duplicate_detected"
    existing: Entry
    message: str


@dataclass(frozen=True, slots=True)
class Alike:
    """Nothing was added: an entry says the same in other words, or has another value of the same thing. Whoever asked
    should change that entry, or insist."""

    verdict: Verdict
    existing: Entry

    @property
    def code(self) -> str:
        return self.verdict.rule


@dataclass(frozen=True, slots=True)
class Waiting:
    """A text in the inbox: whose words it is, why it waits, and where it would go. `id` stands for the text."""

    id: str
    text: str
    line: int
    held: date | None = None
    rule: str = ""
    voice: Voice | None = None
    session: str | None = None
    section: str = ""


@dataclass(frozen=True, slots=True)
class Held:
    """Nothing was added: the text waits in the inbox for the person's yes or no."""

    verdict: Verdict
    waiting: Waiting

    @property
    def code(self) -> str:
        return self.verdict.rule


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was added, and nothing waits: the verdict says which rule fired and why."""

    verdict: Verdict

    @property
    def code(self) -> str:
        return self.verdict.rule


Remembered: TypeAlias = Saved | Duplicate | Alike | Held | Refused


@dataclass(frozen=True, slots=True)
class Rejected:
    """A text was taken out of the inbox and not remembered. The history still has it."""

    waiting: Waiting
    change: str


@dataclass(frozen=True, slots=True)
class Revised:
    """One entry (or a part of it) was replaced."""

    before: Entry
    after: Entry
    change: str
    preview: str


@dataclass(frozen=True, slots=True)
class Forgotten:
    """One entry was removed. The history still has it: `undo` brings it back."""

    entry: Entry
    change: str
    preview: str


@dataclass(frozen=True, slots=True)
class Logged:
    """A block was appended to the daily log of `day`."""

    day: date
    file: str
    change: str


@dataclass(frozen=True, slots=True)
class Backup:
    """A copy of MEMORY.md made before something destructive."""

    name: str
    at: datetime
    size: int


@dataclass(frozen=True, slots=True)
class Restored:
    """MEMORY.md is what `backup` holds; what it held before is in `saved_as` (None: it was blank)."""

    backup: str
    saved_as: str | None
    change: str | None


@dataclass(frozen=True, slots=True)
class Undone:
    """`undone` was taken back by the new change `change`."""

    undone: Change
    change: str
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation, as a line of its transcript."""

    id: str
    role: str
    text: str
    at: datetime
    extra: dict[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class Transcript:
    """A session's messages, and the numbers of lines that could not be read (a torn last line, most often)."""

    session: str
    messages: tuple[Message, ...]
    lines: tuple[int, ...]  # where each message stands
    torn: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a text came from: the changes that made it what it is, newest first."""

    text: str
    file: str
    line: int
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Removal:
    """One place where complete forgetting changes something."""

    place: str
    line: int
    before: str
    after: str | None


@dataclass(frozen=True, slots=True)
class Erasure:
    """What complete forgetting will remove or has removed, and the proof that nothing is left."""

    text: str
    removals: tuple[Removal, ...]
    commits: int
    done: bool
    searched_files: int = 0
    searched_objects: int = 0
    left: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stats:
    """Counts a person wants to see first."""

    entries: int
    sections: int
    logs: int
    sessions: int
    backups: int
    changes: int
    bytes: int
    waiting: int


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing `doctor` looked at. `level` is ok, note, warning or error; `fix` says what to do."""

    check: str
    level: str
    message: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Chunk:
    """What one search result is: an entry, a bullet of a log, a turn. `session` groups what belongs together."""

    file: str
    line: int
    source: Source
    heading: str
    day: date | None
    session: str
    position: int
    speaker: str
    text: str
    message: str = ""
    before: str = ""  # what was said just before, as far as it helps to understand this


@dataclass(frozen=True, slots=True)
class Hit:
    """A search result: the chunk, its score and how the score came about."""

    text: str
    source: Source
    date: date | None
    heading: str
    file: str
    line: int
    session: str
    message: str
    speaker: str
    score: float
    age_days: int | None
    components: dict[str, float] = field(default_factory=dict[str, float])


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a search. `trouble` says why only keywords were used, if that is so."""

    hits: list[Hit]
    vectors_known: int
    vectors_wanted: int
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class IndexReport:
    """How much is indexed. Without a `model` search goes by keywords alone; `trouble` says why, if it should not."""

    chunks: int
    vectors_known: int
    vectors_wanted: int
    model: str
    model_loaded: bool
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What a model asks a tool for. `trouble` says why its arguments could not be read (they are empty then), so that
    the model can be told and can ask again."""

    id: str
    name: str
    arguments: dict[str, object]
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message as a model reads it. A tool's answer names the call it belongs to."""

    role: Literal["user", "assistant", "tool"]
    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model is told about it; `parameters` is a JSON Schema."""

    name: str
    description: str
    parameters: dict[str, object]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request, as the provider counted them (or as estimated, if it does not count)."""

    input_tokens: int
    output_tokens: int

    @property
    def total(self) -> int:
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class TextPart:
    """A piece of an answer's text, as it arrives."""

    text: str


StopReason: TypeAlias = Literal["end", "tool_calls", "length", "refusal"]


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event of an answer that came whole, and why it ended."""

    reason: StopReason
    usage: Usage


ChatEvent: TypeAlias = TextPart | ToolCall | Finished


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer. An empty `text` without tool calls means that the model had nothing to say."""

    text: str
    tool_calls: tuple[ToolCall, ...]
    reason: StopReason
    usage: Usage


@dataclass(frozen=True, slots=True)
class Recall:
    """What a model is told from memory: one block, and its two parts each in a frame of its own for prompts that keep
    them apart. All are empty when there is nothing to say. `left_out` is what did not fit."""

    text: str
    long_term: str
    relevant: str
    tokens: int
    shown: int
    left_out: tuple[Entry | Hit, ...]
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """One conversation at a glance. `unlogged` is how many messages the daily log does not cover yet."""

    id: str
    title: str
    started: datetime
    last: datetime
    messages: int
    ended: bool
    unlogged: int


@dataclass(frozen=True, slots=True)
class LogReport:
    """What a flush did. Facts that were there already, perhaps in other words, are `duplicates`; `held` wait in the
    inbox; `refused` were not stored, and say why."""

    session: str
    messages: int = 0
    blocks: tuple[Logged, ...] = ()
    saved: tuple[Saved, ...] = ()
    duplicates: tuple[Duplicate | Alike, ...] = ()
    held: tuple[Held, ...] = ()
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Consolidated:
    """What became of a session's summary: how many messages went into it (0: nothing was due), and its length."""

    session: str
    messages: int = 0
    words: int = 0
    shortened: bool = False


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

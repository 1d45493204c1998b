"""What can be found, and what was: chunks, hits, and the block that is recalled from them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING

from commonplace.types.book import Entry

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Source(StrEnum):
    """Where a search result comes from."""

    LONG_TERM = "long_term"
    DAILY_LOG = "daily_log"
    SESSION = "session"


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
class Asked:
    """What a question looks for, for an index that does not give all it has. `terms` with their weights; `vector`
    gives the meaning, when it is needed; `days` are those that the question names."""

    terms: Mapping[str, float]
    vector: "Callable[[], NDArray[np.float32] | None]"
    phrases: tuple[tuple[str, ...], ...]
    sources: frozenset[Source]
    since: date | None
    until: date | None
    sessions: frozenset[str]
    days: tuple[date, date] | None
    newest: bool


@dataclass(frozen=True, slots=True)
class Whole:
    """What is known of all chunks of a book: how many, the average number of terms of a chunk and of a group, the days
    that have chunks, in how many chunks each term of the question stands, and what is usual in conversations: the
    closeness of a turn to the average one, and its likeness to the question."""

    chunks: int
    length: float
    groups: int
    group_length: float
    days: "NDArray[np.int32]"
    having: Mapping[str, int]
    usual_closeness: float
    usual_likeness: float


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
class Around:
    """What stands around a hit in a conversation: its title, and what was said just before and after."""

    title: str = ""
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a search. `trouble` says why only keywords were used, if that is so, `unread` which files could not
    be searched."""

    hits: list[Hit]
    vectors_known: int
    vectors_wanted: int
    trouble: str = ""
    unread: str = ""


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
class Recall:
    """What a model is told from memory: one block, and its parts each in a frame of its own for prompts that keep them
    apart. All are empty when there is nothing to say. `told` is what they hold, `left_out` what did not fit, `repeated`
    what the long-term part says already."""

    text: str
    long_term: str
    relevant: str
    tokens: int
    shown: int
    left_out: tuple[Entry | Hit, ...]
    trouble: str = ""
    summary: str = ""
    told: tuple[Entry | Hit, ...] = ()
    repeated: tuple[Hit, ...] = ()

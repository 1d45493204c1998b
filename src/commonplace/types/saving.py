"""What comes of a wish to have something remembered."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import ClassVar, TypeAlias

from commonplace.types.asking import Voice
from commonplace.types.book import Entry
from commonplace.types.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Saved:
    """An entry was added and is durable. `notice` says what could not be looked for first."""

    entry: Entry
    change: str
    preview: str
    notice: str = ""


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


class Proposed(StrEnum):
    """What a yes to something in the inbox does: add it, or change or remove an entry that is there."""

    ADDITION = "addition"
    CHANGE = "change"
    REMOVAL = "removal"


@dataclass(frozen=True, slots=True)
class Waiting:
    """A text in the inbox: whose words it is, why it waits, and where it would go. `id` stands for the text. A proposed
    change names the entry that it would take the place of in `instead_of`; of a removal, `text` is that entry."""

    id: str
    text: str
    line: int
    held: date | None = None
    rule: str = ""
    voice: Voice | None = None
    session: str | None = None
    section: str = ""
    kind: Proposed = Proposed.ADDITION
    instead_of: str = ""
    messages: tuple[str, ...] = ()  # of the session, that it rests on
    said: str = ""  # the sentence in them


@dataclass(frozen=True, slots=True)
class Held:
    """Nothing was added or changed: the text waits in the inbox for the person's yes or no."""

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

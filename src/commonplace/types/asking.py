"""Who wants something written, in whose words, and why."""

from dataclasses import dataclass
from enum import StrEnum


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


@dataclass(frozen=True, slots=True)
class Note:
    """Why a change is made; becomes the message and trailers of its commit. `voice` tells whose words came in,
    `messages` which messages of the session it rests on."""

    summary: str
    origin: Origin
    session: str | None = None
    reason: str | None = None
    undoes: str | None = None
    voice: Voice | None = None
    messages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asker:
    """Who wants something written: kept with the change in the history."""

    origin: Origin
    session: str | None = None
    reason: str | None = None
    messages: tuple[str, ...] = ()

    def note(self, summary: str, voice: Voice | None = None) -> Note:
        return Note(summary, self.origin, self.session, self.reason, voice=voice, messages=self.messages)


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants remembered, as they put it. `voice` is None where it should be told from the session."""

    content: str
    voice: Voice | None = None
    requested: bool = False
    injected: tuple[str, ...] = ()

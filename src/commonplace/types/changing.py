"""What comes of changing or removing one entry, or what waits to be one."""

from dataclasses import dataclass
from enum import StrEnum

from commonplace.types.book import Entry
from commonplace.types.saving import Waiting


class Deed(StrEnum):
    """What became of something that the user asked for in a conversation."""

    REMEMBERED = "remembered"
    KNOWN = "known"
    REPLACED = "replaced"
    FORGOTTEN = "forgotten"
    UNCLEAR = "unclear"
    NOT_FOUND = "not_found"
    REFUSED = "refused"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Done:
    """What was done at once because the user said so, in a line for them; `entry` is what there is now (or was, if it
    was forgotten), `before` what it replaced."""

    deed: Deed
    told: str
    entry: Entry | None = None
    before: Entry | None = None
    change: str = ""


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
class PageWritten:
    """MEMORY.md is what the person wrote; `change` is None if it was so already."""

    change: str | None
    version: str


@dataclass(frozen=True, slots=True)
class PageCollided:
    """MEMORY.md is not what was read: nothing was written. `text` is what it is now, `merged` both together, where they
    do not touch the same lines."""

    text: str
    version: str
    merged: str | None

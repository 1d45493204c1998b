"""What comes of changing or removing one entry, or what waits to be one."""

from dataclasses import dataclass

from commonplace.types.book import Entry
from commonplace.types.saving import Waiting


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

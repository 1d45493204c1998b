"""What a book is made of: its files as they were read, and the entries of MEMORY.md in their sections."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

ABSENT = "absent"
"""The version of a file that does not exist."""


MEMORY_FILE = "MEMORY.md"
REQUESTED = "User requested:"
"""How an entry begins that the user asked for."""


class Category(StrEnum):
    """What a caller may name; each stands for one standard section of MEMORY.md."""

    PROFILE = "profile"
    PREFERENCES = "preferences"
    INTERESTS = "interests"
    WORKFLOW = "workflow"
    PROJECTS = "projects"
    NOTES = "notes"


SECTION_OF = {
    Category.PROFILE: "User Profile",
    Category.PREFERENCES: "Preferences",
    Category.INTERESTS: "Interests",
    Category.WORKFLOW: "Workflow",
    Category.PROJECTS: "Projects",
    Category.NOTES: "Notes",
}
STANDARD_SECTIONS = tuple(SECTION_OF.values())


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


@dataclass(frozen=True, slots=True)
class Section:
    """A `## ` section: all entries under that title, in order, and where the first such heading stands."""

    title: str
    line: int
    entries: tuple[Entry, ...]

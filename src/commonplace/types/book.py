"""What a book is made of: its files as they were read, and the entries of MEMORY.md in their sections."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

ABSENT = "absent"
"""The version of a file that does not exist."""


LARGE_INDEX = ".commonplace/index/large"
"""Stands where a book is so large that its store keeps the search index."""
MEMORY_FILE = "MEMORY.md"
REQUESTED = "User requested:"
"""How an entry begins that the user asked for."""


def unmarked(text: str) -> str:
    """Without that mark, however often it stands there."""
    bare = text
    while bare.startswith(REQUESTED):
        bare = bare.removeprefix(REQUESTED).strip()
    return bare or text


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


def version_of(data: bytes) -> str:
    """The version of a file with this content, whatever stores it."""
    return hashlib.sha256(data).hexdigest()


def snapshot_of(data: bytes | None) -> Snapshot:
    return Snapshot(data, ABSENT if data is None else version_of(data))


class FileStat(NamedTuple):
    """One name in a folder. `stamp` changes whenever the file may have changed, if it is `settled`: else it was changed
    so lately that it may change again without being seen to. `kind` is file, folder or other."""

    name: str
    kind: str
    size: int
    stamp: str
    settled: bool = True


@dataclass(frozen=True, slots=True)
class FileState:
    """What a file was when it was indexed. `settled`: it was old enough then for its stamp to be trusted."""

    stamp: str
    digest: str
    settled: bool


class Commit(NamedTuple):
    """A change as it is stored: the tree of all files after it, and its message with who asked for it."""

    id: str
    tree: str
    parents: tuple[str, ...]
    at: datetime
    message: str


class EntryId(str):
    """Stands for one entry as it is now: its section and wording, and which of several that are alike. Where a text is
    looked for, an id may be given instead."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One bullet of MEMORY.md with its continuation lines (or one paragraph a person wrote there)."""

    text: str
    section: str
    line: int

    @property
    def id(self) -> EntryId:
        """What this entry is called; of several that are alike, the first."""
        import hashlib

        said = f"{self.section}\0{self.text}".encode("utf-8", "surrogatepass")
        return EntryId(hashlib.blake2b(said, digest_size=8).hexdigest())


@dataclass(frozen=True, slots=True)
class Section:
    """A `## ` section: all entries under that title, in order, and where the first such heading stands."""

    title: str
    line: int
    entries: tuple[Entry, ...]

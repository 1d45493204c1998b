"""The few capabilities the core needs from outside, as Protocols.

Nothing above `stores/` knows whether a book is a folder or something else: all bytes pass through `Storage`, and all
changes through `Storage.record`. What only a folder has is a capability: elsewhere `Storage.edits` is None.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from commonplace.errors import BookMissing, StorageError
    from commonplace.types.asking import Note
    from commonplace.types.book import Commit, FileStat, FileState, Snapshot
    from commonplace.types.chatting import ChatEvent, ChatMessage, ToolSpec
    from commonplace.types.keeping import Change, FileDiff
    from commonplace.types.searching import Asked, Chunk, Whole

    Vectors: TypeAlias = NDArray[np.float32]


class Storage(Protocol):
    """One book: named byte strings with compare-and-swap, durable when a call returns, and the history of them.

    Names are relative, with `/` between parts. `expected` is the version that was read; a write or delete
    whose file has another version by now raises `Conflict` and changes nothing. A version depends on the content alone.
    What is not `durable` may be lost when the machine stops, never torn.
    """

    @property
    def address(self) -> str:
        """Where the book is, in the words that open it again; never with a password."""
        ...

    @property
    def history(self) -> History: ...

    @property
    def presence(self) -> Presence: ...

    @property
    def edits(self) -> HandEdits | None:
        """What others do to the files, where they can reach them."""
        ...

    @property
    def residue(self) -> str:
        """What is left of deleted bytes beneath the store, out of its reach, and until when; in words for the owner."""
        ...

    def prepare(self) -> None:
        """Make ready for a first write. An error here says what the owner must do."""
        ...

    def record(
        self, changes: Mapping[str, bytes | None], before: Mapping[str, Snapshot], note: Note, at: datetime
    ) -> str:
        """Write files (None: delete) that are still as they were `before`, and record them as one change: both or
        neither. The id of the change."""
        ...

    def read(self, name: str) -> Snapshot: ...

    def read_all(self, names: Iterable[str]) -> Iterator[tuple[str, Snapshot | StorageError]]:
        """Several files, in that order, in few questions where each one costs; or why one of them cannot be read."""
        ...

    def write(self, name: str, data: bytes, *, expected: str, durable: bool = True) -> str: ...

    def append(self, name: str, data: bytes, *, on_new_line: bool = False) -> None: ...

    def delete(self, name: str, *, expected: str, durable: bool = True) -> None: ...

    def list_folder(self, folder: str) -> Iterable[FileStat]:
        """What is directly in `folder` ('' is the book itself), in the order of names."""
        ...

    def glance(self, folder: str) -> object:
        """Something that differs once a file directly in `folder` was added, changed or removed."""
        ...

    def walk(self) -> Iterable[str]:
        """The names of all files, private ones too."""
        ...

    def make_folder(self, folder: str) -> None:
        """Make a folder. Where a folder is only the beginning of names, it is there once a file is in it."""
        ...

    def remove_empty_folder(self, folder: str) -> None: ...

    def lock(self, *, timeout: float | None = None) -> AbstractContextManager[None]:
        """The book for oneself, for some calls in a row; its holder may take it again. Nobody else writes meanwhile."""
        ...

    def alone(self, task: str, *, timeout: float) -> AbstractContextManager[None]:
        """Be the only one who does `task`, for as long as a model may take; the book itself stays open to all."""
        ...

    def excerpts(self, places: Mapping[str, tuple[int, int]]) -> dict[str, bytes]:
        """Of each of these files what stands from a byte on, for so many bytes; in few questions where each one costs.
        What cannot be read is left out."""
        ...

    def map(self, name: str) -> memoryview | None:
        """The bytes of a derived file, in memory or mapped into it; None when there is none."""
        ...

    def put_derived(self, name: str, parts: Iterable[bytes | memoryview], *, durable: bool = False) -> None:
        """Write what can be made again at any time: whole or not at all, without lock or comparison; one that is
        `durable` is whole also after a loss of power."""
        ...

    def delete_derived(self, name: str) -> None: ...

    def large_index(self, identity: str, dimensions: int) -> LargeIndex | None:
        """A search index that the store looks things up in itself; None where a process has arrays of all."""
        ...


class HandEdits(Protocol):
    """What people and other programs do to the files of a book behind its back, and what a crash leaves there."""

    @property
    def rescued(self) -> Sequence[str]:
        """What a person saved in the very moment of a crash: the names under which it was kept."""
        ...

    def take_in(self, at: datetime, clean: Callable[[str], str]) -> str | None:
        """Record what happened since the last change; the id of the change that does."""
        ...

    def missing(self) -> BookMissing | None:
        """Why nothing can be read here, where the history knows of files that are gone."""
        ...

    def gone(self) -> list[str]: ...

    def accept_deletion(self, at: datetime, clean: Callable[[str], str]) -> str | None: ...

    def bring_back(self) -> list[str]: ...

    def blank(self, name: str) -> None: ...


class History(Protocol):
    """The recorded changes of one book, as git has them: the ids of commits and contents are git's, so that a history
    can go to another store and be read with stock git."""

    def head(self) -> str | None:
        """The newest change."""
        ...

    def commit(self, id: str) -> Commit: ...

    def commits(self, start: str | None = None) -> Iterator[Commit]:
        """From `start` (the newest) back to the first."""
        ...

    def count(self) -> int: ...

    def resolve(self, prefix: str) -> str:
        """The full id of a change from its first characters."""
        ...

    def files(self, commit: str | None) -> dict[str, str]:
        """Name to content id of all files as of a commit (None: before everything)."""
        ...

    def content(self, blob: str) -> bytes: ...

    def change(self, commit: Commit) -> Change: ...

    def changes(self) -> Iterator[Change]: ...

    def changed_files(self, commit: Commit) -> dict[str, tuple[str | None, str | None]]:
        """Name to content id before and after, for the files a commit changed."""
        ...

    def diff(self, old: str | None, new: str | None) -> list[FileDiff]: ...

    def versions(self, name: str) -> Iterator[tuple[Commit, str | None, str | None]]:
        """The commits that changed one file, newest first, with its content id before and after."""
        ...

    def moved(self, blob: str, other: str, start: int, end: int) -> int | None:
        """Where in `other` that stands which is at `start` to `end` of `blob`; None where that is not known."""
        ...

    def check(self, newest: int | None = None) -> list[str]:
        """What is wrong with the newest changes (None: with all), in words."""
        ...

    def rewrite(self, clean: Callable[[bytes, str], bytes], clean_message: Callable[[str], str]) -> None:
        """Make every change again with cleaned files and messages, and drop the old ones for good."""
        ...

    def prune(self) -> None:
        """Remove everything that no change needs, for good."""
        ...

    def repeat(self, changes: Mapping[str, bytes | None], note: Note, at: datetime) -> str:
        """Record a change of the past on top of the newest, without touching files: for a book that is being brought
        in, whose files come by themselves."""
        ...

    def exported(self) -> Iterator[tuple[str, bytes]]:
        """Everything that a change needs, as git has it: kind and body."""
        ...

    def take_over(self, objects: Iterable[tuple[str, bytes]], head: str | None) -> None:
        """Begin with the whole past of another store."""
        ...

    def readable_commits(self) -> Iterator[Commit]:
        """From the newest back to the first, or to where one cannot be read."""
        ...

    def readable_files(self, commit: Commit, damaged: set[str]) -> Iterator[tuple[str, str]]: ...

    def lost_pasts(self) -> int: ...

    def bodies(self) -> Iterator[tuple[str, bytes]]:
        """Everything that is kept, needed or not, with its id: for proving that a text is gone."""
        ...


class Attendance(Protocol):
    """Somebody is in a conversation until they close this, or their process ends."""

    @property
    def session(self) -> str: ...

    def close(self) -> None: ...


class Presence(Protocol):
    """Which conversations of a book are open now, in any process. Whoever is killed is gone by themselves."""

    def enter(self, session: str) -> Attendance: ...

    def opened(self, sessions: Iterable[str]) -> set[str]:
        """Those of the conversations that anybody is in, this process included."""
        ...


class Embedder(Protocol):
    """Texts to unit vectors. `identity` names model and weights: vectors of two identities are never mixed."""

    @property
    def identity(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    @property
    def loaded(self) -> bool: ...

    def reads(self, text: str) -> bool:
        """Whether the vector of this text would say anything."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors: ...


class Comparer(Protocol):
    """A cross-encoder: a new and an old text read at once. How surely they are the same fact, and how surely the new
    one is a newer value of the old; what is left of one is that they are two facts. None: it cannot read them."""

    @property
    def loaded(self) -> bool: ...

    def compare(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[float, float] | None]: ...


class Corpus(Protocol):
    """Everything that can be found, as arrays with one element a chunk. The chunks of a group (a session, a heading)
    stand next to each other, in order; groups are in order of time."""

    @property
    def group(self) -> NDArray[np.int32]: ...

    @property
    def starts(self) -> NDArray[np.int64]: ...

    @property
    def day(self) -> NDArray[np.int32]: ...

    @property
    def source(self) -> NDArray[np.int32]: ...

    @property
    def traits(self) -> NDArray[np.int32]: ...

    @property
    def length(self) -> NDArray[np.int32]: ...

    @property
    def speaker(self) -> NDArray[np.int32]: ...

    @property
    def speakers(self) -> list[str]: ...

    @property
    def sessions(self) -> list[str]: ...

    @property
    def count(self) -> int: ...

    def chunk(self, at: int) -> Chunk: ...

    @property
    def whole(self) -> Whole | None:
        """What is known of all chunks, where these are only the ones that may answer a question."""
        ...

    def cosine(self, query: Vectors) -> Vectors: ...

    def closeness(self) -> Vectors:
        """The likeness of each chunk to the average one."""
        ...

    def occurrences(self, term: str) -> tuple[NDArray[np.int64], NDArray[np.float32]]: ...


class SearchIndex(Protocol):
    """What can be found in one book, for one embedding model: derived from the files, to be lost without harm."""

    @property
    def files(self) -> Mapping[str, FileState]:
        """What each file was when it was indexed."""
        ...

    @property
    def loads(self) -> int:
        """Tells one state from the next: what was known of the files may be so no more."""
        ...

    @property
    def unsaved(self) -> bool: ...

    def open(self) -> None:
        """Take over what was stored meanwhile, by whomever."""
        ...

    def save(self) -> bool:
        """Store what has changed; False if it has to wait for another time. Never an error."""
        ...

    def clear(self) -> None: ...

    def update(self, changed: Mapping[str, tuple[FileState, Sequence[Chunk]]], removed: Iterable[str]) -> None:
        """Bring in files that changed and drop those that are gone; what is known keeps its vectors."""
        ...

    def touch(self, states: Mapping[str, FileState]) -> None:
        """Note new stamps of files whose content is the same."""
        ...

    def embed_missing(
        self,
        embed: Callable[[Sequence[str]], Vectors],
        *,
        until: float | None = None,
        progress: Callable[[int, int], None] = ...,
        file: str | None = None,
        most: int | None = None,
    ) -> None:
        """Compute the vectors (of one `file` only, if named) that are not known yet, at least a few, until the clock
        says `until`; none where more than `most` are missing."""
        ...

    def vectors(self) -> tuple[int, int]:
        """How many vectors are known, and how many there will be."""
        ...

    def likeness_in(self, file: str, asked: Vectors, most: int) -> dict[bytes, float | None]:
        """How alike the chunks of a file are, of those that have a vector, by what stands for their texts; None where
        only so much is known that `most` others are nearer."""
        ...

    def keys_of(self, file: str) -> set[bytes]: ...

    def corpus(self, asked: Asked | None = None) -> Corpus:
        """Everything that can be found; where that is too much, what may answer what is asked."""
        ...

    def count(self) -> int: ...


class Arrays(Protocol):
    """The index of a book as arrays, for what takes over from them."""

    files: dict[str, FileState]
    opened: str

    def rows(self) -> Iterator[tuple[Chunk, Vectors | None]]: ...


class LargeIndex(SearchIndex, Protocol):
    """An index that a store keeps as rows, for a book that is too large for arrays."""

    def usable(self) -> bool:
        """Whether the store can look things up now."""
        ...

    def wants(self, chunks: int) -> bool:
        """Whether a book with so many chunks should move to it, and can."""
        ...

    def begin(self, arrays: Arrays) -> bool:
        """Take over from the arrays; False if it has to wait for another time."""
        ...


class ChatModel(Protocol):
    """A model that answers a conversation. `identity` names provider and model; `window` is its context in tokens.

    One that does not call tools may be offered them all the same: it is told that it cannot use them.
    """

    @property
    def identity(self) -> str: ...

    @property
    def window(self) -> int: ...

    @property
    def calls_tools(self) -> bool: ...

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        system: str = "",
        tools: Sequence[ToolSpec] = (),
        max_tokens: int = 4096,
    ) -> Generator[ChatEvent]:
        """The answer as it arrives: text, then tool calls, each whole, and one `Finished` at the end. An answer that
        does not come whole raises `ModelFailed`. Closing the generator cancels the request."""
        ...


class Clock(Protocol):
    """The time, with the local zone: dates in the book are the dates on the person's wall."""

    def now(self) -> datetime: ...

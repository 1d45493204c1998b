"""The few capabilities the core needs from outside, as Protocols.

Nothing above `files/` knows whether a book is a folder or something else: all bytes pass through `Storage`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from commonplace.types.book import FileStat, Snapshot
    from commonplace.types.chatting import ChatEvent, ChatMessage, ToolSpec
    from commonplace.types.searching import Chunk

    Vectors: TypeAlias = NDArray[np.float32]


class Storage(Protocol):
    """Named byte strings with compare-and-swap, durable when a call returns.

    Names are relative, with `/` between parts. `expected` is the version that was read; a write or delete
    whose file has another version by now raises `Conflict` and changes nothing.
    """

    def read(self, name: str) -> Snapshot: ...

    def write(self, name: str, data: bytes, *, expected: str, durable: bool = True) -> str: ...

    def append(self, name: str, data: bytes, *, on_new_line: bool = False) -> None: ...

    def delete(self, name: str, *, expected: str, durable: bool = True) -> None: ...

    def list_folder(self, folder: str) -> Iterable[FileStat]: ...

    def glance(self, folder: str) -> object: ...

    def walk(self) -> Iterable[str]: ...

    def lock(self, *, timeout: float | None = None) -> AbstractContextManager[None]: ...

    def alone(self, task: str, *, timeout: float) -> AbstractContextManager[None]: ...

    def map(self, name: str) -> memoryview | None: ...

    def put_derived(self, name: str, parts: Iterable[bytes | memoryview]) -> None: ...

    def delete_derived(self, name: str) -> None: ...


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
    """A new and an old text read at once: how surely they are the same fact, and how surely the new one is a newer
    value of the old. What is left of one is that they are two facts."""

    @property
    def loaded(self) -> bool: ...

    def compare(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[float, float]]: ...


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

    def cosine(self, query: Vectors) -> Vectors: ...

    def mean_vector(self) -> Vectors: ...

    def occurrences(self, term: str) -> tuple[NDArray[np.int64], NDArray[np.float32]]: ...


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

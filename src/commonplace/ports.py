"""The few capabilities the core needs from outside, as Protocols.

Nothing above `files/` knows whether a book is a folder or something else: all bytes pass through `Storage`.
"""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from commonplace.types import FileStat, Snapshot


class Storage(Protocol):
    """Named byte strings with compare-and-swap, durable when a call returns.

    Names are relative, with `/` between parts. `expected` is the version that was read; a write or delete
    whose file has another version by now raises `Conflict` and changes nothing.
    """

    def read(self, name: str) -> Snapshot: ...

    def write(self, name: str, data: bytes, *, expected: str, durable: bool = True) -> str: ...

    def append(self, name: str, data: bytes) -> None: ...

    def delete(self, name: str, *, expected: str) -> None: ...

    def list_folder(self, folder: str) -> Iterable[FileStat]: ...

    def walk(self) -> Iterable[str]: ...

    def lock(self) -> AbstractContextManager[None]: ...


class Clock(Protocol):
    """The time, with the local zone: dates in the book are the dates on the person's wall."""

    def now(self) -> datetime: ...

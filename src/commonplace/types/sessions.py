"""Conversations as they are kept, and what becomes of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from commonplace.types.changing import Done, Revised
    from commonplace.types.keeping import Logged
    from commonplace.types.saving import Alike, Duplicate, Held, Saved

SPOKEN = ("user", "assistant")
"""The roles of those who talk with each other; the others are tools and instructions."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation, as a line of its transcript. `done` is what was done at once because it asked for
    it, and is no part of the line."""

    id: str
    role: str
    text: str
    at: datetime
    extra: dict[str, object] = field(default_factory=dict[str, object])
    done: tuple[Done, ...] = ()


@dataclass(frozen=True, slots=True)
class Transcript:
    """A session's messages, and the numbers of lines that could not be read (a torn last line, most often)."""

    session: str
    messages: tuple[Message, ...]
    lines: tuple[int, ...]  # where each message stands
    torn: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """One conversation at a glance. `unlogged` is how many messages the daily log does not cover yet."""

    id: str
    title: str
    started: datetime
    last: datetime
    messages: int
    ended: bool
    unlogged: int


@dataclass(frozen=True, slots=True)
class SessionGlance:
    """One conversation as its transcript alone tells; `days` is how much was said on each day."""

    id: str
    title: str
    started: datetime
    last: datetime
    messages: int
    ended: bool
    days: dict[date, int]


@dataclass(frozen=True, slots=True)
class LogReport:
    """What a flush did. Facts that were there already, perhaps in other words, are `duplicates`; of `revised` the entry
    got a newer value; `held` wait in the inbox; `unsupported` were dropped because nobody said them, `refused` for
    other reasons, which they say. `extracts` are blocks in the user's own words, where the model gave no answer."""

    session: str
    messages: int = 0
    blocks: tuple[Logged, ...] = ()
    saved: tuple[Saved, ...] = ()
    duplicates: tuple[Duplicate | Alike, ...] = ()
    held: tuple[Held, ...] = ()
    refused: tuple[str, ...] = ()
    revised: tuple[Revised, ...] = ()
    unsupported: tuple[str, ...] = ()
    extracts: int = 0


@dataclass(frozen=True, slots=True)
class Consolidated:
    """What became of a session's summary: how many messages went into it (0: nothing was due), and its length."""

    session: str
    messages: int = 0
    words: int = 0
    shortened: bool = False

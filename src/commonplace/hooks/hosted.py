"""The conversations of other agents that a book knows of: where their transcripts are, and how far they were taken in.

The host's transcript is copied, message by message, since hosts delete theirs. What was taken in is told by the ids in
our own transcript, so a crash repeats nothing; this page only says where to look again.
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, cast

from commonplace.errors import CommonplaceError, Conflict
from commonplace.files.folders import PRIVATE
from commonplace.memory import Memory
from commonplace.types.sessions import Message

FILE = f"{PRIVATE}/hosted.json"
NOTES = f"{PRIVATE}/hosted.wanted.json"
_ALONE = "take in"
_PATIENCE = 30.0
_FAR = 2
_BRIEFLY = 2.0  # seconds that a tool call waits for another process that takes in
_MOST = 500  # sessions remembered; older ones were taken in long ago


@dataclass(frozen=True, slots=True)
class Hosted:
    """One conversation of a host. `size` is how long its transcript was when it was last taken in, `ancestors` the
    processes that its newest hook descended from, the nearest first."""

    session: str
    client: str
    transcript: str
    size: int = 0
    ended: bool = False
    ancestors: tuple[int, ...] = ()

    def has_more(self) -> bool:
        return _size(self.transcript) > self.size


class Register:
    """The hosted conversations of one book, shared by all processes."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._storage = memory.book.storage

    def all(self) -> list[Hosted]:
        data = self._storage.read(FILE).data
        try:
            listed = cast(list[dict[str, Any]], json.loads(data or b"[]"))
            return [_hosted(one) for one in listed]
        except (ValueError, TypeError):
            return []  # derived: the next event writes it anew

    def note(self, hosted: Hosted) -> None:
        """Remember a conversation, or what is new about it."""
        self._memory.book.create()
        for _ in range(5):
            before = self._storage.read(FILE)
            others = [one for one in self.all() if one.session != hosted.session]
            listed = [asdict(one) for one in [*others, hosted][-_MOST:]]
            try:
                self._storage.write(FILE, json.dumps(listed, indent=1).encode(), expected=before.version, durable=False)
            except Conflict:
                continue
            return

    def known(self, session: str) -> Hosted | None:
        return next((one for one in self.all() if one.session == session), None)

    def end(self, session: str) -> None:
        """Note that a conversation has ended, if it is known."""
        if known := self.known(session):
            self.note(replace(known, ended=True))

    def leave_note(self, session: str) -> None:
        """Tell whoever is at work that a conversation (empty: all that nobody is in) is to be logged after the rest."""
        self._noted(lambda left: left if session in left else [*left, session])

    def notes(self) -> list[str]:
        try:
            return [str(one) for one in cast(list[object], json.loads(self._storage.read(NOTES).data or b"[]"))]
        except (ValueError, TypeError):
            return []

    def take_note(self, session: str) -> None:
        self._noted(lambda left: [one for one in left if one != session])

    def _noted(self, change: Callable[[list[str]], list[str]]) -> None:
        self._memory.book.create()
        for _ in range(5):
            before = self._storage.read(NOTES)
            if (now := change(left := self.notes())) == left:
                return
            try:
                self._storage.write(NOTES, json.dumps(now).encode(), expected=before.version, durable=False)
            except Conflict:
                continue
            return

    def open_beside(self, ancestors: Sequence[int]) -> Hosted | None:
        """The open conversation of the agent that one of these processes is, the newest first. A shell may stand
        between it and one side; what both reach only through another is no agent, but where two were started."""
        near = [
            (ancestors.index(process) + one.ancestors.index(process), -place, one)
            for place, one in enumerate(self.all())
            if not one.ended
            for process in one.ancestors
            if process in ancestors
        ]
        distance, _, found = min(near, key=lambda found: found[:2], default=(_FAR, 0, None))
        return found if distance < _FAR else None

    def take_in(self, hosted: Hosted, patience: float = _PATIENCE) -> int:
        """Copy what is new in a host's transcript into ours; how many messages that was."""
        if not hosted.has_more():
            return 0
        from commonplace.foreign.agents import READERS, said_here

        reader = READERS.get(hosted.client)
        if reader is None:
            return 0
        with self._storage.alone(_ALONE, timeout=patience):
            size = _size(hosted.transcript)
            try:
                with open(hosted.transcript, encoding="utf-8", errors="replace") as lines:
                    found = said_here(reader(lines))
            except OSError:
                return 0
            known = {message.id for message in self._memory.transcript(hosted.session).messages}
            known |= self._elsewhere(found, hosted.session) if not known else set()
            new = [message for message in found if message.id not in known]
            if new:
                self._memory.add_message(hosted.session, *new)
            self.note(replace(self.known(hosted.session) or hosted, size=size))
        return len(new)

    def _elsewhere(self, found: list[Message], session: str) -> set[str]:
        """A conversation that goes on in a new file repeats the old one: its messages are in our book already."""
        sessions = [one.session for one in self.all() if one.session != session]
        wanted = {message.id for message in found}
        known: set[str] = set()
        for other in sessions:
            known |= wanted & {message.id for message in self._memory.transcript(other).messages}
        return known

    def idle(self, hosted: Hosted, now: datetime, minutes: float) -> bool:
        """Whether nobody is in this conversation any more, as far as can be told."""
        try:
            return hosted.ended or now.timestamp() - os.stat(hosted.transcript).st_mtime > minutes * 60
        except OSError:
            return True


def open_session(memory: Memory, ancestors: Sequence[int]) -> str:
    """The conversation that a process of an agent belongs to, with what was said in it until now; empty where no hook
    told of one."""
    register = Register(memory)
    hosted = register.open_beside(ancestors)
    if hosted is None:
        return ""
    with suppress(CommonplaceError):  # what is missing then was not said, as far as the gate can know
        register.take_in(hosted, _BRIEFLY)
    return hosted.session


def _hosted(record: Mapping[str, Any]) -> Hosted:
    hosted = Hosted(**record)
    return replace(hosted, ancestors=tuple(hosted.ancestors))


def _size(file: str) -> int:
    try:
        return os.stat(file).st_size
    except OSError:
        return 0

"""The conversations of other agents that a book knows of: where their transcripts are, and how far they were taken in.

The host's transcript is copied, message by message, since hosts delete theirs. What was taken in is told by the ids in
our own transcript, so a crash repeats nothing; this page only says where to look again.
"""

import json
import os
import re
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import cast

from commonplace.errors import Conflict
from commonplace.files.folder import PRIVATE
from commonplace.hooks.transcripts import READERS, said_here
from commonplace.memory import Memory
from commonplace.types.sessions import Message

FILE = f"{PRIVATE}/hosted.json"
_ALONE = "take in"
_PATIENCE = 30.0
_MOST = 500  # sessions remembered; older ones were taken in long ago
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Hosted:
    """One conversation of a host. `size` is how long its transcript was when it was last taken in."""

    session: str
    client: str
    transcript: str
    size: int = 0
    ended: bool = False

    def has_more(self) -> bool:
        return _size(self.transcript) > self.size


def session_id(client: str, given: str) -> str:
    """The id of a host's conversation in our book."""
    return f"{client}-{_UNSAFE.sub('-', given)[:80].strip('-') or 'unnamed'}"


class Register:
    """The hosted conversations of one book, shared by all processes."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._storage = memory.book.storage

    def all(self) -> list[Hosted]:
        data = self._storage.read(FILE).data
        try:
            listed = cast(list[dict[str, object]], json.loads(data or b"[]"))
            return [Hosted(**cast(dict[str, str], one)) for one in listed]  # pyright: ignore[reportArgumentType] JSON is untyped
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

    def take_in(self, hosted: Hosted) -> int:
        """Copy what is new in a host's transcript into ours; how many messages that was."""
        reader = READERS.get(hosted.client)
        if reader is None or not hosted.has_more():
            return 0
        with self._storage.alone(_ALONE, timeout=_PATIENCE):
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
            self.note(replace(hosted, size=size))
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


def _size(file: str) -> int:
    try:
        return os.stat(file).st_size
    except OSError:
        return 0

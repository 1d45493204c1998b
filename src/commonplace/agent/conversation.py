"""One person's side of the chat: which session is open, and what opening, switching, ending and leaving set off.

Surfaces drive it and show what it yields. A session begins with its first message: nothing is created before.
"""

from collections.abc import Generator

from commonplace.agent.events import Compacted, TurnEvent
from commonplace.agent.lifecycle import Lifecycle
from commonplace.agent.turn import Agent
from commonplace.errors import AmbiguousMatch, NotFound, ValidationError
from commonplace.gate.secrets import mask
from commonplace.memory import Memory
from commonplace.ports import Attendance, ChatModel, Clock
from commonplace.types.sessions import SessionInfo

_TITLE = 60


class Conversation:
    """The chat of one process with one book. `session` is None until something is said."""

    def __init__(self, memory: Memory, model: ChatModel | None, clock: Clock) -> None:
        self.memory = memory
        self.model = model
        self.lifecycle = Lifecycle(memory, model, clock)
        self._agent = Agent(memory, model, self.lifecycle, clock)
        self._open: Attendance | None = None

    @property
    def session(self) -> str | None:
        return self._open.session if self._open else None

    def begin(self) -> None:
        """The program has started: catch up, and keep an eye on the date from now on."""
        self.lifecycle.started()
        self.lifecycle.watch()

    def news(self) -> tuple[str, ...]:
        """What happened by itself since somebody last looked."""
        return self.lifecycle.news()

    def say(self, text: str) -> Generator[TurnEvent]:
        """One turn, in the open session or in a new one."""
        if not text.strip():
            raise ValidationError("There is nothing to say: the message is blank.", hint="Type at least one word.")
        if self._open is None:
            self._enter(self.memory.start_session(_title(text)).id)
        assert self._open is not None  # noqa: S101 entered above
        return self._agent.turn(self._open.session, text)

    def switch(self, session: str) -> SessionInfo:
        """Go on with an earlier session."""
        info = find_session(self.memory, session)
        if info.id != self.session:
            if info.ended:
                self.memory.resume_session(info.id)
            self._enter(info.id)
        return info

    def new(self) -> None:
        """The next message begins a new session. The one that is left is flushed when it does."""
        self._leave_open()

    def rename(self, title: str) -> None:
        self.memory.rename_session(self._current(), title)

    def end(self) -> None:
        """The session is over."""
        session = self._current()
        self.memory.end_session(session)
        self._leave_open()
        self.lifecycle.ended(session)

    def leave(self) -> None:
        """The program ends, or the person goes away. What was said is flushed in the background."""
        self.lifecycle.left()
        self._leave_open()
        self.lifecycle.close()

    def compact(self) -> Compacted | None:
        return self._agent.compact(self._current())

    def flush(self) -> bool:
        """Log what was said so far, now."""
        return not self.lifecycle.flush([self._current()])

    def _current(self) -> str:
        if self._open is None:
            raise NotFound("Nothing has been said yet.", hint="Say something first, or switch to an earlier session.")
        return self._open.session

    def _enter(self, session: str) -> None:
        self._leave_open()
        self._open = self.memory.book.storage.presence.enter(session)
        self.lifecycle.opened(session)

    def _leave_open(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None


def find_session(memory: Memory, word: str) -> SessionInfo:
    """The session with this id, or whose id or title begins like that, if it is the only one."""
    infos = memory.session_infos()
    exact = [info for info in infos if info.id == word]
    begun = [info for info in infos if _begins(info, word)]
    if len(exact or begun) == 1:
        return (exact or begun)[0]
    hint = "`commonplace sessions` lists them."
    if begun:
        raise AmbiguousMatch(f"{len(begun)} sessions begin with {word!r}.", count=len(begun), hint=hint)
    raise NotFound(f"No session begins with {word!r}.", hint=hint)


def _begins(info: SessionInfo, word: str) -> bool:
    return bool(word.strip()) and (info.id.startswith(word) or info.title.casefold().startswith(word.casefold()))


def _title(text: str) -> str:
    line = " ".join(mask(text).split())  # before it is cut: half a secret is not known for one
    return line if len(line) <= _TITLE else line[: _TITLE - 1].rsplit(" ", 1)[0] + "…"

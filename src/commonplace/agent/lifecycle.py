"""When a conversation becomes memory: five events flush it, and whatever was missed is caught up with at the start.

Events are data. All but one are only noted here and worked off by a background thread, so no trigger ever blocks or
breaks a conversation: a flush that fails is logged, shown by `doctor`, and tried again at the next trigger. Only what
comes before a compaction waits, since afterwards the words would be gone from the prompt.
"""

import logging
import threading
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from commonplace.agent.diary import TROUBLE, Diary, FlushFailure
from commonplace.agent.worker import Worker
from commonplace.errors import CommonplaceError
from commonplace.memory import Memory
from commonplace.ports import ChatModel, Clock
from commonplace.types.compaction import MemoryCompacted, Skipped
from commonplace.types.sessions import LogReport

_log = logging.getLogger(__name__)
_COMPACT = "compact the memory"
LEAST_CHARACTERS = 3000
"""A shorter memory is not compacted by itself."""


class Trigger(StrEnum):
    """Why a session is flushed."""

    ENDED = "session_ended"
    OPENED = "another_session_opened"
    LEFT = "app_left"
    NEW_DAY = "date_changed"
    FULL = "before_compaction"
    STARTED = "started"
    ASKED = "asked"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to the conversation `session`; `following` is the one that was opened instead of it."""

    trigger: Trigger
    session: str | None
    following: str | None = None

    def flushes(self) -> bool:
        """Opening another session counts only if both exist and differ."""
        if self.session is None:
            return False
        return self.trigger is not Trigger.OPENED or self.following not in {None, self.session}


class Lifecycle:
    """The triggers of one book in one process. Thread-safe."""

    def __init__(self, memory: Memory, model: ChatModel | None, clock: Clock) -> None:
        self._memory = memory
        self._model = model
        self._clock = clock
        self._worker = Worker()
        self._diary = Diary(memory.book.storage)
        self._active: str | None = None
        self._days: list[date] = []
        self._stop = threading.Event()

    @property
    def memory(self) -> Memory:
        return self._memory

    @property
    def active(self) -> str | None:
        return self._active

    def on(self, event: Event) -> None:
        """Take note of an event; the flush runs in the background."""
        if event.flushes() and event.session is not None:
            session, trigger = event.session, event.trigger
            self._worker.ask(session, lambda: self._flush(session, trigger))

    # -- the five triggers, and the start ------------------------------------------------------------------------------

    def started(self, *, but: Collection[str] = ()) -> None:
        """Catch up with what an earlier process left, `but` for conversations that others are in, and see whether
        another day has begun since."""
        self._worker.ask("", lambda: self._catch_up(but))
        self.look_at_clock()

    def opened(self, session: str) -> None:
        """Another session becomes the active one."""
        before, self._active = self._active, session
        self.on(Event(Trigger.OPENED, before, session))
        self.look_at_clock()

    def ended(self, session: str) -> None:
        self._active = None if self._active == session else self._active
        self.on(Event(Trigger.ENDED, session))

    def left(self) -> None:
        """The app goes to the background or exits."""
        self.on(Event(Trigger.LEFT, self._active))

    def look_at_clock(self) -> None:
        """A date other than the last one flushes the active session, and compacts the memory if that is due. Called at
        start, at each turn, and by `watch`."""
        today = self._clock.now().date()
        if self._days and today == self._days[-1]:
            return
        try:
            if self._memory.book.identity() is None:  # nothing is created before something is said
                return
            noticed_by_another = bool(self._days) and today not in self._days
            if noticed_by_another or self._diary.read().changes_to(today):
                self.on(Event(Trigger.NEW_DAY, self._active))
                self._worker.ask(_COMPACT, lambda: self._compact_if_due(today))
            self._diary.note_day(today)
            self._days = [*(day for day in self._days if day != today), today]
        except TROUBLE as error:
            _log.warning("The last active date could not be stored: %s", error.message)

    def said(self, session: str) -> None:
        """A turn is over. What has grown too long for the prompt is summarised in the background."""
        if self._model is not None:
            self._worker.ask(f"consolidate {session}", lambda: self.consolidate(session))

    def before_compaction(self, session: str) -> bool:
        """Flush now and wait for it; whether everything said is in the log."""
        self._worker.wait()
        return self._flush(session, Trigger.FULL)

    def compact(self) -> None:
        """Compact the memory in the background; the outcome is told at the next start."""
        self._worker.ask(_COMPACT, self._compact)

    def news(self) -> tuple[str, ...]:
        """What happened by itself and was not told yet."""
        try:
            return self._diary.take_news()
        except TROUBLE as error:
            _log.warning("It is not known what happened meanwhile: %s", error.message)
            return ()

    # -- waiting and watching ------------------------------------------------------------------------------------------

    def watch(self, every: float = 30.0) -> None:
        """See midnight pass while nobody says anything; also after the machine slept."""

        def look() -> None:
            while not self._stop.wait(every):
                self.look_at_clock()

        threading.Thread(target=look, name="commonplace clock", daemon=True).start()

    def failures(self) -> list[FlushFailure]:
        """What could not be logged so far, oldest first."""
        try:
            return self._diary.failures()
        except TROUBLE as error:
            _log.warning("It is not known what could not be logged: %s", error.message)
            return []

    @property
    def busy(self) -> bool:
        return self._worker.busy

    def wait(self, seconds: float | None = None) -> bool:
        """Until every flush that was triggered is done; False if that takes longer than `seconds`."""
        return self._worker.wait(seconds)

    def close(self) -> None:
        self._stop.set()

    def flush(self, sessions: Sequence[str]) -> list[str]:
        """Flush these now; the ones that failed."""
        return [session for session in sessions if not self._flush(session, Trigger.ASKED)]

    # -- the work ------------------------------------------------------------------------------------------------------

    def _catch_up(self, but: Collection[str]) -> None:
        try:
            waiting = [info.id for info in self._memory.session_infos() if info.unlogged]
        except CommonplaceError as error:
            _log.warning("Earlier conversations could not be looked at: %s", error.message)
            return
        for session in waiting:
            if session not in but and not self._memory.book.storage.presence.opened([session]):
                self.on(Event(Trigger.STARTED, session))

    def _flush(self, session: str, trigger: Trigger) -> bool:
        """Whatever goes wrong is written down, never raised: there is nobody here who could catch it."""
        try:
            report = self._memory.log_session(session, self._model)
        except CommonplaceError as error:
            self._failed(session, trigger, error.code, f"{error.message} {error.hint}".strip())
        except Exception as error:
            _log.exception("Flushing %s failed unexpectedly", session)
            self._failed(session, trigger, "unexpected", f"{type(error).__name__}: {error}")
        else:
            self._succeeded(session)
            if text := left_out(report):
                self._tell(text)
            return True
        return False

    def consolidate(self, session: str) -> None:
        """Summarise the older part of a session, if that is due. A failure leaves the summary as it was."""
        try:
            self._memory.consolidate(session, self._model)
        except CommonplaceError as error:
            _log.warning("The summary of %s is not up to date (%s): %s", session, error.code, error.message)

    def _compact_if_due(self, today: date) -> None:
        """At most once a day, and only a memory that has grown long."""
        try:
            if len(self._memory.read()) >= LEAST_CHARACTERS and self._diary.claim_compaction(today):
                self._compact()
        except TROUBLE as error:
            _log.warning("The memory was not compacted: %s", error.message)

    def _compact(self) -> None:
        try:
            outcome = self._memory.compact(self._model)
        except CommonplaceError as error:
            text = f"The memory could not be compacted ({error.code}): {error.message}"
        else:
            text = told(outcome, self._clock.now().date())
        if text:
            _log.info("%s", text)
            self._tell(text)

    def _tell(self, text: str) -> None:
        try:
            self._diary.add_news(text)
        except TROUBLE as error:
            _log.warning("That could not be written down: %s", error.message)

    def _failed(self, session: str, trigger: Trigger, code: str, message: str) -> None:
        _log.warning("The conversation %s is not in the log yet (%s): %s", session, code, message)
        try:
            self._diary.note_failure(FlushFailure(session, trigger.value, code, message, self._clock.now()))
        except TROUBLE as error:
            _log.warning("That could not be written down: %s", error.message)

    def _succeeded(self, session: str) -> None:
        try:
            self._diary.note_success(session)
        except TROUBLE as error:
            _log.warning("An earlier failure could not be cleared: %s", error.message)


def left_out(report: LogReport) -> str:
    """What a person should know of a flush: what was proposed and not kept, and where no model's answer would do."""
    parts = [
        f"{len(report.unsupported)} that nobody said were dropped" if report.unsupported else "",
        f"{len(report.held)} wait in the inbox" if report.held else "",
    ]
    facts = ", ".join(filter(None, parts))
    extract = "The model gave no usable summary; the log has your own words instead." if report.extracts else ""
    proposed = f"Of what a model took from {report.session}, {facts}." if facts else ""
    return " ".join(filter(None, (proposed, extract)))


def told(outcome: MemoryCompacted | Skipped, day: date) -> str:
    """What a person should know about a compaction; nothing if there was nothing to do."""
    match outcome:
        case MemoryCompacted(before, after, change=str(change)):
            how = "" if outcome.by_model else " (exact repetitions only: no model is configured)"
            return f"The memory was compacted on {day}: {before} entries became {after}{how}. Undo with: " + (
                f"commonplace undo {change[:10]}"
            )
        case Skipped(reason, code) if code != "nothing_to_do":
            return f"The memory was not compacted on {day}; it is as it was. {reason}"
        case _:
            return ""

"""Memory: what an agent, a program or a person does with a book. Each method reads as its data flow.

Synchronous and thread-safe. A method that changes something returns after the change is durable.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeVar

from commonplace.config import Settings
from commonplace.errors import (
    BookBusy,
    NotFound,
    StorageError,
    UpdateFailed,
    ValidationError,
    failing_as,
)
from commonplace.files import folders
from commonplace.files.document import Document, title_text
from commonplace.files.folder import FolderStorage
from commonplace.files.text import decode
from commonplace.files.transactions import Book
from commonplace.gate.secrets import find_secrets, mark, redact
from commonplace.types.asking import Asker, Origin, Voice, Wish
from commonplace.types.book import MEMORY_FILE, SECTION_OF, Category, Entry, EntryId, Section, Snapshot

if TYPE_CHECKING:
    from commonplace.files import daily
    from commonplace.files.copies import Copies
    from commonplace.flows.auditing.advice import Advice
    from commonplace.flows.auditing.mending import Remedy
    from commonplace.flows.auditing.report import Audit
    from commonplace.flows.charting import Chart
    from commonplace.flows.compacting import Compaction, LocalChecks
    from commonplace.flows.conversing import Conversations
    from commonplace.flows.flushing import Flush, Learner
    from commonplace.flows.heeding import Heeding
    from commonplace.flows.hybridsearch import Finder
    from commonplace.flows.indexing import BookIndex
    from commonplace.flows.logbook import Logbook
    from commonplace.flows.records import Records
    from commonplace.flows.remembering import Writer
    from commonplace.flows.rewriting import Rewriting
    from commonplace.flows.workspace import Workspace
    from commonplace.ports import ChatModel, Clock, Embedder, Storage
    from commonplace.types.changing import Done, Forgotten, PageCollided, PageWritten, Rejected, Revised
    from commonplace.types.compaction import MemoryCompacted, Rewritten, Skipped, Step
    from commonplace.types.keeping import (
        Backup,
        Change,
        DayCounts,
        Erasure,
        FileDiff,
        Finding,
        Logged,
        Moved,
        Provenance,
        Restored,
        Stats,
        Undone,
    )
    from commonplace.types.saving import Duplicate, Held, Refused, Remembered, Saved, Waiting
    from commonplace.types.searching import Around, Found, Hit, IndexReport, Recall, Source
    from commonplace.types.sessions import Consolidated, LogReport, Message, SessionGlance, SessionInfo, Transcript
    from commonplace.types.transfer import ExportReport, ImportReport
    from commonplace.types.verdicts import Candidate, Verdict

_T = TypeVar("_T")
RECALL_BUDGET = 2000
_RECALLED = 60


class SystemClock:
    """The machine's time in its own zone."""

    def now(self) -> datetime:
        return datetime.now().astimezone()


class Memory:
    """One book, and everything that can be done with it."""

    def __init__(self, book: Book, settings: Settings, clock: Clock, embedder: Embedder | None = None) -> None:
        self._book = book
        self._settings = settings
        self._clock = clock
        self._chosen = embedder
        self._read: tuple[bytes | None, Document | None] = None, None

    @classmethod
    def open(
        cls,
        place: str | Path | Storage,
        *,
        settings: Settings | None = None,
        clock: Clock | None = None,
        embedder: Embedder | None = None,
    ) -> Memory:
        """The book at `place`: a folder, an address (see `stores`), ":memory:" for a book that is gone with the
        program, or a `Storage` of one's own. Nothing is created before the first write. Without an `embedder`, search
        uses the one that the settings name."""
        from commonplace.stores import open_storage

        settings, clock = settings or Settings(), clock or SystemClock()
        storage = open_storage(place, settings.lock_timeout) if isinstance(place, str | Path) else place
        clean = str if settings.gate.secret is None else redact
        return cls(Book(storage, clock, clean), settings, clock, embedder)

    @property
    def address(self) -> str:
        """Where the book is: a folder's path, or an address."""
        return self._book.storage.address

    @property
    def path(self) -> Path:
        """The folder of the book. A book that is elsewhere has none: `address` tells where."""
        storage = self._book.storage
        if not isinstance(storage, FolderStorage):
            raise ValidationError(
                f"The book {self.address} is in no folder.",
                hint="To have one there: commonplace books move BOOK FOLDER",
            )
        return storage.root

    def same_as(self, other: Memory) -> bool:
        """Whether both are one book, by the same settings."""
        return type(self) is type(other) and (self.address, self._settings) == (other.address, other._settings)

    def today(self) -> date:
        """The date on the person's wall."""
        return self._clock.now().date()

    @property
    def book(self) -> Book:
        return self._book

    def create(self) -> bool:
        """Make the folder a book; False if it already was one."""
        fresh = self._book.identity() is None
        self._book.create()
        self._book.catch_up()
        return fresh

    # -- long-term memory --------------------------------------------------------------------------------------

    def remember(
        self,
        content: str,
        category: Category | str | None = None,
        *,
        section: str | None = None,
        origin: Origin = Origin.TOOL,
        voice: Voice | None = None,
        requested: bool = False,
        session: str | None = None,
        reason: str | None = None,
        injected: Sequence[str] = (),
        insist: bool = False,
    ) -> Remembered:
        """Add an entry to the section of `category` (unknown or none: Notes), if the gate lets it through. `voice` says
        whose words it is (None: as far as it can be told from the session), `requested` that the user asked for it,
        `injected` what was shown from memory before. To `insist` overrides the gate."""
        title = _section_title(section) if section else SECTION_OF[_category(category)]
        wish = Wish(content, voice, requested, tuple(injected))
        return self._writer.remember(wish, title, Asker(origin, session, reason), insist=insist)

    def judge(
        self,
        content: str,
        *,
        section: str | None = None,
        origin: Origin = Origin.TOOL,
        voice: Voice | None = None,
        requested: bool = False,
        session: str | None = None,
        injected: Sequence[str] = (),
        insist: bool = False,
    ) -> Verdict:
        """What the gate would say to `remember`. Nothing is written."""
        self._insist()
        title = _section_title(section) if section else SECTION_OF[Category.NOTES]
        wish = Wish(content, voice, requested, tuple(injected))
        return self._writer.judge(wish, title, Asker(origin, session), insist=insist)

    def revise(
        self,
        old_text: str,
        new_text: str,
        *,
        origin: Origin = Origin.TOOL,
        session: str | None = None,
        reason: str | None = None,
        insist: bool = False,
    ) -> Revised | Forgotten | Duplicate | Held | Refused:
        """Replace the one entry (or the one place within an entry) that is `old_text`; an empty new text deletes. What
        another entry says word for word is refused as a duplicate. What the user asked for waits in the inbox, unless
        the person changes it or the user's own words in `session` say so. To `insist` lets what is only guessed to be a
        secret pass, on the same conditions."""
        old = _checked_old(old_text)
        if not new_text.strip():
            return self.forget(old_text, origin=origin, session=session, reason=reason)
        return self._writer.revise(old, new_text, Asker(origin, session, reason), insist=insist)

    def forget(
        self, text: str, *, origin: Origin = Origin.TOOL, session: str | None = None, reason: str | None = None
    ) -> Forgotten | Held:
        """Remove the one entry that is `text`. It stays in the history and can be undone. What the user asked for is
        removed only as `revise` changes it."""
        return self._writer.forget(_checked_old(text), Asker(origin, session, reason))

    def move(self, text: str, section: str, *, reason: str | None = None) -> Revised:
        """Put the one entry that is `text` (or has it, or is called so) at the end of another section. The person's."""
        from commonplace.flows.curating import move

        return move(self._book, _checked_old(text), _section_title(section), Asker(Origin.PERSON, reason=reason))

    def protect(self, text: str, *, reason: str | None = None) -> Revised:
        """Mark the one entry that is `text` as asked for: only the person, or their word, changes it from now on."""
        from commonplace.flows.curating import protect

        return protect(self._book, _checked_old(text), Asker(Origin.PERSON, reason=reason), protected=True)

    def unprotect(self, text: str, *, reason: str | None = None) -> Revised:
        """Take the mark of what was asked for off the one entry that is `text`. The person's."""
        from commonplace.flows.curating import protect

        return protect(self._book, _checked_old(text), Asker(Origin.PERSON, reason=reason), protected=False)

    def became(self, id: EntryId) -> tuple[Change, Entry | None] | None:
        """What an entry that was read before is now, and the change that made it so."""
        from commonplace.files import timeline

        self._notice()
        return timeline.became(self._book, id)

    def inbox(self) -> list[Waiting]:
        """What waits for the person's yes or no, the oldest first."""
        return self._checked(self._writer.waiting())

    def accept(
        self, word: str, *, section: str | None = None, text: str | None = None, reason: str | None = None
    ) -> Saved | Revised | Forgotten | Duplicate:
        """Put what waits in the inbox under this id (or with this text) into the memory, or make the change that it
        proposes, if the entry is still as it was. `text` are the person's own words for it."""
        title = _section_title(section) if section else None
        asker = Asker(Origin.PERSON, reason=reason)
        return self._writer.accept(word, title, SECTION_OF[Category.NOTES], asker, text)

    def reject(self, word: str, *, reason: str | None = None) -> Rejected:
        """Take what waits in the inbox under this id (or with this text) out of it."""
        return self._writer.reject(word, Asker(Origin.PERSON, reason=reason))

    @cached_property
    def _writer(self) -> Writer:
        """Loaded when something is first written: reading must not wait for it."""
        from commonplace.flows.remembering import Writer

        return Writer(self._book, self._clock, self._settings.gate, lambda: self._index)

    def nearest(self, text: str, limit: int) -> list[Candidate]:
        """The entries that are closest in meaning to a text, or share rare words with it."""
        return self._index.closest(text, self.entries(), limit)

    def read(self) -> str:
        """The text of MEMORY.md; empty when there never was one. Like every reader, it raises `BookMissing` where the
        history knows of files that are gone."""
        return decode(self.data() or b"", MEMORY_FILE)

    def data(self) -> bytes | None:
        """The bytes of MEMORY.md; None when there never was one."""
        return self._checked(self._book.storage.read(MEMORY_FILE).data)

    def page(self) -> Snapshot:
        """MEMORY.md with its version, which `write_page` must be told."""
        found = self._book.storage.read(MEMORY_FILE)
        self._checked(found.data)
        return found

    def write_page(
        self, text: str, *, expected: str, reason: str | None = None, insist: bool = False
    ) -> PageWritten | PageCollided | Refused:
        """Make MEMORY.md what the person wrote, if it still has the version that they had read. A secret that was not
        there before is refused, unless they `insist`."""
        from commonplace.flows.curating import write_page

        asker = Asker(Origin.PERSON, reason=reason)
        return write_page(self._book, text, expected, self._settings.gate, asker, insist=insist)

    def as_of(self, day: date) -> tuple[Change | None, Document]:
        """MEMORY.md as it was at the end of a day, and the newest change by then. A day that is not over has what is
        there now, though no change may tell of it yet."""
        from commonplace.files import timeline

        self._notice()
        change, data = timeline.as_of(self._book, day)
        return change, self.document() if day >= self.today() else Document.parse(data)

    def written(self) -> dict[str, datetime]:
        """When each line of MEMORY.md got its present wording, as far as the newest part of the history tells."""
        from commonplace.files import timeline

        self._notice()
        return timeline.written(self._book, MEMORY_FILE)

    def document(self) -> Document:
        """MEMORY.md as it is now. As long as its bytes are the same it is read once: a page asks for it often."""
        data, (known, document) = self.data(), self._read
        if document is None or data != known:
            document = Document.parse(data)
            self._read = data, document
        return document

    def _checked(self, found: _T) -> _T:
        """What was found. Where it is nothing, the history is asked whether it should be."""
        if not found:
            self._insist()
        return found

    def _insist(self) -> None:
        """No reader says that there is nothing where files have gone missing."""
        if missing := self._book.missing():
            raise missing

    def entries(self) -> tuple[Entry, ...]:
        return self.document().entries

    def sections(self) -> dict[str, Section]:
        return self.document().sections()

    def find(self, text: str) -> Entry:
        """The one entry that is `text` or has it as whole words."""
        document = self.document()
        return document.entry_at(document.locate(_checked_old(text)))

    # -- daily logs ------------------------------------------------------------------------------------------------

    def log(
        self,
        text: str,
        *,
        day: date | None = None,
        marker: daily.Marker | None = None,
        origin: Origin = Origin.TOOL,
        session: str | None = None,
        reason: str | None = None,
    ) -> Logged:
        """Append a block to the log of `day` (today)."""
        asker = Asker(origin, session or (marker.session if marker else None), reason)
        return self._logbook.add(text, day or self._clock.now().date(), marker, asker)

    def log_days(self) -> list[date]:
        """The dates that have a log, newest first."""
        return self._checked(self._logbook.days())

    def read_log(self, day: date) -> str:
        self.log_days()
        return self._logbook.read(day)

    @cached_property
    def _logbook(self) -> Logbook:
        from commonplace.flows.logbook import Logbook

        return Logbook(self._book, clean=self._settings.gate.secret is not None)

    # -- conversations -----------------------------------------------------------------------------------------------

    def add_message(self, session: str, *messages: Message) -> None:
        """Append messages to a session's transcript, all of them or none."""
        self._conversations.add(session, *messages)

    def add_new_messages(self, session: str, *messages: Message) -> list[Message]:
        """Append those of the messages that are not there yet, by their ids, for a program that tells a conversation
        again and again. What the user asks for in a new one is done at once. Which were new."""
        new = self._conversations.add_new(session, *messages)
        said = {message.id: message for message in messages}
        return [replace(m, done=self.heed(session, said[m.id])) if m.role == "user" else m for m in new]

    def say(self, session: str, role: str, text: str, **extra: object) -> Message:
        """Append one message, said now, to a session's transcript. What the user asks for in it ("remember that …",
        "forget …", "actually I … now") is done at once; `done` of the message tells what."""
        message = self._conversations.say(session, role, text, extra)
        if role != "user":
            return message
        return replace(message, done=self.heed(session, replace(message, text=text)))  # which may hold a secret

    def heed(self, session: str, message: Message) -> tuple[Done, ...]:
        """Do what a message of the user asks for, once: remember, replace or forget. For messages that came with
        `add_message`; those that were said are heeded already."""
        from commonplace.distill.askingwords import may_ask

        if not may_ask(message.text):
            return ()
        from commonplace.flows.requesting import asks_something
        from commonplace.framing import strip_injected
        from commonplace.types.changing import Deed

        if not asks_something(message.text):
            return ()
        done = self._heeding.run(strip_injected(message.text), session)
        if done and all(one.deed is not Deed.FAILED for one in done):  # else the next flush tries again
            self._conversations.heeded(message, session, [one.told for one in done])
        return done

    @cached_property
    def _heeding(self) -> Heeding:
        from commonplace.flows.heeding import Heeding

        return Heeding(self._writer)

    def transcript(self, session: str) -> Transcript:
        found = self._conversations.read(session)
        self._checked(found.messages)
        return found

    def sessions(self) -> list[str]:
        return self._checked(self._conversations.ids())

    def start_session(self, title: str = "") -> SessionInfo:
        """Begin a conversation; messages are added to it by its id."""
        return self._conversations.start(title)

    def session_infos(self) -> list[SessionInfo]:
        """The conversations, the one used last first."""
        return self._checked(self._conversations.infos())

    def session_glances(self) -> list[SessionGlance]:
        """The conversations without how far each is logged, the one used last first. Those that did not change since
        the last call are not read again."""
        return self._checked(self._conversations.glances())

    def session_info(self, session: str) -> SessionInfo:
        try:
            return self._conversations.info(session)
        except NotFound:
            self._insist()
            raise

    def around(self, hit: Hit) -> Around | None:
        """What stands around a hit in a conversation; None for other hits."""
        return self._conversations.around(hit.session, hit.message) if hit.session and hit.message else None

    def search_sessions(self, words: str) -> list[SessionInfo]:
        """The conversations that have all of `words` in their title or text."""
        return self._checked(self._conversations.search(words))

    def rename_session(self, session: str, title: str) -> SessionInfo:
        return self._conversations.rename(session, title)

    def end_session(self, session: str) -> SessionInfo:
        return self._conversations.end(session)

    def resume_session(self, session: str) -> SessionInfo:
        return self._conversations.resume(session)

    def log_session(self, session: str, model: ChatModel | None) -> LogReport:
        """Turn what is new in a conversation into daily logs and facts, each message once. Without a model the log
        gets an extract. What a failing model leaves undone is done by the next call. What the user asked for, and
        nobody has done yet, is done first."""
        from commonplace.flows.flushing import unlogged
        from commonplace.flows.requesting import unheeded

        for message in unheeded(unlogged(self._book.storage, session)):
            self.heed(session, message)
        return self._flush(self._learner).run(session, model)

    def _flush(self, learner: Learner, origin: Origin = Origin.FLUSH) -> Flush:
        from commonplace.flows.flushing import Flush

        gate, patience = self._settings.gate, self._settings.lock_timeout
        return Flush(self._book.storage, learner, self._logbook, gate, patience, origin)

    @property
    def _learner(self) -> Learner:
        return self._writer

    def consolidate(self, session: str, model: ChatModel | None) -> Consolidated:
        """Summarise the older part of a long conversation, if enough has been said since the last time."""
        from commonplace.flows.consolidating import Consolidation

        clean = str if self._settings.gate.secret is None else redact
        return Consolidation(self._book, clean, self._settings.lock_timeout).run(session, model)

    def compact(
        self,
        model: ChatModel | None,
        *,
        dry_run: bool = False,
        choose: Callable[[Step], bool] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> MemoryCompacted | Skipped:
        """Merge what is there twice, drop what is superseded or was transient, and sort: as far as a model proposes it
        and code can prove that nothing is lost. Without a model only what is the same word for word is merged."""
        self._notice()
        with failing_as(UpdateFailed):
            return self._compaction().run(model, dry_run=dry_run, choose=choose, progress=progress)

    def carry_out(self, plan: MemoryCompacted, steps: Sequence[Step]) -> MemoryCompacted | Skipped:
        """Take some of the steps of a plan, which is what `compact` came to in a dry run. Nothing is asked again; steps
        whose entries have changed meanwhile are left out, and told."""
        self._notice()
        with failing_as(UpdateFailed):
            return self._compaction().carry_out(plan, steps)

    def _compaction(self) -> Compaction:
        from commonplace.flows.compacting import Compaction

        return Compaction(self._book, self._checks, self._copies, self._settings.lock_timeout)

    @property
    def _checks(self) -> LocalChecks:
        from commonplace.flows.compacting import LocalChecks
        from commonplace.providers.crossencoder import pair_reader

        return LocalChecks(self.embedder, pair_reader(), self._settings.gate)

    def write_whole(
        self,
        content: str,
        *,
        dropped: Sequence[str] = (),
        origin: Origin = Origin.TOOL,
        session: str | None = None,
        reason: str | None = None,
    ) -> Rewritten:
        """Replace MEMORY.md as a whole, behind the net of compaction: every entry that goes must be said by a new one
        or named in `dropped`, and every new fact passes the gate."""
        with failing_as(UpdateFailed):
            return self._rewriting.run(content, dropped, Asker(origin, session, reason))

    def edit_whole(
        self, before: str, after: str, *, session: str | None = None, reason: str | None = None
    ) -> Rewritten:
        """Replace MEMORY.md by an edit of it, for an agent that works on the page itself: what the edit takes out is
        dropped on purpose, what it brings in passes the gate, and nothing comes in that is there already."""
        with failing_as(UpdateFailed):
            return self._rewriting.edit(before, after, Asker(Origin.TOOL, session, reason))

    @property
    def _rewriting(self) -> Rewriting:
        from commonplace.flows.rewriting import Rewriting

        return Rewriting(self._book, self._checks, self._copies, self._writer, self._settings.gate)

    def session_summary(self, session: str) -> str:
        """The summary of a conversation's older part; empty when there is none."""
        from commonplace.files.summaries import read_summary

        return read_summary(self._book.storage, session)

    def summarised(self, session: str, messages: Sequence[Message]) -> int:
        """How many of a conversation's first messages its summary stands for."""
        from commonplace.files.summaries import summarised

        return summarised(self._book.storage, session, messages)

    @cached_property
    def _conversations(self) -> Conversations:
        from commonplace.flows.conversing import Conversations

        return Conversations(self._book, self._clock, clean=self._settings.gate.secret is not None)

    # -- what agents and frameworks keep ---------------------------------------------------------------------------

    @cached_property
    def workspace(self) -> Workspace:
        """The files that an agent keeps for itself, in the folder `memories` of the book."""
        from commonplace.flows.workspace import Workspace

        return Workspace(self._book, folders.MEMORIES, clean=self._settings.gate.secret is not None)

    @cached_property
    def records(self) -> Records:
        """What a framework keeps in the book by namespace and key."""
        from commonplace.flows.records import Records

        return Records(self._book, self._clock, clean=self._settings.gate.secret is not None)

    @property
    def embedder(self) -> Embedder | None:
        """What turns texts into vectors here; None where the settings switch it off."""
        return self._index.embedder

    @cached_property
    def _index(self) -> BookIndex:
        """Loaded when something is first compared or searched."""
        from commonplace.flows.indexing import BookIndex

        return BookIndex(self._book, self._settings, self._chosen)

    @cached_property
    def _finder(self) -> Finder:
        from commonplace.flows.hybridsearch import Finder
        from commonplace.search.plain import Formula

        wanted = self._settings.search
        plain = Formula(wanted.keyword_weight, wanted.vector_weight, wanted.decay, wanted.k1, wanted.b)
        return Finder(self._index, plain if wanted.method == "plain" else None)

    # -- search ----------------------------------------------------------------------------------------------------

    def search(
        self,
        question: str,
        *,
        limit: int | None = None,
        sources: Iterable[Source] = (),
        since: date | None = None,
        until: date | None = None,
        sessions: Iterable[str] = (),
        today: date | None = None,
        explain: bool = False,
    ) -> Found:
        """The chunks that answer `question` best, from the long-term memory, the logs and the conversations."""
        from commonplace.search.query import Filters

        self._insist()
        filters = Filters(frozenset(sources), since, until, frozenset(sessions))
        return self._finder.search(
            question,
            today=today or self._clock.now().date(),
            filters=filters,
            limit=self._settings.search.limit if limit is None else limit,
            explain=explain,
        )

    def recall(
        self,
        question: str,
        *,
        budget: int = RECALL_BUDGET,
        today: date | None = None,
        session: str = "",
        embed: bool = True,
    ) -> Recall:
        """What a model should be told before it answers `question`, in at most `budget` tokens: the long-term memory,
        the summary of `session`, and what is evidence for the question. What `session` itself said is left out: that
        is in the prompt already. Who cannot wait for vectors that are missing says so by `embed`: such texts are found
        by their words."""
        from commonplace.flows.recall import recall

        self._insist()
        hits, trouble = [], ""
        if question.strip() and budget > 0:
            today = today or self._clock.now().date()
            found = self._finder.evidence(question, today=today, limit=_RECALLED, but=session, embed=embed)
            hits, trouble = found.hits, " ".join(filter(None, [found.trouble, found.unread]))
        summary = self.session_summary(session) if session else ""
        return replace(recall(self.entries(), hits, budget, summary), trouble=trouble)

    def reindex(self, progress: Callable[[int, int], None] | None = None) -> IndexReport:
        """Make the index again from the files. `progress` is told how many vectors are there and will be."""
        self._insist()
        return self._index.rebuild(progress) if progress else self._index.rebuild()

    def index_report(self) -> IndexReport:
        """How much is indexed, after taking in what changed."""
        self._insist()
        return self._index.report()

    # -- history ---------------------------------------------------------------------------------------------------

    def changes(self, *, file: str | None = None, before: str | None = None) -> Generator[Change]:
        """Recorded changes, newest first; with `before`, those that are older than that one. Edits found on disk are
        recorded first."""
        from commonplace.files import timeline

        self._notice()
        yield from timeline.changes(self._book, file, before)

    def count_changes(self) -> int:
        return self._book.history.count()

    def change(self, id: str) -> tuple[Change, str | None]:
        """One recorded change, by its id or the beginning of it; and the change that took it back, if one did."""
        from commonplace.files import timeline

        self._notice()
        return timeline.change(self._book, id)

    def diff(self, old: str | None = None, new: str | None = None) -> list[FileDiff]:
        """What a change did (`old` alone; default the newest), or the difference between two changes."""
        from commonplace.files import timeline

        self._notice()
        return timeline.difference(self._book, old, new)

    def undo(self, change: str | None = None, *, reason: str | None = None) -> Undone:
        """Take back one change (default: the newest that is not taken back yet), keeping all later ones."""
        from commonplace.files import timeline

        with failing_as(UpdateFailed):
            return timeline.undo(self._book, change, reason)

    def why(self, text: str) -> Provenance:
        """Where a text came from: the change that brought it, and the ones that gave it its present wording."""
        from commonplace.files import timeline

        self._notice()
        found = timeline.why(self._book, _checked_old(text))
        return replace(found, said=self._conversations.quotes(found.changes))

    def _notice(self) -> None:
        """Record edits found on disk. Reading goes on without it where writing is impossible."""
        try:
            if self._book.identity() is not None:
                self._book.catch_up()
        except (StorageError, BookBusy):
            return

    # -- backups ---------------------------------------------------------------------------------------------------

    def backup(self) -> Backup | None:
        """Copy MEMORY.md to `backups/`; None when there is nothing to copy."""
        return self._copies.make()

    def backups(self) -> list[Backup]:
        """The backups, newest first."""
        return self._checked(self._copies.listed())

    def restoration(self, name: str) -> FileDiff:
        """What `restore` would make of MEMORY.md. Changes nothing."""
        from commonplace.types.keeping import FileDiff

        self.backups()  # says so if there is none because files have gone missing
        then, now = self._copies.read(name), self.data()
        return FileDiff(MEMORY_FILE, None if now is None else decode(now, MEMORY_FILE), decode(then, name))

    def restore(self, name: str, *, reason: str | None = None, expected: str | None = None) -> Restored:
        """Make MEMORY.md what a backup holds. What it holds now is backed up first. With `expected`, only if it still
        has that version."""
        return self._copies.restore(name, reason, expected)

    def prune_backups(self) -> list[str]:
        """Remove all but the newest backups (as many as the settings say); returns the names of the removed."""
        return self._copies.prune()

    @cached_property
    def _copies(self) -> Copies:
        from commonplace.files.copies import Copies

        return Copies(self._book, self._clock, self._settings.backups_keep)

    # -- other programs' memories, and the way out -------------------------------------------------------------------

    def import_from(
        self,
        path: str | Path,
        *,
        kind: str | None = None,
        user: str | None = None,
        dry_run: bool = False,
        logs: bool = False,
        model: ChatModel | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> ImportReport:
        """Bring in what another program kept at `path`, or our own export: conversations as sessions, with `logs` also
        as daily logs (by `model`, or else as an extract), memories through the gate. The `kind` is recognised unless
        it is named. `progress` is told how many bytes are read, and of how many. What was brought in before is not
        brought in again, so it can be called again at any time."""
        from commonplace.flows.importing import Importer, take_over
        from commonplace.foreign.opening import opened

        if not str(path).strip():  # as a path, it would be the current folder
            raise ValidationError("The path is empty.", hint="Name an export, a transcript or a folder.")
        importer = Importer(self._book, self._writer, self._conversations, self._logbook, dry_run=dry_run)
        if logs:
            flush = self._flush(importer, Origin.IMPORT)

            def log(session: str) -> LogReport:
                return flush.run(session, model)

            importer = replace(importer, flush=log)
        with opened(Path(path).expanduser()) as source:
            return take_over(importer, source, str(path), kind=kind, user=user, progress=progress)

    def export(self, target: str | Path | IO[bytes], *, format: str = "json", force: bool = False) -> ExportReport:
        """Write everything to one JSON file, or what another program can hold in its own format. It is the person's
        own: it is written as it stands, secrets and all."""
        from commonplace.flows.exporting import export

        self._notice()
        self._insist()
        return export(self._book, target, format, self._clock.now(), force=force)

    def embed(self, progress: Callable[[int, int], None] | None = None) -> IndexReport:
        """Take in what changed, and compute vectors until all are there."""
        if progress:
            self._index.refresh(progress=progress)
        else:
            self._index.refresh()
        return self._index.report()

    # -- what happened when --------------------------------------------------------------------------------------------

    def calendar(self) -> dict[date, DayCounts]:
        """The days on which something happened: logs, conversations, messages and changes."""
        self._notice()
        return self._chart.calendar(self.log_days(), self.session_glances())

    def growth(self, days: int) -> dict[date, int]:
        """How many entries there were at the end of a day, for days of the last `days` on which that changed."""
        self._notice()
        return self._chart.entries(self.today() - timedelta(days=days))

    def deeds(self) -> dict[date, dict[str, int]]:
        """What was done on each day: how much was saved, revised, held, accepted, rejected, and so on."""
        self._notice()
        return self._chart.deeds()

    def verdicts(self) -> dict[date, dict[str, int]]:
        """What the gate kept out on each day: how often, by what became of it and the rule, such as `refused secret`
        (`held`: it waits in the inbox; `alike`, `known`: an entry says that, or nearly)."""
        from commonplace.files.gatecounts import VerdictCounts

        return self._checked(VerdictCounts(self._book.storage).days())

    @cached_property
    def _chart(self) -> Chart:
        from commonplace.flows.charting import Chart

        return Chart(self._book)

    # -- complete forgetting, checks, counts -------------------------------------------------------------------------

    def erase(self, *texts: str, dry_run: bool = True, whole_entries: bool = True) -> Erasure:
        """Remove texts from files, backups, index and history, in every spelling that the book may have given them, and
        entries that have one with it (not so with `whole_entries` off). `dry_run` only says what would go."""
        from commonplace.flows.erasing import erase

        self._notice()
        with failing_as(UpdateFailed):
            return erase(
                self._book,
                texts,
                self._clock.now(),
                dry_run=dry_run,
                whole_entries=whole_entries,
                patience=self._settings.lock_timeout,
            )

    def check(self, *, full: bool = False) -> list[Finding]:
        """What is right and wrong with the book, and what to do about it. Changes nothing. Of the history the newest
        part is read, with `full` all of it."""
        from commonplace.files import checkup

        return [*checkup.check(self._book, full=full), *self._told_of_secrets()]

    def _told_of_secrets(self) -> list[Finding]:
        """What the rule against secrets took out of the newest files, and what it hides from search and models."""
        from commonplace.files.checkup import newest_texts
        from commonplace.types.keeping import Finding

        if self._settings.gate.secret is None:
            return [Finding("secrets", "note", "Secrets are stored and sent as they are.", "See: gate.secret")]
        removed = hidden = 0
        for text in newest_texts(self._book):
            removed += text.count(mark("")[:-1])
            hidden += sum(not secret.certain for secret in find_secrets(text))
        if not removed and not hidden:
            return [Finding("secrets", "ok", "")]
        told = f"{removed} taken out of the newest files; {hidden} possible ones are hidden in search and from models."
        return [Finding("secrets", "note", told, "See: commonplace audit")]

    def audit(
        self,
        *,
        today: date | None = None,
        advice: Advice | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Audit:
        """What is doubtful in the memory, and how to mend it. Changes nothing."""
        from commonplace.flows.auditing import audit
        from commonplace.flows.auditing.advice import advice_for_book
        from commonplace.flows.auditing.pairs import quietly
        from commonplace.flows.auditing.sources import pages_of

        self._notice()
        return audit(
            pages_of(self._book),
            today=today or self._clock.now().date(),
            gate=self._settings.gate,
            embedder=self.embedder,
            advice=advice or advice_for_book(),
            progress=progress or quietly,
        )

    def remedies(self) -> list[Remedy]:
        """What `mend` would change, file by file. Changes nothing."""
        from commonplace.flows.auditing.mending import remedies
        from commonplace.flows.auditing.sources import pages_of

        self._insist()
        return remedies(pages_of(self._book), self._settings.gate)

    def mend(self) -> tuple[Backup | None, str | None]:
        """Take duplicates and secrets out, and put the structure in order, after a backup; the change can be undone."""
        from commonplace.flows.auditing.mending import mend_book

        with failing_as(UpdateFailed):
            return self.backup(), mend_book(self._book, self._settings.gate)

    def mend_entry(self, entry: str) -> str:
        """Mend one entry where that is certain: one that is there twice goes, a secret is taken out of it."""
        from commonplace.flows.auditing.mending import mend_entry

        with failing_as(UpdateFailed):
            return mend_entry(self._book, self._settings.gate, _checked_old(entry))

    def move_to(self, place: str | Path) -> Moved:
        """Copy the book with its whole history to a place that has none, and prove that it arrived. The old one stays
        as it is; use one of them from then on."""
        from commonplace.stores import open_storage
        from commonplace.stores.moving import copy_book

        self._insist()
        with failing_as(UpdateFailed):
            return copy_book(self._book, open_storage(place, self._settings.lock_timeout))

    def stats(self) -> Stats:
        from commonplace.types.keeping import Stats

        memory = self.sections()
        return Stats(
            entries=sum(len(section.entries) for section in memory.values()),
            sections=sum(1 for title in memory if title),
            logs=len(self.log_days()),
            sessions=len(self.sessions()),
            backups=len(self.backups()),
            changes=self._book.history.count(),
            bytes=self.size(),
            waiting=len(self.inbox()),
        )

    def size(self) -> int:
        """The total size in bytes of all memory files: MEMORY.md, daily logs, transcripts and summaries."""
        return self._book.size()


def _category(category: Category | str | None) -> Category:
    try:
        return Category(str(category).strip().lower())
    except ValueError:
        return Category.NOTES


def _section_title(section: str) -> str:
    title = title_text(section)
    if not title or len(title) > 100:
        raise ValidationError("A section needs a title of 1 to 100 characters.", hint="Leave it out to save to Notes.")
    return title


def _checked_old(text: str) -> str:
    if isinstance(text, EntryId):
        return text
    if not text.strip():
        raise ValidationError(
            "The text to look for is blank.", hint="Copy the entry exactly as it stands in the memory."
        )
    return text.strip()

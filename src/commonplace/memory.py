"""Memory: what an agent, a program or a person does with a book. Each method reads as its data flow.

Synchronous and thread-safe. A method that changes something returns after the change is durable.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from commonplace.config import Settings
from commonplace.errors import (
    BookBusy,
    CommonplaceError,
    StorageError,
    UpdateFailed,
    ValidationError,
    failing_as,
)
from commonplace.files import folders
from commonplace.files.book import Book
from commonplace.files.document import Document, title_text
from commonplace.files.folder import FolderStorage
from commonplace.files.text import decode
from commonplace.gate.secrets import redact
from commonplace.types.asking import Asker, Note, Origin, Voice, Wish
from commonplace.types.book import MEMORY_FILE, SECTION_OF, Category, Entry, Section

if TYPE_CHECKING:
    from commonplace.auditing.advice import Advice
    from commonplace.auditing.mending import Remedy
    from commonplace.auditing.report import Audit
    from commonplace.conversing import Conversations
    from commonplace.distill.sorting import Described
    from commonplace.files import daily
    from commonplace.files.copies import Copies
    from commonplace.files.logbook import Logbook
    from commonplace.finding import Finder
    from commonplace.flushing import Learned
    from commonplace.heeding import Heeding
    from commonplace.ports import ChatModel, Clock, Embedder
    from commonplace.remembering import Writer
    from commonplace.types.changing import Done, Forgotten, Rejected, Revised
    from commonplace.types.compaction import MemoryCompacted, Rewritten, Skipped, Step
    from commonplace.types.judging import Candidate, Verdict
    from commonplace.types.keeping import (
        Backup,
        Change,
        Erasure,
        FileDiff,
        Finding,
        Logged,
        Provenance,
        Quote,
        Restored,
        Stats,
        Undone,
    )
    from commonplace.types.saving import Duplicate, Held, Refused, Remembered, Saved, Waiting
    from commonplace.types.searching import Found, IndexReport, Recall, Source
    from commonplace.types.sessions import Consolidated, LogReport, Message, SessionInfo, Transcript

_T = TypeVar("_T")
RECALL_BUDGET = 2000
_RECALLED = 60
_NEAREST = 8
_LONGEST_COMPARED = 20_000


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
        self._embedder = embedder
        self._finder: Finder | None = None

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        settings: Settings | None = None,
        clock: Clock | None = None,
        embedder: Embedder | None = None,
    ) -> Memory:
        """The book in the folder `path`. Nothing is created before the first write. Without an `embedder`, search
        uses the one that the settings name."""
        if not str(path).strip():
            raise ValidationError(
                "The path of the book is empty.", hint="Name a folder; Commonplace never guesses one."
            )
        settings, clock = settings or Settings(), clock or SystemClock()
        storage = FolderStorage(Path(path).expanduser().absolute(), lock_timeout=settings.lock_timeout)
        clean = str if settings.gate.secret is None else redact
        return cls(Book(storage, clock, clean), settings, clock, embedder)

    @property
    def path(self) -> Path:
        return self._book.root

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
    ) -> Revised | Forgotten | Duplicate | Held | Refused:
        """Replace the one entry (or the one place within an entry) that is `old_text`; an empty new text deletes. What
        another entry says word for word is refused as a duplicate. What the user asked for waits in the inbox, unless
        the person changes it or the user's own words in `session` say so."""
        old = _checked_old(old_text)
        if not new_text.strip():
            return self.forget(old_text, origin=origin, session=session, reason=reason)
        return self._writer.revise(old, new_text, Asker(origin, session, reason))

    def forget(
        self, text: str, *, origin: Origin = Origin.TOOL, session: str | None = None, reason: str | None = None
    ) -> Forgotten | Held:
        """Remove the one entry that is `text`. It stays in the history and can be undone. What the user asked for is
        removed only as `revise` changes it."""
        return self._writer.forget(_checked_old(text), Asker(origin, session, reason))

    def inbox(self) -> list[Waiting]:
        """What waits for the person's yes or no, the oldest first."""
        return self._checked(self._writer.waiting())

    def accept(
        self, word: str, *, section: str | None = None, reason: str | None = None
    ) -> Saved | Revised | Forgotten | Duplicate:
        """Put what waits in the inbox under this id (or with this text) into the memory, or make the change that it
        proposes, if the entry is still as it was."""
        title = _section_title(section) if section else None
        return self._writer.accept(word, title, SECTION_OF[Category.NOTES], Asker(Origin.PERSON, reason=reason))

    def reject(self, word: str, *, reason: str | None = None) -> Rejected:
        """Take what waits in the inbox under this id (or with this text) out of it."""
        return self._writer.reject(word, Asker(Origin.PERSON, reason=reason))

    @cached_property
    def _writer(self) -> Writer:
        """Loaded when something is first written: reading must not wait for it."""
        from commonplace.remembering import Writer

        gate = self._settings.gate
        return Writer(self._book, self._clock, gate, self._nearest, self._meaning, self._said_in, self._doubt)

    def _doubt(self, text: str, said: Sequence[Message]) -> Learned | None:
        from commonplace.flushing import Witness

        return Witness(self._same_fact, self._settings.gate).doubt(text, said)

    def _nearest(self, text: str, entries: Sequence[Entry]) -> Sequence[Candidate]:
        """Where there is nothing to compare with, no model is loaded. What is far longer than an entry may be is no
        fact that another one could be the same as."""
        fit = [entry for entry in entries if len(entry.text) <= _LONGEST_COMPARED]
        return self._finding().closest_entries(text, fit, _NEAREST) if fit else ()

    def _meaning(self, text: str) -> Sequence[float] | None:
        return self._finding().meaning(text)

    def _said_in(self, session: str) -> Sequence[Message]:
        try:
            return self.transcript(session).messages
        except CommonplaceError:  # the session of another program, or none at all
            return ()

    def read(self) -> str:
        """The text of MEMORY.md; empty when there never was one. Like every reader, it raises `BookMissing` where the
        history knows of files that are gone."""
        return decode(self.data() or b"", MEMORY_FILE)

    def data(self) -> bytes | None:
        """The bytes of MEMORY.md; None when there never was one."""
        return self._checked(self._book.storage.read(MEMORY_FILE).data)

    def document(self) -> Document:
        return Document.parse(self.data())

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
        from commonplace.files.logbook import Logbook

        return Logbook(self._book, self._clean)

    def _clean(self, text: str) -> str:
        """The text without the secrets in it, unless the settings let them be kept."""
        return text if self._settings.gate.secret is None else redact(text)

    # -- conversations -----------------------------------------------------------------------------------------------

    def add_message(self, session: str, *messages: Message) -> None:
        """Append messages to a session's transcript, all of them or none."""
        self._conversations.add(session, *messages)

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
        from commonplace.framing import strip_injected
        from commonplace.requesting import may_ask
        from commonplace.types.changing import Deed

        if not may_ask(message.text):
            return ()
        done = self._heeding.run(strip_injected(message.text), session)
        if done and all(one.deed is not Deed.FAILED for one in done):  # else the next flush tries again
            self._conversations.heeded(message, session, [one.told for one in done])
        return done

    @cached_property
    def _heeding(self) -> Heeding:
        from commonplace.heeding import Heeding

        return Heeding(self._writer, self._section_for)

    def _section_for(self, text: str) -> str:
        from commonplace.distill.sorting import category_of

        return SECTION_OF[category_of(text, self._described, self._meaning)]

    @cached_property
    def _described(self) -> Described:
        from commonplace.distill.sorting import described

        return described(self._meaning)

    def transcript(self, session: str) -> Transcript:
        return self._conversations.read(session)

    def sessions(self) -> list[str]:
        return self._checked(self._conversations.ids())

    def start_session(self, title: str = "") -> SessionInfo:
        """Begin a conversation; messages are added to it by its id."""
        return self._conversations.start(title)

    def session_infos(self) -> list[SessionInfo]:
        """The conversations, the one used last first."""
        return self._checked(self._conversations.infos())

    def session_info(self, session: str) -> SessionInfo:
        return self._conversations.info(session)

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
        gets an extract. What a failing model leaves undone is done by the next call."""
        from commonplace.flushing import Flush

        def log(text: str, day: date, marker: daily.Marker) -> Logged:
            return self.log(text, day=day, marker=marker, origin=Origin.FLUSH)

        gate = self._settings.gate
        return Flush(self._book.storage, self._learn, log, self._same_fact, gate, self._settings.lock_timeout).run(
            session, model
        )

    def consolidate(self, session: str, model: ChatModel | None) -> Consolidated:
        """Summarise the older part of a long conversation, if enough has been said since the last time."""
        from commonplace.consolidating import Consolidation

        return Consolidation(self._book, self._clean, self._settings.lock_timeout).run(session, model)

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
        from commonplace.compacting import Compaction, LocalChecks

        self._notice()
        with failing_as(UpdateFailed):
            compaction = Compaction(
                self._book,
                LocalChecks(self._comparing(), self._settings.gate),
                self.backup,
                self._copies.settle,
                self._settings.lock_timeout,
            )
            return compaction.run(model, dry_run=dry_run, choose=choose, progress=progress)

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
        from commonplace.compacting import LocalChecks
        from commonplace.rewriting import Rewriting

        def judged(text: str) -> Verdict:
            return self.judge(text, origin=origin, session=session)

        with failing_as(UpdateFailed):
            gate = self._settings.gate
            writer, asker = self._writer, Asker(origin, session, reason)
            net = Rewriting(
                self._book,
                LocalChecks(self._comparing(), gate),
                self.backup,
                judged,
                lambda entry, new: writer.may_change(entry, new, asker),
                lambda entry, new: writer.propose(entry, new, asker),
                gate,
            )
            written = net.run(content, dropped, Note("Rewrite the memory", origin, session, reason))
            if written.backup is None:
                return written
            return replace(written, backup=self._copies.settle(written.backup, changed=written.change is not None))

    def _comparing(self) -> Embedder | None:
        from commonplace.providers.embedders import embedder

        return self._embedder or embedder(self._settings.embedder)

    def session_summary(self, session: str) -> str:
        """The summary of a conversation's older part; empty when there is none."""
        from commonplace.consolidating import read_summary

        return read_summary(self._book.storage, session)

    def summarised(self, session: str, messages: Sequence[Message]) -> int:
        """How many of a conversation's first messages its summary stands for."""
        from commonplace.consolidating import summarised

        return summarised(self._book.storage, session, messages)

    @cached_property
    def _conversations(self) -> Conversations:
        from commonplace.conversing import Conversations

        return Conversations(self._book, self._clock, clean=self._settings.gate.secret is not None)

    def _same_fact(self, fact: str, texts: Sequence[str]) -> float | None:
        return self._finding().same_fact(fact, texts)

    def _learn(self, learned: Learned, session: str) -> Remembered | Revised:
        section = SECTION_OF[_category(learned.fact.category)]
        return self._writer.learn(learned, section, Asker(Origin.FLUSH, session))

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
        return self._finding().search(
            question,
            today=today or self._clock.now().date(),
            filters=filters,
            limit=self._settings.search.limit if limit is None else limit,
            explain=explain,
        )

    def recall(
        self, question: str, *, budget: int = RECALL_BUDGET, today: date | None = None, session: str = ""
    ) -> Recall:
        """What a model should be told before it answers `question`, in at most `budget` tokens: the long-term memory,
        the summary of `session`, and what is evidence for the question. What `session` itself said is left out: that
        is in the prompt already."""
        from commonplace.recall import recall

        self._insist()
        hits, trouble = [], ""
        if question.strip() and budget > 0:
            today = today or self._clock.now().date()
            found = self._finding().evidence(question, today=today, limit=_RECALLED, but=session)
            hits, trouble = found.hits, " ".join(filter(None, [found.trouble, found.unread]))
        summary = self.session_summary(session) if session else ""
        return replace(recall(self.entries(), hits, budget, summary), trouble=trouble)

    def reindex(self, progress: Callable[[int, int], None] | None = None) -> IndexReport:
        """Make the index again from the files. `progress` is told how many vectors are there and will be."""
        self._insist()
        finder = self._finding()
        return finder.rebuild(progress) if progress else finder.rebuild()

    def index_report(self) -> IndexReport:
        """How much is indexed, after taking in what changed."""
        self._insist()
        return self._finding().report()

    def _finding(self) -> Finder:
        """Search is loaded when it is first used: saving must not wait for it."""
        if self._finder is None:
            from commonplace.finding import Finder
            from commonplace.providers.embedders import embedder
            from commonplace.search.plain import Formula

            wanted = self._settings.search
            plain = Formula(wanted.keyword_weight, wanted.vector_weight, wanted.decay, wanted.k1, wanted.b)
            self._finder = Finder(
                self._book.storage,
                self._embedder or embedder(self._settings.embedder),
                plain if wanted.method == "plain" else None,
                may_save=lambda: self._book.identity() is not None,  # a folder that is no book stays as it is
                clean=None if self._settings.gate.secret is None else redact,
            )
        return self._finder

    # -- history ---------------------------------------------------------------------------------------------------

    def changes(self, *, file: str | None = None) -> Generator[Change]:
        """Recorded changes, newest first. Edits found on disk are recorded before."""
        self._notice()
        for change in self._book.history.changes():
            if file is None or file in change.files:
                yield change

    def diff(self, old: str | None = None, new: str | None = None) -> list[FileDiff]:
        """What a change did (`old` alone; default the newest), or the difference between two changes."""
        self._notice()
        history = self._book.history
        newest = history.head()
        if newest is None:
            return []
        if new is not None:
            return history.diff(history.resolve(old or newest), history.resolve(new))
        commit = history.commit(history.resolve(old or newest))
        return history.diff(commit.parents[0] if commit.parents else None, commit.id)

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
        return replace(found, said=self._quotes(found.changes))

    def _quotes(self, changes: Sequence[Change]) -> tuple[Quote, ...]:
        """The messages that changes rest on, as far as their transcripts are here."""
        from commonplace.types.keeping import Quote

        return tuple(
            Quote(session, message.id, message.role, message.text)
            for change in changes
            if (session := change.note.session) and change.note.messages
            for message in self._said_in(session)
            if message.id in change.note.messages
        )

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
        return self._checked(self._copies.make())

    def backups(self) -> list[Backup]:
        """The backups, newest first."""
        return self._copies.listed()

    def restore(self, name: str, *, reason: str | None = None) -> Restored:
        """Make MEMORY.md what a backup holds. What it holds now is backed up first."""
        return self._copies.restore(name, reason)

    def prune_backups(self) -> list[str]:
        """Remove all but the newest backups (as many as the settings say); returns the names of the removed."""
        return self._copies.prune()

    @cached_property
    def _copies(self) -> Copies:
        from commonplace.files.copies import Copies

        return Copies(self._book, self._clock, self._settings.backups_keep)

    # -- complete forgetting, checks, counts -------------------------------------------------------------------------

    def erase(self, *texts: str, dry_run: bool = True, whole_entries: bool = True) -> Erasure:
        """Remove texts from files, backups, index and history, in every spelling that the book may have given them, and
        entries that have one with it (not so with `whole_entries` off). `dry_run` only says what would go."""
        from commonplace import compacting, consolidating, flushing
        from commonplace.files import erasure

        pieces = [piece for text in texts for piece in self._made_of(text)]
        target = erasure.Target(texts, pieces, whole_entries)
        self._notice()
        if dry_run:
            return erasure.preview(self._book, target)
        tasks = (compacting.TASK, consolidating.TASK, flushing.TASK)
        with failing_as(UpdateFailed):
            self._book.create()
            return erasure.erase(self._book, target, tasks, self._settings.lock_timeout)

    def _made_of(self, text: str) -> list[str]:
        """What the steps of a write may have made of a text that was said: each request in it, and each fact."""
        from commonplace.gate.splitting import several_facts
        from commonplace.requesting import requests_in
        from commonplace.types.sessions import Message

        facts = several_facts(text)
        return [
            *requests_in([Message("asked", "user", text, self._clock.now())]),
            *(facts.pieces if facts else ()),
        ]

    def check(self, *, full: bool = False) -> list[Finding]:
        """What is right and wrong with the book, and what to do about it. Changes nothing. Of the history the newest
        part is read, with `full` all of it."""
        from commonplace.files import checkup

        return checkup.check(self._book, full=full)

    def audit(
        self,
        *,
        today: date | None = None,
        advice: Advice | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Audit:
        """What is doubtful in the memory, and how to mend it. Changes nothing."""
        from commonplace.auditing import audit
        from commonplace.auditing.advice import advice_for_book
        from commonplace.auditing.pairs import quietly
        from commonplace.auditing.sources import pages_of
        from commonplace.providers.embedders import embedder

        self._notice()
        return audit(
            pages_of(self._book),
            today=today or self._clock.now().date(),
            gate=self._settings.gate,
            embedder=self._embedder or embedder(self._settings.embedder),
            advice=advice or advice_for_book(),
            progress=progress or quietly,
        )

    def remedies(self) -> list[Remedy]:
        """What `mend` would change, file by file. Changes nothing."""
        from commonplace.auditing.mending import remedies
        from commonplace.auditing.sources import pages_of

        self._insist()
        return remedies(pages_of(self._book), self._settings.gate)

    def mend(self) -> tuple[Backup | None, str | None]:
        """Take duplicates and secrets out, and put the structure in order, after a backup; the change can be undone."""
        from commonplace.auditing.mending import mend_book

        with failing_as(UpdateFailed):
            return self.backup(), mend_book(self._book, self._settings.gate)

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
        storage = self._book.storage
        places = ("", folders.DAILY, folders.SESSIONS)
        files = [file for folder in places for file in storage.list_folder(folder) if file.kind == "file"]
        return sum(file.size for file in files if file.name.endswith((".md", ".jsonl")))


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
    if not text.strip():
        raise ValidationError(
            "The text to look for is blank.", hint="Copy the entry exactly as it stands in the memory."
        )
    return text.strip()
